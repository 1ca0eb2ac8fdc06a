//! What becomes of values and keys that are of no exact built-in type.

use core::ffi::{CStr, c_int};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use linecaster_formats::Emitter;
use linecaster_kernel::number::{FloatSpelling, float_style};
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::{self, Policy};
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::arguments::REJECT_BYTES;
use super::foreign;
use crate::args::type_error;
use crate::encode::classes::loaded;
use crate::encode::door::{Door, Spelled};
use crate::encode::error::Failure;
use crate::encode::frame::Kind;
use crate::encode::numbers::spell_non_finite;
use crate::encode::options::{NonFinite, Options};
use crate::encode::walk::{Foreign, Json, Leaf, Step, Walk};
use crate::ffi::dict;
use crate::ffi::int::{self, Int};
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::str;

/// The rules.
pub struct Ujson;

/// The dialect that escapes by the policy `P`.
pub type Dialect<P> = Spelled<Ujson, P, float_style::Ujson>;

/// Text in ASCII only, with `/` escaped: the default.
pub type AsciiSlash = Dialect<policy::JsonAsciiSlash>;
/// Text in ASCII only.
pub type Ascii = Dialect<policy::JsonAscii>;
/// [`AsciiSlash`] with `<`, `>` and `&` escaped.
pub type HtmlAsciiSlash = Dialect<policy::JsonHtmlAsciiSlash>;
/// [`Ascii`] with `<`, `>` and `&` escaped.
pub type HtmlAscii = Dialect<policy::JsonHtmlAscii>;
/// Text as it is, with `/` escaped.
pub type Slash = Dialect<policy::JsonSlash>;
/// Text as it is.
pub type Plain = Dialect<policy::Json>;
/// [`Slash`] with `<`, `>` and `&` escaped.
pub type HtmlSlash = Dialect<policy::JsonHtmlSlash>;
/// [`Plain`] with `<`, `>` and `&` escaped.
pub type Html = Dialect<policy::JsonHtml>;

/// How often `default` is called for one value.
const CALLS: usize = 3;

impl<P: Policy, F: FloatSpelling + 'static> Door for Spelled<Ujson, P, F> {
    fn may_enter(walk: &mut Walk<'_>, _kind: Kind, identity: *mut PyObject) -> bool {
        // What is limited is the depth of values. The last container may be
        // there, if it has none.
        // SAFETY: the container is alive.
        if walk.stack.depth() == walk.options.max_depth && unsafe { is_empty(identity) } {
            return true;
        }
        walk.native_may_enter(identity)
    }

    #[inline(always)]
    fn int_keys(_options: &Options) -> bool {
        true
    }

    unsafe fn other<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        item: Owned,
    ) -> Step {
        if emitter.failed() {
            return walk.fail(Failure::Raised);
        }
        if matches!(walk.foreign, Foreign::Waiting(_))
            && let Foreign::Waiting(text) = core::mem::replace(&mut walk.foreign, Foreign::Absent)
        {
            // SAFETY: both are owned.
            return unsafe { foreign::splice(walk, emitter, text, item) };
        }
        // SAFETY: as the caller says.
        unsafe { other(walk, emitter, item) }
    }

    unsafe fn member<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        key: Owned,
        value: Owned,
    ) -> Step {
        let op = key.as_ptr();
        // SAFETY: both are owned.
        unsafe {
            if py::PyUnicode_Check(op) != 0 {
                return walk.str_member(emitter, key, value);
            }
            if py::PyBytes_Check(op) != 0 {
                return foreign::bytes_member(walk, emitter, key, value);
            }
            let text = if op == py::Py_True() {
                str::from_ascii(b"true")
            } else if op == py::Py_False() {
                str::from_ascii(b"false")
            } else if op == py::Py_None() {
                str::from_ascii(b"null")
            } else {
                py::PyObject_Str(op)
            };
            match Owned::from_new(text) {
                Some(text) => walk.str_member(emitter, text, value),
                None => walk.fail(Failure::Raised),
            }
        }
    }

    unsafe fn big_int<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        item: *mut PyObject,
    ) -> Leaf {
        // SAFETY: as the caller says.
        unsafe { walk.native_big_int(emitter, item) }
    }

    fn non_finite<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        value: f64,
    ) -> Leaf {
        if walk.options.non_finite == NonFinite::Raise {
            return walk.fail_leaf(Failure::value("Invalid value when encoding double"));
        }
        emitter.number_text(spell_non_finite(value));
        Leaf::Written
    }

    fn surrogate() -> Failure {
        // No output of this door refuses one.
        Failure::value("Lone surrogate")
    }
}

