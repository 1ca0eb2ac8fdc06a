//! The emitter's inner loop: what is short and plain, without a detour.
//!
//! A host whose loop over containers meets mostly short strings and numbers
//! takes a [`Quick`] from its emitter, writes by it what it can, and gives it
//! back by [`JsonEmitter::resume`] when it meets anything else. Two things
//! make it fast. The place to write is held in registers, and one look at the
//! room ([`Quick::has_room`]) is enough for a member. And each item's separator
//! stands *behind* it, so that no token asks what was written before it; a
//! closing bracket, or giving the `Quick` back, takes the last one away again.
//!
//! Whether the layout is an indented one, so that a line break stands before
//! each item, is a parameter (`LINES`): the loop without lines takes up to a
//! fifth more instructions if it holds in registers what writing them takes.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use linecaster_kernel::cursor::Cursor;
use linecaster_kernel::number::{self, FloatSpelling};
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::Word;
use linecaster_kernel::text::{Ascii, Text, Unit};

use super::emitter::Pending;
use super::layout::Line;
use super::{Dialect, JsonEmitter};

/// The widest indentation of a level; wider ones take the general way.
const WIDEST: usize = 1 << 16;

/// Writes short tokens. See the module's documentation.
#[derive(Clone, Copy, Debug)]
pub struct Quick<O, D, const LINES: bool = false> {
    cursor: Cursor,
    /// With `LINES`.
    lines: Indentation,
    /// Behind an item.
    trail: Word,
    trail_text: Word,
    trail_key: Word,
    encoding: PhantomData<(O, D)>,
}

/// How lines begin in an indented layout.
#[derive(Clone, Copy, Debug)]
struct Indentation {
    /// Eight bytes of it.
    fill: u64,
    /// Bytes in the container in which the `Quick` was taken …
    outermost: usize,
    /// … and for each level inside of it.
    step: usize,
}

impl Indentation {
    /// That of a layout without lines.
    const NONE: Indentation = Indentation {
        fill: 0,
        outermost: 0,
        step: 0,
    };

    fn new<O: Output>(line: Line, depth: usize) -> Indentation {
        let step = line.width * O::Unit::WIDTH;
        // The same unit in all places.
        let units = u64::MAX / (u64::MAX >> (64 - 8 * O::Unit::WIDTH));
        Indentation {
            fill: u64::from(line.fill) * units,
            outermost: step * depth,
            step,
        }
    }

    /// The bytes before an item that is so many levels inside.
    #[inline(always)]
    fn at(self, level: usize) -> usize {
        self.outermost + self.step * level
    }
}

/// What a [`Quick`] has written last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// An item, with the separator behind it.
    Item,
    /// The key of the value that follows.
    Key,
    /// An opening bracket.
    Open,
    /// The closing bracket of the container in which the `Quick` was taken.
    End,
}

impl<O: Output, D: Dialect> JsonEmitter<'_, O, D> {
    /// Whether an inner loop takes `LINES`, as items stand on lines of their
    /// own.
    #[inline(always)]
    pub fn on_lines(&self) -> bool {
        self.layout.line.is_some()
    }

    /// Starts an inner loop in a container, before one of its items or
    /// members; `None` when there is no room, or with separators or
    /// indentation that take the general way. Whether items stand before it is the second value.
    ///
    /// # Safety
    /// Until the `Quick` is given back, the emitter is not used.
    #[inline(always)]
    pub unsafe fn quick<const LINES: bool>(&mut self) -> Option<(Quick<O, D, LINES>, After)> {
        let layout = self.layout;
        // SAFETY: the caller's.
        let mut cursor = unsafe { Cursor::new(self.sink) };
        if !cursor.has_room::<O>() {
            return None;
        }
        let (lines, trail, trail_text) = if LINES {
            let line = layout.line?;
            let fits = layout.packed_key && line.width <= WIDEST;
            if !fits || self.state.pending == Pending::Nothing {
                return None;
            }
            let lines = Indentation::new::<O>(line, self.state.depth);
            (lines, line.item, line.text)
        } else {
            if !layout.packed {
                return None;
            }
            let trail = layout.lead[Pending::Next as usize];
            (Indentation::NONE, trail, layout.trail_text)
        };
        let after = if self.state.pending == Pending::Next {
            // SAFETY: there is room.
            unsafe { cursor.put_word::<O>(trail) };
            After::Item
        } else {
            After::Open
        };
        let quick = Quick {
            cursor,
            lines,
            trail,
            trail_text,
            trail_key: layout.trail_key,
            encoding: PhantomData,
        };
        Some((quick, after))
    }

    /// Ends an inner loop, which stands behind `after` and has opened `levels`
    /// more containers than it has closed.
    ///
    /// # Safety
    /// `quick` came from this emitter, which was not used in between.
    #[inline(always)]
    pub unsafe fn resume<const LINES: bool>(
        &mut self,
        mut quick: Quick<O, D, LINES>,
        after: After,
        levels: usize,
    ) {
        // SAFETY: the caller's; behind an item there is a separator.
        unsafe {
            if after == After::Item {
                quick.cursor.retract::<O>(quick.trail.len());
            }
            quick.cursor.settle(self.sink);
        }
        self.state.pending = match after {
            After::Item | After::End => Pending::Next,
            After::Key => Pending::Nothing,
            After::Open => Pending::First,
        };
        self.state.depth += levels;
        if after == After::End {
            self.state.depth -= 1;
        }
    }
}

