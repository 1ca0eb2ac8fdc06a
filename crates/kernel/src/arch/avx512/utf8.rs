//! Wide characters as UTF-8.
//!
//! A lane of two or four bytes is given the bytes of its character's
//! sequence, the last byte on top, and zeros below the first; closing up the
//! zeros makes the text.

#[allow(clippy::wildcard_imports, reason = "three dozen intrinsics")]
use core::arch::x86_64::*;

use super::{OR_AND, constant, load_units, look_up, store};
use crate::text::Unit;

/// Up to 32 units of two bytes, or 16 of four, as UTF-8; `None` when one is a
/// surrogate and `pass` is not set. Those that `letters` has a byte for become
/// a backslash and that. Gives the number of bytes, one for each unit that is
/// lacking among them.
///
/// # Safety
/// `units` units are readable at `from`, 128 bytes writable at `out`, 64 for
/// units of four bytes, and the machine has AVX-512.
#[inline(always)]
pub(super) unsafe fn transcode<U: Unit>(
    from: *const U,
    units: usize,
    letters: Option<&[u8; 128]>,
    pass: bool,
    out: *mut u8,
) -> Option<usize> {
    // SAFETY: the caller's.
    unsafe {
        let lanes = load_units(from, units);
        if U::WIDTH == 4 {
            let surrogate = surrogates(lanes);
            if !pass && surrogate != 0 {
                return None;
            }
            return Some(quads(lanes, letters, out));
        }
        let top = _mm512_and_si512(lanes, _mm512_set1_epi16(0xF800_u16 as i16));
        let over_two = _mm512_test_epi16_mask(top, top);
        if over_two == 0 {
            let mut pairs = two_bytes(lanes, u32::MAX);
            if let Some(letters) = letters {
                let (ascii, letter) = escaped_words(lanes, letters);
                pairs = _mm512_mask_mov_epi16(pairs, ascii, letter);
            }
            return Some(store::closed_words::<u8>(pairs, out));
        }
        if !pass {
            let lone = _mm512_cmpeq_epi16_mask(top, _mm512_set1_epi16(0xD800_u16 as i16));
            if lone != 0 {
                return None;
            }
        }
        if over_two == u32::MAX {
            store_threes(lanes, out);
            return Some(96);
        }
        let (low, high) = store::halves(lanes);
        let low = quads(_mm512_cvtepu16_epi32(low), letters, out);
        Some(low + quads(_mm512_cvtepu16_epi32(high), letters, out.add(low)))
    }
}

/// The lanes that are surrogates.
///
/// # Safety
/// The machine has AVX-512.
#[inline(always)]
unsafe fn surrogates(points: __m512i) -> u16 {
    // SAFETY: the caller's.
    unsafe {
        let off = _mm512_xor_si512(points, _mm512_set1_epi32(0xD800));
        _mm512_cmplt_epu32_mask(off, _mm512_set1_epi32(0x800))
    }
}

/// Words from 0x80 up, all below 0x800, as the two bytes of their sequence
/// where `which` has a bit; the others as they are.
///
/// # Safety
/// The machine has AVX-512.
#[inline(always)]
pub(super) unsafe fn two_bytes(words: __m512i, which: u32) -> __m512i {
    // SAFETY: the caller's.
    unsafe {
        let wide = _mm512_mask_cmpgt_epu16_mask(which, words, _mm512_set1_epi16(0x7F));
        let next = _mm512_slli_epi16::<8>(words);
        let lead = _mm512_srli_epi16::<6>(words);
        let six = _mm512_set1_epi16(0x3F00);
        let both = _mm512_ternarylogic_epi32::<OR_AND>(lead, next, six);
        let marks = _mm512_set1_epi16(0x80C0_u16 as i16);
        _mm512_mask_mov_epi16(words, wide, _mm512_or_si512(both, marks))
    }
}

/// The words that have a letter, and their spelling.
///
/// # Safety
/// The machine has AVX-512.
#[inline(always)]
unsafe fn escaped_words(words: __m512i, letters: &[u8; 128]) -> (u32, __m512i) {
    // SAFETY: the caller's.
    unsafe {
        let ascii = _mm512_cmplt_epu16_mask(words, _mm512_set1_epi16(0x80));
        // Only the low bytes count.
        let letter = _mm512_slli_epi16::<8>(look_up(words, 0, letters));
        let escaped = _mm512_mask_test_epi16_mask(ascii, letter, letter);
        let both = _mm512_or_si512(letter, _mm512_set1_epi16(b'\\' as i16));
        (escaped, both)
    }
}

