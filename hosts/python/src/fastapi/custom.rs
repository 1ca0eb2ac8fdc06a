//! `custom_encoder`: by exact type, then by `isinstance` in the order of the
//! dict.
//!
//! The usual one is a dict from a few classes that tell their instances in the
//! usual way. Then it is known which values of exact built-in types it is not
//! for, and a value's class alone answers `isinstance`.

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use super::frame::Table;
use super::kinds;
use super::tree::{Begun, Tree, is_atom, lookup, next};
use crate::encode::attributes::inherited;
use crate::encode::names;
use crate::ffi::owned::{Owned, Raised};

/// What is known of the `custom_encoder` of a call.
#[derive(Clone, Copy)]
pub struct Custom {
    /// The table of the dict for which this holds.
    table: Table,
    /// Its keys are classes that tell their instances in the usual way.
    usual: bool,
    /// It is for no exact `str`, `int`, `float`, `bool` or `None`.
    pub passes_atoms: bool,
    /// It is for no exact dict, list or tuple.
    passes_containers: bool,
}

impl Custom {
    /// Nothing.
    pub const UNKNOWN: Custom = Custom {
        table: Table::NONE,
        usual: false,
        passes_atoms: false,
        passes_containers: false,
    };

    /// # Safety
    /// The GIL is held, and `custom` is alive.
    unsafe fn of(custom: *mut PyObject) -> Result<Custom, Raised> {
        // SAFETY: as the caller says; no code of a user runs.
        unsafe {
            if py::PyDict_CheckExact(custom) == 0 {
                return Ok(Custom::UNKNOWN);
            }
            let Some(table) = Table::of(custom) else {
                return Ok(Custom::UNKNOWN);
            };
            let atoms: [*mut PyTypeObject; 5] = [
                &raw mut py::PyUnicode_Type,
                &raw mut py::PyLong_Type,
                &raw mut py::PyFloat_Type,
                &raw mut py::PyBool_Type,
                py::Py_TYPE(py::Py_None()),
            ];
            let containers: [*mut PyTypeObject; 3] = [
                &raw mut py::PyDict_Type,
                &raw mut py::PyList_Type,
                &raw mut py::PyTuple_Type,
            ];
            let mut known = Custom {
                table,
                usual: true,
                passes_atoms: true,
                passes_containers: true,
            };
            for i in 0..table.count {
                let [key, encoder] = table.entry(i);
                if encoder.is_null() {
                    continue;
                }
                if !tells_as_usual(key)? {
                    return Ok(Custom {
                        table,
                        ..Custom::UNKNOWN
                    });
                }
                let is_for = |&class: &*mut PyTypeObject| py::PyType_IsSubtype(class, key.cast());
                known.passes_atoms &= atoms.iter().all(|class| is_for(class) == 0);
                known.passes_containers &= containers.iter().all(|class| is_for(class) == 0);
            }
            Ok(known)
        }
    }
}

/// Whether that is a class whose instances are those of it and its subclasses.
unsafe fn tells_as_usual(op: *mut PyObject) -> Result<bool, Raised> {
    // SAFETY: the caller's object is alive.
    unsafe {
        if py::PyType_Check(op) == 0 {
            return Ok(false);
        }
        let name = names::INSTANCECHECK.get()?;
        let found = inherited(py::Py_TYPE(op), name)?.map(|op| op.as_ptr());
        let usual = inherited(&raw mut py::PyType_Type, name)?.map(|op| op.as_ptr());
        Ok(found == usual)
    }
}

fn is_container(class: *mut PyTypeObject) -> bool {
    class == &raw mut py::PyDict_Type
        || class == &raw mut py::PyList_Type
        || class == &raw mut py::PyTuple_Type
}