/// Writes a value of any class, or asks its methods or `default`.
unsafe fn other<O: Output, D: Door>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, D>,
    mut item: Owned,
) -> Step {
    let mut calls = 0;
    loop {
        let op = item.as_ptr();
        // SAFETY: the item is owned.
        unsafe {
            if py::PyBytes_Check(op) != 0 && walk.options.flags & REJECT_BYTES == 0 {
                return foreign::bytes(walk, emitter, item);
            }
            let leaf = derived(walk, emitter, op);
            if leaf != Leaf::Other {
                return walk.finish_value(emitter, leaf, item);
            }
            match own_method(op) {
                Ok(Some(Method::Dict(dict))) => {
                    return walk.finish_value(emitter, Leaf::Container(Kind::Dict), dict);
                }
                Ok(Some(Method::Json(text))) => {
                    return foreign::splice(walk, emitter, text, item);
                }
                Ok(None) => {}
                Err(Raised) => return walk.fail(Failure::Raised),
            }
            let default = walk.options.default;
            if default.is_null() {
                not_serializable(op);
                return walk.fail(Failure::Raised);
            }
            if calls == CALLS {
                type_error("maximum recursion depth exceeded");
                return walk.fail(Failure::Raised);
            }
            calls += 1;
            match Owned::from_new(py::PyObject_CallOneArg(default, op)) {
                Some(value) => item = value,
                None => return walk.fail(Failure::Raised),
            }
            let leaf = walk.leaf(emitter, item.as_ptr());
            if leaf != Leaf::Other {
                return walk.finish_value(emitter, leaf, item);
            }
        }
    }
}

/// Writes an instance of a class derived from a built-in one, or a Decimal.
unsafe fn derived<O: Output, D: Door>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, D>,
    op: *mut PyObject,
) -> Leaf {
    // SAFETY: the caller owns the object; it is of the class that is found.
    unsafe {
        if py::PyLong_Check(op) != 0 {
            match int::value(op) {
                Int::Signed(value) => emitter.int(value),
                Int::Unsigned(value) => emitter.uint(value),
                Int::Big => return walk.big_int(emitter, op),
            }
            return Leaf::Written;
        }
        if py::PyUnicode_Check(op) != 0 {
            return walk.string::<O, D, false>(emitter, op);
        }
        if py::PyFloat_Check(op) != 0 || is_decimal(op) {
            let value = py::PyFloat_AsDouble(op);
            if !py::PyErr_Occurred().is_null() {
                return walk.fail_leaf(Failure::Raised);
            }
            if !value.is_finite() {
                return walk.non_finite(emitter, value);
            }
            emitter.float(value);
            return Leaf::Written;
        }
        if py::PyDict_Check(op) != 0 {
            Leaf::Container(Kind::Dict)
        } else if py::PyList_Check(op) != 0 {
            Leaf::Container(Kind::List)
        } else if py::PyTuple_Check(op) != 0 {
            Leaf::Container(Kind::Tuple)
        } else {
            Leaf::Other
        }
    }
}

/// `decimal.Decimal`, once it has been seen; never released.
static DECIMAL: AtomicPtr<PyObject> = AtomicPtr::new(null_mut());

/// Whether a value is a Decimal, or says so by its `__class__`.
unsafe fn is_decimal(op: *mut PyObject) -> bool {
    // SAFETY: the caller owns the object; a class that is kept is alive.
    unsafe {
        let mut class = DECIMAL.load(Ordering::Relaxed);
        if class.is_null() {
            let Ok(Some(found)) = loaded(c"decimal", c"Decimal") else {
                // Not imported, so that there is none.
                py::PyErr_Clear();
                return false;
            };
            class = found.into_ptr();
            DECIMAL.store(class, Ordering::Relaxed);
        }
        let known = py::PyObject_IsInstance(op, class);
        if known < 0 {
            py::PyErr_Clear();
        }
        known == 1
    }
}

/// What a value makes of itself.
enum Method {
    /// The dict that stands for it.
    Dict(Owned),
    /// Its text.
    Json(Owned),
}

