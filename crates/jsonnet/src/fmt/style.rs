//! How one thing is spelled where the language has several spellings.

use std::fmt::Write;

use super::fodder::{Element, Fodder, FodderKind, move_front};
use super::tree::{Field, Kind, Name, Node, Str};
use super::walk::Pass;
use super::{CommentStyle, StringStyle};
use crate::syntax::ast::{BinaryOp, StringKind};
use crate::syntax::parser::text::unescape;
use crate::syntax::token::TokenKind;

/// At most so many blank lines together.
pub struct BlankLines(pub usize);

impl Pass for BlankLines {
    fn fodder(&mut self, fodder: &mut Fodder) {
        for element in fodder.iter_mut().filter(|element| element.breaks()) {
            element.blanks = element.blanks.min(self.0);
        }
    }
}

/// `((e))` becomes `(e)`.
pub struct Parens;

impl Pass for Parens {
    fn node(&mut self, node: &mut Node) {
        let Kind::Parens { inner, close } = &mut node.kind else {
            return;
        };
        if !matches!(inner.kind, Kind::Parens { .. }) {
            return;
        }
        move_front(&mut node.fodder, &mut inner.fodder);
        if let Kind::Parens {
            inner: innermost,
            close: mut inner_close,
        } = inner.take_kind()
        {
            move_front(close, &mut inner_close);
            *inner = innermost;
        }
    }
}

/// `e + { … }` becomes `e { … }` where `e` is a variable or a field.
pub struct ImplicitPlus;

impl Pass for ImplicitPlus {
    fn node(&mut self, node: &mut Node) {
        let Kind::Binary {
            left,
            op: BinaryOp::Add,
            right,
            ..
        } = &node.kind
        else {
            return;
        };
        let named = matches!(
            left.kind,
            Kind::Var(_) | Kind::Field { .. } | Kind::Index { .. }
        );
        let object = matches!(&right.kind, Kind::Object(object) if object.specs.is_empty());
        if !named || !object {
            return;
        }
        if let Kind::Binary {
            left,
            mut before_op,
            mut right,
            ..
        } = node.take_kind()
        {
            move_front(&mut right.fodder, &mut before_op);
            node.kind = Kind::ApplyBrace { left, right };
        }
    }
}

/// `e { … }` becomes `e + { … }`, in brackets where another operator would
/// take it apart.
pub struct ExplicitPlus;

impl Pass for ExplicitPlus {
    fn node(&mut self, node: &mut Node) {
        add_plus(node);
        match &mut node.kind {
            Kind::Apply { target: inner, .. }
            | Kind::Field { target: inner, .. }
            | Kind::Index { target: inner, .. }
            | Kind::Unary { operand: inner, .. } => bracket(inner),
            Kind::Binary {
                left, op, right, ..
            } => {
                let tight = matches!(op, BinaryOp::Mul | BinaryOp::Div | BinaryOp::Percent);
                if tight {
                    bracket(left);
                }
                if tight || matches!(op, BinaryOp::Add | BinaryOp::Sub) {
                    bracket(right);
                }
            }
            _ => {}
        }
    }
}

/// Whether it was an object application.
fn add_plus(node: &mut Node) -> bool {
    if !matches!(node.kind, Kind::ApplyBrace { .. }) {
        return false;
    }
    if let Kind::ApplyBrace { left, right } = node.take_kind() {
        node.kind = Kind::Binary {
            left,
            before_op: Vec::new(),
            op: BinaryOp::Add,
            right,
        };
    }
    true
}

fn bracket(node: &mut Node) {
    if add_plus(node) {
        let inner = Box::new(node.take());
        node.kind = Kind::Parens {
            inner,
            close: Vec::new(),
        };
    }
}

/// Keeps what stands before a second colon that is not written.
pub struct SliceColons;

impl Pass for SliceColons {
    fn node(&mut self, node: &mut Node) {
        if let Kind::Slice(slice) = &mut node.kind
            && slice.bounds[2].is_none()
        {
            move_front(&mut slice.right, &mut slice.colons[1]);
        }
    }
}

