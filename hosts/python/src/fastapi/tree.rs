//! `jsonable_encoder`: from an object to a new tree of what JSON has.
//!
//! Exact built-in types take the short way: a list is filled to its size, a
//! dict whose keys all stay becomes a copy of its key table in which only the
//! values that change are replaced. Everything else is told by its class
//! ([`super::kinds`]) and treated as the original treats it, step by step.
//!
//! Code of a user that runs in between may change the containers that the tree
//! stands in. Lists are read by index up to the length that they have then; a
//! dict is held against its table before each of its members, and gone through
//! by an iterator from where it is another one.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::custom::Custom;
use super::dataclass::value_of;
use super::depth;
use super::extras::{self, Extra, Extras};
use super::frame::{Frame, Way};
use super::kinds::{self, Kind};
use super::leaves::spelled;
use super::model::{self, Dumped};
use super::parts::Parts;
use super::related::Via;
use super::settings::{Scope, Settings};
use crate::encode::attributes::own_dict;
use crate::encode::names;
use crate::ffi::owned::{Owned, Raised};

/// What became of a value: its tree, or nothing yet, as a frame was made.
pub type Begun = Result<Option<Owned>, Raised>;

/// A call under way.
pub struct Tree<'a> {
    pub settings: &'a Settings,
    pub parts: &'a Parts,
    pub frames: Vec<Frame>,
    /// How deep calls may nest before [`depth`] is asked.
    pub limit: usize,
    /// What is known of `custom_encoder`.
    pub custom: Custom,
    /// How often code that may be a user's has run.
    pub called: u64,
    /// The mapped objects under way.
    pub via: Option<&'a Via<'a>>,
}

/// Whether objects of this class stand for themselves.
#[inline(always)]
pub fn is_atom(class: *mut py::PyTypeObject) -> bool {
    class == &raw mut py::PyUnicode_Type
        || class == &raw mut py::PyLong_Type
        || class == &raw mut py::PyFloat_Type
        || class == &raw mut py::PyBool_Type
        // SAFETY: `None` is always there.
        || class == unsafe { py::Py_TYPE(py::Py_None()) }
}

