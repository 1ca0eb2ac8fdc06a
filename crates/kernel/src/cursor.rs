//! A sink's free room, held in registers.
//!
//! A loop that writes one short piece after the other through a [`Sink`] pays
//! for each piece's length on its way through memory and back. Such a loop
//! takes a [`Cursor`], writes what is short and plain by it, and *settles* it
//! before anything else happens to the sink.

use core::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
use crate::arch::avx512::start;
use crate::dispatch;
use crate::escape::candidates::Derived;
use crate::escape::{SHORT, store_short, store_short_behind, takes_short};
use crate::number::FLOAT_LEN;
use crate::output::Output;
use crate::plain::store_word;
use crate::policy::{Policy, Word};
use crate::sink::Sink;
use crate::text::{Encoding, Text, Unit};

/// Bytes that [`Cursor::put_line`] stores at once.
const BLOCK: usize = 32;

/// Units for which [`Cursor::has_room`] looks: two short strings with their
/// quotation marks and words behind them, or one and the longest float.
pub const ROOM: usize = 96;

/// Units that a number takes as it is stored, with a word behind it.
pub const NUMBER: usize = FLOAT_LEN + 8;

/// Where the next byte goes and where the room ends.
///
/// Every method either writes all of a piece and returns `true`, or writes
/// nothing that counts and returns `false`: the piece needs the general way.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    tail: *mut u8,
    end: *mut u8,
}

impl Cursor {
    /// The room of `sink`.
    ///
    /// # Safety
    /// Until the cursor is settled or thrown away, the sink is not used.
    #[inline(always)]
    pub unsafe fn new(sink: &mut Sink) -> Cursor {
        let tail = sink.tail();
        Cursor {
            tail,
            end: tail.wrapping_add(sink.room()),
        }
    }

    /// Counts in the sink what was written.
    ///
    /// # Safety
    /// The cursor is this sink's, as [`Cursor::new`] asks.
    #[inline(always)]
    pub unsafe fn settle(self, sink: &mut Sink) {
        let written = self.tail as usize - sink.tail() as usize;
        // SAFETY: all up to the tail was written, inside of the sink's room.
        unsafe { sink.advance(written) };
    }

    /// Where the next byte goes.
    #[inline(always)]
    pub fn tail(&self) -> *mut u8 {
        self.tail
    }

    /// Goes on behind what a copy of the cursor has written.
    ///
    /// # Safety
    /// `tail` is the [`Cursor::tail`] of a copy of this cursor.
    #[inline(always)]
    pub unsafe fn advance_to(&mut self, tail: *mut u8) {
        self.tail = tail;
    }

    /// Takes back the last `units`.
    ///
    /// # Safety
    /// This cursor, or the one that it goes on from, has written them.
    #[inline(always)]
    pub unsafe fn retract<O: Output>(&mut self, units: usize) {
        // SAFETY: the caller's.
        self.tail = unsafe { self.tail.sub(units * O::Unit::WIDTH) };
    }

    /// Whether there is room for [`ROOM`] units: then the `put_*` methods need
    /// not ask, up to that many. Each says what it takes.
    #[inline(always)]
    pub fn has_room<O: Output>(&self) -> bool {
        self.has(ROOM * O::Unit::WIDTH)
    }

    /// Whether there is room for [`ROOM`] units and, before them, a line break
    /// with so many bytes of indentation.
    #[inline(always)]
    pub fn has_room_for_line<O: Output>(&self, indentation: usize) -> bool {
        self.has((ROOM + 1) * O::Unit::WIDTH + BLOCK + indentation)
    }

    /// For how many units there is room.
    #[inline(always)]
    pub fn room<O: Output>(&self) -> usize {
        (self.end as usize - self.tail as usize) / O::Unit::WIDTH
    }

    /// Writes a line feed and so many bytes of indentation, of which `fill`
    /// holds eight: whole blocks, the last of which reaches beyond them.
    ///
    /// # Safety
    /// There is room, as [`Cursor::has_room_for_line`] says.
    #[inline(always)]
    pub unsafe fn put_line<O: Output>(&mut self, fill: u64, indentation: usize) {
        // SAFETY: the caller's; no block begins behind the indentation.
        unsafe {
            self.put_byte::<O>(b'\n');
            let mut at = self.tail;
            self.tail = at.add(indentation);
            loop {
                at.cast::<[u64; BLOCK / 8]>()
                    .write_unaligned([fill; BLOCK / 8]);
                at = at.add(BLOCK);
                if at >= self.tail {
                    break;
                }
            }
        }
    }

    /// Writes an ASCII character: one unit.
    ///
    /// # Safety
    /// There is room for it.
    #[inline(always)]
    pub unsafe fn put_byte<O: Output>(&mut self, byte: u8) {
        // SAFETY: the caller's.
        unsafe {
            let at: *mut O::Unit = self.tail.cast();
            at.write_unaligned(O::Unit::truncate(u32::from(byte)));
            self.tail = at.add(1).cast();
        }
    }

    /// Writes a word: as many units as it has, but room for eight.
    ///
    /// # Safety
    /// There is that much.
    #[inline(always)]
    pub unsafe fn put_word<O: Output>(&mut self, word: Word) {
        // SAFETY: the caller's.
        self.tail = unsafe { store_word::<O>(self.tail, word) };
    }

    /// Writes what `write` stores, of which it returns the count of units.
    ///
    /// # Safety
    /// There is room for all that it stores.
    #[inline(always)]
    pub unsafe fn put_number<O: Output>(&mut self, write: impl FnOnce(*mut O::Unit) -> usize) {
        // SAFETY: the caller's.
        unsafe {
            let len = write(self.tail.cast());
            self.tail = self.tail.add(len * O::Unit::WIDTH);
        }
    }

