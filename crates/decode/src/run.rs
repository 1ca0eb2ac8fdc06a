//! Integers that follow one another in an array.
//!
//! Arrays of numbers are mostly long and of one sort, and going round the
//! parser's loop costs more than reading a number of a few digits. So behind an
//! integer in an array all integers that follow are read here, one straight
//! after the other, for a visitor that can do the same with what it makes of
//! them. Whatever is not plain ends the run and is left to the parser's loop,
//! which finds it as if there had been no run: another value, a number that is
//! no integer of 64 bits, a fault, and what stands near the end of the text.

//! Where the next number begins must not wait for the length of the last one: a
//! mask of the commas in 64 bytes says where the numbers end, and all of them
//! are read independently of each other, in whatever order the machine can.

use linecaster_kernel::number::parse_digit_values;

use crate::number;
use crate::scan::{self, COMMAS, Scan};
use crate::visit::Visit;

/// A run under way.
struct Integers<'a> {
    text: &'a [u8],
    /// The index of the comma behind the last member.
    end: usize,
    /// The index of the bytes that the mask is of.
    base: usize,
    /// Commas that have not been come to.
    commas: u64,
}

/// Reads the run behind the member that ends at `end`, where a comma stands:
/// how many members were read, and the index behind the last one. Text in
/// wider units is left to the parser's loop.
#[inline(always)]
pub fn integers<U: Scan, V: Visit>(
    text: &[U],
    end: usize,
    visitor: &mut V,
) -> Result<(usize, usize), V::Error> {
    let Some(text) = U::bytes(text) else {
        return Ok((0, end));
    };
    let mut run = Integers {
        text,
        end,
        base: end + 1,
        commas: 0,
    };
    if !run.look() {
        return Ok((0, end));
    }
    let members = visitor.integers(&mut run)?;
    Ok((members, run.end))
}

impl Iterator for Integers<'_> {
    type Item = i64;

    /// The next member, if it is plain and a comma follows.
    #[inline(always)]
    fn next(&mut self) -> Option<i64> {
        if self.commas == 0 {
            self.base += COMMAS;
            if !self.look() {
                return None;
            }
        }
        let end = self.base + self.commas.trailing_zeros() as usize;
        self.commas &= self.commas - 1;
        let start = scan::skip_blanks(self.text, self.end + 1);
        // SAFETY: the start is not behind a comma that is behind it, and eight
        // bytes lie behind all of those that have been looked at.
        let chunk = unsafe { u8::eight(self.text.as_ptr().add(start)) };
        let negative = chunk as u8 == b'-';
        let chunk = chunk >> (8 * u32::from(negative));
        let count = (end - start).wrapping_sub(usize::from(negative));
        if count.wrapping_sub(1) >= 8 - usize::from(negative) {
            return self.long(start, end);
        }
        // The digits' values, moved up: zeros before them.
        let digits = (chunk ^ 0x3030_3030_3030_3030) << (64 - 8 * count);
        let other = (digits | digits.wrapping_add(0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0;
        let zero_in_front = chunk as u8 == b'0' && count > 1;
        if other != 0 || zero_in_front {
            return None;
        }
        self.end = end;
        let value = i64::from(parse_digit_values(digits));
        Some(if negative { -value } else { value })
    }
}

impl Integers<'_> {
    /// Looks for commas; whether there are any. Eight bytes more lie behind
    /// those that are looked at.
    #[inline(always)]
    fn look(&mut self) -> bool {
        if self.base + COMMAS + 8 > self.text.len() {
            return false;
        }
        // SAFETY: the bytes lie within the text.
        self.commas = unsafe { scan::commas(self.text.as_ptr().add(self.base)) };
        self.commas != 0
    }

    /// [`Integers::next`] for what has more than eight digits, or none.
    #[inline(always)]
    fn long(&mut self, start: usize, end: usize) -> Option<i64> {
        // No more digits than an integer of 64 bits.
        if end - start > 20 {
            return None;
        }
        let integer = number::integer(self.text, start);
        if integer.end != end || integer.is_missing() || integer.has_leading_zero(self.text) {
            return None;
        }
        let value = integer.short()?;
        self.end = end;
        Some(value)
    }
}
