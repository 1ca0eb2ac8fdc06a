//! The extras, which are off unless a call asks for them: numpy, rows of
//! SQLAlchemy, and what mapped objects are related to. ([`super::deep`] is the
//! fourth.)
//!
//! A value that one of them is for is replaced by what stands for it, before
//! the original's own tests; an encoder that a user has put into
//! `ENCODERS_BY_TYPE` comes first. None of the packages is imported here: there
//! are values of their types only when they are loaded.

use core::cell::RefCell;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use linecaster_kernel::output::Output;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};

use super::related;
use super::rules::{Call, Response};
use super::settings::{Scope, Settings};
use super::tree::Tree;
use super::values::both_steps;
use crate::encode::classes::loaded;
use crate::encode::frame::Kind as Container;
use crate::encode::names;
use crate::encode::walk::{Json, Leaf, Step, Walk};
use crate::ffi::dict;
use crate::ffi::owned::{Owned, Raised};
use crate::numpy::{self, Arrays, Types};

/// Which extras a call asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Extras(u8);

impl Extras {
    pub const NONE: Extras = Extras(0);
    pub const NUMPY: Extras = Extras(1);
    pub const DEEP: Extras = Extras(2);
    pub const ROWS: Extras = Extras(4);
    pub const RELATIONSHIPS: Extras = Extras(8);

    /// Whether one of these is asked for.
    #[inline(always)]
    pub fn has(self, one: Extras) -> bool {
        self.0 & one.0 != 0
    }

    /// These as well.
    pub fn and(self, more: Extras) -> Extras {
        Extras(self.0 | more.0)
    }
}

/// What `linecaster/fastapi/_extras.py` gives: functions, alive for ever.
pub struct Helpers {
    /// `plain(op)`: what stands for an array or scalar of numpy.
    plain: *mut PyObject,
    /// `dump(model, …)`: what `model_dump` gives where a model may hold arrays;
    /// the others are those of [`Settings::of_model`].
    dump: *mut PyObject,
    /// See [`related`].
    pub related: *mut PyObject,
}

static HELPERS: AtomicPtr<Helpers> = AtomicPtr::new(null_mut());

impl Helpers {
    /// They, once they are taken.
    pub fn get() -> Option<&'static Helpers> {
        // SAFETY: what is stored is never released or changed.
        unsafe { HELPERS.load(Ordering::Acquire).as_ref() }
    }

    /// Takes them.
    ///
    /// # Safety
    /// The GIL is held, and the objects are alive.
    pub unsafe fn take([plain, dump, related]: [*mut PyObject; 3]) {
        // SAFETY: as the caller says. Those that were there may be in use
        // still.
        let keep = |op| unsafe { Owned::from_borrowed(op).into_ptr() };
        let helpers = Helpers {
            plain: keep(plain),
            dump: keep(dump),
            related: keep(related),
        };
        HELPERS.store(Box::into_raw(Box::new(helpers)), Ordering::Release);
    }
}

/// What an extra makes of a value.
pub enum Extra {
    /// Nothing: it is for none of them.
    Not,
    /// Its tree.
    Done(Owned),
    /// What is encoded in its place.
    Instead(Owned),
}

