//! Dates and times (RFC 3339, section 5.6) and durations (ISO 8601).

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::error::Failure;
use super::names;
use super::options::Options;
use crate::ffi::owned::Owned;

/// The largest offset to UTC, 23:59, in minutes.
const LARGEST_OFFSET: u64 = 24 * 60 - 1;

/// A short ASCII text.
pub struct Stamp {
    bytes: [u8; 64],
    len: usize,
}

impl Stamp {
    /// No text yet.
    pub fn new() -> Stamp {
        Stamp {
            bytes: [0; 64],
            len: 0,
        }
    }

    /// Appends one character.
    #[inline]
    pub fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// Appends ASCII text.
    pub fn push_all(&mut self, text: &[u8]) {
        for &byte in text {
            self.push(byte);
        }
    }

    /// Appends ASCII text of a length that is known.
    #[inline(always)]
    pub fn push_block<const N: usize>(&mut self, text: &[u8; N]) {
        self.bytes[self.len..self.len + N].copy_from_slice(text);
        self.len += N;
    }

    /// Appends `value` with at least `width` digits.
    pub fn number(&mut self, value: u64, width: usize) {
        let mut digits = [0; 20];
        let mut n = 0;
        let mut rest = value;
        while rest > 0 || n < width {
            digits[n] = b'0' + (rest % 10) as u8;
            rest /= 10;
            n += 1;
        }
        for &digit in digits[..n].iter().rev() {
            self.push(digit);
        }
    }

    /// Appends `2026-01-31`.
    pub fn date(&mut self, year: i32, month: i32, day: i32) {
        let mut text = *b"0000-00-00";
        text[..2].copy_from_slice(&two_digits(year / 100));
        text[2..4].copy_from_slice(&two_digits(year % 100));
        text[5..7].copy_from_slice(&two_digits(month));
        text[8..].copy_from_slice(&two_digits(day));
        self.push_block(&text);
    }

    /// Appends `12:00:00.000001`.
    pub fn time(&mut self, [hour, minute, second, micro]: [i32; 4], options: &Options) {
        let mut text = *b"00:00:00";
        text[..2].copy_from_slice(&two_digits(hour));
        text[3..5].copy_from_slice(&two_digits(minute));
        text[6..].copy_from_slice(&two_digits(second));
        self.push_block(&text);
        if micro != 0 && !options.omit_microseconds {
            let mut text = *b".000000";
            text[1..3].copy_from_slice(&two_digits(micro / 10_000));
            text[3..5].copy_from_slice(&two_digits(micro / 100 % 100));
            text[5..].copy_from_slice(&two_digits(micro % 100));
            self.push_block(&text);
        }
    }

    /// An offset to UTC. RFC 3339 knows whole minutes only, and fewer than
    /// 24 hours: seconds are rounded.
    fn offset(&mut self, seconds: i64, options: &Options) {
        if seconds == 0 && options.utc_z {
            self.push(b'Z');
            return;
        }
        self.push(if seconds < 0 { b'-' } else { b'+' });
        let minutes = ((seconds.unsigned_abs() + 30) / 60).min(LARGEST_OFFSET);
        self.number(minutes / 60, 2);
        self.push(b':');
        self.number(minutes % 60, 2);
    }

    /// The text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// The digits of a number below 100.
#[inline(always)]
fn two_digits(value: i32) -> [u8; 2] {
    [b'0' + (value / 10) as u8, b'0' + (value % 10) as u8]
}

/// Whether a time zone is a `datetime.timezone`, whose methods are none of a
/// user.
///
/// # Safety
/// The C API of `datetime` is loaded, and `zone` is alive.
pub unsafe fn is_own_zone(zone: *mut PyObject) -> bool {
    // SAFETY: as the caller says.
    unsafe { py::Py_TYPE(zone) == py::Py_TYPE(py::PyDateTime_TimeZone_UTC()) }
}

/// Whether the text of a `datetime.datetime` takes nothing but its own fields
/// and the methods of a [`datetime.timezone`](is_own_zone).
///
/// # Safety
/// The C API of `datetime` is loaded, and `op` is a `datetime.datetime`.
pub unsafe fn is_plain(op: *mut PyObject) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        let zone = py::PyDateTime_DATE_GET_TZINFO(op);
        zone == py::Py_None() || py::PyDateTime_CheckExact(op) != 0 && is_own_zone(zone)
    }
}

/// `2026-01-31`.
///
/// # Safety
/// `op` is a `datetime.date`.
pub unsafe fn date(op: *mut PyObject) -> Stamp {
    let mut stamp = Stamp::new();
    // SAFETY: as the caller says.
    unsafe {
        stamp.date(
            py::PyDateTime_GET_YEAR(op),
            py::PyDateTime_GET_MONTH(op),
            py::PyDateTime_GET_DAY(op),
        );
    }
    stamp
}

