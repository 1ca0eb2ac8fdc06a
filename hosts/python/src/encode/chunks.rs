//! Output in pieces: a walk that pauses whenever a chunk is full.
//!
//! A chunk is a `bytes` or `str` of its own, cut behind the token that filled
//! it, so that memory is bounded by the chunk's size and the longest string
//! of the document. Of documents by the line, chunks end behind whole lines:
//! a document that cannot be encoded leaves nothing of itself.

use core::mem::MaybeUninit;
use core::ptr::null_mut;

use linecaster_formats::json::Layout;
use linecaster_kernel::sink::Sink;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::error::Failure;
use super::options::Options;
use super::target::{self, Buffer, Product, Target};
use super::walk::{Flow, Walk};
use super::{refuses_surrogates, run_native};
use crate::ffi::class::Visit;
use crate::ffi::owned::Owned;

/// What an encoding writes by.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    pub options: &'a Options,
    pub layout: &'a Layout<'a>,
}

/// An exception that is raised later.
pub struct Stash([*mut PyObject; 3]);

#[allow(deprecated, reason = "what came instead is not there before 3.12")]
impl Stash {
    /// Takes the exception that is set.
    pub fn take() -> Stash {
        let [mut class, mut value, mut trace] = [null_mut(); 3];
        // SAFETY: the GIL is held; the references become ours.
        unsafe { py::PyErr_Fetch(&raw mut class, &raw mut value, &raw mut trace) };
        Stash([class, value, trace])
    }

    /// Sets it again.
    pub fn restore(self) {
        let [class, value, trace] = self.0;
        core::mem::forget(self);
        // SAFETY: the references are given away.
        unsafe { py::PyErr_Restore(class, value, trace) };
    }

    /// What is kept alive, for the collector.
    pub fn traverse(&self, visit: &mut Visit) {
        for op in self.0 {
            visit.object(op);
        }
    }
}

impl Drop for Stash {
    fn drop(&mut self) {
        for object in self.0 {
            // SAFETY: the references are ours, or null.
            unsafe { py::Py_XDECREF(object) };
        }
    }
}

/// How a chunk came to its end.
enum End {
    /// It is full, or nothing follows.
    Whole,
    /// An exception is set.
    Raised,
}

/// A document, or several by the line, on its way out.
pub struct Chunks<'a> {
    plan: Plan<'a>,
    product: Product,
    /// Bytes that make a chunk full.
    size: usize,
    /// The document under way.
    walk: Option<Walk<'a>>,
    /// Where the next one comes from, if there are several.
    lines: Option<Owned>,
    /// Documents begun.
    count: usize,
    /// What went wrong behind the lines that were given out last.
    stash: Option<Stash>,
}

impl<'a> Chunks<'a> {
    fn new(plan: Plan<'a>, product: Product, size: usize) -> Chunks<'a> {
        Chunks {
            plan,
            product: product.with(plan.layout.max_char()),
            size,
            walk: None,
            lines: None,
            count: 0,
            stash: None,
        }
    }

    /// One document.
    ///
    /// # Safety
    /// `root` is alive, and the GIL is held.
    pub unsafe fn document(
        plan: Plan<'a>,
        product: Product,
        size: usize,
        root: *mut PyObject,
    ) -> Chunks<'a> {
        let mut chunks = Chunks::new(plan, product, size);
        // SAFETY: as the caller says.
        unsafe { chunks.begin(root) };
        chunks
    }