impl<O: Output, D: Dialect, const LINES: bool> Quick<O, D, LINES> {
    /// Whether there is room for a key and any of the values below, or for a
    /// bracket.
    #[inline(always)]
    pub fn has_room(&self) -> bool {
        self.cursor.has_room::<O>()
    }

    /// For how many units there is room: [`NUMBER`](linecaster_kernel::cursor::NUMBER)
    /// of them are enough for any of the numbers and constants below, or for
    /// two brackets.
    #[inline(always)]
    pub fn room(&self) -> usize {
        self.cursor.room::<O>()
    }

    /// The room, for a function that writes a string by [`Cursor::text`].
    #[inline(always)]
    pub fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Goes on behind what a copy of the cursor has written.
    ///
    /// # Safety
    /// As for [`Cursor::advance_to`].
    #[inline(always)]
    pub unsafe fn advance_to(&mut self, tail: *mut u8) {
        // SAFETY: the caller's.
        unsafe { self.cursor.advance_to(tail) };
    }

    /// Where the next token goes.
    #[inline(always)]
    pub fn tail(&self) -> *mut u8 {
        self.cursor.tail()
    }

    /// What stands behind the characters of a string: a key or a value.
    #[inline(always)]
    pub fn behind(&self, key: bool) -> Word {
        if key { self.trail_key } else { self.trail_text }
    }

    /// A string or a key, if it is short and plain.
    ///
    /// # Safety
    /// There is room; `len` ASCII characters are readable at `text`, and eight
    /// bytes of anything in front of them. `MASKED` as for
    /// [`Cursor::put_short`].
    #[inline(always)]
    pub unsafe fn short<const MASKED: bool>(
        &mut self,
        key: bool,
        text: *const u8,
        len: usize,
    ) -> bool {
        // SAFETY: the caller's.
        unsafe {
            self.cursor
                .put_short::<D::Policy, O, MASKED>(text, len, self.behind(key))
        }
    }

    /// The same of text of any form; only where loads can be masked.
    ///
    /// # Safety
    /// There is room; `MASKED` as for [`Quick::short`].
    #[inline(always)]
    pub unsafe fn short_wide<T: Text, const MASKED: bool>(
        &mut self,
        key: bool,
        text: &[T::Unit],
    ) -> bool {
        #[cfg(target_arch = "x86_64")]
        if MASKED && !O::UTF8 {
            let behind = self.behind(key);
            // SAFETY: the caller's.
            return unsafe {
                self.cursor
                    .put_short_masked::<T, D::Policy, O>(text, behind)
            };
        }
        let _ = (key, text);
        false
    }

    /// Any string, or key, and what stands behind it: writes through a copy
    /// of the cursor and gives the place to go on, null if it needs the
    /// general way.
    #[inline(always)]
    pub fn text<T: Text>(cursor: Cursor, text: &[T::Unit], behind: Word) -> *mut u8 {
        cursor.text::<T, D::Policy, O>(text, behind)
    }

    #[inline(always)]
    unsafe fn constant(&mut self, word: Word) {
        // SAFETY: the caller's.
        unsafe {
            self.cursor.put_word::<O>(word);
            self.cursor.put_word::<O>(self.trail);
        }
    }

