//! Containers under way: where the tree stands in one, and what it becomes.
//!
//! Frames lie in a vector, not on the C stack, so that no nesting of data ends
//! the process, whatever recursion limit is set.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::settings::Scope;
use crate::args::set_error;
use crate::ffi::dict;
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::{Owned, Raised};

/// How a container is gone through.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// An exact list, by index, as long as there is an item: what changes
    /// while code of a user runs shows, as it does in a `for` loop.
    List,
    /// An exact tuple.
    Tuple,
    /// An iterator, for a list.
    Iterator,
    /// An exact dict whose keys stay as they are: the result is a copy of its
    /// table, in which values are replaced.
    Table,
    /// An iterator over the items of a dict, for a dict.
    Items,
    /// An exact dict, as its own iterator goes through it.
    Members,
}

/// A container under way.
pub struct Frame {
    /// The container or the iterator.
    pub source: Owned,
    /// The list or dict that it becomes.
    pub result: Owned,
    /// The next item or entry. In a table, that of the value under way.
    pub pos: usize,
    /// For the items or members.
    pub scope: Scope,
    pub way: Way,
    /// Going on in an iterator may run code of a user.
    pub foreign: bool,
    /// How many calls of the original would be under way.
    pub depth: usize,
    /// [`super::tree::Tree::called`] when the frame was made.
    pub called: u64,
    /// The keys that members may have, a set.
    pub allowed: Option<Owned>,
    /// The key of the value under way, as it will be in the result.
    pub key: Option<Owned>,
    /// The table of the source as it was.
    pub table: Table,
    /// Members that are left, for [`Way::Members`].
    pub left: usize,
}

/// Where a dict's entries lie, and how many there are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Table {
    first: *const u8,
    stride: usize,
    /// Entries, deleted ones among them.
    pub count: usize,
    /// Members.
    pub members: py::Py_ssize_t,
}

impl Table {
    /// Of no dict.
    pub const NONE: Table = Table {
        first: core::ptr::null(),
        stride: 0,
        count: 0,
        members: 0,
    };

    /// Of a dict of that many members, wherever they are.
    pub fn of_size(members: py::Py_ssize_t) -> Table {
        Table {
            members,
            ..Table::NONE
        }
    }

    /// The table of `dict`; `None` where it cannot be read in place.
    ///
    /// # Safety
    /// It is a dict.
    #[inline(always)]
    pub unsafe fn of(dict: *mut PyObject) -> Option<Table> {
        // SAFETY: as the caller says.
        unsafe {
            let (first, stride, count) = Entries::of(dict).in_place()?;
            Some(Table {
                first,
                stride,
                count,
                members: dict::len(dict),
            })
        }
    }

    /// Whether both have their entries in the same places.
    #[inline(always)]
    pub fn is_like(&self, other: &Table) -> bool {
        self.count == other.count && self.stride == other.stride
    }

    /// The key and value at `i`; the value of a deleted entry is null.
    ///
    /// # Safety
    /// The dict has not changed its table since, and `i` is below the count.
    #[inline(always)]
    pub unsafe fn entry(&self, i: usize) -> [*mut PyObject; 2] {
        // SAFETY: as the caller says.
        unsafe {
            let entry = self.first.add(self.stride * i);
            entry.cast::<[*mut PyObject; 2]>().read_unaligned()
        }
    }

    /// Puts another value into entry `i` of `dict`, whose table this is.
    ///
    /// # Safety
    /// As for [`Table::entry`], the entry is not a deleted one, and nobody
    /// else has seen the dict.
    #[inline(always)]
    pub unsafe fn replace(&self, dict: *mut PyObject, i: usize, value: Owned) {
        // SAFETY: as the caller says. The old value is released when the dict
        // is in order again.
        unsafe {
            let tracked = (*py::Py_TYPE(value.as_ptr())).tp_flags & py::Py_TPFLAGS_HAVE_GC != 0;
            let value_at = self.stride * i + size_of::<*mut PyObject>();
            let place = self.first.add(value_at).cast_mut();
            let old = place.cast::<*mut PyObject>().read_unaligned();
            place
                .cast::<*mut PyObject>()
                .write_unaligned(value.into_ptr());
            if tracked && py::PyObject_GC_IsTracked(dict) == 0 {
                py::PyObject_GC_Track(dict.cast());
            }
            py::Py_DECREF(old);
        }
    }
}

impl Frame {
    /// At the first item of what has no table.
    #[inline(always)]
    pub fn new(
        way: Way,
        source: Owned,
        result: Owned,
        scope: Scope,
        depth: usize,
        called: u64,
    ) -> Frame {
        Frame {
            source,
            result,
            pos: 0,
            scope,
            way,
            foreign: false,
            depth,
            called,
            allowed: None,
            key: None,
            table: Table::NONE,
            left: 0,
        }
    }

    /// The next member of the exact dict that is the source.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn next_member(&mut self) -> Result<Option<[Owned; 2]>, Raised> {
        // SAFETY: the frame owns the dict, whose entries are looked for anew.
        unsafe {
            let source = self.source.as_ptr();
            let changed = if dict::len(source) == self.table.members {
                let mut pos = self.pos as py::Py_ssize_t;
                let Some(pair) = Entries::of(source).next(&mut pos) else {
                    return Ok(None);
                };
                self.pos = pos as usize;
                if self.left != 0 {
                    self.left -= 1;
                    return Ok(Some(pair.map(|op| Owned::from_borrowed(op))));
                }
                "dictionary keys changed during iteration"
            } else {
                "dictionary changed size during iteration"
            };
            set_error(py::PyExc_RuntimeError, changed);
            Err(Raised)
        }
    }

    /// Takes the value that belongs to the place where the frame stands.
    ///
    /// # Safety
    /// The GIL is held, and a value was under way.
    pub unsafe fn put(&mut self, value: Owned) -> Result<(), Raised> {
        // SAFETY: the result is of the frame's kind, and nobody else's.
        unsafe {
            let result = self.result.as_ptr();
            match self.way {
                Way::List | Way::Tuple | Way::Iterator => crate::ffi::list::push(result, value),
                Way::Table => {
                    if let Some(table) = Table::of(result) {
                        table.replace(result, self.pos, value);
                    }
                    self.pos += 1;
                    Ok(())
                }
                Way::Items | Way::Members => {
                    let Some(key) = self.key.take() else {
                        return Ok(());
                    };
                    if py::PyDict_SetItem(result, key.as_ptr(), value.as_ptr()) != 0 {
                        return Err(Raised);
                    }
                    Ok(())
                }
            }
        }
    }
}
