//! `encode`: the bytes of a response, and its errors.

use core::cell::Cell;

use linecaster_formats::json::Layout;
use linecaster_kernel::output::{Utf8, Utf8SurrogatePass};
use linecaster_kernel::sink::Sink;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::custom::Asked;
use super::model::Reading;
use super::parts::Parts;
use super::rest;
use super::rules::{self, Call, Response};
use super::settings::{Scope, Settings};
use super::tree;
use crate::encode::options::Options;
use crate::encode::target::{Form, Product, Target};
use crate::encode::walk::{Flow, Walk};
use crate::encode::{complete, fill};
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
        if let Some(custom) = readied(settings)?
            && let Some(made) = in_one(parts, settings, custom, obj)
        {
            return made;
        }
        let tree = tree::encoded(parts, settings, obj)?;
        let text = crate::json::response(tree.as_ptr())?;
        Owned::from_call(py::PyUnicode_AsUTF8String(text.as_ptr()))
    }
}

/// The `custom_encoder` of a call that may be one walk: extras are not asked
/// for together with filters or with it, no code of a user runs when filters
/// are asked, and it is for none of the types that the loops write.
unsafe fn readied(settings: &mut Settings) -> Result<Option<Asked>, Raised> {
    let scope = settings.scope();
    if scope.has(Scope::EXTRAS) && scope.has(Scope::FILTERED | Scope::CUSTOM) {
        return Ok(None);
    }
    // SAFETY: the settings own the filters, and the options are alive.
    unsafe {
        if scope.has(Scope::FILTERED) {
            if !settings.are_names() {
                return Ok(None);
            }
            settings.coerce()?;
        }
        if scope.has(Scope::CUSTOM) {
            return Asked::of(settings.custom);
        }
    }
    Ok(Some(Asked::NOTHING))
}

/// The same in one walk; `None` if both steps have to be taken.
unsafe fn in_one(
    parts: &Parts,
    settings: &Settings,
    custom: Asked,
    obj: *mut PyObject,
) -> Option<Result<Owned, Raised>> {
    let call = Call {
        settings,
        parts,
        reading: Reading::of(settings, settings.scope().without(Scope::FILTERED)),
        custom,
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
    if settings.scope().has(Scope::FILTERED) {
        options.flags |= rules::FILTERED;
    }
    if settings.scope().has(Scope::CUSTOM) {
        options.flags |= rules::CUSTOM;
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
        if rest::encoded(walk, call).is_ok() {
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
