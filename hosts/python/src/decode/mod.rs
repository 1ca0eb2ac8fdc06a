//! JSON text to Python objects: `loads` and `load`.
//!
//! [`input`] finds the text in the argument, `linecaster-decode` reads it,
//! [`builder`] makes the objects in one pass, [`keys`] keeps the `str` of
//! member names and [`integers`] the small `int` that the interpreter shares, [`hooks`] calls what the user gave, [`scratch`] keeps the
//! memory that all of this works in.

mod builder;
pub mod hooks;
pub mod input;
mod integers;
mod keys;
pub mod options;
pub mod raise;
mod scratch;
mod strings;

use core::ffi::CStr;
use core::ptr::null_mut;

use linecaster_decode::{Error, Scan, parse};
use linecaster_kernel::text::{Ascii, Latin1, Text, Ucs2, Ucs4, Utf8};
use pyo3_ffi::{self as ffi, Py_ssize_t, PyObject};

use crate::args::Signature;
use crate::ffi::str::Chars;
use builder::Builder;
use input::{Input, Units};
use options::LoadOptions;
use scratch::Scratch;

/// The docstring of [`loads`].
pub const LOADS_DOC: &CStr = c"loads($module, text, /, *, object_hook=None, object_pairs_hook=None, parse_float=None, parse_int=None, max_depth=1024, strict=True, allow_nan=False, surrogates='pass')
--

Make Python objects of a JSON document.

text: str, or bytes, bytearray or memoryview holding UTF-8.
object_hook: called with each dict; its result takes the dict's place.
object_pairs_hook: as object_hook, but called with a list of (key, value)
    pairs; goes before it.
parse_float, parse_int: called with the text of each float, each int.
max_depth: how deep arrays and objects may be nested.
strict: refuse raw control characters in strings.
allow_nan: take NaN, Infinity and -Infinity, and floats too large.
surrogates: 'pass' keeps lone surrogates that are escaped, 'strict' refuses
    them.

Raise DecodeError, a json.JSONDecodeError, for text that is not JSON. Of
members with the same name the last one counts.";

const LOADS: Signature = Signature {
    name: "loads",
    params: &options::params("text"),
    required: 1,
    positional: 1,
    positional_only: 1,
};

/// The docstring of [`load`].
pub const LOAD_DOC: &CStr = c"load($module, fp, /, *, object_hook=None, object_pairs_hook=None, parse_float=None, parse_int=None, max_depth=1024, strict=True, allow_nan=False, surrogates='pass')
--

Make Python objects of the JSON document that fp.read() returns.

The document may be str or bytes. Options are those of loads.";

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
            let Some(options) = LoadOptions::read(&given) else {
                return null_mut();
            };
            let name = crate::ffi::str::from_ascii(b"read");
            if name.is_null() {
                return null_mut();
            }
            let text = ffi::PyObject_CallMethodNoArgs(given[0], name);
            ffi::Py_DECREF(name);
            if text.is_null() {
                return null_mut();
            }
            let result = decode(text, &options);
            ffi::Py_DECREF(text);
            result
        }
    })
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
#[inline(never)]
unsafe fn run<T: Text<Unit: Scan>>(
    text: *mut PyObject,
    units: &[T::Unit],
    options: &LoadOptions,
) -> *mut PyObject {
    let mut scratch = Scratch::take();
    let Scratch { parser, values } = &mut *scratch;
    // SAFETY: the GIL is held.
    let outcome = unsafe {
        if options.hooks.any() {
            let mut builder = Builder::<true>::new(values, &options.hooks);
            parse::<T, _>(units, &options.syntax, parser, &mut builder).map(|()| builder.finish())
        } else {
            let mut builder = Builder::<false>::new(values, &options.hooks);
            parse::<T, _>(units, &options.syntax, parser, &mut builder).map(|()| builder.finish())
        }
    };
    scratch.put();
    match outcome {
        Ok(object) => object,
        Err(Error::Visit(builder::Raised)) => null_mut(),
        Err(Error::Syntax(error)) => {
            // SAFETY: the GIL is held.
            unsafe { (options.raise)(text, &error) };
            null_mut()
        }
    }
}
