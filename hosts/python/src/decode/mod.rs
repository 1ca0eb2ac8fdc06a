//! JSON text to Python objects: `loads` and `load`.
//!
//! [`input`] finds the text in the argument, `linecaster-decode` reads it,
//! [`builder`] makes the objects in one pass, [`keys`] keeps the `str` of
//! member names and [`integers`] the small `int` that the interpreter shares, [`hooks`] calls what the user gave, [`scratch`] keeps the
//! memory that all of this works in.
//!
//! [`decoder`] keeps a set of options. Text in pieces comes from a [`feed`];
//! [`lines`] and [`items`] find values in it, [`values`] iterates over them.

pub mod builder;
pub mod decoder;
mod doc;
mod feed;
pub mod hooks;
pub mod input;
mod integers;
mod items;
mod keys;
mod lines;
pub mod options;
mod path;
pub mod raise;
mod scratch;
mod strings;
mod values;

use core::ptr::null_mut;

use linecaster_decode::{Error, Scan, SyntaxError};
use linecaster_kernel::text::{Ascii, Latin1, Text, Ucs2, Ucs4, Utf8};
use pyo3_ffi::{self as ffi, Py_ssize_t, PyObject};

use crate::args::Signature;
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::str::Chars;
use builder::Builder;
pub use doc::{
    ITEMS as ITER_ITEMS_DOC, LINES as DECODE_LINES_DOC, LOAD as LOAD_DOC, LOADS as LOADS_DOC,
};
use input::{Input, Units};
use options::LoadOptions;
use scratch::Scratch;

/// Makes what decoding needs, once, when the module is imported; `None` with an
/// exception set when there is no memory.
///
/// # Safety
/// The GIL is held.
pub unsafe fn prepare() -> Option<()> {
    // SAFETY: as the caller says.
    unsafe { integers::fill() }
}

const LOADS: Signature = Signature {
    name: "loads",
    params: &options::params("text"),
    required: 1,
    positional: 1,
    positional_only: 1,
};

const LOAD: Signature = Signature {
    name: "load",
    params: &options::params("fp"),
    required: 1,
    positional: 1,
    positional_only: 1,
};

/// `linecaster.loads`.
pub unsafe extern "C" fn loads(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    crate::guarded(|| {
        let mut given = [null_mut(); options::COUNT];
        // SAFETY: the arguments are those of a vectorcall, and live as long.
        unsafe {
            if !LOADS.parse(args, nargs, names, &mut given) {
                return null_mut();
            }
            match LoadOptions::read(&given) {
                Some(options) => decode(given[0], &options),
                None => null_mut(),
            }
        }
    })
}

/// `linecaster.load`.
pub unsafe extern "C" fn load(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    crate::guarded(|| {
        let mut given = [null_mut(); options::COUNT];
        // SAFETY: the arguments are those of a vectorcall, and live as long;
        // what `read` returns is released when it has been decoded.
        unsafe {
            if !LOAD.parse(args, nargs, names, &mut given) {
                return null_mut();
            }
            match LoadOptions::read(&given) {
                Some(options) => load_from(given[0], &options),
                None => null_mut(),
            }
        }
    })
}

/// The objects of the document that a file holds, or null with an exception
/// set.
///
/// # Safety
/// The file is alive.
unsafe fn load_from(file: *mut PyObject, options: &LoadOptions) -> *mut PyObject {
    // SAFETY: as the caller says; what `read` returns is released when it has
    // been decoded.
    unsafe {
        let Some(name) = Owned::from_new(crate::ffi::str::from_ascii(b"read")) else {
            return null_mut();
        };
        let text = ffi::PyObject_CallMethodNoArgs(file, name.as_ptr());
        match Owned::from_new(text) {
            Some(text) => decode(text.as_ptr(), options),
            None => null_mut(),
        }
    }
}

/// The objects of the document in `text`, or null with an exception set.
///
/// # Safety
/// The GIL is held, and `text` outlives the call.
#[inline(always)]
unsafe fn decode(text: *mut PyObject, options: &LoadOptions) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        match Input::of(text) {
            Some(input) => decode_input(text, &input, options),
            None => null_mut(),
        }
    }
}

