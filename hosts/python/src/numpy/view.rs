//! What an array says of itself: by numpy's array interface, or by its head.
//!
//! The interface is made anew each time, in a capsule, which takes longer than
//! writing a few numbers. The head of an array is part of numpy's binary
//! interface; still it is read only as far as [`Heads::verified`] finds there
//! what the interface says of samples.

use core::ffi::{c_char, c_int, c_void};

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};

use crate::encode::error::Failure;
use crate::encode::names;
use crate::ffi::owned::{Owned, Raised};

/// What `__array_struct__` points to (numpy's array interface, in C).
#[repr(C)]
struct Interface {
    two: c_int,
    dimensions: c_int,
    kind: c_char,
    item_size: c_int,
    flags: c_int,
    shape: *const Py_ssize_t,
    strides: *const Py_ssize_t,
    data: *const c_void,
}

/// The start of an array.
#[repr(C)]
struct Head {
    object: PyObject,
    data: *const c_void,
    dimensions: c_int,
    shape: *const Py_ssize_t,
    strides: *const Py_ssize_t,
    base: *mut PyObject,
    items: *mut Dtype,
    flags: c_int,
}

/// The start of a dtype, as all versions have it.
#[repr(C)]
struct Dtype {
    object: PyObject,
    class: *mut PyTypeObject,
    kind: c_char,
    letter: c_char,
    order: c_char,
    flags: c_char,
    number: c_int,
}

const C_CONTIGUOUS: c_int = 0x1;
const NATIVE_ORDER: c_int = 0x200;

/// An array, as it is now.
pub struct View<'a> {
    /// The letter of the kind of its items.
    pub kind: u8,
    /// Bytes of an item.
    pub size: usize,
    /// Items follow each other in the order of their indices.
    pub contiguous: bool,
    /// Their bytes are in the order of this machine.
    pub native: bool,
    /// How many there are, for each dimension.
    pub shape: &'a [Py_ssize_t],
    /// The first one.
    pub data: *const u8,
}

