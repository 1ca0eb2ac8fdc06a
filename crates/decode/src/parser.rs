//! The one loop over a document.
//!
//! ```text
//! value:    one value begins at the token; a container goes back to `value`
//!           for its first member, everything else goes on to `finished`
//! finished: a value is complete: the document ends, or a comma leads to the
//!           next member's `value`, or the container ends and is itself
//!           `finished`
//! ```
//!
//! What is open is a vector of frames, so a deep document takes memory, not
//! stack.

use linecaster_kernel::number::exact_f64;
use linecaster_kernel::text::{Encoding, Text};

use crate::dispatch::{self, Baseline, Machine};
use crate::error::{Error, Reason, Stop, locate};
use crate::number::{self, Integer};
use crate::options::{Options, Surrogates};
use crate::scan::{self, Scan};
use crate::string::string;
use crate::unescape::Unescaped;
use crate::visit::Visit;

/// Memory that a parse works in. Keep it to save the next parse from
/// allocating; it holds nothing of a document that matters to the next.
#[derive(Default)]
pub struct Scratch {
    frames: Vec<Frame>,
    unescaped: Unescaped,
    /// ASCII copies of numbers in wider units.
    ascii: Vec<u8>,
}

impl Scratch {
    /// Bytes of memory held.
    pub fn capacity(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>()
            + self.unescaped.capacity()
            + self.ascii.capacity()
    }
}

/// What is open: four times the number of its finished members, and its sort.
#[derive(Clone, Copy)]
struct Frame(usize);

impl Frame {
    const ARRAY: Self = Self(0);
    const OBJECT: Self = Self(1);
    /// Nothing: the document's one value.
    const DOCUMENT: Self = Self(2);
    const MEMBER: usize = 4;

    #[inline(always)]
    fn sort(self) -> Self {
        Self(self.0 & 3)
    }

    #[inline(always)]
    fn is(self, sort: Self) -> bool {
        self.sort().0 == sort.0
    }

    #[inline(always)]
    fn members(self) -> usize {
        self.0 / Self::MEMBER
    }

    #[inline(always)]
    fn add_members(&mut self, count: usize) {
        self.0 += Self::MEMBER * count;
    }
}

/// Reads a whole document and calls `visitor` for every value.
///
/// # Errors
/// [`Error::Syntax`] if the text is not a document as `options` has them,
/// [`Error::Visit`] with the first error of the visitor. Values before the
/// error have been handed over by then.
pub fn parse<T: Text<Unit: Scan>, V: Visit>(
    text: &[T::Unit],
    options: &Options,
    scratch: &mut Scratch,
    visitor: &mut V,
) -> Result<(), Error<V::Error>> {
    read::<T, V>(text, None, options, scratch, visitor).map(|_| ())
}

/// Reads the one value that begins at `start`, without blanks before it, and
/// returns the index behind it: what follows is not looked at.
///
/// # Errors
/// As [`parse`].
pub fn parse_value<T: Text<Unit: Scan>, V: Visit>(
    text: &[T::Unit],
    start: usize,
    options: &Options,
    scratch: &mut Scratch,
    visitor: &mut V,
) -> Result<usize, Error<V::Error>> {
    read::<T, V>(text, Some(start), options, scratch, visitor)
}

/// Reads a whole document, or the value at `start`.
#[inline(always)]
fn read<T: Text<Unit: Scan>, V: Visit>(
    text: &[T::Unit],
    start: Option<usize>,
    options: &Options,
    scratch: &mut Scratch,
    visitor: &mut V,
) -> Result<usize, Error<V::Error>> {
    scratch.frames.clear();
    let parser = Parser::<T, V, _> {
        text,
        start,
        options,
        scratch,
        visitor,
        machine: Baseline,
    };
    dispatch::document(parser).map_err(|stop| match stop {
        Stop::Visit(error) => Error::Visit(error),
        Stop::Fault(reason, index) => {
            let pass = options.surrogates == Surrogates::KeepRaw;
            Error::Syntax(locate::<T>(text, reason, index, pass))
        }
    })
}

