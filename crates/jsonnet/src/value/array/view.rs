//! Arrays whose elements are found in or worked out from other arrays.
//!
//! Slices and reversals of slices and reversals are one view; other views nest
//! at most [`DEEPEST`] deep: what would be deeper is copied.

use linecaster_heap::{Heap, Managed, Trace, Visitor};

use super::cache::Cache;
use super::{Array, COPIED, Head, Item};
use crate::value::{By, Element, Value, kind};

/// Elements in other arrays.
pub(super) enum View {
    /// Numbers, each one more than the one before.
    Range { first: i64 },
    /// The elements `first`, `first + step` and so on.
    Strided { of: Array, first: i64, step: i64 },
    /// The elements again and again.
    Repeat { of: Array },
}

/// Elements worked out from those of another array, or from their indices.
pub(super) struct Mapped {
    by: By,
    source: Option<Array>,
    pub(super) cache: Cache,
    pub(super) depth: u8,
}

impl Mapped {
    pub(super) fn new(by: By, source: Option<Array>) -> Self {
        Self {
            by,
            depth: source.as_ref().map_or(0, |source| source.depth() + 1),
            source,
            cache: Cache::default(),
        }
    }

    /// How an element is worked out.
    pub(super) fn element(&self, heap: &Heap, index: usize) -> Element {
        let item = match &self.source {
            Some(source) => source.get(heap, index),
            None => Value::Null,
        };
        Element {
            by: self.by.clone(),
            index,
            item,
        }
    }
}

impl View {
    pub(super) fn item(&self, heap: &Heap, index: usize) -> Item {
        match self {
            Self::Range { first } => Item::Value(Value::Num((first + index as i64) as f64)),
            Self::Strided { of, first, step } => of.item(heap, at(*first, *step, index)),
            Self::Repeat { of } => of.item(heap, index % of.len()),
        }
    }

    pub(super) fn store(&self, index: usize, value: Value) {
        match self {
            Self::Range { .. } => {}
            Self::Strided { of, first, step } => of.store(at(*first, *step, index), value),
            Self::Repeat { of } => of.store(index % of.len(), value),
        }
    }

    pub(super) fn depth(&self) -> u8 {
        match self {
            Self::Range { .. } => 0,
            Self::Strided { of, .. } | Self::Repeat { of } => of.depth() + 1,
        }
    }
}

/// The index of a view's element in the array that it is a view of.
#[inline]
fn at(first: i64, step: i64, index: usize) -> usize {
    (first + step * index as i64) as usize
}

impl Array {
    /// The elements `first`, `first + step` and so on, so many, all of which
    /// the array has.
    pub(super) fn strided(&self, heap: &Heap, first: i64, step: i64, len: usize) -> Self {
        if let Head::View(view) = self.0.head() {
            match &**view {
                View::Strided {
                    of,
                    first: start,
                    step: stride,
                } => return of.strided(heap, start + stride * first, stride * step, len),
                View::Range { first: start } if step == 1 => {
                    return Self::range(heap, start + first, len);
                }
                _ => {}
            }
        }
        if self.is_copied(len) {
            let values = (0..len).map(|index| self.get(heap, at(first, step, index)));
            return Self::new(heap, values);
        }
        let of = self.shallow(heap);
        Self::view(heap, View::Strided { of, first, step }, len)
    }

    /// Whether so many of the elements are copied rather than looked at.
    fn is_copied(&self, len: usize) -> bool {
        match self.0.head() {
            // A short piece does not keep a long array.
            Head::Own | Head::Prefix(_) | Head::Numbers(_) | Head::Bytes(_) => {
                len <= COPIED || len < self.len() / 16
            }
            Head::Mapped(_) | Head::View(_) | Head::Rope(_) => len == 0,
        }
    }
}

impl Managed for View {
    const KIND: u8 = kind::VIEW;
}

impl Trace for View {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        match self {
            Self::Range { .. } => {}
            Self::Strided { of, .. } | Self::Repeat { of } => of.trace(visitor),
        }
    }
}

impl Managed for Mapped {
    const KIND: u8 = kind::MAPPED;
}

impl Trace for Mapped {
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.by.trace(visitor);
        self.source.trace(visitor);
        self.cache.trace(visitor);
    }
}
