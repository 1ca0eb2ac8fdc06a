//! The characters of one string, and how a host takes them.

use linecaster_kernel::text::{Encoding, Text, Unit};

use crate::copy::copy_short;
use crate::scan::{Block, Scan, Vector};
use crate::utf8::{self, Narrow};

/// The narrowest code units that hold all characters of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// All below U+0080: one byte each.
    Ascii,
    /// All below U+0100: one byte each.
    Latin1,
    /// All below U+10000: two bytes each.
    Ucs2,
    /// Four bytes each.
    Ucs4,
}

impl Kind {
    /// The kind of a string whose highest code point has the same highest bit
    /// as `bits`.
    #[inline(always)]
    pub(crate) const fn of(bits: u32) -> Self {
        match bits {
            0..0x80 => Self::Ascii,
            0x80..0x100 => Self::Latin1,
            0x100..0x1_0000 => Self::Ucs2,
            _ => Self::Ucs4,
        }
    }

    /// Bytes of a code unit.
    #[inline(always)]
    pub const fn width(self) -> usize {
        match self {
            Self::Ascii | Self::Latin1 => 1,
            Self::Ucs2 => 2,
            Self::Ucs4 => 4,
        }
    }

    /// The highest code point that it holds.
    #[inline(always)]
    pub const fn max_char(self) -> u32 {
        match self {
            Self::Ascii => 0x7F,
            Self::Latin1 => 0xFF,
            Self::Ucs2 => 0xFFFF,
            Self::Ucs4 => 0x10_FFFF,
        }
    }
}

