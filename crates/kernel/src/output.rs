//! What the result is made of.
//!
//! Most hosts want UTF-8 bytes; a Python `str` wants code units of 1, 2 or 4
//! bytes. The kernel is generic over the output as it is over the text, so a
//! `str` is never made by way of UTF-8.

use crate::text::Unit;

/// An output encoding. See the implementations in this module.
pub trait Output: Copy + 'static {
    /// The code unit that is stored.
    type Unit: Unit;
    /// Characters above U+007F are stored as UTF-8 sequences.
    const UTF8: bool;
    /// A lone surrogate is stored as its three-byte sequence (Python's
    /// `surrogatepass`) instead of being an error. Only for UTF-8 outputs.
    const SURROGATE_PASS: bool = false;
}

/// UTF-8; a lone surrogate that the policy does not spell is an error.
#[derive(Clone, Copy, Debug)]
pub struct Utf8;

impl Output for Utf8 {
    type Unit = u8;
    const UTF8: bool = true;
}

/// UTF-8 in which lone surrogates keep their three-byte sequence.
#[derive(Clone, Copy, Debug)]
pub struct Utf8SurrogatePass;

impl Output for Utf8SurrogatePass {
    type Unit = u8;
    const UTF8: bool = true;
    const SURROGATE_PASS: bool = true;
}

/// One byte per character, U+0000 to U+00FF. Takes ASCII and Latin-1 text
/// (any text when the policy spells all non-ASCII characters).
#[derive(Clone, Copy, Debug)]
pub struct Units1;

impl Output for Units1 {
    type Unit = u8;
    const UTF8: bool = false;
}

/// Two bytes per character, in native byte order. Takes ASCII, Latin-1 and
/// UCS-2 text (any text when the policy spells all non-ASCII characters).
#[derive(Clone, Copy, Debug)]
pub struct Units2;

impl Output for Units2 {
    type Unit = u16;
    const UTF8: bool = false;
}

/// Four bytes per character, in native byte order. Takes every text but
/// UTF-8.
#[derive(Clone, Copy, Debug)]
pub struct Units4;

impl Output for Units4 {
    type Unit = u32;
    const UTF8: bool = false;
}