/// A parse under way.
pub struct Parser<'a, T: Text, V, M> {
    text: &'a [T::Unit],
    /// Where the only value begins that is to be read; none for a document.
    start: Option<usize>,
    options: &'a Options,
    scratch: &'a mut Scratch,
    visitor: &'a mut V,
    machine: M,
}

/// What `unit` gives behind the end of the text.
const END: u32 = u32::MAX;

/// `false` and `true` as words of eight bytes.
static BOOLEANS: [u64; 2] = [
    u64::from_le_bytes(*b"false\0\0\0"),
    u64::from_le_bytes(*b"true\0\0\0\0"),
];
/// The bytes of these words that count.
static BOOLEAN_BYTES: [u64; 2] = [0xFF_FFFF_FFFF, 0xFFFF_FFFF];

/// A unit that is not blank, and its index: what the loop decides by.
#[derive(Clone, Copy)]
struct Token {
    at: usize,
    unit: u32,
}

impl Token {
    #[inline(always)]
    fn is(self, character: u8) -> bool {
        self.unit == u32::from(character)
    }
}

impl<'a, T: Text, V, M> Parser<'a, T, V, M> {
    /// The same parse for another machine.
    #[inline(always)]
    pub fn on<N>(self, machine: N) -> Parser<'a, T, V, N> {
        Parser {
            text: self.text,
            start: self.start,
            options: self.options,
            scratch: self.scratch,
            visitor: self.visitor,
            machine,
        }
    }
}

