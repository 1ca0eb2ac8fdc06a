//! Objects from the parser's calls, in one pass.
//!
//! Finished objects wait on a stack of owned references until their container
//! ends, which is then made at its final size and takes them over. On an error
//! the stack releases what it holds.

use linecaster_decode::{Characters, Error, Options, Scan, Visit, parse, parse_value};
use linecaster_kernel::text::Text;
use pyo3_ffi::{self as ffi, PyObject};

use super::hooks::{self, Hooks};
use super::{integers, keys, strings};
use crate::ffi::{dict, float, list, object};

/// A Python exception has been set.
pub struct Raised;

/// Makes objects. `HOOKED` says whether objects may go to a hook.
pub struct Builder<'a, const HOOKED: bool> {
    values: &'a mut Vec<*mut PyObject>,
    hooks: &'a Hooks,
    /// `False` and `True`.
    booleans: [*mut PyObject; 2],
}

impl<'a, const HOOKED: bool> Builder<'a, HOOKED> {
    /// A builder on an empty stack.
    ///
    /// # Safety
    /// The GIL is held for as long as the builder lives, and no other uses
    /// the stack.
    #[inline(always)]
    pub unsafe fn new(values: &'a mut Vec<*mut PyObject>, hooks: &'a Hooks) -> Self {
        debug_assert!(values.is_empty());
        // SAFETY: both are always there.
        let booleans = unsafe { [ffi::Py_False(), ffi::Py_True()] };
        Self {
            values,
            hooks,
            booleans,
        }
    }

    /// The document's object, once the parser has come to its end; null only
    /// if it called for none.
    #[inline(always)]
    pub fn finish(self) -> *mut PyObject {
        self.values.pop().unwrap_or(core::ptr::null_mut())
    }

    /// Builds a document, or the one value that begins at `start`, with the
    /// index behind it.
    #[inline(always)]
    pub fn read<T: Text<Unit: Scan>>(
        mut self,
        units: &[T::Unit],
        start: Option<usize>,
        options: &Options,
        scratch: &mut linecaster_decode::Scratch,
    ) -> Result<(*mut PyObject, usize), Error<Raised>> {
        let end = match start {
            None => parse::<T, _>(units, options, scratch, &mut self).map(|()| units.len())?,
            Some(start) => parse_value::<T, _>(units, start, options, scratch, &mut self)?,
        };
        Ok((self.finish(), end))
    }

    /// Takes over a new object, or says that there is none.
    #[inline(always)]
    fn push(&mut self, object: *mut PyObject) -> Result<(), Raised> {
        if object.is_null() {
            return Err(Raised);
        }
        self.values.push(object);
        Ok(())
    }

    /// Pushes an object that is shared.
    #[inline(always)]
    fn push_shared(&mut self, object: *mut PyObject) -> Result<(), Raised> {
        // SAFETY: `None`, `True` and `False` are always there.
        unsafe { ffi::Py_INCREF(object) };
        self.push(object)
    }

    /// Replaces the last `count` objects by the one that `make` makes of
    /// them, which takes them over whether it succeeds or not.
    #[inline(always)]
    fn collect(
        &mut self,
        count: usize,
        make: impl FnOnce(&mut [*mut PyObject]) -> *mut PyObject,
    ) -> Result<(), Raised> {
        let base = self.values.len() - count;
        // SAFETY: the length shrinks; the references above it now belong to
        // `make`. It may call hooks, but none of them can reach this stack.
        let object = unsafe {
            self.values.set_len(base);
            let items = self.values.as_mut_ptr().add(base);
            make(core::slice::from_raw_parts_mut(items, count))
        };
        self.push(object)
    }

    /// The end of an object that goes to a hook.
    #[inline(never)]
    fn end_hooked(&mut self, members: usize) -> Result<(), Raised> {
        let hooks = self.hooks;
        // SAFETY: the GIL is held; keys and values are owned references.
        self.collect(2 * members, |items| unsafe {
            if !hooks.pairs.is_null() {
                hooks::replace(hooks.pairs, hooks::pairs(items))
            } else if !hooks.object.is_null() {
                hooks::replace(hooks.object, dict::from_owned(items))
            } else {
                dict::from_owned(items)
            }
        })
    }
}

