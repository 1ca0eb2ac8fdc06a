//! How traces name what surrounds an expression.
//!
//! The rules are those of the reference implementation, oddities included: the
//! target of `target.name` and the step of a slice stand in no context, and
//! neither does anything inside them.

use super::Lower;
use crate::ir::{Context, ContextKind, NameId};

impl Lower<'_> {
    pub(super) fn new_context(
        &mut self,
        kind: ContextKind,
        name: Option<NameId>,
        parent: u32,
    ) -> u32 {
        self.unit.contexts.push(Context { kind, name, parent });
        self.unit.contexts.len() as u32 - 1
    }

    /// Runs `inside` in a new context of the kind, unless what surrounds it
    /// stands in none.
    pub(super) fn in_context<T>(
        &mut self,
        kind: ContextKind,
        name: Option<NameId>,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.context;
        if outer != 0 {
            self.context = self.new_context(kind, name, outer);
        }
        let result = inside(self);
        self.context = outer;
        result
    }

    /// Runs `inside` in the context of the thunks of this one.
    pub(super) fn in_thunk<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.in_context(ContextKind::Thunk, None, inside)
    }

    /// Runs `inside` without a context.
    pub(super) fn in_none<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::take(&mut self.context);
        let result = inside(self);
        self.context = outer;
        result
    }
}
