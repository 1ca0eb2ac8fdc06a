//! How deep calls may nest: as deep as those of the original may.
//!
//! It is a function in Python that calls itself, so what it reaches depends on
//! the recursion limit and on how many frames are under way when it is called.
//! The latter are counted only when data is nested deeper than usual.

use pyo3_ffi as py;

use crate::args::set_error;
use crate::ffi::owned::Raised;

/// The depth up to which nobody asks.
pub const UNASKED: usize = 40;

/// Frames that the original takes for itself on top of one per call.
const SPARE: usize = if cfg!(Py_3_12) {
    1
} else if cfg!(Py_3_11) {
    2
} else {
    3
};

/// The depth that may be reached; `RecursionError` if it is below `depth`.
///
/// # Safety
/// The GIL is held.
#[cold]
pub unsafe fn asked(depth: usize) -> Result<usize, Raised> {
    // SAFETY: as the caller says.
    unsafe {
        let limit = usize::try_from(py::Py_GetRecursionLimit()).unwrap_or(0);
        let reached = limit.saturating_sub(SPARE + frames());
        if depth <= reached {
            return Ok(reached);
        }
        let text = if cfg!(Py_3_12) {
            "maximum recursion depth exceeded"
        } else {
            "maximum recursion depth exceeded while calling a Python object"
        };
        set_error(py::PyExc_RecursionError, text);
        Err(Raised)
    }
}

/// How many Python frames are under way.
unsafe fn frames() -> usize {
    // SAFETY: the GIL is held; frames are owned as long as they are looked at.
    unsafe {
        let mut count = 0;
        let mut frame = py::PyEval_GetFrame();
        if frame.is_null() {
            return 0;
        }
        py::Py_INCREF(frame.cast());
        while !frame.is_null() {
            count += 1;
            let back = py::PyFrame_GetBack(frame);
            py::Py_DECREF(frame.cast());
            frame = back;
        }
        count
    }
}
