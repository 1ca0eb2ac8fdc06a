//! Text values.
//!
//! Up to 14 bytes stand in the value itself. Longer text is held once, is a
//! piece of a source or of another string, or is a concatenation whose text is
//! made when it is first looked at. Length and position count code points; for
//! ASCII they are those of bytes, long other text remembers where every 64th
//! code point is.

mod facts;
mod marks;
mod order;
mod rope;
mod shared;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::sync::Arc;

use linecaster_heap::{Gc, GcStr, Heap, InlineStr, Managed, Trace, Visitor};

use self::facts::Facts;
use self::marks::{LONG, walk};
use self::rope::Rope;
use self::shared::{Owner, Shared};
use super::{Name, Names, kind};
use crate::syntax::source::{Source, Span};

/// A string. Lengths and positions are in code points unless they say bytes.
#[derive(Clone)]
pub struct Str(Repr);

#[derive(Clone)]
enum Repr {
    Inline(InlineStr),
    Flat(GcStr<Head>),
    Shared(Gc<Shared>),
    Rope(Gc<Rope>),
}

/// What stands before the bytes of a text; its length in code points is the
/// note.
#[derive(Default)]
struct Head(Facts);

/// The notes of text in place: all of it is ASCII.
const ASCII: u8 = 1;
/// Writing it escapes nothing.
const ESCAPE_FREE: u8 = 2;

