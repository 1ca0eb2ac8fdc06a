//! Capture records: the values of the free variables of code that runs later.

use std::ops::Deref;

use linecaster_heap::{GcSlice, Heap, Managed, Slot, Trace, Visitor};

use super::{Object, Value, kind};

/// What code that runs later needs: the object in whose field it stands and
/// the values of its free variables.
#[derive(Clone)]
pub struct Record(GcSlice<Head, Slot<Value>>);

struct Head {
    layer: u32,
    this: Option<Object>,
}

impl Managed for Head {
    const KIND: u8 = kind::RECORD;
}

impl Trace for Head {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.this.trace(visitor);
    }
}

impl Trace for Record {
    #[inline]
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.0.trace(visitor);
    }
}

impl Record {
    /// A record of the object and its layer in which the code stands, if
    /// any, and of the captured values.
    #[inline]
    pub fn new(
        heap: &Heap,
        this: Option<(Object, u32)>,
        values: impl IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
    ) -> Self {
        let (this, layer) = match this {
            Some((this, layer)) => (Some(this), layer),
            None => (None, 0),
        };
        let values = values.into_iter().map(Slot::new);
        Self(heap.alloc_slice(Head { layer, this }, values))
    }

    /// The object in which the code stands.
    #[inline]
    pub fn this(&self) -> Option<&Object> {
        self.0.head().this.as_ref()
    }

    /// The layer of [`Record::this`] in which the code stands.
    #[inline]
    pub fn layer(&self) -> u32 {
        self.0.head().layer
    }

    /// A captured value.
    #[inline]
    pub fn get(&self, index: usize) -> Value {
        self.0[index].get()
    }

    /// Replaces a captured value: a pending one by what it was worked out
    /// to, or the place of a variable that was bound after the record was
    /// made.
    #[inline]
    pub fn set(&self, index: usize, value: Value) {
        self.0[index].set(value);
    }

    /// How many values are captured.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.deref().len()
    }

    /// Whether nothing is captured.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
