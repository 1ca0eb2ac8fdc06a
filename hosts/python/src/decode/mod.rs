//! JSON text to Python objects.

use core::ffi::CStr;

use pyo3_ffi::{Py_ssize_t, PyObject};

/// The docstring of [`loads`].
pub const LOADS_DOC: &CStr = c"loads($module, obj, /)\n--\n\nJSON.";

/// `linecaster.loads`.
pub unsafe extern "C" fn loads(
    _module: *mut PyObject,
    _args: *const *mut PyObject,
    _nargs: Py_ssize_t,
    _names: *mut PyObject,
) -> *mut PyObject {
    crate::args::type_error("not there yet");
    core::ptr::null_mut()
}

/// The docstring of [`load`].
pub const LOAD_DOC: &CStr = c"load($module, obj, /)\n--\n\nJSON.";

/// `linecaster.load`.
pub unsafe extern "C" fn load(
    _module: *mut PyObject,
    _args: *const *mut PyObject,
    _nargs: Py_ssize_t,
    _names: *mut PyObject,
) -> *mut PyObject {
    crate::args::type_error("not there yet");
    core::ptr::null_mut()
}
