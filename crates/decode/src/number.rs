//! One number of the document.

use linecaster_kernel::number::{
    Decimal, digit_prefix, exact_f64, parse_digit_prefix, parse_eight_digits,
};

use crate::scan::{self, Scan, is};

/// Digits that a `u64` holds, whatever they are.
const MAX_DIGITS: usize = 19;

/// The integer part of a number.
#[derive(Clone, Copy)]
pub struct Integer {
    /// There is a minus sign.
    pub negative: bool,
    /// The index of the first digit.
    first: usize,
    /// The index behind the digits.
    pub end: usize,
    /// What the digits spell; it wraps.
    pub value: u64,
}

/// Digits read so far; the value wraps.
struct Digits {
    at: usize,
    value: u64,
}

impl Digits {
    /// Reads on, a digit at a time: near the end of the text.
    #[cold]
    fn few<U: Scan>(&mut self, text: &[U]) {
        while let Some(&unit) = text.get(self.at)
            && let digit = unit.into().wrapping_sub(u32::from(b'0'))
            && digit < 10
        {
            self.value = self.value.wrapping_mul(10).wrapping_add(u64::from(digit));
            self.at += 1;
        }
    }

    /// Reads on, eight digits at a time and then those left over together:
    /// how many these are is hard to predict, so nothing branches on it.
    #[inline(always)]
    fn many<U: Scan>(&mut self, text: &[U]) {
        loop {
            let chunk = scan::eight(text, self.at);
            let count = digit_prefix(chunk);
            if count == 8 {
                let part = u64::from(parse_eight_digits(chunk));
                self.value = self.value.wrapping_mul(100_000_000).wrapping_add(part);
                self.at += 8;
                continue;
            }
            let part = u64::from(parse_digit_prefix(chunk, count));
            let power = POWERS[count as usize];
            self.value = self.value.wrapping_mul(power).wrapping_add(part);
            self.at += count as usize;
            break;
        }
    }
}

/// Powers of ten.
static POWERS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// The integer part of most numbers: one to seven digits.
#[derive(Clone, Copy)]
pub struct Short {
    /// What the digits spell.
    pub value: u32,
    /// How many there are.
    pub count: usize,
    /// A point or an exponent seems to follow.
    pub goes_on: bool,
}

impl Short {
    /// The same, as what the rest of a number is read with.
    #[inline(always)]
    pub fn integer(self, negative: bool, first: usize) -> Integer {
        Integer {
            negative,
            first,
            end: first + self.count,
            value: u64::from(self.value),
        }
    }
}

/// The digits from `first` on, if they are one to seven, have no zero in front
/// and do not stand at the very end of the text. How many there are is hard to
/// predict, so nothing branches on it.
#[inline(always)]
pub fn short<U: Scan>(text: &[U], first: usize) -> Option<Short> {
    if text.len() < 8 || first > text.len() - 8 {
        return None;
    }
    // SAFETY: eight units lie within the text.
    let chunk = unsafe { U::eight(text.as_ptr().add(first)) };
    if (chunk as u8).wrapping_sub(b'0') < 10 && ((chunk >> 8) as u8).wrapping_sub(b'0') >= 10 {
        // Flags and indices, and what stands before most points.
        let next = (chunk >> 8) as u8;
        return Some(Short {
            value: u32::from(chunk as u8 - b'0'),
            count: 1,
            goes_on: next == b'.' || next | 0x20 == b'e',
        });
    }
    let count = digit_prefix(chunk);
    let zero_in_front = chunk as u8 == b'0' && count > 1;
    if count.wrapping_sub(1) >= 7 || zero_in_front {
        return None;
    }
    let next = (chunk >> (8 * count)) as u8;
    Some(Short {
        value: parse_digit_prefix(chunk, count),
        count: count as usize,
        goes_on: next == b'.' || next | 0x20 == b'e',
    })
}

/// Reads the integer part of the number at `start`, which begins with a minus
/// sign or a digit.
#[inline(always)]
pub fn integer<U: Scan>(text: &[U], start: usize) -> Integer {
    let negative = is(text, start, b'-');
    let first = start + usize::from(negative);
    let mut digits = Digits {
        at: first,
        value: 0,
    };
    if first + 8 <= text.len() {
        let chunk = scan::eight(text, first);
        let count = digit_prefix(chunk);
        digits.value = u64::from(parse_digit_prefix(chunk, count));
        digits.at += count as usize;
        if count == 8 {
            digits.many(text);
        }
    } else {
        digits.few(text);
    }
    Integer {
        negative,
        first,
        end: digits.at,
        value: digits.value,
    }
}

impl Integer {
    /// Whether there is no digit.
    #[inline(always)]
    pub fn is_missing(&self) -> bool {
        self.end == self.first
    }

    /// Whether the digits have a zero in front.
    #[inline(always)]
    pub fn has_leading_zero<U: Scan>(&self, text: &[U]) -> bool {
        self.end > self.first + 1 && is(text, self.first, b'0')
    }

