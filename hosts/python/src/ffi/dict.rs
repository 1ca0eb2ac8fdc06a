//! `dict`, made at its final size.

use pyo3_ffi as ffi;
use pyo3_ffi::PyObject;

use super::dict_table;
#[cfg(not(Py_3_14))]
use super::str;

#[cfg(not(Py_3_14))]
unsafe extern "C" {
    fn _PyDict_NewPresized(members: ffi::Py_ssize_t) -> *mut PyObject;
    fn _PyDict_SetItem_KnownHash(
        dict: *mut PyObject,
        key: *mut PyObject,
        item: *mut PyObject,
        hash: ffi::Py_hash_t,
    ) -> core::ffi::c_int;
}

/// A new dict with room for `members`; null with `MemoryError` set when there
/// is no memory.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn with_room(members: usize) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        #[cfg(not(Py_3_14))]
        if members > 5 {
            return _PyDict_NewPresized(members as ffi::Py_ssize_t);
        }
        let _ = members;
        ffi::PyDict_New()
    }
}

/// Sets one item; not 0 with an exception set on failure.
///
/// # Safety
/// The GIL is held, `dict` is a dict and `key` an exact `str`.
#[inline(always)]
unsafe fn set(dict: *mut PyObject, key: *mut PyObject, item: *mut PyObject) -> core::ffi::c_int {
    // SAFETY: as the caller says; the hash is the key's.
    unsafe {
        #[cfg(not(Py_3_14))]
        return _PyDict_SetItem_KnownHash(dict, key, item, str::hash(key));
        #[cfg(Py_3_14)]
        return ffi::PyDict_SetItem(dict, key, item);
    }
}

/// A new dict of keys and values in turn, whose references it takes over. Of
/// equal keys the last one's value stays. Null with an exception set, and all
/// references released, when there is no memory.
///
/// # Safety
/// The GIL is held, `items` are owned references, an even number of them, and
/// the keys are exact `str`.
#[inline(always)]
pub unsafe fn from_owned(items: &[*mut PyObject]) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        let dict = dict_table::of_strings(items.as_chunks::<2>().0);
        if dict.is_null() {
            return inserted(items);
        }
        dict
    }
}

/// [`from_owned`] by the interpreter's insertions.
#[inline(never)]
unsafe fn inserted(items: &[*mut PyObject]) -> *mut PyObject {
    // SAFETY: storing takes references of its own; ours are released one by
    // one. No code but the dict's runs in between: keys are exact strings.
    unsafe {
        let mut dict = with_room(items.len() / 2);
        for pair in items.as_chunks::<2>().0 {
            if !dict.is_null() && set(dict, pair[0], pair[1]) != 0 {
                ffi::Py_DECREF(dict);
                dict = core::ptr::null_mut();
            }
            ffi::Py_DECREF(pair[0]);
            ffi::Py_DECREF(pair[1]);
        }
        dict
    }
}

/// How many items `op` has.
///
/// # Safety
/// `op` is a `dict` or of a subclass.
#[inline(always)]
pub unsafe fn len(op: *mut PyObject) -> ffi::Py_ssize_t {
    // SAFETY: as the caller says; the count stands in the head that all
    // versions have in common.
    unsafe { (*op.cast::<ffi::PyDictObject>()).ma_used }
}
