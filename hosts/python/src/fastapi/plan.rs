//! How the instances of a model class are read without Pydantic, kept per
//! class.
//!
//! `linecaster/fastapi/_models.py` works it out from the core schema of the
//! class. It holds as long as the class has the same schema and serializer,
//! which `model_rebuild` replaces; they are looked at again whenever the class
//! has another version tag. An entry keeps its class alive, so no other class
//! can be at its address.

use core::cell::UnsafeCell;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::rc::Rc;

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use super::dicts::is_private;
use crate::encode::attributes::{assigned_version, inherited, version};
use crate::encode::names;
use crate::ffi::owned::{Owned, Raised};

/// Types of atoms.
pub mod atoms {
    pub const STR: u8 = 1;
    pub const INT: u8 = 2;
    pub const FLOAT: u8 = 4;
    pub const BOOL: u8 = 8;
    pub const NONE: u8 = 16;
}

/// What a value has to be, exactly; anything else is left to Pydantic.
pub enum Shape {
    /// An atom of one of these [types](atoms).
    Atoms(u8),
    /// Whatever JSON has.
    Any,
    /// `None`, or else this.
    Nullable(Box<Shape>),
    List(Box<Shape>),
    Set(Box<Shape>),
    FrozenSet(Box<Shape>),
    /// A tuple of any length.
    Tuple(Box<Shape>),
    /// A tuple of as many items.
    Row(Vec<Shape>),
    /// A dict whose keys are `str`.
    Dict(Box<Shape>),
    /// A model, by its place in the plan.
    Model(usize),
    /// A `str` in this frozenset.
    Literal(Owned),
    /// One of these members, for which the values stand.
    Enum(Vec<(Owned, Owned)>),
    /// A `datetime.datetime`, whose time zone may be of this class of
    /// Pydantic's.
    DateTime(Owned),
    Date,
    /// Without a time zone.
    Time,
    Duration,
    /// An atom of one of these [types](atoms), or one of these models.
    Union(u8, Vec<usize>),
    /// A `uuid.UUID`, which is this class.
    Uuid(Owned),
    /// A `decimal.Decimal`, which is this class.
    Decimal(Owned),
}

/// A model class.
pub struct Model {
    pub class: Owned,
    pub fields: Vec<Field>,
    /// A dict of the aliases in order, if they are not the names.
    pub aliases: Option<Owned>,
    /// A name begins with `_sa`.
    pub private_name: bool,
    /// An alias does.
    pub private_alias: bool,
}

/// A field of one.
pub struct Field {
    pub name: Owned,
    pub alias: Owned,
    pub shape: Shape,
}

/// A model class and those of its fields; it is the first.
pub struct Plan(pub Vec<Model>);

impl Plan {
    /// The one of these models that is of this class.
    pub fn of_class(&self, models: &[usize], class: *mut PyTypeObject) -> Option<&Model> {
        let mut models = models.iter().map(|&index| &self.0[index]);
        models.find(|model| model.class.as_ptr() == class.cast())
    }
}

/// What is known of a class.
#[derive(Clone)]
pub struct Known {
    /// `None` if Pydantic has to do it.
    pub plan: Option<Rc<Plan>>,
    /// `model_dump` is that of `BaseModel`.
    pub usual: bool,
}

/// What `_models.py` gives, alive for ever.
pub struct Models {
    plan: *mut PyObject,
    model_dump: *mut PyObject,
    /// A tuple of what is called with a model instead of its `model_dump`, by
    /// the number of the [options](super::model::Reading::number); or `None`.
    shorts: *mut PyObject,
}

static MODELS: AtomicPtr<Models> = AtomicPtr::new(null_mut());

impl Models {
    /// They, once they are taken.
    pub fn get() -> Option<&'static Models> {
        // SAFETY: what is stored is never released or changed.
        unsafe { MODELS.load(Ordering::Acquire).as_ref() }
    }

    /// Takes them.
    ///
    /// # Safety
    /// The GIL is held, and the objects are alive.
    pub unsafe fn take([plan, model_dump, shorts]: [*mut PyObject; 3]) {
        // SAFETY: as the caller says. Those that were there may be in use
        // still.
        let keep = |op| unsafe { Owned::from_borrowed(op).into_ptr() };
        let models = Models {
            plan: keep(plan),
            model_dump: keep(model_dump),
            shorts: keep(shorts),
        };
        MODELS.store(Box::into_raw(Box::new(models)), Ordering::Release);
    }
}

