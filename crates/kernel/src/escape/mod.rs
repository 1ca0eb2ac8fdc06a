//! The escape loop and its door.
//!
//! Three ways lead through this module, from the most to the least used:
//!
//! 1. Here, inline: a string of up to [`SHORT`] units without a candidate,
//!    tested and stored by overlapping loads, with one check for room that
//!    covers the lead and the trail as well.
//! 2. `run`: everything else, a stretch for which there is room at a time,
//!    block by block over the vectors of the implementation that `dispatch`
//!    chose, candidates through `expand`.
//! 3. `spell::spell_exactly`: where room is tight, character by character,
//!    each with the exact room that it needs.

pub(crate) mod candidates;
pub(crate) mod compress;
pub(crate) mod expand;
pub(crate) mod run;
pub(crate) mod spell;

use candidates::Derived;

use crate::arch::Baseline;
use crate::dispatch;
use crate::output::Output;
use crate::plain::word;
use crate::policy::{Policy, WithoutRanges, Word};
use crate::sink::Sink;
use crate::text::{Ascii, Text, Unit};

/// A lone surrogate that neither the policy spells nor the output can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoneSurrogate {
    /// Its index in the text, in units.
    pub index: usize,
}

/// Strings of up to this many units are tried inline.
pub const SHORT: usize = 32;

/// Writes `lead`, then `text` escaped as `P` says, then `trail`.
///
/// `lead` and `trail` are written unescaped; they carry the quotation marks
/// and whatever separator stands beside them, so that a short string costs
/// one check for room.
///
/// # Errors
/// [`LoneSurrogate`]; the sink then holds an unfinished string. A failed sink
/// is no error here: see [`crate::sink`].
#[inline(always)]
pub fn escape_between<T: Text, P: Policy, O: Output>(
    sink: &mut Sink,
    lead: Word,
    text: &[T::Unit],
    trail: Word,
) -> Result<(), LoneSurrogate> {
    if Derived::<T, P, O>::BY_RUNS {
        return escape_by_runs::<T, P, O>(sink, lead, text, trail);
    }
    // Lead and trail take 8 units each as they are stored, the text no more
    // than the greater of its length and 8.
    let need = (text.len() + 24) * O::Unit::WIDTH;
    if takes_short::<T, O>() && text.len() <= SHORT && sink.room() >= need {
        let start = sink.tail();
        // SAFETY: there is room for all three.
        unsafe {
            let out = spell::put_word::<O::Unit>(start, lead.bits());
            if store_short::<T, P, O>(text, out) {
                let out = out.add(text.len() * O::Unit::WIDTH);
                let out = spell::put_word::<O::Unit>(out, trail.bits());
                sink.advance(out as usize - start as usize);
                return Ok(());
            }
        }
    }
    escape_outlined::<T, P, O>(sink, lead, text, trail)
}

/// Whether [`store_short`] can take text of this kind.
#[inline(always)]
pub(crate) const fn takes_short<T: Text, O: Output>() -> bool {
    T::Unit::WIDTH == 1 || !O::UTF8 && T::Unit::WIDTH <= O::Unit::WIDTH
}

/// Stores up to [`SHORT`] units as they are, and says whether that is how they
/// are spelled; if not, what was stored is void. Text of wider units is tried
/// where the output keeps its units.
///
/// # Safety
/// As many output units as there are in `text`, but no fewer than eight, are
/// writable at `out`.
#[inline(always)]
pub(crate) unsafe fn store_short<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    out: *mut u8,
) -> bool {
    // SAFETY: the caller's; the baseline's features are there.
    unsafe {
        if T::Unit::WIDTH == 1 {
            run::store_short::<Baseline, T, P, O>(text, out)
        } else if takes_short::<T, O>() {
            run::store_short_wide::<Baseline, T, P, O>(text, out)
        } else {
            false
        }
    }
}

/// As [`store_short`], for ASCII characters with memory in front of them: the
/// shortest ones need no branch on their length then. `MASKED`: loads can be
/// masked, so that none does.
///
/// # Safety
/// As for [`store_short`], or with `MASKED` for 32 units; `len` characters are
/// readable at `text`, and eight bytes of anything in front of them. With
/// `MASKED`, the implementation `Avx512` is available.
#[inline(always)]
pub(crate) unsafe fn store_short_behind<P: Policy, O: Output, const MASKED: bool>(
    text: *const u8,
    len: usize,
    out: *mut u8,
) -> bool {
    #[cfg(target_arch = "x86_64")]
    if MASKED {
        // SAFETY: the caller's.
        return unsafe { crate::arch::avx512::start::short::<Ascii, P, O>(text, len, out) };
    }
    // SAFETY: the caller's.
    unsafe {
        if len < 8 {
            let last: *const u64 = text.add(len).sub(8).cast();
            // By 64 bits in all when there are no characters.
            let word = last.read_unaligned().to_le() >> 8 >> (56 - 8 * len);
            run::store_word::<Baseline, Ascii, P, O>(word, len, out)
        } else {
            let text = core::slice::from_raw_parts(text, len);
            store_short::<Ascii, P, O>(text, out)
        }
    }
}

/// As [`escape_between`], for text that the inline way did not take.
#[inline(never)]
fn escape_outlined<T: Text, P: Policy, O: Output>(
    sink: &mut Sink,
    lead: Word,
    text: &[T::Unit],
    trail: Word,
) -> Result<(), LoneSurrogate> {
    word::<O>(sink, lead);
    // SAFETY: the current implementation is available.
    unsafe { run::escape::<T, P, O>(dispatch::current(), sink, text)? };
    word::<O>(sink, trail);
    Ok(())
}

/// As [`escape_between`], for text of other encodings than UTF-8 under a policy
/// with ranges: their characters one by one, what is between them in bulk.
#[inline(never)]
fn escape_by_runs<T: Text, P: Policy, O: Output>(
    sink: &mut Sink,
    lead: Word,
    text: &[T::Unit],
    trail: Word,
) -> Result<(), LoneSurrogate> {
    let by = dispatch::current();
    let special = |unit: &T::Unit| {
        let c: u32 = (*unit).into();
        c >= 0x80 && Derived::<T, P, O>::in_ranges(c)
    };
    word::<O>(sink, lead);
    let mut read = 0;
    while read < text.len() {
        let rest = &text[read..];
        let run = rest.iter().position(special).unwrap_or(rest.len());
        // SAFETY: the current implementation is available.
        let written = unsafe { run::escape::<T, WithoutRanges<P>, O>(by, sink, &rest[..run]) };
        written.map_err(|LoneSurrogate { index }| LoneSurrogate {
            index: read + index,
        })?;
        if let Some(&unit) = rest.get(run) {
            word::<O>(sink, Word::spelled_u16(unit.into()));
        }
        read += run + 1;
    }
    word::<O>(sink, trail);
    Ok(())
}
