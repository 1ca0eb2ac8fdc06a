//! What goes wrong in a walk, and the exceptions that tell it.

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use crate::exceptions::encode_error;
use crate::ffi::owned::{Owned, Raised};

/// Why a walk ended early.
#[derive(Debug)]
pub enum Failure {
    /// A Python exception is set: a callback's own, or a lack of memory.
    Raised,
    /// A value that cannot be encoded, in words.
    Value(String),
    /// A container inside of itself.
    Circular,
    /// A container deeper than `max_depth`.
    TooDeep,
}

impl From<Raised> for Failure {
    fn from(_: Raised) -> Failure {
        Failure::Raised
    }
}

impl Failure {
    /// A value that cannot be encoded.
    #[cold]
    pub fn value(text: impl Into<String>) -> Failure {
        Failure::Value(text.into())
    }

    /// Sets the exception of our own functions. `path` tells where the walk
    /// was.
    #[cold]
    pub fn raise(self, max_depth: usize, path: impl FnOnce() -> String) {
        let text = match self {
            Failure::Raised => return,
            Failure::Value(text) => text,
            Failure::Circular => "circular reference".into(),
            Failure::TooDeep => format!("nested deeper than max_depth={max_depth}"),
        };
        let path = path();
        // SAFETY: the GIL is held during a walk.
        unsafe {
            if !py::PyErr_Occurred().is_null() {
                // Out of memory before: that is what went wrong.
                return;
            }
            let Some(message) = new_str(&format!("{text} at {path}")) else {
                return;
            };
            let class = encode_error();
            let Some(error) = Owned::from_new(py::PyObject_CallOneArg(class, message.as_ptr()))
            else {
                return;
            };
            let Some(path) = new_str(&path) else { return };
            if py::PyObject_SetAttrString(error.as_ptr(), c"path".as_ptr(), path.as_ptr()) == 0 {
                py::PyErr_SetObject(class, error.as_ptr());
            }
        }
    }
}

unsafe fn new_str(text: &str) -> Option<Owned> {
    // SAFETY: the text is UTF-8.
    unsafe {
        Owned::from_new(py::PyUnicode_FromStringAndSize(
            text.as_ptr().cast(),
            text.len() as Py_ssize_t,
        ))
    }
}

/// The name of an object's type, for messages.
pub fn type_name(op: *mut PyObject) -> String {
    // SAFETY: every type has a name that ends with a NUL.
    unsafe {
        let name = (*py::Py_TYPE(op)).tp_name;
        core::ffi::CStr::from_ptr(name)
            .to_string_lossy()
            .into_owned()
    }
}