/// Calls `toDict` or `__json__`, whichever there is.
unsafe fn own_method(op: *mut PyObject) -> Result<Option<Method>, Raised> {
    // SAFETY: the caller owns the object.
    unsafe {
        if let Some(method) = attribute(op, &TO_DICT, c"toDict") {
            let made = Owned::from_call(py::PyObject_CallNoArgs(method.as_ptr()))?;
            if py::PyDict_Check(made.as_ptr()) == 0 {
                wrong_type(c"toDict() should return a dict, got %s", &made);
                return Err(Raised);
            }
            return Ok(Some(Method::Dict(made)));
        }
        if let Some(method) = attribute(op, &JSON, c"__json__") {
            let made = Owned::from_call(py::PyObject_CallNoArgs(method.as_ptr()))?;
            if py::PyBytes_Check(made.as_ptr()) == 0 && py::PyUnicode_Check(made.as_ptr()) == 0 {
                wrong_type(c"__json__() should return str or bytes, got %s", &made);
                return Err(Raised);
            }
            return Ok(Some(Method::Json(made)));
        }
    }
    Ok(None)
}

/// An interned name, made when it is needed first; never released.
type Name = AtomicPtr<PyObject>;

static TO_DICT: Name = AtomicPtr::new(null_mut());
static JSON: Name = AtomicPtr::new(null_mut());

/// An attribute, if there is one. An error on the way to it counts as none:
/// what is asked is `hasattr`, in C.
unsafe fn attribute(op: *mut PyObject, name: &Name, text: &CStr) -> Option<Owned> {
    // SAFETY: the caller owns the object; the name is a C string.
    unsafe {
        let mut interned = name.load(Ordering::Relaxed);
        if interned.is_null() {
            interned = py::PyUnicode_InternFromString(text.as_ptr());
            if interned.is_null() {
                py::PyErr_Clear();
                return None;
            }
            name.store(interned, Ordering::Relaxed);
        }
        let mut found = null_mut();
        if py_lookup(op, interned, &raw mut found) < 0 {
            not_looked_up();
        }
        Owned::from_new(found)
    }
}

unsafe extern "C" {
    /// Looks an attribute up without making an `AttributeError` for one that
    /// is missing: 1 if found, 0 if not, -1 with an exception set.
    #[cfg_attr(Py_3_13, link_name = "PyObject_GetOptionalAttr")]
    #[cfg_attr(not(Py_3_13), link_name = "_PyObject_LookupAttr")]
    fn py_lookup(op: *mut PyObject, name: *mut PyObject, found: *mut *mut PyObject) -> c_int;
}

/// Drops the exception of a look-up, as the interpreter's own `hasattr` in C
/// does: since 3.13 not in silence.
#[cold]
unsafe fn not_looked_up() {
    // SAFETY: an exception is set.
    unsafe {
        if cfg!(Py_3_13) {
            py::PyErr_WriteUnraisable(null_mut());
        } else {
            py::PyErr_Clear();
        }
    }
}

#[cold]
unsafe fn wrong_type(format: &CStr, made: &Owned) {
    // SAFETY: the format takes the name of a type, which ends with a NUL.
    unsafe {
        let name = (*py::Py_TYPE(made.as_ptr())).tp_name;
        py::PyErr_Format(py::PyExc_TypeError, format.as_ptr(), name);
    }
}

/// Raises `TypeError` with what `repr` says, as far as a C string holds it, or
/// what `repr` raises.
#[cold]
unsafe fn not_serializable(op: *mut PyObject) {
    // SAFETY: the caller owns the object; a `bytes` ends with a NUL.
    unsafe {
        let Some(repr) = Owned::from_new(py::PyObject_Repr(op)) else {
            return;
        };
        let encoded =
            py::PyUnicode_AsEncodedString(repr.as_ptr(), c"utf-8".as_ptr(), c"strict".as_ptr());
        if let Some(encoded) = Owned::from_new(encoded) {
            py::PyErr_Format(
                py::PyExc_TypeError,
                c"%s is not JSON serializable".as_ptr(),
                py::PyBytes_AS_STRING(encoded.as_ptr()),
            );
        }
    }
}

/// Whether a list, tuple or dict has no items.
unsafe fn is_empty(op: *mut PyObject) -> bool {
    // SAFETY: the object is alive, and of the type that is found.
    unsafe {
        if py::PyList_Check(op) != 0 {
            py::PyList_GET_SIZE(op) == 0
        } else if py::PyTuple_Check(op) != 0 {
            py::PyTuple_GET_SIZE(op) == 0
        } else {
            py::PyDict_Check(op) != 0 && dict::len(op) == 0
        }
    }
}
