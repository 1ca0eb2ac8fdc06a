//! The surface syntax of a Jsonnet file: everything that was written, nothing
//! desugared, so that lowering, formatter and lint read the same tree.
//!
//! The tree lives in a few flat vectors and is addressed by 4-byte indices: a
//! node is 16 bytes, its span another 8, and a file's tree is a handful of
//! allocations whatever its size. Children are always made before their
//! parents, so an [`ExprId`] is larger than those of all its children.
//!
//! Texts are slices of the source wherever the source spells them directly;
//! strings with escapes, doubled quotes or text-block indents are decoded once
//! into [`Ast::decoded`]. Names are interned per file: equal names have equal
//! [`Ident`]s, and idents are dense, so tables over names are plain vectors.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::ops::Range;

use super::source::Span;

mod tree;

pub use tree::{Ast, Listed};

/// Index of an expression in its [`Ast`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(NonZeroU32);

impl ExprId {
    /// The position of the node in [`Ast::exprs`] (position 0 is never used).
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize
    }
}

/// An interned name (identifier, or name of a field that was written as a
/// string) of one file; see [`Ast::ident`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ident(pub u32);

/// A name where it was written as an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameRef {
    /// The name.
    pub ident: Ident,
    /// Byte offset of its first character; see [`Ast::name_span`].
    pub start: u32,
}

/// A text: a slice of the source, or of [`Ast::decoded`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// First byte.
    pub start: u32,
    /// Past the last byte.
    pub end: u32,
    /// Whether the text is in [`Ast::decoded`] instead of the source.
    pub decoded: bool,
}

impl Text {
    /// The byte range, in the source or in [`Ast::decoded`].
    #[inline]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A run of `T` in one of the tree's vectors; read it with [`Ast::list`].
pub struct List<T> {
    /// Plus 1, so that an absent list takes no more room.
    start: NonZeroU32,
    len: u32,
    items: PhantomData<fn() -> T>,
}

impl<T> List<T> {
    /// The list of `len` items from `start` on.
    pub(in crate::syntax) fn new(start: usize, len: usize) -> Self {
        Self {
            start: NonZeroU32::MIN.saturating_add(start as u32),
            len: len as u32,
            items: PhantomData,
        }
    }

    /// Number of items.
    #[inline]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Positions of the items in their vector.
    #[inline]
    pub fn range(self) -> Range<usize> {
        let start = self.start.get() as usize - 1;
        start..start + self.len as usize
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for List<T> {}
impl<T> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.range())
    }
}

/// An expression.
#[derive(Clone, Copy, Debug)]
pub enum Expr {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number; infinite when the literal is too large for a double (an error
    /// when evaluated). The span holds its spelling, digit separators included.
    Number(f64),
    /// A string literal, escapes resolved.
    String {
        /// How it was written.
        kind: StringKind,
        /// Its value.
        text: Text,
    },
    /// `self`
    SelfRef,
    /// `$`
    Dollar,
    /// A variable; the span is the name's.
    Var(Ident),
    /// `[a, b]`
    Array(List<ExprId>),
    /// `[e for x in xs if c]`
    ArrayComp {
        /// The element.
        body: ExprId,
        /// At least one, the first a `for`.
        specs: List<Spec>,
    },
    /// `{ … }`
    Object(List<Member>),
    /// `{ [k]: v for x in xs }`; see [`Ast::object_comp`].
    ObjectComp(ObjectCompId),
    /// `left { … }`, where `object` is an object or an object comprehension.
    ApplyBrace {
        /// The left operand.
        left: ExprId,
        /// The object.
        object: ExprId,
    },
    /// `target.name`
    Field {
        /// What is indexed.
        target: ExprId,
        /// The field.
        name: NameRef,
    },
    /// `target[index]`
    Index {
        /// What is indexed.
        target: ExprId,
        /// By what.
        index: ExprId,
    },
    /// `target[start:end:step]`; see [`Ast::slice`].
    Slice {
        /// What is sliced.
        target: ExprId,
        /// The three bounds.
        bounds: SliceId,
    },
    /// `super.name`; the span is that of `super`.
    SuperField(NameRef),
    /// `super[index]`; the span is that of `super`.
    SuperIndex(ExprId),
    /// `index in super`
    InSuper(ExprId),
    /// `callee(args)`; the span ends at `)`, before a `tailstrict`.
    Call {
        /// What is called.
        callee: ExprId,
        /// Positional arguments, then named ones.
        args: List<Arg>,
        /// Whether `tailstrict` follows.
        tailstrict: bool,
    },
    /// `function(params) body`
    Function {
        /// Parameters; duplicates are not excluded here.
        params: List<Param>,
        /// The body.
        body: ExprId,
    },
    /// `local binds; body`
    Local {
        /// At least one; all names differ.
        binds: List<Bind>,
        /// The body.
        body: ExprId,
    },
    /// `if cond then yes else no`
    If {
        /// The condition.
        cond: ExprId,
        /// The value when it holds.
        yes: ExprId,
        /// The value otherwise; `null` when left out.
        no: Option<ExprId>,
    },
    /// `left op right`
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Left operand.
        left: ExprId,
        /// Right operand.
        right: ExprId,
    },
    /// `op operand`
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: ExprId,
    },
    /// `(inner)`
    Paren(ExprId),
    /// `assert cond : message; rest`
    Assert {
        /// What must hold.
        cond: ExprId,
        /// The error's message.
        message: Option<ExprId>,
        /// The value.
        rest: ExprId,
    },
    /// `error message`
    Error(ExprId),
    /// `import "path"` and its sisters.
    Import {
        /// Which of them.
        kind: ImportKind,
        /// The path: a [`Expr::String`] that is no text block.
        path: ExprId,
    },
}

