//! The key table of a new `dict`, made and filled in place.
//!
//! Each of the interpreter's insertions looks for the key, compares versions
//! and may grow the table. Here the number of members is known, keys are exact
//! `str` with their hashes computed, and nobody has seen the dict yet: a table
//! of the size that the interpreter would have come to is filled in one go and
//! given to an empty dict. [`verify_layout`] compares such dicts with those of
//! the running interpreter when the module is imported, and nothing is made in
//! this way unless they agree.

use core::sync::atomic::{AtomicBool, Ordering};

use pyo3_ffi::{self as ffi, Py_hash_t, Py_ssize_t, PyDictObject, PyObject};

use super::object;
use super::owned::Owned;
use super::str;

/// Whether tables may be made in place.
static KNOWN: AtomicBool = AtomicBool::new(false);

/// The head of a table from 3.11 on; its indices follow it, then the
/// entries.
#[repr(C)]
struct Table {
    refcnt: Py_ssize_t,
    log2_size: u8,
    log2_index_bytes: u8,
    kind: u8,
    version: u32,
    usable: Py_ssize_t,
    entries: Py_ssize_t,
}

/// A table whose keys are all `str`.
const OF_STRINGS: u8 = 1;
/// Base-2 logarithm of the smallest table.
const LEAST: u32 = 3;
/// From so many members on indices would need more than four bytes.
const TOO_MANY: usize = 1 << 30;

/// A member.
type Entry = [*mut PyObject; 2];

/// Places of a table that has room for so many members: two thirds of a power
/// of two are used.
#[inline(always)]
fn log2_size(members: usize) -> u32 {
    let least = (members * 3).div_ceil(2);
    (usize::BITS - (least - 1).leading_zeros()).max(LEAST)
}

/// A new dict of members whose references it takes over; null, with nothing
/// taken and no exception set, if another way has to be gone: there is no
/// memory, a name comes twice, or there are too many.
///
/// # Safety
/// The GIL is held, `members` are owned references, and the keys are exact
/// `str`.
#[inline(always)]
pub unsafe fn of_strings(members: &[Entry]) -> *mut PyObject {
    let count = members.len();
    if !object::IN_PLACE || count == 0 || count >= TOO_MANY || !KNOWN.load(Ordering::Relaxed) {
        return core::ptr::null_mut();
    }
    // SAFETY: as the caller says.
    unsafe {
        match log2_size(count) {
            ..8 => filled::<i8>(members),
            8..16 => filled::<i16>(members),
            _ => filled::<i32>(members),
        }
    }
}

/// An index of an entry: -1 for none.
trait Index: Copy + Eq {
    const NONE: Self;
    fn of(entry: usize) -> Self;
    fn entry(self) -> usize;
}

macro_rules! index {
    ($($int:ty)*) => {$(
        impl Index for $int {
            const NONE: Self = -1;
            #[inline(always)]
            fn of(entry: usize) -> Self {
                entry as $int
            }
            #[inline(always)]
            fn entry(self) -> usize {
                self as usize
            }
        }
    )*};
}
index!(i8 i16 i32);

/// # Safety
/// As for [`of_strings`]; `I` is what the table's size asks for.
#[inline(always)]
unsafe fn filled<I: Index>(members: &[Entry]) -> *mut PyObject {
    let log2 = log2_size(members.len());
    let usable = (2 << log2) / 3;
    let index_bytes = size_of::<I>() << log2;
    let size = size_of::<Table>() + index_bytes + usable * size_of::<Entry>();
    // SAFETY: the table has room for its head, the indices and as many entries
    // as are usable, of which the members take the first ones.
    unsafe {
        let table = allocate(size);
        if table.is_null() {
            return core::ptr::null_mut();
        }
        let indices = table.add(1).cast::<I>();
        core::slice::from_raw_parts_mut(indices, 1 << log2).fill(I::NONE);
        let entries = indices.byte_add(index_bytes).cast::<Entry>();
        let mut tracked = 0;
        for (i, member) in members.iter().enumerate() {
            let hash = str::hash(member[0]);
            let free_place = place(indices, log2, hash);
            let free_place = free_place.or_else(|| search(indices, log2, hash, entries));
            let Some(place) = free_place else {
                free(table);
                return core::ptr::null_mut();
            };
            indices.add(place).write(I::of(i));
            entries.add(i).write(*member);
            tracked |= (*ffi::Py_TYPE(member[1])).tp_flags;
        }
        entries
            .add(members.len())
            .write_bytes(0, usable - members.len());
        table.write(Table {
            refcnt: 1,
            log2_size: log2 as u8,
            log2_index_bytes: (log2 + size_of::<I>().trailing_zeros()) as u8,
            kind: OF_STRINGS,
            version: 0,
            usable: (usable - members.len()) as Py_ssize_t,
            entries: members.len() as Py_ssize_t,
        });
        adopt(table, members.len(), tracked & ffi::Py_TPFLAGS_HAVE_GC != 0)
    }
}

/// The place that a hash leads to first, if it is free.
#[inline(always)]
unsafe fn place<I: Index>(indices: *mut I, log2: u32, hash: Py_hash_t) -> Option<usize> {
    let place = hash as usize & ((1 << log2) - 1);
    // SAFETY: the place lies within the indices.
    (unsafe { *indices.add(place) } == I::NONE).then_some(place)
}

