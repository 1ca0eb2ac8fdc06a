//! TOML as people write it: bare keys where they can be, strings of several
//! lines as such, no header for a table that has nothing but tables in it.

use linecaster_kernel::escape::LoneSurrogate;
use linecaster_kernel::number::{self, FloatClass, float_style};
use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::{JsonDel, Verbatim, Word};
use linecaster_kernel::sink::Sink;
use linecaster_kernel::text::Unit;

use super::Style;
use crate::text;
use crate::tree::{Chars, with_text};

/// Its options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain<'a> {
    /// What is repeated before the lines of a table, once per level.
    pub indent: &'a [u8],
}

const QUOTE: Word = Word::new(b"\"");

impl Style for Plain<'_> {
    const ENDED_LINES: bool = true;
    const ARRAY_LINES: bool = false;
    const PADDING: &'static [u8] = b"";

    fn indent(&self) -> &[u8] {
        self.indent
    }

    fn key<O: Output>(&self, sink: &mut Sink, key: Chars<'_>) -> Result<(), LoneSurrogate> {
        if is_bare(key) && !key.is_empty() {
            text::between::<Verbatim, O>(sink, Word::EMPTY, key, Word::EMPTY)
        } else {
            text::between::<JsonDel, O>(sink, QUOTE, key, QUOTE)
        }
    }

    fn string<O: Output>(
        &self,
        sink: &mut Sink,
        text: Chars<'_>,
        inside: bool,
    ) -> Result<(), LoneSurrogate> {
        if inside || !text.has_line_feed() {
            return text::between::<JsonDel, O>(sink, QUOTE, text, QUOTE);
        }
        // The line feed behind the quotation marks is none of the string's.
        plain::word::<O>(sink, Word::new(b"\"\"\""));
        with_text!(text, T, units => text::lines::<T, JsonDel, O>(sink, units, |_| 0))?;
        plain::word::<O>(sink, Word::new(b"\"\"\""));
        Ok(())
    }

    fn float<O: Output>(&self, sink: &mut Sink, value: f64) {
        let word: &[u8] = match number::classify(value) {
            FloatClass::Nan => b"nan",
            FloatClass::Infinity => b"inf",
            FloatClass::NegativeInfinity => b"-inf",
            FloatClass::Finite => {
                if sink.reserve(number::FLOAT_LEN * O::Unit::WIDTH) {
                    // SAFETY: there is room, and what is written is counted.
                    unsafe {
                        let to = sink.tail().cast::<O::Unit>();
                        let n = number::write_f64::<float_style::Python>(to, value);
                        sink.advance(n * O::Unit::WIDTH);
                    }
                }
                return;
            }
        };
        plain::ascii::<O>(sink, word);
    }
}

/// Whether a key has nothing but letters, digits, `_` and `-`; so has the
/// empty one, which is not bare for all that.
pub(super) fn is_bare(key: Chars<'_>) -> bool {
    match key {
        Chars::Ascii(units) | Chars::Utf8(units) | Chars::Latin1(units) => all_bare(units),
        Chars::Ucs2(units) => all_bare(units),
        Chars::Ucs4(units) => all_bare(units),
    }
}

fn all_bare<U: Unit>(key: &[U]) -> bool {
    key.iter().all(|&unit| {
        let c: u32 = unit.into();
        BARE[c.min(0x7F) as usize]
    })
}

static BARE: [bool; 128] = {
    let mut bare = [false; 128];
    let mut c = 0;
    while c < 128 {
        bare[c] = (c as u8).is_ascii_alphanumeric() || c as u8 == b'_' || c as u8 == b'-';
        c += 1;
    }
    bare
};
