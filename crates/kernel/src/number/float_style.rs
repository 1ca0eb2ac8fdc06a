//! Floats to text: one layout, spelled as a [`FloatStyle`] says.
//!
//! A style is data, taken at compile time, so that a writer for it has no
//! branch on what the style leaves open. To add a spelling, add a type with
//! its constant.
//!
//! The digits are made in registers, sixteen at a time; the decimal point is
//! put between them by storing them twice, the second time shifted, rather
//! than by moving memory that has just been written.

use super::digits::{ASCII_ZEROS, PAIRS, spread16, store8};
use super::float_digits::{Binary, Shortest};

/// Bytes that [`write_f64`] and [`write_f32`] need. The longest text of the
/// widest allowed style is shorter; the rest is for overhanging stores.
pub const FLOAT_LEN: usize = 40;

/// How a finite float's shortest digits are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent questions, answered by name"
)]
pub struct FloatStyle {
    /// Numbers from `10^fixed_min` on are written without an exponent
    /// (-6 or more) …
    pub fixed_min: i32,
    /// … and those below `10^fixed_end` (21 or less).
    pub fixed_end: i32,
    /// `1.0` rather than `1` without an exponent.
    pub fixed_point_zero: bool,
    /// `1.0e16` rather than `1e16`.
    pub exponent_point_zero: bool,
    /// The letter before an exponent.
    pub exponent_letter: u8,
    /// `1e+16` rather than `1e16`.
    pub exponent_plus: bool,
    /// Digits of an exponent at least (1 or 2).
    pub exponent_digits: usize,
    /// `-0.0` keeps its sign.
    pub negative_zero: bool,
}

/// A type that stands for one spelling.
pub trait FloatSpelling {
    /// The spelling.
    const STYLE: FloatStyle;
}

/// Python's `repr` and `json`: `1.0`, `1e+16`, `1e-05`.
#[derive(Clone, Copy, Debug)]
pub struct Python;

impl FloatSpelling for Python {
    const STYLE: FloatStyle = FloatStyle {
        fixed_min: -4,
        fixed_end: 16,
        fixed_point_zero: true,
        exponent_point_zero: false,
        exponent_letter: b'e',
        exponent_plus: true,
        exponent_digits: 2,
        negative_zero: true,
    };
}

/// ECMAScript's `Number::toString`, which RFC 8785 prescribes: `1`, `1e+21`,
/// `1e-7`, and `0` for both zeros.
#[derive(Clone, Copy, Debug)]
pub struct EcmaScript;

impl FloatSpelling for EcmaScript {
    const STYLE: FloatStyle = FloatStyle {
        fixed_min: -6,
        fixed_end: 21,
        fixed_point_zero: false,
        exponent_point_zero: false,
        exponent_letter: b'e',
        exponent_plus: true,
        exponent_digits: 1,
        negative_zero: false,
    };
}

/// `ujson` 6: `1.0`, `1e+16`, `1e-5`.
#[derive(Clone, Copy, Debug)]
pub struct Ujson;

impl FloatSpelling for Ujson {
    const STYLE: FloatStyle = FloatStyle {
        exponent_digits: 1,
        ..Python::STYLE
    };
}

/// `orjson` 3.13: `1.0`, `1e+16`, `0.00001`, `1e-6`.
#[derive(Clone, Copy, Debug)]
pub struct Orjson;

impl FloatSpelling for Orjson {
    const STYLE: FloatStyle = FloatStyle {
        fixed_min: -5,
        exponent_digits: 1,
        ..Python::STYLE
    };
}

/// Writes a finite `v` and returns the length of its text. What it writes for
/// another float is an unspecified number: see [`super::classify`].
///
/// # Safety
///
/// [`FLOAT_LEN`] bytes at `dst` may be written.
#[inline]
pub unsafe fn write_f64<S: FloatSpelling>(dst: *mut u8, v: f64) -> usize {
    let binary = Binary::of_f64(v);
    // SAFETY: the caller's promise.
    unsafe { write_binary::<S>(dst, binary, v.is_sign_negative()) }
}

