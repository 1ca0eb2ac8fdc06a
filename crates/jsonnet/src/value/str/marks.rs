//! Where every 64th code point of a long text begins.

/// Texts of fewer bytes are walked over instead.
pub(super) const LONG: usize = 256;

const STRIDE: usize = 64;

/// The byte positions of the code points 0, 64, 128 and so on.
pub(super) struct Marks(Vec<u32>);

impl Marks {
    pub(super) fn new(text: &str) -> Self {
        let begins = text.bytes().enumerate().filter(|&(_, byte)| is_begin(byte));
        Self(begins.step_by(STRIDE).map(|(at, _)| at as u32).collect())
    }

    /// The byte position of a code point; the length of the text if there is
    /// no such code point.
    pub(super) fn byte_position(&self, text: &str, position: usize) -> usize {
        match self.0.get(position / STRIDE) {
            Some(&mark) => walk(text, mark as usize, position % STRIDE),
            None => text.len(),
        }
    }

    /// The code point's position of a byte position.
    pub(super) fn position(&self, text: &str, byte: usize) -> usize {
        let after = self.0.partition_point(|&mark| mark as usize <= byte);
        let Some(before) = after.checked_sub(1) else {
            return 0;
        };
        let mark = self.0[before] as usize;
        before * STRIDE + text[mark..byte].chars().count()
    }
}

/// Whether a byte begins a code point.
#[inline]
fn is_begin(byte: u8) -> bool {
    (byte as i8) >= -0x40
}

/// The byte position so many code points behind another one, or the length.
pub(super) fn walk(text: &str, from: usize, count: usize) -> usize {
    let mut begins = text.as_bytes()[from..].iter().enumerate();
    let found = begins
        .by_ref()
        .filter(|&(_, &byte)| is_begin(byte))
        .nth(count);
    found.map_or(text.len(), |(at, _)| from + at)
}
