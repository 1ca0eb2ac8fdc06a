//! UTF-8 that has to become code points: checked and measured, then written.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod triples;

use linecaster_kernel::text::Unit;

use crate::characters::Kind;
use crate::dispatch;

/// What a stretch of UTF-8 holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// How many characters.
    pub count: usize,
    /// The narrowest kind that holds them.
    pub kind: Kind,
}

/// Checks and measures the first `len` bytes of `text`, of which nothing
/// behind them matters; `Err` with the offset of the first sequence that is
/// ill-formed (Unicode 16, table 3-7). `pass_surrogates` takes those of
/// surrogates as well.
#[inline(always)]
pub fn measure(text: &[u8], len: usize, pass_surrogates: bool) -> Result<Measure, usize> {
    if let Some(measure) = dispatch::measure(text, len) {
        return Ok(measure);
    }
    measure_each(&text[..len], pass_surrogates)
}

/// [`measure`], character by character.
#[inline(never)]
fn measure_each(bytes: &[u8], pass_surrogates: bool) -> Result<Measure, usize> {
    let (mut at, mut count, mut highest) = (0, 0, 0);
    while at < bytes.len() {
        let length = sequence(&bytes[at..], pass_surrogates).ok_or(at)?;
        highest = highest.max(bytes[at]);
        at += length;
        count += 1;
    }
    let kind = kind_of_lead(highest);
    Ok(Measure { count, kind })
}

