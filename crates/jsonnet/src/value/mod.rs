//! Values as they are while a program runs.
//!
//! A [`Value`] is 16 bytes and cheap to clone. Everything behind a pointer
//! lives in the [`Store`]'s heap and belongs to one virtual machine. Nothing
//! here knows the syntax: code is named by [`Code`], whose meaning is the
//! evaluator's.

pub mod array;
mod function;
mod kind;
mod names;
pub mod object;
mod record;
mod store;
mod str;
mod thunk;

pub use array::Array;
pub use function::{Function, FunctionKind};
pub use names::{Name, Names};
pub use object::Object;
pub use record::Record;
pub use store::Store;
pub use str::Str;
pub use thunk::{By, Element, Thunk, Work};

use linecaster_heap::{Gc, Trace, Visitor};

/// A value.
#[derive(Clone)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite number.
    Num(f64),
    /// Text.
    Str(Str),
    /// An array.
    Array(Array),
    /// An object.
    Object(Object),
    /// A function.
    Function(Function),
    /// A value that may not be worked out yet: only in slots, records,
    /// elements and field caches, never the result of an evaluation.
    Pending(Gc<Thunk>),
}

const _: () = assert!(size_of::<Value>() == 16);
const _: () = assert!(size_of::<Option<Value>>() == 16);

/// A module of a virtual machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleId(pub u32);

/// A piece of code of a module: what the number means is the evaluator's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The two are what their types say.
pub struct Code {
    pub module: ModuleId,
    pub id: u32,
}

impl Value {
    /// Whether the value is worked out.
    #[inline]
    pub fn is_ready(&self) -> bool {
        !matches!(self, Self::Pending(_))
    }

    /// The name of its type, as `std.type` gives it; none for what is not
    /// worked out yet.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Num(_) => "number",
            Self::Str(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
            Self::Function(_) => "function",
            Self::Pending(_) => "pending",
        }
    }

    /// The value that stands for this one once it is known: itself, or what
    /// the thunk has been worked out to.
    #[inline]
    pub fn known(&self) -> Option<Self> {
        match self {
            Self::Pending(thunk) => thunk.result(),
            ready => Some(ready.clone()),
        }
    }
}

impl Trace for Value {
    #[inline]
    fn trace(&self, visitor: &mut Visitor<'_>) {
        match self {
            Self::Null | Self::Bool(_) | Self::Num(_) => {}
            Self::Str(value) => value.trace(visitor),
            Self::Array(value) => value.trace(visitor),
            Self::Object(value) => value.trace(visitor),
            Self::Function(value) => value.trace(visitor),
            Self::Pending(value) => value.trace(visitor),
        }
    }
}

impl From<bool> for Value {
    #[inline]
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for Value {
    #[inline]
    fn from(value: f64) -> Self {
        Self::Num(value)
    }
}

impl From<Str> for Value {
    #[inline]
    fn from(value: Str) -> Self {
        Self::Str(value)
    }
}

impl From<Array> for Value {
    #[inline]
    fn from(value: Array) -> Self {
        Self::Array(value)
    }
}

impl From<Object> for Value {
    #[inline]
    fn from(value: Object) -> Self {
        Self::Object(value)
    }
}

impl From<Function> for Value {
    #[inline]
    fn from(value: Function) -> Self {
        Self::Function(value)
    }
}

impl From<Gc<Thunk>> for Value {
    #[inline]
    fn from(value: Gc<Thunk>) -> Self {
        Self::Pending(value)
    }
}
