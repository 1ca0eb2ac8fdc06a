//! The inner loop over plain items, and where it stands in the containers.

use core::mem::MaybeUninit;
use core::ptr::null_mut;

use linecaster_formats::json::Quick;
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::Word;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::aside::Aside;
use super::door::Door;
use super::gathered::{self, Member, Room};
use super::level::Level;
use super::plain::{Found, Takes, quick_int_key, quick_leaf, quick_text};
use super::walk::Walk;
use crate::ffi::dict;

/// How many containers the loop enters at most. Deeper ones begin anew, above
/// frames.
pub const LEVELS: usize = 32;

/// Why the loop ended.
#[derive(Clone, Copy)]
pub enum Stop {
    /// The container that it began in is closed.
    Left,
    /// There is no room, or never was.
    Full,
    /// The innermost container is at its end, not yet closed.
    End,
    /// An item that needs the general way.
    Item(*mut PyObject),
    /// A value that does; its key, the first, is written.
    Value(*mut PyObject, *mut PyObject),
    /// A member that does.
    Member(*mut PyObject, *mut PyObject),
    /// The dict that it was to go on with has changed.
    Changed,
    /// The members of the dict are to be gathered first.
    Unsorted,
    /// There is no memory for a frame; that is noted.
    NoMemory,
}

/// The loop's state: in registers, as far as they go.
pub struct Inner<'a, O, D, const LINES: bool, const MASKED: bool> {
    pub walk: &'a Walk<'a>,
    pub takes: Takes,
    /// How many levels it enters at most.
    pub most: usize,
    pub quick: Quick<O, D, LINES>,
    pub at: Level,
    /// The levels around that one.
    pub outer: &'a mut [MaybeUninit<Level>; LEVELS],
    pub depth: usize,
    pub room: &'a mut Room,
    /// Where the items of a container begin.
    pub start: *mut u8,
    /// Before the line break of this round.
    pub line: *mut u8,
}

/// What became of a member's key.
enum Name {
    /// It is written; the key and its value.
    Written(*mut PyObject, *mut PyObject),
    /// It needs the general way, with its value.
    Other(*mut PyObject, *mut PyObject),
    /// There is no member, or it is left out.
    Absent,
}

