//! What kind of value an object is, in the order in which the original asks.

use core::cell::UnsafeCell;
use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use super::{fragment, options};
use crate::encode::attributes::{assigned_version, has_usual_dict, keeps_value, version};
use crate::encode::classes::loaded;
use crate::encode::names;
use crate::ffi::owned::Raised;
use crate::numpy::{self, Scalar};

/// What an object of no exact built-in type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Exactly `datetime.datetime`.
    DateTime,
    /// Exactly `datetime.date`.
    Date,
    /// Exactly `datetime.time`.
    Time,
    /// Exactly `uuid.UUID`.
    Uuid,
    /// Of a subclass of `str`.
    Str,
    /// Of a subclass of `int`.
    Int,
    /// Of a subclass of `list`.
    List,
    /// Of a subclass of `dict`, or a `frozendict`: what it holds as a dict,
    /// whatever its own methods say.
    Dict,
    /// A member of an `enum.Enum`.
    Enum {
        /// `value` gives what the member keeps as `_value_`.
        in_place: bool,
    },
    /// An instance of a class that is a dataclass by itself.
    Dataclass {
        /// What is written lies in the instance's own `__dict__`.
        in_place: bool,
    },
    /// A fragment.
    Fragment,
    /// Of one of numpy's scalar types that have a JSON form.
    NumpyScalar(Scalar),
    /// Exactly `numpy.ndarray`.
    NumpyArray,
    /// For `default`.
    Unknown,
}

/// A class that is looked up in its module once that is loaded, and kept.
pub struct Known {
    module: &'static CStr,
    name: &'static CStr,
    object: AtomicPtr<PyObject>,
}

const fn known(module: &'static CStr, name: &'static CStr) -> Known {
    Known {
        module,
        name,
        object: AtomicPtr::new(null_mut()),
    }
}

static UUID: Known = known(c"uuid", c"UUID");
static ENUM_META: Known = known(c"enum", c"EnumMeta");
#[cfg(Py_3_15)]
static FROZEN_DICT: Known = known(c"builtins", c"frozendict");
/// What marks a field of a dataclass that is neither `ClassVar` nor `InitVar`.
pub static FIELD: Known = known(c"dataclasses", c"_FIELD");

impl Known {
    /// The object, borrowed; null while its module is not loaded. (Then it has
    /// no instances, either.)
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn get(&self) -> Result<*mut PyObject, Raised> {
        let object = self.object.load(Ordering::Relaxed);
        if !object.is_null() {
            return Ok(object);
        }
        // SAFETY: as the caller says.
        let Some(found) = (unsafe { loaded(self.module, self.name)? }) else {
            return Ok(null_mut());
        };
        let object = found.into_ptr();
        self.object.store(object, Ordering::Relaxed);
        Ok(object)
    }
}

/// What `op` is, which is of no exact built-in type that JSON has.
///
/// # Safety
/// The GIL is held, and `op` is owned by the caller.
pub unsafe fn class_of(op: *mut PyObject, flags: u32) -> Result<Class, Raised> {
    // SAFETY: a live object has a live type.
    unsafe {
        let class = py::Py_TYPE(op);
        if let Some(found) = noted(class, flags) {
            return Ok(found);
        }
        let kind = classify(class, flags)?;
        // What is unknown may become known when a module is loaded.
        let version = assigned_version(class)?;
        if kind != Class::Unknown && version != 0 {
            slot(class).write(Entry {
                class,
                version,
                flags: flags & TELLING,
                kind,
            });
        }
        Ok(kind)
    }
}

/// A class that was told already, by address and version tag, as in
/// [`crate::encode::classes`]; and by the options that make a difference.
#[derive(Clone, Copy)]
struct Entry {
    class: *mut PyTypeObject,
    version: u32,
    flags: u32,
    kind: Class,
}

const ENTRIES: usize = 64;

/// The options that make a difference to what a class is.
const TELLING: u32 =
    options::PASSTHROUGH_SUBCLASS | options::PASSTHROUGH_DATACLASS | options::SERIALIZE_NUMPY;

struct Table(UnsafeCell<[Entry; ENTRIES]>);

// SAFETY: it is only reached while the GIL is held, and entries are copied.
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new(
    [Entry {
        class: null_mut(),
        version: 0,
        flags: 0,
        kind: Class::Unknown,
    }; ENTRIES],
));

