//! SSE2: part of every x86-64, and all of the inline short path there.

use core::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_loadl_epi64, _mm_loadu_si128, _mm_min_epu8,
    _mm_movemask_epi8, _mm_or_si128, _mm_packs_epi32, _mm_packus_epi16, _mm_set_epi64x,
    _mm_set1_epi8, _mm_set1_epi16, _mm_setzero_si128, _mm_storeu_si128, _mm_sub_epi16,
    _mm_subs_epu16, _mm_unpacklo_epi64,
};

use crate::escape::candidates::Candidates;
use crate::escape::expand::ByTable;
use crate::text::Unit;
use crate::vector::{GROUP, Hits, Vector};

/// Sixteen byte lanes.
#[derive(Clone, Copy)]
pub(crate) struct Sse2(__m128i);

/// Eight units of two or four bytes, those above U+00FF as U+00FF.
///
/// # Safety
/// They are readable.
#[inline(always)]
unsafe fn clamped<U: Unit>(ptr: *const U) -> __m128i {
    let ptr: *const __m128i = ptr.cast();
    // SAFETY: the caller's; SSE2 is the baseline.
    unsafe {
        let words = if U::WIDTH == 2 {
            _mm_loadu_si128(ptr)
        } else {
            // Signed saturation: above U+7FFF becomes U+7FFF.
            _mm_packs_epi32(_mm_loadu_si128(ptr), _mm_loadu_si128(ptr.add(1)))
        };
        _mm_sub_epi16(words, _mm_subs_epu16(words, _mm_set1_epi16(0xFF)))
    }
}

impl Vector for Sse2 {
    const LANES: usize = 16;
    const GRAIN: usize = GROUP;
    type Hits = Sse2;
    type Run = Sse2;
    type Short = Sse2;
    type Expansion = ByTable;

    #[inline(always)]
    unsafe fn load(ptr: *const u8) -> Sse2 {
        // SAFETY: the caller's.
        Sse2(unsafe { _mm_loadu_si128(ptr.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, ptr: *mut u8) {
        // SAFETY: the caller's.
        unsafe { _mm_storeu_si128(ptr.cast(), self.0) };
    }

    #[inline(always)]
    unsafe fn load_narrowed<U: Unit>(ptr: *const U) -> Sse2 {
        // SAFETY: the caller's.
        unsafe {
            if U::WIDTH == 1 {
                return Sse2::load(ptr.cast());
            }
            Sse2(_mm_packus_epi16(clamped(ptr), clamped(ptr.add(8))))
        }
    }

    #[inline(always)]
    unsafe fn load_part<U: Unit>(ptr: *const U, _: usize) -> Sse2 {
        // There is room for one group below a vector.
        // SAFETY: the caller's.
        unsafe {
            let group = if U::WIDTH == 1 {
                _mm_loadl_epi64(ptr.cast())
            } else {
                _mm_packus_epi16(clamped(ptr), _mm_setzero_si128())
            };
            Sse2(_mm_unpacklo_epi64(group, _mm_set1_epi8(b' ' as i8)))
        }
    }

    #[inline(always)]
    fn hits(self, candidates: &Candidates) -> Sse2 {
        // SAFETY: SSE2 is the baseline.
        unsafe {
            let below = _mm_set1_epi8(candidates.below as i8);
            let mut hits = if candidates.high {
                // Signed, so that bytes from 0x80 are below as well.
                _mm_cmpgt_epi8(below, self.0)
            } else if candidates.below > 0 {
                let last = _mm_set1_epi8(candidates.below as i8 - 1);
                _mm_cmpeq_epi8(_mm_min_epu8(self.0, last), self.0)
            } else {
                _mm_setzero_si128()
            };
            let mut k = 0;
            while k < candidates.singles {
                let single = _mm_set1_epi8(candidates.single[k] as i8);
                hits = _mm_or_si128(hits, _mm_cmpeq_epi8(self.0, single));
                k += 1;
            }
            Sse2(hits)
        }
    }

    #[inline(always)]
    fn any_in_words(low: u64, high: u64, candidates: &Candidates) -> bool {
        // SAFETY: SSE2 is the baseline.
        let both = Sse2(unsafe { _mm_set_epi64x(high as i64, low as i64) });
        both.hits(candidates).any()
    }
}

impl Hits for Sse2 {
    #[inline(always)]
    fn or(self, other: Sse2) -> Sse2 {
        // SAFETY: SSE2 is the baseline.
        Sse2(unsafe { _mm_or_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: SSE2 is the baseline.
        unsafe { _mm_movemask_epi8(self.0) != 0 }
    }
}
