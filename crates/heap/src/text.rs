//! Pointers to a head and text behind it.

use std::cell::Cell;
use std::ops::Deref;

use crate::{GcSlice, Heap, Managed};

/// A pointer to a head and text behind it, in a heap. Its type must be a
/// leaf. The object has a note of 32 bits too, for any use.
pub struct GcStr<H: Managed>(GcSlice<H, u8>);

impl Heap {
    /// Puts a head and the text behind it into the heap, made of the pieces.
    ///
    /// # Panics
    /// If the text is longer than 2^32 - 1 bytes.
    pub fn alloc_str<H: Managed>(&self, head: H, pieces: &[&str]) -> GcStr<H> {
        const { assert!(H::LEAF, "text holds no pointers") };
        let len = pieces.iter().map(|piece| piece.len()).sum();
        let text = GcSlice::<H, u8>::begin(self, head, len);
        // SAFETY: the slot has room for all pieces.
        unsafe {
            let mut at = text.first();
            for piece in pieces {
                at.copy_from_nonoverlapping(piece.as_ptr(), piece.len());
                at = at.add(piece.len());
            }
        }
        GcStr(text.finish())
    }
}

impl<H: Managed> GcStr<H> {
    /// The head.
    #[inline(always)]
    pub fn head(&self) -> &H {
        self.0.head()
    }

    /// A note of 32 bits, 0 at first.
    #[inline(always)]
    pub fn note(&self) -> &Cell<u32> {
        self.0.note()
    }

    /// Whether both point to the same object.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }

    /// The heap in which the object is.
    pub fn heap(&self) -> Heap {
        self.0.heap()
    }
}

impl<H: Managed> Clone for GcStr<H> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<H: Managed> Deref for GcStr<H> {
    type Target = str;

    #[inline(always)]
    fn deref(&self) -> &str {
        // SAFETY: the bytes are those of pieces of text, one behind the other.
        unsafe { std::str::from_utf8_unchecked(&self.0) }
    }
}
