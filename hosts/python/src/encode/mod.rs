//! Python objects to JSON text.

use core::ffi::CStr;

use pyo3_ffi::{Py_ssize_t, PyObject};

/// The docstring of [`dumps`].
pub const DUMPS_DOC: &CStr = c"dumps($module, obj, /)\n--\n\nJSON.";

/// `linecaster.dumps`.
pub unsafe extern "C" fn dumps(
    _module: *mut PyObject,
    _args: *const *mut PyObject,
    _nargs: Py_ssize_t,
    _names: *mut PyObject,
) -> *mut PyObject {
    crate::args::type_error("not there yet");
    core::ptr::null_mut()
}

/// The docstring of [`encode`].
pub const ENCODE_DOC: &CStr = c"encode($module, obj, /)\n--\n\nJSON.";

/// `linecaster.encode`.
pub unsafe extern "C" fn encode(
    _module: *mut PyObject,
    _args: *const *mut PyObject,
    _nargs: Py_ssize_t,
    _names: *mut PyObject,
) -> *mut PyObject {
    crate::args::type_error("not there yet");
    core::ptr::null_mut()
}

/// The docstring of [`encode_into`].
pub const ENCODE_INTO_DOC: &CStr = c"encode_into($module, obj, /)\n--\n\nJSON.";

/// `linecaster.encode_into`.
pub unsafe extern "C" fn encode_into(
    _module: *mut PyObject,
    _args: *const *mut PyObject,
    _nargs: Py_ssize_t,
    _names: *mut PyObject,
) -> *mut PyObject {
    crate::args::type_error("not there yet");
    core::ptr::null_mut()
}

/// The docstring of [`dump`].
pub const DUMP_DOC: &CStr = c"dump($module, obj, /)\n--\n\nJSON.";

/// `linecaster.dump`.
pub unsafe extern "C" fn dump(
    _module: *mut PyObject,
    _args: *const *mut PyObject,
    _nargs: Py_ssize_t,
    _names: *mut PyObject,
) -> *mut PyObject {
    crate::args::type_error("not there yet");
    core::ptr::null_mut()
}
