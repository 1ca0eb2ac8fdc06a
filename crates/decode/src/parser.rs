//! The one loop over a document.
//!
//! ```text
//! value:    one value begins at the cursor; a container goes back to `value`
//!           for its first member, everything else goes on to `finished`
//! finished: a value is complete: the document ends, or a comma leads to the
//!           next member's `value`, or the container ends and is itself
//!           `finished`
//! ```
//!
//! What is open is a vector of frames, so a deep document takes memory, not
//! stack.

use linecaster_kernel::text::{Encoding, Text};

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

/// An open container: twice the number of its finished members, and one more
/// for an object.
#[derive(Clone, Copy)]
struct Frame(usize);

impl Frame {
    const ARRAY: Self = Self(0);
    const OBJECT: Self = Self(1);

    #[inline(always)]
    fn is_object(self) -> bool {
        self.0 & 1 != 0
    }

    #[inline(always)]
    fn members(self) -> usize {
        self.0 >> 1
    }

    #[inline(always)]
    fn add_member(&mut self) {
        self.0 += 2;
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
    scratch.frames.clear();
    let parser = Parser::<T, V> {
        text,
        options,
        scratch,
        visitor,
    };
    parser.document().map_err(|stop| match stop {
        Stop::Visit(error) => Error::Visit(error),
        Stop::Fault(reason, index) => {
            let pass = options.surrogates == Surrogates::KeepRaw;
            Error::Syntax(locate::<T>(text, reason, index, pass))
        }
    })
}

struct Parser<'a, T: Text, V> {
    text: &'a [T::Unit],
    options: &'a Options,
    scratch: &'a mut Scratch,
    visitor: &'a mut V,
}

/// What `unit` gives behind the end of the text.
const END: u32 = u32::MAX;

