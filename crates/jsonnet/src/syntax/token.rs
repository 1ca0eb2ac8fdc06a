//! What the lexer hands to the parser.

use super::ast::{BinaryOp, Text};
use super::source::{Source, Span};

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
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
    // Operators; any run of symbols is one.
    Mul,
    Div,
    Percent,
    Plus,
    Minus,
    Shl,
    Shr,
    Gt,
    Ge,
    Lt,
    Le,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Not,
    BitNot,
    Assign,
    Colon,
    TwoColons,
    ThreeColons,
    PlusColon,
    PlusTwoColons,
    PlusThreeColons,
    OtherOperator,
    // Texts and words.
    Identifier,
    Number,
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
            operator => {
                debug_assert!(operator.is_operator(), "all others are named above");
                "OPERATOR"
            }
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

    /// Whether it is an operator, known to the language or not.
    pub fn is_operator(self) -> bool {
        (Self::Mul as u8..=Self::OtherOperator as u8).contains(&(self as u8))
    }

    /// The operator between operands that it is.
    #[inline]
    pub fn binary(self) -> Option<BinaryOp> {
        Some(match self {
            Self::Mul => BinaryOp::Mul,
            Self::Div => BinaryOp::Div,
            Self::Percent => BinaryOp::Percent,
            Self::Plus => BinaryOp::Add,
            Self::Minus => BinaryOp::Sub,
            Self::Shl => BinaryOp::Shl,
            Self::Shr => BinaryOp::Shr,
            Self::Gt => BinaryOp::Gt,
            Self::Ge => BinaryOp::Ge,
            Self::Lt => BinaryOp::Lt,
            Self::Le => BinaryOp::Le,
            Self::In => BinaryOp::In,
            Self::Eq => BinaryOp::Eq,
            Self::Ne => BinaryOp::Ne,
            Self::BitAnd => BinaryOp::BitAnd,
            Self::BitXor => BinaryOp::BitXor,
            Self::BitOr => BinaryOp::BitOr,
            Self::And => BinaryOp::And,
            Self::Or => BinaryOp::Or,
            _ => return None,
        })
    }

    /// Whether it is one of the five kinds of strings.
    #[inline]
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

/// The operator that is spelled so.
pub fn operator(spelling: &[u8]) -> TokenKind {
    match spelling {
        b"*" => TokenKind::Mul,
        b"/" => TokenKind::Div,
        b"%" => TokenKind::Percent,
        b"+" => TokenKind::Plus,
        b"-" => TokenKind::Minus,
        b"<<" => TokenKind::Shl,
        b">>" => TokenKind::Shr,
        b">" => TokenKind::Gt,
        b">=" => TokenKind::Ge,
        b"<" => TokenKind::Lt,
        b"<=" => TokenKind::Le,
        b"==" => TokenKind::Eq,
        b"!=" => TokenKind::Ne,
        b"&" => TokenKind::BitAnd,
        b"^" => TokenKind::BitXor,
        b"|" => TokenKind::BitOr,
        b"&&" => TokenKind::And,
        b"||" => TokenKind::Or,
        b"!" => TokenKind::Not,
        b"~" => TokenKind::BitNot,
        b"=" => TokenKind::Assign,
        b":" => TokenKind::Colon,
        b"::" => TokenKind::TwoColons,
        b":::" => TokenKind::ThreeColons,
        b"+:" => TokenKind::PlusColon,
        b"+::" => TokenKind::PlusTwoColons,
        b"+:::" => TokenKind::PlusThreeColons,
        _ => TokenKind::OtherOperator,
    }
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// For strings within plain quotes: whether there is a backslash. For
    /// others: whether their text was decoded.
    pub(super) special: bool,
    /// Where it stands, quotes included.
    pub span: Span,
    /// The range of the decoded text, if it was.
    pub(super) decoded: Span,
}

impl Token {
    /// A token that is yet to be read.
    pub fn none() -> Self {
        let nowhere = Span::default();
        Self {
            kind: TokenKind::EndOfFile,
            special: false,
            span: nowhere,
            decoded: nowhere,
        }
    }

    /// Whether it is a string whose escapes are to be resolved.
    #[inline]
    pub fn escaped(&self) -> bool {
        self.special && matches!(self.kind, TokenKind::StringDouble | TokenKind::StringSingle)
    }

    /// Its text: for strings what is between the quotes (escapes as written,
    /// verbatim strings and text blocks as they mean), else as the span.
    #[inline]
    pub fn text(&self) -> Text {
        let Span { start, end } = self.span;
        let (start, end) = match self.kind {
            TokenKind::StringDouble | TokenKind::StringSingle => (start + 1, end - 1),
            TokenKind::StringBlock | TokenKind::VerbatimDouble | TokenKind::VerbatimSingle
                if self.special =>
            {
                return Text {
                    start: self.decoded.start,
                    end: self.decoded.end,
                    decoded: true,
                };
            }
            TokenKind::VerbatimDouble | TokenKind::VerbatimSingle => (start + 2, end - 1),
            _ => (start, end),
        };
        Text {
            start,
            end,
            decoded: false,
        }
    }

    /// The token's text as messages give it: numbers lose their separators.
    pub fn data(&self, source: &Source, decoded: &str) -> String {
        let text = self.text();
        let from = if text.decoded { decoded } else { source.text() };
        let text = &from[text.range()];
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
            TokenKind::Identifier | TokenKind::Number => {}
            kind if kind.is_string() || kind.is_operator() => {}
            _ => return format!("\"{data}\""),
        }
        format!("({}, \"{data}\")", self.kind.name())
    }
}
