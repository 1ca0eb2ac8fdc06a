//! The emitter's inner loop: what is short and plain, without a detour.
//!
//! A host whose loop over a container meets mostly short strings and numbers
//! takes a [`Hot`] from its emitter. Its methods write such a token and
//! return `true`, or write nothing and return `false`: then the host gives
//! the `Hot` back by [`JsonEmitter::cool`], writes that token by the emitter
//! itself and takes the next one. Where each token's separator comes from is
//! known without looking at what was written last, and the place to write is
//! held in registers, so that tokens do not wait for each other.

use core::marker::PhantomData;

use linecaster_kernel::cursor::Cursor;
use linecaster_kernel::number::{self, FloatSpelling};
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::Word;
use linecaster_kernel::text::Text;

use super::emitter::{FALSE, NULL, Pending, QUOTE, TRUE};
use super::{Dialect, JsonEmitter, Layout};

/// Writes short tokens of one container. See the module's documentation.
#[derive(Clone, Copy, Debug)]
pub struct Hot<'a, O, D> {
    cursor: Cursor,
    layout: &'a Layout<'a>,
    pending: Pending,
    /// Containers opened, less those closed.
    levels: isize,
    /// Before the next item.
    lead: Word,
    /// Before the next item that is a string, and before the next key.
    lead_quote: Word,
    /// The same for all items but the first.
    next: Word,
    next_quote: Word,
    trail_key: Word,
    encoding: PhantomData<(O, D)>,
}

impl<'a, O: Output, D: Dialect> JsonEmitter<'a, O, D> {
    /// Starts an inner loop in a container.
    ///
    /// # Safety
    /// Until it is given back, the emitter is not used.
    #[inline(always)]
    pub unsafe fn hot(&mut self) -> Hot<'a, O, D> {
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
    pub unsafe fn cool(&mut self, hot: Hot<'a, O, D>) {
        // SAFETY: the caller's.
        unsafe { hot.cursor.settle(self.sink) };
        self.state.pending = hot.pending;
        self.state.depth = self.state.depth.wrapping_add_signed(hot.levels);
    }
}

/// What a value stands behind: an item's separator, or its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// Another item, or an opening bracket.
    Item,
    /// Its key.
    Key,
}

/// The room of a [`Hot`], for the items of a container that it has opened. It
/// fits into registers, unlike the `Hot` itself.
#[derive(Clone, Copy, Debug)]
pub struct Inside<'a> {
    cursor: Cursor,
    layout: &'a Layout<'a>,
}

impl<'a> Inside<'a> {
    /// An inner loop that begins behind the opening bracket.
    #[inline(always)]
    pub fn hot<O: Output, D: Dialect>(self) -> Hot<'a, O, D> {
        Hot::new(self.cursor, self.layout, Pending::First)
    }
}

