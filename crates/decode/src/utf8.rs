//! UTF-8 that has to become code points: checked and measured, then written.

use linecaster_kernel::text::Unit;

use crate::characters::Kind;

/// What a stretch of UTF-8 holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// How many characters.
    pub count: usize,
    /// The narrowest kind that holds them.
    pub kind: Kind,
}

/// Checks and measures; `Err` with the offset of the first sequence that is
/// ill-formed (Unicode 16, table 3-7). `pass_surrogates` takes those of
/// surrogates as well.
#[inline(never)]
pub fn measure(bytes: &[u8], pass_surrogates: bool) -> Result<Measure, usize> {
    let (mut at, mut count, mut highest) = (0, 0, 0);
    while at < bytes.len() {
        let length = sequence(&bytes[at..], pass_surrogates).ok_or(at)?;
        highest = highest.max(bytes[at]);
        at += length;
        count += 1;
    }
    let kind = match highest {
        0..0x80 => Kind::Ascii,
        0x80..0xC4 => Kind::Latin1,
        0xC4..0xF0 => Kind::Ucs2,
        _ => Kind::Ucs4,
    };
    Ok(Measure { count, kind })
}

/// Length of the well-formed sequence that `bytes` begin with.
#[inline(always)]
fn sequence(bytes: &[u8], pass_surrogates: bool) -> Option<usize> {
    let second = |low, high| (low..=high).contains(bytes.get(1).unwrap_or(&0));
    let tail = |i: usize| bytes.get(i).is_some_and(|byte| byte & 0xC0 == 0x80);
    let (length, well_formed) = match bytes[0] {
        0..0x80 => (1, true),
        0xC2..=0xDF => (2, tail(1)),
        0xE0 => (3, second(0xA0, 0xBF) && tail(2)),
        0xED if !pass_surrogates => (3, second(0x80, 0x9F) && tail(2)),
        0xE1..=0xEF => (3, tail(1) && tail(2)),
        0xF0 => (4, second(0x90, 0xBF) && tail(2) && tail(3)),
        0xF1..=0xF3 => (4, tail(1) && tail(2) && tail(3)),
        0xF4 => (4, second(0x80, 0x8F) && tail(2) && tail(3)),
        _ => (0, false),
    };
    well_formed.then_some(length)
}

/// The first code point of measured UTF-8 and the length of its sequence.
#[inline(always)]
pub fn decode(bytes: &[u8]) -> Option<(u32, usize)> {
    let first = u32::from(*bytes.first()?);
    let tail = |i: usize| u32::from(bytes[i]) & 0x3F;
    Some(match first {
        0..0x80 => (first, 1),
        0x80..0xE0 => ((first & 0x1F) << 6 | tail(1), 2),
        0xE0..0xF0 => ((first & 0x0F) << 12 | tail(1) << 6 | tail(2), 3),
        _ => (
            (first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3),
            4,
        ),
    })
}

/// A unit that code points are written as.
pub trait Narrow: Unit {
    /// The low bits of a code point that fits.
    fn narrow(code_point: u32) -> Self;
}

impl Narrow for u8 {
    #[inline(always)]
    fn narrow(code_point: u32) -> Self {
        code_point as u8
    }
}

impl Narrow for u16 {
    #[inline(always)]
    fn narrow(code_point: u32) -> Self {
        code_point as u16
    }
}

impl Narrow for u32 {
    #[inline(always)]
    fn narrow(code_point: u32) -> Self {
        code_point
    }
}

/// Writes measured UTF-8 as code points of a width that holds them.
///
/// # Safety
/// `to` has room for as many as [`measure`] counted.
#[inline(never)]
pub unsafe fn write<U: Narrow>(bytes: &[u8], to: *mut U) {
    let (mut rest, mut at) = (bytes, 0);
    while let Some((code_point, length)) = decode(rest) {
        // SAFETY: one unit for each character that was counted.
        unsafe { to.add(at).write(U::narrow(code_point)) };
        rest = &rest[length..];
        at += 1;
    }
}
