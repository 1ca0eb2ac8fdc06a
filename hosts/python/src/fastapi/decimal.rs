//! What FastAPI makes of a `Decimal`: an `int` if it has no decimal places,
//! else a `float`; read where the number lies.
//!
//! [`verify_layout`] holds the layout of `_decimal`, which no header
//! describes, against numbers of the running interpreter.

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use crate::ffi::float;
use crate::ffi::owned::{Owned, Raised};

/// An instance: the head, a hash, then libmpdec's `mpd_t`.
#[repr(C)]
struct Layout {
    head: PyObject,
    hash: py::Py_hash_t,
    flags: u8,
    exponent: isize,
    digits: isize,
    len: isize,
    allocated: isize,
    words: *const usize,
}

const NEGATIVE: u8 = 1;
/// Infinities and NaNs.
const SPECIAL: u8 = 2 | 4 | 8;

/// Powers of ten that an `f64` holds.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// A finite number of one word, and its exponent; `None` for any other.
unsafe fn short(op: *mut PyObject) -> Option<(bool, u64, isize)> {
    // SAFETY: the caller's object is a Decimal, of the layout that was
    // verified; its words are there.
    unsafe {
        let number = &*op.cast::<Layout>();
        if number.flags & SPECIAL != 0 || number.len != 1 {
            return None;
        }
        let negative = number.flags & NEGATIVE != 0;
        Some((negative, *number.words as u64, number.exponent))
    }
}

/// A number that a Decimal becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(i64),
    Float(f64),
}

/// What `decimal_encoder` returns for `op`, as a number; `None` if it has to
/// be called.
///
/// # Safety
/// The GIL is held, and `op` is exactly a `Decimal` of the verified layout.
pub unsafe fn number(op: *mut PyObject) -> Option<Number> {
    // SAFETY: as the caller says.
    let (negative, word, exponent) = unsafe { short(op)? };
    if exponent >= 0 {
        let power = 10_u64.checked_pow(u32::try_from(exponent).ok()?)?;
        let value = i64::try_from(word.checked_mul(power)?).ok()?;
        return Some(Number::Int(if negative { -value } else { value }));
    }
    // Both are exact, so that the quotient is the nearest `f64`, as the one
    // that is read from the text.
    if word > 1 << 53 {
        return None;
    }
    let value = word as f64 / POWERS.get(exponent.unsigned_abs())?;
    Some(Number::Float(if negative { -value } else { value }))
}

/// The same as an object.
///
/// # Safety
/// As for [`number`].
pub unsafe fn object(op: *mut PyObject) -> Option<Result<Owned, Raised>> {
    // SAFETY: as the caller says.
    unsafe {
        Some(Owned::from_call(match number(op)? {
            Number::Int(value) => py::PyLong_FromLongLong(value),
            Number::Float(value) => float::new(value),
        }))
    }
}

/// Whether instances of `class`, `decimal.Decimal`, lie in memory as is
/// expected here.
///
/// # Safety
/// The GIL is held; the class is alive, or null.
pub unsafe fn verify_layout(class: *mut PyTypeObject) -> Result<bool, Raised> {
    // SAFETY: as the caller says; no more is read than an instance has.
    unsafe {
        if class.is_null()
            || cfg!(Py_GIL_DISABLED)
            || ((*class).tp_basicsize as usize) < size_of::<Layout>()
        {
            return Ok(false);
        }
        for (text, expected) in [
            (c"12.50", Some((false, 1250, -2))),
            (c"-1E+3", Some((true, 1, 3))),
            (c"0", Some((false, 0, 0))),
            (
                c"1234567890123456789",
                Some((false, 1_234_567_890_123_456_789, 0)),
            ),
            (c"99999999999999999999999999", None),
            (c"-0.0001", Some((true, 1, -4))),
            (c"NaN", None),
            (c"sNaN12", None),
            (c"-Infinity", None),
        ] {
            let text = Owned::from_call(py::PyUnicode_FromString(text.as_ptr()))?;
            let op = Owned::from_call(py::PyObject_CallOneArg(class.cast(), text.as_ptr()))?;
            if short(op.as_ptr()) != expected {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
