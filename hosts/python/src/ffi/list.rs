//! `list`, made at its final size.

use pyo3_ffi as ffi;
use pyo3_ffi::{Py_ssize_t, PyListObject, PyObject};

/// A new list of `items`, whose references it takes over; null with
/// `MemoryError` set, and nothing taken, when there is no memory.
///
/// # Safety
/// The GIL is held, and each item is an owned reference.
#[inline(always)]
pub unsafe fn from_owned(items: &[*mut PyObject]) -> *mut PyObject {
    // SAFETY: a fresh list has `len` empty places, and nothing looks at it
    // before they are filled.
    unsafe {
        let list = ffi::PyList_New(items.len() as Py_ssize_t);
        if !list.is_null() && !items.is_empty() {
            let places = (*list.cast::<PyListObject>()).ob_item;
            core::ptr::copy_nonoverlapping(items.as_ptr(), places, items.len());
        }
        list
    }
}
