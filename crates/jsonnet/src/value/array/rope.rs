//! Concatenations.
//!
//! Short ones are copied. A long left side that was itself made by
//! concatenating often has room behind it: then the right side is put there,
//! so that a loop that appends takes linear time. All others are ropes: their
//! elements are found in both sides, or, if they nest deep, are put into a
//! buffer with room behind them when the first is read.

use std::cell::OnceCell;
use std::iter::repeat_n;

use linecaster_heap::{GcSlice, Heap, Managed, Slot, Trace, Visitor};

use super::{Array, DEEPEST, Head, Item, Place};
use crate::value::{Value, kind};

/// Elements that several arrays may begin with; the note is how many of the
/// places are taken.
pub(super) type Buffer = GcSlice<BufferHead, Place>;

pub(super) struct BufferHead;

/// A concatenation.
pub(super) struct Rope {
    /// Both sides, until the elements are in one buffer.
    sides: Slot<Option<Sides>>,
    flat: OnceCell<Buffer>,
    /// The length of the left side.
    middle: u32,
    len: u32,
    depth: u32,
}

#[derive(Clone)]
struct Sides(Array, Array);

/// Concatenations of up to so many elements are copied.
const COPIED: usize = 16;

/// Concatenations up to this depth are read in both sides.
const READ: u32 = 4;

/// `left + right`, none of them empty.
pub(super) fn concat(heap: &Heap, left: &Array, right: &Array) -> Array {
    let len = left.len() + right.len();
    if len <= COPIED && left.is_own() && right.is_own() {
        let value = |at: usize| match at.checked_sub(left.len()) {
            None => left.get(heap, at),
            Some(at) => right.get(heap, at),
        };
        return Array::new(heap, (0..len).map(value));
    }
    if let Some(appended) = append(heap, left, right) {
        return appended;
    }
    let rope = Rope {
        depth: u32::max(rope_depth(left), rope_depth(right)) + 1,
        sides: Slot::new(Some(Sides(left.clone(), right.clone()))),
        flat: OnceCell::new(),
        middle: left.len() as u32,
        len: u32::try_from(len).expect("an array of less than 2^32 elements"),
    };
    Array::with(heap, Head::Rope(heap.alloc(rope)), len, 0)
}

/// The depth of a concatenation, counting only concatenations.
fn rope_depth(array: &Array) -> u32 {
    match array.0.head() {
        Head::Rope(rope) if rope.flat.get().is_none() => rope.depth,
        _ => 0,
    }
}

/// Puts a short right side behind a left side that has room behind it.
fn append(heap: &Heap, left: &Array, right: &Array) -> Option<Array> {
    let buffer = match left.0.head() {
        Head::Prefix(buffer) => buffer,
        Head::Rope(rope) => rope.flat.get()?,
        _ => return None,
    };
    let (start, end) = (left.len(), left.len() + right.len());
    if buffer.note().get() as usize != start || end > buffer.len() || !right.is_own() {
        return None;
    }
    buffer.note().set(end as u32);
    for (at, place) in buffer[start..end].iter().enumerate() {
        place.set(Some(right.get(heap, at)));
    }
    Some(Array::with(heap, Head::Prefix(buffer.clone()), end, 0))
}

impl Array {
    /// Whether all elements are values that are held by the array itself.
    fn is_own(&self) -> bool {
        matches!(self.0.head(), Head::Own | Head::Prefix(_))
    }
}

impl Rope {
    pub(super) fn item(&self, heap: &Heap, index: usize) -> Item {
        if self.flat.get().is_none()
            && self.depth <= READ
            && let Some(Sides(left, right)) = self.sides.get()
        {
            return match index.checked_sub(self.middle as usize) {
                None => left.item(heap, index),
                Some(index) => right.item(heap, index),
            };
        }
        let place = &self.flat(heap)[index];
        Item::Value(place.get().expect("the buffer is filled"))
    }

    pub(super) fn store(&self, index: usize, value: Value) {
        if let Some(flat) = self.flat.get() {
            flat[index].set(Some(value));
        } else if let Some(Sides(left, right)) = self.sides.get() {
            match index.checked_sub(self.middle as usize) {
                None => left.store(index, value),
                Some(index) => right.store(index, value),
            }
        }
    }

    /// How deep reading an element goes: as deep as is allowed if that is not
    /// known, so that nothing is nested over it before it is in a buffer.
    pub(super) fn depth(&self) -> u8 {
        match (self.flat.get(), self.sides.get()) {
            (None, Some(Sides(left, right))) if self.depth <= READ => {
                (left.depth().max(right.depth()) + 1).min(DEEPEST)
            }
            (None, _) => DEEPEST,
            (Some(_), _) => 0,
        }
    }

    /// All elements in a buffer, made now if need be.
    pub(super) fn flat(&self, heap: &Heap) -> &Buffer {
        self.flat.get_or_init(|| {
            let values = self.values(heap);
            self.sides.set(None);
            let used = values.len();
            let room = repeat_n(None, used / 2 + 8).map(Slot::new);
            let mut places: Vec<Place> = Vec::with_capacity(used + room.len());
            places.extend(values.into_iter().map(|value| Slot::new(Some(value))));
            places.extend(room);
            let buffer = heap.alloc_slice(BufferHead, places);
            buffer.note().set(used as u32);
            buffer
        })
    }

    /// All elements.
    fn values(&self, heap: &Heap) -> Vec<Value> {
        let mut values = Vec::with_capacity(self.len as usize);
        let mut open: Vec<Array> = Vec::new();
        if let Some(Sides(left, right)) = self.sides.get() {
            open.extend([right, left]);
        }
        while let Some(array) = open.pop() {
            if let Head::Rope(rope) = array.0.head()
                && rope.flat.get().is_none()
                && let Some(Sides(left, right)) = rope.sides.get()
            {
                open.extend([right, left]);
                continue;
            }
            values.extend((0..array.len()).map(|at| array.get(heap, at)));
        }
        values
    }
}

impl Managed for Rope {
    const KIND: u8 = kind::ARRAY_ROPE;
}

impl Trace for Rope {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.sides.trace(visitor);
        if let Some(flat) = self.flat.get() {
            flat.trace(visitor);
        }
    }
}

impl Trace for Sides {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.0.trace(visitor);
        self.1.trace(visitor);
    }
}

impl Managed for BufferHead {
    const KIND: u8 = kind::BUFFER;
}

impl Trace for BufferHead {
    fn trace(&self, _: &mut Visitor<'_>) {}
}