impl Tree<'_> {
    /// # Safety
    /// The GIL is held.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn extra(
        &mut self,
        op: &Owned,
        scope: Scope,
        depth: usize,
    ) -> Result<Extra, Raised> {
        let extras = self.settings.extras;
        // SAFETY: the value is owned.
        unsafe {
            if extras.has(Extras::DEEP)
                && scope.has(Scope::FILTERED)
                && let Some(made) = self.narrowed(op, scope, depth)?
            {
                return Ok(Extra::Done(made));
            }
            let class = py::Py_TYPE(op.as_ptr());
            if is_container(class) {
                return Ok(Extra::Not);
            }
            if extras.has(Extras::NUMPY)
                && let Some(types) = types_for(class)?
                && !self.parts.has_encoder(class)
            {
                return self.numpy(op, types, scope);
            }
            if extras.has(Extras::ROWS) && is_row(class)? && !self.parts.has_encoder(class) {
                return row(self.settings, op).map(Extra::Instead);
            }
            if extras.has(Extras::RELATIONSHIPS)
                && related::is_mapped(class)?
                && !self.parts.has_encoder(class)
            {
                return self.related(op, scope, depth).map(Extra::Done);
            }
            Ok(Extra::Not)
        }
    }

    unsafe fn numpy(&mut self, op: &Owned, types: &Types, scope: Scope) -> Result<Extra, Raised> {
        // SAFETY: the value is an array or scalar.
        unsafe {
            let listed = numpy::array::is_listed(op.as_ptr(), types);
            let made = if listed {
                let name = names::TOLIST.get()?;
                Owned::from_call(py::PyObject_CallMethodNoArgs(op.as_ptr(), name))?
            } else {
                self.called += 1;
                plain(op)?
            };
            // Options may have to do with the numbers as well.
            Ok(if listed && !scope.has(Scope::CUSTOM | Scope::FILTERED) {
                Extra::Done(made)
            } else {
                Extra::Instead(made)
            })
        }
    }
}

/// What a model's `model_dump` gives, in which arrays may be.
///
/// # Safety
/// The GIL is held, and the arguments of `model_dump` are alive.
pub unsafe fn dump(op: &Owned, given: [*mut PyObject; 6]) -> Result<Owned, Raised> {
    // SAFETY: as the caller says.
    unsafe {
        let helpers = Helpers::get().ok_or(Raised)?;
        let mut args = [op.as_ptr(); 7];
        args[1..].copy_from_slice(&given);
        let (count, names) = (args.len(), null_mut());
        Owned::from_call(py::PyObject_Vectorcall(
            helpers.dump,
            args.as_ptr(),
            count,
            names,
        ))
    }
}

/// Whether instances of a class are gone through as they are.
fn is_container(class: *mut PyTypeObject) -> bool {
    class == &raw mut py::PyDict_Type
        || class == &raw mut py::PyList_Type
        || class == &raw mut py::PyTuple_Type
}

/// The types of numpy, if the class is that of an array or scalar.
unsafe fn types_for(class: *mut PyTypeObject) -> Result<Option<&'static Types>, Raised> {
    // SAFETY: all classes are alive.
    unsafe {
        let types = numpy::types()?;
        Ok(types.filter(|types| {
            class == types.array
                || py::PyType_IsSubtype(class, types.generic) != 0
                || py::PyType_IsSubtype(class, types.array) != 0
        }))
    }
}

unsafe fn plain(op: &Owned) -> Result<Owned, Raised> {
    // SAFETY: the value is owned.
    unsafe {
        let helpers = Helpers::get().ok_or(Raised)?;
        Owned::from_call(py::PyObject_CallOneArg(helpers.plain, op.as_ptr()))
    }
}

static ROW: AtomicPtr<PyTypeObject> = AtomicPtr::new(null_mut());

/// Whether instances of a class are rows of SQLAlchemy.
unsafe fn is_row(class: *mut PyTypeObject) -> Result<bool, Raised> {
    // SAFETY: both classes are alive: that of rows is kept for good.
    unsafe {
        let mut known = ROW.load(Ordering::Relaxed);
        if known.is_null() {
            let Some(found) = loaded(c"sqlalchemy.engine", c"Row")? else {
                return Ok(false);
            };
            known = found.into_ptr().cast();
            ROW.store(known, Ordering::Relaxed);
        }
        Ok(py::PyType_IsSubtype(class, known) != 0)
    }
}

/// The columns of a result.
pub struct Columns {
    /// What all its rows have in common.
    result: Owned,
    names: Vec<Owned>,
}

/// What is known of the result that the last row was from.
pub type LastColumns = RefCell<Option<Columns>>;

