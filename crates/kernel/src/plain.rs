//! Text that is written as it is: punctuation, layout, numbers.

use crate::output::Output;
use crate::policy::Word;
use crate::sink::Sink;
use crate::text::Unit;

/// Writes the ASCII bytes of `word`, widened to the output's units.
#[inline(always)]
pub fn word<O: Output>(sink: &mut Sink, word: Word) {
    if sink.reserve(8 * O::Unit::WIDTH) {
        let start = sink.tail();
        // SAFETY: room for a whole word was reserved.
        unsafe {
            let end = store_word::<O>(start, word);
            sink.advance(end as usize - start as usize);
        }
    }
}

/// Writes two words, one behind the other.
#[inline(always)]
pub fn two_words<O: Output>(sink: &mut Sink, first: Word, second: Word) {
    if sink.reserve(16 * O::Unit::WIDTH) {
        let start = sink.tail();
        // SAFETY: room for two whole words was reserved.
        unsafe {
            let end = store_word::<O>(store_word::<O>(start, first), second);
            sink.advance(end as usize - start as usize);
        }
    }
}

/// Stores a word and gives the place behind it.
///
/// # Safety
/// Eight units are writable at `out`.
#[inline(always)]
pub(crate) unsafe fn store_word<O: Output>(out: *mut u8, word: Word) -> *mut u8 {
    // SAFETY: as the caller says; the length is at most seven.
    unsafe {
        if O::Unit::WIDTH == 1 {
            out.cast::<[u8; 8]>()
                .write_unaligned(word.bits().to_le_bytes());
        } else {
            for i in 0..8 {
                store_unit::<O>(out.add(i * O::Unit::WIDTH), word.get(i) as u32);
            }
        }
        out.add(word.len() * O::Unit::WIDTH)
    }
}

/// # Safety
/// `dst` is valid for writes of one unit.
#[inline(always)]
unsafe fn store_unit<O: Output>(dst: *mut u8, c: u32) {
    // SAFETY: as the caller says.
    unsafe {
        match O::Unit::WIDTH {
            1 => dst.write(c as u8),
            2 => dst.cast::<u16>().write_unaligned(c as u16),
            _ => dst.cast::<u32>().write_unaligned(c),
        }
    }
}

/// Writes ASCII bytes, widened to the output's units.
#[inline(always)]
pub fn ascii<O: Output>(sink: &mut Sink, bytes: &[u8]) {
    if O::Unit::WIDTH == 1 {
        sink.write(bytes);
    } else {
        for &byte in bytes {
            code_point::<O>(sink, byte as u32);
        }
    }
}

/// Writes code points in the output's encoding. In outputs of code units they
/// are ones that fit; a UTF-8 output takes a surrogate as three bytes.
pub fn code_points<O: Output>(sink: &mut Sink, text: &[u32]) {
    for &c in text {
        code_point::<O>(sink, c);
    }
}

fn code_point<O: Output>(sink: &mut Sink, c: u32) {
    if !sink.reserve(4) {
        return;
    }
    // SAFETY: room for four bytes was reserved, which is the most that a
    // character takes.
    unsafe {
        if !O::UTF8 || c < 0x80 {
            store_unit::<O>(sink.tail(), c);
            sink.advance(O::Unit::WIDTH);
            return;
        }
        let six = |shift: u32| 0x80 | (c >> shift & 0x3F) as u8;
        let (bytes, n) = match c {
            0..0x800 => ([0xC0 | (c >> 6) as u8, six(0), 0, 0], 2),
            0x800..0x1_0000 => ([0xE0 | (c >> 12) as u8, six(6), six(0), 0], 3),
            _ => ([0xF0 | (c >> 18) as u8, six(12), six(6), six(0)], 4),
        };
        sink.tail().cast::<[u8; 4]>().write_unaligned(bytes);
        sink.advance(n);
    }
}

#[cfg(test)]
mod tests {
    use std::string::String;
    use std::vec::Vec;

    use super::*;
    use crate::output::{Units1, Units2, Units4, Utf8};
    use crate::sink::VecSink;

    fn written(write: impl FnOnce(&mut Sink)) -> Vec<u8> {
        let mut out = Vec::new();
        let mut sink = VecSink::new(&mut out);
        write(sink.sink());
        sink.finish().unwrap();
        out
    }

    #[test]
    fn words_of_every_length() {
        let text = b"abcdefg";
        for n in 0..=7 {
            let piece = Word::new(&text[..n]);
            assert_eq!(written(|s| word::<Units1>(s, piece)), &text[..n]);
            let wide: Vec<u8> = text[..n].iter().flat_map(|&b| [b, 0]).collect();
            let both: Vec<u8> = [&wide[..], &wide].concat();
            if cfg!(target_endian = "little") {
                assert_eq!(written(|s| word::<Units2>(s, piece)), wide);
                assert_eq!(written(|s| two_words::<Units2>(s, piece, piece)), both);
            }
            assert_eq!(written(|s| word::<Units4>(s, piece)).len(), 4 * n);
        }
    }

    #[test]
    fn every_code_point_in_utf8() {
        for c in (0..=char::MAX as u32).filter_map(char::from_u32) {
            let bytes = written(|s| code_points::<Utf8>(s, &[c as u32]));
            assert_eq!(bytes, String::from(c).as_bytes());
        }
    }
}
