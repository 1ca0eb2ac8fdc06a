//! `encode`: the bytes of a response, and its errors.

use core::cell::Cell;

use linecaster_formats::json::Layout;
use linecaster_kernel::output::{Utf8, Utf8SurrogatePass};
use linecaster_kernel::sink::Sink;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::model::Reading;
use super::parts::Parts;
use super::rules::{self, Call, Response};
use super::sequences::items_of;
use super::settings::{Scope, Settings};
use super::tree::{self, Tree};
use crate::args::set_error;
use crate::encode::frame::Kind;
use crate::encode::options::Options;
use crate::encode::target::{Form, Product, Target};
use crate::encode::walk::{Flow, Walk};
use crate::encode::{complete, fill};
use crate::ffi::dict;
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::{Owned, Raised};
use crate::json::COMPACT;

/// The bytes of `JSONResponse(jsonable_encoder(obj, …))`.
///
/// # Safety
/// The GIL is held, and `obj` is alive.
pub unsafe fn encoded(
    parts: &Parts,
    settings: &mut Settings,
    obj: *mut PyObject,
) -> Result<Owned, Raised> {
    // SAFETY: as the caller says.
    unsafe {
        if !settings.scope().has(Scope::FILTERED | Scope::CUSTOM)
            && let Some(made) = in_one(parts, settings, obj)
        {
            return made;
        }
        let tree = tree::encoded(parts, settings, obj)?;
        let text = crate::json::response(tree.as_ptr())?;
        Owned::from_call(py::PyUnicode_AsUTF8String(text.as_ptr()))
    }
}

/// The same in one walk; `None` if both steps have to be taken.
unsafe fn in_one(
    parts: &Parts,
    settings: &Settings,
    obj: *mut PyObject,
) -> Option<Result<Owned, Raised>> {
    let call = Call {
        settings,
        parts,
        reading: Reading::of(settings, settings.scope()),
        refused: Cell::new(false),
        surrogates: Cell::new(false),
    };
    let mut options = Options::DEFAULT;
    options.max_depth = rules::DEPTH;
    options.call = (&raw const call).cast();
    if settings.safe {
        options.flags |= rules::SAFE;
    }
    if settings.no_none {
        options.flags |= rules::NO_NONE;
    }
    let mut again = false;
    let made = fill(
        Product::Bytes,
        // SAFETY: the object and the call are alive.
        |target, sink| unsafe { write(obj, &options, &COMPACT, target, sink, &mut again) },
        // SAFETY: the sink is the target's, and not used again.
        |target, sink| unsafe { target.finish(sink) },
    );
    // SAFETY: a new reference, or null.
    unsafe {
        let Some(made) = Owned::from_new(made) else {
            if again {
                py::PyErr_Clear();
                return None;
            }
            return Some(Err(Raised));
        };
        if call.surrogates.get() {
            return Some(refused(&made));
        }
        Some(Ok(made))
    }
}

/// Writes `obj`; `false` with an exception set, unless it has to be done
/// `again` in two steps.
#[inline(never)]
unsafe fn write(
    obj: *mut PyObject,
    options: &Options,
    layout: &Layout<'_>,
    target: *mut Target,
    sink: &mut Sink,
    again: &mut bool,
) -> bool {
    // SAFETY: the caller's objects are alive, and the sink is the target's.
    unsafe {
        let call = Call::of(options);
        let mut walk = Walk::new(options, layout, Form::Ascii, false, obj);
        let failure = complete(&mut walk, target, sink, |walk, sink| {
            if call.surrogates.get() {
                return walk.run::<Utf8SurrogatePass, Response>(sink);
            }
            match walk.run::<Utf8, Response>(sink) {
                Flow::Widen(form) => {
                    // What is written stays as it is.
                    walk.form = form;
                    call.surrogates.set(true);
                    Flow::Pause
                }
                flow => flow,
            }
        });
        if failure.is_none() {
            return true;
        }
        if walk.called {
            if call.refused.get() {
                go_on(&mut walk, call);
            }
        } else {
            *again = true;
        }
        false
    }
}

