//! What the vectors look for and how the scalar code spells, derived at
//! compile time from a policy's rules, the text and the output.

use core::marker::PhantomData;

use crate::output::Output;
use crate::policy::{NonAscii, Policy, Rules};
use crate::text::{Encoding, Text};

/// How many candidates may stand outside the range that begins at U+0000.
const SINGLES: usize = 8;

/// The bytes at which the block loop stops.
pub(crate) struct Candidates {
    /// All bytes below this one.
    pub(crate) below: u8,
    /// Single bytes, `0..singles`: ASCII, and lead bytes of UTF-8.
    pub(crate) single: [u8; SINGLES],
    pub(crate) singles: usize,
    /// For a byte shuffle: under a candidate's low half stands the candidate,
    /// elsewhere 0xFF. Of two with the same low half the second is in `rest`.
    pub(crate) by_low_half: [u8; 16],
    pub(crate) rest: [u8; SINGLES],
    pub(crate) rests: usize,
    /// All bytes from 0x80.
    pub(crate) high: bool,
}

impl Candidates {
    /// `leads`: the text is UTF-8, whose lead bytes stand for the ranges.
    const fn new(rules: &Rules, high: bool, leads: bool) -> Candidates {
        let mut new = Candidates {
            below: 0,
            single: [0; SINGLES],
            singles: 0,
            by_low_half: [0xFF; 16],
            rest: [0; SINGLES],
            rests: 0,
            high,
        };
        while !rules.ascii[new.below as usize].is_empty() {
            new.below += 1;
        }
        let mut byte = new.below;
        while byte < 0x80 {
            if !rules.ascii[byte as usize].is_empty() {
                new.single[new.singles] = byte;
                new.singles += 1;
                let low = (byte & 15) as usize;
                if new.by_low_half[low] == 0xFF {
                    new.by_low_half[low] = byte;
                } else {
                    new.rest[new.rests] = byte;
                    new.rests += 1;
                }
            }
            byte += 1;
        }
        let mut lead = 0x80;
        while leads && lead < 0xFF {
            if is_lead(rules, lead) {
                new.single[new.singles] = lead;
                new.singles += 1;
                new.rest[new.rests] = lead;
                new.rests += 1;
            }
            lead += 1;
        }
        new
    }
}

/// Whether a character of the rules' ranges begins with `byte` in UTF-8.
const fn is_lead(rules: &Rules, byte: u8) -> bool {
    let mut k = 0;
    while k < rules.ranges.len() {
        let (first, last) = rules.ranges[k];
        if lead(first) <= byte && byte <= lead(last) {
            return true;
        }
        k += 1;
    }
    false
}

/// The first byte of a non-ASCII character in UTF-8.
const fn lead(c: u16) -> u8 {
    assert!(c >= 0x80);
    if c < 0x800 {
        0xC0 | (c >> 6) as u8
    } else {
        0xE0 | (c >> 12) as u8
    }
}

/// What becomes of a unit from 0x80 up in a block that is spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum High {
    /// It is a byte that is copied.
    Copied,
    /// A Latin-1 character that becomes two bytes of UTF-8.
    Pair,
    /// A wide unit that becomes UTF-8.
    Transcoded,
    /// It is spelled `\uXXXX`.
    Spelled,
    /// A wide unit that is stored as a unit.
    Wide,
}

/// Everything derived for one combination.
pub(crate) struct Derived<T, P, O>(PhantomData<(T, P, O)>);

impl<T: Text, P: Policy, O: Output> Derived<T, P, O> {
    pub(crate) const KEEPS: bool = matches!(P::RULES.non_ascii, NonAscii::Keep);

    /// Some non-ASCII characters of UTF-8 text are spelled, others kept.
    pub(crate) const RANGES: bool = {
        let some = Self::KEEPS && !P::RULES.ranges.is_empty();
        some && matches!(T::ENCODING, Encoding::Utf8)
    };

    /// There are ranges, but the loop does not know them in this text: it is
    /// taken by runs that have none of their characters.
    pub(crate) const BY_RUNS: bool = {
        let some = Self::KEEPS && !P::RULES.ranges.is_empty();
        some && !matches!(T::ENCODING, Encoding::Ascii | Encoding::Utf8)
    };

    /// Whether `c`, which is not ASCII, is in one of the ranges.
    #[inline(always)]
    pub(crate) const fn in_ranges(c: u32) -> bool {
        let mut k = 0;
        while k < P::RULES.ranges.len() {
            let (first, last) = P::RULES.ranges[k];
            if first as u32 <= c && c <= last as u32 {
                return true;
            }
            k += 1;
        }
        false
    }

    /// See [`High`].
    pub(crate) const HIGH: High = match (T::ENCODING, Self::KEEPS) {
        (Encoding::Ascii, _) | (Encoding::Utf8, true) => High::Copied,
        (_, false) => High::Spelled,
        (Encoding::Latin1, true) if O::UTF8 => High::Pair,
        (Encoding::Latin1, true) => High::Copied,
        (_, true) if O::UTF8 => High::Transcoded,
        (_, true) => High::Wide,
    };

