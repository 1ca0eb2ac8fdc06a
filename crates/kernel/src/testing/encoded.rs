//! Text in an encoding that is chosen at run time.

use alloc::string::String;
use alloc::vec::Vec;

use super::Units;
use crate::text::Encoding;

/// Owned text as units of some width.
#[derive(Clone, Debug)]
pub enum Encoded {
    /// ASCII, UTF-8 or Latin-1.
    One(Vec<u8>),
    /// UCS-2.
    Two(Vec<u16>),
    /// UCS-4.
    Four(Vec<u32>),
}

impl Encoded {
    /// `characters` in an encoding, if it can hold them all.
    pub fn new(characters: &[u32], encoding: Encoding) -> Option<Encoded> {
        let all_below = |limit| characters.iter().all(|&c| c < limit);
        Some(match encoding {
            Encoding::Ascii if !all_below(0x80) => return None,
            Encoding::Latin1 if !all_below(0x100) => return None,
            Encoding::Ucs2 if !all_below(0x1_0000) => return None,
            Encoding::Ascii | Encoding::Latin1 => {
                Encoded::One(characters.iter().map(|&c| c as u8).collect())
            }
            Encoding::Utf8 => {
                let text: Option<String> = characters.iter().map(|&c| char::from_u32(c)).collect();
                Encoded::One(text?.into_bytes())
            }
            Encoding::Ucs2 => Encoded::Two(characters.iter().map(|&c| c as u16).collect()),
            Encoding::Ucs4 => Encoded::Four(characters.to_vec()),
        })
    }

    /// As the kernel takes them.
    pub fn units(&self) -> Units<'_> {
        match self {
            Encoded::One(units) => Units::One(units),
            Encoded::Two(units) => Units::Two(units),
            Encoded::Four(units) => Units::Four(units),
        }
    }
}
