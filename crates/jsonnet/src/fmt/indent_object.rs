//! Indentation within objects.

use super::indent::{Indent, Indentation};
use super::tree::{Field, Member, Name, Object};
use crate::syntax::ast::Visibility;

impl Indentation<'_> {
    pub(super) fn object(&mut self, object: &mut Object, current: Indent) {
        let pad = self.options.pad_objects;
        self.column += 1;
        let column = self.column + usize::from(pad);
        let first = match object.members.first_mut() {
            Some(member) => member.fodder(),
            None => &object.close,
        };
        let indent = self.new_indent(first, current, column);
        for (place, member) in object.members.iter_mut().enumerate() {
            self.column += usize::from(place > 0);
            self.member(member, indent, place > 0 || pad);
            self.fill(member.comma(), false, false, indent.line_up);
        }
        self.column += usize::from(object.trailing);
        self.specs(&mut object.specs, indent);
        let crowded = !object.members.is_empty() || !object.specs.is_empty();
        self.fill_last(
            &mut object.close,
            crowded,
            pad,
            indent.line_up,
            current.base,
        );
        self.column += 1;
    }

    fn member(&mut self, member: &mut Member, current: Indent, crowded: bool) {
        match member {
            Member::Local { fodder, bind } => {
                self.fill(fodder, crowded, true, current.line_up);
                self.column += "local".len();
                self.fill(&mut bind.fodder, true, true, current.line_up);
                self.column += bind.name.len();
                if let Some(params) = &mut bind.params {
                    self.params(params, current);
                }
                self.fill(&mut bind.before_assign, true, true, current.line_up);
                self.column += 1;
                let indent = self.new_indent(bind.body.open(), current, self.column);
                self.node(&mut bind.body, indent, true);
            }
            Member::Assert {
                fodder,
                cond,
                message,
                ..
            } => {
                self.fill(fodder, crowded, true, current.line_up);
                self.column += "assert".len();
                let indent = self.new_indent(cond.open(), current, self.column + 1);
                self.node(cond, current, true);
                self.message(message, indent);
            }
            Member::Field(field) => self.field(field, current, crowded),
        }
    }

    fn field(&mut self, field: &mut Field, current: Indent, crowded: bool) {
        match &mut field.name {
            Name::Ident(fodder, name) => {
                self.fill(fodder, crowded, true, current.line_up);
                self.column += name.len();
            }
            Name::Str(literal) => self.node(literal, current, crowded),
            Name::Expr(left, expr, right) => {
                self.fill(left, crowded, true, current.line_up);
                self.column += 1;
                self.node(expr, current, false);
                self.fill(right, false, false, current.line_up);
                self.column += 1;
            }
        }
        if let Some(params) = &mut field.params {
            self.params(params, current);
        }
        self.fill(&mut field.before_op, false, false, current.line_up);
        self.column += usize::from(field.plus);
        self.column += match field.visibility {
            Visibility::Inherit => 1,
            Visibility::Hidden => 2,
            Visibility::Forced => 3,
        };
        let indent = self.new_indent(field.body.open(), current, self.column);
        self.node(&mut field.body, indent, true);
    }
}
