//! The scalar side of the loop: one unit after the other, by table.
//!
//! A store of eight bytes and an advance by the spelling's length cost under
//! two cycles a unit whatever the text holds, and nothing is restarted, so
//! this is also how whole blocks with candidates are spelled where the vector
//! unit cannot shuffle.

use core::hint::select_unpredictable;

use super::candidates::{Derived, High, spell_u16};
use super::{LoneSurrogate, Output, Policy, Text, Unit};
use crate::sink::Sink;
use crate::text::Encoding;

/// Output units that [`put`] may touch behind the ones that it counts.
pub(crate) const SLACK: usize = 8;

/// Where reading and writing go on.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Units read.
    pub(crate) read: usize,
    /// Where the next output byte goes.
    pub(crate) out: *mut u8,
}

/// Stores the seven or fewer bytes of a spelling and gives the place behind
/// them.
///
/// # Safety
/// Eight units of `U` are writable at `out`.
#[inline(always)]
pub(crate) unsafe fn put_word<U: Unit>(out: *mut u8, word: u64) -> *mut u8 {
    let length = (word >> 56) as usize;
    // SAFETY: the caller's.
    unsafe {
        put_bytes::<U>(out, word);
        out.add(length * U::WIDTH)
    }
}

/// Stores eight bytes as units.
///
/// # Safety
/// Eight units of `U` are writable at `out`.
#[inline(always)]
pub(crate) unsafe fn put_bytes<U: Unit>(out: *mut u8, bytes: u64) {
    #[cfg(target_arch = "x86_64")]
    if U::WIDTH > 1 {
        // SAFETY: the caller's; SSE2 is the baseline.
        unsafe { put_widened::<U>(out, bytes) };
        return;
    }
    let bytes = bytes.to_le_bytes();
    if U::WIDTH == 1 {
        // Left to itself, the loop becomes eight stores where the compiler
        // knows something about one of the bytes.
        // SAFETY: the caller's.
        unsafe { out.cast::<[u8; 8]>().write_unaligned(bytes) };
        return;
    }
    let out: *mut U = out.cast();
    for (k, &byte) in bytes.iter().enumerate() {
        // SAFETY: the caller's.
        unsafe { out.add(k).write_unaligned(U::truncate(byte as u32)) };
    }
}

/// Stores eight bytes as units of two or four bytes.
///
/// # Safety
/// As for [`put_bytes`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn put_widened<U: Unit>(out: *mut u8, bytes: u64) {
    use core::arch::x86_64::{
        _mm_cvtsi64_si128, _mm_setzero_si128, _mm_storeu_si128, _mm_unpackhi_epi16,
        _mm_unpacklo_epi8, _mm_unpacklo_epi16,
    };
    // SAFETY: the caller's; SSE2 is the baseline.
    unsafe {
        let zero = _mm_setzero_si128();
        let words = _mm_unpacklo_epi8(_mm_cvtsi64_si128(bytes as i64), zero);
        if U::WIDTH == 2 {
            _mm_storeu_si128(out.cast(), words);
            return;
        }
        _mm_storeu_si128(out.cast(), _mm_unpacklo_epi16(words, zero));
        _mm_storeu_si128(out.add(16).cast(), _mm_unpackhi_epi16(words, zero));
    }
}

/// The UTF-8 sequence of a non-ASCII `c` as a word.
#[inline(always)]
const fn utf8(c: u32) -> u64 {
    const ONE: u64 = 1 << 56;
    let c = c as u64;
    if c < 0x800 {
        return (2 * ONE) | 0x80C0 | (c >> 6) | ((c & 0x3F) << 8);
    }
    if c < 0x1_0000 {
        let low = ((c >> 6 & 0x3F) << 8) | ((c & 0x3F) << 16);
        return (3 * ONE) | 0x80_80E0 | (c >> 12) | low;
    }
    let low = ((c >> 6 & 0x3F) << 16) | ((c & 0x3F) << 24);
    (4 * ONE) | 0x8080_80F0 | (c >> 18 & 7) | ((c >> 12 & 0x3F) << 8) | low
}

/// Decodes one sequence of well-formed UTF-8 whose lead byte is not ASCII;
/// missing bytes count as zero.
#[inline(always)]
fn decode(bytes: &[u8]) -> (u32, usize) {
    let at = |i: usize| bytes.get(i).map_or(0, |&byte| byte as u32);
    let next = |i: usize| at(i) & 0x3F;
    let (c, n) = match at(0) {
        lead @ ..0xE0 => ((lead & 0x1F) << 6 | next(1), 2),
        lead @ ..0xF0 => ((lead & 0xF) << 12 | next(1) << 6 | next(2), 3),
        lead => ((lead & 7) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4),
    };
    (c, n.min(bytes.len()))
}

