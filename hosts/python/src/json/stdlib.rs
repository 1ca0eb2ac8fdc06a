//! The `json` module of the running interpreter, which has the last word
//! wherever something is out of the ordinary: it is asked to do the same work
//! again, and what it returns or raises is the answer.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use crate::ffi::owned::{Owned, Raised};

/// An object that is looked up once and kept.
pub struct Kept(AtomicPtr<PyObject>);

impl Kept {
    /// Not looked up yet.
    pub const fn new() -> Kept {
        Kept(AtomicPtr::new(null_mut()))
    }

    /// The object, borrowed.
    #[inline(always)]
    pub fn get(&self) -> *mut PyObject {
        self.0.load(Ordering::Relaxed)
    }

    /// Keeps `object` for as long as the process runs.
    pub fn keep(&self, object: Owned) {
        self.0.store(object.into_ptr(), Ordering::Relaxed);
    }
}

macro_rules! kept {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        pub static $name: Kept = Kept::new();
    )*};
}

kept! {
    /// `json.dumps`
    DUMPS;
    /// `json.dump`
    DUMP;
    /// `json.loads`
    LOADS;
    /// `json.load`
    LOAD;
    /// `json.detect_encoding`
    DETECT_ENCODING;
    /// `json.JSONEncoder`
    ENCODER;
    /// `json.JSONEncoder.encode`
    ENCODE;
    /// `json.JSONEncoder.iterencode`
    ITERENCODE;
    /// `json.JSONEncoder.default`
    DEFAULT;
    /// `json.JSONDecoder`
    DECODER;
    /// `json.JSONDecoder.decode`
    DECODE;
    /// `json.JSONDecoder.raw_decode`
    RAW_DECODE;
    /// `json.JSONDecodeError`
    DECODE_ERROR;
    /// What a decoder has as `parse_constant` if it was given none: a method
    /// of a dict.
    PARSE_CONSTANT;
    /// `dict.items`, as found in the class.
    DICT_ITEMS;
}

/// Names of attributes and arguments.
pub mod names {
    use core::ffi::CStr;

    use super::Kept;

    macro_rules! names {
        ($($name:ident = $text:literal;)*) => {
            $(pub static $name: Kept = Kept::new();)*

            /// All of them, with their texts.
            pub(super) static ALL: &[(&Kept, &CStr)] = &[$((&$name, $text)),*];
        };
    }

    names! {
        SKIPKEYS = c"skipkeys";
        ENSURE_ASCII = c"ensure_ascii";
        CHECK_CIRCULAR = c"check_circular";
        ALLOW_NAN = c"allow_nan";
        SORT_KEYS = c"sort_keys";
        INDENT = c"indent";
        SEPARATORS = c"separators";
        DEFAULT = c"default";
        ITEM_SEPARATOR = c"item_separator";
        KEY_SEPARATOR = c"key_separator";
        ENCODE = c"encode";
        ITERENCODE = c"iterencode";
        DECODE = c"decode";
        WRITE = c"write";
        READ = c"read";
        ITEMS = c"items";
        STRICT = c"strict";
        OBJECT_HOOK = c"object_hook";
        OBJECT_PAIRS_HOOK = c"object_pairs_hook";
        ARRAY_HOOK = c"array_hook";
        PARSE_FLOAT = c"parse_float";
        PARSE_INT = c"parse_int";
        PARSE_CONSTANT = c"parse_constant";
        SCAN_ONCE = c"scan_once";
        RAW_DECODE = c"raw_decode";
        ADD_NOTE = c"add_note";
        NAME = c"__name__";
        ONE_SHOT = c"_one_shot";
        SURROGATEPASS = c"surrogatepass";
    }
}

/// Looks up everything here, once.
///
/// # Safety
/// The GIL is held.
pub unsafe fn look_up() -> Result<(), Raised> {
    // SAFETY: the GIL is held, names are C strings, and what is found is
    // owned.
    unsafe {
        if !DICT_ITEMS.get().is_null() {
            return Ok(());
        }
        for (slot, text) in names::ALL {
            slot.keep(Owned::from_call(py::PyUnicode_InternFromString(
                text.as_ptr(),
            ))?);
        }
        let json = Owned::from_call(py::PyImport_ImportModule(c"json".as_ptr()))?;
        for (slot, name) in [
            (&DUMPS, c"dumps"),
            (&DUMP, c"dump"),
            (&LOADS, c"loads"),
            (&LOAD, c"load"),
            (&DETECT_ENCODING, c"detect_encoding"),
            (&ENCODER, c"JSONEncoder"),
            (&DECODER, c"JSONDecoder"),
            (&DECODE_ERROR, c"JSONDecodeError"),
        ] {
            slot.keep(attribute(json.as_ptr(), name)?);
        }
        for (slot, name) in [
            (&ENCODE, c"encode"),
            (&ITERENCODE, c"iterencode"),
            (&DEFAULT, c"default"),
        ] {
            slot.keep(attribute(ENCODER.get(), name)?);
        }
        for (slot, name) in [(&DECODE, c"decode"), (&RAW_DECODE, c"raw_decode")] {
            slot.keep(attribute(DECODER.get(), name)?);
        }
        let decoder = call(DECODER.get(), [], null_mut())?;
        PARSE_CONSTANT.keep(attribute(decoder.as_ptr(), c"parse_constant")?);
        let dict = (&raw mut py::PyDict_Type).cast::<PyObject>();
        DICT_ITEMS.keep(attribute(dict, c"items")?);
    }
    Ok(())
}

