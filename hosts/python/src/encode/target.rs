//! Where the text of a call grows: a `bytes` or a `str` under construction.
//!
//! Small results are written into a buffer on the stack and copied once, into
//! an object of exactly their size. When the buffer is full, what it holds
//! moves into an object that then grows in place, and is cut to size at the
//! end. A `str` begins as ASCII and is widened, once per step, when a wider
//! string arrives, so that it always has its narrowest representation.

use core::mem::MaybeUninit;

use linecaster_kernel::sink::{Refill, Sink};
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use crate::ffi::{bytes, str};

/// Bytes that are collected on the stack.
pub const STACK: usize = 4096;

/// Room of a chunk behind the size at which it counts as full, so that the
/// token that fills it rarely makes it grow.
const CHUNK_SLACK: usize = 512;

/// The first growth of a chunk.
const CHUNK_START: usize = 65_536 + CHUNK_SLACK;

/// The stack buffer of a call.
pub type Buffer = [MaybeUninit<u8>; STACK];

/// How the characters of a `str` under construction are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Below U+0080.
    Ascii,
    /// Below U+0100.
    Latin1,
    /// Below U+10000.
    Ucs2,
    /// All.
    Ucs4,
}

impl Form {
    /// The narrowest form that holds `c`.
    pub fn of(c: u32) -> Form {
        match c {
            0..0x80 => Form::Ascii,
            0x80..0x100 => Form::Latin1,
            0x100..0x1_0000 => Form::Ucs2,
            _ => Form::Ucs4,
        }
    }

    /// Bytes per character.
    pub fn width(self) -> usize {
        match self {
            Form::Ascii | Form::Latin1 => 1,
            Form::Ucs2 => 2,
            Form::Ucs4 => 4,
        }
    }

    fn max_char(self) -> u32 {
        match self {
            Form::Ascii => 0x7F,
            Form::Latin1 => 0xFF,
            Form::Ucs2 => 0xFFFF,
            Form::Ucs4 => 0x10_FFFF,
        }
    }
}

/// What is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// A `bytes`.
    Bytes,
    /// A `str` of this form.
    Str(Form),
}

impl Product {
    /// The same kind of result, wide enough for `max_char` from the start.
    pub fn with(self, max_char: u32) -> Product {
        match self {
            Product::Str(_) => Product::Str(Form::of(max_char)),
            Product::Bytes => Product::Bytes,
        }
    }

    /// What the output takes at the start; without meaning for `bytes`.
    #[inline(always)]
    pub fn form(self) -> Form {
        match self {
            Product::Str(form) => form,
            Product::Bytes => Form::Ascii,
        }
    }

    /// Bytes per character or byte.
    pub fn width(self) -> usize {
        match self {
            Product::Bytes => 1,
            Product::Str(form) => form.width(),
        }
    }
}

/// The object under construction, if the stack buffer did not suffice.
pub struct Target {
    product: Product,
    /// The form at the start: above ASCII when separators need it.
    first: Product,
    /// Growth that would pass this number of bytes stops there if that is
    /// enough: the size of a stream's chunks.
    limit: usize,
    /// Owned; null while the text is in the stack buffer.
    object: *mut PyObject,
}

impl Target {
    /// Nothing made yet.
    pub fn new(product: Product) -> Target {
        Target {
            product,
            first: product,
            limit: usize::MAX,
            object: core::ptr::null_mut(),
        }
    }

    /// A target for one chunk of about `size` bytes.
    pub fn chunk(product: Product, size: usize) -> Target {
        let mut target = Target::new(product);
        target.limit = size.saturating_add(size.min(CHUNK_SLACK));
        target
    }

    /// What is being made.
    #[inline(always)]
    pub fn product(&self) -> Product {
        self.product
    }

    /// A sink that begins in `buffer` and goes on in the target's object.
    ///
    /// # Safety
    /// `target` and `buffer` stay where they are for as long as the sink is
    /// used, and meanwhile the target is reached by that pointer only.
    #[inline(always)]
    pub unsafe fn sink(target: *mut Target, buffer: &mut Buffer) -> Sink {
        let start = buffer.as_mut_ptr().cast();
        // SAFETY: as the caller says; nobody else uses the target yet.
        unsafe {
            Sink::new(
                start,
                STACK.min((*target).limit),
                grow as Refill,
                target.cast(),
            )
        }
    }

    /// Makes an object with room for `units` characters or bytes.
    unsafe fn allocate(&self, units: usize) -> *mut PyObject {
        if units > isize::MAX as usize / 8 {
            // SAFETY: the GIL is held.
            return unsafe { py::PyErr_NoMemory() };
        }
        // SAFETY: the GIL is held.
        unsafe {
            match self.product {
                Product::Bytes => bytes::new(units),
                Product::Str(form) => str::new(units, form.max_char()),
            }
        }
    }

    /// The same for no more of them than the stack buffer holds.
    #[inline(always)]
    unsafe fn allocate_short(&self, units: usize) -> *mut PyObject {
        // SAFETY: the GIL is held, and memory can hold so few.
        unsafe {
            match self.product {
                Product::Bytes if units > 0 => bytes::new_short(units),
                Product::Str(form) if units > 0 && form != Form::Ucs4 => {
                    str::new_short(units, form.max_char())
                }
                _ => self.allocate(units),
            }
        }
    }

