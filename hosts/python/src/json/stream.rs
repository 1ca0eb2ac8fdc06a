//! Text in pieces, as `dump` writes it and `iterencode` gives it out.
//!
//! The walk pauses whenever a chunk is full. Where something is out of the
//! ordinary and no `default` has run, the interpreter's own generators begin
//! again, and what they make is passed over as far as it is given out already
//! ([`Rest`]). Where `default` has run, the text in front of the value that
//! failed is given out first, and the exception follows.

use core::mem::MaybeUninit;

use linecaster_formats::json::Layout;
use linecaster_kernel::sink::Sink;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::encode::{self, NoText};
use super::rules::CHECK_CIRCULAR;
use super::{raise, stdlib};
use crate::args::set_error;
use crate::encode::chunks::Stash;
use crate::encode::error::Failure;
use crate::encode::options::Options;
use crate::encode::stream::CHUNK;
use crate::encode::target::{self, Buffer, Form, Product, Target};
use crate::encode::walk::{Flow, Walk};
use crate::ffi::class::Visit;
use crate::ffi::owned::{Owned, Raised};

/// A document on its way out.
pub struct Stream<'a> {
    /// Gone behind the end.
    walk: Option<Walk<'a>>,
    product: Product,
    /// Characters given out.
    given: Py_ssize_t,
    /// The last of them.
    last: Option<Owned>,
    /// What went wrong behind them.
    stash: Option<Stash>,
}

impl<'a> Stream<'a> {
    /// The text of `root`, not begun.
    ///
    /// # Safety
    /// `root` and the options' objects are alive, and the GIL is held.
    pub unsafe fn new(
        root: *mut PyObject,
        options: &'a Options,
        layout: &'a Layout<'a>,
    ) -> Stream<'a> {
        let product = Product::Str(Form::Ascii).with(layout.max_char());
        // SAFETY: as the caller says.
        let mut walk = unsafe { Walk::new(options, layout, product.form(), false, root) };
        walk.pause_at = CHUNK;
        Stream {
            walk: Some(walk),
            product,
            given: 0,
            last: None,
            stash: None,
        }
    }

    /// The next chunk; `None` behind the last. When it is the interpreter's
    /// turn, [`Stream::rest`] says how.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn next(&mut self) -> Result<Option<Owned>, NoText> {
        if let Some(stash) = self.stash.take() {
            stash.restore();
            return Err(NoText::Raised);
        }
        let Some(walk) = &mut self.walk else {
            return Ok(None);
        };
        let mut buffer: Buffer = [const { MaybeUninit::uninit() }; target::STACK];
        let mut target = Target::chunk(self.product, CHUNK);
        let target = &raw mut target;
        // SAFETY: target and buffer live to the end of this function.
        let text = unsafe {
            let mut sink = Target::sink(target, &mut buffer);
            match fill(walk, target, &mut sink) {
                Flow::Fail(failure) => {
                    // What is written may repeat what is circular.
                    let lost = matches!(failure, Failure::Circular | Failure::TooDeep);
                    if !encode::raise(walk, failure) {
                        return Err(NoText::Unusual);
                    }
                    self.walk = None;
                    if lost || sink.failed() || sink.is_empty() {
                        return Err(NoText::Raised);
                    }
                    self.stash = Some(Stash::take());
                }
                Flow::Done => self.walk = None,
                Flow::Pause | Flow::Widen(_) => {}
            }
            Owned::from_call((*target).finish(&sink))?
        };
        if self.walk.is_some() {
            // SAFETY: the chunk is a `str`.
            self.given += unsafe { py::PyUnicode_GetLength(text.as_ptr()) };
            // SAFETY: the chunk is alive.
            self.last = Some(unsafe { Owned::from_borrowed(text.as_ptr()) });
        }
        Ok(Some(text))
    }

    /// What the interpreter's encoder makes behind the chunks so far.
    ///
    /// # Safety
    /// Both are alive, and the GIL is held.
    pub unsafe fn rest(
        &mut self,
        encoder: *mut PyObject,
        obj: *mut PyObject,
    ) -> Result<Rest, Raised> {
        // SAFETY: as the caller says; what is made here is owned.
        unsafe {
            py::PyErr_Clear();
            let function = stdlib::ITERENCODE.get();
            let chunks = stdlib::call(function, [encoder, obj], core::ptr::null_mut())?;
            Ok(Rest {
                chunks: Owned::from_call(py::PyObject_GetIter(chunks.as_ptr()))?,
                skip: self.given,
                last: self.last.take(),
            })
        }
    }

    /// What is kept alive, for the collector.
    pub fn traverse(&self, visit: &mut Visit) {
        for op in self.walk.iter().flat_map(Walk::held) {
            visit.object(op);
        }
        if let Some(stash) = &self.stash {
            stash.traverse(visit);
        }
    }
}

