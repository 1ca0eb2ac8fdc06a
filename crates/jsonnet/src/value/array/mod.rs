//! Arrays.
//!
//! An array is one pointer. Its elements may be ready, pending, plain numbers,
//! or be found in other arrays; who reads them need not know.

use linecaster_heap::{GcSlice, Heap, Managed, Slot, Trace, Visitor};

use super::{By, Element, Function, Thunk, Value, kind};

/// An array.
#[derive(Clone)]
pub struct Array(GcSlice<Head, Slot<Option<Value>>>);

/// What an array's element is.
pub enum Item {
    /// A value, maybe pending.
    Value(Value),
    /// One that is still to be worked out, and then given to
    /// [`Array::store`].
    Element(Element),
}

struct Head {
    mapped: Option<(By, Option<Array>)>,
}

impl Array {
    /// An array of values, pending ones among them or not.
    #[inline]
    pub fn new(
        heap: &Heap,
        values: impl IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
    ) -> Self {
        let values = values.into_iter().map(|value| Slot::new(Some(value)));
        Self(heap.alloc_slice(Head { mapped: None }, values))
    }

    /// An array of numbers.
    pub fn numbers(heap: &Heap, numbers: Vec<f64>) -> Self {
        Self::new(heap, numbers.into_iter().map(Value::Num))
    }

    /// An array of the numbers of bytes.
    pub fn from_bytes(heap: &Heap, bytes: &[u8]) -> Self {
        Self::new(heap, bytes.iter().map(|&byte| Value::Num(byte.into())))
    }

    /// So many numbers, each one more than the one before.
    pub fn range(heap: &Heap, first: i64, len: usize) -> Self {
        Self::numbers(heap, (first..).take(len).map(|n| n as f64).collect())
    }

    /// Every `step`th element from one index up to another.
    ///
    /// # Panics
    /// If `step` is 0.
    pub fn slice(&self, heap: &Heap, from: usize, to: usize, step: usize) -> Self {
        let to = to.min(self.len());
        let picked: Vec<Value> = (from..to)
            .step_by(step)
            .map(|i| self.get(heap, i))
            .collect();
        Self::new(heap, picked)
    }

    /// The elements from the last to the first.
    pub fn reversed(&self, heap: &Heap) -> Self {
        let turned: Vec<Value> = (0..self.len()).rev().map(|i| self.get(heap, i)).collect();
        Self::new(heap, turned)
    }

    /// The elements of both.
    pub fn concat(heap: &Heap, left: &Self, right: &Self) -> Self {
        let both: Vec<Value> = (0..left.len())
            .map(|i| left.get(heap, i))
            .chain((0..right.len()).map(|i| right.get(heap, i)))
            .collect();
        Self::new(heap, both)
    }

    /// The elements, so many times.
    pub fn repeat(&self, heap: &Heap, times: usize) -> Self {
        let all: Vec<Value> = (0..times)
            .flat_map(|_| (0..self.len()).map(|i| self.get(heap, i)))
            .collect();
        Self::new(heap, all)
    }

    /// An array whose elements are worked out, each when it is needed, from
    /// those of another.
    pub fn mapped(heap: &Heap, by: By, source: Self) -> Self {
        let none = std::iter::repeat_n(None, source.len()).map(Slot::new);
        let mapped = Some((by, Some(source)));
        Self(heap.alloc_slice(Head { mapped }, none))
    }

    /// An array whose elements a function works out from their indices.
    pub fn made(heap: &Heap, function: Function, len: usize) -> Self {
        let none = std::iter::repeat_n(None, len).map(Slot::new);
        let mapped = Some((By::Index(function), None));
        Self(heap.alloc_slice(Head { mapped }, none))
    }

    /// How many elements there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An element, maybe pending.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline]
    pub fn get(&self, heap: &Heap, index: usize) -> Value {
        match self.item(heap, index) {
            Item::Value(value) => value,
            Item::Element(element) => {
                let value = Value::Pending(Thunk::element(heap, element));
                self.store(index, value.clone());
                value
            }
        }
    }

    /// An element, or how it is to be worked out, for those who do that at
    /// once and [`Array::store`] the result.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline]
    pub fn item(&self, heap: &Heap, index: usize) -> Item {
        if let Some(value) = self.0[index].get() {
            return Item::Value(value);
        }
        let (by, source) = self.0.head().mapped.clone().expect("mapped");
        let item = source.map_or(Value::Null, |source| source.get(heap, index));
        Item::Element(Element { by, index, item })
    }

    /// Sets an element to what it was worked out to.
    #[inline]
    pub fn store(&self, index: usize, value: Value) {
        self.0[index].set(Some(value));
    }

    /// The numbers, if the array is held as numbers.
    #[inline]
    pub fn as_numbers(&self) -> Option<&[f64]> {
        None
    }

    /// Whether both are the same object.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }
}

impl Trace for Array {
    #[inline]
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.0.trace(visitor);
    }
}

impl Managed for Head {
    const KIND: u8 = kind::ARRAY;
}

impl Trace for Head {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        if let Some((by, source)) = &self.mapped {
            by.trace(visitor);
            source.trace(visitor);
        }
    }
}
