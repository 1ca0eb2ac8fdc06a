//! The shortest digits that read back as the same float.
//!
//! Of all decimals in a float's rounding interval these are the ones with the
//! fewest digits, and of those the nearest to the float (ties to an even
//! digit): what Python's `repr`, ECMAScript and Rust print. How they are laid
//! out is [`super::float_style`]'s matter.
//!
//! The method (after Giulietti's Schubfach, 2020, in the one-multiplication
//! form that Xiang and Zverovich found): let `10^k` be the largest power of
//! ten that is not more than the distance `2^e` to the next float. Multiples
//! of `10^(k+1)` are then farther apart than the rounding interval is wide, so
//! at most one of them lies in it: if one does, it is the answer. Otherwise
//! the nearest multiple of `10^k` is. Scaling the float by `10^-(k+1)` puts
//! the first candidates in the integer part, and the last digit of the second
//! kind is the first one of the fraction.

use core::hint::select_unpredictable;

use super::pow10;

/// Bits of fraction that the scaled value keeps in its upper word: as many as
/// leave room for a shift by one more (see [`Binary::scale`]) in front of a
/// significand of 53 bits.
const POINT: u32 = 10;

/// A finite float's shortest digits: the value is `±digits × 10^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatDigits {
    /// The digits, without trailing zeros; 0 for zero.
    pub digits: u64,
    /// The power of ten of the last digit; 0 for zero.
    pub exponent: i32,
    /// The sign bit is set (also of a zero).
    pub negative: bool,
}

/// What kind of float it is; emitters treat each after their own rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatClass {
    /// A number, zero included.
    Finite,
    /// `+∞`
    Infinity,
    /// `-∞`
    NegativeInfinity,
    /// Not a number, of either sign and any payload.
    Nan,
}

/// Tells finite floats from the others. `f32` goes by way of `f64`, which
/// keeps the class.
#[inline]
#[must_use]
pub fn classify(v: f64) -> FloatClass {
    if v.is_finite() {
        FloatClass::Finite
    } else if v.is_nan() {
        FloatClass::Nan
    } else if v.is_sign_negative() {
        FloatClass::NegativeInfinity
    } else {
        FloatClass::Infinity
    }
}

impl FloatDigits {
    /// The digits of a finite `f64`. Those of other floats are unspecified.
    #[must_use]
    pub fn of_f64(v: f64) -> FloatDigits {
        FloatDigits::from_binary(Binary::of_f64(v), v.is_sign_negative())
    }

    /// The digits of a finite `f32`: fewer than those of the `f64` of equal
    /// value. Those of other floats are unspecified.
    #[must_use]
    pub fn of_f32(v: f32) -> FloatDigits {
        FloatDigits::from_binary(Binary::of_f32(v), v.is_sign_negative())
    }

    fn from_binary(binary: Binary, negative: bool) -> FloatDigits {
        if binary.significand == 0 {
            return FloatDigits {
                digits: 0,
                exponent: 0,
                negative,
            };
        }
        let shortest = binary.shortest();
        let mut digits = shortest.leading * 10 + u64::from(shortest.last);
        let mut exponent = shortest.exponent - 1;
        // Up to sixteen zeros, in steps that halve.
        for (power, zeros) in [
            (100_000_000, 8),
            (100_000_000, 8),
            (10_000, 4),
            (100, 2),
            (10, 1),
        ] {
            if digits.is_multiple_of(power) {
                digits /= power;
                exponent += zeros;
            }
        }
        FloatDigits {
            digits,
            exponent,
            negative,
        }
    }
}

/// The magnitude of a float in binary: `significand × 2^exponent`.
#[derive(Clone, Copy)]
pub(crate) struct Binary {
    pub(crate) significand: u64,
    pub(crate) exponent: i32,
    /// The next smaller float is half as far away as the next larger one.
    uneven: bool,
}

/// Shortest digits before the trailing zeros are taken off: the value is
/// `(leading + last / 10) × 10^exponent`, with `last` below 10.
#[derive(Clone, Copy)]
pub(crate) struct Shortest {
    pub(crate) leading: u64,
    pub(crate) last: u32,
    pub(crate) exponent: i32,
}

impl Binary {
    #[inline(always)]
    pub(crate) fn of_f64(v: f64) -> Binary {
        let bits = v.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let stored = (bits >> 52) as i32 & 0x7ff;
        if stored == 0 {
            return Binary {
                significand: fraction,
                exponent: -1074,
                uneven: false,
            };
        }
        Binary {
            significand: fraction | 1 << 52,
            exponent: stored - 1075,
            uneven: fraction == 0 && stored > 1,
        }
    }

