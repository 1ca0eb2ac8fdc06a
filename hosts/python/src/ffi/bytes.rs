//! `bytes`, made and resized in place.

use core::mem::offset_of;

use pyo3_ffi as ffi;
use pyo3_ffi::{Py_ssize_t, PyBytesObject, PyObject};

use super::object;

unsafe extern "C" {
    // Exported by every version; part of the documented C API, although
    // PyO3 keeps it to itself.
    fn _PyBytes_Resize(op: *mut *mut PyObject, size: Py_ssize_t) -> core::ffi::c_int;
}

/// Where the bytes begin in an object.
const HEADER: usize = offset_of!(PyBytesObject, ob_sval);

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

/// [`new`] for at least one byte, and at most as many as memory could hold.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn new_short(len: usize) -> *mut PyObject {
    // SAFETY: as the caller says; a NUL stands behind the bytes.
    unsafe {
        if !object::IN_PLACE {
            return new(len);
        }
        debug_assert!(len > 0);
        let op = object::allocate(HEADER + len + 1, &raw mut ffi::PyBytes_Type);
        if !op.is_null() {
            let head = op.cast::<PyBytesObject>();
            (&raw mut (*head).ob_base.ob_size).write(len as Py_ssize_t);
            // Not computed yet.
            #[allow(deprecated, reason = "it is still there")]
            (&raw mut (*head).ob_shash).write(-1);
            op.cast::<u8>().add(HEADER + len).write(0);
        }
        op
    }
}

/// Whether this file makes `bytes` as the running interpreter does.
///
/// # Safety
/// The GIL is held.
pub unsafe fn verify_layout() -> bool {
    // SAFETY: both are new `bytes` of one length; what lies between head and
    // NUL is not written yet.
    unsafe {
        let written = [0..HEADER, HEADER + 9..HEADER + 10];
        object::same_bytes(new_short(9), new(9), written)
    }
}

/// Where the bytes of `op` lie.
///
/// # Safety
/// `op` is a `bytes`.
#[inline(always)]
pub unsafe fn data(op: *mut PyObject) -> *mut u8 {
    // SAFETY: as the caller says; the bytes follow the head.
    unsafe { op.cast::<u8>().add(HEADER) }
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
