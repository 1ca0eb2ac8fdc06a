//! How a run of the walk begins.
//!
//! With the root, of which most calls with a small document consist: a plain
//! container is written by the inner loop ([`super::items`]) without a frame,
//! whose making, keeping and releasing took half of such a call. Or with what
//! did not fit before.

use linecaster_formats::Emitter;
use linecaster_kernel::output::Output;
use pyo3_ffi as py;

use super::door::Door;
use super::frame::Kind;
use super::walk::{Json, Pending, Step, Walk};
use crate::ffi::dict;
use crate::ffi::owned::Owned;

impl Walk<'_> {
    /// Writes what the walk has to begin with.
    ///
    /// # Safety
    /// The GIL is held.
    #[inline(always)]
    pub unsafe fn pending<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        pending: Pending,
    ) -> Step {
        // SAFETY: both are owned.
        unsafe {
            match pending.key {
                Some(key) => self.member(emitter, key, pending.value),
                None if self.is_deep() || emitter.buffered() >= self.pause_at => {
                    self.value(emitter, pending.value)
                }
                None => self.root(emitter, pending.value),
            }
        }
    }

    /// Writes the root, or a value that did not fit before. A container gets
    /// no frame as long as all in it is plain: most of a call with a small one
    /// would be the making of that.
    ///
    /// # Safety
    /// The GIL is held, and a container may be entered.
    #[inline(always)]
    unsafe fn root<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        item: Owned,
    ) -> Step {
        let op = item.as_ptr();
        // SAFETY: the item is owned, and of the type that is found.
        unsafe {
            let class = py::Py_TYPE(op);
            if D::CHOOSES && !may_begin::<D>(self, op) {
                return self.value(emitter, item);
            }
            let len = if class == &raw mut py::PyDict_Type {
                if self.options.sort_keys && !D::as_they_come(self.options, op) {
                    return self.value(emitter, item);
                }
                emitter.begin_object();
                dict::len(op)
            } else if class == &raw mut py::PyList_Type {
                emitter.begin_array();
                py::PyList_GET_SIZE(op)
            } else if class == &raw mut py::PyTuple_Type {
                emitter.begin_array();
                py::PyTuple_GET_SIZE(op)
            } else {
                return self.value(emitter, item);
            };
            if len > 0 {
                return self.items_of(emitter, op);
            }
            if class == &raw mut py::PyDict_Type {
                emitter.end_object();
            } else {
                emitter.end_array();
            }
            Step::Next
        }
    }
}

/// Whether the loops of the walk go through the root, if it is a container.
#[inline(always)]
unsafe fn may_begin<D: Door>(walk: &mut Walk<'_>, op: *mut py::PyObject) -> bool {
    // SAFETY: the caller owns the root, which is of the type that is found.
    unsafe {
        let class = py::Py_TYPE(op);
        if class == &raw mut py::PyDict_Type {
            D::enters_here(walk, Kind::Dict, op)
        } else if class == &raw mut py::PyList_Type {
            D::enters_here(walk, Kind::List, op)
        } else {
            class != &raw mut py::PyTuple_Type || D::enters_here(walk, Kind::Tuple, op)
        }
    }
}