    #[inline(always)]
    pub(crate) fn of_f32(v: f32) -> Binary {
        let bits = v.to_bits();
        let fraction = u64::from(bits & ((1 << 23) - 1));
        let stored = (bits >> 23) as i32 & 0xff;
        if stored == 0 {
            return Binary {
                significand: fraction,
                exponent: -149,
                uneven: false,
            };
        }
        Binary {
            significand: fraction | 1 << 23,
            exponent: stored - 150,
            uneven: fraction == 0 && stored > 1,
        }
    }

    /// The shortest digits of a number that is not zero.
    #[inline(always)]
    pub(crate) fn shortest(self) -> Shortest {
        if self.uneven {
            return self.shortest_uneven();
        }
        // floor(log10(2^e)), exact for all exponents of floats.
        let k = (self.exponent * 315_653) >> 20;
        let scaled = self.scale(k + 1);

        // Half the distance to the next float, in 2^-64. A float with an even
        // significand owns the ends of its interval; one with an odd does not.
        let half = scaled.half + (1 - (self.significand & 1));
        let up = scaled.fraction.overflowing_add(half).1;
        let down = scaled.fraction < half;
        // Which way it goes is a coin toss, so both are worked out.
        let digit = scaled.next_digit();
        Shortest {
            leading: scaled.integer + u64::from(up),
            last: select_unpredictable(up | down, 0, digit),
            exponent: k + 1,
        }
    }

    /// The same for powers of two, whose interval reaches only half as far
    /// down as up: `[v - 2^e / 4, v + 2^e / 2]`.
    #[cold]
    fn shortest_uneven(self) -> Shortest {
        // floor(log10(3/4 × 2^e)): 3/4 × 2^e is the interval's width.
        let k = (self.exponent * 315_653 - 131_072) >> 20;
        let scaled = self.scale(k + 1);
        let quarter = scaled.half >> 1;
        // The significand, a power of two, is even: both ends belong to it.
        let up = scaled.fraction.overflowing_add(scaled.half + 1).1;
        let down = scaled.fraction <= quarter;

        let mut last = 0;
        if !up && !down {
            last = scaled.next_digit();
            // The nearest digit may lie below the shorter lower half.
            let floor = scaled.fraction - quarter;
            let lowest = (u128::from(floor) * 10).div_ceil(1 << 64) as u32;
            last = last.max(lowest);
        }
        Shortest {
            leading: scaled.integer + u64::from(up),
            last,
            exponent: k + 1,
        }
    }

    /// `significand × 2^exponent / 10^power`, where the result's unit in the
    /// last binary place, `2^exponent / 10^power`, is between 1/10 and 4/3.
    #[inline(always)]
    fn scale(self, power: i32) -> Scaled {
        // SAFETY: exponents of floats, from -1074 to 971, keep -power between
        // -293 and 324.
        let ten = unsafe { pow10::significand(-power) };
        // 2^exponent / 10^power = T × 2^(shift - 128).
        let shift = self.exponent + pow10::log2_pow10(-power) + 1;
        debug_assert!((-3..=1).contains(&shift));
        let factor = self.significand << (POINT as i32 + shift);
        let low = factor as u128 * ten.lo as u128;
        let product = factor as u128 * ten.hi as u128 + (low >> 64);
        let (high, low) = ((product >> 64) as u64, product as u64);
        Scaled {
            integer: high >> POINT,
            fraction: high << (64 - POINT) | low >> POINT,
            half: ten.hi >> (1 - shift),
        }
    }
}

/// A float scaled so that the digits that matter are at the decimal point.
#[derive(Clone, Copy)]
struct Scaled {
    integer: u64,
    /// In 2^-64.
    fraction: u64,
    /// Half the distance to the next float, in 2^-64.
    half: u64,
}

impl Scaled {
    /// The first digit of the fraction, rounded, ties to even.
    #[inline(always)]
    fn next_digit(self) -> u32 {
        // The fraction has been cut off below 2^-64, which ten times over
        // would push some numbers that are next to a tie to its other side.
        // 6 to 10 more put all of them right: those within 2^-57 of a tie can
        // be enumerated, and have been.
        const CUT_OFF: u128 = 8;
        let digit = (u128::from(self.fraction) * 10 + (1 << 63) + CUT_OFF) >> 64;
        // The only fractions that lie on a tie are 0.25 and 0.75.
        if self.fraction == 1 << 62 {
            2
        } else {
            digit as u32
        }
    }
}
