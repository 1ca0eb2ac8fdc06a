//! Which characters are escaped and how each is spelled.
//!
//! A policy is a type whose [`Rules`] are `const` data. The kernel derives
//! its tables and the SIMD comparands from them at compile time; adding a
//! policy needs no code.

mod json;
mod marks;
mod quoting;

pub use json::{
    Json, JsonAscii, JsonAsciiPython, JsonAsciiSlash, JsonControls, JsonDel, JsonGo, JsonHtml,
    JsonHtmlAscii, JsonHtmlAsciiSlash, JsonHtmlSlash, JsonSlash, YamlDouble,
};
pub use marks::YamlMarks;
pub use quoting::{Bash, Dollars, SingleQuoted, Verbatim, Xml};

macro_rules! policies {
    ($($(#[$doc:meta])* $name:ident = $rules:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Policy for $name {
            const RULES: Rules = $rules;
        }
    )*};
}
use policies;

/// Up to seven ASCII bytes packed into a word: byte 0 is written first, the
/// top byte holds the length, so that one 8-byte store writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word(u64);

impl Word {
    /// No bytes at all.
    pub const EMPTY: Word = Word(0);

    /// Packs `bytes`.
    ///
    /// # Panics
    /// When there are more than seven, or one is not ASCII.
    pub const fn new(bytes: &[u8]) -> Word {
        assert!(bytes.len() <= 7);
        let mut word = (bytes.len() as u64) << 56;
        let mut i = 0;
        while i < bytes.len() {
            assert!(bytes[i] < 0x80);
            word |= (bytes[i] as u64) << (8 * i);
            i += 1;
        }
        Word(word)
    }

    /// `\uXXXX`, for a character up to U+FFFF.
    pub(crate) const fn spelled_u16(c: u32) -> Word {
        Word(crate::escape::candidates::spell_u16(c))
    }

    /// The packed bytes with the length in the top byte.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many bytes: 0 to 7.
    pub const fn len(self) -> usize {
        (self.0 >> 56) as usize
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Byte `i`, below [`Word::len`].
    pub const fn get(self, i: usize) -> u8 {
        (self.0 >> (8 * i)) as u8
    }

    /// `self` followed by `bytes`.
    ///
    /// # Panics
    /// As [`Word::new`] does.
    #[must_use]
    pub const fn then(self, bytes: &[u8]) -> Word {
        let mut all = [0; 7];
        let mut n = 0;
        while n < self.len() {
            all[n] = self.get(n);
            n += 1;
        }
        let mut i = 0;
        while i < bytes.len() {
            all[n] = bytes[i];
            n += 1;
            i += 1;
        }
        Word::new(all.split_at(n).0)
    }
}

/// What happens to the characters above U+007F.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonAscii {
    /// Written as they are, in the output's encoding.
    Keep,
    /// Spelled `\uXXXX` with lower-case hex digits, as surrogate pairs above
    /// U+FFFF (RFC 8259, section 7); lone surrogates likewise.
    EscapeU16,
}

/// The data of a [`Policy`].
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// How each ASCII character is spelled; [`Word::EMPTY`] means as it is.
    pub ascii: [Word; 128],
    /// What happens above U+007F.
    pub non_ascii: NonAscii,
    /// With [`NonAscii::Keep`]: code points from U+0080 to U+FFFF, first and
    /// last, that are spelled `\uXXXX` all the same. The loop knows them in
    /// UTF-8; other text is taken in runs between them.
    pub ranges: &'static [(u16, u16)],
}

impl Rules {
    /// Escapes nothing.
    pub const NOTHING: Rules = Rules {
        ascii: [Word::EMPTY; 128],
        non_ascii: NonAscii::Keep,
        ranges: &[],
    };

    /// With `byte` spelled as `spelling`.
    #[must_use]
    pub const fn spell(mut self, byte: u8, spelling: &[u8]) -> Rules {
        self.ascii[byte as usize] = Word::new(spelling);
        self
    }

    /// With `byte` spelled `\u00XX`, lower-case hex.
    #[must_use]
    pub const fn spell_u16(self, byte: u8) -> Rules {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let hi = HEX[(byte >> 4) as usize];
        let lo = HEX[(byte & 15) as usize];
        self.spell(byte, &[b'\\', b'u', b'0', b'0', hi, lo])
    }

    /// With these non-ASCII characters spelled `\uXXXX`; see
    /// [`Rules::ranges`].
    #[must_use]
    pub const fn spell_ranges(mut self, ranges: &'static [(u16, u16)]) -> Rules {
        self.ranges = ranges;
        self
    }

    /// With all non-ASCII characters spelled `\uXXXX`.
    #[must_use]
    pub const fn ascii_only(mut self) -> Rules {
        self.non_ascii = NonAscii::EscapeU16;
        self
    }
}

/// A policy without its [`Rules::ranges`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct WithoutRanges<P>(core::marker::PhantomData<P>);

impl<P: Policy> Policy for WithoutRanges<P> {
    const RULES: Rules = P::RULES.spell_ranges(&[]);
}

/// A policy: a zero-sized type with its [`Rules`].
pub trait Policy: Copy + 'static {
    /// The data.
    const RULES: Rules;
}
