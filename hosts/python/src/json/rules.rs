//! What `json` makes of values that are of no exact built-in type, and of
//! keys.
//!
//! The walk stops at whatever is out of the ordinary. As long as no `default`
//! has run ([`Walk::called`]) the interpreter's own `json` then does the same
//! work again, so that messages, notes and limits are its own; afterwards
//! [`super::raise`] tells what it would.

use linecaster_formats::Emitter;
use linecaster_kernel::number::float_style::Python;
use linecaster_kernel::number::{FLOAT_LEN, FloatSpelling, write_i64};
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::{self, Policy};
use linecaster_kernel::text::Ascii;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::stdlib::{self, names};
use crate::encode::door::{Door, Spelled};
use crate::encode::error::{Failure, type_name};
use crate::encode::frame::Kind;
use crate::encode::numbers::spell_non_finite;
use crate::encode::options::{NonFinite, Options};
use crate::encode::walk::{Json, Leaf, Step, Walk};
use crate::ffi::dict;
use crate::ffi::int::{self, Int};
use crate::ffi::owned::Owned;
use crate::ffi::str;

unsafe extern "C" {
    /// `collections.OrderedDict`
    static mut PyODict_Type: py::PyTypeObject;
}

/// The rules of `json`.
pub struct Standard;

/// `ensure_ascii=False`.
pub type Plain = Spelled<Standard, policy::Json, Python>;

/// `ensure_ascii=True`.
pub type AsciiOnly = Spelled<Standard, policy::JsonAsciiPython, Python>;

/// Bits of [`crate::encode::options::Options::flags`]: circular references
/// are told from deep nesting.
pub const CHECK_CIRCULAR: u32 = 1;
/// The interpreter would do this by generators in Python, not in C.
pub const IN_PYTHON: u32 = 2;

/// The nesting up to which the walk asks nobody.
pub const DEPTH: usize = 500;

impl<P: Policy, F: FloatSpelling + 'static> Door for Spelled<Standard, P, F> {
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
        // SAFETY: the item is owned.
        unsafe {
            match subclass(walk, emitter, item) {
                Ok(step) => step,
                Err(item) => ask(walk, emitter, item),
            }
        }
    }

    unsafe fn member<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        key: Owned,
        value: Owned,
    ) -> Step {
        // SAFETY: both are owned; an integer takes no more room than that.
        unsafe {
            if py::PyLong_CheckExact(key.as_ptr()) != 0
                && let Int::Signed(number) = int::value(key.as_ptr())
            {
                let mut digits = [0; FLOAT_LEN];
                let len = write_i64(digits.as_mut_ptr(), number);
                // ASCII text never fails.
                let _ = emitter.key::<Ascii>(&digits[..len]);
                return walk.value(emitter, value);
            }
        }
        // SAFETY: the key is owned.
        match unsafe { key_text(walk, key) } {
            // SAFETY: what is written is owned, and the key is a `str`.
            Ok(Some(key)) => unsafe { walk.str_member(emitter, key, value) },
            Ok(None) => Step::Next,
            Err(failure) => {
                // No member is under way that an error could name.
                if let Some(frame) = walk.stack.top() {
                    frame.key = None;
                }
                walk.fail(failure)
            }
        }
    }

    unsafe fn big_int<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        item: *mut PyObject,
    ) -> Leaf {
        // SAFETY: the item is an `int`, its options say that it is exact.
        unsafe { walk.native_big_int(emitter, item) }
    }

    fn non_finite<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        value: f64,
    ) -> Leaf {
        match non_finite(walk, value) {
            Ok(text) => {
                emitter.number_text(text);
                Leaf::Written
            }
            Err(failure) => walk.fail_leaf(failure),
        }
    }

    fn surrogate() -> Failure {
        Failure::value("lone surrogate")
    }

    fn dict_changed(walk: &mut Walk<'_>) -> Step {
        let Some(frame) = walk.stack.top() else {
            return Step::Leave;
        };
        if walk.options.flags & IN_PYTHON != 0 {
            frame.key = None;
            // Another walk would find nothing wrong.
            walk.called = true;
            return walk.dict_changed();
        }
        // SAFETY: the frame owns its dict.
        frame.len = unsafe { dict::len(frame.object.as_ptr()) };
        Step::Next
    }
}

