//! Expressions.

use super::{DEEP, Lower, append, call, scope};
use crate::ir::{self, ExprId, NameId, Origin, Tail, Unit};
use crate::syntax::ast::{self, BinaryOp, Expr, Ident, SliceBounds};
use crate::syntax::{Span, StaticError};

impl Lower<'_> {
    /// An expression whose value is not the activation's.
    pub(super) fn expr(&mut self, id: ast::ExprId) -> ExprId {
        self.expr_at(id, Tail::Not, None)
    }

    /// An expression; `bound` is the variable that it is bound to.
    pub(super) fn expr_at(&mut self, id: ast::ExprId, tail: Tail, bound: Option<NameId>) -> ExprId {
        self.depth += 1;
        let lowered = if self.depth.is_multiple_of(DEEP) {
            stacker::maybe_grow(128 << 10, 1 << 20, || {
                let inner = self.plain(id, tail, bound);
                self.push(ir::Expr::Deep(inner), self.ast.span(id))
            })
        } else {
            self.plain(id, tail, bound)
        };
        self.depth -= 1;
        lowered
    }

    pub(super) fn plain(&mut self, id: ast::ExprId, tail: Tail, bound: Option<NameId>) -> ExprId {
        let span = self.ast.span(id);
        let lowered = match self.ast.expr(id) {
            Expr::Null => ir::Expr::Null,
            Expr::Bool(value) => ir::Expr::Bool(value),
            Expr::Number(value) if value.is_finite() => ir::Expr::Num(value),
            Expr::Number(_) => ir::Expr::Overflow,
            Expr::String { text, .. } => {
                let text = self.ast.text(text);
                ir::Expr::Str(self.string(text))
            }
            Expr::SelfRef => self.this(span),
            Expr::Dollar => self.dollar(span),
            Expr::Var(ident) => self.var(ident, span),
            Expr::Array(items) => ir::Expr::Array(self.array(items)),
            Expr::ArrayComp { body, specs } => return self.array_comp(body, specs, span),
            Expr::Object(members) => ir::Expr::Object(self.object(members, bound)),
            Expr::ObjectComp(comp) => return self.object_comp(comp, bound, span),
            Expr::ApplyBrace { left, object } => self.binary(ir::BinaryOp::Add, left, object, tail),
            Expr::Field { target, name } => return self.field(target, name.ident, span),
            Expr::Index { target, index } => ir::Expr::Index {
                target: self.expr(target),
                index: self.expr(index),
            },
            Expr::Slice { target, bounds } => {
                return self.slice(target, self.ast.slice(bounds), tail, span);
            }
            Expr::SuperField(name) => {
                self.needs_super(span);
                ir::Expr::SuperField(self.name(name.ident))
            }
            Expr::SuperIndex(index) => {
                self.needs_super(span);
                ir::Expr::SuperIndex(self.expr(index))
            }
            Expr::InSuper(index) => {
                self.needs_super(span);
                ir::Expr::InSuper(self.expr(index))
            }
            Expr::Call {
                callee,
                args,
                tailstrict,
            } => {
                return self.call(&call::Call {
                    callee,
                    args,
                    strict: tailstrict,
                    tail,
                    span,
                });
            }
            Expr::Function { params, body } => {
                ir::Expr::Function(self.function(params, body, bound, scope::NO_VARIABLE))
            }
            Expr::Local { binds, body } => return self.local(binds, body, tail, bound, span),
            Expr::If { cond, yes, no } => ir::Expr::If {
                cond: self.expr(cond),
                yes: self.expr_at(yes, tail, None),
                no: match no {
                    Some(no) => self.expr_at(no, tail, None),
                    None => self.push_bare(ir::Expr::Null, Unit::NOWHERE),
                },
            },
            Expr::Binary { op, left, right } => return self.operator(op, left, right, tail, span),
            Expr::Unary { op, operand } => {
                ir::Expr::Unary(op, self.expr_at(operand, tail.operand(), None))
            }
            Expr::Paren(inner) => return self.expr_at(inner, tail, None),
            Expr::Assert {
                cond,
                message,
                rest,
            } => {
                return self.assert(cond, message, rest, tail, span);
            }
            Expr::Error(message) => ir::Expr::Error(self.expr(message)),
            Expr::Import { kind, path } => {
                let Expr::String { text, .. } = self.ast.expr(path) else {
                    unreachable!("paths are literals")
                };
                let text = self.ast.text(text);
                ir::Expr::Import(kind, self.string(text))
            }
        };
        self.push(lowered, span)
    }

    /// A use of `self`.
    fn this(&mut self, span: Span) -> ir::Expr {
        self.needs_object("self", span);
        ir::Expr::This
    }

    fn needs_super(&mut self, span: Span) {
        self.needs_object("super", span);
    }

    fn needs_object(&mut self, word: &str, span: Span) {
        if self.current().object.is_some() {
            self.current().this = true;
        } else {
            self.fail(|| format!("Can't use {word} outside of an object."), span);
        }
    }

    pub(super) fn dollar(&mut self, span: Span) -> ir::Expr {
        if self.dollar_variable == scope::NO_VARIABLE {
            let source = self.ast.source();
            self.dollar.get_or_insert_with(|| {
                StaticError::new(source, span, "No top-level object found.")
            });
            return ir::Expr::Null;
        }
        let origin = self.resolve(self.dollar_variable);
        Self::read(origin)
    }

    pub(super) fn var(&mut self, ident: Ident, span: Span) -> ir::Expr {
        match self.variable(ident) {
            Some(variable) => {
                let origin = self.resolve(variable);
                Self::read(origin)
            }
            None if self.ast.ident(ident) == "std" => ir::Expr::StdObject,
            None => {
                let name = self.ast.ident(ident);
                self.fail(|| format!("Unknown variable: {name}"), span);
                ir::Expr::Null
            }
        }
    }

    /// The expression that reads a variable.
    pub(super) fn read(origin: Origin) -> ir::Expr {
        match origin {
            Origin::Local(slot) => ir::Expr::Local(slot),
            Origin::Captured(at) => ir::Expr::Captured(at),
            Origin::ObjLocal(at) => ir::Expr::ObjLocal(at),
            Origin::This => ir::Expr::This,
            Origin::Callee => ir::Expr::Callee,
        }
    }

    /// Whether the expression is `std`, not shadowed.
    pub(super) fn is_std(&self, id: ast::ExprId) -> bool {
        matches!(self.ast.expr(id), Expr::Var(ident)
            if self.variable(ident).is_none() && self.ast.ident(ident) == "std")
    }

    fn field(&mut self, target: ast::ExprId, name: Ident, span: Span) -> ExprId {
        if self.is_std(target)
            && let Some(builtin) = crate::stdlib::find(self.ast.ident(name))
        {
            return self.push(ir::Expr::Std(builtin), span);
        }
        let target = self.in_none(|s| s.expr(target));
        let field = ir::Expr::Field {
            target,
            name: self.name(name),
            cache: self.new_cache(),
        };
        self.push(field, span)
    }

    /// `target[start:end:step]`. The step stands in no context, as in the
    /// reference implementation.
    fn slice(
        &mut self,
        target: ast::ExprId,
        bounds: SliceBounds,
        tail: Tail,
        span: Span,
    ) -> ExprId {
        let target = self.expr(target);
        let [start, end] = [bounds.start, bounds.end].map(|bound| self.bound(bound));
        let step = self.in_none(|s| s.bound(bounds.step));
        let args = [target, start, end, step];
        self.builtin_call("slice", &args, tail, span)
    }

    fn bound(&mut self, bound: Option<ast::ExprId>) -> ExprId {
        match bound {
            Some(bound) => self.expr(bound),
            None => self.push_bare(ir::Expr::Null, Unit::NOWHERE),
        }
    }

    /// A call of a builtin that stands for an operator.
    fn builtin_call(&mut self, name: &str, args: &[ExprId], tail: Tail, span: Span) -> ExprId {
        let Some(builtin) = crate::stdlib::find(name) else {
            unreachable!("the library has what operators need")
        };
        let args = append(&mut self.unit.items, args.iter().copied());
        let late = tail != Tail::Not;
        self.push_bare(
            ir::Expr::CallStd {
                builtin,
                args,
                late,
            },
            span,
        )
    }

    fn operator(
        &mut self,
        op: BinaryOp,
        left: ast::ExprId,
        right: ast::ExprId,
        tail: Tail,
        span: Span,
    ) -> ExprId {
        use ir::BinaryOp as To;
        let op = match op {
            BinaryOp::And | BinaryOp::Or => {
                let left = self.expr(left);
                let right = self.expr_at(right, tail.operand(), None);
                let expr = match op {
                    BinaryOp::And => ir::Expr::And(left, right),
                    _ => ir::Expr::Or(left, right),
                };
                return self.push(expr, span);
            }
            BinaryOp::Percent | BinaryOp::In => {
                let op = if op == BinaryOp::In {
                    To::In
                } else {
                    To::Percent
                };
                let (left, right) = (self.expr(left), self.expr(right));
                return self.push_bare(ir::Expr::Binary { op, left, right }, span);
            }
            BinaryOp::Add => To::Add,
            BinaryOp::Sub => To::Sub,
            BinaryOp::Mul => To::Mul,
            BinaryOp::Div => To::Div,
            BinaryOp::Lt => To::Lt,
            BinaryOp::Le => To::Le,
            BinaryOp::Gt => To::Gt,
            BinaryOp::Ge => To::Ge,
            BinaryOp::Eq => To::Eq,
            BinaryOp::Ne => To::Ne,
            BinaryOp::BitAnd => To::BitAnd,
            BinaryOp::BitXor => To::BitXor,
            BinaryOp::BitOr => To::BitOr,
            BinaryOp::Shl => To::Shl,
            BinaryOp::Shr => To::Shr,
        };
        let expr = self.binary(op, left, right, tail);
        self.push(expr, span)
    }

    fn binary(
        &mut self,
        op: ir::BinaryOp,
        left: ast::ExprId,
        right: ast::ExprId,
        tail: Tail,
    ) -> ir::Expr {
        let left = self.expr(left);
        let right = self.expr_at(right, tail.operand(), None);
        ir::Expr::Binary { op, left, right }
    }

    /// `assert cond : message; rest`
    fn assert(
        &mut self,
        cond: ast::ExprId,
        message: Option<ast::ExprId>,
        rest: ast::ExprId,
        tail: Tail,
        span: Span,
    ) -> ExprId {
        let cond = self.expr(cond);
        let yes = self.expr_at(rest, tail, None);
        let no = self.failure(message, "Assertion failed", span);
        self.push_bare(ir::Expr::If { cond, yes, no }, Unit::NOWHERE)
    }

    /// The error of an assertion.
    pub(super) fn failure(
        &mut self,
        message: Option<ast::ExprId>,
        default: &'static str,
        span: Span,
    ) -> ExprId {
        let message = if let Some(message) = message {
            self.expr(message)
        } else {
            let text = self.string(default);
            self.push_bare(ir::Expr::Str(text), Unit::NOWHERE)
        };
        self.push_bare(ir::Expr::Error(message), span)
    }
}
