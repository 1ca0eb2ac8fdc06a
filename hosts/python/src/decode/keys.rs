//! The names of members, most of which a program meets again and again.
//!
//! A direct-mapped table of `str` objects, each with its hash computed. A name
//! is found by its kind, its length and all of its characters; names that fall
//! on the same place drive each other out, nothing worse. Its size is bounded:
//! [`SLOTS`] strings of up to [`LONGEST`] bytes.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr::null_mut;
use core::slice;

use linecaster_decode::{Characters, Kind};
use pyo3_ffi::{self as ffi, PyObject};

use super::strings;
use crate::ffi::str::{self, Chars};

/// Places in the table.
const SLOTS: usize = 2048;
/// Bytes of the longest name that it keeps, in code units of its kind.
const LONGEST: usize = 64;

struct Table(UnsafeCell<[*mut PyObject; SLOTS]>);

// SAFETY: read and written under the GIL only (the module declares that it
// needs it and is refused by a second interpreter).
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new([null_mut(); SLOTS]));

/// A new reference to a `str` of the characters, null with an exception set
/// when there is no memory.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn get(characters: &Characters<'_>) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        match characters.as_ascii() {
            Some(ascii) if ascii.len() <= LONGEST => look_up(characters, ascii),
            _ => get_other(characters),
        }
    }
}

/// [`get`] for what does not lie in the document as it lies in a `str`.
#[inline(never)]
unsafe fn get_other(characters: &Characters<'_>) -> *mut PyObject {
    let mut units = MaybeUninit::<[u32; LONGEST / 4]>::uninit();
    let size = characters.count().saturating_mul(characters.kind().width());
    // SAFETY: the units are as many as fit, aligned, and all written.
    unsafe {
        if size > LONGEST {
            return strings::make(characters);
        }
        let units = units.as_mut_ptr().cast::<u8>();
        characters.write(units);
        look_up(characters, slice::from_raw_parts(units, size))
    }
}

/// The string of `characters`, whose units in their kind are `units`.
#[inline(always)]
unsafe fn look_up(characters: &Characters<'_>, units: &[u8]) -> *mut PyObject {
    let slot = (hash(units) >> 32) as usize % SLOTS;
    // SAFETY: the GIL is held, and nothing in here gives it up: the strings
    // are exact, their release runs no other code.
    unsafe {
        let place = TABLE.0.get().cast::<*mut PyObject>().add(slot);
        let key = *place;
        if !key.is_null() && is(key, characters.kind(), units) {
            ffi::Py_INCREF(key);
            return key;
        }
        let key = strings::make(characters);
        if key.is_null() || ffi::PyObject_Hash(key) == -1 {
            return key;
        }
        let old = core::mem::replace(&mut *place, key);
        ffi::Py_INCREF(key);
        ffi::Py_XDECREF(old);
        key
    }
}

/// Whether `key` is of this kind and has these units.
#[inline(always)]
unsafe fn is(key: *mut PyObject, kind: Kind, units: &[u8]) -> bool {
    // SAFETY: keys are compact strings; units are compared as bytes.
    unsafe {
        match str::chars(key) {
            Some(Chars::Ascii(own)) => kind == Kind::Ascii && equal(own, units),
            Some(Chars::Latin1(own)) => kind == Kind::Latin1 && equal(own, units),
            Some(Chars::Ucs2(own)) => kind == Kind::Ucs2 && own.align_to::<u8>().1 == units,
            Some(Chars::Ucs4(own)) => kind == Kind::Ucs4 && own.align_to::<u8>().1 == units,
            None => false,
        }
    }
}

/// Whether both are the same: without the call that `==` makes, as names are
/// short.
#[inline(always)]
fn equal(own: &[u8], units: &[u8]) -> bool {
    if own.len() != units.len() {
        return false;
    }
    if let (Some(own_last), Some(last)) = (own.last_chunk::<8>(), units.last_chunk::<8>()) {
        // Overlapping words: the first ones, then the last.
        let mut words = own.as_chunks::<8>().0.iter().zip(units.as_chunks::<8>().0);
        return words.all(|(own, word)| own == word) && own_last == last;
    }
    if let (Some(own_first), Some(first)) = (own.first_chunk::<4>(), units.first_chunk::<4>()) {
        return own_first == first && own.last_chunk::<4>() == units.last_chunk::<4>();
    }
    own.iter().zip(units).all(|(own, unit)| own == unit)
}

/// A hash of which the upper half is well mixed.
#[inline(always)]
fn hash(units: &[u8]) -> u64 {
    const MULTIPLIERS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93];
    let len = units.len();
    let mut hash = len as u64;
    let mut mix = |word: u64| {
        let product = u128::from(hash ^ word ^ MULTIPLIERS[0]) * u128::from(MULTIPLIERS[1]);
        hash = (product >> 64) as u64 ^ product as u64;
    };
    // Overlapping words: the first ones, then the last.
    if let Some(last) = units.last_chunk::<8>() {
        let (words, rest) = units.as_chunks::<8>();
        for word in words {
            mix(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            mix(u64::from_le_bytes(*last));
        }
    } else if let (Some(first), Some(last)) = (units.first_chunk::<4>(), units.last_chunk::<4>()) {
        let [first, last] = [first, last].map(|word| u64::from(u32::from_le_bytes(*word)));
        mix(first | last << 32);
    } else if let (Some(&first), Some(&last)) = (units.first(), units.last()) {
        mix(u64::from(first) | u64::from(units[len / 2]) << 8 | u64::from(last) << 16);
    }
    hash
}
