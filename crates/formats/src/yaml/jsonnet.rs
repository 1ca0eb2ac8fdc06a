//! `std.manifestYamlDoc` (go-jsonnet 0.22).

use linecaster_kernel::escape::{self, LoneSurrogate};
use linecaster_kernel::number::jsonnet::FloatBuffer;
use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::{JsonControls, Verbatim, Word};
use linecaster_kernel::sink::Sink;
use linecaster_kernel::text::{Text, Unit};

use super::Style;
use crate::text;

/// Its options.
#[derive(Clone, Copy, Debug)]
pub struct Jsonnet {
    /// `indent_array_in_object`: arrays that are members' values are indented.
    pub indent_arrays: bool,
    /// `quote_keys`: all keys are quoted, not only those that must be.
    pub quote_keys: bool,
}

impl Style for Jsonnet {
    const NESTED_LINE: bool = true;

    fn indents_arrays(&self) -> bool {
        self.indent_arrays
    }

    #[inline]
    fn string<T: Text, O: Output>(
        &self,
        sink: &mut Sink,
        text: &[T::Unit],
        indent: usize,
    ) -> Result<(), LoneSurrogate> {
        match text.split_last() {
            Some((&last, rest)) if last.into() == u32::from(b'\n') => {
                plain::word::<O>(sink, Word::new(b"|"));
                text::lines::<T, Verbatim, O>(sink, rest, |_| indent)
            }
            _ => {
                let quote = const { Word::new(b"\"") };
                escape::escape_between::<T, JsonControls, O>(sink, quote, text, quote)
            }
        }
    }

    #[inline]
    fn key<T: Text, O: Output>(
        &self,
        sink: &mut Sink,
        text: &[T::Unit],
        _indent: usize,
    ) -> Result<(), LoneSurrogate> {
        let (lead, trail) = if self.quote_keys || !is_bare(text) {
            const { (Word::new(b"\""), Word::new(b"\":")) }
        } else {
            const { (Word::EMPTY, Word::new(b":")) }
        };
        escape::escape_between::<T, JsonControls, O>(sink, lead, text, trail)
    }

    fn float<O: Output>(&self, sink: &mut Sink, value: f64) {
        plain::ascii::<O>(sink, FloatBuffer::new().positional(value));
    }
}

/// The longest word that [`is_bare`] knows: what is longer is at most a
/// number.
const LONGEST: usize = 9;

/// Whether a key is written without quotation marks: letters, digits and
/// `_-/.`, unless they look like something else (as go-jsonnet judges that:
/// an overflowing number does not).
pub fn is_bare<U: Unit>(key: &[U]) -> bool {
    if key.is_empty() {
        return false;
    }
    let mut seen = 0;
    for &unit in key {
        let c: u32 = unit.into();
        // What is not ASCII has no class.
        seen |= CLASSES[c.min(0x7F) as usize];
    }
    if seen & UNSAFE != 0 {
        return false;
    }
    if key.len() <= LONGEST && is_word(key) {
        return false;
    }
    let digits = seen & DIGIT != 0;
    // A hexadecimal number may stand anywhere; a date is two hyphens among
    // digits, which need not be there.
    let hex = digits && has_hex(key);
    let date = seen & !(DIGIT | HYPHEN) == 0 && count(key, b'-') == 2;
    !(hex || date || digits && (is_binary(key) || is_number(key) || is_hex_float(key)))
}

const UNSAFE: u8 = 1;
const DIGIT: u8 = 2;
const HYPHEN: u8 = 4;
const LETTER: u8 = 8;

static CLASSES: [u8; 128] = {
    let mut classes = [UNSAFE; 128];
    let mut c = 0;
    while c < 128 {
        match c as u8 {
            b'0'..=b'9' => classes[c] = DIGIT,
            b'-' => classes[c] = HYPHEN,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'/' | b'.' => classes[c] = LETTER,
            _ => {}
        }
        c += 1;
    }
    classes
};

fn is<U: Unit>(unit: U, byte: u8) -> bool {
    unit == U::truncate(u32::from(byte))
}

fn is_digit<U: Unit>(unit: U) -> bool {
    let c: u32 = unit.into();
    c.wrapping_sub(u32::from(b'0')) < 10
}

fn count<U: Unit>(key: &[U], byte: u8) -> usize {
    key.iter().filter(|&&unit| is(unit, byte)).count()
}

/// Words of YAML, and of Go's floats, in any case.
fn is_word<U: Unit>(key: &[U]) -> bool {
    const WORDS: [&[u8]; 18] = [
        b"true",
        b"false",
        b"yes",
        b"no",
        b"on",
        b"off",
        b"y",
        b"n",
        b".nan",
        b"-.inf",
        b".inf",
        b"null",
        b"-",
        b"---",
        b"nan",
        b"inf",
        b"infinity",
        b"-inf",
    ];
    let (first, rest) = key.split_at(1);
    let c: u32 = first[0].into();
    // No word begins otherwise.
    if !b"tTfFyYnNoOiI.-".contains(&(c as u8)) {
        return false;
    }
    let signed_infinity = is(first[0], b'-') && equals(rest, b"infinity");
    signed_infinity || WORDS.iter().any(|word| equals(key, word))
}

fn equals<U: Unit>(key: &[U], word: &[u8]) -> bool {
    let lower = |unit: U| {
        let c: u32 = unit.into();
        if (0x41..=0x5A).contains(&c) {
            c | 0x20
        } else {
            c
        }
    };
    key.len() == word.len()
        && key
            .iter()
            .zip(word)
            .all(|(&unit, &c)| lower(unit) == c.into())
}

