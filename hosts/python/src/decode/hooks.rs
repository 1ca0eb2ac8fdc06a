//! What the user gave to be called while a document is read.

use core::ptr::null_mut;

use pyo3_ffi::{self as ffi, PyObject};

use crate::ffi::{list, str};

/// Callables, null where there is none. Borrowed from the call's arguments.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// `object_hook`
    pub object: *mut PyObject,
    /// `object_pairs_hook`
    pub pairs: *mut PyObject,
    /// `parse_float`
    pub float: *mut PyObject,
    /// `parse_int`
    pub int: *mut PyObject,
    /// Called with the name of NaN and the infinities, by the doors that have
    /// it.
    pub constant: *mut PyObject,
    /// Called with each list, by the doors that have it.
    pub array: *mut PyObject,
}

impl Default for Hooks {
    #[inline(always)]
    fn default() -> Self {
        Self {
            object: null_mut(),
            pairs: null_mut(),
            float: null_mut(),
            int: null_mut(),
            constant: null_mut(),
            array: null_mut(),
        }
    }
}

impl Hooks {
    /// Whether anything but numbers goes to a hook. (Numbers do if the parser hands over
    /// their text.)
    #[inline(always)]
    pub fn any(&self) -> bool {
        let hooks = [self.object, self.pairs, self.constant, self.array];
        hooks.iter().any(|hook| !hook.is_null())
    }
}

/// What `hook` returns for the text of a number; null with an exception set if
/// it raises.
///
/// # Safety
/// The GIL is held, and the text is ASCII.
pub unsafe fn number(hook: *mut PyObject, text: &[u8]) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe { replace(hook, str::from_ascii(text)) }
}

/// What `hook` returns for `argument`, whose reference is taken over. Null
/// goes through.
///
/// # Safety
/// The GIL is held.
pub unsafe fn replace(hook: *mut PyObject, argument: *mut PyObject) -> *mut PyObject {
    if argument.is_null() {
        return null_mut();
    }
    // SAFETY: both are live objects, ours until released.
    unsafe {
        let result = ffi::PyObject_CallOneArg(hook, argument);
        ffi::Py_DECREF(argument);
        result
    }
}

/// A list of pairs of `items`, keys and values in turn, whose references it
/// takes over; null with an exception set when there is no memory.
///
/// # Safety
/// The GIL is held, and `items` are owned references, an even number of them.
pub unsafe fn pairs(items: &mut [*mut PyObject]) -> *mut PyObject {
    let count = items.len() / 2;
    let mut made = 0;
    // SAFETY: each tuple takes over the two references that it is filled
    // with, the list those of the tuples. The collector may run while they
    // are made and finds nothing but whole objects.
    unsafe {
        while made < count {
            let tuple = ffi::PyTuple_New(2);
            if tuple.is_null() {
                break;
            }
            ffi::PyTuple_SET_ITEM(tuple, 0, items[2 * made]);
            ffi::PyTuple_SET_ITEM(tuple, 1, items[2 * made + 1]);
            items[made] = tuple;
            made += 1;
        }
        if made == count {
            let list = list::from_owned(&items[..count]);
            if !list.is_null() {
                return list;
            }
        }
        for &item in items[..made].iter().chain(&items[2 * made..]) {
            ffi::Py_DECREF(item);
        }
    }
    null_mut()
}
