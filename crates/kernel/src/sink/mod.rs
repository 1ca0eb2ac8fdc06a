//! Where the output goes: one concrete buffer for every host.
//!
//! A [`Sink`] is a chunk of memory and a `refill` function. After
//! [`Sink::reserve`] there is room, made by growing *or by flushing*, so a
//! growable vector, a Python `bytes` under construction and a file's chunk
//! are the same thing to the kernel.
//!
//! Failure is sticky: a refill that cannot make room marks the sink failed,
//! everything after it is discarded, and the host asks once at the end. So no
//! emitter returns a `Result` per token and no foreign unwinding ever crosses
//! a kernel frame.
//!
//! Invariant: `ptr` is valid for writes of `cap` bytes, of which the first
//! `len` are initialised. Every refill upholds it.

mod chunked;
mod fixed;
#[cfg(feature = "alloc")]
mod vec;

pub use chunked::ChunkedSink;
pub use fixed::FixedSink;
#[cfg(feature = "alloc")]
pub use vec::VecSink;

/// Makes room for `additional` more bytes behind `len`, by calling
/// [`Sink::set_buffer`], or calls [`Sink::fail`].
///
/// # Safety
/// Called only with the sink that it was given to, while `state` is valid.
pub type Refill = unsafe fn(sink: &mut Sink, additional: usize);

/// A buffer under construction. Lengths and capacities are in bytes.
#[repr(C)]
#[derive(Debug)]
pub struct Sink {
    ptr: *mut u8,
    len: usize,
    cap: usize,
    refill: Refill,
    state: *mut (),
    wanted: usize,
    failed: bool,
}

/// The sink could not make room: out of memory, a full buffer, or a writer
/// that failed. What the reason was, the sink's owner knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinkError;

impl Sink {
    /// A sink over `cap` bytes at `ptr`, none of them written yet.
    ///
    /// # Safety
    /// `ptr` is valid for writes of `cap` bytes until the sink's last use or
    /// until `refill` replaces it; `refill` upholds the module's invariant.
    pub const unsafe fn new(ptr: *mut u8, cap: usize, refill: Refill, state: *mut ()) -> Sink {
        Sink {
            ptr,
            len: 0,
            cap,
            refill,
            state,
            wanted: 0,
            failed: false,
        }
    }

    /// Makes room for `additional` bytes; `false` when the sink has failed,
    /// and then nothing may be written.
    #[inline(always)]
    pub fn reserve(&mut self, additional: usize) -> bool {
        if self.room() >= additional {
            true
        } else {
            self.refill(additional, additional)
        }
    }

    /// How many bytes can be written as things are.
    #[inline(always)]
    pub const fn room(&self) -> usize {
        self.cap - self.len
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self, additional: usize, wanted: usize) -> bool {
        if !self.failed {
            self.wanted = wanted;
            // SAFETY: `refill` belongs to this sink (`Sink::new`).
            unsafe { (self.refill)(self, additional) };
        }
        !self.failed && self.room() >= additional
    }

    /// Where the next byte goes.
    #[inline(always)]
    pub fn tail(&mut self) -> *mut u8 {
        // SAFETY: `len <= cap`, and `ptr` is valid for `cap` bytes.
        unsafe { self.ptr.add(self.len) }
    }

    /// Counts `n` bytes that were written at [`Sink::tail`].
    ///
    /// # Safety
    /// They were written, and `n` is at most what was reserved.
    #[inline(always)]
    pub unsafe fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.cap - self.len);
        self.len += n;
    }

    /// Takes back all but the first `len` bytes of the current chunk; nothing
    /// if the sink has failed, or has no more than those.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        if !self.failed {
            self.len = self.len.min(len);
        }
    }

    /// Appends `bytes`, in pieces if the sink flushes.
    #[inline(always)]
    pub fn write(&mut self, bytes: &[u8]) {
        if self.room() >= bytes.len() {
            // SAFETY: there is room for them.
            unsafe { self.append(bytes) };
        } else {
            self.write_toward(bytes, bytes.len());
        }
    }

    /// Appends `bytes`; when that takes a refill, tells it that `wanted`
    /// bytes are about to come, these included.
    #[cold]
    #[inline(never)]
    pub fn write_toward(&mut self, mut bytes: &[u8], wanted: usize) {
        while !bytes.is_empty() {
            if self.room() == 0 && !self.refill(1, wanted.max(bytes.len())) {
                return;
            }
            let (piece, rest) = bytes.split_at(bytes.len().min(self.room()));
            // SAFETY: the piece is no longer than the room.
            unsafe { self.append(piece) };
            bytes = rest;
        }
    }

    /// # Safety
    /// There is room for `bytes`.
    #[inline(always)]
    unsafe fn append(&mut self, bytes: &[u8]) {
        // SAFETY: the caller's, and a sink's buffer never overlaps what is
        // borrowed from elsewhere.
        unsafe {
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), self.tail(), bytes.len());
            self.advance(bytes.len());
        }
    }

    /// The current chunk's start; its first [`Sink::len`] bytes are written.
    pub const fn ptr(&self) -> *mut u8 {
        self.ptr
    }

    /// Bytes written into the current chunk.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the current chunk is empty.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The current chunk's size in bytes.
    pub const fn capacity(&self) -> usize {
        self.cap
    }

    /// What [`Sink::new`] was given for the refill function's own use.
    pub const fn state(&self) -> *mut () {
        self.state
    }

    /// For refill functions that can choose how much room to make: how many
    /// bytes are expected to come, `additional` included. A hint; making room
    /// for `additional` is enough.
    pub const fn wanted(&self) -> usize {
        self.wanted
    }

    /// Whether output was lost.
    pub const fn failed(&self) -> bool {
        self.failed
    }

    /// Marks the sink failed: from now on nothing is written.
    #[cold]
    pub fn fail(&mut self) {
        self.failed = true;
        self.cap = self.len;
    }

    /// Replaces the chunk: for refill functions and owners.
    ///
    /// # Safety
    /// `ptr` is valid for writes of `cap` bytes, of which `len` are written.
    pub unsafe fn set_buffer(&mut self, ptr: *mut u8, len: usize, cap: usize) {
        self.ptr = ptr;
        self.len = len;
        self.cap = cap;
    }
}
