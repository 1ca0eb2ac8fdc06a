//! Files that take output in pieces.
//!
//! Whether a file takes `str` or `bytes` is told by its class, and for classes
//! that are none of `io` by its attributes: `encoding` belongs to text files,
//! a `mode` with a `b` to binary ones. What tells nothing is given `str`.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use super::target::{Form, Product};
use crate::args::{set_error, type_error};
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::str::{self, Chars};

/// A file.
pub struct Writer {
    /// Its method.
    write: Owned,
    /// What it takes.
    product: Product,
    /// It may take less than it is given.
    partial: bool,
    /// The file itself, if it was opened here.
    opened: Option<Owned>,
}

impl Writer {
    /// The file that a caller gave, or that a path names; `None` with an
    /// exception set if it is neither.
    ///
    /// # Safety
    /// `file` is alive.
    pub unsafe fn of(file: *mut PyObject) -> Option<Writer> {
        // SAFETY: as the caller says; all that is made here is owned.
        unsafe {
            if is_path(file).ok()? {
                let opened = open(file, c"wb")?;
                let write = Owned::from_new(py::PyObject_GetAttrString(
                    opened.as_ptr(),
                    c"write".as_ptr(),
                ))?;
                return Some(Writer {
                    write,
                    product: Product::Bytes,
                    partial: false,
                    opened: Some(opened),
                });
            }
            let (product, partial) = nature(file)?;
            let (method, product) = if let Some(write) = attribute(file, c"write").ok()? {
                (write, product)
            } else if let Some(send) = attribute(file, c"sendall").ok()? {
                (send, Product::Bytes)
            } else {
                // For its error message.
                py::PyObject_GetAttrString(file, c"write".as_ptr());
                return None;
            };
            Some(Writer {
                write: method,
                product,
                partial,
                opened: None,
            })
        }
    }

    /// What the file takes.
    pub fn product(&self) -> Product {
        self.product
    }

    /// Writes all of a chunk; `false` with an exception set.
    ///
    /// # Safety
    /// The chunk is a `str` or `bytes`, as the file takes.
    pub unsafe fn put(&self, chunk: &Owned) -> bool {
        // SAFETY: what is made here is owned.
        unsafe {
            if self.partial {
                return self.put_all(chunk).is_some();
            }
            Owned::from_new(py::PyObject_CallOneArg(self.write.as_ptr(), chunk.as_ptr())).is_some()
        }
    }

    /// As [`Writer::put`], for files that say how much they took.
    unsafe fn put_all(&self, chunk: &Owned) -> Option<()> {
        // SAFETY: the chunk is a `bytes`; its length is looked at before a
        // view is cut.
        unsafe {
            let len = py::PyBytes_Size(chunk.as_ptr());
            let view = Owned::from_new(py::PyMemoryView_FromObject(chunk.as_ptr()))?;
            let mut done = 0;
            while done < len {
                let rest = Owned::from_new(py::PySequence_GetSlice(view.as_ptr(), done, len))?;
                let taken =
                    Owned::from_new(py::PyObject_CallOneArg(self.write.as_ptr(), rest.as_ptr()))?;
                if taken.as_ptr() == py::Py_None() {
                    set_error(py::PyExc_BlockingIOError, "the file would block");
                    return None;
                }
                let taken = py::PyNumber_AsSsize_t(taken.as_ptr(), py::PyExc_OverflowError);
                if taken == -1 && !py::PyErr_Occurred().is_null() {
                    return None;
                }
                if !(0..=len - done).contains(&taken) {
                    set_error(
                        py::PyExc_ValueError,
                        "write() returned an impossible length",
                    );
                    return None;
                }
                done += taken;
            }
            Some(())
        }
    }

    /// Ends the writing: closes the file if it was opened here. An exception
    /// that is set stays.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn finish(self) -> bool {
        match self.opened {
            // SAFETY: the file is owned.
            Some(file) => unsafe { close(&file) },
            None => true,
        }
    }
}

/// Closes a file that was opened here; `false` with an exception set, which
/// is the one that was set before if there was one.
///
/// # Safety
/// The GIL is held.
#[allow(deprecated, reason = "what came instead is not there before 3.12")]
pub unsafe fn close(file: &Owned) -> bool {
    let [mut class, mut value, mut trace] = [null_mut(); 3];
    // SAFETY: what was set is set again; what is made here is owned.
    unsafe {
        py::PyErr_Fetch(&raw mut class, &raw mut value, &raw mut trace);
        let method = Owned::from_new(str::from_ascii(b"close"));
        let closed = method.and_then(|name| {
            Owned::from_new(py::PyObject_CallMethodNoArgs(file.as_ptr(), name.as_ptr()))
        });
        if !class.is_null() {
            py::PyErr_Restore(class, value, trace);
            return false;
        }
        closed.is_some()
    }
}

