//! `decode_lines` and `iter_items`, and the iterator that they return.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3::prelude::*;
use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyType_Slot};

use super::decoder;
use super::feed::Feed;
use super::items::{Items, Outcome, into_ptr};
use super::lines::{Errors, Lines};
use super::options::LoadOptions;
use super::{bytes_of, path, surrogate_pass};
use crate::args::{set_error, type_error};
use crate::encode::stream::{busy, chunk_size};
use crate::ffi::class::{self, Class, Methods, Visit};
use crate::ffi::owned::{Owned, Raised};
use crate::guarded;

/// How a text is divided.
enum Mode {
    Lines(Lines),
    Items(Items),
}

/// The text and how far it is read.
struct Reader {
    feed: Feed,
    options: LoadOptions,
    mode: Mode,
    /// Whether the first chunk was asked for.
    begun: bool,
}

impl Reader {
    /// The next value.
    unsafe fn next(&mut self) -> Outcome {
        // SAFETY: the GIL is held, and the decoder keeps the hooks.
        unsafe {
            if !self.begun {
                self.feed.fill()?;
                self.begun = true;
                self.options.set_text(self.feed.is_text());
            }
            match &mut self.mode {
                Mode::Lines(lines) => lines.next(&mut self.feed, &self.options),
                Mode::Items(items) => items.next(&mut self.feed, &self.options),
            }
        }
    }
}

/// The iterator.
struct ValueIterator {
    /// Gone when it is exhausted or closed, and while it works.
    reader: Option<Box<Reader>>,
    /// Keeps the hooks.
    decoder: Owned,
    running: bool,
}

/// A new iterator over the lines of `source`, by the options of a decoder.
///
/// # Safety
/// The objects are alive or null where not given; the decoder is one.
pub unsafe fn lines(
    decoder: Owned,
    source: *mut PyObject,
    errors: *mut PyObject,
    size: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        let Some(errors) = Errors::read(errors) else {
            return null_mut();
        };
        iterate(decoder, source, size, Mode::Lines(Lines::new(errors)))
    }
}

/// A new iterator over the items of `source` at `path`.
///
/// # Safety
/// As [`lines`].
pub unsafe fn items(
    decoder: Owned,
    source: *mut PyObject,
    path: *mut PyObject,
    size: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        if py::PyUnicode_Check(path) == 0 {
            type_error("iter_items() argument 'path' must be a str");
            return null_mut();
        }
        let Ok(text) = surrogate_pass(path) else {
            return null_mut();
        };
        match path::parse(bytes_of(&text)) {
            Ok(parts) => iterate(decoder, source, size, Mode::Items(Items::new(parts))),
            Err(reason) => {
                set_error(py::PyExc_ValueError, reason);
                null_mut()
            }
        }
    }
}

unsafe fn iterate(
    decoder: Owned,
    source: *mut PyObject,
    size: *mut PyObject,
    mode: Mode,
) -> *mut PyObject {
    // SAFETY: as for [`lines`].
    unsafe {
        let Some(size) = chunk_size(size) else {
            return null_mut();
        };
        let Ok(feed) = Feed::of(source, size) else {
            return null_mut();
        };
        let reader = Reader {
            feed,
            options: decoder::options(decoder.as_ptr()).clone(),
            mode,
            begun: false,
        };
        let iterator = ValueIterator {
            reader: Some(Box::new(reader)),
            decoder,
            running: false,
        };
        class::instance(CLASS.load(Ordering::Relaxed).cast(), iterator)
    }
}

static CLASS: AtomicPtr<PyObject> = AtomicPtr::new(null_mut());

/// Makes the class and adds it to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::add_to::<ValueIterator>(module, &CLASS, "ValueIterator")
}

static METHODS: Methods<4> = Methods([
    class::method(
        c"close",
        c"close($self, /)\n--\n\nForget the rest, and close the file if it was opened here.",
        py::METH_NOARGS,
        ValueIterator::close,
    ),
    class::method(c"__enter__", c"", py::METH_NOARGS, ValueIterator::enter),
    class::method(c"__exit__", c"", py::METH_VARARGS, ValueIterator::close),
    py::PyMethodDef::zeroed(),
]);

const DOC: &CStr = c"Values of JSON text, made as they are asked for.";

impl Class for ValueIterator {
    const NAME: &'static CStr = c"linecaster.ValueIterator";

    fn slots() -> Vec<PyType_Slot> {
        class::iterator(DOC, ValueIterator::next, &METHODS)
    }

    fn traverse(&self, visit: &mut Visit) {
        visit.object(self.decoder.as_ptr());
        let Some(reader) = &self.reader else {
            return;
        };
        reader.feed.traverse(visit);
        if let Mode::Lines(lines) = &reader.mode {
            lines.traverse(visit);
        }
    }

    fn clear(&mut self) {
        drop(self.reader.take());
    }
}

impl ValueIterator {
    unsafe extern "C" fn next(this: *mut PyObject) -> *mut PyObject {
        // SAFETY: the slot belongs to the class. While a value is made, the
        // reader is out of reach for others.
        guarded(|| unsafe {
            let this = class::value::<ValueIterator>(this);
            if (*this).running {
                return busy();
            }
            let Some(mut reader) = (*this).reader.take() else {
                return null_mut();
            };
            (*this).running = true;
            let outcome = reader.next();
            (*this).running = false;
            // Behind a line that is no JSON the next may be.
            let goes_on = match &outcome {
                Ok(value) => value.is_some(),
                Err(Raised) => matches!(reader.mode, Mode::Lines(_)),
            };
            if goes_on {
                (*this).reader = Some(reader);
            } else if !reader.feed.close() {
                return null_mut();
            }
            into_ptr(outcome)
        })
    }

    unsafe extern "C" fn close(this: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
        // SAFETY: the method belongs to the class.
        guarded(|| unsafe {
            let this = class::value::<ValueIterator>(this);
            if (*this).running {
                return busy();
            }
            if let Some(mut reader) = (*this).reader.take()
                && !reader.feed.close()
            {
                return null_mut();
            }
            Owned::from_borrowed(py::Py_None()).into_ptr()
        })
    }

    unsafe extern "C" fn enter(this: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
        // SAFETY: the interpreter gives the instance.
        unsafe { Owned::from_borrowed(this).into_ptr() }
    }
}
