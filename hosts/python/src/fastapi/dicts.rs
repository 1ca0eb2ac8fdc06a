//! Dicts: copies of their tables, and members one by one.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::frame::{Frame, Table, Way};
use super::settings::{Scope, Settings};
use super::tree::{Begun, Tree, is_atom, next};
use crate::encode::names;
use crate::ffi::dict;
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::str;

/// Whether the characters of a `str` begin with `_sa`.
///
/// # Safety
/// `key` is a `str`.
#[inline(always)]
pub unsafe fn is_private(key: *mut PyObject) -> bool {
    // SAFETY: as the caller says; a NUL follows the characters.
    unsafe {
        if let Some((text, len)) = str::ascii_behind_head(key) {
            return len >= 3
                && text.cast::<u32>().read_unaligned().to_le() & 0xFF_FFFF == 0x61_735F;
        }
        is_private_wide(key)
    }
}

#[cold]
unsafe fn is_private_wide(key: *mut PyObject) -> bool {
    // SAFETY: the caller's.
    match unsafe { str::chars(key) } {
        Some(str::Chars::Ascii(text) | str::Chars::Latin1(text)) => text.starts_with(b"_sa"),
        Some(str::Chars::Ucs2(text)) => text.starts_with(&[0x5F, 0x73, 0x61]),
        Some(str::Chars::Ucs4(text)) => text.starts_with(&[0x5F, 0x73, 0x61]),
        None => {
            // SAFETY: the GIL is held.
            unsafe { py::PyErr_Clear() };
            false
        }
    }
}

