//! Eight and sixteen decimal digits at once in ordinary registers.
//!
//! A number below 10^8 becomes eight bytes, one digit each, in three
//! multiply-and-shift steps that split every lane in two: 8 digits, 4+4,
//! 2+2+2+2, 1 each. The first (most significant) digit is the lowest byte,
//! so that a little-endian store writes the text in order.

use crate::escape::spell::put_bytes;
use crate::text::Unit;

/// `b'0'` in every byte.
pub(crate) const ASCII_ZEROS: u64 = 0x3030_3030_3030_3030;

/// The digits of `x < 10^8`, zero-padded to eight, one byte each (0 to 9),
/// the first digit in the lowest byte.
#[inline(always)]
pub(crate) const fn spread8(x: u32) -> u64 {
    debug_assert!(x < 100_000_000);
    let x = x as u64;
    // x / 10^4 in the lower 32 bits, x mod 10^4 in the upper.
    let high = (x * 109_951_163) >> 40;
    let lanes = high + ((x - high * 10_000) << 32);
    spread_pair4(lanes)
}

/// Two numbers below 10^4 in 32-bit lanes to eight digits.
#[inline(always)]
const fn spread_pair4(lanes: u64) -> u64 {
    // Each lane to its hundreds (in place) and the rest, 16 bits up.
    let hundreds = ((lanes * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let lanes = (lanes << 16) - hundreds * ((100 << 16) - 1);
    // The same for tens and ones.
    let tens = ((lanes * 103) >> 10) & 0x000f_000f_000f_000f;
    (lanes << 8) - tens * ((10 << 8) - 1)
}

/// Sixteen characters and which of them matter.
#[derive(Clone, Copy)]
pub(crate) struct Sixteen {
    /// The text, zero-padded in front; the first character in the lowest byte.
    pub(crate) text: u128,
    /// The number of the highest bit set is the index of the last digit that
    /// is not zero; no bit if there is none. The bits below are unspecified.
    pub(crate) nonzero: u32,
}

/// The text of `x < 10^16`.
#[inline(always)]
pub(crate) fn spell16(x: u64) -> Sixteen {
    debug_assert!(x < 10_000_000_000_000_000);
    let high = x / 100_000_000;
    let low = x - high * 100_000_000;
    #[cfg(target_arch = "x86_64")]
    {
        spell_pair8_sse2(high, low)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        spell_pair8(high, low)
    }
}

/// The text of two numbers below 10^8.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn spell_pair8(high: u64, low: u64) -> Sixteen {
    let digits = u128::from(spread8(high as u32)) | u128::from(spread8(low as u32)) << 64;
    Sixteen {
        text: digits | u128::from(ASCII_ZEROS) << 64 | u128::from(ASCII_ZEROS),
        nonzero: ((1_u32 << 16) >> (digits.leading_zeros() / 8)) >> 1,
    }
}

/// The text of two numbers below 10^8, by the steps of [`spread8`] on both at
/// once. SSE2 is part of every x86-64.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn spell_pair8_sse2(high: u64, low: u64) -> Sixteen {
    use core::arch::x86_64::{
        __m128i, _mm_cmpgt_epi8, _mm_movemask_epi8, _mm_mul_epu32, _mm_mulhi_epu16,
        _mm_mullo_epi16, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_set1_epi16,
        _mm_set1_epi64x, _mm_setzero_si128, _mm_slli_epi16, _mm_slli_epi32, _mm_slli_epi64,
        _mm_srli_epi16, _mm_srli_epi64, _mm_sub_epi16, _mm_sub_epi64,
    };
    // SAFETY: the target has SSE2. A `__m128i` is 16 bytes of any content.
    unsafe {
        let eights = _mm_set_epi64x(low as i64, high as i64);
        let upper = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi64x(109_951_163)), 40);
        let lower = _mm_sub_epi64(eights, _mm_mul_epu32(upper, _mm_set1_epi64x(10_000)));
        let fours = _mm_or_si128(upper, _mm_slli_epi64(lower, 32));
        // Products of 16 bits from here on: 5243 / 2^19 is 1/100, 6554 / 2^16
        // is 1/10, each near enough for numbers of this size.
        let upper = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3);
        let lower = _mm_sub_epi16(fours, _mm_mullo_epi16(upper, _mm_set1_epi16(100)));
        let twos = _mm_or_si128(upper, _mm_slli_epi32(lower, 16));
        let upper = _mm_mulhi_epu16(twos, _mm_set1_epi16(6554));
        let lower = _mm_sub_epi16(twos, _mm_mullo_epi16(upper, _mm_set1_epi16(10)));
        let ones = _mm_or_si128(upper, _mm_slli_epi16(lower, 8));
        let nonzero = _mm_cmpgt_epi8(ones, _mm_setzero_si128());
        let text = _mm_or_si128(ones, _mm_set1_epi8(b'0' as i8));
        Sixteen {
            text: core::mem::transmute::<__m128i, u128>(text),
            nonzero: _mm_movemask_epi8(nonzero) as u32,
        }
    }
}

