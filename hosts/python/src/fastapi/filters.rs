//! What `include` and `exclude` mean to Pydantic: which items of a container
//! are taken, and what holds inside of them.
//!
//! A set names keys or indices; a dict has for each what holds below it, where
//! `...` and `True` mean all of it. `__all__` stands for every item. What is
//! written here was found by trying it on `TypeAdapter(Any).dump_python`.

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::tree::next;
use crate::args::set_error;
use crate::encode::names;
use crate::ffi::owned::{Owned, Raised};

const INNER: &str = "`include` and `exclude` must be of type \
    `dict[str | int, <recursive> | ...] | set[str | int | ...]`";
const INNER_OF_ALL: &str = "'__all__' key of `include` and `exclude` must be of type \
    `dict[str | int, <recursive> | ...] | set[str | int | ...]`";

/// What holds for a value.
pub struct Filters {
    pub include: Option<Owned>,
    pub exclude: Option<Owned>,
}

impl Filters {
    pub const NONE: Filters = Filters {
        include: None,
        exclude: None,
    };

    /// Whether they take all of it.
    pub fn are_none(&self) -> bool {
        self.include.is_none() && self.exclude.is_none()
    }

    /// They, for a list of so many items: indices below 0 count from its end.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn of_list(&self, len: Py_ssize_t) -> Result<Filters, Raised> {
        let of = |filter: &Option<Owned>| {
            // SAFETY: as the caller says.
            let counted = filter.as_ref().map(|op| unsafe { counted(op, len) });
            counted.transpose()
        };
        Ok(Filters {
            include: of(&self.include)?,
            exclude: of(&self.exclude)?,
        })
    }

    /// What holds for the item of a key or index; `None` if it is left out.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn of_item(&self, key: &Owned) -> Result<Option<Filters>, Raised> {
        let mut inner = Filters::NONE;
        // SAFETY: as the caller says.
        unsafe {
            if let Some(exclude) = &self.exclude {
                match named(exclude, key, "`exclude` argument must be a set or dict.")? {
                    Named::All => return Ok(None),
                    Named::Part(part) => inner.exclude = part,
                    Named::Not => {}
                }
            }
            if let Some(include) = &self.include {
                match named(include, key, "`include` argument must be a set or dict.")? {
                    Named::All => {}
                    Named::Part(part) => inner.include = part,
                    Named::Not => return Ok(None),
                }
            }
        }
        Ok(Some(inner))
    }
}

/// What a filter says of a key.
enum Named {
    Not,
    All,
    /// Some of it; `None` stands for no filter.
    Part(Option<Owned>),
}

unsafe fn named(filter: &Owned, key: &Owned, refused: &str) -> Result<Named, Raised> {
    // SAFETY: both are owned.
    unsafe {
        let op = filter.as_ptr();
        if py::PyDict_Check(op) != 0 {
            return Ok(match merged(filter, key)? {
                None => Named::Not,
                Some(part) if is_all(&part) => Named::All,
                Some(part) => Named::Part((part.as_ptr() != py::Py_None()).then_some(part)),
            });
        }
        for key in [key.as_ptr(), names::EVERY.get()?] {
            match py::PySequence_Contains(op, key) {
                0 => {}
                1 => return Ok(Named::All),
                _ => {
                    if py::PyErr_ExceptionMatches(py::PyExc_TypeError) != 0 {
                        set_error(py::PyExc_TypeError, refused);
                    }
                    return Err(Raised);
                }
            }
        }
        Ok(Named::Not)
    }
}

/// Whether that is how all of a value is named.
fn is_all(op: &Owned) -> bool {
    // SAFETY: the constants are always there.
    unsafe { op.as_ptr() == py::Py_Ellipsis() || op.as_ptr() == py::Py_True() }
}

/// What a dict has for a key, together with what it has for every key.
unsafe fn merged(filter: &Owned, key: &Owned) -> Result<Option<Owned>, Raised> {
    // SAFETY: both are owned.
    unsafe {
        let own = get(filter, key.as_ptr())?;
        let every = get(filter, names::EVERY.get()?)?;
        let (Some(own), Some(every)) = (&own, &every) else {
            return Ok(own.or(every));
        };
        if is_all(own) || is_all(every) {
            return Ok(Some(Owned::from_borrowed(own.as_ptr())));
        }
        let both = as_dict(own)?;
        merge(&both, every)?;
        Ok(Some(both))
    }
}

unsafe fn get(dict: &Owned, key: *mut PyObject) -> Result<Option<Owned>, Raised> {
    // SAFETY: the caller owns both.
    unsafe {
        let found = py::PyDict_GetItemWithError(dict.as_ptr(), key);
        if !found.is_null() {
            return Ok(Some(Owned::from_borrowed(found)));
        }
        if py::PyErr_Occurred().is_null() {
            Ok(None)
        } else {
            Err(Raised)
        }
    }
}

