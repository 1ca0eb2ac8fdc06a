//! Values of no exact built-in type in `encode`, and what the walk does not
//! enter by itself: written natively where they are known, else by the
//! original's two steps.

use linecaster_formats::Emitter;
use linecaster_kernel::output::Output;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::chosen;
use super::extras::{self, Extras};
use super::kinds::{self, Kind as Told};
use super::model::{self, Dumped, LEVELS};
use super::rest;
use super::rules::{Call, DEPTH, Response};
use super::sequences::items_of;
use super::settings::Scope;
use super::text;
use super::tree::{Tree, is_atom};
use crate::encode::error::Failure;
use crate::encode::frame::Kind;
use crate::encode::walk::{Json, Leaf, Step, Walk};
use crate::ffi::dict;
use crate::ffi::dict_entries::Entries;
use crate::ffi::int::{self, Int};
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::str::{self, Chars};

/// Asks `custom_encoder` for a value first. Code of a user that runs may change
/// it, and may keep what it gives and change that: then the rest is encoded
/// before any more is written.
///
/// # Safety
/// The GIL is held, the walk is by these rules, and there is a
/// `custom_encoder`.
pub unsafe fn custom_first<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    item: Owned,
) -> Step {
    // SAFETY: as the caller says.
    unsafe {
        let call = Call::of(walk.options);
        let mut tree = call.tree();
        let made = tree.custom(&item);
        walk.called |= tree.called > 0;
        let step = match made {
            Err(Raised) => return walk.fail(Failure::Raised),
            Ok(None) => other(walk, emitter, item),
            Ok(Some(made)) => {
                let lasting = rest::is_alone(made.as_ptr(), LEVELS);
                if !lasting || !call.custom.holds(call.settings.custom) {
                    return rest::written(walk, emitter, Some(made));
                }
                let leaf = if is_atom(py::Py_TYPE(made.as_ptr())) {
                    let leaf = walk.leaf(emitter, made.as_ptr());
                    return walk.finish_value(emitter, leaf, made);
                } else {
                    second_step(walk, emitter, made.as_ptr(), Texts::Whole)
                };
                return after(leaf);
            }
        };
        if step != Step::End && walk.called && !call.custom.holds(call.settings.custom) {
            return rest::written(walk, emitter, None);
        }
        step
    }
}

/// Writes or enters a value, for which `custom_encoder` was asked.
///
/// # Safety
/// The GIL is held, and the walk is by these rules.
pub unsafe fn other<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    item: Owned,
) -> Step {
    // SAFETY: the item is owned, and the walk is by these rules.
    unsafe {
        let call = Call::of(walk.options);
        let op = item.as_ptr();
        let class = py::Py_TYPE(op);
        let filtered = chosen::hold(walk);
        if class == &raw mut py::PyDict_Type {
            if filtered && Entries::all_strings(op) {
                return chosen::enter(walk, emitter, Kind::Dict, item);
            }
            return both_steps(walk, emitter, item);
        }
        if class == &raw mut py::PyList_Type || class == &raw mut py::PyTuple_Type {
            return chosen::enter(walk, emitter, Kind::List, item);
        }
        if class == &raw mut py::PySet_Type || class == &raw mut py::PyFrozenSet_Type {
            let Some(items) = Owned::from_new(py::PySequence_List(op)) else {
                return walk.fail(Failure::Raised);
            };
            return walk.container(emitter, Kind::List, items);
        }
        let item = if call.settings.extras == Extras::NONE {
            item
        } else {
            match extras::written(walk, emitter, item) {
                Ok(step) => return step,
                Err(item) => item,
            }
        };
        match kinds::kind_of(call.parts, op) {
            Ok(kind @ (Told::Model | Told::Dataclass))
                if call.settings.extras == Extras::NONE
                    && !filtered
                    && let Some(step) = text::grown(walk, emitter, op, kind) =>
            {
                return step;
            }
            Ok(Told::Model) => return dumped(walk, emitter, item),
            Ok(Told::Dataclass) => {
                let scope = call.scope(walk);
                let depth = walk.stack.depth() + 1;
                let mut tree = Tree::new(call.settings, call.parts);
                if let Some(made) = tree.instance(&item, scope, depth) {
                    return walk.value(emitter, made);
                }
                if scope.has(Scope::FILTERED | Scope::CUSTOM) {
                    walk.called = true;
                    let made = py::PyObject_CallOneArg(call.parts.asdict, op);
                    return match Owned::from_new(made) {
                        Some(made) => walk.value(emitter, made),
                        None => walk.fail(Failure::Raised),
                    };
                }
            }
            Ok(Told::Object) => {
                let tree = Tree::new(call.settings, call.parts);
                if let Some(own) = tree.members_of(op) {
                    return walk.container(emitter, Kind::Dict, own);
                }
            }
            Ok(Told::Atom) => {
                let leaf = atom(walk, emitter, op);
                return walk.finish_value(emitter, leaf, item);
            }
            Ok(Told::Leaf(_) | Told::Enum { .. })
                if let Some(step) = text::short(walk, emitter, op) =>
            {
                return step;
            }
            _ => {
                // Told again by the tree, which raises what there is.
                py::PyErr_Clear();
            }
        }
        both_steps(walk, emitter, item)
    }
}

