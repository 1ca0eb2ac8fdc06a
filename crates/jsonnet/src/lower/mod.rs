//! From a file's tree to the code that is evaluated.
//!
//! One pass resolves variables to slots, captures and object locals, decides
//! what becomes a thunk, and makes the checks that need scopes: unknown
//! variables, and `self`, `super` and `$` outside of objects.
//!
//! - [`scope`] - activations, variables, captures,
//! - [`expr`] - expressions,
//! - [`operand`] - what is wanted later,
//! - [`object`], [`comp`], [`call`] - the larger constructs,
//! - [`context`] - how traces name what surrounds an expression.

mod call;
mod comp;
mod context;
mod expr;
mod object;
mod operand;
mod scope;

use std::collections::HashMap;
use std::sync::Arc;

use crate::ir::{self, CodeId, ExprId, NameId, Span32, StrId, Unit};
use crate::syntax::ast::{Ast, Ident};
use crate::syntax::{Span, StaticError};

/// Lowers a file; `path` is what its imports are relative to.
pub fn lower(ast: &Ast, path: &str) -> Result<Unit, StaticError> {
    let mut lower = Lower::new(ast, path);
    let root = lower.root();
    match lower.dollar.or(lower.error) {
        Some(error) => Err(error),
        None => Ok(Unit { root, ..lower.unit }),
    }
}

/// How deep expressions may be nested before the native stack is looked at.
const DEEP: u32 = 32;

struct Lower<'a> {
    ast: &'a Ast,
    unit: Unit,
    /// Activations that are open, the innermost last.
    activations: Vec<scope::Activation>,
    /// Records that are open.
    records: Vec<scope::OpenRecord>,
    /// Variables in scope.
    variables: Vec<scope::Variable>,
    /// The innermost variable of each ident.
    heads: Vec<u32>,
    /// The variable that `$` is.
    dollar_variable: u32,
    /// Objects that are open.
    objects: u32,
    /// The context that new expressions get.
    context: u32,
    /// How deep the expression is nested.
    depth: u32,
    names: Vec<Option<NameId>>,
    strings: HashMap<&'a str, StrId>,
    /// The first error of the checks.
    error: Option<StaticError>,
    /// The first `$` outside of objects, which is reported before them.
    dollar: Option<StaticError>,
}

impl<'a> Lower<'a> {
    fn new(ast: &'a Ast, path: &str) -> Self {
        let guess = ast.exprs().len();
        let unit = Unit {
            source: Arc::clone(ast.source()),
            path: path.to_owned(),
            this_file: path.to_owned(),
            root: CodeId(0),
            exprs: Vec::with_capacity(guess),
            spans: Vec::with_capacity(guess),
            contexts: vec![ir::Context {
                kind: ir::ContextKind::None,
                name: None,
                parent: 0,
            }],
            context_runs: Vec::new(),
            names: Vec::new(),
            strings: Vec::new(),
            items: Vec::new(),
            operands: Vec::new(),
            operand_lists: Vec::new(),
            origins: Vec::new(),
            records: vec![ir::Record::default()],
            codes: Vec::new(),
            codes_of_objects: Vec::new(),
            functions: Vec::new(),
            params: Vec::new(),
            binds: Vec::new(),
            groups: Vec::new(),
            objects: Vec::new(),
            fields: Vec::new(),
            comps: Vec::new(),
            specs: Vec::new(),
            named_calls: Vec::new(),
            arg_names: Vec::new(),
            caches: 0,
        };
        Self {
            ast,
            unit,
            activations: Vec::new(),
            records: Vec::new(),
            variables: Vec::new(),
            heads: vec![scope::NO_VARIABLE; ast.ident_count()],
            dollar_variable: scope::NO_VARIABLE,
            objects: 0,
            context: 0,
            depth: 0,
            names: vec![None; ast.ident_count()],
            strings: HashMap::new(),
            error: None,
            dollar: None,
        }
    }

    fn root(&mut self) -> CodeId {
        self.context = self.new_context(ir::ContextKind::Top, None, 0);
        let record = self.open_record();
        self.open_activation(scope::ActivationKind::Inner, record);
        let body = self.expr(self.ast.root());
        let code = self.close_activation(body);
        self.close_record(record);
        code
    }

    /// Appends an expression.
    fn push(&mut self, expr: ir::Expr, span: Span) -> ExprId {
        let id = ExprId(self.unit.exprs.len() as u32);
        if self.unit.context_runs.last().map_or(0, |run| run.1) != self.context {
            self.unit.context_runs.push((id, self.context));
        }
        self.unit.exprs.push(expr);
        self.unit.spans.push(span);
        id
    }

    /// Appends an expression that stands in no context.
    fn push_bare(&mut self, expr: ir::Expr, span: Span) -> ExprId {
        let context = std::mem::take(&mut self.context);
        let id = self.push(expr, span);
        self.context = context;
        id
    }

    fn name(&mut self, ident: Ident) -> NameId {
        let at = ident.0 as usize;
        if let Some(name) = self.names[at] {
            return name;
        }
        let name = NameId(self.unit.names.len() as u32);
        self.unit.names.push(self.ast.ident(ident).into());
        self.names[at] = Some(name);
        name
    }

    fn string(&mut self, text: &'a str) -> StrId {
        *self.strings.entry(text).or_insert_with(|| {
            self.unit.strings.push(text.into());
            StrId(self.unit.strings.len() as u32 - 1)
        })
    }

    fn new_cache(&mut self) -> ir::CacheId {
        self.unit.caches += 1;
        ir::CacheId(self.unit.caches - 1)
    }

    fn fail(&mut self, message: impl FnOnce() -> String, span: Span) {
        if self.error.is_none() {
            self.error = Some(StaticError::new(self.ast.source(), span, message()));
        }
    }
}

/// Appends items to a vector of the unit.
fn append<T>(vector: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Span32 {
    let start = vector.len() as u32;
    vector.extend(items);
    Span32 {
        start,
        end: vector.len() as u32,
    }
}
