//! Python objects to JSON text.
//!
//! * [`options`]: what the caller asks for.
//! * [`walk`]: the tree, container by container, from its [`root`] on;
//!   [`items`]: the loop inside of them, over [`level`]s, and [`plain`], what it writes itself; [`members`],
//!   [`other`], [`numbers`] and [`classes`]: what is not of an exact built-in
//!   type; [`aside`]: which of it stays in the loop; [`frame`]: the stack
//!   between containers.
//! * [`target`]: the `bytes` or `str` that grows.
//! * [`encoder`]: a reusable set of options; [`chunks`] and [`stream`]: output
//!   in pieces; [`writer`]: files that take it.
//! * [`error`]: what goes wrong, and where.

pub mod aside;
pub mod attributes;
pub mod chunks;
pub mod classes;
mod doc;
pub mod door;
pub mod encoder;
pub mod error;
pub mod frame;
pub mod gathered;
mod inner;
pub mod items;
mod level;
mod members;
pub mod names;
mod native;
pub mod numbers;
pub mod options;
mod other;
mod passthrough;
pub mod plain;
mod root;
pub mod sort;
pub mod stream;
pub mod target;
pub mod temporal;
pub mod uuid;
pub mod walk;
pub mod writer;

use core::mem::MaybeUninit;
use core::ptr::null_mut;

use linecaster_formats::json::Layout;
use linecaster_kernel::output::{Units1, Units2, Units4, Utf8, Utf8SurrogatePass};
use linecaster_kernel::sink::Sink;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

pub use doc::{
    DUMP_DOC, DUMPS_DOC, ENCODE_DOC, ENCODE_INTO_DOC, ENCODE_LINES_DOC, ITERENCODE_DOC,
    ITERENCODE_LINES_DOC,
};

use crate::args::{Signature, set_error, type_error};
use crate::ffi::owned::Owned;
use crate::guarded;
use chunks::Plan;
use door::Door;
use error::Failure;
use native::{AsciiOnly, Plain};
use options::{COUNT, Options, Surrogates};
use target::{Buffer, Form, Product, Target};
use walk::{Flow, Walk};

/// `linecaster.dumps`.
pub unsafe extern "C" fn dumps(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        if names.is_null() && nargs == 1 {
            return usual::<true>(*args);
        }
        call::<{ 1 + COUNT }>(&options::DUMPS, args, nargs, names, |given, options| {
            produce(
                given[0],
                options,
                Product::Str(Form::Ascii),
                |target, sink| target.finish(sink),
            )
        })
    })
}

/// `linecaster.encode`.
pub unsafe extern "C" fn encode(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        if names.is_null() && nargs == 1 {
            return usual::<false>(*args);
        }
        call::<{ 1 + COUNT }>(&options::ENCODE, args, nargs, names, |given, options| {
            produce(given[0], options, Product::Bytes, |target, sink| {
                target.finish(sink)
            })
        })
    })
}

/// `linecaster.dump`.
pub unsafe extern "C" fn dump(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        call::<{ 2 + COUNT }>(&options::DUMP, args, nargs, names, |given, options| {
            with_layout(options, |layout| {
                stream::dump(given[0], given[1], Plan { options, layout })
            })
        })
    })
}

/// `linecaster.encode_into`.
pub unsafe extern "C" fn encode_into(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        call::<{ 3 + COUNT }>(
            &options::ENCODE_INTO,
            args,
            nargs,
            names,
            |given, options| with_layout(options, |layout| write_into(given, options, layout)),
        )
    })
}

/// Encodes into a `bytearray`; `given` are the value, the buffer and the
/// offset.
///
/// # Safety
/// The first two are alive, and so is the third if it is not null.
unsafe fn write_into(
    given: &[*mut PyObject],
    options: &Options,
    layout: &Layout<'_>,
) -> *mut PyObject {
    let buffer = given[1];
    // SAFETY: as the caller says.
    unsafe {
        if py::PyByteArray_Check(buffer) == 0 {
            type_error("encode_into() argument 'buffer' must be a bytearray");
            return null_mut();
        }
        let Some(offset) = read_offset(given[2]) else {
            return null_mut();
        };
        produce_as(given[0], options, layout, Product::Bytes, |_, sink| {
            if !sink.failed() && store(buffer, offset, sink) {
                none()
            } else {
                null_mut()
            }
        })
    }
}

/// A new reference to `None`.
unsafe fn none() -> *mut PyObject {
    // SAFETY: the GIL is held.
    unsafe { Owned::from_borrowed(py::Py_None()).into_ptr() }
}

