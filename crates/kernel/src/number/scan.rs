//! ASCII digits to numbers, eight bytes at a time in an ordinary register.
//!
//! The functions take eight bytes that the caller has loaded (the first
//! character in the lowest byte: `u64::from_le_bytes`), so nothing here can
//! read past an input's end.

const ZEROS: u64 = 0x3030_3030_3030_3030;

/// How many of the eight bytes, from the first on, are ASCII digits.
#[inline(always)]
#[must_use]
pub const fn digit_prefix(chunk: u64) -> u32 {
    // What a digit's byte becomes is below 10, and below 16 when 6 is added to
    // it. A byte that is no digit may carry into the next: only the first of
    // them counts.
    let digits = chunk ^ ZEROS;
    let other = (digits | digits.wrapping_add(0x0606_0606_0606_0606)) & 0xf0f0_f0f0_f0f0_f0f0;
    other.trailing_zeros() / 8
}

/// Whether all eight bytes are ASCII digits.
#[inline(always)]
#[must_use]
pub const fn is_eight_digits(chunk: u64) -> bool {
    digit_prefix(chunk) == 8
}

/// The number that eight ASCII digits spell. What other bytes give is
/// unspecified.
#[inline(always)]
#[must_use]
pub const fn parse_eight_digits(chunk: u64) -> u32 {
    parse_digit_values(chunk.wrapping_sub(ZEROS))
}

/// The number that the first `count` (0 to 8) of the eight bytes spell, which
/// are ASCII digits; the others may be anything.
#[inline(always)]
#[must_use]
pub const fn parse_digit_prefix(chunk: u64, count: u32) -> u32 {
    debug_assert!(count <= 8);
    // Moving the digits up leaves zeros before them.
    parse_digit_values((chunk ^ ZEROS).unbounded_shl(64 - 8 * count))
}

/// Eight digit values (the first in the lowest byte) to one number, in three
/// steps that join neighbours: by 10, by 100, by 10,000.
#[inline(always)]
#[must_use]
pub const fn parse_digit_values(digits: u64) -> u32 {
    let pairs = (digits.wrapping_mul(10).wrapping_add(digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let quads = (pairs.wrapping_mul(100).wrapping_add(pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (quads.wrapping_mul(10_000).wrapping_add(quads >> 32)) as u32
}
