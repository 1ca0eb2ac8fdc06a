//! Integers to decimal text.
//!
//! Lengths are told apart only at 4, 8 and 16 digits; within a class the text
//! is made at full width and its leading zeros are shifted out, so that lists
//! of mixed lengths cost no mispredicted branch per digit count.
//!
//! The `unsafe` writers are for a sink in which the named length has been
//! reserved: they may write anything into all of it, whatever they return.
//! They store units of one, two or four bytes, widened on their way from the
//! registers: text that was just stored cannot be loaded again without a
//! stall. Lengths are in units, and nothing need be aligned.

use core::mem::MaybeUninit;

use super::digits::{ASCII_ZEROS, PAIRS, spell16, spread8, store1, store4, store8, store16};
use crate::text::Unit;

/// Bytes that [`write_u64`] needs: `18446744073709551615`.
pub const U64_LEN: usize = 20;
/// Bytes that [`write_i64`] needs: `-9223372036854775808`.
pub const I64_LEN: usize = 20;
/// Bytes that [`write_u128`] needs: 39 digits.
pub const U128_LEN: usize = 39;
/// Bytes that [`write_i128`] needs: a sign and [`U128_LEN`].
pub const I128_LEN: usize = 40;

const TEN_TO_8: u64 = 100_000_000;
const TEN_TO_16: u64 = TEN_TO_8 * TEN_TO_8;

/// Writes `v` and returns the length of its text.
///
/// # Safety
///
/// [`U64_LEN`] units at `dst` may be written.
#[inline(always)]
pub unsafe fn write_u64<U: Unit>(dst: *mut U, v: u64) -> usize {
    // SAFETY: each writer stays within U64_LEN: 4, 8 and 20 units.
    unsafe {
        if v < 10_000 {
            write_below_10_to_4(dst, v as u32)
        } else if v < TEN_TO_8 {
            write_below_10_to_8(dst, v as u32)
        } else {
            write_long(dst, v)
        }
    }
}

/// Writes `v` and returns the length of its text.
///
/// # Safety
///
/// [`I64_LEN`] units at `dst` may be written.
#[inline(always)]
pub unsafe fn write_i64<U: Unit>(dst: *mut U, v: i64) -> usize {
    let sign = usize::from(v < 0);
    // SAFETY: one unit for the sign; the magnitude is at most 2^63, for which
    // `write_long`'s stores end at 19.
    unsafe {
        store1(dst, b'-');
        sign + write_u64(dst.add(sign), v.unsigned_abs())
    }
}

/// Writes `v` and returns the length of its text.
///
/// # Safety
///
/// [`U128_LEN`] bytes at `dst` may be written.
pub unsafe fn write_u128(dst: *mut u8, v: u128) -> usize {
    const TEN_TO_16_WIDE: u128 = TEN_TO_16 as u128;
    if let Ok(v) = u64::try_from(v) {
        // SAFETY: U64_LEN is less than U128_LEN.
        return unsafe { write_u64(dst, v) };
    }
    // At most 39 digits: 7 or fewer, 16, 16.
    let upper = v / TEN_TO_16_WIDE;
    let low = (v - upper * TEN_TO_16_WIDE) as u64;
    // SAFETY: the upper part is below 10^23. As a u64 it has at most 20
    // digits; else 7 or fewer and 16. The rest has 16: 39 in all.
    unsafe {
        let len = if let Ok(upper) = u64::try_from(upper) {
            write_u64(dst, upper)
        } else {
            let top = (upper / TEN_TO_16_WIDE) as u64;
            let middle = (upper - u128::from(top) * TEN_TO_16_WIDE) as u64;
            let len = write_u64(dst, top);
            write_16(dst.add(len), middle);
            len + 16
        };
        write_16(dst.add(len), low);
        len + 16
    }
}

/// Writes `v` and returns the length of its text.
///
/// # Safety
///
/// [`I128_LEN`] bytes at `dst` may be written.
pub unsafe fn write_i128(dst: *mut u8, v: i128) -> usize {
    let sign = usize::from(v < 0);
    // SAFETY: one byte for the sign, U128_LEN behind it.
    unsafe {
        dst.write(b'-');
        sign + write_u128(dst.add(sign), v.unsigned_abs())
    }
}

