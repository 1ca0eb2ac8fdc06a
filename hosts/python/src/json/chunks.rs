//! What `JSONEncoder.iterencode` returns: an iterator over the text, which is
//! not begun before it is asked for.

use core::ffi::CStr;
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

use linecaster_formats::json::Layout;
use pyo3::prelude::*;
use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyType_Slot};

use super::encode::NoText;
use super::settings::Settings;
use super::stream::{Rest, Stream};
use crate::args::set_error;
use crate::ffi::class::{self, Class, Methods, Visit};
use crate::ffi::owned::{Owned, Raised};
use crate::guarded;

/// An iterator over chunks.
struct Chunks {
    state: State,
    /// A chunk is being made.
    running: bool,
}

enum State {
    /// The walk makes them.
    Native(Box<Native>),
    /// The interpreter has taken over.
    Standard(Rest),
    /// Nothing follows.
    Done,
}

/// A walk with all that it reads.
struct Native {
    /// Borrows from the plan, which does not move: fields are dropped in this
    /// order.
    stream: Stream<'static>,
    plan: KeptPlan,
    encoder: Owned,
    obj: Owned,
}

struct Plan {
    /// Borrows from the settings' separators, whose memory never moves.
    layout: Layout<'static>,
    settings: Settings,
}

/// A plan in memory of its own, which is released with this value: not a
/// `Box`, which would have to be the only one that reads it.
struct KeptPlan(NonNull<Plan>);

impl KeptPlan {
    fn new(plan: Plan) -> KeptPlan {
        KeptPlan(NonNull::from(Box::leak(Box::new(plan))))
    }

    /// The plan.
    ///
    /// # Safety
    /// What is returned is not used once this value is dropped.
    unsafe fn get(&self) -> &'static Plan {
        // SAFETY: nobody writes to it.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for KeptPlan {
    fn drop(&mut self) {
        // SAFETY: it came from a box, and is released once.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl State {
    /// The next chunk, none behind the last or with an exception set; and
    /// what follows.
    unsafe fn advance(self) -> (Option<Owned>, State) {
        // SAFETY: the caller holds the GIL; all objects are owned.
        unsafe {
            match self {
                State::Native(mut native) => match native.stream.next() {
                    Ok(Some(text)) => (Some(text), State::Native(native)),
                    Ok(None) | Err(NoText::Raised) => (None, State::Done),
                    Err(NoText::Unusual) => {
                        let Native { encoder, obj, .. } = &*native;
                        let [encoder, obj] = [encoder.as_ptr(), obj.as_ptr()];
                        match native.stream.rest(encoder, obj) {
                            Ok(rest) => State::Standard(rest).advance(),
                            Err(Raised) => (None, State::Done),
                        }
                    }
                },
                State::Standard(mut rest) => match rest.next() {
                    Ok(Some(text)) => (Some(text), State::Standard(rest)),
                    Ok(None) | Err(Raised) => (None, State::Done),
                },
                State::Done => (None, State::Done),
            }
        }
    }
}

static CLASS: AtomicPtr<PyObject> = AtomicPtr::new(null_mut());

/// Makes the class.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::add_to::<Chunks>(module, &CLASS, "chunks")
}

static METHODS: Methods<2> = Methods([
    class::close_method(Chunks::close),
    py::PyMethodDef::zeroed(),
]);

const DOC: &CStr = c"Chunks of a text, made as they are asked for.";

impl Class for Chunks {
    const NAME: &'static CStr = c"linecaster.json.encoder.chunks";

    fn slots() -> Vec<PyType_Slot> {
        class::iterator(DOC, Chunks::next, &METHODS)
    }

    fn traverse(&self, visit: &mut Visit) {
        match &self.state {
            State::Native(native) => {
                native.stream.traverse(visit);
                // SAFETY: the plan is used at once.
                visit.object(unsafe { native.plan.get() }.settings.default());
                visit.object(native.encoder.as_ptr());
                visit.object(native.obj.as_ptr());
            }
            State::Standard(rest) => rest.traverse(visit),
            State::Done => {}
        }
    }

    fn clear(&mut self) {
        drop(core::mem::replace(&mut self.state, State::Done));
    }
}

impl Chunks {
    unsafe extern "C" fn next(this: *mut PyObject) -> *mut PyObject {
        // SAFETY: the slot belongs to the class. What code of a user may meet
        // while a chunk is made is an iterator that runs.
        guarded(|| unsafe {
            let this = class::value::<Chunks>(this);
            if (*this).running {
                return busy();
            }
            let state = core::mem::replace(&mut (*this).state, State::Done);
            (*this).running = true;
            let (chunk, state) = state.advance();
            (*this).running = false;
            (*this).state = state;
            chunk.map_or(null_mut(), Owned::into_ptr)
        })
    }

    unsafe extern "C" fn close(this: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
        // SAFETY: the method belongs to the class.
        guarded(|| unsafe {
            let this = class::value::<Chunks>(this);
            if (*this).running {
                return busy();
            }
            drop(core::mem::replace(&mut (*this).state, State::Done));
            Owned::from_borrowed(py::Py_None()).into_ptr()
        })
    }
}

/// Raises the error of a generator that is used while it runs.
unsafe fn busy() -> *mut PyObject {
    // SAFETY: the caller holds the GIL.
    unsafe { set_error(py::PyExc_ValueError, "generator already executing") };
    null_mut()
}

/// An iterator over the text of `obj`; null with an exception set when there
/// is no memory.
///
/// # Safety
/// Both are alive, and the GIL is held.
pub unsafe fn new(encoder: *mut PyObject, obj: *mut PyObject, settings: Settings) -> *mut PyObject {
    // SAFETY: as the caller says. The stream goes before the plan, and the
    // layout before the settings.
    unsafe {
        let layout = core::mem::transmute::<Layout<'_>, Layout<'static>>(settings.layout());
        let plan = KeptPlan::new(Plan { layout, settings });
        let Plan { layout, settings } = plan.get();
        let native = Native {
            stream: Stream::new(obj, &settings.options, layout),
            plan,
            encoder: Owned::from_borrowed(encoder),
            obj: Owned::from_borrowed(obj),
        };
        let chunks = Chunks {
            state: State::Native(Box::new(native)),
            running: false,
        };
        class::instance(CLASS.load(Ordering::Relaxed).cast(), chunks)
    }
}
