//! The extra `deep`: `include` and `exclude` at every level of plain dicts,
//! lists and tuples, as [`Filters`] say.
//!
//! Containers with filters nest on the C stack, as deep as the filters do; all
//! below them is walked as ever.

use pyo3_ffi as py;

use super::filters::Filters;
use super::kinds::{self, Kind};
use super::settings::Scope;
use super::tree::{Begun, Tree, is_atom};
use crate::ffi::list;
use crate::ffi::owned::{Owned, Raised};

impl Tree<'_> {
    /// What the filters leave of a container; `None` for what they do not go
    /// into, or not here.
    ///
    /// # Safety
    /// The GIL is held, and there are filters.
    pub(super) unsafe fn narrowed(&mut self, op: &Owned, scope: Scope, depth: usize) -> Begun {
        // SAFETY: as the caller says.
        unsafe {
            let item = op.as_ptr();
            if py::PyDict_CheckExact(item) != 0 {
                return self.narrowed_dict(op, scope, depth).map(Some);
            }
            if py::PyList_CheckExact(item) != 0 || py::PyTuple_CheckExact(item) != 0 {
                return self.narrowed_list(op, scope, depth).map(Some);
            }
            match kinds::kind_of(self.parts, item)? {
                Kind::Dict => self.narrowed_dict(op, scope, depth).map(Some),
                // Items of sets have no indices: all are taken.
                Kind::Iterable if py::PyAnySet_Check(item) != 0 => {
                    let scope = scope.without(Scope::FILTERED);
                    let set = Owned::from_borrowed(item);
                    self.of(set, scope, depth).map(Some)
                }
                Kind::Iterable => self.narrowed_list(op, scope, depth).map(Some),
                _ => Ok(None),
            }
        }
    }

    unsafe fn narrowed_list(
        &mut self,
        op: &Owned,
        scope: Scope,
        depth: usize,
    ) -> Result<Owned, Raised> {
        // SAFETY: the container is owned, and the list of its items is nobody
        // else's.
        unsafe {
            self.called += 1;
            let items = Owned::from_call(py::PySequence_List(op.as_ptr()))?;
            let len = py::PyList_GET_SIZE(items.as_ptr());
            let filters = self.settings.filters().of_list(len)?;
            let result = Owned::from_call(py::PyList_New(0))?;
            for i in 0..len {
                let index = Owned::from_call(py::PyLong_FromSsize_t(i))?;
                let Some(inner) = filters.of_item(&index)? else {
                    continue;
                };
                let item = Owned::from_borrowed(py::PyList_GET_ITEM(items.as_ptr(), i));
                let made = self.beneath(item, inner, scope, depth + 1)?;
                list::push(result.as_ptr(), made)?;
            }
            Ok(result)
        }
    }

    unsafe fn narrowed_dict(
        &mut self,
        op: &Owned,
        scope: Scope,
        depth: usize,
    ) -> Result<Owned, Raised> {
        // SAFETY: the dict is owned, and the list of its items is nobody
        // else's.
        unsafe {
            self.called += 1;
            let items = Owned::from_call(py::PyMapping_Items(op.as_ptr()))?;
            let filters = self.settings.filters();
            let inside = scope.of_members(self.parts);
            let result = Owned::from_call(py::PyDict_New())?;
            for i in 0..py::PyList_GET_SIZE(items.as_ptr()) {
                let item = Owned::from_borrowed(py::PyList_GET_ITEM(items.as_ptr(), i));
                let [key, value] = self.pair(item)?;
                let dropped = self.settings.safe && self.is_private_key(&key)?
                    || self.settings.no_none && value.as_ptr() == py::Py_None();
                if dropped {
                    continue;
                }
                let Some(inner) = filters.of_item(&key)? else {
                    continue;
                };
                let key = self.key(key, inside, depth + 1)?;
                let value = self.beneath(value, inner, inside, depth + 1)?;
                if py::PyDict_SetItem(result.as_ptr(), key.as_ptr(), value.as_ptr()) != 0 {
                    return Err(Raised);
                }
            }
            Ok(result)
        }
    }

    /// The tree of a value for which other filters hold.
    ///
    /// # Safety
    /// The GIL is held.
    pub(super) unsafe fn beneath(
        &mut self,
        op: Owned,
        filters: Filters,
        scope: Scope,
        depth: usize,
    ) -> Result<Owned, Raised> {
        // SAFETY: the value is owned.
        unsafe {
            let scope = scope.without(Scope::FILTERED);
            if !scope.has(Scope::CUSTOM) && is_atom(py::Py_TYPE(op.as_ptr())) {
                return Ok(op);
            }
            if py::Py_EnterRecursiveCall(c" while calling a Python object".as_ptr()) != 0 {
                return Err(Raised);
            }
            let made = if filters.are_none() {
                self.asked(op, scope, depth)
            } else {
                let settings = self.settings.beneath(filters);
                let mut tree = Tree {
                    limit: self.limit,
                    via: self.via,
                    ..Tree::new(&settings, self.parts)
                };
                let made = tree.asked(op, scope.with_filters(), depth);
                self.called += tree.called;
                made
            };
            py::Py_LeaveRecursiveCall();
            made
        }
    }

    /// The tree of a value for which `custom_encoder` was not asked yet.
    unsafe fn asked(&mut self, op: Owned, scope: Scope, depth: usize) -> Result<Owned, Raised> {
        // SAFETY: the value is owned.
        unsafe {
            if scope.has(Scope::CUSTOM)
                && let Some(made) = self.custom(&op)?
            {
                return Ok(made);
            }
            self.of(op, scope, depth)
        }
    }
}
