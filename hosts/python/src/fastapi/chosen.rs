//! `include` and `exclude` in `encode`.
//!
//! They hold where no dict is around: for dicts by their keys, in lists for
//! each item. Such lists are gone through by an iterator, and such dicts member
//! by member here; the loops of the walk take what is inside of their members.
//!
//! Which keys a dict may have is settled when it is entered, whatever becomes
//! of it and of the filters afterwards. As long as no code of a user has run
//! ([`Walk::called`]) both are what they were, and each key is looked up in the
//! filters themselves; the set of keys is made before such code can run.

use linecaster_formats::Emitter;
use linecaster_kernel::output::Output;
use pyo3_ffi as py;

use super::dicts::allowed_keys;
use super::rules::{Call, FILTERED, Response};
use crate::encode::door::Door;
use crate::encode::error::Failure;
use crate::encode::frame::{Frame, Kind};
use crate::encode::walk::{Json, Step, Walk};
use crate::ffi::dict;
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::{Owned, Raised};

/// Whether filters hold where the walk is: no dict is around, and nothing that
/// a model gave.
#[inline(always)]
pub fn hold(walk: &mut Walk<'_>) -> bool {
    walk.options.flags & FILTERED != 0 && hold_in(walk.stack.frames())
}

fn hold_in(frames: &[Frame]) -> bool {
    let is_around = |frame: &Frame| frame.kind.is_object() || frame.owner.is_some();
    !frames.iter().any(is_around)
}

/// Enters a list, tuple or dict for which filters hold.
///
/// # Safety
/// The GIL is held, the walk is by the rules of `encode`, and the item is of
/// that kind; keys of a dict are exact strings.
#[inline(never)]
pub unsafe fn enter<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    kind: Kind,
    item: Owned,
) -> Step {
    // SAFETY: the item is owned.
    unsafe {
        if kind != Kind::Dict {
            let Some(items) = Owned::from_new(py::PyObject_GetIter(item.as_ptr())) else {
                return walk.fail(Failure::Raised);
            };
            emitter.begin_array();
            return walk.enter::<Response>(Kind::Iterator, items, 0);
        }
        let mut allowed = None;
        if walk.called {
            match allowed_keys(Call::of(walk.options).settings, &item, true) {
                Ok(keys) => allowed = Some(keys),
                Err(Raised) => return walk.fail(Failure::Raised),
            }
        }
        emitter.begin_object();
        let len = dict::len(item.as_ptr());
        let step = walk.enter::<Response>(Kind::Chosen, item, len);
        if step == Step::Enter
            && let Some(frame) = walk.stack.top()
        {
            frame.owner = allowed;
        }
        step
    }
}

/// Settles which keys the dict that is under way may have, before code of a
/// user can run; `false` with an exception set when there is no memory.
///
/// # Safety
/// The GIL is held, and none has run.
#[inline(never)]
pub unsafe fn settle(walk: &mut Walk<'_>) -> bool {
    // SAFETY: the walk is by the rules of `encode`.
    let call = unsafe { Call::of(walk.options) };
    let mut frames = walk.stack.frames().iter_mut();
    let Some(frame) = frames.find(|frame| frame.kind == Kind::Chosen) else {
        return true;
    };
    if frame.owner.is_none() {
        // SAFETY: the frame owns the dict.
        frame.owner = unsafe { allowed_keys(call.settings, &frame.object, true) }.ok();
    }
    frame.owner.is_some()
}

/// Whether the dict of a frame may have a key.
///
/// # Safety
/// The GIL is held, and the key is alive.
pub unsafe fn allows(
    call: &Call<'_>,
    frame: &Frame,
    key: *mut py::PyObject,
) -> Result<bool, Raised> {
    // SAFETY: the caller owns the frame; it has no set only as long as all
    // keys are exact strings.
    unsafe {
        let Some(allowed) = &frame.owner else {
            return Ok(call.settings.names(key));
        };
        match py::PySet_Contains(allowed.as_ptr(), key) {
            -1 => Err(Raised),
            truth => Ok(truth == 1),
        }
    }
}

/// Writes members of the innermost dict.
///
/// # Safety
/// The GIL is held, and the dict is one of [`Kind::Chosen`].
#[inline(never)]
pub unsafe fn members<O: Output>(walk: &mut Walk<'_>, emitter: &mut Json<'_, O, Response>) -> Step {
    // SAFETY: the frame owns the dict, whose entries are looked for anew.
    unsafe {
        let call = Call::of(walk.options);
        loop {
            let Some(frame) = walk.stack.top() else {
                return Step::Leave;
            };
            let dict = frame.object.as_ptr();
            if dict::len(dict) != frame.len {
                return walk.dict_changed();
            }
            let Some([key, value]) = Entries::of(dict).next(&mut frame.pos) else {
                emitter.end_object();
                return Step::Leave;
            };
            if py::PyUnicode_CheckExact(key) != 0 && Response::drops(walk.options, key, value) {
                continue;
            }
            let (key, value) = (Owned::from_borrowed(key), Owned::from_borrowed(value));
            match allows(call, frame, key.as_ptr()) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(Raised) => return walk.fail(Failure::Raised),
            }
            let step = walk.member(emitter, key, value);
            if step != Step::Next {
                return step;
            }
        }
    }
}
