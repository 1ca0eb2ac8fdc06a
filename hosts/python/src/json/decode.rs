//! `loads` and `load`.

use core::ptr::null_mut;

use linecaster_decode::{Error, Options, Surrogates};
use linecaster_kernel::text::{Ascii, Latin1, Ucs2, Ucs4, Utf8};
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::stdlib::{self, names};
use crate::decode::build;
use crate::decode::builder::Raised;
use crate::decode::hooks::Hooks;
use crate::decode::input::{Input, Units};
use crate::decode::options::LoadOptions;
use crate::ffi::owned::{Owned, Raised as CallRaised};
use crate::ffi::str::{self, Chars};
use crate::guarded;

/// The nesting up to which nobody else is asked.
const DEPTH: usize = 500;

/// What a call gave, null where it did not.
#[derive(Clone, Copy)]
pub struct Given {
    /// In the order of [`HOOKS`].
    pub hooks: [*mut PyObject; HOOKS.len()],
    /// `strict`
    pub strict: *mut PyObject,
    class: *mut PyObject,
}

/// The hooks of a decoder; the last is an argument from 3.15 on only.
pub const HOOKS: [&str; 6] = [
    "object_hook",
    "object_pairs_hook",
    "parse_float",
    "parse_int",
    "parse_constant",
    "array_hook",
];
/// How many of them the interpreter knows.
pub const KNOWN: usize = if cfg!(Py_3_15) { 6 } else { 5 };

/// Why there is no object.
pub enum NoObject {
    /// The interpreter's own `json` is to do it.
    Unusual,
    /// An exception is set.
    Raised,
}

impl From<CallRaised> for NoObject {
    fn from(_: CallRaised) -> NoObject {
        NoObject::Raised
    }
}

impl Given {
    /// Nothing at all.
    pub const NOTHING: Given = Given {
        hooks: [null_mut(); HOOKS.len()],
        strict: null_mut(),
        class: null_mut(),
    };

    /// How the parser is to read; `None` when that cannot be said.
    ///
    /// # Safety
    /// What was given is alive.
    pub unsafe fn options(&self) -> Option<LoadOptions> {
        // SAFETY: as the caller says.
        unsafe {
            let [object, pairs, float, int, constant, array] = self.hooks;
            let mut syntax = Options {
                max_depth: DEPTH,
                allow_nan: true,
                surrogates: Surrogates::KeepRaw,
                ..Options::default()
            };
            if !self.strict.is_null() {
                match py::PyObject_IsTrue(self.strict) {
                    -1 => return None,
                    strict => syntax.raw_control = strict == 0,
                }
            }
            let hooks = Hooks {
                object: not_none(object),
                pairs: not_none(pairs),
                float: unless(float, (&raw mut py::PyFloat_Type).cast())?,
                int: unless(int, (&raw mut py::PyLong_Type).cast())?,
                constant: unless(constant, null_mut())?,
                array: not_none(array),
            };
            syntax.floats_as_text = !hooks.float.is_null();
            syntax.integers_as_text = !hooks.int.is_null();
            if self.has_hooks() {
                // They run before it is known how deep the document is.
                syntax.max_depth = super::raise::recursion_limit(false);
            }
            Some(LoadOptions {
                hooks,
                syntax,
                raise: crate::decode::raise::decode_error,
            })
        }
    }

    /// Takes hooks as the attributes of a decoder show them: of each, what is
    /// done without it is not one.
    ///
    /// # Safety
    /// The hooks are alive or null.
    pub unsafe fn set_hooks(&mut self, hooks: &[*mut PyObject; HOOKS.len()]) {
        // SAFETY: as the caller says; types are always there.
        unsafe {
            let usual: [*mut PyObject; 2] = [
                (&raw mut py::PyFloat_Type).cast(),
                (&raw mut py::PyLong_Type).cast(),
            ];
            self.hooks = hooks.map(|hook| not_none(hook));
            for (hook, usual) in self.hooks[2..4].iter_mut().zip(usual) {
                if *hook == usual {
                    *hook = null_mut();
                }
            }
            if stdlib::is_usual_constant(self.hooks[4]) {
                self.hooks[4] = null_mut();
            }
        }
    }

    /// Whether code of the user may run.
    pub fn has_hooks(&self) -> bool {
        self.hooks.iter().any(|hook| !hook.is_null())
    }
}