/// `e['name']` becomes `e.name`, `['name']:` and `'name':` become `name:`.
pub struct FieldNames;

/// The text of a string that could be written as an identifier.
fn identifier(node: &Node) -> Option<&str> {
    let Kind::Str(Str { value, .. }) = &node.kind else {
        return None;
    };
    let first = value.bytes().next()?;
    let name = value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let keyword = TokenKind::of_name(value.as_bytes()) != TokenKind::Identifier;
    (name && !first.is_ascii_digit() && !keyword).then_some(value)
}

impl Pass for FieldNames {
    fn node(&mut self, node: &mut Node) {
        let Kind::Index { index, .. } = &node.kind else {
            return;
        };
        let Some(name) = identifier(index).map(str::to_owned) else {
            return;
        };
        if let Kind::Index {
            target,
            left: dot,
            index,
            ..
        } = node.take_kind()
        {
            node.kind = Kind::Field {
                target,
                dot,
                before_name: index.fodder,
                name,
            };
        }
    }

    fn field(&mut self, field: &mut Field) {
        if let Name::Expr(left, expr, right) = &mut field.name
            && matches!(expr.kind, Kind::Str(_))
        {
            move_front(&mut expr.fodder, left);
            let next = match &mut field.params {
                Some(params) => &mut params.left,
                None => &mut field.before_op,
            };
            move_front(next, right);
            field.name = Name::Str(expr.take());
        }
        if let Name::Str(literal) = &mut field.name
            && let Some(name) = identifier(literal).map(str::to_owned)
        {
            field.name = Name::Ident(std::mem::take(&mut literal.fodder), name);
        }
    }
}

/// Strings in the quotes asked for, unless that would need more escapes.
pub struct Strings(pub StringStyle);

impl Pass for Strings {
    fn node(&mut self, node: &mut Node) {
        let Kind::Str(literal) = &mut node.kind else {
            return;
        };
        if !matches!(literal.kind, StringKind::Single | StringKind::Double) {
            return;
        }
        let mut value = String::new();
        if unescape(&literal.value, &mut value).is_err() {
            return;
        }
        let single = match (value.contains('\''), value.contains('"')) {
            (true, true) => return,
            (true, false) => false,
            (false, true) => true,
            (false, false) => self.0 == StringStyle::Single,
        };
        literal.value = escape(&value, single);
        literal.kind = if single {
            StringKind::Single
        } else {
            StringKind::Double
        };
    }
}

/// What stands for a text between plain quotes.
fn escape(value: &str, single: bool) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        let short = match c {
            '"' if !single => '"',
            '\'' if single => '\'',
            '\\' => '\\',
            '\x08' => 'b',
            '\x0C' => 'f',
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            '\0'..='\x1F' | '\x7F'..='\u{9F}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c)); // Strings take any text.
                continue;
            }
            _ => {
                out.push(c);
                continue;
            }
        };
        out.push('\\');
        out.push(short);
    }
    out
}

/// Comments that begin as asked for, but for a `#!` at the very start.
pub struct Comments {
    pub style: CommentStyle,
    /// Whether something came before.
    pub inside: bool,
}

impl Comments {
    fn element(&mut self, element: &mut Element) {
        let inside = std::mem::replace(&mut self.inside, true);
        let [comment] = &mut element.comment[..] else {
            return;
        };
        match self.style {
            CommentStyle::Hash if comment.starts_with('/') => {
                comment.replace_range(..2, "#");
            }
            CommentStyle::Slash if comment.starts_with('#') => {
                if !inside && comment.starts_with("#!") {
                    self.inside = false;
                    return;
                }
                comment.replace_range(..1, "//");
            }
            _ => {}
        }
    }
}

impl Pass for Comments {
    fn fodder(&mut self, fodder: &mut Fodder) {
        let lines = fodder
            .iter_mut()
            .filter(|e| e.kind != FodderKind::Interstitial);
        lines.for_each(|element| self.element(element));
    }
}
