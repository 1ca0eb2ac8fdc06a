//! Memory that a call works in, kept for the next.
//!
//! A call takes the scratch and puts it back. One that begins while another is
//! under way (from a hook, or on a thread that runs while a hook gives up the
//! GIL) finds none and makes its own.

use core::cell::UnsafeCell;

use pyo3_ffi::PyObject;

/// Scratch that holds more than this many bytes is not kept.
const KEPT: usize = 1 << 20;

/// What a call works in.
#[derive(Default)]
pub struct Scratch {
    /// The parser's.
    pub parser: linecaster_decode::Scratch,
    /// Objects whose container has not ended; empty between calls.
    pub values: Vec<*mut PyObject>,
}

struct Slot(UnsafeCell<Option<Box<Scratch>>>);

// SAFETY: touched under the GIL only, and never across a call that could give
// it up.
unsafe impl Sync for Slot {}

static SLOT: Slot = Slot(UnsafeCell::new(None));

impl Scratch {
    /// The scratch, for this caller alone.
    #[inline(always)]
    pub fn take() -> Box<Self> {
        // SAFETY: the GIL is held by every function of the module.
        unsafe { (*SLOT.0.get()).take() }.unwrap_or_default()
    }

    /// Puts it back, if its place is still free.
    #[inline(always)]
    pub fn put(self: Box<Self>) {
        let held = self.parser.capacity() + self.values.capacity() * size_of::<*mut PyObject>();
        // SAFETY: the GIL is held by every function of the module.
        let slot = unsafe { &mut *SLOT.0.get() };
        if slot.is_none() && held <= KEPT {
            *slot = Some(self);
        }
    }
}
