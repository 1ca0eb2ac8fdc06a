//! Strings with escapes: put together as code points in scratch.
//!
//! The scratch holds one byte a character until a wider one comes, then two or
//! four, so that what it holds in the end is what a host's string holds.

use linecaster_kernel::text::{Encoding, Text};

use crate::characters::{Characters, Kind};
use crate::dispatch::{Baseline, Machine};
use crate::error::Reason;
use crate::options::{Options, Surrogates};
use crate::scan::{self, Block, Scan, Vector};

/// Bytes of the longest string that goes through the scratch without need: more
/// would be dear to keep.
const LONGEST_TRIPLES: usize = 3 << 12;

/// A string under construction.
#[derive(Default)]
pub struct Unescaped {
    one: Vec<u8>,
    two: Vec<u16>,
    four: Vec<u32>,
    /// Width of the vector in use; 0 before the first character.
    width: usize,
    /// All code points so far in one, bit by bit.
    bits: u32,
}

impl Unescaped {
    fn clear(&mut self) {
        self.one.clear();
        self.two.clear();
        self.four.clear();
        (self.width, self.bits) = (1, 0);
    }

    /// The finished string.
    pub fn characters(&self) -> Characters<'_> {
        match self.width {
            1 => Characters::units(&self.one, self.bits),
            2 => Characters::units(&self.two, self.bits),
            _ => Characters::units(&self.four, self.bits),
        }
    }

    /// The first `len` bytes of `text`, if they are short UTF-8, all of
    /// characters of three bytes, and the machine has a way for that.
    #[inline(always)]
    pub fn triples<M: Machine>(
        &mut self,
        text: &[u8],
        len: usize,
        machine: M,
    ) -> Option<Characters<'_>> {
        if len > LONGEST_TRIPLES || text.first().is_none_or(|&lead| lead & 0xF0 != 0xE0) {
            return None;
        }
        self.two.clear();
        self.two.reserve(len / 3);
        // SAFETY: there is room, and all of it is written if any.
        unsafe {
            if !machine.triples(text, len, self.two.as_mut_ptr()) {
                return None;
            }
            self.two.set_len(len / 3);
        }
        Some(Characters::units(&self.two, Kind::Ucs2.max_char()))
    }

    /// Bytes of memory held.
    pub fn capacity(&self) -> usize {
        self.one.capacity() + 2 * self.two.capacity() + 4 * self.four.capacity()
    }

    /// Makes the units wide enough for `kind`.
    #[inline(always)]
    fn widen(&mut self, kind: Kind) {
        if kind.width() > self.width {
            self.widen_to(kind.width());
        }
    }

    #[cold]
    fn widen_to(&mut self, width: usize) {
        if width == 2 {
            self.two
                .extend(self.one.iter().map(|&unit| u16::from(unit)));
        } else if self.width == 1 {
            self.four
                .extend(self.one.iter().map(|&unit| u32::from(unit)));
        } else {
            self.four
                .extend(self.two.iter().map(|&unit| u32::from(unit)));
        }
        self.width = width;
    }

    /// Adds one code point.
    #[inline(always)]
    fn push(&mut self, code_point: u32) {
        self.bits |= code_point;
        self.widen(Kind::of(code_point));
        match self.width {
            1 => self.one.push(code_point as u8),
            2 => self.two.push(code_point as u16),
            _ => self.four.push(code_point),
        }
    }

    /// Adds characters.
    #[inline(always)]
    fn extend(&mut self, run: Characters<'_>) {
        self.bits |= run.kind().max_char();
        self.widen(run.kind());
        match self.width {
            1 => run.append_to(&mut self.one),
            2 => run.append_to(&mut self.two),
            _ => run.append_to(&mut self.four),
        }
    }
}

/// Reads the rest of a string that has an escape (or a raw control character)
/// at `stretch.end` and began, behind its quotation mark, at `start`. The
/// index behind its end, or what is wrong.
#[inline(never)]
pub fn unescape<T: Text<Unit: Scan>>(
    text: &[T::Unit],
    start: usize,
    stretch: scan::Stretch,
    options: &Options,
    out: &mut Unescaped,
) -> Result<usize, (Reason, usize)> {
    out.clear();
    let pass = options.surrogates == Surrogates::KeepRaw;
    let (mut from, mut stretch) = (start, stretch);
    loop {
        if stretch.end > from {
            if options.surrogates == Surrogates::Reject {
                refuse_surrogates::<T>(text, from, stretch)?;
            }
            let len = stretch.end - from;
            match Characters::of_text::<T>(&text[from..], len, stretch.bits, pass) {
                Ok(run) => out.extend(run),
                Err(offset) => return Err((Reason::Utf8, from + offset)),
            }
        }
        let at = stretch.end;
        let Some(&unit) = text.get(at) else {
            return Err((Reason::Unterminated, start - 1));
        };
        match unit.ascii() {
            b'"' => return Ok(at + 1),
            b'\\' => {
                from = escape::<T>(text, start, at, options, out)?;
                if scan::is(text, from, b'\\') {
                    // Escapes side by side, as all characters may be.
                    stretch = scan::Stretch { end: from, bits: 0 };
                    continue;
                }
                if let Some(bytes) = T::Unit::bytes(text)
                    && out.width == 1
                {
                    from = plain_and_letters(bytes, from, &mut out.one);
                    out.bits |= 0x7F;
                }
            }
            control if options.raw_control && !(control == 0 && options.refuse_nul) => {
                out.push(u32::from(control));
                from = at + 1;
            }
            _ => return Err((Reason::Control, at)),
        }
        stretch = scan::stretch(text, from, Baseline);
    }
}

