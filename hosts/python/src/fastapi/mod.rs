//! `linecaster.fastapi`: FastAPI's `jsonable_encoder`, and what its
//! `JSONResponse` makes of the result.
//!
//! * [`tree`]: the encoder, from an object to a new tree, [`dicts`] in it; [`frame`]: the
//!   containers under way, [`depth`]: how many there may be; [`custom`]: values
//!   that the user's own encoders are for.
//! * [`response`]: both in one walk to the bytes, by the rules in [`rules`].
//! * [`dataclass`], [`leaves`] and [`decimal`]: values of such classes, without
//!   a call of what the original calls.
//! * [`model`]: Pydantic models; [`plan`]: how those of a class are read,
//!   [`reader`]: reading them.
//! * [`kinds`]: what an object is; [`parts`]: what FastAPI's own encoder asks
//!   for and calls; [`settings`]: the options of a call.
//!
//! What is written here as a rule was found in the original's source and by
//! trying it.

mod custom;
mod dataclass;
mod decimal;
mod depth;
mod dicts;
mod doc;
mod frame;
mod kinds;
mod leaves;
mod model;
mod parts;
mod plan;
mod reader;
mod response;
mod rules;
mod settings;
mod tree;

use core::ptr::null_mut;

use pyo3::prelude::*;
use pyo3_ffi::{self as py, Py_ssize_t, PyMethodDef, PyObject};

use crate::args::{Signature, set_error};
use crate::ffi::class::Methods;
use crate::ffi::owned::{Owned, Raised};
use crate::{function, guarded, submodule};
use parts::{Parts, parts};
use settings::{PARAMS, Settings, signature};

static METHODS: Methods<5> = Methods([
    function(c"jsonable_encoder", doc::JSONABLE_ENCODER, jsonable_encoder),
    function(c"encode", doc::ENCODE, encode),
    function(c"adopt", doc::ADOPT, adopt),
    function(c"adopt_models", doc::ADOPT_MODELS, adopt_models),
    PyMethodDef::zeroed(),
]);

/// Makes the submodule `_linecaster.fastapi`.
pub fn register(token: Python<'_>) -> PyResult<()> {
    let made = submodule(token, "fastapi")?;
    METHODS.add_to(&made)
}

/// The object of an outcome.
fn answer(outcome: Result<Owned, Raised>) -> *mut PyObject {
    outcome.map_or(null_mut(), Owned::into_ptr)
}

/// `fastapi.encoders.jsonable_encoder`
unsafe extern "C" fn jsonable_encoder(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const SIGNATURE: Signature = signature("jsonable_encoder");
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        let mut given = [null_mut(); PARAMS.len()];
        let Some(parts) = adopted() else {
            return null_mut();
        };
        if !SIGNATURE.parse(args, nargs, names, &mut given) {
            // The original says the same in its own words.
            py::PyErr_Clear();
            return py::PyObject_Vectorcall(parts.original, args, nargs as usize, names);
        }
        let settings = Settings::read(&given);
        answer(settings.and_then(|mut settings| tree::encoded(parts, &mut settings, given[0])))
    })
}

/// `JSONResponse(jsonable_encoder(…)).body`
unsafe extern "C" fn encode(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const SIGNATURE: Signature = signature("encode");
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        let mut given = [null_mut(); PARAMS.len()];
        let Some(parts) = adopted() else {
            return null_mut();
        };
        if !SIGNATURE.parse(args, nargs, names, &mut given) {
            return null_mut();
        }
        let settings = Settings::read(&given);
        answer(settings.and_then(|mut settings| response::encoded(parts, &mut settings, given[0])))
    })
}

/// The parts; `None` with an exception set when there are none.
fn adopted() -> Option<&'static Parts> {
    let parts = parts();
    if parts.is_none() {
        // SAFETY: the GIL is held in every function of the module.
        unsafe { set_error(py::PyExc_RuntimeError, "import linecaster.fastapi first") };
    }
    parts
}

/// Takes FastAPI's parts.
unsafe extern "C" fn adopt(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const SIGNATURE: Signature = Signature {
        name: "adopt",
        params: &["encoders", "members", "pair", "defaults_in_dicts"],
        required: 4,
        positional: 4,
        positional_only: 4,
    };
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        let mut given = [null_mut(); 4];
        if !SIGNATURE.parse(args, nargs, names, &mut given) {
            return null_mut();
        }
        let [module, members, pair, in_dicts] = given;
        if py::PyModule_Check(module) == 0 {
            crate::args::type_error("adopt() takes the module fastapi.encoders");
            return null_mut();
        }
        if Parts::take(module, members, pair, in_dicts == py::Py_True()).is_err() {
            return null_mut();
        }
        kinds::forget();
        Owned::from_borrowed(py::Py_None()).into_ptr()
    })
}

/// Takes what is known of Pydantic's models.
unsafe extern "C" fn adopt_models(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const SIGNATURE: Signature = Signature {
        name: "adopt_models",
        params: &["plan", "model_dump", "short", "short_none"],
        required: 4,
        positional: 4,
        positional_only: 4,
    };
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        let mut given = [null_mut(); 4];
        if !SIGNATURE.parse(args, nargs, names, &mut given) {
            return null_mut();
        }
        plan::Models::take(given);
        Owned::from_borrowed(py::Py_None()).into_ptr()
    })
}
