//! The representations in which characters arrive.
//!
//! A [`Text`] names an encoding at compile time; the characters themselves
//! are a plain slice of its [`Unit`]s.

/// One code unit: `u8`, `u16` or `u32`.
pub trait Unit: Copy + Eq + Into<u32> + 'static {
    /// Size in bytes: 1, 2 or 4.
    const WIDTH: usize;

    /// The low bits of `c`.
    fn truncate(c: u32) -> Self;
}

impl Unit for u8 {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn truncate(c: u32) -> u8 {
        c as u8
    }
}

impl Unit for u16 {
    const WIDTH: usize = 2;

    #[inline(always)]
    fn truncate(c: u32) -> u16 {
        c as u16
    }
}

impl Unit for u32 {
    const WIDTH: usize = 4;

    #[inline(always)]
    fn truncate(c: u32) -> u32 {
        c
    }
}

/// What a unit of a [`Text`] means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Every unit is below U+0080.
    Ascii,
    /// Well-formed UTF-8 (Unicode 16, table 3-7).
    Utf8,
    /// One unit, one character, U+0000 to U+00FF.
    Latin1,
    /// One unit, one code point up to U+FFFF; surrogates may stand alone and
    /// two of them are never joined (PEP 393's 2-byte kind).
    Ucs2,
    /// One unit, one code point up to U+10FFFF; lone surrogates may occur
    /// (PEP 393's 4-byte kind).
    Ucs4,
}

/// A representation of characters. See the implementations in this module.
pub trait Text: Copy + 'static {
    /// The code unit.
    type Unit: Unit;
    /// What a unit means.
    const ENCODING: Encoding;
}

/// Units below U+0080, one byte each.
#[derive(Clone, Copy, Debug)]
pub struct Ascii;

impl Text for Ascii {
    type Unit = u8;
    const ENCODING: Encoding = Encoding::Ascii;
}

/// Well-formed UTF-8. Ill-formed bytes give an unspecified spelling, never
/// undefined behaviour.
#[derive(Clone, Copy, Debug)]
pub struct Utf8;

impl Text for Utf8 {
    type Unit = u8;
    const ENCODING: Encoding = Encoding::Utf8;
}

/// ISO 8859-1: one byte, one character.
#[derive(Clone, Copy, Debug)]
pub struct Latin1;

impl Text for Latin1 {
    type Unit = u8;
    const ENCODING: Encoding = Encoding::Latin1;
}

/// Two-byte code points, surrogates allowed.
#[derive(Clone, Copy, Debug)]
pub struct Ucs2;

impl Text for Ucs2 {
    type Unit = u16;
    const ENCODING: Encoding = Encoding::Ucs2;
}

/// Four-byte code points, surrogates allowed. Units above U+10FFFF give an
/// unspecified spelling, never undefined behaviour.
#[derive(Clone, Copy, Debug)]
pub struct Ucs4;

impl Text for Ucs4 {
    type Unit = u32;
    const ENCODING: Encoding = Encoding::Ucs4;
}
