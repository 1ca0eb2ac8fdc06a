//! Arrays of `datetime64` as nested lists of their texts.

use pyo3_ffi::{Py_ssize_t, PyObject};

use super::datetime64::Unit;
use super::{types, view};
use crate::args::{set_error, type_error};
use crate::encode::error::Failure;
use crate::encode::options::Options;
use crate::encode::temporal::{self, Stamp};
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::{list, str};

/// The lists of an array whose items lie in order; `NaT` is `None`, and an
/// array without dimensions is one text.
///
/// # Safety
/// The GIL is held, and `op` is owned by the caller.
pub unsafe fn listed(op: *mut PyObject) -> Result<Owned, Raised> {
    // SAFETY: as the caller says; the array does not change while its items are
    // read: nothing but strings and lists is made.
    unsafe {
        let is_array = types()?.is_some_and(|types| pyo3_ffi::Py_TYPE(op) == types.array);
        if !is_array {
            type_error("stamps() takes an array");
            return Err(Raised);
        }
        let unit = Unit::of(op)?;
        let made = view::asked(op, |view| {
            if (view.kind, view.size) != (b'M', 8) || !view.contiguous || !view.native {
                return Err(Failure::value("stamps() takes datetime64 in order"));
            }
            let mut data = view.data.cast();
            nested(view.shape, &mut data, unit)
        });
        made.map_err(|failure| {
            if let Failure::Value(text) = failure {
                set_error(pyo3_ffi::PyExc_ValueError, &text);
            }
            Raised
        })
    }
}

/// # Safety
/// As many items lie at `data` as the shape says; it moves on behind them.
unsafe fn nested(
    shape: &[Py_ssize_t],
    data: &mut *const i64,
    unit: Unit,
) -> Result<Owned, Failure> {
    // SAFETY: as the caller says.
    unsafe {
        let [count, inner @ ..] = shape else {
            let value = data.read_unaligned();
            *data = data.add(1);
            return text(value, unit);
        };
        let made = Owned::from_call(list::with_room(*count as usize))?;
        for _ in 0..*count {
            list::push(made.as_ptr(), nested(inner, data, unit)?)?;
        }
        Ok(made)
    }
}

unsafe fn text(value: i64, unit: Unit) -> Result<Owned, Failure> {
    // SAFETY: the GIL is held; the text is ASCII.
    unsafe {
        if value == i64::MIN {
            return Ok(Owned::from_borrowed(pyo3_ffi::Py_None()));
        }
        let mut place = temporal::place();
        let mut stamp = Stamp::new(&mut place);
        unit.stamp(&mut stamp, value, &Options::DEFAULT)?;
        Ok(Owned::from_call(str::from_ascii(stamp.as_bytes()))?)
    }
}
