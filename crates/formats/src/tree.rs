//! The view of a host's values that formats walk themselves.
//!
//! A host that walks its values pushes tokens into an [`Emitter`]. Formats
//! that must look ahead cannot be written so (TOML has a table's scalars
//! before its tables), and what to write may depend on the whole shape of a
//! value (INI, XML). For these a host implements [`Tree`].
//!
//! No intermediate tree is made: a format asks for one value after the other,
//! in order, and a lazy host makes each when it is asked for
//! ([`Tree::next`] may fail). A format that looks ahead asks twice; the host
//! is expected to keep what it has made. Values are released by dropping them.
//!
//! Formats keep their place on a stack of their own in the heap, so that no
//! depth of nesting overflows the native one. A host limits the depth by
//! [`Tree::descend`].

use alloc::string::String;
use alloc::vec::Vec;

use linecaster_kernel::escape::LoneSurrogate;

use crate::text::find_line;

use crate::Emitter;

/// A string in the representation that its host has it in.
#[derive(Clone, Copy, Debug)]
pub enum Chars<'a> {
    /// Characters below U+0080.
    Ascii(&'a [u8]),
    /// Well-formed UTF-8.
    Utf8(&'a [u8]),
    /// One byte, one character.
    Latin1(&'a [u8]),
    /// Two bytes, one character, lone surrogates allowed.
    Ucs2(&'a [u16]),
    /// Four bytes, one character, lone surrogates allowed.
    Ucs4(&'a [u32]),
}

/// Calls `$body` with `$text: Text` and `$units: &[$text::Unit]`.
macro_rules! with_text {
    ($chars:expr, $text:ident, $units:ident => $body:expr) => {
        match $chars {
            $crate::tree::Chars::Ascii($units) => {
                type $text = linecaster_kernel::text::Ascii;
                $body
            }
            $crate::tree::Chars::Utf8($units) => {
                type $text = linecaster_kernel::text::Utf8;
                $body
            }
            $crate::tree::Chars::Latin1($units) => {
                type $text = linecaster_kernel::text::Latin1;
                $body
            }
            $crate::tree::Chars::Ucs2($units) => {
                type $text = linecaster_kernel::text::Ucs2;
                $body
            }
            $crate::tree::Chars::Ucs4($units) => {
                type $text = linecaster_kernel::text::Ucs4;
                $body
            }
        }
    };
}
pub(crate) use with_text;

impl<'a> From<&'a str> for Chars<'a> {
    fn from(text: &'a str) -> Chars<'a> {
        Chars::Utf8(text.as_bytes())
    }
}

impl Chars<'_> {
    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        match self {
            Chars::Ascii(units) | Chars::Utf8(units) | Chars::Latin1(units) => units.is_empty(),
            Chars::Ucs2(units) => units.is_empty(),
            Chars::Ucs4(units) => units.is_empty(),
        }
    }

    /// Whether there is a line feed.
    pub fn has_line_feed(self) -> bool {
        match self {
            Chars::Ascii(units) | Chars::Utf8(units) | Chars::Latin1(units) => find_line(units),
            Chars::Ucs2(units) => find_line(units),
            Chars::Ucs4(units) => find_line(units),
        }
        .is_some()
    }

    /// The characters as an owned string, for messages; what no `char` is
    /// becomes U+FFFD.
    pub fn to_text(self) -> String {
        let wide = |c: u32| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER);
        match self {
            Chars::Ascii(units) | Chars::Utf8(units) => String::from_utf8_lossy(units).into_owned(),
            Chars::Latin1(units) => units.iter().map(|&c| c as char).collect(),
            Chars::Ucs2(units) => units.iter().map(|&c| wide(c.into())).collect(),
            Chars::Ucs4(units) => units.iter().map(|&c| wide(c)).collect(),
        }
    }
}

/// A value, looked at.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    /// The null value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A float. What is not finite, only some formats can write.
    Float(f64),
    /// A number or date that is already text in the format, in ASCII.
    Literal(&'a [u8]),
    /// A string.
    String(Chars<'a>),
    /// Items in order: ask for them by [`Tree::open`].
    Array,
    /// Members in order: ask for them by [`Tree::open`].
    Object,
    /// What no format can write: a function, say.
    Other,
}

/// A node without what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in `Node`")]
pub enum Kind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
    Other,
}

impl Node<'_> {
    /// What kind of value it is.
    pub fn kind(&self) -> Kind {
        match self {
            Node::Null => Kind::Null,
            Node::Bool(_) => Kind::Bool,
            Node::Int(_) | Node::Uint(_) | Node::Float(_) | Node::Literal(_) => Kind::Number,
            Node::String(_) => Kind::String,
            Node::Array => Kind::Array,
            Node::Object => Kind::Object,
            Node::Other => Kind::Other,
        }
    }
}

/// One step from a container to a value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To an object's member.
    Key(String),
    /// To an array's item.
    Index(usize),
}

/// Why a value cannot be written where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The format has no such values, or the string has a lone surrogate.
    Value,
    /// The whole document must be of another kind.
    Root,
    /// A section of INI that is no object.
    Section,
    /// What should be an element of XML is no array, or an empty one.
    Element,
    /// The name of an element of XML is no string.
    Tag,
}

/// A host's values.
pub trait Tree {
    /// A value that is ready: its kind is known, its contents may be lazy.
    type Value;
    /// How far the contents of a container have been asked for.
    type Cursor;
    /// What stops the writing.
    type Error;

