//! Names of attributes, as strings that are made once.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use crate::ffi::owned::{Owned, Raised};

/// An interned `str`, kept for as long as the process runs.
pub struct Name {
    text: &'static CStr,
    object: AtomicPtr<PyObject>,
}

const fn name(text: &'static CStr) -> Name {
    Name {
        text,
        object: AtomicPtr::new(null_mut()),
    }
}

/// What a row of SQLAlchemy has for a dict of it.
pub static ASDICT: Name = name(c"_asdict");
/// The array interface of numpy.
pub static ARRAY_STRUCT: Name = name(c"__array_struct__");
pub static CLASS: Name = name(c"__class__");
pub static CONVERT: Name = name(c"convert");
pub static CORE_SCHEMA: Name = name(c"__pydantic_core_schema__");
pub static DATACLASS_FIELDS: Name = name(c"__dataclass_fields__");
pub static DEEPCOPY: Name = name(c"__deepcopy__");
pub static DICT: Name = name(c"__dict__");
/// Every item, to Pydantic's filters.
pub static EVERY: Name = name(c"__all__");
/// The names of the columns of a row of SQLAlchemy.
pub static FIELDS: Name = name(c"_fields");
pub static FIELDS_SET: Name = name(c"__pydantic_fields_set__");
pub static FIELD_TYPE: Name = name(c"_field_type");
pub static GETITEM: Name = name(c"__getitem__");
pub static INSTANCECHECK: Name = name(c"__instancecheck__");
pub static GETATTRIBUTE: Name = name(c"__getattribute__");
pub static INT: Name = name(c"int");
pub static ENCODERS_BY_TYPE: Name = name(c"ENCODERS_BY_TYPE");
pub static ISOFORMAT: Name = name(c"isoformat");
pub static ITEMS: Name = name(c"items");
pub static ITER: Name = name(c"__iter__");
pub static JSON: Name = name(c"json");
pub static KEYS: Name = name(c"keys");
/// What a class has that SQLAlchemy maps.
pub static MAPPER: Name = name(c"__mapper__");
pub static MODEL_DUMP: Name = name(c"model_dump");
pub static NORMALIZE: Name = name(c"normalize");
/// What the rows of one result have in common.
pub static PARENT: Name = name(c"_parent");
/// How names begin that SQLAlchemy keeps for itself.
pub static PRIVATE: Name = name(c"_sa");
pub static REDUCE_EX: Name = name(c"__reduce_ex__");
pub static SERIALIZER: Name = name(c"__pydantic_serializer__");
pub static SLOTS: Name = name(c"__slots__");
pub static STARTSWITH: Name = name(c"startswith");
pub static TOLIST: Name = name(c"tolist");
pub static UTCOFFSET: Name = name(c"utcoffset");
pub static VALUE: Name = name(c"value");
/// Where an `Enum` keeps what `value` gives.
pub static VALUE_KEPT: Name = name(c"_value_");

impl Name {
    /// The string, borrowed.
    ///
    /// # Safety
    /// The GIL is held.
    #[inline]
    pub unsafe fn get(&self) -> Result<*mut PyObject, Raised> {
        let object = self.object.load(Ordering::Relaxed);
        if !object.is_null() {
            return Ok(object);
        }
        // SAFETY: as the caller says; the name is a C string.
        let made = unsafe { Owned::from_call(py::PyUnicode_InternFromString(self.text.as_ptr()))? };
        let object = made.into_ptr();
        self.object.store(object, Ordering::Relaxed);
        Ok(object)
    }

    /// The attribute of this name.
    ///
    /// # Safety
    /// The GIL is held, and `op` is owned by the caller.
    pub unsafe fn of(&self, op: *mut PyObject) -> Result<Owned, Raised> {
        // SAFETY: as the caller says.
        unsafe { Owned::from_call(py::PyObject_GetAttr(op, self.get()?)) }
    }
}