impl<'a, O: Output, D: Dialect> Hot<'a, O, D> {
    #[inline(always)]
    fn new(cursor: Cursor, layout: &'a Layout<'a>, pending: Pending) -> Hot<'a, O, D> {
        Hot {
            cursor,
            layout,
            pending,
            levels: 0,
            lead: layout.lead[pending as usize],
            lead_quote: layout.lead_quote[pending as usize],
            next: layout.lead[Pending::Next as usize],
            next_quote: layout.lead_quote[Pending::Next as usize],
            trail_key: layout.trail_key,
            encoding: PhantomData,
        }
    }

    /// For a loop over the items of the container that was just opened, in
    /// another function.
    #[inline(always)]
    pub fn inside(&self) -> Inside<'a> {
        Inside {
            cursor: self.cursor,
            layout: self.layout,
        }
    }

    /// Where that loop has got to, for [`Hot::rejoin`].
    #[inline(always)]
    pub fn tail(&self) -> *mut u8 {
        self.cursor.tail()
    }

    /// Goes on behind such a loop, which has `closed` the container, or else
    /// written `some` of its items.
    ///
    /// # Safety
    /// `tail` is that of the `Hot` that came from [`Hot::inside`], when it did
    /// as much.
    #[inline(always)]
    pub unsafe fn rejoin(&mut self, tail: *mut u8, closed: bool, some: bool) {
        // SAFETY: the caller's.
        unsafe { self.cursor.advance_to(tail) };
        if closed {
            self.levels -= 1;
            self.done(true);
        } else if some {
            self.pending = Pending::Next;
        }
    }

    #[inline(always)]
    fn lead(&self, behind: Behind, quote: bool) -> Word {
        match (behind, quote) {
            (Behind::Item, false) => self.lead,
            (Behind::Item, true) => self.lead_quote,
            (Behind::Key, false) => Word::EMPTY,
            (Behind::Key, true) => QUOTE,
        }
    }

    #[inline(always)]
    fn done(&mut self, written: bool) -> bool {
        if written {
            self.pending = Pending::Next;
            self.lead = self.next;
            self.lead_quote = self.next_quote;
        }
        written
    }

    /// A string, if it is short and plain.
    #[inline(always)]
    pub fn string<T: Text>(&mut self, behind: Behind, text: &[T::Unit]) -> bool {
        let lead = self.lead(behind, true);
        let written = self.cursor.short::<T, D::Policy, O>(lead, text, QUOTE);
        self.done(written)
    }

    /// Any string, if there is plenty of room.
    #[inline(always)]
    pub fn long_string<T: Text>(&mut self, behind: Behind, text: &[T::Unit]) -> bool {
        let lead = self.lead(behind, true);
        // A copy, so that this one stays in registers.
        let mut cursor = self.cursor;
        let written = cursor.long::<T, D::Policy, O>(lead, text, QUOTE);
        self.cursor = cursor;
        self.done(written)
    }

    /// The key of the value that follows.
    #[inline(always)]
    pub fn key<T: Text>(&mut self, text: &[T::Unit]) -> bool {
        let lead = self.lead_quote;
        let written = self
            .cursor
            .short::<T, D::Policy, O>(lead, text, self.trail_key);
        if written {
            self.pending = Pending::Nothing;
        }
        written
    }

    /// The null value.
    #[inline(always)]
    pub fn null(&mut self, behind: Behind) -> bool {
        let written = self.cursor.words::<O>(self.lead(behind, false), NULL);
        self.done(written)
    }

    /// A truth value.
    #[inline(always)]
    pub fn bool(&mut self, behind: Behind, value: bool) -> bool {
        let value = if value { TRUE } else { FALSE };
        let written = self.cursor.words::<O>(self.lead(behind, false), value);
        self.done(written)
    }

    /// An array or object that holds nothing: `[]` or `{}`.
    #[inline(always)]
    pub fn empty(&mut self, behind: Behind, brackets: Word) -> bool {
        let written = self.cursor.words::<O>(self.lead(behind, false), brackets);
        self.done(written)
    }

    /// The opening bracket of an array or object: its items follow.
    #[inline(always)]
    pub fn open(&mut self, behind: Behind, bracket: Word) -> bool {
        let written = self.cursor.words::<O>(self.lead(behind, false), bracket);
        if written {
            self.pending = Pending::First;
            self.lead = Word::EMPTY;
            self.lead_quote = QUOTE;
            self.levels += 1;
        }
        written
    }

    /// The closing bracket of an array or object.
    #[inline(always)]
    pub fn close(&mut self, bracket: Word) -> bool {
        let written = self.cursor.words::<O>(bracket, Word::EMPTY);
        if written {
            self.levels -= 1;
        }
        self.done(written)
    }

    /// An integer.
    #[inline(always)]
    pub fn int(&mut self, behind: Behind, value: i64) -> bool {
        let lead = self.lead(behind, false);
        // SAFETY: an integer takes no more than that.
        let written = unsafe {
            self.cursor
                .number::<O, { number::I64_LEN }>(lead, |dst| number::write_i64(dst, value))
        };
        self.done(written)
    }

    /// A finite float.
    #[inline(always)]
    pub fn float(&mut self, behind: Behind, value: f64) -> bool {
        let lead = self.lead(behind, false);
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
    pub fn single<S: FloatSpelling>(&mut self, behind: Behind, value: f32) -> bool {
        let lead = self.lead(behind, false);
        // SAFETY: a float takes no more than that.
        let written = unsafe {
            self.cursor
                .number::<O, { number::FLOAT_LEN }>(lead, |dst| number::write_f32::<S>(dst, value))
        };
        self.done(written)
    }
}
