//! `linecaster.fastapi`: FastAPI's `jsonable_encoder`, and what its
//! `JSONResponse` makes of the result.
//!
//! * [`tree`]: the encoder, from an object to a new tree; [`dicts`] and
//!   [`sequences`]: the containers in it; [`frame`]: those under way, [`depth`]:
//!   how many there may be; [`custom`]: values that the user's own encoders are
//!   for.
//! * [`response`]: both in one walk to the bytes, by the rules in [`rules`];
//!   [`chosen`]: `include` and `exclude` there, [`rest`]: what is left when a
//!   walk cannot go on.
//! * [`dataclass`], [`leaves`] and [`decimal`]: values of such classes, without
//!   a call of what the original calls.
//! * [`text`]: models and dataclasses there, without a tree of their own.
//! * [`model`]: Pydantic models; [`plan`]: how those of a class are read,
//!   [`reader`]: reading them.
//! * [`extras`]: what calls may ask for on top; [`deep`] and [`filters`],
//!   [`related`]: some of that.
//! * [`kinds`]: what an object is; [`parts`]: what FastAPI's own encoder asks
//!   for and calls; [`settings`]: the options of a call.
//!
//! What is written here as a rule was found in the original's source and by
//! trying it.

mod chosen;
mod custom;
mod dataclass;
mod decimal;
mod deep;
mod depth;
mod dicts;
mod doc;
mod extras;
mod filters;
mod frame;
mod kinds;
mod leaves;
mod model;
mod parts;
mod plan;
mod reader;
mod related;
mod response;
mod rest;
mod rules;
mod sequences;
mod settings;
mod text;
mod tree;
mod values;

use core::ptr::null_mut;

use pyo3::prelude::*;
use pyo3_ffi::{self as py, Py_ssize_t, PyMethodDef, PyObject};

use crate::args::{Signature, set_error, type_error};
use crate::ffi::class::Methods;
use crate::ffi::owned::{Owned, Raised};
use crate::{function, guarded, submodule};
use parts::{Parts, parts};
use settings::{ORIGINAL, PARAMS, Settings, signature};

static METHODS: Methods<7> = Methods([
    function(c"jsonable_encoder", doc::JSONABLE_ENCODER, jsonable_encoder),
    function(c"encode", doc::ENCODE, encode),
    function(c"adopt", doc::ADOPT, adopt),
    function(c"adopt_models", doc::ADOPT_MODELS, adopt_models),
    function(c"adopt_extras", doc::ADOPT_EXTRAS, adopt_extras),
    function(c"stamps", doc::STAMPS, stamps),
    PyMethodDef::zeroed(),
]);

/// Makes the submodule `_linecaster.fastapi`.
pub fn register(token: Python<'_>) -> PyResult<()> {
    let made = submodule(token, "fastapi")?;
    METHODS.add_to(&made)
}

/// What a function returns: the object of its outcome.
fn answered(body: impl FnOnce() -> Result<Owned, Raised>) -> *mut PyObject {
    guarded(|| body().map_or(null_mut(), Owned::into_ptr))
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
    answered(|| unsafe {
        let parts = adopted()?;
        let mut given = [null_mut(); PARAMS.len()];
        if !SIGNATURE.parse(args, nargs, names, &mut given) {
            if given[ORIGINAL..].iter().any(|op| !op.is_null()) {
                return Err(Raised);
            }
            // The original says the same in its own words.
            py::PyErr_Clear();
            let made = py::PyObject_Vectorcall(parts.original, args, nargs as usize, names);
            return Owned::from_call(made);
        }
        tree::encoded(parts, &mut Settings::read(&given)?, given[0])
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
    answered(|| unsafe {
        let parts = adopted()?;
        let given = SIGNATURE.sorted(args, nargs, names)?;
        response::encoded(parts, &mut Settings::read(&given)?, given[0])
    })
}

/// The parts; an exception when there are none.
fn adopted() -> Result<&'static Parts, Raised> {
    parts().ok_or_else(|| {
        // SAFETY: the GIL is held in every function of the module.
        unsafe { set_error(py::PyExc_RuntimeError, "import linecaster.fastapi first") };
        Raised
    })
}

/// Takes FastAPI's parts.
unsafe extern "C" fn adopt(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const SIGNATURE: Signature = Signature::of_positions(
        "adopt",
        &["encoders", "members", "pair", "defaults_in_dicts"],
    );
    // SAFETY: the arguments are those of a vectorcall.
    answered(|| unsafe {
        let [module, members, pair, in_dicts] = SIGNATURE.sorted(args, nargs, names)?;
        if py::PyModule_Check(module) == 0 {
            type_error("adopt() takes the module fastapi.encoders");
            return Err(Raised);
        }
        Parts::take(module, members, pair, in_dicts == py::Py_True())?;
        kinds::forget();
        Ok(Owned::from_borrowed(py::Py_None()))
    })
}

/// Takes what is known of Pydantic's models.
unsafe extern "C" fn adopt_models(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const SIGNATURE: Signature =
        Signature::of_positions("adopt_models", &["plan", "model_dump", "shorts"]);
    // SAFETY: the arguments are those of a vectorcall.
    answered(|| unsafe {
        plan::Models::take(SIGNATURE.sorted(args, nargs, names)?);
        Ok(Owned::from_borrowed(py::Py_None()))
    })
}

/// Takes what the extras call.
unsafe extern "C" fn adopt_extras(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const SIGNATURE: Signature =
        Signature::of_positions("adopt_extras", &["plain", "dump", "related"]);
    // SAFETY: the arguments are those of a vectorcall.
    answered(|| unsafe {
        extras::Helpers::take(SIGNATURE.sorted(args, nargs, names)?);
        Ok(Owned::from_borrowed(py::Py_None()))
    })
}

/// The texts of an array of times.
unsafe extern "C" fn stamps(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const SIGNATURE: Signature = Signature::of_positions("stamps", &["array"]);
    // SAFETY: the arguments are those of a vectorcall.
    answered(|| unsafe {
        let [array] = SIGNATURE.sorted(args, nargs, names)?;
        crate::numpy::stamps::listed(array)
    })
}
