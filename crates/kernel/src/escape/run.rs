//! The one loop.
//!
//! ```text
//! while text is left:
//!     while there is room for the worst that a block can become:
//!         load a block, store it as it is, look for candidates
//!         none: the store was right, advance by the block
//!         some: spell the block (expand.rs), advance by what that made
//!     a block by exact room (spell.rs), which refills the sink
//! ```
//!
//! Two deviations, both for speed: as long as text is clean, one-byte text is
//! taken four blocks at a time with one test for all; and what is left at the
//! end, less than a block, is loaded by overlapping halves and never beyond
//! the text.

use super::candidates::Derived;
use super::expand::{Block, Expand};
use super::spell::{Place, SLACK, put_bytes, put_word, spell_exactly, spell_units_aside};
use super::{LoneSurrogate, Output, Policy, Text, Unit};
use crate::dispatch::{self, Implementation};
use crate::policy::Word;
use crate::sink::Sink;
use crate::vector::{GROUP, Hits, Vector, convert, narrow_group};

/// Bytes from which on stores are aligned: a vector that lies across two cache
/// lines costs two stores.
const ALIGNED: usize = 1024;

/// Clean blocks in a row before four are taken at a time again.
const CALM: usize = 4;

/// Output bytes that a block may touch.
const fn block_room<V: Vector, T: Text, P: Policy, O: Output>() -> usize {
    // Behind the spelled units, an expanding store may touch 16 more.
    (V::LANES * Derived::<T, P, O>::WORST + 2 * SLACK) * O::Unit::WIDTH
}

/// Output bytes that a block of any implementation may touch.
pub(crate) const fn widest_room<T: Text, P: Policy, O: Output>() -> usize {
    // The widest vector has 64 lanes.
    (64 * Derived::<T, P, O>::WORST + 2 * SLACK) * O::Unit::WIDTH
}

/// Writes `text` escaped as `P` says, by the implementation given.
///
/// # Safety
/// It is available.
#[inline(always)]
pub(crate) unsafe fn escape<T: Text, P: Policy, O: Output>(
    by: Implementation,
    sink: &mut Sink,
    text: &[T::Unit],
) -> Result<(), LoneSurrogate> {
    let (mut read, mut written) = (0, 0);
    while read < text.len() {
        let start = sink.tail();
        let mut place = Place { read, out: start };
        // SAFETY: the caller's, and the baseline is always available; the
        // place never goes beyond the sink's room.
        unsafe {
            let end = start.add(sink.room());
            place = dispatch::stretch::<T, P, O>(by, text, place, end)?;
            if place.read < text.len() && by != Implementation::BASELINE {
                // A smaller block may still have room.
                place = dispatch::stretch::<T, P, O>(Implementation::BASELINE, text, place, end)?;
            }
            read = place.read;
            let bytes = place.out as usize - start as usize;
            written += bytes;
            sink.advance(bytes);
        }
        if read < text.len() {
            let upto = text.len().min(read + 32);
            let expected = expected::<O>(text.len() - read, read, written);
            let wanted = expected + 2 * widest_room::<T, P, O>();
            read = spell_exactly::<T, P, O>(sink, text, read, upto, wanted)?;
        }
    }
    Ok(())
}

/// The room, in bytes, that [`between`] asks for.
#[inline(always)]
pub(crate) const fn plenty<T: Text, P: Policy, O: Output>(text: &[T::Unit]) -> usize {
    (text.len() + 16) * O::Unit::WIDTH + widest_room::<T, P, O>()
}

/// Writes a quotation mark, `text` escaped as `P` says, and `trail`, by the
/// implementation given, whose vector is `V`, and gives the place behind them;
/// null if there is not plenty of room, or for a lone surrogate.
///
/// # Safety
/// The machine has the features of `V`, and the memory from `out` to `end` is
/// writable.
#[inline(always)]
pub(crate) unsafe fn between<V: Vector, T: Text, P: Policy, O: Output>(
    by: Implementation,
    text: &[T::Unit],
    trail: Word,
    out: *mut u8,
    end: *mut u8,
) -> *mut u8 {
    if (end as usize - out as usize) < plenty::<T, P, O>(text) {
        return core::ptr::null_mut();
    }
    // SAFETY: the caller's; there is room for the quotation mark, and the text
    // leaves room for the trail.
    unsafe {
        let quote = O::Unit::truncate(u32::from(b'"'));
        out.cast::<O::Unit>().write_unaligned(quote);
        let end = end.sub(8 * O::Unit::WIDTH);
        let behind = match V::start::<T, P, O>(text, out.add(O::Unit::WIDTH), end) {
            Ok(behind) => behind,
            Err(place) => match dispatch::stretch::<T, P, O>(by, text, place, end) {
                Ok(place) if place.read == text.len() => place.out,
                _ => return core::ptr::null_mut(),
            },
        };
        put_word::<O::Unit>(behind, trail.bits())
    }
}

