//! Comprehensions.
//!
//! Their loops run in the activation that they stand in; the variables are
//! slots of it, filled anew for each combination. What an element or a field
//! captures is copied into its record, so it does not matter that the slots
//! change.

use super::scope::{ActivationKind, Place};
use super::{Lower, append};
use crate::ir::{self, Comp, CompBody, CompId, ContextKind, ExprId, NameId, Operands, Tail};
use crate::syntax::Span;
use crate::syntax::ast::{self, List, Member, ObjectCompId, Spec};

impl Lower<'_> {
    pub(super) fn array_comp(
        &mut self,
        body: ast::ExprId,
        specs: List<Spec>,
        span: Span,
    ) -> ExprId {
        let specs = self.ast.list(specs);
        let (scope, slots) = (self.scope(), self.slots());
        let (specs, body) = if let [Spec::For { name, iter }] = *specs {
            let iter = self.expr(iter);
            let body = self.mapped(name, body);
            let slot = u32::MAX;
            (vec![ir::Spec::For { slot, iter }], body)
        } else {
            let specs = self.specs(specs);
            let element = self.in_thunk(|s| {
                let record = s.open_record();
                let operand = s.operand(body, record, None);
                let record = s.close_record(record);
                let items = append(&mut s.unit.operands, [operand]);
                Operands { items, record }
            });
            (specs, CompBody::Element(element))
        };
        self.end_scope(scope);
        self.free_slots(slots);
        let comp = self.comp(specs, body);
        self.push_bare(ir::Expr::ArrayComp(comp), span)
    }

    /// The code of an element of a comprehension with one variable.
    fn mapped(&mut self, name: ast::NameRef, body: ast::ExprId) -> CompBody {
        let scope = self.scope();
        let record = self.open_record();
        let code = self.in_thunk(|s| {
            s.code(ActivationKind::Inner, record, |s| {
                let slot = s.take_slot();
                s.declare(name.ident, Place::Slot(slot));
                s.expr_at(body, Tail::Last, None)
            })
        });
        self.end_scope(scope);
        let record = self.close_record(record);
        CompBody::Mapped { code, record }
    }

    fn comp(&mut self, specs: Vec<ir::Spec>, body: CompBody) -> CompId {
        let specs = append(&mut self.unit.specs, specs);
        self.unit.comps.push(Comp { specs, body });
        CompId(self.unit.comps.len() as u32 - 1)
    }

    /// The loops and conditions; their variables stay in scope.
    fn specs(&mut self, specs: &[Spec]) -> Vec<ir::Spec> {
        let lowered = specs.iter().map(|spec| match *spec {
            Spec::For { name, iter } => {
                let iter = self.expr(iter);
                let slot = self.take_slot();
                self.declare(name.ident, Place::Slot(slot));
                ir::Spec::For { slot, iter }
            }
            Spec::If(cond) => ir::Spec::If(self.expr(cond)),
        });
        lowered.collect()
    }

    pub(super) fn object_comp(
        &mut self,
        id: ObjectCompId,
        bound: Option<NameId>,
        span: Span,
    ) -> ExprId {
        let ast::ObjectComp { members, specs } = self.ast.object_comp(id);
        let (scope, slots) = (self.scope(), self.slots());
        let specs = self.specs(self.ast.list(specs));
        let record = self.open_record();
        let inner = self.scope();
        let object = self.open_object();
        let members = self.ast.list(members);
        let kind = ActivationKind::Member(object);
        let code = self.in_context(ContextKind::Object, bound, |s| {
            s.code(kind, record, |s| s.comp_field(members))
        });
        self.end_scope(inner);
        let record = self.close_record(record);
        let field = members.iter().find_map(|member| match member {
            Member::Field(field) => Some(field),
            _ => None,
        });
        let Some(field) = field else {
            unreachable!("the parser saw to one field")
        };
        let field = self.field_of(field, code);
        self.end_scope(scope);
        self.free_slots(slots);
        let shown = self.push(ir::Expr::Null, span);
        let body = CompBody::Field {
            field,
            record,
            shown,
        };
        let comp = self.comp(specs, body);
        self.push_bare(ir::Expr::ObjectComp(comp), span)
    }

    /// The value of the only field: locals of the object are the field's own.
    fn comp_field(&mut self, members: &[Member]) -> ExprId {
        let mut binds: Vec<ast::Bind> = Vec::new();
        let mut body = None;
        for member in members {
            match member {
                Member::Local(bind) => binds.push(*bind),
                Member::Field(field) => body = Some(field),
                Member::Assert { .. } => {}
            }
        }
        let Some(field) = body else {
            unreachable!("the parser saw to one field")
        };
        if binds.is_empty() {
            return self.field_body(field);
        }
        let group = self.group(&binds);
        let body = self.field_body(field);
        let span = self.ast.field_span(field);
        self.push(ir::Expr::Let { group, body }, span)
    }
}
