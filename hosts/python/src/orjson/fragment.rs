//! `Fragment`: JSON that is written as it is.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use linecaster_formats::Emitter;
use linecaster_kernel::output::Output;
use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyType_Slot, PyType_Spec, PyTypeObject};

use super::rules::{Dumped, SURROGATES};
use crate::args::type_error;
use crate::encode::error::Failure;
use crate::encode::walk::Json;
use crate::ffi::owned::Owned;
use crate::ffi::str::{self, Chars};

/// An instance.
#[repr(C)]
struct Fragment {
    ob_base: PyObject,
    /// Owned.
    contents: *mut PyObject,
}

static CLASS: AtomicPtr<PyTypeObject> = AtomicPtr::new(null_mut());

/// The class, borrowed; null with an exception set if it cannot be made.
///
/// # Safety
/// The GIL is held.
pub unsafe fn class() -> *mut PyTypeObject {
    let class = CLASS.load(Ordering::Relaxed);
    if !class.is_null() {
        return class;
    }
    // SAFETY: as the caller says.
    let class = unsafe { make_class() };
    CLASS.store(class, Ordering::Relaxed);
    class
}

#[cold]
unsafe fn make_class() -> *mut PyTypeObject {
    let mut slots = [
        PyType_Slot {
            slot: py::Py_tp_new,
            pfunc: new as *mut _,
        },
        PyType_Slot {
            slot: py::Py_tp_dealloc,
            pfunc: dealloc as *mut _,
        },
        PyType_Slot {
            slot: 0,
            pfunc: null_mut(),
        },
    ];
    let mut spec = PyType_Spec {
        name: c"linecaster.orjson.Fragment".as_ptr(),
        basicsize: size_of::<Fragment>() as core::ffi::c_int,
        itemsize: 0,
        flags: (py::Py_TPFLAGS_DEFAULT | py::Py_TPFLAGS_IMMUTABLETYPE) as core::ffi::c_uint,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the GIL is held; the slots end with a zeroed one.
    unsafe { py::PyType_FromSpec(&raw mut spec).cast() }
}

unsafe extern "C" fn new(
    class: *mut PyTypeObject,
    args: *mut PyObject,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: called with a tuple and null or a dict; the instance is new.
    unsafe {
        if py::PyTuple_GET_SIZE(args) != 1 || !names.is_null() {
            type_error("orjson.Fragment() takes exactly 1 positional argument");
            return null_mut();
        }
        let object = py::PyType_GenericAlloc(class, 0);
        if !object.is_null() {
            let contents = Owned::from_borrowed(py::PyTuple_GET_ITEM(args, 0));
            (*object.cast::<Fragment>()).contents = contents.into_ptr();
        }
        object
    }
}

unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: the instance has a reference to its contents and, as one of a
    // heap type, to its class.
    unsafe {
        let class = py::Py_TYPE(object);
        py::Py_XDECREF((*object.cast::<Fragment>()).contents);
        if let Some(free) = (*class).tp_free {
            free(object.cast());
        }
        py::Py_DECREF(class.cast());
    }
}

/// Writes the contents.
///
/// # Safety
/// `op` is a fragment, owned by the caller.
pub unsafe fn write<O: Output>(
    emitter: &mut Json<'_, O, Dumped>,
    op: *mut PyObject,
) -> Result<(), Failure> {
    // SAFETY: the fragment keeps its contents alive and never changes them.
    unsafe {
        let contents = (*op.cast::<Fragment>()).contents;
        if py::PyBytes_CheckExact(contents) != 0 {
            let data = py::PyBytes_AS_STRING(contents).cast();
            emitter.raw(core::slice::from_raw_parts(
                data,
                py::Py_SIZE(contents) as usize,
            ));
            return Ok(());
        }
        if py::PyUnicode_CheckExact(contents) == 0 {
            return Err(Failure::value(
                "orjson.Fragment's content is not of type bytes or str",
            ));
        }
        match str::chars(contents) {
            None => Err(Failure::Raised),
            Some(Chars::Ascii(text)) => {
                emitter.raw(text);
                Ok(())
            }
            Some(chars) if chars.has_surrogate() => Err(Failure::value(SURROGATES)),
            Some(_) => {
                let text = Owned::from_call(py::PyUnicode_AsUTF8String(contents))?;
                let data = py::PyBytes_AS_STRING(text.as_ptr()).cast();
                let len = py::Py_SIZE(text.as_ptr()) as usize;
                emitter.raw(core::slice::from_raw_parts(data, len));
                Ok(())
            }
        }
    }
}