/// A hook, null for `None`.
unsafe fn not_none(hook: *mut PyObject) -> *mut PyObject {
    // SAFETY: `None` is always there.
    if hook == unsafe { py::Py_None() } {
        null_mut()
    } else {
        hook
    }
}

/// A hook, null where it is false or does what is done without it; `None` if
/// its truth cannot be told.
unsafe fn unless(hook: *mut PyObject, usual: *mut PyObject) -> Option<*mut PyObject> {
    if hook.is_null() || hook == usual {
        return Some(null_mut());
    }
    // SAFETY: the hook is alive.
    match unsafe { py::PyObject_IsTrue(hook) } {
        -1 => None,
        0 => Some(null_mut()),
        _ => Some(hook),
    }
}

/// `json.loads`
pub unsafe extern "C" fn loads(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        let outcome = if nargs == 1 && kwnames.is_null() {
            document(*args, &Given::NOTHING)
        } else {
            loads_with_options(args, nargs, kwnames)
        };
        match outcome {
            Ok(object) => object,
            Err(NoObject::Raised) => null_mut(),
            Err(NoObject::Unusual) => {
                py::PyErr_Clear();
                py::PyObject_Vectorcall(stdlib::LOADS.get(), args, nargs as usize, kwnames)
            }
        }
    })
}