impl<T: Text<Unit: Scan>, V: Visit, M: Machine> Parser<'_, T, V, M> {
    #[inline(always)]
    fn unit(&self, at: usize) -> u32 {
        self.text.get(at).map_or(END, |&unit| unit.into())
    }

    /// The first token from `from` on.
    #[inline(always)]
    fn token(&self, from: usize) -> Token {
        let unit = self.unit(from);
        if unit > 0x20 {
            return Token { at: from, unit };
        }
        let at = scan::skip_blanks(self.text, from);
        Token {
            at,
            unit: self.unit(at),
        }
    }

    /// Reads the whole document, or the one value; the index behind it.
    #[inline(always)]
    pub fn document(mut self) -> Result<usize, Stop<V::Error>> {
        let mut token = self.first()?;
        // What is innermost; what is around it is in the scratch.
        let mut frame = Frame::DOCUMENT;
        'value: loop {
            let Token { at, unit } = token;
            let end = if token.is(b'"') {
                self.string(at)?
            } else if unit.wrapping_sub(u32::from(b'0')) < 10 || token.is(b'-') {
                self.number(token, &mut frame)?
            } else if token.is(b'{') {
                self.check_depth(at)?;
                self.visitor.begin_object().map_err(Stop::Visit)?;
                let first = self.token(at + 1);
                if !first.is(b'}') {
                    self.scratch.frames.push(frame);
                    frame = Frame::OBJECT;
                    token = self.key(first)?;
                    continue 'value;
                }
                self.visitor.end_object(0).map_err(Stop::Visit)?;
                first.at + 1
            } else if token.is(b'[') {
                self.check_depth(at)?;
                self.visitor.begin_array().map_err(Stop::Visit)?;
                token = self.token(at + 1);
                if !token.is(b']') {
                    self.scratch.frames.push(frame);
                    frame = Frame::ARRAY;
                    continue 'value;
                }
                self.visitor.end_array(0).map_err(Stop::Visit)?;
                token.at + 1
            } else {
                self.word(at)?
            };
            // A value is finished.
            token = self.token(end);
            loop {
                if token.is(b',') {
                    let next = self.token(token.at + 1);
                    if frame.is(Frame::ARRAY) {
                        token = next;
                    } else if frame.is(Frame::OBJECT) {
                        token = self.key(next)?;
                    } else {
                        return self.end(token.at);
                    }
                    frame.add_members(1);
                    continue 'value;
                }
                let members = frame.members() + 1;
                if token.is(b'}') && frame.is(Frame::OBJECT) {
                    self.visitor.end_object(members).map_err(Stop::Visit)?;
                } else if token.is(b']') && frame.is(Frame::ARRAY) {
                    self.visitor.end_array(members).map_err(Stop::Visit)?;
                } else if frame.is(Frame::DOCUMENT) {
                    return self.end(token.at);
                } else {
                    return Err(Stop::Fault(Reason::Comma, token.at));
                }
                token = self.token(token.at + 1);
                frame = self.scratch.frames.pop().unwrap_or(Frame::DOCUMENT);
            }
        }
    }

    #[inline(always)]
    fn check_depth(&self, at: usize) -> Result<(), Stop<V::Error>> {
        if self.scratch.frames.len() >= self.options.max_depth {
            return Err(Stop::Fault(Reason::Depth, at));
        }
        Ok(())
    }

    /// Where to begin.
    #[inline(always)]
    fn first(&self) -> Result<Token, Stop<V::Error>> {
        if let Some(at) = self.start {
            let unit = self.unit(at);
            return Ok(Token { at, unit });
        }
        self.refuse_mark()?;
        Ok(self.token(0))
    }

    /// Refuses a byte order mark.
    fn refuse_mark(&self) -> Result<(), Stop<V::Error>> {
        let mark = if T::ENCODING == Encoding::Utf8 {
            scan::eight(self.text, 0) & 0xFF_FFFF == 0xBF_BBEF
        } else {
            self.unit(0) == 0xFEFF
        };
        if mark {
            return Err(Stop::Fault(Reason::ByteOrderMark, 0));
        }
        Ok(())
    }

    /// The index behind what was to be read; `at` is the next token's.
    fn end(&self, at: usize) -> Result<usize, Stop<V::Error>> {
        if self.start.is_some() {
            // No value ends with a blank.
            let is_blank = |unit: &T::Unit| matches!((*unit).into(), 0x20 | 0x0A | 0x0D | 0x09);
            let blanks = self.text[..at]
                .iter()
                .rev()
                .take_while(|unit| is_blank(unit));
            return Ok(at - blanks.count());
        }
        if at < self.text.len() {
            return Err(Stop::Fault(Reason::Extra, at));
        }
        Ok(at)
    }

    /// The string whose quotation mark is at `at`; the index behind it.
    #[inline(always)]
    fn string(&mut self, at: usize) -> Result<usize, Stop<V::Error>> {
        let unescaped = &mut self.scratch.unescaped;
        match string::<T, M>(self.text, at + 1, self.options, unescaped, self.machine) {
            Ok((characters, end)) => {
                self.visitor.string(characters).map_err(Stop::Visit)?;
                Ok(end)
            }
            Err((reason, index)) => Err(Stop::Fault(reason, index)),
        }
    }

    /// The member name that `name` should be and its colon; the member's value.
    #[inline(always)]
    fn key(&mut self, name: Token) -> Result<Token, Stop<V::Error>> {
        if !name.is(b'"') {
            return Err(self.no_name(name));
        }
        let unescaped = &mut self.scratch.unescaped;
        let end = match string::<T, M>(
            self.text,
            name.at + 1,
            self.options,
            unescaped,
            self.machine,
        ) {
            Ok((characters, end)) => {
                self.visitor.key(characters).map_err(Stop::Visit)?;
                end
            }
            Err((reason, index)) => return Err(Stop::Fault(reason, index)),
        };
        let colon = self.token(end);
        if !colon.is(b':') {
            return Err(Stop::Fault(Reason::Colon, colon.at));
        }
        Ok(self.token(colon.at + 1))
    }

    /// Why there is no member name.
    #[cold]
    fn no_name(&self, found: Token) -> Stop<V::Error> {
        match self.comma_before(found.at) {
            Some(comma) if found.is(b'}') => Stop::Fault(Reason::TrailingCommaObject, comma),
            _ => Stop::Fault(Reason::Name, found.at),
        }
    }

    /// Why there is no value.
    #[cold]
    fn no_value(&self, at: usize) -> Stop<V::Error> {
        match self.comma_before(at) {
            Some(comma) if scan::is(self.text, at, b']') => {
                Stop::Fault(Reason::TrailingCommaArray, comma)
            }
            _ => Stop::Fault(Reason::Value, at),
        }
    }

    /// The index of the comma that nothing but blanks follow up to `at`.
    fn comma_before(&self, at: usize) -> Option<usize> {
        let mut commas = (0..at).rev().filter(|&i| scan::is(self.text, i, b','));
        commas.next().filter(|&i| self.token(i + 1).at == at)
    }

    /// The number at the token, and integers behind it in an array; the index
    /// behind them.
    #[inline(always)]
    fn number(&mut self, token: Token, frame: &mut Frame) -> Result<usize, Stop<V::Error>> {
        let negative = token.is(b'-');
        let first = token.at + usize::from(negative);
        // Most numbers have a short integer part: nothing else is tested for
        // them.
        if let Some(short) = number::short(self.text, first) {
            if short.goes_on {
                return self.float(token.at, short.integer(negative, first));
            }
            if !self.options.integers_as_text {
                let value = i64::from(short.value);
                let value = if negative { -value } else { value };
                self.visitor.integer(value).map_err(Stop::Visit)?;
                return self.run(first + short.count, frame);
            }
        }
        self.long_number(token.at, frame)
    }

    /// The integers behind the one that ends at `end`, if there are any; the
    /// index behind the last one.
    #[inline(always)]
    fn run(&mut self, end: usize, frame: &mut Frame) -> Result<usize, Stop<V::Error>> {
        if !frame.is(Frame::ARRAY) || !scan::is(self.text, end, b',') {
            return Ok(end);
        }
        let run = self.machine.integers(self.text, end, self.visitor);
        let (members, end) = run.map_err(Stop::Visit)?;
        frame.add_members(members);
        Ok(end)
    }

    /// What [`Parser::number`] leaves.
    #[inline(always)]
    fn long_number(&mut self, at: usize, frame: &mut Frame) -> Result<usize, Stop<V::Error>> {
        let integer = number::integer(self.text, at);
        let next = self.unit(integer.end);
        if next != u32::from(b'.')
            && next | 0x20 != u32::from(b'e')
            && !self.options.integers_as_text
            && !integer.is_missing()
            && !integer.has_leading_zero(self.text)
            && let Some(value) = integer.short()
        {
            self.visitor.integer(value).map_err(Stop::Visit)?;
            return self.run(integer.end, frame);
        }
        self.other_number(at, integer)
    }

    /// What is no integer that goes over as it is.
    #[inline(never)]
    fn other_number(&mut self, at: usize, integer: Integer) -> Result<usize, Stop<V::Error>> {
        if integer.is_missing() {
            // A minus sign without digits: perhaps an infinity.
            if self.options.missing_digits && !self.spells(at, b"-I") {
                return self.without_digits(at, &integer);
            }
            return self.not_finite(at);
        }
        if integer.has_leading_zero(self.text) && !self.options.leading_zeros {
            return self.long_integer(at, &integer.only_zero());
        }
        self.float(at, integer)
    }

    /// The number at `at` that goes on behind its integer part, or nearly so.
    #[inline(always)]
    fn float(&mut self, at: usize, integer: Integer) -> Result<usize, Stop<V::Error>> {
        let (value, end) = self
            .machine
            .float(self.text, at, integer.end, integer.value);
        if end == 0 {
            if self.options.missing_digits && self.unit(integer.end) == u32::from(b'.') {
                return self.without_digits(at, &integer);
            }
            return self.long_integer(at, &integer);
        }
        if self.options.floats_as_text {
            let text = ascii(&self.text[at..end], &mut self.scratch.ascii);
            self.visitor.float_text(text).map_err(Stop::Visit)?;
        } else {
            if value.is_infinite() && !self.options.allow_nan {
                return Err(Stop::Fault(Reason::Range, at));
            }
            self.visitor.float(value).map_err(Stop::Visit)?;
        }
        Ok(end)
    }

    #[cold]
    fn long_integer(&mut self, at: usize, integer: &Integer) -> Result<usize, Stop<V::Error>> {
        let text = ascii(&self.text[at..integer.end], &mut self.scratch.ascii);
        let result = match number::magnitude(text) {
            _ if self.options.integers_as_text => self.visitor.integer_text(text),
            Some(value) if !integer.negative => match i64::try_from(value) {
                Ok(value) => self.visitor.integer(value),
                Err(_) => self.visitor.unsigned(value),
            },
            Some(value) if value <= i64::MIN.unsigned_abs() => {
                self.visitor.integer((value as i64).wrapping_neg())
            }
            _ if self.options.big_integers_as_floats => {
                let value = number::exact(text);
                if value.is_infinite() && !self.options.allow_nan {
                    return Err(Stop::Fault(Reason::Range, at));
                }
                self.visitor.float(value)
            }
            _ => self.visitor.integer_text(text),
        };
        result.map_err(Stop::Visit)?;
        Ok(integer.end)
    }

    /// A number that lacks digits: see [`Options::missing_digits`].
    #[cold]
    fn without_digits(&mut self, at: usize, integer: &Integer) -> Result<usize, Stop<V::Error>> {
        let Some((number, end)) = number::with_zeros(self.text, at, integer.end) else {
            // A minus sign, and no point that a digit follows.
            let zero = if self.options.integers_as_text {
                self.visitor.integer_text(b"0")
            } else {
                self.visitor.integer(0)
            };
            zero.map_err(Stop::Visit)?;
            return Ok(at + 1);
        };
        if self.options.floats_as_text {
            self.visitor
                .float_text(number.as_bytes())
                .map_err(Stop::Visit)?;
        } else {
            let value = exact_f64(&number);
            if value.is_infinite() && !self.options.allow_nan {
                return Err(Stop::Fault(Reason::Range, at));
            }
            self.visitor.float(value).map_err(Stop::Visit)?;
        }
        Ok(end)
    }

    /// `true`, `false`, `null`, and with [`Options::allow_nan`] `NaN` and
    /// `Infinity`.
    #[inline(always)]
    fn word(&mut self, at: usize) -> Result<usize, Stop<V::Error>> {
        let word = scan::eight(self.text, at);
        // Which of the two it is cannot be predicted: a bit that tells their
        // letters apart selects what is expected, and nothing branches on it.
        let is_true = word as usize >> 4 & 1;
        if (word ^ BOOLEANS[is_true]) & BOOLEAN_BYTES[is_true] == 0 {
            self.visitor.boolean(is_true != 0).map_err(Stop::Visit)?;
            return Ok(at + 5 - is_true);
        }
        if word as u32 != u32::from_le_bytes(*b"null") {
            return self.not_finite(at);
        }
        self.visitor.null().map_err(Stop::Visit)?;
        Ok(at + 4)
    }

    #[cold]
    fn not_finite(&mut self, at: usize) -> Result<usize, Stop<V::Error>> {
        let (length, value) = if self.spells(at, b"NaN") {
            (3, f64::NAN)
        } else if self.spells(at, b"Infinity") {
            (8, f64::INFINITY)
        } else if self.spells(at, b"-Infinity") {
            (9, f64::NEG_INFINITY)
        } else {
            return Err(self.no_value(at));
        };
        if !self.options.allow_nan {
            return Err(Stop::Fault(Reason::NotFinite, at));
        }
        self.visitor.not_finite(value).map_err(Stop::Visit)?;
        Ok(at + length)
    }

    fn spells(&self, at: usize, word: &[u8]) -> bool {
        let mut units = word.iter().enumerate();
        units.all(|(i, &byte)| self.unit(at + i) == u32::from(byte))
    }
}

/// Units that are all ASCII as bytes: as they lie or copied into `buffer`.
#[inline(always)]
fn ascii<'a, U: Scan>(units: &'a [U], buffer: &'a mut Vec<u8>) -> &'a [u8] {
    U::bytes(units).unwrap_or_else(|| {
        buffer.clear();
        buffer.extend(units.iter().map(|unit| unit.ascii()));
        buffer
    })
}
