//! Dates, times and UUIDs.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::classes::Class;
use crate::encode::error::Failure;
use crate::encode::names;
use crate::encode::options::Options;
use crate::encode::temporal::{self, Stamp};
use crate::encode::uuid;
use crate::ffi::int;
use crate::ffi::owned::{Owned, Raised};

/// The text of a value that has a fixed spelling.
///
/// # Safety
/// The GIL is held; `op` is of that class, owned by the caller.
pub unsafe fn stamp(
    text: &mut Stamp<'_>,
    class: Class,
    op: *mut PyObject,
    options: &Options,
) -> Result<(), Failure> {
    // SAFETY: as the caller says.
    unsafe {
        match class {
            Class::DateTime => datetime(text, op, options)?,
            Class::Date => temporal::date(text, op),
            Class::Time => time(text, op, options)?,
            _ => uuid::stamp(text, uuid_by_name(op)?),
        }
    }
    Ok(())
}

/// As the original writes it, which leaves out the first zero of a fraction
/// from 0.01 to 0.1 seconds.
///
/// # Safety
/// `op` is a `datetime.time`.
#[inline]
pub unsafe fn time(
    stamp: &mut Stamp<'_>,
    op: *mut PyObject,
    options: &Options,
) -> Result<(), Failure> {
    // SAFETY: `op` is a time.
    unsafe {
        let micro = py::PyDateTime_TIME_GET_MICROSECOND(op);
        if !(10_000..100_000).contains(&micro) || options.omit_microseconds {
            return temporal::time(stamp, op, options);
        }
        let mut whole = Options::DEFAULT;
        whole.omit_microseconds = true;
        temporal::time(stamp, op, &whole)?;
        stamp.push(b'.');
        stamp.number(micro as u64, 5);
        Ok(())
    }
}

/// As the original writes it.
///
/// # Safety
/// `op` is a `datetime.datetime`, owned by the caller if its time zone may be
/// a user's own.
#[inline]
pub unsafe fn datetime(
    stamp: &mut Stamp<'_>,
    op: *mut PyObject,
    options: &Options,
) -> Result<(), Failure> {
    // SAFETY: `op` is a datetime.
    unsafe {
        temporal::date(stamp, op);
        stamp.push(b'T');
        let time = [
            py::PyDateTime_DATE_GET_HOUR(op),
            py::PyDateTime_DATE_GET_MINUTE(op),
            py::PyDateTime_DATE_GET_SECOND(op),
            py::PyDateTime_DATE_GET_MICROSECOND(op),
        ];
        stamp.time(time, options);
        let zone = py::PyDateTime_DATE_GET_TZINFO(op);
        if zone == py::Py_None() {
            if options.naive_utc {
                push_offset(stamp, 0, 0, options);
            }
        } else if zone == py::PyDateTime_TimeZone_UTC() {
            push_offset(stamp, 0, 0, options);
        } else {
            let offset = utc_offset(op, zone)?;
            let delta = offset.as_ptr();
            if delta != py::Py_None() {
                let days = py::PyDateTime_DELTA_GET_DAYS(delta);
                let seconds = py::PyDateTime_DELTA_GET_SECONDS(delta);
                push_offset(stamp, days, seconds, options);
            }
        }
        Ok(())
    }
}

/// Appends an offset to UTC. Half a minute and more is rounded up, after the
/// minutes were taken from the hours: there may be 60 of them.
fn push_offset(stamp: &mut Stamp<'_>, days: i32, seconds: i32, options: &Options) {
    if seconds == 0 {
        stamp.push_all(if options.utc_z { b"Z" } else { b"+00:00" });
        return;
    }
    let seconds = if days == -1 {
        stamp.push(b'-');
        86_400 - seconds
    } else {
        stamp.push(b'+');
        seconds
    };
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let minutes = minutes + i32::from(seconds % 60 >= 30);
    stamp.number(hours as u64, 2);
    stamp.push(b':');
    stamp.number(minutes as u64, 2);
}

/// The offset to UTC, a timedelta or None, asked for in the way that the
/// library which made the time zone wants.
unsafe fn utc_offset(op: *mut PyObject, zone: *mut PyObject) -> Result<Owned, Failure> {
    // SAFETY: both are owned by the caller.
    let offset = unsafe {
        let utcoffset = names::UTCOFFSET.get()?;
        if temporal::is_own_zone(zone) {
            Owned::from_call(py::PyObject_CallMethodOneArg(zone, utcoffset, op))?
        } else if has(zone, names::CONVERT.get()?) {
            // pendulum
            Owned::from_call(py::PyObject_CallMethodNoArgs(op, utcoffset))?
        } else if has(zone, names::NORMALIZE.get()?) {
            // pytz
            let normalize = names::NORMALIZE.get()?;
            let normal = Owned::from_call(py::PyObject_CallMethodOneArg(zone, normalize, op))?;
            Owned::from_call(py::PyObject_CallMethodNoArgs(normal.as_ptr(), utcoffset))?
        } else {
            // zoneinfo, dateutil, datetime.timezone
            Owned::from_call(py::PyObject_CallMethodOneArg(zone, utcoffset, op))?
        }
    };
    // SAFETY: the C API of datetime is loaded, as there is a datetime.
    unsafe {
        if offset.as_ptr() != py::Py_None() && py::PyDelta_Check(offset.as_ptr()) == 0 {
            return Err(Failure::value(
                "utcoffset() returned something else than a timedelta",
            ));
        }
    }
    Ok(offset)
}

unsafe fn has(op: *mut PyObject, name: *mut PyObject) -> bool {
    // SAFETY: the caller owns both.
    unsafe { py::PyObject_HasAttr(op, name) == 1 }
}

unsafe fn uuid_by_name(op: *mut PyObject) -> Result<u128, Failure> {
    // SAFETY: `op` is owned by the caller.
    let number = unsafe {
        let value = names::INT.of(op).map_err(|Raised| Failure::Raised)?;
        if py::PyLong_Check(value.as_ptr()) == 0 {
            return Err(Failure::value("UUID whose 'int' is not an int"));
        }
        int::magnitude(value.as_ptr())
    };
    number.ok_or_else(|| Failure::value("UUID beyond 128 bits"))
}
