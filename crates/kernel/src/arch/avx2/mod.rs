//! AVX2, and the byte shuffles that come with it.

mod start;

#[allow(clippy::wildcard_imports, reason = "four dozen intrinsics")]
use core::arch::x86_64::*;

use crate::arch::sse2::Sse2;
use crate::escape::candidates::{Candidates, Derived, High};
use crate::escape::expand::{ByShuffle, Mask, Shuffle};
use crate::escape::spell::Place;
use crate::output::Output;
use crate::policy::Policy;
use crate::text::{Text, Unit};
use crate::vector::{GROUP, Hits, Vector, start_short};

/// Thirty-two byte lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256i);

/// Sixteen units of two or four bytes as words, those above U+00FF as U+00FF;
/// four-byte units in the order 0-3, 8-11, 4-7, 12-15.
///
/// # Safety
/// They are readable, and the machine has AVX2.
#[inline(always)]
unsafe fn clamped<U: Unit>(ptr: *const U) -> __m256i {
    let ptr: *const __m256i = ptr.cast();
    // SAFETY: the caller's.
    unsafe {
        if U::WIDTH == 2 {
            return _mm256_min_epu16(_mm256_loadu_si256(ptr), _mm256_set1_epi16(0xFF));
        }
        let most = _mm256_set1_epi32(0xFF);
        let low = _mm256_min_epu32(_mm256_loadu_si256(ptr), most);
        let high = _mm256_min_epu32(_mm256_loadu_si256(ptr.add(1)), most);
        _mm256_packus_epi32(low, high)
    }
}

/// Eight units as bytes.
///
/// # Safety
/// They are readable, and the machine has AVX2.
#[inline(always)]
unsafe fn narrow_eight<U: Unit>(ptr: *const U) -> i64 {
    // SAFETY: the caller's.
    unsafe {
        let words = match U::WIDTH {
            1 => return ptr.cast::<i64>().read_unaligned(),
            2 => _mm_min_epu16(_mm_loadu_si128(ptr.cast()), _mm_set1_epi16(0xFF)),
            _ => {
                let most = _mm_set1_epi32(0xFF);
                let ptr: *const __m128i = ptr.cast();
                let low = _mm_min_epu32(_mm_loadu_si128(ptr), most);
                let high = _mm_min_epu32(_mm_loadu_si128(ptr.add(1)), most);
                _mm_packus_epi32(low, high)
            }
        };
        _mm_cvtsi128_si64(_mm_packus_epi16(words, words))
    }
}

impl Vector for Avx2 {
    const LANES: usize = 32;
    const GRAIN: usize = GROUP;
    type Hits = Avx2;
    type Run = Avx2;
    type Short = Sse2;
    type Expansion = ByShuffle;