impl Tree<'_> {
    /// What is known of `custom_encoder` as it is now.
    ///
    /// # Safety
    /// The GIL is held, and there is a `custom_encoder`.
    #[inline]
    pub unsafe fn custom_now(&mut self) -> Result<Custom, Raised> {
        let custom = self.settings.custom;
        // SAFETY: the options of the call are alive.
        unsafe {
            let is_dict = py::PyDict_CheckExact(custom) != 0;
            if is_dict && Table::of(custom) != Some(self.custom.table) {
                self.custom = Custom::of(custom)?;
            }
        }
        Ok(self.custom)
    }

    /// What `custom_encoder` makes of a value, if it is for it.
    ///
    /// # Safety
    /// The GIL is held, and there is a `custom_encoder`.
    pub unsafe fn custom(&mut self, op: &Owned) -> Begun {
        // SAFETY: as the caller says.
        unsafe {
            let known = self.custom_now()?;
            let class = py::Py_TYPE(op.as_ptr());
            if known.passes_atoms && is_atom(class)
                || known.passes_containers && is_container(class)
            {
                return Ok(None);
            }
            let plain = is_atom(class) || is_container(class) || kinds::noted(class).is_some();
            if known.usual && plain {
                return self.custom_of_class(op, &known.table, class);
            }
            self.custom_asked(op)
        }
    }

    /// For a value whose class alone decides.
    unsafe fn custom_of_class(
        &mut self,
        op: &Owned,
        table: &Table,
        class: *mut PyTypeObject,
    ) -> Begun {
        // SAFETY: the table is that of the dict now; no code of a user runs
        // before the encoder, which is owned.
        unsafe {
            let mut encoder = lookup(self.settings.custom, class.cast())?;
            for i in 0..table.count {
                if encoder.is_some() {
                    break;
                }
                let [key, value] = table.entry(i);
                if !value.is_null() && py::PyType_IsSubtype(class, key.cast()) != 0 {
                    encoder = Some(Owned::from_borrowed(value));
                }
            }
            let Some(encoder) = encoder else {
                return Ok(None);
            };
            self.called += 1;
            let made = py::PyObject_CallOneArg(encoder.as_ptr(), op.as_ptr());
            Owned::from_call(made).map(Some)
        }
    }

    /// For any value and any `custom_encoder`, step by step.
    unsafe fn custom_asked(&mut self, op: &Owned) -> Begun {
        self.called += 1;
        let custom = self.settings.custom;
        // SAFETY: the options of the call and the value are alive.
        unsafe {
            match py::PyObject_IsTrue(custom) {
                -1 => return Err(Raised),
                0 => return Ok(None),
                _ => {}
            }
            let class = py::Py_TYPE(op.as_ptr()).cast::<PyObject>();
            if let Some(encoder) = lookup(custom, class)? {
                let made = py::PyObject_CallOneArg(encoder.as_ptr(), op.as_ptr());
                return Owned::from_call(made).map(Some);
            }
            let items =
                Owned::from_call(py::PyObject_CallMethodNoArgs(custom, names::ITEMS.get()?))?;
            let items = Owned::from_call(py::PyObject_GetIter(items.as_ptr()))?;
            while let Some(item) = next(items.as_ptr())? {
                let [class, encoder] = self.pair(item)?;
                match py::PyObject_IsInstance(op.as_ptr(), class.as_ptr()) {
                    -1 => return Err(Raised),
                    0 => {}
                    _ => {
                        let made = py::PyObject_CallOneArg(encoder.as_ptr(), op.as_ptr());
                        return Owned::from_call(made).map(Some);
                    }
                }
            }
            Ok(None)
        }
    }
}

/// A `custom_encoder` that is for none of the types that the loops of the walk
/// write, as it was at first.
pub struct Asked {
    known: Custom,
    /// Its classes.
    classes: Vec<Owned>,
}

impl Asked {
    /// There is none.
    pub const NOTHING: Asked = Asked {
        known: Custom::UNKNOWN,
        classes: Vec::new(),
    };

    /// `None` if it is, or may be, for one of them.
    ///
    /// # Safety
    /// The GIL is held, and `custom` is alive.
    pub unsafe fn of(custom: *mut PyObject) -> Result<Option<Asked>, Raised> {
        // SAFETY: as the caller says.
        unsafe {
            if py::PyDict_CheckExact(custom) == 0 {
                return Ok(None);
            }
            let known = Custom::of(custom)?;
            if !known.usual || !known.passes_atoms || !known.passes_containers {
                return Ok(None);
            }
            let entries = (0..known.table.count).map(|i| known.table.entry(i));
            let there = entries.filter(|[_, value]| !value.is_null());
            let classes = there.map(|[key, _]| Owned::from_borrowed(key)).collect();
            Ok(Some(Asked { known, classes }))
        }
    }

    /// Whether the classes of `custom`, whose this was, are the same still.
    ///
    /// # Safety
    /// The GIL is held, and `custom` is an exact dict.
    pub unsafe fn holds(&self, custom: *mut PyObject) -> bool {
        // SAFETY: as the caller says.
        unsafe {
            let table = self.known.table;
            let mut classes = self.classes.iter();
            Table::of(custom) == Some(table)
                && (0..table.count).all(|i| {
                    let [key, value] = table.entry(i);
                    value.is_null() || classes.next().is_some_and(|op| op.as_ptr() == key)
                })
        }
    }

    /// Whether it may be for an instance of a class that is
    /// [noted](kinds::noted).
    ///
    /// # Safety
    /// The GIL is held, and the class is alive.
    #[inline]
    pub unsafe fn is_for(&self, class: *mut PyTypeObject) -> bool {
        let mut classes = self.classes.iter();
        // SAFETY: as the caller says.
        classes.any(|op| unsafe { py::PyType_IsSubtype(class, op.as_ptr().cast()) } != 0)
    }

    /// What is known of it.
    pub fn known(&self) -> Custom {
        self.known
    }
}
