//! Blocks of eight bytes in an ordinary register.
//!
//! All comparisons are exact in every lane: nothing carries from one into the
//! next. Lane 0 is the lowest, whatever the machine's byte order.

use core::marker::PhantomData;

use super::{Block, Vector};
use linecaster_kernel::text::Unit;

/// Eight bytes, four pairs or two quads.
#[derive(Clone, Copy)]
pub struct Word<U>(u64, PhantomData<U>);

impl<U: Unit> Word<U> {
    /// Bits of a lane.
    const WIDTH: u32 = 8 * U::WIDTH as u32;
    /// The lowest bit of every lane.
    const LOW: u64 = u64::MAX / (u64::MAX >> (64 - Self::WIDTH));
    /// The highest bit of every lane.
    const HIGH: u64 = Self::LOW << (Self::WIDTH - 1);

    /// The highest bit of every lane that is not zero.
    #[inline(always)]
    fn not_zero(word: u64) -> u64 {
        (((word & !Self::HIGH) + !Self::HIGH) | word) & Self::HIGH
    }

    /// The highest bit of every lane that is not `unit`.
    #[inline(always)]
    fn not(self, unit: u8) -> u64 {
        Self::not_zero(self.0 ^ (Self::LOW * unit as u64))
    }
}

impl<U: Unit> Vector for Word<U> {
    type Unit = U;
    const LANES: usize = 8 / U::WIDTH;

    #[inline(always)]
    unsafe fn load(at: *const U) -> Self {
        let word = if cfg!(target_endian = "little") {
            // SAFETY: eight bytes of units lie here, the caller says.
            unsafe { at.cast::<u64>().read_unaligned() }
        } else {
            (0..Self::LANES).fold(0, |word, lane| {
                // SAFETY: as above.
                let unit: u32 = unsafe { *at.add(lane) }.into();
                word | (unit as u64) << (lane as u32 * Self::WIDTH)
            })
        };
        Self(word, PhantomData)
    }

    #[inline(always)]
    fn zero() -> Self {
        Self(0, PhantomData)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0, PhantomData)
    }

    #[inline(always)]
    fn any_stops(four: [Self; 4]) -> bool {
        four.map(Self::stops)
            .into_iter()
            .fold(0, |any, stops| any | stops)
            != 0
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        if U::WIDTH == 1 {
            return if self.0 & Self::HIGH == 0 { 0 } else { 0x80 };
        }
        let low = (self.0 | self.0 >> 32) as u32;
        if U::WIDTH == 2 {
            (low | low >> 16) & 0xFFFF
        } else {
            low
        }
    }
}

impl<U: Unit> Block for Word<U> {
    const MASK_BITS: u32 = Self::WIDTH;

    #[inline(always)]
    fn stops(self) -> u64 {
        let not_control = Self::not_zero(self.0 & !(Self::LOW * 0x1F));
        !(self.not(b'"') & self.not(b'\\') & not_control) & Self::HIGH
    }

    #[inline(always)]
    fn stops_and_high(self) -> u64 {
        self.stops() | self.0 & Self::HIGH
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut U) {
        if cfg!(target_endian = "little") {
            // SAFETY: eight bytes of units lie here, the caller says.
            unsafe { at.cast::<u64>().write_unaligned(self.0) };
        } else {
            for lane in 0..Self::LANES {
                let unit = (self.0 >> (lane as u32 * Self::WIDTH)) as u32;
                // SAFETY: as above.
                unsafe { at.add(lane).write_unaligned(U::truncate(unit)) };
            }
        }
    }

    #[inline(always)]
    unsafe fn narrow(self, to: *mut u8) {
        for lane in 0..Self::LANES {
            // SAFETY: as many bytes lie here, the caller says.
            unsafe {
                to.add(lane)
                    .write((self.0 >> (lane as u32 * Self::WIDTH)) as u8);
            }
        }
    }

    #[inline(always)]
    fn not_blanks(self) -> u64 {
        self.not(b' ') & self.not(b'\n') & self.not(b'\r') & self.not(b'\t')
    }

    #[inline(always)]
    fn first(self, lanes: usize) -> Self {
        debug_assert!(lanes < Self::LANES);
        Self(
            self.0 & ((1 << (lanes as u32 * Self::WIDTH)) - 1),
            PhantomData,
        )
    }
}

/// Eight units as bytes; see [`super::Scan::eight`].
///
/// # Safety
/// Eight units lie at `at`.
#[inline(always)]
pub unsafe fn eight<U: Unit>(at: *const U) -> u64 {
    (0..8).fold(0, |word, i| {
        // SAFETY: as the caller says.
        let unit: u32 = unsafe { *at.add(i) }.into();
        word | u64::from(unit.min(0xFF)) << (8 * i)
    })
}

/// See [`super::commas`].
///
/// # Safety
/// As there.
#[inline(always)]
pub unsafe fn commas(at: *const u8) -> u64 {
    (0..super::COMMAS).fold(0, |mask, i| {
        // SAFETY: as many bytes lie here, the caller says.
        mask | u64::from(unsafe { *at.add(i) } == b',') << i
    })
}
