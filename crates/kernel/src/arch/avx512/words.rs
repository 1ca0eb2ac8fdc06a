//! UTF-16 words, spelled `\uXXXX` or as one or two bytes each.

#[allow(clippy::wildcard_imports, reason = "two dozen intrinsics")]
use core::arch::x86_64::*;

use super::{OR_AND, constant, load_units, store};
use crate::text::Unit;

/// The digits, and behind them what stands before the digits.
const SIGNS: [u8; 64] = {
    let mut signs = [0; 64];
    let digits = b"0123456789abcdef";
    let mut k = 0;
    while k < 16 {
        signs[k] = digits[k];
        k += 1;
    }
    signs[BACKSLASH as usize] = b'\\';
    signs[LETTER as usize] = b'u';
    signs
};
const BACKSLASH: u8 = 16;
const LETTER: u8 = 17;
const NOTHING: u8 = 18;

/// How spelled bytes are made of words: which bytes they come from, the bit
/// of the eight bytes so found at which four are taken, and what becomes of
/// those: `four & digit | sign` is the place of the spelled byte in [`SIGNS`].
struct Spelling {
    source: [u8; 64],
    bit: [u8; 64],
    digit: [u8; 64],
    sign: [u8; 64],
}

impl Spelling {
    const fn new() -> Spelling {
        let zeros = [0; 64];
        Spelling {
            source: zeros,
            bit: zeros,
            digit: zeros,
            sign: zeros,
        }
    }

    /// Byte `at` is byte `part` of the spelling of word `word`.
    const fn put(mut self, at: usize, word: usize, part: usize) -> Spelling {
        match part {
            0 => self.sign[at] = BACKSLASH,
            1 => self.sign[at] = LETTER,
            2..6 => self.digit[at] = 0xF,
            _ => self.sign[at] = NOTHING,
        }
        // Parts 2 and 3 are of the word's high byte, the high digit first.
        self.source[at] = (2 * word + (part / 2) % 2) as u8;
        self.bit[at] = (8 * (at % 8) + 4 * ((part + 1) % 2)) as u8;
        self
    }
}

/// 32 words as 192 bytes, a third of them.
const fn third(k: usize) -> Spelling {
    let mut third = Spelling::new();
    let mut at = 0;
    while at < 64 {
        let byte = 64 * k + at;
        third = third.put(at, byte / 6, byte % 6);
        at += 1;
    }
    third
}

static THIRDS: [Spelling; 3] = [third(0), third(1), third(2)];

/// The digits of eight words, each in the lowest of eight bytes, without a
/// step that brings them together.
static EIGHT: Spelling = {
    let mut eight = Spelling::new();
    let mut at = 0;
    while at < 64 {
        eight = eight.put(at, 0, at % 8);
        eight.bit[at] = [0, 0, 12, 8, 4, 0, 0, 0][at % 8];
        at += 1;
    }
    eight
};

/// The places of each eight of 32 words, every fourth counting.
static EIGHTS: [[u8; 64]; 4] = {
    let mut eights = [[0; 64]; 4];
    let mut word = 0;
    while word < 32 {
        eights[word / 8][8 * (word % 8)] = word as u8;
        word += 1;
    }
    eights
};

/// # Safety
/// The machine has AVX-512.
#[inline(always)]
unsafe fn hexadecimal(bytes: __m512i, spelling: &Spelling) -> __m512i {
    // SAFETY: the caller's.
    unsafe {
        let fours = _mm512_multishift_epi64_epi8(constant(&spelling.bit), bytes);
        let (digit, sign) = (constant(&spelling.digit), constant(&spelling.sign));
        let places = _mm512_ternarylogic_epi32::<OR_AND>(sign, fours, digit);
        _mm512_permutexvar_epi8(places, constant(&SIGNS))
    }
}

/// Up to 32 units, 16 of four bytes, as UTF-16 words and their number; spaces
/// behind them.
///
/// # Safety
/// `units` units are readable at `ptr`, and the machine has AVX-512.
#[inline(always)]
pub(super) unsafe fn load<U: Unit>(ptr: *const U, units: usize) -> (__m512i, usize) {
    // SAFETY: the caller's.
    unsafe {
        match U::WIDTH {
            1 => {
                let bytes = load_units(ptr, units.min(32));
                (_mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)), units)
            }
            2 => (load_units(ptr, units), units),
            _ => {
                let points = load_units(ptr, units);
                let two = _mm512_cmpge_epu32_mask(points, _mm512_set1_epi32(0x1_0000));
                // The high surrogate stands for the bits from 10 up, less the
                // 0x10000 that pairs leave out.
                let leading = _mm512_srli_epi32::<10>(points);
                let leading = _mm512_add_epi32(leading, _mm512_set1_epi32(0xD800 - 0x40));
                let trailing = _mm512_slli_epi32::<16>(points);
                let low = _mm512_set1_epi32(0x03FF_0000);
                let both = _mm512_ternarylogic_epi32::<OR_AND>(leading, trailing, low);
                let both = _mm512_or_si512(both, _mm512_set1_epi32(0xDC00_0000_u32 as i32));
                let lanes = _mm512_mask_mov_epi32(points, two, both);
                let least = _mm512_set1_epi32(0x0001_0000);
                let kept = _mm512_cmpge_epu16_mask(lanes, least);
                let spaces = _mm512_set1_epi16(b' ' as i16);
                let words = _mm512_mask_compress_epi16(spaces, kept, lanes);
                (words, units + two.count_ones() as usize)
            }
        }
    }
}

/// Stores 32 words as units: `\uXXXX` where `hex` has a bit, a backslash and
/// the byte that `seconds` has for them, with `latin1` those from 0x80 as
/// UTF-8, any other as it is. Gives the number of units.
///
/// # Safety
/// 192 units are writable at `out` if `hex` has a bit, else 96, and the machine
/// has AVX-512.
#[inline(always)]
pub(super) unsafe fn spell<U: Unit>(
    words: __m512i,
    seconds: __m512i,
    hex: u32,
    latin1: bool,
    out: *mut u8,
) -> usize {
    // SAFETY: the caller's.
    unsafe {
        if hex == u32::MAX {
            for (k, third) in THIRDS.iter().enumerate() {
                let bytes = _mm512_permutexvar_epi8(constant(&third.source), words);
                let spelled = hexadecimal(bytes, third);
                store::widened::<U>(spelled, out.add(64 * k * U::WIDTH));
            }
            return 192;
        }
        let seconds = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(seconds));
        let paired = _mm512_test_epi16_mask(seconds, seconds);
        let pairs = _mm512_slli_epi16::<8>(seconds);
        let pairs = _mm512_or_si512(pairs, _mm512_set1_epi16(b'\\' as i16));
        let mut direct = _mm512_mask_mov_epi16(words, paired, pairs);
        if latin1 {
            direct = super::utf8::two_bytes(direct, !paired);
        }
        if hex == 0 {
            return store::closed_words::<U>(direct, out);
        }
        let lanes = _mm512_mask_mov_epi16(direct, hex, words);
        let mut units = 0;
        for (k, eight) in EIGHTS.iter().enumerate() {
            let eight = _mm512_maskz_permutexvar_epi16(0x1111_1111, constant(eight), lanes);
            let long = (hex >> (8 * k)) as u8;
            let eight = _mm512_mask_mov_epi64(eight, long, hexadecimal(eight, &EIGHT));
            let least = _mm512_set1_epi64(0x0101_0101_0101_0100);
            units += store::closed::<U>(eight, least, out.add(units * U::WIDTH));
        }
        units
    }
}
