//! Arrays and scalars of numpy, which is never imported here: a value of one of
//! its types is there only when it is loaded.
//!
//! Scalars are read from where they lie, behind the object's head; whether
//! they do is tried on each type when the types are looked up.

pub mod array;
mod civil;
pub mod datetime64;
pub mod half;
pub mod scalar;
pub mod stamps;
mod view;

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use crate::encode::classes::loaded;
use crate::encode::door::Door;
use crate::ffi::owned::{Owned, Raised};
use view::Heads;

/// A door that writes arrays and scalars.
pub trait Arrays: Door {
    /// Whether a `float32` is written with the digits that it needs to be told
    /// from others; else with those of the `float64` that it is equal to.
    const SINGLES: bool;
}

/// Scalar types that have a JSON form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float16,
    Float32,
    Float64,
    Datetime64,
}

/// Their names, and what 77 looks like in each, the lowest byte first.
const SCALARS: [(&CStr, Scalar, &[u8]); 13] = [
    (c"float64", Scalar::Float64, &77_f64.to_le_bytes()),
    (c"int64", Scalar::Int64, &77_i64.to_le_bytes()),
    (c"float32", Scalar::Float32, &77_f32.to_le_bytes()),
    (c"int32", Scalar::Int32, &77_i32.to_le_bytes()),
    (c"bool_", Scalar::Bool, &[1]),
    (c"datetime64", Scalar::Datetime64, &77_i64.to_le_bytes()),
    (c"half", Scalar::Float16, &0x54D0_u16.to_le_bytes()),
    (c"int16", Scalar::Int16, &77_i16.to_le_bytes()),
    (c"int8", Scalar::Int8, &[77]),
    (c"uint64", Scalar::Uint64, &77_u64.to_le_bytes()),
    (c"uint32", Scalar::Uint32, &77_u32.to_le_bytes()),
    (c"uint16", Scalar::Uint16, &77_u16.to_le_bytes()),
    (c"uint8", Scalar::Uint8, &[77]),
];

/// The types, borrowed from references that are kept.
pub struct Types {
    /// `numpy.ndarray`.
    pub array: *mut PyTypeObject,
    /// `numpy.generic`, the base of all scalar types.
    pub generic: *mut PyTypeObject,
    scalars: [*mut PyTypeObject; SCALARS.len()],
    /// Arrays that can be read by their heads.
    heads: Heads,
}

impl Types {
    /// Which scalar type it is.
    pub fn scalar(&self, class: *mut PyTypeObject) -> Option<Scalar> {
        let index = self.scalars.iter().position(|&known| known == class)?;
        Some(SCALARS[index].1)
    }
}

static TYPES: AtomicPtr<Types> = AtomicPtr::new(null_mut());

/// The types, if numpy is loaded.
///
/// # Safety
/// The GIL is held.
pub unsafe fn types() -> Result<Option<&'static Types>, Raised> {
    let types = TYPES.load(Ordering::Relaxed);
    // SAFETY: what is stored is never released.
    if let Some(types) = unsafe { types.as_ref() } {
        return Ok(Some(types));
    }
    // SAFETY: as the caller says.
    let Some(types) = (unsafe { look_up()? }) else {
        return Ok(None);
    };
    let types = Box::leak(Box::new(types));
    TYPES.store(types, Ordering::Relaxed);
    Ok(Some(types))
}

/// `None` as long as numpy is not there, or only in part.
#[cold]
unsafe fn look_up() -> Result<Option<Types>, Raised> {
    // SAFETY: the GIL is held; what is found is kept for good.
    unsafe {
        let Some(array) = loaded(c"numpy", c"ndarray")? else {
            return Ok(None);
        };
        let Some(generic) = loaded(c"numpy", c"generic")? else {
            return Ok(None);
        };
        let mut scalars = [null_mut(); SCALARS.len()];
        for (slot, (name, kind, bytes)) in scalars.iter_mut().zip(SCALARS) {
            let Some(class) = loaded(c"numpy", name)? else {
                return Ok(None);
            };
            if is_read_right(class.as_ptr(), kind, bytes)? {
                *slot = class.into_ptr().cast();
            }
        }
        let array = array.into_ptr().cast();
        let heads = Heads::verified(array, &scalars)?;
        Ok(Some(Types {
            array,
            generic: generic.into_ptr().cast(),
            scalars,
            heads,
        }))
    }
}

/// Where a scalar lies: right behind its head.
///
/// # Safety
/// `op` is a scalar of one of the types that were found.
pub unsafe fn place(op: *mut PyObject) -> *const u8 {
    // SAFETY: as the caller says.
    unsafe { op.add(1).cast() }
}

/// Whether the 77 of a scalar type lies where it is read.
unsafe fn is_read_right(class: *mut PyObject, kind: Scalar, bytes: &[u8]) -> Result<bool, Raised> {
    // SAFETY: what is made here is owned, and no more is read than it has.
    unsafe {
        let sample = if kind == Scalar::Datetime64 {
            py::PyObject_CallFunction(class, c"is".as_ptr(), 77, c"s".as_ptr())
        } else {
            py::PyObject_CallFunction(class, c"i".as_ptr(), 77)
        };
        let sample = Owned::from_call(sample)?;
        let size = (*py::Py_TYPE(sample.as_ptr())).tp_basicsize as usize;
        if size < size_of::<PyObject>() + bytes.len() {
            return Ok(false);
        }
        let mut found = core::slice::from_raw_parts(place(sample.as_ptr()), bytes.len()).to_vec();
        if cfg!(target_endian = "big") {
            found.reverse();
        }
        Ok(found == bytes)
    }
}
