//! Arrays, read from their buffer.

use core::ffi::{c_char, c_int, c_void};

use linecaster_formats::Emitter;
use linecaster_formats::json::Hot;
use linecaster_kernel::number::float_style::OrjsonSingle;
use linecaster_kernel::output::Output;
use linecaster_kernel::text::Ascii;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::datetime64::Unit;
use super::half;
use super::scalar::{double, single};
use crate::encode::error::Failure;
use crate::encode::options::Options;
use crate::encode::walk::Json;
use crate::ffi::owned::Owned;
use crate::orjson::rules::Dumped;

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

const C_CONTIGUOUS: c_int = 0x1;
const NATIVE_ORDER: c_int = 0x200;

const UNSUPPORTED: &str = "unsupported datatype in numpy array";

/// Writes an array; `false` when it is for `default`.
///
/// # Safety
/// The GIL is held, and `op` is a `numpy.ndarray`, owned by the caller.
pub unsafe fn write<O: Output>(
    emitter: &mut Json<'_, O, Dumped>,
    op: *mut PyObject,
    options: &Options,
) -> Result<bool, Failure> {
    // SAFETY: the capsule is owned, and keeps the interface and its array.
    unsafe {
        let capsule = py::PyObject_GetAttrString(op, c"__array_struct__".as_ptr());
        let capsule = Owned::from_call(capsule)?;
        let name = py::PyCapsule_GetName(capsule.as_ptr());
        let interface = py::PyCapsule_GetPointer(capsule.as_ptr(), name).cast::<Interface>();
        let Some(interface) = interface.as_ref() else {
            return Err(Failure::Raised);
        };
        if interface.two != 2 {
            return Err(Failure::value("numpy array is malformed"));
        }
        let for_default = |text| {
            if options.default.is_null() {
                Err(Failure::value(text))
            } else {
                Ok(false)
            }
        };
        if interface.flags & C_CONTIGUOUS == 0 {
            return for_default("numpy array is not C contiguous; use ndarray.tolist() in default");
        }
        if interface.flags & NATIVE_ORDER == 0 {
            return Err(Failure::value("numpy array is not native-endianness"));
        }
        if interface.dimensions == 0 {
            return for_default(UNSUPPORTED);
        }
        let unit = if (interface.kind as u8, interface.item_size) == (b'M', 8) {
            Unit::of(op)?
        } else {
            Unit::Unsupported("generic")
        };
        let Some(items) = Items::of(interface, unit, options) else {
            return for_default(UNSUPPORTED);
        };
        let shape = core::slice::from_raw_parts(interface.shape, interface.dimensions as usize);
        let mut data = interface.data.cast();
        nested(emitter, shape, &mut data, &items)?;
        Ok(true)
    }
}

/// What the items are.
struct Items<'a> {
    kind: u8,
    size: usize,
    unit: Unit,
    options: &'a Options,
}

