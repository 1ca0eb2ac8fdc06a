//! Vectors of 64 bytes, for long stretches only.
//!
//! Everything here is inlined into functions of [`crate::dispatch`] that run on
//! machines with AVX-512 alone. What a lane is compared with answers in a mask
//! of its own, which the next comparison starts from.

use core::arch::x86_64::{
    __m512i, _mm512_castsi512_si256, _mm512_cmpgt_epu8_mask, _mm512_cmpgt_epu16_mask,
    _mm512_cmpgt_epu32_mask, _mm512_extracti64x4_epi64, _mm512_loadu_si512,
    _mm512_mask_cmpneq_epi8_mask, _mm512_mask_cmpneq_epi16_mask, _mm512_mask_cmpneq_epi32_mask,
    _mm512_or_si512, _mm512_set1_epi8, _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_xor_si512,
};

use super::{Vector, avx2};

macro_rules! vector {
    ($(#[$doc:meta])* $name:ident, $unit:ty, $int:ty, $mask:ty, $set1:ident, $cmpneq:ident, $cmpgt:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(__m512i);

        impl Vector for $name {
            type Unit = $unit;
            const LANES: usize = 64 / size_of::<$unit>();

            #[inline(always)]
            unsafe fn load(at: *const $unit) -> Self {
                // SAFETY: 64 bytes of units lie here, the caller says.
                Self(unsafe { _mm512_loadu_si512(at.cast()) })
            }

            #[inline(always)]
            fn zero() -> Self {
                // SAFETY: the machine has AVX-512, see above.
                Self(unsafe { _mm512_setzero_si512() })
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: the machine has AVX-512.
                Self(unsafe { _mm512_or_si512(self.0, other.0) })
            }

            #[inline(always)]
            fn any_stops(four: [Self; 4]) -> bool {
                // SAFETY: the machine has AVX-512.
                let plain = four.map(|block| unsafe {
                    // With this bit turned, the quotation mark is one above
                    // the control characters.
                    let turned = _mm512_xor_si512(block.0, $set1(0x02));
                    let above = $cmpgt(turned, $set1(0x20));
                    $cmpneq(above, block.0, $set1(b'\\' as $int))
                });
                plain[0] & plain[1] & plain[2] & plain[3] != <$mask>::MAX
            }

            #[inline(always)]
            fn bits(self) -> u32 {
                // SAFETY: the machine has AVX-512, and so AVX2.
                unsafe {
                    let low = avx2::$name::of(_mm512_castsi512_si256(self.0));
                    let high = avx2::$name::of(_mm512_extracti64x4_epi64::<1>(self.0));
                    low.or(high).bits()
                }
            }
        }
    };
}

vector! {
    /// Sixty-four `u8`.
    Bytes, u8, i8, u64, _mm512_set1_epi8, _mm512_mask_cmpneq_epi8_mask, _mm512_cmpgt_epu8_mask
}
vector! {
    /// Thirty-two `u16`.
    Pairs, u16, i16, u32, _mm512_set1_epi16, _mm512_mask_cmpneq_epi16_mask, _mm512_cmpgt_epu16_mask
}
vector! {
    /// Sixteen `u32`.
    Quads, u32, i32, u16, _mm512_set1_epi32, _mm512_mask_cmpneq_epi32_mask, _mm512_cmpgt_epu32_mask
}
