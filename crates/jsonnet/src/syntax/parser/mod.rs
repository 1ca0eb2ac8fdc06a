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

mod expr;
mod list;
mod object;
pub(crate) mod text;

use std::sync::Arc;

use super::ast::{Arg, Ast, Bind, ExprId, Ident, List, Member, NameRef, Param, Spec, Text};
use super::error::StaticError;
use super::lexer::Lexer;
use super::names::Names;
use super::source::{MAX_SOURCE, Source, Span};
use super::token::{Token, TokenKind};

type Parsed<T> = Result<T, StaticError>;

/// Free stack below which a larger one is made, and its size.
pub(crate) const RED_ZONE: usize = 64 << 10;
pub(crate) const STACK_CHUNK: usize = 1 << 20;

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
        Self {
            lexer: Lexer::new(source),
            next: Token::none(),
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
        while self.next.kind != TokenKind::EndOfFile {
            if let Err(first) = self.lexer.next_token(&mut self.next) {
                return first;
            }
        }
        error
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
        if let Err(error) = self.lexer.next_token(&mut self.next) {
            self.lexer_failed = true;
            return Err(error);
        }
        if let Some(tokens) = &mut self.tokens {
            tokens.push(self.next);
        }
        Ok(())
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
        if self.take(TokenKind::Assign)? {
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
            ident: self.intern(token.text()),
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
}

/// Moves what is above `height` to the tree's vector of its kind.
#[inline]
fn move_list<T: Copy>(pending: &mut Vec<T>, height: usize, to: &mut Vec<T>) -> List<T> {
    let list = List::new(to.len(), pending.len() - height);
    to.extend_from_slice(&pending[height..]);
    pending.truncate(height);
    list
}