    /// The block loop stops at these. Non-ASCII units are among them unless
    /// they are copied unit by unit.
    pub(crate) const CANDIDATES: Candidates = Candidates::new(
        &P::RULES,
        matches!(Self::HIGH, High::Pair | High::Transcoded | High::Spelled),
        Self::RANGES,
    );

    /// The most output units that one text unit becomes.
    pub(crate) const WORST: usize = {
        let wide_pairs = matches!(T::ENCODING, Encoding::Utf8 | Encoding::Ucs4);
        let mut worst = match Self::HIGH {
            High::Spelled if wide_pairs => 12,
            High::Spelled => 6,
            High::Transcoded => 4,
            _ if Self::RANGES => 6,
            _ => 2,
        };
        let mut byte = 0;
        while byte < 0x80 {
            if P::RULES.ascii[byte].len() > worst {
                worst = P::RULES.ascii[byte].len();
            }
            byte += 1;
        }
        worst
    };

    /// The spelling of each unit below U+0100: bytes in little-endian order,
    /// their number in the top byte, ready for one 8-byte store. The number 0
    /// sends the unit to the code that knows multi-unit rules.
    pub(crate) const SPELLINGS: [u64; 256] = {
        let mut table = [0; 256];
        let mut unit = 0;
        while unit < 256 {
            table[unit] = Self::spelling(unit as u8);
            unit += 1;
        }
        table
    };

    const fn spelling(unit: u8) -> u64 {
        const ONE: u64 = 1 << 56;
        if unit < 0x80 {
            let word = P::RULES.ascii[unit as usize];
            return if word.is_empty() {
                unit as u64 | ONE
            } else {
                word.bits()
            };
        }
        match (Self::HIGH, T::ENCODING) {
            (High::Spelled, Encoding::Utf8) => 0,
            (High::Spelled, _) => spell_u16(unit as u32),
            (High::Pair | High::Transcoded, _) => {
                let (lead, next) = (0xC0 | (unit >> 6), 0x80 | (unit & 0x3F));
                lead as u64 | ((next as u64) << 8) | (2 * ONE)
            }
            (High::Copied, _) if Self::RANGES && is_lead(&P::RULES, unit) => 0,
            (High::Copied | High::Wide, _) => unit as u64 | ONE,
        }
    }

    /// For a byte shuffle: the second byte of a two-byte spelling that begins
    /// with a backslash, for the characters below U+0010; 0 for the others.
    pub(crate) const LETTERS: [u8; 16] = {
        let mut letters = [0; 16];
        let mut byte = 0;
        while byte < 16 {
            let word = P::RULES.ascii[byte];
            if word.len() == 2 && word.get(0) == b'\\' {
                letters[byte] = word.get(1);
            }
            byte += 1;
        }
        letters
    };

    /// For a look-up in 128 bytes: the second byte of a two-byte spelling that
    /// begins with a backslash; 0 for the other characters.
    pub(crate) const ALL_LETTERS: [u8; 128] = {
        let mut letters = [0; 128];
        let mut byte = 0;
        while byte < 128 {
            let word = P::RULES.ascii[byte];
            if word.len() == 2 && word.get(0) == b'\\' {
                letters[byte] = word.get(1);
            }
            byte += 1;
        }
        letters
    };

    /// Whether every ASCII character that is escaped is spelled as a backslash
    /// and a letter, or as `\u00xx`.
    pub(crate) const LETTERS_OR_U16: bool = {
        let mut all = true;
        let mut byte = 0;
        while byte < 128 {
            let word = P::RULES.ascii[byte];
            let as_u16 = word.bits() == spell_u16(byte as u32);
            all &= word.is_empty() || as_u16 || Self::ALL_LETTERS[byte] != 0;
            byte += 1;
        }
        all
    };

    /// Whether `byte` is spelled as a backslash and itself.
    pub(crate) const fn is_own_letter(byte: u8) -> bool {
        if byte >= 0x80 {
            return false;
        }
        let word = P::RULES.ascii[byte as usize];
        word.len() == 2 && word.get(0) == b'\\' && word.get(1) == byte
    }
}

/// Two hexadecimal digits, the high one first in memory.
const HEX: [u16; 256] = {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = DIGITS[byte >> 4] as u16 | (DIGITS[byte & 15] as u16) << 8;
        byte += 1;
    }
    table
};

/// `\uXXXX` as a word.
#[inline(always)]
pub(crate) const fn spell_u16(c: u32) -> u64 {
    let high = HEX[(c >> 8 & 0xFF) as usize] as u64;
    let low = HEX[(c & 0xFF) as usize] as u64;
    6 << 56 | low << 32 | high << 16 | (b'u' as u64) << 8 | b'\\' as u64
}
