//! Values of no exact built-in type that do not end the inner loop: those for
//! which no code of a user runs.
//!
//! What their classes are is looked up where the general way has noted it, so
//! that the first instance of a class takes that.

use linecaster_formats::json::Quick;
use linecaster_kernel::output::Output;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::attributes::own_dict;
use super::classes::{Class, Noted, noted};
use super::door::{Door, LARGEST_EXACT};
use super::error::Failure;
use super::options::Options;
use super::plain::{Found, Takes, chars_aside, quick_leaf};
use super::temporal::{self, Stamp};
use super::{names, uuid};
use crate::ffi::dict;
use crate::ffi::dict_entries::Entries;
use crate::ffi::int::{self, Int};
use crate::ffi::owned::Owned;
use crate::ffi::str::{self, Chars};

/// What became of a value.
#[derive(Clone, Copy)]
pub enum Aside {
    /// It is written; the place behind.
    Written(*mut u8),
    /// It is an object of what [`Door::fields`] gathers.
    Fields,
    /// This dict, which the value keeps alive, is written in its stead, in its
    /// own order.
    Dict(*mut PyObject),
    /// It takes the general way.
    General,
}

impl Aside {
    /// Written by `quick`, if so.
    #[inline(always)]
    pub fn when<O: Output, D: Door>(written: bool, quick: &Quick<O, D>) -> Aside {
        if written {
            Aside::Written(quick.tail())
        } else {
            Aside::General
        }
    }
}

/// By the rules of our own functions.
///
/// # Safety
/// As for [`Door::aside`].
#[inline(never)]
pub unsafe fn native<O: Output, D: Door>(
    options: &Options,
    mut quick: Quick<O, D>,
    item: *mut PyObject,
    takes: Takes,
) -> Aside {
    // SAFETY: the item is alive, and of the class that is noted.
    unsafe {
        let Some(Noted {
            kind,
            in_place,
            names,
        }) = noted(py::Py_TYPE(item))
        else {
            return Aside::General;
        };
        if options.passthrough.has(kind) {
            return Aside::General;
        }
        match kind {
            Class::Str => string(quick, item, takes),
            Class::Int => integer(quick, item, takes),
            Class::Float => {
                let value = py::PyFloat_AS_DOUBLE(item);
                if !value.is_finite() {
                    return Aside::General;
                }
                quick.float::<false>(value);
                Aside::Written(quick.tail())
            }
            Class::DateTime if !temporal::is_plain(item) => Aside::General,
            Class::DateTime => stamped(quick, |text| temporal::datetime(text, item, options)),
            Class::Date => stamped(quick, |text| {
                temporal::date(text, item);
                Ok(())
            }),
            Class::Time if py::PyDateTime_TIME_GET_TZINFO(item) == py::Py_None() => {
                stamped(quick, |text| temporal::time(text, item, options))
            }
            Class::TimeDelta => stamped(quick, |text| {
                temporal::timedelta(text, item);
                Ok(())
            }),
            Class::Uuid => identifier(quick, item),
            Class::Enum if in_place => value_of_enum(quick, item, takes),
            // `default` may change what it is called for, and be called from
            // inside: fields are then read one by one.
            Class::Fields if in_place && options.default.is_null() => fields(item, names),
            _ => Aside::General,
        }
    }
}

/// A text of a date or time; there is no exception when there is none.
#[inline(always)]
pub fn stamped<O: Output, D: Door>(
    mut quick: Quick<O, D>,
    write: impl FnOnce(&mut Stamp<'_>) -> Result<(), Failure>,
) -> Aside {
    // SAFETY: so many characters are in the stamp.
    let written = unsafe {
        quick.plain(|place| {
            let mut stamp = Stamp::new(place);
            write(&mut stamp).ok()?;
            Some(stamp.len())
        })
    };
    Aside::when(written, &quick)
}

/// A `str` of a subclass.
///
/// # Safety
/// The item is one, alive.
#[inline(always)]
pub unsafe fn string<O: Output, D: Door>(
    mut quick: Quick<O, D>,
    item: *mut PyObject,
    takes: Takes,
) -> Aside {
    // SAFETY: as the caller says.
    let chars = unsafe {
        let chars = str::chars(item);
        if chars.is_none() {
            // The general way raises it.
            py::PyErr_Clear();
        }
        chars
    };
    if let Some(Chars::Ascii(text)) = chars
        && quick.short_text(text)
    {
        return Aside::Written(quick.tail());
    }
    let tail = chars_aside::<O, D>(quick.cursor(), chars, quick.behind(false), takes);
    if tail.is_null() {
        Aside::General
    } else {
        Aside::Written(tail)
    }
}

/// An `int` of a subclass.
///
/// # Safety
/// The item is one, alive, and there is room.
#[inline(always)]
pub unsafe fn integer<O: Output, D: Door>(
    mut quick: Quick<O, D>,
    item: *mut PyObject,
    takes: Takes,
) -> Aside {
    // SAFETY: as the caller says.
    unsafe {
        match int::value(item) {
            Int::Signed(value) if !takes.narrow_ints || value.unsigned_abs() <= LARGEST_EXACT => {
                quick.int(value);
                Aside::Written(quick.tail())
            }
            _ => Aside::General,
        }
    }
}

/// A `uuid.UUID`.
///
/// # Safety
/// The item is one, alive, and the GIL is held.
#[inline(always)]
pub unsafe fn identifier<O: Output, D: Door>(quick: Quick<O, D>, item: *mut PyObject) -> Aside {
    // SAFETY: as the caller says.
    let Some(number) = (unsafe { uuid::in_place(item) }) else {
        return Aside::General;
    };
    stamped(quick, |text| {
        uuid::stamp(text, number);
        Ok(())
    })
}

/// A member of an `Enum` that keeps its value.
///
/// # Safety
/// The item is one, alive, and there is room.
pub unsafe fn value_of_enum<O: Output, D: Door>(
    mut quick: Quick<O, D>,
    item: *mut PyObject,
    takes: Takes,
) -> Aside {
    // SAFETY: as the caller says. The member keeps the value, so that it is
    // not released here.
    unsafe {
        let Ok(name) = names::VALUE_KEPT.get() else {
            py::PyErr_Clear();
            return Aside::General;
        };
        let Some(value) = Owned::from_new(py::PyObject_GenericGetAttr(item, name)) else {
            py::PyErr_Clear();
            return Aside::General;
        };
        let found = quick_leaf::<O, D, false, false>(&mut quick, value.as_ptr(), takes);
        Aside::when(found == Found::Written, &quick)
    }
}

/// The dict of an instance that holds these names and nothing else, in this
/// order.
unsafe fn fields(item: *mut PyObject, names: *mut PyObject) -> Aside {
    // SAFETY: the item is alive, its attributes are found in the usual way;
    // names are a tuple. The instance keeps its dict.
    unsafe {
        let Some(own) = own_dict(item) else {
            return Aside::General;
        };
        let count = py::PyTuple_GET_SIZE(names);
        if dict::len(own) != count {
            return Aside::General;
        }
        let (entries, mut pos) = (Entries::of(own), 0);
        for i in 0..count {
            match entries.next(&mut pos) {
                Some([key, _]) if key == py::PyTuple_GET_ITEM(names, i) => {}
                _ => return Aside::General,
            }
        }
        Aside::Dict(own)
    }
}
