//! The methods of `JSONDecoder`, and its scanner, `scan_once`.

use core::ffi::{CStr, c_char, c_void};
use core::mem::offset_of;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use linecaster_decode::Error;
use pyo3::prelude::*;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyMemberDef, PyObject, PyType_Slot, PyTypeObject};

use super::decode::{Given, HOOKS, KNOWN, NoObject, failed, of_str};
use super::methods;
use super::stdlib::{self, Kept, names};
use crate::args::{Signature, type_error};
use crate::decode::builder;
use crate::ffi::class::{self, Class, Members, Visit};
use crate::ffi::owned::{Owned, Raised};
use crate::guarded;

/// Reads one value out of a text.
#[repr(C)]
pub struct Scanner {
    vectorcall: py::vectorcallfunc,
    strict: c_char,
    /// Owned, null where there is none: as the attributes show them.
    hooks: [*mut PyObject; HOOKS.len()],
    /// What of it is out of the ordinary.
    given: Given,
}

static CLASS: AtomicPtr<PyObject> = AtomicPtr::new(null_mut());

/// Makes the class.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::add_to::<Scanner>(module, &CLASS, "Scanner")
}

const fn member(name: &'static CStr, code: core::ffi::c_int, offset: usize) -> PyMemberDef {
    PyMemberDef {
        name: name.as_ptr(),
        type_code: code,
        offset: class::offset::<Scanner>(offset),
        flags: py::Py_READONLY,
        doc: core::ptr::null(),
    }
}

const fn hook(name: &'static CStr, index: usize) -> PyMemberDef {
    let offset = offset_of!(Scanner, hooks) + index * size_of::<*mut PyObject>();
    // What is not there reads as `None`.
    #[allow(deprecated, reason = "its successor raises AttributeError there")]
    member(name, py::_Py_T_OBJECT, offset)
}

static MEMBERS: Members<9> = Members([
    member(
        c"__vectorcalloffset__",
        py::Py_T_PYSSIZET,
        offset_of!(Scanner, vectorcall),
    ),
    member(c"strict", py::Py_T_BOOL, offset_of!(Scanner, strict)),
    hook(c"object_hook", 0),
    hook(c"object_pairs_hook", 1),
    hook(c"parse_float", 2),
    hook(c"parse_int", 3),
    hook(c"parse_constant", 4),
    hook(c"array_hook", 5),
    PyMemberDef {
        name: core::ptr::null(),
        type_code: 0,
        offset: 0,
        flags: 0,
        doc: core::ptr::null(),
    },
]);

const DOC: &CStr = c"Reads one value out of a text.\n
Calling it with a str and an index returns the value that begins there and
the index behind it.";

impl Class for Scanner {
    const NAME: &'static CStr = c"linecaster.json.scanner.Scanner";
    const VECTORCALL: bool = true;

    fn slots() -> Vec<PyType_Slot> {
        let new: py::newfunc = new;
        let call: py::ternaryfunc = py::PyVectorcall_Call;
        vec![
            class::slot(py::Py_tp_doc, DOC.as_ptr().cast_mut().cast()),
            class::slot(py::Py_tp_new, new as *mut c_void),
            class::slot(py::Py_tp_call, call as *mut c_void),
            MEMBERS.slot(),
        ]
    }

    fn traverse(&self, visit: &mut Visit) {
        for op in self.hooks {
            visit.object(op);
        }
    }

    fn clear(&mut self) {
        self.given.hooks = Given::NOTHING.hooks;
        let hooks = core::mem::replace(&mut self.hooks, [null_mut(); HOOKS.len()]);
        for op in hooks {
            // SAFETY: the references are ours, or null.
            unsafe { py::Py_XDECREF(op) };
        }
    }
}

impl Drop for Scanner {
    fn drop(&mut self) {
        self.clear();
    }
}