impl<const HOOKED: bool> Visit for Builder<'_, HOOKED> {
    type Error = Raised;

    #[inline(always)]
    fn null(&mut self) -> Result<(), Raised> {
        // SAFETY: `None` is always there.
        self.push_shared(unsafe { ffi::Py_None() })
    }

    #[inline(always)]
    fn boolean(&mut self, value: bool) -> Result<(), Raised> {
        // From memory, so that nothing branches on what cannot be predicted.
        self.push_shared(self.booleans[usize::from(value)])
    }

    #[inline(always)]
    fn integer(&mut self, value: i64) -> Result<(), Raised> {
        // SAFETY: the GIL is held.
        self.push(unsafe { integers::make(value) })
    }

    #[inline(always)]
    fn integers(&mut self, run: &mut impl Iterator<Item = i64>) -> Result<usize, Raised> {
        if object::IN_PLACE {
            // SAFETY: the GIL is held; the parser only reads.
            return unsafe { integers::push_all(self.values, run) }.ok_or(Raised);
        }
        let mut members = 0;
        for value in run {
            self.integer(value)?;
            members += 1;
        }
        Ok(members)
    }

    #[inline(always)]
    fn unsigned(&mut self, value: u64) -> Result<(), Raised> {
        // SAFETY: the GIL is held.
        self.push(unsafe { ffi::PyLong_FromUnsignedLongLong(value) })
    }

    #[cold]
    fn integer_text(&mut self, text: &[u8]) -> Result<(), Raised> {
        // SAFETY: the GIL is held; the text is ASCII, and ends with a NUL
        // where C looks for its end.
        let object = unsafe {
            if self.hooks.int.is_null() {
                let mut digits = Vec::with_capacity(text.len() + 1);
                digits.extend_from_slice(text);
                digits.push(0);
                ffi::PyLong_FromString(digits.as_ptr().cast(), core::ptr::null_mut(), 10)
            } else {
                hooks::number(self.hooks.int, text)
            }
        };
        self.push(object)
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<(), Raised> {
        // SAFETY: the GIL is held.
        self.push(unsafe { float::new(value) })
    }

    #[cold]
    fn not_finite(&mut self, value: f64) -> Result<(), Raised> {
        if !HOOKED || self.hooks.constant.is_null() {
            return self.float(value);
        }
        let name = crate::encode::numbers::spell_non_finite(value);
        // SAFETY: the GIL is held; the name is ASCII.
        self.push(unsafe { hooks::number(self.hooks.constant, name) })
    }

    #[cold]
    fn float_text(&mut self, text: &[u8]) -> Result<(), Raised> {
        // SAFETY: the GIL is held; the text is ASCII. The parser calls this
        // only if there is a hook.
        self.push(unsafe { hooks::number(self.hooks.float, text) })
    }

    #[inline(always)]
    fn string(&mut self, characters: Characters<'_>) -> Result<(), Raised> {
        // SAFETY: the GIL is held.
        self.push(unsafe { strings::make(&characters) })
    }

    #[inline(always)]
    fn key(&mut self, characters: Characters<'_>) -> Result<(), Raised> {
        // SAFETY: the GIL is held.
        self.push(unsafe { keys::get(&characters) })
    }

    #[inline(always)]
    fn end_array(&mut self, members: usize) -> Result<(), Raised> {
        if HOOKED && !self.hooks.array.is_null() {
            let hook = self.hooks.array;
            // SAFETY: as below.
            return self.collect(members, |items| unsafe {
                hooks::replace(hook, list::from_owned(items))
            });
        }
        // SAFETY: the GIL is held; the items are owned references.
        self.collect(members, |items| unsafe { list::from_owned(items) })
    }

    #[inline(always)]
    fn end_object(&mut self, members: usize) -> Result<(), Raised> {
        if HOOKED {
            return self.end_hooked(members);
        }
        // SAFETY: the GIL is held; keys and values are owned references.
        self.collect(2 * members, |items| unsafe { dict::from_owned(items) })
    }
}

impl<const HOOKED: bool> Drop for Builder<'_, HOOKED> {
    #[inline(always)]
    fn drop(&mut self) {
        // One at a time: a finalizer may run, and must not find the others
        // gone in the middle of a loop over the vector.
        while let Some(object) = self.values.pop() {
            // SAFETY: the stack holds owned references.
            unsafe { ffi::Py_DECREF(object) };
        }
    }
}
