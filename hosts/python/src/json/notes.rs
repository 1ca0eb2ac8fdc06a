//! The notes that tell where an exception comes from, as `json` adds them
//! from 3.14 on: `when serializing dict item 'x'`.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::rules::IN_PYTHON;
use super::stdlib::names;
use crate::encode::frame::{Frame, Kind};
use crate::encode::walk::Walk;
use crate::ffi::owned::Owned;

/// Adds to the exception that is set a note for every container that the walk
/// stands in, the innermost first.
///
/// # Safety
/// The GIL is held, and an exception is set.
pub unsafe fn add(walk: &mut Walk<'_>) {
    let qualified = walk.options.flags & IN_PYTHON == 0;
    // SAFETY: as the caller says; what fails here is not worth an exception.
    unsafe {
        let Some(exception) = Owned::from_new(py::PyErr_GetRaisedException()) else {
            return;
        };
        for frame in walk.stack.frames().iter().rev() {
            if let Some(note) = note(frame, qualified) {
                let (object, name) = (exception.as_ptr(), names::ADD_NOTE.get());
                let none = py::PyObject_CallMethodOneArg(object, name, note.as_ptr());
                drop(Owned::from_new(none));
            }
            py::PyErr_Clear();
        }
        py::PyErr_SetRaisedException(exception.into_ptr());
    }
}

/// The note of one container; `None` if nothing of it was under way.
unsafe fn note(frame: &Frame, qualified: bool) -> Option<Owned> {
    let container = match (frame.kind, &frame.owner) {
        (Kind::StandIn, _) | (_, None) => frame.object.as_ptr(),
        (_, Some(owner)) => owner.as_ptr(),
    };
    // SAFETY: the frame owns what the formats name.
    unsafe {
        let name = Owned::from_new(if qualified {
            py::PyUnicode_FromFormat(c"%T".as_ptr(), container)
        } else {
            let class: *mut PyObject = py::Py_TYPE(container).cast();
            py::PyObject_GetAttr(class, names::NAME.get())
        })?;
        let name = name.as_ptr();
        Owned::from_new(match (frame.kind, &frame.key) {
            (Kind::StandIn, _) => {
                py::PyUnicode_FromFormat(c"when serializing %U object".as_ptr(), name)
            }
            (kind, Some(key)) if kind.is_object() => {
                let format = c"when serializing %U item %R".as_ptr();
                py::PyUnicode_FromFormat(format, name, key.as_ptr())
            }
            (kind, _) if !kind.is_object() && frame.pos > 0 => {
                let format = c"when serializing %U item %zd".as_ptr();
                py::PyUnicode_FromFormat(format, name, frame.pos - 1)
            }
            _ => return None,
        })
    }
}