    /// The null value.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    pub unsafe fn null(&mut self) {
        // SAFETY: the caller's.
        unsafe { self.constant(D::NULL) };
    }

    /// A truth value.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    pub unsafe fn bool(&mut self, value: bool) {
        // SAFETY: the caller's.
        unsafe { self.constant(if value { D::TRUE } else { D::FALSE }) };
    }

    /// An integer.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    pub unsafe fn int(&mut self, value: i64) {
        // SAFETY: the caller's.
        unsafe {
            self.cursor
                .put_number::<O>(|dst| number::write_i64(dst, value));
            self.cursor.put_word::<O>(self.trail);
        }
    }

    /// An integer beyond those of [`Quick::int`].
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    pub unsafe fn uint(&mut self, value: u64) {
        // SAFETY: the caller's.
        unsafe {
            self.cursor
                .put_number::<O>(|dst| number::write_u64(dst, value));
            self.cursor.put_word::<O>(self.trail);
        }
    }

    /// A finite `f32`, in its own shortest digits.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    pub unsafe fn single<S: FloatSpelling>(&mut self, value: f32) {
        // SAFETY: the caller's.
        unsafe {
            self.cursor
                .put_number::<O>(|dst| number::write_f32::<S>(dst, value));
            self.cursor.put_word::<O>(self.trail);
        }
    }

    /// A string of ASCII characters that need no escaping, as `write` stores
    /// them and says how many; nothing if it says none, or if there is no
    /// room.
    ///
    /// # Safety
    /// `write` stores as many as it says.
    #[inline(always)]
    pub unsafe fn plain<const N: usize>(
        &mut self,
        write: impl FnOnce(&mut [MaybeUninit<u8>; N]) -> Option<usize>,
    ) -> bool {
        // SAFETY: the caller's.
        unsafe { self.cursor.plain::<O, N>(write, self.trail_text) }
    }

    /// A string of ASCII characters that may be anywhere, if it is short and
    /// plain and there is room.
    #[inline(always)]
    pub fn short_text(&mut self, text: &[u8]) -> bool {
        self.cursor
            .short::<Ascii, D::Policy, O>(text, self.trail_text)
    }

    /// A finite float.
    ///
    /// # Safety
    /// There is room. `MASKED` as for [`Quick::short`].
    #[inline(always)]
    pub unsafe fn float<const MASKED: bool>(&mut self, value: f64) {
        // SAFETY: the caller's.
        unsafe {
            let dst: *mut O::Unit = self.cursor.tail().cast();
            // No closure: it would be compiled for the baseline.
            #[cfg(target_arch = "x86_64")]
            let len = if MASKED {
                number::write_f64_avx512::<D::Floats>(dst, value)
            } else {
                number::write_f64::<D::Floats>(dst, value)
            };
            #[cfg(not(target_arch = "x86_64"))]
            let len = number::write_f64::<D::Floats>(dst, value);
            self.cursor.advance_to(dst.add(len).cast());
            self.cursor.put_word::<O>(self.trail);
        }
    }

    /// An array or object that holds nothing: `[]` or `{}`.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    pub unsafe fn empty(&mut self, brackets: Word) {
        // SAFETY: the caller's.
        unsafe { self.constant(brackets) };
    }

    /// The opening bracket of an array or object that is not empty.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    pub unsafe fn open(&mut self, bracket: u8) {
        // SAFETY: the caller's.
        unsafe { self.cursor.put_byte::<O>(bracket) };
    }

    /// The closing bracket behind an item: of an inner container, which is an
    /// item itself.
    ///
    /// # Safety
    /// There is room, and an item was written last.
    #[inline(always)]
    pub unsafe fn close(&mut self, bracket: u8) {
        // SAFETY: the caller's.
        unsafe {
            self.end(bracket);
            self.cursor.put_word::<O>(self.trail);
        }
    }

    /// The closing bracket of the container in which this was taken: give it
    /// back with [`After::End`].
    ///
    /// # Safety
    /// There is room, and an item was written last.
    #[inline(always)]
    pub unsafe fn end(&mut self, bracket: u8) {
        // SAFETY: the caller's.
        unsafe {
            self.cursor.retract::<O>(self.trail.len());
            self.cursor.put_byte::<O>(bracket);
        }
    }
}

/// For an indented layout.
impl<O: Output, D: Dialect, const LINES: bool> Quick<O, D, LINES> {
    /// Whether there is room as for [`Quick::has_room`], and for the line
    /// break before it, so many levels inside of the container in which the
    /// `Quick` was taken.
    #[inline(always)]
    pub fn has_room_for_line(&self, level: usize) -> bool {
        self.cursor.has_room_for_line::<O>(self.lines.at(level))
    }

    /// The same for a value that has no lines of its own, whose line break, if
    /// any, is written.
    #[inline(always)]
    pub fn inside_line(self) -> Quick<O, D> {
        Quick {
            cursor: self.cursor,
            lines: Indentation::NONE,
            trail: self.trail,
            trail_text: self.trail_text,
            trail_key: self.trail_key,
            encoding: PhantomData,
        }
    }

    /// The line break before an item or member. To take it back, as before
    /// [`JsonEmitter::resume`] if nothing follows, go on at the [`Quick::tail`]
    /// before it.
    ///
    /// # Safety
    /// [`Quick::has_room_for_line`] says so.
    #[inline(always)]
    pub unsafe fn line(&mut self, level: usize) {
        // SAFETY: the caller's.
        unsafe {
            self.cursor
                .put_line::<O>(self.lines.fill, self.lines.at(level));
        }
    }

    /// The line break before the closing bracket of a container whose items
    /// are so many levels inside.
    ///
    /// # Safety
    /// [`Quick::has_room_for_line`] says so, and an item was written last; the
    /// bracket follows.
    #[inline(always)]
    pub unsafe fn last_line(&mut self, level: usize) {
        let indentation = self.lines.at(level).saturating_sub(self.lines.step);
        let len = self.trail.len();
        // SAFETY: the caller's. The bracket takes back the separator, so it
        // gets its place again.
        unsafe {
            self.cursor.retract::<O>(len);
            self.cursor.put_line::<O>(self.lines.fill, indentation);
            let tail = self.cursor.tail().add(len * O::Unit::WIDTH);
            self.cursor.advance_to(tail);
        }
    }
}
