//! Arrays.
//!
//! An array is one pointer. Its elements may be ready, pending, plain numbers,
//! or be found in other arrays; who reads them need not know.
//!
//! Arrays that refer to other arrays nest at most [`DEEPEST`] deep, so that
//! reading an element never overflows the stack; see `view`. Concatenations
//! may nest to any depth until an element is read; see `rope`.

mod cache;
mod rope;
#[cfg(test)]
mod tests;
mod view;

use std::iter::repeat_n;

use linecaster_heap::{Gc, GcSlice, Heap, Managed, Slot, Trace, Visitor};

use self::rope::{Buffer, Rope};
use self::view::{Mapped, View};
use super::{By, Element, Function, Thunk, Value, kind};

/// An array.
#[derive(Clone)]
pub struct Array(GcSlice<Head, Place>);

/// Where an element is kept; empty if it has not been worked out.
type Place = Slot<Option<Value>>;

/// What an array's element is.
pub enum Item {
    /// A value, maybe pending.
    Value(Value),
    /// One that is still to be worked out, and then given to
    /// [`Array::store`].
    Element(Element),
}

/// Where the elements are. The length of the array is the note.
enum Head {
    /// Behind the head.
    Own,
    Numbers(GcSlice<NumbersHead, f64>),
    Bytes(GcSlice<BytesHead, u8>),
    /// At the beginning of a buffer.
    Prefix(Buffer),
    /// Worked out from others; up to [`SHORT`] are kept behind the head.
    Mapped(Gc<Mapped>),
    /// In other arrays.
    View(Gc<View>),
    Rope(Gc<Rope>),
}

struct NumbersHead;
struct BytesHead;

/// Mapped arrays up to this length keep what has been worked out behind their
/// heads.
const SHORT: usize = 128;

/// Slices up to this length are copied rather than kept as views.
const COPIED: usize = 4;

/// How deep arrays that refer to others are nested.
const DEEPEST: u8 = 24;

impl Array {
    /// An array of values, pending ones among them or not.
    #[inline]
    pub fn new(
        heap: &Heap,
        values: impl IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
    ) -> Self {
        let values = values.into_iter().map(|value| Slot::new(Some(value)));
        let array = Self(heap.alloc_slice(Head::Own, values));
        array.0.note().set(array.0.len() as u32);
        array
    }

    /// An array whose elements are elsewhere, with so many places behind its
    /// head.
    fn with(heap: &Heap, place: Head, len: usize, places: usize) -> Self {
        let none = repeat_n(None, places).map(Slot::new);
        let array = Self(heap.alloc_slice(place, none));
        let len = u32::try_from(len).expect("an array of less than 2^32 elements");
        array.0.note().set(len);
        array
    }

    /// An array of numbers.
    #[allow(clippy::needless_pass_by_value)] // Who has them needs them no more.
    pub fn numbers(heap: &Heap, numbers: Vec<f64>) -> Self {
        let plain = heap.alloc_copy(NumbersHead, &numbers);
        Self::with(heap, Head::Numbers(plain), numbers.len(), 0)
    }

    /// An array of the numbers of bytes.
    pub fn from_bytes(heap: &Heap, bytes: &[u8]) -> Self {
        let plain = heap.alloc_copy(BytesHead, bytes);
        Self::with(heap, Head::Bytes(plain), bytes.len(), 0)
    }

    /// So many numbers, each one more than the one before.
    pub fn range(heap: &Heap, first: i64, len: usize) -> Self {
        Self::view(heap, View::Range { first }, len)
    }

    /// Every `step`th element from one index up to another.
    ///
    /// # Panics
    /// If `step` is 0.
    #[must_use]
    pub fn slice(&self, heap: &Heap, from: usize, to: usize, step: usize) -> Self {
        assert!(step > 0, "a step leads on");
        let to = to.min(self.len());
        let len = to.saturating_sub(from).div_ceil(step);
        if len == self.len() {
            return self.clone();
        }
        self.strided(heap, from as i64, step as i64, len)
    }

    /// The elements from the last to the first.
    #[must_use]
    pub fn reversed(&self, heap: &Heap) -> Self {
        self.strided(heap, self.len() as i64 - 1, -1, self.len())
    }

    /// The elements of both.
    #[inline]
    pub fn concat(heap: &Heap, left: &Self, right: &Self) -> Self {
        if left.is_empty() {
            return right.clone();
        }
        if right.is_empty() {
            return left.clone();
        }
        rope::concat(heap, left, right)
    }

    /// The elements, so many times.
    ///
    /// # Panics
    /// If that is 2^32 elements or more.
    #[must_use]
    pub fn repeat(&self, heap: &Heap, times: usize) -> Self {
        let len = self.len().saturating_mul(times);
        if len == 0 {
            return Self::new(heap, []);
        }
        if times == 1 {
            return self.clone();
        }
        let of = self.shallow(heap);
        Self::view(heap, View::Repeat { of }, len)
    }

