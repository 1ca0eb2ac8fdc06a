//! What an object is to the encoder, in the order in which the original asks.
//!
//! The answer is kept per class, by address and version tag, as in
//! [`crate::encode::classes`], if nothing but the class decides: attributes are
//! found in the usual way and `__class__` is the class. Otherwise every object
//! is asked anew, by `isinstance`, as in the original.

use core::cell::UnsafeCell;
use core::ptr::null_mut;

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use super::leaves::Leaf;
use super::parts::Parts;
use crate::encode::attributes::{
    assigned_version, has_usual_dict, inherited, is_generic, keeps_value, version,
};
use crate::encode::names;
use crate::ffi::owned::{Owned, Raised};

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A Pydantic model.
    Model,
    /// An instance of a dataclass.
    Dataclass,
    /// A member of an `Enum`.
    Enum {
        /// `value` gives what the member keeps as `_value_`.
        in_place: bool,
        /// A deep copy is the member itself.
        copied: bool,
    },
    /// A `PurePath`.
    Path,
    /// A `str`, `int`, `float` or `None`, which stands for itself.
    Atom,
    /// Pydantic's mark for what is not defined.
    Undefined,
    /// A `dict`.
    Dict,
    /// What becomes a list.
    Iterable,
    /// What FastAPI has an encoder for that is known here.
    Leaf(Leaf),
    /// None of these: `ENCODERS_BY_TYPE` decides, then this encoder, if there
    /// is one, or else `dict` and `vars`.
    Other {
        /// What the class tuples have for it, or null.
        encoder: *mut PyObject,
        /// It is of a class of `pydantic.v1`, which the original refuses.
        refused: bool,
    },
    /// The same of a class that only `vars` is for, which gives the dict of an
    /// instance; unless that has something under `keys`.
    Object,
    /// The same, where nothing but [`classes`](frozen) by `isinstance` can
    /// tell more.
    Asked,
    /// A class that is a dataclass, which the original refuses.
    Refused,
}

#[derive(Clone, Copy)]
struct Entry {
    class: *mut PyTypeObject,
    version: u32,
    kind: Kind,
}

const ENTRIES: usize = 256;

struct Table(UnsafeCell<[Entry; ENTRIES]>);

// SAFETY: it is only reached while the GIL is held, and entries are copied.
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new(
    [Entry {
        class: null_mut(),
        version: 0,
        kind: Kind::Asked,
    }; ENTRIES],
));

fn slot(class: *mut PyTypeObject) -> *mut Entry {
    let index = (class as usize >> 4) % ENTRIES;
    // SAFETY: there are as many.
    unsafe { TABLE.0.get().cast::<Entry>().add(index) }
}

/// What `op` is, which is of no exact built-in type.
///
/// # Safety
/// The GIL is held, and `op` is owned by the caller.
#[inline]
pub unsafe fn kind_of(parts: &Parts, op: *mut PyObject) -> Result<Kind, Raised> {
    // SAFETY: a live object has a live type.
    unsafe {
        let class = py::Py_TYPE(op);
        match noted(class) {
            Some(kind) => Ok(kind),
            None => told(parts, op, class),
        }
    }
}

/// Forgets all classes.
pub fn forget() {
    for i in 0..ENTRIES {
        // SAFETY: the GIL is held by whoever calls; no class has this address.
        unsafe { (*TABLE.0.get())[i].class = null_mut() };
    }
}

/// What the instances of a class are, if it was told before: no code runs.
///
/// # Safety
/// The GIL is held, and the class is alive.
#[inline]
pub unsafe fn noted(class: *mut PyTypeObject) -> Option<Kind> {
    // SAFETY: as the caller says.
    unsafe {
        let entry = &*slot(class);
        let same = entry.class == class && entry.version == version(class);
        same.then_some(entry.kind)
    }
}

#[cold]
unsafe fn told(parts: &Parts, op: *mut PyObject, class: *mut PyTypeObject) -> Result<Kind, Raised> {
    // SAFETY: as for the caller.
    unsafe {
        let plain = is_plain(parts, class)?;
        let mut kind = first(parts, op)?;
        if let Kind::Enum { in_place, copied } = &mut kind
            && plain
        {
            *in_place = keeps_value(class)?;
            *copied = is_as(class, parts.enumeration, names::DEEPCOPY.get()?)?
                && is_as(class, parts.enumeration, names::REDUCE_EX.get()?)?;
        }
        if plain
            && kind == Kind::Asked
            && let Some(leaf) = parts.leaves.of(class)
        {
            kind = Kind::Leaf(leaf);
        }
        if plain && kind == Kind::Asked {
            let encoder = frozen(parts, op)?;
            let refused = encoder.is_null() && is_v1(parts, op)?;
            kind = if encoder.is_null() && !refused && is_bare(class)? {
                Kind::Object
            } else {
                Kind::Other { encoder, refused }
            };
        }
        let sure = plain || kind == Kind::Model && is_a(class, parts.base_model);
        let version = assigned_version(class)?;
        if sure && version != 0 && kind != Kind::Refused {
            slot(class).write(Entry {
                class,
                version,
                kind,
            });
        }
        Ok(kind)
    }
}