/// Writes `c`, which is above U+00FF or comes from a multi-byte sequence.
///
/// # Safety
/// `WORST + SLACK` output units are writable at `out`.
#[inline(always)]
unsafe fn put_high<T: Text, P: Policy, O: Output>(out: *mut u8, c: u32) -> Option<*mut u8> {
    // SAFETY: the caller's; a pair is the case that `WORST` counts 12 for.
    unsafe {
        Some(match Derived::<T, P, O>::HIGH {
            High::Spelled if c < 0x1_0000 => put_word::<O::Unit>(out, spell_u16(c)),
            High::Spelled => {
                let c = c - 0x1_0000;
                let out = put_word::<O::Unit>(out, spell_u16(0xD800 + (c >> 10 & 0x3FF)));
                put_word::<O::Unit>(out, spell_u16(0xDC00 + (c & 0x3FF)))
            }
            High::Transcoded => {
                if !O::SURROGATE_PASS && c & 0xFFFF_F800 == 0xD800 {
                    return None;
                }
                put_word::<O::Unit>(out, utf8(c))
            }
            High::Copied if Derived::<T, P, O>::RANGES => {
                let spelled = Derived::<T, P, O>::in_ranges(c);
                put_word::<O::Unit>(out, if spelled { spell_u16(c) } else { utf8(c) })
            }
            High::Copied | High::Pair | High::Wide => {
                out.cast::<O::Unit>().write_unaligned(O::Unit::truncate(c));
                out.add(O::Unit::WIDTH)
            }
        })
    }
}

/// The spelling of a unit of wide text, without a branch on whether it is
/// narrow: spaces in other scripts would be mispredicted. `None` where the
/// unit is not spelled by a word, or is a surrogate.
#[inline(always)]
fn wide_word<T: Text, P: Policy, O: Output>(unit: u32) -> Option<u64> {
    let wide = match (Derived::<T, P, O>::HIGH, T::ENCODING) {
        (High::Spelled, Encoding::Ucs2) => spell_u16(unit),
        (High::Transcoded, _) if unit & 0xFFFF_F800 != 0xD800 => utf8(unit),
        _ => return None,
    };
    let narrow = Derived::<T, P, O>::SPELLINGS[(unit & 0xFF) as usize];
    Some(select_unpredictable(unit < 0x100, narrow, wide))
}

/// Spells the character at `place`.
///
/// # Safety
/// `place.read` is inside `text`, and `WORST + SLACK` output units are
/// writable at `place.out`.
#[inline(always)]
unsafe fn put<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    place: Place,
) -> Result<Place, LoneSurrogate> {
    // SAFETY: the caller's.
    let unit: u32 = unsafe { *text.get_unchecked(place.read) }.into();
    let mut read = place.read + 1;
    if let Some(word) = wide_word::<T, P, O>(unit) {
        // SAFETY: the caller's.
        let out = unsafe { put_word::<O::Unit>(place.out, word) };
        return Ok(Place { read, out });
    }
    if T::Unit::WIDTH == 1 || unit < 0x100 {
        let word = Derived::<T, P, O>::SPELLINGS[(unit & 0xFF) as usize];
        let whole = Derived::<T, P, O>::KEEPS && !Derived::<T, P, O>::RANGES;
        if T::ENCODING != Encoding::Utf8 || whole || word != 0 {
            // SAFETY: the caller's.
            let out = unsafe { put_word::<O::Unit>(place.out, word) };
            return Ok(Place { read, out });
        }
    }
    let c = if T::ENCODING == Encoding::Utf8 {
        // SAFETY: only the `Utf8` text has this encoding, and its units are
        // bytes.
        let rest = unsafe {
            core::slice::from_raw_parts(
                text.as_ptr().add(place.read).cast::<u8>(),
                text.len() - place.read,
            )
        };
        let (c, n) = decode(rest);
        read = place.read + n;
        c
    } else {
        unit
    };
    // SAFETY: the caller's.
    match unsafe { put_high::<T, P, O>(place.out, c) } {
        Some(out) => Ok(Place { read, out }),
        None => Err(LoneSurrogate { index: place.read }),
    }
}

/// Spells the characters that begin before unit `upto`.
///
/// # Safety
/// `upto <= text.len()`, and `upto - place.read` times `WORST` plus `SLACK`
/// output units are writable at `place.out`.
#[inline(always)]
pub(crate) unsafe fn spell_units<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    mut place: Place,
    upto: usize,
) -> Result<Place, LoneSurrogate> {
    while place.read < upto {
        // SAFETY: each character takes at most `WORST` of the units that are
        // there for its first text unit.
        place = unsafe { put::<T, P, O>(text, place)? };
    }
    Ok(place)
}

/// [`spell_units`] as a call, for where it is not the way that most units
/// take: one copy for all implementations.
///
/// # Safety
/// As there.
#[inline(never)]
pub(crate) unsafe fn spell_units_aside<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    place: Place,
    upto: usize,
) -> Result<Place, LoneSurrogate> {
    // SAFETY: the caller's.
    unsafe { spell_units::<T, P, O>(text, place, upto) }
}

/// Spells the characters that begin before unit `upto` and asks for exactly
/// the room of each, so that a sink fails only when the output does not fit.
/// `wanted` is what the rest may need, in bytes.
#[cold]
#[inline(never)]
pub(crate) fn spell_exactly<T: Text, P: Policy, O: Output>(
    sink: &mut Sink,
    text: &[T::Unit],
    mut read: usize,
    upto: usize,
    wanted: usize,
) -> Result<usize, LoneSurrogate> {
    const { assert!(Derived::<T, P, O>::WORST + SLACK <= 24) };
    while read < upto {
        let mut spelling = [0; 24 * 4];
        let start = spelling.as_mut_ptr();
        let place = Place { read, out: start };
        // SAFETY: `read < upto <= text.len()` by the loop and the caller; 24
        // units of up to four bytes are there.
        let next = unsafe { put::<T, P, O>(text, place)? };
        read = next.read;
        let length = next.out as usize - start as usize;
        sink.write_toward(&spelling[..length], wanted);
    }
    Ok(read)
}