/// Copies ASCII and escapes of one letter, a block at a time, and goes through
/// the escapes of a block without looking at it anew. The index where
/// something else begins, or the text comes to its end.
#[inline(always)]
fn plain_and_letters(text: &[u8], from: usize, out: &mut Vec<u8>) -> usize {
    type Bytes = <u8 as Scan>::Block;
    const LANES: usize = Bytes::LANES;
    let mut at = from;
    // A run may begin at the last lane and be copied as a whole block.
    while at + 2 * LANES < text.len() {
        out.reserve(2 * LANES);
        let mut done = out.len();
        // SAFETY: loads begin in the block and end in the one behind it. At
        // most a block is written in place of a block that is read, and each
        // store is of one block: two have room.
        unsafe {
            let from = text.as_ptr().add(at);
            let to = out.as_mut_ptr();
            let block = Bytes::load(from);
            block.store(to.add(done));
            let mut stops = block.stops_and_high();
            let mut run = 0;
            while stops != 0 {
                let stop = (stops.trailing_zeros() / Bytes::MASK_BITS) as usize;
                Bytes::load(from.add(run)).store(to.add(done));
                done += stop - run;
                let letter = *from.add(stop + 1);
                let character = LETTERS[letter as usize];
                if *from.add(stop) != b'\\' || character == 0 {
                    out.set_len(done);
                    return at + stop;
                }
                to.add(done).write(character);
                done += 1;
                run = stop + 2;
                // The letter may be a quotation mark or a backslash.
                let letter_lane = (stop as u32 + 2) * Bytes::MASK_BITS - 1;
                stops &= stops - 1;
                stops &= !1u64.unbounded_shl(letter_lane);
            }
            if run < LANES {
                Bytes::load(from.add(run)).store(to.add(done));
                done += LANES - run;
                run = LANES;
            }
            out.set_len(done);
            at += run;
        }
    }
    at
}

/// Adds what the escape at `at` stands for; the index behind it.
#[inline(always)]
fn escape<T: Text<Unit: Scan>>(
    text: &[T::Unit],
    start: usize,
    at: usize,
    options: &Options,
    out: &mut Unescaped,
) -> Result<usize, (Reason, usize)> {
    let Some(&letter) = text.get(at + 1) else {
        return Err((Reason::Unterminated, start - 1));
    };
    let letter: u32 = letter.into();
    if letter == u32::from(b'u') {
        return unicode_escape::<T>(text, at, options, out);
    }
    let code_point = LETTERS.get(letter as usize).copied().unwrap_or_default();
    if code_point == 0 {
        return Err((Reason::Escape, at));
    }
    out.push(u32::from(code_point));
    Ok(at + 2)
}

/// What each letter behind a backslash stands for; 0 for none.
static LETTERS: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[b'/' as usize] = b'/';
    table[b'b' as usize] = 0x08;
    table[b'f' as usize] = 0x0C;
    table[b'n' as usize] = b'\n';
    table[b'r' as usize] = b'\r';
    table[b't' as usize] = b'\t';
    table
};

#[inline(always)]
fn unicode_escape<T: Text<Unit: Scan>>(
    text: &[T::Unit],
    at: usize,
    options: &Options,
    out: &mut Unescaped,
) -> Result<usize, (Reason, usize)> {
    let first = hex(text, at)?;
    if !(0xD800..0xE000).contains(&first) {
        out.push(first);
        return Ok(at + 6);
    }
    let partner_follows = first < 0xDC00
        && scan::eight(text, at + 6) & 0xFFFF == u64::from(u16::from_le_bytes(*b"\\u"));
    if partner_follows {
        let second = hex(text, at + 6)?;
        if (0xDC00..0xE000).contains(&second) {
            out.push(0x1_0000 + ((first & 0x3FF) << 10 | second & 0x3FF));
            return Ok(at + 12);
        }
    }
    if options.surrogates == Surrogates::Reject {
        return Err((Reason::Surrogate, at));
    }
    out.push(first);
    Ok(at + 6)
}

/// The number in the `\uXXXX` at `at`.
#[inline(always)]
fn hex<U: Scan>(text: &[U], at: usize) -> Result<u32, (Reason, usize)> {
    let digits = ((scan::eight(text, at) >> 16) as u32).to_le_bytes();
    let value = digits.map(|byte| i32::from(HEX[byte as usize]));
    let value = value[0] << 12 | value[1] << 8 | value[2] << 4 | value[3];
    // A byte that is no digit, as behind the end of the text, sets the sign.
    // As in Python's `json`, digits that end the text are none either.
    match u32::try_from(value) {
        Ok(value) if at + 6 < text.len() => Ok(value),
        _ => Err((Reason::UnicodeEscape, at + 1)),
    }
}

/// Values of hexadecimal digits, -1 for other bytes.
static HEX: [i8; 256] = {
    let mut table = [-1; 256];
    let mut i = 0;
    while i < 16 {
        table[b"0123456789abcdef"[i] as usize] = i as i8;
        table[b"0123456789ABCDEF"[i] as usize] = i as i8;
        i += 1;
    }
    table
};

/// Refuses surrogates in units, where they never have a partner.
#[inline(always)]
pub fn refuse_surrogates<T: Text<Unit: Scan>>(
    text: &[T::Unit],
    from: usize,
    stretch: scan::Stretch,
) -> Result<(), (Reason, usize)> {
    if matches!(T::ENCODING, Encoding::Ucs2 | Encoding::Ucs4) && stretch.bits >= 0xD800 {
        let is_surrogate = |&unit: &T::Unit| (0xD800..0xE000).contains(&unit.into());
        if let Some(offset) = text[from..stretch.end].iter().position(is_surrogate) {
            return Err((Reason::Surrogate, from + offset));
        }
    }
    Ok(())
}
