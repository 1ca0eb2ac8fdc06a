//! What FastAPI's encoder is made of: the classes that it asks for, the
//! tables that it looks into and the functions that it calls.
//!
//! They are taken from `fastapi.encoders` once, when `linecaster.fastapi` is
//! imported, and kept for as long as the process runs. Only the table
//! `ENCODERS_BY_TYPE` is part of the API there (users add to it), so it is
//! looked up in the module whenever it is needed.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use super::leaves::{Leaf, Leaves};
use crate::encode::names;
use crate::ffi::owned::{Owned, Raised};

/// The parts, all of them alive for ever.
pub struct Parts {
    /// The dict of the module `fastapi.encoders`.
    module: *mut PyObject,
    /// `fastapi.encoders.jsonable_encoder`
    pub original: *mut PyObject,
    /// `pydantic.BaseModel`
    pub base_model: *mut PyObject,
    /// `enum.Enum`
    pub enumeration: *mut PyObject,
    /// `pathlib.PurePath`
    pub pure_path: *mut PyObject,
    /// `PydanticUndefinedType`
    pub undefined: *mut PyObject,
    /// `(str, int, float, NoneType)`
    pub atoms: *mut PyObject,
    /// `(list, set, frozenset, GeneratorType, tuple, deque)`
    pub iterables: *mut PyObject,
    /// `is_pydantic_v1_model_instance`
    pub is_v1: *mut PyObject,
    /// `dataclasses.asdict`
    pub asdict: *mut PyObject,
    /// `encoders_by_class_tuples` as it was: pairs of an encoder and the
    /// classes that it is for.
    pub by_class: Vec<(*mut PyObject, *mut PyObject)>,
    /// What some of the encoders do, without calling them.
    pub leaves: Leaves,
    /// `members(obj)`: what `dict(obj)` or else `vars(obj)` gives.
    pub members: *mut PyObject,
    /// `pair(item)`: the two parts of what a dict's `items` give.
    pub pair: *mut PyObject,
    /// Names of the arguments of `model_dump`, in the order of
    /// [`super::settings::Settings::of_model`], behind `mode`.
    pub dump_names: *mut PyObject,
    /// Whether `exclude_defaults` holds below dicts, too. (It did not in older
    /// versions.)
    pub defaults_in_dicts: bool,
}

static PARTS: AtomicPtr<Parts> = AtomicPtr::new(null_mut());

/// The parts, once they are taken.
pub fn parts() -> Option<&'static Parts> {
    // SAFETY: what is stored is never released or changed.
    unsafe { PARTS.load(Ordering::Acquire).as_ref() }
}

impl Parts {
    /// Takes the parts from the module.
    ///
    /// # Safety
    /// The GIL is held, `module` is a module; the functions are alive.
    pub unsafe fn take(
        module: *mut PyObject,
        members: *mut PyObject,
        pair: *mut PyObject,
        defaults_in_dicts: bool,
    ) -> Result<(), Raised> {
        // SAFETY: as the caller says. What is found is never given back.
        unsafe {
            let get = |name: &CStr| attribute(module, name).map(Owned::into_ptr);
            let dataclasses = get(c"dataclasses")?;
            let parts = Parts {
                module: Owned::from_borrowed(py::PyModule_GetDict(module)).into_ptr(),
                original: get(c"jsonable_encoder")?,
                base_model: get(c"BaseModel")?,
                enumeration: get(c"Enum")?,
                pure_path: get(c"PurePath")?,
                undefined: get(c"PydanticUndefinedType")?,
                atoms: classes(&[
                    (&raw mut py::PyUnicode_Type).cast(),
                    (&raw mut py::PyLong_Type).cast(),
                    (&raw mut py::PyFloat_Type).cast(),
                    py::Py_TYPE(py::Py_None()).cast(),
                ])?,
                iterables: classes(&[
                    (&raw mut py::PyList_Type).cast(),
                    (&raw mut py::PySet_Type).cast(),
                    (&raw mut py::PyFrozenSet_Type).cast(),
                    get(c"GeneratorType")?,
                    (&raw mut py::PyTuple_Type).cast(),
                    get(c"deque")?,
                ])?,
                is_v1: get(c"is_pydantic_v1_model_instance")?,
                asdict: attribute(dataclasses, c"asdict")?.into_ptr(),
                by_class: by_class(&attribute(module, c"encoders_by_class_tuples")?)?,
                leaves: Leaves::new(module, attribute(module, c"ENCODERS_BY_TYPE")?.as_ptr())?,
                members: Owned::from_borrowed(members).into_ptr(),
                pair: Owned::from_borrowed(pair).into_ptr(),
                dump_names: dump_names()?,
                defaults_in_dicts,
            };
            // Parts that were taken before may be in use still.
            PARTS.store(Box::into_raw(Box::new(parts)), Ordering::Release);
        }
        Ok(())
    }

