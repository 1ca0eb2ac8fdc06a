//! `dumps`, `dump`, and the methods of `JSONEncoder`.

use core::ptr::null_mut;

use linecaster_formats::json::Layout;
use linecaster_kernel::output::Units1;
use linecaster_kernel::sink::Sink;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::rules::{AsciiOnly, Plain};
use super::settings::{self, OPTIONS, Settings, Unusual};
use super::stdlib::{self, names};
use super::stream::Stream;
use super::{ENCODE, ITERENCODE, chunks};
use crate::encode::error::Failure;
use crate::encode::options::Options;
use crate::encode::target::{Form, Product};
use crate::encode::walk::{Flow, Walk};
use crate::encode::{complete, fill, run_units};
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::str::{self, Chars};
use crate::guarded;

/// Why there is no text.
pub enum NoText {
    /// The interpreter's own `json` is to do it.
    Unusual,
    /// An exception is set.
    Raised,
}

impl From<Unusual> for NoText {
    fn from(_: Unusual) -> NoText {
        NoText::Unusual
    }
}

impl From<Raised> for NoText {
    fn from(_: Raised) -> NoText {
        NoText::Raised
    }
}

/// `json.dumps`
pub unsafe extern "C" fn dumps(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        let outcome = if nargs == 1 && kwnames.is_null() {
            text(*args, &settings::DEFAULT, &settings::LAYOUT)
        } else {
            dumps_with_options(args, nargs, kwnames)
        };
        answer(outcome, || {
            py::PyObject_Vectorcall(stdlib::DUMPS.get(), args, nargs as usize, kwnames)
        })
    })
}

unsafe fn dumps_with_options(
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> Result<Owned, NoText> {
    // SAFETY: as for the caller; what is made here is owned.
    unsafe {
        let call = Call::<1>::read(["obj"], args, nargs, kwnames)?;
        let [obj] = call.params;
        if call.class.is_null() {
            let settings = Settings::of_arguments(&call.options, true)?;
            return text(obj, &settings.options, &settings.layout());
        }
        let encoder = call.encoder(call.class, args.add(nargs as usize), kwnames)?;
        let class = py::Py_TYPE(encoder.as_ptr()).cast();
        if !is_own(class, &names::ENCODE, &ENCODE, &stdlib::ENCODE) {
            let (object, name) = (encoder.as_ptr(), names::ENCODE.get());
            let text = py::PyObject_CallMethodOneArg(object, name, obj);
            return Ok(Owned::from_call(text)?);
        }
        encoder_text(encoder.as_ptr(), obj)
    }
}

/// `json.dump`
pub unsafe extern "C" fn dump(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        let outcome = dump_with_options(args, nargs, kwnames);
        answer(outcome, || {
            py::PyObject_Vectorcall(stdlib::DUMP.get(), args, nargs as usize, kwnames)
        })
    })
}