    unsafe fn data(&self, object: *mut PyObject) -> *mut u8 {
        // SAFETY: the object is of the kind that the product names.
        unsafe {
            match self.product {
                Product::Bytes => bytes::data(object),
                Product::Str(_) => str::compact_data(object),
            }
        }
    }

    /// Stores in the form `form` from now on: widens what is written.
    ///
    /// # Safety
    /// `sink` is this target's sink, and `form` is above the present one.
    #[cold]
    #[inline(never)]
    pub unsafe fn widen(&mut self, sink: &mut Sink, form: Form) {
        if sink.failed() {
            return;
        }
        let old_width = self.product.width();
        self.product = Product::Str(form);
        if self.object.is_null() && form.width() == old_width {
            return;
        }
        let units = sink.len() / old_width;
        // Room for what is written and as much again: a host that widens
        // mostly goes on writing.
        let room = (2 * units).max(sink.capacity() / old_width).max(256);
        // SAFETY: the new object has room for all units that are written.
        unsafe {
            let object = self.allocate(room);
            if object.is_null() {
                sink.fail();
                return;
            }
            let data = self.data(object);
            copy_widened(sink.ptr(), old_width, data, form.width(), units);
            if !self.object.is_null() {
                py::Py_DECREF(self.object);
            }
            self.object = object;
            sink.set_buffer(data, units * form.width(), room * form.width());
        }
    }

    /// The finished object; null with an exception set when memory ran out.
    ///
    /// # Safety
    /// `sink` is this target's sink; it is not used again.
    #[inline(always)]
    pub unsafe fn finish(&mut self, sink: &Sink) -> *mut PyObject {
        // SAFETY: the first `len` bytes of the sink are written.
        unsafe {
            if sink.failed() {
                return core::ptr::null_mut();
            }
            let units = sink.len() / self.product.width();
            if self.object.is_null() {
                let object = self.allocate_short(units);
                if !object.is_null() && units > 0 {
                    let data = self.data(object);
                    core::ptr::copy_nonoverlapping(sink.ptr(), data, sink.len());
                }
                return self.canonical(object);
            }
            let object = core::mem::replace(&mut self.object, core::ptr::null_mut());
            let object = match self.product {
                Product::Bytes => bytes::resize(object, units),
                Product::Str(_) => str::resize(object, units),
            };
            self.canonical(object)
        }
    }

    /// The same text in its narrowest form. Strings widen the target when
    /// they need it, but separators do before anybody knows whether they will
    /// be written at all.
    #[inline(always)]
    unsafe fn canonical(&self, object: *mut PyObject) -> *mut PyObject {
        if object.is_null() || matches!(self.first, Product::Bytes | Product::Str(Form::Ascii)) {
            return object;
        }
        // SAFETY: the object is finished.
        unsafe { str::narrowed(object) }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if !self.object.is_null() {
            // SAFETY: the target owns its object.
            unsafe { py::Py_DECREF(self.object) };
        }
    }
}

/// Copies `units` code units of `from_width` bytes into wider ones.
///
/// # Safety
/// Both buffers hold that many units and do not overlap; the widths are 1, 2
/// or 4 and the second is not below the first.
unsafe fn copy_widened(
    from: *const u8,
    from_width: usize,
    to: *mut u8,
    to_width: usize,
    units: usize,
) {
    // SAFETY: as the caller says; `str` data is aligned to its width, and the
    // stack buffer is only read byte by byte.
    unsafe {
        match (from_width, to_width) {
            (1, 2) => widen_units::<u8, u16>(from, to.cast(), units),
            (1, 4) => widen_units::<u8, u32>(from, to.cast(), units),
            (2, 4) => widen_units::<u16, u32>(from.cast(), to.cast(), units),
            _ => core::ptr::copy_nonoverlapping(from, to, units * to_width),
        }
    }
}

unsafe fn widen_units<A: Copy + Into<B>, B>(from: *const A, to: *mut B, units: usize) {
    for i in 0..units {
        // SAFETY: both hold `units` units.
        unsafe { to.add(i).write(from.add(i).read_unaligned().into()) };
    }
}

unsafe fn grow(sink: &mut Sink, additional: usize) {
    // SAFETY: the state is the target that made the sink; sizes below are in
    // bytes and the object always has room for `len` of them.
    unsafe {
        let target = &mut *sink.state().cast::<Target>();
        let (len, width) = (sink.len(), target.product.width());
        let more = sink.wanted().max(additional).max(len);
        let mut wanted = len.saturating_add(more).max(2 * STACK);
        if target.limit != usize::MAX {
            wanted = wanted.max(CHUNK_START).min(target.limit);
            wanted = wanted.max(len.saturating_add(additional));
        }
        let units = wanted.div_ceil(width);
        let object = if target.object.is_null() {
            let object = target.allocate(units);
            if !object.is_null() {
                core::ptr::copy_nonoverlapping(sink.ptr(), target.data(object), len);
            }
            object
        } else {
            // A failed resize has released the object already.
            let object = core::mem::replace(&mut target.object, core::ptr::null_mut());
            match target.product {
                Product::Bytes => bytes::resize(object, units),
                Product::Str(_) => str::resize(object, units),
            }
        };
        target.object = object;
        if object.is_null() {
            sink.fail();
            return;
        }
        sink.set_buffer(target.data(object), len, units * width);
    }
}
