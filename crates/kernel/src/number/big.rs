//! Integers of any size to decimal text.
//!
//! The digits are gathered in base 10^18, the number's most significant 60
//! bits first: quadratic, with two multiplications for 60 bits by 18 digits.
//! The places lie in the same buffer that takes the text: a place needs 8
//! bytes and becomes 18, so that places kept at the buffer's end, the most
//! significant first, are always read before text reaches them.

use core::mem::MaybeUninit;

use super::digits::PAIRS;
use super::int::{write_16, write_u64};

/// Decimal digits of a place.
const PLACE_DIGITS: usize = 18;
/// The base.
const PLACE: u64 = 1_000_000_000_000_000_000;
/// Bytes of a place while the number is gathered.
const WORD: usize = size_of::<u64>();
/// Bits of the number that one pass takes in at most.
const STEP: u32 = 60;

/// Bytes of buffer that an integer of `bits` bits needs, without a sign.
#[must_use]
pub const fn big_capacity(bits: usize) -> usize {
    // A place holds 59.79 bits; one more for what is left over, and two bytes
    // for the overhang of the first place's text.
    (bits / 59 + 1) * PLACE_DIGITS + 2
}

/// Writes the integer that `digits` spell in base 2^30, the least significant
/// first (as a Python `int` keeps them), and returns the length of its text.
///
/// ```
/// use linecaster_kernel::number::{big_capacity, write_big_u30};
/// let mut buffer = [const { core::mem::MaybeUninit::uninit() }; big_capacity(3 * 30)];
/// let len = write_big_u30(&mut buffer, &[0, 0, 1]);
/// assert_eq!(len, "1152921504606846976".len()); // 2^60
/// ```
///
/// # Panics
///
/// If `buffer` is shorter than [`big_capacity`] of 30 bits a digit.
pub fn write_big_u30(buffer: &mut [MaybeUninit<u8>], digits: &[u32]) -> usize {
    let mut places = Places::new(buffer, digits.len() * 30);
    let (pairs, odd) = digits.as_chunks::<2>();
    if let [digit] = odd {
        places.push(u64::from(*digit), 30);
    }
    for [low, high] in pairs.iter().rev() {
        places.push(u64::from(*high) << 30 | u64::from(*low), STEP);
    }
    places.finish()
}

/// Writes the integer that `digits` spell in base 2^64, the least significant
/// first, and returns the length of its text.
///
/// # Panics
///
/// If `buffer` is shorter than [`big_capacity`] of 64 bits a digit.
pub fn write_big_u64(buffer: &mut [MaybeUninit<u8>], digits: &[u64]) -> usize {
    let bits = digits.len() * 64;
    let mut places = Places::new(buffer, bits);
    for step in (0..bits.div_ceil(STEP as usize)).rev() {
        let bit = step * STEP as usize;
        let (index, offset) = (bit / 64, bit % 64);
        let low = u128::from(digits[index]);
        let high = u128::from(digits.get(index + 1).copied().unwrap_or(0));
        let chunk = ((high << 64 | low) >> offset) as u64 & ((1 << STEP) - 1);
        places.push(chunk, STEP);
    }
    places.finish()
}

/// The number gathered so far, in places of 18 digits.
///
/// Invariant: the last `count` words of the buffer are places below [`PLACE`],
/// the least significant last.
struct Places<'a> {
    buffer: &'a mut [MaybeUninit<u8>],
    count: usize,
}

impl<'a> Places<'a> {
    fn new(buffer: &'a mut [MaybeUninit<u8>], bits: usize) -> Places<'a> {
        assert!(
            buffer.len() >= big_capacity(bits),
            "the buffer is shorter than big_capacity says"
        );
        Places { buffer, count: 0 }
    }

    /// Where the place of the given weight lies.
    fn place(&mut self, weight: usize) -> *mut u64 {
        let at = self.buffer.len() - (weight + 1) * WORD;
        self.buffer[at..at + WORD].as_mut_ptr().cast()
    }

    /// The number times `2^bits`, plus `chunk`, which has at most `bits` bits.
    fn push(&mut self, chunk: u64, bits: u32) {
        debug_assert!(bits <= STEP && chunk >> bits == 0);
        let mut carry = chunk;
        for weight in 0..self.count {
            let place = self.place(weight);
            // SAFETY: `place` gives a word of the buffer, which is
            // initialised as `weight` is below `count`.
            unsafe {
                let (quotient, remainder) =
                    divide_by_place(u128::from(place.read_unaligned()) << bits | u128::from(carry));
                place.write_unaligned(remainder);
                carry = quotient;
            }
        }
        while carry != 0 {
            let place = self.place(self.count);
            // SAFETY: `place` gives a word of the buffer.
            unsafe { place.write_unaligned(carry % PLACE) };
            carry /= PLACE;
            self.count += 1;
        }
    }

    /// Turns the places into text at the buffer's start.
    fn finish(mut self) -> usize {
        let Some(top) = self.count.checked_sub(1) else {
            self.buffer[0].write(b'0');
            return 1;
        };
        let mut len = 0;
        for weight in (0..=top).rev() {
            // SAFETY: the word is initialised: `weight` is below `count`, and
            // text has not reached it. With n places, of which i are written,
            // text ends (overhang included) at 18 i + 2 at most, and the
            // unread places begin at 18 n + 2 - 8 (n - i) at least.
            unsafe {
                let place = self.place(weight).read_unaligned();
                let dst = self.buffer.as_mut_ptr().cast::<u8>().add(len);
                if weight == top {
                    len += write_u64(dst, place);
                } else {
                    let high = place / 10_000_000_000_000_000;
                    dst.cast::<[u8; 2]>().write(PAIRS[high as usize]);
                    write_16(dst.add(2), place - high * 10_000_000_000_000_000);
                    len += PLACE_DIGITS;
                }
            }
        }
        len
    }
}

/// Quotient and remainder by [`PLACE`] of a value below `PLACE × 2^60`.
#[inline]
fn divide_by_place(value: u128) -> (u64, u64) {
    const SHIFT: u32 = 59;
    const RECIPROCAL: u64 = ((1u128 << (64 + SHIFT)) / PLACE as u128) as u64;
    // Too small by at most two: one for the bits shifted out and the
    // reciprocal's own, one for rounding down.
    let estimate = (u128::from((value >> SHIFT) as u64) * u128::from(RECIPROCAL)) >> 64;
    let mut quotient = estimate as u64;
    let mut remainder = (value as u64).wrapping_sub(quotient.wrapping_mul(PLACE));
    while remainder >= PLACE {
        remainder -= PLACE;
        quotient += 1;
    }
    (quotient, remainder)
}