/// Writes an instance of a subclass of `str`, `int` or `float`.
unsafe fn atom<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    op: *mut PyObject,
) -> Leaf {
    // SAFETY: the caller owns the item, which is of the type that is found.
    unsafe {
        if py::PyUnicode_Check(op) != 0 {
            return walk.string::<O, Response, false>(emitter, op);
        }
        if py::PyLong_Check(op) != 0
            && let Int::Signed(value) = int::value(op)
        {
            emitter.int(value);
            return Leaf::Written;
        }
        second_step(walk, emitter, op, Texts::Whole)
    }
}

/// Writes what Pydantic makes of a model.
#[inline(never)]
unsafe fn dumped<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    item: Owned,
) -> Step {
    // SAFETY: the item is owned, and the walk is by these rules.
    unsafe {
        let call = Call::of(walk.options);
        let (scope, depth) = (call.scope(walk), walk.stack.depth() + 1);
        if depth + LEVELS > DEPTH {
            return both_steps(walk, emitter, item);
        }
        let made = match model::dumped(call.settings, &item, scope, depth, DEPTH) {
            Ok(Dumped::Done(made)) => {
                walk.called = true;
                return dump(walk, emitter, made, item);
            }
            Ok(Dumped::Again(made)) => Ok(made),
            Ok(Dumped::Not) if scope.has(Scope::EXTRAS) => {
                return both_steps(walk, emitter, item);
            }
            Ok(Dumped::Not) => Tree::new(call.settings, call.parts).dump(&item, scope),
            Err(Raised) => Err(Raised),
        };
        walk.called = true;
        let Ok(made) = made else {
            return walk.fail(Failure::Raised);
        };
        if is_plain(made.as_ptr(), LEVELS) {
            return dump(walk, emitter, made, item);
        }
        let mut tree = Tree::new(call.settings, call.parts);
        match tree.of(made, scope.of_dump(), depth + 1) {
            Ok(made) => after(second_step(walk, emitter, made.as_ptr(), Texts::Whole)),
            Err(Raised) => walk.fail(Failure::Raised),
        }
    }
}

/// Writes what a model gave, which is [plain](is_plain): neither filters nor a
/// `custom_encoder` are for anything in it, which its frame shows.
unsafe fn dump<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    made: Owned,
    model: Owned,
) -> Step {
    let op = made.as_ptr();
    // SAFETY: what was made is owned, and of the type that is found.
    unsafe {
        let step = if py::PyDict_CheckExact(op) != 0 {
            emitter.begin_object();
            walk.enter::<Response>(Kind::Dict, made, dict::len(op))
        } else if py::PyList_CheckExact(op) != 0 {
            emitter.begin_array();
            walk.enter::<Response>(Kind::List, made, 0)
        } else if py::PyTuple_CheckExact(op) != 0 {
            emitter.begin_array();
            walk.enter::<Response>(Kind::Tuple, made, 0)
        } else {
            return walk.value(emitter, made);
        };
        if step == Step::Enter
            && let Some(frame) = walk.stack.top()
        {
            frame.owner = Some(model);
        }
        step
    }
}

