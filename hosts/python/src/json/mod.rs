//! `linecaster.json`: the functions and classes of `json`.
//!
//! * [`encode`]: `dumps`, `dump` and the encoder's methods; [`settings`]: what
//!   a call asks for; [`rules`]: what becomes of each value; `snapshot`, `notes`
//!   and [`raise`]: what versions of Python do by themselves; [`stream`]: text
//!   in pieces; [`chunks`]: the iterator of `iterencode`.
//! * [`decode`]: `loads` and `load`; [`scanner`]: a decoder's methods and its
//!   `scan_once`.
//! * [`stdlib`]: the interpreter's own `json`, which is asked to do the work
//!   whenever something goes wrong and no code of the user has run yet.

mod chunks;
mod decode;
mod doc;
mod encode;
#[cfg(Py_3_14)]
mod notes;
mod raise;
mod rules;
mod scanner;
mod settings;
#[cfg(not(Py_3_12))]
mod snapshot;
mod stdlib;
mod stream;

use core::ffi::CStr;

use pyo3::prelude::*;
use pyo3_ffi::{self as py, PyMethodDef};

use crate::args::Signature;
use crate::ffi::class::Methods;
use crate::ffi::owned::{Owned, Raised};
use crate::{Function, function, submodule};
pub use encode::response;
pub use settings::COMPACT;
use stdlib::Kept;

static FUNCTIONS: Methods<5> = Methods([
    function(c"dumps", doc::DUMPS, encode::dumps),
    function(c"dump", doc::DUMP, encode::dump),
    function(c"loads", doc::LOADS, decode::loads),
    function(c"load", doc::LOAD, decode::load),
    PyMethodDef::zeroed(),
]);

/// A method of `JSONEncoder`, as the function that it is.
static ENCODE: Kept = Kept::new();
static ITERENCODE: Kept = Kept::new();

/// Definitions of the methods, which functions keep pointers to.
static METHODS: Methods<2> = Methods([
    function(c"encode", doc::ENCODE, encode::encode as Function),
    function(
        c"iterencode",
        doc::ITERENCODE,
        encode::iterencode as Function,
    ),
]);

/// The methods of `JSONDecoder`. What they are taken from, the interpreter's
/// class, is one that ours is derived from.
static DECODER_METHODS: Methods<2> = Methods([
    function(c"decode", doc::DECODE, scanner::decode as Function),
    function(
        c"raw_decode",
        doc::RAW_DECODE,
        scanner::raw_decode as Function,
    ),
]);

/// Parameters of the methods.
mod methods {
    use super::Signature;

    pub const ENCODE: Signature = Signature {
        name: "encode",
        params: &["self", "o"],
        required: 2,
        positional: 2,
        positional_only: 1,
    };

    pub const ITERENCODE: Signature = Signature {
        name: "iterencode",
        params: &["self", "o", "_one_shot"],
        required: 2,
        positional: 3,
        positional_only: 1,
    };

    pub const RAW_DECODE: Signature = Signature {
        name: "raw_decode",
        params: &["s", "idx"],
        required: 1,
        positional: 2,
        positional_only: 0,
    };
}

/// Makes the submodule `_linecaster.json`.
pub fn register(token: Python<'_>) -> PyResult<()> {
    let made = submodule(token, "json")?;
    FUNCTIONS.add_to(&made)?;
    // SAFETY: the GIL is held while a module is made.
    unsafe {
        stdlib::look_up().map_err(|Raised| PyErr::fetch(token))?;
        for (i, name, slot) in [(0, c"encode", &ENCODE), (1, c"iterencode", &ITERENCODE)] {
            let method = method(i, slot).map_err(|Raised| PyErr::fetch(token))?;
            let added = py::PyObject_SetAttrString(made.as_ptr(), name.as_ptr(), method.as_ptr());
            if added < 0 {
                return Err(PyErr::fetch(token));
            }
        }
        for definition in &DECODER_METHODS.0 {
            let class = stdlib::DECODER.get().cast();
            let method = py::PyDescr_NewMethod(class, (&raw const *definition).cast_mut());
            let method = Owned::from_call(method).map_err(|Raised| PyErr::fetch(token))?;
            let (module, name) = (made.as_ptr(), definition.ml_name);
            if py::PyObject_SetAttrString(module, name, method.as_ptr()) < 0 {
                return Err(PyErr::fetch(token));
            }
        }
    }
    chunks::add_to(&made)?;
    scanner::add_to(&made)
}

/// What a class takes as its method: the function at `index`, which a bare
/// one is not, as it does not bind to instances.
unsafe fn method(index: usize, slot: &Kept) -> Result<Owned, Raised> {
    const MODULE: &CStr = c"linecaster.json.encoder";
    // SAFETY: the GIL is held, and the definition is static.
    unsafe {
        if slot.get().is_null() {
            let module = Owned::from_call(py::PyUnicode_FromString(MODULE.as_ptr()))?;
            let definition = METHODS.0.as_ptr().add(index).cast_mut();
            let none = core::ptr::null_mut();
            let function = py::PyCFunction_NewEx(definition, none, module.as_ptr());
            slot.keep(Owned::from_call(function)?);
        }
        Owned::from_call(PyInstanceMethod_New(slot.get()))
    }
}

unsafe extern "C" {
    fn PyInstanceMethod_New(function: *mut py::PyObject) -> *mut py::PyObject;
}
