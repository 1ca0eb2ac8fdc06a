//! The entries of a `dict`, read where they lie.
//!
//! `PyDict_Next` takes a sixth of the time that a document of small objects
//! needs, so tables are read in place; where they share their keys with other
//! dicts, and where [`verify_layout`] finds anything else than it expects, the
//! function it is. Positions mean the same to both.

use core::sync::atomic::{AtomicBool, Ordering};

use pyo3_ffi as ffi;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::owned::Owned;

/// Whether tables may be read in place.
static KNOWN: AtomicBool = AtomicBool::new(false);

/// The head of a table until 3.10.
#[cfg(not(Py_3_11))]
#[repr(C)]
struct Table {
    refcnt: Py_ssize_t,
    size: Py_ssize_t,
    lookup: *const u8,
    usable: Py_ssize_t,
    entries: Py_ssize_t,
    indices: [u8; 0],
}

/// The head of a table from 3.11 on, read in the headers up to 3.15.
#[cfg(Py_3_11)]
#[repr(C)]
struct Table {
    refcnt: Py_ssize_t,
    log2_size: u8,
    log2_index_bytes: u8,
    kind: u8,
    version: u32,
    usable: Py_ssize_t,
    entries: Py_ssize_t,
    indices: [u8; 0],
}

/// The kind of a table that may have any keys.
#[cfg(Py_3_11)]
const GENERAL: u8 = 0;

impl Table {
    /// Bytes that the indices take, and bytes of each entry behind them.
    #[cfg(not(Py_3_11))]
    fn shape(&self) -> (usize, usize) {
        let index = match self.size {
            ..=0xFF => 1,
            0x100..=0xFFFF => 2,
            0x1_0000..=0xFFFF_FFFF => 4,
            _ => 8,
        };
        (self.size as usize * index, 24)
    }

    /// Bytes that the indices take, and bytes of each entry behind them: a
    /// hash, key and value, or only the latter when all keys are strings.
    #[cfg(Py_3_11)]
    fn shape(&self) -> (usize, usize) {
        let entry = if self.kind == GENERAL { 24 } else { 16 };
        (1 << self.log2_index_bytes, entry)
    }
}

/// The entries of a dict at one moment. Any change of the dict voids them.
#[derive(Clone, Copy)]
pub struct Entries {
    /// The dict.
    dict: *mut PyObject,
    /// The first entry's key and value; null to ask `PyDict_Next`.
    first: *const u8,
    stride: usize,
    count: Py_ssize_t,
}

impl Entries {
    /// The entries of `op`.
    ///
    /// # Safety
    /// `op` is a `dict` or of a subclass.
    #[inline(always)]
    pub unsafe fn of(op: *mut PyObject) -> Entries {
        // SAFETY: as the caller says; the layout was verified.
        unsafe {
            let dict = &*op.cast::<ffi::PyDictObject>();
            if !KNOWN.load(Ordering::Relaxed) || !dict.ma_values.is_null() {
                return Entries {
                    dict: op,
                    first: core::ptr::null(),
                    stride: 0,
                    count: 0,
                };
            }
            let table = &*dict.ma_keys.cast::<Table>();
            let (indices, stride) = table.shape();
            let start = dict.ma_keys.cast::<u8>().add(size_of::<Table>());
            Entries {
                dict: op,
                first: start.add(indices + stride - 16),
                stride,
                count: table.entries,
            }
        }
    }

    /// The next key and value behind `pos`, borrowed; `None` at the end.
    ///
    /// # Safety
    /// The dict has not changed since [`Entries::of`].
    #[inline(always)]
    pub unsafe fn next(&self, pos: &mut Py_ssize_t) -> Option<[*mut PyObject; 2]> {
        // SAFETY: entries up to the count are there; deleted ones are null.
        unsafe {
            if self.first.is_null() {
                return self.ask(pos);
            }
            while *pos < self.count {
                let entry = self.first.add(self.stride * *pos as usize);
                *pos += 1;
                let pair = entry.cast::<[*mut PyObject; 2]>().read_unaligned();
                if !pair[1].is_null() {
                    return Some(pair);
                }
            }
        }
        None
    }