unsafe fn attribute(object: *mut PyObject, name: &CStr) -> Result<Owned, Raised> {
    // SAFETY: the caller gives a live object.
    unsafe { Owned::from_call(py::PyObject_GetAttrString(object, name.as_ptr())) }
}

/// Whether a hook is a decoder's usual `parse_constant`: the same method of
/// the same object as [`PARSE_CONSTANT`].
///
/// # Safety
/// The hook is alive or null.
pub unsafe fn is_usual_constant(hook: *mut PyObject) -> bool {
    let usual = PARSE_CONSTANT.get();
    // SAFETY: both are alive, and of the type that is looked for.
    unsafe {
        let is_method = |op: *mut PyObject| !op.is_null() && py::PyCFunction_CheckExact(op) != 0;
        let function = |op| py::PyCFunction_GetFunction(op).map(|f| f as usize);
        is_method(hook)
            && is_method(usual)
            && py::PyCFunction_GetSelf(hook) == py::PyCFunction_GetSelf(usual)
            && function(hook) == function(usual)
    }
}

/// Calls `callable` with `args`, and with options as far as `options` is not
/// null.
///
/// # Safety
/// All are alive; `options` is a dict or null.
pub unsafe fn call<const N: usize>(
    callable: *mut PyObject,
    args: [*mut PyObject; N],
    options: *mut PyObject,
) -> Result<Owned, Raised> {
    // SAFETY: as the caller says; the tuple takes references of its own.
    unsafe {
        let tuple = Owned::from_call(py::PyTuple_New(N as py::Py_ssize_t))?;
        for (i, arg) in args.into_iter().enumerate() {
            let arg = Owned::from_borrowed(arg).into_ptr();
            py::PyTuple_SET_ITEM(tuple.as_ptr(), i as py::Py_ssize_t, arg);
        }
        Owned::from_call(py::PyObject_Call(callable, tuple.as_ptr(), options))
    }
}

/// The text of `encoder.iterencode(obj)` as the interpreter's own class makes
/// it.
///
/// # Safety
/// Both are alive.
pub unsafe fn encoder_text(encoder: *mut PyObject, obj: *mut PyObject) -> Result<Owned, Raised> {
    // SAFETY: as the caller says.
    unsafe {
        let once = py::Py_True();
        let chunks = call(ITERENCODE.get(), [encoder, obj, once], null_mut())?;
        let empty = Owned::from_call(py::PyUnicode_New(0, 0))?;
        Owned::from_call(py::PyUnicode_Join(empty.as_ptr(), chunks.as_ptr()))
    }
}

/// What Starlette asks for: `json.dumps(obj, ensure_ascii=False,
/// allow_nan=False, separators=(",", ":"))`.
///
/// # Safety
/// The GIL is held, and `obj` is alive.
pub unsafe fn response(obj: *mut PyObject) -> Result<Owned, Raised> {
    // SAFETY: as the caller says; what is made here is owned.
    unsafe {
        let options = Owned::from_call(py::PyDict_New())?;
        let comma = Owned::from_call(py::PyUnicode_FromString(c",".as_ptr()))?;
        let colon = Owned::from_call(py::PyUnicode_FromString(c":".as_ptr()))?;
        let pair = py::PyTuple_Pack(2, comma.as_ptr(), colon.as_ptr());
        let pair = Owned::from_call(pair)?;
        for (name, value) in [
            (&names::ENSURE_ASCII, py::Py_False()),
            (&names::ALLOW_NAN, py::Py_False()),
            (&names::INDENT, py::Py_None()),
            (&names::SEPARATORS, pair.as_ptr()),
        ] {
            if py::PyDict_SetItem(options.as_ptr(), name.get(), value) != 0 {
                return Err(Raised);
            }
        }
        call(DUMPS.get(), [obj], options.as_ptr())
    }
}
