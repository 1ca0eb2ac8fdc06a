//! Models of plain classes, read natively.
//!
//! It gives nothing, and is as if it had not been, as soon as a value is not
//! exactly what its field says: Pydantic then does it all, with its own warnings
//! and errors. No code of a user is called meanwhile, and a container is looked
//! through only in a copy that nobody else has.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::dicts::is_private;
use super::frame::Table;
use super::model::Reading;
use super::plan::{Model, Plan, Shape, atoms};
use super::tree::is_atom;
use crate::encode::attributes::own_dict;
use crate::encode::error::Failure;
use crate::encode::options::Options;
use crate::encode::temporal::{self, Stamp};
use crate::encode::{names, uuid};
use crate::ffi::owned::Owned;
use crate::ffi::str::Chars;
use crate::ffi::{list, str};

/// What stands for a value.
enum Value {
    /// The value itself.
    Same,
    New(Owned),
}

/// Reads models by a plan.
pub struct Reader<'a> {
    pub plan: &'a Plan,
    pub options: Reading,
}

impl Reader<'_> {
    /// What a model becomes; `None`, perhaps with an exception set, where
    /// Pydantic has to do it.
    ///
    /// # Safety
    /// The GIL is held, and the model is alive and of the class.
    pub unsafe fn model(&self, model: &Model, op: *mut PyObject, levels: usize) -> Option<Owned> {
        let Reading {
            by_alias,
            unset,
            no_none,
            safe,
        } = self.options;
        let private = if by_alias {
            model.private_alias
        } else {
            model.private_name
        };
        if levels == 0 || safe && private {
            return None;
        }
        // SAFETY: the caller owns the model; the copy of its dict is ours, and
        // so is the result.
        unsafe {
            let own = Owned::from_borrowed(own_dict(op)?);
            let source = Owned::from_new(py::PyDict_Copy(own.as_ptr()))?;
            let table = Table::of(source.as_ptr())?;
            let count = model.fields.len();
            if table.count != count || table.members as usize != count {
                return None;
            }
            let aliases = model.aliases.as_ref().filter(|_| by_alias);
            let renamed = match aliases {
                Some(aliases) => Some(Owned::from_new(py::PyDict_Copy(aliases.as_ptr()))?),
                None => None,
            };
            let result = renamed.as_ref().unwrap_or(&source).as_ptr();
            let places = Table::of(result)?;
            if !places.is_like(&table) && places.count != count {
                return None;
            }
            for (i, field) in model.fields.iter().enumerate() {
                let [key, value] = table.entry(i);
                if !is_same(key, field.name.as_ptr()) {
                    return None;
                }
                match self.value(&field.shape, value, levels - 1)? {
                    Value::New(made) => places.replace(result, i, made),
                    Value::Same if renamed.is_some() => {
                        places.replace(result, i, Owned::from_borrowed(value));
                    }
                    Value::Same => {}
                }
            }
            if unset {
                drop_unset(model, op, result, &places)?;
            }
            let result = renamed.unwrap_or(source);
            if no_none {
                drop_none(result.as_ptr())?;
            }
            Some(result)
        }
    }

    #[inline]
    unsafe fn value(&self, shape: &Shape, op: *mut PyObject, levels: usize) -> Option<Value> {
        // SAFETY: the value is held by a container that nobody else changes.
        unsafe {
            if let &Shape::Atoms(which) = shape {
                return (which & atom(op) != 0).then_some(Value::Same);
            }
            if levels == 0 {
                return None;
            }
            let class = py::Py_TYPE(op);
            let is = |of: *mut py::PyTypeObject| (class == of).then_some(());
            let made = match shape {
                Shape::Atoms(_) => return None,
                Shape::Any => {
                    if is_atom(class) {
                        return (atom(op) != 0).then_some(Value::Same);
                    }
                    if class == &raw mut py::PyList_Type {
                        self.items(&Shape::Any, copy_of_list(op)?, levels)?
                    } else {
                        self.dict(&Shape::Any, op, levels)?
                    }
                }
                Shape::Nullable(inner) => {
                    if op == py::Py_None() {
                        return Some(Value::Same);
                    }
                    return self.value(inner, op, levels);
                }
                Shape::List(inner) => {
                    is(&raw mut py::PyList_Type)?;
                    self.items(inner, copy_of_list(op)?, levels)?
                }
                Shape::Set(inner) => {
                    is(&raw mut py::PySet_Type)?;
                    self.items(inner, Owned::from_new(py::PySequence_List(op))?, levels)?
                }
                Shape::FrozenSet(inner) => {
                    is(&raw mut py::PyFrozenSet_Type)?;
                    self.items(inner, Owned::from_new(py::PySequence_List(op))?, levels)?
                }
                Shape::Tuple(inner) => {
                    is(&raw mut py::PyTuple_Type)?;
                    self.items(inner, Owned::from_new(py::PySequence_List(op))?, levels)?
                }
                Shape::Row(shapes) => {
                    is(&raw mut py::PyTuple_Type)?;
                    self.row(shapes, op, levels)?
                }
                Shape::Dict(inner) => self.dict(inner, op, levels)?,
                Shape::Model(index) => {
                    let model = &self.plan.0[*index];
                    is(model.class.as_ptr().cast())?;
                    self.model(model, op, levels)?
                }
                Shape::Literal(expected) => {
                    is(&raw mut py::PyUnicode_Type)?;
                    let found = py::PySet_Contains(expected.as_ptr(), op) == 1;
                    return found.then_some(Value::Same);
                }
                Shape::Enum(members) => {
                    let (_, value) = members.iter().find(|(member, _)| member.as_ptr() == op)?;
                    Owned::from_borrowed(value.as_ptr())
                }
                Shape::DateTime(_) | Shape::Date | Shape::Time | Shape::Duration => {
                    moment(Moment::of(shape, op)?)?
                }
                Shape::Union(which, models) => {
                    if which & atom(op) != 0 {
                        return Some(Value::Same);
                    }
                    let model = self.plan.of_class(models, class)?;
                    self.model(model, op, levels)?
                }
                Shape::Uuid(of) => {
                    is(of.as_ptr().cast())?;
                    Owned::from_new(str::from_ascii(&uuid::text(uuid::in_place(op)?)))?
                }
                Shape::Decimal(of) => {
                    is(of.as_ptr().cast())?;
                    Owned::from_new(py::PyObject_Str(op))?
                }
            };
            Some(Value::New(made))
        }
    }

    /// Makes of each item of a list what stands for it.
    unsafe fn items(&self, shape: &Shape, made: Owned, levels: usize) -> Option<Owned> {
        // SAFETY: the list is ours. An item is released when the list is in
        // order again.
        unsafe {
            let op = made.as_ptr();
            if let &Shape::Atoms(which) = shape {
                let fits = |i| which & atom(py::PyList_GET_ITEM(op, i)) != 0;
                return (0..py::PyList_GET_SIZE(op)).all(fits).then_some(made);
            }
            for i in 0..py::PyList_GET_SIZE(op) {
                let item = py::PyList_GET_ITEM(op, i);
                if let Value::New(new) = self.value(shape, item, levels - 1)? {
                    py::PyList_SET_ITEM(op, i, new.into_ptr());
                    py::Py_DECREF(item);
                }
            }
            Some(made)
        }
    }

    /// A tuple whose items have shapes of their own.
    unsafe fn row(&self, shapes: &[Shape], op: *mut PyObject, levels: usize) -> Option<Owned> {
        // SAFETY: it is a tuple, which nobody changes; the list is ours.
        unsafe {
            if py::PyTuple_GET_SIZE(op) as usize != shapes.len() {
                return None;
            }
            let made = Owned::from_new(list::with_room(shapes.len()))?;
            for (i, shape) in shapes.iter().enumerate() {
                let item = Owned::from_borrowed(py::PyTuple_GET_ITEM(op, i as py::Py_ssize_t));
                let item = match self.value(shape, item.as_ptr(), levels - 1)? {
                    Value::Same => item,
                    Value::New(new) => new,
                };
                list::push(made.as_ptr(), item).ok()?;
            }
            Some(made)
        }
    }

    /// An exact dict with `str` keys.
    unsafe fn dict(&self, shape: &Shape, op: *mut PyObject, levels: usize) -> Option<Owned> {
        // SAFETY: the value is alive; its copy is ours.
        unsafe {
            if py::PyDict_CheckExact(op) == 0 {
                return None;
            }
            let made = Owned::from_new(py::PyDict_Copy(op))?;
            let table = Table::of(made.as_ptr())?;
            let mut nones = false;
            for i in 0..table.count {
                let [key, value] = table.entry(i);
                if value.is_null() {
                    continue;
                }
                if !is_key(key) || self.options.safe && is_private(key) {
                    return None;
                }
                nones |= value == py::Py_None();
                if let Value::New(new) = self.value(shape, value, levels - 1)? {
                    table.replace(made.as_ptr(), i, new);
                }
            }
            if nones && self.options.no_none {
                drop_none(made.as_ptr())?;
            }
            Some(made)
        }
    }
}

