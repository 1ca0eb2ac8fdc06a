//! Where a value ends, in UTF-8 text that comes in pieces.
//!
//! Only strings and brackets are told apart: whether the value is JSON, the
//! parser finds out once all of it is there. Sixty-four bytes at a time become
//! masks of a bit per byte, and the end is found by counting bits:
//!
//! ```text
//! quotes without a backslash before them, each toggling all bits behind it
//!     -> the bytes inside of strings
//! brackets outside of strings, those that open less those that close
//!     -> the depth, which comes back to zero at the end
//! ```

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{
    _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
};

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// What begins a value decides what ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An array or object: its last bracket.
    Container,
    /// A string: its second quotation mark.
    String,
    /// Anything else: what cannot belong to it, or the end of the text.
    Scalar,
}

/// The search for the end of one value.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    kind: Kind,
    /// Brackets that are open.
    depth: usize,
    in_string: bool,
    /// The next byte stands behind a backslash.
    escaped: bool,
}

/// A bit for each byte of a block.
struct Masks {
    quote: u64,
    backslash: u64,
    open: u64,
    close: u64,
}

impl Extent {
    /// The search for the end of a value that begins with this byte.
    pub const fn new(first: u8) -> Extent {
        let kind = match first {
            b'{' | b'[' => Kind::Container,
            b'"' => Kind::String,
            _ => Kind::Scalar,
        };
        Extent {
            kind,
            depth: 0,
            in_string: false,
            escaped: false,
        }
    }

    /// Whether the end of the text may end the value.
    pub const fn may_end(&self) -> bool {
        matches!(self.kind, Kind::Scalar)
    }

    /// Whether the search stands inside of a string.
    pub const fn in_string(&self) -> bool {
        self.in_string
    }

    /// Looks at the next piece of text, which begins where the last one ended
    /// (the first one with the value's first byte): the length up to the end
    /// of the value, or `None` if that is not in the piece.
    pub fn advance(&mut self, piece: &[u8]) -> Option<usize> {
        if self.kind == Kind::Scalar {
            return piece.iter().position(|&byte| ends_scalar(byte));
        }
        let (blocks, tail) = piece.as_chunks::<BLOCK>();
        for (i, block) in blocks.iter().enumerate() {
            if let Some(end) = self.block(&masks(block)) {
                return Some(i * BLOCK + end);
            }
        }
        let done = blocks.len() * BLOCK;
        let end = tail.iter().position(|&byte| self.step(byte))?;
        Some(done + end + 1)
    }

    /// One byte; whether the value ends behind it.
    fn step(&mut self, byte: u8) -> bool {
        let escaped = core::mem::take(&mut self.escaped);
        if byte == b'"' && !escaped {
            self.in_string = !self.in_string;
            return self.depth == 0 && !self.in_string;
        } else if byte == b'\\' {
            self.escaped = !escaped;
        } else if !self.in_string {
            match byte {
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    return self.depth == 0;
                }
                _ => {}
            }
        }
        false
    }

    /// A whole block; the length up to the end of the value.
    #[inline(always)]
    fn block(&mut self, masks: &Masks) -> Option<usize> {
        let quotes = masks.quote & !self.escapes(masks.backslash);
        let inside = toggled(quotes) ^ (self.in_string as u64).wrapping_neg();
        let was_inside = self.in_string;
        self.in_string = inside >> (BLOCK - 1) != 0;
        if self.kind == Kind::String {
            // The first quotation mark of all opens the string.
            let ends = if was_inside {
                quotes
            } else {
                quotes & quotes.wrapping_sub(1)
            };
            return (ends != 0).then(|| ends.trailing_zeros() as usize + 1);
        }
        let (open, mut close) = (masks.open & !inside, masks.close & !inside);
        let (opened, closed) = (open.count_ones() as usize, close.count_ones() as usize);
        if self.depth > closed {
            self.depth = self.depth + opened - closed;
            return None;
        }
        // It may end here: each closing bracket is looked at.
        // Open before the block, less those that it has closed so far.
        let mut before = self.depth as isize;
        while close != 0 {
            let at = close.trailing_zeros();
            let opened = (open & ((1 << at) - 1)).count_ones() as isize;
            if before + opened <= 1 {
                return Some(at as usize + 1);
            }
            before -= 1;
            close &= close - 1;
        }
        self.depth = before.saturating_add_unsigned(opened).max(0) as usize;
        None
    }

    /// The bytes that stand behind a backslash that is not itself escaped.
    #[inline(always)]
    fn escapes(&mut self, backslashes: u64) -> u64 {
        let mut escaped = self.escaped as u64;
        let mut rest = backslashes & !escaped;
        self.escaped = false;
        while rest != 0 {
            let at = rest.trailing_zeros();
            if at as usize == BLOCK - 1 {
                self.escaped = true;
                break;
            }
            escaped |= 2 << at;
            // Neither it nor what it escapes escapes anything more.
            rest &= !(3 << at);
        }
        escaped
    }
}