/// Whether that consists of nothing but what the loops of the walk write.
unsafe fn is_plain(op: *mut PyObject, levels: usize) -> bool {
    // SAFETY: the caller owns `op`, and no code of a user runs.
    unsafe {
        if is_atom(py::Py_TYPE(op)) {
            return true;
        }
        if levels == 0 {
            return false;
        }
        // Most are atoms: no call for those.
        let is_inner = |op: *mut PyObject| is_atom(py::Py_TYPE(op)) || is_plain(op, levels - 1);
        let is_list = py::PyList_CheckExact(op) != 0;
        if is_list || py::PyTuple_CheckExact(op) != 0 {
            let (items, len) = items_of(op, is_list);
            return (0..len).all(|i| is_inner(*items.add(i)));
        }
        if py::PyDict_CheckExact(op) == 0 || !Entries::all_strings(op) {
            return false;
        }
        let (entries, mut pos) = (Entries::of(op), 0);
        while let Some([_, value]) = entries.next(&mut pos) {
            if !is_inner(value) {
                return false;
            }
        }
        true
    }
}

/// How the walk goes on.
fn after(leaf: Leaf) -> Step {
    match leaf {
        Leaf::Written => Step::Next,
        _ => Step::End,
    }
}

/// Encodes a value and writes what `json` makes of that.
#[cold]
#[inline(never)]
pub unsafe fn both_steps<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    item: Owned,
) -> Step {
    // SAFETY: the walk is by these rules.
    let made = unsafe {
        let call = Call::of(walk.options);
        let (scope, depth) = (call.scope(walk), walk.stack.depth() + 1);
        let mut tree = call.tree();
        let made = tree.of(item, scope, depth);
        walk.called |= tree.called > 0;
        made
    };
    let Ok(made) = made else {
        return walk.fail(Failure::Raised);
    };
    // SAFETY: what was made is owned.
    after(unsafe { second_step(walk, emitter, made.as_ptr(), Texts::Whole) })
}

/// Which part of a text is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Texts {
    Whole,
    /// What is between the brackets of a list or dict, if anything is.
    Inner,
}

impl Texts {
    fn of(self, text: &[u8]) -> &[u8] {
        match self {
            Texts::Whole => text,
            Texts::Inner => &text[1..text.len() - 1],
        }
    }
}

/// Writes `json`'s text of a value.
///
/// # Safety
/// The caller owns the value, and the walk is by these rules.
#[cold]
#[inline(never)]
pub unsafe fn second_step<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    op: *mut PyObject,
    texts: Texts,
) -> Leaf {
    // SAFETY: as the caller says.
    unsafe {
        let call = Call::of(walk.options);
        let Ok(text) = crate::json::response(op) else {
            call.refused.set(true);
            return walk.fail_leaf(Failure::Raised);
        };
        let bytes;
        let data = match str::chars(text.as_ptr()) {
            Some(Chars::Ascii(text)) => text,
            Some(chars) => {
                if chars.has_surrogate() {
                    call.surrogates.set(true);
                }
                let made = py::PyUnicode_AsEncodedString(
                    text.as_ptr(),
                    c"utf-8".as_ptr(),
                    c"surrogatepass".as_ptr(),
                );
                let Some(made) = Owned::from_new(made) else {
                    return walk.fail_leaf(Failure::Raised);
                };
                bytes = made;
                let data = py::PyBytes_AS_STRING(bytes.as_ptr()).cast();
                let len = py::Py_SIZE(bytes.as_ptr()) as usize;
                core::slice::from_raw_parts(data, len)
            }
            None => return walk.fail_leaf(Failure::Raised),
        };
        let part = texts.of(data);
        if !part.is_empty() {
            emitter.raw(part);
        }
    }
    Leaf::Written
}