impl<'a> Tree<'a> {
    /// Before the first value.
    pub fn new(settings: &'a Settings, parts: &'a Parts) -> Tree<'a> {
        Tree {
            settings,
            parts,
            frames: Vec::new(),
            limit: depth::UNASKED,
            custom: Custom::UNKNOWN,
            called: 0,
            via: None,
        }
    }

    /// The tree of `op`, for which `custom_encoder` was asked already.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn of(&mut self, op: Owned, scope: Scope, depth: usize) -> Result<Owned, Raised> {
        let base = self.frames.len();
        // SAFETY: as the caller says.
        let outcome = unsafe { self.finish(base, op, scope, depth) };
        if outcome.is_err() {
            self.frames.truncate(base);
        }
        outcome
    }

    /// The tree of `op`.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn whole(&mut self, op: Owned, scope: Scope, depth: usize) -> Result<Owned, Raised> {
        // SAFETY: as the caller says.
        unsafe {
            if scope.has(Scope::CUSTOM)
                && let Some(made) = self.custom(&op)?
            {
                return Ok(made);
            }
            self.of(op, scope, depth)
        }
    }

    unsafe fn finish(
        &mut self,
        base: usize,
        op: Owned,
        scope: Scope,
        depth: usize,
    ) -> Result<Owned, Raised> {
        // SAFETY: frames own what they stand in.
        unsafe {
            let mut value = self.begin(op, scope, depth)?;
            loop {
                if let Some(done) = value {
                    if self.frames.len() == base {
                        return Ok(done);
                    }
                    if let Some(top) = self.frames.last_mut() {
                        top.put(done)?;
                    }
                }
                value = self.advance()?;
            }
        }
    }

    /// Goes on in the innermost frame until it is done or another one is made.
    unsafe fn advance(&mut self) -> Begun {
        // SAFETY: frames own what they stand in.
        unsafe {
            match self.top().way {
                Way::List | Way::Tuple => self.sequence(),
                Way::Iterator => self.iterator(),
                Way::Table => self.table(),
                Way::Items | Way::Members => self.items(),
            }
        }
    }

    /// The innermost frame, while there is one.
    pub fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a frame is under way")
    }

    /// What the innermost frame made, which ends.
    pub fn leave(&mut self) -> Option<Owned> {
        self.frames.pop().map(|frame| frame.result)
    }

    /// Begins with a value inside of a container.
    pub(super) unsafe fn value(&mut self, op: Owned, scope: Scope, depth: usize) -> Begun {
        // SAFETY: the value is owned.
        unsafe {
            if scope.has(Scope::CUSTOM)
                && let Some(made) = self.custom(&op)?
            {
                return Ok(Some(made));
            }
            self.begin(op, scope, depth)
        }
    }

    /// Begins with a value for which `custom_encoder` was asked.
    unsafe fn begin(&mut self, mut op: Owned, mut scope: Scope, mut depth: usize) -> Begun {
        // SAFETY: the value is owned, and so is what it turns into.
        unsafe {
            loop {
                if depth > self.limit {
                    self.limit = depth::asked(depth)?;
                }
                let class = py::Py_TYPE(op.as_ptr());
                if is_atom(class) {
                    return Ok(Some(op));
                }
                if scope.has(Scope::EXTRAS) {
                    match self.extra(&op, scope, depth)? {
                        Extra::Not => {}
                        Extra::Done(made) => return Ok(Some(made)),
                        Extra::Instead(made) => {
                            op = made;
                            depth += 1;
                            if scope.has(Scope::CUSTOM)
                                && let Some(made) = self.custom(&op)?
                            {
                                return Ok(Some(made));
                            }
                            continue;
                        }
                    }
                }
                if class == &raw mut py::PyDict_Type {
                    return self.enter_dict(op, scope, depth);
                }
                if class == &raw mut py::PyList_Type || class == &raw mut py::PyTuple_Type {
                    return self.enter_sequence(op, scope, depth);
                }
                match kinds::kind_of(self.parts, op.as_ptr())? {
                    Kind::Atom => return Ok(Some(op)),
                    Kind::Undefined => return Ok(Some(Owned::from_borrowed(py::Py_None()))),
                    Kind::Dict => return self.enter_items(op, scope, depth),
                    Kind::Iterable => return self.enter_iterable(&op, scope, depth),
                    Kind::Enum { in_place, .. } => {
                        if in_place && let Some(value) = value_of(op.as_ptr()) {
                            return Ok(Some(value));
                        }
                        py::PyErr_Clear();
                        self.called += 1;
                        return names::VALUE.of(op.as_ptr()).map(Some);
                    }
                    Kind::Path => {
                        self.called += 1;
                        return Owned::from_call(py::PyObject_Str(op.as_ptr())).map(Some);
                    }
                    Kind::Model => {
                        self.called += 1;
                        op = match model::dumped(self.settings, &op, scope, depth, self.limit)? {
                            Dumped::Done(made) => return Ok(Some(made)),
                            Dumped::Again(made) => made,
                            Dumped::Not => self.dump(&op, scope)?,
                        };
                        scope = scope.of_dump();
                    }
                    Kind::Leaf(leaf) => {
                        if self.parts.has_own_encoder(leaf, class)
                            && let Some(made) = spelled(leaf, op.as_ptr())
                        {
                            return made.map(Some);
                        }
                        match self.other(&op, Kind::Asked)? {
                            Other::Encoded(made) => return Ok(Some(made)),
                            Other::Members(members) => op = members,
                        }
                    }
                    Kind::Dataclass => {
                        if let Some(made) = self.instance(&op, scope, depth) {
                            return Ok(Some(made));
                        }
                        self.called += 1;
                        let members = py::PyObject_CallOneArg(self.parts.asdict, op.as_ptr());
                        op = Owned::from_call(members)?;
                    }
                    Kind::Object if let Some(own) = self.members_of(op.as_ptr()) => op = own,
                    kind => match self.other(&op, kind)? {
                        Other::Encoded(made) => return Ok(Some(made)),
                        Other::Members(members) => op = members,
                    },
                }
                depth += 1;
                if scope.has(Scope::CUSTOM)
                    && let Some(made) = self.custom(&op)?
                {
                    return Ok(Some(made));
                }
            }
        }
    }

    /// What a model's `model_dump` gives.
    pub(super) unsafe fn dump(&self, op: &Owned, scope: Scope) -> Result<Owned, Raised> {
        let given = self.settings.of_model(scope);
        if self.settings.extras.has(Extras::NUMPY) {
            // SAFETY: the object and the arguments are alive.
            return unsafe { extras::dump(op, given) };
        }
        // SAFETY: the object and the arguments are alive.
        unsafe {
            let mode = names::JSON.get()?;
            let [include, exclude, by_alias, unset, none, defaults] = given;
            let args = [
                op.as_ptr(),
                mode,
                include,
                exclude,
                by_alias,
                unset,
                none,
                defaults,
            ];
            Owned::from_call(py::PyObject_VectorcallMethod(
                names::MODEL_DUMP.get()?,
                args.as_ptr(),
                1,
                self.parts.dump_names,
            ))
        }
    }

    /// The dict of an instance of [`Kind::Object`], if that is what stands for
    /// it. There is no exception if not.
    pub(super) unsafe fn members_of(&self, op: *mut PyObject) -> Option<Owned> {
        // SAFETY: the caller's object is alive and of that kind; it keeps its
        // dict.
        unsafe {
            if self.parts.has_encoder(py::Py_TYPE(op)) {
                return None;
            }
            let own = own_dict(op)?;
            if py::PyDict_Contains(own, names::KEYS.get().ok()?) != 0 {
                py::PyErr_Clear();
                return None;
            }
            Some(Owned::from_borrowed(own))
        }
    }

    /// A value that none of the kinds is for.
    unsafe fn other(&mut self, op: &Owned, kind: Kind) -> Result<Other, Raised> {
        self.called += 1;
        // SAFETY: the value is owned, and so are the tables.
        unsafe {
            if kind == Kind::Refused {
                // It raises.
                let made = py::PyObject_CallOneArg(self.parts.original, op.as_ptr());
                return Owned::from_call(made).map(Other::Encoded);
            }
            let table = self.parts.by_type()?;
            let class = py::Py_TYPE(op.as_ptr()).cast::<PyObject>();
            let encoder = lookup(table.as_ptr(), class)?;
            if let Some(encoder) = encoder {
                let made = py::PyObject_CallOneArg(encoder.as_ptr(), op.as_ptr());
                return Owned::from_call(made).map(Other::Encoded);
            }
            let (encoder, refused) = if let Kind::Other { encoder, refused } = kind {
                (encoder, refused)
            } else {
                let encoder = kinds::frozen(self.parts, op.as_ptr())?;
                let refused = encoder.is_null() && kinds::is_v1(self.parts, op.as_ptr())?;
                (encoder, refused)
            };
            if !encoder.is_null() {
                let made = py::PyObject_CallOneArg(encoder, op.as_ptr());
                return Owned::from_call(made).map(Other::Encoded);
            }
            if refused {
                let made = py::PyObject_CallOneArg(self.parts.original, op.as_ptr());
                return Owned::from_call(made).map(Other::Encoded);
            }
            let members = py::PyObject_CallOneArg(self.parts.members, op.as_ptr());
            Owned::from_call(members).map(Other::Members)
        }
    }

    /// Unpacks an item of a dict's items.
    pub(super) unsafe fn pair(&self, item: Owned) -> Result<[Owned; 2], Raised> {
        // SAFETY: the item is owned.
        unsafe {
            let op = item.as_ptr();
            let is_pair = |op| py::PyTuple_CheckExact(op) != 0 && py::PyTuple_GET_SIZE(op) == 2;
            let item = if is_pair(op) {
                item
            } else {
                Owned::from_call(py::PyObject_CallOneArg(self.parts.pair, op))?
            };
            let part = |i| Owned::from_borrowed(py::PyTuple_GET_ITEM(item.as_ptr(), i));
            Ok([part(0), part(1)])
        }
    }

    /// Whether values that stand for themselves do so here.
    #[inline(always)]
    pub(super) unsafe fn passes_atoms(&mut self, scope: Scope) -> Result<bool, Raised> {
        // SAFETY: there is a `custom_encoder` in such a scope.
        Ok(!scope.has(Scope::CUSTOM) || unsafe { self.custom_now()?.passes_atoms })
    }
}

