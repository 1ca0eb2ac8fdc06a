//! Text of up to fourteen bytes, without an allocation.

/// Text of up to [`InlineStr::CAPACITY`] bytes, held in place.
#[derive(Clone, Copy)]
pub struct InlineStr {
    /// The length in the low half, a note of the owner's in the high half.
    mark: u8,
    bytes: [u8; Self::CAPACITY],
}

impl InlineStr {
    /// The most bytes that fit.
    pub const CAPACITY: usize = 14;

    /// No text, and a note of zero.
    pub const EMPTY: Self = Self {
        mark: 0,
        bytes: [0; Self::CAPACITY],
    };

    /// The text in place, if it fits, with a note of four bits.
    #[inline]
    pub fn new(text: &str, note: u8) -> Option<Self> {
        let mut bytes = [0; Self::CAPACITY];
        bytes
            .get_mut(..text.len())?
            .copy_from_slice(text.as_bytes());
        Some(Self {
            mark: text.len() as u8 | note << 4,
            bytes,
        })
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        // SAFETY: `new` copied so many bytes of text, and the length is at most
        // the capacity.
        unsafe { std::str::from_utf8_unchecked(self.bytes.get_unchecked(..self.len())) }
    }

    /// The length in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.mark & 15)
    }

    /// Whether there is no text.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.as_str().is_empty()
    }

    /// The four bits that were given with the text.
    #[inline]
    pub fn note(&self) -> u8 {
        self.mark >> 4
    }
}