/// Each bit toggles itself and all above it.
#[inline(always)]
fn toggled(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

/// Whether a number or word cannot go on with this byte.
fn ends_scalar(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' | b'"' | b'[' | b']' | b'{' | b'}'
    )
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn masks(block: &[u8; BLOCK]) -> Masks {
    let mut masks = Masks {
        quote: 0,
        backslash: 0,
        open: 0,
        close: 0,
    };
    for i in (0..BLOCK).step_by(16) {
        // SAFETY: sixteen bytes lie there; SSE2 is part of every x86-64.
        unsafe {
            let bytes = _mm_loadu_si128(block.as_ptr().add(i).cast());
            // Brackets and braces differ in one bit only.
            let folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
            let find = |bytes, byte: u8| {
                let found = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8)));
                u64::from(found as u32) << i
            };
            masks.quote |= find(bytes, b'"');
            masks.backslash |= find(bytes, b'\\');
            masks.open |= find(folded, b'{');
            masks.close |= find(folded, b'}');
        }
    }
    masks
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn masks(block: &[u8; BLOCK]) -> Masks {
    let find = |byte: u8, bit: u8| {
        let mut found = 0;
        for (i, &one) in block.iter().enumerate() {
            found |= u64::from(one | bit == byte) << i;
        }
        found
    };
    Masks {
        quote: find(b'"', 0),
        backslash: find(b'\\', 0),
        open: find(b'{', 0x20),
        close: find(b'}', 0x20),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, byte by byte.
    fn oracle(text: &[u8]) -> Option<usize> {
        let mut extent = Extent::new(text[0]);
        if extent.may_end() {
            return text.iter().position(|&byte| ends_scalar(byte));
        }
        let end = text.iter().position(|&byte| extent.step(byte))?;
        Some(end + 1)
    }

    /// In pieces that end at each index, and at two of them.
    fn check(text: &[u8]) {
        let expected = oracle(text);
        for cut in 0..=text.len() {
            for step in [1, 7, 64, 100, 1000] {
                let mut extent = Extent::new(text[0]);
                let mut begin = 0;
                let mut found = None;
                let ends = (cut..text.len()).step_by(step).chain([text.len()]);
                for end in ends {
                    if let Some(length) = extent.advance(&text[begin..end]) {
                        found = Some(begin + length);
                        break;
                    }
                    begin = end;
                }
                assert_eq!(found, expected, "{:?}", String::from_utf8_lossy(text));
            }
        }
    }

    #[test]
    fn samples() {
        for (text, end) in [
            ("[]", Some(2)),
            ("[]]", Some(2)),
            ("{\"a\":[1,{}]} [", Some(12)),
            ("\"\"", Some(2)),
            ("\"a\\\"b\" ", Some(6)),
            ("\"\\\\\"\"", Some(4)),
            ("[\"]\"", None),
            ("[\"]\"]", Some(5)),
            ("[\"\\", None),
            ("12, ", Some(2)),
            ("12", None),
            ("true]", Some(4)),
            ("[}", Some(2)),
        ] {
            assert_eq!(oracle(text.as_bytes()), end, "{text}");
            check(text.as_bytes());
        }
    }

    #[test]
    fn runs_of_backslashes_across_blocks() {
        for before in [0, 1, 59, 60, 61, 62, 63, 64, 65] {
            for count in 0..10 {
                for first in ["\"", "[\""] {
                    let text = format!(
                        "{first}{}{}\"]\"x\"]",
                        "x".repeat(before),
                        "\\".repeat(count)
                    );
                    check(text.as_bytes());
                }
            }
        }
    }

    #[test]
    fn random_texts() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..3000 {
            let alphabet: &[u8] = match round % 3 {
                0 => b"{}[]\"\\ a",
                1 => b"{}[]abcdefghijkl",
                _ => b"[{\"\\\"\\\"aaaaaa}]",
            };
            let mut text = vec![b"[{\""[random(3) as usize]];
            for _ in 0..random(200) {
                text.push(alphabet[random(alphabet.len() as u64) as usize]);
            }
            let mut extent = Extent::new(text[0]);
            assert_eq!(extent.advance(&text), oracle(&text));
            if round % 50 == 0 {
                check(&text);
            }
        }
    }
}
