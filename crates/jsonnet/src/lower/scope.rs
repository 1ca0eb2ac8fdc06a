//! Activations, the variables that they hold, and what they capture.
//!
//! An activation is one run of a body: a function's, a thunk's, a field's. Its
//! variables live in slots. A variable of an outer activation is captured: each
//! activation between asks the one outside of it, and the record of the
//! innermost holds the value. Thunks made by one construct share a record.

use super::Lower;
use crate::ir::{Code, CodeId, ExprId, Origin, Record, RecordId};
use crate::syntax::ast::Ident;

pub(super) const NO_VARIABLE: u32 = u32::MAX;

/// The record that captures nothing.
pub(super) const EMPTY_RECORD: RecordId = RecordId(0);

/// What an activation is the body of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ActivationKind {
    /// Of code that shares the object of the activation around it.
    Inner,
    /// Of a field, local or assertion of the object.
    Member(u32),
}

pub(super) struct Activation {
    /// The record that its captures come from.
    record: usize,
    /// The object whose `self` it sees.
    pub(super) object: Option<u32>,
    /// The variable that holds the function whose body it is.
    pub(super) callee: u32,
    /// Slots in use, and the most that ever were.
    slots: u32,
    max_slots: u32,
    /// Whether it needs `self` or the object layer.
    pub(super) this: bool,
    kind: ActivationKind,
    /// Slots from here on are not filled yet by the group being lowered.
    pub(super) unfilled: u32,
    /// Whether such a slot was named.
    pub(super) forward: bool,
}

/// A record while the code that uses it is lowered. It is made by the
/// activation that was innermost when it was opened.
pub(super) struct OpenRecord {
    /// Index of the activation that makes it.
    maker: usize,
    /// The captured variables and where their values come from.
    captures: Vec<(u32, Origin)>,
    /// Whether code that uses it needs `self` or the object layer.
    this: bool,
}

#[derive(Clone, Copy)]
pub(super) enum Place {
    /// A slot of the activation.
    Slot(u32),
    /// A local of the object.
    ObjLocal { object: u32, index: u32 },
    /// `self` of the object.
    This { object: u32 },
}

#[derive(Clone, Copy)]
pub(super) struct Variable {
    ident: Option<Ident>,
    /// The variable that it shadows.
    shadowed: u32,
    /// The activation whose slot it is (unused for objects).
    activation: usize,
    place: Place,
}

