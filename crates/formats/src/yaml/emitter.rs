//! The YAML token writer.

use alloc::vec::Vec;
use core::marker::PhantomData;

use linecaster_kernel::escape::LoneSurrogate;
use linecaster_kernel::number;
use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::Word;
use linecaster_kernel::sink::Sink;
use linecaster_kernel::text::{Text, Unit};

use super::Style;
use crate::Emitter;

/// Spaces a level.
pub(super) const INDENT: usize = 2;

/// What is to be written before the next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    /// Nothing: at the start.
    Nothing,
    /// A new line in the innermost container.
    Next,
    /// What begins the innermost container, if it is not empty.
    Open,
    /// What stands between a key or dash and its value.
    Value,
}

/// How a container was come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Root,
    Key,
    Item,
}

/// A container.
#[derive(Clone, Copy, Debug)]
struct Level {
    object: bool,
    way: Way,
    /// Where its items or keys begin.
    indent: usize,
}

/// Writes YAML into a sink, encoded as `O`, in the layout `S`.
#[derive(Debug)]
pub struct YamlEmitter<'a, O, S> {
    sink: &'a mut Sink,
    style: S,
    levels: Vec<Level>,
    pending: Pending,
    output: PhantomData<O>,
}

impl<'a, O: Output, S: Style> YamlEmitter<'a, O, S> {
    /// An emitter for one document.
    pub fn new(sink: &'a mut Sink, style: S) -> Self {
        YamlEmitter {
            sink,
            style,
            levels: Vec::new(),
            pending: Pending::Nothing,
            output: PhantomData,
        }
    }

    /// Begins a stream: before its first document, if it has any.
    pub fn begin_stream(&mut self) {
        plain::word::<O>(self.sink, Word::new(b"---\n"));
    }

    /// Goes on with another document behind what is written.
    pub fn next_document(&mut self) {
        plain::word::<O>(self.sink, Word::new(b"\n---\n"));
        self.pending = Pending::Nothing;
    }

    /// Ends a stream, with `...` if `marked`.
    pub fn end_stream(self, marked: bool) {
        let end: &[u8] = if marked { b"\n...\n" } else { b"\n" };
        plain::word::<O>(self.sink, Word::new(end));
    }

    /// Ends the last line, which Jsonnet's `manifestYamlDoc` does not.
    pub fn finish(self) {
        plain::word::<O>(self.sink, Word::new(b"\n"));
    }

    /// Whether output was lost.
    pub fn failed(&self) -> bool {
        self.sink.failed()
    }

    /// The sink, between documents.
    pub fn sink(&mut self) -> &mut Sink {
        self.sink
    }

    fn line(&mut self, indent: usize) {
        plain::line::<O>(self.sink, Word::EMPTY, b' ', indent);
    }

    /// Begins the innermost container before its first item or key.
    fn open(&mut self, level: Level) {
        match level.way {
            Way::Root => {}
            Way::Key => self.line(level.indent),
            Way::Item if !level.object && S::NESTED_LINE => self.line(level.indent),
            Way::Item => plain::word::<O>(self.sink, Word::new(b" ")),
        }
    }

    /// Goes to where the next item's dash or the next key stands.
    #[inline]
    fn begin_line(&mut self, level: Level) {
        if self.pending == Pending::Open {
            self.open(level);
        } else {
            self.line(level.indent);
        }
    }

    /// Writes what stands before a value; `lead` is behind a key or dash.
    #[inline]
    fn before(&mut self, lead: Word) {
        if self.pending == Pending::Value {
            plain::word::<O>(self.sink, lead);
        } else if let Some(&level) = self.levels.last() {
            self.begin_line(level);
            plain::two_words::<O>(self.sink, Word::new(b"-"), lead);
        }
    }

    #[inline]
    fn scalar(&mut self) {
        self.before(Word::new(b" "));
        self.pending = Pending::Next;
    }

    fn begin(&mut self, object: bool) {
        let outer = self.levels.last();
        let (way, indent) = match outer {
            None => (Way::Root, 0),
            Some(outer) if outer.object => {
                let indented = object || self.style.indents_arrays();
                (Way::Key, outer.indent + if indented { INDENT } else { 0 })
            }
            Some(outer) => (Way::Item, outer.indent + INDENT),
        };
        self.before(Word::EMPTY);
        self.levels.push(Level {
            object,
            way,
            indent,
        });
        self.pending = Pending::Open;
    }

    fn end(&mut self, empty: Word) {
        let level = self.levels.pop();
        if self.pending == Pending::Open {
            let way = level.map_or(Way::Root, |level| level.way);
            let lead = Word::new(if way == Way::Root { b"" } else { b" " });
            plain::two_words::<O>(self.sink, lead, empty);
        }
        self.pending = Pending::Next;
    }

    /// Where the lines of a string begin that is written now.
    fn block_indent(&self) -> usize {
        self.levels.last().map_or(0, |level| level.indent) + INDENT
    }

    /// Writes a number by `write`, which stores at most
    /// [`number::FLOAT_LEN`] units and returns how many.
    #[inline]
    fn number(&mut self, write: impl FnOnce(*mut O::Unit) -> usize) {
        self.scalar();
        if self.sink.reserve(number::FLOAT_LEN * O::Unit::WIDTH) {
            let n = write(self.sink.tail().cast());
            // SAFETY: room for them was reserved, and `write` stored `n`.
            unsafe { self.sink.advance(n * O::Unit::WIDTH) };
        }
    }
}

impl<O: Output, S: Style> Emitter for YamlEmitter<'_, O, S> {
    fn null(&mut self) {
        self.scalar();
        plain::word::<O>(self.sink, Word::new(b"null"));
    }

    fn bool(&mut self, value: bool) {
        self.scalar();
        plain::word::<O>(self.sink, Word::new(if value { b"true" } else { b"false" }));
    }

    fn int(&mut self, value: i64) {
        // SAFETY: `number` gives room for `number::FLOAT_LEN` units.
        self.number(|dst| unsafe { number::write_i64(dst, value) });
    }

    fn uint(&mut self, value: u64) {
        // SAFETY: `number` gives room for `number::FLOAT_LEN` units.
        self.number(|dst| unsafe { number::write_u64(dst, value) });
    }

    /// Any float: what is not finite has a spelling in YAML.
    fn float(&mut self, value: f64) {
        self.scalar();
        self.style.float::<O>(self.sink, value);
    }

    fn number_text(&mut self, text: &[u8]) {
        self.scalar();
        plain::ascii::<O>(self.sink, text);
    }

    #[inline]
    fn string<T: Text>(&mut self, text: &[T::Unit]) -> Result<(), LoneSurrogate> {
        self.scalar();
        let indent = self.block_indent();
        self.style.string::<T, O>(self.sink, text, indent)
    }

    fn raw(&mut self, text: &[u8]) {
        self.scalar();
        self.sink.write(text);
    }

    fn begin_array(&mut self) {
        self.begin(false);
    }

    fn end_array(&mut self) {
        self.end(Word::new(b"[]"));
    }

    fn begin_object(&mut self) {
        self.begin(true);
    }

    #[inline]
    fn key<T: Text>(&mut self, text: &[T::Unit]) -> Result<(), LoneSurrogate> {
        let mut indent = 0;
        if let Some(&level) = self.levels.last() {
            self.begin_line(level);
            indent = level.indent;
        }
        self.pending = Pending::Value;
        self.style.key::<T, O>(self.sink, text, indent)
    }

    fn end_object(&mut self) {
        self.end(Word::new(b"{}"));
    }
}