/// Takes the fields that were not set out of the result.
unsafe fn drop_unset(
    model: &Model,
    op: *mut PyObject,
    result: *mut PyObject,
    places: &Table,
) -> Option<()> {
    // SAFETY: the model is alive; deleting does not move other entries of
    // the result, which is ours.
    unsafe {
        let set = names::FIELDS_SET.of(op).ok()?;
        if py::Py_TYPE(set.as_ptr()) != &raw mut py::PySet_Type {
            return None;
        }
        for (i, field) in model.fields.iter().enumerate() {
            match py::PySet_Contains(set.as_ptr(), field.name.as_ptr()) {
                1 => {}
                0 => delete(result, places.entry(i)[0])?,
                _ => return None,
            }
        }
        Some(())
    }
}

/// Takes the members that are `None` out of a dict.
unsafe fn drop_none(dict: *mut PyObject) -> Option<()> {
    // SAFETY: the dict is the caller's alone; deleting does not move other
    // entries.
    unsafe {
        let table = Table::of(dict)?;
        for i in 0..table.count {
            let [key, value] = table.entry(i);
            if !value.is_null() && value == py::Py_None() {
                delete(dict, key)?;
            }
        }
        Some(())
    }
}

unsafe fn delete(dict: *mut PyObject, key: *mut PyObject) -> Option<()> {
    // SAFETY: the dict is alive, and the key is one of it, an exact `str`.
    unsafe {
        let key = Owned::from_borrowed(key);
        (py::PyDict_DelItem(dict, key.as_ptr()) == 0).then_some(())
    }
}

