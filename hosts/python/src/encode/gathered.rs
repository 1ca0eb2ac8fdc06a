//! Members that the inner loop takes in another order than that of a dict:
//! borrowed, in room of the loop's own.
//!
//! Nothing is owned and no tuple made for members that are all plain: only
//! when the loop ends in the middle of them do they become a frame
//! ([`owned`]).

use core::mem::MaybeUninit;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::sort::compare;
use crate::ffi::dict;
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::Owned;
use crate::ffi::str;

/// A member, while it is sorted and after.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Member {
    /// The first eight characters of the key: most comparisons need no more.
    prefix: u64,
    /// The key and the value.
    pub pair: [*mut PyObject; 2],
}

impl Member {
    /// One that is not sorted.
    #[inline(always)]
    pub fn new(key: *mut PyObject, value: *mut PyObject) -> Member {
        Member {
            prefix: 0,
            pair: [key, value],
        }
    }
}

/// So many members are gathered in one loop at most: 3 KiB.
const MOST: usize = 128;

/// Room for them. What is in use is known by the levels that stand in it.
pub struct Room([MaybeUninit<Member>; MOST]);

impl Room {
    /// Nothing gathered yet.
    #[inline(always)]
    pub const fn new() -> Room {
        Room([const { MaybeUninit::uninit() }; MOST])
    }

    /// All of it from `from` on; from the start if that is null.
    ///
    /// # Safety
    /// `from` is null, or lies behind members that were gathered here.
    #[inline(always)]
    pub unsafe fn behind(&mut self, from: *const u8) -> &mut [MaybeUninit<Member>] {
        let used = if from.is_null() {
            0
        } else {
            (from as usize - self.0.as_ptr() as usize) / size_of::<Member>()
        };
        &mut self.0[used..]
    }
}

/// So many members are sorted by counting, without a branch for each
/// comparison; more of them as the standard library does it.
const FEW: usize = 16;

/// Gathers the members of a dict in the order of their keys, and says how many
/// they are; `None` if they need the general way. No code runs.
///
/// # Safety
/// The GIL is held, and `dict` is a dict.
#[inline(never)]
pub unsafe fn sorted(dict: *mut PyObject, room: &mut [MaybeUninit<Member>]) -> Option<usize> {
    // SAFETY: as the caller says; all members are gathered before they are
    // sorted.
    unsafe {
        let len = dict::len(dict) as usize;
        let room = room.get_mut(..len)?;
        if len > FEW {
            gather(dict, room)?.sort_unstable_by(|a, b| {
                let by_prefix = a.prefix.cmp(&b.prefix);
                by_prefix.then_with(|| compare(a.pair[0], b.pair[0]))
            });
            return Some(len);
        }
        let mut unsorted = [const { MaybeUninit::uninit() }; FEW];
        let unsorted = gather(dict, &mut unsorted[..len])?;
        let mut taken = 0_u32;
        for member in &*unsorted {
            let before = unsorted
                .iter()
                .map(|other| usize::from(other.prefix < member.prefix));
            let rank: usize = before.sum();
            taken |= 1 << rank;
            room[rank].write(*member);
        }
        if taken.count_ones() as usize != len {
            // Prefixes that are equal: the places behind the first are free.
            unsorted.sort_unstable_by(|a, b| {
                let by_prefix = a.prefix.cmp(&b.prefix);
                by_prefix.then_with(|| compare(a.pair[0], b.pair[0]))
            });
            for (place, member) in room.iter_mut().zip(unsorted) {
                place.write(*member);
            }
        }
        Some(len)
    }
}

/// Gathers as many members as there is room for, and all there are; `None` if
/// there are fewer, or keys that are no narrow strings.
#[inline(always)]
unsafe fn gather(dict: *mut PyObject, room: &mut [MaybeUninit<Member>]) -> Option<&mut [Member]> {
    // SAFETY: the caller gives a dict that nothing changes meanwhile.
    unsafe {
        let (entries, mut pos) = (Entries::of(dict), 0);
        for member in &mut *room {
            let pair = entries.next(&mut pos)?;
            if py::Py_TYPE(pair[0]) != &raw mut py::PyUnicode_Type {
                return None;
            }
            let prefix = prefix(pair[0])?;
            member.write(Member { prefix, pair });
        }
        let members = room.as_mut_ptr().cast::<Member>();
        Some(core::slice::from_raw_parts_mut(members, room.len()))
    }
}

/// The first characters of a string of one byte each, such that they compare
/// as the string does, unless they are equal.
#[inline(always)]
unsafe fn prefix(key: *mut PyObject) -> Option<u64> {
    // SAFETY: the caller gives a `str`. Shorter ones are read with what stands
    // in front of them, which is shifted out.
    unsafe {
        let (text, len) = str::narrow_behind_head(key)?;
        let missing = 8_usize.saturating_sub(len);
        let first = text.sub(missing).cast::<u64>().read_unaligned();
        let first = u64::from_be(first);
        Some(first.checked_shl(8 * missing as u32).unwrap_or(0))
    }
}

/// The members from `next` to `end` as a new tuple of keys and values in turn;
/// `None` with an exception set when there is no memory. Until 3.11 that may
/// start the collector, which is switched off meanwhile: members are borrowed.
///
/// # Safety
/// The GIL is held. Members were gathered there, and all are alive.
#[cold]
pub unsafe fn owned(next: *const u8, end: *const u8) -> Option<Owned> {
    let count = (end as usize - next as usize) / size_of::<Member>();
    // SAFETY: as the caller says; the tuple is new and takes a reference to
    // each of its items.
    unsafe {
        #[cfg(not(Py_3_12))]
        let was_on = py::PyGC_Disable() != 0;
        let tuple = Owned::from_new(py::PyTuple_New(2 * count as Py_ssize_t));
        #[cfg(not(Py_3_12))]
        if was_on {
            py::PyGC_Enable();
        }
        let tuple = tuple?;
        for i in 0..count {
            let pair = next.add(i * size_of::<Member>());
            let pair = pair.cast::<[*mut PyObject; 2]>().read_unaligned();
            for (k, op) in pair.into_iter().enumerate() {
                let place = (2 * i + k) as Py_ssize_t;
                py::PyTuple_SET_ITEM(tuple.as_ptr(), place, Owned::from_borrowed(op).into_ptr());
            }
        }
        Some(tuple)
    }
}
