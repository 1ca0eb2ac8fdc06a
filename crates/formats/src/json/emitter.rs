//! The JSON token writer.

use core::marker::PhantomData;

use linecaster_kernel::cursor::ROOM;
use linecaster_kernel::escape::{self, LoneSurrogate};
use linecaster_kernel::number::jsonnet::FloatBuffer;
use linecaster_kernel::number::{self, FloatSpelling};
use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::Word;
use linecaster_kernel::sink::Sink;
use linecaster_kernel::text::{Text, Unit};

use super::{Dialect, Empty, Layout, Numbers};
use crate::Emitter;

/// What is to be written before the next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pending {
    /// Nothing: at the start, and behind a key.
    Nothing,
    /// The item separator.
    Next,
    /// Nothing but a new line: behind an opening bracket.
    First,
}

/// Where an emitter stands in its document. Taken from one emitter and given
/// to the next, it lets a host change the output's encoding in between.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub(super) pending: Pending,
    pub(super) depth: usize,
}

impl State {
    /// Before the first token.
    pub const START: State = State {
        pending: Pending::Nothing,
        depth: 0,
    };
}

/// A place in the output to which [`JsonEmitter::rewind`] goes back.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    state: State,
    len: usize,
}

/// Writes JSON into a sink, encoded as `O`, spelled as `D`.
#[derive(Debug)]
pub struct JsonEmitter<'a, O, D> {
    pub(super) sink: &'a mut Sink,
    pub(super) layout: &'a Layout<'a>,
    pub(super) state: State,
    encoding: PhantomData<(O, D)>,
}

const QUOTE: Word = Word::new(b"\"");

impl<'a, O: Output, D: Dialect> JsonEmitter<'a, O, D> {
    /// An emitter that stands where `state` says.
    #[inline(always)]
    pub fn new(sink: &'a mut Sink, layout: &'a Layout<'a>, state: State) -> Self {
        JsonEmitter {
            sink,
            layout,
            state,
            encoding: PhantomData,
        }
    }

    /// Where the emitter stands.
    #[inline(always)]
    pub fn state(&self) -> State {
        self.state
    }

    /// Whether output was lost.
    #[inline(always)]
    pub fn failed(&self) -> bool {
        self.sink.failed()
    }

    /// Bytes in the sink's present chunk.
    #[inline(always)]
    pub fn buffered(&self) -> usize {
        self.sink.len()
    }

    /// Where the emitter stands, to come back.
    #[inline(always)]
    pub fn mark(&self) -> Mark {
        Mark {
            state: self.state,
            len: self.sink.len(),
        }
    }

    /// Takes back what was written since, if the sink has not flushed any of
    /// it.
    pub fn rewind(&mut self, mark: Mark) {
        self.state = mark.state;
        self.sink.truncate(mark.len);
    }

    /// Makes the room that [`JsonEmitter::quick`] asks for; `false` when the
    /// sink has failed.
    #[inline(always)]
    pub fn make_room(&mut self) -> bool {
        self.sink.reserve(ROOM * O::Unit::WIDTH)
    }

    /// Writes a key whose characters are already text in this format and the
    /// output's encoding.
    #[cold]
    #[inline(never)]
    pub fn raw_key(&mut self, text: &[u8]) {
        let lead = self.before(&self.layout.lead_quote);
        self.state.pending = Pending::Nothing;
        plain::word::<O>(self.sink, lead);
        self.sink.write(text);
        plain::word::<O>(self.sink, self.layout.trail_key);
        if !self.layout.packed_key {
            self.code_points(self.layout.key_separator());
        }
    }

    /// Writes the separator that does not fit into a word, and moves on.
    #[inline(always)]
    fn before(&mut self, words: &[Word; 3]) -> Word {
        if !self.layout.packed {
            self.separate();
        }
        words[self.state.pending as usize]
    }

    #[inline(never)]
    fn separate(&mut self) {
        if let Some(line) = self.layout.line {
            let count = line.width.saturating_mul(self.state.depth);
            match self.state.pending {
                Pending::Nothing => {}
                Pending::First => plain::line::<O>(self.sink, Word::EMPTY, line.fill, count),
                Pending::Next => plain::line::<O>(self.sink, line.item, line.fill, count),
            }
            return;
        }
        if self.state.pending == Pending::Next {
            self.code_points(self.layout.item_separator());
        }
        if self.state.pending != Pending::Nothing {
            self.line_break();
        }
    }

    fn line_break(&mut self) {
        if let Some(line) = self.layout.line {
            let count = line.width.saturating_mul(self.state.depth);
            plain::line::<O>(self.sink, Word::EMPTY, line.fill, count);
        } else if let Some(indent) = self.layout.indent() {
            self.code_points(self.layout.newline());
            // Deep nesting must not cost a loop of nothing per line.
            let levels = if indent.is_empty() {
                0
            } else {
                self.state.depth
            };
            for _ in 0..levels {
                self.code_points(indent);
            }
        }
    }

    /// Writes a layout's text, unescaped.
    fn code_points(&mut self, text: &[u32]) {
        plain::code_points::<O>(self.sink, text);
    }

    #[inline(always)]
    fn begin(&mut self, words: &[Word; 3]) {
        let lead = self.before(words);
        plain::word::<O>(self.sink, lead);
        self.state.depth += 1;
        self.state.pending = Pending::First;
    }

