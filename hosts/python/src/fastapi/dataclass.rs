//! Instances of dataclasses, as through `dataclasses.asdict`.
//!
//! That turns instances into dicts, rebuilds lists, tuples and dicts, and
//! makes deep copies of all else, before anything is encoded. Where nothing
//! but exact built-in types, values that copies are equal to and further
//! instances is met, both are one step, and no code of a user runs. On
//! anything else what was made is dropped, and `asdict` is asked for the
//! outermost instance.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::frame::Table;
use super::kinds::{self, Kind};
use super::leaves::{Leaf, has_no_zone, spelled};
use super::sequences::items_of;
use super::settings::Scope;
use super::tree::{Tree, is_atom};
use crate::encode::attributes::keeps_fields;
use crate::encode::classes::{self, Class, Noted};
use crate::encode::names;
use crate::ffi::owned::Owned;
use crate::ffi::{dict, list};

/// How deep instances and containers are followed.
const DEEPEST: usize = 64;

/// Members collected for a dict, released unless they are taken.
struct Members {
    /// Keys and values in turn.
    parts: Vec<*mut PyObject>,
}

impl Members {
    unsafe fn push(&mut self, name: *mut PyObject, value: Owned) {
        // SAFETY: the caller's name is alive.
        let name = unsafe { Owned::from_borrowed(name) };
        self.parts.extend([name.into_ptr(), value.into_ptr()]);
    }

    /// The dict of all.
    unsafe fn dict(mut self) -> Option<Owned> {
        // SAFETY: the parts are owned, and not any more afterwards.
        unsafe {
            let made = dict::from_owned(&self.parts);
            self.parts.clear();
            Owned::from_new(made)
        }
    }
}

impl Drop for Members {
    fn drop(&mut self) {
        for &op in &self.parts {
            // SAFETY: the parts are owned, and the GIL is held.
            unsafe { py::Py_DECREF(op) };
        }
    }
}

impl Tree<'_> {
    /// The tree of an instance; `None`, with no exception set, if `asdict` has
    /// to be asked.
    ///
    /// # Safety
    /// The GIL is held, and `op` is an instance of a dataclass, owned by the
    /// caller.
    pub unsafe fn instance(&mut self, op: &Owned, scope: Scope, depth: usize) -> Option<Owned> {
        if scope.has(Scope::FILTERED | Scope::CUSTOM) {
            return None;
        }
        let deepest = self.limit.min(depth + DEEPEST);
        // SAFETY: as the caller says.
        unsafe {
            let made = self.fields(op.as_ptr(), deepest, depth);
            if made.is_none() {
                py::PyErr_Clear();
            }
            made
        }
    }

    /// An instance.
    unsafe fn fields(&self, op: *mut PyObject, deepest: usize, depth: usize) -> Option<Owned> {
        // SAFETY: the caller's instance is alive.
        unsafe {
            let names = names_of(op)?;
            let count = py::PyTuple_GET_SIZE(names.as_ptr());
            let mut members = Members {
                parts: Vec::with_capacity(2 * count as usize),
            };
            for i in 0..count {
                let name = py::PyTuple_GET_ITEM(names.as_ptr(), i);
                let value = Owned::from_new(py::PyObject_GenericGetAttr(op, name))?;
                if !self.drops(name, value.as_ptr()) {
                    members.push(name, self.copied(value, deepest, depth + 1)?);
                }
            }
            members.dict()
        }
    }

    /// A value that `asdict` copies.
    unsafe fn copied(&self, op: Owned, deepest: usize, depth: usize) -> Option<Owned> {
        // SAFETY: the value is owned.
        unsafe {
            let class = py::Py_TYPE(op.as_ptr());
            if is_atom(class) {
                return Some(op);
            }
            if depth > deepest {
                return None;
            }
            if class == &raw mut py::PyList_Type || class == &raw mut py::PyTuple_Type {
                return self.copied_items(op.as_ptr(), deepest, depth);
            }
            if class == &raw mut py::PyDict_Type {
                return self.copied_members(op.as_ptr(), deepest, depth);
            }
            match kinds::kind_of(self.parts, op.as_ptr()).ok()? {
                Kind::Dataclass => self.fields(op.as_ptr(), deepest, depth),
                Kind::Enum {
                    in_place: true,
                    copied: true,
                } => value_of(op.as_ptr()).filter(|value| is_atom(py::Py_TYPE(value.as_ptr()))),
                Kind::Leaf(leaf) if is_copied_equal(leaf, op.as_ptr()) => {
                    if !self.parts.has_own_encoder(leaf, class) {
                        return None;
                    }
                    spelled(leaf, op.as_ptr())?.ok()
                }
                _ => None,
            }
        }
    }

    unsafe fn copied_items(
        &self,
        op: *mut PyObject,
        deepest: usize,
        depth: usize,
    ) -> Option<Owned> {
        // SAFETY: the caller's object is an exact list or tuple; items are
        // looked for anew and owned while they are looked at.
        unsafe {
            let is_list = py::PyList_CheckExact(op) != 0;
            let result = Owned::from_new(list::with_room(items_of(op, is_list).1))?;
            let mut pos = 0;
            loop {
                let (items, len) = items_of(op, is_list);
                if pos >= len {
                    return Some(result);
                }
                let item = Owned::from_borrowed(*items.add(pos));
                let item = self.copied(item, deepest, depth + 1)?;
                list::push(result.as_ptr(), item).ok()?;
                pos += 1;
            }
        }
    }

    unsafe fn copied_members(
        &self,
        op: *mut PyObject,
        deepest: usize,
        depth: usize,
    ) -> Option<Owned> {
        // SAFETY: the caller's object is an exact dict; the table is held
        // against what it was before each entry is read.
        unsafe {
            let table = Table::of(op)?;
            let mut members = Members {
                parts: Vec::with_capacity(2 * table.members as usize),
            };
            for i in 0..table.count {
                if Table::of(op)? != table {
                    return None;
                }
                let [name, value] = table.entry(i);
                if value.is_null() {
                    continue;
                }
                if py::PyUnicode_CheckExact(name) == 0 {
                    return None;
                }
                let name = Owned::from_borrowed(name);
                if !self.drops(name.as_ptr(), value) {
                    let value = self.copied(Owned::from_borrowed(value), deepest, depth + 1)?;
                    members.push(name.as_ptr(), value);
                }
            }
            members.dict()
        }
    }
}