impl<T: Text<Unit: Scan>, V: Visit> Parser<'_, T, V> {
    #[inline(always)]
    fn unit(&self, at: usize) -> u32 {
        self.text.get(at).map_or(END, |&unit| unit.into())
    }

    #[inline(always)]
    fn skip(&self, from: usize) -> usize {
        scan::skip_blanks(self.text, from)
    }

    fn document(mut self) -> Result<(), Stop<V::Error>> {
        self.refuse_mark()?;
        let mut at = self.skip(0);
        // The innermost container; those around it are in the scratch.
        let mut frame = Frame::ARRAY;
        let mut depth = 0;
        'value: loop {
            let unit = self.unit(at);
            match unit as u8 {
                _ if unit > 0x7F => return Err(Stop::Fault(Reason::Value, at)),
                b'"' => at = self.string(at)?,
                b'-' | b'0'..=b'9' => at = self.number(at)?,
                open @ (b'{' | b'[') => {
                    if depth == self.options.max_depth {
                        return Err(Stop::Fault(Reason::Depth, at));
                    }
                    let is_object = open == b'{';
                    let next = self.skip(at + 1);
                    if is_object {
                        self.visitor.begin_object().map_err(Stop::Visit)?;
                        if self.unit(next) == u32::from(b'}') {
                            self.visitor.end_object(0).map_err(Stop::Visit)?;
                            at = next + 1;
                        } else {
                            self.scratch.frames.push(frame);
                            (frame, depth) = (Frame::OBJECT, depth + 1);
                            at = self.key(next)?;
                            continue 'value;
                        }
                    } else {
                        self.visitor.begin_array().map_err(Stop::Visit)?;
                        if self.unit(next) == u32::from(b']') {
                            self.visitor.end_array(0).map_err(Stop::Visit)?;
                            at = next + 1;
                        } else {
                            self.scratch.frames.push(frame);
                            (frame, depth) = (Frame::ARRAY, depth + 1);
                            at = next;
                            continue 'value;
                        }
                    }
                }
                _ => at = self.word(at)?,
            }
            // A value is finished.
            loop {
                at = self.skip(at);
                if depth == 0 {
                    return self.end(at);
                }
                frame.add_member();
                let unit = self.unit(at);
                if unit == u32::from(b',') {
                    let next = self.skip(at + 1);
                    at = if frame.is_object() {
                        if self.unit(next) == u32::from(b'}') {
                            return Err(Stop::Fault(Reason::TrailingCommaObject, at));
                        }
                        self.key(next)?
                    } else {
                        if self.unit(next) == u32::from(b']') {
                            return Err(Stop::Fault(Reason::TrailingCommaArray, at));
                        }
                        next
                    };
                    continue 'value;
                }
                if frame.is_object() && unit == u32::from(b'}') {
                    self.visitor
                        .end_object(frame.members())
                        .map_err(Stop::Visit)?;
                } else if !frame.is_object() && unit == u32::from(b']') {
                    self.visitor
                        .end_array(frame.members())
                        .map_err(Stop::Visit)?;
                } else {
                    return Err(Stop::Fault(Reason::Comma, at));
                }
                at += 1;
                depth -= 1;
                frame = self.scratch.frames.pop().unwrap_or(Frame::ARRAY);
            }
        }
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

    fn end(&self, at: usize) -> Result<(), Stop<V::Error>> {
        if at < self.text.len() {
            return Err(Stop::Fault(Reason::Extra, at));
        }
        Ok(())
    }

    /// The string whose quotation mark is at `at`; the index behind it.
    #[inline(always)]
    fn string(&mut self, at: usize) -> Result<usize, Stop<V::Error>> {
        let unescaped = &mut self.scratch.unescaped;
        match string::<T>(self.text, at + 1, self.options, unescaped) {
            Ok((characters, end)) => {
                self.visitor.string(characters).map_err(Stop::Visit)?;
                Ok(end)
            }
            Err((reason, index)) => Err(Stop::Fault(reason, index)),
        }
    }

    /// The member name at `at`, its colon and what blanks follow; the index of
    /// the member's value.
    #[inline(always)]
    fn key(&mut self, at: usize) -> Result<usize, Stop<V::Error>> {
        if self.unit(at) != u32::from(b'"') {
            return Err(Stop::Fault(Reason::Name, at));
        }
        let unescaped = &mut self.scratch.unescaped;
        let end = match string::<T>(self.text, at + 1, self.options, unescaped) {
            Ok((characters, end)) => {
                self.visitor.key(characters).map_err(Stop::Visit)?;
                end
            }
            Err((reason, index)) => return Err(Stop::Fault(reason, index)),
        };
        let colon = self.skip(end);
        if self.unit(colon) != u32::from(b':') {
            return Err(Stop::Fault(Reason::Colon, colon));
        }
        Ok(self.skip(colon + 1))
    }

    #[inline(always)]
    fn number(&mut self, at: usize) -> Result<usize, Stop<V::Error>> {
        let integer = number::integer(self.text, at);
        let next = self.unit(integer.end);
        // Most numbers are short integers: nothing else is tested for them.
        if next != u32::from(b'.')
            && next | 0x20 != u32::from(b'e')
            && !self.options.integers_as_text
            && !integer.is_missing()
            && !integer.has_leading_zero(self.text)
            && let Some(value) = integer.short()
        {
            self.visitor.integer(value).map_err(Stop::Visit)?;
            return Ok(integer.end);
        }
        self.other_number(at, integer)
    }

    /// What [`Parser::number`] leaves.
    #[inline(always)]
    fn other_number(&mut self, at: usize, integer: Integer) -> Result<usize, Stop<V::Error>> {
        if integer.is_missing() {
            // A minus sign without digits: perhaps an infinity.
            return self.not_finite(at);
        }
        if integer.has_leading_zero(self.text) && !self.options.leading_zeros {
            return self.long_integer(at, &integer.only_zero());
        }
        let (value, end) = number::float(self.text, at, integer.end, integer.value);
        if end == 0 {
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

    /// `true`, `false`, `null`, and with [`Options::allow_nan`] `NaN` and
    /// `Infinity`.
    #[inline(always)]
    fn word(&mut self, at: usize) -> Result<usize, Stop<V::Error>> {
        let word = scan::eight(self.text, at);
        let (length, result) = if word as u32 == u32::from_le_bytes(*b"true") {
            (4, self.visitor.boolean(true))
        } else if word as u32 == u32::from_le_bytes(*b"null") {
            (4, self.visitor.null())
        } else if word & 0xFF_FFFF_FFFF == u64::from_le_bytes(*b"false\0\0\0") {
            (5, self.visitor.boolean(false))
        } else {
            return self.not_finite(at);
        };
        result.map_err(Stop::Visit)?;
        Ok(at + length)
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
            return Err(Stop::Fault(Reason::Value, at));
        };
        if !self.options.allow_nan {
            return Err(Stop::Fault(Reason::NotFinite, at));
        }
        self.visitor.float(value).map_err(Stop::Visit)?;
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
