//! Text to tokens, one at a time.
//!
//! Comments and blanks between tokens are skipped; whoever wants them back (the
//! formatter) reads them in the gaps between the tokens' spans. Offsets stay
//! on character boundaries throughout: all that has a meaning is ASCII.

use std::sync::Arc;

use super::ast::Text;
use super::error::StaticError;
use super::scan;
use super::source::{Source, Span};
use super::token::{Op, Token, TokenKind};

/// What a byte can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    Blank,
    Name,
    Digit,
    Symbol,
    Single,
    Quote,
    Verbatim,
    Hash,
}

/// The class of each byte.
static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut table = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' => Class::Blank,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Name,
            b'0'..=b'9' => Class::Digit,
            b'!' | b'$' | b':' | b'~' | b'+' | b'-' | b'&' | b'|' | b'^' | b'=' | b'<' | b'>'
            | b'*' | b'/' | b'%' => Class::Symbol,
            b'{' | b'}' | b'[' | b']' | b',' | b'.' | b'(' | b')' | b';' => Class::Single,
            b'"' | b'\'' => Class::Quote,
            b'@' => Class::Verbatim,
            b'#' => Class::Hash,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
}

/// Whether identifiers go on with the byte.
static NAME_GOES_ON: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_');
        byte += 1;
    }
    table
};

type Lexed<T> = Result<T, StaticError>;

/// Reads a source from its start to its end.
pub struct Lexer<'s> {
    pub(super) source: &'s Arc<Source>,
    bytes: &'s [u8],
    at: usize,
    /// Texts that are no slices of the source: verbatim strings with doubled
    /// quotes, text blocks, and what the parser decodes.
    pub(super) decoded: String,
    /// Whether operators followed by what stands before operands are their
    /// first symbol alone. One reference implementation does so, hence rejects
    /// `x==-1`, against the specification and the other one.
    pub(super) one_symbol: bool,
    /// Whether it would have made a difference so far.
    pub(super) kept_longer: bool,
}

impl<'s> Lexer<'s> {
    /// A lexer at the start of `source`.
    pub fn new(source: &'s Arc<Source>) -> Self {
        Self {
            source,
            bytes: source.text().as_bytes(),
            at: 0,
            decoded: String::new(),
            one_symbol: false,
            kept_longer: false,
        }
    }

