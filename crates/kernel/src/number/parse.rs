//! Decimal text to the nearest `f64`.
//!
//! A scanner reads the text once and hands over what it saw as a [`Decimal`];
//! [`Decimal::to_f64`] rounds it correctly or says that the 19 digits that a
//! `u64` holds cannot decide, and then [`exact_f64`] reads the whole text.
//!
//! ```
//! use linecaster_kernel::number::{Decimal, exact_f64};
//!
//! // "-12.5e3" as a scanner saw it.
//! let decimal = Decimal { mantissa: 125, exponent: 2, negative: true, truncated: false };
//! let value = decimal.to_f64().unwrap_or_else(|| exact_f64("-12.5e3"));
//! assert_eq!(value, -12500.0);
//! ```
//!
//! Three ways, in this order: both parts exact in an `f64`, so that one
//! multiplication or division rounds once (Clinger 1990); a 64 by 128 bit
//! product with the power of ten from the shared table (Eisel and Lemire; that
//! it needs no fallback for any 64-bit mantissa is proven in Mushtak and
//! Lemire, "Fast Number Parsing Without Fallback", 2022); the exact reader of
//! the standard library for what has more than 19 digits and lies too near a
//! halfway point.

use super::pow10;

/// Powers of ten that an `f64` holds exactly, and the same with a minus sign.
static EXACT_POWERS: [[f64; 23]; 2] = {
    let powers = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ];
    let mut negative = powers;
    let mut at = 0;
    while at < negative.len() {
        negative[at] = -powers[at];
        at += 1;
    }
    [powers, negative]
};

/// Integers below this are exact in an `f64`. So are those up to 2^53, but
/// then numbers of 16 digits would go either way, at the price of a
/// mispredicted branch: coordinates have 15 to 17.
const EXACT_MANTISSA: u64 = 1_000_000_000_000_000;

/// Bits of an `f64`'s fraction.
const FRACTION_BITS: i32 = 52;

/// What to add to a binary exponent to make it the stored one.
const EXPONENT_BIAS: i32 = 1023;

/// The bits of infinity.
const INFINITE: u64 = 0x7ff << FRACTION_BITS;

/// A decimal number as scanned: `±mantissa × 10^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The first 19 significant digits (leading zeros do not count), or all
    /// of them if they are fewer.
    pub mantissa: u64,
    /// The power of ten of the mantissa's last digit. Any value is allowed:
    /// a scanner may saturate.
    pub exponent: i64,
    /// There was a minus sign.
    pub negative: bool,
    /// Further significant digits followed that are not in the mantissa (the
    /// exponent accounts for them): the value lies in
    /// `mantissa × 10^exponent ..= (mantissa + 1) × 10^exponent`. Dropped
    /// digits that are all zero need not set this.
    pub truncated: bool,
}

impl Decimal {
    /// The nearest `f64`, ties to even; `None` if the digits that were
    /// dropped may decide (then ask [`exact_f64`]).
    ///
    /// A value that is too large gives an infinity with its sign (the only
    /// way to get one), one that is too small a zero with its sign.
    #[inline(always)]
    #[must_use]
    pub fn to_f64(self) -> Option<f64> {
        if self.mantissa < EXACT_MANTISSA && self.exponent.unsigned_abs() <= 22 && !self.truncated {
            let value = self.mantissa as i64 as f64;
            // The sign comes with the power, at no cost.
            let powers = &EXACT_POWERS[usize::from(self.negative)];
            let power = powers[self.exponent.unsigned_abs() as usize];
            return Some(if self.exponent < 0 {
                value / power
            } else {
                value * power
            });
        }
        let bits = nearest(self.mantissa, self.exponent);
        if self.truncated && bits != self.nearest_above() {
            return None;
        }
        Some(f64::from_bits(bits | u64::from(self.negative) << 63))
    }

    /// The bits of the `f64` nearest to the least number that is certainly
    /// not below the value of a truncated decimal.
    #[cold]
    #[inline(never)]
    fn nearest_above(self) -> u64 {
        // 19 digits and one more do not overflow; a scanner that stops at 20
        // would only be sent to the exact reader.
        nearest(self.mantissa.wrapping_add(1), self.exponent)
    }
}

/// The nearest `f64` to a decimal number in ASCII text, however long, by the
/// standard library's exact reader.
///
/// # Panics
///
/// If `text` is not a number as JSON or Rust writes one. Call it only with
/// text that a scanner has accepted.
#[cold]
#[must_use]
pub fn exact_f64(text: &str) -> f64 {
    text.parse()
        .expect("a scanner accepted this text as a decimal number")
}

/// The bits of the `f64` nearest to `mantissa × 10^exponent`.
#[inline(always)]
fn nearest(mantissa: u64, exponent: i64) -> u64 {
    if mantissa == 0 {
        return 0;
    }
    if !(i64::from(pow10::MIN)..=308).contains(&exponent) {
        return if exponent < 0 { 0 } else { INFINITE };
    }
    let q = exponent as i32;
    let zeros = mantissa.leading_zeros();
    let (high, low) = scaled(mantissa << zeros, q);

    // The product has its highest bit at 127 or 126; keep 54 bits, one more
    // than the result has.
    let upper = (high >> 63) as i32;
    let drop = upper + 64 - FRACTION_BITS - 3;
    let mut bits = high >> drop;
    let stored = pow10::log2_pow10(q) + 63 + upper - zeros as i32 + EXPONENT_BIAS;

    if stored <= 0 {
        // Subnormal: shift into place, then round. No tie can occur here, as
        // a halfway point between subnormals has far more than 19 digits.
        if stored <= -63 {
            return 0;
        }
        bits >>= 1 - stored;
        bits += bits & 1;
        // A carry into bit 52 is the smallest normal number, as it should be.
        return bits >> 1;
    }

    // An exact tie goes to even. It needs a power of five that divides the
    // mantissa or fits beside it, hence the narrow range.
    if low <= 1 && (-4..=23).contains(&q) && bits & 3 == 1 && bits << drop == high {
        bits &= !1;
    }
    bits += bits & 1;
    // The highest bit of the fraction adds the one that the exponent lacks; a
    // carry above it adds one more, as it should.
    let value = ((stored as u64 - 1) << FRACTION_BITS) + (bits >> 1);
    value.min(INFINITE)
}

/// The 128 highest bits of `normalised × 10^q`'s significand, to the precision
/// that rounding needs.
#[inline(always)]
fn scaled(normalised: u64, q: i32) -> (u64, u64) {
    // SAFETY: `nearest` has checked both ends of the range.
    let power = unsafe { pow10::significand(q) };
    let product = normalised as u128 * power.hi as u128;
    let (mut high, mut low) = ((product >> 64) as u64, product as u64);
    // The 55 bits kept are certain unless all those below are ones.
    if high & 0x1ff == 0x1ff {
        // Reciprocals are rounded up here, see `pow10`.
        let power_low = power.lo + (q < 0) as u64;
        let second = ((normalised as u128 * power_low as u128) >> 64) as u64;
        let (sum, carry) = low.overflowing_add(second);
        low = sum;
        high += carry as u64;
    }
    (high, low)
}
