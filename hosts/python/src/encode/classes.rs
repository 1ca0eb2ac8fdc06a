//! What kind of value the instances of a class are.
//!
//! Worked out once per class and kept in a small table. An entry names its
//! class by address *and* version tag: the interpreter gives a class a new tag
//! when it changes, and never the same to two classes, so no entry keeps a
//! class alive or is mistaken for another's.

use core::cell::UnsafeCell;
use core::ffi::CStr;
use core::ptr::null_mut;

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use super::attributes::{self, version};
use crate::ffi::owned::{Owned, Raised};

/// What the instances of a class are to the encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A member of an `enum.Enum`: its value counts.
    Enum,
    /// Instances of subclasses of the built-in types.
    Str,
    /// See [`Class::Str`].
    Int,
    /// See [`Class::Str`].
    Float,
    /// See [`Class::Str`].
    List,
    /// See [`Class::Str`]; named tuples, too.
    Tuple,
    /// A subclass of `dict` that does not redefine `items`.
    Dict,
    /// `datetime.datetime`.
    DateTime,
    /// `datetime.date`.
    Date,
    /// `datetime.time`.
    Time,
    /// `datetime.timedelta`.
    TimeDelta,
    /// `uuid.UUID`.
    Uuid,
    /// `decimal.Decimal`.
    Decimal,
    /// A dataclass or attrs class: its fields, by name.
    Fields,
    /// A Pydantic model: what `model_dump` gives.
    Pydantic,
    /// `pathlib.PurePath`: its text.
    Path,
    /// A mapping with `items`.
    Mapping,
    /// `bytes`, `bytearray` and `memoryview`, which no JSON value stands for.
    Bytes,
    /// Something to iterate over: an array on request.
    Iterable,
    /// For `default`.
    Unknown,
}

struct Entry {
    class: *mut PyTypeObject,
    version: u32,
    kind: Class,
    /// See [`Noted::in_place`].
    in_place: bool,
    /// The names of [`Class::Fields`].
    names: Option<Owned>,
}

const ENTRIES: usize = 64;

/// The table; it lives as long as the process, as the interpreter does.
struct Table(UnsafeCell<[Option<Entry>; ENTRIES]>);

// SAFETY: it is only reached while the GIL is held, and no code of a user
// runs while a reference into it is alive.
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new([const { None }; ENTRIES]));

/// A class, and the tuple of its field names.
pub type Known = (Class, Option<Owned>);

/// What `item` is.
///
/// # Safety
/// `item` is alive and owned by the caller, because the code of a user may
/// run.
pub unsafe fn class_of(item: *mut PyObject) -> Result<Known, Raised> {
    // SAFETY: a live object has a live type.
    unsafe {
        let class = py::Py_TYPE(item);
        let index = (class as usize >> 6) % ENTRIES;
        let slot = (*TABLE.0.get()).as_mut_ptr().add(index);
        if let Some(entry) = &*slot
            && entry.class == class
            && entry.version == version(class)
        {
            let names = entry.names.as_ref();
            return Ok((entry.kind, names.map(|n| Owned::from_borrowed(n.as_ptr()))));
        }
        let (kind, names) = classify(class)?;
        let in_place = match kind {
            Class::Enum => attributes::keeps_value(class)?,
            Class::Fields => attributes::keeps_fields(class, names.as_ref())?,
            _ => true,
        };
        let tag = attributes::assigned_version(class)?;
        if tag != 0 {
            let kept = names.as_ref().map(|n| Owned::from_borrowed(n.as_ptr()));
            let entry = Entry {
                class,
                version: tag,
                kind,
                in_place,
                names: kept,
            };
            // Released when the new entry is in place: it may run any code.
            drop((*slot).replace(entry));
        }
        Ok((kind, names))
    }
}

/// What is noted of a class.
#[derive(Clone, Copy)]
pub struct Noted {
    pub kind: Class,
    /// What counts lies in the instance itself: the value of a
    /// [`Class::Enum`], the fields of [`Class::Fields`]. No code runs when it
    /// is read there.
    pub in_place: bool,
    /// The names of [`Class::Fields`], borrowed; or null.
    pub names: *mut PyObject,
}

