//! The scanner of a `JSONDecoder`: `scan_once`.

use core::ptr::null_mut;

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3_ffi::{self as py, PyObject};

use super::decode::{Given, HOOKS, KNOWN, NoObject, failed, of_str};
use super::stdlib::{self, names};
use crate::ffi::owned::{Owned, Raised};

/// Reads one value out of a text.
///
/// Calling it with a str and an index returns the value that begins there and
/// the index behind it.
#[pyclass(name = "Scanner", module = "linecaster.json.scanner")]
pub struct Scanner {
    #[pyo3(get)]
    strict: bool,
    hooks: [Option<Py<PyAny>>; HOOKS.len()],
}

#[pymethods]
impl Scanner {
    #[new]
    fn new(context: &Bound<'_, PyAny>) -> PyResult<Scanner> {
        let strict = context.getattr("strict")?.is_truthy()?;
        let mut hooks = [const { None }; HOOKS.len()];
        for (name, hook) in HOOKS[..KNOWN].iter().zip(&mut hooks) {
            *hook = Some(context.getattr(*name)?.unbind());
        }
        Ok(Scanner { strict, hooks })
    }

    #[getter]
    fn object_hook(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.hook(py, 0)
    }

    #[getter]
    fn object_pairs_hook(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.hook(py, 1)
    }

    #[getter]
    fn parse_float(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.hook(py, 2)
    }

    #[getter]
    fn parse_int(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.hook(py, 3)
    }

    #[getter]
    fn parse_constant(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.hook(py, 4)
    }

    #[getter]
    fn array_hook(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.hook(py, 5)
    }

    /// The value that begins at idx in string, and the index behind it.
    #[pyo3(signature = (string, idx))]
    fn __call__(
        this: PyRef<'_, Self>,
        string: &Bound<'_, PyAny>,
        idx: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        let token = string.py();
        // SAFETY: the GIL is held, and all objects are alive: hooks too, as
        // the scanner is.
        unsafe {
            let (text, given) = (string.as_ptr(), this.given(token));
            let scanner: Py<Self> = this.into();
            let start = py::PyLong_Check(idx.as_ptr()) != 0 && py::PyUnicode_Check(text) != 0;
            let start = if start {
                py::PyLong_AsSsize_t(idx.as_ptr())
            } else {
                -1
            };
            let usual = start >= 0 && start <= py::PyUnicode_GetLength(text);
            let outcome = match given.given.options() {
                Some(options) if usual => of_str(text, Some(start as usize), &options),
                _ => return standard(token, scanner.as_ptr(), text, idx.as_ptr()),
            };
            match outcome {
                Ok((object, end)) => {
                    let object = Bound::from_owned_ptr(token, object);
                    Ok((object, end).into_pyobject(token)?.into_any().unbind())
                }
                Err(error) => {
                    let failure = failed(&error, &given.given, |options| {
                        let decoder = stdlib::call(stdlib::DECODER.get(), [], options)?;
                        let name = names::SCAN_ONCE.get();
                        let scan = Owned::from_call(py::PyObject_GetAttr(decoder.as_ptr(), name))?;
                        stdlib::call(scan.as_ptr(), [text, idx.as_ptr()], null_mut())
                    });
                    match failure {
                        NoObject::Raised => Err(PyErr::fetch(token)),
                        NoObject::Unusual => standard(token, scanner.as_ptr(), text, idx.as_ptr()),
                    }
                }
            }
        }
    }

    /// The document that string is.
    fn decode(this: PyRef<'_, Self>, string: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let token = string.py();
        // SAFETY: as for `__call__`.
        unsafe {
            let (text, given) = (string.as_ptr(), this.given(token));
            let scanner: Py<Self> = this.into();
            let outcome = match given.given.options() {
                Some(options) if py::PyUnicode_Check(text) != 0 => of_str(text, None, &options),
                _ => return given.decode(token, text),
            };
            drop(scanner);
            match outcome {
                Ok((object, _)) => Ok(Bound::from_owned_ptr(token, object).unbind()),
                Err(error) => {
                    let failure = failed(&error, &given.given, |options| {
                        let decoder = stdlib::call(stdlib::DECODER.get(), [], options)?;
                        let name = names::DECODE.get();
                        let object = py::PyObject_CallMethodOneArg(decoder.as_ptr(), name, text);
                        Owned::from_call(object)
                    });
                    match failure {
                        NoObject::Raised => Err(PyErr::fetch(token)),
                        NoObject::Unusual => given.decode(token, text),
                    }
                }
            }
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        for hook in self.hooks.iter().flatten() {
            visit.call(hook)?;
        }
        Ok(())
    }

    fn __clear__(&mut self) {
        self.hooks = [const { None }; HOOKS.len()];
    }
}

/// What a call uses of a scanner, with references of its own.
struct Held {
    given: Given,
    strict: bool,
    /// Keeps what is given alive.
    #[expect(dead_code, reason = "held for as long as the call lasts")]
    hooks: [Option<Py<PyAny>>; HOOKS.len()],
}

impl Scanner {
    fn hook(&self, py: Python<'_>, index: usize) -> Option<Py<PyAny>> {
        self.hooks[index].as_ref().map(|hook| hook.clone_ref(py))
    }