fn slot(class: *mut PyTypeObject) -> *mut Entry {
    let index = (class as usize >> 6) % ENTRIES;
    // SAFETY: there are as many.
    unsafe { TABLE.0.get().cast::<Entry>().add(index) }
}

/// What a class is, if it was told before: no code runs.
///
/// # Safety
/// The GIL is held, and the class is alive.
#[inline]
pub unsafe fn noted(class: *mut PyTypeObject, flags: u32) -> Option<Class> {
    // SAFETY: as the caller says.
    unsafe {
        let entry = &*slot(class);
        let same = entry.class == class
            && entry.version == version(class)
            && entry.flags == flags & TELLING;
        same.then_some(entry.kind)
    }
}

unsafe fn classify(class: *mut PyTypeObject, flags: u32) -> Result<Class, Raised> {
    // SAFETY: a live object has a live type.
    unsafe {
        if let Some(found) = exact(class)? {
            return Ok(found);
        }
        if flags & options::PASSTHROUGH_SUBCLASS == 0
            && let Some(found) = built_in(class)
        {
            return Ok(found);
        }
        if py::Py_TYPE(class.cast()).cast() == ENUM_META.get()? {
            let in_place = keeps_value(class)?;
            return Ok(Class::Enum { in_place });
        }
        if flags & options::PASSTHROUGH_DATACLASS == 0
            && has_own(class, names::DATACLASS_FIELDS.get()?)?
        {
            let slots = has_own(class, names::SLOTS.get()?)?;
            let in_place = !slots && has_usual_dict(class)?;
            return Ok(Class::Dataclass { in_place });
        }
        if flags & options::SERIALIZE_NUMPY != 0
            && let Some(types) = numpy::types()?
        {
            if let Some(scalar) = types.scalar(class) {
                return Ok(Class::NumpyScalar(scalar));
            }
            if class == types.array {
                return Ok(Class::NumpyArray);
            }
        }
        Ok(Class::Unknown)
    }
}

unsafe fn exact(class: *mut PyTypeObject) -> Result<Option<Class>, Raised> {
    // SAFETY: the GIL is held.
    unsafe {
        if py::PyDateTimeAPI().is_null() {
            py::PyDateTime_IMPORT();
        }
        let api = py::PyDateTimeAPI();
        if api.is_null() {
            return Err(Raised);
        }
        #[cfg(Py_3_15)]
        if class.cast() == FROZEN_DICT.get()? {
            return Ok(Some(Class::Dict));
        }
        Ok(Some(if class == (*api).DateTimeType {
            Class::DateTime
        } else if class.cast() == UUID.get()? {
            Class::Uuid
        } else if class == (*api).DateType {
            Class::Date
        } else if class == (*api).TimeType {
            Class::Time
        } else if class == fragment::class() {
            Class::Fragment
        } else {
            return Ok(None);
        }))
    }
}

/// By the flags that subclasses of built-in types have.
unsafe fn built_in(class: *mut PyTypeObject) -> Option<Class> {
    // SAFETY: the class is alive.
    let flags = unsafe { py::PyType_GetFlags(class) };
    let is = |flag| flags & flag != 0;
    Some(if is(py::Py_TPFLAGS_UNICODE_SUBCLASS) {
        Class::Str
    } else if is(py::Py_TPFLAGS_LONG_SUBCLASS) {
        Class::Int
    } else if is(py::Py_TPFLAGS_LIST_SUBCLASS) {
        Class::List
    } else if is(py::Py_TPFLAGS_DICT_SUBCLASS) {
        Class::Dict
    } else {
        return None;
    })
}

/// Whether a class has an attribute by itself, not by a base.
///
/// # Safety
/// The class is alive, and `name` is a `str`.
pub unsafe fn has_own(class: *mut PyTypeObject, name: *mut PyObject) -> Result<bool, Raised> {
    // SAFETY: as the caller says.
    let found = unsafe {
        #[cfg(Py_3_12)]
        {
            let dict = crate::ffi::owned::Owned::from_call(py::PyType_GetDict(class))?;
            py::PyDict_Contains(dict.as_ptr(), name)
        }
        #[cfg(not(Py_3_12))]
        py::PyDict_Contains((*class).tp_dict, name)
    };
    if found < 0 {
        Err(Raised)
    } else {
        Ok(found == 1)
    }
}