/// How a string literal was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringKind {
    /// `"…"`
    Double,
    /// `'…'`
    Single,
    /// `@"…"`
    VerbatimDouble,
    /// `@'…'`
    VerbatimSingle,
    /// `|||…|||`
    Block,
}

/// The three ways to import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportKind {
    /// `import`: the value of a Jsonnet file.
    Code,
    /// `importstr`: a file's text.
    Str,
    /// `importbin`: a file's bytes.
    Bin,
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Their spelling says what they are; see `spelling`.
pub enum BinaryOp {
    Mul,
    Div,
    Percent,
    Add,
    Sub,
    Shl,
    Shr,
    Gt,
    Ge,
    Lt,
    Le,
    In,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

impl BinaryOp {
    /// As written.
    pub fn spelling(self) -> &'static str {
        match self {
            Self::Mul => "*",
            Self::Div => "/",
            Self::Percent => "%",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::In => "in",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::BitAnd => "&",
            Self::BitXor => "^",
            Self::BitOr => "|",
            Self::And => "&&",
            Self::Or => "||",
        }
    }
}

/// Operators before one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // As above.
pub enum UnaryOp {
    Not,
    BitNot,
    Plus,
    Minus,
}

impl UnaryOp {
    /// As written.
    pub fn spelling(self) -> &'static str {
        match self {
            Self::Not => "!",
            Self::BitNot => "~",
            Self::Plus => "+",
            Self::Minus => "-",
        }
    }
}

/// Index of an object comprehension.
#[derive(Clone, Copy, Debug)]
pub struct ObjectCompId(pub(in crate::syntax) u32);

/// `{ local a = 1, [k]: v for x in xs }`
#[derive(Clone, Copy, Debug)]
pub struct ObjectComp {
    /// Locals, and exactly one field: [`FieldName::Expr`], inherited
    /// visibility, perhaps with `+:` or parameters.
    pub members: List<Member>,
    /// At least one, the first a `for`.
    pub specs: List<Spec>,
}

/// Index of a slice's bounds.
#[derive(Clone, Copy, Debug)]
pub struct SliceId(pub(in crate::syntax) u32);

/// The bounds of `target[start:end:step]`.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // Named as in the syntax.
pub struct SliceBounds {
    pub start: Option<ExprId>,
    pub end: Option<ExprId>,
    pub step: Option<ExprId>,
}

/// A part of a comprehension, in source order.
#[derive(Clone, Copy, Debug)]
pub enum Spec {
    /// `for name in iter`
    For {
        /// The variable.
        name: NameRef,
        /// What it runs over.
        iter: ExprId,
    },
    /// `if cond`
    If(ExprId),
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct Arg {
    /// The parameter's name in `name = value`; no positional argument comes
    /// after a named one.
    pub name: Option<NameRef>,
    /// The value.
    pub value: ExprId,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: NameRef,
    /// Its default.
    pub default: Option<ExprId>,
}

/// A bind of a `local`, of expressions and of objects alike.
#[derive(Clone, Copy, Debug)]
pub struct Bind {
    /// The variable.
    pub name: NameRef,
    /// Parameters of `name(params) = body`.
    pub params: Option<List<Param>>,
    /// The value, or the function's body.
    pub body: ExprId,
}

/// What stands between the braces of an object.
#[derive(Clone, Copy, Debug)]
pub enum Member {
    /// A field or method.
    Field(Field),
    /// `local name = body`
    Local(Bind),
    /// `assert cond : message`
    Assert {
        /// What must hold.
        cond: ExprId,
        /// The error's message.
        message: Option<ExprId>,
        /// From `assert` to the end of condition or message.
        span: Span,
    },
}

/// A field or method of an object.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: FieldName,
    /// `:`, `::` or `:::`.
    pub visibility: Visibility,
    /// Whether `+` stands before the colons (never with `params`).
    pub plus: bool,
    /// Parameters of `name(params): body`.
    pub params: Option<List<Param>>,
    /// The value, or the method's body.
    pub body: ExprId,
    /// Byte offset of the name (of `[` in `[name]`); the field ends where
    /// `body` ends.
    pub start: u32,
}

/// Name of a field.
#[derive(Clone, Copy, Debug)]
pub enum FieldName {
    /// `name:`
    Ident(Ident),
    /// `"name":`
    String {
        /// The string's value.
        ident: Ident,
    },
    /// `[expr]:`
    Expr(ExprId),
}

impl FieldName {
    /// The name, if it is known before evaluation.
    #[inline]
    pub fn fixed(self) -> Option<Ident> {
        match self {
            Self::Ident(ident) | Self::String { ident } => Some(ident),
            Self::Expr(_) => None,
        }
    }
}

/// Whether a field is manifested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// `:`: as in what it overrides, else visible.
    Inherit,
    /// `::`
    Hidden,
    /// `:::`
    Forced,
}

const _: () = assert!(size_of::<Expr>() == 16);
const _: () = assert!(size_of::<Member>() == 28);
const _: () = assert!(size_of::<Option<ExprId>>() == 4);