/// What [`Tree::other`] found.
enum Other {
    /// What stands for the value, as it is.
    Encoded(Owned),
    /// Its members, which are encoded instead.
    Members(Owned),
}

/// The next item of an iterator.
pub unsafe fn next(iterator: *mut PyObject) -> Result<Option<Owned>, Raised> {
    // SAFETY: the caller owns the iterator.
    unsafe {
        let item = Owned::from_new(py::PyIter_Next(iterator));
        if item.is_none() && !py::PyErr_Occurred().is_null() {
            return Err(Raised);
        }
        Ok(item)
    }
}

/// What a mapping has under a key, if the key is in it.
pub unsafe fn lookup(mapping: *mut PyObject, key: *mut PyObject) -> Result<Option<Owned>, Raised> {
    // SAFETY: the caller owns both.
    unsafe {
        if py::PyDict_CheckExact(mapping) != 0 {
            let found = py::PyDict_GetItemWithError(mapping, key);
            if !found.is_null() {
                return Ok(Some(Owned::from_borrowed(found)));
            }
            if !py::PyErr_Occurred().is_null() {
                return Err(Raised);
            }
            return Ok(None);
        }
        match py::PySequence_Contains(mapping, key) {
            -1 => Err(Raised),
            0 => Ok(None),
            _ => Owned::from_call(py::PyObject_GetItem(mapping, key)).map(Some),
        }
    }
}

/// Calls `jsonable_encoder` for the object of a call.
///
/// # Safety
/// The GIL is held, and `obj` is alive.
pub unsafe fn encoded(
    parts: &Parts,
    settings: &mut Settings,
    obj: *mut PyObject,
) -> Result<Owned, Raised> {
    // SAFETY: as the caller says.
    unsafe {
        let scope = settings.scope();
        let op = Owned::from_borrowed(obj);
        if scope.has(Scope::CUSTOM)
            && let Some(made) = Tree::new(settings, parts).custom(&op)?
        {
            return Ok(made);
        }
        settings.coerce()?;
        Tree::new(settings, parts).of(op, scope, 1)
    }
}