impl<'a> View<'a> {
    /// The view of an interface that is alive as long.
    unsafe fn of(interface: &'a Interface) -> View<'a> {
        // SAFETY: the shape has so many dimensions.
        let shape = unsafe { slice(interface.shape, interface.dimensions) };
        View {
            kind: interface.kind as u8,
            size: interface.item_size as usize,
            contiguous: interface.flags & C_CONTIGUOUS != 0,
            native: interface.flags & NATIVE_ORDER != 0,
            shape,
            data: interface.data.cast(),
        }
    }
}

/// So many dimensions, of which there may be none, and then no place either.
unsafe fn slice<'a>(shape: *const Py_ssize_t, dimensions: c_int) -> &'a [Py_ssize_t] {
    if dimensions <= 0 {
        return &[];
    }
    // SAFETY: the caller's.
    unsafe { core::slice::from_raw_parts(shape, dimensions as usize) }
}

/// Calls `then` with the view of any array.
///
/// # Safety
/// The GIL is held, and `op` is a `numpy.ndarray`, owned by the caller.
pub unsafe fn asked<R>(
    op: *mut PyObject,
    then: impl FnOnce(&View<'_>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    // SAFETY: the capsule is owned, and keeps the interface and its array.
    unsafe {
        let capsule = names::ARRAY_STRUCT.of(op)?;
        let interface = interface(&capsule)?;
        if interface.two != 2 {
            return Err(Failure::value("numpy array is malformed"));
        }
        then(&View::of(interface))
    }
}

unsafe fn interface(capsule: &Owned) -> Result<&Interface, Raised> {
    // SAFETY: the capsule keeps what it points to.
    unsafe {
        let name = py::PyCapsule_GetName(capsule.as_ptr());
        let interface = py::PyCapsule_GetPointer(capsule.as_ptr(), name);
        interface.cast::<Interface>().as_ref().ok_or(Raised)
    }
}

/// The numbers that numpy gives to types of items, as far as they are here.
const NUMBERS: usize = 24;

/// Which arrays can be read by their heads.
pub struct Heads([Option<(u8, usize)>; NUMBERS]);

impl Heads {
    /// The view of an array, if it can be read so: no code runs.
    ///
    /// # Safety
    /// `op` is a `numpy.ndarray`, alive and unchanged as long as the view.
    #[inline]
    pub unsafe fn view<'a>(&self, op: *mut PyObject) -> Option<View<'a>> {
        // SAFETY: as the caller says; if heads were not as known, there is no
        // type of items in the table, and no more is read than numpy's own
        // objects have.
        unsafe {
            let head = &*op.cast::<Head>();
            let items = &*head.items;
            let (kind, size) = (*self.0.get(items.number as usize)?)?;
            Some(View {
                kind,
                size,
                contiguous: head.flags & C_CONTIGUOUS != 0,
                native: matches!(items.order as u8, b'=' | b'|'),
                shape: slice(head.shape, head.dimensions),
                data: head.data.cast(),
            })
        }
    }

    /// For each of the types of items, whether heads of arrays say the same as
    /// their interfaces.
    ///
    /// # Safety
    /// The GIL is held; `array` is `numpy.ndarray`, and the others are its
    /// scalar types, or null.
    pub unsafe fn verified(
        array: *mut PyTypeObject,
        scalars: &[*mut PyTypeObject],
    ) -> Result<Heads, Raised> {
        let mut heads = Heads([None; NUMBERS]);
        // SAFETY: as the caller says; what is made is owned.
        unsafe {
            if (*array).tp_basicsize < size_of::<Head>() as Py_ssize_t {
                return Ok(heads);
            }
            for &scalar in scalars {
                if scalar.is_null() {
                    continue;
                }
                let sample = |format: &core::ffi::CStr| {
                    let of = scalar.cast::<PyObject>();
                    let (array, format) = (array.cast(), format.as_ptr());
                    Owned::from_call(py::PyObject_CallFunction(array, format, 2, 3, of))
                };
                let plain = sample(c"(ii)O")?;
                let turned =
                    Owned::from_call(py::PyObject_GetAttrString(plain.as_ptr(), c"T".as_ptr()))?;
                let swapped = py::PyObject_CallMethod(
                    plain.as_ptr(),
                    c"view".as_ptr(),
                    c"N".as_ptr(),
                    swapped_type(&plain)?.into_ptr(),
                );
                let swapped = Owned::from_call(swapped)?;
                heads.learn(&plain)?;
                for sample in [&plain, &turned, &swapped] {
                    if !heads.is_right(sample)? {
                        return Ok(Heads([None; NUMBERS]));
                    }
                }
            }
        }
        Ok(heads)
    }

    /// Notes the type of the items of an array.
    unsafe fn learn(&mut self, sample: &Owned) -> Result<(), Raised> {
        // SAFETY: the sample is an array.
        unsafe {
            let capsule = names::ARRAY_STRUCT.of(sample.as_ptr())?;
            let view = View::of(interface(&capsule)?);
            let number = (*(*sample.as_ptr().cast::<Head>()).items).number;
            if let Some(place) = self.0.get_mut(number as usize) {
                *place = Some((view.kind, view.size));
            }
            Ok(())
        }
    }

    /// Whether the head of an array says what its interface says.
    unsafe fn is_right(&self, sample: &Owned) -> Result<bool, Raised> {
        // SAFETY: the sample is an array.
        unsafe {
            let capsule = names::ARRAY_STRUCT.of(sample.as_ptr())?;
            let asked = View::of(interface(&capsule)?);
            Ok(self.view(sample.as_ptr()).is_none_or(|read| {
                read.kind == asked.kind
                    && read.size == asked.size
                    && read.contiguous == asked.contiguous
                    && read.native == asked.native
                    && read.shape == asked.shape
                    && read.data == asked.data
            }))
        }
    }
}

/// The dtype of an array, with the bytes of its items in the other order.
unsafe fn swapped_type(array: &Owned) -> Result<Owned, Raised> {
    // SAFETY: the array is owned, and so is its dtype.
    unsafe {
        let dtype = py::PyObject_GetAttrString(array.as_ptr(), c"dtype".as_ptr());
        let dtype = Owned::from_call(dtype)?;
        let (name, format) = (c"newbyteorder".as_ptr(), core::ptr::null());
        Owned::from_call(py::PyObject_CallMethod(dtype.as_ptr(), name, format))
    }
}
