//! Floats to text: one layout, spelled as a [`FloatStyle`] says.
//!
//! A style is data, taken at compile time, so that a writer for it has no
//! branch on what the style leaves open. To add a spelling, add a type with
//! its constant.
//!
//! The digits are made in registers, sixteen at a time; the decimal point is
//! put between them by storing them twice, the second time shifted, rather
//! than by moving memory that has just been written.

use core::hint::select_unpredictable;

use super::digits::{ASCII_ZEROS, Sixteen, spell16, store1, store4, store8, store16};
use super::float_digits::{Binary, Shortest};
use crate::text::Unit;

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

/// `orjson` 3.13 for an `f32`: `1.0`, `1e+13`, `0.000001`, `1e-7`.
#[derive(Clone, Copy, Debug)]
pub struct OrjsonSingle;

impl FloatSpelling for OrjsonSingle {
    const STYLE: FloatStyle = FloatStyle {
        fixed_min: -6,
        fixed_end: 13,
        ..Orjson::STYLE
    };
}

/// Writes a finite `v` and returns the length of its text. What it writes for
/// another float is an unspecified number: see [`super::classify`].
///
/// # Safety
///
/// [`FLOAT_LEN`] units at `dst` may be written.
#[inline]
pub unsafe fn write_f64<S: FloatSpelling>(dst: *mut impl Unit, v: f64) -> usize {
    let binary = Binary::of_f64(v);
    // SAFETY: the caller's promise.
    unsafe { write_binary::<S>(dst, binary, v.is_sign_negative()) }
}

/// As [`write_f64`], by AVX-512.
///
/// # Safety
///
/// [`FLOAT_LEN`] units at `dst` may be written, and the caller is compiled for
/// [`Implementation::Avx512`](crate::dispatch::Implementation::Avx512), which
/// is available.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub unsafe fn write_f64_avx512<S: FloatSpelling>(dst: *mut impl Unit, v: f64) -> usize {
    let binary = Binary::of_f64(v);
    let sign = usize::from(v.is_sign_negative());
    // SAFETY: the caller's promise; the sign takes one unit.
    unsafe {
        store1(dst, b'-');
        if binary.significand == 0 {
            let sign = if S::STYLE.negative_zero { sign } else { 0 };
            return sign + write_zero::<S>(dst.add(sign));
        }
        let parts = Parts::new(binary.shortest());
        sign + super::float_avx512::write::<S, _>(dst.add(sign), parts)
    }
}

/// Writes a finite `v` in an `f32`'s own shortest digits, otherwise as
/// [`write_f64`].
///
/// # Safety
///
/// [`FLOAT_LEN`] units at `dst` may be written.
#[inline]
pub unsafe fn write_f32<S: FloatSpelling>(dst: *mut impl Unit, v: f32) -> usize {
    let binary = Binary::of_f32(v);
    // SAFETY: the caller's promise.
    unsafe { write_binary::<S>(dst, binary, v.is_sign_negative()) }
}

#[inline(always)]
unsafe fn write_binary<S: FloatSpelling>(
    dst: *mut impl Unit,
    binary: Binary,
    negative: bool,
) -> usize {
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
        store1(dst, b'-');
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
/// Four units at `dst` may be written.
#[inline(always)]
unsafe fn write_zero<S: FloatSpelling>(dst: *mut impl Unit) -> usize {
    // SAFETY: the caller's promise.
    unsafe { store4(dst, u32::from_le_bytes(*b"0.0\0")) };
    if S::STYLE.fixed_point_zero { 3 } else { 1 }
}

/// The least number of sixteen digits.
const FULL: u64 = 1_000_000_000_000_000;

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

/// Sixteen digits, the first one not zero.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) leading: u64,
    /// The seventeenth.
    pub(super) last: u32,
    /// The power of ten of the first digit.
    pub(super) exponent: i32,
}

impl Parts {
    #[inline(always)]
    fn new(shortest: Shortest) -> Parts {
        let Shortest {
            leading,
            last,
            exponent,
        } = shortest;
        // 15 digits take the last one in, 16 leave it the seventeenth.
        let short = leading < FULL;
        let mut exponent = exponent - i32::from(short);
        let mut leading = select_unpredictable(short, leading * 10 + u64::from(last), leading);
        let last = select_unpredictable(short, 0, last);
        if leading < FULL {
            (leading, exponent) = pad(leading, exponent);
        }
        Parts {
            leading,
            last,
            exponent: exponent + 15,
        }
    }
}

impl Spread {
    #[inline(always)]
    fn new(shortest: Shortest) -> Spread {
        let Parts {
            leading,
            last,
            exponent,
        } = Parts::new(shortest);
        let Sixteen { text, nonzero } = spell16(leading);
        // One bit a digit, the seventeenth included.
        let nonzero = nonzero | u32::from(last != 0) << 16;
        Spread {
            text,
            last: b'0' + last as u8,
            count: (u32::BITS - nonzero.leading_zeros()) as usize,
            exponent,
        }
    }

