//! The escape loop as one would write it down: obvious, and slow.

use alloc::vec::Vec;

use crate::escape::LoneSurrogate;
use crate::output::Output;
use crate::policy::{NonAscii, Policy, Word};
use crate::text::{Encoding, Text, Unit};

/// The bytes that [`crate::escape::escape_between`] must write.
///
/// # Errors
/// As there.
pub fn oracle<T: Text, P: Policy, O: Output>(
    lead: Word,
    text: &[T::Unit],
    trail: Word,
) -> Result<Vec<u8>, LoneSurrogate> {
    let mut out = Vec::with_capacity(text.len() * O::Unit::WIDTH + 16);
    word::<O>(&mut out, lead);
    let mut i = 0;
    while i < text.len() {
        let (c, n) = decode::<T>(&text[i..]);
        if c < 0x80 && !P::RULES.ascii[c as usize].is_empty() {
            word::<O>(&mut out, P::RULES.ascii[c as usize]);
        } else if c >= 0x80
            && P::RULES
                .ranges
                .iter()
                .any(|&(a, z)| (u32::from(a)..=z.into()).contains(&c))
        {
            escape_u16::<O>(&mut out, c);
        } else if c >= 0x80 && P::RULES.non_ascii == NonAscii::EscapeU16 {
            if c >= 0x1_0000 {
                let c = c - 0x1_0000;
                escape_u16::<O>(&mut out, 0xD800 + (c >> 10));
                escape_u16::<O>(&mut out, 0xDC00 + (c & 0x3FF));
            } else {
                escape_u16::<O>(&mut out, c);
            }
        } else if O::UTF8 && (0xD800..0xE000).contains(&c) && !O::SURROGATE_PASS {
            return Err(LoneSurrogate { index: i });
        } else {
            character::<O>(&mut out, c);
        }
        i += n;
    }
    word::<O>(&mut out, trail);
    Ok(out)
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
        let high = (first & 7) << 18 | (at(1) & 0x3F) << 12;
        (high | (at(2) & 0x3F) << 6 | at(3) & 0x3F, 4)
    }
}

fn escape_u16<O: Output>(out: &mut Vec<u8>, c: u32) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let h = |s: u32| HEX[(c >> s & 15) as usize];
    word::<O>(out, Word::new(&[b'\\', b'u', h(12), h(8), h(4), h(0)]));
}

fn word<O: Output>(out: &mut Vec<u8>, word: Word) {
    for i in 0..word.len() {
        unit::<O>(out, word.get(i) as u32);
    }
}

fn unit<O: Output>(out: &mut Vec<u8>, c: u32) {
    match O::Unit::WIDTH {
        1 => out.push(c as u8),
        2 => out.extend((c as u16).to_ne_bytes()),
        _ => out.extend(c.to_ne_bytes()),
    }
}

fn character<O: Output>(out: &mut Vec<u8>, c: u32) {
    if !O::UTF8 || c < 0x80 {
        unit::<O>(out, c);
    } else if c < 0x800 {
        out.extend([0xC0 | (c >> 6) as u8, 0x80 | (c & 0x3F) as u8]);
    } else {
        let tail = [0x80 | (c >> 6 & 0x3F) as u8, 0x80 | (c & 0x3F) as u8];
        if c < 0x1_0000 {
            out.push(0xE0 | (c >> 12) as u8);
        } else {
            out.extend([0xF0 | (c >> 18) as u8, 0x80 | (c >> 12 & 0x3F) as u8]);
        }
        out.extend(tail);
    }
}