/// How many bytes `left` units may become, judged by what the `read` ones
/// before them did, with a thirty-second more.
#[cold]
fn expected<O: Output>(left: usize, read: usize, written: usize) -> usize {
    let alike = left as u128 * written as u128 / (read as u128).max(1);
    (left * O::Unit::WIDTH).max((alike + alike / 32) as usize)
}

/// Writes `text` from `place` on, to its end or until the room before `end`
/// gets tight for a block.
///
/// # Safety
/// The machine has the features of `V`, and the memory from `place.out` to
/// `end` is writable.
#[inline(always)]
pub(crate) unsafe fn stretch<V: Vector, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    place: Place,
    end: *mut u8,
) -> Result<Place, LoneSurrogate> {
    let room = end as usize - place.out as usize;
    // SAFETY: the caller's, and there is room for the text.
    unsafe {
        if T::Unit::WIDTH == 1
            && O::Unit::WIDTH == 1
            && place.read == 0
            && room >= text.len()
            && store_few::<V, T, P, O>(text, place.out)
        {
            return Ok(Place {
                read: text.len(),
                out: place.out.add(text.len()),
            });
        }
        blocks::<V, T, P, O>(text, place, end)
    }
}

/// Takes blocks until the text ends or the room before `end` gets tight.
///
/// # Safety
/// As for [`stretch`].
#[inline(always)]
unsafe fn blocks<V: Vector, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    mut place: Place,
    end: *mut u8,
) -> Result<Place, LoneSurrogate> {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    let mut calm = CALM;
    loop {
        if T::Unit::WIDTH == 1 && O::Unit::WIDTH == 1 && calm >= CALM {
            // SAFETY: the caller's.
            place = unsafe { clean_fours::<V::Run, T, P, O>(text, place, end) };
            calm = 0;
        }
        let room = end as usize - place.out as usize;
        let left = text.len() - place.read;
        if room < block_room::<V, T, P, O>() || left == 0 {
            return Ok(place);
        }
        if left < V::LANES {
            // SAFETY: the room for a block is there.
            return unsafe { tail::<V, T, P, O>(text, place) };
        }
        // SAFETY: a block is left and its room is there.
        unsafe {
            let at = text.as_ptr().add(place.read);
            let bytes = V::load_narrowed(at);
            if bytes.hits(candidates).any() {
                calm = 0;
                let block = Block {
                    bytes,
                    units: V::LANES,
                };
                place = V::Expansion::spell::<T, P, O>(text, place, block)?;
            } else {
                calm += 1;
                store_block::<V, T, O>(at, bytes, place.out);
                place.read += V::LANES;
                place.out = place.out.add(V::LANES * O::Unit::WIDTH);
            }
        }
    }
}

/// Stores a clean block.
///
/// # Safety
/// `V::LANES` units, which narrowed are `bytes`, are readable at `from`, and
/// as many output units are writable at `to`.
#[inline(always)]
unsafe fn store_block<V: Vector, T: Text, O: Output>(from: *const T::Unit, bytes: V, to: *mut u8) {
    // SAFETY: the caller's.
    unsafe {
        if O::Unit::WIDTH == 1 {
            bytes.store(to);
        } else {
            V::copy_units::<T::Unit, O::Unit>(from, V::LANES, to);
        }
    }
}

/// Copies clean one-byte text, four blocks at a time; stops before the first
/// four that hold a candidate (the memory behind `out` is scribbled on then).
///
/// # Safety
/// As for [`blocks`]; units of text and output are bytes.
#[inline(always)]
unsafe fn clean_fours<V: Vector, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    mut place: Place,
    end: *mut u8,
) -> Place {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    let mut bytes = (end as usize - place.out as usize).min(text.len() - place.read);
    if bytes >= ALIGNED {
        // SAFETY: a block is there to read and to write.
        unsafe {
            let first = V::load(text.as_ptr().add(place.read).cast());
            first.store(place.out);
            if first.hits(candidates).any() {
                return place;
            }
        }
        let ahead = V::LANES - place.out as usize % V::LANES;
        place.read += ahead;
        place.out = place.out.wrapping_add(ahead);
        bytes -= ahead;
    }
    let mut fours = bytes / (4 * V::LANES);
    while fours > 0 {
        // SAFETY: four blocks are there to read and to write.
        unsafe {
            let at: *const u8 = text.as_ptr().add(place.read).cast();
            let four = [
                V::load(at),
                V::load(at.add(V::LANES)),
                V::load(at.add(2 * V::LANES)),
                V::load(at.add(3 * V::LANES)),
            ];
            four[0].store(place.out);
            four[1].store(place.out.add(V::LANES));
            four[2].store(place.out.add(2 * V::LANES));
            four[3].store(place.out.add(3 * V::LANES));
            if V::any_of_four(four, candidates) {
                return place;
            }
            place.read += 4 * V::LANES;
            place.out = place.out.add(4 * V::LANES);
        }
        fours -= 1;
    }
    place
}

