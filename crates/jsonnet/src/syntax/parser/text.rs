//! Literals: the values of strings and numbers.

use super::{Parsed, Parser};
use crate::syntax::ast::{Expr, ExprId, StringKind, Text};
use crate::syntax::source::Span;
use crate::syntax::token::{Token, TokenKind};

/// Numbers of so many digits are exact in an `f64`.
const EXACT_DIGITS: usize = 15;

/// The value of a number that the lexer accepted; infinite if it is too large.
pub fn number_value(spelling: &str) -> f64 {
    let bytes = spelling.as_bytes();
    if bytes.len() <= EXACT_DIGITS {
        let mut value = 0_u64;
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit());
        let count = digits
            .inspect(|&&byte| value = value * 10 + u64::from(byte - b'0'))
            .count();
        if count == bytes.len() {
            return value as f64;
        }
    }
    let parsed = if spelling.contains('_') {
        spelling.replace('_', "").parse()
    } else {
        spelling.parse()
    };
    parsed.unwrap_or(f64::INFINITY)
}

impl Parser<'_> {
    /// The node of a string token.
    pub(super) fn string_literal(&mut self, token: &Token) -> Parsed<ExprId> {
        let kind = match token.kind {
            TokenKind::StringDouble => StringKind::Double,
            TokenKind::StringSingle => StringKind::Single,
            TokenKind::VerbatimDouble => StringKind::VerbatimDouble,
            TokenKind::VerbatimSingle => StringKind::VerbatimSingle,
            _ => StringKind::Block,
        };
        let text = if token.escaped() {
            self.unescape(token)?
        } else {
            token.text()
        };
        Ok(self.ast.push(Expr::String { kind, text }, token.span))
    }

    /// Resolves the escapes of a string.
    pub(super) fn unescape(&mut self, token: &Token) -> Parsed<Text> {
        let first = self.lexer.decoded.len();
        let raw = &self.lexer.source.text()[token.text().range()];
        match unescape(raw, &mut self.lexer.decoded) {
            Ok(()) => Ok(self.lexer.decoded_from(first)),
            Err(message) => Err(self.literal_error(token.span, &message)),
        }
    }

    /// An error within a literal: the place is named twice, as the reference
    /// implementation does.
    #[cold]
    fn literal_error(&self, span: Span, message: &str) -> crate::syntax::error::StaticError {
        let place = self.lexer.source.location(span);
        self.error(span, format!("{place} {message}"))
    }
}

/// Appends what `raw`, the inside of a string in plain quotes, stands for.
pub fn unescape(raw: &str, out: &mut String) -> Result<(), String> {
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let mut chars = rest[at + 1..].chars();
        let Some(escape) = chars.next() else {
            return Err("Truncated escape sequence in string literal.".into());
        };
        rest = chars.as_str();
        out.push(match escape {
            '"' | '\'' | '\\' | '/' => escape,
            'b' => '\x08',
            'f' => '\x0C',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => code_point(raw, &mut rest)?,
            other => {
                return Err(format!(
                    "Unknown escape sequence in string literal: \\{other}"
                ));
            }
        });
    }
    out.push_str(rest);
    Ok(())
}

/// The character of `XXXX` or, for a surrogate, of `XXXX\uXXXX`; two that are
/// no pair stand for U+FFFD.
fn code_point(raw: &str, rest: &mut &str) -> Result<char, String> {
    // Messages show the start of the string, not the escape.
    let shown = || String::from_utf8_lossy(&raw.as_bytes()[..raw.len().min(4)]).into_owned();
    if rest.len() < 4 {
        return Err("Truncated unicode escape sequence in string literal.".into());
    }
    let Some(code) = take_hex(rest) else {
        return Err(format!(
            "Unicode escape sequence was malformed: {}",
            shown()
        ));
    };
    if !(0xD800..0xE000).contains(&code) {
        return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    if rest.len() < 6 {
        let what = "Truncated unicode surrogate pair escape sequence in string literal.";
        return Err(what.into());
    }
    let Some(after) = rest.strip_prefix("\\u") else {
        let what =
            "Unicode surrogate pair escape sequence missing low surrogate in string literal.";
        return Err(what.into());
    };
    *rest = after;
    let Some(low) = take_hex(rest) else {
        return Err(format!(
            "Unicode low surrogate escape sequence was malformed: {}",
            shown()
        ));
    };
    let pair = if code < 0xDC00 && (0xDC00..0xE000).contains(&low) {
        char::from_u32(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00))
    } else {
        None
    };
    Ok(pair.unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Takes four hexadecimal digits off.
fn take_hex(rest: &mut &str) -> Option<u32> {
    let digits = rest.get(..4)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    *rest = &rest[4..];
    u32::from_str_radix(digits, 16).ok()
}
