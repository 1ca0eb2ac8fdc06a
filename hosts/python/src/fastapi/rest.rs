//! What is left when a walk cannot go on: each item that it has not come to is
//! encoded to a tree, as the original does it.
//!
//! Either for the errors alone, when a text was refused: those of the first
//! step come before those of the second. Or because the trees have to be
//! complete before any of them is written: code of a user has changed the
//! `custom_encoder`, so that it may be for what the loops write, or holds on to
//! what it gave.

use linecaster_formats::Emitter;
use linecaster_kernel::output::Output;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::chosen;
use super::rules::{Call, Response};
use super::sequences::items_of;
use super::tree::{Tree, is_atom, next};
use super::values::{Texts, second_step};
use crate::args::set_error;
use crate::encode::error::Failure;
use crate::encode::frame::{Frame, Kind};
use crate::encode::walk::{Json, Leaf, Step, Walk};
use crate::ffi::dict;
use crate::ffi::dict_entries::Entries;
use crate::ffi::list;
use crate::ffi::owned::{Owned, Raised};

/// Encodes all that is left, for its errors.
///
/// # Safety
/// The GIL is held, and the walk is that of the call.
pub unsafe fn encoded(walk: &mut Walk<'_>, call: &Call<'_>) -> Result<(), Raised> {
    while walk.stack.depth() > 0 {
        // SAFETY: as the caller says.
        drop(unsafe { container(walk, call)? });
    }
    Ok(())
}

/// Encodes all that is left, then writes it behind what is written, with
/// `made` in front if a value is under way. The walk is at its end.
///
/// # Safety
/// The GIL is held, and the walk is by the rules of `encode`.
#[cold]
#[inline(never)]
pub unsafe fn written<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    made: Option<Owned>,
) -> Step {
    // SAFETY: as the caller says; what was made is owned.
    unsafe {
        let call = Call::of(walk.options);
        let mut trees = Vec::new();
        while walk.stack.depth() > 0 {
            match container(walk, call) {
                Ok(tree) => trees.push(tree),
                Err(Raised) => return walk.fail(Failure::Raised),
            }
        }
        if let Some(made) = made
            && second_step(walk, emitter, made.as_ptr(), Texts::Whole) != Leaf::Written
        {
            return Step::End;
        }
        for tree in trees {
            if second_step(walk, emitter, tree.as_ptr(), Texts::Inner) != Leaf::Written {
                return Step::End;
            }
            if py::PyDict_CheckExact(tree.as_ptr()) != 0 {
                emitter.end_object();
            } else {
                emitter.end_array();
            }
        }
        Step::Next
    }
}

/// What is left of the innermost container, encoded, in a dict or list; the
/// container is left.
unsafe fn container(walk: &mut Walk<'_>, call: &Call<'_>) -> Result<Owned, Raised> {
    // SAFETY: frames own their containers, items are owned while they are
    // encoded, and looked for anew.
    unsafe {
        let scope = call.scope(walk);
        let depth = walk.stack.depth() + 1;
        let is_object = walk.stack.top().is_some_and(|top| top.kind.is_object());
        let made = Owned::from_call(if is_object {
            py::PyDict_New()
        } else {
            py::PyList_New(0)
        })?;
        let mut tree = Tree::new(call.settings, call.parts);
        while let Some(frame) = walk.stack.top() {
            let Some([key, value]) = item(frame, call)? else {
                break;
            };
            if is_object {
                let key = tree.key(key, scope, depth)?;
                let value = tree.whole(value, scope, depth)?;
                if py::PyDict_SetItem(made.as_ptr(), key.as_ptr(), value.as_ptr()) != 0 {
                    return Err(Raised);
                }
            } else {
                list::push(made.as_ptr(), tree.whole(value, scope, depth)?)?;
            }
        }
        walk.stack.pop();
        Ok(made)
    }
}

/// The next item of a container that is not left out, with its key if it has
/// one.
unsafe fn item(frame: &mut Frame, call: &Call<'_>) -> Result<Option<[Owned; 2]>, Raised> {
    // SAFETY: the frame owns its container.
    unsafe {
        let container = frame.object.as_ptr();
        let none = || Owned::from_borrowed(py::Py_None());
        match frame.kind {
            Kind::List | Kind::Tuple => {
                let (items, len) = items_of(container, frame.kind == Kind::List);
                let pos = frame.pos as usize;
                frame.pos += 1;
                Ok((pos < len).then(|| [none(), Owned::from_borrowed(*items.add(pos))]))
            }
            Kind::Iterator => Ok(next(container)?.map(|item| [none(), item])),
            Kind::Dict | Kind::Chosen => member(frame, call),
            _ => Ok(None),
        }
    }
}

unsafe fn member(frame: &mut Frame, call: &Call<'_>) -> Result<Option<[Owned; 2]>, Raised> {
    // SAFETY: the frame owns the dict, whose entries are looked for anew.
    unsafe {
        let dict = frame.object.as_ptr();
        if dict::len(dict) != frame.len {
            let text = "dictionary changed size during iteration";
            set_error(py::PyExc_RuntimeError, text);
            return Err(Raised);
        }
        let tree = Tree::new(call.settings, call.parts);
        while let Some(pair) = Entries::of(dict).next(&mut frame.pos) {
            let [key, value] = pair;
            if py::PyUnicode_CheckExact(key) != 0 && tree.drops(key, value) {
                continue;
            }
            let pair = pair.map(|op| Owned::from_borrowed(op));
            if frame.kind != Kind::Chosen || chosen::allows(call, frame, key)? {
                return Ok(Some(pair));
            }
        }
        Ok(None)
    }
}

/// Whether nobody else has a value or anything in it that can change.
///
/// # Safety
/// The GIL is held, and the caller owns the value.
pub unsafe fn is_alone(op: *mut PyObject, levels: usize) -> bool {
    // SAFETY: as the caller says, and no code of a user runs.
    unsafe {
        let plain = is_atom(py::Py_TYPE(op));
        let is_text = py::PyUnicode_Check(op) != 0;
        if plain || is_text || py::PyLong_Check(op) != 0 || py::PyFloat_Check(op) != 0 {
            return true;
        }
        if py::Py_REFCNT(op) != 1 || levels == 0 {
            return false;
        }
        let is_list = py::PyList_CheckExact(op) != 0;
        if is_list || py::PyTuple_CheckExact(op) != 0 {
            let (items, len) = items_of(op, is_list);
            return (0..len).all(|i| is_alone(*items.add(i), levels - 1));
        }
        if py::PyDict_CheckExact(op) == 0 {
            return false;
        }
        let (entries, mut pos): (_, Py_ssize_t) = (Entries::of(op), 0);
        while let Some([key, value]) = entries.next(&mut pos) {
            if !is_atom(py::Py_TYPE(key)) || !is_alone(value, levels - 1) {
                return false;
            }
        }
        true
    }
}
