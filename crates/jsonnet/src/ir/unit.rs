//! A lowered file.

use std::sync::Arc;

use super::{
    BinaryOp, Bind, Code, CodeId, Comp, Expr, ExprId, Field, Function, Group, NameId, NamedCall,
    Object, Operand, Operands, Origin, Param, Record, Spec,
};
use crate::syntax::source::{Source, Span};

/// What surrounds an expression, as traces name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Of which kind.
    pub kind: ContextKind,
    /// The name in it; `None` is "anonymous".
    pub name: Option<NameId>,
    /// The context around it, for thunks.
    pub parent: u32,
}

/// Kinds of contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextKind {
    /// Of an expression that stands in none.
    None,
    /// `$`: the file.
    Top,
    /// `function <name>`
    Function,
    /// `object <name>`
    Object,
    /// `thunk <name> from <parent>`
    Named,
    /// `thunk from <parent>`
    Thunk,
}

/// A lowered file: see the module's documentation.
#[derive(Debug)]
pub struct Unit {
    /// The text.
    pub source: Arc<Source>,
    /// The path that imports are relative to; empty for code that was given.
    pub path: String,
    /// What `std.thisFile` is.
    pub this_file: String,
    /// The file's value.
    pub root: CodeId,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Where they stand; [`Unit::NOWHERE`] for those that nobody wrote.
    pub spans: Vec<Span>,
    /// Contexts; the first is [`ContextKind::None`].
    pub contexts: Vec<Context>,
    /// First expressions of runs that share a context, in order.
    pub context_runs: Vec<(ExprId, u32)>,
    /// Texts of names.
    pub names: Vec<Box<str>>,
    /// Texts of string constants.
    pub strings: Vec<Box<str>>,
    /// Arguments of builtins.
    pub items: Vec<ExprId>,
    /// See [`Operands`].
    pub operands: Vec<Operand>,
    /// See [`Operands`].
    pub operand_lists: Vec<Operands>,
    /// See [`Record`].
    pub origins: Vec<Origin>,
    /// See [`Record`].
    pub records: Vec<Record>,
    /// See [`Code`].
    pub codes: Vec<Code>,
    /// See [`Object`].
    pub codes_of_objects: Vec<CodeId>,
    /// See [`Function`].
    pub functions: Vec<Function>,
    /// See [`Param`].
    pub params: Vec<Param>,
    /// See [`Bind`].
    pub binds: Vec<Bind>,
    /// See [`Group`].
    pub groups: Vec<Group>,
    /// See [`Object`].
    pub objects: Vec<Object>,
    /// See [`Field`].
    pub fields: Vec<Field>,
    /// See [`Comp`].
    pub comps: Vec<Comp>,
    /// See [`Spec`].
    pub specs: Vec<Spec>,
    /// See [`NamedCall`].
    pub named_calls: Vec<NamedCall>,
    /// See [`NamedCall`].
    pub arg_names: Vec<NameId>,
    /// How many inline caches a module of this unit needs.
    pub caches: u32,
}

impl Unit {
    /// The span of expressions that nobody wrote.
    pub const NOWHERE: Span = Span {
        start: u32::MAX,
        end: u32::MAX,
    };

    /// The context of an expression.
    pub fn context(&self, expr: ExprId) -> u32 {
        let after = self.context_runs.partition_point(|run| run.0 <= expr);
        after.checked_sub(1).map_or(0, |at| self.context_runs[at].1)
    }

    /// A context as traces name it.
    pub fn context_name(&self, mut context: u32) -> String {
        let mut out = String::new();
        let mut open = 0;
        loop {
            let Context { kind, name, parent } = self.contexts[context as usize];
            let name = name.map_or("anonymous", |name| &self.names[name.index()]);
            match kind {
                ContextKind::None => {}
                ContextKind::Top => out.push('$'),
                ContextKind::Function => out.extend(["function <", name, ">"]),
                ContextKind::Object => out.extend(["object <", name, ">"]),
                ContextKind::Named => out.extend(["thunk <", name, "> from <"]),
                ContextKind::Thunk => out.push_str("thunk from <"),
            }
            if !matches!(kind, ContextKind::Named | ContextKind::Thunk) {
                break;
            }
            open += 1;
            context = parent;
        }
        out.extend(std::iter::repeat_n('>', open));
        out
    }

    /// Where an expression stands, as messages name it; empty for those that
    /// nobody wrote.
    pub fn location(&self, expr: ExprId) -> String {
        let span = self.spans[expr.index()];
        if span == Self::NOWHERE {
            String::new()
        } else {
            self.source.location(span)
        }
    }
}

impl BinaryOp {
    /// Whether the operator yields a boolean for any two numbers.
    pub fn compares(self) -> bool {
        matches!(
            self,
            Self::Lt | Self::Le | Self::Gt | Self::Ge | Self::Eq | Self::Ne
        )
    }
}
