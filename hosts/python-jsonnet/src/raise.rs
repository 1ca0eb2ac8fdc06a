//! Errors as exceptions of Python's.

use linecaster_jsonnet::Error;
use linecaster_jsonnet::error::{ErrorKind, TraceFrame};
use linecaster_jsonnet::ir::Unit;
use pyo3::exceptions::{PyException, PySystemError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

use crate::run::Failure;

/// A file, a line and a column.
type Place = (Option<String>, Option<u32>, Option<u32>);

fn class<'py>(
    py: Python<'py>,
    kept: &PyOnceLock<Py<PyType>>,
    name: &str,
) -> PyResult<Bound<'py, PyType>> {
    kept.import(py, "linecaster_jsonnet._errors", name).cloned()
}

/// The exception for a failure; `cause` is what a callback or the handler of
/// a signal raised.
pub fn raise(py: Python<'_>, failure: Failure, cause: Option<PyErr>, max_trace: usize) -> PyErr {
    let exception = match failure {
        Failure::Panic => Ok(PySystemError::new_err(
            "linecaster met an internal error (this is a bug; please report it)",
        )),
        Failure::Unread(message) => make(
            py,
            (&message, &message, (None, None, None), PyTuple::empty(py)),
        ),
        Failure::Program(error) => {
            if let Some(cause) = cause {
                let passed = error.kind() == ErrorKind::Interrupted
                    || !cause.is_instance_of::<PyException>(py);
                if passed {
                    return cause;
                }
                let raised = of_program(py, &error, max_trace);
                if let Ok(raised) = &raised {
                    raised.set_cause(py, Some(cause));
                }
                raised
            } else {
                of_program(py, &error, max_trace)
            }
        }
    };
    exception.unwrap_or_else(|other| other)
}

fn make(
    py: Python<'_>,
    (text, message, place, trace): (&str, &str, Place, Bound<'_, PyTuple>),
) -> PyResult<PyErr> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = class(py, &CLASS, "JsonnetError")?;
    let (file, line, column) = place;
    let exception = class.call1((text, message, file, line, column, trace))?;
    Ok(PyErr::from_value(exception))
}

fn of_program(py: Python<'_>, error: &Error, max_trace: usize) -> PyResult<PyErr> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let frame = class(py, &CLASS, "TraceFrame")?;
    let mut place = (None, None, None);
    if let Some(wrong) = error.in_source() {
        let start = wrong.source().position(wrong.span().start);
        let name = wrong.source().name().to_owned();
        place = (Some(name), Some(start.line), Some(start.column));
    }
    let mut trace = Vec::with_capacity(error.trace().len());
    for entry in error.trace() {
        let at = place_of(entry);
        if place.0.is_none() {
            place.clone_from(&at);
        }
        let (file, line, column) = at;
        trace.push(frame.call1((entry.location(), entry.context(), file, line, column))?);
    }
    let trace = PyTuple::new(py, trace)?;
    make(
        py,
        (&error.render(max_trace), error.message(), place, trace),
    )
}

fn place_of(entry: &TraceFrame) -> Place {
    let Some((unit, expr)) = entry.place() else {
        return (None, None, None);
    };
    let span = unit.spans[expr.index()];
    if span == Unit::NOWHERE {
        return (Some(unit.source.name().to_owned()), None, None);
    }
    let start = unit.source.position(span.start);
    let name = unit.source.name().to_owned();
    (Some(name), Some(start.line), Some(start.column))
}
