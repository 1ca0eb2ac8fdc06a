//! YAML as people write it: no quotation marks where none are needed, and
//! blocks for lines.

use linecaster_kernel::escape::{self, LoneSurrogate};
use linecaster_kernel::number::{self, FloatClass, FloatSpelling, FloatStyle};
use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::{SingleQuoted, Verbatim, Word, YamlDouble};
use linecaster_kernel::sink::Sink;
use linecaster_kernel::text::{Text, Unit};

use super::{Form, Style, form};
use crate::text;

/// Its options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain {
    /// Arrays that are members' values are indented.
    pub indent_arrays: bool,
}

/// A key is looked for within so many characters by readers: a longer one is
/// announced by a question mark.
const LONGEST_KEY: usize = 1000;

/// The most characters that one character becomes between quotation marks.
const WORST: usize = 6;

/// `1.0`, `1.0e+16`: YAML 1.1 wants a point and a sign.
#[derive(Clone, Copy, Debug)]
struct Floats;

impl FloatSpelling for Floats {
    const STYLE: FloatStyle = FloatStyle {
        exponent_point_zero: true,
        ..number::float_style::Python::STYLE
    };
}

impl Style for Plain {
    const NESTED_LINE: bool = false;

    fn indents_arrays(&self) -> bool {
        self.indent_arrays
    }

    #[inline]
    fn string<T: Text, O: Output>(
        &self,
        sink: &mut Sink,
        text: &[T::Unit],
        indent: usize,
    ) -> Result<(), LoneSurrogate> {
        match form::<T>(text, false) {
            Form::Block => write_block::<T, O>(sink, text, indent),
            form => write_inline::<T, O>(sink, text, form, b""),
        }
    }

    #[inline]
    fn key<T: Text, O: Output>(
        &self,
        sink: &mut Sink,
        text: &[T::Unit],
        indent: usize,
    ) -> Result<(), LoneSurrogate> {
        let form = form::<T>(text, true);
        let worst = if form == Form::Plain { 1 } else { WORST };
        if text.len().saturating_mul(worst) <= LONGEST_KEY {
            return write_inline::<T, O>(sink, text, form, b":");
        }
        plain::word::<O>(sink, Word::new(b"? "));
        write_inline::<T, O>(sink, text, form, b"")?;
        plain::line::<O>(sink, Word::EMPTY, b' ', indent);
        plain::word::<O>(sink, Word::new(b":"));
        Ok(())
    }

    fn float<O: Output>(&self, sink: &mut Sink, value: f64) {
        let word: &[u8] = match number::classify(value) {
            FloatClass::Nan => b".nan",
            FloatClass::Infinity => b".inf",
            FloatClass::NegativeInfinity => b"-.inf",
            FloatClass::Finite => {
                if sink.reserve(number::FLOAT_LEN * O::Unit::WIDTH) {
                    // SAFETY: there is room, and what is written is counted.
                    unsafe {
                        let n = number::write_f64::<Floats>(sink.tail().cast::<O::Unit>(), value);
                        sink.advance(n * O::Unit::WIDTH);
                    }
                }
                return;
            }
        };
        plain::ascii::<O>(sink, word);
    }
}

/// Writes a string on one line, and what stands behind it.
#[inline]
fn write_inline<T: Text, O: Output>(
    sink: &mut Sink,
    text: &[T::Unit],
    form: Form,
    behind: &'static [u8],
) -> Result<(), LoneSurrogate> {
    let word = |quote: &'static [u8]| (Word::new(quote), Word::new(quote).then(behind));
    match form {
        Form::Plain => {
            let (lead, trail) = word(b"");
            escape::escape_between::<T, Verbatim, O>(sink, lead, text, trail)
        }
        Form::Single => {
            let (lead, trail) = word(b"'");
            escape::escape_between::<T, SingleQuoted, O>(sink, lead, text, trail)
        }
        Form::Double | Form::Block => {
            let (lead, trail) = word(b"\"");
            escape::escape_between::<T, YamlDouble, O>(sink, lead, text, trail)
        }
    }
}

/// Writes a string as lines, with the indicators that it needs.
fn write_block<T: Text, O: Output>(
    sink: &mut Sink,
    characters: &[T::Unit],
    indent: usize,
) -> Result<(), LoneSurrogate> {
    let is = |unit: &T::Unit, byte: u8| *unit == T::Unit::truncate(u32::from(byte));
    plain::word::<O>(sink, Word::new(b"|"));
    // The first line that is not empty tells the indentation, unless it begins
    // with a blank.
    let first = characters.iter().find(|unit| !is(unit, b'\n'));
    if first.is_some_and(|unit| is(unit, b' ') || is(unit, b'\t')) {
        // A reader counts from the container's own indentation.
        plain::word::<O>(sink, Word::new(b"2"));
    }
    let ends = characters
        .iter()
        .rev()
        .take(2)
        .take_while(|unit| is(unit, b'\n'));
    let rest = match ends.count() {
        0 => {
            plain::word::<O>(sink, Word::new(b"-"));
            characters
        }
        1 => &characters[..characters.len() - 1],
        _ => {
            plain::word::<O>(sink, Word::new(b"+"));
            &characters[..characters.len() - 1]
        }
    };
    let indent = |len| if len == 0 { 0 } else { indent };
    text::lines::<T, Verbatim, O>(sink, rest, indent)
}
