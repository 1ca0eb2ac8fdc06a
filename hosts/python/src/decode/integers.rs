//! `int` objects. Most are small, and of each of those the interpreter has just
//! one: a table of them saves the call.

use core::cell::UnsafeCell;
use core::ptr::null_mut;

use pyo3_ffi::{self as ffi, PyObject};

use crate::ffi::int;

/// The least integer of which there is one object only.
const FIRST: i64 = -5;
/// How many of them there are.
const COUNT: usize = 262;

/// References of the table's own, null until asked for.
struct Table(UnsafeCell<[*mut PyObject; COUNT]>);

// SAFETY: read and written under the GIL only (the module declares that it
// needs it and is refused by a second interpreter).
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new([null_mut(); COUNT]));

/// A new reference to an `int`; null with an exception set when there is no
/// memory.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn make(value: i64) -> *mut PyObject {
    let index = value.wrapping_sub(FIRST) as usize;
    // SAFETY: the GIL is held, and the place lies within the table.
    unsafe {
        if index < COUNT {
            let shared = *TABLE.0.get().cast::<*mut PyObject>().add(index);
            if shared.is_null() {
                return keep(value, index);
            }
            ffi::Py_INCREF(shared);
            return shared;
        }
        int::new_unshared(value)
    }
}

/// As [`make`], and the table keeps the object.
#[cold]
unsafe fn keep(value: i64, index: usize) -> *mut PyObject {
    // SAFETY: as for [`make`].
    unsafe {
        let object = ffi::PyLong_FromLongLong(value);
        if !object.is_null() {
            ffi::Py_INCREF(object);
            TABLE
                .0
                .get()
                .cast::<*mut PyObject>()
                .add(index)
                .write(object);
        }
        object
    }
}