    /// # Safety
    ///
    /// `FLOAT_LEN - 1` units at `dst` may be written.
    #[inline(always)]
    unsafe fn write<S: FloatSpelling>(&self, dst: *mut impl Unit) -> usize {
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

    /// `12.34`, `1234.0`, `123400.0`: 24 bytes at most.
    #[inline(always)]
    unsafe fn write_fixed<S: FloatSpelling>(&self, dst: *mut impl Unit) -> usize {
        let whole = self.exponent as usize + 1;
        let point_zero = if S::STYLE.fixed_point_zero { 2 } else { 0 };
        // SAFETY: `whole` is at most 21: the integer takes 24 bytes and ".0"
        // ends at 23. With a `whole` of at most 16 all stores end at 18.
        unsafe {
            if S::STYLE.fixed_end > 16 && whole > 16 {
                // More digits than there are, or just as many.
                store16(dst, self.text);
                store8(dst.add(16), ASCII_ZEROS);
                store1(dst.add(16), self.last);
                store1(dst.add(whole), b'.');
                store1(dst.add(whole + 1), b'0');
                return whole + point_zero;
            }
            // All digits one place on, then those before the point again, in
            // their own place. Behind an integer come zeros, of which one may
            // be wanted.
            store16(dst.add(1), self.text);
            store1(dst.add(17), self.last);
            if whole < 8 {
                let text = self.text as u64;
                let before = text & FIRST_BYTES[whole];
                store8(dst, before + ((text - before) << 8));
            } else {
                store8(dst, self.text as u64);
                let text = (self.text >> 64) as u64;
                let before = text & (((1_u128 << (8 * (whole - 8))) - 1) as u64);
                let carried = text - before;
                store8(dst.add(8), before + (carried << 8));
                store1(dst.add(16), (carried >> 56) as u8);
            }
            store1(dst.add(whole), b'.');
        }
        if self.count > whole {
            self.count + 1
        } else {
            whole + point_zero
        }
    }

    /// `0.001234`: 24 bytes at most.
    #[inline(always)]
    unsafe fn write_fraction(&self, dst: *mut impl Unit) -> usize {
        // "0." and the zeros behind it: at most 7.
        let start = 1 + self.exponent.unsigned_abs() as usize;
        // SAFETY: 7 bytes, 16 and one.
        unsafe {
            store8(dst, u64::from_le_bytes(*b"0.000000"));
            store16(dst.add(start), self.text);
            store1(dst.add(start + 16), self.last);
        }
        start + self.count
    }

    /// `1e+16`, `1.234e-5`: 24 bytes at most.
    #[inline(always)]
    unsafe fn write_exponent<S: FloatSpelling>(&self, dst: *mut impl Unit) -> usize {
        // SAFETY: 18 bytes of digits and point, of which the first 18 may
        // count; then at most 6.
        unsafe {
            store16(dst.add(1), self.text);
            store1(dst.add(17), self.last);
            store1(dst, self.text as u8);
            store1(dst.add(1), b'.');
            let len = if self.count > 1 {
                self.count + 1
            } else if S::STYLE.exponent_point_zero {
                store1(dst.add(2), b'0');
                3
            } else {
                1
            };
            len + write_power::<S>(dst.add(len), self.exponent)
        }
    }
}

/// The first n bytes of eight.
static FIRST_BYTES: [u64; 8] = {
    let mut masks = [0; 8];
    let mut n = 1;
    while n < 8 {
        masks[n] = masks[n - 1] << 8 | 0xff;
        n += 1;
    }
    masks
};

/// Subnormals and `f32` have fewer digits than sixteen: adds zeros.
#[inline(never)]
fn pad(leading: u64, exponent: i32) -> (u64, i32) {
    let missing = FULL.ilog10() - leading.ilog10();
    (leading * 10_u64.pow(missing), exponent - missing as i32)
}

/// Writes `e+16`.
///
/// # Safety
///
/// Six units at `dst` may be written.
#[inline(always)]
pub(super) unsafe fn write_power<S: FloatSpelling>(dst: *mut impl Unit, power: i32) -> usize {
    let minus = power < 0;
    let digits = if S::STYLE.exponent_digits == 1 {
        &POWERS
    } else {
        &PADDED_POWERS
    };
    let start = 1 + usize::from(minus || S::STYLE.exponent_plus);
    // SAFETY: a float's power is between -324 and 308. What is written: the
    // letter, the sign, and an entry of four bytes.
    unsafe {
        let entry = *digits.get_unchecked(power.unsigned_abs() as usize);
        let sign = b'+' + (u8::from(minus) << 1);
        store1(dst, S::STYLE.exponent_letter);
        store1(dst.add(1), sign);
        store4(dst.add(start), entry);
        start + (entry >> 24) as usize
    }
}

/// The digits of a power of ten, the first in the lowest byte, and in the
/// highest byte how many they are.
type Power = u32;

/// `1`, `16`, `300`.
static POWERS: [Power; 325] = powers(1);

/// `01`, `16`, `300`.
static PADDED_POWERS: [Power; 325] = powers(2);

const fn powers(least: u32) -> [Power; 325] {
    let mut powers = [0; 325];
    let mut n = 0;
    while n < powers.len() {
        let digits = [
            b'0' + (n / 100) as u8,
            b'0' + (n / 10 % 10) as u8,
            b'0' + (n % 10) as u8,
            0,
        ];
        let mut len = 1 + (n >= 10) as u32 + (n >= 100) as u32;
        if len < least {
            len = least;
        }
        powers[n] = u32::from_le_bytes(digits) >> (8 * (3 - len)) | len << 24;
        n += 1;
    }
    powers
}
