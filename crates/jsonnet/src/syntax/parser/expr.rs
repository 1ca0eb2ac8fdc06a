//! Expressions, operators and binds.

use super::{Parsed, Parser, RED_ZONE, STACK_CHUNK, move_list, text};
use crate::syntax::ast::{
    BinaryOp, Bind, Expr, ExprId, ImportKind, NameRef, SliceBounds, SliceId, StringKind, UnaryOp,
};
use crate::syntax::source::Span;
use crate::syntax::token::TokenKind;

/// Loosest level of precedence: whole expressions.
const WHOLE: u8 = 16;
/// Level of operators before an operand.
const UNARY: u8 = 4;
/// Level of `<`, `in` and their like.
const COMPARISON: u8 = 8;

impl Parser<'_> {
    /// A whole expression.
    #[inline]
    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        self.expr_within(WHOLE)
    }

    /// An expression whose operators bind at least as tight as `level`.
    fn expr_within(&mut self, level: u8) -> Parsed<ExprId> {
        stacker::maybe_grow(RED_ZONE, STACK_CHUNK, || {
            let begin = self.next.span;
            let first = match self.next.kind {
                TokenKind::Assert => return self.assert(),
                TokenKind::Error => return self.error_expr(),
                TokenKind::If => return self.conditional(),
                TokenKind::Function => return self.function(),
                TokenKind::Import => return self.import(ImportKind::Code),
                TokenKind::ImportStr => return self.import(ImportKind::Str),
                TokenKind::ImportBin => return self.import(ImportKind::Bin),
                TokenKind::Local => return self.local(),
                kind if kind.is_operator() => self.unary()?,
                _ => {
                    let first = self.terminal()?;
                    self.postfixes(first, begin)?
                }
            };
            self.binaries(first, begin, level)
        })
    }

    /// A whole expression whose first operand has been taken.
    pub(super) fn expr_after(&mut self, first: ExprId, begin: Span) -> Parsed<ExprId> {
        stacker::maybe_grow(RED_ZONE, STACK_CHUNK, || {
            let first = self.postfixes(first, begin)?;
            self.binaries(first, begin, WHOLE)
        })
    }

    /// `op operand`
    fn unary(&mut self) -> Parsed<ExprId> {
        let op = match self.next.kind {
            TokenKind::Not => UnaryOp::Not,
            TokenKind::BitNot => UnaryOp::BitNot,
            TokenKind::Plus => UnaryOp::Plus,
            TokenKind::Minus => UnaryOp::Minus,
            _ => {
                let data = self.data();
                return Err(self.error(self.next.span, format!("Not a unary operator: {data}")));
            }
        };
        let begin = self.pop()?.span;
        let operand = self.expr_within(UNARY)?;
        let span = begin.to(self.ast.span(operand));
        Ok(self.ast.push(Expr::Unary { op, operand }, span))
    }

    /// The text of the next token, for a message.
    #[cold]
    pub(super) fn data(&self) -> String {
        self.next.data(self.lexer.source, &self.lexer.decoded)
    }

    /// The operators that follow an operand.
    #[inline]
    fn binaries(&mut self, mut left: ExprId, begin: Span, level: u8) -> Parsed<ExprId> {
        // After an operator of a level, only looser ones can follow: what
        // binds tighter belongs to its right operand, or to nobody, as in
        // `x in super * 2`.
        let mut tightest = UNARY;
        loop {
            let Some(op) = self.next.kind.binary() else {
                return match self.next.kind {
                    TokenKind::Colon | TokenKind::TwoColons => Ok(left),
                    kind if kind.is_operator() => {
                        let message = format!("Not a binary operator: {}", self.data());
                        Err(self.error(self.next.span, message))
                    }
                    _ => Ok(left),
                };
            };
            let own = precedence(op);
            if own > level || own < tightest {
                return Ok(left);
            }
            tightest = own;
            self.advance()?;
            left = if op == BinaryOp::In && self.at(TokenKind::Super) {
                let last = self.pop()?.span;
                self.ast.push(Expr::InSuper(left), begin.to(last))
            } else {
                let right = self.expr_within(own - 1)?;
                let span = begin.to(self.ast.span(right));
                self.ast.push(Expr::Binary { op, left, right }, span)
            };
        }
    }

    /// The fields, indices, calls and objects that follow an operand.
    #[inline]
    fn postfixes(&mut self, mut left: ExprId, begin: Span) -> Parsed<ExprId> {
        loop {
            left = match self.next.kind {
                TokenKind::Dot => {
                    self.advance()?;
                    let name = self.name()?;
                    let span = begin.to(self.ast.name_span(name));
                    self.ast.push(Expr::Field { target: left, name }, span)
                }
                TokenKind::ParenL => self.call(left, begin)?,
                TokenKind::BracketL => self.index(left, begin)?,
                TokenKind::BraceL => {
                    let brace = self.pop()?;
                    let object = self.object(brace.span)?;
                    let span = begin.to(self.ast.span(object));
                    self.ast.push(Expr::ApplyBrace { left, object }, span)
                }
                _ => return Ok(left),
            };
        }
    }

    /// `[index]` or `[start:end:step]`
    fn index(&mut self, target: ExprId, begin: Span) -> Parsed<ExprId> {
        self.advance()?;
        let mut bounds = [None; 3];
        let (mut colons, mut ready) = (0, true);
        let end = loop {
            if self.at(TokenKind::BracketR) {
                break self.pop()?.span;
            }
            if let Some(more) = self.slice_colons() {
                let last = self.pop()?.span;
                colons += more;
                ready = true;
                if colons > 2 {
                    return Err(self.error(last, "Invalid slice: too many colons"));
                }
            } else if ready {
                bounds[colons] = Some(self.expr()?);
                ready = false;
            } else {
                return Err(self.expected(TokenKind::BracketR));
            }
        };
        let span = begin.to(end);
        let [start, end_bound, step] = bounds;
        if colons > 0 {
            let id = SliceId(self.ast.slices.len() as u32);
            self.ast.slices.push(SliceBounds {
                start,
                end: end_bound,
                step,
            });
            return Ok(self.ast.push(Expr::Slice { target, bounds: id }, span));
        }
        let Some(index) = start else {
            return Err(self.error(end, "ast.Index requires an expression"));
        };
        Ok(self.ast.push(Expr::Index { target, index }, span))
    }

    /// The number of colons that the next token is in a slice. The reference
    /// implementations go by its text alone, so that a string can be one.
    #[inline]
    fn slice_colons(&self) -> Option<usize> {
        match self.next.kind {
            TokenKind::Colon => Some(1),
            TokenKind::TwoColons => Some(2),
            kind if kind.is_string() => {
                let text = self.next.text();
                let from = if text.decoded {
                    &self.lexer.decoded
                } else {
                    self.lexer.source.text()
                };
                match &from[text.range()] {
                    ":" => Some(1),
                    "::" => Some(2),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What is no operator and has no end of its own.
    fn terminal(&mut self) -> Parsed<ExprId> {
        let token = self.pop()?;
        let expr = match token.kind {
            TokenKind::Identifier => Expr::Var(self.intern(token.text())),
            TokenKind::Number => {
                Expr::Number(text::number_value(self.lexer.source.slice(token.span)))
            }
            TokenKind::True => Expr::Bool(true),
            TokenKind::False => Expr::Bool(false),
            TokenKind::Null => Expr::Null,
            TokenKind::SelfRef => Expr::SelfRef,
            TokenKind::Dollar => Expr::Dollar,
            TokenKind::BraceL => return self.object(token.span),
            TokenKind::BracketL => return self.array(token.span),
            TokenKind::ParenL => {
                let inner = self.expr()?;
                let end = self.expect(TokenKind::ParenR)?.span;
                return Ok(self.ast.push(Expr::Paren(inner), token.span.to(end)));
            }
            TokenKind::Super => return self.super_index(token.span),
            TokenKind::EndOfFile => return Err(self.error(token.span, "Unexpected end of file")),
            kind if kind.is_string() => return self.string_literal(&token),
            _ => return Err(self.unexpected(&token, "parsing terminal")),
        };
        Ok(self.ast.push(expr, token.span))
    }

    /// `super.name` or `super[index]`
    fn super_index(&mut self, span: Span) -> Parsed<ExprId> {
        let expr = match self.pop()?.kind {
            TokenKind::Dot => Expr::SuperField(self.name()?),
            TokenKind::BracketL => {
                let index = self.expr()?;
                self.expect(TokenKind::BracketR)?;
                Expr::SuperIndex(index)
            }
            _ => return Err(self.error(span, "Expected . or [ after super")),
        };
        Ok(self.ast.push(expr, span))
    }

    /// `assert cond : message; rest`
    fn assert(&mut self) -> Parsed<ExprId> {
        let begin = self.pop()?.span;
        let (cond, message) = self.condition_and_message()?;
        self.expect(TokenKind::Semicolon)?;
        let rest = self.expr()?;
        let span = begin.to(self.ast.span(rest));
        Ok(self.ast.push(
            Expr::Assert {
                cond,
                message,
                rest,
            },
            span,
        ))
    }

    /// What follows `assert`.
    pub(super) fn condition_and_message(&mut self) -> Parsed<(ExprId, Option<ExprId>)> {
        let cond = self.expr()?;
        let colon = TokenKind::Colon;
        let message = if self.take(colon)? {
            Some(self.expr()?)
        } else {
            None
        };
        Ok((cond, message))
    }

    /// `error message`
    fn error_expr(&mut self) -> Parsed<ExprId> {
        let begin = self.pop()?.span;
        let message = self.expr()?;
        let span = begin.to(self.ast.span(message));
        Ok(self.ast.push(Expr::Error(message), span))
    }

    /// `if cond then yes else no`
    fn conditional(&mut self) -> Parsed<ExprId> {
        let begin = self.pop()?.span;
        let cond = self.expr()?;
        self.expect(TokenKind::Then)?;
        let yes = self.expr()?;
        let no = if self.take(TokenKind::Else)? {
            Some(self.expr()?)
        } else {
            None
        };
        let span = begin.to(self.ast.span(no.unwrap_or(yes)));
        Ok(self.ast.push(Expr::If { cond, yes, no }, span))
    }

    /// `function(params) body`
    fn function(&mut self) -> Parsed<ExprId> {
        let begin = self.pop()?.span;
        if !self.at(TokenKind::ParenL) {
            let got = self.describe(&self.next);
            return Err(self.error(self.next.span, format!("Expected ( but got {got}")));
        }
        let params = self.params("function parameter")?;
        let body = self.expr()?;
        let span = begin.to(self.ast.span(body));
        Ok(self.ast.push(Expr::Function { params, body }, span))
    }

    /// `import "path"`
    fn import(&mut self, kind: ImportKind) -> Parsed<ExprId> {
        let begin = self.pop()?.span;
        let path = self.expr()?;
        let span = self.ast.span(path);
        match self.ast.expr(path) {
            Expr::String {
                kind: StringKind::Block,
                ..
            } => Err(self.error(span, "Block string literals not allowed in imports")),
            Expr::String { .. } => Ok(self.ast.push(Expr::Import { kind, path }, begin.to(span))),
            _ => Err(self.error(span, "Computed imports are not allowed")),
        }
    }

    /// `local binds; body`
    fn local(&mut self) -> Parsed<ExprId> {
        let begin = self.pop()?.span;
        let height = self.pending.binds.len();
        let (scope, undo) = self.locals.open();
        loop {
            let bind = self.bind(scope)?;
            self.pending.binds.push(bind);
            match self.next.kind {
                TokenKind::Comma => self.advance()?,
                TokenKind::Semicolon => break,
                _ => {
                    let got = self.describe(&self.next);
                    return Err(
                        self.error(self.next.span, format!("Expected , or ; but got {got}"))
                    );
                }
            }
        }
        self.advance()?;
        self.locals.close(undo);
        let binds = move_list(&mut self.pending.binds, height, &mut self.ast.binds);
        let body = self.expr()?;
        let span = begin.to(self.ast.span(body));
        Ok(self.ast.push(Expr::Local { binds, body }, span))
    }

    /// `name = body` or `name(params) = body`
    pub(super) fn bind(&mut self, scope: u32) -> Parsed<Bind> {
        let name = self.name()?;
        if !self.locals.add(scope, name.ident) {
            let message = format!("Duplicate local var: {}", self.name_text(name));
            return Err(self.error(self.ast.name_span(name), message));
        }
        let params = match self.next.kind {
            TokenKind::ParenL => Some(self.params("function parameter")?),
            _ => None,
        };
        self.expect_assign()?;
        let body = self.expr()?;
        Ok(Bind { name, params, body })
    }

    /// A name's text, for a message.
    fn name_text(&self, name: NameRef) -> &str {
        self.lexer.source.slice(self.ast.name_span(name))
    }
}

/// How loose an operator binds.
fn precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Percent => 5,
        BinaryOp::Add | BinaryOp::Sub => 6,
        BinaryOp::Shl | BinaryOp::Shr => 7,
        BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Lt | BinaryOp::Le | BinaryOp::In => COMPARISON,
        BinaryOp::Eq | BinaryOp::Ne => 9,
        BinaryOp::BitAnd => 10,
        BinaryOp::BitXor => 11,
        BinaryOp::BitOr => 12,
        BinaryOp::And => 13,
        BinaryOp::Or => 14,
    }
}