/// What is noted of a class, if anything: no code runs.
///
/// # Safety
/// The class is alive, and the GIL is held.
#[inline]
pub unsafe fn noted(class: *mut PyTypeObject) -> Option<Noted> {
    // SAFETY: as the caller says.
    unsafe {
        let index = (class as usize >> 6) % ENTRIES;
        let slot = TABLE.0.get().cast::<Option<Entry>>().add(index);
        let entry = (*slot).as_ref()?;
        if entry.class != class || entry.version != version(class) {
            return None;
        }
        Some(Noted {
            kind: entry.kind,
            in_place: entry.in_place,
            names: entry.names.as_ref().map_or(null_mut(), Owned::as_ptr),
        })
    }
}

/// # Safety
/// The class is alive.
unsafe fn classify(class: *mut PyTypeObject) -> Result<Known, Raised> {
    // SAFETY: the class is alive, and so are those that it is held against.
    unsafe {
        if is_a(class, c"enum", c"Enum")? {
            return Ok((Class::Enum, None));
        }
        if let Some(kind) = built_in(class)? {
            return Ok((kind, None));
        }
        if let Some(kind) = temporal(class)? {
            return Ok((kind, None));
        }
        for (module, name, kind) in CLASSES {
            if is_a(class, module, name)? {
                return Ok((kind, None));
            }
        }
        if let Some(names) = field_names(class)? {
            return Ok((Class::Fields, Some(names)));
        }
        if attribute(class, c"__pydantic_serializer__")?.is_some() {
            return Ok((Class::Pydantic, None));
        }
        if is_a(class, c"_collections_abc", c"Mapping")? {
            return Ok((Class::Mapping, None));
        }
        let iterable = (*class).tp_iter.is_some();
        Ok((
            if iterable {
                Class::Iterable
            } else {
                Class::Unknown
            },
            None,
        ))
    }
}

/// The classes of `datetime`, the more special ones first. They are read in
/// place, so they are told by their C API: what stands in the module may be a
/// stand-in (tests freeze the time by one).
unsafe fn temporal(class: *mut PyTypeObject) -> Result<Option<Class>, Raised> {
    // SAFETY: the class is alive, and so are those of the C API.
    unsafe {
        if loaded(c"datetime", c"datetime_CAPI")?.is_none() {
            return Ok(None);
        }
        py::PyDateTime_IMPORT();
        let api = py::PyDateTimeAPI();
        if api.is_null() {
            return Err(Raised);
        }
        let kinds = [
            ((*api).DateTimeType, Class::DateTime),
            ((*api).DateType, Class::Date),
            ((*api).TimeType, Class::Time),
            ((*api).DeltaType, Class::TimeDelta),
        ];
        let found = kinds
            .into_iter()
            .find(|&(base, _)| py::PyType_IsSubtype(class, base) != 0);
        Ok(found.map(|(_, kind)| kind))
    }
}

/// Classes of the standard library, reached by their methods alone.
const CLASSES: [(&CStr, &CStr, Class); 3] = [
    (c"uuid", c"UUID", Class::Uuid),
    (c"decimal", c"Decimal", Class::Decimal),
    (c"pathlib", c"PurePath", Class::Path),
];

/// The kind of a class that is built in or derives from one that is.
///
/// # Safety
/// The class is alive, and the GIL is held.
pub unsafe fn built_in(class: *mut PyTypeObject) -> Result<Option<Class>, Raised> {
    // SAFETY: the class is alive.
    unsafe {
        let is = |base: *mut PyTypeObject| py::PyType_IsSubtype(class, base) != 0;
        Ok(Some(if is(&raw mut py::PyUnicode_Type) {
            Class::Str
        } else if is(&raw mut py::PyLong_Type) {
            Class::Int
        } else if is(&raw mut py::PyFloat_Type) {
            Class::Float
        } else if is(&raw mut py::PyList_Type) {
            Class::List
        } else if is(&raw mut py::PyTuple_Type) {
            Class::Tuple
        } else if is(&raw mut py::PyDict_Type) {
            let items = attribute(class, c"items")?;
            let own = attribute(&raw mut py::PyDict_Type, c"items")?;
            let same = items.map(|op| op.as_ptr()) == own.map(|op| op.as_ptr());
            if same { Class::Dict } else { Class::Mapping }
        } else if is(&raw mut py::PyBytes_Type)
            || is(&raw mut py::PyByteArray_Type)
            || is(&raw mut py::PyMemoryView_Type)
        {
            Class::Bytes
        } else {
            return Ok(None);
        }))
    }
}