    #[inline(always)]
    unsafe fn load(ptr: *const u8) -> Avx2 {
        // SAFETY: the caller's.
        Avx2(unsafe { _mm256_loadu_si256(ptr.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, ptr: *mut u8) {
        // SAFETY: the caller's.
        unsafe { _mm256_storeu_si256(ptr.cast(), self.0) };
    }

    #[inline(always)]
    unsafe fn load_narrowed<U: Unit>(ptr: *const U) -> Avx2 {
        // SAFETY: the caller's. The packs work in each half of the vector;
        // the permutations put the quarters and eighths back in order.
        unsafe {
            if U::WIDTH == 1 {
                return Avx2::load(ptr.cast());
            }
            let packed = _mm256_packus_epi16(clamped(ptr), clamped(ptr.add(16)));
            Avx2(if U::WIDTH == 2 {
                _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
            } else {
                let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
                _mm256_permutevar8x32_epi32(packed, order)
            })
        }
    }

    #[inline(always)]
    unsafe fn load_part<U: Unit>(ptr: *const U, units: usize) -> Avx2 {
        let spaces = i64::from_ne_bytes([b' '; 8]);
        // SAFETY: the caller's.
        unsafe {
            let mut words = [spaces; 3];
            for (k, word) in words.iter_mut().enumerate() {
                if k < units / GROUP {
                    *word = narrow_eight(ptr.add(k * GROUP));
                }
            }
            let [low, middle, high] = words;
            Avx2(_mm256_setr_epi64x(low, middle, high, spaces))
        }
    }

    #[inline(always)]
    unsafe fn start<T: Text, P: Policy, O: Output>(
        text: &[T::Unit],
        out: *mut u8,
        _end: *mut u8,
    ) -> Result<*mut u8, Place> {
        // SAFETY: the caller's.
        unsafe {
            if T::Unit::WIDTH <= O::Unit::WIDTH && matches!(Derived::<T, P, O>::HIGH, High::Wide) {
                start::copy::<T, P, O>(text, out)
            } else {
                start_short::<T, P, O>(text, out)
            }
        }
    }

    #[inline(always)]
    fn hits(self, candidates: &Candidates) -> Avx2 {
        // SAFETY: the machine has AVX2 where this is inlined.
        unsafe {
            let below = _mm256_set1_epi8(candidates.below as i8);
            let low = if candidates.high {
                // Signed, so that bytes from 0x80 are below as well.
                _mm256_cmpgt_epi8(below, self.0)
            } else if candidates.below > 0 {
                let last = _mm256_set1_epi8(candidates.below as i8 - 1);
                _mm256_cmpeq_epi8(_mm256_min_epu8(self.0, last), self.0)
            } else {
                _mm256_setzero_si256()
            };
            Avx2(low).or(self.singles(candidates))
        }
    }

    #[inline(always)]
    fn any_of_four(four: [Avx2; 4], candidates: &Candidates) -> bool {
        let [a, b, c, d] = four;
        let low = a.singles(candidates).or(b.singles(candidates));
        let singles = low.or(c.singles(candidates).or(d.singles(candidates)));
        // The lowest lanes of all four stand for them where a range is asked.
        // SAFETY: as in `hits`.
        let below = unsafe {
            if candidates.high {
                let least = _mm256_min_epi8(_mm256_min_epi8(a.0, b.0), _mm256_min_epi8(c.0, d.0));
                _mm256_cmpgt_epi8(_mm256_set1_epi8(candidates.below as i8), least)
            } else if candidates.below > 0 {
                let least = _mm256_min_epu8(_mm256_min_epu8(a.0, b.0), _mm256_min_epu8(c.0, d.0));
                let most = _mm256_set1_epi8(candidates.below as i8 - 1);
                _mm256_cmpeq_epi8(_mm256_min_epu8(least, most), least)
            } else {
                _mm256_setzero_si256()
            }
        };
        singles.or(Avx2(below)).any()
    }

    #[inline(always)]
    fn any_in_words(low: u64, high: u64, candidates: &Candidates) -> bool {
        Sse2::any_in_words(low, high, candidates)
    }
}

impl Hits for Avx2 {
    #[inline(always)]
    fn or(self, other: Avx2) -> Avx2 {
        // SAFETY: as in `hits`.
        Avx2(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: as in `hits`.
        unsafe { _mm256_movemask_epi8(self.0) != 0 }
    }
}

impl Avx2 {
    /// The lanes that are one of the single candidates.
    #[inline(always)]
    fn singles(self, candidates: &Candidates) -> Avx2 {
        // SAFETY: the machine has AVX2 where this is inlined.
        unsafe {
            // A shuffle looks the low half of each lane up; lanes from 0x80
            // get a 0, which they are not.
            let table = _mm_loadu_si128(candidates.by_low_half.as_ptr().cast());
            let table = _mm256_broadcastsi128_si256(table);
            let expected = _mm256_shuffle_epi8(table, self.0);
            let mut hits = _mm256_cmpeq_epi8(expected, self.0);
            let mut k = 0;
            while k < candidates.rests {
                let single = _mm256_set1_epi8(candidates.rest[k] as i8);
                hits = _mm256_or_si256(hits, _mm256_cmpeq_epi8(self.0, single));
                k += 1;
            }
            Avx2(hits)
        }
    }
}

/// Index: which of eight lanes are pairs. Keeps the first byte of every lane
/// and the second of pairs.
static CLOSE_PAIRS: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut to) = (0, 0);
        while lane < 8 {
            table[mask][to] = 2 * lane;
            to += 1;
            if mask >> lane & 1 == 1 {
                table[mask][to] = 2 * lane + 1;
                to += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// Index: the low bits of the four lanes' lengths less one, then the high
/// bits. Keeps that many bytes of each four-byte lane.
static CLOSE_QUADS: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            let length = 1 + (mask >> lane & 1) as u8 + 2 * (mask >> (lane + 4) & 1) as u8;
            let mut k = 0;
            while k < length {
                table[mask][to] = 4 * lane + k;
                to += 1;
                k += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn close(lanes: __m128i, order: &[u8; 16]) -> __m128i {
    // SAFETY: the caller's.
    unsafe { _mm_shuffle_epi8(lanes, _mm_loadu_si128(order.as_ptr().cast())) }
}

/// Stores 16 bytes as units.
///
/// # Safety
/// 16 units are writable at `out`, and the machine has AVX2.
#[inline(always)]
unsafe fn store_widened<U: Unit>(bytes: __m128i, out: *mut u8) {
    // SAFETY: the caller's.
    unsafe {
        match U::WIDTH {
            1 => _mm_storeu_si128(out.cast(), bytes),
            2 => _mm256_storeu_si256(out.cast(), _mm256_cvtepu8_epi16(bytes)),
            _ => {
                let high = _mm_unpackhi_epi64(bytes, bytes);
                _mm256_storeu_si256(out.cast(), _mm256_cvtepu8_epi32(bytes));
                _mm256_storeu_si256(out.add(32).cast(), _mm256_cvtepu8_epi32(high));
            }
        }
    }
}

impl Shuffle for Avx2 {
    type Pairs = (__m256i, __m256i);

    #[inline(always)]
    fn splat(byte: u8) -> Avx2 {
        // SAFETY: the machine has AVX2 where this is inlined.
        Avx2(unsafe { _mm256_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn equal(self, other: Avx2) -> Avx2 {
        // SAFETY: as in `splat`.
        Avx2(unsafe { _mm256_cmpeq_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Avx2) -> Avx2 {
        // SAFETY: as in `splat`.
        Avx2(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn blend(self, other: Avx2, which: Avx2) -> Avx2 {
        // SAFETY: as in `splat`.
        Avx2(unsafe { _mm256_blendv_epi8(self.0, other.0, which.0) })
    }

    #[inline(always)]
    fn look_up_low(self, table: &[u8; 16]) -> Avx2 {
        // SAFETY: as in `splat`. The addition sets the top bit of every lane
        // from 16 up, and leaves the low half of the others.
        unsafe {
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()));
            let index = _mm256_adds_epu8(self.0, _mm256_set1_epi8(0x70));
            Avx2(_mm256_shuffle_epi8(table, index))
        }
    }

    #[inline(always)]
    fn mask(self) -> Mask {
        // SAFETY: as in `splat`.
        unsafe { _mm256_movemask_epi8(self.0) as Mask }
    }

    #[inline(always)]
    fn utf8_lead(self) -> Avx2 {
        // SAFETY: as in `splat`. As signed bytes, 0x80 to 0xBF are below
        // 0xC0: their lead byte is C2, that of the others C3.
        unsafe {
            let low = _mm256_cmpgt_epi8(_mm256_set1_epi8(0xC0_u8 as i8), self.0);
            Avx2(_mm256_add_epi8(_mm256_set1_epi8(0xC3_u8 as i8), low))
        }
    }

    #[inline(always)]
    fn interleave(first: Avx2, second: Avx2) -> (__m256i, __m256i) {
        // SAFETY: as in `splat`.
        unsafe {
            (
                _mm256_unpacklo_epi8(first.0, second.0),
                _mm256_unpackhi_epi8(first.0, second.0),
            )
        }
    }

    #[inline(always)]
    unsafe fn store_pairs<U: Unit>(of: (__m256i, __m256i), group: usize, pairs: u8, out: *mut u8) {
        // SAFETY: the caller's.
        unsafe {
            let part = match group {
                0 => _mm256_castsi256_si128(of.0),
                1 => _mm256_castsi256_si128(of.1),
                2 => _mm256_extracti128_si256::<1>(of.0),
                _ => _mm256_extracti128_si256::<1>(of.1),
            };
            store_widened::<U>(close(part, &CLOSE_PAIRS[pairs as usize]), out);
        }
    }

    #[inline(always)]
    unsafe fn transcode_group<U: Unit>(from: *const U, out: *mut u8, pass: bool) -> Option<usize> {
        // SAFETY: the caller's.
        unsafe {
            if U::WIDTH == 2 {
                let units = _mm_loadu_si128(from.cast());
                if _mm_testz_si128(units, _mm_set1_epi16(0xF800_u16 as i16)) != 0 {
                    return Some(transcode_low(units, out));
                }
                transcode_wide::<false>(_mm256_cvtepu16_epi32(units), out, pass)
            } else {
                let units = _mm256_loadu_si256(from.cast());
                if _mm256_testz_si256(units, _mm256_set1_epi32(!0x7FF)) != 0 {
                    let high = _mm256_extracti128_si256::<1>(units);
                    let units = _mm_packus_epi32(_mm256_castsi256_si128(units), high);
                    return Some(transcode_low(units, out));
                }
                transcode_wide::<true>(units, out, pass)
            }
        }
    }

    #[inline(always)]
    unsafe fn spell_group_u16<U: Unit, V: Unit>(from: *const U, out: *mut u8) -> bool {
        // SAFETY: the caller's.
        unsafe {
            let units = match U::WIDTH {
                1 => _mm_cvtepu8_epi16(_mm_loadl_epi64(from.cast())),
                2 => _mm_loadu_si128(from.cast()),
                _ => {
                    let units = _mm256_loadu_si256(from.cast());
                    if _mm256_testz_si256(units, _mm256_set1_epi32(!0xFFFF)) == 0 {
                        return false;
                    }
                    let high = _mm256_extracti128_si256::<1>(units);
                    _mm_packus_epi32(_mm256_castsi256_si128(units), high)
                }
            };
            spell_hex::<V>(units, out);
        }
        true
    }
}

/// Writes eight words below U+0800 as UTF-8 and gives the number of bytes.
///
/// # Safety
/// 16 bytes are writable at `out`, and the machine has AVX2.
#[inline(always)]
unsafe fn transcode_low(units: __m128i, out: *mut u8) -> usize {
    // SAFETY: the caller's.
    unsafe {
        let next = _mm_slli_epi16::<8>(_mm_and_si128(units, _mm_set1_epi16(0x3F)));
        let lead = _mm_srli_epi16::<6>(units);
        let marks = _mm_set1_epi16(0x80C0_u16 as i16);
        let two = _mm_or_si128(_mm_or_si128(lead, next), marks);
        let wide = _mm_cmpgt_epi16(units, _mm_set1_epi16(0x7F));
        let pairs = _mm_movemask_epi8(_mm_packs_epi16(wide, _mm_setzero_si128())) as usize;
        let lanes = _mm_blendv_epi8(units, two, wide);
        _mm_storeu_si128(out.cast(), close(lanes, &CLOSE_PAIRS[pairs & 0xFF]));
        GROUP + pairs.count_ones() as usize
    }
}

/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn and(lanes: __m256i, mask: i32) -> __m256i {
    // SAFETY: the caller's.
    unsafe { _mm256_and_si256(lanes, _mm256_set1_epi32(mask)) }
}

/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn or(one: __m256i, other: __m256i) -> __m256i {
    // SAFETY: the caller's.
    unsafe { _mm256_or_si256(one, other) }
}

/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn over(lanes: __m256i, most: i32) -> __m256i {
    // SAFETY: the caller's.
    unsafe { _mm256_cmpgt_epi32(lanes, _mm256_set1_epi32(most)) }
}

/// The top bits of eight four-byte lanes.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn bits(lanes: __m256i) -> usize {
    // SAFETY: the caller's.
    unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(lanes)) as usize }
}

/// How many bytes four lanes keep, by the bits of their lengths less one.
#[inline(always)]
const fn quads_length(low: usize, high: usize) -> usize {
    4 + (low.count_ones() + 2 * high.count_ones()) as usize
}

/// Writes eight code points as UTF-8 and gives the number of bytes; `None`
/// when one is a surrogate and `pass` is not set. `FOUR`: some may be above
/// U+FFFF.
///
/// # Safety
/// 36 bytes are writable at `out`, and the machine has AVX2.
#[inline(always)]
unsafe fn transcode_wide<const FOUR: bool>(
    units: __m256i,
    out: *mut u8,
    pass: bool,
) -> Option<usize> {
    // SAFETY: the caller's.
    unsafe {
        if !pass {
            let top = _mm256_and_si256(units, _mm256_set1_epi32(!0x7FF));
            let lone = _mm256_cmpeq_epi32(top, _mm256_set1_epi32(0xD800));
            if _mm256_testz_si256(lone, lone) == 0 {
                return None;
            }
        }
        let last = and(_mm256_slli_epi32::<16>(units), 0x3F_0000);
        let middle = and(_mm256_slli_epi32::<2>(units), 0x3F00);
        let lead = _mm256_srli_epi32::<12>(units);
        let marks = _mm256_set1_epi32(0x80_80E0);
        let three = or(or(last, middle), or(lead, marks));

        let (over_one, over_two) = (over(units, 0x7F), over(units, 0x7FF));
        if !FOUR && bits(over_two) == 0xFF {
            return Some(store_threes(three, out));
        }
        let last = and(_mm256_slli_epi32::<8>(units), 0x3F00);
        let lead = _mm256_srli_epi32::<6>(units);
        let two = or(or(last, lead), _mm256_set1_epi32(0x80C0));

        let mut lanes = _mm256_blendv_epi8(units, two, over_one);
        lanes = _mm256_blendv_epi8(lanes, three, over_two);
        let (one, two) = (bits(over_one), bits(over_two));
        // Length less one: 0, 1, 2, 3 as its low bits and its high bits.
        let mut low = one & !two;
        if FOUR {
            let over_three = over(units, 0xFFFF);
            let last = and(_mm256_slli_epi32::<24>(units), 0x3F00_0000);
            let third = and(_mm256_slli_epi32::<10>(units), 0x3F_0000);
            let second = and(_mm256_srli_epi32::<4>(units), 0x3F00);
            let lead = and(_mm256_srli_epi32::<18>(units), 7);
            let marks = _mm256_set1_epi32(0x8080_80F0_u32 as i32);
            let four = or(or(or(last, third), or(second, lead)), marks);
            lanes = _mm256_blendv_epi8(lanes, four, over_three);
            low |= bits(over_three);
        }
        let index = low & 0xF | (two & 0xF) << 4;
        let low_half = close(_mm256_castsi256_si128(lanes), &CLOSE_QUADS[index]);
        _mm_storeu_si128(out.cast(), low_half);
        let first = quads_length(low & 0xF, two & 0xF);

        let index = low >> 4 | two & 0xF0;
        let high_half = close(_mm256_extracti128_si256::<1>(lanes), &CLOSE_QUADS[index]);
        _mm_storeu_si128(out.add(first).cast(), high_half);
        Some(first + quads_length(low >> 4, two >> 4))
    }
}

/// Writes the low three bytes of eight lanes and gives their number.
///
/// # Safety
/// 28 bytes are writable at `out`, and the machine has AVX2.
#[inline(always)]
unsafe fn store_threes(lanes: __m256i, out: *mut u8) -> usize {
    // SAFETY: the caller's.
    unsafe {
        let order = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
        let lanes = _mm256_shuffle_epi8(lanes, _mm256_broadcastsi128_si256(order));
        _mm_storeu_si128(out.cast(), _mm256_castsi256_si128(lanes));
        _mm_storeu_si128(out.add(12).cast(), _mm256_extracti128_si256::<1>(lanes));
        3 * GROUP
    }
}

/// Writes eight words as `\uXXXX` each.
///
/// # Safety
/// 56 units are writable at `out`, and the machine has AVX2.
#[inline(always)]
unsafe fn spell_hex<V: Unit>(units: __m128i, out: *mut u8) {
    // SAFETY: the caller's.
    unsafe {
        let nibble = _mm_set1_epi8(0x0F);
        let high = _mm_and_si128(_mm_srli_epi16::<4>(units), nibble);
        let low = _mm_and_si128(units, nibble);
        let digits = _mm_loadu_si128(b"0123456789abcdef".as_ptr().cast());
        // Four characters each; the digits of a character's low byte first.
        let fours = [
            _mm_shuffle_epi8(digits, _mm_unpacklo_epi8(high, low)),
            _mm_shuffle_epi8(digits, _mm_unpackhi_epi8(high, low)),
        ];
        let prefixes = _mm_setr_epi8(
            b'\\' as i8,
            b'u' as i8,
            0,
            0,
            0,
            0,
            b'\\' as i8,
            b'u' as i8,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
        );
        let order = _mm_setr_epi8(-1, -1, 2, 3, 0, 1, -1, -1, 6, 7, 4, 5, -1, -1, -1, -1);
        let mut to = out;
        for four in fours {
            for half in [four, _mm_unpackhi_epi64(four, four)] {
                let spelled = _mm_or_si128(_mm_shuffle_epi8(half, order), prefixes);
                store_widened::<V>(spelled, to);
                to = to.add(12 * V::WIDTH);
            }
        }
    }
}
