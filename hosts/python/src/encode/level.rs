//! Where the inner loop stands in a container that it borrows.
//!
//! No code of a user runs inside of the inner loop, so it keeps neither the
//! containers alive nor looks whether they changed. Before any such code may
//! run, levels become frames ([`super::frame`]), which do.

use core::ffi::c_void;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::frame::Kind;
use super::gathered::{self, Member};
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::Owned;

/// What the address of a container is marked with if its members are gathered.
const GATHERED: usize = 1;

/// The bytes from one item of a list or tuple to the next.
const ITEM: usize = size_of::<*mut PyObject>();

/// A list, tuple or dict under way, or the members of one in a tuple or
/// [gathered](super::gathered).
#[derive(Clone, Copy)]
pub struct Level {
    /// The container, with [`GATHERED`].
    object: *mut PyObject,
    /// The next item or entry. For a dict whose entries do not lie in its
    /// table, the position as a number.
    next: *const u8,
    /// Behind the last one; above all positions for such a dict.
    end: *const u8,
    /// From one to the next: [`ITEM`], the size of a dict's entry, that of a
    /// key and a value, or 0 for such a dict.
    stride: usize,
}

impl Level {
    /// Before the item or entry at `pos`, or at the end if there is none.
    ///
    /// # Safety
    /// `object` is of that kind, alive, and does not change while the level is
    /// used.
    #[inline(always)]
    pub unsafe fn of(kind: Kind, object: *mut PyObject, pos: Py_ssize_t) -> Level {
        // SAFETY: as the caller says.
        unsafe {
            let mut level = match kind {
                Kind::List => Level::list(object),
                Kind::Tuple => Level::tuple(object),
                Kind::Members => Level::members(object),
                _ => Level::dict(object),
            };
            if level.stride == 0 {
                level.next = core::ptr::without_provenance(pos as usize);
            } else {
                let size = level.end as usize - level.next as usize;
                level.next = level.next.add((pos as usize * level.stride).min(size));
            }
            level
        }
    }

    /// The start of a container of an exact type.
    ///
    /// # Safety
    /// As for [`Level::of`], and `object` is a list, tuple or dict.
    #[inline(always)]
    pub unsafe fn start(object: *mut PyObject) -> Level {
        // SAFETY: as the caller says.
        unsafe {
            let class = py::Py_TYPE(object);
            if class == &raw mut py::PyDict_Type {
                Level::dict(object)
            } else if class == &raw mut py::PyList_Type {
                Level::list(object)
            } else {
                Level::tuple(object)
            }
        }
    }

    /// The start of a list.
    ///
    /// # Safety
    /// As for [`Level::of`].
    #[inline(always)]
    pub unsafe fn list(object: *mut PyObject) -> Level {
        // SAFETY: as the caller says; the list has so many items.
        unsafe {
            let items = (*object.cast::<py::PyListObject>()).ob_item;
            Level::items(object, items, py::PyList_GET_SIZE(object))
        }
    }

    /// The start of a tuple.
    ///
    /// # Safety
    /// As for [`Level::of`].
    #[inline(always)]
    pub unsafe fn tuple(object: *mut PyObject) -> Level {
        // SAFETY: as the caller says; the tuple has so many items.
        unsafe {
            let items = (&raw mut (*object.cast::<py::PyTupleObject>()).ob_item).cast();
            Level::items(object, items, py::PyTuple_GET_SIZE(object))
        }
    }

    /// The start of the keys and values that lie in a tuple, in turn.
    ///
    /// # Safety
    /// As for [`Level::of`].
    unsafe fn members(object: *mut PyObject) -> Level {
        // SAFETY: as the caller says.
        let items = unsafe { Level::tuple(object) };
        Level {
            stride: 2 * ITEM,
            ..items
        }
    }

    /// The start of so many members that were gathered of `object`.
    ///
    /// # Safety
    /// As for [`Level::of`]; the members stay where they are.
    #[inline(always)]
    pub unsafe fn gathered(object: *mut PyObject, members: *const Member, count: usize) -> Level {
        // SAFETY: as the caller says.
        unsafe {
            Level {
                object: object.byte_add(GATHERED),
                next: (&raw const (*members).pair).cast(),
                end: (&raw const (*members.add(count)).pair).cast(),
                stride: size_of::<Member>(),
            }
        }
    }

    /// Where the members that were gathered end; null if it is another level.
    #[inline(always)]
    pub fn gathered_end(&self) -> *const u8 {
        if self.is_gathered() {
            self.end
        } else {
            core::ptr::null()
        }
    }

    #[inline(always)]
    fn is_gathered(&self) -> bool {
        self.object as usize & GATHERED != 0
    }

    /// What is left of the members that were gathered, as a tuple of our own;
    /// `None` with an exception set when there is no memory.
    ///
    /// # Safety
    /// As for [`Level::of`], and members were gathered.
    pub unsafe fn rest(&self) -> Option<Owned> {
        // SAFETY: as the caller says.
        unsafe { gathered::owned(self.next, self.end) }
    }

