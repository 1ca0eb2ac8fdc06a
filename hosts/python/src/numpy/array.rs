//! Arrays, read from their buffer.

use linecaster_formats::Emitter;
use linecaster_formats::json::{After, Quick};
use linecaster_kernel::cursor::NUMBER;
use linecaster_kernel::number::float_style::OrjsonSingle;
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::Word;
use linecaster_kernel::text::Ascii;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::datetime64::Unit;
use super::view::{self, View};
use super::{Arrays, Scalar, Types, half, types};
use crate::encode::aside::Aside;
use crate::encode::error::Failure;
use crate::encode::options::Options;
use crate::encode::temporal::{self, Stamp};
use crate::encode::walk::Json;
use crate::ffi::owned::Raised;

const UNSUPPORTED: &str = "unsupported datatype in numpy array";

/// Writes an array; `false` when it is for `default`.
///
/// # Safety
/// The GIL is held, and `op` is a `numpy.ndarray`, owned by the caller.
pub unsafe fn write<O: Output, D: Arrays>(
    emitter: &mut Json<'_, O, D>,
    op: *mut PyObject,
    options: &Options,
) -> Result<bool, Failure> {
    // SAFETY: as the caller says; no code runs as long as a view is used.
    unsafe {
        if let Some(view) = types()?.and_then(|types| types.heads.view(op)) {
            return viewed(emitter, op, &view, options);
        }
        view::asked(op, |view| viewed(emitter, op, view, options))
    }
}

/// Writes an array of numbers into the room of the inner loop, if it is small
/// enough for that.
///
/// # Safety
/// The GIL is held, and `op` is a `numpy.ndarray`, alive.
pub unsafe fn small<O: Output, D: Arrays>(mut quick: Quick<O, D>, op: *mut PyObject) -> Aside {
    // SAFETY: as the caller says; no code runs. There is room for all that the
    // array may take.
    unsafe {
        let Ok(Some(types)) = types() else {
            return Aside::General;
        };
        let Some(view) = types.heads.view(op) else {
            return Aside::General;
        };
        let fits = view.contiguous
            && view.native
            && !view.shape.is_empty()
            && most(view.shape) <= quick.room();
        if !fits {
            return Aside::General;
        }
        let Some(items) = Items::of(view.kind, view.size) else {
            return Aside::General;
        };
        let mut data = view.data;
        dense(&mut quick, view.shape, &mut data, &items);
        Aside::Written(quick.tail())
    }
}

/// Writes an array of numbers that JSON has; `false` for any other, and for
/// one whose items lie in another order than their indices, of which nothing
/// is written.
///
/// # Safety
/// The GIL is held, and `op` is a `numpy.ndarray`, owned by the caller.
pub unsafe fn finite<O: Output, D: Arrays>(
    emitter: &mut Json<'_, O, D>,
    op: *mut PyObject,
    types: &Types,
) -> bool {
    // SAFETY: as the caller says; no code runs as long as the view is used.
    unsafe {
        let Some(view) = types.heads.view(op) else {
            return false;
        };
        let Some(items) = Items::of(view.kind, view.size) else {
            return false;
        };
        if !view.contiguous || !view.native || view.shape.is_empty() || !is_finite(&view) {
            return false;
        }
        let mut data = view.data;
        nested(emitter, view.shape, &mut data, &items);
        true
    }
}

/// Whether `tolist` makes of an array what JSON has, floats that it has no text
/// for among them.
///
/// # Safety
/// The GIL is held, and `op` is an array or scalar of numpy, alive.
pub unsafe fn is_listed(op: *mut PyObject, types: &Types) -> bool {
    // SAFETY: as the caller says; no code runs as long as the view is used.
    unsafe {
        if py::Py_TYPE(op) != types.array {
            return types
                .scalar(py::Py_TYPE(op))
                .is_some_and(|scalar| scalar != Scalar::Datetime64);
        }
        types.heads.view(op).is_some_and(|view| view.kind != b'M')
    }
}

