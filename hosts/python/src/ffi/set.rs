//! The items of a `set` or `frozenset`, read where they lie.
//!
//! An iterator is an object for the collector, which may run code of a user
//! when one is made (until 3.11); and a list of the items costs more than to
//! look at them. [`verify_layout`] holds the table against what an iterator
//! gives; where they differ, nothing is read in place.

use core::sync::atomic::{AtomicBool, Ordering};

use pyo3_ffi as ffi;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::owned::Owned;

/// Whether tables may be read in place.
static KNOWN: AtomicBool = AtomicBool::new(false);

/// The hash of an entry that was deleted; no item has it.
const DELETED: ffi::Py_hash_t = -1;

/// The table of a set at one moment. Any change of the set voids it.
#[derive(Clone, Copy)]
pub struct Items {
    table: *const ffi::setentry,
    /// Entries, empty and deleted ones among them.
    count: usize,
    /// Items.
    pub len: usize,
}

impl Items {
    /// Those of `op`, in the order in which it is iterated over; `None` where
    /// they cannot be read in place.
    ///
    /// # Safety
    /// `op` is a `set` or a `frozenset`, alive.
    pub unsafe fn of(op: *mut PyObject) -> Option<Items> {
        if !KNOWN.load(Ordering::Relaxed) {
            return None;
        }
        // SAFETY: as the caller says; the layout was verified.
        Some(unsafe { Items::read(op) })
    }

    unsafe fn read(op: *mut PyObject) -> Items {
        // SAFETY: the caller's.
        let set = unsafe { &*op.cast::<ffi::PySetObject>() };
        Items {
            table: set.table,
            count: set.mask as usize + 1,
            len: set.used as usize,
        }
    }

    /// The items, borrowed.
    ///
    /// # Safety
    /// The set does not change as long as the iterator is used.
    pub unsafe fn iter(self) -> impl Iterator<Item = *mut PyObject> {
        (0..self.count).filter_map(move |i| {
            // SAFETY: the table has so many entries.
            let entry = unsafe { &*self.table.add(i) };
            (!entry.key.is_null() && entry.hash != DELETED).then_some(entry.key)
        })
    }
}

/// Compares tables with what iterators give, small ones and large ones, with
/// and without deleted entries. `None`, with an exception set, when that fails.
///
/// # Safety
/// The GIL is held.
pub unsafe fn verify_layout() -> Option<()> {
    const COUNTS: [Py_ssize_t; 4] = [0, 1, 5, 200];
    // SAFETY: the sets are ours, and hold integers.
    unsafe {
        let fits = size_of::<ffi::PySetObject>() as Py_ssize_t;
        if cfg!(Py_GIL_DISABLED) || ffi::PySet_Type.tp_basicsize != fits {
            return Some(());
        }
        for count in COUNTS {
            let set = Owned::from_new(ffi::PySet_New(core::ptr::null_mut()))?;
            for i in 0..count {
                let number = Owned::from_new(ffi::PyLong_FromSsize_t(i * 7919))?;
                if ffi::PySet_Add(set.as_ptr(), number.as_ptr()) != 0 {
                    return None;
                }
            }
            if !is_as_iterated(&set)? {
                return Some(());
            }
            for i in 0..count / 2 {
                let number = Owned::from_new(ffi::PyLong_FromSsize_t(i * 7919))?;
                if ffi::PySet_Discard(set.as_ptr(), number.as_ptr()) < 0 {
                    return None;
                }
            }
            if !is_as_iterated(&set)? {
                return Some(());
            }
        }
    }
    KNOWN.store(true, Ordering::Relaxed);
    Some(())
}

unsafe fn is_as_iterated(set: &Owned) -> Option<bool> {
    // SAFETY: the set is the caller's, and so is the list.
    unsafe {
        let list = Owned::from_new(ffi::PySequence_List(set.as_ptr()))?;
        let items = Items::read(set.as_ptr());
        let len = ffi::PyList_GET_SIZE(list.as_ptr());
        if items.len as Py_ssize_t != len || items.count > 4096 {
            return Some(false);
        }
        let mut found = 0;
        for item in items.iter() {
            if found == len || ffi::PyList_GET_ITEM(list.as_ptr(), found) != item {
                return Some(false);
            }
            found += 1;
        }
        Some(found == len)
    }
}