impl<'a> Items<'a> {
    fn of(interface: &Interface, unit: Unit, options: &'a Options) -> Option<Items<'a>> {
        let (kind, size) = (interface.kind as u8, interface.item_size);
        matches!(
            (kind, size),
            (b'b', 1) | (b'M', 8) | (b'f', 2 | 4 | 8) | (b'i' | b'u', 1 | 2 | 4 | 8)
        )
        .then_some(Items {
            kind,
            size: size as usize,
            unit,
            options,
        })
    }
}

/// Writes the items of all but the first dimension, for each of the first.
/// `data` moves on behind what is written: the array is contiguous.
///
/// # Safety
/// As many items lie at `data` as the shape says. There are as many levels of
/// recursion as an array has dimensions, 64 at most.
unsafe fn nested<O: Output>(
    emitter: &mut Json<'_, O, Dumped>,
    shape: &[Py_ssize_t],
    data: &mut *const u8,
    items: &Items<'_>,
) -> Result<(), Failure> {
    let [count, inner @ ..] = shape else {
        return Ok(());
    };
    emitter.begin_array();
    // SAFETY: as the caller says.
    unsafe {
        if inner.is_empty() {
            let count = *count as usize;
            row(emitter, data.cast(), count, items)?;
            *data = data.add(count * items.size);
        } else {
            for _ in 0..*count {
                nested(emitter, inner, data, items)?;
            }
        }
    }
    emitter.end_array();
    Ok(())
}

/// Writes the items of the last dimension.
///
/// # Safety
/// So many items lie at `data`.
unsafe fn row<O: Output>(
    emitter: &mut Json<'_, O, Dumped>,
    data: *const c_void,
    count: usize,
    items: &Items<'_>,
) -> Result<(), Failure> {
    // SAFETY: as the caller says; the kind and size of items were looked at.
    unsafe {
        match (items.kind, items.size) {
            (b'i', 1) => integers::<O, i8>(emitter, data.cast(), count),
            (b'i', 2) => integers(emitter, data.cast::<i16>(), count),
            (b'i', 4) => integers(emitter, data.cast::<i32>(), count),
            (b'i', _) => integers(emitter, data.cast::<i64>(), count),
            (b'u', 1) => integers::<O, u8>(emitter, data.cast(), count),
            (b'u', 2) => integers(emitter, data.cast::<u16>(), count),
            (b'u', 4) => integers(emitter, data.cast::<u32>(), count),
            (b'u', _) => each(
                emitter,
                data.cast::<u64>(),
                count,
                |hot, value| i64::try_from(value).is_ok_and(|value| hot.int(value)),
                Emitter::uint,
            ),
            (b'f', 2) => each(
                emitter,
                data.cast::<u16>(),
                count,
                |hot, value| hot_single(hot, half::value(value)),
                |emitter, value| single(emitter, half::value(value)),
            ),
            (b'f', 4) => each(emitter, data.cast::<f32>(), count, hot_single, single),
            (b'f', _) => each(
                emitter,
                data.cast::<f64>(),
                count,
                |hot, value: f64| {
                    if value.is_finite() {
                        hot.float(value)
                    } else {
                        hot.null()
                    }
                },
                double,
            ),
            (b'b', _) => each(
                emitter,
                data.cast::<u8>(),
                count,
                |hot, value: u8| hot.bool(value != 0),
                |emitter, value| emitter.bool(value != 0),
            ),
            _ => return datetimes(emitter, data.cast::<i64>(), count, items),
        }
    }
    Ok(())
}

unsafe fn integers<O: Output, T: Copy + Into<i64>>(
    emitter: &mut Json<'_, O, Dumped>,
    data: *const T,
    count: usize,
) {
    // SAFETY: as the caller says.
    unsafe {
        each(
            emitter,
            data,
            count,
            |hot, value| hot.int(value.into()),
            |emitter, value| emitter.int(value.into()),
        );
    }
}

#[inline(always)]
fn hot_single<O: Output>(hot: &mut Hot<O, Dumped>, value: f32) -> bool {
    if value.is_finite() {
        hot.single::<OrjsonSingle>(value)
    } else {
        hot.null()
    }
}

/// Writes items by `short` as long as that does it, else by `long`.
///
/// # Safety
/// So many items lie at `data`.
#[inline(always)]
unsafe fn each<'e, O: Output, T: Copy>(
    emitter: &mut Json<'e, O, Dumped>,
    data: *const T,
    count: usize,
    short: impl Fn(&mut Hot<O, Dumped>, T) -> bool,
    long: impl Fn(&mut Json<'e, O, Dumped>, T),
) {
    // SAFETY: as the caller says; the emitter is not used between `hot` and
    // `cool`.
    unsafe {
        let mut hot = emitter.hot();
        for i in 0..count {
            let value = data.add(i).read_unaligned();
            if !short(&mut hot, value) {
                emitter.cool(hot);
                long(emitter, value);
                hot = emitter.hot();
            }
        }
        emitter.cool(hot);
    }
}

unsafe fn datetimes<O: Output>(
    emitter: &mut Json<'_, O, Dumped>,
    data: *const i64,
    count: usize,
    items: &Items<'_>,
) -> Result<(), Failure> {
    for i in 0..count {
        // SAFETY: so many items lie there, as the caller says.
        let value = unsafe { data.add(i).read_unaligned() };
        let stamp = items.unit.stamp(value, items.options)?;
        // ASCII text never fails.
        let _ = emitter.string::<Ascii>(stamp.as_bytes());
    }
    Ok(())
}
