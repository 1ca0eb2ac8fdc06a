//! Stores: lanes with gaps between them closed up, and lanes widened.

#[allow(clippy::wildcard_imports, reason = "two dozen intrinsics")]
use core::arch::x86_64::*;

use super::{OR_AND, load_units};
use crate::text::Unit;

/// Stores 64 bytes as units.
///
/// # Safety
/// 64 units are writable at `out`, and the machine has AVX-512.
#[inline(always)]
pub(super) unsafe fn widened<U: Unit>(bytes: __m512i, out: *mut u8) {
    // SAFETY: the caller's.
    unsafe {
        match U::WIDTH {
            1 => _mm512_storeu_si512(out.cast(), bytes),
            2 => {
                let (low, high) = halves(bytes);
                _mm512_storeu_si512(out.cast(), _mm512_cvtepu8_epi16(low));
                _mm512_storeu_si512(out.add(64).cast(), _mm512_cvtepu8_epi16(high));
            }
            _ => {
                let quarters = [
                    _mm512_castsi512_si128(bytes),
                    _mm512_extracti32x4_epi32::<1>(bytes),
                    _mm512_extracti32x4_epi32::<2>(bytes),
                    _mm512_extracti32x4_epi32::<3>(bytes),
                ];
                for (k, quarter) in quarters.into_iter().enumerate() {
                    let lanes = _mm512_cvtepu8_epi32(quarter);
                    _mm512_storeu_si512(out.add(64 * k).cast(), lanes);
                }
            }
        }
    }
}

/// Stores 32 bytes as units.
///
/// # Safety
/// 32 units are writable at `out`, and the machine has AVX-512.
#[inline(always)]
pub(crate) unsafe fn widened_half<U: Unit>(bytes: __m256i, out: *mut u8) {
    // SAFETY: the caller's.
    unsafe {
        match U::WIDTH {
            1 => _mm256_storeu_si256(out.cast(), bytes),
            2 => _mm512_storeu_si512(out.cast(), _mm512_cvtepu8_epi16(bytes)),
            _ => {
                let low = _mm512_cvtepu8_epi32(_mm256_castsi256_si128(bytes));
                let high = _mm512_cvtepu8_epi32(_mm256_extracti128_si256::<1>(bytes));
                _mm512_storeu_si512(out.cast(), low);
                _mm512_storeu_si512(out.add(64).cast(), high);
            }
        }
    }
}

/// # Safety
/// The machine has AVX-512.
#[inline(always)]
pub(super) unsafe fn halves(lanes: __m512i) -> (__m256i, __m256i) {
    // SAFETY: the caller's.
    unsafe {
        (
            _mm512_castsi512_si256(lanes),
            _mm512_extracti64x4_epi64::<1>(lanes),
        )
    }
}

/// Stores, as units, the bytes that are not below `least`, and gives their
/// number.
///
/// # Safety
/// As for [`widened`].
#[inline(always)]
pub(super) unsafe fn closed<U: Unit>(bytes: __m512i, least: __m512i, out: *mut u8) -> usize {
    // SAFETY: the caller's. The bytes are compressed in the register: to
    // memory it is slow on some machines.
    unsafe {
        let kept = _mm512_cmpge_epu8_mask(bytes, least);
        widened::<U>(_mm512_maskz_compress_epi8(kept, bytes), out);
        kept.count_ones() as usize
    }
}

/// Stores words as units: their low bytes, and their high bytes unless zero.
///
/// # Safety
/// As for [`widened`].
#[inline(always)]
pub(super) unsafe fn closed_words<U: Unit>(words: __m512i, out: *mut u8) -> usize {
    // SAFETY: the caller's.
    unsafe { closed::<U>(words, _mm512_set1_epi16(0x0100), out) }
}

/// Stores 64 lanes as one or two units each: a lane with a byte in `seconds`
/// as a backslash and that; with `latin1`, one from 0x80 as UTF-8; any other as
/// it is. Gives the number of units. Only the first `lanes` lanes need be
/// stored; the others count as one unit each.
///
/// # Safety
/// 128 units are writable at `out`, and the machine has AVX-512.
#[inline(always)]
pub(super) unsafe fn pairs<U: Unit>(
    bytes: __m512i,
    seconds: __m512i,
    latin1: bool,
    lanes: usize,
    out: *mut u8,
) -> usize {
    // SAFETY: the caller's.
    unsafe {
        let paired = _mm512_test_epi8_mask(seconds, seconds);
        let mut first = _mm512_mask_blend_epi8(paired, bytes, _mm512_set1_epi8(b'\\' as i8));
        let mut second = seconds;
        if latin1 {
            let high = _mm512_movepi8_mask(bytes);
            // 0b110000xx, of which xx are the lane's top bits.
            let top = _mm512_srli_epi16::<6>(bytes);
            let (two, marks) = (_mm512_set1_epi8(3), _mm512_set1_epi8(0xC0_u8 as i8));
            let lead = _mm512_ternarylogic_epi32::<OR_AND>(marks, top, two);
            first = _mm512_mask_mov_epi8(first, high, lead);
            let next = _mm512_and_si512(bytes, _mm512_set1_epi8(0xBF_u8 as i8));
            second = _mm512_mask_mov_epi8(second, high, next);
        }
        // So ordered, the low and high halves of each quarter interleave to
        // the lower and upper lanes.
        let order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
        first = _mm512_permutexvar_epi64(order, first);
        second = _mm512_permutexvar_epi64(order, second);
        let lower = closed_words::<U>(_mm512_unpacklo_epi8(first, second), out);
        if lanes <= 32 {
            return lower + 32;
        }
        let out = out.add(lower * U::WIDTH);
        lower + closed_words::<U>(_mm512_unpackhi_epi8(first, second), out)
    }
}

/// Copies units, widening (or, ASCII only, narrowing) each.
///
/// # Safety
/// As for [`crate::vector::Vector::copy_units`].
#[inline(always)]
pub(super) unsafe fn copy_units<U: Unit, V: Unit>(from: *const U, units: usize, to: *mut u8) {
    let widest = if U::WIDTH > V::WIDTH {
        U::WIDTH
    } else {
        V::WIDTH
    };
    let chunk = 64 / widest;
    let mut done = 0;
    while done < units {
        // SAFETY: the caller's: a chunk's units are there to read or masked,
        // and the last chunk ends where 64 units do.
        unsafe {
            let out = to.add(done * V::WIDTH);
            let lanes = load_units(from.add(done), (units - done).min(chunk));
            match (U::WIDTH, V::WIDTH) {
                (1, 2) => {
                    let lanes = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(lanes));
                    _mm512_storeu_si512(out.cast(), lanes);
                }
                (1, 4) => {
                    let lanes = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(lanes));
                    _mm512_storeu_si512(out.cast(), lanes);
                }
                (2, 4) => {
                    let lanes = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(lanes));
                    _mm512_storeu_si512(out.cast(), lanes);
                }
                (4, 2) => _mm256_storeu_si256(out.cast(), _mm512_cvtepi32_epi16(lanes)),
                (2, 1) => _mm256_storeu_si256(out.cast(), _mm512_cvtepi16_epi8(lanes)),
                (4, 1) => _mm_storeu_si128(out.cast(), _mm512_cvtepi32_epi8(lanes)),
                _ => _mm512_storeu_si512(out.cast(), lanes),
            }
        }
        done += chunk;
    }
}
