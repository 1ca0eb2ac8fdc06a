//! Which classes go to `default` although they have a JSON form of their own.
//!
//! Whoever writes a date in another way than RFC 3339 says so here. With all of
//! them, what reaches `default` is what reaches it in `json`.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::classes::Class;
use super::options::value_error;
use crate::args::type_error;
use crate::ffi::owned::Owned;
use crate::ffi::str::{self, Chars};

/// A set of classes, one bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passthrough(u32);

const NAMES: [(&str, Class); 11] = [
    ("dataclass", Class::Fields),
    ("date", Class::Date),
    ("datetime", Class::DateTime),
    ("decimal", Class::Decimal),
    ("enum", Class::Enum),
    ("mapping", Class::Mapping),
    ("path", Class::Path),
    ("pydantic", Class::Pydantic),
    ("time", Class::Time),
    ("timedelta", Class::TimeDelta),
    ("uuid", Class::Uuid),
];

impl Passthrough {
    /// No class.
    pub const NONE: Passthrough = Passthrough(0);

    /// Whether instances of this class go to `default`.
    #[inline]
    pub fn has(self, class: Class) -> bool {
        self.0 & bit(class) != 0
    }

    /// Reads the option: `"all"`, or a collection of names; `false` with an
    /// exception set when it is neither.
    ///
    /// # Safety
    /// The value is alive, and the GIL is held.
    pub unsafe fn read(&mut self, value: *mut PyObject) -> bool {
        // SAFETY: the value is alive; what is taken out of it is owned.
        unsafe {
            if value == py::Py_None() {
                return true;
            }
            if py::PyUnicode_Check(value) != 0 {
                if matches!(str::chars(value), Some(Chars::Ascii(b"all"))) {
                    *self = Passthrough(NAMES.iter().fold(0, |all, &(_, one)| all | bit(one)));
                    return true;
                }
                return value_error("option 'passthrough' must be 'all' or a tuple of names");
            }
            if py::PyTuple_Check(value) == 0
                && py::PyList_Check(value) == 0
                && py::PyAnySet_Check(value) == 0
            {
                return type_error("option 'passthrough' must be 'all' or a tuple of names");
            }
            let Some(names) = Owned::from_new(py::PySequence_Tuple(value)) else {
                return false;
            };
            for i in 0..py::PyTuple_GET_SIZE(names.as_ptr()) {
                let Some(class) = class_named(py::PyTuple_GET_ITEM(names.as_ptr(), i)) else {
                    let known = NAMES.map(|(name, _)| name);
                    return value_error(&format!(
                        "names in option 'passthrough' must be among {known:?}"
                    ));
                };
                self.0 |= bit(class);
            }
        }
        true
    }
}

const fn bit(class: Class) -> u32 {
    1 << class as u32
}

unsafe fn class_named(name: *mut PyObject) -> Option<Class> {
    // SAFETY: the name is alive.
    unsafe {
        if py::PyUnicode_Check(name) == 0 {
            return None;
        }
        let Some(Chars::Ascii(name)) = str::chars(name) else {
            return None;
        };
        let found = NAMES.iter().find(|(known, _)| known.as_bytes() == name);
        found.map(|&(_, class)| class)
    }
}
