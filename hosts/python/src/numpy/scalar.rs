//! Scalars.

use linecaster_formats::Emitter;
use linecaster_kernel::number::float_style::OrjsonSingle;
use linecaster_kernel::output::Output;
use linecaster_kernel::text::Ascii;
use pyo3_ffi::PyObject;

use super::datetime64::Unit;
use super::{Arrays, Scalar, half, place};
use crate::encode::error::Failure;
use crate::encode::options::Options;
use crate::encode::temporal::{self, Stamp};
use crate::encode::walk::Json;

/// Writes a scalar.
///
/// # Safety
/// The GIL is held, and `op` is of that type, owned by the caller.
pub unsafe fn write<O: Output, D: Arrays>(
    emitter: &mut Json<'_, O, D>,
    op: *mut PyObject,
    scalar: Scalar,
    options: &Options,
) -> Result<(), Failure> {
    // SAFETY: a scalar of the type lies there.
    unsafe {
        let at = place(op);
        match scalar {
            Scalar::Bool => emitter.bool(*at != 0),
            Scalar::Int8 => emitter.int(i64::from(*at.cast::<i8>())),
            Scalar::Int16 => emitter.int(i64::from(at.cast::<i16>().read_unaligned())),
            Scalar::Int32 => emitter.int(i64::from(at.cast::<i32>().read_unaligned())),
            Scalar::Int64 => emitter.int(at.cast::<i64>().read_unaligned()),
            Scalar::Uint8 => emitter.int(i64::from(*at)),
            Scalar::Uint16 => emitter.int(i64::from(at.cast::<u16>().read_unaligned())),
            Scalar::Uint32 => emitter.int(i64::from(at.cast::<u32>().read_unaligned())),
            Scalar::Uint64 => emitter.uint(at.cast::<u64>().read_unaligned()),
            Scalar::Float16 => single(emitter, half::value(at.cast::<u16>().read_unaligned())),
            Scalar::Float32 => single(emitter, at.cast::<f32>().read_unaligned()),
            Scalar::Float64 => double(emitter, at.cast::<f64>().read_unaligned()),
            Scalar::Datetime64 => {
                let value = at.cast::<i64>().read_unaligned();
                let mut place = temporal::place();
                let mut stamp = Stamp::new(&mut place);
                Unit::of(op)?.stamp(&mut stamp, value, options)?;
                // ASCII text never fails.
                let _ = emitter.string::<Ascii>(stamp.as_bytes());
            }
        }
    }
    Ok(())
}

/// Whether a scalar is a number that JSON has.
///
/// # Safety
/// As for [`write`].
pub unsafe fn is_finite(op: *mut PyObject, scalar: Scalar) -> bool {
    // SAFETY: a scalar of the type lies there.
    unsafe {
        let at = place(op);
        match scalar {
            Scalar::Float16 => half::value(at.cast::<u16>().read_unaligned()).is_finite(),
            Scalar::Float32 => at.cast::<f32>().read_unaligned().is_finite(),
            Scalar::Float64 => at.cast::<f64>().read_unaligned().is_finite(),
            Scalar::Datetime64 => false,
            _ => true,
        }
    }
}

/// Writes a `float32`.
pub fn single<O: Output, D: Arrays>(emitter: &mut Json<'_, O, D>, value: f32) {
    if !D::SINGLES {
        double(emitter, value.into());
    } else if value.is_finite() {
        emitter.single::<OrjsonSingle>(value);
    } else {
        emitter.null();
    }
}

/// Writes a `float64`.
pub fn double<O: Output, D: Arrays>(emitter: &mut Json<'_, O, D>, value: f64) {
    if value.is_finite() {
        emitter.float(value);
    } else {
        emitter.null();
    }
}
