//! `loads` and `load`.

use core::ffi::CStr;
use core::ptr::null_mut;

use linecaster_decode::{Options, Surrogates};
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::arguments::Arguments;
use super::fault;
use crate::args::type_error;
use crate::decode::decode_input;
use crate::decode::hooks::Hooks;
use crate::decode::input::Input;
use crate::decode::options::LoadOptions;
use crate::ffi::owned::Owned;
use crate::guarded;

/// The docstring of [`loads`].
pub const LOADS_DOC: &CStr = c"Make Python objects of JSON text, as ujson does.

Parameter: obj, a str, bytes or bytearray.";

/// The docstring of [`load`].
pub const LOAD_DOC: &CStr =
    c"Make Python objects of the JSON text that a file holds, as ujson does.

Parameter: fp, whose read() returns a str, bytes or bytearray.";

/// `linecaster.ujson.loads` and `decode`.
pub unsafe extern "C" fn loads(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe { decode(Arguments::new(args, nargs, names)) })
}

/// `linecaster.ujson.load`.
pub unsafe extern "C" fn load(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        let arguments = Arguments::new(args, nargs, names);
        let Some([file]) = arguments.exactly() else {
            return null_mut();
        };
        let Some(read) = super::method(file, c"read") else {
            return null_mut();
        };
        match Owned::from_new(py::PyObject_CallNoArgs(read.as_ptr())) {
            Some(text) => {
                let text = text.as_ptr();
                decode(arguments.with_single(&raw const text))
            }
            None => null_mut(),
        }
    })
}

/// What ujson takes for a document.
const SYNTAX: Options = Options {
    max_depth: 1024,
    allow_nan: true,
    leading_zeros: true,
    missing_digits: true,
    raw_control: true,
    refuse_nul: true,
    surrogates: Surrogates::KeepRaw,
    big_integers_as_floats: false,
    integers_as_text: false,
    floats_as_text: false,
};

/// The objects of the document that is the only argument.
#[inline(always)]
unsafe fn decode(arguments: Arguments) -> *mut PyObject {
    // SAFETY: the arguments are alive.
    unsafe {
        let Some(text) = arguments.single() else {
            return null_mut();
        };
        if py::PyUnicode_Check(text) == 0
            && py::PyBytes_Check(text) == 0
            && py::PyByteArray_Check(text) == 0
        {
            return wrong_type(text);
        }
        let options = LoadOptions {
            hooks: Hooks::default(),
            syntax: SYNTAX,
            raise: fault::raise,
        };
        match Input::of(text) {
            Some(input) => decode_input(text, &input, &options),
            None => null_mut(),
        }
    }
}

#[cold]
unsafe fn wrong_type(text: *mut PyObject) -> *mut PyObject {
    // SAFETY: the buffer is used only if it has been filled.
    unsafe {
        let mut buffer = core::mem::MaybeUninit::uninit();
        let flags = py::PyBUF_C_CONTIGUOUS;
        if py::PyObject_GetBuffer(text, buffer.as_mut_ptr(), flags) == 0 {
            py::PyBuffer_Release(buffer.as_mut_ptr());
            type_error(
                "Arbitrary bytes-like objects are no longer supported. \
                 Use either string, bytes, or bytearray.",
            );
        } else {
            py::PyErr_Clear();
            type_error("Expected string, bytes, or bytearray");
        }
    }
    null_mut()
}
