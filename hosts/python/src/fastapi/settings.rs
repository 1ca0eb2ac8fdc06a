//! What a call asks for.

use core::ptr::null_mut;

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::extras::{Extras, LastColumns};
use super::filters::Filters;
use super::parts::Parts;
use super::sequences::items_of;
use crate::args::Signature;
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::set::Items;

/// Parameters of `jsonable_encoder`; those of `encode` are the same.
pub const PARAMS: [&str; 13] = [
    "obj",
    "include",
    "exclude",
    "by_alias",
    "exclude_unset",
    "exclude_defaults",
    "exclude_none",
    "custom_encoder",
    "sqlalchemy_safe",
    "numpy",
    "deep",
    "rows",
    "relationships",
];

/// How many of them the original has, too. The extras are given by name.
pub const ORIGINAL: usize = 9;

/// The signature of both.
pub const fn signature(name: &'static str) -> Signature {
    Signature {
        name,
        params: &PARAMS,
        required: 1,
        positional: ORIGINAL,
        positional_only: 0,
    }
}

/// Which options hold at some place of the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Scope(u8);

impl Scope {
    /// `include` or `exclude` are given and apply here: not below dicts.
    pub const FILTERED: u8 = 1;
    /// There is a `custom_encoder`: not in what a model gave.
    pub const CUSTOM: u8 = 2;
    /// In what a model gave: `by_alias` and `exclude_unset` have their
    /// defaults.
    pub const DUMPED: u8 = 4;
    /// `exclude_defaults` is as given.
    pub const DEFAULTS: u8 = 8;
    /// [Extras](super::extras) are asked for.
    pub const EXTRAS: u8 = 16;

    /// Whether one of these holds.
    #[inline(always)]
    pub fn has(self, bits: u8) -> bool {
        self.0 & bits != 0
    }

    /// All but these.
    pub fn without(self, bits: u8) -> Scope {
        Scope(self.0 & !bits)
    }

    /// Where there are filters of its own.
    pub fn with_filters(self) -> Scope {
        Scope(self.0 | Scope::FILTERED)
    }

    /// For keys and values of a dict.
    pub fn of_members(self, parts: &Parts) -> Scope {
        if parts.defaults_in_dicts {
            self.without(Scope::FILTERED)
        } else {
            self.without(Scope::FILTERED | Scope::DEFAULTS)
        }
    }

    /// For what a model gave.
    pub fn of_dump(self) -> Scope {
        Scope(self.without(Scope::FILTERED | Scope::CUSTOM).0 | Scope::DUMPED)
    }
}

/// The options of a call. What it does not name is null; the objects are
/// borrowed from its arguments.
pub struct Settings {
    /// `include`, coerced to a set unless it is a set or dict.
    pub include: Option<Owned>,
    /// `exclude`, likewise.
    pub exclude: Option<Owned>,
    by_alias: *mut PyObject,
    exclude_unset: *mut PyObject,
    exclude_defaults: *mut PyObject,
    exclude_none: *mut PyObject,
    /// `custom_encoder`, null if there is none or it is empty.
    pub custom: *mut PyObject,
    /// Members whose value is `None` are left out.
    pub no_none: bool,
    /// Members whose names begin with `_sa` are left out.
    pub safe: bool,
    pub extras: Extras,
    pub columns: LastColumns,
}

impl Settings {
    /// Reads the arguments behind `obj`, null where not given. The filters
    /// are not coerced yet.
    ///
    /// # Safety
    /// The GIL is held, and the arguments are null or outlive the settings.
    pub unsafe fn read(given: &[*mut PyObject; PARAMS.len()]) -> Result<Settings, Raised> {
        let [
            _,
            include,
            exclude,
            by_alias,
            exclude_unset,
            exclude_defaults,
            exclude_none,
            custom,
            safe,
            extras @ ..,
        ] = *given;
        // SAFETY: as the caller says.
        unsafe {
            let filter = |op: *mut PyObject| {
                let given = !op.is_null() && op != py::Py_None();
                given.then(|| Owned::from_borrowed(op))
            };
            Ok(Settings {
                custom: if truth(custom, false)? {
                    custom
                } else {
                    null_mut()
                },
                include: filter(include),
                exclude: filter(exclude),
                by_alias,
                exclude_unset,
                exclude_defaults,
                exclude_none,
                no_none: truth(exclude_none, false)?,
                safe: truth(safe, true)?,
                extras: read_extras(extras)?,
                columns: LastColumns::new(None),
            })
        }
    }

    /// The filters.
    pub fn filters(&self) -> Filters {
        let of = |op: &Option<Owned>| {
            let op = op.as_ref()?;
            // SAFETY: the settings own it.
            Some(unsafe { Owned::from_borrowed(op.as_ptr()) })
        };
        Filters {
            include: of(&self.include),
            exclude: of(&self.exclude),
        }
    }

    /// The same with other filters, which hold at every level.
    pub fn beneath(&self, filters: Filters) -> Settings {
        let Filters { include, exclude } = filters;
        Settings {
            include,
            exclude,
            extras: self.extras.and(Extras::DEEP),
            columns: LastColumns::new(None),
            ..*self
        }
    }

