//! Values on a line.

use alloc::vec::Vec;

use linecaster_kernel::number;
use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::Word;
use linecaster_kernel::text::Unit;

use super::Style;
use super::document::Document;
use crate::tree::{Frame, Node, Refusal, Tree};

enum Scalar {
    Written,
    Refused,
    Container { object: bool },
}

/// Writes `value`, which stands at a key of the innermost table.
///
/// # Errors
/// The host's.
pub(super) fn write<O: Output, S: Style, T: Tree>(
    document: &mut Document<'_, O, S, T>,
    value: T::Value,
    level: usize,
    depth: usize,
) -> Result<(), T::Error> {
    let mut frames: Vec<Frame<T>> = Vec::new();
    let mut value = Some(value);
    loop {
        if let Some(value) = value.take() {
            document.tree.descend(depth + frames.len())?;
            match scalar(document, &value, !frames.is_empty()) {
                Scalar::Written => {}
                Scalar::Refused => {
                    let path = document.path(&frames);
                    return Err(document.tree.refuse(Refusal::Value, &value, path));
                }
                Scalar::Container { object: false } if document.tree.is_empty(&value) => {
                    plain::word::<O>(document.sink, Word::new(b"[]"));
                }
                Scalar::Container { object } => {
                    frames.push(Frame::open(document.tree, value, object)?);
                }
            }
        }
        let lines = S::ARRAY_LINES && frames.len() == 1;
        let Some(frame) = frames.last_mut() else {
            return Ok(());
        };
        let first = frame.count == 0;
        value = frame.next(document.tree)?;
        let object = frame.object;
        match (object, first, value.is_some()) {
            (true, true, true) => plain::word::<O>(document.sink, Word::new(b"{ ")),
            (true, true, false) if S::ENDED_LINES => {
                plain::word::<O>(document.sink, Word::new(b"{}"));
            }
            (true, true, false) => plain::word::<O>(document.sink, Word::new(b"{  }")),
            (true, false, false) => plain::word::<O>(document.sink, Word::new(b" }")),
            (false, first, more) if lines && !object => {
                line(document, level, first, more);
            }
            (false, true, _) => {
                plain::word::<O>(document.sink, Word::new(b"["));
                plain::ascii::<O>(document.sink, S::PADDING);
            }
            (_, false, true) => plain::word::<O>(document.sink, Word::new(b", ")),
            (false, false, false) => {
                plain::ascii::<O>(document.sink, S::PADDING);
                plain::word::<O>(document.sink, Word::new(b"]"));
            }
        }
        if value.is_none() {
            frames.pop();
        } else if object {
            let key = frames[frames.len() - 1].key(document.tree);
            if document.style.key::<O>(document.sink, key).is_err() {
                let path = document.path(&frames);
                let object = &frames[frames.len() - 1].value;
                return Err(document.tree.refuse(Refusal::Value, object, path));
            }
            plain::word::<O>(document.sink, Word::new(b" = "));
        }
    }
}

/// Goes to the line of an array's next item, or of its end.
fn line<O: Output, S: Style, T: Tree>(
    document: &mut Document<'_, O, S, T>,
    level: usize,
    first: bool,
    more: bool,
) {
    let before = Word::new(match (first, more) {
        (true, _) => b"[\n",
        (false, true) => b",\n",
        (false, false) => b"\n",
    });
    plain::word::<O>(document.sink, before);
    document.indent(level + usize::from(more));
    if !more {
        plain::word::<O>(document.sink, Word::new(b"]"));
    }
}

fn scalar<O: Output, S: Style, T: Tree>(
    document: &mut Document<'_, O, S, T>,
    value: &T::Value,
    inside: bool,
) -> Scalar {
    let Document {
        tree, sink, style, ..
    } = document;
    let width = O::Unit::WIDTH;
    match tree.node(value) {
        Node::Null | Node::Other => return Scalar::Refused,
        Node::Bool(value) => {
            plain::word::<O>(sink, Word::new(if value { b"true" } else { b"false" }));
        }
        Node::Int(value) => {
            if sink.reserve(number::I64_LEN * width) {
                // SAFETY: there is room, and what is written is counted.
                unsafe {
                    let n = number::write_i64(sink.tail().cast::<O::Unit>(), value);
                    sink.advance(n * width);
                }
            }
        }
        Node::Uint(value) => {
            if sink.reserve(number::U64_LEN * width) {
                // SAFETY: there is room, and what is written is counted.
                unsafe {
                    let n = number::write_u64(sink.tail().cast::<O::Unit>(), value);
                    sink.advance(n * width);
                }
            }
        }
        Node::Float(value) => style.float::<O>(sink, value),
        Node::Literal(text) => plain::ascii::<O>(sink, text),
        Node::String(text) => {
            if style.string::<O>(sink, text, inside).is_err() {
                return Scalar::Refused;
            }
        }
        Node::Array => return Scalar::Container { object: false },
        Node::Object => return Scalar::Container { object: true },
    }
    Scalar::Written
}
