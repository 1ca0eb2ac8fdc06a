//! Calls.

use super::{Lower, append};
use crate::ir::{self, CallKind, ExprId, NamedCall, NamedCallId, Tail};
use crate::stdlib::{self, Args};
use crate::syntax::Span;
use crate::syntax::ast::{self, Arg, Expr, List};

/// A call as it was written.
pub(super) struct Call {
    pub(super) callee: ast::ExprId,
    pub(super) args: List<Arg>,
    pub(super) strict: bool,
    pub(super) tail: Tail,
    pub(super) span: Span,
}

impl Lower<'_> {
    pub(super) fn call(&mut self, call: &Call) -> ExprId {
        let args = self.ast.list(call.args);
        if let Some(known) = self.std_call(call, args) {
            return known;
        }
        let target = self.expr(call.callee);
        let kind = CallKind {
            strict: call.strict,
            tail: call.tail,
        };
        let values = args.iter().map(|arg| arg.value);
        let values = self.in_thunk(|s| {
            if call.strict {
                s.strict_operands(values)
            } else {
                s.operands(values)
            }
        });
        let first_named = args.iter().position(|arg| arg.name.is_some());
        let Some(first_named) = first_named else {
            let args = values;
            return self.push(ir::Expr::Call { target, args, kind }, call.span);
        };
        let mut names = Vec::new();
        for name in args[first_named..].iter().filter_map(|arg| arg.name) {
            names.push(self.name(name.ident));
        }
        let names = append(&mut self.unit.arg_names, names);
        self.unit.named_calls.push(NamedCall {
            target,
            args: values,
            names,
            kind,
        });
        let id = NamedCallId(self.unit.named_calls.len() as u32 - 1);
        self.push(ir::Expr::CallNamed(id), call.span)
    }

    /// A call of a builtin that wants evaluated arguments and gets as many as
    /// it has parameters: no thunks, no function value.
    fn std_call(&mut self, call: &Call, args: &[Arg]) -> Option<ExprId> {
        let Expr::Field { target, name } = self.ast.expr(call.callee) else {
            return None;
        };
        if !self.is_std(target) || args.iter().any(|arg| arg.name.is_some()) {
            return None;
        }
        let builtin = stdlib::find(self.ast.ident(name.ident))?;
        let entry = stdlib::builtin(builtin);
        if entry.args != Args::Ready || entry.params.len() != args.len() {
            return None;
        }
        let args = self.in_thunk(|s| {
            let args: Vec<ExprId> = args.iter().map(|arg| s.expr(arg.value)).collect();
            append(&mut s.unit.items, args)
        });
        let late = call.tail != Tail::Not;
        Some(self.push(
            ir::Expr::CallStd {
                builtin,
                args,
                late,
            },
            call.span,
        ))
    }
}
