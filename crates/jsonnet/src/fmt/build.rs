//! The formatter's tree from the syntax tree and the tokens.
//!
//! The syntax tree says what comes, the tokens bring the fodder: both are gone
//! through in the order of the source.

use super::fodder::{self, Fodder};
use super::tree::{
    Arg, Args, Array, Bind, Field, Follower, ForSpec, Item, Kind, Member, Name, Node, Object,
    Param, Params, Slice, Str,
};
use crate::syntax::ast::{self, Ast, Expr, ExprId, ImportKind, List, Spec, StringKind};
use crate::syntax::parser::{RED_ZONE, STACK_CHUNK};
use crate::syntax::token::{Token, TokenKind};

/// Makes the tree; the second is what stands before the end of the file.
pub fn build(ast: &Ast, tokens: &[Token]) -> (Node, Fodder) {
    let mut builder = Builder {
        ast,
        tokens,
        at: 0,
        end: 0,
    };
    let root = builder.node(ast.root());
    let last = builder.skip();
    (root, last)
}

struct Builder<'a> {
    ast: &'a Ast,
    tokens: &'a [Token],
    /// The next token.
    at: usize,
    /// Where the one before it ended.
    end: usize,
}

impl Builder<'_> {
    fn peek(&self) -> TokenKind {
        self.tokens
            .get(self.at)
            .map_or(TokenKind::EndOfFile, |token| token.kind)
    }

    /// Takes the next token: what stands before it, and what it says.
    fn take(&mut self) -> (Fodder, String) {
        let token = &self.tokens[self.at];
        let start = token.span.start as usize;
        let fodder = fodder::read(self.ast.source().text(), self.end, start);
        self.at += 1;
        self.end = token.span.end as usize;
        (fodder, token.data(self.ast.source(), self.ast.decoded()))
    }

    /// Takes the next token for what stands before it.
    fn skip(&mut self) -> Fodder {
        let token = &self.tokens[self.at];
        let fodder = fodder::read(
            self.ast.source().text(),
            self.end,
            token.span.start as usize,
        );
        self.at += 1;
        self.end = token.span.end as usize;
        fodder
    }

    /// Takes a comma if there is one.
    fn comma(&mut self) -> Option<Fodder> {
        (self.peek() == TokenKind::Comma).then(|| self.skip())
    }

    fn boxed(&mut self, id: ExprId) -> Box<Node> {
        Box::new(self.node(id))
    }

    /// A token and the expression after it.
    fn follower(&mut self, id: ExprId) -> Follower {
        (self.skip(), self.boxed(id))
    }

    fn node(&mut self, id: ExprId) -> Node {
        stacker::maybe_grow(RED_ZONE, STACK_CHUNK, || match self.ast.expr(id) {
            Expr::Null | Expr::Bool(_) | Expr::Number(_) | Expr::SelfRef | Expr::Dollar => {
                let (fodder, text) = self.take();
                Node::new(fodder, Kind::Word(text))
            }
            Expr::Var(_) => {
                let (fodder, text) = self.take();
                Node::new(fodder, Kind::Var(text))
            }
            Expr::String { kind, .. } => self.string(kind),
            Expr::Field { .. }
            | Expr::Index { .. }
            | Expr::Slice { .. }
            | Expr::Call { .. }
            | Expr::ApplyBrace { .. }
            | Expr::InSuper(_)
            | Expr::Binary { .. } => Node::new(Vec::new(), self.operation(id)),
            other => {
                let fodder = self.skip();
                let kind = self.after_first_token(other);
                Node::new(fodder, kind)
            }
        })
    }

    fn string(&mut self, kind: StringKind) -> Node {
        let span = self.tokens[self.at].span;
        let (fodder, value) = self.take();
        let (mut indent, mut end_indent) = (String::new(), String::new());
        if kind == StringKind::Block {
            let (lines, end) = fodder::block_indents(self.ast.source().slice(span));
            (indent, end_indent) = (lines.to_owned(), end.to_owned());
        }
        Node::new(
            fodder,
            Kind::Str(Str {
                kind,
                value,
                indent,
                end_indent,
            }),
        )
    }

    /// What begins with an operand.
    fn operation(&mut self, id: ExprId) -> Kind {
        match self.ast.expr(id) {
            Expr::Field { target, .. } => {
                let (target, dot) = (self.boxed(target), self.skip());
                let (before_name, name) = self.take();
                Kind::Field {
                    target,
                    dot,
                    before_name,
                    name,
                }
            }
            Expr::Index { target, index } => Kind::Index {
                target: self.boxed(target),
                left: self.skip(),
                index: self.boxed(index),
                right: self.skip(),
            },
            Expr::Slice { target, bounds } => self.slice(target, self.ast.slice(bounds)),
            Expr::Call {
                callee,
                args,
                tailstrict,
            } => Kind::Apply {
                target: self.boxed(callee),
                args: self.args(args),
                tailstrict: tailstrict.then(|| self.skip()),
            },
            Expr::ApplyBrace { left, object } => Kind::ApplyBrace {
                left: self.boxed(left),
                right: self.boxed(object),
            },
            Expr::InSuper(index) => Kind::InSuper {
                index: self.boxed(index),
                before_in: self.skip(),
                before_super: self.skip(),
            },
            Expr::Binary { op, left, right } => Kind::Binary {
                left: self.boxed(left),
                before_op: self.skip(),
                op,
                right: self.boxed(right),
            },
            other => unreachable!("{other:?} begins with a token of its own"),
        }
    }

    /// What begins with a token that has been taken.
    fn after_first_token(&mut self, expr: Expr) -> Kind {
        match expr {
            Expr::Array(items) => self.array(items),
            Expr::ArrayComp { body, specs } => {
                let body = self.boxed(body);
                let comma = self.comma();
                let trailing = comma.is_some();
                let specs = self.specs(specs);
                let comma = comma.unwrap_or_default();
                Kind::ArrayComp {
                    body,
                    comma,
                    trailing,
                    specs,
                    close: self.skip(),
                }
            }
            Expr::Object(members) => self.object(members, None),
            Expr::ObjectComp(id) => {
                let comp = self.ast.object_comp(id);
                self.object(comp.members, Some(comp.specs))
            }
            Expr::SuperField(_) => {
                let dot = self.skip();
                let (before_name, name) = self.take();
                Kind::SuperField {
                    dot,
                    before_name,
                    name,
                }
            }
            Expr::SuperIndex(index) => Kind::SuperIndex {
                left: self.skip(),
                index: self.boxed(index),
                right: self.skip(),
            },
            Expr::Function { params, body } => Kind::Function {
                params: self.params(params),
                body: self.boxed(body),
            },
            Expr::Local { binds, body } => {
                let binds = self.ast.list(binds).iter();
                let binds = binds
                    .map(|bind| {
                        let mut bind = self.bind(bind);
                        bind.close = self.skip();
                        bind
                    })
                    .collect();
                Kind::Local {
                    binds,
                    body: self.boxed(body),
                }
            }
            Expr::If { cond, yes, no } => Kind::If {
                cond: self.boxed(cond),
                then: self.follower(yes),
                otherwise: no.map(|no| self.follower(no)),
            },
            Expr::Unary { op, operand } => Kind::Unary {
                op,
                operand: self.boxed(operand),
            },
            Expr::Paren(inner) => Kind::Parens {
                inner: self.boxed(inner),
                close: self.skip(),
            },
            Expr::Assert {
                cond,
                message,
                rest,
            } => Kind::Assert {
                cond: self.boxed(cond),
                message: message.map(|message| self.follower(message)),
                semicolon: self.skip(),
                rest: self.boxed(rest),
            },
            Expr::Error(message) => Kind::Error(self.boxed(message)),
            Expr::Import { kind, path } => {
                let word = match kind {
                    ImportKind::Code => "import",
                    ImportKind::Str => "importstr",
                    ImportKind::Bin => "importbin",
                };
                Kind::Import {
                    word,
                    file: self.boxed(path),
                }
            }
            other => unreachable!("{other:?} is one token or begins with an operand"),
        }
    }

    fn array(&mut self, items: List<ExprId>) -> Kind {
        let mut trailing = false;
        let items = self.ast.list(items).iter();
        let items = items
            .map(|&item| {
                let value = self.node(item);
                let comma = self.comma();
                trailing = comma.is_some();
                Item {
                    value,
                    comma: comma.unwrap_or_default(),
                }
            })
            .collect();
        Kind::Array(Array {
            items,
            trailing,
            close: self.skip(),
        })
    }

    fn slice(&mut self, target: ExprId, bounds: ast::SliceBounds) -> Kind {
        let (target, left) = (self.node(target), self.skip());
        let ids = [bounds.start, bounds.end, bounds.step];
        let (mut found, mut colons) = ([None, None, None], [Vec::new(), Vec::new()]);
        let mut place = 0;
        for (bound, id) in ids.into_iter().enumerate() {
            found[bound] = id.map(|id| self.node(id));
            // One token can be both colons.
            if place == bound && self.peek() != TokenKind::BracketR && place < 2 {
                let (fodder, text) = self.take();
                colons[place] = fodder;
                place += text.len();
            }
        }
        let right = self.skip();
        Kind::Slice(Box::new(Slice {
            target,
            left,
            bounds: found,
            colons,
            right,
        }))
    }

    fn args(&mut self, args: List<ast::Arg>) -> Args {
        let left = self.skip();
        let mut trailing = false;
        let list = self.ast.list(args).iter();
        let list = list
            .map(|arg| {
                let name = arg.name.map(|_| self.take());
                if name.is_some() {
                    // What stands before `=` is not kept.
                    self.skip();
                }
                let value = self.node(arg.value);
                let comma = self.comma();
                trailing = comma.is_some();
                Arg {
                    name,
                    value,
                    comma: comma.unwrap_or_default(),
                }
            })
            .collect();
        Args {
            left,
            list,
            trailing,
            right: self.skip(),
        }
    }

    fn params(&mut self, params: List<ast::Param>) -> Params {
        let left = self.skip();
        let mut trailing = false;
        let list = self.ast.list(params).iter();
        let list = list
            .map(|param| {
                let (fodder, name) = self.take();
                let default = param.default.map(|default| self.follower(default));
                let comma = self.comma();
                trailing = comma.is_some();
                Param {
                    fodder,
                    name,
                    default,
                    comma: comma.unwrap_or_default(),
                }
            })
            .collect();
        Params {
            left,
            list,
            trailing,
            right: self.skip(),
        }
    }

    /// A bind without what closes it.
    fn bind(&mut self, bind: &ast::Bind) -> Bind {
        let (fodder, name) = self.take();
        let params = bind.params.map(|params| self.params(params));
        let before_assign = self.skip();
        let body = self.boxed(bind.body);
        Bind {
            fodder,
            name,
            params,
            before_assign,
            body,
            close: Vec::new(),
        }
    }

    fn object(&mut self, members: List<ast::Member>, specs: Option<List<Spec>>) -> Kind {
        let mut trailing = false;
        let members = self.ast.list(members).iter();
        let members = members
            .map(|member| {
                let mut member = self.member(member);
                let comma = self.comma();
                trailing = comma.is_some();
                *member.comma() = comma.unwrap_or_default();
                member
            })
            .collect();
        let specs = specs.map_or_else(Vec::new, |specs| self.specs(specs));
        Kind::Object(Object {
            members,
            trailing,
            specs,
            close: self.skip(),
        })
    }

    /// A member without its comma.
    fn member(&mut self, member: &ast::Member) -> Member {
        match *member {
            ast::Member::Local(bind) => Member::Local {
                fodder: self.skip(),
                bind: self.bind(&bind),
            },
            ast::Member::Assert { cond, message, .. } => Member::Assert {
                fodder: self.skip(),
                cond: self.node(cond),
                message: message.map(|message| self.follower(message)),
                comma: Vec::new(),
            },
            ast::Member::Field(field) => Member::Field(Box::new(self.field(&field))),
        }
    }

    fn field(&mut self, field: &ast::Field) -> Field {
        let name = match field.name {
            ast::FieldName::Ident(_) => {
                let (fodder, name) = self.take();
                Name::Ident(fodder, name)
            }
            ast::FieldName::String { .. } => {
                let kind = match self.peek() {
                    TokenKind::StringDouble => StringKind::Double,
                    TokenKind::StringSingle => StringKind::Single,
                    TokenKind::VerbatimDouble => StringKind::VerbatimDouble,
                    TokenKind::VerbatimSingle => StringKind::VerbatimSingle,
                    _ => StringKind::Block,
                };
                Name::Str(self.string(kind))
            }
            ast::FieldName::Expr(expr) => Name::Expr(self.skip(), self.node(expr), self.skip()),
        };
        Field {
            name,
            params: field.params.map(|params| self.params(params)),
            before_op: self.skip(),
            plus: field.plus,
            visibility: field.visibility,
            body: self.node(field.body),
            comma: Vec::new(),
        }
    }

    fn specs(&mut self, specs: List<Spec>) -> Vec<ForSpec> {
        let mut built: Vec<ForSpec> = Vec::new();
        for spec in self.ast.list(specs) {
            let fodder = self.skip();
            match *spec {
                Spec::For { iter, .. } => {
                    let (before_name, name) = self.take();
                    let before_in = self.skip();
                    let iter = self.node(iter);
                    let ifs = Vec::new();
                    built.push(ForSpec {
                        fodder,
                        before_name,
                        name,
                        before_in,
                        iter,
                        ifs,
                    });
                }
                Spec::If(cond) => {
                    let cond = self.node(cond);
                    if let Some(last) = built.last_mut() {
                        last.ifs.push((fodder, cond));
                    }
                }
            }
        }
        built
    }
}
