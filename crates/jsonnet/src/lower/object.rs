//! Object literals.

use super::scope::{self, ActivationKind, Place};
use super::{Lower, append};
use crate::ir::{
    self, CodeId, ContextKind, ExprId, Field, FieldName, NameId, Object, ObjectId, Tail, Unit,
};
use crate::syntax::Span;
use crate::syntax::ast::{self, List, Member};

impl Lower<'_> {
    /// An object literal.
    pub(super) fn object(&mut self, members: List<Member>, bound: Option<NameId>) -> ObjectId {
        let members = self.ast.list(members);
        let record = self.open_record();
        let scope = self.scope();
        let object = self.open_object();
        let locals = members.iter().filter_map(|member| match member {
            Member::Local(bind) => Some(bind),
            _ => None,
        });
        let locals: Vec<(ast::Bind, u32)> = locals
            .zip(0..)
            .map(|(bind, index)| {
                let place = Place::ObjLocal { object, index };
                (*bind, self.declare(bind.name.ident, place))
            })
            .collect();
        let kind = ActivationKind::Member(object);
        let (locals, bodies, asserts) = self.in_context(ContextKind::Object, bound, |s| {
            let locals: Vec<CodeId> = locals
                .into_iter()
                .map(|(bind, variable)| s.object_local(&bind, variable, object, record))
                .collect();
            let mut bodies = Vec::new();
            for member in members {
                if let Member::Field(field) = member {
                    bodies.push(s.code(kind, record, |s| s.field_body(field)));
                }
            }
            let mut asserts = Vec::new();
            for member in members {
                if let Member::Assert {
                    cond,
                    message,
                    span,
                } = *member
                {
                    asserts.push(s.code(kind, record, |s| s.object_assert(cond, message, span)));
                }
            }
            (locals, bodies, asserts)
        });
        self.end_scope(scope);
        let record = self.close_record(record);
        let mut fields = Vec::with_capacity(bodies.len());
        for member in members {
            if let Member::Field(field) = member {
                let code = bodies[fields.len()];
                fields.push(self.field_of(field, code));
            }
        }
        let computed = fields
            .iter()
            .any(|field| matches!(field.name, FieldName::Computed(_)));
        let object = Object {
            fields: append(&mut self.unit.fields, fields),
            locals: append(&mut self.unit.codes_of_objects, locals),
            asserts: append(&mut self.unit.codes_of_objects, asserts),
            record,
            computed,
        };
        self.unit.objects.push(object);
        ObjectId(self.unit.objects.len() as u32 - 1)
    }

    /// The number of a new object, with `$` in scope.
    pub(super) fn open_object(&mut self) -> u32 {
        self.objects += 1;
        if self.dollar_variable == scope::NO_VARIABLE {
            self.declare_dollar(self.objects);
        }
        self.objects
    }

    /// A field; its name is worked out outside of the object.
    pub(super) fn field_of(&mut self, field: &ast::Field, code: CodeId) -> Field {
        let name = match field.name {
            ast::FieldName::Ident(ident) | ast::FieldName::String { ident, .. } => {
                FieldName::Fixed(self.name(ident))
            }
            ast::FieldName::Expr(name) => FieldName::Computed(self.expr(name)),
        };
        Field {
            name,
            visibility: field.visibility,
            plus: field.plus,
            code,
        }
    }

    pub(super) fn field_body(&mut self, field: &ast::Field) -> ExprId {
        match field.params {
            Some(params) => {
                let function = self.function(params, field.body, None, scope::NO_VARIABLE);
                let span = self.ast.field_span(field);
                self.push(ir::Expr::Function(function), span)
            }
            None => self.expr_at(field.body, Tail::Last, None),
        }
    }

    fn object_local(
        &mut self,
        bind: &ast::Bind,
        variable: u32,
        object: u32,
        record: usize,
    ) -> CodeId {
        self.code(ActivationKind::Member(object), record, |s| {
            let (params, body) = match (bind.params, s.ast.expr(bind.body)) {
                (Some(params), _) => (params, bind.body),
                (None, ast::Expr::Function { params, body }) => (params, body),
                _ => return s.expr_at(bind.body, Tail::Last, None),
            };
            let function = s.function(params, body, None, variable);
            let span = s.ast.bind_span(bind);
            s.push(ir::Expr::Function(function), span)
        })
    }

    fn object_assert(
        &mut self,
        cond: ast::ExprId,
        message: Option<ast::ExprId>,
        span: Span,
    ) -> ExprId {
        let cond = self.expr(cond);
        let yes = self.push_bare(ir::Expr::Bool(true), Unit::NOWHERE);
        let no = self.failure(message, "Object assertion failed.", span);
        self.push_bare(ir::Expr::If { cond, yes, no }, span)
    }
}
