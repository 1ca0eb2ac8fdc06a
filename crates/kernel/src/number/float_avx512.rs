//! Floats to text by AVX-512, with the multiplications of 52 bits (IFMA) that
//! came with Ice Lake.
//!
//! Eight digits are eight lanes: with the number as a fraction of `10^j` in
//! each, ten times that has a digit before the point. The digits, the decimal
//! point and zeros all lie somewhere in two vectors then, and one permutation,
//! read from a table by the power of ten, brings them into place: no branch
//! depends on where the point is.

#[allow(clippy::wildcard_imports, reason = "a dozen intrinsics")]
use core::arch::x86_64::*;

use super::float_style::{FloatSpelling, Parts, write_power};
use crate::arch::avx512::store::widened_half;
use crate::text::Unit;

/// What the lanes are multiplied by, and what is added to undo the rounding.
struct Fractions {
    factor: [u64; 8],
    rounding: [u64; 8],
}

/// For numbers below `10^8`: `2^52 / 10^j` for j from 8 to 1, rounded down. So
/// a fraction is too small by less than 28,000,000 in units of 2^-52 for j = 8
/// and by less than 10^8 for the others; it may be too large by less than
/// `2^52 / 10^j`, which is 45,000,000 for j = 8 and 450,000,000 for j = 7.
static FRACTIONS: Fractions = {
    let mut fractions = Fractions {
        factor: [0; 8],
        rounding: [100_000_000; 8],
    };
    fractions.rounding[0] = 36_000_000;
    let (mut lane, mut power) = (8, 10);
    while lane > 0 {
        lane -= 1;
        fractions.factor[lane] = (1 << 52) / power;
        power *= 10;
    }
    fractions
};

/// What the first eight digits are added to: in the second byte a decimal
/// point, in the third a zero.
const FIRST: i64 = i64::from_le_bytes(*b"0.0\0\0\0\0\0");
const POINT: u8 = 1;
const ZERO: u8 = 2;

/// Where digit `k` of seventeen is; the last is in the second byte of the
/// second vector's lanes.
const fn digit(k: usize) -> u8 {
    match k {
        0..16 => 8 * k as u8,
        16 => 64 + 1,
        _ => ZERO,
    }
}

/// The powers of ten of the first digit for which there is a layout.
const LEAST: i32 = -6;
const MOST: i32 = 20;

/// The characters of a number without an exponent, by the power of ten of its
/// first digit: where they are found.
static LAYOUTS: [[u8; 32]; (MOST - LEAST + 1) as usize] = {
    let mut layouts = [[ZERO; 32]; (MOST - LEAST + 1) as usize];
    let mut row = 0;
    while row < layouts.len() {
        let power = row as i32 + LEAST;
        // "0." and zeros, or as many digits as there are before the point.
        let (point, first) = if power < 0 {
            (1, 1 + power.unsigned_abs() as usize)
        } else {
            (power as usize + 1, 0)
        };
        let (mut at, mut next) = (first, 0);
        while at < 32 {
            if at != point {
                layouts[row][at] = digit(next);
                next += 1;
            }
            at += 1;
        }
        layouts[row][point] = POINT;
        row += 1;
    }
    layouts
};

/// Writes a number that is not zero and returns its length.
///
/// # Safety
///
/// `FLOAT_LEN - 1` units at `dst` may be written, and the machine has AVX-512
/// and IFMA.
#[inline(always)]
pub(super) unsafe fn write<S: FloatSpelling, U: Unit>(dst: *mut U, parts: Parts) -> usize {
    let Parts {
        leading,
        last,
        exponent,
    } = parts;
    let high = leading / 100_000_000;
    let low = leading - high * 100_000_000;
    // SAFETY: the caller's; the layout's row is looked at first. All
    // stores are of 32 units, and then those of an exponent.
    unsafe {
        let zeros = [
            _mm512_set1_epi64(FIRST),
            _mm512_set1_epi64(i64::from(b'0') | i64::from(last + u32::from(b'0')) << 8),
        ];
        let first = digits(high, zeros[0]);
        let second = digits(low, zeros[1]);
        let nonzero = u32::from(_mm512_cmpneq_epi64_mask(first, zeros[0]))
            | u32::from(_mm512_cmpneq_epi64_mask(second, zeros[1])) << 8
            | u32::from(last != 0) << 16;
        let count = (u32::BITS - nonzero.leading_zeros()) as usize;

        let plain = exponent >= S::STYLE.fixed_min && exponent < S::STYLE.fixed_end;
        let power = if plain { exponent } else { 0 };
        let layout = LAYOUTS.get_unchecked((power - LEAST) as usize);
        let layout = _mm256_loadu_si256(layout.as_ptr().cast());
        let layout = _mm512_castsi256_si512(layout);
        let text = _mm512_permutex2var_epi8(first, layout, second);
        widened_half::<U>(_mm512_castsi512_si256(text), dst.cast());
        if plain {
            let point_zero = if S::STYLE.fixed_point_zero { 2 } else { 0 };
            let whole = exponent + 1;
            return if count as i32 > whole {
                count + 1 + (-exponent).max(0) as usize
            } else {
                whole as usize + point_zero
            };
        }
        let len = match count {
            1 if S::STYLE.exponent_point_zero => 3,
            1 => 1,
            _ => count + 1,
        };
        len + write_power::<S>(dst.add(len), exponent)
    }
}

