//! AVX-512 as Ice Lake has it: masks, and bytes that are looked up in 128
//! and moved together (VBMI, VBMI2).

pub(crate) mod start;
pub(crate) mod store;
mod utf8;
mod words;

#[allow(clippy::wildcard_imports, reason = "five dozen intrinsics")]
use core::arch::x86_64::*;

use crate::arch::avx2::Avx2;
use crate::arch::sse2::Sse2;
use crate::escape::candidates::Candidates;
use crate::escape::compress::{ByCompress, Compress, Mask};
use crate::escape::spell::Place;
use crate::output::Output;
use crate::policy::Policy;
use crate::text::{Text, Unit};
use crate::vector::{Hits, Vector};

/// Sixty-four byte lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m512i);

impl Hits for Mask {
    #[inline(always)]
    fn or(self, other: Mask) -> Mask {
        self | other
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }
}

/// The truth table of `a | b & c`.
const OR_AND: i32 = 0b1111_1000;
/// The truth table of `a & b | c`.
const AND_OR: i32 = 0b1110_1010;

/// A vector of constants.
///
/// # Safety
/// The machine has AVX-512.
#[inline(always)]
unsafe fn constant(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the caller's.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// The lowest `n` of 64 lanes; all from 64 up.
///
/// # Safety
/// The machine has BMI2.
#[inline(always)]
unsafe fn lowest(n: usize) -> Mask {
    // SAFETY: the caller's.
    unsafe { _bzhi_u64(Mask::MAX, n.min(64) as u32) }
}

/// Up to 64 bytes of units, spaces behind them; all 64 if `n` is that.
///
/// # Safety
/// `n` units are readable at `ptr`, and the machine has AVX-512.
#[inline(always)]
unsafe fn load_units<U: Unit>(ptr: *const U, n: usize) -> __m512i {
    // SAFETY: the caller's; masked lanes are not read.
    unsafe {
        if n >= 64 / U::WIDTH {
            return _mm512_loadu_si512(ptr.cast());
        }
        let space = b' ' as i32;
        match U::WIDTH {
            1 => _mm512_mask_loadu_epi8(_mm512_set1_epi8(space as i8), lowest(n), ptr.cast()),
            2 => {
                let spaces = _mm512_set1_epi16(space as i16);
                _mm512_mask_loadu_epi16(spaces, lowest(n) as u32, ptr.cast())
            }
            _ => {
                let spaces = _mm512_set1_epi32(space);
                _mm512_mask_loadu_epi32(spaces, lowest(n) as u16, ptr.cast())
            }
        }
    }
}

/// The `k`-th 64 bytes of `n` units, as [`load_units`] gives them.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn load_nth<U: Unit>(ptr: *const U, n: usize, k: usize) -> __m512i {
    let before = k * 64 / U::WIDTH;
    // SAFETY: the caller's; beyond the units, nothing is read.
    unsafe { load_units(ptr.wrapping_add(before), n.saturating_sub(before)) }
}

/// The first `n` of 64 units as bytes, those above U+00FF as U+00FF; spaces
/// behind them.
///
/// # Safety
/// They are readable, and the machine has AVX-512.
#[inline(always)]
unsafe fn narrowed<U: Unit>(ptr: *const U, n: usize) -> __m512i {
    // SAFETY: the caller's. The packs work in each quarter of the vector; the
    // permutations put the pieces back in order.
    unsafe {
        match U::WIDTH {
            1 => load_units(ptr, n),
            2 => {
                let most = _mm512_set1_epi16(0xFF);
                let low = _mm512_min_epu16(load_nth(ptr, n, 0), most);
                let high = _mm512_min_epu16(load_nth(ptr, n, 1), most);
                let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
                _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high))
            }
            _ => {
                // Signed saturation: above U+7FFF becomes U+7FFF.
                let low = _mm512_packs_epi32(load_nth(ptr, n, 0), load_nth(ptr, n, 1));
                let high = _mm512_packs_epi32(load_nth(ptr, n, 2), load_nth(ptr, n, 3));
                let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
                _mm512_permutexvar_epi32(order, _mm512_packus_epi16(low, high))
            }
        }
    }
}

