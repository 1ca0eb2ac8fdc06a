//! `dump`, `iterencode` and the functions of documents by the line, and the
//! iterator over chunks.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use linecaster_formats::json::Layout;
use pyo3::prelude::*;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyType_Slot};

use super::chunks::{Chunks, Plan};
use super::encoder;
use super::options::{self, COUNT, Options};
use super::target::Product;
use super::writer::Writer;
use super::{layout_fits, none};
use crate::args::{Signature, set_error, type_error};
use crate::ffi::bytes;
use crate::ffi::class::{self, Class, Methods, Visit};
use crate::ffi::owned::Owned;
use crate::guarded;

/// Bytes in a chunk unless the caller says otherwise.
pub const CHUNK: usize = 65_536;

/// Reads a number of bytes; null stands for [`CHUNK`].
///
/// # Safety
/// The value is null or alive.
pub unsafe fn chunk_size(given: *mut PyObject) -> Option<usize> {
    if given.is_null() {
        return Some(CHUNK);
    }
    // SAFETY: the value is alive.
    unsafe {
        if py::PyLong_Check(given) == 0 {
            type_error("option 'chunk_size' must be an int");
            return None;
        }
        // Anything too big is as good as all at once.
        let size = py::PyNumber_AsSsize_t(given, null_mut());
        if size < 1 {
            set_error(
                py::PyExc_ValueError,
                "option 'chunk_size' must be at least 1",
            );
            return None;
        }
        Some(size as usize)
    }
}

/// `linecaster.dump`, with its options worked out.
///
/// # Safety
/// The objects are alive.
pub unsafe fn dump(obj: *mut PyObject, file: *mut PyObject, plan: Plan<'_>) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        let Some(writer) = Writer::of(file) else {
            return null_mut();
        };
        if !layout_fits(plan.options, writer.product()) {
            return null_mut();
        }
        let mut chunks = Chunks::document(plan, writer.product(), CHUNK, obj);
        if write(&mut chunks, writer) {
            none()
        } else {
            null_mut()
        }
    }
}

/// Writes all chunks; `false` with an exception set.
unsafe fn write(chunks: &mut Chunks<'_>, writer: Writer) -> bool {
    // SAFETY: the GIL is held; chunks are what the writer takes.
    unsafe {
        while let Some(chunk) = Owned::from_new(chunks.next()) {
            if !writer.put(&chunk) {
                break;
            }
        }
        writer.finish() && py::PyErr_Occurred().is_null()
    }
}

/// An iterator over the documents of an iterable, if the options write each
/// into one line.
unsafe fn documents(iterable: *mut PyObject, options: &Options) -> Option<Owned> {
    // SAFETY: the iterable is alive.
    unsafe {
        if options.breaks_lines() {
            set_error(
                py::PyExc_ValueError,
                "options 'indent' and 'separators' must keep a document on one line",
            );
            return None;
        }
        Owned::from_new(py::PyObject_GetIter(iterable))
    }
}

/// `linecaster.encode_lines`, with its options worked out; without a file if
/// it is null or `None`.
///
/// # Safety
/// The objects are alive.
pub unsafe fn encode_lines(
    iterable: *mut PyObject,
    file: *mut PyObject,
    plan: Plan<'_>,
) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        let Some(items) = documents(iterable, plan.options) else {
            return null_mut();
        };
        if file.is_null() || file == py::Py_None() {
            if !layout_fits(plan.options, Product::Bytes) {
                return null_mut();
            }
            let mut chunks = Chunks::lines(plan, Product::Bytes, usize::MAX, items);
            let Some(all) = Owned::from_new(chunks.next()) else {
                return if py::PyErr_Occurred().is_null() {
                    bytes::new(0)
                } else {
                    null_mut()
                };
            };
            // What comes behind can only be an exception.
            chunks.next();
            return if py::PyErr_Occurred().is_null() {
                all.into_ptr()
            } else {
                null_mut()
            };
        }
        let Some(writer) = Writer::of(file) else {
            return null_mut();
        };
        if !layout_fits(plan.options, writer.product()) {
            return null_mut();
        }
        let mut chunks = Chunks::lines(plan, writer.product(), CHUNK, items);
        if write(&mut chunks, writer) {
            py::PyLong_FromSize_t(chunks.count())
        } else {
            null_mut()
        }
    }
}

/// What [`ChunkIterator`] goes over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// One document.
    Document,
    /// The items of an iterable, by the line.
    Lines,
}