impl Models {
    /// What is called with a model instead of its `model_dump`.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn short(&self, options: usize) -> Option<*mut PyObject> {
        // SAFETY: the tuple has one for each number, and stays.
        unsafe {
            let short = py::PyTuple_GET_ITEM(self.shorts, options as py::Py_ssize_t);
            (short != py::Py_None()).then_some(short)
        }
    }
}

struct Entry {
    class: Owned,
    version: u32,
    /// Schema and serializer of the class.
    made_of: [Option<Owned>; 2],
    known: Known,
}

const ENTRIES: usize = 256;

struct Table(UnsafeCell<[Option<Entry>; ENTRIES]>);

// SAFETY: it is only reached while the GIL is held, and no code of a user runs
// while a reference into it is alive.
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new([const { None }; ENTRIES]));

/// What is known of the class of a model.
///
/// # Safety
/// The GIL is held, and the class is alive.
#[inline]
pub unsafe fn known(models: &Models, class: *mut PyTypeObject) -> Result<Known, Raised> {
    // SAFETY: as the caller says.
    unsafe {
        match noted(class) {
            Some(known) => Ok(known),
            None => found(models, class),
        }
    }
}

/// What is known of a class, if anything: no code runs.
///
/// # Safety
/// The GIL is held, and the class is alive.
#[inline]
pub unsafe fn noted(class: *mut PyTypeObject) -> Option<Known> {
    // SAFETY: as the caller says.
    unsafe {
        let entry = (*slot(class)).as_ref()?;
        let same = entry.class.as_ptr() == class.cast() && entry.version == version(class);
        same.then(|| entry.known.clone())
    }
}

fn slot(class: *mut PyTypeObject) -> *mut Option<Entry> {
    let index = (class as usize >> 4) % ENTRIES;
    // SAFETY: there are as many.
    unsafe { TABLE.0.get().cast::<Option<Entry>>().add(index) }
}

#[cold]
unsafe fn found(models: &Models, class: *mut PyTypeObject) -> Result<Known, Raised> {
    // SAFETY: as for the caller. What an entry gives up is released when the
    // table is in order again.
    unsafe {
        let address = |found: &Option<Owned>| found.as_ref().map(Owned::as_ptr);
        let schema = inherited(class, names::CORE_SCHEMA.get()?)?;
        let serializer = inherited(class, names::SERIALIZER.get()?)?;
        let object = &raw mut py::PyBaseObject_Type;
        let getattribute = names::GETATTRIBUTE.get()?;
        let own = inherited(class, getattribute)?;
        let usual = address(&inherited(class, names::MODEL_DUMP.get()?)?)
            == Some(models.model_dump)
            && address(&own) == address(&inherited(object, getattribute)?);
        let kept = match &*slot(class) {
            Some(entry)
                if entry.class.as_ptr() == class.cast()
                    && address(&entry.made_of[0]) == address(&schema)
                    && address(&entry.made_of[1]) == address(&serializer) =>
            {
                Some(entry.known.plan.clone())
            }
            _ => None,
        };
        let plan = match kept {
            Some(plan) if usual => plan,
            _ if usual => planned(models, class)?.map(Rc::new),
            _ => None,
        };
        let known = Known { plan, usual };
        let version = assigned_version(class)?;
        if version != 0 {
            let entry = Entry {
                class: Owned::from_borrowed(class.cast()),
                version,
                made_of: [schema, serializer],
                known: known.clone(),
            };
            drop(slot(class).replace(Some(entry)));
        }
        Ok(known)
    }
}