/// Writes until the chunk is full.
///
/// # Safety
/// The sink is the target's.
unsafe fn fill(walk: &mut Walk<'_>, target: *mut Target, sink: &mut Sink) -> Flow {
    // SAFETY: as the caller says.
    unsafe {
        walk.form = (*target).product().form();
        loop {
            match encode::run(walk, sink) {
                Flow::Widen(form) => {
                    walk.form = form;
                    (*target).widen(sink, form);
                }
                // The walk looks for circles deep down only, and text must not
                // be given out that goes around one.
                Flow::Pause
                    if walk.options.flags & CHECK_CIRCULAR != 0
                        && raise::repetition(walk).is_some() =>
                {
                    return Flow::Fail(Failure::Circular);
                }
                flow => return flow,
            }
        }
    }
}

/// What is left of the interpreter's chunks.
pub struct Rest {
    chunks: Owned,
    /// Characters that are given out already.
    skip: Py_ssize_t,
    /// The last chunk of these.
    last: Option<Owned>,
}

impl Rest {
    /// The next chunk; `None` behind the last.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn next(&mut self) -> Result<Option<Owned>, Raised> {
        loop {
            // SAFETY: the iterator is owned.
            let chunk = unsafe { Owned::from_new(py::PyIter_Next(self.chunks.as_ptr())) };
            let Some(chunk) = chunk else {
                // SAFETY: the GIL is held.
                if unsafe { !py::PyErr_Occurred().is_null() } {
                    return Err(Raised);
                }
                return if self.skip == 0 {
                    Ok(None)
                } else {
                    Err(changed())
                };
            };
            if self.skip == 0 {
                self.last = None;
                return Ok(Some(chunk));
            }
            // SAFETY: the chunk is alive.
            if let Some(text) = unsafe { self.pass(&chunk)? } {
                return Ok(Some(text));
            }
        }
    }

    /// Passes over what is given out already; the part of the chunk behind it.
    unsafe fn pass(&mut self, chunk: &Owned) -> Result<Option<Owned>, Raised> {
        // SAFETY: the chunk is owned, and so is what is cut out of it.
        unsafe {
            let len = py::PyUnicode_GetLength(chunk.as_ptr());
            if len < 0 {
                return Err(Raised);
            }
            let passed = len.min(self.skip);
            if let Some(last) = &self.last {
                let start = py::PyUnicode_GetLength(last.as_ptr()) - self.skip;
                // Of the chunk, what lies in the last one that was given out.
                let from = (-start).clamp(0, passed);
                let theirs = slice(chunk, from, passed)?;
                let ours = slice(last, (start + from).max(0), (start + passed).max(0))?;
                if py::PyUnicode_Compare(theirs.as_ptr(), ours.as_ptr()) != 0 {
                    return Err(changed());
                }
            }
            self.skip -= passed;
            if passed == len {
                return Ok(None);
            }
            slice(chunk, passed, len).map(Some)
        }
    }

    /// What is kept alive, for the collector.
    pub fn traverse(&self, visit: &mut Visit) {
        visit.object(self.chunks.as_ptr());
    }
}

unsafe fn slice(text: &Owned, start: Py_ssize_t, end: Py_ssize_t) -> Result<Owned, Raised> {
    // SAFETY: the text is a `str`.
    unsafe { Owned::from_call(py::PyUnicode_Substring(text.as_ptr(), start, end)) }
}

/// Sets the exception of a document of which another text is given out.
#[cold]
fn changed() -> Raised {
    // SAFETY: the GIL is held wherever chunks are made.
    unsafe {
        set_error(
            py::PyExc_RuntimeError,
            "the object changed while it was encoded",
        );
    }
    Raised
}
