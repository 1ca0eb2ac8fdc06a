//! Text values.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use linecaster_heap::{GcStr, Heap, InlineStr, Managed, Trace, Visitor};

use super::{Name, Names, kind};
use crate::syntax::source::{Source, Span};

/// A string. Lengths and positions are in code points unless they say bytes.
#[derive(Clone)]
pub struct Str(Repr);

#[derive(Clone)]
enum Repr {
    Inline(InlineStr),
    Flat(GcStr<Head>),
}

struct Head;

impl Managed for Head {
    const KIND: u8 = kind::TEXT;
    const LEAF: bool = true;
}

impl Trace for Head {
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl Trace for Str {
    #[inline]
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl Str {
    /// The empty string.
    pub const fn empty() -> Self {
        Self(Repr::Inline(InlineStr::EMPTY))
    }

    /// A string of its own.
    pub fn new(heap: &Heap, text: &str) -> Self {
        match InlineStr::new(text, 0) {
            Some(text) => Self(Repr::Inline(text)),
            None => Self(Repr::Flat(heap.alloc_str(Head, &[text]))),
        }
    }

    /// A string of one character.
    pub fn from_char(heap: &Heap, character: char) -> Self {
        Self::new(heap, character.encode_utf8(&mut [0; 4]))
    }

    /// A piece of a source, which is kept instead of copied.
    pub fn shared(heap: &Heap, source: &Arc<Source>, span: Span) -> Self {
        Self::new(heap, source.slice(span))
    }

    /// Both, one behind the other.
    pub fn concat(heap: &Heap, left: &Self, right: &Self) -> Self {
        Self::new(heap, &[left.as_str(), right.as_str()].concat())
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Inline(text) => text.as_str(),
            Repr::Flat(text) => text,
        }
    }

    /// The length in bytes.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.as_str().len()
    }

    /// The length in code points.
    #[inline]
    pub fn len(&self) -> usize {
        self.as_str().chars().count()
    }

    /// Whether there is no text.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.bytes() == 0
    }

    /// Whether all of it is ASCII.
    #[inline]
    pub fn is_ascii(&self) -> bool {
        self.as_str().is_ascii()
    }

    /// Whether writing it as a JSON string escapes nothing.
    #[inline]
    pub fn is_escape_free(&self) -> bool {
        self.as_str()
            .chars()
            .all(|c| !c.is_control() && c != '"' && c != '\\')
    }

    /// The code point at a position.
    pub fn char_at(&self, position: usize) -> Option<char> {
        self.as_str().chars().nth(position)
    }

    /// The code point at a position, as a string.
    pub fn index(&self, heap: &Heap, position: usize) -> Option<Self> {
        Some(Self::from_char(heap, self.char_at(position)?))
    }

    /// The code points from one position up to another; what lies outside is
    /// left out.
    pub fn slice(&self, heap: &Heap, from: usize, to: usize) -> Self {
        let (from, to) = (self.byte_position(from), self.byte_position(to));
        Self::new(heap, self.as_str().get(from..to).unwrap_or(""))
    }

    /// The piece between two byte positions, which must lie between code
    /// points.
    pub fn slice_bytes(&self, heap: &Heap, from: usize, to: usize) -> Self {
        Self::new(heap, &self.as_str()[from..to])
    }

    /// The byte position of a code point's position: the length in bytes for
    /// what lies outside.
    pub fn byte_position(&self, position: usize) -> usize {
        let text = self.as_str();
        text.char_indices()
            .nth(position)
            .map_or(text.len(), |(at, _)| at)
    }

    /// The code point's position of a byte position between code points.
    pub fn position(&self, byte: usize) -> usize {
        self.as_str()[..byte].chars().count()
    }

    /// The name that the string has in the interner, interned if need be.
    #[inline]
    pub fn name(&self, names: &Names) -> Name {
        names.intern_str(self)
    }
}

impl PartialEq for Str {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Str {}

impl Ord for Str {
    /// By code points.
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for Str {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Str {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl std::fmt::Debug for Str {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(out)
    }
}
