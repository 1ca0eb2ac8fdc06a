//! Which form a string takes in YAML as people write it.
//!
//! Plain wherever YAML 1.1 and YAML 1.2 readers (`PyYAML`, ruamel.yaml, Go's)
//! all read the same string back; a block for lines that a block can hold;
//! between quotation marks otherwise.
//!
//! One pass: the characters that matter are few, so steps of several are
//! passed over until one comes; only those are looked at. Whether a string
//! looks like a value of another kind is asked only of those that begin like
//! one.

use linecaster_kernel::clean::clean_units;
use linecaster_kernel::policy::YamlMarks;
use linecaster_kernel::text::{Encoding, Text, Unit};

use crate::text::STEP;

/// The form of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Plain,
    /// `'…'`.
    Single,
    /// `"…"`.
    Double,
    /// `|` and lines.
    Block,
}

/// What a string has, found in one pass.
#[allow(clippy::struct_excessive_bools, reason = "independent findings")]
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    /// A line feed.
    lines: bool,
    /// A line that ends in a blank.
    trailing_blank: bool,
    /// A tab.
    tab: bool,
    /// `: `, ` #`, or a colon at the end.
    structure: bool,
    /// What must be escaped.
    unprintable: bool,
}

/// Chooses the form. A block is never chosen for a `key`.
pub fn form<T: Text>(text: &[T::Unit], key: bool) -> Form {
    let at = |k: usize| -> u32 { text[k].into() };
    if text.is_empty() {
        return Form::Double;
    }
    let found = look::<T>(text);
    if found.unprintable {
        return Form::Double;
    }
    let last = text.len() - 1;
    if found.lines {
        let blank_end = found.trailing_blank || is_blank(at(last));
        let only_lines = text.iter().all(|&unit| unit == U::<T>(b'\n'));
        return if key || blank_end || only_lines {
            Form::Double
        } else {
            Form::Block
        };
    }
    let plain = !found.tab
        && !found.structure
        && !is_blank(at(last))
        && begins_plain(text)
        && !resolves(text);
    if plain {
        Form::Plain
    } else if !found.tab
        && text
            .iter()
            .any(|&unit| unit == U::<T>(b'"') || unit == U::<T>(b'\\'))
    {
        Form::Single
    } else {
        Form::Double
    }
}

#[allow(non_snake_case, reason = "a unit of the text, as a literal")]
fn U<T: Text>(byte: u8) -> T::Unit {
    T::Unit::truncate(u32::from(byte))
}

fn is_blank(c: u32) -> bool {
    c == 0x20 || c == 0x09
}

fn look<T: Text>(text: &[T::Unit]) -> Found {
    let mut found = Found::default();
    let mut at = 0;
    while at < text.len() {
        at += clean_units::<T, YamlMarks>(&text[at..]);
        let end = text.len().min(at + STEP);
        for k in at..end {
            found.look_at::<T>(text, k);
        }
        if found.unprintable {
            return found;
        }
        at = end;
    }
    found
}

impl Found {
    #[inline]
    fn look_at<T: Text>(&mut self, text: &[T::Unit], k: usize) {
        let at = |k: usize| -> Option<u32> { text.get(k).map(|&unit| unit.into()) };
        let before = || k.checked_sub(1).and_then(at);
        match at(k).unwrap_or(0) {
            0x0A => {
                self.lines = true;
                self.trailing_blank |= before().is_some_and(is_blank);
            }
            0x09 => self.tab = true,
            0x3A => self.structure |= at(k + 1).is_none_or(is_blank),
            0x23 => self.structure |= before().is_some_and(is_blank),
            c @ (0..0x20 | 0x7F) => self.unprintable |= c != 0x0A,
            0x20..0x7F => {}
            c if T::ENCODING == Encoding::Utf8 => {
                let next = || (at(k + 1).unwrap_or(0), at(k + 2).unwrap_or(0));
                self.unprintable |= match c {
                    0xC2 => next().0 < 0xA0,
                    0xE2 => matches!(next(), (0x80, 0xA8 | 0xA9)),
                    0xEF => matches!(next(), (0xBB, 0xBF) | (0xBF, 0xBE | 0xBF)),
                    _ => false,
                };
            }
            c => {
                self.unprintable |= matches!(
                    c,
                    0x80..0xA0 | 0x2028 | 0x2029 | 0xD800..0xE000 | 0xFEFF | 0xFFFE | 0xFFFF
                );
            }
        }
    }
}