/// Stores a text of one to four vectors, by overlapping ones, and says whether
/// it was of that length and clean; if not, what was stored is void. Lengths
/// vary from string to string: a branch per vector would be mispredicted.
///
/// # Safety
/// As for [`stretch`]; units of text and output are bytes, and as many as the
/// text has are writable at `out`.
#[inline(always)]
unsafe fn store_few<V: Vector, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    out: *mut u8,
) -> bool {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    let n = text.len();
    if V::LANES > 32 && n < V::LANES {
        // SAFETY: the caller's.
        return unsafe { store_few::<V::Short, T, P, O>(text, out) };
    }
    if n < V::LANES || n > 4 * V::LANES {
        return false;
    }
    let from: *const u8 = text.as_ptr().cast();
    // SAFETY: all vectors lie inside the `n` bytes.
    unsafe {
        let (first, last) = (V::load(from), V::load(from.add(n - V::LANES)));
        first.store(out);
        last.store(out.add(n - V::LANES));
        if n <= 2 * V::LANES {
            return !first.hits(candidates).or(last.hits(candidates)).any();
        }
        let second = V::load(from.add(V::LANES));
        let third = V::load(from.add(n - 2 * V::LANES));
        second.store(out.add(V::LANES));
        third.store(out.add(n - 2 * V::LANES));
        !V::any_of_four([first, second, third, last], candidates)
    }
}

/// Takes what is left at the end: less than a block.
///
/// # Safety
/// As for [`stretch`]; less than a block is left and the room for one is there.
#[inline(always)]
unsafe fn tail<V: Vector, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    mut place: Place,
) -> Result<Place, LoneSurrogate> {
    // SAFETY: the room for a block covers all that follows.
    unsafe {
        if T::Unit::WIDTH == 1 && V::GRAIN > 1 {
            let rest = text.get_unchecked(place.read..);
            if store_short::<V::Short, T, P, O>(rest, place.out) {
                let out = place.out.add(rest.len() * O::Unit::WIDTH);
                return Ok(Place {
                    read: text.len(),
                    out,
                });
            }
        }
        let left = text.len() - place.read;
        if left >= V::GRAIN {
            place = tail_part::<V, T, P, O>(text, place, left - left % V::GRAIN)?;
        }
        if V::GRAIN == 1 {
            return Ok(place);
        }
        spell_units_aside::<T, P, O>(text, place, text.len())
    }
}

/// Takes as much of what is left at the end as a vector can load in part.
///
/// # Safety
/// As for [`tail`]; so many units are left, a multiple of [`Vector::GRAIN`].
#[inline(always)]
unsafe fn tail_part<V: Vector, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    mut place: Place,
    units: usize,
) -> Result<Place, LoneSurrogate> {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    // SAFETY: the caller's.
    unsafe {
        let at = text.as_ptr().add(place.read);
        let bytes = V::load_part(at, units);
        if bytes.hits(candidates).any() {
            let block = Block { bytes, units };
            return V::Expansion::spell::<T, P, O>(text, place, block);
        }
        if V::GRAIN == 1 && O::Unit::WIDTH == 1 {
            bytes.store(place.out);
        } else {
            V::copy_units::<T::Unit, O::Unit>(at, units, place.out);
        }
        place.read += units;
        place.out = place.out.add(units * O::Unit::WIDTH);
        Ok(place)
    }
}

/// Stores up to 32 bytes as output units and says whether they were clean; if
/// not, what was stored is void.
///
/// # Safety
/// The machine has the features of `V`, `text` has at most 32 units of one
/// byte each, and as many output units, but no fewer than eight, are writable
/// at `out`.
#[inline(always)]
pub(crate) unsafe fn store_short<V: Vector, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    out: *mut u8,
) -> bool {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    let n = text.len();
    let from: *const u8 = text.as_ptr().cast();
    let to = |k: usize| out.wrapping_add(k * O::Unit::WIDTH);
    // SAFETY: each branch reads inside `n` units and writes to `n` units, the
    // last one to eight.
    unsafe {
        if n >= 16 {
            let (low, high) = (from, from.add(n - 16));
            convert::<16, u8, O::Unit>(low, to(0));
            convert::<16, u8, O::Unit>(high, to(n - 16));
            !any_in_16::<V>(low, high, candidates)
        } else if n >= 8 {
            let low = from.cast::<u64>().read_unaligned();
            let high = from.add(n - 8).cast::<u64>().read_unaligned();
            put_bytes::<O::Unit>(to(0), low.to_le());
            put_bytes::<O::Unit>(to(n - 8), high.to_le());
            !V::any_in_words(low, high, candidates)
        } else {
            store_word::<V, T, P, O>(load_word(from, n), n, out)
        }
    }
}

