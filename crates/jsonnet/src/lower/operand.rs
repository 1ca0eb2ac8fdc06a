//! What is wanted later: arguments, elements, variables of `local`.

use super::scope::{ActivationKind, Place};
use super::{Lower, append};
use crate::ir::{
    self, Bind, ContextKind, ExprId, Function, FunctionId, Group, GroupId, NameId, Operand,
    Operands, OperandsId, Tail,
};
use crate::syntax::ast::{self, BinaryOp, Expr, FieldName, List, Member, Param, UnaryOp};
use crate::syntax::source::Span;

/// How many nodes an expression may have that is tried at once.
const TRIED: u32 = 12;

/// Whether an operator on numbers may be tried.
fn is_tried(op: BinaryOp) -> bool {
    !matches!(
        op,
        BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::In
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr
    )
}

impl Lower<'_> {
    /// The elements of an array.
    pub(super) fn array(&mut self, items: List<ast::ExprId>) -> OperandsId {
        let items = self.ast.list(items);
        self.in_thunk(|s| s.operands(items.iter().copied()))
    }

    /// Values that are wanted later, whose thunks share a record.
    pub(super) fn operands(&mut self, items: impl Iterator<Item = ast::ExprId>) -> OperandsId {
        let record = self.open_record();
        let operands: Vec<Operand> = items.map(|item| self.operand(item, record, None)).collect();
        let record = self.close_record(record);
        let items = append(&mut self.unit.operands, operands);
        self.unit.operand_lists.push(Operands { items, record });
        OperandsId(self.unit.operand_lists.len() as u32 - 1)
    }

    /// Arguments of a `tailstrict` call, which are evaluated at once.
    pub(super) fn strict_operands(
        &mut self,
        items: impl Iterator<Item = ast::ExprId>,
    ) -> OperandsId {
        let operands: Vec<Operand> = items.map(|item| Operand::Now(self.expr(item))).collect();
        let record = super::scope::EMPTY_RECORD;
        let items = append(&mut self.unit.operands, operands);
        self.unit.operand_lists.push(Operands { items, record });
        OperandsId(self.unit.operand_lists.len() as u32 - 1)
    }

    /// A value that is wanted later; its thunk uses `record`.
    pub(super) fn operand(
        &mut self,
        mut id: ast::ExprId,
        record: usize,
        mut bound: Option<NameId>,
    ) -> Operand {
        while let Expr::Paren(inner) = self.ast.expr(id) {
            (id, bound) = (inner, None);
        }
        let span = self.ast.span(id);
        let read = match self.ast.expr(id) {
            Expr::Var(ident) => self.var(ident, span),
            Expr::Dollar => self.dollar(span),
            Expr::Function { .. } | Expr::Object(_) if self.is_ready(id) => {
                return Operand::Now(self.plain(id, Tail::Not, bound));
            }
            _ if self.is_ready(id) => return Operand::Now(self.expr(id)),
            _ if self.is_tried(id) => {
                let tried = self.expr(id);
                return Operand::Try(tried, self.thunk(id, record, bound));
            }
            _ => return Operand::Later(self.thunk(id, record, bound)),
        };
        match read {
            ir::Expr::Local(slot) if slot >= self.current().unfilled => {
                Operand::Later(self.thunk(id, record, bound))
            }
            ir::Expr::Local(slot) => Operand::Slot(slot),
            ir::Expr::Captured(at) => Operand::Captured(at),
            ir::Expr::ObjLocal(at) => Operand::ObjLocal(at),
            read => Operand::Now(self.push(read, span)),
        }
    }

    fn thunk(&mut self, id: ast::ExprId, record: usize, bound: Option<NameId>) -> ir::CodeId {
        let body = |s: &mut Self| s.expr_at(id, Tail::Last, bound);
        self.code(ActivationKind::Inner, record, body)
    }

    /// Whether making the value neither fails nor runs code.
    fn is_ready(&self, id: ast::ExprId) -> bool {
        match self.ast.expr(id) {
            Expr::Null
            | Expr::Bool(_)
            | Expr::String { .. }
            | Expr::Array(_)
            | Expr::Function { .. }
            | Expr::SelfRef => true,
            Expr::Number(value) => value.is_finite(),
            Expr::Object(members) => self.has_fixed_names(members),
            _ => false,
        }
    }

    fn has_fixed_names(&self, members: List<Member>) -> bool {
        let members = self.ast.list(members);
        !members.iter().any(|member| {
            matches!(member, Member::Field(field) if matches!(field.name, FieldName::Expr(_)))
        })
    }

    /// Whether an expression is so small and simple that it may be worked out
    /// at once where its variables are known: numbers, comparisons, fields of
    /// variables.
    fn is_tried(&self, id: ast::ExprId) -> bool {
        self.fits(id, &mut { TRIED })
    }

    fn fits(&self, id: ast::ExprId, left_over: &mut u32) -> bool {
        let Some(fewer) = left_over.checked_sub(1) else {
            return false;
        };
        *left_over = fewer;
        match self.ast.expr(id) {
            Expr::Number(value) => value.is_finite(),
            Expr::Bool(_) | Expr::SelfRef | Expr::Var(_) | Expr::Dollar => true,
            Expr::Paren(inner) => self.fits(inner, left_over),
            Expr::Unary { op, operand } => op != UnaryOp::BitNot && self.fits(operand, left_over),
            Expr::Binary { op, left, right } => {
                is_tried(op) && self.fits(left, left_over) && self.fits(right, left_over)
            }
            Expr::Field { target, .. } => !self.is_std(target) && self.fits(target, left_over),
            Expr::Index { target, index } => {
                self.fits(target, left_over) && self.fits(index, left_over)
            }
            _ => false,
        }
    }

    /// `local binds; body`
    pub(super) fn local(
        &mut self,
        binds: List<ast::Bind>,
        body: ast::ExprId,
        tail: Tail,
        bound: Option<NameId>,
        span: Span,
    ) -> ExprId {
        let (scope, slots) = (self.scope(), self.slots());
        let binds = self.ast.list(binds);
        let group = self.group(binds);
        let body = self.expr_at(body, tail, bound);
        self.end_scope(scope);
        self.free_slots(slots);
        self.push(ir::Expr::Let { group, body }, span)
    }

    /// Brings the variables of a `local` into scope.
    pub(super) fn group(&mut self, binds: &[ast::Bind]) -> GroupId {
        let declared: Vec<(u32, u32)> = binds
            .iter()
            .map(|bind| {
                let slot = self.take_slot();
                (slot, self.declare(bind.name.ident, Place::Slot(slot)))
            })
            .collect();
        let lowered: Vec<Bind> = binds
            .iter()
            .zip(declared)
            .map(|(bind, (slot, variable))| {
                let name = self.name(bind.name.ident);
                self.in_context(ContextKind::Named, Some(name), |s| {
                    s.bind(slot, |s, record| match bind.params {
                        Some(params) => s.bound_function(params, bind.body, name, variable),
                        None => s.bound_value(bind.body, record, name, variable),
                    })
                })
            })
            .collect();
        let patched = lowered.iter().any(|bind| bind.patch);
        let binds = append(&mut self.unit.binds, lowered);
        self.unit.groups.push(Group { binds, patched });
        GroupId(self.unit.groups.len() as u32 - 1)
    }

    fn bound_function(
        &mut self,
        params: List<Param>,
        body: ast::ExprId,
        name: NameId,
        variable: u32,
    ) -> Operand {
        let function = self.function(params, body, Some(name), variable);
        let span = self.ast.span(body);
        Operand::Now(self.push(ir::Expr::Function(function), span))
    }

    /// The value of a variable. Arrays with variables in them are left for
    /// later: their elements may refer to what is not there yet.
    fn bound_value(
        &mut self,
        body: ast::ExprId,
        record: usize,
        name: NameId,
        variable: u32,
    ) -> Operand {
        match self.ast.expr(body) {
            Expr::Function { params, body } => self.bound_function(params, body, name, variable),
            Expr::Array(_) if !self.is_constant(body) => {
                Operand::Later(self.thunk(body, record, Some(name)))
            }
            _ => self.operand(body, record, Some(name)),
        }
    }

    fn is_constant(&self, id: ast::ExprId) -> bool {
        match self.ast.expr(id) {
            Expr::Array(items) => self.ast.list(items).iter().all(|&item| {
                !matches!(self.ast.expr(item), Expr::Array(_)) && self.is_constant(item)
            }),
            Expr::Null | Expr::Bool(_) | Expr::String { .. } => true,
            Expr::Number(value) => value.is_finite(),
            _ => false,
        }
    }

    /// A bind of a group; see [`Bind::patch`].
    fn bind(&mut self, slot: u32, value: impl FnOnce(&mut Self, usize) -> Operand) -> Bind {
        let unfilled = std::mem::replace(&mut self.current().unfilled, slot);
        let forward = std::mem::take(&mut self.current().forward);
        let record = self.open_record();
        let mut value = value(self, record);
        let patch = std::mem::replace(&mut self.current().forward, forward);
        self.current().unfilled = unfilled;
        if patch && let Operand::Try(_, code) = value {
            value = Operand::Later(code);
        }
        let record = self.close_record(record);
        Bind {
            slot,
            value,
            record,
            patch,
        }
    }

    /// A function literal; `variable` is the one that holds it.
    pub(super) fn function(
        &mut self,
        params: List<Param>,
        body: ast::ExprId,
        bound: Option<NameId>,
        variable: u32,
    ) -> FunctionId {
        let scope = self.scope();
        let record = self.open_record();
        self.open_activation(ActivationKind::Inner, record);
        self.current().callee = variable;
        let params = self.ast.list(params);
        let slots: Vec<u32> = params
            .iter()
            .map(|param| {
                let slot = self.take_slot();
                self.declare(param.name.ident, Place::Slot(slot));
                slot
            })
            .collect();
        let (lowered, body) = self.in_context(ContextKind::Function, bound, |s| {
            let lowered: Vec<ir::Param> = params
                .iter()
                .zip(slots)
                .map(|(param, slot)| s.param(param, slot))
                .collect();
            (lowered, s.expr_at(body, Tail::Last, None))
        });
        self.end_scope(scope);
        let code = self.close_activation(body);
        let required = lowered.iter().filter(|p| p.default.is_none()).count() as u32;
        let record = self.close_record(record);
        let params = append(&mut self.unit.params, lowered);
        self.unit.functions.push(Function {
            params,
            required,
            code,
            record,
        });
        FunctionId(self.unit.functions.len() as u32 - 1)
    }

    fn param(&mut self, param: &Param, slot: u32) -> ir::Param {
        let default = param
            .default
            .map(|default| self.bind(slot, |s, record| s.bound_default(default, record)));
        ir::Param {
            name: self.name(param.name.ident),
            default,
        }
    }

    /// Arrays are left for later, as in `local`.
    fn bound_default(&mut self, default: ast::ExprId, record: usize) -> Operand {
        match self.ast.expr(default) {
            Expr::Array(_) if !self.is_constant(default) => {
                Operand::Later(self.thunk(default, record, None))
            }
            _ => self.operand(default, record, None),
        }
    }
}
