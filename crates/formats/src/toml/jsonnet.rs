//! `std.manifestTomlEx` (go-jsonnet 0.22).

use linecaster_kernel::escape::LoneSurrogate;
use linecaster_kernel::number::jsonnet::FloatBuffer;
use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::{JsonControls, Verbatim, Word};
use linecaster_kernel::sink::Sink;

use super::Style;
use super::plain::is_bare;
use crate::text;
use crate::tree::Chars;

/// Its layout.
#[derive(Clone, Copy, Debug)]
pub struct Jsonnet<'a> {
    /// `indent`, in the output's encoding.
    pub indent: &'a [u8],
}

const QUOTE: Word = Word::new(b"\"");

impl Style for Jsonnet<'_> {
    const ENDED_LINES: bool = false;
    const ARRAY_LINES: bool = true;
    const PADDING: &'static [u8] = b" ";

    fn indent(&self) -> &[u8] {
        self.indent
    }

    fn key<O: Output>(&self, sink: &mut Sink, key: Chars<'_>) -> Result<(), LoneSurrogate> {
        if key.is_empty() {
            plain::word::<O>(sink, Word::new(b"''"));
            Ok(())
        } else if is_bare(key) {
            text::between::<Verbatim, O>(sink, Word::EMPTY, key, Word::EMPTY)
        } else {
            text::between::<JsonControls, O>(sink, QUOTE, key, QUOTE)
        }
    }

    fn string<O: Output>(
        &self,
        sink: &mut Sink,
        text: Chars<'_>,
        _inside: bool,
    ) -> Result<(), LoneSurrogate> {
        text::between::<JsonControls, O>(sink, QUOTE, text, QUOTE)
    }

    fn float<O: Output>(&self, sink: &mut Sink, value: f64) {
        plain::ascii::<O>(sink, FloatBuffer::new().general(value));
    }
}
