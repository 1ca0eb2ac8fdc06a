//! XML from `JsonML`, as Jsonnet writes it: `std.manifestXmlJsonml`.
//!
//! An element is an array: its name, an object of attributes if there is one,
//! and its children, which are elements or strings. Nothing is escaped, no
//! element closes itself, and nothing is put between them, as in go-jsonnet.

use alloc::vec::Vec;

use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::Word;
use linecaster_kernel::sink::Sink;

use crate::ini::write_string;
use crate::text;
use crate::tree::{self, Chars, Frame, Node, Refusal, Tree};

/// An element that is being written, and its name.
struct Element<T: Tree> {
    frame: Frame<T>,
    tag: T::Value,
}

/// Writes an element.
///
/// # Errors
/// The host's; [`Refusal::Root`] for a value that is no array,
/// [`Refusal::Element`] for a child that is neither a string nor an array with
/// items, [`Refusal::Tag`] for a name that is no string.
pub fn write<O: Output, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    root: T::Value,
) -> Result<(), T::Error> {
    if !matches!(tree.node(&root), Node::Array) {
        return Err(tree.refuse(Refusal::Root, &root, Vec::new()));
    }
    let mut elements: Vec<Element<T>> = Vec::new();
    let mut child = open::<O, T>(tree, sink, &mut elements, root)?;
    loop {
        if let Some(value) = child {
            tree.descend(elements.len())?;
            match tree.node(&value) {
                Node::String(chars) => {
                    if text::verbatim::<O>(sink, chars).is_err() {
                        return Err(refuse(tree, &elements, Refusal::Value, &value));
                    }
                    child = next(tree, &mut elements)?;
                }
                Node::Array => child = open::<O, T>(tree, sink, &mut elements, value)?,
                _ => return Err(refuse(tree, &elements, Refusal::Element, &value)),
            }
            continue;
        }
        let Some(element) = elements.pop() else {
            return Ok(());
        };
        plain::word::<O>(sink, Word::new(b"</"));
        tag::<O, T>(tree, sink, &elements, &element.tag)?;
        plain::word::<O>(sink, Word::new(b">"));
        child = next(tree, &mut elements)?;
    }
}

fn next<T: Tree>(tree: &mut T, elements: &mut [Element<T>]) -> Result<Option<T::Value>, T::Error> {
    match elements.last_mut() {
        Some(element) => element.frame.next(tree),
        None => Ok(None),
    }
}

/// Writes an element's beginning and gives its first child.
fn open<O: Output, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    elements: &mut Vec<Element<T>>,
    value: T::Value,
) -> Result<Option<T::Value>, T::Error> {
    if tree.is_empty(&value) {
        return Err(refuse(tree, elements, Refusal::Element, &value));
    }
    let mut frame = Frame::open(tree, value, false)?;
    let Some(name) = frame.next(tree)? else {
        return Err(refuse(tree, elements, Refusal::Element, &frame.value));
    };
    plain::word::<O>(sink, Word::new(b"<"));
    tag::<O, T>(tree, sink, elements, &name)?;
    let mut child = frame.next(tree)?;
    elements.push(Element { frame, tag: name });
    if let Some(value) = child.take_if(|value| matches!(tree.node(value), Node::Object)) {
        attributes::<O, T>(tree, sink, value)?;
        child = next(tree, elements)?;
    }
    plain::word::<O>(sink, Word::new(b">"));
    Ok(child)
}

fn tag<O: Output, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    elements: &[Element<T>],
    name: &T::Value,
) -> Result<(), T::Error> {
    if let Node::String(chars) = tree.node(name)
        && text::verbatim::<O>(sink, chars).is_ok()
    {
        return Ok(());
    }
    Err(refuse(tree, elements, Refusal::Tag, name))
}

fn attributes<O: Output, T: Tree>(
    tree: &mut T,
    sink: &mut Sink,
    object: T::Value,
) -> Result<(), T::Error> {
    let mut members = Frame::open(tree, object, true)?;
    while let Some(value) = members.next(tree)? {
        let key: Chars<'_> = members.key(tree);
        let quoted = text::between::<linecaster_kernel::policy::Verbatim, O>(
            sink,
            Word::new(b" "),
            key,
            Word::new(b"=\""),
        );
        if quoted.is_err() {
            let path = tree::path(tree, [&members]);
            return Err(tree.refuse(Refusal::Value, &value, path));
        }
        write_string::<O, T>(tree, sink, value)?;
        plain::word::<O>(sink, Word::new(b"\""));
    }
    Ok(())
}

fn refuse<T: Tree>(
    tree: &mut T,
    elements: &[Element<T>],
    why: Refusal,
    value: &T::Value,
) -> T::Error {
    let path = tree::path(tree, elements.iter().map(|element| &element.frame));
    tree.refuse(why, value, path)
}