/// A new dict that means what a dict or set does.
unsafe fn as_dict(filter: &Owned) -> Result<Owned, Raised> {
    // SAFETY: the filter is owned.
    unsafe {
        let op = filter.as_ptr();
        if py::PyDict_Check(op) != 0 {
            return Owned::from_call(py::PyDict_Copy(op));
        }
        let dict = Owned::from_call(py::PyDict_New())?;
        if !is_set(op) {
            set_error(py::PyExc_TypeError, INNER);
            return Err(Raised);
        }
        merge(&dict, filter)?;
        Ok(dict)
    }
}

unsafe fn is_set(op: *mut PyObject) -> bool {
    // SAFETY: the caller's object is alive.
    unsafe { py::PyType_IsSubtype(py::Py_TYPE(op), &raw mut py::PySet_Type) != 0 }
}

/// Puts into the dict of an item, which is nobody else's, what holds for every
/// item.
unsafe fn merge(own: &Owned, every: &Owned) -> Result<(), Raised> {
    // SAFETY: both are owned. Filters nest as deep as a user wrote them.
    unsafe {
        let all = py::Py_Ellipsis();
        if is_set(every.as_ptr()) {
            let keys = Owned::from_call(py::PyObject_GetIter(every.as_ptr()))?;
            while let Some(key) = next(keys.as_ptr())? {
                if get(own, key.as_ptr())?.is_none() {
                    put(own, &key, all)?;
                }
            }
            return Ok(());
        }
        if py::PyDict_Check(every.as_ptr()) == 0 {
            set_error(py::PyExc_TypeError, INNER_OF_ALL);
            return Err(Raised);
        }
        for [key, value] in members(every)? {
            match get(own, key.as_ptr())? {
                None => put(own, &key, value.as_ptr())?,
                Some(part) if is_all(&part) || is_all(&value) => {}
                Some(part) => {
                    if py::Py_EnterRecursiveCall(c" in include or exclude".as_ptr()) != 0 {
                        return Err(Raised);
                    }
                    let merged = as_dict(&part).and_then(|both| {
                        merge(&both, &value)?;
                        Ok(both)
                    });
                    py::Py_LeaveRecursiveCall();
                    put(own, &key, merged?.as_ptr())?;
                }
            }
        }
        Ok(())
    }
}

unsafe fn put(dict: &Owned, key: &Owned, value: *mut PyObject) -> Result<(), Raised> {
    // SAFETY: the caller owns all three.
    match unsafe { py::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value) } {
        0 => Ok(()),
        _ => Err(Raised),
    }
}

/// The members of a dict as they are now.
unsafe fn members(dict: &Owned) -> Result<Vec<[Owned; 2]>, Raised> {
    // SAFETY: the dict is owned; the list of its members is nobody else's.
    unsafe {
        let items = Owned::from_call(py::PyDict_Items(dict.as_ptr()))?;
        let pair = |i| {
            let item = py::PyList_GET_ITEM(items.as_ptr(), i);
            [0, 1].map(|part| Owned::from_borrowed(py::PyTuple_GET_ITEM(item, part)))
        };
        let count = py::PyList_GET_SIZE(items.as_ptr());
        Ok((0..count).map(pair).collect())
    }
}

/// A filter whose indices are those of a list of so many items, modulo that.
unsafe fn counted(filter: &Owned, len: Py_ssize_t) -> Result<Owned, Raised> {
    // SAFETY: the filter is owned, and so is what is made.
    unsafe {
        let len = Owned::from_call(py::PyLong_FromSsize_t(len))?;
        if py::PyDict_Check(filter.as_ptr()) != 0 {
            let made = Owned::from_call(py::PyDict_New())?;
            for [key, value] in members(filter)? {
                put(&made, &index(key, &len), value.as_ptr())?;
            }
            return Ok(made);
        }
        if !is_set(filter.as_ptr()) {
            return Ok(Owned::from_borrowed(filter.as_ptr()));
        }
        let made = Owned::from_call(py::PySet_New(core::ptr::null_mut()))?;
        let keys = Owned::from_call(py::PyObject_GetIter(filter.as_ptr()))?;
        while let Some(key) = next(keys.as_ptr())? {
            let index = index(key, &len);
            if py::PySet_Add(made.as_ptr(), index.as_ptr()) != 0 {
                return Err(Raised);
            }
        }
        Ok(made)
    }
}

/// A key modulo a length, if it has such a thing; text stays what it is.
unsafe fn index(key: Owned, len: &Owned) -> Owned {
    // SAFETY: both are owned.
    unsafe {
        if py::PyUnicode_Check(key.as_ptr()) != 0 {
            return key;
        }
        let made = Owned::from_new(py::PyNumber_Remainder(key.as_ptr(), len.as_ptr()));
        if made.is_none() {
            py::PyErr_Clear();
        }
        made.unwrap_or(key)
    }
}