/// The free place that the interpreter's search comes to; `None` if it meets a
/// key of the same hash before.
#[inline(never)]
unsafe fn search<I: Index>(
    indices: *mut I,
    log2: u32,
    hash: Py_hash_t,
    entries: *mut Entry,
) -> Option<usize> {
    let mask = (1 << log2) - 1;
    let mut place = hash as usize & mask;
    let mut perturb = hash as usize;
    // SAFETY: places lie within the indices, of which some are always free;
    // the others are of entries that have been written.
    unsafe {
        loop {
            let index = *indices.add(place);
            if index == I::NONE {
                return Some(place);
            }
            if str::hash((*entries.add(index.entry()))[0]) == hash {
                return None;
            }
            perturb >>= 5;
            place = (place * 5).wrapping_add(perturb + 1) & mask;
        }
    }
}

/// An empty dict with this table, or null with nothing kept.
#[inline(always)]
unsafe fn adopt(table: *mut Table, members: usize, tracked: bool) -> *mut PyObject {
    // SAFETY: a new dict has a table that is shared by all empty ones and, until
    // 3.11, counts them; no collector knows the dict until it is tracked.
    unsafe {
        let op = ffi::PyDict_New();
        if op.is_null() {
            ffi::PyErr_Clear();
            free(table);
            return op;
        }
        let dict = op.cast::<PyDictObject>();
        let keys = (&raw mut (*dict).ma_keys).cast::<*mut Table>();
        #[cfg(not(Py_3_12))]
        {
            (**keys).refcnt -= 1;
        }
        keys.write(table);
        (&raw mut (*dict).ma_used).write(members as Py_ssize_t);
        if tracked {
            ffi::PyObject_GC_Track(op.cast());
        }
        op
    }
}

/// Memory of the kind that the interpreter takes for a table.
#[inline(always)]
unsafe fn allocate(size: usize) -> *mut Table {
    // SAFETY: the GIL is held.
    unsafe {
        #[cfg(Py_3_13)]
        return ffi::PyMem_Malloc(size).cast();
        #[cfg(not(Py_3_13))]
        return ffi::PyObject_Malloc(size).cast();
    }
}

#[cold]
unsafe fn free(table: *mut Table) {
    // SAFETY: as for [`allocate`], which has made it.
    unsafe {
        #[cfg(Py_3_13)]
        ffi::PyMem_Free(table.cast());
        #[cfg(not(Py_3_13))]
        ffi::PyObject_Free(table.cast());
    }
}

/// Holds tables made here against those of the running interpreter, and allows
/// making them if all agree. `None` with an exception set when a sample could
/// not be made.
///
/// # Safety
/// The GIL is held.
pub unsafe fn verify_layout() -> Option<()> {
    if !object::IN_PLACE || cfg!(not(Py_3_11)) {
        return Some(());
    }
    KNOWN.store(true, Ordering::Relaxed);
    // Both sides of each size's end, and indices of one and two bytes.
    for count in [1, 5, 6, 10, 11, 21, 22, 85, 86, 170, 171] {
        // SAFETY: the GIL is held.
        if !unsafe { agrees(count)? } {
            KNOWN.store(false, Ordering::Relaxed);
        }
    }
    Some(())
}

/// Whether a dict of `count` members is the same made here and there.
unsafe fn agrees(count: i64) -> Option<bool> {
    // SAFETY: everything made here is owned; `of_strings` takes references of
    // its own.
    unsafe {
        let theirs = Owned::from_new(ffi::PyDict_New())?;
        let mut kept = Vec::new();
        let mut members: Vec<Entry> = Vec::new();
        for i in 0..count {
            let value = Owned::from_new(ffi::PyLong_FromLongLong(i))?;
            let key = Owned::from_new(ffi::PyObject_Str(value.as_ptr()))?;
            if ffi::PyDict_SetItem(theirs.as_ptr(), key.as_ptr(), value.as_ptr()) != 0 {
                return None;
            }
            members.push([key.as_ptr(), value.as_ptr()]);
            kept.push((key, value));
        }
        for op in members.as_flattened() {
            ffi::Py_INCREF(*op);
        }
        let Some(ours) = Owned::from_new(of_strings(&members)) else {
            for op in members.as_flattened() {
                ffi::Py_DECREF(*op);
            }
            return Some(false);
        };
        Some(same_table(ours.as_ptr(), theirs.as_ptr(), members.len()))
    }
}

/// Whether the tables of two dicts of `count` members have the same bytes.
unsafe fn same_table(one: *mut PyObject, other: *mut PyObject, count: usize) -> bool {
    // SAFETY: a table ours has the bytes asked for, and theirs is read no
    // further than its head unless that says the same.
    unsafe {
        let dicts = [one, other].map(|op| &*op.cast::<PyDictObject>());
        let tables = dicts.map(|dict| dict.ma_keys.cast::<Table>());
        let heads = tables.map(|table| {
            let head = &*table;
            let sizes = (head.log2_size, head.log2_index_bytes, head.kind);
            (head.refcnt, sizes, head.version, head.usable, head.entries)
        });
        let size = (1 << heads[0].1.1) + count * size_of::<Entry>();
        let bodies = tables.map(|table| table.add(1).cast::<u8>());
        heads[0] == heads[1]
            && dicts[0].ma_used == dicts[1].ma_used
            && dicts[0].ma_values == dicts[1].ma_values
            && core::slice::from_raw_parts(bodies[0], size)
                == core::slice::from_raw_parts(bodies[1], size)
    }
}
