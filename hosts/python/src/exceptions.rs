//! The two exception classes, made once when the module is imported.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3::prelude::*;
use pyo3_ffi::{self as ffi, PyObject};

static ENCODE_ERROR: AtomicPtr<PyObject> = AtomicPtr::new(null_mut());
static DECODE_ERROR: AtomicPtr<PyObject> = AtomicPtr::new(null_mut());

const ENCODE_DOC: &CStr = c"A value that cannot be encoded.

The attribute `path` tells where it is, such as `$.items[3].when`.";

const DECODE_DOC: &CStr = c"Text that is not JSON.

As `json.JSONDecodeError`: attributes `msg`, `doc`, `pos`, `lineno`, `colno`.";

/// Makes the classes and adds them to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let decode_base = py.import("json")?.getattr("JSONDecodeError")?;
    // SAFETY: `TypeError` lives as long as the interpreter.
    let encode_base = unsafe { ffi::PyExc_TypeError };
    let classes = [
        (
            &ENCODE_ERROR,
            "EncodeError",
            c"linecaster.EncodeError",
            ENCODE_DOC,
            encode_base,
        ),
        (
            &DECODE_ERROR,
            "DecodeError",
            c"linecaster.DecodeError",
            DECODE_DOC,
            decode_base.as_ptr(),
        ),
    ];
    for (slot, short, name, doc, base) in classes {
        // Imported again, the module has the same classes.
        let made = slot.load(Ordering::Relaxed);
        // SAFETY: name and doc are C strings, base is a class; what the slot
        // has is one, too.
        let class = unsafe {
            if made.is_null() {
                let class =
                    ffi::PyErr_NewExceptionWithDoc(name.as_ptr(), doc.as_ptr(), base, null_mut());
                Bound::from_owned_ptr_or_err(py, class)?
            } else {
                Bound::from_borrowed_ptr(py, made)
            }
        };
        module.add(short, &class)?;
        // Never released: the functions may raise it for as long as the
        // process runs.
        if made.is_null() {
            slot.store(class.into_ptr(), Ordering::Relaxed);
        }
    }
    Ok(())
}

/// `linecaster.EncodeError`, borrowed.
pub fn encode_error() -> *mut PyObject {
    ENCODE_ERROR.load(Ordering::Relaxed)
}

/// `linecaster.DecodeError`, borrowed.
pub fn decode_error() -> *mut PyObject {
    DECODE_ERROR.load(Ordering::Relaxed)
}
