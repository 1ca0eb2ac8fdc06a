//! Raising `DecodeError`.

use core::ptr::null_mut;

use linecaster_decode::{Reason, SyntaxError};
use pyo3_ffi::{self as ffi, PyObject};

use super::feed::Position;
use crate::exceptions;
use crate::ffi::owned::{Owned, Raised};
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

/// Raises `DecodeError` for a part of a text, as [`new_error_at`] makes it.
///
/// # Safety
/// The GIL is held.
#[cold]
pub unsafe fn decode_error_at(reason: Reason, part: &[u8], at: usize, position: Position) {
    // SAFETY: the class is one; the error is new.
    unsafe {
        if let Some(error) = Owned::from_new(new_error_at(reason, part, at, position)) {
            ffi::PyErr_SetObject(exceptions::decode_error(), error.as_ptr());
        }
    }
}

/// A `DecodeError` for a part of a text: its `doc` is that part, its `pos` is
/// in there, but `lineno`, `colno` and `offset` are in all of the text. Null
/// with another exception set when it cannot be made.
///
/// # Safety
/// The GIL is held.
#[cold]
pub unsafe fn new_error_at(
    reason: Reason,
    part: &[u8],
    at: usize,
    position: Position,
) -> *mut PyObject {
    let (line, column, offset) = (position.line, position.column(), position.offset);
    let text = format!(
        "{}: line {line} column {column} (char {offset})",
        reason.message()
    );
    // SAFETY: all that is made here is owned; a `bytes` of the part is made
    // first, so that it is decoded as any other.
    unsafe {
        let Ok(error) = (|| {
            let message = Owned::from_call(str::from_ascii(reason.message().as_bytes()))?;
            let doc = Owned::from_call(ffi::PyUnicode_DecodeUTF8(
                part.as_ptr().cast(),
                part.len() as ffi::Py_ssize_t,
                c"replace".as_ptr(),
            ))?;
            let number = |value| Owned::from_call(ffi::PyLong_FromSize_t(value));
            let error = Owned::from_call(ffi::PyObject_CallFunctionObjArgs(
                exceptions::decode_error(),
                message.as_ptr(),
                doc.as_ptr(),
                number(at)?.as_ptr(),
                null_mut::<PyObject>(),
            ))?;
            let text = Owned::from_call(str::from_ascii(text.as_bytes()))?;
            let args = Owned::from_call(ffi::PyTuple_New(1))?;
            ffi::PyTuple_SET_ITEM(args.as_ptr(), 0, text.into_ptr());
            for (name, value) in [
                (c"args", args),
                (c"lineno", number(line)?),
                (c"colno", number(column)?),
                (c"offset", number(offset)?),
            ] {
                if ffi::PyObject_SetAttrString(error.as_ptr(), name.as_ptr(), value.as_ptr()) != 0 {
                    return Err(Raised);
                }
            }
            Ok(error)
        })() else {
            return null_mut();
        };
        error.into_ptr()
    }
}