impl Vector for Avx512 {
    const LANES: usize = 64;
    const GRAIN: usize = 1;
    type Hits = Mask;
    type Run = Avx2;
    type Short = Avx2;
    type Expansion = ByCompress;

    #[inline(always)]
    unsafe fn load(ptr: *const u8) -> Avx512 {
        // SAFETY: the caller's.
        Avx512(unsafe { _mm512_loadu_si512(ptr.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, ptr: *mut u8) {
        // SAFETY: the caller's.
        unsafe { _mm512_storeu_si512(ptr.cast(), self.0) };
    }

    #[inline(always)]
    unsafe fn load_narrowed<U: Unit>(ptr: *const U) -> Avx512 {
        // SAFETY: the caller's.
        Avx512(unsafe { narrowed(ptr, 64) })
    }

    #[inline(always)]
    unsafe fn load_part<U: Unit>(ptr: *const U, units: usize) -> Avx512 {
        // SAFETY: the caller's.
        Avx512(unsafe { narrowed(ptr, units) })
    }

    #[inline(always)]
    unsafe fn copy_units<U: Unit, V: Unit>(from: *const U, units: usize, to: *mut u8) {
        // SAFETY: the caller's.
        unsafe { store::copy_units::<U, V>(from, units, to) };
    }

    #[inline(always)]
    unsafe fn start<T: Text, P: Policy, O: Output>(
        text: &[T::Unit],
        out: *mut u8,
        end: *mut u8,
    ) -> Result<*mut u8, Place> {
        // SAFETY: the caller's.
        unsafe { start::start::<T, P, O>(text, out, end) }
    }

    #[inline(always)]
    fn hits(self, candidates: &Candidates) -> Mask {
        // SAFETY: the machine has AVX-512 where this is inlined.
        unsafe {
            let below = _mm512_set1_epi8(candidates.below as i8);
            let mut hits = if candidates.high {
                // Signed, so that bytes from 0x80 are below as well.
                _mm512_cmplt_epi8_mask(self.0, below)
            } else if candidates.below > 0 {
                _mm512_cmplt_epu8_mask(self.0, below)
            } else {
                0
            };
            if candidates.singles > 2 {
                let off = self.off_single(candidates);
                return hits | _mm512_testn_epi8_mask(off, off);
            }
            let mut k = 0;
            while k < candidates.singles {
                let single = _mm512_set1_epi8(candidates.single[k] as i8);
                hits |= _mm512_cmpeq_epi8_mask(self.0, single);
                k += 1;
            }
            hits
        }
    }

    #[inline(always)]
    fn any_of_four(four: [Avx512; 4], candidates: &Candidates) -> bool {
        // SAFETY: as in `hits`. The lowest lanes of all four stand for them.
        unsafe {
            let [a, b, c, d] = four;
            let low = _mm512_min_epu8(a.off_single(candidates), b.off_single(candidates));
            let high = _mm512_min_epu8(c.off_single(candidates), d.off_single(candidates));
            let single = _mm512_min_epu8(low, high);
            let mut hits = _mm512_testn_epi8_mask(single, single);
            let below = _mm512_set1_epi8(candidates.below as i8);
            let [a, b, c, d] = [a.0, b.0, c.0, d.0];
            if candidates.high {
                let least = _mm512_min_epi8(_mm512_min_epi8(a, b), _mm512_min_epi8(c, d));
                hits |= _mm512_cmplt_epi8_mask(least, below);
            } else if candidates.below > 0 {
                let least = _mm512_min_epu8(_mm512_min_epu8(a, b), _mm512_min_epu8(c, d));
                hits |= _mm512_cmplt_epu8_mask(least, below);
            }
            hits != 0
        }
    }

    #[inline(always)]
    fn any_in_words(low: u64, high: u64, candidates: &Candidates) -> bool {
        Sse2::any_in_words(low, high, candidates)
    }
}

impl Avx512 {
    /// Zero in the lanes that are one of the single candidates.
    #[inline(always)]
    fn off_single(self, candidates: &Candidates) -> __m512i {
        // SAFETY: the machine has AVX-512 where this is inlined.
        unsafe {
            // A shuffle looks the low half of each lane up; lanes from 0x80
            // get a 0, which they are not.
            let table = _mm_loadu_si128(candidates.by_low_half.as_ptr().cast());
            let expected = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), self.0);
            let mut off = _mm512_xor_si512(self.0, expected);
            let mut k = 0;
            while k < candidates.rests {
                let rest = _mm512_set1_epi8(candidates.rest[k] as i8);
                off = _mm512_min_epu8(off, _mm512_xor_si512(self.0, rest));
                k += 1;
            }
            off
        }
    }
}

impl Compress for Avx512 {
    type Words = __m512i;