    /// Whether `ENCODERS_BY_TYPE` has for a class now what it had at first.
    /// There is no exception if not.
    ///
    /// # Safety
    /// The GIL is held, and the class is alive.
    #[inline]
    pub unsafe fn has_own_encoder(&self, leaf: Leaf, class: *mut PyTypeObject) -> bool {
        // SAFETY: as the caller says.
        let found = unsafe { self.encoder(class) };
        found.is_some_and(|found| found == self.leaves.encoder(leaf))
    }

    /// Whether `ENCODERS_BY_TYPE` has anything for a class now, or nobody
    /// knows. There is no exception then.
    ///
    /// # Safety
    /// The GIL is held, and the class is alive.
    #[inline]
    pub unsafe fn has_encoder(&self, class: *mut PyTypeObject) -> bool {
        // SAFETY: as the caller says.
        let found = unsafe { self.encoder(class) };
        found.is_none_or(|found| !found.is_null())
    }

    /// What `ENCODERS_BY_TYPE` has for a class, borrowed, or null; `None` if
    /// that cannot be told.
    unsafe fn encoder(&self, class: *mut PyTypeObject) -> Option<*mut PyObject> {
        // SAFETY: the module keeps its table while no other code runs.
        unsafe {
            let Ok(table) = self.by_type() else {
                py::PyErr_Clear();
                return None;
            };
            if py::PyDict_CheckExact(table.as_ptr()) == 0 {
                return None;
            }
            let found = py::PyDict_GetItemWithError(table.as_ptr(), class.cast());
            if found.is_null() {
                py::PyErr_Clear();
            }
            Some(found)
        }
    }

    /// `ENCODERS_BY_TYPE` as it is now.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn by_type(&self) -> Result<Owned, Raised> {
        // SAFETY: as the caller says.
        unsafe {
            let name = names::ENCODERS_BY_TYPE.get()?;
            let found = py::PyDict_GetItemWithError(self.module, name);
            if found.is_null() {
                crate::args::set_error(
                    py::PyExc_NameError,
                    "name 'ENCODERS_BY_TYPE' is not defined",
                );
                return Err(Raised);
            }
            Ok(Owned::from_borrowed(found))
        }
    }
}

unsafe fn attribute(object: *mut PyObject, name: &CStr) -> Result<Owned, Raised> {
    // SAFETY: the caller gives a live object.
    unsafe { Owned::from_call(py::PyObject_GetAttrString(object, name.as_ptr())) }
}

unsafe fn dump_names() -> Result<*mut PyObject, Raised> {
    let names = [
        c"mode",
        c"include",
        c"exclude",
        c"by_alias",
        c"exclude_unset",
        c"exclude_none",
        c"exclude_defaults",
    ];
    // SAFETY: the GIL is held, and the tuple has as many places.
    unsafe {
        let tuple = Owned::from_call(py::PyTuple_New(names.len() as py::Py_ssize_t))?;
        for (i, name) in names.into_iter().enumerate() {
            let name = Owned::from_call(py::PyUnicode_InternFromString(name.as_ptr()))?;
            py::PyTuple_SET_ITEM(tuple.as_ptr(), i as py::Py_ssize_t, name.into_ptr());
        }
        Ok(tuple.into_ptr())
    }
}

/// A tuple of classes.
unsafe fn classes(classes: &[*mut PyObject]) -> Result<*mut PyObject, Raised> {
    // SAFETY: the classes are alive.
    unsafe {
        let tuple = Owned::from_call(py::PyTuple_New(classes.len() as py::Py_ssize_t))?;
        for (i, &class) in classes.iter().enumerate() {
            let class = Owned::from_borrowed(class).into_ptr();
            py::PyTuple_SET_ITEM(tuple.as_ptr(), i as py::Py_ssize_t, class);
        }
        Ok(tuple.into_ptr())
    }
}

unsafe fn by_class(table: &Owned) -> Result<Vec<(*mut PyObject, *mut PyObject)>, Raised> {
    // SAFETY: the caller owns the table, and the list of its items is ours.
    unsafe {
        let items = Owned::from_call(py::PyMapping_Items(table.as_ptr()))?;
        let mut pairs = Vec::new();
        for i in 0..py::PyList_GET_SIZE(items.as_ptr()) {
            let item = py::PyList_GET_ITEM(items.as_ptr(), i);
            let part = |i| Owned::from_borrowed(py::PyTuple_GET_ITEM(item, i)).into_ptr();
            pairs.push((part(0), part(1)));
        }
        Ok(pairs)
    }
}
