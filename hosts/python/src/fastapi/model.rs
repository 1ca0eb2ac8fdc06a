//! Pydantic models: read natively if their class is plain ([`super::plan`]),
//! otherwise dumped by Pydantic.
//!
//! What Pydantic gives is walked again only if that can change something.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::dicts::is_private;
use super::extras::Extras;
use super::plan::{Models, known};
use super::reader::Reader;
use super::sequences::items_of;
use super::settings::{Scope, Settings};
use super::tree::is_atom;
use crate::encode::attributes::own_dict;
use crate::encode::names;
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::{Owned, Raised};

/// How deep containers may nest in what is read natively.
pub const LEVELS: usize = 32;

/// What became of a model.
pub enum Dumped {
    /// What the original returns.
    Done(Owned),
    /// What `model_dump` returned, which has to be encoded.
    Again(Owned),
    /// Nothing: `model_dump` has to be called.
    Not,
}

/// Reads a model of a plain class, or has Pydantic dump it the short way;
/// `limit` is the depth that calls of the original may reach.
///
/// # Safety
/// The GIL is held.
pub unsafe fn dumped(
    settings: &Settings,
    op: &Owned,
    scope: Scope,
    depth: usize,
    limit: usize,
) -> Result<Dumped, Raised> {
    // SAFETY: the model is owned, and so is what is known of its class.
    unsafe {
        let Some(models) = Models::get() else {
            return Ok(Dumped::Not);
        };
        let Some(options) = Reading::of(settings, scope) else {
            return Ok(Dumped::Not);
        };
        let known = known(models, py::Py_TYPE(op.as_ptr()))?;
        if !known.usual {
            return Ok(Dumped::Not);
        }
        let levels = limit.saturating_sub(depth + 2).min(LEVELS);
        if let Some(plan) = &known.plan {
            let reader = Reader { plan, options };
            if let Some(made) = reader.model(&plan.0[0], op.as_ptr(), levels) {
                return Ok(Dumped::Done(made));
            }
            py::PyErr_Clear();
        }
        let Some(short) = models.short(options.number()) else {
            return Ok(Dumped::Not);
        };
        // Arrays in a model need what only the long way takes.
        if settings.extras.has(Extras::NUMPY) || is_hidden(op)? {
            return Ok(Dumped::Not);
        }
        let made = Owned::from_call(py::PyObject_CallOneArg(short, op.as_ptr()))?;
        Ok(if options.is_settled(made.as_ptr(), levels) {
            Dumped::Done(made)
        } else {
            Dumped::Again(made)
        })
    }
}

/// Whether something in the instance itself stands before its `model_dump`.
unsafe fn is_hidden(op: &Owned) -> Result<bool, Raised> {
    // SAFETY: the model is owned.
    unsafe {
        let Some(own) = own_dict(op.as_ptr()) else {
            return Ok(true);
        };
        let own = Owned::from_borrowed(own);
        match py::PyDict_Contains(own.as_ptr(), names::MODEL_DUMP.get()?) {
            -1 => Err(Raised),
            truth => Ok(truth == 1),
        }
    }
}

/// The options as they matter here.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the call"
)]
#[derive(Clone, Copy)]
pub struct Reading {
    pub by_alias: bool,
    pub unset: bool,
    pub no_none: bool,
    pub safe: bool,
}

impl Reading {
    /// `None` where Pydantic has to see the options.
    pub fn of(settings: &Settings, scope: Scope) -> Option<Reading> {
        let [include, exclude, by_alias, unset, no_none, defaults] = settings.of_model(scope);
        // SAFETY: the constants are always there.
        let (yes, no, none) = unsafe { (py::Py_True(), py::Py_False(), py::Py_None()) };
        let flag = |op| (op == yes || op == no).then_some(op == yes);
        if include != none || exclude != none || defaults != no {
            return None;
        }
        Some(Reading {
            by_alias: flag(by_alias)?,
            unset: flag(unset)?,
            no_none: flag(no_none)?,
            safe: settings.safe,
        })
    }

    /// Their number among all of them that `model_dump` knows.
    fn number(self) -> usize {
        usize::from(self.no_none) | usize::from(self.unset) << 1 | usize::from(!self.by_alias) << 2
    }

    /// Whether the encoder would make of `op` just the same again: it consists
    /// of atoms, and of lists and dicts that nobody else has.
    unsafe fn is_settled(self, op: *mut PyObject, levels: usize) -> bool {
        // SAFETY: the caller owns `op`, and no code of a user runs.
        unsafe {
            if is_atom(py::Py_TYPE(op)) {
                return true;
            }
            if py::Py_REFCNT(op) != 1 || levels == 0 {
                return false;
            }
            // Most are atoms: no call for those.
            let is_settled =
                |op: *mut PyObject| is_atom(py::Py_TYPE(op)) || self.is_settled(op, levels - 1);
            if py::PyList_CheckExact(op) != 0 {
                let (items, len) = items_of(op, true);
                return (0..len).all(|i| is_settled(*items.add(i)));
            }
            if py::PyDict_CheckExact(op) == 0 {
                return false;
            }
            let (entries, mut pos) = (Entries::of(op), 0);
            while let Some([key, value]) = entries.next(&mut pos) {
                if !self.stays(key, value) || !is_settled(value) {
                    return false;
                }
            }
            true
        }
    }

    /// Whether a member of a dict stays as it is.
    #[inline(always)]
    unsafe fn stays(self, key: *mut PyObject, value: *mut PyObject) -> bool {
        // SAFETY: both are alive.
        unsafe {
            py::PyUnicode_CheckExact(key) != 0
                && !(self.safe && is_private(key))
                && !(self.no_none && value == py::Py_None())
        }
    }
}