    /// A line for each item of an iterator.
    pub fn lines(plan: Plan<'a>, product: Product, size: usize, items: Owned) -> Chunks<'a> {
        let mut chunks = Chunks::new(plan, product, size);
        chunks.lines = Some(items);
        chunks
    }

    /// Documents that were begun.
    pub fn count(&self) -> usize {
        self.count
    }

    /// What is kept alive, for the collector.
    pub fn traverse(&self, visit: &mut Visit) {
        for op in self.walk.iter().flat_map(Walk::held) {
            visit.object(op);
        }
        for op in self.lines.iter().map(Owned::as_ptr) {
            visit.object(op);
        }
        if let Some(stash) = &self.stash {
            stash.traverse(visit);
        }
    }

    /// Begins a document.
    unsafe fn begin(&mut self, root: *mut PyObject) {
        let Plan { options, layout } = self.plan;
        let refuse = refuses_surrogates(options, self.product);
        // SAFETY: the caller's object is alive.
        let mut walk = unsafe { Walk::new(options, layout, self.product.form(), refuse, root) };
        if self.lines.is_none() {
            walk.pause_at = self.size;
        }
        self.walk = Some(walk);
        self.count += 1;
    }

    /// Begins the next of several documents; whether there is one.
    unsafe fn begin_next(&mut self) -> Result<bool, End> {
        let Some(lines) = &self.lines else {
            return Ok(false);
        };
        // SAFETY: the iterator is owned.
        unsafe {
            if let Some(item) = Owned::from_new(py::PyIter_Next(lines.as_ptr())) {
                self.begin(item.as_ptr());
                return Ok(true);
            }
            if !py::PyErr_Occurred().is_null() {
                return Err(End::Raised);
            }
        }
        self.lines = None;
        Ok(false)
    }

    /// The next chunk, a new reference: null with an exception set, or
    /// without one behind the last.
    ///
    /// # Safety
    /// The GIL is held, and the plan's objects are alive.
    pub unsafe fn next(&mut self) -> *mut PyObject {
        if let Some(stash) = self.stash.take() {
            stash.restore();
            return null_mut();
        }
        if self.walk.is_none() && self.lines.is_none() {
            return null_mut();
        }
        let mut buffer: Buffer = [const { MaybeUninit::uninit() }; target::STACK];
        let mut target = Target::chunk(self.product, self.size);
        let target = &raw mut target;
        // SAFETY: target and buffer live to the end of this function.
        unsafe {
            let mut sink = Target::sink(target, &mut buffer);
            // Units of the lines that are complete.
            let mut whole = 0;
            if let End::Raised = self.fill(target, &mut sink, &mut whole) {
                (self.walk, self.lines) = (None, None);
                if whole == 0 || sink.failed() {
                    return null_mut();
                }
                self.stash = Some(Stash::take());
                let whole = whole * (*target).product().width();
                sink.set_buffer(sink.ptr(), whole, sink.capacity());
            }
            if sink.is_empty() && !sink.failed() {
                return null_mut();
            }
            (*target).finish(&sink)
        }
    }

    /// Writes until the chunk is full.
    unsafe fn fill(&mut self, target: *mut Target, sink: &mut Sink, whole: &mut usize) -> End {
        let bytes = self.product == Product::Bytes;
        // SAFETY: as for `next`; the sink is the target's.
        unsafe {
            loop {
                if self.walk.is_none() {
                    match self.begin_next() {
                        Ok(true) => {}
                        Ok(false) => return End::Whole,
                        Err(end) => return end,
                    }
                }
                let Some(walk) = &mut self.walk else {
                    return End::Whole;
                };
                walk.form = (*target).product().form();
                match run_native(walk, sink, bytes) {
                    Flow::Widen(form) => (*target).widen(sink, form),
                    Flow::Pause => return End::Whole,
                    Flow::Fail(failure) => return self.raise(failure),
                    Flow::Done => {
                        self.walk = None;
                        if self.lines.is_none() {
                            return End::Whole;
                        }
                        let width = (*target).product().width();
                        end_line(sink, width);
                        if sink.failed() {
                            return End::Raised;
                        }
                        *whole = sink.len() / width;
                        if sink.len() >= self.size {
                            return End::Whole;
                        }
                    }
                }
            }
        }
    }

    fn raise(&self, failure: Failure) -> End {
        let Some(walk) = &self.walk else {
            return End::Raised;
        };
        failure.raise(self.plan.options.max_depth, || {
            let path = walk.stack.path();
            match (&self.lines, path.strip_prefix('$')) {
                (Some(_), Some(rest)) => format!("$[{}]{rest}", self.count - 1),
                _ => path,
            }
        });
        End::Raised
    }
}

/// Writes a line feed in units of this width.
fn end_line(sink: &mut Sink, width: usize) {
    match width {
        1 => sink.write(b"\n"),
        2 => sink.write(&u16::from(b'\n').to_ne_bytes()),
        _ => sink.write(&u32::from(b'\n').to_ne_bytes()),
    }
}