fn non_finite(walk: &Walk<'_>, value: f64) -> Result<&'static [u8], Failure> {
    let text = spell_non_finite(value);
    if walk.options.non_finite == NonFinite::Keep {
        return Ok(text);
    }
    let mut message = String::from("Out of range float values are not JSON compliant");
    if cfg!(Py_3_12) || walk.options.flags & IN_PYTHON != 0 {
        message.push_str(match text {
            b"NaN" => ": nan",
            b"Infinity" => ": inf",
            _ => ": -inf",
        });
    }
    // SAFETY: the GIL is held during a walk.
    unsafe { crate::args::set_error(py::PyExc_ValueError, &message) };
    Err(Failure::Raised)
}

/// Writes an instance of a subclass of a built-in type, or gives the item
/// back.
unsafe fn subclass<O: Output, D: Door>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, D>,
    item: Owned,
) -> Result<Step, Owned> {
    let op = item.as_ptr();
    // SAFETY: the item is owned, and of the type that is found.
    unsafe {
        let leaf = if py::PyUnicode_Check(op) != 0 {
            walk.string::<O, D, false>(emitter, op)
        } else if py::PyLong_Check(op) != 0 {
            match int::value(op) {
                Int::Signed(value) => emitter.int(value),
                Int::Unsigned(value) => emitter.uint(value),
                Int::Big => {
                    let leaf = walk.big_int(emitter, op);
                    return Ok(walk.finish_value(emitter, leaf, item));
                }
            }
            Leaf::Written
        } else if py::PyFloat_Check(op) != 0 {
            let value = py::PyFloat_AS_DOUBLE(op);
            if value.is_finite() {
                emitter.float(value);
                Leaf::Written
            } else {
                walk.non_finite(emitter, value)
            }
        } else if py::PyTuple_Check(op) != 0 || py::PyList_Check(op) != 0 {
            return Ok(sequence(walk, emitter, item));
        } else if py::PyDict_Check(op) != 0 {
            return Ok(mapping(walk, emitter, item));
        } else {
            #[cfg(Py_3_15)]
            if is_frozendict(op) {
                return Ok(mapping(walk, emitter, item));
            }
            return Err(item);
        };
        Ok(walk.finish_value(emitter, leaf, item))
    }
}

#[cfg(Py_3_15)]
unsafe fn is_frozendict(op: *mut PyObject) -> bool {
    unsafe extern "C" {
        static mut PyFrozenDict_Type: py::PyTypeObject;
    }
    // SAFETY: the caller gives a live object.
    unsafe { py::PyObject_TypeCheck(op, &raw mut PyFrozenDict_Type) != 0 }
}

/// A list or tuple of a class of its own: its iterator decides, as in
/// `PySequence_Fast`.
unsafe fn sequence<O: Output, D: Door>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, D>,
    item: Owned,
) -> Step {
    let op = item.as_ptr();
    // SAFETY: the item is owned.
    unsafe {
        if py::PyTuple_Check(op) != 0 && same_iterator(py::Py_TYPE(op), &raw const py::PyTuple_Type)
        {
            // Nothing can change it: it is as good as its copy.
            return walk.container(emitter, Kind::Tuple, item);
        }
        let Some(items) = Owned::from_new(py::PySequence_List(op)) else {
            return walk.fail(Failure::Raised);
        };
        emitter.begin_array();
        walk.enter_as::<D>(Kind::List, items, item, op)
    }
}

/// Whether both classes have the same iterators.
unsafe fn same_iterator(a: *const py::PyTypeObject, b: *const py::PyTypeObject) -> bool {
    // SAFETY: both are alive; the functions are told apart by where they are,
    // in the interpreter.
    unsafe { (*a).tp_iter.map(|f| f as usize) == (*b).tp_iter.map(|f| f as usize) }
}

/// A dict of a class of its own.
unsafe fn mapping<O: Output, D: Door>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, D>,
    item: Owned,
) -> Step {
    let op = item.as_ptr();
    // SAFETY: the item is owned, and so is what is made of it.
    unsafe {
        let is_dict = py::PyDict_Check(op) != 0;
        let usual = is_dict && py::Py_TYPE(op) == &raw mut PyODict_Type;
        // Truth and pairs are what the class says, all the way.
        let asks = walk.options.flags & IN_PYTHON != 0 && !usual && !walk.called;
        if is_dict {
            match has_own_items(op) {
                None => return walk.fail(Failure::Raised),
                Some(false) => return walk.container(emitter, Kind::Dict, item),
                Some(true) if dict::len(op) == 0 && !asks => {
                    emitter.begin_object();
                    emitter.end_object();
                    return Step::Next;
                }
                Some(true) => {}
            }
        }
        if asks {
            return walk.fail(Failure::value("mapping"));
        }
        let Some(items) = Owned::from_new(py::PyMapping_Items(op)) else {
            return walk.fail(Failure::Raised);
        };
        let len = py::PyList_GET_SIZE(items.as_ptr());
        if walk.options.sort_keys && py::PyList_Sort(items.as_ptr()) != 0 {
            return walk.fail(Failure::Raised);
        }
        if len == 0 && walk.layout.indent().is_some() && !walk.called {
            return walk.fail(Failure::value("versions differ"));
        }
        for i in 0..len {
            let pair = py::PyList_GET_ITEM(items.as_ptr(), i);
            if py::PyTuple_Check(pair) == 0 || py::PyTuple_GET_SIZE(pair) != 2 {
                crate::args::set_error(py::PyExc_ValueError, "items must return 2-tuples");
                return walk.fail(Failure::Raised);
            }
        }
        emitter.begin_object();
        walk.enter_as::<D>(Kind::Pairs, items, item, op)
    }
}