    /// An array whose elements are worked out, each when it is needed, from
    /// those of another.
    #[allow(clippy::needless_pass_by_value)] // The new array keeps it.
    pub fn mapped(heap: &Heap, by: By, source: Self) -> Self {
        let len = source.len();
        let source = source.shallow(heap);
        Self::new_mapped(heap, Mapped::new(by, Some(source)), len)
    }

    /// An array whose elements a function works out from their indices.
    pub fn made(heap: &Heap, function: Function, len: usize) -> Self {
        Self::new_mapped(heap, Mapped::new(By::Index(function), None), len)
    }

    fn new_mapped(heap: &Heap, mapped: Mapped, len: usize) -> Self {
        let places = if len <= SHORT { len } else { 0 };
        Self::with(heap, Head::Mapped(heap.alloc(mapped)), len, places)
    }

    fn view(heap: &Heap, view: View, len: usize) -> Self {
        Self::with(heap, Head::View(heap.alloc(view)), len, 0)
    }

    /// How many elements there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.note().get() as usize
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
        if let Head::Own = self.0.head() {
            return Item::Value(self.0[index].get().expect("it was given"));
        }
        assert!(index < self.len(), "an element of the array");
        self.item_elsewhere(heap, index)
    }

    fn item_elsewhere(&self, heap: &Heap, index: usize) -> Item {
        let value = match self.0.head() {
            Head::Own => self.0[index].get(),
            Head::Numbers(numbers) => Some(Value::Num(numbers[index])),
            Head::Bytes(bytes) => Some(Value::Num(bytes[index].into())),
            Head::Prefix(buffer) => buffer[index].get(),
            Head::Mapped(mapped) => {
                if let Some(value) = self.worked_out(mapped, index) {
                    return Item::Value(value);
                }
                return Item::Element(mapped.element(heap, index));
            }
            Head::View(view) => return view.item(heap, index),
            Head::Rope(rope) => return rope.item(heap, index),
        };
        Item::Value(value.expect("it was given"))
    }

    /// What an element of a mapped array has been worked out to.
    fn worked_out(&self, mapped: &Mapped, index: usize) -> Option<Value> {
        match self.0.get(index) {
            Some(place) => place.get(),
            None => mapped.cache.get(index),
        }
    }

    /// Sets an element to what it was worked out to.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline]
    pub fn store(&self, index: usize, value: Value) {
        match self.0.head() {
            Head::Own => self.0[index].set(Some(value)),
            Head::Numbers(_) | Head::Bytes(_) => {}
            Head::Prefix(buffer) => buffer[index].set(Some(value)),
            Head::Mapped(mapped) => match self.0.get(index) {
                Some(place) => place.set(Some(value)),
                None => mapped.cache.set(&self.0.heap(), self.len(), index, value),
            },
            Head::View(view) => view.store(index, value),
            Head::Rope(rope) => rope.store(index, value),
        }
    }

    /// The numbers, if the array is held as numbers.
    #[inline]
    pub fn as_numbers(&self) -> Option<&[f64]> {
        match self.0.head() {
            Head::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// The bytes, if the array is held as bytes.
    #[inline]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self.0.head() {
            Head::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The first number, if the array is a range of numbers, each one more
    /// than the one before.
    #[inline]
    pub fn as_range(&self) -> Option<i64> {
        match self.0.head() {
            Head::View(view) => match **view {
                View::Range { first } => Some(first),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether both are the same object.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }

    /// How deep the arrays are nested that reading an element goes through.
    fn depth(&self) -> u8 {
        match self.0.head() {
            Head::Own | Head::Numbers(_) | Head::Bytes(_) | Head::Prefix(_) => 0,
            Head::Mapped(mapped) => mapped.depth,
            Head::View(view) => view.depth(),
            Head::Rope(rope) => rope.depth(),
        }
    }

    /// The same elements in an array that may be nested in another.
    fn shallow(&self, heap: &Heap) -> Self {
        if self.depth() < DEEPEST {
            return self.clone();
        }
        if let Head::Rope(rope) = self.0.head() {
            let _ = rope.flat(heap);
            return self.clone();
        }
        let values: Vec<Value> = (0..self.len()).map(|at| self.get(heap, at)).collect();
        Self::new(heap, values)
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
        match self {
            Self::Own | Self::Numbers(_) | Self::Bytes(_) => {}
            Self::Prefix(buffer) => buffer.trace(visitor),
            Self::Mapped(mapped) => mapped.trace(visitor),
            Self::View(view) => view.trace(visitor),
            Self::Rope(rope) => rope.trace(visitor),
        }
    }
}

impl Managed for NumbersHead {
    const KIND: u8 = kind::NUMBERS;
    const LEAF: bool = true;
}

impl Trace for NumbersHead {
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl Managed for BytesHead {
    const KIND: u8 = kind::BYTES;
    const LEAF: bool = true;
}

impl Trace for BytesHead {
    fn trace(&self, _: &mut Visitor<'_>) {}
}
