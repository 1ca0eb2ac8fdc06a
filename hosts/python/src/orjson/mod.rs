//! The drop-in for orjson 3.13: `linecaster.orjson`.
//!
//! * [`dumps`] reads the arguments and raises the errors, [`options`] has the
//!   bits; [`rules`] are those of the walk: what becomes of values of no exact
//!   built-in type ([`classes`] tells them apart).
//! * [`dataclass`], [`members`], [`temporal`], [`fragment`] and
//!   [`crate::numpy`]: one kind of value each.
//! * [`loads`] reads documents; [`fault`] works out what the original says of
//!   one that is malformed.
//!
//! What is written here as a rule was found by trying it on the original, and
//! in its documentation and source.

mod aside;
mod classes;
mod dataclass;
mod dumps;
mod fault;
mod fragment;
mod loads;
mod members;
mod options;
mod rules;
mod slots;
mod temporal;

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3::prelude::*;
use pyo3_ffi::{self as py, PyMethodDef, PyMethodDefPointer, PyObject};

use crate::ffi::class::Methods;
use crate::function;

static METHODS: Methods<3> = Methods([
    function(c"dumps", dumps::DOC, dumps::dumps),
    PyMethodDef {
        ml_name: c"loads".as_ptr(),
        ml_meth: PyMethodDefPointer {
            PyCFunction: loads::loads,
        },
        ml_flags: py::METH_O,
        ml_doc: loads::DOC.as_ptr(),
    },
    PyMethodDef::zeroed(),
]);

/// `linecaster.orjson.JSONDecodeError`.
static DECODE_ERROR: AtomicPtr<PyObject> = AtomicPtr::new(null_mut());

/// Makes the submodule.
pub fn register(python: Python<'_>) -> PyResult<()> {
    let module = crate::submodule(python, "orjson")?;
    METHODS.add_to(&module)?;
    let base = python.import("json")?.getattr("JSONDecodeError")?;
    // SAFETY: the GIL is held; the base is a class. Classes that are made
    // stay for as long as the process runs, and serve a second import, too.
    unsafe {
        if DECODE_ERROR.load(Ordering::Relaxed).is_null() {
            let name = c"linecaster.orjson.JSONDecodeError".as_ptr();
            let class = py::PyErr_NewException(name, base.as_ptr(), null_mut());
            let class = Bound::from_owned_ptr_or_err(python, class)?;
            DECODE_ERROR.store(class.into_ptr(), Ordering::Relaxed);
        }
        let class = DECODE_ERROR.load(Ordering::Relaxed);
        module.add("JSONDecodeError", Bound::from_borrowed_ptr(python, class))?;
        let encode_error = Bound::from_borrowed_ptr(python, py::PyExc_TypeError);
        module.add("JSONEncodeError", encode_error)?;
        let fragment = fragment::class();
        if fragment.is_null() {
            return Err(PyErr::fetch(python));
        }
        module.add(
            "Fragment",
            Bound::from_borrowed_ptr(python, fragment.cast()),
        )?;
    }
    for (name, bits) in options::CONSTANTS {
        module.add(name, bits)?;
    }
    Ok(())
}

/// `linecaster.orjson.JSONDecodeError`, borrowed.
fn decode_error() -> *mut PyObject {
    DECODE_ERROR.load(Ordering::Relaxed)
}
