//! What is known of a string besides its text.

use std::cell::{Cell, OnceCell};

use super::marks::Marks;
use crate::value::Name;

/// What is found out about a string once and then remembered.
#[derive(Default)]
pub(super) struct Facts {
    marks: OnceCell<Box<Marks>>,
    /// One more than the number of its name, if that has been asked for.
    name: Cell<u32>,
    flags: Cell<u8>,
}

/// The length in code points is known, and whether all are ASCII.
const MEASURED: u8 = 1;
const ASCII: u8 = 2;
/// It is known whether writing the text escapes anything.
const SCANNED: u8 = 4;
const ESCAPE_FREE: u8 = 8;

/// How many code points a text has.
#[inline]
pub(super) fn count(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    }
}

/// Whether writing a text as a JSON string escapes nothing: no quote, no
/// backslash, no control character up to U+009F.
pub(super) fn is_escape_free(text: &str) -> bool {
    let suspect =
        |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\' || byte == 0x7F || byte == 0xC2;
    let mut chunks = text.as_bytes().chunks_exact(32);
    let any = |chunk: &[u8]| {
        chunk
            .iter()
            .fold(false, |found, &byte| found | suspect(byte))
    };
    if !chunks.by_ref().any(any) && !any(chunks.remainder()) {
        return true;
    }
    // U+0080 to U+009F begin with the byte C2, and so do others.
    let escaped = |c: char| c.is_control() || c == '"' || c == '\\';
    !text.contains(escaped)
}

const ONES: u128 = u128::MAX / 255;
/// The high bit of each byte of a word.
pub(super) const HIGH: u128 = ONES << 7;

/// The same for 16 bytes of ASCII.
#[inline]
pub(super) fn is_word_escape_free(word: u128) -> bool {
    // A byte below 0x80 that equals `byte` becomes 0, and no other does; what
    // is 0 borrows into its high bit, as nothing below 0x80 else does first.
    let is = |byte: u8| (word ^ (ONES * u128::from(byte))).wrapping_sub(ONES);
    let control = word.wrapping_sub(ONES * 0x20);
    (control | is(b'"') | is(b'\\') | is(0x7F)) & HIGH == 0
}

impl Facts {
    /// The length in code points, remembered in `chars`, and whether all of
    /// them are ASCII.
    #[inline]
    pub(super) fn measure(&self, text: &str, chars: &Cell<u32>) -> (usize, bool) {
        if self.flags.get() & MEASURED == 0 {
            self.set_measure(count(text), text.len(), chars);
        }
        (chars.get() as usize, self.flags.get() & ASCII != 0)
    }

    /// Remembers the length in code points.
    pub(super) fn set_measure(&self, count: usize, bytes: usize, chars: &Cell<u32>) {
        chars.set(count as u32);
        let ascii = if count == bytes { ASCII } else { 0 };
        self.flags.set(self.flags.get() | MEASURED | ascii);
    }

    /// Whether writing the text escapes nothing.
    #[inline]
    pub(super) fn is_escape_free(&self, text: &str) -> bool {
        if self.flags.get() & SCANNED == 0 {
            self.set_escape_free(is_escape_free(text));
        }
        self.flags.get() & ESCAPE_FREE != 0
    }

    /// Whether writing the text escapes nothing, if that is known.
    pub(super) fn known_escape_free(&self) -> Option<bool> {
        let flags = self.flags.get();
        (flags & SCANNED != 0).then_some(flags & ESCAPE_FREE != 0)
    }

    /// Remembers whether writing the text escapes nothing.
    pub(super) fn set_escape_free(&self, free: bool) {
        let free = if free { ESCAPE_FREE } else { 0 };
        self.flags.set(self.flags.get() | SCANNED | free);
    }

    /// The name, if it is known.
    #[inline]
    pub(super) fn name(&self) -> Option<Name> {
        self.name.get().checked_sub(1).map(Name)
    }

    /// Remembers the name.
    pub(super) fn set_name(&self, name: Name) {
        self.name.set(name.0 + 1);
    }

    /// The marks of a text.
    pub(super) fn marks(&self, text: &str) -> &Marks {
        self.marks.get_or_init(|| Box::new(Marks::new(text)))
    }
}