    /// Makes sets of filters that are neither sets nor dicts.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn coerce(&mut self) -> Result<(), Raised> {
        for filter in [&mut self.include, &mut self.exclude].into_iter().flatten() {
            let op = filter.as_ptr();
            // SAFETY: the settings own the filter.
            unsafe {
                if py::PyDict_Check(op) == 0
                    && py::PyType_IsSubtype(py::Py_TYPE(op), &raw mut py::PySet_Type) == 0
                {
                    *filter = Owned::from_call(py::PySet_New(op))?;
                }
            }
        }
        Ok(())
    }

    /// Whether the filters are of exact built-in types and name nothing but
    /// exact strings, so that no code of a user runs when they are asked.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn are_names(&self) -> bool {
        let mut filters = [&self.include, &self.exclude].into_iter().flatten();
        // SAFETY: the settings own the filters.
        filters.all(|filter| unsafe { are_names(filter.as_ptr()) })
    }

    /// Whether the filters, which [are names](Self::are_names), let a key pass;
    /// `false` with an exception set when there is no memory.
    ///
    /// # Safety
    /// The GIL is held, and the key is an exact `str`.
    #[inline]
    pub unsafe fn names(&self, key: *mut PyObject) -> bool {
        // SAFETY: the settings own the filters; no code of a user runs.
        let has = |filter: &Owned| unsafe {
            if py::PyDict_CheckExact(filter.as_ptr()) != 0 {
                py::PyDict_Contains(filter.as_ptr(), key)
            } else {
                py::PySet_Contains(filter.as_ptr(), key)
            }
        };
        self.include.as_ref().is_none_or(|filter| has(filter) == 1)
            && self.exclude.as_ref().is_none_or(|filter| has(filter) == 0)
    }

    /// What holds for the object of the call.
    pub fn scope(&self) -> Scope {
        let mut bits = Scope::DEFAULTS;
        if self.include.is_some() || self.exclude.is_some() {
            bits |= Scope::FILTERED;
        }
        if !self.custom.is_null() {
            bits |= Scope::CUSTOM;
        }
        if self.extras != Extras::NONE {
            bits |= Scope::EXTRAS;
        }
        Scope(bits)
    }

    /// The arguments of `model_dump` behind `mode`, borrowed: `include`,
    /// `exclude`, `by_alias`, `exclude_unset`, `exclude_none`,
    /// `exclude_defaults`.
    pub fn of_model(&self, scope: Scope) -> [*mut PyObject; 6] {
        // SAFETY: the GIL is held by all code that handles objects, and the
        // constants are always there.
        let (yes, no, none) = unsafe { (py::Py_True(), py::Py_False(), py::Py_None()) };
        let or = |given: *mut PyObject, default| if given.is_null() { default } else { given };
        let filter = |filter: &Option<Owned>| match filter {
            Some(filter) if scope.has(Scope::FILTERED) => filter.as_ptr(),
            _ => none,
        };
        let dumped = scope.has(Scope::DUMPED);
        [
            filter(&self.include),
            filter(&self.exclude),
            if dumped { yes } else { or(self.by_alias, yes) },
            if dumped {
                no
            } else {
                or(self.exclude_unset, no)
            },
            or(self.exclude_none, no),
            if scope.has(Scope::DEFAULTS) {
                or(self.exclude_defaults, no)
            } else {
                no
            },
        ]
    }
}

/// The extras that are asked for.
unsafe fn read_extras(given: [*mut PyObject; PARAMS.len() - ORIGINAL]) -> Result<Extras, Raised> {
    let mut extras = Extras::NONE;
    for (op, extra) in given.into_iter().zip([
        Extras::NUMPY,
        Extras::DEEP,
        Extras::ROWS,
        Extras::RELATIONSHIPS,
    ]) {
        // SAFETY: the caller's arguments are null or alive.
        if unsafe { truth(op, false)? } {
            extras = extras.and(extra);
        }
    }
    Ok(extras)
}

/// Whether an argument counts as true.
unsafe fn truth(op: *mut PyObject, default: bool) -> Result<bool, Raised> {
    // SAFETY: the argument is null or alive.
    unsafe {
        if op.is_null() {
            return Ok(default);
        }
        match py::PyObject_IsTrue(op) {
            -1 => Err(Raised),
            truth => Ok(truth == 1),
        }
    }
}

unsafe fn are_names(filter: *mut PyObject) -> bool {
    // SAFETY: the caller owns the filter, which is of the type that is found.
    unsafe {
        let is_name = |op: *mut PyObject| py::PyUnicode_CheckExact(op) != 0;
        let class = py::Py_TYPE(filter);
        if class == &raw mut py::PyDict_Type {
            return Entries::all_strings(filter);
        }
        if class == &raw mut py::PySet_Type || class == &raw mut py::PyFrozenSet_Type {
            return Items::of(filter).is_some_and(|items| items.iter().all(is_name));
        }
        let is_list = class == &raw mut py::PyList_Type;
        if !is_list && class != &raw mut py::PyTuple_Type {
            return false;
        }
        let (items, len) = items_of(filter, is_list);
        (0..len).all(|i| is_name(*items.add(i)))
    }
}
