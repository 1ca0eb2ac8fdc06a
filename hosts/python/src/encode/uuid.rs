//! UUIDs: the number of one, read where it lies, and its text.

use core::cell::UnsafeCell;
use core::ptr::null_mut;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};

use super::attributes::{assigned_version, inherited, is_generic, slot_offset, version};
use super::names;
use super::temporal::Stamp;
use crate::ffi::int;
use crate::ffi::owned::Raised;

/// Where a class keeps its number: in a slot that nothing stands before.
#[derive(Clone, Copy)]
struct Place {
    class: *mut PyTypeObject,
    version: u32,
    /// From the start of an instance; 0 for a class that has no such slot.
    offset: Py_ssize_t,
}

struct Known(UnsafeCell<Place>);

// SAFETY: it is only reached while the GIL is held, and copied.
unsafe impl Sync for Known {}

/// The class that was seen last. (There is but one.)
static KNOWN: Known = Known(UnsafeCell::new(Place {
    class: null_mut(),
    version: 0,
    offset: 0,
}));

/// The number of a UUID, if it lies in its slot: then no code of a user runs.
///
/// # Safety
/// The GIL is held, and `op` is a `uuid.UUID`.
pub unsafe fn in_place(op: *mut PyObject) -> Option<u128> {
    // SAFETY: as the caller says; the offset is that of a reference in the
    // instances of this very class, which has not changed since.
    unsafe {
        let class = py::Py_TYPE(op);
        let mut place = *KNOWN.0.get();
        if place.class != class || place.version != version(class) {
            let Ok(found) = find(class) else {
                py::PyErr_Clear();
                return None;
            };
            place = found;
            if place.version != 0 {
                *KNOWN.0.get() = place;
            }
        }
        if place.offset == 0 {
            return None;
        }
        let number = *op.byte_offset(place.offset).cast::<*mut PyObject>();
        if number.is_null() || py::PyLong_CheckExact(number) == 0 {
            return None;
        }
        int::magnitude(number)
    }
}

#[cold]
unsafe fn find(class: *mut PyTypeObject) -> Result<Place, Raised> {
    // SAFETY: the caller's; what is found is owned.
    unsafe {
        let mut place = Place {
            class,
            version: assigned_version(class)?,
            offset: 0,
        };
        if let Some(slot) = inherited(class, names::INT.get()?)?
            && is_generic(class)
        {
            place.offset = slot_offset(class, &slot).unwrap_or(0);
        }
        Ok(place)
    }
}

/// Two hexadecimal digits for each byte.
static PAIRS: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut i = 0;
    while i < 256 {
        pairs[i] = [digits[i >> 4], digits[i & 15]];
        i += 1;
    }
    pairs
};

/// The text of the UUID with this number.
#[inline(always)]
pub fn text(number: u128) -> [u8; 36] {
    let mut text = [b'-'; 36];
    let places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
    for (byte, place) in number.to_be_bytes().into_iter().zip(places) {
        text[place..place + 2].copy_from_slice(&PAIRS[usize::from(byte)]);
    }
    text
}

/// Appends it to a stamp.
#[inline(always)]
pub fn stamp(stamp: &mut Stamp<'_>, number: u128) {
    stamp.push_block(&text(number));
}
