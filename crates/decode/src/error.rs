//! Why and where a document is not JSON.
//!
//! The parser only notes a [`Reason`] and an index. Lines, columns and
//! character positions are counted here, once there is an error.

use core::fmt;

use linecaster_kernel::text::{Encoding, Text};

use crate::scan::Scan;
use crate::utf8;

/// What is wrong. Texts and positions are those of Python's `json` module
/// where it has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No value begins here.
    Value,
    /// No member name begins here.
    Name,
    /// No colon after a member name.
    Colon,
    /// Neither a comma nor the end of the array or object.
    Comma,
    /// A comma, then the end of an array.
    TrailingCommaArray,
    /// A comma, then the end of an object.
    TrailingCommaObject,
    /// Something after the document.
    Extra,
    /// A string does not end.
    Unterminated,
    /// A raw character below U+0020 in a string.
    Control,
    /// A backslash before a character that it does not escape.
    Escape,
    /// `\u` without four hexadecimal digits.
    UnicodeEscape,
    /// A surrogate without its partner, with [`crate::Surrogates::Reject`].
    Surrogate,
    /// Bytes that are not UTF-8.
    Utf8,
    /// The document begins with a byte order mark.
    ByteOrderMark,
    /// `NaN`, `Infinity` or `-Infinity`.
    NotFinite,
    /// A float that is too large for 64 bits.
    Range,
    /// Nested deeper than [`crate::Options::max_depth`].
    Depth,
}

impl Reason {
    /// The reason in words.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Value => "Expecting value",
            Self::Name => "Expecting property name enclosed in double quotes",
            Self::Colon => "Expecting ':' delimiter",
            Self::Comma => "Expecting ',' delimiter",
            Self::TrailingCommaArray => "Illegal trailing comma before end of array",
            Self::TrailingCommaObject => "Illegal trailing comma before end of object",
            Self::Extra => "Extra data",
            Self::Unterminated => "Unterminated string starting at",
            Self::Control => "Invalid control character at",
            Self::Escape => "Invalid \\escape",
            Self::UnicodeEscape => "Invalid \\uXXXX escape",
            Self::Surrogate => "Lone surrogate",
            Self::Utf8 => "Invalid UTF-8",
            Self::ByteOrderMark => "Unexpected UTF-8 BOM (decode using utf-8-sig)",
            Self::NotFinite => "NaN and Infinity are not JSON (see allow_nan)",
            Self::Range => "Number out of range for a float (see allow_nan)",
            Self::Depth => "Nested too deeply (see max_depth)",
        }
    }
}

/// Why and where a document is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong.
    pub reason: Reason,
    /// Where, in units of the text from its beginning.
    pub index: usize,
    /// Where, in characters from its beginning.
    pub character: usize,
    /// The line, from 1; only U+000A ends a line.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: line {} column {} (char {})",
            self.reason.message(),
            self.line,
            self.column,
            self.character
        )
    }
}

impl core::error::Error for SyntaxError {}

/// Why a parse ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error<E> {
    /// The document is not JSON.
    Syntax(SyntaxError),
    /// The receiver gave up.
    Visit(E),
}

/// Why a parse stops, before positions are known.
pub(crate) enum Stop<E> {
    Fault(Reason, usize),
    Visit(E),
}

impl<E> From<E> for Stop<E> {
    #[inline(always)]
    fn from(error: E) -> Self {
        Self::Visit(error)
    }
}

/// The whole error of a fault. Where UTF-8 is broken before the fault, that is
/// the error: the parser looks at it string by string only.
#[cold]
pub(crate) fn locate<T: Text<Unit: Scan>>(
    text: &[T::Unit],
    reason: Reason,
    index: usize,
    pass_surrogates: bool,
) -> SyntaxError {
    let (mut reason, mut index) = (reason, index.min(text.len()));
    if T::ENCODING == Encoding::Utf8 {
        let bytes = text.iter().map(|&unit| unit.into() as u8);
        let bytes: Vec<u8> = bytes.collect();
        if let Err(first) = utf8::measure(&bytes, bytes.len(), pass_surrogates)
            && first <= index
        {
            (reason, index) = (Reason::Utf8, first);
        }
    }
    let (mut character, mut line, mut line_start) = (0, 1, 0);
    for &unit in &text[..index] {
        let unit: u32 = unit.into();
        if T::ENCODING != Encoding::Utf8 || unit & 0xC0 != 0x80 {
            character += 1;
        }
        if unit == u32::from(b'\n') {
            line += 1;
            line_start = character;
        }
    }
    SyntaxError {
        reason,
        index,
        character,
        line,
        column: character - line_start + 1,
    }
}