impl Tree<'_> {
    pub(super) unsafe fn enter_dict(&mut self, op: Owned, scope: Scope, depth: usize) -> Begun {
        // SAFETY: it is an exact dict, of which no code of a user runs while
        // it is looked through.
        unsafe {
            if scope.has(Scope::FILTERED) || !self.passes_atoms(scope)? {
                return self.enter_items(op, scope, depth);
            }
            let Some(table) = Table::of(op.as_ptr()) else {
                return self.enter_items(op, scope, depth);
            };
            let first = match self.first_changed(&table) {
                Stay::All(first) => first,
                Stay::Atoms => return self.atoms(&table).map(Some),
                Stay::Others => return self.enter_items(op, scope, depth),
            };
            let result = Owned::from_call(py::PyDict_Copy(op.as_ptr()))?;
            if first == table.count {
                return Ok(Some(result));
            }
            let same = Table::of(result.as_ptr()).is_some_and(|copy| copy.is_like(&table));
            if !same || Table::of(op.as_ptr()) != Some(table) {
                return self.enter_items(op, scope, depth);
            }
            let scope = scope.of_members(self.parts);
            self.frames.push(Frame {
                pos: first,
                table,
                ..Frame::new(Way::Table, op, result, scope, depth, self.called)
            });
            Ok(None)
        }
    }

    /// Which members stay as they are.
    unsafe fn first_changed(&self, table: &Table) -> Stay {
        let mut first = table.count;
        let mut dropped = false;
        for i in 0..table.count {
            // SAFETY: the table is that of a dict which does not change.
            unsafe {
                let [key, value] = table.entry(i);
                if value.is_null() {
                    continue;
                }
                if py::PyUnicode_CheckExact(key) == 0 {
                    return Stay::Others;
                }
                if self.drops(key, value) {
                    dropped = true;
                } else if first == table.count && !is_atom(py::Py_TYPE(value)) {
                    first = i;
                }
            }
        }
        match (dropped, first == table.count) {
            (false, _) => Stay::All(first),
            (true, true) => Stay::Atoms,
            (true, false) => Stay::Others,
        }
    }

    /// Whether a member is left out, whatever the filters say.
    ///
    /// # Safety
    /// Both are alive, and the key is an exact `str`.
    #[inline(always)]
    pub unsafe fn drops(&self, key: *mut PyObject, value: *mut PyObject) -> bool {
        // SAFETY: as the caller says.
        unsafe {
            self.settings.safe && is_private(key) || self.settings.no_none && value == py::Py_None()
        }
    }

    /// A dict of the members that are not left out.
    unsafe fn atoms(&self, table: &Table) -> Result<Owned, Raised> {
        let mut parts = Vec::with_capacity(2 * table.count);
        // SAFETY: the table is that of a dict which does not change; the parts
        // are owned, and taken over.
        unsafe {
            for i in 0..table.count {
                let [key, value] = table.entry(i);
                if !value.is_null() && !self.drops(key, value) {
                    parts.extend([key, value].map(|op| Owned::from_borrowed(op).into_ptr()));
                }
            }
            Owned::from_call(dict::from_owned(&parts))
        }
    }

    pub(super) unsafe fn table(&mut self) -> Begun {
        // SAFETY: the frame owns the dict and its copy, which nobody else
        // changes.
        unsafe {
            let Some(copy) = Table::of(self.top().result.as_ptr()) else {
                return Ok(self.leave());
            };
            loop {
                let called = self.called;
                let frame = self.top();
                if called != frame.called && !is_unchanged(frame, &copy) {
                    return self.enter_changed();
                }
                let (scope, depth) = (frame.scope, frame.depth);
                if frame.pos == copy.count {
                    return Ok(self.leave());
                }
                let [_, value] = copy.entry(frame.pos);
                if value.is_null() || is_atom(py::Py_TYPE(value)) {
                    frame.pos += 1;
                    continue;
                }
                match self.value(Owned::from_borrowed(value), scope, depth + 1)? {
                    Some(made) => self.top().put(made)?,
                    None => return Ok(None),
                }
            }
        }
    }

    /// Goes on member by member in a dict that has changed.
    #[cold]
    unsafe fn enter_changed(&mut self) -> Begun {
        // SAFETY: the frame owns the dict and its copy.
        unsafe {
            let frame = self.top();
            let copy = frame.result.as_ptr();
            let Some(table) = Table::of(copy) else {
                return Ok(self.leave());
            };
            let allowed = Owned::from_call(py::PySet_New(copy))?;
            let result = Owned::from_call(py::PyDict_New())?;
            frame.left = table.members as usize;
            for i in 0..frame.pos {
                let [key, value] = table.entry(i);
                if value.is_null() {
                    continue;
                }
                if py::PyDict_SetItem(result.as_ptr(), key, value) != 0 {
                    return Err(Raised);
                }
                frame.left -= 1;
            }
            frame.way = Way::Members;
            frame.result = result;
            frame.allowed = Some(allowed);
            Ok(None)
        }
    }

    /// Goes through a dict by its methods, as the original does.
    pub(super) unsafe fn enter_items(&mut self, op: Owned, scope: Scope, depth: usize) -> Begun {
        // SAFETY: the value is owned.
        unsafe {
            let foreign = py::PyDict_CheckExact(op.as_ptr()) == 0;
            self.called += u64::from(foreign);
            let allowed = allowed_keys(self.settings, &op, scope.has(Scope::FILTERED))?;
            let (source, way) = if foreign {
                let items = names::ITEMS.get()?;
                let items = py::PyObject_CallMethodNoArgs(op.as_ptr(), items);
                let items = Owned::from_call(items)?;
                let source = Owned::from_call(py::PyObject_GetIter(items.as_ptr()))?;
                (source, Way::Items)
            } else {
                (op, Way::Members)
            };
            let members = if foreign {
                0
            } else {
                dict::len(source.as_ptr())
            };
            let result = Owned::from_call(py::PyDict_New())?;
            let scope = scope.of_members(self.parts);
            self.frames.push(Frame {
                foreign,
                allowed: Some(allowed),
                table: Table::of_size(members),
                left: members as usize,
                ..Frame::new(way, source, result, scope, depth, self.called)
            });
            Ok(None)
        }
    }

    pub(super) unsafe fn items(&mut self) -> Begun {
        // SAFETY: the frame owns its iterator.
        unsafe {
            loop {
                let frame = self.top();
                let (scope, depth, foreign) = (frame.scope, frame.depth, frame.foreign);
                let member = if frame.way == Way::Members {
                    frame.next_member()?
                } else {
                    let item = next(frame.source.as_ptr())?;
                    self.called += u64::from(foreign);
                    item.map(|item| self.pair(item)).transpose()?
                };
                let Some([key, value]) = member else {
                    return Ok(self.leave());
                };
                if !self.is_wanted(&key, &value)? {
                    continue;
                }
                let key = self.key(key, scope, depth + 1)?;
                self.top().key = Some(key);
                match self.value(value, scope, depth + 1)? {
                    Some(made) => self.top().put(made)?,
                    None => return Ok(None),
                }
            }
        }
    }

    /// Whether a member belongs into the result.
    unsafe fn is_wanted(&mut self, key: &Owned, value: &Owned) -> Result<bool, Raised> {
        // SAFETY: both are owned.
        unsafe {
            if self.settings.safe && self.is_private_key(key)? {
                return Ok(false);
            }
            if self.settings.no_none && value.as_ptr() == py::Py_None() {
                return Ok(false);
            }
            let Some(allowed) = &self.top().allowed else {
                return Ok(true);
            };
            match py::PySet_Contains(allowed.as_ptr(), key.as_ptr()) {
                -1 => Err(Raised),
                truth => Ok(truth == 1),
            }
        }
    }

    pub(super) unsafe fn is_private_key(&mut self, key: &Owned) -> Result<bool, Raised> {
        // SAFETY: the key is owned.
        unsafe {
            let op = key.as_ptr();
            if py::PyUnicode_CheckExact(op) != 0 {
                return Ok(is_private(op));
            }
            let text = (&raw mut py::PyUnicode_Type).cast();
            match py::PyObject_IsInstance(op, text) {
                -1 => return Err(Raised),
                0 => return Ok(false),
                _ => {}
            }
            self.called += 1;
            let prefix = names::PRIVATE.get()?;
            let method = names::STARTSWITH.get()?;
            let answer = Owned::from_call(py::PyObject_CallMethodOneArg(op, method, prefix))?;
            match py::PyObject_IsTrue(answer.as_ptr()) {
                -1 => Err(Raised),
                truth => Ok(truth == 1),
            }
        }
    }

    /// A key, encoded.
    pub(super) unsafe fn key(
        &mut self,
        key: Owned,
        scope: Scope,
        depth: usize,
    ) -> Result<Owned, Raised> {
        // SAFETY: the key is owned.
        unsafe {
            if scope.has(Scope::CUSTOM)
                && let Some(made) = self.custom(&key)?
            {
                return Ok(made);
            }
            if is_atom(py::Py_TYPE(key.as_ptr())) {
                return Ok(key);
            }
            self.called += 1;
            // Containers inside of keys are the one thing that nests on the C
            // stack.
            if py::Py_EnterRecursiveCall(c" while calling a Python object".as_ptr()) != 0 {
                return Err(Raised);
            }
            let made = self.of(key, scope, depth);
            py::Py_LeaveRecursiveCall();
            made
        }
    }
}