    /// Writes ASCII characters between a quotation mark and `trail`, if they
    /// are no more than [`SHORT`] and need no escaping: as many units, and
    /// room for nine more, but no fewer than 17 in all, or 33 if `MASKED`:
    /// that writes them by masked vectors, whatever their number.
    ///
    /// # Safety
    /// There is that much room. `len` characters are readable at `text`, and
    /// eight bytes of anything in front of them. With `MASKED`, the caller is
    /// compiled for the implementation `Avx512`, which is available.
    #[inline(always)]
    pub unsafe fn put_short<P: Policy, O: Output, const MASKED: bool>(
        &mut self,
        text: *const u8,
        len: usize,
        trail: Word,
    ) -> bool {
        if len > SHORT {
            return false;
        }
        // SAFETY: the caller's.
        unsafe {
            let mut cursor = *self;
            cursor.put_byte::<O>(b'"');
            if !store_short_behind::<P, O, MASKED>(text, len, cursor.tail) {
                return false;
            }
            cursor.tail = cursor.tail.add(len * O::Unit::WIDTH);
            cursor.put_word::<O>(trail);
            *self = cursor;
        }
        true
    }

    /// As [`Cursor::put_short`] with `MASKED`, for text of any form that the
    /// output keeps, or whose units it widens.
    ///
    /// # Safety
    /// There is that much room, and the caller is compiled for the
    /// implementation `Avx512`, which is available.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub unsafe fn put_short_masked<T: Text, P: Policy, O: Output>(
        &mut self,
        text: &[T::Unit],
        trail: Word,
    ) -> bool {
        if text.len() > SHORT {
            return false;
        }
        // SAFETY: the caller's.
        unsafe {
            let mut cursor = *self;
            cursor.put_byte::<O>(b'"');
            if !start::short::<T, P, O>(text.as_ptr(), text.len(), cursor.tail) {
                return false;
            }
            cursor.tail = cursor.tail.add(text.len() * O::Unit::WIDTH);
            cursor.put_word::<O>(trail);
            *self = cursor;
        }
        true
    }

    /// Writes ASCII characters that need no escaping between a quotation mark
    /// and `trail`: those that `write` stores, of which it returns the count,
    /// no more than `N`. Nothing if it returns none, or if there is no room.
    ///
    /// # Safety
    /// `write` stores as many as it says.
    #[inline(always)]
    pub unsafe fn plain<O: Output, const N: usize>(
        &mut self,
        write: impl FnOnce(&mut [MaybeUninit<u8>; N]) -> Option<usize>,
        trail: Word,
    ) -> bool {
        if !self.has((N + 16) * O::Unit::WIDTH) {
            return false;
        }
        let mut cursor = *self;
        // SAFETY: there is room for the quotation mark, `N` characters and a
        // word.
        unsafe {
            cursor.put_byte::<O>(b'"');
            if O::Unit::WIDTH == 1 {
                let Some(len) = write(&mut *cursor.tail.cast()) else {
                    return false;
                };
                cursor.tail = cursor.tail.add(len.min(N));
            } else {
                let mut text = [const { MaybeUninit::uninit() }; N];
                let Some(len) = write(&mut text) else {
                    return false;
                };
                for byte in &text[..len.min(N)] {
                    cursor.put_byte::<O>(byte.assume_init());
                }
            }
            cursor.put_word::<O>(trail);
        }
        *self = cursor;
        true
    }

    /// Writes any text between a quotation mark and `trail`, and gives the
    /// place behind; null if there is not plenty of room, or for a lone
    /// surrogate.
    #[inline(always)]
    pub fn text<T: Text, P: Policy, O: Output>(self, text: &[T::Unit], trail: Word) -> *mut u8 {
        const {
            assert!(
                !Derived::<T, P, O>::BY_RUNS,
                "the loop does not know the ranges"
            );
        };
        // ASCII comes from `put_short`, and in UTF-8 nothing else is plain.
        if !O::UTF8 && T::ENCODING != Encoding::Ascii {
            let mut cursor = self;
            if cursor.short::<T, P, O>(text, trail) {
                return cursor.tail;
            }
        }
        // SAFETY: the current implementation is available, and the room is
        // the cursor's.
        unsafe {
            dispatch::between::<T, P, O>(dispatch::current(), text, trail, self.tail, self.end)
        }
    }

    /// Writes `text` between a quotation mark and `trail` if it is short and
    /// needs no escaping, and there is room.
    #[inline(always)]
    pub fn short<T: Text, P: Policy, O: Output>(&mut self, text: &[T::Unit], trail: Word) -> bool {
        const {
            assert!(
                !Derived::<T, P, O>::BY_RUNS,
                "the loop does not know the ranges"
            );
        };
        // The trail takes 8 units as it is stored, the text no more than the
        // greater of its length and 8.
        let need = (text.len() + 17) * O::Unit::WIDTH;
        if !takes_short::<T, O>() || text.len() > SHORT || !self.has(need) {
            return false;
        }
        let mut cursor = *self;
        // SAFETY: there is room for all three.
        unsafe {
            cursor.put_byte::<O>(b'"');
            if !store_short::<T, P, O>(text, cursor.tail) {
                return false;
            }
            cursor.tail = cursor.tail.add(text.len() * O::Unit::WIDTH);
            cursor.put_word::<O>(trail);
        }
        *self = cursor;
        true
    }

    #[inline(always)]
    fn has(&self, bytes: usize) -> bool {
        self.end as usize - self.tail as usize >= bytes
    }
}