/// Whether `class` is `module.name` or derives from it. A module that was
/// never imported has no instances and is not imported now.
unsafe fn is_a(class: *mut PyTypeObject, module: &CStr, name: &CStr) -> Result<bool, Raised> {
    // SAFETY: names are C strings; what is found is owned.
    unsafe {
        let Some(base) = loaded(module, name)? else {
            return Ok(false);
        };
        match py::PyObject_IsSubclass(class.cast(), base.as_ptr()) {
            -1 => Err(Raised),
            truth => Ok(truth == 1),
        }
    }
}

/// An attribute of a module that is loaded.
///
/// # Safety
/// The GIL is held.
pub unsafe fn loaded(module: &CStr, name: &CStr) -> Result<Option<Owned>, Raised> {
    // SAFETY: names are C strings; what is found is owned.
    unsafe {
        let key = Owned::from_call(py::PyUnicode_FromString(module.as_ptr()))?;
        let Some(module) = Owned::from_new(py::PyImport_GetModule(key.as_ptr())) else {
            return if py::PyErr_Occurred().is_null() {
                Ok(None)
            } else {
                Err(Raised)
            };
        };
        optional(py::PyObject_GetAttrString(module.as_ptr(), name.as_ptr()))
    }
}

unsafe fn attribute(class: *mut PyTypeObject, name: &CStr) -> Result<Option<Owned>, Raised> {
    // SAFETY: the class is alive.
    unsafe { optional(py::PyObject_GetAttrString(class.cast(), name.as_ptr())) }
}

/// A result that may be missing: `AttributeError` counts as none.
unsafe fn optional(op: *mut PyObject) -> Result<Option<Owned>, Raised> {
    // SAFETY: `op` is null with an exception set, or a new reference.
    unsafe {
        if let Some(found) = Owned::from_new(op) {
            return Ok(Some(found));
        }
        if py::PyErr_ExceptionMatches(py::PyExc_AttributeError) == 0 {
            return Err(Raised);
        }
        py::PyErr_Clear();
        Ok(None)
    }
}

/// The names of the fields of a dataclass (those that `dataclasses.fields`
/// lists) or attrs class, as a tuple.
unsafe fn field_names(class: *mut PyTypeObject) -> Result<Option<Owned>, Raised> {
    // SAFETY: everything that is looked at is owned.
    unsafe {
        let source = if attribute(class, c"__dataclass_fields__")?.is_some() {
            let Some(function) = loaded(c"dataclasses", c"fields")? else {
                return Ok(None);
            };
            Owned::from_call(py::PyObject_CallOneArg(function.as_ptr(), class.cast()))?
        } else if let Some(fields) = attribute(class, c"__attrs_attrs__")? {
            fields
        } else {
            return Ok(None);
        };
        let fields = Owned::from_call(py::PySequence_Tuple(source.as_ptr()))?;
        let count = py::PyTuple_GET_SIZE(fields.as_ptr());
        let names = Owned::from_call(py::PyTuple_New(count))?;
        for i in 0..count {
            let field = py::PyTuple_GET_ITEM(fields.as_ptr(), i);
            let name = Owned::from_call(py::PyObject_GetAttrString(field, c"name".as_ptr()))?;
            if py::PyUnicode_Check(name.as_ptr()) == 0 {
                crate::args::type_error("names of fields must be str");
                return Err(Raised);
            }
            py::PyTuple_SET_ITEM(names.as_ptr(), i, name.into_ptr());
        }
        Ok(Some(names))
    }
}
