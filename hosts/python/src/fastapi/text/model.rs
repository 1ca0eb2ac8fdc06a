//! Models of plain classes: what [`crate::fastapi::reader`] makes a tree of.

use linecaster_kernel::output::Output;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::Writer;
use crate::encode::aside;
use crate::encode::attributes::own_dict;
use crate::encode::names;
use crate::fastapi::dicts::is_private;
use crate::fastapi::frame::Table;
use crate::fastapi::model::Reading;
use crate::fastapi::plan::{Known, Model, Plan, Shape, atoms};
use crate::fastapi::reader::{Moment, atom, is_key, is_same};
use crate::fastapi::sequences::items_of;
use crate::ffi::dict_entries::Entries;
use crate::ffi::int::{self, Int};
use crate::ffi::owned::Owned;
use crate::ffi::set::Items;

/// A plan, and the options for it.
#[derive(Clone, Copy)]
struct Reads<'p> {
    plan: &'p Plan,
    options: Reading,
}

impl<O: Output> Writer<'_, '_, O> {
    /// Writes a model.
    ///
    /// # Safety
    /// The GIL is held, the model is alive, and that is known of its class.
    pub unsafe fn root(&mut self, known: &Known, op: *mut PyObject, levels: usize) -> Option<()> {
        let reads = Reads {
            plan: known.plan.as_ref()?,
            options: self.call.reading?,
        };
        // SAFETY: as the caller says.
        unsafe { self.model(reads, &reads.plan.0[0], op, levels) }
    }

    unsafe fn model(
        &mut self,
        reads: Reads<'_>,
        model: &Model,
        op: *mut PyObject,
        levels: usize,
    ) -> Option<()> {
        let Reading {
            by_alias,
            unset,
            no_none,
            safe,
        } = reads.options;
        let private = if by_alias {
            model.private_alias
        } else {
            model.private_name
        };
        if levels == 0 || safe && private {
            return None;
        }
        // SAFETY: the model is alive, and keeps its dict, which nobody changes.
        unsafe {
            let table = Table::of(own_dict(op)?)?;
            let count = model.fields.len();
            if table.count != count || table.members as usize != count {
                return None;
            }
            let set = if unset { Some(fields_set(op)?) } else { None };
            self.open(b'{')?;
            for (i, field) in model.fields.iter().enumerate() {
                let [key, value] = table.entry(i);
                if !is_same(key, field.name.as_ptr()) {
                    return None;
                }
                if no_none && is_none(&field.shape, value) {
                    continue;
                }
                if let Some(set) = &set {
                    match py::PySet_Contains(set.as_ptr(), field.name.as_ptr()) {
                        1 => {}
                        0 => continue,
                        _ => return None,
                    }
                }
                let name = if by_alias { &field.alias } else { &field.name };
                self.key(name.as_ptr())?;
                self.shaped(reads, &field.shape, value, levels - 1)?;
            }
            self.close(b'}')
        }
    }

    /// Writes an atom of one of these types.
    #[inline(always)]
    unsafe fn atom(&mut self, which: u8, op: *mut PyObject) -> Option<()> {
        // SAFETY: the value is alive, and there is room.
        unsafe {
            let is_int = py::Py_TYPE(op) == &raw mut py::PyLong_Type;
            if is_int
                && which & atoms::INT != 0
                && let Int::Signed(value) = int::value(op)
            {
                self.room()?;
                self.quick.int(value);
                return Some(());
            }
            if which & atom(op) == 0 {
                return None;
            }
            self.leaf(op)
        }
    }

    #[inline]
    unsafe fn shaped(
        &mut self,
        reads: Reads<'_>,
        shape: &Shape,
        op: *mut PyObject,
        levels: usize,
    ) -> Option<()> {
        if let &Shape::Atoms(which) = shape {
            // SAFETY: as for [`Writer::formed`].
            return unsafe { self.atom(which, op) };
        }
        // SAFETY: likewise.
        unsafe { self.formed(reads, shape, op, levels) }
    }

    /// Writes a value that is no atom.
    unsafe fn formed(
        &mut self,
        reads: Reads<'_>,
        shape: &Shape,
        op: *mut PyObject,
        levels: usize,
    ) -> Option<()> {
        if levels == 0 {
            return None;
        }
        // SAFETY: the value is held by a container that nobody changes.
        unsafe {
            let class = py::Py_TYPE(op);
            let is = |of: *mut py::PyTypeObject| (class == of).then_some(());
            match shape {
                &Shape::Atoms(which) => self.atom(which, op),
                Shape::Any if atom(op) != 0 => self.leaf(op),
                Shape::Any if class == &raw mut py::PyList_Type => {
                    self.array(reads, shape, op, levels)
                }
                Shape::Any => self.dict(reads, shape, op, levels),
                Shape::Nullable(_) if op == py::Py_None() => self.leaf(op),
                Shape::Nullable(inner) => self.shaped(reads, inner, op, levels),
                Shape::List(inner) => {
                    is(&raw mut py::PyList_Type)?;
                    self.array(reads, inner, op, levels)
                }
                Shape::Tuple(inner) => {
                    is(&raw mut py::PyTuple_Type)?;
                    self.array(reads, inner, op, levels)
                }
                Shape::Set(inner) => {
                    is(&raw mut py::PySet_Type)?;
                    self.set(reads, inner, op, levels)
                }
                Shape::FrozenSet(inner) => {
                    is(&raw mut py::PyFrozenSet_Type)?;
                    self.set(reads, inner, op, levels)
                }
                Shape::Row(shapes) => {
                    is(&raw mut py::PyTuple_Type)?;
                    self.row(reads, shapes, op, levels)
                }
                Shape::Dict(inner) => self.dict(reads, inner, op, levels),
                Shape::Model(index) => {
                    let model = &reads.plan.0[*index];
                    is(model.class.as_ptr().cast())?;
                    self.model(reads, model, op, levels)
                }
                Shape::Literal(expected) => {
                    is(&raw mut py::PyUnicode_Type)?;
                    if py::PySet_Contains(expected.as_ptr(), op) != 1 {
                        return None;
                    }
                    self.leaf(op)
                }
                Shape::Enum(members) => self.leaf(value_of(members, op)?),
                Shape::Union(which, models) => {
                    if which & atom(op) != 0 {
                        return self.leaf(op);
                    }
                    let model = reads.plan.of_class(models, class)?;
                    self.model(reads, model, op, levels)
                }
                _ => self.scalar(shape, op),
            }
        }
    }

