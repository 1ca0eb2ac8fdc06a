//! A reference that is given back when it goes.

use pyo3_ffi::{Py_DECREF, Py_INCREF, PyObject};

/// One owned reference to an object, never null.
pub struct Owned(*mut PyObject);

/// A Python exception is set.
#[derive(Clone, Copy, Debug)]
pub struct Raised;

impl Owned {
    /// Takes over the reference that a function returned, or notes that it
    /// returned null with its exception set.
    ///
    /// # Safety
    /// `op` is null or a reference that the caller owns.
    #[inline(always)]
    pub unsafe fn from_call(op: *mut PyObject) -> Result<Owned, Raised> {
        // SAFETY: as the caller says.
        unsafe { Owned::from_new(op) }.ok_or(Raised)
    }

    /// Takes over the reference that a function returned; `None` when it
    /// returned null, with its exception still set.
    ///
    /// # Safety
    /// `op` is null or a reference that the caller owns.
    #[inline(always)]
    pub unsafe fn from_new(op: *mut PyObject) -> Option<Owned> {
        if op.is_null() { None } else { Some(Owned(op)) }
    }

    /// A new reference to a borrowed object.
    ///
    /// # Safety
    /// `op` is an object, alive now.
    #[inline(always)]
    pub unsafe fn from_borrowed(op: *mut PyObject) -> Owned {
        // SAFETY: as the caller says.
        unsafe { Py_INCREF(op) };
        Owned(op)
    }

    /// The object, borrowed.
    #[inline(always)]
    pub fn as_ptr(&self) -> *mut PyObject {
        self.0
    }

    /// The object with its reference, which the caller has to give back.
    #[inline(always)]
    pub fn into_ptr(self) -> *mut PyObject {
        let op = self.0;
        core::mem::forget(self);
        op
    }
}

impl Drop for Owned {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: this value owns one reference, and the GIL is held by all
        // code that handles objects.
        unsafe { Py_DECREF(self.0) };
    }
}
