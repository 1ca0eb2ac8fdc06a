//! UTF-8 by byte shuffles.
//!
//! Measuring is the validation of Keiser and Lemire ("Validating UTF-8 in less
//! than one instruction per byte", 2021): three lookups by nibble say which
//! errors each pair of neighbours may be part of, what all three agree on is
//! one.
//!
//! Writing looks at every byte as the last one of its character and computes
//! the code point from it and the bytes before it; the lanes that are indeed
//! last ones are then packed together by a shuffle from a table. So the work
//! is the same for any mixture of lengths.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_alignr_epi8, _mm_and_si128, _mm_andnot_si128, _mm_cmpgt_epi8,
    _mm_cvtsi128_si32, _mm_loadl_epi64, _mm_loadu_si128, _mm_madd_epi16, _mm_maddubs_epi16,
    _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8, _mm_set1_epi16, _mm_set1_epi32,
    _mm_setzero_si128, _mm_shuffle_epi8, _mm_slli_epi16, _mm_srli_epi16, _mm_srli_si128,
    _mm_storel_epi64, _mm_storeu_si128, _mm_unpackhi_epi8, _mm_unpackhi_epi16, _mm_unpacklo_epi8,
    _mm_unpacklo_epi16, _mm256_alignr_epi8, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_cmpgt_epi8, _mm256_loadu_si256, _mm256_max_epu8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16, _mm256_storeu_si256, _mm256_subs_epu8, _mm256_testz_si256, _mm256_xor_si256,
};

use core::mem::MaybeUninit;

use linecaster_kernel::text::Unit;

use crate::copy::copy_short;

use super::{Measure, kind_of_lead};

/// All ones, then zeros: the mask of the first n bytes of a block lies
/// 32 - n from its beginning.
static FIRST: [u8; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 32 {
        table[i] = 0xFF;
        i += 1;
    }
    table
};

/// What a pair of bytes may be part of; see [`lookups`].
mod fault {
    /// A lead without enough continuations.
    pub const TOO_SHORT: u8 = 1 << 0;
    /// A continuation behind ASCII.
    pub const TOO_LONG: u8 = 1 << 1;
    /// E0 80 to E0 9F.
    pub const OVERLONG_3: u8 = 1 << 2;
    /// Above U+10FFFF: F4 90 and more.
    pub const TOO_LARGE: u8 = 1 << 3;
    /// ED A0 to ED BF.
    pub const SURROGATE: u8 = 1 << 4;
    /// C0 and C1.
    pub const OVERLONG_2: u8 = 1 << 5;
    /// F0 80 to F0 8F; and F5 80 and more, which need a bit of their own.
    pub const OVERLONG_4: u8 = 1 << 6;
    /// Two continuations: right only within three and four bytes.
    pub const TWO_CONTINUATIONS: u8 = 1 << 7;
}

/// The tables by the upper nibble of the first byte, its lower nibble, and the
/// upper nibble of the second byte.
const fn lookups() -> [[u8; 16]; 3] {
    use fault::{
        OVERLONG_2, OVERLONG_3, OVERLONG_4, SURROGATE, TOO_LARGE, TOO_LONG, TOO_SHORT,
        TWO_CONTINUATIONS,
    };
    let any = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;
    let mut tables = [[TOO_LONG; 16], [any; 16], [TOO_SHORT; 16]];
    let mut i = 0x8;
    while i < 0xC {
        tables[0][i] = TWO_CONTINUATIONS;
        i += 1;
    }
    tables[0][0xC] = TOO_SHORT | OVERLONG_2;
    tables[0][0xD] = TOO_SHORT;
    tables[0][0xE] = TOO_SHORT | OVERLONG_3 | SURROGATE;
    tables[0][0xF] = TOO_SHORT | TOO_LARGE | OVERLONG_4;

    tables[1][0x0] |= OVERLONG_3 | OVERLONG_2 | OVERLONG_4;
    tables[1][0x1] |= OVERLONG_2;
    tables[1][0x4] |= TOO_LARGE;
    i = 0x5;
    while i < 0x10 {
        tables[1][i] |= TOO_LARGE | OVERLONG_4;
        i += 1;
    }
    tables[1][0xD] |= SURROGATE;

    let continuation = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS;
    tables[2][0x8] = continuation | OVERLONG_3 | OVERLONG_4;
    tables[2][0x9] = continuation | OVERLONG_3 | TOO_LARGE;
    tables[2][0xA] = continuation | SURROGATE | TOO_LARGE;
    tables[2][0xB] = continuation | SURROGATE | TOO_LARGE;
    tables
}