unsafe extern "C" fn new(
    class: *mut PyTypeObject,
    args: *mut PyObject,
    keywords: *mut PyObject,
) -> *mut PyObject {
    const SIGNATURE: Signature = Signature {
        name: "make_scanner",
        params: &["context"],
        required: 1,
        positional: 1,
        positional_only: 0,
    };
    // SAFETY: the interpreter calls it with a tuple, and a dict or null.
    guarded(|| unsafe {
        let mut given = [null_mut(); 1];
        if !SIGNATURE.parse_class(args, keywords, &mut given) {
            return null_mut();
        }
        if given[0].is_null() {
            type_error("make_scanner() missing required argument: 'context'");
            return null_mut();
        }
        match Scanner::new(given[0]) {
            Ok(scanner) => class::instance(class, scanner),
            Err(Raised) => null_mut(),
        }
    })
}

impl Scanner {
    /// A scanner by the attributes of a decoder.
    unsafe fn new(context: *mut PyObject) -> Result<Scanner, Raised> {
        let get = |name: &Kept| {
            // SAFETY: the decoder is alive.
            unsafe { Owned::from_call(py::PyObject_GetAttr(context, name.get())) }
        };
        // SAFETY: what `get` returns is owned, and so are the hooks then.
        unsafe {
            let strict = match py::PyObject_IsTrue(get(&names::STRICT)?.as_ptr()) {
                -1 => return Err(Raised),
                strict => strict != 0,
            };
            let mut scanner = Scanner {
                vectorcall: scan_once,
                strict: strict.into(),
                hooks: [null_mut(); HOOKS.len()],
                given: Given::NOTHING,
            };
            for (slot, name) in scanner.hooks.iter_mut().zip(&HOOK_NAMES[..KNOWN]) {
                *slot = get(name)?.into_ptr();
            }
            scanner.given.set_hooks(&scanner.hooks);
            scanner.given.strict = if strict {
                py::Py_True()
            } else {
                py::Py_False()
            };
            Ok(scanner)
        }
    }

    /// Reads the value at `start`, or the whole document; what `call` asked
    /// of the method `name` is asked of the interpreter's decoder otherwise.
    #[inline(always)]
    unsafe fn read(
        &self,
        text: *mut PyObject,
        start: Option<usize>,
        name: &Kept,
        call: &Call,
    ) -> Result<(*mut PyObject, usize), Outcome> {
        // SAFETY: the caller keeps the scanner and the text alive.
        unsafe {
            let Some(options) = self.given.options() else {
                return Err(self.standard(name, call));
            };
            of_str(text, start, &options).map_err(|error| self.failed(&error, name, call))
        }
    }

    #[cold]
    unsafe fn failed(&self, error: &Error<builder::Raised>, name: &Kept, call: &Call) -> Outcome {
        // SAFETY: the caller's objects are alive.
        unsafe {
            match failed(error, &self.given, |options| call.by(options, name)) {
                NoObject::Raised => Outcome(null_mut()),
                NoObject::Unusual => self.standard(name, call),
            }
        }
    }

    /// What a decoder of the interpreter with the same hooks makes of a call.
    #[cold]
    unsafe fn standard(&self, name: &Kept, call: &Call) -> Outcome {
        let answer = || {
            // SAFETY: all are alive; what is made here is owned.
            unsafe {
                py::PyErr_Clear();
                let options = Owned::from_call(py::PyDict_New())?;
                let hooks = HOOK_NAMES.into_iter().zip(self.given.hooks);
                for (key, value) in hooks.chain([(&names::STRICT, self.given.strict)]) {
                    if !value.is_null()
                        && py::PyDict_SetItem(options.as_ptr(), key.get(), value) != 0
                    {
                        return Err(Raised);
                    }
                }
                call.by(options.as_ptr(), name)
            }
        };
        Outcome(answer().map_or(null_mut(), Owned::into_ptr))
    }
}

const HOOK_NAMES: [&Kept; HOOKS.len()] = [
    &names::OBJECT_HOOK,
    &names::OBJECT_PAIRS_HOOK,
    &names::PARSE_FLOAT,
    &names::PARSE_INT,
    &names::PARSE_CONSTANT,
    &names::ARRAY_HOOK,
];

/// What a method returns in the end: null with an exception set.
#[derive(Clone, Copy)]
struct Outcome(*mut PyObject);

/// The arguments of a call.
struct Call {
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
}

