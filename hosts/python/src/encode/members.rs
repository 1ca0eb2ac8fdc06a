//! Members with keys that are not exact strings, and containers that are
//! reached through an iterator or by attribute.

use linecaster_formats::Emitter;
use linecaster_kernel::output::Output;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::classes::{Class, class_of};
use super::door::Door;
use super::error::{Failure, type_name};
use super::frame::Kind;
use super::numbers::{decimal_text, spell_non_finite};
use super::options::NonFinite;
use super::other::{REPLACEMENTS, stamp};
use super::temporal::{self, Stamp};
use super::walk::{Json, Step, Walk};
use crate::ffi::owned::Owned;
use crate::ffi::str;

impl Walk<'_> {
    /// One item of a container that is neither list, tuple nor dict.
    #[inline(never)]
    pub unsafe fn rare<O: Output, D: Door>(&mut self, emitter: &mut Json<'_, O, D>) -> Step {
        let Some(frame) = self.stack.top() else {
            return Step::Leave;
        };
        let (kind, object, pos) = (frame.kind, frame.object.as_ptr(), frame.pos);
        frame.pos += 1;
        // SAFETY: the frame owns its container and names.
        unsafe {
            match kind {
                Kind::Pairs => {
                    if pos >= py::PyList_GET_SIZE(object) {
                        emitter.end_object();
                        return Step::Leave;
                    }
                    let pair = Owned::from_borrowed(py::PyList_GET_ITEM(object, pos));
                    self.pair(emitter, &pair)
                }
                Kind::Fields => {
                    let names = frame.owner.as_ref().map_or(object, Owned::as_ptr);
                    if pos >= py::PyTuple_GET_SIZE(names) {
                        emitter.end_object();
                        return Step::Leave;
                    }
                    let name = Owned::from_borrowed(py::PyTuple_GET_ITEM(names, pos));
                    let Some(value) = Owned::from_new(py::PyObject_GetAttr(object, name.as_ptr()))
                    else {
                        return self.fail(Failure::Raised);
                    };
                    self.at(pos + 1, Owned::from_borrowed(name.as_ptr()));
                    self.str_member(emitter, name, value)
                }
                Kind::StandIn => Step::Leave,
                Kind::Chosen => {
                    frame.pos = pos;
                    D::chosen(self, emitter)
                }
                _ => self.next(emitter, kind, object),
            }
        }
    }

    unsafe fn next<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        kind: Kind,
        iterator: *mut PyObject,
    ) -> Step {
        // SAFETY: the frame owns the iterator.
        unsafe {
            if let Some(item) = Owned::from_new(py::PyIter_Next(iterator)) {
                if kind == Kind::PairIterator {
                    return self.pair(emitter, &item);
                }
                return self.value(emitter, item);
            }
            if !py::PyErr_Occurred().is_null() {
                return self.fail(Failure::Raised);
            }
        }
        if kind == Kind::PairIterator {
            emitter.end_object();
        } else {
            emitter.end_array();
        }
        Step::Leave
    }

    unsafe fn pair<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        pair: &Owned,
    ) -> Step {
        let pair = pair.as_ptr();
        // SAFETY: the pair is owned.
        unsafe {
            if py::PyTuple_Check(pair) == 0 || py::PyTuple_GET_SIZE(pair) != 2 {
                return self.fail(Failure::value(
                    "items() of a mapping gave something else than pairs",
                ));
            }
            let key = Owned::from_borrowed(py::PyTuple_GET_ITEM(pair, 0));
            let value = Owned::from_borrowed(py::PyTuple_GET_ITEM(pair, 1));
            let pos = self.stack.top().map_or(0, |frame| frame.pos);
            self.at(pos, Owned::from_borrowed(key.as_ptr()));
            self.member(emitter, key, value)
        }
    }

    /// Writes a member whose key is of any type.
    #[inline(never)]
    pub unsafe fn member<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        key: Owned,
        value: Owned,
    ) -> Step {
        if emitter.failed() {
            return self.fail(Failure::Raised);
        }
        // SAFETY: both are owned.
        unsafe {
            if py::PyUnicode_CheckExact(key.as_ptr()) != 0 {
                return self.str_member(emitter, key, value);
            }
            D::member(self, emitter, key, value)
        }
    }

    /// [`Self::member`] by the rules of our own functions.
    pub unsafe fn native_member<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        key: &Owned,
        value: Owned,
    ) -> Step {
        // SAFETY: both are owned.
        unsafe {
            match self.key_text(key) {
                Ok(Some(key)) => self.str_member(emitter, key, value),
                Ok(None) => Step::Next,
                Err(failure) => self.fail(failure),
            }
        }
    }

    /// A key as a `str`; `None` to skip the member.
    unsafe fn key_text(&mut self, key: &Owned) -> Result<Option<Owned>, Failure> {
        // SAFETY: the key is owned, and of the class that is found.
        unsafe {
            let mut key = Owned::from_borrowed(key.as_ptr());
            if py::PyUnicode_Check(key.as_ptr()) != 0 {
                return Ok(Some(key));
            }
            if !self.options.non_str_keys {
                if self.options.skip_keys {
                    return Ok(None);
                }
                let name = type_name(key.as_ptr());
                return Err(Failure::Value(format!(
                    "key must be str, not {name} (non_str_keys=True converts it, skip_keys=True \
                     leaves it out)"
                )));
            }
            for _ in 0..REPLACEMENTS {
                let class = class_of(key.as_ptr())?.0;
                if class != Class::Enum {
                    return self.converted(class, key);
                }
                let value = py::PyObject_GetAttrString(key.as_ptr(), c"value".as_ptr());
                key = Owned::from_call(value)?;
            }
            Err(Failure::value("key is an Enum whose value has no end"))
        }
    }

    unsafe fn converted(&mut self, class: Class, key: Owned) -> Result<Option<Owned>, Failure> {
        let op = key.as_ptr();
        // SAFETY: the key is owned, and of that class.
        unsafe {
            let text = if op == py::Py_True() {
                str::from_ascii(b"true")
            } else if op == py::Py_False() {
                str::from_ascii(b"false")
            } else if op == py::Py_None() {
                str::from_ascii(b"null")
            } else {
                match class {
                    Class::Str => return Ok(Some(key)),
                    Class::Int => built_in_repr(&raw const py::PyLong_Type, op),
                    Class::Float => {
                        let value = py::PyFloat_AS_DOUBLE(op);
                        if value.is_finite() {
                            built_in_repr(&raw const py::PyFloat_Type, op)
                        } else {
                            self.non_finite_key(value)?
                        }
                    }
                    Class::DateTime
                    | Class::Date
                    | Class::Time
                    | Class::TimeDelta
                    | Class::Uuid => {
                        let mut place = temporal::place();
                        let mut text = Stamp::new(&mut place);
                        stamp(&mut text, self.options, class, op)?;
                        str::from_ascii(text.as_bytes())
                    }
                    Class::Decimal => return decimal_text(op).map(Some),
                    Class::Path => py::PyObject_Str(op),
                    _ if self.options.skip_keys => return Ok(None),
                    _ => {
                        let name = type_name(op);
                        return Err(Failure::Value(format!(
                            "key of type {name} cannot be written as a string"
                        )));
                    }
                }
            };
            Owned::from_new(text).map(Some).ok_or(Failure::Raised)
        }
    }

    fn non_finite_key(&self, value: f64) -> Result<*mut PyObject, Failure> {
        let text = match self.options.non_finite {
            NonFinite::Null => b"null",
            NonFinite::Keep => spell_non_finite(value),
            NonFinite::Raise => {
                return Err(Failure::value(
                    "key is a float that is not JSON (see option 'allow_nan')",
                ));
            }
        };
        // SAFETY: the GIL is held during a walk.
        Ok(unsafe { str::from_ascii(text) })
    }
}

/// The text that a built-in type gives, whatever a subclass says.
unsafe fn built_in_repr(class: *const py::PyTypeObject, op: *mut PyObject) -> *mut PyObject {
    // SAFETY: `op` is of that type.
    unsafe {
        match (*class).tp_repr {
            Some(repr) => repr(op),
            None => core::ptr::null_mut(),
        }
    }
}