unsafe fn dump_with_options(
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> Result<Owned, NoText> {
    // SAFETY: as for the caller; what is made here is owned.
    unsafe {
        let call = Call::<2>::read(["obj", "fp"], args, nargs, kwnames)?;
        let [obj, fp] = call.params;
        let values = args.add(nargs as usize);
        if call.class.is_null() {
            let encoder = || call.encoder(stdlib::ENCODER.get(), values, kwnames);
            if kwnames.is_null() {
                let (options, layout) = (&settings::DEFAULT_IN_PYTHON, &settings::LAYOUT);
                return write_chunks(obj, fp, options, layout, encoder);
            }
            let settings = Settings::of_arguments(&call.options, false)?;
            return write_chunks(obj, fp, &settings.options, &settings.layout(), encoder);
        }
        let encoder = call.encoder(call.class, values, kwnames)?;
        let class = py::Py_TYPE(encoder.as_ptr()).cast();
        if is_own(class, &names::ITERENCODE, &ITERENCODE, &stdlib::ITERENCODE) {
            match Settings::of_encoder(encoder.as_ptr(), false) {
                Err(Unusual) => py::PyErr_Clear(),
                Ok(settings) => {
                    let (options, layout) = (&settings.options, &settings.layout());
                    return write_chunks(obj, fp, options, layout, || Ok(encoder));
                }
            }
        }
        let name = names::ITERENCODE.get();
        let chunks = py::PyObject_CallMethodOneArg(encoder.as_ptr(), name, obj);
        let chunks = Owned::from_call(chunks)?;
        let chunks = Owned::from_call(py::PyObject_GetIter(chunks.as_ptr()))?;
        while let Some(chunk) = Owned::from_new(py::PyIter_Next(chunks.as_ptr())) {
            write(fp, chunk.as_ptr())?;
        }
        if !py::PyErr_Occurred().is_null() {
            return Err(NoText::Raised);
        }
        Ok(Owned::from_borrowed(py::Py_None()))
    }
}

/// Writes the text of `obj` to `fp`, chunk by chunk. `encoder` makes the one
/// that the interpreter works with, if it has to take over.
unsafe fn write_chunks(
    obj: *mut PyObject,
    fp: *mut PyObject,
    options: &Options,
    layout: &Layout<'_>,
    encoder: impl FnOnce() -> Result<Owned, NoText>,
) -> Result<Owned, NoText> {
    // SAFETY: the caller's objects are alive; what is made here is owned.
    unsafe {
        let mut stream = Stream::new(obj, options, layout);
        loop {
            match stream.next() {
                Ok(Some(chunk)) => write(fp, chunk.as_ptr())?,
                Ok(None) => break,
                Err(NoText::Raised) => return Err(NoText::Raised),
                Err(NoText::Unusual) => {
                    py::PyErr_Clear();
                    let encoder = encoder()?;
                    let mut rest = stream.rest(encoder.as_ptr(), obj)?;
                    while let Some(chunk) = rest.next()? {
                        write(fp, chunk.as_ptr())?;
                    }
                    break;
                }
            }
        }
        Ok(Owned::from_borrowed(py::Py_None()))
    }
}

/// Calls `fp.write`.
unsafe fn write(fp: *mut PyObject, text: *mut PyObject) -> Result<(), NoText> {
    // SAFETY: both are alive.
    unsafe {
        let written = py::PyObject_CallMethodOneArg(fp, names::WRITE.get(), text);
        drop(Owned::from_call(written)?);
        Ok(())
    }
}

/// `JSONEncoder.encode`
pub unsafe extern "C" fn encode(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        let mut given = [null_mut(); 2];
        if !super::methods::ENCODE.parse(args, nargs, kwnames, &mut given) {
            return null_mut();
        }
        let [encoder, obj] = given;
        match encoder_text(encoder, obj) {
            Ok(text) => text.into_ptr(),
            Err(_) => null_mut(),
        }
    })
}

/// `JSONEncoder.iterencode`
pub unsafe extern "C" fn iterencode(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall; what is made here is
    // owned.
    guarded(|| unsafe {
        let mut given = [null_mut(); 3];
        if !super::methods::ITERENCODE.parse(args, nargs, kwnames, &mut given) {
            return null_mut();
        }
        let [encoder, obj, one_shot] = given;
        if one_shot.is_null() || py::PyObject_IsTrue(one_shot) == 0 {
            let Ok(settings) = Settings::of_encoder(encoder, false) else {
                py::PyErr_Clear();
                let chunks = stdlib::call(stdlib::ITERENCODE.get(), [encoder, obj], null_mut());
                return chunks.map_or(null_mut(), Owned::into_ptr);
            };
            return chunks::new(encoder, obj, settings);
        }
        let Ok(text) = settled_text(encoder, obj) else {
            return null_mut();
        };
        let chunks = py::PyTuple_New(1);
        if !chunks.is_null() {
            py::PyTuple_SET_ITEM(chunks, 0, text.into_ptr());
        }
        chunks
    })
}

/// What `encoder.encode(obj)` returns, if the encoder's class has that method
/// from us.
unsafe fn encoder_text(encoder: *mut PyObject, obj: *mut PyObject) -> Result<Owned, NoText> {
    // SAFETY: both are alive.
    unsafe {
        let class = py::Py_TYPE(encoder).cast();
        if !is_own(class, &names::ITERENCODE, &ITERENCODE, &stdlib::ITERENCODE) {
            return Ok(stdlib::call(
                stdlib::ENCODE.get(),
                [encoder, obj],
                null_mut(),
            )?);
        }
        settled_text(encoder, obj)
    }
}

