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

    /// The bytes as a number, the first one lowest, with `fill` behind them.
    #[inline]
    pub fn word(&self, fill: u8) -> u128 {
        let mut bytes = [0; 16];
        bytes[..Self::CAPACITY].copy_from_slice(&self.bytes);
        let filled = u128::from_ne_bytes([fill; 16]) << (8 * self.len());
        u128::from_le_bytes(bytes) | filled
    }

    /// The same text with another note.
    #[inline]
    #[must_use]
    pub fn with_note(self, note: u8) -> Self {
        let mark = self.mark & 15 | note << 4;
        Self { mark, ..self }
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
