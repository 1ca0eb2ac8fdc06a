//! Objects and object comprehensions.

use super::{Parsed, Parser, move_list};
use crate::syntax::ast::{
    Expr, ExprId, Field, FieldName, Ident, Member, ObjectComp, ObjectCompId, Visibility,
};
use crate::syntax::source::Span;
use crate::syntax::token::{Token, TokenKind};

/// The scopes of an object: of its field names and of its locals.
#[derive(Clone, Copy)]
struct Scopes {
    fields: u32,
    locals: u32,
}

impl Parser<'_> {
    /// The rest of an object, after `{`.
    pub(super) fn object(&mut self, begin: Span) -> Parsed<ExprId> {
        let height = self.pending.members.len();
        let (fields, undo_fields) = self.fields.open();
        let (locals, undo_locals) = self.locals.open();
        let mut comma = true;
        let comprehension = loop {
            match self.next.kind {
                TokenKind::BraceR => break false,
                TokenKind::For => break true,
                _ if !comma => {
                    return Err(self.error(self.next.span, "Expected a comma before next field"));
                }
                _ => {}
            }
            let member = self.member(Scopes { fields, locals })?;
            self.pending.members.push(member);
            comma = self.take(TokenKind::Comma)?;
        };
        self.fields.close(undo_fields);
        self.locals.close(undo_locals);
        if comprehension {
            return self.object_comp(begin, height);
        }
        let span = begin.to(self.pop()?.span);
        let members = move_list(&mut self.pending.members, height, &mut self.ast.members);
        Ok(self.ast.push(Expr::Object(members), span))
    }

    /// The rest of an object comprehension, from its first `for` on.
    fn object_comp(&mut self, begin: Span, height: usize) -> Parsed<ExprId> {
        if let Some(message) = comprehension_error(&self.pending.members[height..]) {
            return Err(self.error(self.next.span, message));
        }
        let members = move_list(&mut self.pending.members, height, &mut self.ast.members);
        let (specs, end) = self.specs(TokenKind::BraceR)?;
        let id = ObjectCompId(self.ast.object_comps.len() as u32);
        self.ast.object_comps.push(ObjectComp { members, specs });
        Ok(self.ast.push(Expr::ObjectComp(id), begin.to(end)))
    }

    fn member(&mut self, scopes: Scopes) -> Parsed<Member> {
        match self.next.kind {
            TokenKind::Identifier | TokenKind::BracketL => self.field(scopes),
            kind if kind.is_string() => self.field(scopes),
            TokenKind::Local => {
                self.advance()?;
                self.bind(scopes.locals).map(Member::Local)
            }
            TokenKind::Assert => {
                let begin = self.pop()?.span;
                let (cond, message) = self.condition_and_message()?;
                let span = begin.to(self.ast.span(message.unwrap_or(cond)));
                Ok(Member::Assert {
                    cond,
                    message,
                    span,
                })
            }
            _ => Err(self.unexpected(&self.next, "parsing field definition")),
        }
    }

    /// A field or method.
    fn field(&mut self, scopes: Scopes) -> Parsed<Member> {
        let first = self.pop()?;
        let (name, spelled) = self.field_name(&first)?;
        let params = match self.next.kind {
            TokenKind::ParenL => Some(self.params("method parameter")?),
            _ => None,
        };
        let (plus, visibility) = self.field_operator()?;
        if plus && params.is_some() {
            let data = first.data(self.lexer.source, &self.lexer.decoded);
            let message = format!("Cannot use +: syntax sugar in a method: {data}");
            return Err(self.error(first.span, message));
        }
        if let Some(spelled) = spelled
            && !self.fields.add(scopes.fields, spelled)
        {
            let data = first.data(self.lexer.source, &self.lexer.decoded);
            return Err(self.error(first.span, format!("Duplicate field: {data}")));
        }
        let body = self.expr()?;
        let start = first.span.start;
        Ok(Member::Field(Field {
            name,
            visibility,
            plus,
            params,
            body,
            start,
        }))
    }

    /// The name that begins with `first`, and as which it is compared with the
    /// object's other names: strings as spelled, escapes and all.
    #[inline]
    fn field_name(&mut self, first: &Token) -> Parsed<(FieldName, Option<Ident>)> {
        match first.kind {
            TokenKind::Identifier => {
                let ident = self.intern(first.text());
                Ok((FieldName::Ident(ident), Some(ident)))
            }
            TokenKind::BracketL => {
                let name = self.expr()?;
                self.expect(TokenKind::BracketR)?;
                Ok((FieldName::Expr(name), None))
            }
            _ => {
                let spelled = self.intern(first.text());
                let ident = if first.escaped() {
                    let text = self.unescape(first)?;
                    self.intern(text)
                } else {
                    spelled
                };
                Ok((FieldName::String { ident }, Some(spelled)))
            }
        }
    }

    /// `:` and its sisters.
    #[inline]
    fn field_operator(&mut self) -> Parsed<(bool, Visibility)> {
        let operator = match self.next.kind {
            TokenKind::Colon => (false, Visibility::Inherit),
            TokenKind::TwoColons => (false, Visibility::Hidden),
            TokenKind::ThreeColons => (false, Visibility::Forced),
            TokenKind::PlusColon => (true, Visibility::Inherit),
            TokenKind::PlusTwoColons => (true, Visibility::Hidden),
            TokenKind::PlusThreeColons => (true, Visibility::Forced),
            kind if kind.is_operator() => {
                let data = self.data();
                let message = format!("Expected one of :, ::, :::, +:, +::, +:::, got: {data}");
                return Err(self.error(self.next.span, message));
            }
            // Which operator is expected does not matter to the message.
            _ => return Err(self.expected(TokenKind::OtherOperator)),
        };
        self.advance()?;
        Ok(operator)
    }
}

/// Why these cannot be the members of an object comprehension.
fn comprehension_error(members: &[Member]) -> Option<&'static str> {
    let mut field = None;
    let mut fields = 0;
    for member in members {
        match member {
            Member::Local(_) => {}
            Member::Assert { .. } => return Some("Object comprehension cannot have asserts"),
            Member::Field(last) => {
                field = Some(last);
                fields += 1;
            }
        }
    }
    let Some(field) = field.filter(|_| fields == 1) else {
        return Some("Object comprehension can only have one field");
    };
    if field.visibility != Visibility::Inherit {
        return Some("Object comprehensions cannot have hidden fields");
    }
    if !matches!(field.name, FieldName::Expr(_)) {
        return Some("Object comprehensions can only have [e] fields");
    }
    None
}