unsafe fn planned(models: &Models, class: *mut PyTypeObject) -> Result<Option<Plan>, Raised> {
    // SAFETY: the class is alive, and what is called returns what is described
    // in its file.
    unsafe {
        let made = Owned::from_call(py::PyObject_CallOneArg(models.plan, class.cast()))?;
        if made.as_ptr() == py::Py_None() {
            return Ok(None);
        }
        let mut plan = Plan(Vec::new());
        for model in items(made.as_ptr()) {
            let [class, fields] = pair(model);
            plan.0.push(read_model(class, fields)?);
        }
        Ok(Some(plan))
    }
}

unsafe fn read_model(class: *mut PyObject, members: *mut PyObject) -> Result<Model, Raised> {
    // SAFETY: as for the caller.
    unsafe {
        let aliases = Owned::from_call(py::PyDict_New())?;
        let mut model = Model {
            class: Owned::from_borrowed(class),
            fields: Vec::new(),
            aliases: None,
            private_name: false,
            private_alias: false,
        };
        let mut renamed = false;
        for member in items(members) {
            let [name, alias] = pair(member);
            renamed |= py::PyUnicode_Compare(name, alias) != 0;
            model.private_name |= is_private(name);
            model.private_alias |= is_private(alias);
            if py::PyDict_SetItem(aliases.as_ptr(), alias, py::Py_None()) != 0 {
                return Err(Raised);
            }
            model.fields.push(Field {
                name: Owned::from_borrowed(name),
                alias: Owned::from_borrowed(alias),
                shape: read_shape(py::PyTuple_GET_ITEM(member, 2))?,
            });
        }
        model.aliases = renamed.then_some(aliases);
        Ok(model)
    }
}

unsafe fn read_shape(op: *mut PyObject) -> Result<Shape, Raised> {
    // SAFETY: as for the caller.
    unsafe {
        if py::PyLong_Check(op) != 0 {
            return Ok(Shape::Atoms(py::PyLong_AsLong(op) as u8));
        }
        let part = |i| py::PyTuple_GET_ITEM(op, i);
        let inner = || read_shape(part(1)).map(Box::new);
        Ok(match py::PyLong_AsLong(part(0)) {
            1 => Shape::Nullable(inner()?),
            2 => Shape::List(inner()?),
            3 => Shape::Set(inner()?),
            4 => Shape::FrozenSet(inner()?),
            5 => Shape::Tuple(inner()?),
            6 => {
                let shapes: Result<Vec<_>, _> = items(part(1)).map(|op| read_shape(op)).collect();
                Shape::Row(shapes?)
            }
            7 => Shape::Dict(inner()?),
            8 => Shape::Model(py::PyLong_AsSize_t(part(1))),
            9 => Shape::Literal(Owned::from_borrowed(part(1))),
            10 => {
                let both = items(part(1)).zip(items(part(2)));
                Shape::Enum(
                    both.map(|(member, value)| {
                        (Owned::from_borrowed(member), Owned::from_borrowed(value))
                    })
                    .collect(),
                )
            }
            11 => Shape::DateTime(Owned::from_borrowed(part(1))),
            12 => Shape::Date,
            13 => Shape::Uuid(Owned::from_borrowed(part(1))),
            14 => Shape::Decimal(Owned::from_borrowed(part(1))),
            15 => Shape::Time,
            16 => Shape::Duration,
            17 => Shape::Union(
                py::PyLong_AsLong(part(1)) as u8,
                items(part(2)).map(|op| py::PyLong_AsSize_t(op)).collect(),
            ),
            _ => Shape::Any,
        })
    }
}

/// The items of a tuple, borrowed.
unsafe fn items(tuple: *mut PyObject) -> impl Iterator<Item = *mut PyObject> {
    // SAFETY: the caller's tuple outlives the iterator.
    unsafe { (0..py::PyTuple_GET_SIZE(tuple)).map(move |i| py::PyTuple_GET_ITEM(tuple, i)) }
}

/// The first two.
unsafe fn pair(tuple: *mut PyObject) -> [*mut PyObject; 2] {
    // SAFETY: the caller's tuple has them.
    unsafe {
        [
            py::PyTuple_GET_ITEM(tuple, 0),
            py::PyTuple_GET_ITEM(tuple, 1),
        ]
    }
}
