//! Wide text from its start on, as long as nothing in it is escaped and the
//! output keeps its units, or widens them.

#[allow(clippy::wildcard_imports, reason = "a dozen intrinsics")]
use core::arch::x86_64::*;

use super::Avx2;
use crate::escape::candidates::{Candidates, Derived};
use crate::escape::spell::Place;
use crate::output::Output;
use crate::policy::Policy;
use crate::text::{Text, Unit};
use crate::vector::{Hits, convert};

/// Units that are copied at once.
const STEP: usize = 16;

/// Copies clean text of units of two or four bytes; of a short one all or
/// nothing.
///
/// # Safety
/// As many output units as `text` has are writable at `out`, and the machine
/// has AVX2.
#[inline(always)]
pub(super) unsafe fn copy<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    out: *mut u8,
) -> Result<*mut u8, Place> {
    let n = text.len();
    // SAFETY: each part lies inside the `n` units.
    unsafe {
        let mut read = 0;
        while n - read >= 4 * STEP {
            let low = part::<STEP, T, P, O>(text, read, out).or(part::<STEP, T, P, O>(
                text,
                read + STEP,
                out,
            ));
            let high = part::<STEP, T, P, O>(text, read + 2 * STEP, out).or(part::<STEP, T, P, O>(
                text,
                read + 3 * STEP,
                out,
            ));
            if low.or(high).any() {
                return Err(place::<O>(read, out));
            }
            read += 4 * STEP;
        }
        // A branch at the end: what is stored next must not wait for the test.
        if n < STEP {
            if few::<T, P, O>(text, out).any() {
                return Err(place::<O>(0, out));
            }
        } else {
            // The last step overlaps the one before.
            let mut hits = part::<STEP, T, P, O>(text, n - STEP, out);
            let mut at = read;
            while n - at > STEP {
                hits = hits.or(part::<STEP, T, P, O>(text, at, out));
                at += STEP;
            }
            if hits.any() {
                return Err(place::<O>(read, out));
            }
        }
        Ok(place::<O>(n, out).out)
    }
}

/// Behind so many units.
#[inline(always)]
fn place<O: Output>(read: usize, out: *mut u8) -> Place {
    let out = out.wrapping_add(read * O::Unit::WIDTH);
    Place { read, out }
}

/// Copies fewer than [`STEP`] units, by two parts that overlap.
///
/// # Safety
/// As for [`copy`].
#[inline(always)]
unsafe fn few<T: Text, P: Policy, O: Output>(text: &[T::Unit], out: *mut u8) -> Avx2 {
    // SAFETY: the caller's.
    unsafe {
        match text.len() {
            0 => Avx2(_mm256_setzero_si256()),
            1 => part::<1, T, P, O>(text, 0, out),
            n @ 2..4 => both::<2, T, P, O>(text, n, out),
            n @ 4..8 => both::<4, T, P, O>(text, n, out),
            n => both::<8, T, P, O>(text, n, out),
        }
    }
}

/// # Safety
/// As for [`copy`]; the text has `n` units, from `N` to twice as many.
#[inline(always)]
unsafe fn both<const N: usize, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    n: usize,
    out: *mut u8,
) -> Avx2 {
    // SAFETY: the caller's.
    unsafe { part::<N, T, P, O>(text, 0, out).or(part::<N, T, P, O>(text, n - N, out)) }
}

/// Copies `N` units from `read` on and gives the candidates among them.
///
/// # Safety
/// As for [`copy`]; the text has as many.
#[inline(always)]
unsafe fn part<const N: usize, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    read: usize,
    out: *mut u8,
) -> Avx2 {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    // SAFETY: the caller's.
    unsafe {
        let from = text.as_ptr().add(read);
        convert::<N, T::Unit, O::Unit>(from, out.add(read * O::Unit::WIDTH));
        let at: *const u8 = from.cast();
        // In all lanes, again and again if there are not enough units.
        let lanes = match N * T::Unit::WIDTH {
            2 => _mm256_set1_epi16(at.cast::<i16>().read_unaligned()),
            4 => _mm256_set1_epi32(at.cast::<i32>().read_unaligned()),
            8 => _mm256_set1_epi64x(at.cast::<i64>().read_unaligned()),
            16 => _mm256_broadcastsi128_si256(_mm_loadu_si128(at.cast())),
            _ => _mm256_loadu_si256(at.cast()),
        };
        let mut found = hits::<T::Unit>(lanes, candidates);
        if N * T::Unit::WIDTH > 32 {
            let more = _mm256_loadu_si256(at.add(32).cast());
            found = _mm256_or_si256(found, hits::<T::Unit>(more, candidates));
        }
        Avx2(found)
    }
}

/// The units of two or four bytes that are candidates in ASCII.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn hits<U: Unit>(lanes: __m256i, candidates: &Candidates) -> __m256i {
    // SAFETY: the caller's.
    unsafe {
        let mut hits = _mm256_setzero_si256();
        if candidates.below > 0 {
            let last = i32::from(candidates.below) - 1;
            hits = if U::WIDTH == 2 {
                let last = _mm256_set1_epi16(last as i16);
                _mm256_cmpeq_epi16(_mm256_min_epu16(lanes, last), lanes)
            } else {
                let last = _mm256_set1_epi32(last);
                _mm256_cmpeq_epi32(_mm256_min_epu32(lanes, last), lanes)
            };
        }
        for &single in &candidates.single[..candidates.singles] {
            let equal = if U::WIDTH == 2 {
                _mm256_cmpeq_epi16(lanes, _mm256_set1_epi16(i16::from(single)))
            } else {
                _mm256_cmpeq_epi32(lanes, _mm256_set1_epi32(i32::from(single)))
            };
            hits = _mm256_or_si256(hits, equal);
        }
        hits
    }
}
