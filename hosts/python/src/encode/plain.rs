//! Plain values of exact built-in types, written inside of the inner loop
//! ([`super::items`]): no code of a user runs, and nothing is owned.

use linecaster_formats::json::Quick;
use linecaster_kernel::cursor::Cursor;
use linecaster_kernel::number;
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::{NonAscii, Policy, Word};
use linecaster_kernel::text::{Ascii, Latin1, Ucs2, Ucs4};
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::door::{Door, LARGEST_EXACT};
use super::options::Options;
use super::target::Form;
use crate::ffi::int::{self, Int};
use crate::ffi::str::{self, Chars};

/// What [`quick_leaf`] found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A value that is written now.
    Written,
    /// An exact list.
    List,
    /// An exact tuple.
    Tuple,
    /// An exact dict.
    Dict,
    /// An object of members that are gathered first.
    Fields,
    /// Something for the general way.
    Other,
}

/// Writes a value if it is of an exact built-in type, and plain.
///
/// # Safety
/// The item is alive, and there is room. `MASKED` as for [`Quick::short`].
#[inline(always)]
pub unsafe fn quick_leaf<O: Output, D: Door, const LINES: bool, const MASKED: bool>(
    quick: &mut Quick<O, D, LINES>,
    item: *mut PyObject,
    takes: Takes,
) -> Found {
    // SAFETY: as the caller says; the item is of the type that is found.
    unsafe {
        let class = py::Py_TYPE(item);
        if class == &raw mut py::PyUnicode_Type {
            if !quick_text::<O, D, LINES, MASKED>(quick, false, item, takes) {
                return Found::Other;
            }
        } else if class == &raw mut py::PyLong_Type {
            let Int::Signed(value) = int::value(item) else {
                return Found::Other;
            };
            // Most are so short that the option need not be looked at.
            let wide = D::NARROW_INTS && int::is_long(item) && takes.narrow_ints;
            if wide && value.unsigned_abs() > LARGEST_EXACT {
                return Found::Other;
            }
            quick.int(value);
        } else if class == &raw mut py::PyDict_Type {
            return Found::Dict;
        } else if class == &raw mut py::PyList_Type {
            return Found::List;
        } else if class == &raw mut py::PyFloat_Type {
            let value = py::PyFloat_AS_DOUBLE(item);
            if !value.is_finite() {
                return Found::Other;
            }
            quick.float::<MASKED>(value);
        } else if class == &raw mut py::PyBool_Type {
            quick.bool(item == py::Py_True());
        } else if item == py::Py_None() {
            quick.null();
        } else if class == &raw mut py::PyTuple_Type {
            return Found::Tuple;
        } else {
            return Found::Other;
        }
    }
    Found::Written
}

/// Which representations of strings the output takes as they are, lone
/// surrogates and all; and which integers.
#[allow(clippy::struct_excessive_bools, reason = "each is looked at by itself")]
#[derive(Clone, Copy)]
pub struct Takes {
    latin1: bool,
    ucs2: bool,
    ucs4: bool,
    /// Integers only as far as an `f64` holds them.
    pub narrow_ints: bool,
    /// Integers as keys.
    pub int_keys: bool,
}

impl Takes {
    /// What output of this kind takes while it has this form.
    pub fn new<O: Output, D: Door>(
        form: Form,
        refuse_surrogates: bool,
        options: &Options,
    ) -> Takes {
        let all = O::UTF8 || !matches!(D::Policy::RULES.non_ascii, NonAscii::Keep);
        Takes {
            latin1: all || form >= Form::Latin1,
            ucs2: (all || form >= Form::Ucs2) && !refuse_surrogates,
            ucs4: (all || form >= Form::Ucs4) && !refuse_surrogates,
            narrow_ints: D::NARROW_INTS && D::narrow_ints(options),
            int_keys: D::int_keys(options),
        }
    }
}

