//! One number of the document.

use linecaster_kernel::number::{Decimal, exact_f64, is_eight_digits, parse_eight_digits};

use crate::options::Options;
use crate::scan::{self, Scan};

/// Digits that a `u64` holds, whatever they are.
const MAX_DIGITS: usize = 19;

/// A number as scanned.
pub struct Number {
    /// The index behind it.
    pub end: usize,
    /// There is a minus sign.
    pub negative: bool,
    /// The digits, without point and exponent, if a `u64` surely holds them.
    pub mantissa: Option<u64>,
    /// The power of ten of the last digit; `None` for an integer.
    pub exponent: Option<i64>,
}

/// Digits read so far; the value wraps.
struct Digits {
    at: usize,
    value: u64,
}

impl Digits {
    /// Reads on, a digit at a time: best for the few of most integers.
    #[inline(always)]
    fn few<U: Scan>(&mut self, text: &[U]) {
        while let Some(&unit) = text.get(self.at)
            && let digit = unit.into().wrapping_sub(u32::from(b'0'))
            && digit < 10
        {
            self.value = self.value.wrapping_mul(10).wrapping_add(u64::from(digit));
            self.at += 1;
        }
    }

    /// Reads on, eight digits at a time as far as there are that many: best
    /// for fractions.
    #[inline(always)]
    fn many<U: Scan>(&mut self, text: &[U]) {
        loop {
            let chunk = scan::eight(text, self.at);
            if !is_eight_digits(chunk) {
                break;
            }
            let part = u64::from(parse_eight_digits(chunk));
            self.value = self.value.wrapping_mul(100_000_000).wrapping_add(part);
            self.at += 8;
        }
        self.few(text);
    }
}

/// Reads the number at `start`; `None` if there is no digit. It ends where no
/// longer prefix of the text is a number: what follows is the caller's
/// concern.
#[inline(always)]
pub fn number<U: Scan>(text: &[U], start: usize, options: &Options) -> Option<Number> {
    let negative = is(text, start, b'-');
    let first = start + usize::from(negative);
    let mut digits = Digits {
        at: first,
        value: 0,
    };
    digits.few(text);
    let integer = digits.at - first;
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
    let (mut exponent, mut end) = (None, digits.at);
    if is(text, end, b'.') {
        digits.at += 1;
        digits.many(text);
        let fraction = digits.at - end - 1;
        if fraction > 0 {
            (exponent, end) = (Some(-(fraction as i64)), digits.at);
        }
    }
    let letter = text.get(end).map_or(0, |&unit| unit.into() | 0x20);
    if letter == u32::from(b'e')
        && let Some((power, behind)) = power(text, end + 1)
    {
        exponent = Some(exponent.unwrap_or(0).saturating_add(power));
        // The digits end before the letter.
        digits.at = end;
        end = behind;
    }
    let fits = digits.at - first <= MAX_DIGITS || fits(&text[first..digits.at]);
    Some(Number {
        end,
        negative,
        mantissa: fits.then_some(digits.value),
        exponent,
    })
}

/// Whether the digits in `text`, apart from zeros in front, are no more than a
/// `u64` holds. There may be a point among them.
#[cold]
fn fits<U: Scan>(text: &[U]) -> bool {
    let units = text.iter().map(|unit| unit.ascii());
    let digits = units.filter(u8::is_ascii_digit);
    digits.skip_while(|&digit| digit == b'0').count() <= MAX_DIGITS
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
