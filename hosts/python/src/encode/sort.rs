//! Members in the order of their keys.

use core::cmp::Ordering;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use crate::ffi::owned::Owned;
use crate::ffi::str::{self, Chars};

/// The items of a dict as a new list of pairs, sorted by key as `sorted`
/// does; `None` with an exception set, such as `TypeError` for keys that
/// cannot be compared.
///
/// # Safety
/// `dict` is a dict, owned by the caller.
pub unsafe fn sorted_items(dict: *mut PyObject) -> Option<Owned> {
    // SAFETY: the list of tuples is new, and nobody else sees it.
    unsafe {
        let items = Owned::from_new(py::PyDict_Items(dict))?;
        sort_pairs(items.as_ptr())?;
        Some(items)
    }
}

/// Sorts a list of pairs by their first items.
///
/// # Safety
/// The list is new, its items are tuples of two, and nobody else sees it.
pub unsafe fn sort_pairs(items: *mut PyObject) -> Option<()> {
    // SAFETY: as the caller says; comparing exact strings runs no code of a
    // user, so that the slice stays as it is.
    unsafe {
        let len = py::PyList_GET_SIZE(items) as usize;
        if len < 2 {
            return Some(());
        }
        let first = &raw mut *(*items.cast::<py::PyListObject>()).ob_item;
        let pairs = core::slice::from_raw_parts_mut(first, len);
        let key = |pair: &*mut PyObject| py::PyTuple_GET_ITEM(*pair, 0);
        let is_str = |pair: &*mut PyObject| py::PyUnicode_CheckExact(key(pair)) != 0;
        if pairs.iter().all(is_str) {
            // Stable or not makes no difference: keys of a dict differ.
            pairs.sort_unstable_by(|a, b| compare(key(a), key(b)));
            return Some(());
        }
        if py::PyList_Sort(items) != 0 {
            return None;
        }
    }
    Some(())
}

/// Compares two strings by code points.
///
/// # Safety
/// Both are `str` or of subclasses.
pub unsafe fn compare(a: *mut PyObject, b: *mut PyObject) -> Ordering {
    // SAFETY: as the caller says.
    let (a, b) = unsafe { (str::chars(a), str::chars(b)) };
    match (a, b) {
        (Some(Chars::Ascii(a) | Chars::Latin1(a)), Some(Chars::Ascii(b) | Chars::Latin1(b))) => {
            a.cmp(b)
        }
        (Some(Chars::Ucs2(a)), Some(Chars::Ucs2(b))) => a.cmp(b),
        (Some(Chars::Ucs4(a)), Some(Chars::Ucs4(b))) => a.cmp(b),
        (Some(a), Some(b)) => code_points(a).cmp(code_points(b)),
        // Not ready and no memory to make it so: the walk will say so.
        _ => Ordering::Equal,
    }
}

fn code_points(chars: Chars<'_>) -> impl Iterator<Item = u32> {
    let (one, two, four): (&[u8], &[u16], &[u32]) = match chars {
        Chars::Ascii(s) | Chars::Latin1(s) => (s, &[], &[]),
        Chars::Ucs2(s) => (&[], s, &[]),
        Chars::Ucs4(s) => (&[], &[], s),
    };
    let one = one.iter().map(|&c| c.into());
    one.chain(two.iter().map(|&c| c.into()))
        .chain(four.iter().copied())
}