/// Where the characters lie.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// This many bytes of well-formed UTF-8, or with the three-byte sequences
    /// of surrogates; the rest of the document follows, which lets loads go
    /// beyond them.
    Utf8(&'a [u8], usize),
    /// Code points of one byte.
    One(&'a [u8]),
    /// Code points of two bytes.
    Two(&'a [u16]),
    /// Code points of four bytes.
    Four(&'a [u32]),
}

/// The characters of a string: how many, the narrowest kind that holds them,
/// and a way to have them written as that kind. Surrogates may be among them.
#[derive(Clone, Copy)]
pub struct Characters<'a> {
    source: Source<'a>,
    kind: Kind,
    count: usize,
}

impl<'a> Characters<'a> {
    /// Code points as they lie. `bits` has the highest bit of the highest.
    #[inline(always)]
    pub(crate) fn units<U: Scan>(units: &'a [U], bits: u32) -> Self {
        Self {
            source: U::source(units),
            kind: Kind::of(bits),
            count: units.len(),
        }
    }

    /// A stretch of `T`, the first `len` units of `text`; for UTF-8 `Err` with
    /// the offset of what is ill-formed.
    #[inline(always)]
    pub(crate) fn of_text<T: Text<Unit: Scan>>(
        text: &'a [T::Unit],
        len: usize,
        bits: u32,
        pass_surrogates: bool,
    ) -> Result<Self, usize> {
        if T::ENCODING == Encoding::Utf8
            && bits >= 0x80
            && let Some(bytes) = T::Unit::bytes(text)
        {
            let measure = utf8::measure(bytes, len, pass_surrogates)?;
            return Ok(Self {
                source: Source::Utf8(bytes, len),
                kind: measure.kind,
                count: measure.count,
            });
        }
        // Bits of bytes only tell ASCII from the others.
        Ok(Self::units(&text[..len], bits))
    }

    /// How many characters.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The narrowest kind that holds them.
    #[inline(always)]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The characters as they lie in the document, if they are ASCII bytes.
    #[inline(always)]
    pub fn as_ascii(&self) -> Option<&'a [u8]> {
        match self.source {
            Source::One(bytes) if self.kind == Kind::Ascii => Some(bytes),
            _ => None,
        }
    }

    /// The characters as they lie in the document, if their units are those of
    /// [`Characters::kind`]: the bytes that [`Characters::write`] would write.
    #[inline(always)]
    pub fn as_units(&self) -> Option<&'a [u8]> {
        let (data, width) = match self.source {
            Source::One(units) => (units.as_ptr(), 1),
            Source::Two(units) => (units.as_ptr().cast(), 2),
            Source::Four(units) => (units.as_ptr().cast(), 4),
            Source::Utf8(..) => return None,
        };
        // SAFETY: there are as many units as characters.
        let bytes = unsafe { core::slice::from_raw_parts(data, self.count * width) };
        (width == self.kind.width()).then_some(bytes)
    }

    /// The characters as they lie in the document, if they are ASCII bytes, as
    /// a string.
    #[inline(always)]
    pub fn as_str(&self) -> Option<&'a str> {
        let bytes = self.as_ascii()?;
        // SAFETY: the kind says that all are below U+0080, and ASCII is UTF-8.
        Some(unsafe { core::str::from_utf8_unchecked(bytes) })
    }

    /// The only character, if there is just one.
    #[inline(always)]
    pub fn single(&self) -> Option<u32> {
        (self.count == 1).then(|| self.iter().next()).flatten()
    }

    /// The code points.
    pub fn iter(&self) -> impl Iterator<Item = u32> + 'a {
        let (mut source, mut at) = (self.source, 0);
        core::iter::from_fn(move || match &mut source {
            Source::Utf8(bytes, len) => {
                let (code_point, length) = utf8::decode(&bytes[..*len])?;
                (*bytes, *len) = (&bytes[length..], *len - length);
                Some(code_point)
            }
            Source::One(units) => next(units, &mut at),
            Source::Two(units) => next(units, &mut at),
            Source::Four(units) => next(units, &mut at),
        })
    }

    /// Writes the characters in native units of [`Characters::kind`].
    ///
    /// # Safety
    /// `to` has room for [`Characters::count`] units of that kind and is
    /// aligned for them.
    #[inline(always)]
    pub unsafe fn write(&self, to: *mut u8) {
        // SAFETY: the caller has made room.
        unsafe {
            if let Some(units) = self.as_units() {
                copy_short(units.as_ptr(), to, units.len());
            } else {
                self.write_wide(to);
            }
        }
    }

    /// [`Characters::write`] for units of another width and UTF-8.
    #[inline(never)]
    #[allow(clippy::cast_ptr_alignment, reason = "the caller has aligned it")]
    unsafe fn write_wide(&self, to: *mut u8) {
        // SAFETY: as for `write`; the units of the kind hold the characters.
        unsafe {
            match self.kind {
                Kind::Ascii | Kind::Latin1 => self.write_as(to),
                Kind::Ucs2 => self.write_as(to.cast::<u16>()),
                Kind::Ucs4 => self.write_as(to.cast::<u32>()),
            }
        }
    }

    /// Appends the characters in units that hold them.
    #[inline(always)]
    pub(crate) fn append_to<U: Narrow>(&self, units: &mut Vec<U>) {
        units.reserve(self.count);
        // SAFETY: there is room, and all of it is written.
        unsafe {
            self.write_as(units.as_mut_ptr().add(units.len()));
            units.set_len(units.len() + self.count);
        }
    }

    /// Writes the characters in units that hold them.
    ///
    /// # Safety
    /// `to` has room for all.
    #[inline(always)]
    unsafe fn write_as<U: Narrow>(&self, to: *mut U) {
        // SAFETY: as many units are written as there are characters: `count`
        // is the length of the same slice or comes from its measure.
        unsafe {
            match self.source {
                Source::Utf8(bytes, len) => utf8::write(bytes, len, self.count, to),
                Source::One(units) => convert(units, to),
                Source::Two(units) => convert(units, to),
                Source::Four(units) => convert(units, to),
            }
        }
    }
}

fn next<U: Unit>(units: &[U], at: &mut usize) -> Option<u32> {
    let unit = (*units.get(*at)?).into();
    *at += 1;
    Some(unit)
}

/// Copies units into others that hold them.
///
/// # Safety
/// `to` has room for as many.
#[inline(always)]
unsafe fn convert<A: Scan, B: Narrow>(units: &[A], to: *mut B) {
    if A::WIDTH == B::WIDTH {
        // SAFETY: the caller has made room; the units are the same.
        unsafe { copy_short(units.as_ptr().cast(), to.cast(), size_of_val(units)) };
        return;
    }
    let lanes = A::Block::LANES;
    if B::WIDTH == 1 && units.len() >= lanes {
        // SAFETY: whole blocks lie within the units, the last one at their
        // end, and the caller has made room for as many bytes.
        unsafe {
            let narrow =
                |at: usize| A::Block::load(units.as_ptr().add(at)).narrow(to.cast::<u8>().add(at));
            let last = units.len() - lanes;
            let mut at = 0;
            while at < last {
                narrow(at);
                at += lanes;
            }
            narrow(last);
        }
        return;
    }
    for (i, &unit) in units.iter().enumerate() {
        // SAFETY: the caller has made room.
        unsafe { to.add(i).write(B::narrow(unit.into())) };
    }
}