/// Whether there are neither NaN nor infinities in an array.
///
/// # Safety
/// The view is that of an array that is alive, and contiguous.
unsafe fn is_finite(view: &View<'_>) -> bool {
    let count = view.shape.iter().map(|&count| count as usize).product();
    // SAFETY: as many items lie there.
    unsafe {
        match (view.kind, view.size) {
            (b'f', 2) => all::<u16>(view.data, count, |bits| half::value(bits).is_finite()),
            (b'f', 4) => all::<f32>(view.data, count, f32::is_finite),
            (b'f', 8) => all::<f64>(view.data, count, f64::is_finite),
            _ => true,
        }
    }
}

/// # Safety
/// So many items lie at `data`.
unsafe fn all<T: Copy>(data: *const u8, count: usize, holds: impl Fn(T) -> bool) -> bool {
    // SAFETY: as the caller says.
    (0..count).all(|i| holds(unsafe { data.cast::<T>().add(i).read_unaligned() }))
}

/// # Safety
/// The view is that of `op`, a `numpy.ndarray` owned by the caller, and the
/// GIL is held.
unsafe fn viewed<O: Output, D: Arrays>(
    emitter: &mut Json<'_, O, D>,
    op: *mut PyObject,
    view: &View<'_>,
    options: &Options,
) -> Result<bool, Failure> {
    let for_default = |text| {
        if options.default.is_null() {
            Err(Failure::value(text))
        } else {
            Ok(false)
        }
    };
    if !view.contiguous {
        return for_default("numpy array is not C contiguous; use ndarray.tolist() in default");
    }
    if !view.native {
        return Err(Failure::value("numpy array is not native-endianness"));
    }
    if view.shape.is_empty() {
        return for_default(UNSUPPORTED);
    }
    let mut data = view.data;
    // SAFETY: as the caller says; the array is contiguous.
    unsafe {
        if (view.kind, view.size) == (b'M', 8) {
            let unit = Unit::of(op).map_err(|Raised| Failure::Raised)?;
            datetimes(emitter, view.shape, &mut data, unit, options)?;
            return Ok(true);
        }
        let Some(items) = Items::of(view.kind, view.size) else {
            return for_default(UNSUPPORTED);
        };
        nested(emitter, view.shape, &mut data, &items);
    }
    Ok(true)
}

/// How items of one type are written. Functions, so that only what differs
/// from type to type is there for each.
struct Items<'e, O: Output, D: Arrays> {
    /// Bytes of one.
    size: usize,
    /// So many of them, into room of [`NUMBER`] units for each.
    many: unsafe fn(&mut Quick<O, D>, *const u8, usize),
    /// One, by the emitter.
    one: unsafe fn(&mut Json<'e, O, D>, *const u8),
}

impl<'e, O: Output, D: Arrays> Items<'e, O, D> {
    /// `None` for types that have no JSON form.
    fn of(kind: u8, size: usize) -> Option<Items<'e, O, D>> {
        Some(match (kind, size) {
            (b'b', 1) => Items::reading::<Truth>(),
            (b'i', 1) => Items::reading::<i8>(),
            (b'i', 2) => Items::reading::<i16>(),
            (b'i', 4) => Items::reading::<i32>(),
            (b'i', 8) => Items::reading::<i64>(),
            (b'u', 1) => Items::reading::<u8>(),
            (b'u', 2) => Items::reading::<u16>(),
            (b'u', 4) => Items::reading::<u32>(),
            (b'u', 8) => Items::reading::<u64>(),
            (b'f', 2) => Items::reading::<Half>(),
            (b'f', 4) => Items::reading::<f32>(),
            (b'f', 8) => Items::reading::<f64>(),
            _ => return None,
        })
    }

    fn reading<T: Item>() -> Items<'e, O, D> {
        Items {
            size: size_of::<T>(),
            many: many::<O, D, T>,
            one: one::<O, D, T>,
        }
    }
}

