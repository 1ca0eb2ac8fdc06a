//! The members of a dict, gathered before any of them is written: with
//! `OPT_SORT_KEYS`, in the order of their keys' code points, and with
//! `OPT_NON_STR_KEYS`, their keys converted.

use core::mem::MaybeUninit;

use linecaster_kernel::number::{self, float_style};
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::classes::{Class, class_of};
use super::rules::SURROGATES;
use super::{options, temporal};
use crate::encode::error::Failure;
use crate::encode::names;
use crate::encode::options::Options;
use crate::encode::sort::{self, Gathered};
use crate::encode::temporal::{self as spelled, Stamp};
use crate::ffi::dict_entries::Entries;
use crate::ffi::int::{self, Int};
use crate::ffi::owned::Owned;
use crate::ffi::str;

/// Keys must be strings unless the options say otherwise.
pub const NOT_STR: &str = "Dict key must be str";

/// How an `Enum` whose value is an `Enum` is followed.
const REPLACEMENTS: usize = 254;

/// The members of `dict`, their keys converted and sorted as the options ask.
///
/// # Safety
/// The GIL is held, and `dict` is a dict, owned by the caller.
pub unsafe fn gathered(dict: *mut PyObject, options: &Options) -> Result<Gathered, Failure> {
    let sort = options.flags & options::SORT_KEYS != 0;
    // SAFETY: the tuple of members is new, and nobody else sees it.
    unsafe {
        let plain = all_plain(dict, options);
        if plain && !sort {
            return Ok(Gathered::AsTheyCome);
        }
        let members = sort::members(dict).ok_or(Failure::Raised)?;
        if !plain {
            for i in (0..py::PyTuple_GET_SIZE(members.as_ptr())).step_by(2) {
                check_or_convert(&members, i, options)?;
            }
        }
        if sort {
            sort::sort_members(&members);
        }
        Ok(Gathered::Members(members))
    }
}

/// Whether the members of `dict` are written as they come.
///
/// # Safety
/// The GIL is held, and `dict` is a dict.
pub unsafe fn as_they_come(options: &Options, dict: *mut PyObject) -> bool {
    // SAFETY: as the caller says.
    options.flags & options::SORT_KEYS == 0 && unsafe { all_plain(dict, options) }
}

/// Whether all keys are exact strings of ASCII characters, or exact integers
/// if those are not sorted: keys that can be written, whatever else happens.
unsafe fn all_plain(dict: *mut PyObject, options: &Options) -> bool {
    let ints = options.flags & (options::NON_STR_KEYS | options::SORT_KEYS);
    let ints = ints == options::NON_STR_KEYS;
    // SAFETY: the caller gives a dict that nothing changes meanwhile.
    unsafe {
        let (entries, mut pos) = (Entries::of(dict), 0);
        while let Some([key, _]) = entries.next(&mut pos) {
            let plain = if py::PyUnicode_CheckExact(key) != 0 {
                str::ascii_behind_head(key).is_some()
            } else {
                ints && py::PyLong_CheckExact(key) != 0 && int::value(key) != Int::Big
            };
            if !plain {
                return false;
            }
        }
    }
    true
}

/// A key that is no exact `str` as the one that is written.
///
/// # Safety
/// The GIL is held.
pub unsafe fn converted(key: Owned, options: &Options) -> Result<Owned, Failure> {
    if options.flags & options::NON_STR_KEYS == 0 {
        return Err(Failure::value(NOT_STR));
    }
    // SAFETY: as the caller says.
    unsafe { key_text(key, options) }
}

/// Sees to it that the key at `i` is a string that can be written.
unsafe fn check_or_convert(
    members: &Owned,
    i: Py_ssize_t,
    options: &Options,
) -> Result<(), Failure> {
    // SAFETY: the tuple is nobody else's: its references may be exchanged.
    unsafe {
        let key = Owned::from_borrowed(py::PyTuple_GET_ITEM(members.as_ptr(), i));
        if py::PyUnicode_CheckExact(key.as_ptr()) != 0 {
            return check(&key);
        }
        let text = converted(Owned::from_borrowed(key.as_ptr()), options)?;
        py::PyTuple_SET_ITEM(members.as_ptr(), i, text.into_ptr());
        py::Py_DECREF(key.as_ptr());
        Ok(())
    }
}