/// The [type](atoms) of an atom; 0 of anything else, and of numbers that are
/// not finite: what they become depends on the field, and on the version.
///
/// # Safety
/// The value is alive.
#[inline(always)]
pub unsafe fn atom(op: *mut PyObject) -> u8 {
    // SAFETY: the value is alive.
    unsafe {
        let class = py::Py_TYPE(op);
        if class == &raw mut py::PyUnicode_Type {
            atoms::STR
        } else if class == &raw mut py::PyLong_Type {
            atoms::INT
        } else if class == &raw mut py::PyFloat_Type {
            if py::PyFloat_AS_DOUBLE(op).is_finite() {
                atoms::FLOAT
            } else {
                0
            }
        } else if class == &raw mut py::PyBool_Type {
            atoms::BOOL
        } else if op == py::Py_None() {
            atoms::NONE
        } else {
            0
        }
    }
}

/// Whether a key of a dict stays as it is: an exact `str`, in which Pydantic
/// has nothing to replace.
///
/// # Safety
/// The key is alive.
#[inline(always)]
pub unsafe fn is_key(key: *mut PyObject) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        py::PyUnicode_CheckExact(key) != 0
            && match str::compact(key) {
                Some(Chars::Ascii(_) | Chars::Latin1(_)) => true,
                Some(chars) => !chars.has_surrogate(),
                None => false,
            }
    }
}

/// Whether two keys are the same; `name` is an exact `str`.
///
/// # Safety
/// Both are alive.
#[inline(always)]
pub unsafe fn is_same(key: *mut PyObject, name: *mut PyObject) -> bool {
    // SAFETY: both are alive.
    unsafe {
        key == name || py::PyUnicode_CheckExact(key) != 0 && py::PyUnicode_Compare(key, name) == 0
    }
}

unsafe fn copy_of_list(op: *mut PyObject) -> Option<Owned> {
    // SAFETY: the caller gives an exact list.
    unsafe { Owned::from_new(py::PyList_GetSlice(op, 0, py::PyList_GET_SIZE(op))) }
}

