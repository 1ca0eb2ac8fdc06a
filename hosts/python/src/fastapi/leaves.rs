//! What FastAPI's own encoders make of dates, times, UUIDs, decimals and
//! `bytes`, without calling them.
//!
//! That holds for exact classes, and only as long as `ENCODERS_BY_TYPE` has
//! for a class what it had when FastAPI made it.

use core::ptr::null_mut;

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use super::decimal;
use crate::encode::classes::loaded;
use crate::encode::error::Failure;
use crate::encode::options::Options;
use crate::encode::temporal::{self, Stamp};
use crate::encode::{names, uuid};
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::{float, str};

/// A class whose encoder is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    Uuid,
    DateTime,
    Date,
    Time,
    Duration,
    Decimal,
    Bytes,
}

/// How many there are.
const COUNT: usize = 7;

/// The classes, and the encoders that FastAPI has for them; null where it has
/// another one than is known.
pub struct Leaves([(*mut PyTypeObject, *mut PyObject, Leaf); COUNT]);

impl Leaves {
    /// Looks at what the module `fastapi.encoders` has, and its table.
    ///
    /// # Safety
    /// The GIL is held; both are alive.
    pub unsafe fn new(module: *mut PyObject, table: *mut PyObject) -> Result<Leaves, Raised> {
        // SAFETY: as the caller says; classes of the standard library stay.
        unsafe {
            py::PyDateTime_IMPORT();
            let api = py::PyDateTimeAPI();
            if api.is_null() {
                return Err(Raised);
            }
            let class = |module, name| {
                let found = loaded(module, name)?;
                Ok(found.map_or(null_mut(), Owned::into_ptr).cast())
            };
            let uuid: *mut PyTypeObject = class(c"uuid", c"UUID")?;
            let mut number: *mut PyTypeObject = class(c"decimal", c"Decimal")?;
            if !decimal::verify_layout(number)? {
                number = null_mut();
            }
            let of_module = |name: &core::ffi::CStr| {
                Owned::from_call(py::PyObject_GetAttrString(module, name.as_ptr()))
            };
            let text: *mut PyObject = (&raw mut py::PyUnicode_Type).cast();
            let stamp = of_module(c"isoformat")?.into_ptr();
            let exact = of_module(c"decimal_encoder")?.into_ptr();
            let mut found = [
                (uuid, text, Leaf::Uuid),
                ((*api).DateTimeType, stamp, Leaf::DateTime),
                ((*api).DateType, stamp, Leaf::Date),
                ((*api).TimeType, stamp, Leaf::Time),
                ((*api).DeltaType, null_mut(), Leaf::Duration),
                (number, exact, Leaf::Decimal),
                (&raw mut py::PyBytes_Type, null_mut(), Leaf::Bytes),
            ];
            for (class, expected, _) in &mut found {
                if class.is_null() {
                    continue;
                }
                let encoder = py::PyObject_GetItem(table, (*class).cast());
                let Some(encoder) = Owned::from_new(encoder) else {
                    py::PyErr_Clear();
                    *class = null_mut();
                    continue;
                };
                let same = if expected.is_null() {
                    is_own_lambda(encoder.as_ptr())?
                } else {
                    encoder.as_ptr() == *expected
                };
                if same {
                    *expected = encoder.into_ptr();
                } else {
                    *class = null_mut();
                }
            }
            Ok(Leaves(found))
        }
    }

    /// What instances of exactly this class are.
    pub fn of(&self, class: *mut PyTypeObject) -> Option<Leaf> {
        let found = self.0.iter().find(|leaf| leaf.0 == class);
        found.map(|leaf| leaf.2)
    }

    /// The encoder that is known for it.
    #[inline(always)]
    pub fn encoder(&self, leaf: Leaf) -> *mut PyObject {
        self.0[leaf as usize].1
    }
}

