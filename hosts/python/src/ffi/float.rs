//! `float`, made in place.

use pyo3_ffi::{self as ffi, PyFloatObject, PyObject};

use super::object;

/// A new `float`; null with `MemoryError` set when there is no memory.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn new(value: f64) -> *mut PyObject {
    // SAFETY: as the caller says; a `float` is its head and its value.
    unsafe {
        if !object::IN_PLACE {
            return ffi::PyFloat_FromDouble(value);
        }
        let size = size_of::<PyFloatObject>();
        let op = object::allocate(size, &raw mut ffi::PyFloat_Type);
        if !op.is_null() {
            (&raw mut (*op.cast::<PyFloatObject>()).ob_fval).write(value);
        }
        op
    }
}

/// Whether what [`new`] makes is what the interpreter makes.
///
/// # Safety
/// The GIL is held.
pub unsafe fn verify_layout() -> bool {
    // SAFETY: both are new references.
    unsafe {
        let sample = -1.25e-7;
        let theirs = ffi::PyFloat_FromDouble(sample);
        object::same_bytes(new(sample), theirs, [0..8, 8..size_of::<PyFloatObject>()])
    }
}
