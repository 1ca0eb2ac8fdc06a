//! Pieces of other texts, kept by reference.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

use linecaster_heap::{Managed, Trace, Visitor};

use super::Str;
use super::facts::Facts;
use crate::syntax::source::Source;
use crate::value::kind;

/// A piece of another text.
pub(super) struct Shared {
    pub(super) owner: Owner,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) chars: Cell<u32>,
    pub(super) facts: Facts,
}

/// Whose text it is.
pub(super) enum Owner {
    Source(Arc<Source>),
    /// Another string, not shared itself.
    Text(Str),
}

impl Shared {
    pub(super) fn new(owner: Owner, range: Range<usize>) -> Self {
        Self {
            owner,
            start: range.start as u32,
            end: range.end as u32,
            chars: Cell::new(0),
            facts: Facts::default(),
        }
    }

    #[inline]
    pub(super) fn text(&self) -> &str {
        let whole = match &self.owner {
            Owner::Source(source) => source.text(),
            Owner::Text(text) => text.as_str(),
        };
        &whole[self.start as usize..self.end as usize]
    }
}

impl Managed for Shared {
    const KIND: u8 = kind::SHARED_TEXT;
    const LEAF: bool = true;
    const NESTS: bool = true;
}

impl Trace for Shared {
    fn trace(&self, _: &mut Visitor<'_>) {}
}
