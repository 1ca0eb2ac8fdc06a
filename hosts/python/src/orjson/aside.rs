//! Values of no exact built-in type that do not end the inner loop.

use linecaster_formats::json::Quick;
use linecaster_kernel::number::float_style::OrjsonSingle;
use linecaster_kernel::output::Output;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::classes::{Class, noted};
use super::rules::Dumped;
use super::{dataclass, options, temporal};
use crate::encode::aside::{self, Aside};
use crate::encode::options::Options;
use crate::encode::plain::Takes;
use crate::encode::temporal as spelled;
use crate::numpy::{self, Scalar, half};

/// Writes a value if no code of a user runs for it.
///
/// # Safety
/// As for [`crate::encode::door::Door::aside`].
#[inline(never)]
pub unsafe fn write<O: Output>(
    options: &Options,
    quick: Quick<O, Dumped>,
    item: *mut PyObject,
    takes: Takes,
) -> Aside {
    // SAFETY: the item is alive, and of the class that is noted.
    unsafe {
        let Some(class) = noted(py::Py_TYPE(item), options.flags) else {
            return Aside::General;
        };
        let passed = options.flags & options::PASSTHROUGH_DATETIME != 0;
        match class {
            Class::DateTime | Class::Date | Class::Time if passed => Aside::General,
            Class::DateTime if !spelled::is_plain(item) => Aside::General,
            Class::Time if py::PyDateTime_TIME_GET_TZINFO(item) != py::Py_None() => Aside::General,
            Class::DateTime => {
                aside::stamped(quick, |text| temporal::datetime(text, item, options))
            }
            Class::Date => aside::stamped(quick, |text| {
                spelled::date(text, item);
                Ok(())
            }),
            Class::Time => aside::stamped(quick, |text| temporal::time(text, item, options)),
            Class::Uuid => aside::identifier(quick, item),
            Class::Str => aside::string(quick, item, takes),
            Class::Int => aside::integer(quick, item, takes),
            Class::Enum { in_place: true } => aside::value_of_enum(quick, item, takes),
            Class::Dataclass { in_place: true } => dataclass::in_place(item),
            Class::Dataclass { in_place: false } => Aside::Fields,
            Class::NumpyScalar(scalar) => number(quick, item, scalar),
            // Indented arrays have lines of their own.
            Class::NumpyArray if options.flags & options::INDENT_2 == 0 => {
                numpy::array::small(quick, item)
            }
            _ => Aside::General,
        }
    }
}

/// A scalar of numpy.
#[inline(always)]
unsafe fn number<O: Output>(
    mut quick: Quick<O, Dumped>,
    op: *mut PyObject,
    scalar: Scalar,
) -> Aside {
    // SAFETY: a scalar of the type lies there, and there is room.
    unsafe {
        let at = numpy::place(op);
        match scalar {
            Scalar::Bool => quick.bool(*at != 0),
            Scalar::Int8 => quick.int(i64::from(*at.cast::<i8>())),
            Scalar::Int16 => quick.int(i64::from(at.cast::<i16>().read_unaligned())),
            Scalar::Int32 => quick.int(i64::from(at.cast::<i32>().read_unaligned())),
            Scalar::Int64 => quick.int(at.cast::<i64>().read_unaligned()),
            Scalar::Uint8 => quick.int(i64::from(*at)),
            Scalar::Uint16 => quick.int(i64::from(at.cast::<u16>().read_unaligned())),
            Scalar::Uint32 => quick.int(i64::from(at.cast::<u32>().read_unaligned())),
            Scalar::Uint64 => quick.uint(at.cast::<u64>().read_unaligned()),
            Scalar::Float16 => single(&mut quick, half::value(at.cast::<u16>().read_unaligned())),
            Scalar::Float32 => single(&mut quick, at.cast::<f32>().read_unaligned()),
            Scalar::Float64 => match at.cast::<f64>().read_unaligned() {
                value if value.is_finite() => quick.float::<false>(value),
                _ => quick.null(),
            },
            Scalar::Datetime64 => return Aside::General,
        }
    }
    Aside::Written(quick.tail())
}

/// # Safety
/// There is room.
unsafe fn single<O: Output>(quick: &mut Quick<O, Dumped>, value: f32) {
    // SAFETY: the caller's.
    unsafe {
        if value.is_finite() {
            quick.single::<OrjsonSingle>(value);
        } else {
            quick.null();
        }
    }
}