/// A dict of a row, by the names of its columns; as `_asdict` does, of equal
/// ones the last counts.
unsafe fn row(settings: &Settings, op: &Owned) -> Result<Owned, Raised> {
    // SAFETY: the row is owned, and so are the names and values.
    unsafe {
        let values = Owned::from_call(py::PySequence_Tuple(op.as_ptr()))?;
        let count = py::PyTuple_GET_SIZE(values.as_ptr());
        let result = Owned::from_new(py::PyObject_GetAttr(op.as_ptr(), names::PARENT.get()?));
        py::PyErr_Clear();
        let mut last = settings.columns.borrow_mut();
        let same = match (&*last, &result) {
            (Some(last), Some(result)) => last.result.as_ptr() == result.as_ptr(),
            _ => false,
        };
        if !same {
            let names = column_names(op)?;
            // Without a result, no other row is of the same.
            let result = result.unwrap_or(Owned::from_borrowed(op.as_ptr()));
            *last = Some(Columns { result, names });
        }
        match &*last {
            Some(columns) if columns.names.len() as Py_ssize_t == count => {
                let mut parts = Vec::with_capacity(2 * columns.names.len());
                for (i, name) in columns.names.iter().enumerate() {
                    let value = py::PyTuple_GET_ITEM(values.as_ptr(), i as Py_ssize_t);
                    parts.extend(
                        [name.as_ptr(), value].map(|op| Owned::from_borrowed(op).into_ptr()),
                    );
                }
                Owned::from_call(dict::from_owned(&parts))
            }
            // There are columns without a name.
            _ => Owned::from_call(py::PyObject_CallMethodNoArgs(
                op.as_ptr(),
                names::ASDICT.get()?,
            )),
        }
    }
}

/// The names of a row's columns, as exact `str`.
unsafe fn column_names(op: &Owned) -> Result<Vec<Owned>, Raised> {
    // SAFETY: the row is owned.
    unsafe {
        let fields = names::FIELDS.of(op.as_ptr())?;
        let fields = Owned::from_call(py::PySequence_Tuple(fields.as_ptr()))?;
        let name = |i| {
            let name = py::PyTuple_GET_ITEM(fields.as_ptr(), i);
            Owned::from_call(py::PyUnicode_FromObject(name))
        };
        (0..py::PyTuple_GET_SIZE(fields.as_ptr()))
            .map(name)
            .collect()
    }
}

impl Arrays for Response {
    const SINGLES: bool = false;
}

/// Writes a value that one of the extras is for; gives back any other.
///
/// # Safety
/// The GIL is held, and the walk is one of [`super::rules`].
#[cold]
#[inline(never)]
pub unsafe fn written<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Response>,
    item: Owned,
) -> Result<Step, Owned> {
    // SAFETY: the item is owned.
    unsafe {
        let call = Call::of(walk.options);
        let (extras, op) = (call.settings.extras, item.as_ptr());
        let class = py::Py_TYPE(op);
        if call.parts.has_encoder(class) {
            return Err(item);
        }
        if extras.has(Extras::NUMPY)
            && let Ok(Some(types)) = types_for(class)
        {
            let done = if class == types.array {
                numpy::array::finite(emitter, op, types)
            } else if let Some(scalar) = types.scalar(class)
                && numpy::scalar::is_finite(op, scalar)
            {
                numpy::scalar::write(emitter, op, scalar, walk.options).is_ok()
            } else {
                false
            };
            return Ok(if done {
                walk.finish_value(emitter, Leaf::Written, item)
            } else {
                both_steps(walk, emitter, item)
            });
        }
        if extras.has(Extras::ROWS) && matches!(is_row(class), Ok(true)) {
            if let Ok(members) = row(call.settings, &item) {
                return Ok(walk.container(emitter, Container::Dict, members));
            }
            py::PyErr_Clear();
            return Ok(both_steps(walk, emitter, item));
        }
        if extras.has(Extras::RELATIONSHIPS) && matches!(related::is_mapped(class), Ok(true)) {
            return Ok(both_steps(walk, emitter, item));
        }
        Err(item)
    }
}
