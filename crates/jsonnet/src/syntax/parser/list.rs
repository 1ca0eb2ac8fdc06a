//! Arguments, parameters, arrays and comprehensions.

use super::{Parsed, Parser, move_list};
use crate::syntax::ast::{Arg, Expr, ExprId, List, NameRef, Param, Spec};
use crate::syntax::source::Span;
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// `(args)`, perhaps with `tailstrict`, after what is called.
    pub(super) fn call(&mut self, callee: ExprId, begin: Span) -> Parsed<ExprId> {
        self.advance()?;
        let height = self.pending.args.len();
        let (mut comma, mut named) = (true, false);
        while !self.at(TokenKind::ParenR) {
            if !comma {
                return Err(self.missing_comma("function argument"));
            }
            let first = self.next.span;
            let arg = self.arg()?;
            comma = self.take(TokenKind::Comma)?;
            if named && arg.name.is_none() {
                let message = "Positional argument after a named argument is not allowed";
                return Err(self.error(first, message));
            }
            named = arg.name.is_some();
            self.pending.args.push(arg);
        }
        let span = begin.to(self.pop()?.span);
        let tailstrict = self.take(TokenKind::TailStrict)?;
        let args = move_list(&mut self.pending.args, height, &mut self.ast.args);
        Ok(self.ast.push(
            Expr::Call {
                callee,
                args,
                tailstrict,
            },
            span,
        ))
    }

    /// `value` or `name = value`
    fn arg(&mut self) -> Parsed<Arg> {
        if !self.at(TokenKind::Identifier) {
            return Ok(Arg {
                name: None,
                value: self.expr()?,
            });
        }
        let token = self.pop()?;
        let name = NameRef {
            ident: self.intern(token.text()),
            start: token.span.start,
        };
        if self.take(TokenKind::Assign)? {
            return Ok(Arg {
                name: Some(name),
                value: self.expr()?,
            });
        }
        // It was a variable: go on behind it.
        let variable = self.ast.push(Expr::Var(name.ident), token.span);
        let value = self.expr_after(variable, token.span)?;
        Ok(Arg { name: None, value })
    }

    /// `(params)`
    pub(super) fn params(&mut self, what: &str) -> Parsed<List<Param>> {
        self.advance()?;
        let height = self.pending.params.len();
        let mut comma = true;
        while !self.at(TokenKind::ParenR) {
            if !comma {
                return Err(self.missing_comma(what));
            }
            if !self.at(TokenKind::Identifier) {
                let error = self.expected(TokenKind::Identifier);
                return Err(error.while_("parsing parameter"));
            }
            let name = self.name()?;
            let has_default = self.take(TokenKind::Assign)?;
            let default = if has_default {
                Some(self.expr()?)
            } else {
                None
            };
            self.pending.params.push(Param { name, default });
            comma = self.take(TokenKind::Comma)?;
        }
        self.advance()?;
        Ok(move_list(
            &mut self.pending.params,
            height,
            &mut self.ast.params,
        ))
    }

    #[cold]
    fn missing_comma(&self, what: &str) -> crate::syntax::error::StaticError {
        let got = self.describe(&self.next);
        self.error(
            self.next.span,
            format!("Expected a comma before next {what}, got {got}"),
        )
    }

    /// The rest of an array or array comprehension, after `[`.
    pub(super) fn array(&mut self, begin: Span) -> Parsed<ExprId> {
        let height = self.pending.items.len();
        let mut comma = true;
        while !self.at(TokenKind::BracketR) {
            if !comma {
                return Err(
                    self.error(self.next.span, "Expected a comma before next array element")
                );
            }
            let item = self.expr()?;
            comma = self.take(TokenKind::Comma)?;
            if self.at(TokenKind::For) && self.pending.items.len() == height {
                let (specs, end) = self.specs(TokenKind::BracketR)?;
                return Ok(self
                    .ast
                    .push(Expr::ArrayComp { body: item, specs }, begin.to(end)));
            }
            self.pending.items.push(item);
        }
        let span = begin.to(self.pop()?.span);
        let items = move_list(&mut self.pending.items, height, &mut self.ast.items);
        Ok(self.ast.push(Expr::Array(items), span))
    }

    /// `for x in xs if c …` up to the closing bracket, whose span is returned.
    pub(super) fn specs(&mut self, close: TokenKind) -> Parsed<(List<Spec>, Span)> {
        let height = self.pending.specs.len();
        self.advance()?;
        let end = loop {
            let name = self.name()?;
            self.expect(TokenKind::In)?;
            let iter = self.expr()?;
            self.pending.specs.push(Spec::For { name, iter });
            while self.take(TokenKind::If)? {
                let cond = self.expr()?;
                self.pending.specs.push(Spec::If(cond));
            }
            if self.at(close) {
                break self.pop()?.span;
            }
            if !self.take(TokenKind::For)? {
                let (close, got) = (close.name(), self.describe(&self.next));
                let message = format!("Expected for, if or {close} after for clause, got: {got}");
                return Err(self.error(self.next.span, message));
            }
        };
        let specs = move_list(&mut self.pending.specs, height, &mut self.ast.specs);
        Ok((specs, end))
    }
}
