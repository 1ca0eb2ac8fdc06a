//! Text that is written as it is: punctuation, layout, numbers.

use crate::escape::spell::put_word;
use crate::output::Output;
use crate::policy::Word;
use crate::sink::Sink;
use crate::text::Unit;

/// Writes the ASCII bytes of `word`, widened to the output's units.
#[inline(always)]
pub fn word<O: Output>(sink: &mut Sink, word: Word) {
    if sink.room() >= 8 * O::Unit::WIDTH {
        let start = sink.tail();
        // SAFETY: there is room for a whole word.
        unsafe {
            let end = store_word::<O>(start, word);
            sink.advance(end as usize - start as usize);
        }
    } else {
        word_tight::<O>(sink, word);
    }
}

/// Writes two words, one behind the other.
#[inline(always)]
pub fn two_words<O: Output>(sink: &mut Sink, first: Word, second: Word) {
    if sink.room() >= 16 * O::Unit::WIDTH {
        let start = sink.tail();
        // SAFETY: there is room for two whole words.
        unsafe {
            let end = store_word::<O>(store_word::<O>(start, first), second);
            sink.advance(end as usize - start as usize);
        }
    } else {
        word_tight::<O>(sink, first);
        word_tight::<O>(sink, second);
    }
}

/// Writes a word, a line feed and so many copies of an ASCII character.
pub fn line<O: Output>(sink: &mut Sink, end: Word, fill: u8, count: usize) {
    let room = sink.room() / O::Unit::WIDTH;
    if O::Unit::WIDTH == 1 && room >= 24 && room - 24 >= count {
        let start = sink.tail();
        // SAFETY: there is room for a whole word, the line feed and the copies
        // in steps of eight.
        unsafe {
            let at = store_word::<O>(start, end);
            at.write(b'\n');
            let fill = [fill; 8];
            let mut k = 0;
            while k < count {
                at.add(1 + k).cast::<[u8; 8]>().write_unaligned(fill);
                k += 8;
            }
            sink.advance(at as usize - start as usize + 1 + count);
        }
        return;
    }
    if room >= 9 && room - 9 >= count {
        let start = sink.tail();
        // SAFETY: there is room for a whole word, the line feed and the copies.
        unsafe {
            let at: *mut O::Unit = store_word::<O>(start, end).cast();
            at.write_unaligned(O::Unit::truncate(u32::from(b'\n')));
            let fill = O::Unit::truncate(u32::from(fill));
            for k in 1..=count {
                at.add(k).write_unaligned(fill);
            }
            let end = at.add(count + 1).cast::<u8>();
            sink.advance(end as usize - start as usize);
        }
        return;
    }
    word_tight::<O>(sink, end);
    ascii_tight::<O>(sink, b"\n");
    let piece = [fill; 32];
    let mut left = count;
    while left > 0 && !sink.failed() {
        let n = left.min(piece.len());
        ascii_tight::<O>(sink, &piece[..n]);
        left -= n;
    }
}

/// Stores a word and gives the place behind it.
///
/// # Safety
/// Eight units are writable at `out`.
#[inline(always)]
pub(crate) unsafe fn store_word<O: Output>(out: *mut u8, word: Word) -> *mut u8 {
    // SAFETY: the caller's.
    unsafe { put_word::<O::Unit>(out, word.bits()) }
}

/// Writes ASCII bytes, widened to the output's units.
#[inline(always)]
pub fn ascii<O: Output>(sink: &mut Sink, bytes: &[u8]) {
    let need = bytes.len() * O::Unit::WIDTH;
    if O::Unit::WIDTH == 1 {
        sink.write(bytes);
    } else if sink.room() >= need {
        let out: *mut O::Unit = sink.tail().cast();
        for (k, &byte) in bytes.iter().enumerate() {
            let unit = O::Unit::truncate(byte as u32);
            // SAFETY: there is room for all of them.
            unsafe { out.add(k).write_unaligned(unit) };
        }
        // SAFETY: they are written.
        unsafe { sink.advance(need) };
    } else {
        ascii_tight::<O>(sink, bytes);
    }
}

/// Writes a word where there is no room for eight units: exactly what it has.
#[cold]
#[inline(never)]
fn word_tight<O: Output>(sink: &mut Sink, word: Word) {
    ascii_tight::<O>(sink, &word.bits().to_le_bytes()[..word.len()]);
}

/// Writes ASCII bytes where room is tight: unit by unit.
#[cold]
#[inline(never)]
fn ascii_tight<O: Output>(sink: &mut Sink, bytes: &[u8]) {
    for (k, &byte) in bytes.iter().enumerate() {
        let mut unit = [0; 4];
        let rest = (bytes.len() - k) * O::Unit::WIDTH;
        let at: *mut O::Unit = unit.as_mut_ptr().cast();
        // SAFETY: a unit has at most four bytes.
        unsafe { at.write_unaligned(O::Unit::truncate(byte as u32)) };
        sink.write_toward(&unit[..O::Unit::WIDTH], rest);
    }
}

/// Writes code points in the output's encoding. In outputs of code units they
/// are ones that fit; a UTF-8 output takes a surrogate as three bytes.
pub fn code_points<O: Output>(sink: &mut Sink, text: &[u32]) {
    for &c in text {
        if sink.failed() {
            // A long text, written often, would take its time for nothing.
            return;
        }
        code_point::<O>(sink, c);
    }
}

fn code_point<O: Output>(sink: &mut Sink, c: u32) {
    let mut bytes = [0; 4];
    let six = |shift: u32| 0x80 | ((c >> shift) & 0x3F) as u8;
    let n = if !O::UTF8 || c < 0x80 {
        let at: *mut O::Unit = bytes.as_mut_ptr().cast();
        // SAFETY: a unit has at most four bytes.
        unsafe { at.write_unaligned(O::Unit::truncate(c)) };
        O::Unit::WIDTH
    } else if c < 0x800 {
        bytes = [0xC0 | (c >> 6) as u8, six(0), 0, 0];
        2
    } else if c < 0x1_0000 {
        bytes = [0xE0 | (c >> 12) as u8, six(6), six(0), 0];
        3
    } else {
        bytes = [0xF0 | (c >> 18) as u8, six(12), six(6), six(0)];
        4
    };
    sink.write(&bytes[..n]);
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
    fn lines_of_every_width() {
        for count in (0..70).chain([1000, 5000]) {
            let mut expected = b",\n".to_vec();
            expected.resize(2 + count, b' ');
            let comma = Word::new(b",");
            assert_eq!(written(|s| line::<Units1>(s, comma, b' ', count)), expected);
            let wide = written(|s| line::<Units4>(s, comma, b' ', count));
            assert_eq!(wide.len(), 4 * expected.len());
            let narrow: Vec<u8> = wide.iter().copied().filter(|&byte| byte != 0).collect();
            assert_eq!(narrow, expected);
            let mut twice = expected.clone();
            twice.extend(b"\n\t");
            let both = |s: &mut Sink| {
                line::<Utf8>(s, comma, b' ', count);
                line::<Utf8>(s, Word::EMPTY, b'\t', 1);
            };
            assert_eq!(written(both), twice);
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
