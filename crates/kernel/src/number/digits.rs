//! Eight and sixteen decimal digits at once in ordinary registers.
//!
//! A number below 10^8 becomes eight bytes, one digit each, in three
//! multiply-and-shift steps that split every lane in two: 8 digits, 4+4,
//! 2+2+2+2, 1 each. The first (most significant) digit is the lowest byte,
//! so that a little-endian store writes the text in order.

/// `b'0'` in every byte.
pub(crate) const ASCII_ZEROS: u64 = 0x3030_3030_3030_3030;

/// The digits of `x < 10^8`, zero-padded to eight, one byte each (0 to 9),
/// the first digit in the lowest byte.
#[inline(always)]
pub(crate) const fn spread8(x: u32) -> u64 {
    debug_assert!(x < 100_000_000);
    let x = x as u64;
    // x / 10^4 in the lower 32 bits, x mod 10^4 in the upper.
    let high = (x * 109_951_163) >> 40;
    let lanes = high + ((x - high * 10_000) << 32);
    spread_pair4(lanes)
}

/// Two numbers below 10^4 in 32-bit lanes to eight digits.
#[inline(always)]
const fn spread_pair4(lanes: u64) -> u64 {
    // Each lane to its hundreds (in place) and the rest, 16 bits up.
    let hundreds = ((lanes * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let lanes = (lanes << 16) - hundreds * ((100 << 16) - 1);
    // The same for tens and ones.
    let tens = ((lanes * 103) >> 10) & 0x000f_000f_000f_000f;
    (lanes << 8) - tens * ((10 << 8) - 1)
}

/// The digits of `x < 10^16`, as [`spread8`] does eight: the first eight and
/// the last eight.
#[inline(always)]
pub(crate) const fn spread16(x: u64) -> (u64, u64) {
    debug_assert!(x < 10_000_000_000_000_000);
    let high = x / 100_000_000;
    let low = x - high * 100_000_000;
    (spread8(high as u32), spread8(low as u32))
}

/// Stores eight bytes, the lowest first.
///
/// # Safety
///
/// Eight bytes at `dst` may be written.
#[inline(always)]
pub(crate) unsafe fn store8(dst: *mut u8, bytes: u64) {
    // SAFETY: the caller's promise; the pointer needs no alignment.
    unsafe { dst.cast::<u64>().write_unaligned(bytes.to_le()) }
}

/// The two characters of each number below 100, side by side.
pub(crate) static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    pairs
};
