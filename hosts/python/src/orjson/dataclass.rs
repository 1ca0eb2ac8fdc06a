//! Dataclasses.
//!
//! Without `__slots__` it is the instance's `__dict__` that is written, in its
//! order and with whatever has been added; otherwise the fields. Names that
//! begin with an underscore are left out in both cases, and `OPT_SORT_KEYS`
//! does not apply.

use linecaster_formats::Emitter;
use linecaster_kernel::output::Output;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::classes::{self, has_own};
use super::members::NOT_STR;
use super::rules::Dumped;
use super::slots;
use crate::encode::aside::Aside;
use crate::encode::attributes::own_dict;
use crate::encode::door::Door;
use crate::encode::error::Failure;
use crate::encode::frame::Kind;
use crate::encode::names;
use crate::encode::walk::{Json, Step, Walk};
use crate::ffi::dict;
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::str::{self, Chars};

/// Opens the object of a dataclass's instance.
///
/// # Safety
/// `op` is one, owned by the caller, and the GIL is held.
pub unsafe fn enter<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Dumped>,
    op: *mut PyObject,
) -> Step {
    if walk.is_deep() && !Dumped::may_enter(walk, Kind::Fields, op) {
        return Step::End;
    }
    // SAFETY: as the caller says.
    let (fields, had_any) = match unsafe { fields(op) } {
        Ok(found) => found,
        Err(Raised) => return walk.fail(Failure::Raised),
    };
    // Converted they are not, although the option asks for that elsewhere.
    // SAFETY: the fields are a dict.
    if Dumped::int_keys(walk.options) && unsafe { !all_str(fields.as_ptr()) } {
        return walk.fail(Failure::value(NOT_STR));
    }
    emitter.begin_object();
    // SAFETY: likewise.
    let len = unsafe { dict::len(fields.as_ptr()) };
    if len == 0 {
        if had_any {
            // The line that the original begins before it leaves them out.
            emitter.raw(b"");
        }
        emitter.end_object();
        return Step::Next;
    }
    let step = walk.push(Kind::Dict, fields, len);
    if step == Step::Enter
        && let Some(frame) = walk.stack.top()
    {
        // SAFETY: the caller owns it.
        frame.owner = Some(unsafe { Owned::from_borrowed(op) });
        frame.identity = op;
    }
    step
}

/// The dict of an instance, if it is written as it is.
///
/// # Safety
/// `op` is of a dataclass whose instances have the usual dict and no
/// `__slots__`, alive, and the GIL is held.
pub unsafe fn in_place(op: *mut PyObject) -> Aside {
    // SAFETY: as the caller says; the instance keeps its dict.
    unsafe {
        let Some(own) = own_dict(op) else {
            return Aside::General;
        };
        if has_private(own) {
            return Aside::General;
        }
        Aside::Dict(own)
    }
}

/// What is written of an instance, as a dict, and whether there was anything
/// before private names were left out.
unsafe fn fields(op: *mut PyObject) -> Result<(Owned, bool), Raised> {
    // SAFETY: what is looked at is owned.
    unsafe {
        let own = Owned::from_new(py::PyObject_GetAttr(op, names::DICT.get()?));
        let Some(own) = own else {
            py::PyErr_Clear();
            return declared(op);
        };
        if has_own(py::Py_TYPE(op), names::SLOTS.get()?)? || py::PyDict_Check(own.as_ptr()) == 0 {
            return declared(op);
        }
        let had_any = dict::len(own.as_ptr()) > 0;
        if !has_private(own.as_ptr()) {
            return Ok((own, had_any));
        }
        let public = Owned::from_call(py::PyDict_New())?;
        let (entries, mut pos) = (Entries::of(own.as_ptr()), 0);
        while let Some([key, value]) = entries.next(&mut pos) {
            // Keys that are not strings are kept: they are an error later.
            if !is_private(key) && py::PyDict_SetItem(public.as_ptr(), key, value) != 0 {
                return Err(Raised);
            }
        }
        Ok((public, had_any))
    }
}

/// The values of the fields that the class declares.
#[inline(never)]
unsafe fn declared(op: *mut PyObject) -> Result<(Owned, bool), Raised> {
    // SAFETY: what is looked at is owned; the dict of fields is the class's,
    // and attributes are read from a list of its items.
    unsafe {
        let values = Owned::from_call(py::PyDict_New())?;
        let fields = names::DATACLASS_FIELDS.of(op)?;
        let items = Owned::from_call(py::PyMapping_Items(fields.as_ptr()))?;
        let field_marker = classes::FIELD.get()?;
        let count: Py_ssize_t = py::PyList_GET_SIZE(items.as_ptr());
        for i in 0..count {
            let pair = py::PyList_GET_ITEM(items.as_ptr(), i);
            let (name, field) = (py::PyTuple_GET_ITEM(pair, 0), py::PyTuple_GET_ITEM(pair, 1));
            let kind = names::FIELD_TYPE.of(field)?;
            if kind.as_ptr() != field_marker || is_private(name) {
                continue;
            }
            let value = Owned::from_call(py::PyObject_GetAttr(op, name))?;
            if py::PyDict_SetItem(values.as_ptr(), name, value.as_ptr()) != 0 {
                return Err(Raised);
            }
        }
        slots::learn(py::Py_TYPE(op), values.as_ptr())?;
        Ok((values, count > 0))
    }
}

/// Whether all keys are strings.
unsafe fn all_str(dict: *mut PyObject) -> bool {
    // SAFETY: the caller gives a dict that nothing changes meanwhile.
    unsafe {
        let (entries, mut pos) = (Entries::of(dict), 0);
        while let Some([key, _]) = entries.next(&mut pos) {
            if py::PyUnicode_Check(key) == 0 {
                return false;
            }
        }
    }
    true
}

unsafe fn has_private(dict: *mut PyObject) -> bool {
    // SAFETY: the caller gives a dict that nothing changes meanwhile.
    unsafe {
        let (entries, mut pos) = (Entries::of(dict), 0);
        while let Some([key, _]) = entries.next(&mut pos) {
            if is_private(key) {
                return true;
            }
        }
    }
    false
}

unsafe fn is_private(key: *mut PyObject) -> bool {
    // SAFETY: the key is alive.
    unsafe {
        if py::PyUnicode_Check(key) == 0 {
            return false;
        }
        match str::chars(key) {
            Some(Chars::Ascii(text) | Chars::Latin1(text)) => text.first() == Some(&b'_'),
            Some(Chars::Ucs2(text)) => text.first() == Some(&u16::from(b'_')),
            Some(Chars::Ucs4(text)) => text.first() == Some(&u32::from(b'_')),
            None => false,
        }
    }
}