    #[inline(always)]
    fn end(&mut self, bracket: Word) {
        self.state.depth -= 1;
        if self.state.pending != Pending::First {
            if !self.layout.packed {
                self.line_break();
            }
        } else if D::EMPTY != Empty::Nothing {
            self.fill_empty();
        }
        self.state.pending = Pending::Next;
        plain::word::<O>(self.sink, bracket);
    }

    #[cold]
    #[inline(never)]
    fn fill_empty(&mut self) {
        match D::EMPTY {
            Empty::Nothing => {}
            Empty::Space => plain::word::<O>(self.sink, Word::new(b" ")),
            Empty::Line => {
                if self.layout.indent().is_some() {
                    self.code_points(self.layout.newline());
                    self.line_break();
                }
            }
        }
    }

    /// Writes a float that no style can say.
    #[inline(never)]
    fn unstyled(&mut self, value: f64) {
        let mut buffer = FloatBuffer::new();
        self.number_text(match D::NUMBERS {
            Numbers::Positional => buffer.positional(value),
            Numbers::Styled | Numbers::General => buffer.general(value),
        });
    }

    #[inline(always)]
    fn constant(&mut self, value: Word) {
        let lead = self.before(&self.layout.lead);
        self.state.pending = Pending::Next;
        plain::two_words::<O>(self.sink, lead, value);
    }

    /// An `f32` that is finite, in its own shortest digits.
    pub fn single<S: FloatSpelling>(&mut self, value: f32) {
        // SAFETY: `number` gives room for `number::FLOAT_LEN` bytes.
        self.number(|dst| unsafe { number::write_f32::<S>(dst, value) });
    }

    /// Writes a number by `write`, which stores at most
    /// [`number::FLOAT_LEN`] units and returns how many.
    #[inline(always)]
    fn number(&mut self, write: impl FnOnce(*mut O::Unit) -> usize) {
        let lead = self.before(&self.layout.lead);
        self.state.pending = Pending::Next;
        if self.sink.reserve((8 + number::FLOAT_LEN) * O::Unit::WIDTH) {
            plain::word::<O>(self.sink, lead);
            let n = write(self.sink.tail().cast());
            // SAFETY: room for both was reserved, and `write` stored `n`.
            unsafe { self.sink.advance(n * O::Unit::WIDTH) };
        }
    }
}

impl<O: Output, D: Dialect> Emitter for JsonEmitter<'_, O, D> {
    #[inline(always)]
    fn null(&mut self) {
        self.constant(D::NULL);
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) {
        self.constant(if value { D::TRUE } else { D::FALSE });
    }

    #[inline(always)]
    fn int(&mut self, value: i64) {
        // SAFETY: `number` gives room for `number::FLOAT_LEN` units.
        self.number(|dst| unsafe { number::write_i64(dst, value) });
    }

    #[inline(always)]
    fn uint(&mut self, value: u64) {
        // SAFETY: `number` gives room for `number::FLOAT_LEN` units.
        self.number(|dst| unsafe { number::write_u64(dst, value) });
    }

    #[inline(always)]
    fn float(&mut self, value: f64) {
        if D::NUMBERS != Numbers::Styled {
            self.unstyled(value);
            return;
        }
        // SAFETY: `number` gives room for `number::FLOAT_LEN` units.
        self.number(|dst| unsafe { number::write_f64::<D::Floats>(dst, value) });
    }

    #[inline(never)]
    fn number_text(&mut self, text: &[u8]) {
        let lead = self.before(&self.layout.lead);
        self.state.pending = Pending::Next;
        plain::word::<O>(self.sink, lead);
        plain::ascii::<O>(self.sink, text);
    }

    #[inline(always)]
    fn string<T: Text>(&mut self, text: &[T::Unit]) -> Result<(), LoneSurrogate> {
        let lead = self.before(&self.layout.lead_quote);
        self.state.pending = Pending::Next;
        escape::escape_between::<T, D::Policy, O>(self.sink, lead, text, QUOTE)
    }

    #[inline(never)]
    fn raw(&mut self, text: &[u8]) {
        let lead = self.before(&self.layout.lead);
        self.state.pending = Pending::Next;
        plain::word::<O>(self.sink, lead);
        self.sink.write(text);
    }

    #[inline(always)]
    fn begin_array(&mut self) {
        self.begin(&self.layout.lead_array);
    }

    #[inline(always)]
    fn end_array(&mut self) {
        self.end(const { Word::new(b"]") });
    }

    #[inline(always)]
    fn begin_object(&mut self) {
        self.begin(&self.layout.lead_object);
    }

    #[inline(always)]
    fn key<T: Text>(&mut self, text: &[T::Unit]) -> Result<(), LoneSurrogate> {
        let lead = self.before(&self.layout.lead_quote);
        self.state.pending = Pending::Nothing;
        let trail = self.layout.trail_key;
        escape::escape_between::<T, D::Policy, O>(self.sink, lead, text, trail)?;
        if !self.layout.packed_key {
            self.code_points(self.layout.key_separator());
        }
        Ok(())
    }

    #[inline(always)]
    fn end_object(&mut self) {
        self.end(const { Word::new(b"}") });
    }
}