/// Whether that is a function without a name of the module `fastapi.encoders`.
unsafe fn is_own_lambda(op: *mut PyObject) -> Result<bool, Raised> {
    // SAFETY: the caller owns the object.
    unsafe {
        for (name, expected) in [
            (c"__module__", c"fastapi.encoders"),
            (c"__name__", c"<lambda>"),
        ] {
            let Some(found) = Owned::from_new(py::PyObject_GetAttrString(op, name.as_ptr())) else {
                py::PyErr_Clear();
                return Ok(false);
            };
            let expected = Owned::from_call(py::PyUnicode_FromString(expected.as_ptr()))?;
            match py::PyObject_RichCompareBool(found.as_ptr(), expected.as_ptr(), py::Py_EQ) {
                -1 => return Err(Raised),
                0 => return Ok(false),
                _ => {}
            }
        }
        Ok(true)
    }
}

/// What the encoder returns for `op`; `None` if it has to be called.
///
/// # Safety
/// The GIL is held, and `op` is exactly of the class, owned by the caller.
#[inline]
pub unsafe fn spelled(leaf: Leaf, op: *mut PyObject) -> Option<Result<Owned, Raised>> {
    // SAFETY: as the caller says.
    unsafe {
        match leaf {
            Leaf::Uuid => {
                let text = uuid::text(uuid::in_place(op)?);
                Some(Owned::from_call(str::from_ascii(&text)))
            }
            Leaf::Decimal => decimal::object(op),
            Leaf::Bytes => {
                let text = py::PyUnicode_DecodeUTF8(
                    py::PyBytes_AS_STRING(op),
                    py::PyBytes_Size(op),
                    core::ptr::null(),
                );
                Some(Owned::from_call(text))
            }
            Leaf::Duration => Some(Owned::from_call(float::new(seconds(op)?))),
            Leaf::DateTime | Leaf::Date | Leaf::Time => {
                let mut place = temporal::place();
                let mut text = Stamp::new(&mut place);
                Some(match stamp(&mut text, leaf, op) {
                    Ok(()) => Owned::from_call(str::from_ascii(text.as_bytes())),
                    Err(_) => isoformat(op),
                })
            }
        }
    }
}

/// `isoformat()` of a date or time; fails if a time zone is asked for it.
///
/// # Safety
/// The GIL is held, and `op` is exactly of the class.
#[inline]
pub unsafe fn stamp(text: &mut Stamp<'_>, leaf: Leaf, op: *mut PyObject) -> Result<(), Failure> {
    // SAFETY: as the caller says.
    unsafe {
        match leaf {
            Leaf::Date => {
                temporal::date(text, op);
                Ok(())
            }
            Leaf::DateTime if has_no_zone(op) => temporal::datetime(text, op, &Options::DEFAULT),
            Leaf::Time => temporal::time(text, op, &Options::DEFAULT),
            _ => Err(Failure::value("a time zone")),
        }
    }
}

/// Whether a `datetime` is naive, or in UTC by the constant for that.
///
/// # Safety
/// The GIL is held, and `op` is exactly a `datetime`.
pub unsafe fn has_no_zone(op: *mut PyObject) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        let zone = py::PyDateTime_DATE_GET_TZINFO(op);
        zone == py::Py_None() || zone == py::PyDateTime_TimeZone_UTC()
    }
}

unsafe fn isoformat(op: *mut PyObject) -> Result<Owned, Raised> {
    // SAFETY: the caller owns the object.
    unsafe {
        let name = names::ISOFORMAT.get()?;
        Owned::from_call(py::PyObject_CallMethodNoArgs(op, name))
    }
}

/// `total_seconds()`, as far as the microseconds are an exact `f64`.
///
/// # Safety
/// The GIL is held, and `op` is exactly a `timedelta`.
pub unsafe fn seconds(op: *mut PyObject) -> Option<f64> {
    const LARGEST_EXACT: u64 = 1 << 53;
    // SAFETY: as the caller says.
    unsafe {
        let days = i64::from(py::PyDateTime_DELTA_GET_DAYS(op));
        let seconds = days * 86_400 + i64::from(py::PyDateTime_DELTA_GET_SECONDS(op));
        let micros = i64::from(py::PyDateTime_DELTA_GET_MICROSECONDS(op));
        let total = seconds.checked_mul(1_000_000)?.checked_add(micros)?;
        (total.unsigned_abs() <= LARGEST_EXACT).then(|| total as f64 / 1e6)
    }
}