/// Refuses lone surrogates.
unsafe fn check(key: &Owned) -> Result<(), Failure> {
    // SAFETY: the key is a `str`, owned.
    match unsafe { str::chars(key.as_ptr()) } {
        None => Err(Failure::Raised),
        Some(chars) if chars.has_surrogate() => Err(Failure::value(SURROGATES)),
        Some(_) => Ok(()),
    }
}

/// A key of any type as an exact `str`.
unsafe fn key_text(mut key: Owned, options: &Options) -> Result<Owned, Failure> {
    let passed = options::PASSTHROUGH_DATACLASS
        | options::PASSTHROUGH_DATETIME
        | options::PASSTHROUGH_SUBCLASS;
    // SAFETY: the key is owned, and of the class that is found.
    unsafe {
        for _ in 0..REPLACEMENTS {
            let op = key.as_ptr();
            if let Some(text) = built_in_text(op)? {
                return Ok(text);
            }
            match class_of(op, options.flags & !passed)? {
                Class::Str => {
                    check(&key)?;
                    return Ok(Owned::from_call(py::PyUnicode_FromObject(op))?);
                }
                Class::Int => return int_text(op),
                class @ (Class::DateTime | Class::Date | Class::Time | Class::Uuid) => {
                    let mut place = spelled::place();
                    let mut text = Stamp::new(&mut place);
                    temporal::stamp(&mut text, class, op, options)?;
                    return ascii(text.as_bytes());
                }
                Class::Enum { .. } => key = names::VALUE.of(op)?,
                _ => break,
            }
        }
    }
    Err(Failure::value(
        "Dict key must a type serializable with OPT_NON_STR_KEYS",
    ))
}

/// The text of a key of an exact built-in type.
unsafe fn built_in_text(op: *mut PyObject) -> Result<Option<Owned>, Failure> {
    // SAFETY: the key is owned by the caller, and of the type that is found.
    unsafe {
        Ok(Some(if py::PyUnicode_CheckExact(op) != 0 {
            let key = Owned::from_borrowed(op);
            check(&key)?;
            key
        } else if py::PyLong_CheckExact(op) != 0 {
            int_text(op)?
        } else if op == py::Py_None() {
            ascii(b"null")?
        } else if op == py::Py_True() {
            ascii(b"true")?
        } else if op == py::Py_False() {
            ascii(b"false")?
        } else if py::PyFloat_CheckExact(op) != 0 {
            float_text(py::PyFloat_AS_DOUBLE(op))?
        } else {
            return Ok(None);
        }))
    }
}

unsafe fn int_text(op: *mut PyObject) -> Result<Owned, Failure> {
    // SAFETY: the caller gives an `int`; the buffer has room for any.
    unsafe {
        let mut text = [MaybeUninit::<u8>::uninit(); number::U64_LEN.next_multiple_of(32)];
        let start = text.as_mut_ptr().cast::<u8>();
        let len = match int::value(op) {
            Int::Signed(value) => number::write_i64(start, value),
            Int::Unsigned(value) => number::write_u64(start, value),
            Int::Big => {
                return Err(Failure::value(
                    "Dict integer key must be within 64-bit range",
                ));
            }
        };
        ascii(core::slice::from_raw_parts(start, len))
    }
}

unsafe fn float_text(value: f64) -> Result<Owned, Failure> {
    // SAFETY: the buffer has room for any float.
    unsafe {
        if !value.is_finite() {
            return ascii(b"null");
        }
        let mut text = [MaybeUninit::<u8>::uninit(); number::FLOAT_LEN];
        let start = text.as_mut_ptr().cast::<u8>();
        let len = number::write_f64::<float_style::Orjson>(start, value);
        ascii(core::slice::from_raw_parts(start, len))
    }
}

unsafe fn ascii(text: &[u8]) -> Result<Owned, Failure> {
    // SAFETY: the GIL is held; the text is ASCII.
    Ok(unsafe { Owned::from_call(str::from_ascii(text))? })
}
