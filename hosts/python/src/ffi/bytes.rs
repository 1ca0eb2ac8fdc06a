//! `bytes`, made and resized in place.

use pyo3_ffi as ffi;
use pyo3_ffi::{Py_ssize_t, PyObject};

unsafe extern "C" {
    // Exported by every version; part of the documented C API, although
    // PyO3 keeps it to itself.
    fn _PyBytes_Resize(op: *mut *mut PyObject, size: Py_ssize_t) -> core::ffi::c_int;
}

/// A new `bytes` of `len` bytes, not yet written; null with `MemoryError`
/// set when there is no memory. An empty one is a shared object.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn new(len: usize) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe { ffi::PyBytes_FromStringAndSize(core::ptr::null(), len as Py_ssize_t) }
}

/// Where the bytes of `op` lie.
///
/// # Safety
/// `op` is a `bytes`.
#[inline(always)]
pub unsafe fn data(op: *mut PyObject) -> *mut u8 {
    // SAFETY: as the caller says.
    unsafe { ffi::PyBytes_AsString(op).cast() }
}

/// Gives `op` another size; its new address, or null with `MemoryError` set,
/// and then `op` is gone.
///
/// # Safety
/// `op` is a `bytes` that nobody else has seen.
pub unsafe fn resize(mut op: *mut PyObject, len: usize) -> *mut PyObject {
    // SAFETY: as the caller says; on failure `op` becomes null.
    unsafe { _PyBytes_Resize(&raw mut op, len as Py_ssize_t) };
    op
}