/// `2026-01-31T12:00:00.000001+01:00`; without an offset when there is no
/// time zone.
///
/// # Safety
/// `op` is a `datetime.datetime`, owned by the caller: a `tzinfo` may be a
/// user's own.
pub unsafe fn datetime(op: *mut PyObject, options: &Options) -> Result<Stamp, Failure> {
    // SAFETY: as the caller says.
    unsafe {
        let mut stamp = date(op);
        stamp.push(b'T');
        let time = [
            py::PyDateTime_DATE_GET_HOUR(op),
            py::PyDateTime_DATE_GET_MINUTE(op),
            py::PyDateTime_DATE_GET_SECOND(op),
            py::PyDateTime_DATE_GET_MICROSECOND(op),
        ];
        stamp.time(time, options);
        if py::PyDateTime_DATE_GET_TZINFO(op) == py::Py_None() {
            if options.naive_utc {
                stamp.offset(0, options);
            }
            return Ok(stamp);
        }
        let zone = py::PyDateTime_DATE_GET_TZINFO(op);
        if zone == py::PyDateTime_TimeZone_UTC() && py::PyDateTime_CheckExact(op) != 0 {
            stamp.offset(0, options);
            return Ok(stamp);
        }
        let offset = utc_offset(op)?;
        match offset {
            Some(seconds) => stamp.offset(seconds, options),
            None if options.naive_utc => stamp.offset(0, options),
            None => {}
        }
        Ok(stamp)
    }
}

/// `12:00:00.000001`.
///
/// # Safety
/// `op` is a `datetime.time`.
pub unsafe fn time(op: *mut PyObject, options: &Options) -> Result<Stamp, Failure> {
    // SAFETY: as the caller says.
    unsafe {
        if py::PyDateTime_TIME_GET_TZINFO(op) != py::Py_None() {
            return Err(Failure::value("datetime.time must not have tzinfo set"));
        }
        let mut stamp = Stamp::new();
        let time = [
            py::PyDateTime_TIME_GET_HOUR(op),
            py::PyDateTime_TIME_GET_MINUTE(op),
            py::PyDateTime_TIME_GET_SECOND(op),
            py::PyDateTime_TIME_GET_MICROSECOND(op),
        ];
        stamp.time(time, options);
        Ok(stamp)
    }
}

/// `P1DT2H3M4.000005S`; zero is `PT0S`, and a negative duration begins with
/// `-P`.
///
/// # Safety
/// `op` is a `datetime.timedelta`.
pub unsafe fn timedelta(op: *mut PyObject) -> Stamp {
    // SAFETY: as the caller says.
    let total = unsafe {
        let days = py::PyDateTime_DELTA_GET_DAYS(op) as i64;
        let seconds = py::PyDateTime_DELTA_GET_SECONDS(op) as i64;
        let micro = py::PyDateTime_DELTA_GET_MICROSECONDS(op) as i128;
        (days * 86_400 + seconds) as i128 * 1_000_000 + micro
    };
    let mut stamp = Stamp::new();
    if total < 0 {
        stamp.push(b'-');
    }
    stamp.push(b'P');
    let micro = total.unsigned_abs();
    let (seconds, micro) = ((micro / 1_000_000) as u64, (micro % 1_000_000) as u64);
    let parts = [
        (seconds / 86_400, b'D'),
        (seconds / 3600 % 24, b'H'),
        (seconds / 60 % 60, b'M'),
    ];
    for (i, (value, unit)) in parts.into_iter().enumerate() {
        if value > 0 {
            if i > 0 {
                begin_time(&mut stamp);
            }
            stamp.number(value, 1);
            stamp.push(unit);
        }
    }
    let second = seconds % 60;
    if second > 0 || micro > 0 || total == 0 {
        begin_time(&mut stamp);
        stamp.number(second, 1);
        if micro > 0 {
            let (mut digits, mut width) = (micro, 6);
            while digits % 10 == 0 {
                digits /= 10;
                width -= 1;
            }
            stamp.push(b'.');
            stamp.number(digits, width);
        }
        stamp.push(b'S');
    }
    stamp
}

/// The `T` before a duration's first unit of time.
fn begin_time(stamp: &mut Stamp) {
    if !stamp.as_bytes().contains(&b'T') {
        stamp.push(b'T');
    }
}

/// The offset to UTC in seconds, rounded down; `None` for a naive value.
unsafe fn utc_offset(op: *mut PyObject) -> Result<Option<i64>, Failure> {
    // SAFETY: `op` is a datetime, owned by the caller; the method itself sees
    // to it that it returns a timedelta or None.
    unsafe {
        let name = names::UTCOFFSET.get()?;
        let offset = Owned::from_call(py::PyObject_CallMethodNoArgs(op, name))?;
        if offset.as_ptr() == py::Py_None() {
            return Ok(None);
        }
        if py::PyDelta_Check(offset.as_ptr()) == 0 {
            return Err(Failure::value(
                "utcoffset() returned something else than a timedelta",
            ));
        }
        let days = py::PyDateTime_DELTA_GET_DAYS(offset.as_ptr()) as i64;
        let seconds = py::PyDateTime_DELTA_GET_SECONDS(offset.as_ptr()) as i64;
        Ok(Some(days * 86_400 + seconds))
    }
}
