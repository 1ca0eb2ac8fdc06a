//! Raising `DecodeError`.

use core::ptr::null_mut;

use linecaster_decode::SyntaxError;
use pyo3_ffi::{self as ffi, PyObject};

use crate::exceptions;
use crate::ffi::str;

/// Raises `DecodeError` for `error` in `text`. Its `doc` is the document as
/// `str`; bytes are decoded for it, with U+FFFD for those that are not UTF-8.
/// As these come behind `pos` at the earliest, `pos` counts characters in
/// both cases.
///
/// # Safety
/// The GIL is held, and `text` is what has been decoded.
#[cold]
pub unsafe fn decode_error(text: *mut PyObject, error: &SyntaxError) {
    // SAFETY: what is made here is released here; a null argument ends the
    // call's list of arguments, so each is looked at before.
    unsafe {
        let class = exceptions::decode_error();
        let message = str::from_ascii(error.reason.message().as_bytes());
        let position = ffi::PyLong_FromSize_t(error.character);
        let doc = document(text);
        if !message.is_null() && !position.is_null() && !doc.is_null() {
            let end = null_mut::<PyObject>();
            let exception = ffi::PyObject_CallFunctionObjArgs(class, message, doc, position, end);
            if !exception.is_null() {
                ffi::PyErr_SetObject(class, exception);
                ffi::Py_DECREF(exception);
            }
        }
        ffi::Py_XDECREF(message);
        ffi::Py_XDECREF(position);
        ffi::Py_XDECREF(doc);
    }
}

/// The document as `str`, a new reference; null with an exception set.
unsafe fn document(text: *mut PyObject) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        if ffi::PyUnicode_Check(text) == 0 {
            return ffi::PyUnicode_FromEncodedObject(text, c"utf-8".as_ptr(), c"replace".as_ptr());
        }
        ffi::Py_INCREF(text);
        text
    }
}
