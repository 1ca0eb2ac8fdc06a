//! The code that is evaluated: a file's tree after lowering.
//!
//! A [`Unit`] is immutable and shared by threads and VMs. Variables are
//! resolved: an expression names a slot of its activation, a captured value of
//! its record, or a local of its object, never a variable. What runs later
//! (thunks, functions, fields) is a [`Code`] with a [`Record`] that lists where
//! each captured value comes from in the activation that makes it.
//!
//! Like the tree, a unit is a few flat vectors addressed by 4-byte indices;
//! an expression is 16 bytes. Spans and contexts, needed for messages alone,
//! are kept apart.

mod unit;

pub use unit::{Context, ContextKind, Unit};

use std::ops::Range;

use crate::syntax::ast::{ImportKind, Visibility};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the unit's vector.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
ids!(
    /// An expression of a unit.
    ExprId,
    /// A field name or parameter name of a unit.
    NameId,
    /// A string constant of a unit.
    StrId,
    /// A [`Code`].
    CodeId,
    /// A [`Record`].
    RecordId,
    /// A [`Function`].
    FunctionId,
    /// An [`Object`].
    ObjectId,
    /// A [`Comp`].
    CompId,
    /// A [`Operands`].
    OperandsId,
    /// A [`Group`].
    GroupId,
    /// A [`NamedCall`].
    NamedCallId,
    /// An inline cache of a module.
    CacheId,
    /// An entry of the standard library's table.
    BuiltinId
);

/// A run of one of the unit's vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span32 {
    /// First.
    pub start: u32,
    /// Past the last.
    pub end: u32,
}

impl Span32 {
    /// The positions.
    #[inline(always)]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How many.
    #[inline(always)]
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.end == self.start
    }
}

/// Operators on two evaluated operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // Named as in the syntax.
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Percent,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    Shl,
    Shr,
    In,
}

pub use crate::syntax::ast::UnaryOp;

/// An expression. Those in the first group neither fail nor run code.
#[derive(Clone, Copy, Debug)]
pub enum Expr {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A finite number.
    Num(f64),
    /// A string constant.
    Str(StrId),
    /// `self`
    This,
    /// The function whose body this is.
    Callee,
    /// `std`
    StdObject,
    /// `std.name`
    Std(BuiltinId),
    /// A function literal.
    Function(FunctionId),
    /// An array literal.
    Array(OperandsId),
    /// An object literal.
    Object(ObjectId),

    /// A slot of the activation.
    Local(u32),
    /// A value of the activation's record.
    Captured(u32),
    /// A local of the object layer.
    ObjLocal(u32),
    /// `target.name`
    Field {
        /// What is indexed.
        target: ExprId,
        /// The field.
        name: NameId,
        /// Where it was found before.
        cache: CacheId,
    },
    /// `target[index]`
    Index {
        /// What is indexed.
        target: ExprId,
        /// By what.
        index: ExprId,
    },
    /// `super.name`
    SuperField(NameId),
    /// `super[index]`
    SuperIndex(ExprId),
    /// `index in super`
    InSuper(ExprId),
    /// A call with positional arguments only.
    Call {
        /// What is called.
        target: ExprId,
        /// The arguments.
        args: OperandsId,
        /// How.
        kind: CallKind,
    },
    /// A call with named arguments.
    CallNamed(NamedCallId),
    /// A call of a builtin that takes evaluated arguments.
    CallStd {
        /// The builtin.
        builtin: BuiltinId,
        /// The arguments, in the unit's `items`: as many as parameters.
        args: Span32,
        /// Whether the activation's variables are not needed afterwards.
        late: bool,
    },
    /// A strict operator.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Left operand.
        left: ExprId,
        /// Right operand.
        right: ExprId,
    },
    /// `left && right`
    And(ExprId, ExprId),
    /// `left || right`
    Or(ExprId, ExprId),
    /// `op operand`
    Unary(UnaryOp, ExprId),
    /// `if cond then yes else no`
    If {
        /// The condition.
        cond: ExprId,
        /// The value when it holds.
        yes: ExprId,
        /// The value otherwise.
        no: ExprId,
    },
    /// `local …; body`
    Let {
        /// The variables.
        group: GroupId,
        /// The value.
        body: ExprId,
    },
    /// An array comprehension.
    ArrayComp(CompId),
    /// An object comprehension.
    ObjectComp(CompId),
    /// `error message`
    Error(ExprId),
    /// `import`, `importstr`, `importbin`
    Import(ImportKind, StrId),
    /// A number literal that is too large.
    Overflow,
    /// An expression that is deeply nested: makes sure of the native stack.
    Deep(ExprId),
}

const _: () = assert!(size_of::<Expr>() == 16);

/// How a call treats its arguments and the activation that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallKind {
    /// `tailstrict`: arguments are evaluated first, and the called activation
    /// may be given up for the one that it calls last.
    pub strict: bool,
    /// Where the call stands in its activation.
    pub tail: Tail,
}