/// Sees to it that the C API of `datetime` is there.
///
/// # Safety
/// The GIL is held.
pub unsafe fn load_datetime() -> Option<()> {
    // SAFETY: the GIL is held.
    unsafe {
        if py::PyDateTimeAPI().is_null() {
            py::PyDateTime_IMPORT();
        }
        (!py::PyDateTimeAPI().is_null()).then_some(())
    }
}

/// A date, time or duration that is spelled here as Pydantic does.
#[derive(Clone, Copy)]
pub enum Moment {
    DateTime(*mut PyObject),
    Date(*mut PyObject),
    Time(*mut PyObject),
    Duration(*mut PyObject),
}

/// Days of a duration from which on Pydantic counts in years.
const YEAR: i32 = 365;

impl Moment {
    /// The value of a field of such a shape, if it is what the field says, and
    /// spelled without its own code.
    ///
    /// # Safety
    /// The GIL is held, and the value is alive.
    pub unsafe fn of(shape: &Shape, op: *mut PyObject) -> Option<Moment> {
        // SAFETY: as the caller says; the value is of the class that is found.
        unsafe {
            load_datetime()?;
            let api = &*py::PyDateTimeAPI();
            let is = |of: *mut py::PyTypeObject| py::Py_TYPE(op) == of;
            match shape {
                Shape::DateTime(zone) => {
                    let fits = is(api.DateTimeType) && has_whole_offset(op, zone)?;
                    fits.then_some(Moment::DateTime(op))
                }
                Shape::Date => is(api.DateType).then_some(Moment::Date(op)),
                Shape::Time => {
                    let fits =
                        is(api.TimeType) && py::PyDateTime_TIME_GET_TZINFO(op) == py::Py_None();
                    fits.then_some(Moment::Time(op))
                }
                Shape::Duration => {
                    let fits = is(api.DeltaType)
                        && py::PyDateTime_DELTA_GET_DAYS(op).unsigned_abs() < YEAR as u32;
                    fits.then_some(Moment::Duration(op))
                }
                _ => None,
            }
        }
    }

    /// Writes it.
    ///
    /// # Safety
    /// The GIL is held, and the value is alive.
    pub unsafe fn write(self, text: &mut Stamp<'_>) -> Result<(), Failure> {
        const OPTIONS: Options = Options {
            utc_z: true,
            ..Options::DEFAULT
        };
        // SAFETY: as the caller says.
        unsafe {
            match self {
                Moment::DateTime(op) => return temporal::datetime(text, op, &OPTIONS),
                Moment::Date(op) => temporal::date(text, op),
                Moment::Time(op) => return temporal::time(text, op, &OPTIONS),
                Moment::Duration(op) => temporal::timedelta(text, op),
            }
        }
        Ok(())
    }
}

/// Whether a `datetime` has no time zone, or one of `datetime`'s or Pydantic's
/// own that is whole minutes from UTC.
unsafe fn has_whole_offset(op: *mut PyObject, own: &Owned) -> Option<bool> {
    // SAFETY: the caller's value is exactly a `datetime`.
    unsafe {
        let zone = py::PyDateTime_DATE_GET_TZINFO(op);
        if zone == py::Py_None() || zone == py::PyDateTime_TimeZone_UTC() {
            return Some(true);
        }
        if !temporal::is_own_zone(zone) && py::Py_TYPE(zone).cast() != own.as_ptr() {
            return Some(false);
        }
        let method = names::UTCOFFSET.get().ok()?;
        let offset = Owned::from_new(py::PyObject_CallMethodOneArg(zone, method, op))?;
        let offset = offset.as_ptr();
        Some(
            py::PyDelta_Check(offset) != 0
                && py::PyDateTime_DELTA_GET_SECONDS(offset) % 60 == 0
                && py::PyDateTime_DELTA_GET_MICROSECONDS(offset) == 0,
        )
    }
}

unsafe fn moment(moment: Moment) -> Option<Owned> {
    let mut place = temporal::place();
    let mut text = Stamp::new(&mut place);
    // SAFETY: the caller's value is alive.
    unsafe {
        moment.write(&mut text).ok()?;
        Owned::from_new(str::from_ascii(text.as_bytes()))
    }
}
