//! Tokens to the syntax tree: recursive descent, with the precedence of
//! operators climbed in a loop.
//!
//! A program that the lexer rejects anywhere is rejected with the lexer's
//! message, even if its earlier part does not parse: so a parse error is only
//! reported after the rest was lexed.
//!
//! Nested syntax recurses, on a stack that grows when it runs out. Lists are
//! gathered on stacks shared by all levels and copied out when complete, so no
//! list costs an allocation of its own.

mod list;
mod object;
pub(crate) mod text;

use std::sync::Arc;

use super::ast::{
    Arg, Ast, BinaryOp, Bind, Expr, ExprId, Ident, ImportKind, List, Member, NameRef, Param,
    SliceBounds, SliceId, Spec, StringKind, Text, UnaryOp,
};
use super::error::StaticError;
use super::lexer::Lexer;
use super::names::Names;
use super::source::{MAX_SOURCE, Source, Span};
use super::token::{Op, Token, TokenKind};

type Parsed<T> = Result<T, StaticError>;

/// Free stack below which a larger one is made, and its size.
const RED_ZONE: usize = 64 << 10;
const STACK_CHUNK: usize = 1 << 20;

/// Loosest level of precedence: whole expressions.
const WHOLE: u8 = 16;
/// Level of operators before an operand.
const UNARY: u8 = 4;
/// Level of `<`, `in` and their like.
const COMPARISON: u8 = 8;

/// Parses a file.
///
/// # Errors
/// If it is no program; see [`StaticError`].
pub fn parse(source: &Arc<Source>) -> Result<Ast, StaticError> {
    parse_into(source, None).map(|(ast, _)| ast)
}

/// Parses a file and keeps all its tokens, the end of the file included.
///
/// # Errors
/// If it is no program.
pub fn parse_with_tokens(source: &Arc<Source>) -> Result<(Ast, Vec<Token>), StaticError> {
    parse_into(source, Some(Vec::new()))
}

fn parse_into(
    source: &Arc<Source>,
    tokens: Option<Vec<Token>>,
) -> Result<(Ast, Vec<Token>), StaticError> {
    if source.text().len() > MAX_SOURCE {
        return Err(StaticError::new(
            source,
            Span::default(),
            "File is too large",
        ));
    }
    let mut parser = Parser::new(source, tokens);
    let error = match parser.file() {
        Ok(root) => {
            parser.ast.root = Some(root);
            parser.ast.decoded = parser.lexer.decoded;
            return Ok((parser.ast, parser.tokens.unwrap_or_default()));
        }
        Err(error) => parser.outranked(error),
    };
    if !parser.lexer.kept_longer {
        return Err(error);
    }
    // The message is that of an implementation with other operators.
    let mut parser = Parser::new(source, None);
    parser.lexer.one_symbol = true;
    match parser.file() {
        Ok(_) => Err(error),
        Err(error) => Err(parser.outranked(error)),
    }
}

/// Lists that are being gathered; each level keeps to what is above the height
/// it found.
#[derive(Default)]
struct Pending {
    items: Vec<ExprId>,
    args: Vec<Arg>,
    params: Vec<Param>,
    binds: Vec<Bind>,
    members: Vec<Member>,
    specs: Vec<Spec>,
}

/// Finds names given twice in one object or one `local`: for each name the
/// scope that had it last, with what to put back when the scope ends.
#[derive(Default)]
struct Duplicates {
    last: Vec<u32>,
    undo: Vec<(Ident, u32)>,
    scopes: u32,
}

impl Duplicates {
    /// Opens a scope: its number, and how far to undo at its end.
    #[inline]
    fn open(&mut self) -> (u32, usize) {
        self.scopes += 1;
        (self.scopes, self.undo.len())
    }

    /// Adds a name; whether it is new in the scope.
    #[inline]
    fn add(&mut self, scope: u32, ident: Ident) -> bool {
        let at = ident.0 as usize;
        if at >= self.last.len() {
            self.last.resize(at + 1 + at / 2, 0);
        }
        if self.last[at] == scope {
            return false;
        }
        self.undo.push((ident, self.last[at]));
        self.last[at] = scope;
        true
    }

    #[inline]
    fn close(&mut self, height: usize) {
        for (ident, scope) in self.undo.drain(height..).rev() {
            self.last[ident.0 as usize] = scope;
        }
    }
}

/// The state of parsing one file.
struct Parser<'s> {
    lexer: Lexer<'s>,
    /// The token that comes next.
    next: Token,
    lexer_failed: bool,
    /// All tokens so far, if they are wanted.
    tokens: Option<Vec<Token>>,
    ast: Ast,
    names: Names,
    pending: Pending,
    fields: Duplicates,
    locals: Duplicates,
}

impl<'s> Parser<'s> {
    fn new(source: &'s Arc<Source>, tokens: Option<Vec<Token>>) -> Self {
        let nowhere = Text {
            start: 0,
            end: 0,
            decoded: false,
        };
        Self {
            lexer: Lexer::new(source),
            next: Token {
                kind: TokenKind::EndOfFile,
                escaped: false,
                span: Span::default(),
                text: nowhere,
            },
            lexer_failed: false,
            tokens,
            ast: Ast::new(Arc::clone(source)),
            names: Names::new(),
            pending: Pending::default(),
            fields: Duplicates::default(),
            locals: Duplicates::default(),
        }
    }

    /// The lexer's error in the rest of the file, if there is one.
    #[cold]
    fn outranked(&mut self, error: StaticError) -> StaticError {
        if self.lexer_failed {
            return error;
        }
        loop {
            match self.lexer.next_token() {
                Ok(token) if token.kind == TokenKind::EndOfFile => return error,
                Ok(_) => {}
                Err(first) => return first,
            }
        }
    }