/// Whether the class alone decides. Of classes themselves their metaclass
/// would; they are asked.
unsafe fn is_plain(parts: &Parts, class: *mut PyTypeObject) -> Result<bool, Raised> {
    // SAFETY: the class is alive.
    unsafe {
        if !is_generic(class) || is_a(class, (&raw mut py::PyType_Type).cast()) {
            return Ok(false);
        }
        let meta = py::Py_TYPE(class.cast());
        let address = |class: *mut PyTypeObject| (*class).tp_getattro.map(|found| found as usize);
        // That of enums has a `__getattr__` in some versions, for members.
        let usual = address(meta) == address(&raw mut py::PyType_Type)
            || meta == py::Py_TYPE(parts.enumeration);
        let found = inherited(class, names::CLASS.get()?)?;
        let object = inherited(&raw mut py::PyBaseObject_Type, names::CLASS.get()?)?;
        Ok(usual && found.map(|op| op.as_ptr()) == object.map(|op| op.as_ptr()))
    }
}

/// Whether instances of a class are nothing that `dict` takes, and have a dict
/// of their own.
unsafe fn is_bare(class: *mut PyTypeObject) -> Result<bool, Raised> {
    // SAFETY: the class is alive.
    unsafe {
        for name in [&names::ITER, &names::GETITEM, &names::KEYS] {
            if inherited(class, name.get()?)?.is_some() {
                return Ok(false);
            }
        }
        has_usual_dict(class)
    }
}

/// Whether a class has under a name what a base has.
unsafe fn is_as(
    class: *mut PyTypeObject,
    base: *mut PyObject,
    name: *mut PyObject,
) -> Result<bool, Raised> {
    // SAFETY: both classes are alive.
    unsafe {
        let found = inherited(class, name)?.map(|op| op.as_ptr());
        Ok(found == inherited(base.cast(), name)?.map(|op| op.as_ptr()))
    }
}

unsafe fn is_a(class: *mut PyTypeObject, base: *mut PyObject) -> bool {
    // SAFETY: both are alive.
    unsafe { py::PyType_Check(base) != 0 && py::PyType_IsSubtype(class, base.cast()) != 0 }
}

unsafe fn is_instance(op: *mut PyObject, of: *mut PyObject) -> Result<bool, Raised> {
    // SAFETY: both are alive.
    match unsafe { py::PyObject_IsInstance(op, of) } {
        -1 => Err(Raised),
        truth => Ok(truth == 1),
    }
}

/// The tests that come before the tables of encoders.
unsafe fn first(parts: &Parts, op: *mut PyObject) -> Result<Kind, Raised> {
    // SAFETY: `op` is owned by the caller.
    unsafe {
        if is_instance(op, parts.base_model)? {
            return Ok(Kind::Model);
        }
        let is_class = is_instance(op, (&raw mut py::PyType_Type).cast())?;
        let class = if is_class { op } else { py::Py_TYPE(op).cast() };
        if has(class, names::DATACLASS_FIELDS.get()?)? {
            return Ok(if is_class {
                Kind::Refused
            } else {
                Kind::Dataclass
            });
        }
        for (of, kind) in [
            (
                parts.enumeration,
                Kind::Enum {
                    in_place: false,
                    copied: false,
                },
            ),
            (parts.pure_path, Kind::Path),
            (parts.atoms, Kind::Atom),
            (parts.undefined, Kind::Undefined),
            ((&raw mut py::PyDict_Type).cast(), Kind::Dict),
            (parts.iterables, Kind::Iterable),
        ] {
            if is_instance(op, of)? {
                return Ok(kind);
            }
        }
        Ok(Kind::Asked)
    }
}

/// As `hasattr`.
unsafe fn has(op: *mut PyObject, name: *mut PyObject) -> Result<bool, Raised> {
    // SAFETY: both are alive; what is found is owned.
    unsafe {
        if Owned::from_new(py::PyObject_GetAttr(op, name)).is_some() {
            return Ok(true);
        }
        if py::PyErr_ExceptionMatches(py::PyExc_AttributeError) == 0 {
            return Err(Raised);
        }
        py::PyErr_Clear();
        Ok(false)
    }
}

/// The encoder that the class tuples have for `op`, borrowed; or null.
///
/// # Safety
/// The GIL is held, and `op` is owned by the caller.
pub unsafe fn frozen(parts: &Parts, op: *mut PyObject) -> Result<*mut PyObject, Raised> {
    for &(encoder, classes) in &parts.by_class {
        // SAFETY: as the caller says.
        if unsafe { is_instance(op, classes)? } {
            return Ok(encoder);
        }
    }
    Ok(null_mut())
}

/// Whether `op` is a model of `pydantic.v1`.
///
/// # Safety
/// As for [`frozen`].
pub unsafe fn is_v1(parts: &Parts, op: *mut PyObject) -> Result<bool, Raised> {
    // SAFETY: as the caller says.
    unsafe {
        let answer = Owned::from_call(py::PyObject_CallOneArg(parts.is_v1, op))?;
        match py::PyObject_IsTrue(answer.as_ptr()) {
            -1 => Err(Raised),
            truth => Ok(truth == 1),
        }
    }
}