/// Reads the arguments of a call and runs `body` with them.
///
/// # Safety
/// The arguments are those of a vectorcall.
#[inline(always)]
unsafe fn call<const N: usize>(
    signature: &Signature,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
    body: impl Fn(&[*mut PyObject], &Options) -> *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        let params = N - COUNT;
        // The usual call: all by position, no options.
        if names.is_null() && nargs as usize == params {
            return body(core::slice::from_raw_parts(args, params), &options::DEFAULT);
        }
        let mut given = [null_mut(); N];
        if !signature.parse(args, nargs, names, &mut given) {
            return null_mut();
        }
        match Options::read(&given[params..]) {
            Some(options) => body(&given[..params], &options),
            None => null_mut(),
        }
    }
}

/// Encodes `obj` without options, as a `str` or as `bytes`. All that options
/// decide is known when this is compiled, which is a third of what a call with
/// a small document takes.
///
/// # Safety
/// `obj` is alive.
#[inline(never)]
unsafe fn usual<const STR: bool>(obj: *mut PyObject) -> *mut PyObject {
    let product = if STR {
        Product::Str(Form::Ascii)
    } else {
        Product::Bytes
    };
    fill(
        product,
        // SAFETY: as the caller says; the sink is the target's.
        |target, sink| unsafe {
            let options = &options::DEFAULT;
            let mut walk = Walk::new(options, &options::COMPACT, Form::Ascii, false, obj);
            let failure = complete(&mut walk, target, sink, |walk, sink| {
                if !STR {
                    walk.run_here::<Utf8, Plain>(sink)
                } else if walk.form == Form::Ascii {
                    walk.run_here::<Units1, Plain>(sink)
                } else {
                    run_units::<Plain>(walk, sink)
                }
            });
            failure.is_none_or(|failure| raised(&walk, failure))
        },
        // SAFETY: the sink is the target's, and not used again.
        |target, sink| unsafe { target.finish(sink) },
    )
}

/// Sets the exception that a failure of our own functions becomes, and says
/// `false`.
#[cold]
#[inline(never)]
fn raised(walk: &Walk<'_>, failure: Failure) -> bool {
    failure.raise(walk.options.max_depth, || walk.stack.path());
    false
}

/// Encodes `obj` and hands the result to `finish`.
///
/// # Safety
/// `obj` is alive, and so are the options' objects.
#[inline(always)]
unsafe fn produce(
    obj: *mut PyObject,
    options: &Options,
    product: Product,
    finish: impl FnOnce(&mut Target, &Sink) -> *mut PyObject,
) -> *mut PyObject {
    with_layout(options, |layout| {
        let product = if options.is_compact() {
            product
        } else {
            product.with(layout.max_char())
        };
        // SAFETY: as the caller says.
        unsafe { produce_as(obj, options, layout, product, finish) }
    })
}

/// Calls `body` with the layout that the options ask for.
#[inline(always)]
fn with_layout<R>(options: &Options, body: impl FnOnce(&Layout<'_>) -> R) -> R {
    if options.is_compact() {
        body(&options::COMPACT)
    } else {
        body(&options.layout())
    }
}

/// [`produce`], with the layout worked out already; a `str` product is wide
/// enough for it.
///
/// # Safety
/// As [`produce`].
#[inline(always)]
unsafe fn produce_as(
    obj: *mut PyObject,
    options: &Options,
    layout: &Layout<'_>,
    product: Product,
    finish: impl FnOnce(&mut Target, &Sink) -> *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        fill(
            product,
            |target, sink| encode_value(obj, options, layout, target, sink),
            finish,
        )
    }
}

/// Makes the result that `write` writes and `finish` takes; null when `write`
/// has raised.
#[inline(always)]
pub fn fill(
    product: Product,
    write: impl FnOnce(*mut Target, &mut Sink) -> bool,
    finish: impl FnOnce(&mut Target, &Sink) -> *mut PyObject,
) -> *mut PyObject {
    let mut buffer: Buffer = [const { MaybeUninit::uninit() }; target::STACK];
    let mut target = Target::new(product);
    let target = &raw mut target;
    // SAFETY: target and buffer live to the end of this function.
    unsafe {
        let mut sink = Target::sink(target, &mut buffer);
        if write(target, &mut sink) {
            finish(&mut *target, &sink)
        } else {
            null_mut()
        }
    }
}

/// Writes `obj`; `false` with an exception set when it cannot be encoded.
///
/// # Safety
/// `obj` is alive, and `sink` is the target's.
#[inline(never)]
unsafe fn encode_value(
    obj: *mut PyObject,
    options: &Options,
    layout: &Layout<'_>,
    target: *mut Target,
    sink: &mut Sink,
) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        let product = (*target).product();
        if !layout_fits(options, product) {
            return false;
        }
        let refuse = refuses_surrogates(options, product);
        let mut walk = Walk::new(options, layout, product.form(), refuse, obj);
        let bytes = product == Product::Bytes;
        let failure = complete(&mut walk, target, sink, |walk, sink| {
            run_native(walk, sink, bytes)
        });
        failure.is_none_or(|failure| raised(&walk, failure))
    }
}