/// # Safety
/// So many items lie at `data`, and there is room for them.
unsafe fn many<O: Output, D: Arrays, T: Item>(
    quick: &mut Quick<O, D>,
    data: *const u8,
    count: usize,
) {
    let data = data.cast::<T>();
    // A copy, so that the place to write is in a register.
    let mut place = *quick;
    // SAFETY: as the caller says.
    unsafe {
        for i in 0..count {
            data.add(i).read_unaligned().quickly(&mut place);
        }
        quick.advance_to(place.tail());
    }
}

/// # Safety
/// An item lies at `data`.
unsafe fn one<O: Output, D: Arrays, T: Item>(emitter: &mut Json<'_, O, D>, data: *const u8) {
    // SAFETY: as the caller says.
    unsafe { data.cast::<T>().read_unaligned() }.write(emitter);
}

/// Something that an array holds.
trait Item: Copy {
    /// # Safety
    /// There is room.
    unsafe fn quickly<O: Output, D: Arrays>(self, quick: &mut Quick<O, D>);

    fn write<O: Output, D: Arrays>(self, emitter: &mut Json<'_, O, D>);
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Item for $type {
            #[inline(always)]
            unsafe fn quickly<O: Output, D: Arrays>(self, quick: &mut Quick<O, D>) {
                // SAFETY: the caller's.
                unsafe { quick.int(self.into()) };
            }

            fn write<O: Output, D: Arrays>(self, emitter: &mut Json<'_, O, D>) {
                emitter.int(self.into());
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32);

impl Item for u64 {
    #[inline(always)]
    unsafe fn quickly<O: Output, D: Arrays>(self, quick: &mut Quick<O, D>) {
        // SAFETY: the caller's.
        unsafe { quick.uint(self) };
    }

    fn write<O: Output, D: Arrays>(self, emitter: &mut Json<'_, O, D>) {
        emitter.uint(self);
    }
}

impl Item for f64 {
    #[inline(always)]
    unsafe fn quickly<O: Output, D: Arrays>(self, quick: &mut Quick<O, D>) {
        // SAFETY: the caller's.
        unsafe {
            if self.is_finite() {
                quick.float::<false>(self);
            } else {
                quick.null();
            }
        }
    }

    fn write<O: Output, D: Arrays>(self, emitter: &mut Json<'_, O, D>) {
        super::scalar::double(emitter, self);
    }
}

impl Item for f32 {
    #[inline(always)]
    unsafe fn quickly<O: Output, D: Arrays>(self, quick: &mut Quick<O, D>) {
        // SAFETY: the caller's.
        unsafe {
            if self.is_finite() {
                single(quick, self);
            } else {
                quick.null();
            }
        }
    }

    fn write<O: Output, D: Arrays>(self, emitter: &mut Json<'_, O, D>) {
        super::scalar::single(emitter, self);
    }
}

/// Writes a finite `float32`.
///
/// # Safety
/// There is room.
#[inline(always)]
pub unsafe fn single<O: Output, D: Arrays>(quick: &mut Quick<O, D>, value: f32) {
    // SAFETY: the caller's.
    unsafe {
        if D::SINGLES {
            quick.single::<OrjsonSingle>(value);
        } else {
            quick.float::<false>(value.into());
        }
    }
}

/// A float of 16 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Half(u16);

impl Item for Half {
    #[inline(always)]
    unsafe fn quickly<O: Output, D: Arrays>(self, quick: &mut Quick<O, D>) {
        // SAFETY: the caller's.
        unsafe { half::value(self.0).quickly(quick) };
    }

    fn write<O: Output, D: Arrays>(self, emitter: &mut Json<'_, O, D>) {
        half::value(self.0).write(emitter);
    }
}

/// A truth value, of whatever byte.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Truth(u8);

impl Item for Truth {
    #[inline(always)]
    unsafe fn quickly<O: Output, D: Arrays>(self, quick: &mut Quick<O, D>) {
        // SAFETY: the caller's.
        unsafe { quick.bool(self.0 != 0) };
    }

    fn write<O: Output, D: Arrays>(self, emitter: &mut Json<'_, O, D>) {
        emitter.bool(self.0 != 0);
    }
}

/// The most units that an array takes with what stands behind it.
fn most(shape: &[Py_ssize_t]) -> usize {
    let [count, inner @ ..] = shape else {
        return NUMBER;
    };
    let items = most(inner).saturating_mul(*count as usize);
    items.saturating_add(NUMBER)
}

/// Writes the items of all but the first dimension, for each of the first.
/// `data` moves on behind what is written: the array is contiguous.
///
/// # Safety
/// As many items lie at `data` as the shape says, and there is room for
/// [`most`] units. There are as many levels of recursion as an array has
/// dimensions, 64 at most.
unsafe fn dense<O: Output, D: Arrays>(
    quick: &mut Quick<O, D>,
    shape: &[Py_ssize_t],
    data: &mut *const u8,
    items: &Items<'_, O, D>,
) {
    let [count, inner @ ..] = shape else {
        return;
    };
    let count = *count as usize;
    // SAFETY: as the caller says.
    unsafe {
        if count == 0 {
            quick.empty(const { Word::new(b"[]") });
            return;
        }
        quick.open(b'[');
        if inner.is_empty() {
            (items.many)(quick, *data, count);
            *data = data.add(count * items.size);
        } else {
            for _ in 0..count {
                dense(quick, inner, data, items);
            }
        }
        quick.close(b']');
    }
}

/// The same wherever there is room for less, or none, or where lines are
/// indented.
///
/// # Safety
/// As for [`dense`], but for the room.
unsafe fn nested<'e, O: Output, D: Arrays>(
    emitter: &mut Json<'e, O, D>,
    shape: &[Py_ssize_t],
    data: &mut *const u8,
    items: &Items<'e, O, D>,
) {
    let [count, inner @ ..] = shape else {
        return;
    };
    let count = *count as usize;
    emitter.begin_array();
    // SAFETY: as the caller says. The emitter is not used before `resume`.
    unsafe {
        let each = most(inner);
        let mut done = 0;
        while done < count {
            if let Some((mut quick, mut after)) = emitter.quick::<false>() {
                let some = (quick.room() / each).min(count - done);
                if some > 0 {
                    if inner.is_empty() {
                        (items.many)(&mut quick, *data, some);
                        *data = data.add(some * items.size);
                    } else {
                        for _ in 0..some {
                            dense(&mut quick, inner, data, items);
                        }
                    }
                    after = After::Item;
                    done += some;
                }
                emitter.resume(quick, after, 0);
            }
            if done < count {
                if inner.is_empty() {
                    (items.one)(emitter, *data);
                    *data = data.add(items.size);
                } else {
                    nested(emitter, inner, data, items);
                }
                done += 1;
            }
        }
    }
    emitter.end_array();
}

/// As [`nested`], for `datetime64`.
///
/// # Safety
/// As for [`dense`], but for the room.
unsafe fn datetimes<O: Output, D: Arrays>(
    emitter: &mut Json<'_, O, D>,
    shape: &[Py_ssize_t],
    data: &mut *const u8,
    unit: Unit,
    options: &Options,
) -> Result<(), Failure> {
    let [count, inner @ ..] = shape else {
        // SAFETY: an item lies there, as the caller says.
        let value = unsafe { data.cast::<i64>().read_unaligned() };
        *data = data.wrapping_add(size_of::<i64>());
        let mut place = temporal::place();
        let mut stamp = Stamp::new(&mut place);
        unit.stamp(&mut stamp, value, options)?;
        // ASCII text never fails.
        let _ = emitter.string::<Ascii>(stamp.as_bytes());
        return Ok(());
    };
    emitter.begin_array();
    for _ in 0..*count {
        // SAFETY: as the caller says.
        unsafe { datetimes(emitter, inner, data, unit, options)? };
    }
    emitter.end_array();
    Ok(())
}