/// Encodes what the walk has not come to, for the errors that come of it, and
/// raises the one that was met before if there are none.
#[cold]
unsafe fn go_on(walk: &mut Walk<'_>, call: &Call<'_>) {
    // SAFETY: the GIL is held during a walk.
    unsafe {
        let met = Met::take();
        if rest(walk, call).is_ok() {
            met.raise();
        }
    }
}

/// An exception that is not set for a while.
struct Met {
    #[cfg(Py_3_12)]
    error: Option<Owned>,
    #[cfg(not(Py_3_12))]
    parts: [Option<Owned>; 3],
}

impl Met {
    /// The exception that is set, which is not any more.
    unsafe fn take() -> Met {
        // SAFETY: the GIL is held; what is taken is owned.
        unsafe {
            #[cfg(Py_3_12)]
            return Met {
                error: Owned::from_new(py::PyErr_GetRaisedException()),
            };
            #[cfg(not(Py_3_12))]
            {
                let [mut class, mut value, mut trace] = [core::ptr::null_mut(); 3];
                py::PyErr_Fetch(&raw mut class, &raw mut value, &raw mut trace);
                Met {
                    parts: [class, value, trace].map(|op| Owned::from_new(op)),
                }
            }
        }
    }

    /// Sets it again.
    unsafe fn raise(self) {
        let raw = |op: Option<Owned>| op.map_or(core::ptr::null_mut(), Owned::into_ptr);
        // SAFETY: the GIL is held; the references are taken over.
        unsafe {
            #[cfg(Py_3_12)]
            py::PyErr_SetRaisedException(raw(self.error));
            #[cfg(not(Py_3_12))]
            {
                let [class, value, trace] = self.parts.map(raw);
                py::PyErr_Restore(class, value, trace);
            }
        }
    }
}

unsafe fn rest(walk: &mut Walk<'_>, call: &Call<'_>) -> Result<(), Raised> {
    // SAFETY: frames own their containers, items are owned while they are
    // encoded, and looked for anew.
    unsafe {
        let mut tree = Tree::new(call.settings, call.parts);
        loop {
            let scope = call.scope(walk);
            let depth = walk.stack.depth() + 1;
            let Some(frame) = walk.stack.top() else {
                return Ok(());
            };
            let container = frame.object.as_ptr();
            let item = match frame.kind {
                Kind::List | Kind::Tuple => {
                    let (items, len) = items_of(container, frame.kind == Kind::List);
                    let pos = frame.pos as usize;
                    frame.pos += 1;
                    (pos < len).then(|| *items.add(pos))
                }
                Kind::Dict => member(container, frame.len, &mut frame.pos, call)?,
                _ => None,
            };
            match item {
                Some(item) => drop(tree.of(Owned::from_borrowed(item), scope, depth)?),
                None => walk.stack.pop(),
            }
        }
    }
}

/// The value of the next member that is not left out, borrowed.
unsafe fn member(
    dict: *mut PyObject,
    len: Py_ssize_t,
    pos: &mut Py_ssize_t,
    call: &Call<'_>,
) -> Result<Option<*mut PyObject>, Raised> {
    // SAFETY: the caller owns the dict.
    unsafe {
        if dict::len(dict) != len {
            let text = "dictionary changed size during iteration";
            set_error(py::PyExc_RuntimeError, text);
            return Err(Raised);
        }
        let tree = Tree::new(call.settings, call.parts);
        while let Some([key, value]) = Entries::of(dict).next(pos) {
            if py::PyUnicode_CheckExact(key) == 0 || !tree.drops(key, value) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}

/// Raises what the encoding of a text with lone surrogates raises.
#[cold]
unsafe fn refused(bytes: &Owned) -> Result<Owned, Raised> {
    // SAFETY: the bytes are owned.
    unsafe {
        let text = Owned::from_call(py::PyUnicode_DecodeUTF8(
            py::PyBytes_AS_STRING(bytes.as_ptr()),
            py::Py_SIZE(bytes.as_ptr()),
            c"surrogatepass".as_ptr(),
        ))?;
        Owned::from_call(py::PyUnicode_AsUTF8String(text.as_ptr()))
    }
}
