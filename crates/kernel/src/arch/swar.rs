//! Eight bytes in a word: what machines without a vector file of their own
//! run.
//!
//! Lanes are in memory order whatever the byte order of the machine, and no
//! operation depends on it: a hit may carry into lanes that follow it, so
//! only "any" is exact, and nothing else is asked.

use crate::escape::candidates::Candidates;
use crate::escape::expand::ByTable;
use crate::text::Unit;
use crate::vector::{GROUP, Hits, Vector, narrow_group};

/// All lanes 0x01.
const ONES: u64 = 0x0101_0101_0101_0101;
/// All lanes 0x80.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// Eight byte lanes.
#[derive(Clone, Copy)]
pub(crate) struct Swar(u64);

impl Vector for Swar {
    const LANES: usize = 8;
    const GRAIN: usize = GROUP;
    type Hits = Swar;
    type Run = Swar;
    type Short = Swar;
    type Expansion = ByTable;

    #[inline(always)]
    unsafe fn load(ptr: *const u8) -> Swar {
        // SAFETY: the caller's.
        Swar(unsafe { ptr.cast::<u64>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn store(self, ptr: *mut u8) {
        // SAFETY: the caller's.
        unsafe { ptr.cast::<u64>().write_unaligned(self.0) };
    }

    #[inline(always)]
    unsafe fn load_narrowed<U: Unit>(ptr: *const U) -> Swar {
        if U::WIDTH == 1 {
            // SAFETY: the caller's.
            return unsafe { Swar::load(ptr.cast()) };
        }
        // SAFETY: the caller's.
        Swar(unsafe { narrow_group(ptr) })
    }

    #[inline(always)]
    unsafe fn load_part<U: Unit>(_: *const U, _: usize) -> Swar {
        // A vector is one group, so there are no groups below a vector.
        Swar(ONES * b' ' as u64)
    }

    #[inline(always)]
    fn hits(self, candidates: &Candidates) -> Swar {
        let x = self.0;
        let mut hits = if candidates.high { x } else { 0 };
        if candidates.below > 0 {
            hits |= x.wrapping_sub(ONES * candidates.below as u64) & !x;
        }
        let mut k = 0;
        while k < candidates.singles {
            let y = x ^ (ONES * candidates.single[k] as u64);
            hits |= y.wrapping_sub(ONES) & !y;
            k += 1;
        }
        Swar(hits)
    }

    #[inline(always)]
    fn any_in_words(low: u64, high: u64, candidates: &Candidates) -> bool {
        Swar(low)
            .hits(candidates)
            .or(Swar(high).hits(candidates))
            .any()
    }
}

impl Hits for Swar {
    #[inline(always)]
    fn or(self, other: Swar) -> Swar {
        Swar(self.0 | other.0)
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0 & TOPS != 0
    }
}