    #[inline(always)]
    fn high(self) -> Mask {
        // SAFETY: the machine has AVX-512 where this is inlined.
        unsafe { _mm512_movepi8_mask(self.0) }
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 128]) -> Avx512 {
        // SAFETY: as in `high`.
        unsafe { Avx512(look_up(self.0, self.high(), table)) }
    }

    #[inline(always)]
    fn mask(self) -> Mask {
        // SAFETY: as in `high`.
        unsafe { _mm512_test_epi8_mask(self.0, self.0) }
    }

    #[inline(always)]
    unsafe fn store_pairs<U: Unit>(
        self,
        seconds: Avx512,
        latin1: bool,
        lanes: usize,
        out: *mut u8,
    ) -> usize {
        // SAFETY: the caller's.
        unsafe { store::pairs::<U>(self.0, seconds.0, latin1, lanes, out) }
    }

    #[inline(always)]
    unsafe fn load_words<U: Unit>(ptr: *const U, units: usize) -> (__m512i, usize) {
        // SAFETY: the caller's.
        unsafe { words::load(ptr, units) }
    }

    #[inline(always)]
    fn narrow_words(words: __m512i) -> Avx512 {
        // SAFETY: as in `high`.
        unsafe {
            let spaces = _mm512_set1_epi8(b' ' as i8);
            let bytes = _mm512_cvtusepi16_epi8(words);
            Avx512(_mm512_inserti64x4::<0>(spaces, bytes))
        }
    }

    #[inline(always)]
    unsafe fn spell_words<U: Unit>(
        words: __m512i,
        seconds: Avx512,
        hex: u32,
        latin1: bool,
        out: *mut u8,
    ) -> usize {
        // SAFETY: the caller's.
        unsafe { words::spell::<U>(words, seconds.0, hex, latin1, out) }
    }

    #[inline(always)]
    unsafe fn transcode_block<U: Unit>(from: *const U, pass: bool, out: *mut u8) -> Option<usize> {
        // SAFETY: the caller's.
        unsafe { utf8::transcode_block(from, pass, out) }
    }

    #[inline(always)]
    unsafe fn transcode<U: Unit>(
        from: *const U,
        units: usize,
        letters: Option<&[u8; 128]>,
        pass: bool,
        out: *mut u8,
    ) -> Option<usize> {
        // SAFETY: the caller's.
        unsafe { utf8::transcode(from, units, letters, pass, out) }
    }
}

/// `table[lane]` for the lanes below 0x80, 0 for those in `high`.
///
/// # Safety
/// The machine has AVX-512.
#[inline(always)]
unsafe fn look_up(lanes: __m512i, high: Mask, table: &[u8; 128]) -> __m512i {
    // SAFETY: the caller's.
    unsafe {
        let low_half = _mm512_loadu_si512(table.as_ptr().cast());
        let high_half = _mm512_loadu_si512(table.as_ptr().add(64).cast());
        _mm512_maskz_permutex2var_epi8(!high, low_half, lanes, high_half)
    }
}
