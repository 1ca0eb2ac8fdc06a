//! The extra `relationships`: mapped objects (models of `SQLModel`, and others
//! that `SQLAlchemy` maps) with what they are related to, as far as that is
//! loaded: nothing is ever asked of a database.
//!
//! A relationship that leads back the way that the walk came is left out, and
//! an object that is met inside of itself is written without relationships. So
//! every walk ends.

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use super::dicts::is_private;
use super::extras::Helpers;
use super::filters::Filters;
use super::settings::Scope;
use super::tree::Tree;
use crate::encode::attributes::inherited;
use crate::encode::names;
use crate::ffi::owned::{Owned, Raised};

/// An object under way, in one of its relationships.
pub struct Via<'a> {
    object: *mut PyObject,
    /// What leads back from there, a frozenset of names.
    back: *mut PyObject,
    outer: Option<&'a Via<'a>>,
}

impl Via<'_> {
    fn is_under_way(&self, op: *mut PyObject) -> bool {
        self.object == op || self.outer.is_some_and(|outer| outer.is_under_way(op))
    }
}

/// Whether SQLAlchemy maps a class.
///
/// # Safety
/// The GIL is held, and the class is alive.
pub unsafe fn is_mapped(class: *mut PyTypeObject) -> Result<bool, Raised> {
    // SAFETY: as the caller says.
    unsafe { Ok(inherited(class, names::MAPPER.get()?)?.is_some()) }
}

impl Tree<'_> {
    /// The tree of a mapped object.
    ///
    /// # Safety
    /// The GIL is held.
    pub(super) unsafe fn related(
        &mut self,
        op: &Owned,
        scope: Scope,
        depth: usize,
    ) -> Result<Owned, Raised> {
        self.called += 1;
        // SAFETY: the object is owned, and so is all that is found. The helper
        // gives what is described in its file.
        unsafe {
            let helpers = Helpers::get().ok_or(Raised)?;
            let found = Owned::from_call(py::PyObject_CallOneArg(helpers.related, op.as_ptr()))?;
            let own = Owned::from_borrowed(py::PyTuple_GET_ITEM(found.as_ptr(), 0));
            let relations = py::PyTuple_GET_ITEM(found.as_ptr(), 1);
            let made = if own.as_ptr() == py::Py_None() {
                let dump = self.dump(op, scope)?;
                self.of(dump, scope.of_dump(), depth + 1)?
            } else {
                self.of(own, scope, depth + 1)?
            };
            let again = self.via.is_some_and(|via| via.is_under_way(op.as_ptr()));
            if again || py::PyDict_CheckExact(made.as_ptr()) == 0 {
                return Ok(made);
            }
            for i in 0..py::PyTuple_GET_SIZE(relations) {
                let [name, value, back] = [0, 1, 2]
                    .map(|part| py::PyTuple_GET_ITEM(py::PyTuple_GET_ITEM(relations, i), part));
                let Some(inner) = self.follows(name, value, scope)? else {
                    continue;
                };
                let via = Via {
                    object: op.as_ptr(),
                    back,
                    outer: self.via,
                };
                let mut tree = Tree {
                    limit: self.limit,
                    via: Some(&via),
                    ..Tree::new(self.settings, self.parts)
                };
                let value = Owned::from_borrowed(value);
                let value = tree.beneath(value, inner, scope, depth + 1)?;
                self.called += tree.called;
                if py::PyDict_SetItem(made.as_ptr(), name, value.as_ptr()) != 0 {
                    return Err(Raised);
                }
            }
            Ok(made)
        }
    }

    /// Whether a relationship is written, and what filters hold for it.
    unsafe fn follows(
        &self,
        name: *mut PyObject,
        value: *mut PyObject,
        scope: Scope,
    ) -> Result<Option<Filters>, Raised> {
        let settings = self.settings;
        // SAFETY: the caller's objects are alive; names are `str`.
        unsafe {
            if settings.safe && is_private(name) || settings.no_none && value == py::Py_None() {
                return Ok(None);
            }
            if let Some(via) = self.via {
                match py::PySet_Contains(via.back, name) {
                    -1 => return Err(Raised),
                    0 => {}
                    _ => return Ok(None),
                }
            }
            if !scope.has(Scope::FILTERED) {
                return Ok(Some(Filters::NONE));
            }
            settings.filters().of_item(&Owned::from_borrowed(name))
        }
    }
}