/// `0x` and a hexadecimal digit or underscore.
fn has_hex<U: Unit>(key: &[U]) -> bool {
    key.windows(3).any(|three| {
        let c: u32 = three[2].into();
        let digit = char::from_u32(c).is_some_and(|c| c.is_ascii_hexdigit() || c == '_');
        is(three[0], b'0') && is(three[1], b'x') && digit
    })
}

/// `0b` and binary digits or underscores, behind a sign or not.
fn is_binary<U: Unit>(key: &[U]) -> bool {
    let rest = if is(key[0], b'-') { &key[1..] } else { key };
    let binary = |&unit: &U| is(unit, b'0') || is(unit, b'1') || is(unit, b'_');
    rest.len() > 2 && is(rest[0], b'0') && is(rest[1], b'b') && rest[2..].iter().all(binary)
}

/// `0X1P-2`: Go reads it, and only with an exponent. Where the `x` is small,
/// [`has_hex`] has found it.
fn is_hex_float<U: Unit>(key: &[U]) -> bool {
    let unsigned = if is(key[0], b'-') { &key[1..] } else { key };
    let [zero, x, rest @ ..] = unsigned else {
        return false;
    };
    if !is(*zero, b'0') || !is(*x, b'X') {
        return false;
    }
    let digit = |unit: U| {
        let c: u32 = unit.into();
        char::from_u32(c).and_then(|c| c.to_digit(16))
    };
    let (mut value, mut digits, mut point, mut places) = (0.0_f64, 0, false, 0_i32);
    let mut at = 0;
    while at < rest.len() {
        if let Some(d) = digit(rest[at]) {
            value = value * 16.0 + f64::from(d);
            digits += 1;
            places += i32::from(point);
        } else if is(rest[at], b'_') {
            let before = at == 0 || digit(rest[at - 1]).is_some();
            if !before || rest.get(at + 1).is_none_or(|&unit| digit(unit).is_none()) {
                return false;
            }
        } else if is(rest[at], b'.') && !point {
            point = true;
        } else {
            break;
        }
        at += 1;
    }
    let Some((p, exponent)) = rest[at..].split_first() else {
        return false;
    };
    if digits == 0 || !is(*p, b'p') && !is(*p, b'P') {
        return false;
    }
    let small = exponent.first().is_some_and(|&unit| is(unit, b'-'));
    let exponent = &exponent[usize::from(small)..];
    // Underscores stand between digits here as well.
    let is_part = |unit: &[U]| is_digit(unit[0]) || is(unit[0], b'_') && is_digit(unit[1]);
    if !exponent.first().is_some_and(|&unit| is_digit(unit))
        || !exponent.last().is_some_and(|&unit| is_digit(unit))
        || !exponent.windows(2).all(is_part)
    {
        return false;
    }
    let digits = exponent.iter().filter(|&&unit| is_digit(unit));
    let power = digits.fold(0_i32, |power, &unit| {
        let c: u32 = unit.into();
        let digit = (c - u32::from(b'0')) as i32;
        power.saturating_mul(10).saturating_add(digit)
    });
    // An overflowing number is none; what is too small is zero.
    let power = if small { 0 } else { power }.saturating_sub(4 * places);
    value == 0.0
        || (0..power.min(2100))
            .fold(value, |value, _| 2.0 * value)
            .is_finite()
}

/// Whether Go reads a decimal number that is no infinity: underscores stand
/// between digits.
fn is_number<U: Unit>(key: &[U]) -> bool {
    let unsigned = if is(key[0], b'-') { &key[1..] } else { key };
    for (k, &unit) in unsigned.iter().enumerate() {
        let digit_at = |k: usize| unsigned.get(k).is_some_and(|&unit| is_digit(unit));
        if is(unit, b'_') && !(k > 0 && digit_at(k - 1) && digit_at(k + 1)) {
            return false;
        }
    }
    let mut rest = unsigned
        .iter()
        .copied()
        .filter(|&unit| !is(unit, b'_'))
        .peekable();
    let (mut digits, mut point) = (0, false);
    while let Some(&unit) = rest.peek() {
        if is_digit(unit) {
            digits += 1;
        } else if is(unit, b'.') && !point {
            point = true;
        } else {
            break;
        }
        rest.next();
    }
    if digits == 0 {
        return false;
    }
    let mut exponent_digits = 1;
    if rest
        .next_if(|&unit| is(unit, b'e') || is(unit, b'E'))
        .is_some()
    {
        let _ = rest.next_if(|&unit| is(unit, b'-'));
        exponent_digits = 0;
        while rest.next_if(|&unit| is_digit(unit)).is_some() {
            exponent_digits += 1;
        }
    }
    rest.next().is_none() && exponent_digits > 0 && is_finite(unsigned)
}

/// Whether a decimal number is below the range's end.
fn is_finite<U: Unit>(number: &[U]) -> bool {
    // Without an exponent it takes 309 digits to get there.
    if number.len() < 300 && !number.iter().any(|&unit| is(unit, b'e') || is(unit, b'E')) {
        return true;
    }
    let text = number.iter().filter(|&&unit| !is(unit, b'_'));
    let text: alloc::string::String = text.map(|&unit| unit.into() as u8 as char).collect();
    text.parse::<f64>().is_ok_and(f64::is_finite)
}