impl<O: Output, D: Door, const LINES: bool, const MASKED: bool> Inner<'_, O, D, LINES, MASKED> {
    /// One item or member, or the end of a container.
    ///
    /// # Safety
    /// All containers are alive, none of them changes, and the emitter is not
    /// used: no code of a user runs.
    #[inline(always)]
    pub unsafe fn round(&mut self) -> Option<Stop> {
        // SAFETY: as for [`Inner::round`].
        unsafe {
            self.line = self.quick.tail();
            let empty = self.line == self.start;
            if !next_line(&mut self.quick, self.at.is_done(), empty, self.depth) {
                return Some(Stop::Full);
            }
            if self.at.is_done() {
                return self.leave();
            }
            let (key, item) = if self.at.is_dict() {
                match self.name() {
                    Name::Written(key, value) => (key, value),
                    Name::Other(key, value) => return Some(Stop::Member(key, value)),
                    Name::Absent => {
                        if LINES {
                            self.quick.advance_to(self.line);
                        }
                        return None;
                    }
                }
            } else {
                (null_mut(), self.at.item())
            };
            let written = match quick_leaf::<O, D, LINES, MASKED>(&mut self.quick, item, self.takes)
            {
                Found::Written => true,
                Found::Other => self.aside(item),
                found => self.enter(found, item),
            };
            if written {
                None
            } else if key.is_null() {
                Some(Stop::Item(item))
            } else {
                Some(Stop::Value(key, item))
            }
        }
    }

    /// At the end of a container.
    #[inline(always)]
    unsafe fn leave(&mut self) -> Option<Stop> {
        if self.quick.tail() == self.start {
            return Some(Stop::End);
        }
        let bracket = if self.at.is_dict() { b'}' } else { b']' };
        // SAFETY: as for [`Inner::round`]; an item was written last.
        unsafe {
            if self.depth == 0 {
                self.quick.end(bracket);
                return Some(Stop::Left);
            }
            self.quick.close(bracket);
            self.depth -= 1;
            self.at = self.outer[self.depth].assume_init();
        }
        None
    }

    /// The key of the next member.
    #[inline(always)]
    unsafe fn name(&mut self) -> Name {
        // SAFETY: as for [`Inner::round`].
        unsafe {
            let Some([name, value]) = self.at.entry() else {
                return Name::Absent;
            };
            let written = if py::Py_TYPE(name) == &raw mut py::PyUnicode_Type {
                if D::CHOOSES && D::drops(self.walk.options, name, value) {
                    return Name::Absent;
                }
                quick_text::<O, D, LINES, MASKED>(&mut self.quick, true, name, self.takes)
            } else {
                self.takes.int_keys && quick_int_key(&mut self.quick, name)
            };
            if written {
                Name::Written(name, value)
            } else {
                Name::Other(name, value)
            }
        }
    }

    /// Writes a value of another type, or enters what is written in its stead.
    #[inline(always)]
    unsafe fn aside(&mut self, item: *mut PyObject) -> bool {
        let options = self.walk.options;
        // SAFETY: as for [`Inner::round`].
        unsafe {
            match D::aside(options, self.quick.inside_line(), item, self.takes) {
                Aside::Written(tail) => {
                    self.quick.advance_to(tail);
                    true
                }
                Aside::Dict(dict) if !options.sort_keys => self.enter(Found::Dict, dict),
                Aside::Fields => self.enter(Found::Fields, item),
                Aside::Dict(_) | Aside::General => false,
            }
        }
    }

    /// Enters a container, or writes it if it is empty.
    #[inline(always)]
    unsafe fn enter(&mut self, found: Found, item: *mut PyObject) -> bool {
        if self.depth >= self.most {
            return false;
        }
        // SAFETY: as for [`Inner::round`]; the item is what was found.
        unsafe {
            if D::CHOOSES && found == Found::Dict && !D::enters(item) {
                return false;
            }
            let (inner, open, empty) = match found {
                Found::List => (Level::list(item), b'[', const { Word::new(b"[]") }),
                Found::Tuple => (Level::tuple(item), b'[', const { Word::new(b"[]") }),
                Found::Dict if dict::len(item) == 0 => {
                    self.quick.empty(const { Word::new(b"{}") });
                    return true;
                }
                Found::Dict => match self.members(item) {
                    Some(members) => (members, b'{', Word::EMPTY),
                    None => return false,
                },
                Found::Fields => {
                    let room = self.free_room();
                    let Some(count) = D::fields(item, room) else {
                        return false;
                    };
                    let members = Level::gathered(item, room.as_ptr().cast(), count);
                    (members, b'{', Word::EMPTY)
                }
                Found::Written | Found::Other => return false,
            };
            if inner.is_done() {
                self.quick.empty(empty);
                return true;
            }
            self.quick.open(open);
            self.start = self.quick.tail();
            self.outer[self.depth].write(self.at);
            self.depth += 1;
            self.at = inner;
        }
        true
    }

    /// The members of a dict, in the order in which they are written.
    #[inline(always)]
    unsafe fn members(&mut self, dict: *mut PyObject) -> Option<Level> {
        let options = self.walk.options;
        // SAFETY: as for [`Inner::round`].
        unsafe {
            if !options.sort_keys || D::as_they_come(options, dict) {
                return Some(Level::dict(dict));
            }
            if !D::sorts(options) {
                return None;
            }
            sorted_level(dict, self.free_room())
        }
    }

    /// The room that is left for members.
    #[inline(always)]
    unsafe fn free_room(&mut self) -> &mut [MaybeUninit<Member>] {
        // SAFETY: so many levels are written; those that were gathered stand
        // in the room.
        unsafe {
            let outer = core::slice::from_raw_parts(self.outer.as_ptr().cast(), self.depth);
            let used = used(self.at.gathered_end(), outer);
            self.room.behind(used)
        }
    }
}

/// The end of the room that is in use: by the innermost level, if that is not
/// null, or by those around it.
fn used(innermost: *const u8, outer: &[Level]) -> *const u8 {
    let mut used = innermost;
    for level in outer.iter().rev() {
        if !used.is_null() {
            break;
        }
        used = level.gathered_end();
    }
    used
}

/// The members of a dict in the order of their keys, if there is room for
/// them and the keys are narrow.
///
/// # Safety
/// `dict` is a dict, alive.
#[inline(always)]
pub unsafe fn sorted_level(dict: *mut PyObject, room: &mut [MaybeUninit<Member>]) -> Option<Level> {
    // SAFETY: the caller gives a dict.
    unsafe {
        let count = gathered::sorted(dict, room)?;
        Some(Level::gathered(dict, room.as_ptr().cast(), count))
    }
}

/// Whether there is room for a round; then, in an indented layout, writes the
/// line break that it begins with: before an item of the container, so many
/// levels inside, or before its closing bracket if it is done. One that is
/// `empty` so far has none there.
///
/// # Safety
/// What is done and not empty had an item written last.
#[inline(always)]
unsafe fn next_line<O: Output, D: Door, const LINES: bool>(
    quick: &mut Quick<O, D, LINES>,
    done: bool,
    empty: bool,
    level: usize,
) -> bool {
    if !LINES {
        return quick.has_room();
    }
    let fits = quick.has_room_for_line(level);
    // SAFETY: there is room, and as the caller says.
    unsafe {
        if fits && !done {
            quick.line(level);
        } else if fits && !empty {
            quick.last_line(level);
        }
    }
    fits
}