unsafe fn loads_with_options(
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> Result<*mut PyObject, NoObject> {
    // SAFETY: as for the caller.
    unsafe {
        let (text, given) = read("s", args, nargs, kwnames)?;
        if given.class.is_null() {
            return document(text, &given);
        }
        by_class(text, &given, args.add(nargs as usize), kwnames)
    }
}

/// `json.load`
pub unsafe extern "C" fn load(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall; the text is owned.
    guarded(|| unsafe {
        let file = if nargs == 1 {
            *args
        } else if let Ok((file, _)) = read("fp", args, nargs, kwnames) {
            file
        } else {
            py::PyErr_Clear();
            let load = stdlib::LOAD.get();
            return py::PyObject_Vectorcall(load, args, nargs as usize, kwnames);
        };
        let text = py::PyObject_CallMethodNoArgs(file, names::READ.get());
        let Some(text) = Owned::from_new(text) else {
            return null_mut();
        };
        let Some(values) = with_text(&text, args, nargs, kwnames) else {
            return null_mut();
        };
        let kwnames = match &values.names {
            Some(names) => names.as_ptr(),
            None => null_mut(),
        };
        loads(null_mut(), values.args.as_ptr(), 1, kwnames)
    })
}

/// Arguments of `load` made those of `loads`.
struct Values {
    args: Vec<*mut PyObject>,
    names: Option<Owned>,
}

/// The arguments with the text in the file's place.
unsafe fn with_text(
    text: &Owned,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> Option<Values> {
    let mut values = Values {
        args: vec![text.as_ptr()],
        names: None,
    };
    if kwnames.is_null() {
        return Some(values);
    }
    // SAFETY: the arguments are those of a vectorcall.
    unsafe {
        let names = Owned::from_new(py::PyList_New(0))?;
        for i in 0..py::PyTuple_GET_SIZE(kwnames) {
            let name = py::PyTuple_GET_ITEM(kwnames, i);
            if matches!(str::chars(name), Some(Chars::Ascii(b"fp"))) {
                continue;
            }
            values.args.push(*args.add((nargs + i) as usize));
            if py::PyList_Append(names.as_ptr(), name) != 0 {
                return None;
            }
        }
        values.names = Some(Owned::from_new(py::PyList_AsTuple(names.as_ptr()))?);
    }
    Some(values)
}

/// Sorts the arguments of a call; its subject is called `name`.
unsafe fn read(
    name: &str,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> Result<(*mut PyObject, Given), NoObject> {
    if nargs > 1 {
        return Err(NoObject::Unusual);
    }
    let mut given = Given::NOTHING;
    let mut subject = null_mut();
    let mut more = false;
    // SAFETY: a vectorcall passes `nargs` values, then one per name.
    unsafe {
        if nargs == 1 {
            subject = *args;
        }
        let count = if kwnames.is_null() {
            0
        } else {
            py::PyTuple_GET_SIZE(kwnames)
        };
        for i in 0..count {
            let value = *args.add((nargs + i) as usize);
            let Some(Chars::Ascii(key)) = str::chars(py::PyTuple_GET_ITEM(kwnames, i)) else {
                more = true;
                continue;
            };
            if let Some(at) = hook(key) {
                given.hooks[at] = not_none(value);
            } else if key == b"cls" {
                given.class = not_none(value);
            } else if key == b"strict" {
                given.strict = value;
            } else if key == name.as_bytes() && subject.is_null() {
                subject = value;
            } else {
                more = true;
            }
        }
    }
    if subject.is_null() || more && given.class.is_null() {
        return Err(NoObject::Unusual);
    }
    Ok((subject, given))
}

/// Which hook has this name.
fn hook(name: &[u8]) -> Option<usize> {
    HOOKS[..KNOWN]
        .iter()
        .position(|hook| hook.as_bytes() == name)
}

/// What a decoder of the given class makes of the text.
unsafe fn by_class(
    text: *mut PyObject,
    given: &Given,
    values: *const *mut PyObject,
    kwnames: *mut PyObject,
) -> Result<*mut PyObject, NoObject> {
    // SAFETY: `values` are those of the names; what is made here is owned.
    unsafe {
        let text = match string(text)? {
            Some(text) => text,
            None => Owned::from_borrowed(text),
        };
        let arguments = Owned::from_call(py::PyDict_New())?;
        for i in 0..py::PyTuple_GET_SIZE(kwnames) {
            let key = py::PyTuple_GET_ITEM(kwnames, i);
            let value = *values.add(i as usize);
            let leave_out = match str::chars(key) {
                Some(Chars::Ascii(b"cls" | b"s")) => true,
                Some(Chars::Ascii(name)) => hook(name).is_some() && value == py::Py_None(),
                _ => false,
            };
            if !leave_out && py::PyDict_SetItem(arguments.as_ptr(), key, value) != 0 {
                return Err(NoObject::Raised);
            }
        }
        let decoder = stdlib::call(given.class, [], arguments.as_ptr())?;
        let name = names::DECODE.get();
        let object = py::PyObject_CallMethodOneArg(decoder.as_ptr(), name, text.as_ptr());
        Ok(Owned::from_call(object)?.into_ptr())
    }
}

/// The text of bytes, as `json.loads` decodes them; `None` for a `str`.
unsafe fn string(text: *mut PyObject) -> Result<Option<Owned>, NoObject> {
    // SAFETY: the text is alive; what is made here is owned.
    unsafe {
        if py::PyUnicode_Check(text) != 0 {
            let mark =
                py::PyUnicode_GetLength(text) > 0 && py::PyUnicode_ReadChar(text, 0) == 0xFEFF;
            return if mark {
                Err(NoObject::Unusual)
            } else {
                Ok(None)
            };
        }
        if py::PyBytes_Check(text) == 0 && py::PyByteArray_Check(text) == 0 {
            return Err(NoObject::Unusual);
        }
        let encoding = stdlib::call(stdlib::DETECT_ENCODING.get(), [text], null_mut())?;
        let decode = Owned::from_call(py::PyObject_GetAttr(text, names::DECODE.get()))?;
        let errors = names::SURROGATEPASS.get();
        let args = [encoding.as_ptr(), errors];
        Ok(Some(stdlib::call(decode.as_ptr(), args, null_mut())?))
    }
}

/// The objects of the document in `text`.
#[inline(always)]
unsafe fn document(text: *mut PyObject, given: &Given) -> Result<*mut PyObject, NoObject> {
    // SAFETY: the caller's arguments are alive.
    unsafe {
        let Some(options) = given.options() else {
            return Err(NoObject::Unusual);
        };
        let outcome = if py::PyUnicode_Check(text) != 0 {
            of_str(text, None, &options)
        } else if let Some(units) = bytes(text) {
            build::<Utf8>(units, None, &options)
        } else {
            return other(text, given, &options);
        };
        match outcome {
            Ok((object, _)) => Ok(object),
            Err(error) => Err(failed(&error, given, |options| {
                stdlib::call(stdlib::LOADS.get(), [text], options)
            })),
        }
    }
}

/// The content of a `bytes` if it is plainly UTF-8.
unsafe fn bytes<'a>(op: *mut PyObject) -> Option<&'a [u8]> {
    // SAFETY: the object is alive, and is what is found.
    let units = unsafe {
        if py::PyBytes_CheckExact(op) == 0 {
            return None;
        }
        let data = py::PyBytes_AS_STRING(op).cast::<u8>();
        core::slice::from_raw_parts(data, py::Py_SIZE(op) as usize)
    };
    is_utf8(units).then_some(units)
}

/// Whether the encoding, which the first four bytes tell, is UTF-8 without a
/// mark at the start.
fn is_utf8(units: &[u8]) -> bool {
    let start = &units[..units.len().min(4)];
    start
        .iter()
        .all(|&byte| !matches!(byte, 0 | 0xEF | 0xFE | 0xFF))
}

/// [`document`] for what is neither a `str` nor a `bytes` in UTF-8.
#[inline(never)]
unsafe fn other(
    text: *mut PyObject,
    given: &Given,
    options: &LoadOptions,
) -> Result<*mut PyObject, NoObject> {
    // SAFETY: as for [`document`].
    unsafe {
        // Hooks may change a `bytearray`: what they do must not be seen.
        if py::PyByteArray_CheckExact(text) == 0 || given.has_hooks() {
            return decoded(text, given, options);
        }
        let Some(input) = Input::buffer(text) else {
            return Err(NoObject::Raised);
        };
        let outcome = match input.units() {
            Units::Utf8(units) if is_utf8(units) => build::<Utf8>(units, None, options),
            _ => {
                drop(input);
                return decoded(text, given, options);
            }
        };
        drop(input);
        match outcome {
            Ok((object, _)) => Ok(object),
            Err(Error::Syntax(_)) => Err(NoObject::Unusual),
            Err(Error::Visit(Raised)) => Err(NoObject::Raised),
        }
    }
}

/// [`document`] for what has to be decoded first.
#[cold]
unsafe fn decoded(
    text: *mut PyObject,
    given: &Given,
    options: &LoadOptions,
) -> Result<*mut PyObject, NoObject> {
    // SAFETY: as for [`document`].
    unsafe {
        let Some(text) = string(text)? else {
            return Err(NoObject::Unusual);
        };
        match of_str(text.as_ptr(), None, options) {
            Ok((object, _)) => Ok(object),
            Err(error) => Err(failed(&error, given, |options| {
                let decoder = stdlib::call(stdlib::DECODER.get(), [], options)?;
                let (name, text) = (names::DECODE.get(), text.as_ptr());
                let object = py::PyObject_CallMethodOneArg(decoder.as_ptr(), name, text);
                Owned::from_call(object)
            })),
        }
    }
}

/// The objects of a `str`, or of the one value that begins at `start`.
///
/// # Safety
/// The GIL is held, and `text` is a `str` that outlives the call.
pub unsafe fn of_str(
    text: *mut PyObject,
    start: Option<usize>,
    options: &LoadOptions,
) -> Result<(*mut PyObject, usize), Error<Raised>> {
    // SAFETY: as the caller says.
    unsafe {
        match str::chars(text) {
            Some(Chars::Ascii(units)) => build::<Ascii>(units, start, options),
            Some(Chars::Latin1(units)) => build::<Latin1>(units, start, options),
            Some(Chars::Ucs2(units)) => build::<Ucs2>(units, start, options),
            Some(Chars::Ucs4(units)) => build::<Ucs4>(units, start, options),
            None => Err(Error::Visit(Raised)),
        }
    }
}

/// What follows from an error. If hooks may have run, the interpreter is asked
/// without them, by `standard`: a document that is no JSON is none for any.
///
/// # Safety
/// The GIL is held, and what was given is alive.
#[cold]
pub unsafe fn failed(
    error: &Error<Raised>,
    given: &Given,
    standard: impl FnOnce(*mut PyObject) -> Result<Owned, CallRaised>,
) -> NoObject {
    let Error::Syntax(_) = error else {
        return NoObject::Raised;
    };
    if !given.has_hooks() {
        return NoObject::Unusual;
    }
    // SAFETY: what is made here is owned.
    unsafe {
        let Some(options) = Owned::from_new(py::PyDict_New()) else {
            return NoObject::Raised;
        };
        let text = (&raw mut py::PyUnicode_Type).cast::<PyObject>();
        let strict = if given.strict.is_null() {
            py::Py_True()
        } else {
            given.strict
        };
        let hookless = [
            (&names::PARSE_INT, text),
            (&names::PARSE_FLOAT, text),
            (&names::STRICT, strict),
        ];
        for (name, value) in hookless {
            if py::PyDict_SetItem(options.as_ptr(), name.get(), value) != 0 {
                return NoObject::Raised;
            }
        }
        if standard(options.as_ptr()).is_ok() {
            // It is deeper than what is read with hooks, and nothing else.
            crate::args::set_error(
                py::PyExc_RecursionError,
                "maximum recursion depth exceeded while decoding a JSON document",
            );
        }
    }
    NoObject::Raised
}