/// The digits of a number below `10^8`, one to a lane, added to `zeros`.
///
/// # Safety
///
/// The machine has AVX-512 and IFMA.
#[inline(always)]
unsafe fn digits(eight: u64, zeros: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        let factor = _mm512_loadu_si512(FRACTIONS.factor.as_ptr().cast());
        let rounding = _mm512_loadu_si512(FRACTIONS.rounding.as_ptr().cast());
        let eight = _mm512_set1_epi64(eight as i64);
        let fraction = _mm512_madd52lo_epu64(rounding, eight, factor);
        _mm512_madd52hi_epu64(zeros, fraction, _mm512_set1_epi64(10))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::{self, Implementation};
    use crate::number::float_style::{EcmaScript, Orjson, OrjsonSingle, Python, Ujson};
    use crate::number::{FLOAT_LEN, write_f64, write_f64_avx512};
    use std::eprintln;
    use std::vec::Vec;

    fn same<S: FloatSpelling, U: Unit + std::fmt::Debug>(v: f64) {
        let (mut one, mut other) = ([U::truncate(0); FLOAT_LEN], [U::truncate(0); FLOAT_LEN]);
        // SAFETY: the arrays have the room, and the machine has been asked.
        let (n, m) = unsafe {
            (
                write_f64_avx512::<S>(one.as_mut_ptr(), v),
                write_f64::<S>(other.as_mut_ptr(), v),
            )
        };
        assert_eq!(one[..n], other[..m], "{v:e}");
    }

    #[test]
    fn as_without_it() {
        if !dispatch::available().any(|one| one == Implementation::Avx512) {
            eprintln!("SKIPPED: this machine lacks avx512");
            return;
        }
        let mut bits = 7_u64;
        let mut values = Vec::new();
        for exponent in 0..0x7FF_u64 {
            for _ in 0..20 {
                bits = bits.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
                values.push(f64::from_bits(exponent << 52 | bits >> 12));
            }
            values.push(f64::from_bits(exponent << 52));
            values.push(f64::from_bits(exponent << 52 | 1));
        }
        for power in -8..=22 {
            for digits in (1..200).chain([1234, 99_999, 1_000_001, 123_456_789]) {
                values.push(f64::from(digits) * 10_f64.powi(power));
                values.push(f64::from(digits) / 10_f64.powi(power));
            }
        }
        values.push(0.0);
        for v in values.iter().flat_map(|&v| [v, -v]) {
            same::<Python, u8>(v);
            same::<EcmaScript, u8>(v);
            same::<Ujson, u16>(v);
            same::<Orjson, u32>(v);
            same::<OrjsonSingle, u8>(v);
        }
    }

    #[test]
    fn fractions_are_near_enough() {
        for (lane, (&factor, &rounding)) in
            FRACTIONS.factor.iter().zip(&FRACTIONS.rounding).enumerate()
        {
            let power = 10_u128.pow(8 - lane as u32);
            // In units of 2^-52 / 10^j.
            let missing = (1_u128 << 52) - u128::from(factor) * power;
            let worst = missing * 99_999_999;
            assert!(worst <= u128::from(rounding) * power, "{lane}");
            assert!(u128::from(rounding) * power < 1 << 52, "{lane}");
        }
    }
}