/// Whether the layout can be written; if not, `ValueError` is set.
pub fn layout_fits(options: &Options, product: Product) -> bool {
    let bytes = product == Product::Bytes;
    let strict = options.surrogates == Some(Surrogates::Strict);
    let unfit = strict || bytes && options.surrogates.is_none();
    if unfit && options.layout_has_surrogates() {
        // SAFETY: the GIL is held in every function of the module.
        unsafe {
            set_error(
                py::PyExc_ValueError,
                "options 'separators' and 'indent' must not have lone surrogates",
            );
        }
        return false;
    }
    true
}

/// Whether lone surrogates are refused although the output could hold them.
pub fn refuses_surrogates(options: &Options, product: Product) -> bool {
    let strict = options.surrogates == Some(Surrogates::Strict);
    strict && (product != Product::Bytes || options.ensure_ascii)
}

/// Runs the walk by the rules of our own functions, for `bytes` or `str`.
///
/// # Safety
/// As [`Walk::run`].
#[inline(always)]
pub unsafe fn run_native(walk: &mut Walk<'_>, sink: &mut Sink, bytes: bool) -> Flow {
    let options = walk.options;
    // SAFETY: as the caller says.
    unsafe {
        match (bytes, options.ensure_ascii) {
            (true, true) => walk.run::<Utf8, AsciiOnly>(sink),
            (true, false) if options.surrogates == Some(Surrogates::Pass) => {
                walk.run::<Utf8SurrogatePass, Plain>(sink)
            }
            (true, false) => walk.run::<Utf8, Plain>(sink),
            (false, true) => run_units::<AsciiOnly>(walk, sink),
            (false, false) => run_units::<Plain>(walk, sink),
        }
    }
}

/// Lets the walk run to its end, in wider units whenever it asks for them;
/// what went wrong, if anything did.
///
/// # Safety
/// `sink` is the target's, and `run` runs the walk with it.
#[inline(always)]
pub unsafe fn complete<'a>(
    walk: &mut Walk<'a>,
    target: *mut Target,
    sink: &mut Sink,
    mut run: impl FnMut(&mut Walk<'a>, &mut Sink) -> Flow,
) -> Option<Failure> {
    loop {
        match run(walk, sink) {
            Flow::Done => return None,
            Flow::Widen(form) => {
                walk.form = form;
                // SAFETY: as the caller says.
                unsafe { (*target).widen(sink, form) };
            }
            // The target has room for all of it: go on.
            Flow::Pause => {}
            Flow::Fail(failure) => return Some(failure),
        }
    }
}

/// Runs the walk with output of the units that its form has.
///
/// # Safety
/// As [`Walk::run`].
pub unsafe fn run_units<D: Door>(walk: &mut Walk<'_>, sink: &mut Sink) -> Flow {
    // SAFETY: as the caller says.
    unsafe {
        match walk.form {
            Form::Ascii | Form::Latin1 => walk.run::<Units1, D>(sink),
            Form::Ucs2 => walk.run::<Units2, D>(sink),
            Form::Ucs4 => walk.run::<Units4, D>(sink),
        }
    }
}

/// The offset that [`encode_into`] was given: -1, or null, for the end.
unsafe fn read_offset(given: *mut PyObject) -> Option<Py_ssize_t> {
    // SAFETY: the value is alive.
    unsafe {
        if given.is_null() {
            return Some(0);
        }
        let offset = py::PyNumber_AsSsize_t(given, py::PyExc_OverflowError);
        if offset == -1 && !py::PyErr_Occurred().is_null() {
            return None;
        }
        if offset < -1 {
            set_error(
                py::PyExc_ValueError,
                "encode_into() argument 'offset' must be at least -1",
            );
            return None;
        }
        Some(offset)
    }
}

/// Copies the finished text into a `bytearray` and ends it there.
unsafe fn store(buffer: *mut PyObject, offset: Py_ssize_t, sink: &Sink) -> bool {
    // SAFETY: the buffer is a bytearray; nothing runs between the resizing,
    // which refuses when somebody else looks at it, and the copy.
    unsafe {
        let end = py::PyByteArray_Size(buffer);
        let offset = if offset == -1 { end } else { offset };
        if offset > end {
            set_error(
                py::PyExc_ValueError,
                "encode_into() argument 'offset' is beyond the buffer's end",
            );
            return false;
        }
        let len = sink.len() as Py_ssize_t;
        if py::PyByteArray_Resize(buffer, offset + len) != 0 {
            return false;
        }
        let data = py::PyByteArray_AsString(buffer).cast::<u8>();
        core::ptr::copy_nonoverlapping(sink.ptr(), data.offset(offset), sink.len());
        true
    }
}