/// Whether a plain scalar can begin so.
fn begins_plain<U: Unit>(text: &[U]) -> bool {
    let at = |k: usize| -> Option<u32> { text.get(k).map(|&unit| unit.into()) };
    let byte = |k: usize| at(k).map_or(0, |c| c.min(0x7F) as u8);
    match byte(0) {
        b' ' | b'\t' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|'
        | b'>' | b'\'' | b'"' | b'%' | b'@' | b'`' => false,
        first @ (b'-' | b'?' | b':' | b'.') => {
            let marker = first == b'-' || first == b'.';
            let alone = |k: usize| at(k).is_none_or(is_blank);
            let document = marker && byte(1) == first && byte(2) == first && alone(3);
            !document && (first == b'.' || !alone(1))
        }
        _ => true,
    }
}

/// `false`
const LONGEST_WORD: usize = 5;

/// Whether a plain scalar is no string, or may be none, to some reader.
fn resolves<U: Unit>(text: &[U]) -> bool {
    let first: u32 = text[0].into();
    if first > 0x39 && text.len() > LONGEST_WORD {
        return false;
    }
    match first.min(0x7F) as u8 {
        b'0'..=b'9' | b'+' | b'-' | b'.' => is_number(text) || is_date(text),
        b'~' | b'=' => text.len() == 1,
        b'<' => equals(text, b"<<"),
        b'n' | b'N' => is_one_of(text, &[b"null", b"no", b"n"]),
        b't' | b'T' => equals(text, b"true"),
        b'f' | b'F' => equals(text, b"false"),
        b'y' | b'Y' => is_one_of(text, &[b"yes", b"y"]),
        b'o' | b'O' => is_one_of(text, &[b"on", b"off"]),
        _ => false,
    }
}

/// Whether `text` is `word`, which is in lower case, in one of the cases that
/// YAML 1.1 knows: `true`, `True`, `TRUE`.
fn equals<U: Unit>(text: &[U], word: &[u8]) -> bool {
    let is = |unit: U, byte: u8| unit == U::truncate(u32::from(byte));
    let letters = |from: usize, upper: bool| {
        let mut pairs = text[from..].iter().zip(&word[from..]);
        pairs.all(|(&unit, &c)| is(unit, if upper { c.to_ascii_uppercase() } else { c }))
    };
    // The first letter may stand behind a point.
    let first = usize::from(word[0] == b'.');
    let begun = || is(text[0], word[0]) || first == 0 && is(text[0], word[0].to_ascii_uppercase());
    text.len() == word.len()
        && begun()
        && (letters(first, true)
            || letters(first + 1, false)
                && (is(text[first], word[first])
                    || is(text[first], word[first].to_ascii_uppercase())))
}

fn is_one_of<U: Unit>(text: &[U], words: &[&[u8]]) -> bool {
    words.iter().any(|word| equals(text, word))
}

/// Reads a text by bytes; what is not ASCII reads as 0x7F.
struct Reader<'a, U> {
    rest: &'a [U],
}

