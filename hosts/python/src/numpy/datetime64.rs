//! `numpy.datetime64`.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::civil;
use crate::encode::error::Failure;
use crate::encode::options::Options;
use crate::encode::temporal::Stamp;
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::str::{self, Chars};

/// The unit that a value counts, since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Years,
    Months,
    /// So many seconds, or so many to a second.
    Time {
        seconds: i64,
        per_second: i64,
        name: &'static str,
    },
    /// One without a spelling.
    Unsupported(&'static str),
}

/// Seconds from which on the original's calendar ends: an offset of a day must
/// fit before the year 10000.
const LAST: i64 = 253_402_207_200;

impl Unit {
    /// The unit of an array or scalar: `<M8[s]` is the name of its type.
    ///
    /// # Safety
    /// The GIL is held, and `op` is one, owned by the caller.
    pub unsafe fn of(op: *mut PyObject) -> Result<Unit, Raised> {
        // SAFETY: what is looked at is owned.
        unsafe {
            let dtype = Owned::from_call(py::PyObject_GetAttrString(op, c"dtype".as_ptr()))?;
            let name = py::PyObject_GetAttrString(dtype.as_ptr(), c"str".as_ptr());
            let name = Owned::from_call(name)?;
            if py::PyUnicode_Check(name.as_ptr()) == 0 {
                return Ok(Unit::Unsupported("NaT"));
            }
            match str::chars(name.as_ptr()) {
                Some(Chars::Ascii(text)) => Ok(Unit::named(text)),
                _ => Ok(Unit::Unsupported("NaT")),
            }
        }
    }

    fn named(name: &[u8]) -> Unit {
        let time = |seconds, per_second, name| Unit::Time {
            seconds,
            per_second,
            name,
        };
        let Some(unit) = name.get(4..).and_then(|unit| unit.strip_suffix(b"]")) else {
            return Unit::Unsupported("NaT");
        };
        match unit {
            b"Y" => Unit::Years,
            b"M" => Unit::Months,
            b"W" => time(7 * 86_400, 1, "weeks"),
            b"D" => time(86_400, 1, "days"),
            b"h" => time(3_600, 1, "hours"),
            b"m" => time(60, 1, "minutes"),
            b"s" => time(1, 1, "seconds"),
            b"ms" => time(1, 1_000, "milliseconds"),
            b"us" => time(1, 1_000_000, "microseconds"),
            b"ns" => time(1, 1_000_000_000, "nanoseconds"),
            b"ps" => Unit::Unsupported("picoseconds"),
            b"fs" => Unit::Unsupported("femtoseconds"),
            b"as" => Unit::Unsupported("attoseconds"),
            _ => Unit::Unsupported("generic"),
        }
    }

    /// Appends the text of a value.
    pub fn stamp(
        self,
        stamp: &mut Stamp<'_>,
        value: i64,
        options: &Options,
    ) -> Result<(), Failure> {
        let (year, month, day, [hour, minute, second], micro) = match self {
            Unit::Unsupported(name) => {
                return Err(Failure::Value(format!(
                    "unsupported numpy.datetime64 unit: {name}"
                )));
            }
            Unit::Years => (value.wrapping_add(1970), 1, 1, [0; 3], 0),
            Unit::Months => {
                // Not the calendar's rule: before 1970 only Januaries are
                // right, and others are refused.
                let (year, month) = (value / 12 + 1970, value % 12 + 1);
                if month < 1 {
                    return Err(unrepresentable(value, "months"));
                }
                (year, month as u32, 1, [0; 3], 0)
            }
            Unit::Time {
                seconds,
                per_second,
                name,
            } => {
                // NaT, the least value, wraps to 0 in units above seconds.
                let units = value.wrapping_mul(seconds);
                let (second, rest) = (units.div_euclid(per_second), units.rem_euclid(per_second));
                if second > LAST || second == LAST && rest > 0 {
                    return Err(unrepresentable(value, name));
                }
                let (year, month, day) = civil::of_days(second.div_euclid(86_400));
                let second = second.rem_euclid(86_400);
                let micro = i128::from(rest) * 1_000_000 / i128::from(per_second);
                let time = [second / 3_600, second / 60 % 60, second % 60].map(|part| part as i32);
                (year, month, day, time, micro as i32)
            }
        };
        if !(0..=9999).contains(&year) {
            return Err(unrepresentable(value, self.name()));
        }
        stamp.date(year as i32, month as i32, day as i32);
        stamp.push(b'T');
        stamp.time([hour, minute, second, micro], options);
        if options.naive_utc {
            stamp.push_all(if options.utc_z { b"Z" } else { b"+00:00" });
        }
        Ok(())
    }

    fn name(self) -> &'static str {
        match self {
            Unit::Years => "years",
            Unit::Months => "months",
            Unit::Time { name, .. } | Unit::Unsupported(name) => name,
        }
    }
}

#[cold]
fn unrepresentable(value: i64, unit: &str) -> Failure {
    Failure::Value(format!("unrepresentable numpy.datetime64: {value} {unit}"))
}