    /// The next token; [`TokenKind::EndOfFile`] again and again at the end.
    #[inline]
    pub fn next_token(&mut self) -> Lexed<Token> {
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                return Ok(self.token(TokenKind::EndOfFile, self.at));
            };
            let start = self.at;
            match CLASSES[byte as usize] {
                Class::Blank => self.skip_blanks(byte),
                Class::Name => return Ok(self.name(start)),
                Class::Single => {
                    self.at += 1;
                    return Ok(self.token(single(byte), start));
                }
                Class::Quote => return self.string(start, byte),
                Class::Digit => return self.number(start),
                Class::Hash => self.at = scan::find(self.bytes, start, b'\n'),
                Class::Symbol => {
                    if let Some(token) = self.symbols(start, byte)? {
                        return Ok(token);
                    }
                }
                Class::Verbatim => return self.verbatim(start),
                Class::Other => {
                    let message =
                        format!("Could not lex the character {}", quote(self.char_at(start)));
                    return Err(self.error_at(start, message));
                }
            }
        }
    }

    /// A token from `start` to here, its text what was written.
    #[inline(always)]
    fn token(&self, kind: TokenKind, start: usize) -> Token {
        let span = Span {
            start: start as u32,
            end: self.at as u32,
        };
        let text = Text {
            start: span.start,
            end: span.end,
            decoded: false,
        };
        Token {
            kind,
            escaped: false,
            span,
            text,
        }
    }

    /// Skips blanks, of which `first` is here.
    #[inline(always)]
    fn skip_blanks(&mut self, first: u8) {
        self.at += 1;
        if first == b'\n' {
            // What follows a line break is mostly indentation.
            self.at = scan::skip_spaces(self.bytes, self.at);
        }
    }

    #[inline(always)]
    fn name(&mut self, start: usize) -> Token {
        let rest = &self.bytes[start + 1..];
        let len = rest
            .iter()
            .position(|&b| !NAME_GOES_ON[b as usize])
            .unwrap_or(rest.len());
        self.at = start + 1 + len;
        let kind = TokenKind::of_name(&self.bytes[start..self.at]);
        self.token(kind, start)
    }

    /// A string in plain quotes. Escapes are skipped here and decoded later.
    #[inline]
    fn string(&mut self, start: usize, quote: u8) -> Lexed<Token> {
        let mut at = start + 1;
        let mut escaped = false;
        loop {
            at = scan::find_either(self.bytes, at, quote, b'\\');
            match self.bytes.get(at) {
                Some(&byte) if byte == quote => break,
                Some(_) if at + 1 < self.bytes.len() => {
                    escaped = true;
                    at += 2;
                }
                _ => return Err(self.error_at(start, "Unterminated String")),
            }
        }
        self.at = at + 1;
        let kind = if quote == b'"' {
            TokenKind::StringDouble
        } else {
            TokenKind::StringSingle
        };
        let mut token = self.token(kind, start);
        token.escaped = escaped;
        token.text = Text {
            start: start as u32 + 1,
            end: at as u32,
            decoded: false,
        };
        Ok(token)
    }

    /// `@"…"`: a doubled quote stands for one, nothing else is special.
    fn verbatim(&mut self, start: usize) -> Lexed<Token> {
        let (quote, kind) = match self.bytes.get(start + 1) {
            Some(b'"') => (b'"', TokenKind::VerbatimDouble),
            Some(b'\'') => (b'\'', TokenKind::VerbatimSingle),
            other => {
                let code = other.map_or(-1, |_| i64::from(u32::from(self.char_at(start + 1))));
                let message = format!("Couldn't lex verbatim string, junk after '@': {code}");
                return Err(self.error_at(start, message));
            }
        };
        let mut from = start + 2;
        let mut end = scan::find(self.bytes, from, quote);
        let decoded = self.bytes.get(end + 1) == Some(&quote);
        let first = self.decoded.len();
        while self.bytes.get(end + 1) == Some(&quote) {
            self.decoded.push_str(&self.source.text()[from..=end]);
            from = end + 2;
            end = scan::find(self.bytes, from, quote);
        }
        if end == self.bytes.len() {
            return Err(self.error_at(start, "Unterminated String"));
        }
        self.at = end + 1;
        let mut token = self.token(kind, start);
        token.text = if decoded {
            self.decoded.push_str(&self.source.text()[from..end]);
            self.decoded_from(first)
        } else {
            Text {
                start: from as u32,
                end: end as u32,
                decoded: false,
            }
        };
        Ok(token)
    }

    /// What was decoded since `first`.
    pub(super) fn decoded_from(&self, first: usize) -> Text {
        Text {
            start: first as u32,
            end: self.decoded.len() as u32,
            decoded: true,
        }
    }

    /// A comment (nothing), a text block or an operator.
    #[inline]
    fn symbols(&mut self, start: usize, first: u8) -> Lexed<Option<Token>> {
        let next = self.bytes.get(start + 1).copied().unwrap_or(0);
        if CLASSES[next as usize] != Class::Symbol {
            self.at = start + 1;
            let kind = match first {
                b'$' => TokenKind::Dollar,
                _ => TokenKind::Operator(Op::of_spelling(&[first])),
            };
            return Ok(Some(self.token(kind, start)));
        }
        match (first, next) {
            (b'/', b'/') => {
                self.at = scan::find(self.bytes, start, b'\n');
                return Ok(None);
            }
            (b'/', b'*') => return self.skip_comment(start).map(|()| None),
            (b'|', b'|') if self.bytes.get(start + 2) == Some(&b'|') => {
                return self.text_block(start).map(Some);
            }
            _ => {}
        }
        Ok(Some(self.operator(start)))
    }

    fn skip_comment(&mut self, start: usize) -> Lexed<()> {
        let mut at = start + 2;
        loop {
            at = scan::find(self.bytes, at, b'*');
            match self.bytes.get(at + 1) {
                Some(b'/') => break,
                Some(_) => at += 1,
                None => {
                    return Err(self.error_at(start, "Multi-line comment has no terminating */"));
                }
            }
        }
        self.at = at + 2;
        Ok(())
    }

    /// An operator that begins with two symbols or more.
    ///
    /// It ends before `/` and `||`, and does not end with what stands before
    /// operands: `x==-1` is `x == -1`. If what remains is no operator, its
    /// first symbol alone is taken.
    fn operator(&mut self, start: usize) -> Token {
        let mut end = start + 1;
        while let Some(&byte) = self.bytes.get(end) {
            if CLASSES[byte as usize] != Class::Symbol
                || byte == b'/'
                || self.bytes[end..].starts_with(b"||")
            {
                break;
            }
            end += 1;
        }
        let run = end;
        while end > start + 1 && matches!(self.bytes[end - 1], b'+' | b'-' | b'~' | b'!' | b'$') {
            end -= 1;
        }
        let mut op = Op::of_spelling(&self.bytes[start..end]);
        if end < run && end > start + 1 {
            if op == Op::Unknown || self.one_symbol {
                end = start + 1;
                op = Op::of_spelling(&self.bytes[start..end]);
            } else {
                self.kept_longer = true;
            }
        }
        self.at = end;
        let kind = match &self.bytes[start..end] {
            b"$" => TokenKind::Dollar,
            _ => TokenKind::Operator(op),
        };
        self.token(kind, start)
    }

    /// `|||`, lines with at least the first one's indent, `|||`.
    fn text_block(&mut self, start: usize) -> Lexed<Token> {
        let bytes = self.bytes;
        let mut at = start + 3;
        let chomp = bytes.get(at) == Some(&b'-');
        at += usize::from(chomp);
        while let Some(b' ' | b'\t' | b'\r') = bytes.get(at) {
            at += 1;
        }
        if bytes.get(at) != Some(&b'\n') {
            return Err(self.error_at(start, "Text block requires new line after |||."));
        }
        at += 1;
        let first = self.decoded.len();
        at = self.blank_lines(at);
        let indent = &bytes[at..blanks_end(bytes, at)];
        if indent.is_empty() {
            return Err(self.error_at(start, "Text block's first line must start with whitespace"));
        }
        while bytes[at..].starts_with(indent) {
            let end = scan::find(bytes, at + indent.len(), b'\n');
            if end == bytes.len() {
                return Err(self.error_at(start, "Unexpected EOF"));
            }
            self.decoded
                .push_str(&self.source.text()[at + indent.len()..=end]);
            at = self.blank_lines(end + 1);
        }
        at = blanks_end(bytes, at);
        if !bytes[at..].starts_with(b"|||") {
            return Err(self.error_at(start, "Text block not terminated with |||"));
        }
        self.at = at + 3;
        if chomp {
            self.decoded.pop();
        }
        let mut token = self.token(TokenKind::StringBlock, start);
        token.text = self.decoded_from(first);
        Ok(token)
    }

    /// Takes over empty lines of a text block.
    fn blank_lines(&mut self, mut at: usize) -> usize {
        while self.bytes.get(at) == Some(&b'\n') {
            self.decoded.push('\n');
            at += 1;
        }
        at
    }

    /// A number: as JSON's, and `_` between digits.
    #[inline]
    fn number(&mut self, start: usize) -> Lexed<Token> {
        let mut at = start + 1;
        if self.bytes[start] != b'0' {
            at = self.digits(at)?;
        } else if self.bytes.get(at) == Some(&b'_') {
            return Err(self.error_at(at, "Couldn't lex number, _ not allowed after leading 0"));
        }
        if self.bytes.get(at) == Some(&b'.') {
            self.expect_digit(at + 1, "decimal point")?;
            at = self.digits(at + 2)?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(at) {
            at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(at) {
                at += 1;
                self.expect_digit(at, "exponent sign")?;
            } else {
                self.expect_digit(at, "'E'")?;
            }
            at = self.digits(at + 1)?;
        }
        self.at = at;
        Ok(self.token(TokenKind::Number, start))
    }

    /// Skips digits and single separators that a digit follows.
    #[inline]
    fn digits(&self, mut at: usize) -> Lexed<usize> {
        loop {
            match self.bytes.get(at) {
                Some(b'0'..=b'9') => at += 1,
                Some(b'_') => {
                    self.expect_digit(at + 1, "'_'")?;
                    at += 2;
                }
                _ => return Ok(at),
            }
        }
    }

    #[inline]
    fn expect_digit(&self, at: usize, after: &str) -> Lexed<()> {
        if let Some(b'0'..=b'9') = self.bytes.get(at) {
            return Ok(());
        }
        let junk = quote(self.char_at(at));
        Err(self.error_at(
            at,
            format!("Couldn't lex number, junk after {after}: {junk}"),
        ))
    }

    /// The character at an offset; at the end what stands for none.
    fn char_at(&self, at: usize) -> char {
        self.source.text()[at..]
            .chars()
            .next()
            .unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    #[cold]
    fn error_at(&self, at: usize, message: impl Into<String>) -> StaticError {
        let at = at as u32;
        StaticError::new(self.source, Span { start: at, end: at }, message)
    }
}

/// The token of one character.
#[inline]
fn single(byte: u8) -> TokenKind {
    match byte {
        b'{' => TokenKind::BraceL,
        b'}' => TokenKind::BraceR,
        b'[' => TokenKind::BracketL,
        b']' => TokenKind::BracketR,
        b',' => TokenKind::Comma,
        b'.' => TokenKind::Dot,
        b'(' => TokenKind::ParenL,
        b')' => TokenKind::ParenR,
        _ => TokenKind::Semicolon,
    }
}

/// Where the spaces and tabs from `at` on end.
pub fn blanks_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// A character as a literal of ASCII, as messages show it.
fn quote(c: char) -> String {
    match c {
        '\'' | '\\' => format!("'\\{c}'"),
        ' '..='~' => format!("'{c}'"),
        '\x07' => "'\\a'".into(),
        '\x08' => "'\\b'".into(),
        '\x0C' => "'\\f'".into(),
        '\n' => "'\\n'".into(),
        '\r' => "'\\r'".into(),
        '\t' => "'\\t'".into(),
        '\x0B' => "'\\v'".into(),
        '\0'..='\x7F' => format!("'\\x{:02x}'", u32::from(c)),
        '\u{80}'..='\u{FFFF}' => format!("'\\u{:04x}'", u32::from(c)),
        _ => format!("'\\U{:08x}'", u32::from(c)),
    }
}
