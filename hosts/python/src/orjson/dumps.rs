//! `dumps`: its arguments, its result and its errors.

use core::ffi::CStr;
use core::ptr::null_mut;

use linecaster_formats::json::Layout;
use linecaster_kernel::output::Utf8;
use linecaster_kernel::sink::Sink;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::options;
use super::rules::Dumped;
use crate::args::{set_error, type_error};
use crate::encode::error::Failure;
use crate::encode::options::{COMPACT, Options};
use crate::encode::target::{Product, Target};
use crate::encode::walk::Walk;
use crate::encode::{complete, fill};
use crate::ffi::int::{self, Int};
use crate::ffi::str::{self, Chars};
use crate::guarded;

/// The docstring.
pub const DOC: &CStr = c"dumps(obj, /, default=None, option=None)
--

Serialize Python objects to JSON.";

/// Two spaces for each level.
static INDENTED: Layout<'static> = Layout::new(
    &[b',' as u32],
    &[b':' as u32, b' ' as u32],
    Some(&[b' ' as u32, b' ' as u32]),
);

/// `linecaster.orjson.dumps`.
pub unsafe extern "C" fn dumps(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        if names.is_null() && nargs == 1 {
            return usual(*args);
        }
        match arguments(args, nargs, names) {
            Some(options) => unusual(*args, &options),
            None => null_mut(),
        }
    })
}

/// The document of `obj` without options, which are known when this is
/// compiled; null with an exception set.
///
/// # Safety
/// `obj` is alive.
#[inline(never)]
unsafe fn usual(obj: *mut PyObject) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe { serialize(obj, &options::DEFAULT) }
}

/// The same with options.
///
/// # Safety
/// `obj` is alive, and so are the options' objects.
#[inline(never)]
unsafe fn unusual(obj: *mut PyObject, options: &Options) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe { serialize(obj, options) }
}

/// The options of a call; `None` with an exception set when they do not fit.
///
/// What comes by position is told by the bits of its number, as the original
/// does it: the fourth argument hides the others.
unsafe fn arguments(
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> Option<Options> {
    let nargs = nargs as usize;
    if nargs == 0 {
        type_error("dumps() missing 1 required positional argument: 'obj'");
        return None;
    }
    // SAFETY: a vectorcall passes `nargs` values, then one per name; names are
    // a tuple of `str`.
    unsafe {
        let (has_default, has_option) = (nargs & 2 == 2, nargs & 3 == 3);
        let mut default = if has_default {
            *args.add(1)
        } else {
            null_mut()
        };
        let mut option = if has_option { *args.add(2) } else { null_mut() };
        let count = if names.is_null() {
            0
        } else {
            py::PyTuple_GET_SIZE(names) as usize
        };
        for i in 0..count {
            let value = *args.add(nargs + i);
            match str::chars(py::PyTuple_GET_ITEM(names, i as Py_ssize_t))? {
                Chars::Ascii(b"option") if has_option => {
                    type_error("dumps() got multiple values for argument: 'option'");
                    return None;
                }
                Chars::Ascii(b"option") => option = value,
                Chars::Ascii(b"default") if has_default => {
                    type_error("dumps() got multiple values for argument: 'default'");
                    return None;
                }
                Chars::Ascii(b"default") => default = value,
                _ => {
                    type_error("dumps() got an unexpected keyword argument");
                    return None;
                }
            }
        }
        let mut options = options::of(flags(option)?);
        // None is called, too, if it is given, and raises.
        options.default = default;
        Some(options)
    }
}

/// The bits of `option`.
unsafe fn flags(option: *mut PyObject) -> Option<u32> {
    // SAFETY: the value is null or alive.
    unsafe {
        if option.is_null() || option == py::Py_None() {
            return Some(0);
        }
        if py::PyLong_CheckExact(option) != 0
            && let Int::Signed(bits) = int::value(option)
            && (0..=i64::from(options::ALL)).contains(&bits)
        {
            return Some(bits as u32);
        }
    }
    type_error("Invalid opts");
    None
}

/// What both of them do.
#[inline(always)]
unsafe fn serialize(obj: *mut PyObject, options: &Options) -> *mut PyObject {
    fill(
        Product::Bytes,
        // SAFETY: the object is alive, and so are those of the options.
        |target, sink| unsafe { write(obj, options, target, sink) },
        // SAFETY: the sink is the target's, and not used again.
        |target, sink| unsafe { target.finish(sink) },
    )
}

/// # Safety
/// The objects are alive, and `sink` is the target's.
#[inline(always)]
unsafe fn write(
    obj: *mut PyObject,
    options: &Options,
    target: *mut Target,
    sink: &mut Sink,
) -> bool {
    let layout = if options.flags & options::INDENT_2 == 0 {
        &COMPACT
    } else {
        &INDENTED
    };
    // SAFETY: as the caller says.
    unsafe {
        let mut walk = Walk::new(options, layout, Product::Bytes.form(), false, obj);
        let failure = complete(&mut walk, target, sink, |walk, sink| {
            walk.run_here::<Utf8, Dumped>(sink)
        });
        if let Some(failure) = failure {
            raise(failure);
            return false;
        }
        if options.flags & options::APPEND_NEWLINE != 0 {
            sink.write(b"\n");
        }
        true
    }
}

/// Sets the exception, unless there is one.
#[cold]
fn raise(failure: Failure) {
    let text = match failure {
        Failure::Raised => return,
        Failure::Value(text) => text,
        Failure::Circular | Failure::TooDeep => "Recursion limit reached".into(),
    };
    // SAFETY: the GIL is held.
    unsafe {
        if py::PyErr_Occurred().is_null() {
            set_error(py::PyExc_TypeError, &text);
        }
    }
}
