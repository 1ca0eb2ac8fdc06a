//! `list`, made at its final size.

use core::ptr::copy_nonoverlapping;

use pyo3_ffi as ffi;
use pyo3_ffi::{Py_ssize_t, PyListObject, PyObject};

use super::object;
use super::owned::{Owned, Raised};

/// A new list of `items`, whose references it takes over; null with
/// `MemoryError` set, and nothing taken, when there is no memory.
///
/// # Safety
/// The GIL is held, and each item is an owned reference.
#[inline(always)]
pub unsafe fn from_owned(items: &[*mut PyObject]) -> *mut PyObject {
    // SAFETY: a fresh list has as many places as it says, and nothing looks at
    // it before they are filled. They come from the allocator that will free
    // them; the interpreter's own way would clear them first.
    unsafe {
        if !object::IN_PLACE || items.is_empty() {
            let list = ffi::PyList_New(items.len() as Py_ssize_t);
            if !list.is_null() && !items.is_empty() {
                let places = (*list.cast::<PyListObject>()).ob_item;
                copy_nonoverlapping(items.as_ptr(), places, items.len());
            }
            return list;
        }
        let list = ffi::PyList_New(0).cast::<PyListObject>();
        if list.is_null() {
            return list.cast();
        }
        let places = ffi::PyMem_Malloc(size_of_val(items)).cast::<*mut PyObject>();
        if places.is_null() {
            ffi::Py_DECREF(list.cast());
            return object::no_memory();
        }
        copy_nonoverlapping(items.as_ptr(), places, items.len());
        (*list).ob_item = places;
        (*list).allocated = items.len() as Py_ssize_t;
        (*list).ob_base.ob_size = items.len() as Py_ssize_t;
        list.cast()
    }
}

/// A new, empty list with places for `len` items; null with `MemoryError` set
/// when there is no memory.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn with_room(len: usize) -> *mut PyObject {
    // SAFETY: a fresh list has as many places as it says; none is in use when
    // its size is 0.
    unsafe {
        let list = ffi::PyList_New(len as Py_ssize_t);
        if !list.is_null() {
            (*list.cast::<PyListObject>()).ob_base.ob_size = 0;
        }
        list
    }
}

/// Puts an item at the end, into a free place if there is one.
///
/// # Safety
/// The GIL is held, and `list` is a list that only the caller changes.
#[inline(always)]
pub unsafe fn push(list: *mut PyObject, item: Owned) -> Result<(), Raised> {
    // SAFETY: as the caller says; places up to `allocated` are there.
    unsafe {
        let head = list.cast::<PyListObject>();
        let len = (*head).ob_base.ob_size;
        if len < (*head).allocated {
            (*head).ob_item.offset(len).write(item.into_ptr());
            (*head).ob_base.ob_size = len + 1;
            return Ok(());
        }
        if ffi::PyList_Append(list, item.as_ptr()) != 0 {
            return Err(Raised);
        }
        Ok(())
    }
}