/// A new iterator over the chunks of `obj`, by the options of an encoder.
///
/// # Safety
/// The objects are alive, the encoder is one.
pub unsafe fn iterate(
    encoder: Owned,
    content: Content,
    obj: *mut PyObject,
    size: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as the caller says. The plan lies in the encoder, which the
    // iterator keeps alive, and does not move.
    unsafe {
        let plan = encoder::plan(encoder.as_ptr());
        let Some(size) = chunk_size(size) else {
            return null_mut();
        };
        if !layout_fits(plan.options, Product::Bytes) {
            return null_mut();
        }
        let chunks = match content {
            Content::Document => Chunks::document(plan, Product::Bytes, size, obj),
            Content::Lines => match documents(obj, plan.options) {
                Some(items) => Chunks::lines(plan, Product::Bytes, size, items),
                None => return null_mut(),
            },
        };
        let iterator = ChunkIterator {
            chunks: Some(chunks),
            encoder,
            running: false,
        };
        class::instance(CLASS.load(Ordering::Relaxed).cast(), iterator)
    }
}

/// The iterator that `iterencode` returns.
struct ChunkIterator {
    /// Gone when it is exhausted or closed. In front of the encoder, whose
    /// plan it borrows: fields are dropped in this order.
    chunks: Option<Chunks<'static>>,
    encoder: Owned,
    /// A chunk is being made.
    running: bool,
}

static CLASS: AtomicPtr<PyObject> = AtomicPtr::new(null_mut());

/// Makes the class.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::add_to::<ChunkIterator>(module, &CLASS, "ChunkIterator")
}

static METHODS: Methods<2> = Methods([
    class::close_method(ChunkIterator::close),
    py::PyMethodDef::zeroed(),
]);

const DOC: &CStr = c"Chunks of JSON text, bytes, made as they are asked for.";

impl Class for ChunkIterator {
    const NAME: &'static CStr = c"linecaster.ChunkIterator";

    fn slots() -> Vec<PyType_Slot> {
        class::iterator(DOC, ChunkIterator::next, &METHODS)
    }

    fn traverse(&self, visit: &mut Visit) {
        visit.object(self.encoder.as_ptr());
        // While it runs, its caller holds it.
        if let Some(chunks) = &self.chunks
            && !self.running
        {
            chunks.traverse(visit);
        }
    }

    fn clear(&mut self) {
        if !self.running {
            drop(self.chunks.take());
        }
    }
}

impl ChunkIterator {
    unsafe extern "C" fn next(this: *mut PyObject) -> *mut PyObject {
        // SAFETY: the slot belongs to the class. Only `running` is touched
        // by others while a chunk is made.
        guarded(|| unsafe {
            let this = class::value::<ChunkIterator>(this);
            if (*this).running {
                return busy();
            }
            let Some(mut chunks) = (*this).chunks.take() else {
                return null_mut();
            };
            (*this).running = true;
            let chunk = chunks.next();
            (*this).running = false;
            if !chunk.is_null() {
                (*this).chunks = Some(chunks);
            }
            chunk
        })
    }

    unsafe extern "C" fn close(this: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
        // SAFETY: the method belongs to the class.
        guarded(|| unsafe {
            let this = class::value::<ChunkIterator>(this);
            if (*this).running {
                return busy();
            }
            drop((*this).chunks.take());
            none()
        })
    }
}

/// Raises the error of an iterator that is used while it runs.
///
/// # Safety
/// The GIL is held.
pub unsafe fn busy() -> *mut PyObject {
    // SAFETY: the GIL is held.
    unsafe { set_error(py::PyExc_ValueError, "iterator already executing") };
    null_mut()
}

/// Reads the arguments of a function that returns an iterator.
unsafe fn iterate_call(
    signature: &Signature,
    content: Content,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    let mut given = [null_mut(); 2 + COUNT];
    // SAFETY: the arguments are those of a vectorcall.
    unsafe {
        if !signature.parse(args, nargs, names, &mut given) {
            return null_mut();
        }
        match encoder::make(&given[2..]) {
            Some(encoder) => iterate(encoder, content, given[0], given[1]),
            None => null_mut(),
        }
    }
}

/// `linecaster.iterencode`.
pub unsafe extern "C" fn iterencode(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe { iterate_call(&options::ITERENCODE, Content::Document, args, nargs, names) })
}

/// `linecaster.iterencode_lines`.
pub unsafe extern "C" fn iterencode_lines(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        iterate_call(
            &options::ITERENCODE_LINES,
            Content::Lines,
            args,
            nargs,
            names,
        )
    })
}

/// `linecaster.encode_lines` as a function of the module.
pub unsafe extern "C" fn encode_lines_call(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    let mut given = [null_mut(); 2 + COUNT];
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        if !options::ENCODE_LINES.parse(args, nargs, names, &mut given) {
            return null_mut();
        }
        let Some(options) = Options::read(&given[2..]) else {
            return null_mut();
        };
        let layout: Layout<'_> = options.layout();
        let plan = Plan {
            options: &options,
            layout: &layout,
        };
        encode_lines(given[0], given[1], plan)
    })
}