/// The whole text by the settings of an encoder, or else by the interpreter.
unsafe fn settled_text(encoder: *mut PyObject, obj: *mut PyObject) -> Result<Owned, NoText> {
    // SAFETY: both are alive.
    unsafe {
        let outcome = Settings::of_encoder(encoder, true)
            .map_err(NoText::from)
            .and_then(|settings| text(obj, &settings.options, &settings.layout()));
        match outcome {
            Err(NoText::Unusual) => {
                py::PyErr_Clear();
                if py::PyUnicode_Check(obj) != 0 {
                    // It asks for other attributes then.
                    let args = [encoder, obj];
                    return Ok(stdlib::call(stdlib::ENCODE.get(), args, null_mut())?);
                }
                Ok(stdlib::encoder_text(encoder, obj)?)
            }
            outcome => outcome,
        }
    }
}

/// Whether a class has a method from us or from the interpreter's class,
/// which would do the same.
unsafe fn is_own(
    class: *mut PyObject,
    name: &stdlib::Kept,
    ours: &stdlib::Kept,
    theirs: &stdlib::Kept,
) -> bool {
    // SAFETY: the class is alive; what is found is only compared.
    unsafe {
        let Some(found) = Owned::from_new(py::PyObject_GetAttr(class, name.get())) else {
            py::PyErr_Clear();
            return false;
        };
        found.as_ptr() == ours.get() || found.as_ptr() == theirs.get()
    }
}

/// What Starlette's `JSONResponse` makes of `obj` before it encodes it: the
/// text of `json.dumps(obj, ensure_ascii=False, allow_nan=False,
/// separators=(",", ":"))`.
///
/// # Safety
/// The GIL is held, and `obj` is alive.
pub unsafe fn response(obj: *mut PyObject) -> Result<Owned, Raised> {
    // SAFETY: as the caller says; what is made here is owned.
    unsafe {
        match text(obj, &settings::RESPONSE, &settings::COMPACT) {
            Ok(text) => Ok(text),
            Err(NoText::Raised) => Err(Raised),
            Err(NoText::Unusual) => {
                py::PyErr_Clear();
                stdlib::response(obj)
            }
        }
    }
}

/// The text of `obj`.
///
/// # Safety
/// `obj` and the options' objects are alive.
#[inline(always)]
pub unsafe fn text(
    obj: *mut PyObject,
    options: &Options,
    layout: &Layout<'_>,
) -> Result<Owned, NoText> {
    let product = Product::Str(Form::Ascii).with(layout.max_char());
    let mut unusual = false;
    let text = fill(
        product,
        |target, sink| {
            // SAFETY: as the caller says; the sink is the target's.
            unsafe {
                let mut walk = Walk::new(options, layout, product.form(), false, obj);
                let failure = complete(&mut walk, target, sink, |walk, sink| run(walk, sink));
                let Some(failure) = failure else {
                    return true;
                };
                unusual = !raise(&mut walk, failure);
                false
            }
        },
        // SAFETY: the sink is the target's.
        |target, sink| unsafe { target.finish(sink) },
    );
    // SAFETY: a new reference, or null.
    match unsafe { Owned::from_new(text) } {
        Some(text) => Ok(text),
        None if unusual => Err(NoText::Unusual),
        None => Err(NoText::Raised),
    }
}

/// Runs the walk by the rules of `json`.
///
/// # Safety
/// As [`Walk::run`].
#[inline(always)]
pub unsafe fn run(walk: &mut Walk<'_>, sink: &mut Sink) -> Flow {
    // SAFETY: as the caller says.
    unsafe {
        if walk.options.ensure_ascii {
            walk.run::<Units1, AsciiOnly>(sink)
        } else {
            run_units::<Plain>(walk, sink)
        }
    }
}

/// Sets the exception for a failure, unless the interpreter is to be asked:
/// then it returns `false`.
///
/// # Safety
/// The GIL is held.
#[cold]
pub unsafe fn raise(walk: &mut Walk<'_>, failure: Failure) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        let raised = walk.called || out_of_memory();
        if raised {
            super::raise::raise(walk, failure);
        }
        raised
    }
}

/// Whether that is what went wrong: asking the interpreter would take more.
#[cold]
unsafe fn out_of_memory() -> bool {
    // SAFETY: the GIL is held.
    unsafe {
        !py::PyErr_Occurred().is_null() && py::PyErr_ExceptionMatches(py::PyExc_MemoryError) != 0
    }
}

/// The object of an outcome; `standard` asks the interpreter.
#[inline(always)]
unsafe fn answer(
    outcome: Result<Owned, NoText>,
    standard: impl FnOnce() -> *mut PyObject,
) -> *mut PyObject {
    match outcome {
        Ok(object) => object.into_ptr(),
        Err(NoText::Raised) => null_mut(),
        Err(NoText::Unusual) => {
            // SAFETY: the GIL is held.
            unsafe { py::PyErr_Clear() };
            standard()
        }
    }
}

