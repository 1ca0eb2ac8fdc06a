//! Functions.

use linecaster_heap::{Gc, Heap, Managed, Trace, Visitor};

use super::{Code, Record, kind};

/// A function.
#[derive(Clone)]
pub struct Function(Gc<FunctionKind>);

/// The kinds of functions.
#[derive(Clone)]
pub enum FunctionKind {
    /// A function of the program, with what it captured.
    Closure(Code, Option<Record>),
    /// A function of the standard library, by its number.
    Builtin(u32),
    /// A function of the host, by its number.
    Native(u32),
}

impl Function {
    /// A function of the program.
    #[inline]
    pub fn closure(heap: &Heap, code: Code, record: Option<Record>) -> Self {
        Self(heap.alloc(FunctionKind::Closure(code, record)))
    }

    /// A function of the standard library.
    pub fn builtin(heap: &Heap, id: u32) -> Self {
        Self(heap.alloc(FunctionKind::Builtin(id)))
    }

    /// A function of the host.
    pub fn native(heap: &Heap, id: u32) -> Self {
        Self(heap.alloc(FunctionKind::Native(id)))
    }

    /// What it is.
    #[inline]
    pub fn kind(&self) -> &FunctionKind {
        &self.0
    }

    /// Whether both are the same object.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }
}

impl Trace for Function {
    #[inline]
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.0.trace(visitor);
    }
}

impl Managed for FunctionKind {
    const KIND: u8 = kind::FUNCTION;
}

impl Trace for FunctionKind {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        match self {
            Self::Closure(_, record) => record.trace(visitor),
            Self::Builtin(_) | Self::Native(_) => {}
        }
    }
}
