//! Python's literals, as Jsonnet writes them.
//!
//! `manifestPython` is JSON on one line with other words for the constants;
//! `manifestPythonVars` is a line `name = literal` for each member.

use alloc::vec::Vec;

use linecaster_kernel::number::float_style;
use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::{self, Word};
use linecaster_kernel::sink::Sink;

use crate::json::{Dialect, JsonEmitter, Layout, Numbers, State};
use crate::text;
use crate::tree::{self, Frame, Node, Refusal, Tree};

/// Jsonnet's `manifestPython`, with [`Layout::SPACED`].
#[derive(Clone, Copy, Debug)]
pub struct PythonLiterals;

impl Dialect for PythonLiterals {
    type Policy = policy::JsonControls;
    type Floats = float_style::EcmaScript;
    const NUMBERS: Numbers = Numbers::General;
    const NULL: Word = Word::new(b"None");
    const TRUE: Word = Word::new(b"True");
    const FALSE: Word = Word::new(b"False");
}

/// Writes `value` as a literal.
///
/// # Errors
/// The host's.
pub fn write<O: Output, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    value: T::Value,
) -> Result<(), T::Error> {
    let mut emitter = JsonEmitter::<O, PythonLiterals>::new(sink, &Layout::SPACED, State::START);
    tree::emit(tree, value, &mut emitter)
}

/// Writes a line `name = literal` for each member of `object`.
///
/// # Errors
/// The host's; [`Refusal::Root`] for a value that is no object.
pub fn write_vars<O: Output, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    object: T::Value,
) -> Result<(), T::Error> {
    if !matches!(tree.node(&object), Node::Object) {
        return Err(tree.refuse(Refusal::Root, &object, Vec::new()));
    }
    let mut members = Frame::open(tree, object, true)?;
    while let Some(value) = members.next(tree)? {
        if text::verbatim::<O>(sink, members.key(tree)).is_err() {
            let path = tree::path(tree, [&members]);
            return Err(tree.refuse(Refusal::Value, &value, path));
        }
        plain::word::<O>(sink, Word::new(b" = "));
        write::<O, T>(tree, sink, value)?;
        plain::word::<O>(sink, Word::new(b"\n"));
    }
    Ok(())
}