    /// Looks at a value.
    fn node<'a>(&'a mut self, value: &'a Self::Value) -> Node<'a>;

    /// Begins with an array's items or an object's members.
    ///
    /// # Errors
    /// The host's, say of an assertion.
    fn open(&mut self, container: &Self::Value) -> Result<Self::Cursor, Self::Error>;

    /// Whether there are items or members at all; none is made for that.
    fn is_empty(&mut self, container: &Self::Value) -> bool;

    /// The next item, or the value of the next member.
    ///
    /// # Errors
    /// The host's, of making the value.
    fn next(
        &mut self,
        container: &Self::Value,
        cursor: &mut Self::Cursor,
    ) -> Result<Option<Self::Value>, Self::Error>;

    /// The key of the member that [`Tree::next`] came to last, successfully or
    /// not.
    fn key<'a>(&'a self, object: &'a Self::Value, cursor: &'a Self::Cursor) -> Chars<'a>;

    /// Called before each value, with the number of levels above it as the
    /// format counts them.
    ///
    /// # Errors
    /// When that is too deep.
    fn descend(&mut self, _depth: usize) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The error for a value that cannot be written.
    fn refuse(&mut self, why: Refusal, value: &Self::Value, path: Vec<Step>) -> Self::Error;
}

/// A container that is being written.
pub(crate) struct Frame<T: Tree + ?Sized> {
    pub(crate) value: T::Value,
    pub(crate) cursor: T::Cursor,
    pub(crate) object: bool,
    /// Items or members that were asked for.
    pub(crate) count: usize,
}

impl<T: Tree + ?Sized> Frame<T> {
    pub(crate) fn open(tree: &mut T, value: T::Value, object: bool) -> Result<Self, T::Error> {
        let cursor = tree.open(&value)?;
        Ok(Frame {
            value,
            cursor,
            object,
            count: 0,
        })
    }

    #[inline]
    pub(crate) fn next(&mut self, tree: &mut T) -> Result<Option<T::Value>, T::Error> {
        let next = tree.next(&self.value, &mut self.cursor)?;
        self.count += usize::from(next.is_some());
        Ok(next)
    }

    pub(crate) fn key<'a>(&'a self, tree: &'a T) -> Chars<'a> {
        tree.key(&self.value, &self.cursor)
    }

    /// The step to what was asked for last.
    pub(crate) fn step(&self, tree: &T) -> Step {
        if self.object {
            Step::Key(self.key(tree).to_text())
        } else {
            Step::Index(self.count - 1)
        }
    }
}

/// The steps to what the last of the frames gave last.
pub(crate) fn path<'a, T: Tree + ?Sized + 'a>(
    tree: &T,
    frames: impl IntoIterator<Item = &'a Frame<T>>,
) -> Vec<Step> {
    frames.into_iter().map(|frame| frame.step(tree)).collect()
}

/// Writes a value, with all that it holds, into an emitter.
///
/// # Errors
/// The host's.
pub fn emit<T: Tree, E: Emitter>(
    tree: &mut T,
    value: T::Value,
    emitter: &mut E,
) -> Result<(), T::Error> {
    let mut frames: Vec<Frame<T>> = Vec::new();
    let mut value = Some(value);
    loop {
        if let Some(value) = value.take() {
            tree.descend(frames.len())?;
            match emit_scalar(tree, &value, emitter) {
                Scalar::Written => {}
                Scalar::Refused => {
                    let path = path(tree, &frames);
                    return Err(tree.refuse(Refusal::Value, &value, path));
                }
                Scalar::Container { object } => {
                    if object {
                        emitter.begin_object();
                    } else {
                        emitter.begin_array();
                    }
                    frames.push(Frame::open(tree, value, object)?);
                }
            }
        }
        let Some(frame) = frames.last_mut() else {
            return Ok(());
        };
        value = frame.next(tree)?;
        if value.is_none() {
            if frame.object {
                emitter.end_object();
            } else {
                emitter.end_array();
            }
            frames.pop();
            if frames.is_empty() {
                return Ok(());
            }
        } else if frame.object && key(emitter, frame.key(tree)).is_err() {
            let path = path(tree, &frames);
            let object = &frames[frames.len() - 1].value;
            return Err(tree.refuse(Refusal::Value, object, path));
        }
    }
}

fn key<E: Emitter>(emitter: &mut E, key: Chars<'_>) -> Result<(), LoneSurrogate> {
    with_text!(key, T, units => emitter.key::<T>(units))
}

enum Scalar {
    Written,
    Refused,
    Container { object: bool },
}

fn emit_scalar<T: Tree, E: Emitter>(tree: &mut T, value: &T::Value, emitter: &mut E) -> Scalar {
    match tree.node(value) {
        Node::Null => emitter.null(),
        Node::Bool(value) => emitter.bool(value),
        Node::Int(value) => emitter.int(value),
        Node::Uint(value) => emitter.uint(value),
        Node::Float(value) => emitter.float(value),
        Node::Literal(text) => emitter.number_text(text),
        Node::String(chars) => {
            if with_text!(chars, C, units => emitter.string::<C>(units)).is_err() {
                return Scalar::Refused;
            }
        }
        Node::Array => return Scalar::Container { object: false },
        Node::Object => return Scalar::Container { object: true },
        Node::Other => return Scalar::Refused,
    }
    Scalar::Written
}