/// Where an expression stands in its activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// The activation goes on afterwards.
    Not,
    /// Its variables are not needed afterwards, though the value is: the right
    /// operand of an operator.
    Late,
    /// It is the last thing that the activation does.
    Last,
}

impl Tail {
    /// For an operand after which an operator is applied.
    #[must_use]
    pub fn operand(self) -> Self {
        if self == Self::Not { self } else { Self::Late }
    }
}

/// A value that is wanted later: how to make what stands for it now.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// Evaluated at once: it neither fails nor runs code, or is an argument of
    /// a `tailstrict` call.
    Now(ExprId),
    /// A variable: what its slot holds, evaluated or not.
    Slot(u32),
    /// The same for a captured value.
    Captured(u32),
    /// The same for a local of the object layer.
    ObjLocal(u32),
    /// A small expression on variables: evaluated at once when these are, and
    /// when it does not fail; else a thunk.
    Try(ExprId, CodeId),
    /// A thunk.
    Later(CodeId),
}

/// Values wanted later whose thunks share one record.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    /// In the unit's `operands`.
    pub items: Span32,
    /// What the thunks capture.
    pub record: RecordId,
}

/// Where a captured value comes from, in the activation that makes the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A slot.
    Local(u32),
    /// A value of its own record.
    Captured(u32),
    /// A local of the object layer.
    ObjLocal(u32),
    /// `self`
    This,
    /// The function whose body it is.
    Callee,
}

/// The captured values of some code, in the unit's `origins`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Record {
    /// Where they come from.
    pub origins: Span32,
    /// Whether it also holds `self` and the object layer.
    pub this: bool,
}

/// The body of an activation.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// What is evaluated.
    pub body: ExprId,
    /// Size of its part of the value stack.
    pub slots: u32,
    /// Whether it needs `self` or the object layer.
    pub this: bool,
}

/// A function literal.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// In the unit's `params`; parameters are the first slots.
    pub params: Span32,
    /// How many come without a default.
    pub required: u32,
    /// The body.
    pub code: CodeId,
    /// What it captures.
    pub record: RecordId,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: NameId,
    /// Its default, made in the function's activation.
    pub default: Option<Bind>,
}

/// A variable's slot and its value.
#[derive(Clone, Copy, Debug)]
pub struct Bind {
    /// Where the value goes.
    pub slot: u32,
    /// The value.
    pub value: Operand,
    /// What its thunk or function captures.
    pub record: RecordId,
    /// Whether the record names slots that are filled after this one: these
    /// captures are copied again when the group is complete.
    pub patch: bool,
}

/// The variables of one `local`.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// In the unit's `binds`.
    pub binds: Span32,
    /// Whether any bind is to be patched.
    pub patched: bool,
}

/// An object literal.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// In the unit's `fields`.
    pub fields: Span32,
    /// Codes of the locals, in the unit's `codes_of_objects`.
    pub locals: Span32,
    /// Codes of the assertions, in the unit's `codes_of_objects`.
    pub asserts: Span32,
    /// What they all capture.
    pub record: RecordId,
    /// Whether any name is computed.
    pub computed: bool,
}

/// Name of a field.
#[derive(Clone, Copy, Debug)]
pub enum FieldName {
    /// Known.
    Fixed(NameId),
    /// Worked out where the object is made; null leaves the field out.
    Computed(ExprId),
}

/// A field of an object literal.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: FieldName,
    /// Whether it is manifested.
    pub visibility: Visibility,
    /// Whether it is added to the inherited field.
    pub plus: bool,
    /// Its value.
    pub code: CodeId,
}

/// A comprehension.
#[derive(Clone, Copy, Debug)]
pub struct Comp {
    /// In the unit's `specs`.
    pub specs: Span32,
    /// What is made for each combination.
    pub body: CompBody,
}

/// What a comprehension makes.
#[derive(Clone, Copy, Debug)]
pub enum CompBody {
    /// Elements on demand: there is one `for` and no `if`, and the code's first
    /// slot is the variable.
    Mapped {
        /// The element.
        code: CodeId,
        /// What it captures.
        record: RecordId,
    },
    /// An element.
    Element(Operands),
    /// A field.
    Field {
        /// The field; its name is computed in the activation of the
        /// comprehension.
        field: Field,
        /// What it captures.
        record: RecordId,
        /// The object literal that errors of the name point to.
        shown: ExprId,
    },
}

/// A part of a comprehension.
#[derive(Clone, Copy, Debug)]
pub enum Spec {
    /// `for slot in iter`
    For {
        /// Where the element goes.
        slot: u32,
        /// The array.
        iter: ExprId,
    },
    /// `if cond`
    If(ExprId),
}

/// A call with named arguments.
#[derive(Clone, Copy, Debug)]
pub struct NamedCall {
    /// What is called.
    pub target: ExprId,
    /// The arguments, positional ones first.
    pub args: OperandsId,
    /// Names of the last arguments, in the unit's `arg_names`.
    pub names: Span32,
    /// How.
    pub kind: CallKind,
}
