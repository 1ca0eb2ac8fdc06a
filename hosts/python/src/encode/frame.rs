//! The containers that a walk stands in, on a stack of its own: nesting is
//! limited by memory and by `max_depth`, never by the C stack.

use core::cell::Cell;
use core::fmt::Write;
use core::mem::ManuallyDrop;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use crate::ffi::owned::Owned;
use crate::ffi::str::{self, Chars};

/// How a container's items are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A `list`, by index.
    List,
    /// A `tuple`, by index.
    Tuple,
    /// A `dict`, by position.
    Dict,
    /// A `dict` whose members are not yet in the order in which they are
    /// written. None of them is.
    Unsorted,
    /// A tuple of our own: a dict's keys, all of them exact strings, and
    /// values in turn, sorted.
    Members,
    /// A list of pairs of our own: a dict's items, sorted.
    Pairs,
    /// An iterator, as an array.
    Iterator,
    /// An iterator over pairs, as an object.
    PairIterator,
    /// Attributes of an object, by name.
    Fields,
    /// A `dict`, by position, of which the door writes some of the members.
    Chosen,
    /// A value for which another one is written, in the frames above.
    StandIn,
}

impl Kind {
    /// Whether it becomes an object.
    pub fn is_object(self) -> bool {
        matches!(
            self,
            Kind::Dict
                | Kind::Unsorted
                | Kind::Members
                | Kind::Pairs
                | Kind::PairIterator
                | Kind::Fields
                | Kind::Chosen
        )
    }
}

/// One container under way. It keeps what it needs alive by itself, because
/// callbacks may change the container that holds it.
pub struct Frame {
    pub kind: Kind,
    /// How many calls of `default` in a row gave this container, where a door
    /// counts them.
    pub calls: u32,
    /// The container or iterator.
    pub object: Owned,
    /// The position of the next item; for iterators, how many there were.
    pub pos: Py_ssize_t,
    /// A dict's size at the start.
    pub len: Py_ssize_t,
    /// The key under which the walk is now, for error messages.
    pub key: Option<Owned>,
    /// The tuple of names of [`Kind::Fields`], the keys that may be written of
    /// [`Kind::Chosen`]; else what `object` was made
    /// of, alive so that nothing else gets its address.
    pub owner: Option<Owned>,
    /// What is written in this frame: compared to find a cycle.
    pub identity: *mut PyObject,
}

impl Frame {
    /// Goes on with `object`, made of what the container holds, of which
    /// nothing is written yet.
    pub fn exchange(&mut self, kind: Kind, object: Owned) {
        self.kind = kind;
        self.owner = Some(core::mem::replace(&mut self.object, object));
    }
}

/// The stack; its memory is used again by the thread's next call. Most calls
/// need none, so that releasing it is out of their way.
pub struct Stack(ManuallyDrop<Vec<Frame>>);

thread_local! {
    static SPARE: Cell<Vec<Frame>> = const { Cell::new(Vec::new()) };
}

/// The most frames whose memory is kept.
const KEEP: usize = 1024;

impl Stack {
    /// An empty stack.
    pub fn new() -> Stack {
        Stack(ManuallyDrop::new(Vec::new()))
    }

    /// The innermost container.
    #[inline(always)]
    pub fn top(&mut self) -> Option<&mut Frame> {
        self.0.last_mut()
    }

    /// Enters a container, at its start; `false` when there is no memory.
    #[inline(always)]
    pub fn push(&mut self, kind: Kind, object: Owned, len: Py_ssize_t) -> bool {
        if self.0.len() == self.0.capacity() && !self.grow() {
            return false;
        }
        let identity = object.as_ptr();
        // SAFETY: there is room for one more. `Vec::push` would make the
        // frame on the C stack first and copy it in wider pieces than it was
        // written in, which stalls.
        unsafe {
            let frame = Frame {
                kind,
                calls: 0,
                object,
                pos: 0,
                len,
                key: None,
                owner: None,
                identity,
            };
            let depth = self.0.len();
            self.0.as_mut_ptr().add(depth).write(frame);
            self.0.set_len(depth + 1);
        }
        true
    }

