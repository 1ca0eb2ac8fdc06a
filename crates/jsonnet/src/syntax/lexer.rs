//! Text to tokens, one at a time.
//!
//! Comments and blanks between tokens are skipped; whoever wants them back (the
//! formatter) reads them in the gaps between the tokens' spans. Offsets stay
//! on character boundaries throughout: all that has a meaning is ASCII.

use std::ops::Range;
use std::sync::Arc;

use super::ast::Text;
use super::error::StaticError;
use super::scan;
use super::source::{Source, Span};
use super::token::{Token, TokenKind, operator};

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

/// The operators of one symbol.
static SYMBOLS: [TokenKind; 256] = {
    let mut table = [TokenKind::OtherOperator; 256];
    table[b'$' as usize] = TokenKind::Dollar;
    table[b'*' as usize] = TokenKind::Mul;
    table[b'/' as usize] = TokenKind::Div;
    table[b'%' as usize] = TokenKind::Percent;
    table[b'+' as usize] = TokenKind::Plus;
    table[b'-' as usize] = TokenKind::Minus;
    table[b'>' as usize] = TokenKind::Gt;
    table[b'<' as usize] = TokenKind::Lt;
    table[b'&' as usize] = TokenKind::BitAnd;
    table[b'^' as usize] = TokenKind::BitXor;
    table[b'|' as usize] = TokenKind::BitOr;
    table[b'!' as usize] = TokenKind::Not;
    table[b'~' as usize] = TokenKind::BitNot;
    table[b'=' as usize] = TokenKind::Assign;
    table[b':' as usize] = TokenKind::Colon;
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
    /// The run of symbols that was looked at last; see `symbol_run`.
    run: Range<usize>,
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
            run: 0..0,
            one_symbol: false,
            kept_longer: false,
        }
    }

    /// Reads the next token into `token`; [`TokenKind::EndOfFile`] again and
    /// again at the end.
    #[inline]
    pub fn next_token(&mut self, token: &mut Token) -> Lexed<()> {
        loop {
            // One space is the usual distance of tokens.
            let start = self.at + usize::from(self.bytes.get(self.at) == Some(&b' '));
            self.at = start;
            token.span.start = start as u32;
            let Some(&byte) = self.bytes.get(start) else {
                token.kind = TokenKind::EndOfFile;
                break;
            };
            match CLASSES[byte as usize] {
                Class::Blank => self.skip_blanks(byte),
                Class::Name => {
                    self.at = scan::name_end(self.bytes, start + 1);
                    token.kind = TokenKind::of_name(&self.bytes[start..self.at]);
                    break;
                }
                Class::Single => {
                    self.at += 1;
                    token.kind = single(byte);
                    break;
                }
                Class::Quote => {
                    self.string(start, byte, token)?;
                    break;
                }
                Class::Digit => {
                    self.number(start)?;
                    token.kind = TokenKind::Number;
                    break;
                }
                Class::Hash => self.at = scan::find(self.bytes, start, b'\n'),
                Class::Symbol => {
                    if self.symbols(start, byte, token)? {
                        break;
                    }
                }
                Class::Verbatim => {
                    self.verbatim(start, token)?;
                    break;
                }
                Class::Other => {
                    let what = quote(self.char_at(start));
                    return Err(self.error_at(start, format!("Could not lex the character {what}")));
                }
            }
        }
        token.span.end = self.at as u32;
        Ok(())
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

    /// A string in plain quotes. Escapes are skipped here and decoded later.
    #[inline]
    fn string(&mut self, start: usize, quote: u8, token: &mut Token) -> Lexed<()> {
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
        token.kind = if quote == b'"' {
            TokenKind::StringDouble
        } else {
            TokenKind::StringSingle
        };
        token.special = escaped;
        Ok(())
    }

    /// `@"…"`: a doubled quote stands for one, nothing else is special.
    fn verbatim(&mut self, start: usize, token: &mut Token) -> Lexed<()> {
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
        token.kind = kind;
        token.special = decoded;
        if decoded {
            self.decoded.push_str(&self.source.text()[from..end]);
            token.decoded = self.decoded_since(first);
        }
        Ok(())
    }

    /// What was decoded since `first`.
    fn decoded_since(&self, first: usize) -> Span {
        Span {
            start: first as u32,
            end: self.decoded.len() as u32,
        }
    }

    /// The text that was decoded since `first`.
    pub(super) fn decoded_from(&self, first: usize) -> Text {
        Text {
            start: first as u32,
            end: self.decoded.len() as u32,
            decoded: true,
        }
    }

    /// An operator or text block, or no token but a comment.
    #[inline]
    fn symbols(&mut self, start: usize, first: u8, token: &mut Token) -> Lexed<bool> {
        let next = self.bytes.get(start + 1).copied().unwrap_or(0);
        if CLASSES[next as usize] != Class::Symbol {
            self.at = start + 1;
            token.kind = SYMBOLS[first as usize];
            return Ok(true);
        }
        match (first, next) {
            (b'/', b'/') => {
                self.at = scan::find(self.bytes, start, b'\n');
                return Ok(false);
            }
            (b'/', b'*') => return self.skip_comment(start).map(|()| false),
            (b'|', b'|') if self.bytes.get(start + 2) == Some(&b'|') => {
                return self.text_block(start, token).map(|()| true);
            }
            _ => token.kind = self.operator(start),
        }
        Ok(true)
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
    fn operator(&mut self, start: usize) -> TokenKind {
        if start >= self.run.end {
            self.run = self.symbol_run(start);
        }
        let run = self.run.end;
        let mut end = self.run.start.max(start + 1);
        let mut op = operator(&self.bytes[start..end]);
        if end < run && end > start + 1 {
            if op == TokenKind::OtherOperator || self.one_symbol {
                end = start + 1;
                op = operator(&self.bytes[start..end]);
            } else {
                self.kept_longer = true;
            }
        }
        self.at = end;
        if self.bytes[start..end] == *b"$" {
            TokenKind::Dollar
        } else {
            op
        }
    }

    /// Up to where the symbols from `start` on go, and up to which of them
    /// none that stand before operands follow. (Found once for all operators
    /// in it: `-----x` has many.)
    fn symbol_run(&self, start: usize) -> Range<usize> {
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
        let before_operand = |byte: &u8| matches!(byte, b'+' | b'-' | b'~' | b'!' | b'$');
        let symbols = &self.bytes[start..end];
        let last = symbols.iter().rposition(|byte| !before_operand(byte));
        last.map_or(start, |last| start + last + 1)..end
    }

    /// `|||`, lines with at least the first one's indent, `|||`.
    fn text_block(&mut self, start: usize, token: &mut Token) -> Lexed<()> {
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
        token.kind = TokenKind::StringBlock;
        token.special = true;
        token.decoded = self.decoded_since(first);
        Ok(())
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
    fn number(&mut self, start: usize) -> Lexed<()> {
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
        Ok(())
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
