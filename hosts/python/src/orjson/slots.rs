//! Dataclasses with `__slots__`: where their fields lie in an instance.
//!
//! Worked out once per class, after its first instance has taken the general
//! way, and kept by address and version tag, as in
//! [`crate::encode::classes`]. What a class declares counts as it was then,
//! as long as none of its attributes is set.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};

use crate::encode::attributes::{assigned_version, inherited, is_generic, slot_offset, version};
use crate::encode::gathered::Member;
use crate::encode::names;
use crate::ffi::owned::{Owned, Raised};

/// A class.
struct Slots {
    class: *mut PyTypeObject,
    version: u32,
    /// The names of the fields, and where each value lies; none if they are
    /// not all in slots.
    fields: Vec<(Owned, Py_ssize_t)>,
}

const ENTRIES: usize = 16;

struct Table(UnsafeCell<[Option<Slots>; ENTRIES]>);

// SAFETY: it is only reached while the GIL is held, and no code of a user
// runs while a reference into it is alive.
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new([const { None }; ENTRIES]));

fn entry(class: *mut PyTypeObject) -> *mut Option<Slots> {
    let index = (class as usize >> 6) % ENTRIES;
    // SAFETY: there are as many.
    unsafe { TABLE.0.get().cast::<Option<Slots>>().add(index) }
}

/// What is known of a class, which may be that it has no such fields.
unsafe fn known<'a>(class: *mut PyTypeObject) -> Option<&'a Slots> {
    // SAFETY: the caller holds the GIL, and the class is alive.
    unsafe {
        let slots = (*entry(class)).as_ref()?;
        (slots.class == class && slots.version == version(class)).then_some(slots)
    }
}

/// The fields of an instance, as [`crate::encode::door::Door::fields`] gives
/// them.
///
/// # Safety
/// The GIL is held, and `op` is alive.
pub unsafe fn gather(op: *mut PyObject, room: &mut [MaybeUninit<Member>]) -> Option<usize> {
    // SAFETY: as the caller says. The instances of the class have references
    // there, or null for a field that is not set.
    unsafe {
        let fields = &known(py::Py_TYPE(op))?.fields;
        let room = room.get_mut(..fields.len())?;
        for (member, (name, offset)) in room.iter_mut().zip(fields) {
            let value = *op.byte_offset(*offset).cast::<*mut PyObject>();
            if value.is_null() {
                return None;
            }
            member.write(Member::new(name.as_ptr(), value));
        }
        (!fields.is_empty()).then_some(fields.len())
    }
}

/// Notes where the fields of these names lie in instances of a class.
///
/// # Safety
/// The GIL is held, the class is alive, and `names` are the keys of a dict.
pub unsafe fn learn(class: *mut PyTypeObject, names: *mut PyObject) -> Result<(), Raised> {
    // SAFETY: as the caller says.
    unsafe {
        let version = assigned_version(class)?;
        if version == 0 || known(class).is_some() {
            return Ok(());
        }
        let fields = offsets(class, names)?.unwrap_or_default();
        let slots = Slots {
            class,
            version,
            fields,
        };
        // Released when the new one is in place.
        drop((*entry(class)).replace(slots));
    }
    Ok(())
}

/// `None` if not all of them are in slots that nothing stands before.
unsafe fn offsets(
    class: *mut PyTypeObject,
    names: *mut PyObject,
) -> Result<Option<Vec<(Owned, Py_ssize_t)>>, Raised> {
    // SAFETY: the class is alive; what is looked at is owned.
    unsafe {
        let has_dict = inherited(class, names::DICT.get()?)?.is_some();
        let declared = inherited(class, names::DATACLASS_FIELDS.get()?)?;
        let usual = declared.is_some_and(|op| py::PyDict_CheckExact(op.as_ptr()) != 0);
        if !is_generic(class) || has_dict || !usual {
            return Ok(None);
        }
        let mut fields = Vec::new();
        let names = Owned::from_call(py::PyDict_Keys(names))?;
        for i in 0..py::PyList_GET_SIZE(names.as_ptr()) {
            let name = py::PyList_GET_ITEM(names.as_ptr(), i);
            if py::PyUnicode_CheckExact(name) == 0 {
                return Ok(None);
            }
            let Some(found) = inherited(class, name)? else {
                return Ok(None);
            };
            let Some(offset) = slot_offset(class, &found) else {
                return Ok(None);
            };
            fields.push((Owned::from_borrowed(name), offset));
        }
        Ok(Some(fields))
    }
}
