//! `loads`: what it takes, and its errors.

use core::ffi::CStr;
use core::ptr::null_mut;

use linecaster_decode::{Options, Surrogates, SyntaxError};
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::fault::{self, Fault};
use super::rules::SURROGATES;
use crate::decode::decode_input;
use crate::decode::hooks::Hooks;
use crate::decode::input::Input;
use crate::decode::options::LoadOptions;
use crate::ffi::owned::Owned;
use crate::ffi::str;
use crate::guarded;

/// The docstring.
pub const DOC: &CStr = c"loads(obj, /)
--

Deserialize JSON to Python objects.";

const INPUT: &str = "Input must be bytes, bytearray, memoryview, or str";
const EMPTY: &str = "Input is a zero-length, empty document";

/// `linecaster.orjson.loads`.
pub unsafe extern "C" fn loads(_module: *mut PyObject, text: *mut PyObject) -> *mut PyObject {
    // SAFETY: the argument is alive during the call.
    guarded(|| unsafe {
        let Some(input) = input(text) else {
            return null_mut();
        };
        let options = LoadOptions {
            hooks: Hooks::default(),
            syntax: Options {
                surrogates: Surrogates::Reject,
                big_integers_as_floats: true,
                ..Options::default()
            },
            raise,
        };
        decode_input(text, &input, &options)
    })
}

/// The document in `text`, which must be of one of four types exactly.
#[inline(always)]
unsafe fn input<'a>(text: *mut PyObject) -> Option<Input<'a>> {
    // SAFETY: the object is of the type that is found.
    unsafe {
        let class = py::Py_TYPE(text);
        if class == &raw mut py::PyBytes_Type || class == &raw mut py::PyUnicode_Type {
            return Input::of(text);
        }
        if class == &raw mut py::PyByteArray_Type || class == &raw mut py::PyMemoryView_Type {
            if let Some(input) = Input::buffer(text) {
                return Some(input);
            }
            // Not contiguous, or released.
            py::PyErr_Clear();
        }
        raise_at(INPUT, str::from_ascii(b""), 0);
        None
    }
}

/// Sets the exception for a malformed document.
unsafe fn raise(text: *mut PyObject, _error: &SyntaxError) {
    // SAFETY: what is made here is owned; `text` is what was read.
    unsafe {
        let utf8 = utf8(text);
        py::PyErr_Clear();
        let document = utf8.as_ref().and_then(|utf8| {
            let data = py::PyBytes_AS_STRING(utf8.as_ptr()).cast();
            let len = py::Py_SIZE(utf8.as_ptr()) as usize;
            core::str::from_utf8(core::slice::from_raw_parts(data, len)).ok()
        });
        match document {
            None => raise_at(SURROGATES, str::from_ascii(b""), 0),
            Some("") => raise_at(EMPTY, str::from_ascii(b""), 0),
            Some(document) => {
                let Fault { message, at } = fault::find(document.as_bytes());
                let position = document.as_bytes()[..at]
                    .iter()
                    .filter(|&byte| byte & 0xC0 != 0x80)
                    .count();
                let whole = document.as_ptr().cast();
                let whole = py::PyUnicode_FromStringAndSize(whole, document.len() as isize);
                raise_at(message, whole, position);
            }
        }
    }
}

/// The document as UTF-8; `None` when there are lone surrogates.
unsafe fn utf8(text: *mut PyObject) -> Option<Owned> {
    // SAFETY: the caller gives what was read.
    unsafe {
        if py::PyUnicode_Check(text) != 0 {
            return Owned::from_new(py::PyUnicode_AsUTF8String(text));
        }
        if py::PyBytes_Check(text) != 0 {
            return Some(Owned::from_borrowed(text));
        }
        Owned::from_new(py::PyBytes_FromObject(text))
    }
}

/// Sets `JSONDecodeError(message, document, position)`. The document is taken
/// over; null with an exception set goes through.
unsafe fn raise_at(message: &str, document: *mut PyObject, position: usize) {
    // SAFETY: what is made here is owned.
    unsafe {
        let Some(document) = Owned::from_new(document) else {
            return;
        };
        let Some(message) = Owned::from_new(str::from_ascii(message.as_bytes())) else {
            return;
        };
        let Some(position) = Owned::from_new(py::PyLong_FromSize_t(position)) else {
            return;
        };
        let arguments = py::PyTuple_Pack(3, message.as_ptr(), document.as_ptr(), position.as_ptr());
        if let Some(arguments) = Owned::from_new(arguments) {
            py::PyErr_SetObject(super::decode_error(), arguments.as_ptr());
        }
    }
}