    /// Writes a value that becomes a text of its own.
    unsafe fn scalar(&mut self, shape: &Shape, op: *mut PyObject) -> Option<()> {
        // SAFETY: the value is alive.
        unsafe {
            let is = |of: *mut py::PyTypeObject| (py::Py_TYPE(op) == of).then_some(());
            match shape {
                Shape::Uuid(of) => {
                    is(of.as_ptr().cast())?;
                    self.with(|quick| aside::identifier(quick, op))
                }
                Shape::Decimal(of) => {
                    is(of.as_ptr().cast())?;
                    // That in Python would call more of it.
                    self.call.parts.leaves.of(of.as_ptr().cast())?;
                    let text = Owned::from_new(py::PyObject_Str(op))?;
                    self.leaf(text.as_ptr())
                }
                _ => {
                    let moment = Moment::of(shape, op)?;
                    self.with(|quick| aside::stamped(quick, |text| moment.write(text)))
                }
            }
        }
    }

    /// An exact list or tuple.
    unsafe fn array(
        &mut self,
        reads: Reads<'_>,
        shape: &Shape,
        op: *mut PyObject,
        levels: usize,
    ) -> Option<()> {
        // SAFETY: nobody changes it.
        unsafe {
            let (items, len) = items_of(op, py::PyList_CheckExact(op) != 0);
            self.open(b'[')?;
            for i in 0..len {
                self.shaped(reads, shape, *items.add(i), levels - 1)?;
            }
            self.close(b']')
        }
    }

    unsafe fn set(
        &mut self,
        reads: Reads<'_>,
        shape: &Shape,
        op: *mut PyObject,
        levels: usize,
    ) -> Option<()> {
        // SAFETY: nobody changes it.
        unsafe {
            let items = Items::of(op)?;
            self.open(b'[')?;
            for item in items.iter() {
                self.shaped(reads, shape, item, levels - 1)?;
            }
            self.close(b']')
        }
    }

    /// A tuple whose items have shapes of their own.
    unsafe fn row(
        &mut self,
        reads: Reads<'_>,
        shapes: &[Shape],
        op: *mut PyObject,
        levels: usize,
    ) -> Option<()> {
        // SAFETY: nobody changes it.
        unsafe {
            let (items, len) = items_of(op, false);
            if len != shapes.len() {
                return None;
            }
            self.open(b'[')?;
            for (i, shape) in shapes.iter().enumerate() {
                self.shaped(reads, shape, *items.add(i), levels - 1)?;
            }
            self.close(b']')
        }
    }

    /// An exact dict with `str` keys.
    unsafe fn dict(
        &mut self,
        reads: Reads<'_>,
        shape: &Shape,
        op: *mut PyObject,
        levels: usize,
    ) -> Option<()> {
        // SAFETY: nobody changes it.
        unsafe {
            if py::PyDict_CheckExact(op) == 0 {
                return None;
            }
            let (entries, mut pos) = (Entries::of(op), 0);
            self.open(b'{')?;
            while let Some([key, value]) = entries.next(&mut pos) {
                if !is_key(key) || reads.options.safe && is_private(key) {
                    return None;
                }
                if reads.options.no_none && is_none(shape, value) {
                    continue;
                }
                self.key(key)?;
                self.shaped(reads, shape, value, levels - 1)?;
            }
            self.close(b'}')
        }
    }
}

/// The set of the fields that were set.
unsafe fn fields_set(op: *mut PyObject) -> Option<Owned> {
    // SAFETY: the caller's model is alive.
    unsafe {
        let set = names::FIELDS_SET.of(op).ok()?;
        (py::Py_TYPE(set.as_ptr()) == &raw mut py::PySet_Type).then_some(set)
    }
}

/// What stands for a member.
unsafe fn value_of(members: &[(Owned, Owned)], op: *mut PyObject) -> Option<*mut PyObject> {
    let (_, value) = members.iter().find(|(member, _)| member.as_ptr() == op)?;
    Some(value.as_ptr())
}

/// Whether `None` stands for a value.
#[inline(always)]
unsafe fn is_none(shape: &Shape, op: *mut PyObject) -> bool {
    // SAFETY: the value is alive.
    unsafe { op == py::Py_None() || !matches!(shape, Shape::Atoms(_)) && stands_none(shape, op) }
}

#[inline(never)]
unsafe fn stands_none(shape: &Shape, op: *mut PyObject) -> bool {
    // SAFETY: the value is alive.
    unsafe {
        match shape {
            Shape::Nullable(inner) => stands_none(inner, op),
            Shape::Enum(members) => value_of(members, op) == Some(py::Py_None()),
            _ => false,
        }
    }
}