/// What a member of an `Enum` keeps as its value.
///
/// # Safety
/// The GIL is held, and the member is alive.
pub unsafe fn value_of(op: *mut PyObject) -> Option<Owned> {
    // SAFETY: as the caller says.
    unsafe {
        let name = names::VALUE_KEPT.get().ok()?;
        Owned::from_new(py::PyObject_GenericGetAttr(op, name))
    }
}

/// The names of the fields of an instance, if it keeps them itself.
///
/// # Safety
/// The GIL is held, and the instance is alive.
pub unsafe fn names_of(op: *mut PyObject) -> Option<Owned> {
    // SAFETY: the caller's instance is alive.
    unsafe {
        if let Some(noted) = classes::noted(py::Py_TYPE(op)) {
            return names_in(noted);
        }
        let (kind, names) = classes::class_of(op).ok()?;
        let plain = kind == Class::Fields && keeps_fields(py::Py_TYPE(op), names.as_ref()).ok()?;
        names.filter(|_| plain)
    }
}

/// The same for an instance of a class that is noted: no code runs.
///
/// # Safety
/// The GIL is held, and the instance is alive.
pub unsafe fn noted_names(op: *mut PyObject) -> Option<Owned> {
    // SAFETY: as the caller says.
    unsafe { names_in(classes::noted(py::Py_TYPE(op))?) }
}

unsafe fn names_in(noted: Noted) -> Option<Owned> {
    let plain = noted.kind == Class::Fields && noted.in_place;
    // SAFETY: the table keeps them.
    plain.then(|| unsafe { Owned::from_borrowed(noted.names) })
}

/// Whether a deep copy of a value is encoded as the value is.
///
/// # Safety
/// The GIL is held, and the value is alive and of the class.
pub unsafe fn is_copied_equal(leaf: Leaf, op: *mut PyObject) -> bool {
    // SAFETY: the caller's value is of the class.
    unsafe {
        match leaf {
            Leaf::DateTime => has_no_zone(op),
            Leaf::Time => py::PyDateTime_TIME_GET_TZINFO(op) == py::Py_None(),
            Leaf::Uuid | Leaf::Date | Leaf::Duration | Leaf::Decimal | Leaf::Bytes => true,
        }
    }
}
