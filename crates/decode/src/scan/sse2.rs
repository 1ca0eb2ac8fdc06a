//! Blocks of 16 bytes: SSE2, which every x86-64 machine has.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpeq_epi16, _mm_cmpeq_epi32, _mm_cvtsi128_si32,
    _mm_cvtsi128_si64, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_packs_epi32,
    _mm_packus_epi16, _mm_set1_epi8, _mm_set1_epi16, _mm_set1_epi32, _mm_setzero_si128,
    _mm_shuffle_epi32, _mm_shufflelo_epi16, _mm_storel_epi64, _mm_storeu_si128, _mm_sub_epi16,
    _mm_subs_epu16,
};

use super::{Block, Vector};

/// 16 bytes of all ones, then 16 of zeros: the mask of the first n bytes lies
/// 16 - n from its beginning.
static FIRST: [u8; 32] = {
    let mut table = [0; 32];
    let mut i = 0;
    while i < 16 {
        table[i] = 0xFF;
        i += 1;
    }
    table
};

macro_rules! block {
    ($(#[$doc:meta])* $name:ident, $unit:ty, $int:ty, $set1:ident, $cmpeq:ident, $narrow:expr, $bits:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(__m128i);

        impl $name {
            /// The units in a register.
            #[inline(always)]
            pub fn of(register: __m128i) -> Self {
                Self(register)
            }

            #[inline(always)]
            fn equal(self, unit: u8) -> __m128i {
                // SAFETY: SSE2 is part of x86-64.
                unsafe { $cmpeq(self.0, $set1(unit as $int)) }
            }

            /// Lanes that end a plain stretch have all bits set, the others
            /// none.
            #[inline(always)]
            fn stop_lanes(self) -> Self {
                // SAFETY: SSE2 is part of x86-64.
                unsafe {
                    let above = _mm_and_si128(self.0, $set1(!0x1F));
                    let control = $cmpeq(above, _mm_setzero_si128());
                    let marks = _mm_or_si128(self.equal(b'"'), self.equal(b'\\'));
                    Self(_mm_or_si128(control, marks))
                }
            }
        }

        impl Vector for $name {
            type Unit = $unit;
            const LANES: usize = 16 / size_of::<$unit>();

            #[inline(always)]
            unsafe fn load(at: *const $unit) -> Self {
                // SAFETY: 16 bytes of units lie here, the caller says.
                Self(unsafe { _mm_loadu_si128(at.cast()) })
            }

            #[inline(always)]
            fn zero() -> Self {
                // SAFETY: SSE2 is part of x86-64.
                Self(unsafe { _mm_setzero_si128() })
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: SSE2 is part of x86-64.
                Self(unsafe { _mm_or_si128(self.0, other.0) })
            }

            #[inline(always)]
            fn any_stops(four: [Self; 4]) -> bool {
                let stops = four.map(Self::stop_lanes);
                let any = stops[0].or(stops[1]).or(stops[2].or(stops[3]));
                // SAFETY: SSE2 is part of x86-64.
                unsafe { _mm_movemask_epi8(any.0) != 0 }
            }

            #[inline(always)]
            fn bits(self) -> u32 {
                $bits(self.0)
            }
        }

        impl Block for $name {
            const MASK_BITS: u32 = size_of::<$unit>() as u32;

            #[inline(always)]
            fn stops(self) -> u64 {
                // SAFETY: SSE2 is part of x86-64.
                unsafe { _mm_movemask_epi8(self.stop_lanes().0) as u64 }
            }

            #[inline(always)]
            fn stops_and_high(self) -> u64 {
                // SAFETY: SSE2 is part of x86-64.
                self.stops() | unsafe { _mm_movemask_epi8(self.0) } as u64
            }

            #[inline(always)]
            unsafe fn store(self, at: *mut $unit) {
                // SAFETY: 16 bytes of units lie here, the caller says.
                unsafe { _mm_storeu_si128(at.cast(), self.0) };
            }

            #[inline(always)]
            unsafe fn narrow(self, to: *mut u8) {
                // SAFETY: as many bytes lie here, the caller says.
                unsafe { $narrow(self.0, to) };
            }

            #[inline(always)]
            fn not_blanks(self) -> u64 {
                // SAFETY: SSE2 is part of x86-64.
                unsafe {
                    let lines = _mm_or_si128(self.equal(b'\n'), self.equal(b'\r'));
                    let gaps = _mm_or_si128(self.equal(b' '), self.equal(b'\t'));
                    (_mm_movemask_epi8(_mm_or_si128(lines, gaps)) ^ 0xFFFF) as u64
                }
            }

            #[inline(always)]
            fn first(self, lanes: usize) -> Self {
                debug_assert!(lanes < Self::LANES);
                // SAFETY: `lanes` is less than a block has, so that the mask
                // lies within the table.
                unsafe {
                    let skip = 16 - lanes * size_of::<$unit>();
                    let mask = _mm_loadu_si128(FIRST.as_ptr().add(skip).cast());
                    Self(_mm_and_si128(self.0, mask))
                }
            }
        }
    };
}

block! {
    /// Sixteen `u8`.
    Bytes, u8, i8, _mm_set1_epi8, _mm_cmpeq_epi8,
    |block, to: *mut u8| _mm_storeu_si128(to.cast(), block),
    |block| {
        // SAFETY: SSE2 is part of x86-64.
        if unsafe { _mm_movemask_epi8(block) } == 0 { 0 } else { 0x80 }
    }
}
block! {
    /// Eight `u16`.
    Pairs, u16, i16, _mm_set1_epi16, _mm_cmpeq_epi16,
    |block, to: *mut u8| _mm_storel_epi64(to.cast(), _mm_packus_epi16(block, block)),
    |block| {
        // SAFETY: SSE2 is part of x86-64.
        let halves = unsafe { fold_quads(block) };
        (halves | halves >> 16) & 0xFFFF
    }
}
block! {
    /// Four `u32`.
    Quads, u32, i32, _mm_set1_epi32, _mm_cmpeq_epi32,
    |block, to: *mut u8| {
        let pairs = _mm_packs_epi32(block, block);
        let bytes = _mm_cvtsi128_si32(_mm_packus_epi16(pairs, pairs));
        to.cast::<i32>().write_unaligned(bytes);
    },
    |block| {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { fold_quads(block) }
    }
}

/// See [`super::commas`].
///
/// # Safety
/// As there.
#[inline(always)]
pub unsafe fn commas(at: *const u8) -> u64 {
    let mask = |i: usize| {
        // SAFETY: four blocks lie here, the caller says; SSE2 is part of x86-64.
        unsafe {
            let block = Bytes::load(at.add(i * Bytes::LANES));
            (_mm_movemask_epi8(block.equal(b',')) as u64) << (i * Bytes::LANES)
        }
    };
    (mask(0) | mask(1)) | (mask(2) | mask(3))
}

/// Eight units as bytes; see [`super::Scan::eight`].
///
/// # Safety
/// Eight units lie at `at`.
#[inline(always)]
pub unsafe fn eight_bytes(at: *const u8) -> u64 {
    // SAFETY: as the caller says.
    unsafe { at.cast::<u64>().read_unaligned() }
}

/// As [`eight_bytes`].
///
/// # Safety
/// Eight units lie at `at`.
#[inline(always)]
pub unsafe fn eight_pairs(at: *const u16) -> u64 {
    // SAFETY: as the caller says.
    unsafe { pairs_as_bytes(_mm_loadu_si128(at.cast())) }
}

/// As [`eight_bytes`].
///
/// # Safety
/// Eight units lie at `at`.
#[inline(always)]
pub unsafe fn eight_quads(at: *const u32) -> u64 {
    // SAFETY: as the caller says. As signed pairs, large quads become 0x7FFF
    // or 0x8000.
    unsafe {
        let first = _mm_loadu_si128(at.cast());
        let second = _mm_loadu_si128(at.add(4).cast());
        pairs_as_bytes(_mm_packs_epi32(first, second))
    }
}

/// Eight pairs as bytes, larger ones as 0xFF.
#[inline(always)]
unsafe fn pairs_as_bytes(pairs: __m128i) -> u64 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let above = _mm_subs_epu16(pairs, _mm_set1_epi16(0xFF));
        let least = _mm_sub_epi16(pairs, above);
        _mm_cvtsi128_si64(_mm_packus_epi16(least, least)) as u64
    }
}

/// All four quads in one.
#[inline(always)]
unsafe fn fold_quads(block: __m128i) -> u32 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let two = _mm_or_si128(block, _mm_shuffle_epi32::<0b00_00_11_10>(block));
        let one = _mm_or_si128(two, _mm_shufflelo_epi16::<0b00_00_11_10>(two));
        _mm_cvtsi128_si32(one) as u32
    }
}
