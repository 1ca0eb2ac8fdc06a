//! The one loop.

use crate::output::Output;
use crate::policy::{NonAscii, Policy, Word};
use crate::sink::Sink;
use crate::text::{Encoding, Text, Unit};

/// A lone surrogate that neither the policy spells nor the output can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoneSurrogate {
    /// Its index in the text, in units.
    pub index: usize,
}

/// Writes `lead`, then `text` escaped as `P` says, then `trail`.
///
/// `lead` and `trail` are written unescaped; they carry the quotation marks
/// and whatever separator stands beside them, so that a short string costs
/// one check for room.
///
/// # Errors
/// [`LoneSurrogate`]; the sink then holds an unfinished string. A failed sink
/// is no error here: see [`crate::sink`].
pub fn escape_between<T: Text, P: Policy, O: Output>(
    sink: &mut Sink,
    lead: Word,
    text: &[T::Unit],
    trail: Word,
) -> Result<(), LoneSurrogate> {
    word::<O>(sink, lead);
    let mut i = 0;
    while i < text.len() {
        let (c, n) = decode::<T>(&text[i..]);
        if c < 0x80 && !P::RULES.ascii[c as usize].is_empty() {
            word::<O>(sink, P::RULES.ascii[c as usize]);
        } else if c >= 0x80 && P::RULES.non_ascii == NonAscii::EscapeU16 {
            if c >= 0x1_0000 {
                let c = c - 0x1_0000;
                u16::<O>(sink, 0xD800 + (c >> 10));
                u16::<O>(sink, 0xDC00 + (c & 0x3FF));
            } else {
                u16::<O>(sink, c);
            }
        } else if O::UTF8 && (0xD800..0xE000).contains(&c) && !O::SURROGATE_PASS {
            return Err(LoneSurrogate { index: i });
        } else {
            character::<O>(sink, c);
        }
        i += n;
    }
    word::<O>(sink, trail);
    Ok(())
}

fn decode<T: Text>(units: &[T::Unit]) -> (u32, usize) {
    let at = |i: usize| -> u32 { units[i].into() };
    let first = at(0);
    if T::ENCODING != Encoding::Utf8 || first < 0x80 {
        (first, 1)
    } else if first < 0xE0 {
        ((first & 0x1F) << 6 | at(1) & 0x3F, 2)
    } else if first < 0xF0 {
        ((first & 0xF) << 12 | (at(1) & 0x3F) << 6 | at(2) & 0x3F, 3)
    } else {
        (
            (first & 7) << 18 | (at(1) & 0x3F) << 12 | (at(2) & 0x3F) << 6 | at(3) & 0x3F,
            4,
        )
    }
}

fn u16<O: Output>(sink: &mut Sink, c: u32) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let h = |s: u32| HEX[(c >> s & 15) as usize];
    word::<O>(sink, Word::new(&[b'\\', b'u', h(12), h(8), h(4), h(0)]));
}

/// Writes the ASCII bytes of `word`, widened to the output's units.
#[inline(always)]
pub fn word<O: Output>(sink: &mut Sink, word: Word) {
    for i in 0..word.len() {
        unit::<O>(sink, word.get(i) as u32);
    }
}

/// Writes ASCII bytes, unescaped, widened to the output's units.
#[inline(always)]
pub fn ascii<O: Output>(sink: &mut Sink, bytes: &[u8]) {
    if O::Unit::WIDTH == 1 {
        sink.write(bytes);
    } else {
        for &byte in bytes {
            unit::<O>(sink, byte as u32);
        }
    }
}

fn unit<O: Output>(sink: &mut Sink, c: u32) {
    match O::Unit::WIDTH {
        1 => sink.write(&(c as u8).to_ne_bytes()),
        2 => sink.write(&(c as u16).to_ne_bytes()),
        _ => sink.write(&c.to_ne_bytes()),
    }
}

fn character<O: Output>(sink: &mut Sink, c: u32) {
    if !O::UTF8 || c < 0x80 {
        unit::<O>(sink, c);
    } else if c < 0x800 {
        sink.write(&[0xC0 | (c >> 6) as u8, 0x80 | (c & 0x3F) as u8]);
    } else {
        let tail = [0x80 | (c >> 6 & 0x3F) as u8, 0x80 | (c & 0x3F) as u8];
        if c < 0x1_0000 {
            sink.write(&[0xE0 | (c >> 12) as u8, tail[0], tail[1]]);
        } else {
            let second = 0x80 | (c >> 12 & 0x3F) as u8;
            sink.write(&[0xF0 | (c >> 18) as u8, second, tail[0], tail[1]]);
        }
    }
}