/// The arguments of `dumps` or `dump`, null where not given.
struct Call<const N: usize> {
    params: [*mut PyObject; N],
    options: [*mut PyObject; OPTIONS.len()],
    /// `cls`, null for none.
    class: *mut PyObject,
    /// There are arguments that only an encoder of the user can know.
    more: bool,
}

impl<const N: usize> Call<N> {
    unsafe fn read(
        params: [&str; N],
        args: *const *mut PyObject,
        nargs: Py_ssize_t,
        kwnames: *mut PyObject,
    ) -> Result<Self, NoText> {
        let nargs = nargs as usize;
        let mut call = Call {
            params: [null_mut(); N],
            options: [null_mut(); OPTIONS.len()],
            class: null_mut(),
            more: false,
        };
        if nargs > N {
            return Err(NoText::Unusual);
        }
        // SAFETY: a vectorcall passes `nargs` values, then one per name.
        unsafe {
            core::ptr::copy_nonoverlapping(args, call.params.as_mut_ptr(), nargs);
            if !kwnames.is_null() {
                for i in 0..py::PyTuple_GET_SIZE(kwnames) {
                    let value = *args.add(nargs + i as usize);
                    let name = str::chars(py::PyTuple_GET_ITEM(kwnames, i));
                    call.take(&params, name, value)?;
                }
            }
            let no_class = call.class.is_null();
            if call.params.iter().any(|param| param.is_null()) || no_class && call.more {
                return Err(NoText::Unusual);
            }
        }
        Ok(call)
    }

    unsafe fn take(
        &mut self,
        params: &[&str; N],
        name: Option<Chars<'_>>,
        value: *mut PyObject,
    ) -> Result<(), NoText> {
        let Some(Chars::Ascii(name)) = name else {
            self.more = true;
            return Ok(());
        };
        let is = |known: &&str| known.as_bytes() == name;
        if let Some(i) = OPTIONS.iter().position(is) {
            self.options[i] = value;
        } else if name == b"cls" {
            // SAFETY: `None` is always there.
            if value != unsafe { py::Py_None() } {
                self.class = value;
            }
        } else if let Some(i) = params.iter().position(is) {
            if !self.params[i].is_null() {
                return Err(NoText::Unusual);
            }
            self.params[i] = value;
        } else {
            self.more = true;
        }
        Ok(())
    }

    /// An encoder of this class, made as `json` makes it.
    unsafe fn encoder(
        &self,
        class: *mut PyObject,
        values: *const *mut PyObject,
        kwnames: *mut PyObject,
    ) -> Result<Owned, NoText> {
        // SAFETY: `values` are those of the names; constants are always there.
        unsafe {
            let (yes, no, none) = (py::Py_True(), py::Py_False(), py::Py_None());
            let defaults = [no, yes, yes, yes, none, none, none, no];
            let keys = [
                &names::SKIPKEYS,
                &names::ENSURE_ASCII,
                &names::CHECK_CIRCULAR,
                &names::ALLOW_NAN,
                &names::INDENT,
                &names::SEPARATORS,
                &names::DEFAULT,
                &names::SORT_KEYS,
            ];
            let arguments = Owned::from_call(py::PyDict_New())?;
            for ((&given, default), key) in self.options.iter().zip(defaults).zip(keys) {
                let value = if given.is_null() { default } else { given };
                set(&arguments, key.get(), value)?;
            }
            if self.more {
                for i in 0..py::PyTuple_GET_SIZE(kwnames) {
                    let key = py::PyTuple_GET_ITEM(kwnames, i);
                    let known = |name: &[u8]| {
                        name == b"cls"
                            || name == b"obj"
                            || N == 2 && name == b"fp"
                            || OPTIONS.iter().any(|option| option.as_bytes() == name)
                    };
                    match str::chars(key) {
                        Some(Chars::Ascii(name)) if known(name) => {}
                        _ => set(&arguments, key, *values.add(i as usize))?,
                    }
                }
            }
            Ok(stdlib::call(class, [], arguments.as_ptr())?)
        }
    }
}

unsafe fn set(dict: &Owned, key: *mut PyObject, value: *mut PyObject) -> Result<(), NoText> {
    // SAFETY: all are alive.
    if unsafe { py::PyDict_SetItem(dict.as_ptr(), key, value) } != 0 {
        return Err(NoText::Raised);
    }
    Ok(())
}