/// The keys that members of a dict may have, a set.
///
/// # Safety
/// The GIL is held.
pub unsafe fn allowed_keys(
    settings: &Settings,
    dict: &Owned,
    filtered: bool,
) -> Result<Owned, Raised> {
    // SAFETY: the dict is owned.
    unsafe {
        let keys = py::PyObject_CallMethodNoArgs(dict.as_ptr(), names::KEYS.get()?);
        let keys = Owned::from_call(keys)?;
        let mut allowed = Owned::from_call(py::PySet_New(keys.as_ptr()))?;
        if !filtered {
            return Ok(allowed);
        }
        if let Some(include) = &settings.include {
            let include = Owned::from_call(py::PySet_New(include.as_ptr()))?;
            let both = py::PyNumber_InPlaceAnd(allowed.as_ptr(), include.as_ptr());
            allowed = Owned::from_call(both)?;
        }
        if let Some(exclude) = &settings.exclude {
            let exclude = Owned::from_call(py::PySet_New(exclude.as_ptr()))?;
            let left = py::PyNumber_InPlaceSubtract(allowed.as_ptr(), exclude.as_ptr());
            allowed = Owned::from_call(left)?;
        }
        Ok(allowed)
    }
}

/// Which members of a dict stay as they are.
enum Stay {
    /// All stay, under their keys; the entry of the first whose value does not
    /// stand for itself, or their count.
    All(usize),
    /// Some are left out, and all others stand for themselves.
    Atoms,
    /// Neither.
    Others,
}

/// Whether the dict of the frame is what its copy is, from where it stands on.
unsafe fn is_unchanged(frame: &Frame, copy: &Table) -> bool {
    // SAFETY: the frame owns the dict and its copy; entries are only read in
    // a table that is the same.
    unsafe {
        Table::of(frame.source.as_ptr()).is_some_and(|table| {
            table == frame.table
                && (frame.pos == table.count || table.entry(frame.pos) == copy.entry(frame.pos))
        })
    }
}
