//! One number of the document.

use linecaster_kernel::number::{Decimal, digit_prefix, exact_f64, parse_digit_prefix};

use crate::options::Options;
use crate::scan::{self, Scan};

/// Digits that a `u64` holds, whatever they are.
const MAX_DIGITS: u32 = 19;

/// A number as scanned.
pub struct Number {
    /// The index behind it.
    pub end: usize,
    /// There is a minus sign.
    pub negative: bool,
    /// The digits, without point and exponent, if they are no more than
    /// [`MAX_DIGITS`] (leading zeros may count).
    pub mantissa: Option<u64>,
    /// The power of ten of the last digit; `None` for an integer.
    pub exponent: Option<i64>,
}

/// Digits read so far.
struct Digits {
    at: usize,
    value: u64,
    count: u32,
}

impl Digits {
    /// Reads on; how many digits there were.
    #[inline(always)]
    fn read<U: Scan>(&mut self, text: &[U]) -> usize {
        let from = self.at;
        loop {
            let chunk = scan::eight(text, self.at);
            let count = digit_prefix(chunk);
            if count == 0 {
                break;
            }
            let power = POWERS[count as usize];
            let part = u64::from(parse_digit_prefix(chunk, count));
            self.value = self.value.wrapping_mul(power).wrapping_add(part);
            self.at += count as usize;
            // Zeros in front do not count: the value is still nothing.
            if self.value != 0 || self.count != 0 {
                self.count += count;
            }
            if count < 8 {
                break;
            }
        }
        self.at - from
    }
}

static POWERS: [u64; 9] = [
    1,
    10,
    100,
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
];

/// Reads the number at `start`; `None` if there is no digit. It
/// ends where no longer prefix of the text is a number: what follows is the
/// caller's concern.
#[inline(always)]
pub fn number<U: Scan>(text: &[U], start: usize, options: &Options) -> Option<Number> {
    let negative = is(text, start, b'-');
    let first = start + usize::from(negative);
    let mut digits = Digits {
        at: first,
        value: 0,
        count: 0,
    };
    let integer = digits.read(text);
    if integer == 0 {
        return None;
    }
    if integer > 1 && is(text, first, b'0') && !options.leading_zeros {
        // The zero alone is the number; a digit behind it is out of place.
        return Some(Number {
            end: first + 1,
            negative,
            mantissa: Some(0),
            exponent: None,
        });
    }
    let mut exponent = None;
    if is(text, digits.at, b'.') {
        let point = digits.at;
        digits.at += 1;
        let fraction = digits.read(text);
        if fraction == 0 {
            digits.at = point;
            return Some(digits.number(negative, None));
        }
        exponent = Some(-(fraction as i64));
    }
    if (is(text, digits.at, b'e') || is(text, digits.at, b'E'))
        && let Some((power, end)) = power(text, digits.at + 1)
    {
        exponent = Some(exponent.unwrap_or(0).saturating_add(power));
        digits.at = end;
    }
    Some(digits.number(negative, exponent))
}

impl Digits {
    #[inline(always)]
    fn number(self, negative: bool, exponent: Option<i64>) -> Number {
        Number {
            end: self.at,
            negative,
            mantissa: (self.count <= MAX_DIGITS).then_some(self.value),
            exponent,
        }
    }
}

#[inline(always)]
fn is<U: Scan>(text: &[U], at: usize, byte: u8) -> bool {
    text.get(at)
        .is_some_and(|&unit| unit.into() == u32::from(byte))
}

/// The exponent behind an `e`, saturated, and the index behind it.
#[inline(always)]
fn power<U: Scan>(text: &[U], from: usize) -> Option<(i64, usize)> {
    let negative = is(text, from, b'-');
    let first = from + usize::from(negative || is(text, from, b'+'));
    let (mut at, mut value) = (first, 0i64);
    while let Some(&unit) = text.get(at)
        && let digit = unit.into().wrapping_sub(u32::from(b'0'))
        && digit < 10
    {
        value = value.saturating_mul(10).saturating_add(i64::from(digit));
        at += 1;
    }
    // A hundred digits of mantissa may stand against it: keep off the limits.
    let value = value.min(1 << 60);
    (at > first).then_some((if negative { -value } else { value }, at))
}

/// The nearest `f64` to a float.
#[inline(always)]
pub fn to_f64<U: Scan>(number: &Number, text: &[U]) -> f64 {
    if let (Some(mantissa), Some(exponent)) = (number.mantissa, number.exponent) {
        let negative = number.negative;
        let decimal = Decimal {
            mantissa,
            exponent,
            negative,
            truncated: false,
        };
        if let Some(value) = decimal.to_f64() {
            return value;
        }
    }
    long_f64(text)
}

/// The nearest `f64` to a float with more digits than a `u64` holds.
#[cold]
fn long_f64<U: Scan>(text: &[U]) -> f64 {
    let text: String = text.iter().map(|unit| unit.ascii() as char).collect();
    exact_f64(&text)
}

/// The integer that `text`, of 20 digits or zeros in front, spells, if 64 bits
/// hold it.
#[cold]
pub fn long_u64(text: &[u8]) -> Option<u64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    core::str::from_utf8(digits).ok()?.parse().ok()
}
