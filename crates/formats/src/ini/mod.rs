//! INI, as Jsonnet writes it: `std.manifestIni`.
//!
//! The document is an object with the members `main` (lines before the first
//! section; need not be there) and `sections`. A member of a section whose
//! value is an array is a line for each item. Values are written as Jsonnet's
//! `toString` does: strings as they are, everything else as JSON on one line.

use alloc::vec::Vec;

use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::Word;
use linecaster_kernel::sink::Sink;

use crate::json::{JsonEmitter, JsonnetOutput, Layout, State};
use crate::text;
use crate::tree::{self, Frame, Node, Refusal, Tree};

/// Writes `main`, if there is one, and `sections`, each an object.
///
/// # Errors
/// The host's; [`Refusal::Section`] for what should be an object and is not.
pub fn write<O: Output, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    main: Option<T::Value>,
    sections: T::Value,
) -> Result<(), T::Error> {
    if let Some(main) = main {
        body::<O, T>(tree, sink, main, None)?;
    }
    let mut sections = object(tree, sections, None)?;
    while let Some(section) = sections.next(tree)? {
        plain::word::<O>(sink, Word::new(b"["));
        name::<O, T>(tree, sink, &sections, None)?;
        plain::word::<O>(sink, Word::new(b"]\n"));
        body::<O, T>(tree, sink, section, Some(&sections))?;
    }
    Ok(())
}

/// Begins with an object.
fn object<T: Tree>(
    tree: &mut T,
    value: T::Value,
    outer: Option<&Frame<T>>,
) -> Result<Frame<T>, T::Error> {
    if matches!(tree.node(&value), Node::Object) {
        return Frame::open(tree, value, true);
    }
    let path = tree::path(tree, outer);
    Err(tree.refuse(Refusal::Section, &value, path))
}

/// Writes a line for each member, or each item of its value.
fn body<O: Output, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    section: T::Value,
    outer: Option<&Frame<T>>,
) -> Result<(), T::Error> {
    let mut members = object(tree, section, outer)?;
    while let Some(value) = members.next(tree)? {
        if matches!(tree.node(&value), Node::Array) {
            let mut items = Frame::open(tree, value, false)?;
            while let Some(item) = items.next(tree)? {
                line::<O, T>(tree, sink, &members, item, outer)?;
            }
        } else {
            line::<O, T>(tree, sink, &members, value, outer)?;
        }
    }
    Ok(())
}

fn line<O: Output, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    members: &Frame<T>,
    value: T::Value,
    outer: Option<&Frame<T>>,
) -> Result<(), T::Error> {
    name::<O, T>(tree, sink, members, outer)?;
    plain::word::<O>(sink, Word::new(b" = "));
    write_string::<O, T>(tree, sink, value)?;
    plain::word::<O>(sink, Word::new(b"\n"));
    Ok(())
}

/// Writes the key that an object stands at.
fn name<O: Output, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    members: &Frame<T>,
    outer: Option<&Frame<T>>,
) -> Result<(), T::Error> {
    if text::verbatim::<O>(sink, members.key(tree)).is_ok() {
        return Ok(());
    }
    let path = tree::path(tree, outer.into_iter().chain([members]));
    Err(tree.refuse(Refusal::Value, &members.value, path))
}

/// Writes a value as Jsonnet's `toString` does: a string as it is, everything
/// else as JSON on one line.
///
/// # Errors
/// The host's; the path of a refusal begins at `value`.
pub fn write_string<O: Output, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    value: T::Value,
) -> Result<(), T::Error> {
    if let Node::String(chars) = tree.node(&value) {
        if text::verbatim::<O>(sink, chars).is_ok() {
            return Ok(());
        }
        return Err(tree.refuse(Refusal::Value, &value, Vec::new()));
    }
    let mut emitter = JsonEmitter::<O, JsonnetOutput>::new(sink, &Layout::SPACED, State::START);
    tree::emit(tree, value, &mut emitter)
}