/// The kind of text whose highest byte this is.
#[inline(always)]
const fn kind_of_lead(highest: u8) -> Kind {
    match highest {
        0..0x80 => Kind::Ascii,
        0x80..0xC4 => Kind::Latin1,
        0xC4..0xF0 => Kind::Ucs2,
        _ => Kind::Ucs4,
    }
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
pub trait Narrow: Unit + Default {
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

/// Writes the first `len` bytes of `text`, measured as `count` characters, as
/// code points of a width that holds them.
///
/// # Safety
/// `to` has room for `count`.
#[inline(always)]
pub unsafe fn write<U: Narrow>(text: &[u8], len: usize, count: usize, to: *mut U) {
    // SAFETY: as the caller says.
    unsafe {
        if !dispatch::write(text, len, count, to) {
            write_each(&text[..len], to);
        }
    }
}

/// [`write`], character by character.
///
/// # Safety
/// As for [`write`].
#[inline(never)]
unsafe fn write_each<U: Narrow>(bytes: &[u8], to: *mut U) {
    let (mut rest, mut at) = (bytes, 0);
    while let Some((code_point, length)) = decode(rest) {
        // SAFETY: one unit for each character that was counted.
        unsafe { to.add(at).write(U::narrow(code_point)) };
        rest = &rest[length..];
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::dispatch::Machine;

    fn units<U: Narrow>(text: &[u8], len: usize, count: usize) -> Vec<U> {
        let mut to = vec![U::default(); count + 1];
        let sentinel = U::narrow(0x5A);
        to[count] = sentinel;
        // SAFETY: there is room for one unit more than is asked for.
        unsafe { write(text, len, count, to.as_mut_ptr()) };
        assert!(to.pop() == Some(sentinel), "wrote too much");
        to
    }

    /// Measures and writes `bytes` with all sorts of bytes behind them.
    fn check(bytes: &[u8]) {
        let want = core::str::from_utf8(bytes).map_err(|error| error.valid_up_to());
        for behind in [
            &b""[..],
            b"\"",
            &[0x80; 40],
            &[0xF0; 40],
            b"\xBF\"0123456789abcdef0123456",
        ] {
            let text = [bytes, behind].concat();
            let found = measure(&text, bytes.len(), false);
            match (want, found) {
                (Err(at), Err(found)) => assert_eq!(at, found, "{bytes:x?}"),
                (Ok(string), Ok(measure)) => {
                    let want: Vec<u32> = string.chars().map(u32::from).collect();
                    assert_eq!(measure.count, want.len());
                    let kind = Kind::of(want.iter().copied().max().unwrap_or(0));
                    assert_eq!(measure.kind, kind);
                    if kind <= Kind::Latin1 {
                        let found: Vec<u8> = units(&text, bytes.len(), want.len());
                        assert!(found.iter().map(|&u| u32::from(u)).eq(want.iter().copied()));
                    }
                    if kind <= Kind::Ucs2 {
                        let found: Vec<u16> = units(&text, bytes.len(), want.len());
                        assert!(found.iter().map(|&u| u32::from(u)).eq(want.iter().copied()));
                    }
                    assert_eq!(units::<u32>(&text, bytes.len(), want.len()), want);
                }
                (want, found) => panic!("{bytes:x?}: {want:?}, {found:?}"),
            }
        }
    }

    #[test]
    fn every_character_length_at_every_place() {
        for character in [
            "a",
            "\u{7f}",
            "é",
            "ÿ",
            "Ā",
            "߿",
            "ࠀ",
            "漢",
            "\u{ffff}",
            "𐀀",
            "\u{10ffff}",
        ] {
            for fill in ["x", "é", "字", "😀"] {
                for before in 0..36 {
                    for after in [0, 1, 2, 15, 16, 33] {
                        let text = fill.repeat(before) + character + &fill.repeat(after);
                        check(text.as_bytes());
                    }
                }
            }
        }
    }

    #[test]
    fn every_pair_and_broken_sequence_at_block_borders() {
        for first in 0x7F..=0xFFu8 {
            for second in [
                0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xFF,
            ] {
                for rest in [&b""[..], b"\x80", b"\x80\x80", b"\x80\x80\x80", b"\xC2"] {
                    for before in [0, 1, 13, 14, 15, 16, 28, 29, 30, 31, 32] {
                        let mut bytes = vec![b'x'; before];
                        bytes.extend([first, second]);
                        bytes.extend(rest);
                        check(&bytes);
                        bytes.extend(b"tail");
                        check(&bytes);
                    }
                }
            }
        }
    }

    #[test]
    fn surrogates_pass_on_request() {
        let text = b"a\xED\xA0\x80\xED\xBF\xBFb";
        assert_eq!(measure(text, text.len(), false), Err(1));
        let found = measure(text, text.len(), true);
        assert_eq!(
            found,
            Ok(Measure {
                count: 4,
                kind: Kind::Ucs2
            })
        );
        assert_eq!(
            units::<u16>(text, text.len(), 4),
            [0x61, 0xD800, 0xDFFF, 0x62]
        );
    }

    #[cfg(target_arch = "x86_64")]
    /// What [`Machine::triples`] makes of the first `len` bytes.
    fn triples<M: Machine>(machine: M, text: &[u8], len: usize) -> Option<Vec<u32>> {
        let mut to = vec![0x5A_u16; len / 3 + 1];
        // SAFETY: there is room for one unit more than is asked for.
        let done = unsafe { machine.triples(text, len, to.as_mut_ptr()) };
        assert_eq!(to.pop(), Some(0x5A), "wrote too much");
        done.then(|| to.into_iter().map(u32::from).collect())
    }

    #[cfg(target_arch = "x86_64")]
    fn triples_at_every_place(machine: impl Machine) {
        let fill = "漢字かなハ\u{800}\u{d7ff}\u{e000}\u{ffff}ฟ";
        for count in 8..34 {
            let text: String = fill.chars().cycle().take(count).collect();
            let want: Vec<u32> = text.chars().map(u32::from).collect();
            let mut bytes = text.into_bytes();
            let len = bytes.len();
            bytes.extend(b"\"  ,");
            assert_eq!(triples(machine, &bytes, len), Some(want), "{count}");
            for at in 0..len {
                let right = bytes[at];
                for wrong in 0..=0xFF {
                    bytes[at] = wrong;
                    let string = core::str::from_utf8(&bytes[..len]).ok();
                    let string = string.filter(|s| s.chars().all(|c| c.len_utf8() == 3));
                    let want = string.map(|s| s.chars().map(u32::from).collect());
                    let found = triples(machine, &bytes, len);
                    assert_eq!(found, want, "{wrong:x} at {at} of {count}");
                }
                bytes[at] = right;
            }
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn characters_of_three_bytes() {
        match dispatch::avx2(false) {
            Some(machine) => triples_at_every_place(machine),
            None => eprintln!("skipped: this machine has no AVX2"),
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text(text in ".{0,80}") {
            check(text.as_bytes());
        }

        #[test]
        fn any_bytes(bytes in proptest::collection::vec(0x70u8.., 0..80)) {
            check(&bytes);
        }
    }
}
