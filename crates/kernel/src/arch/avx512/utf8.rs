//! Wide characters as UTF-8.
//!
//! A lane of two or four bytes is given the bytes of its character's
//! sequence, the last byte on top, and zeros below the first; closing up the
//! zeros makes the text.

#[allow(clippy::wildcard_imports, reason = "three dozen intrinsics")]
use core::arch::x86_64::*;

use super::{AND_OR, OR_AND, constant, load_units, look_up, lowest, store};
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
    unsafe { transcode_lanes::<U>(load_units(from, units), units, letters, pass, out) }
}

/// The same of units that are loaded, spaces behind them.
///
/// # Safety
/// As for [`transcode`].
#[inline(always)]
pub(super) unsafe fn transcode_lanes<U: Unit>(
    lanes: __m512i,
    units: usize,
    letters: Option<&[u8; 128]>,
    pass: bool,
    out: *mut u8,
) -> Option<usize> {
    // SAFETY: the caller's.
    unsafe {
        if U::WIDTH == 4 {
            if !pass && any_surrogate([lanes]) {
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
        if over_two == lowest(units) as u32 {
            store_threes(lanes, out);
            return Some(3 * units + (32 - units));
        }
        let (low, high) = store::halves(lanes);
        let low = quads(_mm512_cvtepu16_epi32(low), letters, out);
        Some(low + quads(_mm512_cvtepu16_epi32(high), letters, out.add(low)))
    }
}

/// Whether there is a surrogate among the code points.
///
/// # Safety
/// The machine has AVX-512.
#[inline(always)]
unsafe fn any_surrogate<const N: usize>(points: [__m512i; N]) -> bool {
    // SAFETY: the caller's.
    unsafe {
        let mut least = _mm512_set1_epi32(-1);
        for points in points {
            // Surrogates become the numbers below 0x800.
            let off = _mm512_xor_si512(points, _mm512_set1_epi32(0xD800));
            least = _mm512_min_epu32(least, off);
        }
        _mm512_cmplt_epu32_mask(least, _mm512_set1_epi32(0x800)) != 0
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

/// By the number of leading zeros, of which 11 to 24 occur and four bits
/// count: the marks of a character's bytes, the last of them on top.
static MARKS: [u32; 16] = {
    let mut marks = [0; 16];
    let mut zeros = 11;
    while zeros < 25 {
        marks[zeros % 16] = match zeros {
            21.. => 0x80C0_0000,
            16.. => 0x8080_E000,
            _ => 0x8080_80F0,
        };
        zeros += 1;
    }
    marks
};

/// Sixteen code points, each as its UTF-8 sequence with the last byte on top
/// and below two whatever is to be left out.
///
/// # Safety
/// The machine has AVX-512.
#[inline(always)]
unsafe fn sequences(points: __m512i) -> __m512i {
    // SAFETY: the caller's.
    unsafe {
        // Six bits a byte and two bits more: those from 18, 12, 6, 0 on. Of
        // an ASCII character that is the whole, and its top bit once more.
        let bits = _mm512_set1_epi64(0x2026_2C32_0006_0C12);
        let sixes = _mm512_multishift_epi64_epi8(bits, points);
        let table = _mm512_loadu_si512(MARKS.as_ptr().cast());
        let marks = _mm512_permutexvar_epi32(_mm512_lzcnt_epi32(points), table);
        let wide = _mm512_cmpgt_epu32_mask(points, _mm512_set1_epi32(0x7F));
        let six = _mm512_set1_epi32(0x3F3F_3F3F);
        // sixes & six | marks
        _mm512_mask_ternarylogic_epi32::<AND_OR>(sixes, wide, six, marks)
    }
}

/// Stores what [`sequences`] gave and gives the number of bytes.
///
/// # Safety
/// 64 bytes are writable at `out`, and the machine has AVX-512.
#[inline(always)]
unsafe fn store_sequences(lanes: __m512i, out: *mut u8) -> usize {
    // SAFETY: the caller's.
    unsafe { store::closed::<u8>(lanes, _mm512_set1_epi32(0x0002_0202), out) }
}

/// Sixteen code points as UTF-8, those with a letter as a backslash and that;
/// gives the number of bytes.
///
/// # Safety
/// 64 bytes are writable at `out`, and the machine has AVX-512.
#[inline(always)]
unsafe fn quads(points: __m512i, letters: Option<&[u8; 128]>, out: *mut u8) -> usize {
    // SAFETY: the caller's.
    unsafe {
        let mut lanes = sequences(points);
        if let Some(letters) = letters {
            let ascii = _mm512_cmplt_epu32_mask(points, _mm512_set1_epi32(0x80));
            let letter = _mm512_slli_epi32::<24>(look_up(points, 0, letters));
            let escaped = _mm512_mask_test_epi32_mask(ascii, letter, letter);
            let both = _mm512_or_si512(letter, _mm512_set1_epi32(i32::from(b'\\') << 16));
            lanes = _mm512_mask_mov_epi32(lanes, escaped, both);
        }
        store_sequences(lanes, out)
    }
}

/// 64 units, none of them a letter's, as UTF-8; `None` when one is a surrogate
/// and `pass` is not set. Gives the number of bytes.
///
/// # Safety
/// 64 units are readable at `from`, 256 bytes writable at `out`, and the
/// machine has AVX-512.
#[inline(always)]
pub(super) unsafe fn transcode_block<U: Unit>(
    from: *const U,
    pass: bool,
    out: *mut u8,
) -> Option<usize> {
    // SAFETY: the caller's.
    unsafe {
        if U::WIDTH == 2 {
            let low = transcode(from, 32, None, pass, out)?;
            return Some(low + transcode(from.add(32), 32, None, pass, out.add(low))?);
        }
        let quarter = 64 / U::WIDTH;
        let mut points = [_mm512_setzero_si512(); 4];
        for (k, points) in points.iter_mut().enumerate() {
            *points = load_units(from.add(quarter * k), quarter);
        }
        if !pass && any_surrogate(points) {
            return None;
        }
        let mut bytes = 0;
        for points in points {
            bytes += store_sequences(sequences(points), out.add(bytes));
        }
        Some(bytes)
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

/// Stores 32 words as 96 bytes, of which those from U+0800 up are right.
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
