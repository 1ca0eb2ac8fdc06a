//! `linecaster.ujson`: what ujson 6.1 does, to the byte and to the text of its
//! errors.
//!
//! * [`arguments`]: the arguments of a call and what they ask for.
//! * [`rules`]: values and keys that are of no exact built-in type.
//! * [`foreign`]: text that `__json__` returns, and `bytes` as strings.
//! * [`encode`], [`decode`]: the functions.
//! * [`fault`]: what ujson says about a text that it refuses.

mod arguments;
mod decode;
mod encode;
mod fault;
mod foreign;
mod rules;

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3::prelude::*;
use pyo3_ffi::{self as py, PyMethodDef, PyObject};

use crate::ffi::class::Methods;
use crate::ffi::owned::Owned;
use crate::function;

/// The version of ujson that this module stands in for.
const VERSION: &str = "6.1.0";

static FUNCTIONS: Methods<7> = Methods([
    function(c"dumps", encode::DUMPS_DOC, encode::dumps),
    function(c"encode", encode::DUMPS_DOC, encode::dumps),
    function(c"dump", encode::DUMP_DOC, encode::dump),
    function(c"loads", decode::LOADS_DOC, decode::loads),
    function(c"decode", decode::LOADS_DOC, decode::loads),
    function(c"load", decode::LOAD_DOC, decode::load),
    PyMethodDef::zeroed(),
]);

static DECODE_ERROR: AtomicPtr<PyObject> = AtomicPtr::new(null_mut());

const DECODE_ERROR_NAME: &CStr = c"linecaster.ujson.JSONDecodeError";

/// Makes the submodule.
pub fn register(py: Python<'_>) -> PyResult<()> {
    let made = crate::submodule(py, "ujson")?;
    FUNCTIONS.add_to(&made)?;
    made.add("__version__", VERSION)?;
    let known = DECODE_ERROR.load(Ordering::Relaxed);
    // SAFETY: the name is a C string, the base a class; what is known is one,
    // too.
    let class = unsafe {
        if known.is_null() {
            let name = DECODE_ERROR_NAME.as_ptr();
            let class = py::PyErr_NewException(name, py::PyExc_ValueError, null_mut());
            Bound::from_owned_ptr_or_err(py, class)?
        } else {
            Bound::from_borrowed_ptr(py, known)
        }
    };
    made.add("JSONDecodeError", &class)?;
    // Never released: the functions raise it for as long as the process runs.
    if known.is_null() {
        DECODE_ERROR.store(class.into_ptr(), Ordering::Relaxed);
    }
    Ok(())
}

/// `JSONDecodeError`, borrowed.
fn decode_error() -> *mut PyObject {
    DECODE_ERROR.load(Ordering::Relaxed)
}

/// The method `name` of a file; `None` with `TypeError` set if there is none.
///
/// # Safety
/// `file` is alive.
unsafe fn method(file: *mut PyObject, name: &CStr) -> Option<Owned> {
    // SAFETY: as the caller says; the name is a C string.
    unsafe {
        if py::PyObject_HasAttrString(file, name.as_ptr()) != 0 {
            let method = Owned::from_new(py::PyObject_GetAttrString(file, name.as_ptr()))?;
            if py::PyCallable_Check(method.as_ptr()) != 0 {
                return Some(method);
            }
        }
    }
    crate::args::type_error("expected file");
    None
}
