//! Names of one file, each kept once.

use super::ast::{Ident, Text};

/// Maps texts to dense numbers: an open hash table beside the tree's list of
/// names.
pub struct Names {
    /// `hash << 32 | ident + 1`, or 0; a power of two of them, at most half
    /// full.
    slots: Vec<u64>,
    count: usize,
}

impl Names {
    pub fn new() -> Self {
        Self {
            slots: vec![0; 256],
            count: 0,
        }
    }

    /// The number of `name`, which stands at `text`; `lookup` gives the text
    /// of those already kept.
    #[inline]
    pub fn intern<'t>(
        &mut self,
        name: &[u8],
        text: Text,
        idents: &mut Vec<Text>,
        lookup: impl Fn(Text) -> &'t [u8],
    ) -> Ident {
        let hash = hash(name);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            if (slot >> 32) as u32 == hash {
                let ident = slot as u32 - 1;
                if lookup(idents[ident as usize]) == name {
                    return Ident(ident);
                }
            }
            at = (at + 1) & mask;
        }
        let ident = Ident(idents.len() as u32);
        idents.push(text);
        self.slots[at] = u64::from(hash) << 32 | u64::from(ident.0 + 1);
        self.count += 1;
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
        ident
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = vec![0; self.slots.len() * 4];
        let mask = larger.len() - 1;
        for &slot in self.slots.iter().filter(|&&slot| slot != 0) {
            let mut at = (slot >> 32) as usize & mask;
            while larger[at] != 0 {
                at = (at + 1) & mask;
            }
            larger[at] = slot;
        }
        self.slots = larger;
    }
}

/// A hash of all bytes, eight at a time.
#[inline]
fn hash(name: &[u8]) -> u32 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = name.len() as u64;
    let mut words = name.chunks_exact(8);
    for word in &mut words {
        let word = word.try_into().map_or(0, u64::from_le_bytes);
        state = mix(state ^ word, ODD);
    }
    let rest = words.remainder();
    let last = match rest.len() {
        0 => 0,
        1..=3 => {
            // First, middle and last byte: all of them.
            let (first, middle, last) = (rest[0], rest[rest.len() / 2], rest[rest.len() - 1]);
            u64::from(first) | u64::from(middle) << 8 | u64::from(last) << 16
        }
        len => {
            // Two halves that may overlap.
            let half = |at: usize| rest[at..at + 4].try_into().map_or(0, u32::from_le_bytes);
            u64::from(half(0)) | u64::from(half(len - 4)) << 32
        }
    };
    mix(state ^ last, ODD) as u32
}

/// Both halves of a product, folded.
#[inline(always)]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