/// Stores less than eight bytes, which are those of `word`, as output units,
/// and says whether they were clean.
///
/// # Safety
/// The machine has the features of `V`, and eight units are writable at `out`.
#[inline(always)]
pub(crate) unsafe fn store_word<V: Vector, T: Text, P: Policy, O: Output>(
    word: u64,
    len: usize,
    out: *mut u8,
) -> bool {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    // SAFETY: the caller's.
    unsafe { put_bytes::<O::Unit>(out, word) };
    // The lanes behind the text must not be taken for candidates.
    let padded = word | 0x2020_2020_2020_2020 << (8 * len);
    !V::any_in_words(padded, padded, candidates)
}

/// As [`store_short`] for units of two or four bytes, into units that are no
/// narrower.
///
/// # Safety
/// As for [`store_short`], but no more output units need be writable than
/// `text` has.
#[inline(always)]
pub(crate) unsafe fn store_short_wide<V: Vector, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    out: *mut u8,
) -> bool {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    let n = text.len();
    let from = text.as_ptr();
    let to = |k: usize| out.wrapping_add(k * O::Unit::WIDTH);
    // SAFETY: each branch reads inside `n` units and writes to `n` units.
    unsafe {
        if n >= 16 && V::LANES == 16 {
            let (low, high) = (from, from.add(n - 16));
            convert::<16, T::Unit, O::Unit>(low, to(0));
            convert::<16, T::Unit, O::Unit>(high, to(n - 16));
            let low = V::load_narrowed(low).hits(candidates);
            let high = V::load_narrowed(high).hits(candidates);
            return !low.or(high).any();
        }
        if (GROUP..=2 * GROUP).contains(&n) {
            let (low, high) = (from, from.add(n - GROUP));
            convert::<GROUP, T::Unit, O::Unit>(low, to(0));
            convert::<GROUP, T::Unit, O::Unit>(high, to(n - GROUP));
            return !V::any_in_words(narrow_group(low), narrow_group(high), candidates);
        }
        if n > GROUP {
            return false;
        }
        // The lanes behind the text must not be taken for candidates.
        let mut bytes = [b' '; GROUP];
        for (k, unit) in text.iter().enumerate() {
            convert::<1, T::Unit, O::Unit>(unit, to(k));
            let unit: u32 = (*unit).into();
            bytes[k & (GROUP - 1)] = unit.min(0xFF) as u8;
        }
        let word = u64::from_ne_bytes(bytes);
        !V::any_in_words(word, word, candidates)
    }
}

/// Whether one of 16 bytes at `low` or at `high` is a candidate.
///
/// # Safety
/// They are readable.
#[inline(always)]
unsafe fn any_in_16<V: Vector>(
    low: *const u8,
    high: *const u8,
    candidates: &super::candidates::Candidates,
) -> bool {
    // SAFETY: the caller's.
    unsafe {
        if V::LANES == 16 {
            let hits = V::load(low).hits(candidates);
            hits.or(V::load(high).hits(candidates)).any()
        } else {
            V::any_of_four(
                [
                    V::load(low),
                    V::load(low.add(8)),
                    V::load(high),
                    V::load(high.add(8)),
                ],
                candidates,
            )
        }
    }
}

/// Up to seven bytes as a little-endian word, zeros behind them.
///
/// # Safety
/// `n < 8` bytes are readable at `from`.
#[inline(always)]
pub(crate) unsafe fn load_word(from: *const u8, n: usize) -> u64 {
    // SAFETY: both halves lie inside the `n` bytes; where they overlap they
    // hold the same bytes.
    unsafe {
        if n >= 4 {
            let low = from.cast::<u32>().read_unaligned().to_le() as u64;
            let high = from.add(n - 4).cast::<u32>().read_unaligned().to_le() as u64;
            low | high << (8 * (n - 4))
        } else if n > 0 {
            let first = *from as u64;
            let middle = *from.add(n / 2) as u64;
            let last = *from.add(n - 1) as u64;
            first | middle << (8 * (n / 2)) | last << (8 * (n - 1))
        } else {
            0
        }
    }
}
