//! Vectors of 32 bytes, for long stretches only.
//!
//! Everything here is inlined into functions of [`crate::dispatch`] that run on
//! machines with AVX2 alone.

use core::arch::x86_64::{
    __m256i, _mm_or_si128, _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpeq_epi16,
    _mm256_cmpeq_epi32, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_min_epu8,
    _mm256_min_epu16, _mm256_min_epu32, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
};

use super::{Vector, sse2};

macro_rules! vector {
    ($(#[$doc:meta])* $name:ident, $unit:ty, $int:ty, $set1:ident, $cmpeq:ident, $min:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(__m256i);

        impl $name {
            /// The units in a register.
            #[inline(always)]
            pub fn of(register: __m256i) -> Self {
                Self(register)
            }

            /// Lanes that end a plain stretch have all bits set, the others
            /// none.
            #[inline(always)]
            fn stop_lanes(self) -> Self {
                // SAFETY: the machine has AVX2, see above.
                unsafe {
                    let equal = |unit: u8| $cmpeq(self.0, $set1(unit as $int));
                    let control = $cmpeq($min(self.0, $set1(0x1F)), self.0);
                    let marks = _mm256_or_si256(equal(b'"'), equal(b'\\'));
                    Self(_mm256_or_si256(control, marks))
                }
            }
        }

        impl Vector for $name {
            type Unit = $unit;
            const LANES: usize = 32 / size_of::<$unit>();

            #[inline(always)]
            unsafe fn load(at: *const $unit) -> Self {
                // SAFETY: 32 bytes of units lie here, the caller says.
                Self(unsafe { _mm256_loadu_si256(at.cast()) })
            }

            #[inline(always)]
            fn zero() -> Self {
                // SAFETY: the machine has AVX2, see above.
                Self(unsafe { _mm256_setzero_si256() })
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: the machine has AVX2.
                Self(unsafe { _mm256_or_si256(self.0, other.0) })
            }

            #[inline(always)]
            fn any_stops(four: [Self; 4]) -> bool {
                let stops = four.map(Self::stop_lanes);
                let any = stops[0].or(stops[1]).or(stops[2].or(stops[3]));
                // SAFETY: the machine has AVX2.
                unsafe { _mm256_movemask_epi8(any.0) != 0 }
            }

            #[inline(always)]
            fn bits(self) -> u32 {
                // SAFETY: the machine has AVX2.
                unsafe {
                    let low = _mm256_castsi256_si128(self.0);
                    let high = _mm256_extracti128_si256::<1>(self.0);
                    sse2::$name::of(_mm_or_si128(low, high)).bits()
                }
            }
        }
    };
}

vector! {
    /// Thirty-two `u8`.
    Bytes, u8, i8, _mm256_set1_epi8, _mm256_cmpeq_epi8, _mm256_min_epu8
}
vector! {
    /// Sixteen `u16`.
    Pairs, u16, i16, _mm256_set1_epi16, _mm256_cmpeq_epi16, _mm256_min_epu16
}
vector! {
    /// Eight `u32`.
    Quads, u32, i32, _mm256_set1_epi32, _mm256_cmpeq_epi32, _mm256_min_epu32
}
