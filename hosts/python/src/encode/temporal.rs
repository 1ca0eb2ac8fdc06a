//! Dates and times (RFC 3339, section 5.6) and durations (ISO 8601).

use core::mem::MaybeUninit;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::error::Failure;
use super::names;
use super::options::Options;
use crate::ffi::owned::Owned;

/// The largest offset to UTC, 23:59, in minutes.
const LARGEST_OFFSET: u64 = 24 * 60 - 1;

/// The most characters of a [`Stamp`].
pub const LONGEST: usize = 64;

/// Memory for one.
pub type Place = [MaybeUninit<u8>; LONGEST];

/// Memory for one that is nowhere else yet.
pub const fn place() -> Place {
    [const { MaybeUninit::uninit() }; LONGEST]
}

/// A short ASCII text, written where it is wanted: the loops have it in the
/// output at once.
pub struct Stamp<'a> {
    bytes: &'a mut Place,
    len: usize,
}

impl<'a> Stamp<'a> {
    /// No text yet.
    #[inline(always)]
    pub fn new(bytes: &'a mut Place) -> Stamp<'a> {
        Stamp { bytes, len: 0 }
    }

    /// Appends one character.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        self.bytes[self.len].write(byte);
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
        let end = self.len + N;
        self.bytes[self.len..end].copy_from_slice(&text.map(MaybeUninit::new));
        self.len = end;
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
    #[inline(always)]
    pub fn date(&mut self, year: i32, month: i32, day: i32) {
        let [[y0, y1], [y2, y3]] = [two_digits(year / 100), two_digits(year % 100)];
        let [[m0, m1], [d0, d1]] = [two_digits(month), two_digits(day)];
        self.push_block(&[y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1]);
    }

    /// Appends `12:00:00.000001`.
    #[inline(always)]
    pub fn time(&mut self, [hour, minute, second, micro]: [i32; 4], options: &Options) {
        let [h0, h1] = two_digits(hour);
        let [[m0, m1], [s0, s1]] = [two_digits(minute), two_digits(second)];
        self.push_block(&[h0, h1, b':', m0, m1, b':', s0, s1]);
        if micro != 0 && !options.omit_microseconds {
            let [a0, a1] = two_digits(micro / 10_000);
            let [[b0, b1], [c0, c1]] = [two_digits(micro / 100 % 100), two_digits(micro % 100)];
            self.push_block(&[b'.', a0, a1, b0, b1, c0, c1]);
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

    /// How many characters it has.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The text.
    pub fn as_bytes(&self) -> &[u8] {
        let text = &raw const self.bytes[..self.len];
        // SAFETY: so many are written.
        unsafe { &*(text as *const [u8]) }
    }
}

/// The digits of the numbers below 100, and of others for which nobody asks,
/// so that no index is out of range.
static TWO_DIGITS: [[u8; 2]; 128] = {
    let mut digits = [[0; 2]; 128];
    let mut i = 0;
    while i < 128 {
        digits[i] = [b'0' + (i / 10) as u8, b'0' + (i % 10) as u8];
        i += 1;
    }
    digits
};

/// The digits of a number below 100.
#[inline(always)]
fn two_digits(value: i32) -> [u8; 2] {
    TWO_DIGITS[(value & 127) as usize]
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
#[inline(always)]
pub unsafe fn date(stamp: &mut Stamp<'_>, op: *mut PyObject) {
    // SAFETY: as the caller says.
    unsafe {
        stamp.date(
            py::PyDateTime_GET_YEAR(op),
            py::PyDateTime_GET_MONTH(op),
            py::PyDateTime_GET_DAY(op),
        );
    }
}

/// `2026-01-31T12:00:00.000001+01:00`; without an offset when there is no
/// time zone.
///
/// # Safety
/// `op` is a `datetime.datetime`, owned by the caller: a `tzinfo` may be a
/// user's own.
pub unsafe fn datetime(
    stamp: &mut Stamp<'_>,
    op: *mut PyObject,
    options: &Options,
) -> Result<(), Failure> {
    // SAFETY: as the caller says.
    unsafe {
        date(stamp, op);
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
            return Ok(());
        }
        let zone = py::PyDateTime_DATE_GET_TZINFO(op);
        if zone == py::PyDateTime_TimeZone_UTC() && py::PyDateTime_CheckExact(op) != 0 {
            stamp.offset(0, options);
            return Ok(());
        }
        let offset = utc_offset(op, zone)?;
        match offset {
            Some(seconds) => stamp.offset(seconds, options),
            None if options.naive_utc => stamp.offset(0, options),
            None => {}
        }
        Ok(())
    }
}

/// `12:00:00.000001`.
///
/// # Safety
/// `op` is a `datetime.time`.
#[inline(always)]
pub unsafe fn time(
    stamp: &mut Stamp<'_>,
    op: *mut PyObject,
    options: &Options,
) -> Result<(), Failure> {
    // SAFETY: as the caller says.
    unsafe {
        if py::PyDateTime_TIME_GET_TZINFO(op) != py::Py_None() {
            return Err(Failure::value("datetime.time must not have tzinfo set"));
        }
        let time = [
            py::PyDateTime_TIME_GET_HOUR(op),
            py::PyDateTime_TIME_GET_MINUTE(op),
            py::PyDateTime_TIME_GET_SECOND(op),
            py::PyDateTime_TIME_GET_MICROSECOND(op),
        ];
        stamp.time(time, options);
        Ok(())
    }
}

/// `P1DT2H3M4.000005S`; zero is `PT0S`, and a negative duration begins with
/// `-P`.
///
/// # Safety
/// `op` is a `datetime.timedelta`.
pub unsafe fn timedelta(stamp: &mut Stamp<'_>, op: *mut PyObject) {
    // SAFETY: as the caller says.
    let total = unsafe {
        let days = py::PyDateTime_DELTA_GET_DAYS(op) as i64;
        let seconds = py::PyDateTime_DELTA_GET_SECONDS(op) as i64;
        let micro = py::PyDateTime_DELTA_GET_MICROSECONDS(op) as i128;
        (days * 86_400 + seconds) as i128 * 1_000_000 + micro
    };
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
                begin_time(stamp);
            }
            stamp.number(value, 1);
            stamp.push(unit);
        }
    }
    let second = seconds % 60;
    if second > 0 || micro > 0 || total == 0 {
        begin_time(stamp);
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
}

/// The `T` before a duration's first unit of time.
fn begin_time(stamp: &mut Stamp<'_>) {
    if !stamp.as_bytes().contains(&b'T') {
        stamp.push(b'T');
    }
}

/// The offset to UTC in seconds, rounded down; `None` for a naive value.
unsafe fn utc_offset(op: *mut PyObject, zone: *mut PyObject) -> Result<Option<i64>, Failure> {
    // SAFETY: `op` is a datetime, owned by the caller; the method itself sees
    // to it that it returns a timedelta or None.
    unsafe {
        let name = names::UTCOFFSET.get()?;
        let offset = if py::PyDateTime_CheckExact(op) != 0 && is_own_zone(zone) {
            // What the datetime would call.
            py::PyObject_CallMethodOneArg(zone, name, op)
        } else {
            py::PyObject_CallMethodNoArgs(op, name)
        };
        let offset = Owned::from_call(offset)?;
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