/// Stores a character.
///
/// # Safety
///
/// One unit at `dst` may be written.
#[inline(always)]
pub(crate) unsafe fn store1<U: Unit>(dst: *mut U, byte: u8) {
    // SAFETY: the caller's promise; the pointer needs no alignment.
    unsafe { dst.write_unaligned(U::truncate(u32::from(byte))) }
}

/// Stores four characters, the lowest byte first.
///
/// # Safety
///
/// Four units at `dst` may be written.
#[inline(always)]
pub(crate) unsafe fn store4<U: Unit>(dst: *mut U, bytes: u32) {
    // SAFETY: the caller's promise; the pointer needs no alignment.
    unsafe {
        if U::WIDTH == 1 {
            return dst.cast::<u32>().write_unaligned(bytes.to_le());
        }
        let units = bytes.to_le_bytes().map(|byte| U::truncate(u32::from(byte)));
        dst.cast::<[U; 4]>().write_unaligned(units);
    }
}

/// Stores eight characters, the lowest byte first.
///
/// # Safety
///
/// Eight units at `dst` may be written.
#[inline(always)]
pub(crate) unsafe fn store8<U: Unit>(dst: *mut U, bytes: u64) {
    // SAFETY: the caller's promise.
    unsafe { put_bytes::<U>(dst.cast(), bytes) }
}

/// Stores sixteen characters, the lowest byte first.
///
/// # Safety
///
/// Sixteen units at `dst` may be written.
#[inline(always)]
pub(crate) unsafe fn store16<U: Unit>(dst: *mut U, bytes: u128) {
    // SAFETY: the caller's promise; the pointer needs no alignment.
    unsafe {
        if U::WIDTH == 1 {
            return dst.cast::<u128>().write_unaligned(bytes.to_le());
        }
        let units = bytes.to_le_bytes().map(|byte| U::truncate(u32::from(byte)));
        dst.cast::<[U; 16]>().write_unaligned(units);
    }
}

/// The two characters of each number below 100, side by side.
pub(crate) static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    fn check(x: u64, spelt: Sixteen) {
        let text = format!("{x:016}");
        assert_eq!(spelt.text.to_le_bytes(), text.as_bytes(), "{x}");
        let last = text.rfind(|digit| digit != '0').map(|at| at as u32);
        assert_eq!(spelt.nonzero.checked_ilog2(), last, "{x}");
    }

    #[test]
    fn both_ways_to_sixteen_digits() {
        let every_four_digits = (0..10_000).map(|four| four * 1_000_100_010_001);
        let every_power = (0..16).flat_map(|power| {
            let ten = 10_u64.pow(power);
            [ten - 1, ten, ten + 1, ten * 9, 10_u64.pow(16) - ten]
        });
        let mixed = (0..100_000).map(|n| n * 99_999_999_977 % 10_u64.pow(16));
        for x in every_four_digits.chain(every_power).chain(mixed) {
            let (high, low) = (x / 100_000_000, x % 100_000_000);
            check(x, spell16(x));
            check(x, spell_pair8(high, low));
        }
    }

    #[test]
    fn every_eight_digits_in_steps() {
        for x in (0..100_000_000).step_by(97).chain(99_990_000..100_000_000) {
            let text = (spread8(x) | ASCII_ZEROS).to_le_bytes();
            assert_eq!(text, format!("{x:08}").as_bytes());
        }
    }
}