/// One to four digits, by a store of four units.
#[inline(always)]
unsafe fn write_below_10_to_4<U: Unit>(dst: *mut U, v: u32) -> usize {
    debug_assert!(v < 10_000);
    // v / 100 for v below 10^4.
    let high = (v * 5243) >> 19;
    let low = v - high * 100;
    // SAFETY: both are below 100.
    let (high_pair, low_pair) = unsafe {
        (
            *PAIRS.get_unchecked(high as usize),
            *PAIRS.get_unchecked(low as usize),
        )
    };
    let text =
        u32::from(u16::from_le_bytes(high_pair)) | u32::from(u16::from_le_bytes(low_pair)) << 16;
    let len = 1 + usize::from(v >= 10) + usize::from(v >= 100) + usize::from(v >= 1000);
    let text = text >> (32 - 8 * len);
    // SAFETY: the caller lets at least U64_LEN units be written.
    unsafe { store4(dst, text) };
    len
}

/// One to eight digits (zero is one), by a store of eight units.
#[inline(always)]
unsafe fn write_below_10_to_8<U: Unit>(dst: *mut U, v: u32) -> usize {
    let digits = spread8(v);
    // The last digit stays whatever it is.
    let zeros = (digits | 1 << 56).trailing_zeros() & !7;
    // SAFETY: the caller lets at least U64_LEN units be written.
    unsafe { store8(dst, (digits | ASCII_ZEROS) >> zeros) };
    8 - (zeros / 8) as usize
}

/// Nine digits and more.
#[inline]
unsafe fn write_long<U: Unit>(dst: *mut U, v: u64) -> usize {
    let upper = v / TEN_TO_8;
    let low = (v - upper * TEN_TO_8) as u32;
    // SAFETY: the caller lets U64_LEN = 4 + 8 + 8 units be written. The top
    // part of a number above 10^16 has at most four digits (it is at most
    // 1844), so the stores of eight end at 20 at the latest; a shorter
    // upper part writes 8 at 0 and 8 at no more than 8.
    unsafe {
        let len = if upper < 10_000 {
            // Identifiers and times in seconds: 9 to 12 digits.
            write_below_10_to_4(dst, upper as u32)
        } else if upper < TEN_TO_8 {
            write_below_10_to_8(dst, upper as u32)
        } else {
            let top = upper / TEN_TO_8;
            let middle = (upper - top * TEN_TO_8) as u32;
            let len = write_below_10_to_4(dst, top as u32);
            store8(dst.add(len), spread8(middle) | ASCII_ZEROS);
            len + 8
        };
        store8(dst.add(len), spread8(low) | ASCII_ZEROS);
        len + 8
    }
}

/// Sixteen digits, zero-padded.
#[inline]
pub(super) unsafe fn write_16<U: Unit>(dst: *mut U, v: u64) {
    // SAFETY: the caller lets 16 units be written.
    unsafe { store16(dst, spell16(v).text) }
}

/// A buffer for one integer's text, for callers without a sink.
///
/// ```
/// let mut buffer = linecaster_kernel::number::IntBuffer::new();
/// assert_eq!(buffer.format_i64(-42), "-42");
/// ```
pub struct IntBuffer([MaybeUninit<u8>; I128_LEN]);

impl IntBuffer {
    /// An empty buffer.
    #[inline]
    #[must_use]
    pub const fn new() -> IntBuffer {
        IntBuffer([MaybeUninit::uninit(); I128_LEN])
    }

    /// The text of `v`.
    #[inline]
    pub fn format_u64(&mut self, v: u64) -> &str {
        // SAFETY: the buffer is longer than U64_LEN.
        unsafe {
            let len = write_u64(self.0.as_mut_ptr().cast::<u8>(), v);
            self.text(len)
        }
    }

    /// The text of `v`.
    #[inline]
    pub fn format_i64(&mut self, v: i64) -> &str {
        // SAFETY: the buffer is longer than I64_LEN.
        unsafe {
            let len = write_i64(self.0.as_mut_ptr().cast::<u8>(), v);
            self.text(len)
        }
    }

    /// The text of `v`.
    pub fn format_u128(&mut self, v: u128) -> &str {
        // SAFETY: the buffer is longer than U128_LEN.
        unsafe {
            let len = write_u128(self.0.as_mut_ptr().cast::<u8>(), v);
            self.text(len)
        }
    }

    /// The text of `v`.
    pub fn format_i128(&mut self, v: i128) -> &str {
        // SAFETY: the buffer has I128_LEN bytes.
        unsafe {
            let len = write_i128(self.0.as_mut_ptr().cast::<u8>(), v);
            self.text(len)
        }
    }

    /// # Safety
    ///
    /// The first `len` bytes have been written, with ASCII.
    #[inline]
    unsafe fn text(&self, len: usize) -> &str {
        // SAFETY: the caller's promise.
        unsafe {
            let bytes = core::slice::from_raw_parts(self.0.as_ptr().cast::<u8>(), len);
            core::str::from_utf8_unchecked(bytes)
        }
    }
}

impl Default for IntBuffer {
    fn default() -> IntBuffer {
        IntBuffer::new()
    }
}
