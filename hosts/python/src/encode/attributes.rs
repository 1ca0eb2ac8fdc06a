//! What a class makes of the attributes of its instances: whether they are
//! what the instance itself holds, so that they can be read there.
//!
//! That is looked up in the dicts of the class and its bases, so that no code
//! of a user runs, and holds as long as the class keeps its version tag.

use core::ptr::null_mut;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};

use super::classes::loaded;
use super::names;
use crate::ffi::owned::{Owned, Raised};

unsafe extern "C" {
    #[cfg(Py_3_12)]
    fn PyUnstable_Type_AssignVersionTag(class: *mut PyTypeObject) -> core::ffi::c_int;
    #[cfg(not(Py_3_12))]
    fn _PyType_Lookup(class: *mut PyTypeObject, name: *mut PyObject) -> *mut PyObject;
}

/// The tag of a class; 0, which is none, after it has changed.
///
/// # Safety
/// The class is alive.
#[inline(always)]
pub unsafe fn version(class: *mut PyTypeObject) -> u32 {
    // SAFETY: the class is alive.
    unsafe { (*class).tp_version_tag }
}

/// The tag of a class, which it gets now if it has none and there are any
/// left; else 0. (A class gets one when an attribute is first looked up.)
///
/// # Safety
/// The class is alive, and the GIL is held.
pub unsafe fn assigned_version(class: *mut PyTypeObject) -> Result<u32, Raised> {
    // SAFETY: as the caller says; what is looked up is borrowed and not used.
    unsafe {
        if version(class) == 0 {
            #[cfg(Py_3_12)]
            PyUnstable_Type_AssignVersionTag(class);
            #[cfg(not(Py_3_12))]
            _PyType_Lookup(class, names::VALUE.get()?);
        }
        Ok(version(class))
    }
}

/// What a class or the first of its bases that has it holds under a name.
///
/// # Safety
/// The class is alive, the GIL is held, and `name` is a `str`.
pub unsafe fn inherited(
    class: *mut PyTypeObject,
    name: *mut PyObject,
) -> Result<Option<Owned>, Raised> {
    // SAFETY: as the caller says; the order of bases is a tuple of classes.
    unsafe {
        let bases = (*class).tp_mro;
        for i in 0..py::PyTuple_GET_SIZE(bases) {
            let base: *mut PyTypeObject = py::PyTuple_GET_ITEM(bases, i).cast();
            #[cfg(Py_3_12)]
            let dict = Owned::from_call(py::PyType_GetDict(base))?;
            #[cfg(not(Py_3_12))]
            let dict = Owned::from_borrowed((*base).tp_dict);
            let found = py::PyDict_GetItemWithError(dict.as_ptr(), name);
            if !found.is_null() {
                return Ok(Some(Owned::from_borrowed(found)));
            }
            if !py::PyErr_Occurred().is_null() {
                return Err(Raised);
            }
        }
        Ok(None)
    }
}

/// Whether the attributes of instances are found in the usual way.
///
/// # Safety
/// The class is alive.
pub unsafe fn is_generic(class: *mut PyTypeObject) -> bool {
    // SAFETY: the class is alive.
    let found = unsafe { (*class).tp_getattro };
    found.is_some_and(|found| found as usize == py::PyObject_GenericGetAttr as *const () as usize)
}

/// Where in the instances of a class the reference lies that such a slot gives;
/// `None` if what was found is no slot of theirs.
///
/// # Safety
/// The class is alive.
pub unsafe fn slot_offset(class: *mut PyTypeObject, slot: &Owned) -> Option<Py_ssize_t> {
    // SAFETY: as the caller says; the class of the slot says what it is.
    unsafe {
        if py::Py_TYPE(slot.as_ptr()) != &raw mut py::PyMemberDescr_Type {
            return None;
        }
        let slot = &*slot.as_ptr().cast::<py::PyMemberDescrObject>();
        let member = &*slot.d_member.cast::<py::PyMemberDef>();
        let right = member.type_code == py::Py_T_OBJECT_EX
            && py::PyType_IsSubtype(class, slot.d_common.d_type) != 0;
        right.then_some(member.offset)
    }
}

/// Whether `__dict__` of an instance is the dict that it keeps itself.
///
/// # Safety
/// The class is alive, and the GIL is held.
pub unsafe fn has_usual_dict(class: *mut PyTypeObject) -> Result<bool, Raised> {
    // SAFETY: as the caller says.
    unsafe {
        let found = inherited(class, names::DICT.get()?)?;
        let usual = |op: Owned| py::Py_TYPE(op.as_ptr()) == &raw mut py::PyGetSetDescr_Type;
        Ok(is_generic(class) && found.is_some_and(usual))
    }
}

/// The dict of an instance, which keeps it; `None` when it cannot be made. No
/// code of a user runs: a dict may be made only now, and until 3.11 that may
/// start the collector, which is switched off meanwhile.
///
/// # Safety
/// The GIL is held, and `op` is alive, of a class with the
/// [usual dict](has_usual_dict).
pub unsafe fn own_dict(op: *mut PyObject) -> Option<*mut PyObject> {
    // SAFETY: as the caller says; the reference is given back at once.
    unsafe {
        #[cfg(not(Py_3_12))]
        let was_on = py::PyGC_Disable() != 0;
        let own = Owned::from_new(py::PyObject_GenericGetDict(op, null_mut()));
        #[cfg(not(Py_3_12))]
        if was_on {
            py::PyGC_Enable();
        }
        if own.is_none() {
            py::PyErr_Clear();
        }
        own.map(|own| own.as_ptr())
    }
}

/// Whether `value` of a class's members is that of `Enum`, which gives the
/// `_value_` that they keep.
///
/// # Safety
/// The class is alive, and the GIL is held.
pub unsafe fn keeps_value(class: *mut PyTypeObject) -> Result<bool, Raised> {
    // SAFETY: as the caller says.
    unsafe {
        let Some(base) = loaded(c"enum", c"Enum")? else {
            return Ok(false);
        };
        let own = inherited(base.as_ptr().cast(), names::VALUE.get()?)?;
        let found = inherited(class, names::VALUE.get()?)?;
        let same = found.map(|op| op.as_ptr()) == own.map(|op| op.as_ptr());
        let kept = inherited(class, names::VALUE_KEPT.get()?)?;
        Ok(is_generic(class) && same && kept.is_none())
    }
}

/// Whether nothing in the class stands before what instances hold under these
/// names.
///
/// # Safety
/// The class is alive, the GIL is held, and the names are a tuple of `str`.
pub unsafe fn keeps_fields(
    class: *mut PyTypeObject,
    fields: Option<&Owned>,
) -> Result<bool, Raised> {
    let Some(fields) = fields else {
        return Ok(false);
    };
    // SAFETY: as the caller says.
    unsafe {
        if !has_usual_dict(class)? {
            return Ok(false);
        }
        for i in 0..py::PyTuple_GET_SIZE(fields.as_ptr()) {
            let found = inherited(class, py::PyTuple_GET_ITEM(fields.as_ptr(), i))?;
            if found.is_some_and(|op| (*py::Py_TYPE(op.as_ptr())).tp_descr_set.is_some()) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