impl Call {
    /// The same call of a method of the interpreter's decoder with options.
    unsafe fn by(&self, options: *mut PyObject, name: &Kept) -> Result<Owned, Raised> {
        // SAFETY: the arguments are those of a vectorcall.
        unsafe {
            let decoder = stdlib::call(stdlib::DECODER.get(), [], options)?;
            let method = Owned::from_call(py::PyObject_GetAttr(decoder.as_ptr(), name.get()))?;
            let (args, nargs) = (self.args, self.nargs as usize);
            Owned::from_call(py::PyObject_Vectorcall(
                method.as_ptr(),
                args,
                nargs,
                self.kwnames,
            ))
        }
    }

    /// The same call of a function that takes `this` before the rest.
    #[cold]
    unsafe fn of(&self, function: *mut PyObject, this: *mut PyObject) -> *mut PyObject {
        // SAFETY: a vectorcall passes `nargs` values, then one per name.
        unsafe {
            let mut len = self.nargs as usize;
            if !self.kwnames.is_null() {
                len += py::PyTuple_GET_SIZE(self.kwnames) as usize;
            }
            let mut args = vec![this];
            if len > 0 {
                args.extend_from_slice(core::slice::from_raw_parts(self.args, len));
            }
            let nargs = 1 + self.nargs as usize;
            py::PyObject_Vectorcall(function, args.as_ptr(), nargs, self.kwnames)
        }
    }
}

/// The index that a text may be read from; null stands for its start.
unsafe fn index(text: *mut PyObject, idx: *mut PyObject) -> Option<usize> {
    // SAFETY: the caller's objects are alive; the text's length is looked at
    // once it is known to be a `str`.
    unsafe {
        if py::PyUnicode_Check(text) == 0 {
            return None;
        }
        if idx.is_null() {
            return Some(0);
        }
        if py::PyLong_Check(idx) == 0 {
            return None;
        }
        let start = py::PyLong_AsSsize_t(idx);
        (0..=py::PyUnicode_GetLength(text))
            .contains(&start)
            .then_some(start as usize)
    }
}

/// A tuple of a value and the index behind it.
unsafe fn pair(value: *mut PyObject, end: usize) -> *mut PyObject {
    // SAFETY: the value is the caller's to give.
    unsafe {
        let value = Owned::from_new(value);
        let end = Owned::from_new(py::PyLong_FromSize_t(end));
        let both = Owned::from_new(py::PyTuple_New(2));
        let (Some(value), Some(end), Some(both)) = (value, end, both) else {
            return null_mut();
        };
        py::PyTuple_SET_ITEM(both.as_ptr(), 0, value.into_ptr());
        py::PyTuple_SET_ITEM(both.as_ptr(), 1, end.into_ptr());
        both.into_ptr()
    }
}

/// The call of a scanner.
unsafe extern "C" fn scan_once(
    this: *mut PyObject,
    args: *const *mut PyObject,
    nargs: usize,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall of a scanner, which its
    // caller keeps alive.
    guarded(|| unsafe {
        let scanner = &*class::value::<Scanner>(this);
        let call = Call {
            args,
            nargs: py::PyVectorcall_NARGS(nargs),
            kwnames,
        };
        if call.nargs == 2
            && kwnames.is_null()
            && let Some(start) = index(*args, *args.add(1))
        {
            return match scanner.read(*args, Some(start), &names::SCAN_ONCE, &call) {
                Ok((value, end)) => pair(value, end),
                Err(outcome) => outcome.0,
            };
        }
        scanner.standard(&names::SCAN_ONCE, &call).0
    })
}

/// The scanner of a decoder, if it is one of ours.
unsafe fn scanner(decoder: *mut PyObject) -> Option<Owned> {
    // SAFETY: the decoder is alive, and so is what is found.
    unsafe {
        let scan = py::PyObject_GetAttr(decoder, names::SCAN_ONCE.get());
        let Some(scan) = Owned::from_new(scan) else {
            py::PyErr_Clear();
            return None;
        };
        let class: *mut PyObject = py::Py_TYPE(scan.as_ptr()).cast();
        (class == CLASS.load(Ordering::Relaxed)).then_some(scan)
    }
}