static LOOKUPS: [[u8; 16]; 3] = lookups();

/// 32 bytes of `text` from `at` on, zeros from `len` on.
///
/// # Safety
/// As for [`measure`]; `at < len`, `len <= text.len()`.
#[inline(always)]
unsafe fn load(text: &[u8], at: usize, len: usize) -> __m256i {
    // SAFETY: a whole block is loaded only where it lies within the text, the
    // mask where it lies within its table.
    unsafe {
        let left = len - at;
        let from = text.as_ptr().add(at);
        if left >= 32 {
            return _mm256_loadu_si256(from.cast());
        }
        if at + 32 <= text.len() {
            let mask = _mm256_loadu_si256(FIRST.as_ptr().add(32 - left).cast());
            return _mm256_and_si256(mask, _mm256_loadu_si256(from.cast()));
        }
        let mut block = [0u8; 32];
        block[..left].copy_from_slice(&text[at..len]);
        _mm256_loadu_si256(block.as_ptr().cast())
    }
}

/// [`super::measure`] of the first `len` bytes of `text`; `None` if they are
/// not UTF-8.
///
/// # Safety
/// The machine has AVX2, and `len <= text.len()`.
#[inline(always)]
pub unsafe fn measure(text: &[u8], len: usize) -> Option<Measure> {
    // SAFETY: the machine has the instructions; loads are as `load` says.
    unsafe {
        let [high, low, second] = [0, 1, 2]
            .map(|i| _mm256_broadcastsi128_si256(_mm_loadu_si128(LOOKUPS[i].as_ptr().cast())));
        let nibble = _mm256_set1_epi8(0x0F);
        let top = _mm256_set1_epi8(0x80u8 as i8);
        let mut before = _mm256_setzero_si256();
        let mut faults = _mm256_setzero_si256();
        let mut highest = _mm256_setzero_si256();
        let (mut at, mut continuations) = (0, 0);
        while at < len {
            let block = load(text, at, len);
            let ahead = _mm256_permute2x128_si256::<0x21>(before, block);
            let one = _mm256_alignr_epi8::<15>(block, ahead);
            let two = _mm256_alignr_epi8::<14>(block, ahead);
            let three = _mm256_alignr_epi8::<13>(block, ahead);
            let by_high = _mm256_and_si256(nibble, _mm256_srli_epi16::<4>(one));
            let by_second = _mm256_and_si256(nibble, _mm256_srli_epi16::<4>(block));
            let pair = _mm256_and_si256(
                _mm256_and_si256(
                    _mm256_shuffle_epi8(high, by_high),
                    _mm256_shuffle_epi8(low, _mm256_and_si256(nibble, one)),
                ),
                _mm256_shuffle_epi8(second, by_second),
            );
            // From 0xE0 two bytes ago and from 0xF0 three bytes ago the top bit
            // stays: a third or fourth byte is due.
            let due = _mm256_or_si256(
                _mm256_subs_epu8(two, _mm256_set1_epi8(0x60)),
                _mm256_subs_epu8(three, _mm256_set1_epi8(0x70)),
            );
            let due = _mm256_and_si256(due, top);
            faults = _mm256_or_si256(faults, _mm256_xor_si256(pair, due));
            highest = _mm256_max_epu8(highest, block);
            let is = _mm256_cmpgt_epi8(_mm256_set1_epi8(0xC0u8 as i8), block);
            continuations += (_mm256_movemask_epi8(is) as u32).count_ones() as usize;
            before = block;
            at += 32;
        }
        let cut_off = (1..4).any(|back| {
            let byte = if back <= len { text[len - back] } else { 0 };
            byte >= [0xC0, 0xE0, 0xF0][back - 1]
        });
        if cut_off || _mm256_testz_si256(faults, faults) == 0 {
            return None;
        }
        let mut bytes = [0u8; 32];
        _mm256_storeu_si256(bytes.as_mut_ptr().cast(), highest);
        Some(Measure {
            count: len - continuations,
            kind: kind_of_lead(bytes.iter().fold(0, |a, &b| a.max(b))),
        })
    }
}

