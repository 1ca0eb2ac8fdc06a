//! Exceptions of a walk in which `default` has run, so that the interpreter's
//! `json` cannot be asked to do the work again: the same classes, texts and,
//! from 3.14 on, notes.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::rules::CHECK_CIRCULAR;
use crate::encode::error::{Failure, type_name};
use crate::encode::walk::Walk;

/// How deep the interpreter's encoder gets, about: it counts calls until
/// 3.13 and looks at the stack from 3.14 on.
pub fn recursion_limit(in_python: bool) -> usize {
    let in_c = if cfg!(Py_3_14) {
        30_000
    } else if cfg!(Py_3_13) {
        10_000
    } else {
        1_500
    };
    if in_python || cfg!(not(Py_3_12)) {
        // SAFETY: the GIL is held during a walk.
        let limit = unsafe { py::Py_GetRecursionLimit() };
        return usize::try_from(limit).unwrap_or(in_c);
    }
    in_c
}

/// The name of an object's class, without its module.
pub fn class_name(op: *mut PyObject) -> String {
    let mut name = type_name(op);
    if let Some(dot) = name.rfind('.') {
        name.drain(..=dot);
    }
    name
}

/// Sets the exception for a failure.
///
/// # Safety
/// The GIL is held.
#[cold]
pub unsafe fn raise(walk: &mut Walk<'_>, failure: Failure) {
    let (class, text) = match failure {
        Failure::Raised => (None, String::new()),
        Failure::Circular | Failure::TooDeep => {
            let checked = walk.options.flags & CHECK_CIRCULAR != 0;
            let deep = matches!(failure, Failure::TooDeep);
            if checked && (leave_repetition(walk) || !deep) {
                // SAFETY: exception classes live as long as the interpreter.
                let class = unsafe { py::PyExc_ValueError };
                (Some(class), "Circular reference detected".into())
            } else {
                // SAFETY: as above.
                let class = unsafe { py::PyExc_RecursionError };
                (Some(class), "maximum recursion depth exceeded".into())
            }
        }
        // SAFETY: as above.
        Failure::Value(text) => (Some(unsafe { py::PyExc_ValueError }), text),
    };
    // SAFETY: the GIL is held.
    unsafe {
        if let Some(class) = class {
            crate::args::set_error(class, &text);
        }
        #[cfg(Py_3_14)]
        super::notes::add(walk);
    }
}

/// Leaves the containers below the one that is met for the second time.
/// Whether there is one.
fn leave_repetition(walk: &mut Walk<'_>) -> bool {
    let second = repetition(walk);
    if let Some(second) = second {
        for _ in second..walk.stack.depth() {
            walk.stack.pop();
        }
    }
    second.is_some()
}

/// The depth of the first container that the walk is inside of already.
pub fn repetition(walk: &mut Walk<'_>) -> Option<usize> {
    let mut met = std::collections::HashSet::new();
    let frames = walk.stack.frames();
    frames.iter().position(|frame| !met.insert(frame.identity))
}