    #[inline(always)]
    unsafe fn items(object: *mut PyObject, items: *mut *mut PyObject, len: Py_ssize_t) -> Level {
        Level {
            object,
            next: items.cast(),
            // SAFETY: the caller has so many items there.
            end: unsafe { items.offset(len) }.cast(),
            stride: ITEM,
        }
    }

    /// The start of a dict.
    ///
    /// # Safety
    /// As for [`Level::of`].
    #[inline(always)]
    pub unsafe fn dict(object: *mut PyObject) -> Level {
        // SAFETY: as the caller says; the entries lie there.
        unsafe {
            match Entries::of(object).in_place() {
                Some((first, stride, count)) => Level {
                    object,
                    next: first,
                    end: first.add(stride * count),
                    stride,
                },
                None => Level {
                    object,
                    next: core::ptr::null(),
                    end: core::ptr::without_provenance(usize::MAX),
                    stride: 0,
                },
            }
        }
    }

    /// The container.
    #[inline(always)]
    pub fn object(&self) -> *mut PyObject {
        self.object.map_addr(|address| address & !GATHERED)
    }

    /// Whether nothing is left. A dict whose entries do not lie in its table
    /// says so only after [`Level::entry`] found none.
    #[inline(always)]
    pub fn is_done(&self) -> bool {
        self.next == self.end
    }

    /// Whether it has keys, as a dict.
    #[inline(always)]
    pub fn is_dict(&self) -> bool {
        self.stride != ITEM
    }

    /// The next item, borrowed.
    ///
    /// # Safety
    /// It is a list or tuple that is not done.
    #[inline(always)]
    pub unsafe fn item(&mut self) -> *mut PyObject {
        // SAFETY: as the caller says.
        unsafe {
            let item = self.next.cast::<*mut PyObject>().read_unaligned();
            self.next = self.next.add(ITEM);
            item
        }
    }

    /// The next key and value, borrowed; `None` where an entry was deleted,
    /// and at the end.
    ///
    /// # Safety
    /// It is a dict that is not done.
    #[inline(always)]
    pub unsafe fn entry(&mut self) -> Option<[*mut PyObject; 2]> {
        if self.stride == 0 {
            // By value, so that levels stay in registers.
            // SAFETY: as the caller says.
            let (next, pair) = unsafe { entry_elsewhere(self.object, self.next) };
            self.next = if pair.is_some() { next } else { self.end };
            return pair;
        }
        // SAFETY: as the caller says.
        let pair = unsafe {
            let pair = self.next.cast::<[*mut PyObject; 2]>().read_unaligned();
            self.next = self.next.add(self.stride);
            pair
        };
        (!pair[1].is_null()).then_some(pair)
    }

    /// What it is in a frame.
    ///
    /// # Safety
    /// The container is alive.
    pub unsafe fn kind(&self) -> Kind {
        if self.is_gathered() {
            return Kind::Unsorted;
        }
        // SAFETY: as the caller says. The first level may be of a subclass.
        let is_tuple = unsafe { py::PyTuple_Check(self.object) } != 0;
        match (self.is_dict(), is_tuple) {
            (true, true) => Kind::Members,
            (true, false) => Kind::Dict,
            (false, true) => Kind::Tuple,
            (false, false) => Kind::List,
        }
    }

    /// The position of the next item or entry, unless members are gathered.
    ///
    /// # Safety
    /// As for [`Level::of`].
    pub unsafe fn pos(&self) -> Py_ssize_t {
        if self.stride == 0 {
            return self.next as Py_ssize_t;
        }
        // SAFETY: as the caller says.
        let start = unsafe { Level::of(self.kind(), self.object, 0) };
        ((self.next as usize - start.next as usize) / self.stride) as Py_ssize_t
    }

    /// The key of the entry that was taken last, borrowed.
    ///
    /// # Safety
    /// As for [`Level::of`], and one was taken if it is a dict.
    pub unsafe fn last_key(&self) -> Option<*mut PyObject> {
        if !self.is_dict() {
            return None;
        }
        // SAFETY: as the caller says; positions mean the same everywhere, and
        // the entry before the next one was not deleted.
        unsafe {
            if self.stride != 0 {
                let entry = self.next.sub(self.stride).cast::<c_void>();
                return Some(*entry.cast::<*mut PyObject>());
            }
            let mut pos = self.pos() - 1;
            let [key, _] = Entries::of(self.object).next(&mut pos)?;
            Some(key)
        }
    }
}

/// The entry at or behind a position, and the position behind it.
#[cold]
#[inline(never)]
unsafe fn entry_elsewhere(
    object: *mut PyObject,
    next: *const u8,
) -> (*const u8, Option<[*mut PyObject; 2]>) {
    let mut pos = next as Py_ssize_t;
    // SAFETY: as the caller of [`Level::entry`] says.
    let entry = unsafe { Entries::of(object).next(&mut pos) };
    (core::ptr::without_provenance(pos as usize), entry)
}
