//! Lists, tuples, sets and what else is gone through item by item: a list each.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::frame::{Frame, Way};
use super::settings::Scope;
use super::tree::{Begun, Tree, is_atom, next};
use crate::ffi::list;
use crate::ffi::owned::Owned;

impl Tree<'_> {
    pub(super) unsafe fn enter_sequence(&mut self, op: Owned, scope: Scope, depth: usize) -> Begun {
        // SAFETY: it is an exact list or tuple. Atoms are taken over without
        // any code running, so its items stay where they are.
        unsafe {
            let is_list = py::PyList_CheckExact(op.as_ptr()) != 0;
            let (items, len) = items_of(op.as_ptr(), is_list);
            let result = Owned::from_call(list::with_room(len))?;
            let mut pos = 0;
            if self.passes_atoms(scope)? {
                // Making the result may have run finalizers of a user.
                let (items, len) = if is_list {
                    items_of(op.as_ptr(), is_list)
                } else {
                    (items, len)
                };
                while pos < len {
                    let item = *items.add(pos);
                    if !is_atom(py::Py_TYPE(item)) {
                        break;
                    }
                    list::push(result.as_ptr(), Owned::from_borrowed(item))?;
                    pos += 1;
                }
                if pos == len {
                    return Ok(Some(result));
                }
            }
            let way = if is_list { Way::List } else { Way::Tuple };
            self.frames.push(Frame {
                pos,
                ..Frame::new(way, op, result, scope, depth, self.called)
            });
            Ok(None)
        }
    }

    pub(super) unsafe fn sequence(&mut self) -> Begun {
        // SAFETY: the frame owns its list or tuple, and each item is looked
        // for anew.
        unsafe {
            loop {
                let frame = self.top();
                let (scope, depth) = (frame.scope, frame.depth);
                let (items, len) = items_of(frame.source.as_ptr(), frame.way == Way::List);
                if frame.pos >= len {
                    return Ok(self.leave());
                }
                let item = Owned::from_borrowed(*items.add(frame.pos));
                frame.pos += 1;
                match self.value(item, scope, depth + 1)? {
                    Some(made) => self.top().put(made)?,
                    None => return Ok(None),
                }
            }
        }
    }

    pub(super) unsafe fn enter_iterable(
        &mut self,
        op: &Owned,
        scope: Scope,
        depth: usize,
    ) -> Begun {
        // SAFETY: the value is owned.
        unsafe {
            let foreign = py::PySet_CheckExact(op.as_ptr()) == 0
                && py::PyFrozenSet_CheckExact(op.as_ptr()) == 0;
            if !foreign
                && self.passes_atoms(scope)?
                && let Some(made) = atoms_of(op)?
            {
                return Ok(Some(made));
            }
            self.called += u64::from(foreign);
            let source = Owned::from_call(py::PyObject_GetIter(op.as_ptr()))?;
            let result = Owned::from_call(py::PyList_New(0))?;
            self.frames.push(Frame {
                foreign,
                ..Frame::new(Way::Iterator, source, result, scope, depth, self.called)
            });
            Ok(None)
        }
    }

    pub(super) unsafe fn iterator(&mut self) -> Begun {
        // SAFETY: the frame owns its iterator.
        unsafe {
            loop {
                let frame = self.top();
                let (scope, depth, foreign) = (frame.scope, frame.depth, frame.foreign);
                let Some(item) = next(frame.source.as_ptr())? else {
                    self.called += u64::from(foreign);
                    return Ok(self.leave());
                };
                self.called += u64::from(foreign);
                match self.value(item, scope, depth + 1)? {
                    Some(made) => self.top().put(made)?,
                    None => return Ok(None),
                }
            }
        }
    }
}

/// Where the items of an exact list or tuple lie, and how many there are.
#[inline(always)]
pub unsafe fn items_of(op: *mut PyObject, is_list: bool) -> (*const *mut PyObject, usize) {
    // SAFETY: the caller's object is one of both.
    unsafe {
        if is_list {
            let items = (*op.cast::<py::PyListObject>()).ob_item;
            (items.cast_const(), py::PyList_GET_SIZE(op) as usize)
        } else {
            let items = (&raw const (*op.cast::<py::PyTupleObject>()).ob_item).cast();
            (items, py::PyTuple_GET_SIZE(op) as usize)
        }
    }
}

/// The items of an exact set, if all of them stand for themselves.
unsafe fn atoms_of(op: &Owned) -> Begun {
    // SAFETY: the caller owns the set.
    unsafe {
        let len = py::PySet_Size(op.as_ptr());
        let result = Owned::from_call(list::with_room(usize::try_from(len).unwrap_or(0)))?;
        let items = Owned::from_call(py::PyObject_GetIter(op.as_ptr()))?;
        while let Some(item) = next(items.as_ptr())? {
            if !is_atom(py::Py_TYPE(item.as_ptr())) {
                return Ok(None);
            }
            list::push(result.as_ptr(), item)?;
        }
        Ok(Some(result))
    }
}