    fn given(&self, py: Python<'_>) -> Held {
        let hooks: [_; HOOKS.len()] = core::array::from_fn(|i| self.hook(py, i));
        let mut given = Given::NOTHING;
        for (slot, hook) in given.hooks.iter_mut().zip(&hooks) {
            if let Some(hook) = hook.as_ref().filter(|hook| !is_usual(hook)) {
                *slot = hook.as_ptr();
            }
        }
        // SAFETY: both are always there.
        given.strict = unsafe {
            if self.strict {
                py::Py_True()
            } else {
                py::Py_False()
            }
        };
        Held {
            given,
            strict: self.strict,
            hooks,
        }
    }
}

/// Whether a hook does what is done without it.
fn is_usual(hook: &Py<PyAny>) -> bool {
    let hook = hook.as_ptr();
    // SAFETY: these are always there.
    unsafe {
        hook == py::Py_None()
            || hook == (&raw mut py::PyFloat_Type).cast()
            || hook == (&raw mut py::PyLong_Type).cast()
    }
}

impl Held {
    /// The document by a decoder of the interpreter with the same hooks.
    unsafe fn decode(&self, token: Python<'_>, text: *mut PyObject) -> PyResult<Py<PyAny>> {
        let _ = self.strict;
        // SAFETY: what is made here is owned.
        let object = unsafe { self.standard_decode(text) };
        match object {
            // SAFETY: a new reference.
            Ok(object) => Ok(unsafe { Bound::from_owned_ptr(token, object.into_ptr()).unbind() }),
            Err(Raised) => Err(PyErr::fetch(token)),
        }
    }

    unsafe fn standard_decode(&self, text: *mut PyObject) -> Result<Owned, Raised> {
        let keys = [
            &names::OBJECT_HOOK,
            &names::OBJECT_PAIRS_HOOK,
            &names::PARSE_FLOAT,
            &names::PARSE_INT,
            &names::PARSE_CONSTANT,
            &names::ARRAY_HOOK,
        ];
        // SAFETY: all are alive.
        unsafe {
            py::PyErr_Clear();
            let options = Owned::from_call(py::PyDict_New())?;
            let hooks = keys.into_iter().zip(self.given.hooks);
            let strict = [(&names::STRICT, self.given.strict)];
            for (key, value) in hooks.chain(strict) {
                if !value.is_null() && py::PyDict_SetItem(options.as_ptr(), key.get(), value) != 0 {
                    return Err(Raised);
                }
            }
            let decoder = stdlib::call(stdlib::DECODER.get(), [], options.as_ptr())?;
            let name = names::DECODE.get();
            let object = py::PyObject_CallMethodOneArg(decoder.as_ptr(), name, text);
            Owned::from_call(object)
        }
    }
}

/// What the interpreter's scanner makes of the same: ours has all attributes
/// that it asks for.
unsafe fn standard(
    token: Python<'_>,
    scanner: *mut PyObject,
    text: *mut PyObject,
    idx: *mut PyObject,
) -> PyResult<Py<PyAny>> {
    // SAFETY: all are alive.
    unsafe {
        py::PyErr_Clear();
        let outcome = stdlib::call(stdlib::MAKE_SCANNER.get(), [scanner], null_mut())
            .and_then(|scan| stdlib::call(scan.as_ptr(), [text, idx], null_mut()));
        match outcome {
            Ok(found) => Ok(Bound::from_owned_ptr(token, found.into_ptr()).unbind()),
            Err(Raised) => Err(PyErr::fetch(token)),
        }
    }
}
