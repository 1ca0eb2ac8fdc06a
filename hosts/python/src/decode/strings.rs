//! `str` objects of a document's strings, each of the kind that `CPython` itself
//! would choose.

use linecaster_decode::{Characters, Kind};
use pyo3_ffi::{self as ffi, PyObject};

use crate::ffi::str;

/// A new reference to a `str` of the characters; null with an exception set
/// when there is no memory.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn make(characters: &Characters<'_>) -> *mut PyObject {
    let (count, kind) = (characters.count(), characters.kind());
    // SAFETY: as the caller says; the characters go into a string for just as
    // many of their kind.
    unsafe {
        if count > 1 && kind != Kind::Ucs4 && characters.as_units().is_some() {
            let string = str::new_short(count, kind.max_char());
            if !string.is_null() {
                characters.write(match kind {
                    Kind::Ascii => str::ascii_data(string),
                    _ => str::wide_data(string),
                });
            }
            return string;
        }
        make_other(characters)
    }
}

/// [`make`] for what does not lie in the document as in a `str` or is shared: the interpreter has one object
/// for the empty string and one for each character below U+0100.
#[inline(never)]
unsafe fn make_other(characters: &Characters<'_>) -> *mut PyObject {
    // SAFETY: as the caller says; `write` fills a string of the very kind and
    // length that it asks for. Nothing is written into the shared empty one.
    unsafe {
        if let Some(single) = characters.single() {
            return ffi::PyUnicode_FromOrdinal(single as i32);
        }
        let (count, kind) = (characters.count(), characters.kind());
        let string = if count == 0 || kind == Kind::Ucs4 {
            str::new(count, kind.max_char())
        } else {
            str::new_short(count, kind.max_char())
        };
        if !string.is_null() && count > 0 {
            characters.write(str::compact_data(string));
        }
        string
    }
}