/// Writes a string, a key or a value, if the output takes it and has plenty of
/// room.
///
/// # Safety
/// The item is a `str`, alive, and there is room. `MASKED` as for
/// [`Quick::short`].
#[inline(always)]
pub unsafe fn quick_text<O: Output, D: Door, const LINES: bool, const MASKED: bool>(
    quick: &mut Quick<O, D, LINES>,
    key: bool,
    item: *mut PyObject,
    takes: Takes,
) -> bool {
    // SAFETY: as the caller says; the characters stand behind their header.
    unsafe {
        if let Some((text, len)) = str::ascii_behind_head(item)
            && quick.short::<MASKED>(key, text, len)
        {
            return true;
        }
        if MASKED && !O::UTF8 {
            let written = match str::compact(item) {
                Some(Chars::Latin1(text)) if takes.latin1 => {
                    quick.short_wide::<Latin1, MASKED>(key, text)
                }
                Some(Chars::Ucs2(text)) if takes.ucs2 => {
                    quick.short_wide::<Ucs2, MASKED>(key, text)
                }
                _ => false,
            };
            if written {
                return true;
            }
        }
        let tail = text_aside::<O, D>(quick.cursor(), item, quick.behind(key), takes);
        if !tail.is_null() {
            quick.advance_to(tail);
        }
        !tail.is_null()
    }
}

/// Writes a key that is an exact `int`, if it is one of at most 64 bits.
///
/// # Safety
/// The item is alive, and there is room.
#[inline(always)]
pub unsafe fn quick_int_key<O: Output, D: Door, const LINES: bool>(
    quick: &mut Quick<O, D, LINES>,
    item: *mut PyObject,
) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        let tail = int_key_aside::<O>(quick.cursor(), item, quick.behind(true));
        if !tail.is_null() {
            quick.advance_to(tail);
        }
        !tail.is_null()
    }
}

/// # Safety
/// As for [`quick_int_key`].
#[inline(never)]
unsafe fn int_key_aside<O: Output>(
    mut cursor: Cursor,
    item: *mut PyObject,
    behind: Word,
) -> *mut u8 {
    // SAFETY: as the caller says; the item is of the type that is found.
    unsafe {
        if py::Py_TYPE(item) != &raw mut py::PyLong_Type {
            return core::ptr::null_mut();
        }
        let Int::Signed(value) = int::value(item) else {
            return core::ptr::null_mut();
        };
        cursor.put_byte::<O>(b'"');
        cursor.put_number::<O>(|dst| number::write_i64(dst, value));
        cursor.put_word::<O>(behind);
        cursor.tail()
    }
}

/// Writes a string of any form or length; see [`Quick::text`].
#[inline(never)]
unsafe fn text_aside<O: Output, D: Door>(
    cursor: Cursor,
    item: *mut PyObject,
    behind: Word,
    takes: Takes,
) -> *mut u8 {
    // SAFETY: the item is a `str`, alive.
    let chars = unsafe { str::compact(item) };
    chars_aside::<O, D>(cursor, chars, behind, takes)
}

/// The same of characters that are found already.
#[inline(always)]
pub fn chars_aside<O: Output, D: Door>(
    cursor: Cursor,
    chars: Option<Chars<'_>>,
    behind: Word,
    takes: Takes,
) -> *mut u8 {
    match chars {
        Some(Chars::Ascii(text)) => Quick::<O, D, false>::text::<Ascii>(cursor, text, behind),
        Some(Chars::Latin1(text)) if takes.latin1 => {
            Quick::<O, D, false>::text::<Latin1>(cursor, text, behind)
        }
        Some(Chars::Ucs2(text)) if takes.ucs2 => {
            Quick::<O, D, false>::text::<Ucs2>(cursor, text, behind)
        }
        Some(Chars::Ucs4(text)) if takes.ucs4 => {
            Quick::<O, D, false>::text::<Ucs4>(cursor, text, behind)
        }
        _ => core::ptr::null_mut(),
    }
}