    /// The zero in front alone. A digit behind it is out of place.
    #[inline(always)]
    pub fn only_zero(&self) -> Self {
        Self {
            end: self.first + 1,
            value: 0,
            ..*self
        }
    }

    /// The number, if it is short enough to be certain.
    #[inline(always)]
    pub fn short(&self) -> Option<i64> {
        let value = i64::try_from(self.value).ok()?;
        let value = if self.negative { -value } else { value };
        (self.end - self.first <= MAX_DIGITS).then_some(value)
    }
}

/// The float at `start`, whose integer part ends at `integer_end` and spells
/// `value`, and the index behind it; that is 0 if there is neither a fraction
/// nor an exponent. The number ends where no longer prefix of the text is
/// one: what follows is the caller's concern.
///
/// (The parser calls it through its [`crate::dispatch::Machine`]: a function of
/// its own has the registers that the loop lacks; its arguments and results fit
/// in them.)
#[inline(always)]
pub fn float<U: Scan>(text: &[U], start: usize, integer_end: usize, value: u64) -> (f64, usize) {
    let negative = is(text, start, b'-');
    let first = start + usize::from(negative);
    let mut digits = Digits {
        at: integer_end,
        value,
    };
    let (mut exponent, mut end) = (0, integer_end);
    if is(text, end, b'.') {
        digits.at += 1;
        digits.many(text);
        let fraction = digits.at - end - 1;
        if fraction > 0 {
            (exponent, end) = (-(fraction as i64), digits.at);
        }
    }
    let letter = text.get(end).map_or(0, |&unit| unit.into() | 0x20);
    let digits_end = end;
    if letter == u32::from(b'e')
        && let Some((power, behind)) = power(text, end + 1)
    {
        exponent += power;
        end = behind;
    }
    if end == integer_end {
        return (0.0, 0);
    }
    // A point and a zero before it are no digits that count.
    let free = usize::from(digits_end > integer_end) + usize::from(is(text, first, b'0'));
    if digits_end - first > MAX_DIGITS + free && !fits(&text[first..digits_end]) {
        return (long_f64(&text[start..end]), end);
    }
    let decimal = Decimal {
        mantissa: digits.value,
        exponent,
        negative,
        truncated: false,
    };
    let value = decimal.to_f64();
    (value.unwrap_or_else(|| long_f64(&text[start..end])), end)
}

/// Whether the digits in `text`, apart from zeros in front, are no more than a
/// `u64` holds. There may be a point among them.
#[cold]
fn fits<U: Scan>(text: &[U]) -> bool {
    let units = text.iter().map(|unit| unit.ascii());
    let digits = units.filter(u8::is_ascii_digit);
    digits.skip_while(|&digit| digit == b'0').count() <= MAX_DIGITS
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

/// The nearest `f64` to a float with more digits than a `u64` holds.
#[cold]
fn long_f64<U: Scan>(text: &[U]) -> f64 {
    let text: String = text.iter().map(|unit| unit.ascii() as char).collect();
    exact_f64(&text)
}

/// The nearest `f64` to the number that `text` spells in ASCII.
#[cold]
pub fn exact(text: &[u8]) -> f64 {
    core::str::from_utf8(text).map_or(f64::NAN, exact_f64)
}

/// The number at `start`, whose integer part ends at `integer_end` where a
/// point may follow, with a zero in place of the digits that it lacks, and the
/// index behind it. `None` if there is a minus sign and no digit at all.
#[cold]
pub fn with_zeros<U: Scan>(
    text: &[U],
    start: usize,
    integer_end: usize,
) -> Option<(String, usize)> {
    let is_digit = |at: usize| {
        text.get(at)
            .is_some_and(|&unit| (u32::from(b'0')..=u32::from(b'9')).contains(&unit.into()))
    };
    let spelled = |from: usize, to: usize| text[from..to].iter().map(|unit| unit.ascii() as char);
    if !is(text, integer_end, b'.') {
        return None;
    }
    let mut end = integer_end + 1;
    while is_digit(end) {
        end += 1;
    }
    let digits = is_digit(integer_end.wrapping_sub(1));
    if end == integer_end + 1 && !digits {
        return None;
    }
    let mut number: String = spelled(start, integer_end).collect();
    if !digits {
        number.push('0');
    }
    number.extend(spelled(integer_end, end));
    number.push('0');
    let letter = text.get(end).map_or(0, |&unit| unit.into() | 0x20);
    if letter == u32::from(b'e')
        && let Some((_, behind)) = power(text, end + 1)
    {
        number.extend(spelled(end, behind));
        end = behind;
    }
    Some((number, end))
}

/// The magnitude of the integer that `text` spells, if a `u64` holds it.
#[cold]
pub fn magnitude(text: &[u8]) -> Option<u64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    core::str::from_utf8(digits).ok()?.parse().ok()
}