/// What a method of a decoder reads at `start`, or of the whole document;
/// `None` without a scanner of ours, and an error is what it returns instead.
#[inline(always)]
unsafe fn read_by(
    decoder: *mut PyObject,
    text: *mut PyObject,
    start: Option<usize>,
    name: &Kept,
    call: &Call,
) -> Option<Result<(*mut PyObject, usize), *mut PyObject>> {
    // SAFETY: the caller's objects are alive, and the scanner is owned.
    unsafe {
        let scan = scanner(decoder)?;
        let scan = &*class::value::<Scanner>(scan.as_ptr());
        let read = scan.read(text, start, name, call);
        Some(read.map_err(|outcome| settled(outcome, text)))
    }
}

/// `JSONDecoder.raw_decode`
pub unsafe extern "C" fn raw_decode(
    this: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the arguments are those of a vectorcall of a decoder's method.
    guarded(|| unsafe {
        let call = Call {
            args,
            nargs,
            kwnames,
        };
        let mut given = [null_mut(); 2];
        if methods::RAW_DECODE.parse(args, nargs, kwnames, &mut given) {
            let [text, idx] = given;
            if let Some(start) = index(text, idx)
                && let Some(read) = read_by(this, text, Some(start), &names::RAW_DECODE, &call)
            {
                return read.map_or_else(|instead| instead, |(value, end)| pair(value, end));
            }
        } else {
            py::PyErr_Clear();
        }
        call.of(stdlib::RAW_DECODE.get(), this)
    })
}

/// `JSONDecoder.decode`
pub unsafe extern "C" fn decode(
    this: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as for [`raw_decode`].
    guarded(|| unsafe {
        let call = Call {
            args,
            nargs,
            kwnames,
        };
        if nargs == 1
            && kwnames.is_null()
            && py::PyUnicode_Check(*args) != 0
            && has_own_raw_decode(this)
            && let Some(read) = read_by(this, *args, None, &names::DECODE, &call)
        {
            return read.map_or_else(|instead| instead, |(value, _)| value);
        }
        call.of(stdlib::DECODE.get(), this)
    })
}

/// Whether a decoder's `raw_decode` is [`raw_decode`].
unsafe fn has_own_raw_decode(decoder: *mut PyObject) -> bool {
    // SAFETY: the decoder is alive; what is found is only compared.
    unsafe {
        let Some(found) = Owned::from_new(py::PyObject_GetAttr(decoder, names::RAW_DECODE.get()))
        else {
            py::PyErr_Clear();
            return false;
        };
        py::PyCFunction_CheckExact(found.as_ptr()) != 0
            && py::PyCFunction_GetFunction(found.as_ptr()).map(|f| f as usize)
                == Some(raw_decode as *const () as usize)
            && py::PyCFunction_GetSelf(found.as_ptr()) == decoder
    }
}

/// A method's result: `json` takes `StopIteration`, be it a hook's, for a
/// value that is missing.
unsafe fn settled(outcome: Outcome, text: *mut PyObject) -> *mut PyObject {
    // SAFETY: the text is alive; what is made here is owned.
    unsafe {
        if !outcome.0.is_null() || py::PyErr_ExceptionMatches(py::PyExc_StopIteration) == 0 {
            return outcome.0;
        }
        // Nothing can be told from what cannot be made: its error stays.
        let _: Result<(), Raised> = expecting_value(text);
    }
    null_mut()
}

#[allow(deprecated, reason = "what came instead is not there before 3.12")]
unsafe fn expecting_value(text: *mut PyObject) -> Result<(), Raised> {
    let [mut class, mut value, mut trace] = [null_mut(); 3];
    // SAFETY: `StopIteration` is set; the references become ours.
    unsafe {
        py::PyErr_Fetch(&raw mut class, &raw mut value, &raw mut trace);
        py::PyErr_NormalizeException(&raw mut class, &raw mut value, &raw mut trace);
        let [_class, stop, _trace] = [class, value, trace].map(|op| Owned::from_new(op));
        let stop = stop.ok_or(Raised)?;
        let at = Owned::from_call(py::PyObject_GetAttrString(stop.as_ptr(), c"value".as_ptr()))?;
        let says = py::PyUnicode_FromString(c"Expecting value".as_ptr());
        let says = Owned::from_call(says)?;
        let class = stdlib::DECODE_ERROR.get();
        let error = stdlib::call(class, [says.as_ptr(), text, at.as_ptr()], null_mut())?;
        py::PyErr_SetObject(class, error.as_ptr());
    }
    Ok(())
}