/// Writes a finite `v` in an `f32`'s own shortest digits, otherwise as
/// [`write_f64`].
///
/// # Safety
///
/// [`FLOAT_LEN`] bytes at `dst` may be written.
#[inline]
pub unsafe fn write_f32<S: FloatSpelling>(dst: *mut u8, v: f32) -> usize {
    let binary = Binary::of_f32(v);
    // SAFETY: the caller's promise.
    unsafe { write_binary::<S>(dst, binary, v.is_sign_negative()) }
}

#[inline(always)]
unsafe fn write_binary<S: FloatSpelling>(dst: *mut u8, binary: Binary, negative: bool) -> usize {
    const {
        // What the layout has been made for; `FLOAT_LEN` follows from it.
        let style = S::STYLE;
        assert!(style.fixed_min >= -6 && style.fixed_min <= 0);
        assert!(style.fixed_end >= 1 && style.fixed_end <= 21);
        assert!(style.exponent_digits == 1 || style.exponent_digits == 2);
    }
    let sign = usize::from(negative);
    // SAFETY: the caller lets FLOAT_LEN bytes be written. The sign takes one;
    // the others name what they need below.
    unsafe {
        dst.write(b'-');
        if binary.significand == 0 {
            let sign = if S::STYLE.negative_zero { sign } else { 0 };
            return sign + write_zero::<S>(dst.add(sign));
        }
        let decimal = Spread::new(binary.shortest());
        sign + decimal.write::<S>(dst.add(sign))
    }
}

/// # Safety
///
/// Three bytes at `dst` may be written.
#[inline(always)]
unsafe fn write_zero<S: FloatSpelling>(dst: *mut u8) -> usize {
    // SAFETY: the caller's promise.
    unsafe { dst.cast::<[u8; 3]>().write(*b"0.0") };
    if S::STYLE.fixed_point_zero { 3 } else { 1 }
}

/// The digits in ASCII, the first one not zero.
struct Spread {
    /// Sixteen digits, padded with zeros behind; the first in the lowest byte.
    text: u128,
    /// The seventeenth.
    last: u8,
    /// How many count: trailing zeros do not.
    count: usize,
    /// The power of ten of the first digit.
    exponent: i32,
}

impl Spread {
    #[inline(always)]
    fn new(shortest: Shortest) -> Spread {
        const FULL: u64 = 1_000_000_000_000_000;
        let Shortest {
            mut leading,
            mut last,
            mut exponent,
        } = shortest;
        if leading < FULL {
            leading = leading * 10 + u64::from(last);
            last = 0;
            exponent -= 1;
            // Only subnormals and `f32` have fewer digits than that.
            while leading < FULL {
                leading *= 10;
                exponent -= 1;
            }
        }
        let (first, second) = spread16(leading);
        let digits = u128::from(first) | u128::from(second) << 64;
        let zeros = digits.leading_zeros() as usize / 8;
        Spread {
            text: digits | u128::from(ASCII_ZEROS) << 64 | u128::from(ASCII_ZEROS),
            last: b'0' + last as u8,
            count: if last == 0 { 16 - zeros } else { 17 },
            exponent: exponent + 15,
        }
    }

    /// # Safety
    ///
    /// `FLOAT_LEN - 1` bytes at `dst` may be written.
    #[inline(always)]
    unsafe fn write<S: FloatSpelling>(&self, dst: *mut u8) -> usize {
        // SAFETY: the caller's promise; each layout names its length.
        unsafe {
            if self.exponent < S::STYLE.fixed_min || self.exponent >= S::STYLE.fixed_end {
                self.write_exponent::<S>(dst)
            } else if self.exponent < 0 {
                self.write_fraction(dst)
            } else {
                self.write_fixed::<S>(dst)
            }
        }
    }