    /// The whole file.
    fn file(&mut self) -> Parsed<ExprId> {
        self.advance()?;
        let root = self.expr()?;
        if self.next.kind != TokenKind::EndOfFile {
            let got = self.describe(&self.next);
            return Err(self.error(self.next.span, format!("Did not expect: {got}")));
        }
        Ok(root)
    }

    /// Takes the next token.
    #[inline]
    fn pop(&mut self) -> Parsed<Token> {
        let token = self.next;
        self.advance()?;
        Ok(token)
    }

    #[inline]
    fn advance(&mut self) -> Parsed<()> {
        match self.lexer.next_token() {
            Ok(token) => {
                self.next = token;
                if let Some(tokens) = &mut self.tokens {
                    tokens.push(token);
                }
                Ok(())
            }
            Err(error) => {
                self.lexer_failed = true;
                Err(error)
            }
        }
    }

    /// Whether the next token is of a kind.
    #[inline]
    fn at(&self, kind: TokenKind) -> bool {
        self.next.kind == kind
    }

    /// Takes the next token if it is of a kind.
    #[inline]
    fn take(&mut self, kind: TokenKind) -> Parsed<bool> {
        if self.next.kind != kind {
            return Ok(false);
        }
        self.advance()?;
        Ok(true)
    }

    /// Takes a token that must be of a kind.
    #[inline]
    fn expect(&mut self, kind: TokenKind) -> Parsed<Token> {
        if self.next.kind == kind {
            return self.pop();
        }
        Err(self.expected(kind))
    }

    #[cold]
    fn expected(&self, kind: TokenKind) -> StaticError {
        let got = self.describe(&self.next);
        self.error(
            self.next.span,
            format!("Expected token {} but got {got}", kind.name()),
        )
    }

    /// Takes the `=` that must come.
    fn expect_assign(&mut self) -> Parsed<()> {
        if self.take(TokenKind::Operator(Op::Assign))? {
            return Ok(());
        }
        let got = self.describe(&self.next);
        Err(self.error(self.next.span, format!("Expected operator = but got {got}")))
    }

    /// Takes an identifier.
    #[inline]
    fn name(&mut self) -> Parsed<NameRef> {
        let token = self.expect(TokenKind::Identifier)?;
        Ok(NameRef {
            ident: self.intern(token.text),
            start: token.span.start,
        })
    }

    /// The number of a name.
    #[inline]
    fn intern(&mut self, text: Text) -> Ident {
        let (source, decoded) = (
            self.lexer.source.text().as_bytes(),
            self.lexer.decoded.as_bytes(),
        );
        let lookup = |text: Text| {
            if text.decoded {
                &decoded[text.range()]
            } else {
                &source[text.range()]
            }
        };
        self.names
            .intern(lookup(text), text, &mut self.ast.idents, lookup)
    }

    #[cold]
    fn error(&self, span: Span, message: impl Into<String>) -> StaticError {
        StaticError::new(self.lexer.source, span, message)
    }

    #[cold]
    fn describe(&self, token: &Token) -> String {
        token.describe(self.lexer.source, &self.lexer.decoded)
    }

    #[cold]
    fn unexpected(&self, token: &Token, while_: &str) -> StaticError {
        let got = self.describe(token);
        self.error(token.span, format!("Unexpected: {got} while {while_}"))
    }

    /// A whole expression.
    #[inline]
    fn expr(&mut self) -> Parsed<ExprId> {
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
                TokenKind::Operator(op) => self.unary(op)?,
                _ => {
                    let first = self.terminal()?;
                    self.postfixes(first, begin)?
                }
            };
            self.binaries(first, begin, level)
        })
    }

    /// A whole expression whose first operand has been taken.
    fn expr_after(&mut self, first: ExprId, begin: Span) -> Parsed<ExprId> {
        let first = self.postfixes(first, begin)?;
        self.binaries(first, begin, WHOLE)
    }

    /// `op operand`
    fn unary(&mut self, op: Op) -> Parsed<ExprId> {
        let op = match op {
            Op::Not => UnaryOp::Not,
            Op::BitNot => UnaryOp::BitNot,
            Op::Binary(BinaryOp::Add) => UnaryOp::Plus,
            Op::Binary(BinaryOp::Sub) => UnaryOp::Minus,
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
    fn data(&self) -> String {
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
            let op = match self.next.kind {
                TokenKind::In => BinaryOp::In,
                TokenKind::Operator(Op::Binary(op)) => op,
                TokenKind::Operator(Op::Colons {
                    plus: false,
                    count: 1 | 2,
                }) => return Ok(left),
                TokenKind::Operator(_) => {
                    let data = self.data();
                    let message = format!("Not a binary operator: {data}");
                    return Err(self.error(self.next.span, message));
                }
                _ => return Ok(left),
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
            TokenKind::Operator(Op::Colons {
                plus: false,
                count: count @ 1..=2,
            }) => Some(count as usize),
            kind if kind.is_string() => {
                let text = self.next.text;
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
            TokenKind::Identifier => Expr::Var(self.intern(token.text)),
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
    fn condition_and_message(&mut self) -> Parsed<(ExprId, Option<ExprId>)> {
        let cond = self.expr()?;
        let colon = TokenKind::Operator(Op::Colons {
            plus: false,
            count: 1,
        });
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
    fn bind(&mut self, scope: u32) -> Parsed<Bind> {
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

/// Moves what is above `height` to the tree's vector of its kind.
#[inline]
fn move_list<T: Copy>(pending: &mut Vec<T>, height: usize, to: &mut Vec<T>) -> List<T> {
    let list = List::new(to.len(), pending.len() - height);
    to.extend_from_slice(&pending[height..]);
    pending.truncate(height);
    list
}
