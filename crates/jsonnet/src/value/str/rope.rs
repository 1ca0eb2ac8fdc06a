//! Concatenations whose text is made when it is first looked at.

use std::cell::{Cell, OnceCell};

use linecaster_heap::{Gc, GcStr, Heap, Managed, Slot, Trace, Visitor};

use super::facts::Facts;
use super::{Head, Repr, Str};
use crate::value::kind;

/// A concatenation.
pub(super) struct Rope {
    /// Both sides, until the text is made.
    sides: Slot<Option<Sides>>,
    text: OnceCell<GcStr<Head>>,
    pub(super) bytes: u32,
    pub(super) chars: Cell<u32>,
    pub(super) facts: Facts,
}

#[derive(Clone)]
struct Sides(Str, Str);

impl Rope {
    /// `left + right`, of so many bytes together.
    pub(super) fn new(heap: &Heap, left: &Str, right: &Str, bytes: usize) -> Gc<Self> {
        let rope = Self {
            sides: Slot::new(Some(Sides(left.clone(), right.clone()))),
            text: OnceCell::new(),
            bytes: u32::try_from(bytes).expect("a string of less than 4 GiB"),
            chars: Cell::new(0),
            facts: Facts::default(),
        };
        let chars = left.len() + right.len();
        rope.facts.set_measure(chars, bytes, &rope.chars);
        heap.alloc(rope)
    }

    /// The text, made now if need be.
    #[inline]
    pub(super) fn text(rope: &Gc<Self>) -> &GcStr<Head> {
        match rope.text.get() {
            Some(text) => text,
            None => Self::flatten(rope),
        }
    }

    #[cold]
    fn flatten(rope: &Gc<Self>) -> &GcStr<Head> {
        let mut pieces: Vec<Str> = Vec::new();
        let mut open: Vec<Str> = Vec::new();
        if let Some(Sides(left, right)) = rope.sides.get() {
            open.extend([right, left]);
        }
        while let Some(piece) = open.pop() {
            match &piece.0 {
                Repr::Rope(rope) => match (rope.text.get(), rope.sides.get()) {
                    (None, Some(Sides(left, right))) => open.extend([right, left]),
                    _ => pieces.push(piece),
                },
                _ => pieces.push(piece),
            }
        }
        let texts: Vec<&str> = pieces.iter().map(Str::as_str).collect();
        let text: GcStr<Head> = rope.heap().alloc_str(Head::default(), &texts);
        let _ = rope.text.set(text);
        rope.sides.set(None);
        rope.text.get().expect("just set")
    }
}

impl Managed for Rope {
    const KIND: u8 = kind::ROPE;
    const LEAF: bool = true;
    const NESTS: bool = true;
}

impl Trace for Rope {
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl Trace for Sides {
    fn trace(&self, _: &mut Visitor<'_>) {}
}