/// Shuffles that pack the lanes of a mask together: eight bytes.
static PACK_BYTES: [[u8; 8]; 256] = {
    let mut table = [[0x80; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut to) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 != 0 {
                table[mask][to] = lane as u8;
                to += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// Eight pairs.
static PACK_PAIRS: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut to = 0;
        while to < 8 {
            let lane = PACK_BYTES[mask][to];
            if lane < 8 {
                table[mask][2 * to] = 2 * lane;
                table[mask][2 * to + 1] = 2 * lane + 1;
            }
            to += 1;
        }
        mask += 1;
    }
    table
};

/// Four quads.
static PACK_QUADS: [[u8; 16]; 16] = {
    let mut table = [[0x80; 16]; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut to = 0;
        while to < 16 {
            let lane = PACK_BYTES[mask][to / 4];
            if lane < 8 {
                table[mask][to] = 4 * lane + (to % 4) as u8;
            }
            to += 1;
        }
        mask += 1;
    }
    table
};

/// Units that [`block`] may touch: eight at a time, the last eight from the
/// eighth on.
const REACH: usize = 16;

/// Writes the code points of the first `len` bytes of `text`, which are UTF-8
/// and `count` characters.
///
/// # Safety
/// The machine has AVX2, `len <= text.len()`, and `to` has room for `count`
/// units that hold the characters.
#[inline(always)]
pub unsafe fn write<U: Unit>(text: &[u8], len: usize, count: usize, to: *mut U) {
    if len <= SHORT {
        // SAFETY: the caller's.
        return unsafe { write_short(text, len, count, to) };
    }
    let (mut at, mut done) = (0, 0);
    // SAFETY: while there is that much room a block stays within the string;
    // then exactly the characters are stored, of which there are `count`.
    unsafe {
        let mut before = _mm_setzero_si128();
        while at + 17 <= len && done + REACH <= count {
            let next_is_lead = text.get_unchecked(at + 16) & 0xC0 != 0x80;
            let bytes = _mm_loadu_si128(text.as_ptr().add(at).cast());
            done += block::<U, false>(bytes, before, next_is_lead, 0xFFFF, to.add(done));
            before = bytes;
            at += 16;
        }
        while at < len {
            let (bytes, lanes) = last_bytes(text, at, len);
            let next_is_lead = at + 16 >= len || text.get_unchecked(at + 16) & 0xC0 != 0x80;
            done += block::<U, true>(bytes, before, next_is_lead, lanes, to.add(done));
            before = bytes;
            at += 16;
        }
    }
}

/// Bytes of a string that [`write_short`] takes.
const SHORT: usize = 64;

/// [`write`] for short strings, all of which lies near the end of the room:
/// whole blocks go into a buffer that has enough of it.
///
/// # Safety
/// As for [`write`], and `len <= SHORT`.
#[inline(always)]
unsafe fn write_short<U: Unit>(text: &[u8], len: usize, count: usize, to: *mut U) {
    let mut buffer = MaybeUninit::<[U; SHORT + REACH]>::uninit();
    let units = buffer.as_mut_ptr().cast::<U>();
    let (mut at, mut done) = (0, 0);
    // SAFETY: there are no more characters than bytes, and room for a block
    // behind them. `count` units of the buffer have been written.
    unsafe {
        let mut before = _mm_setzero_si128();
        while at < len {
            let (bytes, lanes) = last_bytes(text, at, len);
            let next_is_lead = at + 16 >= len || text.get_unchecked(at + 16) & 0xC0 != 0x80;
            done += block::<U, false>(bytes, before, next_is_lead, lanes, units.add(done));
            before = bytes;
            at += 16;
        }
        copy_short(units.cast(), to.cast(), count * U::WIDTH);
    }
}

/// Shuffles that move a vector down by as many bytes as are left out.
static DOWN: [u8; 32] = {
    let mut table = [0x80; 32];
    let mut i = 0;
    while i < 16 {
        table[i] = i as u8;
        i += 1;
    }
    table
};

/// Stores the first `size` bytes; all 16 unless `EXACT`.
///
/// # Safety
/// The machine has AVX2, `to` has room for that, and `size` is at most 16.
#[inline(always)]
unsafe fn put<const EXACT: bool>(packed: __m128i, size: usize, to: *mut u8) {
    // SAFETY: as the caller says; the last bytes are moved down and stored so
    // that they end where they must.
    unsafe {
        if !EXACT {
            return _mm_storeu_si128(to.cast(), packed);
        }
        let last = |width: usize| {
            let down = _mm_loadu_si128(DOWN.as_ptr().add(size - width).cast());
            (_mm_shuffle_epi8(packed, down), to.add(size - width))
        };
        if size >= 8 {
            let (tail, end) = last(8);
            _mm_storel_epi64(to.cast(), packed);
            _mm_storel_epi64(end.cast(), tail);
        } else if size >= 4 {
            let (tail, end) = last(4);
            to.cast::<i32>().write_unaligned(_mm_cvtsi128_si32(packed));
            end.cast::<i32>().write_unaligned(_mm_cvtsi128_si32(tail));
        } else if size >= 2 {
            let (tail, end) = last(2);
            to.cast::<u16>()
                .write_unaligned(_mm_cvtsi128_si32(packed) as u16);
            end.cast::<u16>()
                .write_unaligned(_mm_cvtsi128_si32(tail) as u16);
        } else if size == 1 {
            to.write(_mm_cvtsi128_si32(packed) as u8);
        }
    }
}

/// 16 bytes of `text` from `at` on, and the mask of those before `len`; those
/// behind it may be anything.
///
/// # Safety
/// `at < len` and `len <= text.len()`.
#[inline(always)]
unsafe fn last_bytes(text: &[u8], at: usize, len: usize) -> (__m128i, i32) {
    let left = (len - at).min(16);
    let lanes = ((1u32 << left) - 1) as i32;
    // SAFETY: whole blocks are loaded only where they lie within the text.
    unsafe {
        if at + 16 <= text.len() {
            return (_mm_loadu_si128(text.as_ptr().add(at).cast()), lanes);
        }
        let mut copy = [0u8; 16];
        copy[..left].copy_from_slice(&text[at..at + left]);
        (_mm_loadu_si128(copy.as_ptr().cast()), lanes)
    }
}

/// Writes the characters that end in the first `lanes` of 16 bytes; how many.
/// `before` are the 16 bytes before them.
///
/// # Safety
/// The machine has AVX2, and `to` has room for [`REACH`] units, or if `EXACT`
/// for the characters.
#[inline(always)]
unsafe fn block<U: Unit, const EXACT: bool>(
    bytes: __m128i,
    before: __m128i,
    next_is_lead: bool,
    lanes: i32,
    to: *mut U,
) -> usize {
    // SAFETY: the machine has the instructions; the stores stay in reach, or
    // are exact.
    unsafe {
        let leads = _mm_movemask_epi8(_mm_cmpgt_epi8(bytes, _mm_set1_epi8(0xBFu8 as i8)));
        // A byte is the last of its character if a lead follows. Lanes behind
        // the string may hold anything; the last one before them is an end.
        let follows = leads >> 1 | i32::from(next_is_lead) << 15 | !(lanes >> 1) & 0x7FFF;
        let ends = (follows & lanes) as u32;
        if ends == 0xFFFF && _mm_movemask_epi8(bytes) == 0 {
            widen_ascii(bytes, to);
            return 16;
        }
        if U::WIDTH == 4 && leads & lanes == 0x1111 & lanes && ends == 0x8888 & lanes as u32 {
            // Characters of four bytes each, such as emoji.
            let values = _mm_and_si128(bytes, _mm_set1_epi32(0x3F3F_3F07));
            let pairs = _mm_maddubs_epi16(values, _mm_set1_epi16(0x0140));
            let quads = _mm_madd_epi16(pairs, _mm_set1_epi32(0x0001_1000));
            let count = ends.count_ones() as usize;
            put::<EXACT>(quads, 4 * count, to.cast());
            return count;
        }
        let one = _mm_alignr_epi8::<15>(bytes, before);
        let two = _mm_alignr_epi8::<14>(bytes, before);
        // What follows is computed as if every byte were the last one of a
        // character of one, two, three, four bytes.
        let tail = _mm_cmpgt_epi8(_mm_setzero_si128(), bytes);
        let upper = _mm_and_si128(tail, _mm_set1_epi8(0xC0u8 as i8));
        let low = _mm_or_si128(
            _mm_andnot_si128(upper, bytes),
            _mm_and_si128(upper, _mm_slli_epi16::<6>(one)),
        );
        if U::WIDTH == 1 {
            return pack_bytes::<EXACT>(low, ends, to.cast());
        }
        let is_tail = |v| _mm_cmpgt_epi8(_mm_set1_epi8(0xC0u8 as i8), v);
        let third = _mm_and_si128(tail, is_tail(one));
        let from_one = _mm_and_si128(_mm_srli_epi16::<2>(one), _mm_set1_epi8(0x0F));
        let from_two = _mm_and_si128(_mm_slli_epi16::<4>(two), _mm_set1_epi8(0xF0u8 as i8));
        let high = _mm_or_si128(
            _mm_and_si128(tail, from_one),
            _mm_and_si128(third, from_two),
        );
        let first = _mm_unpacklo_epi8(low, high);
        let second = _mm_unpackhi_epi8(low, high);
        if U::WIDTH == 2 {
            return pack_pairs::<EXACT>(first, second, ends, to.cast());
        }
        let three = _mm_alignr_epi8::<13>(bytes, before);
        let fourth = _mm_and_si128(third, is_tail(two));
        let from_two = _mm_and_si128(_mm_srli_epi16::<4>(two), _mm_set1_epi8(0x03));
        let from_three = _mm_and_si128(_mm_slli_epi16::<2>(three), _mm_set1_epi8(0x1C));
        let top = _mm_and_si128(fourth, _mm_or_si128(from_two, from_three));
        let zero = _mm_setzero_si128();
        let (top_first, top_second) = (_mm_unpacklo_epi8(top, zero), _mm_unpackhi_epi8(top, zero));
        let quads = [
            _mm_unpacklo_epi16(first, top_first),
            _mm_unpackhi_epi16(first, top_first),
            _mm_unpacklo_epi16(second, top_second),
            _mm_unpackhi_epi16(second, top_second),
        ];
        pack_quads::<EXACT>(quads, ends, to.cast())
    }
}

/// # Safety
/// As for [`block`].
#[inline(always)]
unsafe fn widen_ascii<U: Unit>(bytes: __m128i, to: *mut U) {
    // SAFETY: 16 units.
    unsafe {
        let zero = _mm_setzero_si128();
        let to: *mut __m128i = to.cast();
        let (first, second) = (
            _mm_unpacklo_epi8(bytes, zero),
            _mm_unpackhi_epi8(bytes, zero),
        );
        match U::WIDTH {
            1 => _mm_storeu_si128(to, bytes),
            2 => {
                _mm_storeu_si128(to, first);
                _mm_storeu_si128(to.add(1), second);
            }
            _ => {
                _mm_storeu_si128(to, _mm_unpacklo_epi16(first, zero));
                _mm_storeu_si128(to.add(1), _mm_unpackhi_epi16(first, zero));
                _mm_storeu_si128(to.add(2), _mm_unpacklo_epi16(second, zero));
                _mm_storeu_si128(to.add(3), _mm_unpackhi_epi16(second, zero));
            }
        }
    }
}

/// # Safety
/// As for [`block`].
#[inline(always)]
unsafe fn pack_bytes<const EXACT: bool>(low: __m128i, ends: u32, to: *mut u8) -> usize {
    let mut done = 0;
    // SAFETY: eight units each, the second at most eight behind the first.
    unsafe {
        for (half, mask) in [
            (low, ends & 0xFF),
            (_mm_srli_si128::<8>(low), ends >> 8 & 0xFF),
        ] {
            let shuffle = _mm_loadl_epi64(PACK_BYTES[mask as usize].as_ptr().cast());
            let packed = _mm_shuffle_epi8(half, shuffle);
            let count = mask.count_ones() as usize;
            if EXACT {
                put::<true>(packed, count, to.add(done));
            } else {
                _mm_storel_epi64(to.add(done).cast(), packed);
            }
            done += count;
        }
    }
    done
}

/// # Safety
/// As for [`block`].
#[inline(always)]
unsafe fn pack_pairs<const EXACT: bool>(
    first: __m128i,
    second: __m128i,
    ends: u32,
    to: *mut u16,
) -> usize {
    let mut done = 0;
    for (half, mask) in [(first, ends & 0xFF), (second, ends >> 8 & 0xFF)] {
        let count = mask.count_ones() as usize;
        // SAFETY: eight units each, the second at most eight behind the first.
        unsafe {
            let shuffle = _mm_loadu_si128(PACK_PAIRS[mask as usize].as_ptr().cast());
            let packed = _mm_shuffle_epi8(half, shuffle);
            put::<EXACT>(packed, 2 * count, to.add(done).cast());
        }
        done += count;
    }
    done
}

/// # Safety
/// As for [`block`].
#[inline(always)]
unsafe fn pack_quads<const EXACT: bool>(quads: [__m128i; 4], ends: u32, to: *mut u32) -> usize {
    let mut done = 0;
    for (i, quad) in quads.into_iter().enumerate() {
        let mask = ends >> (4 * i) & 0xF;
        let count = mask.count_ones() as usize;
        // SAFETY: four units each, each at most four behind the one before.
        unsafe {
            let shuffle = _mm_loadu_si128(PACK_QUADS[mask as usize].as_ptr().cast());
            let packed = _mm_shuffle_epi8(quad, shuffle);
            put::<EXACT>(packed, 4 * count, to.add(done).cast());
        }
        done += count;
    }
    done
}