/// Whether an object is a path, of `pathlib` or like it.
///
/// # Safety
/// `op` is alive.
pub unsafe fn is_path(op: *mut PyObject) -> Result<bool, Raised> {
    // SAFETY: as the caller says; the class is alive as long.
    unsafe {
        let class: *mut PyObject = py::Py_TYPE(op).cast();
        attribute(class, c"__fspath__").map(|method| method.is_some())
    }
}

/// Opens a file.
///
/// # Safety
/// The path is alive.
pub unsafe fn open(path: *mut PyObject, mode: &CStr) -> Option<Owned> {
    // SAFETY: all that is made here is owned.
    unsafe {
        let io = Owned::from_new(py::PyImport_ImportModule(c"io".as_ptr()))?;
        let open = Owned::from_new(py::PyObject_GetAttrString(io.as_ptr(), c"open".as_ptr()))?;
        let mode = Owned::from_new(py::PyUnicode_FromString(mode.as_ptr()))?;
        Owned::from_new(py::PyObject_CallFunctionObjArgs(
            open.as_ptr(),
            path,
            mode.as_ptr(),
            null_mut::<PyObject>(),
        ))
    }
}

/// The classes that all files of `io` are of: text, raw and buffered ones.
static CLASSES: [AtomicPtr<PyObject>; 3] = [const { AtomicPtr::new(null_mut()) }; 3];
const NAMES: [&CStr; 3] = [c"_TextIOBase", c"_RawIOBase", c"_BufferedIOBase"];

/// Whether an object is of one of [`CLASSES`].
unsafe fn is_of(file: *mut PyObject, index: usize) -> Option<bool> {
    // SAFETY: the file is alive, the class for good.
    unsafe {
        let mut class = CLASSES[index].load(Ordering::Relaxed);
        if class.is_null() {
            let io = Owned::from_new(py::PyImport_ImportModule(c"_io".as_ptr()))?;
            class = py::PyObject_GetAttrString(io.as_ptr(), NAMES[index].as_ptr());
            if class.is_null() {
                return None;
            }
            if py::PyType_Check(class) == 0 {
                type_error("a class of the module _io is none");
                return None;
            }
            // Never released: a module of the interpreter has it anyway.
            CLASSES[index].store(class, Ordering::Relaxed);
        }
        let class: *mut PyTypeObject = class.cast();
        Some(py::PyObject_TypeCheck(file, class) != 0)
    }
}

/// Whether a file is a text file of `io`, or says so itself.
///
/// # Safety
/// `file` is alive.
pub unsafe fn is_text(file: *mut PyObject) -> Option<bool> {
    // SAFETY: as the caller says.
    unsafe {
        if is_of(file, 0)? {
            return Some(true);
        }
        if is_of(file, 1)? || is_of(file, 2)? {
            return Some(false);
        }
        Some(attribute(file, c"encoding").ok()?.is_some())
    }
}

/// What a file takes, and whether perhaps in parts.
unsafe fn nature(file: *mut PyObject) -> Option<(Product, bool)> {
    const TEXT: Product = Product::Str(Form::Ascii);
    // SAFETY: the caller's file is alive.
    unsafe {
        if is_text(file)? {
            return Some((TEXT, false));
        }
        if is_of(file, 1)? {
            return Some((Product::Bytes, true));
        }
        if is_of(file, 2)? {
            return Some((Product::Bytes, false));
        }
        let binary = match attribute(file, c"mode").ok()? {
            Some(mode) if py::PyUnicode_Check(mode.as_ptr()) != 0 => {
                matches!(str::chars(mode.as_ptr())?, Chars::Ascii(mode) if mode.contains(&b'b'))
            }
            _ => false,
        };
        Some((if binary { Product::Bytes } else { TEXT }, false))
    }
}

/// An attribute if the object has it.
///
/// # Safety
/// `op` is alive.
pub unsafe fn attribute(op: *mut PyObject, name: &CStr) -> Result<Option<Owned>, Raised> {
    // SAFETY: as the caller says.
    unsafe {
        // The one string of that name: a class remembers where it found it.
        let name = Owned::from_call(py::PyUnicode_InternFromString(name.as_ptr()))?;
        if let Some(found) = Owned::from_new(py::PyObject_GetAttr(op, name.as_ptr())) {
            return Ok(Some(found));
        }
        if py::PyErr_ExceptionMatches(py::PyExc_AttributeError) == 0 {
            return Err(Raised);
        }
        py::PyErr_Clear();
        Ok(None)
    }
}