impl Lower<'_> {
    pub(super) fn open_record(&mut self) -> usize {
        self.records.push(OpenRecord {
            maker: self.activations.len().wrapping_sub(1),
            captures: Vec::new(),
            this: false,
        });
        self.records.len() - 1
    }

    /// Ends the innermost record.
    pub(super) fn close_record(&mut self, record: usize) -> RecordId {
        debug_assert_eq!(record + 1, self.records.len());
        let Some(OpenRecord { captures, this, .. }) = self.records.pop() else {
            unreachable!("records are closed as often as opened")
        };
        if captures.is_empty() && !this {
            return EMPTY_RECORD;
        }
        let origins = super::append(
            &mut self.unit.origins,
            captures.into_iter().map(|(_, origin)| origin),
        );
        self.unit.records.push(Record { origins, this });
        RecordId(self.unit.records.len() as u32 - 1)
    }

    pub(super) fn open_activation(&mut self, kind: ActivationKind, record: usize) {
        let object = match kind {
            ActivationKind::Inner => self.activations.last().and_then(|a| a.object),
            ActivationKind::Member(object) => Some(object),
        };
        self.activations.push(Activation {
            record,
            object,
            callee: NO_VARIABLE,
            slots: 0,
            max_slots: 0,
            this: false,
            kind,
            unfilled: u32::MAX,
            forward: false,
        });
    }

    /// Ends the innermost activation.
    pub(super) fn close_activation(&mut self, body: ExprId) -> CodeId {
        let Some(ended) = self.activations.pop() else {
            unreachable!("activations are closed as often as opened")
        };
        if ended.this && ended.kind == ActivationKind::Inner {
            self.current().this = true;
            self.records[ended.record].this = true;
        }
        self.unit.codes.push(Code {
            body,
            slots: ended.max_slots,
            this: ended.this,
        });
        CodeId(self.unit.codes.len() as u32 - 1)
    }

    /// A code with its own activation, whose captures go to `record`.
    pub(super) fn code(
        &mut self,
        kind: ActivationKind,
        record: usize,
        body: impl FnOnce(&mut Self) -> ExprId,
    ) -> CodeId {
        self.open_activation(kind, record);
        let body = body(self);
        self.close_activation(body)
    }

    pub(super) fn current(&mut self) -> &mut Activation {
        let Some(activation) = self.activations.last_mut() else {
            unreachable!("the file's activation is open throughout")
        };
        activation
    }

    /// Takes a slot of the innermost activation.
    pub(super) fn take_slot(&mut self) -> u32 {
        let activation = self.current();
        activation.slots += 1;
        activation.max_slots = activation.max_slots.max(activation.slots);
        activation.slots - 1
    }

    /// Gives back the slots that were taken since there were `slots`.
    pub(super) fn free_slots(&mut self, slots: u32) {
        self.current().slots = slots;
    }

    pub(super) fn slots(&mut self) -> u32 {
        self.current().slots
    }

    /// Brings a variable into scope.
    pub(super) fn declare(&mut self, ident: Ident, place: Place) -> u32 {
        let id = self.variables.len() as u32;
        let shadowed = std::mem::replace(&mut self.heads[ident.0 as usize], id);
        self.variables.push(Variable {
            ident: Some(ident),
            shadowed,
            activation: self.activations.len() - 1,
            place,
        });
        id
    }

    /// Brings `$` into scope, which is `self` of an outermost object.
    pub(super) fn declare_dollar(&mut self, object: u32) {
        self.dollar_variable = self.variables.len() as u32;
        self.variables.push(Variable {
            ident: None,
            shadowed: NO_VARIABLE,
            activation: 0,
            place: Place::This { object },
        });
    }

    /// Number of variables in scope, to end a scope with.
    pub(super) fn scope(&self) -> usize {
        self.variables.len()
    }

    /// Takes all variables out of scope that came in since.
    pub(super) fn end_scope(&mut self, scope: usize) {
        for variable in self.variables.drain(scope..).rev() {
            match variable.ident {
                Some(ident) => self.heads[ident.0 as usize] = variable.shadowed,
                None => self.dollar_variable = NO_VARIABLE,
            }
        }
    }

    pub(super) fn variable(&self, ident: Ident) -> Option<u32> {
        let head = self.heads[ident.0 as usize];
        (head != NO_VARIABLE).then_some(head)
    }

    /// Where the innermost activation finds a variable.
    pub(super) fn resolve(&mut self, variable: u32) -> Origin {
        self.resolve_in(variable, self.activations.len() - 1)
    }

    fn resolve_in(&mut self, id: u32, at: usize) -> Origin {
        let variable = self.variables[id as usize];
        let activation = &mut self.activations[at];
        if activation.callee == id {
            return Origin::Callee;
        }
        match variable.place {
            Place::Slot(slot) if variable.activation == at => {
                activation.forward |= slot >= activation.unfilled;
                return Origin::Local(slot);
            }
            Place::ObjLocal { object, index } if activation.object == Some(object) => {
                activation.this = true;
                return Origin::ObjLocal(index);
            }
            Place::This { object } if activation.object == Some(object) => {
                activation.this = true;
                return Origin::This;
            }
            _ => {}
        }
        let record = activation.record;
        if let Some(at) = self.captured(record, id) {
            return Origin::Captured(at);
        }
        let origin = self.resolve_in(id, self.records[record].maker);
        let captures = &mut self.records[record].captures;
        captures.push((id, origin));
        Origin::Captured(captures.len() as u32 - 1)
    }

    fn captured(&self, record: usize, id: u32) -> Option<u32> {
        let captures = &self.records[record].captures;
        captures.iter().position(|c| c.0 == id).map(|at| at as u32)
    }
}
