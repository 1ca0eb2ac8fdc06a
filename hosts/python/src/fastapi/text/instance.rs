//! Instances of dataclasses: what [`crate::fastapi::dataclass`] makes a tree
//! of.

use linecaster_kernel::output::Output;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::Writer;
use crate::encode::attributes::own_dict;
use crate::fastapi::dataclass::{is_copied_equal, noted_names, value_of};
use crate::fastapi::dicts::is_private;
use crate::fastapi::kinds::{self, Kind};
use crate::fastapi::rules;
use crate::fastapi::sequences::items_of;
use crate::fastapi::tree::is_atom;
use crate::ffi::dict;
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::Owned;

impl<O: Output> Writer<'_, '_, O> {
    /// Writes an instance.
    ///
    /// # Safety
    /// The GIL is held, and the instance is alive.
    pub unsafe fn instance(&mut self, op: *mut PyObject, levels: usize) -> Option<()> {
        if levels == 0 {
            return None;
        }
        // SAFETY: the instance is alive, and keeps its dict, which nobody
        // changes; what is read otherwise is owned.
        unsafe {
            let names = noted_names(op)?;
            let count = py::PyTuple_GET_SIZE(names.as_ptr());
            let own = own_dict(op)?;
            let (entries, mut pos) = (Entries::of(own), 0);
            let mut in_order = dict::len(own) == count;
            self.open(b'{')?;
            for i in 0..count {
                let name = py::PyTuple_GET_ITEM(names.as_ptr(), i);
                if in_order {
                    match entries.next(&mut pos) {
                        Some([key, value]) if key == name => {
                            self.member(key, value, levels)?;
                            continue;
                        }
                        _ => in_order = false,
                    }
                }
                let value = Owned::from_new(py::PyObject_GenericGetAttr(op, name))?;
                self.member(name, value.as_ptr(), levels)?;
            }
            self.close(b'}')
        }
    }

    #[inline(always)]
    unsafe fn member(
        &mut self,
        key: *mut PyObject,
        value: *mut PyObject,
        levels: usize,
    ) -> Option<()> {
        let settings = self.call.settings;
        // SAFETY: both are alive, and the key is an exact `str`.
        unsafe {
            if settings.safe && is_private(key) || settings.no_none && value == py::Py_None() {
                return Some(());
            }
            self.key(key)?;
            self.copied(value, levels - 1)
        }
    }

    /// Writes a value that `asdict` copies.
    unsafe fn copied(&mut self, op: *mut PyObject, levels: usize) -> Option<()> {
        // SAFETY: the value is held by a container that nobody changes.
        unsafe {
            let class = py::Py_TYPE(op);
            if is_atom(class) {
                return self.leaf(op);
            }
            if levels == 0 {
                return None;
            }
            if class == &raw mut py::PyList_Type || class == &raw mut py::PyTuple_Type {
                let (items, len) = items_of(op, class == &raw mut py::PyList_Type);
                self.open(b'[')?;
                for i in 0..len {
                    self.copied(*items.add(i), levels - 1)?;
                }
                return self.close(b']');
            }
            if class == &raw mut py::PyDict_Type {
                let (entries, mut pos) = (Entries::of(op), 0);
                self.open(b'{')?;
                while let Some([key, value]) = entries.next(&mut pos) {
                    if py::PyUnicode_CheckExact(key) == 0 {
                        return None;
                    }
                    self.member(key, value, levels)?;
                }
                return self.close(b'}');
            }
            let told = kinds::noted(class)?;
            if told != Kind::Dataclass && self.call.custom.is_for(class) {
                return None;
            }
            match told {
                Kind::Dataclass => self.instance(op, levels),
                Kind::Enum {
                    in_place: true,
                    copied: true,
                } => {
                    let value = value_of(op)?;
                    if !is_atom(py::Py_TYPE(value.as_ptr())) {
                        return None;
                    }
                    self.leaf(value.as_ptr())
                }
                Kind::Leaf(leaf) if is_copied_equal(leaf, op) => {
                    if !self.call.parts.has_own_encoder(leaf, class) {
                        return None;
                    }
                    self.with(|quick| rules::known(quick, leaf, op))
                }
                _ => None,
            }
        }
    }
}