    /// Gives everything back.
    #[inline(never)]
    fn release(&mut self) {
        // Innermost first, so that nothing is released recursively.
        while self.0.pop().is_some() {}
        let frames = core::mem::take(&mut *self.0);
        if frames.capacity() <= KEEP {
            let _ = SPARE.try_with(|kept| kept.set(frames));
        }
    }

    #[cold]
    fn grow(&mut self) -> bool {
        if self.0.capacity() == 0 {
            // There is none while the thread ends.
            *self.0 = SPARE.try_with(Cell::take).unwrap_or_default();
        }
        let depth = self.0.len();
        depth < self.0.capacity() || self.0.try_reserve(16.max(depth)).is_ok()
    }

    /// Leaves the innermost container.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// How many calls of `default` the walk is inside of.
    pub fn calls(&self) -> u32 {
        self.0.iter().map(|frame| frame.calls).sum()
    }

    /// All that the frames keep alive.
    pub fn held(&self) -> impl Iterator<Item = &Owned> {
        self.0.iter().flat_map(|frame| {
            let others = frame.key.iter().chain(&frame.owner);
            others.chain([&frame.object])
        })
    }

    /// How deep the walk is.
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.0.len()
    }

    /// Whether the walk is inside of `op` already.
    pub fn contains(&self, op: *mut PyObject) -> bool {
        self.0.iter().any(|frame| frame.identity == op)
    }

    /// Whether `op` is the ancestor that stands at the last power of two
    /// before this depth. In a cycle it is, sooner or later (Brent's method),
    /// and asking that costs the same at any depth.
    pub fn repeats(&self, op: *mut PyObject) -> bool {
        let Some(last) = self.0.len().checked_sub(1) else {
            return false;
        };
        let index = last.checked_ilog2().map_or(0, |bits| 1 << bits);
        self.0[index].identity == op
    }

    /// The containers, the outermost first.
    pub fn frames(&mut self) -> &mut [Frame] {
        &mut self.0
    }

    /// Where the walk is, as `$.items[3].name`.
    pub fn path(&self) -> String {
        const LONGEST: usize = 32;
        let mut path = String::from("$");
        let skipped = self.0.len().saturating_sub(LONGEST);
        if skipped > 0 {
            let _ = write!(path, "...({skipped} levels)...");
        }
        for frame in &self.0[skipped..] {
            if frame.kind == Kind::StandIn {
                continue;
            }
            if frame.kind.is_object() {
                if let Some(key) = &frame.key {
                    push_key(&mut path, key.as_ptr());
                }
            } else if frame.pos > 0 {
                let _ = write!(path, "[{}]", frame.pos - 1);
            }
        }
        path
    }
}

impl Drop for Stack {
    #[inline(always)]
    fn drop(&mut self) {
        // Without memory the vector needs no release.
        if self.0.capacity() > 0 {
            self.release();
        }
    }
}

/// The most characters of a key that a path shows.
const LONGEST_KEY: usize = 100;

fn push_key(path: &mut String, key: *mut PyObject) {
    // SAFETY: the frame keeps the key alive.
    let text = unsafe {
        if py::PyUnicode_Check(key) == 0 {
            path.push_str("[?]");
            return;
        }
        str::chars(key)
    };
    let text: String = match text {
        None => return,
        Some(Chars::Ascii(s) | Chars::Latin1(s)) => shown(s),
        Some(Chars::Ucs2(s)) => shown(s),
        Some(Chars::Ucs4(s)) => shown(s),
    };
    let mut chars = text.chars();
    let plain = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_');
    if plain {
        path.push('.');
        path.push_str(&text);
    } else {
        let _ = write!(path, "[{text:?}]");
    }
}

/// The beginning of a key; lone surrogates are replaced.
fn shown<U: Copy + Into<u32>>(units: &[U]) -> String {
    let chars = units.iter().take(LONGEST_KEY);
    let mut text: String = chars
        .map(|&c| char::from_u32(c.into()).unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    if units.len() > LONGEST_KEY {
        text.push('…');
    }
    text
}
