//! What `JSONEncoder.iterencode` returns: an iterator over the text, which is
//! not begun before it is asked for.

use core::ptr::null_mut;

use pyo3::exceptions::PyStopIteration;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3_ffi::{self as py, PyObject};

use super::encode::{NoText, chunk};
use super::stdlib;

/// Chunks of a text, one or, where the interpreter makes them, many.
#[pyclass(name = "chunks", module = "linecaster.json.encoder")]
struct Chunks {
    /// Encoder and value, until the text is begun.
    job: Option<(Py<PyAny>, Py<PyAny>)>,
    /// The interpreter's generator, where it has taken over.
    rest: Option<Py<PyAny>>,
}

#[pymethods]
impl Chunks {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(mut this: PyRefMut<'_, Self>) -> PyResult<Py<PyAny>> {
        let token = this.py();
        if let Some((encoder, obj)) = this.job.take() {
            // No borrow may last while code of a user runs.
            let cell: Py<Self> = this.into();
            // SAFETY: both are alive, and the GIL is held.
            match unsafe { chunk(encoder.as_ptr(), obj.as_ptr()) } {
                Ok(text) => {
                    // SAFETY: a new reference.
                    let text = unsafe { Bound::from_owned_ptr(token, text.into_ptr()) };
                    return Ok(text.unbind());
                }
                Err(NoText::Raised) => return Err(PyErr::fetch(token)),
                Err(NoText::Unusual) => {}
            }
            // SAFETY: the GIL is held, and all objects are alive.
            let rest = unsafe {
                py::PyErr_Clear();
                let function = stdlib::ITERENCODE.get();
                match stdlib::call(function, [encoder.as_ptr(), obj.as_ptr()], null_mut()) {
                    Ok(rest) => Bound::from_owned_ptr(token, rest.into_ptr()).unbind(),
                    Err(_) => return Err(PyErr::fetch(token)),
                }
            };
            let found = next(token, &rest);
            cell.borrow_mut(token).rest = Some(rest);
            return found;
        }
        match this.rest.as_ref().map(|rest| rest.clone_ref(token)) {
            Some(rest) => {
                drop(this);
                next(token, &rest)
            }
            None => Err(PyStopIteration::new_err(())),
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Some((encoder, obj)) = &self.job {
            visit.call(encoder)?;
            visit.call(obj)?;
        }
        if let Some(rest) = &self.rest {
            visit.call(rest)?;
        }
        Ok(())
    }

    fn __clear__(&mut self) {
        self.job = None;
        self.rest = None;
    }
}

/// The next of the interpreter's chunks.
fn next(token: Python<'_>, rest: &Py<PyAny>) -> PyResult<Py<PyAny>> {
    // SAFETY: the iterator is alive; what it gives is a new reference.
    unsafe {
        let Some(iternext) = (*py::Py_TYPE(rest.as_ptr())).tp_iternext else {
            return Err(PyStopIteration::new_err(()));
        };
        let item = iternext(rest.as_ptr());
        if item.is_null() {
            if py::PyErr_Occurred().is_null() {
                return Err(PyStopIteration::new_err(()));
            }
            return Err(PyErr::fetch(token));
        }
        Ok(Bound::from_owned_ptr(token, item).unbind())
    }
}

/// An iterator over the text of `obj`; null with an exception set when there
/// is no memory.
///
/// # Safety
/// Both are alive, and the GIL is held.
pub unsafe fn new(encoder: *mut PyObject, obj: *mut PyObject) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        let token = Python::assume_attached();
        let [encoder, obj] = [encoder, obj].map(|op| Bound::from_borrowed_ptr(token, op).unbind());
        let chunks = Chunks {
            job: Some((encoder, obj)),
            rest: None,
        };
        match Py::new(token, chunks) {
            Ok(chunks) => chunks.into_ptr(),
            Err(error) => {
                error.restore(token);
                null_mut()
            }
        }
    }
}