/// Whether the items of a dict are what its `items` method says; `None` with
/// an exception set if that cannot be found out.
unsafe fn has_own_items(op: *mut PyObject) -> Option<bool> {
    // SAFETY: the caller gives a dict.
    unsafe {
        let method = Owned::from_new(py::PyObject_GetAttr(op, names::ITEMS.get()))?;
        let descriptor = stdlib::DICT_ITEMS.get().cast::<py::PyMethodDescrObject>();
        let own = (*(*descriptor).d_method).ml_meth.PyCFunction;
        let same = py::PyCFunction_CheckExact(method.as_ptr()) != 0
            && py::PyCFunction_GetFunction(method.as_ptr()).map(|f| f as usize)
                == Some(own as usize)
            && py::PyCFunction_GetSelf(method.as_ptr()) == op;
        Some(!same)
    }
}

/// Writes what `default` returns for a value.
unsafe fn ask<O: Output, D: Door>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, D>,
    mut item: Owned,
) -> Step {
    let default = walk.options.default;
    // SAFETY: the caller of the function holds it.
    if default.is_null() || unsafe { py::PyCallable_Check(default) } == 0 {
        return walk.fail(Failure::value("no default"));
    }
    let mut stands_in = false;
    loop {
        let op = item.as_ptr();
        if walk.options.flags & CHECK_CIRCULAR != 0 && walk.stack.contains(op) {
            return walk.fail(Failure::Circular);
        }
        if !walk.called {
            walk.called = true;
            walk.max_depth = super::raise::recursion_limit(walk.options.flags & IN_PYTHON != 0);
        }
        // SAFETY: the item is owned, and the caller of the function holds
        // `default`.
        unsafe {
            #[cfg(not(Py_3_12))]
            if walk.options.flags & IN_PYTHON == 0 {
                match super::snapshot::take(walk) {
                    Ok(taken) => stands_in |= taken,
                    Err(failure) => return walk.fail(failure),
                }
            }
            let value = Owned::from_new(py::PyObject_CallOneArg(default, op));
            let Some(value) = value else {
                // What stands in front of it is written before it is tried.
                emitter.raw(b"");
                return walk.fail(Failure::Raised);
            };
            let leaf = walk.leaf(emitter, value.as_ptr());
            if leaf == Leaf::Written {
                return if stands_in { Step::Enter } else { Step::Next };
            }
            if let Leaf::Widen(_) = leaf {
                return walk.finish_value(emitter, leaf, value);
            }
            stands_in = true;
            if leaf == Leaf::Fail {
                // The failure is noted already; this tells where it was.
                let _ = walk.push(Kind::StandIn, item, 0);
                return Step::End;
            }
            if walk.enter::<D>(Kind::StandIn, item, 0) == Step::End {
                return Step::End;
            }
            if leaf != Leaf::Other {
                return entered(walk.finish_value(emitter, leaf, value));
            }
            match subclass(walk, emitter, value) {
                Ok(step) => return entered(step),
                Err(value) => item = value,
            }
        }
    }
}

/// What follows when the stack has grown meanwhile.
fn entered(step: Step) -> Step {
    if step == Step::Next {
        Step::Enter
    } else {
        step
    }
}

/// A key as a `str`; `None` to leave the member out.
unsafe fn key_text(walk: &mut Walk<'_>, key: Owned) -> Result<Option<Owned>, Failure> {
    let op = key.as_ptr();
    // SAFETY: the key is owned, and of the type that is found.
    unsafe {
        let text = if py::PyUnicode_Check(op) != 0 {
            return Ok(Some(key));
        } else if py::PyFloat_Check(op) != 0 {
            let value = py::PyFloat_AS_DOUBLE(op);
            if value.is_finite() {
                py::PyFloat_Type.tp_repr.map(|repr| repr(op))
            } else {
                Some(str::from_ascii(non_finite(walk, value)?))
            }
        } else if op == py::Py_True() {
            Some(str::from_ascii(b"true"))
        } else if op == py::Py_False() {
            Some(str::from_ascii(b"false"))
        } else if op == py::Py_None() {
            Some(str::from_ascii(b"null"))
        } else if py::PyLong_Check(op) != 0 {
            py::PyLong_Type.tp_repr.map(|repr| repr(op))
        } else if walk.options.skip_keys {
            if walk.layout.indent().is_some() && !walk.called {
                // What an object is in which nothing is left differs.
                return Err(Failure::value("versions differ"));
            }
            return Ok(None);
        } else {
            let name = if walk.options.flags & IN_PYTHON != 0 {
                super::raise::class_name(op)
            } else {
                type_name(op)
            };
            let text = format!("keys must be str, int, float, bool or None, not {name:.100}");
            crate::args::type_error(&text);
            return Err(Failure::Raised);
        };
        text.and_then(|text| Owned::from_new(text))
            .map(Some)
            .ok_or(Failure::Raised)
    }
}
