//! The native module `linecaster._linecaster`.
//!
//! PyO3 makes the module and its exception classes; the functions themselves
//! are plain vectorcall functions over `pyo3-ffi`, because a call on a small
//! object takes less time than a general argument parser.

mod args;
mod decode;
mod encode;
mod exceptions;
mod fastapi;
mod ffi;
mod implementation;
mod json;
mod numpy;
mod orjson;
mod ujson;

use core::ffi::CStr;
use core::sync::atomic::{AtomicI64, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};

use decode::decoder;
use encode::stream;
use ffi::class::Methods;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3_ffi::{self as py, Py_ssize_t, PyMethodDef, PyMethodDefPointer, PyObject};

/// A function called by `METH_FASTCALL | METH_KEYWORDS`.
pub(crate) type Function = unsafe extern "C" fn(
    *mut PyObject,
    *const *mut PyObject,
    Py_ssize_t,
    *mut PyObject,
) -> *mut PyObject;

/// An entry of a method table. The text signature stands in the
/// docstring, in the form that `inspect.signature` reads.
pub(crate) const fn function(
    name: &'static CStr,
    doc: &'static CStr,
    function: Function,
) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer {
            PyCFunctionFastWithKeywords: function,
        },
        ml_flags: py::METH_FASTCALL | py::METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }
}

/// Runs the body of a function; a panic becomes `SystemError`, because none
/// may cross into C.
#[inline(always)]
pub(crate) fn guarded(body: impl FnOnce() -> *mut PyObject) -> *mut PyObject {
    if let Ok(result) = catch_unwind(AssertUnwindSafe(body)) {
        return result;
    }
    // SAFETY: the GIL is held in every function of the module.
    unsafe {
        args::set_error(
            py::PyExc_SystemError,
            "linecaster met an internal error (this is a bug; please report it)",
        );
    }
    core::ptr::null_mut()
}

/// Makes the native part of a drop-in: `_linecaster.<name>`, whose functions
/// say that they are of `linecaster.<name>`, where users find them.
pub(crate) fn submodule<'py>(python: Python<'py>, name: &str) -> PyResult<Bound<'py, PyModule>> {
    let module = PyModule::new(python, &format!("linecaster.{name}"))?;
    // Found there by an import of this name; no attribute is needed.
    let modules = python.import("sys")?.getattr("modules")?;
    modules.set_item(format!("linecaster._linecaster.{name}"), &module)?;
    Ok(module)
}

static METHODS: Methods<12> = Methods([
    function(c"dumps", encode::DUMPS_DOC, encode::dumps),
    function(c"encode", encode::ENCODE_DOC, encode::encode),
    function(c"encode_into", encode::ENCODE_INTO_DOC, encode::encode_into),
    function(c"dump", encode::DUMP_DOC, encode::dump),
    function(c"iterencode", encode::ITERENCODE_DOC, stream::iterencode),
    function(
        c"encode_lines",
        encode::ENCODE_LINES_DOC,
        stream::encode_lines_call,
    ),
    function(
        c"iterencode_lines",
        encode::ITERENCODE_LINES_DOC,
        stream::iterencode_lines,
    ),
    function(c"loads", decode::LOADS_DOC, decode::loads),
    function(c"load", decode::LOAD_DOC, decode::load),
    function(
        c"decode_lines",
        decode::DECODE_LINES_DOC,
        decoder::decode_lines,
    ),
    function(c"iter_items", decode::ITER_ITEMS_DOC, decoder::iter_items),
    PyMethodDef::zeroed(),
]);

/// The interpreter that imported the module first.
static INTERPRETER: AtomicI64 = AtomicI64::new(-1);

/// Refuses every interpreter but the first: the exception classes and the
/// caches are one per process.
fn claim_interpreter(py: Python<'_>) -> PyResult<()> {
    // SAFETY: the GIL is held.
    let id = unsafe { py::PyInterpreterState_GetID(py::PyInterpreterState_Get()) };
    if id < 0 {
        return Err(PyErr::fetch(py));
    }
    match INTERPRETER.compare_exchange(-1, id, Ordering::Relaxed, Ordering::Relaxed) {
        Err(first) if first != id => Err(PyImportError::new_err(
            "linecaster works in one interpreter of a process only, the first that imports it: \
             it does not support sub-interpreters",
        )),
        _ => Ok(()),
    }
}

/// Linecaster's native module; public for the fuzz target that embeds Python.
#[pymodule(gil_used = true, name = "_linecaster")]
pub fn linecaster(module: &Bound<'_, PyModule>) -> PyResult<()> {
    claim_interpreter(module.py())?;
    // SAFETY: the GIL is held while a module is made.
    let layouts_agree = unsafe {
        ffi::str::verify_layout()
            && ffi::bytes::verify_layout()
            && ffi::int::verify_layout()
            && ffi::float::verify_layout()
    };
    if !layouts_agree {
        return Err(PyImportError::new_err(
            "linecaster was built for another layout of objects than this interpreter has; \
             install a build made for it",
        ));
    }
    // SAFETY: likewise.
    let verified = unsafe {
        ffi::dict_entries::verify_layout()
            .and_then(|()| ffi::dict_table::verify_layout())
            .and_then(|()| ffi::set::verify_layout())
            .and_then(|()| decode::prepare())
    };
    if verified.is_none() {
        return Err(PyErr::fetch(module.py()));
    }
    exceptions::add_to(module)?;
    implementation::add_to(module)?;
    encode::encoder::add_to(module)?;
    stream::add_to(module)?;
    decoder::add_to(module)?;
    METHODS.add_to(module)?;
    orjson::register(module.py())?;
    ujson::register(module.py())?;
    json::register(module.py())?;
    fastapi::register(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
