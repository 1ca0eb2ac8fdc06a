//! What the lexer hands to the parser.

use super::ast::{BinaryOp, Text};
use super::source::{Source, Span};

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Named as what they are; see `TokenKind::name`.
pub enum TokenKind {
    BraceL,
    BraceR,
    BracketL,
    BracketR,
    Comma,
    Dollar,
    Dot,
    ParenL,
    ParenR,
    Semicolon,
    Identifier,
    Number,
    Operator(Op),
    StringBlock,
    StringDouble,
    StringSingle,
    VerbatimDouble,
    VerbatimSingle,
    Assert,
    Else,
    Error,
    False,
    For,
    Function,
    If,
    Import,
    ImportStr,
    ImportBin,
    In,
    Local,
    Null,
    SelfRef,
    Super,
    TailStrict,
    Then,
    True,
    EndOfFile,
}

impl TokenKind {
    /// The kind as messages name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::BraceL => "\"{\"",
            Self::BraceR => "\"}\"",
            Self::BracketL => "\"[\"",
            Self::BracketR => "\"]\"",
            Self::Comma => "\",\"",
            Self::Dollar => "\"$\"",
            Self::Dot => "\".\"",
            Self::ParenL => "\"(\"",
            Self::ParenR => "\")\"",
            Self::Semicolon => "\";\"",
            Self::Identifier => "IDENTIFIER",
            Self::Number => "NUMBER",
            Self::Operator(_) => "OPERATOR",
            Self::StringBlock => "STRING_BLOCK",
            Self::StringDouble => "STRING_DOUBLE",
            Self::StringSingle => "STRING_SINGLE",
            Self::VerbatimDouble => "VERBATIM_STRING_DOUBLE",
            Self::VerbatimSingle => "VERBATIM_STRING_SINGLE",
            Self::Assert => "assert",
            Self::Else => "else",
            Self::Error => "error",
            Self::False => "false",
            Self::For => "for",
            Self::Function => "function",
            Self::If => "if",
            Self::Import => "import",
            Self::ImportStr => "importstr",
            Self::ImportBin => "importbin",
            Self::In => "in",
            Self::Local => "local",
            Self::Null => "null",
            Self::SelfRef => "self",
            Self::Super => "super",
            Self::TailStrict => "tailstrict",
            Self::Then => "then",
            Self::True => "true",
            Self::EndOfFile => "end of file",
        }
    }

    /// The keyword that `name` is, else an identifier.
    #[inline]
    pub fn of_name(name: &[u8]) -> Self {
        // Keywords have 2 to 10 lower-case letters and few first letters.
        if !(2..=10).contains(&name.len()) {
            return Self::Identifier;
        }
        match name[0] {
            b'a' if name == b"assert" => Self::Assert,
            b'e' if name == b"else" => Self::Else,
            b'e' if name == b"error" => Self::Error,
            b'f' if name == b"for" => Self::For,
            b'f' if name == b"false" => Self::False,
            b'f' if name == b"function" => Self::Function,
            b'i' => match name {
                b"if" => Self::If,
                b"in" => Self::In,
                b"import" => Self::Import,
                b"importstr" => Self::ImportStr,
                b"importbin" => Self::ImportBin,
                _ => Self::Identifier,
            },
            b'l' if name == b"local" => Self::Local,
            b'n' if name == b"null" => Self::Null,
            b's' if name == b"self" => Self::SelfRef,
            b's' if name == b"super" => Self::Super,
            b't' => match name {
                b"then" => Self::Then,
                b"true" => Self::True,
                b"tailstrict" => Self::TailStrict,
                _ => Self::Identifier,
            },
            _ => Self::Identifier,
        }
    }

    /// Whether it is one of the five kinds of strings.
    pub fn is_string(self) -> bool {
        matches!(
            self,
            Self::StringBlock
                | Self::StringDouble
                | Self::StringSingle
                | Self::VerbatimDouble
                | Self::VerbatimSingle
        )
    }
}

/// Operators: any run of symbols is one, known to the language or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Between operands; `+` and `-` also stand before one.
    Binary(BinaryOp),
    /// `!`
    Not,
    /// `~`
    BitNot,
    /// `=`
    Assign,
    /// `:`, `::`, `:::` and with `+` before them: that, and how many colons.
    Colons {
        /// `+`
        plus: bool,
        /// 1 to 3.
        count: u8,
    },
    /// Any other run.
    Unknown,
}

impl Op {
    /// The operator that is spelled so.
    pub fn of_spelling(spelling: &[u8]) -> Self {
        match spelling {
            b"*" => Self::Binary(BinaryOp::Mul),
            b"/" => Self::Binary(BinaryOp::Div),
            b"%" => Self::Binary(BinaryOp::Percent),
            b"+" => Self::Binary(BinaryOp::Add),
            b"-" => Self::Binary(BinaryOp::Sub),
            b"<<" => Self::Binary(BinaryOp::Shl),
            b">>" => Self::Binary(BinaryOp::Shr),
            b">" => Self::Binary(BinaryOp::Gt),
            b">=" => Self::Binary(BinaryOp::Ge),
            b"<" => Self::Binary(BinaryOp::Lt),
            b"<=" => Self::Binary(BinaryOp::Le),
            b"==" => Self::Binary(BinaryOp::Eq),
            b"!=" => Self::Binary(BinaryOp::Ne),
            b"&" => Self::Binary(BinaryOp::BitAnd),
            b"^" => Self::Binary(BinaryOp::BitXor),
            b"|" => Self::Binary(BinaryOp::BitOr),
            b"&&" => Self::Binary(BinaryOp::And),
            b"||" => Self::Binary(BinaryOp::Or),
            b"!" => Self::Not,
            b"~" => Self::BitNot,
            b"=" => Self::Assign,
            b":" => Self::Colons {
                plus: false,
                count: 1,
            },
            b"::" => Self::Colons {
                plus: false,
                count: 2,
            },
            b":::" => Self::Colons {
                plus: false,
                count: 3,
            },
            b"+:" => Self::Colons {
                plus: true,
                count: 1,
            },
            b"+::" => Self::Colons {
                plus: true,
                count: 2,
            },
            b"+:::" => Self::Colons {
                plus: true,
                count: 3,
            },
            _ => Self::Unknown,
        }
    }
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// For strings within plain quotes: whether there is a backslash.
    pub escaped: bool,
    /// Where it stands, quotes included.
    pub span: Span,
    /// Its text: for strings what is between the quotes (escapes as written,
    /// verbatim strings and text blocks as they mean), else as the span.
    pub text: Text,
}

impl Token {
    /// The token's text as messages give it: numbers lose their separators.
    pub fn data(&self, source: &Source, decoded: &str) -> String {
        let from = if self.text.decoded {
            decoded
        } else {
            source.text()
        };
        let text = &from[self.text.range()];
        match self.kind {
            TokenKind::Number => text.replace('_', ""),
            _ => text.to_owned(),
        }
    }

    /// The token as messages name it.
    pub fn describe(&self, source: &Source, decoded: &str) -> String {
        let data = self.data(source, decoded);
        if data.is_empty() {
            return self.kind.name().to_owned();
        }
        match self.kind {
            TokenKind::Identifier | TokenKind::Number | TokenKind::Operator(_) => {}
            kind if kind.is_string() => {}
            _ => return format!("\"{data}\""),
        }
        format!("({}, \"{data}\")", self.kind.name())
    }
}