impl<U: Unit> Reader<'_, U> {
    fn peek(&self) -> u8 {
        self.rest.first().map_or(0, |&unit| {
            let c: u32 = unit.into();
            c.min(0x7F) as u8
        })
    }

    /// Passes over what `these` are and counts them.
    fn many(&mut self, these: impl Fn(u8) -> bool) -> usize {
        let before = self.rest.len();
        while !self.rest.is_empty() && these(self.peek()) {
            self.rest = &self.rest[1..];
        }
        before - self.rest.len()
    }

    fn one(&mut self, this: impl Fn(u8) -> bool) -> bool {
        let found = !self.rest.is_empty() && this(self.peek());
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    /// So many digits.
    fn digits(&mut self, least: usize, most: usize) -> bool {
        let digits = self.many(|c| c.is_ascii_digit());
        (least..=most).contains(&digits)
    }

    /// `before` and one or two digits.
    fn part(&mut self, before: u8, least: usize) -> bool {
        self.one(|c| c == before) && self.digits(least, 2)
    }

    fn at_end(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Whether a reader takes the text for a number: decimal with underscores,
/// hexadecimal, octal, binary, to the base of sixty, infinite or not a number.
fn is_number<U: Unit>(text: &[U]) -> bool {
    let mut rest = Reader { rest: text };
    if is_nan(text) {
        return true;
    }
    rest.one(|c| c == b'+' || c == b'-');
    if equals(rest.rest, b".inf") {
        return true;
    }
    let unsigned = rest.rest;
    if rest.one(|c| c == b'0') {
        let base = rest.peek() | 0x20;
        if rest.one(|c| matches!(c | 0x20, b'x' | b'o' | b'b')) {
            let digits = rest.many(|c| match base {
                b'x' => c.is_ascii_hexdigit() || c == b'_',
                b'o' => matches!(c, b'0'..=b'7' | b'_'),
                _ => matches!(c, b'0' | b'1' | b'_'),
            });
            return digits > 0 && rest.at_end();
        }
    }
    let digit = |c: u8| c.is_ascii_digit() || c == b'_';
    rest = Reader { rest: unsigned };
    let mut digits = rest.many(digit);
    let mut minutes = 0;
    while digits > 0 && rest.one(|c| c == b':') {
        let high = rest.one(|c| matches!(c, b'0'..=b'5'));
        let low = rest.one(|c| c.is_ascii_digit());
        if !high && !low {
            return false;
        }
        minutes += 1;
    }
    if rest.one(|c| c == b'.') {
        digits += rest.many(digit);
    }
    if digits == 0 {
        return false;
    }
    if minutes == 0 && rest.one(|c| c | 0x20 == b'e') {
        rest.one(|c| c == b'+' || c == b'-');
        if rest.many(digit) == 0 {
            return false;
        }
    }
    rest.at_end()
}

/// `.nan`, `.NaN`, `.NAN`: any case will do.
fn is_nan<U: Unit>(text: &[U]) -> bool {
    let mut rest = Reader { rest: text };
    let letters = rest.one(|c| c == b'.')
        && rest.one(|c| c | 0x20 == b'n')
        && rest.one(|c| c | 0x20 == b'a')
        && rest.one(|c| c | 0x20 == b'n');
    letters && rest.at_end()
}

/// Whether the text is a date, with or without a time behind it.
fn is_date<U: Unit>(text: &[U]) -> bool {
    let mut rest = Reader { rest: text };
    let date = rest.digits(4, 4) && rest.part(b'-', 1) && rest.part(b'-', 1);
    if !date || rest.at_end() {
        return date;
    }
    let blank = |c: u8| c == b' ' || c == b'\t';
    if !rest.one(|c| c | 0x20 == b't') && rest.many(blank) == 0 {
        return false;
    }
    if !(rest.digits(1, 2) && rest.part(b':', 1) && rest.part(b':', 1)) {
        return false;
    }
    if rest.one(|c| c == b'.') {
        rest.many(|c| c.is_ascii_digit());
    }
    rest.many(blank);
    if rest.one(|c| c == b'+' || c == b'-') {
        return rest.digits(1, 2) && (rest.at_end() || rest.part(b':', 2) && rest.at_end());
    }
    rest.one(|c| c | 0x20 == b'z');
    rest.at_end()
}
