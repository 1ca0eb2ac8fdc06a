//! A source file: its name, its text, and where lines begin.
//!
//! Positions in the tree are byte offsets; lines and columns are worked out
//! only for messages. Bytes that are no UTF-8 are replaced by U+FFFD, one for
//! each byte, when the source is made; columns still count the bytes of the
//! file as it was, so the replaced places are remembered.

use std::fmt::Write;
use std::sync::OnceLock;

/// A range of bytes of a source's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// Past the last byte.
    pub end: u32,
}

impl Span {
    /// From the start of `self` to the end of `last`.
    #[inline]
    #[must_use]
    pub fn to(self, last: Self) -> Self {
        Self {
            start: self.start,
            end: last.end,
        }
    }
}

/// A line and a column, both counted from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // The two are what their names say.
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// A file's text under the name that messages give it.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: String,
    /// Offsets in `text` of the U+FFFD that stand for a bad byte.
    replaced: Vec<u32>,
    /// Offsets of the first byte of each line, made when first asked for.
    lines: OnceLock<Vec<u32>>,
}

/// The largest file that can be parsed: offsets are 4 bytes.
pub const MAX_SOURCE: usize = u32::MAX as usize - 1;

impl Source {
    /// A source of good text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            replaced: Vec::new(),
            lines: OnceLock::new(),
        }
    }

    /// A source of bytes that should be UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::new(name, text),
            Err(error) => {
                let (text, replaced) = replace_bad_bytes(error.as_bytes());
                Self {
                    name: name.into(),
                    text,
                    replaced,
                    lines: OnceLock::new(),
                }
            }
        }
    }

    /// The name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[inline]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Line and column of a byte offset (of the end, if it lies beyond).
    pub fn position(&self, offset: u32) -> Position {
        let lines = self.lines.get_or_init(|| line_starts(&self.text));
        let line = lines.partition_point(|&start| start <= offset);
        let start = lines[line - 1];
        let before = |at: u32| self.replaced.partition_point(|&place| place < at) as u32;
        let longer = 2 * (before(offset) - before(start));
        Position {
            line: line as u32,
            column: offset - start - longer + 1,
        }
    }

    /// The text of a line, counted from 1, without its line break.
    pub fn line(&self, line: u32) -> &str {
        let lines = self.lines.get_or_init(|| line_starts(&self.text));
        let Some(&start) = lines.get(line as usize - 1) else {
            return "";
        };
        let end = lines
            .get(line as usize)
            .map_or(self.text.len(), |&next| next as usize - 1);
        &self.text[start as usize..end]
    }

    /// The place as messages name it: `file:1:2`, `file:1:2-5` or
    /// `file:(1:2)-(3:4)`, where the last column is past the end.
    pub fn location(&self, span: Span) -> String {
        let mut out = String::with_capacity(self.name.len() + 24);
        if !self.name.is_empty() {
            out.push_str(&self.name);
            out.push(':');
        }
        let (begin, end) = (self.position(span.start), self.position(span.end));
        let Position { line, column } = begin;
        let written = if begin == end {
            write!(out, "{line}:{column}")
        } else if line == end.line {
            write!(out, "{line}:{column}-{}", end.column)
        } else {
            write!(out, "({line}:{column})-({}:{})", end.line, end.column)
        };
        debug_assert!(written.is_ok(), "strings take any text");
        out
    }
}

/// Where lines begin.
fn line_starts(text: &str) -> Vec<u32> {
    let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
    std::iter::once(0)
        .chain(breaks.map(|(at, _)| at as u32 + 1))
        .collect()
}

/// The text with U+FFFD for each byte that is part of no character, and where
/// these stand.
pub(crate) fn replace_bad_bytes(bytes: &[u8]) -> (String, Vec<u32>) {
    let mut text = String::with_capacity(bytes.len() + 16);
    let mut replaced = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for _ in chunk.invalid() {
            replaced.push(text.len() as u32);
            text.push('\u{FFFD}');
        }
    }
    (text, replaced)
}