/// Concatenations of fewer bytes are copied at once.
const COPIED: usize = 200;

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
    #[inline]
    pub fn new(heap: &Heap, text: &str) -> Self {
        if text.len() <= InlineStr::CAPACITY {
            Self::in_place(text)
        } else {
            Self(Repr::Flat(heap.alloc_str(Head::default(), &[text])))
        }
    }

    #[inline]
    fn in_place(text: &str) -> Self {
        let place = InlineStr::new(text, 0).expect("short enough");
        let word = place.word(b' ');
        let ascii = word & facts::HIGH == 0;
        let free = if ascii {
            facts::is_word_escape_free(word)
        } else {
            facts::is_escape_free(text)
        };
        let note = if ascii { ASCII } else { 0 } | if free { ESCAPE_FREE } else { 0 };
        Self(Repr::Inline(place.with_note(note)))
    }

    /// A string of one character.
    #[inline]
    pub fn from_char(_: &Heap, character: char) -> Self {
        Self::in_place(character.encode_utf8(&mut [0; 4]))
    }

    /// A piece of a source, which is kept instead of copied if it is not
    /// short.
    pub fn shared(heap: &Heap, source: &Arc<Source>, span: Span) -> Self {
        let text = source.slice(span);
        if text.len() <= 2 * InlineStr::CAPACITY {
            return Self::new(heap, text);
        }
        let range = span.start as usize..span.end as usize;
        let owner = Owner::Source(source.clone());
        Self(Repr::Shared(heap.alloc(Shared::new(owner, range))))
    }

    /// All pieces, one behind the other.
    pub fn from_pieces(heap: &Heap, pieces: &[&str]) -> Self {
        let bytes: usize = pieces.iter().map(|piece| piece.len()).sum();
        if bytes <= InlineStr::CAPACITY {
            let mut text = String::with_capacity(InlineStr::CAPACITY);
            text.extend(pieces.iter().copied());
            return Self::in_place(&text);
        }
        Self(Repr::Flat(heap.alloc_str(Head::default(), pieces)))
    }

    /// Both, one behind the other.
    ///
    /// # Panics
    /// If that is 4 GiB or more.
    pub fn concat(heap: &Heap, left: &Self, right: &Self) -> Self {
        let (before, after) = (left.bytes(), right.bytes());
        if before == 0 {
            return right.clone();
        }
        if after == 0 {
            return left.clone();
        }
        let bytes = before + after;
        if bytes <= InlineStr::CAPACITY {
            let mut buffer = [0; InlineStr::CAPACITY];
            buffer[..before].copy_from_slice(left.as_str().as_bytes());
            buffer[before..bytes].copy_from_slice(right.as_str().as_bytes());
            let text = std::str::from_utf8(&buffer[..bytes]).expect("two texts are one");
            return Self::in_place(text);
        }
        if bytes < COPIED {
            return Self::from_pieces(heap, &[left.as_str(), right.as_str()]);
        }
        Self(Repr::Rope(Rope::new(heap, left, right, bytes)))
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Inline(text) => text.as_str(),
            Repr::Flat(text) => text,
            Repr::Shared(text) => text.text(),
            Repr::Rope(rope) => Rope::text(rope),
        }
    }

    /// The length in bytes.
    #[inline]
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Repr::Inline(text) => text.len(),
            Repr::Flat(text) => text.len(),
            Repr::Shared(text) => (text.end - text.start) as usize,
            Repr::Rope(rope) => rope.bytes as usize,
        }
    }

    /// What is remembered of a text that does not stand in place, and where
    /// its length is.
    #[inline]
    fn facts(&self) -> Option<(&Facts, &Cell<u32>)> {
        match &self.0 {
            Repr::Inline(_) => None,
            Repr::Flat(text) => Some((&text.head().0, text.note())),
            Repr::Shared(text) => Some((&text.facts, &text.chars)),
            Repr::Rope(rope) => Some((&rope.facts, &rope.chars)),
        }
    }

    /// The length in code points and whether all are ASCII.
    #[inline]
    fn measure(&self) -> (usize, bool) {
        match (&self.0, self.facts()) {
            (Repr::Inline(text), _) if text.note() & ASCII != 0 => (text.len(), true),
            // Its length was found when it was made.
            (Repr::Rope(rope), _) => rope.facts.measure("", &rope.chars),
            (_, Some((facts, chars))) => facts.measure(self.as_str(), chars),
            (_, None) => (facts::count(self.as_str()), false),
        }
    }

    /// The length in code points.
    #[inline]
    pub fn len(&self) -> usize {
        self.measure().0
    }

    /// Whether there is no text.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.bytes() == 0
    }

    /// Whether all of it is ASCII.
    #[inline]
    pub fn is_ascii(&self) -> bool {
        self.measure().1
    }

    /// Whether writing it as a JSON string escapes nothing.
    #[inline]
    pub fn is_escape_free(&self) -> bool {
        match (&self.0, self.facts()) {
            (Repr::Inline(text), _) => text.note() & ESCAPE_FREE != 0,
            (_, Some((facts, _))) => facts.is_escape_free(self.as_str()),
            (_, None) => facts::is_escape_free(self.as_str()),
        }
    }

    /// Whether writing it escapes nothing, if that is known without looking
    /// at the text.
    #[inline]
    pub fn known_escape_free(&self) -> Option<bool> {
        match (&self.0, self.facts()) {
            (Repr::Inline(text), _) => Some(text.note() & ESCAPE_FREE != 0),
            (_, facts) => facts.and_then(|(facts, _)| facts.known_escape_free()),
        }
    }

    /// Notes what its maker knows already: that writing it escapes nothing,
    /// or that it does.
    pub fn set_escape_free(&self, free: bool) {
        debug_assert_eq!(free, facts::is_escape_free(self.as_str()));
        if let Some((facts, _)) = self.facts() {
            facts.set_escape_free(free);
        }
    }

    /// The code point at a position.
    #[inline]
    pub fn char_at(&self, position: usize) -> Option<char> {
        let text = self.as_str();
        let at = self.byte_position(position);
        text.get(at..).and_then(|rest| rest.chars().next())
    }

    /// The code point at a position, as a string.
    #[inline]
    pub fn index(&self, heap: &Heap, position: usize) -> Option<Self> {
        Some(Self::from_char(heap, self.char_at(position)?))
    }

    /// The code points from one position up to another; what lies outside is
    /// left out.
    #[must_use]
    pub fn slice(&self, heap: &Heap, from: usize, to: usize) -> Self {
        let start = self.byte_position(from);
        let end = if to.saturating_sub(from) < LONG && !self.is_ascii() {
            walk(self.as_str(), start, to.saturating_sub(from))
        } else {
            self.byte_position(to)
        };
        self.slice_bytes(heap, start, end.max(start))
    }

    /// The piece between two byte positions.
    ///
    /// # Panics
    /// If these do not lie between code points.
    #[must_use]
    pub fn slice_bytes(&self, heap: &Heap, from: usize, to: usize) -> Self {
        let text = &self.as_str()[from..to];
        if text.len() == self.bytes() {
            return self.clone();
        }
        // A long piece of a text that is not much longer keeps it.
        if text.len() < LONG || text.len() < self.bytes() / 4 {
            return Self::new(heap, text);
        }
        let (owner, start) = match &self.0 {
            Repr::Shared(whole) => match &whole.owner {
                Owner::Source(source) => (Owner::Source(source.clone()), whole.start as usize),
                Owner::Text(text) => (Owner::Text(text.clone()), whole.start as usize),
            },
            _ => (Owner::Text(self.clone()), 0),
        };
        let range = start + from..start + to;
        Self(Repr::Shared(heap.alloc(Shared::new(owner, range))))
    }

    /// The byte position of a code point's position: the length in bytes for
    /// what lies outside.
    #[inline]
    pub fn byte_position(&self, position: usize) -> usize {
        if self.is_ascii() {
            return position.min(self.bytes());
        }
        let text = self.as_str();
        match self.facts() {
            Some((facts, _)) if text.len() >= LONG => {
                facts.marks(text).byte_position(text, position)
            }
            _ => walk(text, 0, position),
        }
    }

    /// The code point's position of a byte position between code points.
    pub fn position(&self, byte: usize) -> usize {
        if self.is_ascii() {
            return byte;
        }
        let text = self.as_str();
        match self.facts() {
            Some((facts, _)) if text.len() >= LONG => facts.marks(text).position(text, byte),
            _ => facts::count(&text[..byte]),
        }
    }

    /// The name that the string has in the interner, interned if need be.
    #[inline]
    pub fn name(&self, names: &Names) -> Name {
        names.intern_str(self)
    }

    /// The name that the string is known to have.
    #[inline]
    pub(super) fn known_name(&self) -> Option<Name> {
        self.facts().and_then(|(facts, _)| facts.name())
    }

    /// Remembers the name.
    pub(super) fn set_name(&self, name: Name) {
        if let Some((facts, _)) = self.facts() {
            facts.set_name(name);
        }
    }
}
