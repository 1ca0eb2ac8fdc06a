//! `dumps` and `dump`.
//!
//! Text in ASCII only is written as UTF-8: it makes a `str` as it stands, and
//! what is spliced in without being escaped is the only reason to decode it.
//! Text that keeps its characters is written as the units of the `str`, except
//! where HTML characters are escaped, which is rare: it takes the way by UTF-8,
//! too, so that the walk is compiled once for it and not three times.

use core::cell::Cell;
use core::ffi::CStr;
use core::ptr::null_mut;

use linecaster_formats::json::Layout;
use linecaster_kernel::output::Utf8SurrogatePass;
use linecaster_kernel::sink::Sink;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::arguments::{Arguments, HTML, Request, SLASH};
use super::foreign;
use super::rules::{Ascii, AsciiSlash, Html, HtmlAscii, HtmlAsciiSlash, HtmlSlash, Plain, Slash};
use crate::args::set_error;
use crate::encode::error::Failure;
use crate::encode::options::{COMPACT, Options};
use crate::encode::target::{Form, Product, Target};
use crate::encode::walk::{Flow, Foreign, Walk};
use crate::encode::{complete, fill, run_units};
use crate::ffi::owned::Owned;
use crate::guarded;

/// The docstring of [`dumps`].
pub const DUMPS_DOC: &CStr = c"Make JSON text of a Python object, as ujson does.

Parameters: obj, ensure_ascii=True, encode_html_chars=False,
escape_forward_slashes=True, sort_keys=False, indent=0, allow_nan=True,
reject_bytes=True, default=None, separators=None.";

/// The docstring of [`dump`].
pub const DUMP_DOC: &CStr = c"Write a Python object to a file as JSON text, as ujson does.

Parameters: obj, fp and by name those of dumps.";

static DEFAULT: Request = Request::DEFAULT;

/// `linecaster.ujson.dumps` and `encode`.
pub unsafe extern "C" fn dumps(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        if nargs == 1 && names.is_null() {
            return produce(*args, &DEFAULT.options, &COMPACT);
        }
        with_options(Arguments::new(args, nargs, names))
    })
}

/// `linecaster.ujson.dump`.
pub unsafe extern "C" fn dump(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        let arguments = Arguments::new(args, nargs, names);
        let Some([obj, file]) = arguments.exactly() else {
            return null_mut();
        };
        let Some(write) = super::method(file, c"write") else {
            return null_mut();
        };
        let Some(text) = Owned::from_new(with_options(arguments.with_single(&raw const obj)))
        else {
            return null_mut();
        };
        let result = py::PyObject_CallOneArg(write.as_ptr(), text.as_ptr());
        match Owned::from_new(result) {
            Some(_) => Owned::from_borrowed(py::Py_None()).into_ptr(),
            None => null_mut(),
        }
    })
}

unsafe fn with_options(arguments: Arguments) -> *mut PyObject {
    // SAFETY: the arguments are alive.
    unsafe {
        match Request::read(arguments) {
            Some((obj, request)) if request.is_compact() => {
                produce(obj, &request.options, &COMPACT)
            }
            Some((obj, request)) => produce(obj, &request.options, &request.layout()),
            None => null_mut(),
        }
    }
}

/// How what is written becomes the result.
#[derive(Clone, Copy)]
enum Ending {
    /// As it stands.
    Finish,
    /// It is UTF-8.
    Decode,
    /// It is of the widest form, and bytes are marked in it.
    Unmark,
}

/// The text of `obj`.
///
/// # Safety
/// `obj` is alive, and so are the options' objects.
unsafe fn produce(obj: *mut PyObject, options: &Options, layout: &Layout<'_>) -> *mut PyObject {
    let by_units = by_units(options);
    let mut product = Product::Str(Form::Ascii);
    if by_units {
        product = product.with(layout.max_char());
    }
    let ending = Cell::new(Ending::Finish);
    fill(
        product,
        |target, sink| {
            // SAFETY: as the caller says; the sink is the target's.
            match unsafe { encode_value(obj, options, layout, target, sink) } {
                Some(how) => {
                    ending.set(how);
                    true
                }
                None => false,
            }
        },
        |target, sink| {
            // SAFETY: as many bytes are written as the sink says.
            unsafe {
                let text = || core::slice::from_raw_parts(sink.ptr(), sink.len());
                match ending.get() {
                    Ending::Finish => target.finish(sink),
                    _ if sink.failed() => null_mut(),
                    Ending::Decode => foreign::decode(text()),
                    Ending::Unmark => foreign::decode(&foreign::marked_utf8(text())),
                }
            }
        },
    )
}

/// Whether the output is the units of the `str`, not UTF-8.
fn by_units(options: &Options) -> bool {
    !options.ensure_ascii && options.flags & HTML == 0
}

/// Writes `obj`; `None` with an exception set when it cannot be encoded.
#[inline(never)]
unsafe fn encode_value(
    obj: *mut PyObject,
    options: &Options,
    layout: &Layout<'_>,
    target: *mut Target,
    sink: &mut Sink,
) -> Option<Ending> {
    // SAFETY: as the caller says.
    unsafe {
        let form = (*target).product().form();
        let mut walk = Walk::new(options, layout, form, false, obj);
        let failure = complete(&mut walk, target, sink, |walk, sink| run(walk, sink));
        if let Some(failure) = failure {
            raise(failure);
            return None;
        }
        let written = matches!(walk.foreign, Foreign::Written);
        Some(if by_units(options) {
            if written {
                Ending::Unmark
            } else {
                Ending::Finish
            }
        } else if written || !options.ensure_ascii || layout.max_char() >= 0x80 {
            Ending::Decode
        } else {
            Ending::Finish
        })
    }
}

/// Runs the walk in the dialect that the options name.
unsafe fn run(walk: &mut Walk<'_>, sink: &mut Sink) -> Flow {
    let options = walk.options;
    let slash = options.flags & SLASH != 0;
    // SAFETY: as the caller of `complete` says.
    unsafe {
        match (options.ensure_ascii, options.flags & HTML != 0, slash) {
            (true, false, true) => walk.run::<Utf8SurrogatePass, AsciiSlash>(sink),
            (true, false, false) => walk.run::<Utf8SurrogatePass, Ascii>(sink),
            (true, true, true) => walk.run::<Utf8SurrogatePass, HtmlAsciiSlash>(sink),
            (true, true, false) => walk.run::<Utf8SurrogatePass, HtmlAscii>(sink),
            (false, true, true) => walk.run::<Utf8SurrogatePass, HtmlSlash>(sink),
            (false, true, false) => walk.run::<Utf8SurrogatePass, Html>(sink),
            (false, false, true) => run_units::<Slash>(walk, sink),
            (false, false, false) => run_units::<Plain>(walk, sink),
        }
    }
}

#[cold]
unsafe fn raise(failure: Failure) {
    let text = match failure {
        Failure::Raised => return,
        Failure::Value(text) => text,
        Failure::Circular | Failure::TooDeep => "Maximum recursion level reached".into(),
    };
    // SAFETY: the GIL is held.
    unsafe {
        // Out of memory before: that is what went wrong.
        if py::PyErr_Occurred().is_null() {
            set_error(py::PyExc_OverflowError, &text);
        }
    }
}
