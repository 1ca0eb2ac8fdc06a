//! The loop over an array of numbers that a host has as such, without objects.
//!
//! Such a host takes a [`Hot`] from its emitter. Its methods write an item and
//! return `true`, or write nothing and return `false`: then the host gives the
//! `Hot` back by [`JsonEmitter::cool`], writes that item by the emitter itself
//! and takes the next one. The separator is known without looking at what was
//! written last, and the place to write is held in registers, so that items do
//! not wait for each other. ([`super::Quick`] is the loop over objects.)

use core::marker::PhantomData;

use linecaster_kernel::cursor::Cursor;
use linecaster_kernel::number::{self, FloatSpelling};
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::Word;

use super::emitter::{FALSE, NULL, Pending, TRUE};
use super::{Dialect, JsonEmitter, Layout};

/// Writes items of one array. See the module's documentation.
#[derive(Clone, Copy, Debug)]
pub struct Hot<O, D> {
    cursor: Cursor,
    pending: Pending,
    /// Before the next item.
    lead: Word,
    /// The same for all items but the first.
    next: Word,
    encoding: PhantomData<(O, D)>,
}

impl<O: Output, D: Dialect> JsonEmitter<'_, O, D> {
    /// Starts an inner loop in a container.
    ///
    /// # Safety
    /// Until it is given back, the emitter is not used.
    #[inline(always)]
    pub unsafe fn hot(&mut self) -> Hot<O, D> {
        let (layout, pending) = (self.layout, self.state.pending);
        // Layouts that are not packed have separators that take the general
        // way, and so does everything else then.
        let cursor = if layout.packed {
            // SAFETY: the caller's.
            unsafe { Cursor::new(self.sink) }
        } else {
            Cursor::empty(self.sink)
        };
        Hot::new(cursor, layout, pending)
    }

    /// Ends an inner loop.
    ///
    /// # Safety
    /// `hot` came from this emitter, which was not used in between.
    #[inline(always)]
    pub unsafe fn cool(&mut self, hot: Hot<O, D>) {
        // SAFETY: the caller's.
        unsafe { hot.cursor.settle(self.sink) };
        self.state.pending = hot.pending;
    }
}

impl<O: Output, D: Dialect> Hot<O, D> {
    #[inline(always)]
    fn new(cursor: Cursor, layout: &Layout<'_>, pending: Pending) -> Hot<O, D> {
        Hot {
            cursor,
            pending,
            lead: layout.lead[pending as usize],
            next: layout.lead[Pending::Next as usize],
            encoding: PhantomData,
        }
    }

    #[inline(always)]
    fn done(&mut self, written: bool) -> bool {
        if written {
            self.pending = Pending::Next;
            self.lead = self.next;
        }
        written
    }

    /// The null value.
    #[inline(always)]
    pub fn null(&mut self) -> bool {
        let written = self.cursor.words::<O>(self.lead, NULL);
        self.done(written)
    }

    /// A truth value.
    #[inline(always)]
    pub fn bool(&mut self, value: bool) -> bool {
        let value = if value { TRUE } else { FALSE };
        let written = self.cursor.words::<O>(self.lead, value);
        self.done(written)
    }

    /// An integer.
    #[inline(always)]
    pub fn int(&mut self, value: i64) -> bool {
        let lead = self.lead;
        // SAFETY: an integer takes no more than that.
        let written = unsafe {
            self.cursor
                .number::<O, { number::I64_LEN }>(lead, |dst| number::write_i64(dst, value))
        };
        self.done(written)
    }

    /// A finite float.
    #[inline(always)]
    pub fn float(&mut self, value: f64) -> bool {
        let lead = self.lead;
        // SAFETY: a float takes no more than that.
        let written = unsafe {
            self.cursor.number::<O, { number::FLOAT_LEN }>(lead, |dst| {
                number::write_f64::<D::Floats>(dst, value)
            })
        };
        self.done(written)
    }

    /// A finite `f32`, in its own shortest digits.
    #[inline(always)]
    pub fn single<S: FloatSpelling>(&mut self, value: f32) -> bool {
        let lead = self.lead;
        // SAFETY: a float takes no more than that.
        let written = unsafe {
            self.cursor
                .number::<O, { number::FLOAT_LEN }>(lead, |dst| number::write_f32::<S>(dst, value))
        };
        self.done(written)
    }
}