    /// Where the key and value of the first entry lie, the bytes from one to
    /// the next, and how many there are (the value of a deleted one is null);
    /// `None` where only [`Entries::next`] knows.
    #[inline(always)]
    pub fn in_place(&self) -> Option<(*const u8, usize, usize)> {
        let known = !self.first.is_null();
        known.then_some((self.first, self.stride, self.count as usize))
    }

    /// Whether all keys of `op` are exact `str`. From 3.11 on a table says so,
    /// unless it has had another key.
    ///
    /// # Safety
    /// `op` is a `dict` or of a subclass.
    #[inline(always)]
    pub unsafe fn all_strings(op: *mut PyObject) -> bool {
        // SAFETY: as the caller says; the layout was verified.
        unsafe {
            #[cfg(Py_3_11)]
            if KNOWN.load(Ordering::Relaxed) {
                let table = &*(*op.cast::<ffi::PyDictObject>()).ma_keys.cast::<Table>();
                if table.kind != GENERAL {
                    return true;
                }
            }
            Entries::keys_are_strings(op)
        }
    }

    #[inline(never)]
    unsafe fn keys_are_strings(op: *mut PyObject) -> bool {
        // SAFETY: the caller's dict does not change meanwhile.
        unsafe {
            let (entries, mut pos) = (Entries::of(op), 0);
            while let Some([key, _]) = entries.next(&mut pos) {
                if ffi::PyUnicode_CheckExact(key) == 0 {
                    return false;
                }
            }
            true
        }
    }

    #[inline(never)]
    unsafe fn ask(&self, pos: &mut Py_ssize_t) -> Option<[*mut PyObject; 2]> {
        let (mut key, mut value) = (core::ptr::null_mut(), core::ptr::null_mut());
        // SAFETY: the function checks the position by itself.
        let found = unsafe { ffi::PyDict_Next(self.dict, pos, &raw mut key, &raw mut value) };
        (found != 0).then_some([key, value])
    }
}

/// Holds the layout against dicts that the running interpreter makes, and
/// allows reading in place if it is as known. `None` with an exception set
/// when a dict could not be made.
///
/// # Safety
/// The GIL is held.
pub unsafe fn verify_layout() -> Option<()> {
    if cfg!(Py_GIL_DISABLED) {
        return Some(());
    }
    KNOWN.store(true, Ordering::Relaxed);
    for len in [0, 1, 5, 6, 11, 90, 400] {
        for strings in [true, false] {
            // SAFETY: the dict is new, and nobody changes it meanwhile.
            unsafe {
                let dict = sample(len, strings)?;
                if !agrees(dict.as_ptr()) {
                    KNOWN.store(false, Ordering::Relaxed);
                    return Some(());
                }
            }
        }
    }
    Some(())
}

/// A dict of `len` keys, less every seventh, which is deleted.
unsafe fn sample(len: i64, strings: bool) -> Option<Owned> {
    // SAFETY: everything made here is owned.
    unsafe {
        let dict = Owned::from_new(ffi::PyDict_New())?;
        let set = |i: i64, delete: bool| {
            let value = Owned::from_new(ffi::PyLong_FromLongLong(i))?;
            let key = if strings {
                Owned::from_new(ffi::PyObject_Str(value.as_ptr()))?
            } else {
                Owned::from_new(ffi::PyFloat_FromDouble(i as f64))?
            };
            let result = if delete {
                ffi::PyDict_DelItem(dict.as_ptr(), key.as_ptr())
            } else {
                ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr())
            };
            (result == 0).then_some(())
        };
        for i in 0..len {
            set(i, false)?;
        }
        for i in (0..len).step_by(7) {
            set(i, true)?;
        }
        Some(dict)
    }
}

unsafe fn agrees(dict: *mut PyObject) -> bool {
    // SAFETY: the caller's dict does not change.
    unsafe {
        let entries = Entries::of(dict);
        let (mut ours, mut theirs) = (0, 0);
        loop {
            let expected = entries.ask(&mut theirs);
            if entries.first.is_null() || entries.next(&mut ours) != expected {
                return false;
            }
            if expected.is_none() {
                return true;
            }
            if ours != theirs {
                return false;
            }
        }
    }
}