/// By the number of leading zeros, less 32: the marks of a character's bytes,
/// the last of them on top.
static MARKS: [u32; 32] = {
    let mut marks = [0; 32];
    let mut zeros = 1;
    while zeros < 32 {
        marks[zeros] = match zeros {
            25.. => 0,
            21.. => 0x80C0_0000,
            16.. => 0x8080_E000,
            _ => 0x8080_80F0,
        };
        zeros += 1;
    }
    marks
};

/// Sixteen code points as UTF-8; gives the number of bytes.
///
/// # Safety
/// 64 bytes are writable at `out`, and the machine has AVX-512.
#[inline(always)]
unsafe fn quads(points: __m512i, letters: Option<&[u8; 128]>, out: *mut u8) -> usize {
    // SAFETY: the caller's.
    unsafe {
        // Six bits a byte and two bits more: those from 18, 12, 6, 0 on.
        let bits = _mm512_set1_epi64(0x2026_2C32_0006_0C12);
        let sixes = _mm512_multishift_epi64_epi8(bits, points);
        let zeros = _mm512_lzcnt_epi32(points);
        let low = _mm512_loadu_si512(MARKS.as_ptr().cast());
        let high = _mm512_loadu_si512(MARKS.as_ptr().add(16).cast());
        let marks = _mm512_permutex2var_epi32(low, zeros, high);
        // Six bits of every byte count, but of an ASCII character seven, which
        // 25 zeros and more tell.
        let seventh = _mm512_sllv_epi32(_mm512_set1_epi32(0x3F), zeros);
        let (six, top) = (_mm512_set1_epi32(0x3F3F_3F3F), _mm512_set1_epi32(1 << 30));
        let mask = _mm512_ternarylogic_epi32::<OR_AND>(six, seventh, top);
        let mut lanes = _mm512_ternarylogic_epi32::<OR_AND>(marks, sixes, mask);
        if let Some(letters) = letters {
            let ascii = _mm512_cmplt_epu32_mask(points, _mm512_set1_epi32(0x80));
            let letter = _mm512_slli_epi32::<24>(look_up(points, 0, letters));
            let escaped = _mm512_mask_test_epi32_mask(ascii, letter, letter);
            let both = _mm512_or_si512(letter, _mm512_set1_epi32(i32::from(b'\\') << 16));
            lanes = _mm512_mask_mov_epi32(lanes, escaped, both);
        }
        // An ASCII character's top bit is still in the byte below.
        store::closed::<u8>(lanes, _mm512_set1_epi32(0x0002_0202), out)
    }
}

/// How three bytes a word are made: the words of each eight bytes, the bit at
/// which six are taken, and what becomes of them: `six & kept | mark`.
struct Threes {
    word: [u8; 64],
    bit: [u8; 64],
    kept: [u8; 64],
    mark: [u8; 64],
}

impl Threes {
    /// Of the 96 bytes that 32 words become, those from `start` on.
    const fn from(start: usize) -> Threes {
        let mut threes = Threes {
            word: [0; 64],
            bit: [0; 64],
            kept: [0; 64],
            mark: [0; 64],
        };
        let mut at = 0;
        while at < 64 {
            let first = (start + at / 8 * 8) / 3;
            // Two bytes an index.
            if at.is_multiple_of(2) {
                threes.word[at] = ((first + at % 8 / 2) % 32) as u8;
            }
            let byte = start + at;
            let shift = [12, 6, 0][byte % 3];
            threes.bit[at] = (16 * (byte / 3 - first) + shift) as u8;
            threes.kept[at] = [0x0F, 0x3F, 0x3F][byte % 3];
            threes.mark[at] = [0xE0, 0x80, 0x80][byte % 3];
            at += 1;
        }
        threes
    }
}

static FIRST_THREES: Threes = Threes::from(0);
static LAST_THREES: Threes = Threes::from(64);

/// # Safety
/// The machine has AVX-512.
#[inline(always)]
unsafe fn in_threes(words: __m512i, threes: &Threes) -> __m512i {
    // SAFETY: the caller's.
    unsafe {
        let fours = _mm512_permutexvar_epi16(constant(&threes.word), words);
        let sixes = _mm512_multishift_epi64_epi8(constant(&threes.bit), fours);
        let (kept, mark) = (constant(&threes.kept), constant(&threes.mark));
        _mm512_ternarylogic_epi32::<OR_AND>(mark, sixes, kept)
    }
}

/// Stores 32 words from U+0800 up as 96 bytes.
///
/// # Safety
/// They are writable at `out`, and the machine has AVX-512.
#[inline(always)]
unsafe fn store_threes(words: __m512i, out: *mut u8) {
    // SAFETY: the caller's.
    unsafe {
        _mm512_storeu_si512(out.cast(), in_threes(words, &FIRST_THREES));
        let (last, _) = store::halves(in_threes(words, &LAST_THREES));
        _mm256_storeu_si256(out.add(64).cast(), last);
    }
}
