//! Members in the order of their keys.

use core::cmp::Ordering;
use core::mem::MaybeUninit;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use crate::ffi::dict;
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::Owned;
use crate::ffi::str::{self, Chars};

/// The members of a dict, gathered before any of them is written.
pub enum Gathered {
    /// Not gathered: they are taken as they come.
    AsTheyCome,
    /// A list of pairs, for a frame of [`super::frame::Kind::Pairs`].
    Pairs(Owned),
    /// A tuple of keys, all exact strings, and values in turn, for a frame of
    /// [`super::frame::Kind::Members`].
    Members(Owned),
}

/// The members of a dict, sorted by key as `sorted` does; `None` with an
/// exception set, such as `TypeError` for keys that cannot be compared.
///
/// # Safety
/// `dict` is a dict, owned by the caller.
pub unsafe fn sorted(dict: *mut PyObject) -> Option<Gathered> {
    // SAFETY: as the caller says; what is made is new, and nobody else sees
    // it.
    unsafe {
        let (entries, mut pos) = (Entries::of(dict), 0);
        while let Some([key, _]) = entries.next(&mut pos) {
            if py::PyUnicode_CheckExact(key) == 0 {
                let items = Owned::from_new(py::PyDict_Items(dict))?;
                sort_pairs(items.as_ptr())?;
                return Some(Gathered::Pairs(items));
            }
        }
        let members = members(dict)?;
        sort_members(&members);
        Some(Gathered::Members(members))
    }
}

/// The keys and values of a dict in turn, as a new tuple; `None` with an
/// exception set when there is no memory.
///
/// # Safety
/// `dict` is a dict, owned by the caller.
pub unsafe fn members(dict: *mut PyObject) -> Option<Owned> {
    // SAFETY: the tuple is new and takes a reference to each of its items.
    // The collector may run while it is made, and whatever that calls may
    // change the dict; nothing else does before the tuple is full.
    unsafe {
        let mut len = dict::len(dict);
        let mut tuple = Owned::from_new(py::PyTuple_New(2 * len))?;
        while dict::len(dict) != len {
            len = dict::len(dict);
            tuple = Owned::from_new(py::PyTuple_New(2 * len))?;
        }
        let (entries, mut pos) = (Entries::of(dict), 0);
        for i in 0..len {
            let Some(pair) = entries.next(&mut pos) else {
                break;
            };
            for (place, op) in [2 * i, 2 * i + 1].into_iter().zip(pair) {
                py::PyTuple_SET_ITEM(tuple.as_ptr(), place, Owned::from_borrowed(op).into_ptr());
            }
        }
        Some(tuple)
    }
}

/// A member while it is sorted.
#[derive(Clone, Copy)]
struct Member {
    /// The first eight characters of the key, if those of all keys have one
    /// byte: most comparisons need no more.
    prefix: u64,
    pair: [*mut PyObject; 2],
}

/// So many members are sorted without memory from the heap.
const FEW: usize = 24;

/// Sorts members by their keys, which are strings. Where keys are equal, the
/// order is that of the standard library's unstable sort.
///
/// # Safety
/// `members` is a new tuple of keys and values in turn.
pub unsafe fn sort_members(members: &Owned) {
    // SAFETY: as the caller says; comparing strings runs no code of a user.
    unsafe {
        let count = (py::PyTuple_GET_SIZE(members.as_ptr()) / 2) as usize;
        let places = pairs(members.as_ptr());
        let mut few = [const { MaybeUninit::<Member>::uninit() }; FEW];
        let mut many = Vec::new();
        let scratch = if count <= FEW {
            &mut few[..count]
        } else {
            many.resize(count, MaybeUninit::uninit());
            &mut many[..]
        };
        let mut narrow = true;
        for (i, slot) in scratch.iter_mut().enumerate() {
            let pair = *places.add(i);
            let prefix = prefix(pair[0]);
            narrow &= prefix.is_some();
            slot.write(Member {
                prefix: prefix.unwrap_or(0),
                pair,
            });
        }
        let scratch = core::slice::from_raw_parts_mut(scratch.as_mut_ptr().cast::<Member>(), count);
        if narrow {
            scratch.sort_unstable_by(|a, b| {
                let by_prefix = a.prefix.cmp(&b.prefix);
                by_prefix.then_with(|| compare(a.pair[0], b.pair[0]))
            });
        } else {
            scratch.sort_unstable_by(|a, b| compare(a.pair[0], b.pair[0]));
        }
        for (i, member) in scratch.iter().enumerate() {
            *places.add(i) = member.pair;
        }
    }
}

/// Where the pairs of a tuple of keys and values lie.
unsafe fn pairs(members: *mut PyObject) -> *mut [*mut PyObject; 2] {
    // SAFETY: the caller gives a tuple.
    unsafe { (&raw mut (*members.cast::<py::PyTupleObject>()).ob_item).cast() }
}

/// The first characters of a string of one byte each, such that they compare
/// as the string does, unless they are equal.
#[inline(always)]
unsafe fn prefix(key: *mut PyObject) -> Option<u64> {
    // SAFETY: the caller gives a `str`.
    let Some(Chars::Ascii(text) | Chars::Latin1(text)) = (unsafe { str::chars(key) }) else {
        return None;
    };
    if let Some(first) = text.first_chunk::<8>() {
        return Some(u64::from_be_bytes(*first));
    }
    let mut first = [0; 8];
    for (to, from) in first.iter_mut().zip(text) {
        *to = *from;
    }
    Some(u64::from_be_bytes(first))
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