    /// `12.34`, `1234.0`, `123400.0`: 35 bytes at most.
    #[inline(always)]
    unsafe fn write_fixed<S: FloatSpelling>(&self, dst: *mut u8) -> usize {
        let whole = self.exponent as usize + 1;
        // SAFETY: `whole` is at most 21. An integer has 16 digits, eight
        // zeros and ".0" from there: 24 bytes. A fraction has a `whole` of
        // at most 16: its second store ends at 16 + 1 + 16.
        unsafe {
            store16(dst, self.text);
            if whole >= self.count {
                store8(dst.add(16), ASCII_ZEROS);
                dst.add(16).write(self.last);
                dst.add(whole).cast::<[u8; 2]>().write(*b".0");
                return whole + if S::STYLE.fixed_point_zero { 2 } else { 0 };
            }
            // In two steps, as a shift by 128 is not defined.
            store16(dst.add(whole + 1), (self.text >> 8) >> (8 * (whole - 1)));
            dst.add(whole).write(b'.');
            dst.add(17).write(self.last);
        }
        self.count + 1
    }

    /// `0.001234`: 24 bytes at most.
    #[inline(always)]
    unsafe fn write_fraction(&self, dst: *mut u8) -> usize {
        // "0." and the zeros behind it: at most 7.
        let start = 1 + self.exponent.unsigned_abs() as usize;
        // SAFETY: 7 bytes, 16 and one.
        unsafe {
            store8(dst, u64::from_le_bytes(*b"0.000000"));
            store16(dst.add(start), self.text);
            dst.add(start + 16).write(self.last);
        }
        start + self.count
    }

    /// `1e+16`, `1.234e-5`: 26 bytes at most.
    #[inline(always)]
    unsafe fn write_exponent<S: FloatSpelling>(&self, dst: *mut u8) -> usize {
        // SAFETY: 18 bytes of digits and point, of which the first 18 may
        // count; then at most 2 + 3.
        unsafe {
            store16(dst.add(1), self.text);
            dst.add(17).write(self.last);
            dst.cast::<[u8; 2]>().write([self.text as u8, b'.']);
            let len = if self.count > 1 {
                self.count + 1
            } else if S::STYLE.exponent_point_zero {
                dst.add(2).write(b'0');
                3
            } else {
                1
            };
            len + write_power::<S>(dst.add(len), self.exponent)
        }
    }
}

/// Writes `e+16`.
///
/// # Safety
///
/// Five bytes at `dst` may be written.
#[inline(always)]
unsafe fn write_power<S: FloatSpelling>(dst: *mut u8, power: i32) -> usize {
    // SAFETY: the letter, the sign and at most three digits.
    unsafe {
        dst.write(S::STYLE.exponent_letter);
        let mut at = dst.add(1);
        at.write(if power < 0 { b'-' } else { b'+' });
        at = at.add(usize::from(power < 0 || S::STYLE.exponent_plus));
        let mut power = power.unsigned_abs() as usize;
        if power >= 100 {
            at.write(b'0' + (power / 100) as u8);
            at = at.add(1);
            power %= 100;
        } else if power < 10 && S::STYLE.exponent_digits < 2 {
            at.write(b'0' + power as u8);
            return at.add(1).offset_from_unsigned(dst);
        }
        at.cast::<[u8; 2]>().write(*PAIRS.get_unchecked(power));
        at.add(2).offset_from_unsigned(dst)
    }
}

/// Stores sixteen bytes, the lowest first.
///
/// # Safety
///
/// Sixteen bytes at `dst` may be written.
#[inline(always)]
unsafe fn store16(dst: *mut u8, bytes: u128) {
    // SAFETY: the caller's promise; the pointer needs no alignment.
    unsafe { dst.cast::<u128>().write_unaligned(bytes.to_le()) }
}