/// The objects of the document that was found in `text`, or null with an
/// exception set.
///
/// # Safety
/// The GIL is held, and `text` outlives the call.
#[inline(always)]
pub unsafe fn decode_input(
    text: *mut PyObject,
    input: &Input<'_>,
    options: &LoadOptions,
) -> *mut PyObject {
    // SAFETY: as the caller says; the input keeps hold of its buffer.
    unsafe {
        match input.units() {
            Units::Utf8(units) => run::<Utf8>(text, units, options),
            Units::Str(Chars::Ascii(units)) => run::<Ascii>(text, units, options),
            Units::Str(Chars::Latin1(units)) => run::<Latin1>(text, units, options),
            Units::Str(Chars::Ucs2(units)) => run::<Ucs2>(text, units, options),
            Units::Str(Chars::Ucs4(units)) => run::<Ucs4>(text, units, options),
        }
    }
}

/// [`decode`] for one representation.
#[inline(always)]
unsafe fn run<T: Text<Unit: Scan>>(
    text: *mut PyObject,
    units: &[T::Unit],
    options: &LoadOptions,
) -> *mut PyObject {
    // SAFETY: the GIL is held.
    match unsafe { read::<T>(units, options) } {
        Ok(object) => object,
        Err(None) => null_mut(),
        Err(Some(error)) => {
            // SAFETY: the GIL is held.
            unsafe { (options.raise)(text, &error) };
            null_mut()
        }
    }
}

/// The objects of a document in UTF-8; without an error when an exception is
/// set.
///
/// # Safety
/// The GIL is held.
#[inline(never)]
unsafe fn attempt(units: &[u8], options: &LoadOptions) -> Result<Owned, Option<SyntaxError>> {
    // SAFETY: as the caller says; the object is a new reference.
    unsafe {
        let object = read::<Utf8>(units, options)?;
        Owned::from_new(object).ok_or(None)
    }
}

/// A `str` in UTF-8, lone surrogates in three bytes each: a `bytes`.
///
/// # Safety
/// `text` is a `str`.
unsafe fn surrogate_pass(text: *mut PyObject) -> Result<Owned, Raised> {
    // SAFETY: as the caller says.
    unsafe {
        let (encoding, errors) = (c"utf-8".as_ptr(), c"surrogatepass".as_ptr());
        Owned::from_call(ffi::PyUnicode_AsEncodedString(text, encoding, errors))
    }
}

/// What a `bytes` holds.
///
/// # Safety
/// The object is a `bytes`.
unsafe fn bytes_of(object: &Owned) -> &[u8] {
    // SAFETY: as the caller says.
    unsafe {
        let data = ffi::PyBytes_AS_STRING(object.as_ptr()).cast();
        core::slice::from_raw_parts(data, ffi::Py_SIZE(object.as_ptr()) as usize)
    }
}

/// Reads a document.
#[inline(always)]
unsafe fn read<T: Text<Unit: Scan>>(
    units: &[T::Unit],
    options: &LoadOptions,
) -> Result<*mut PyObject, Option<SyntaxError>> {
    // SAFETY: as the caller says.
    let outcome = unsafe { build::<T>(units, None, options) };
    outcome
        .map(|(object, _)| object)
        .map_err(|error| match error {
            Error::Visit(builder::Raised) => None,
            Error::Syntax(error) => Some(error),
        })
}

/// The objects of a document, or of the one value that begins at `start`, and
/// the index behind it.
///
/// # Safety
/// The GIL is held, and the units outlive the call.
#[inline(never)]
pub unsafe fn build<T: Text<Unit: Scan>>(
    units: &[T::Unit],
    start: Option<usize>,
    options: &LoadOptions,
) -> Result<(*mut PyObject, usize), Error<builder::Raised>> {
    let mut scratch = Scratch::take();
    let Scratch { parser, values } = &mut *scratch;
    // SAFETY: the GIL is held.
    let outcome = unsafe {
        if options.hooks.any() {
            let builder = Builder::<true>::new(values, &options.hooks);
            builder.read::<T>(units, start, &options.syntax, parser)
        } else {
            let builder = Builder::<false>::new(values, &options.hooks);
            builder.read::<T>(units, start, &options.syntax, parser)
        }
    };
    scratch.put();
    outcome
}
