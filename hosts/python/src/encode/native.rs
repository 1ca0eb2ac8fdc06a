//! The rules of Linecaster's own functions.

use linecaster_formats::json::Quick;
use linecaster_kernel::number::FloatSpelling;
use linecaster_kernel::number::float_style::Python;
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::{self, Policy};
use pyo3_ffi::PyObject;

use super::aside::{self, Aside};
use super::door::{Door, Spelled};
use super::error::Failure;
use super::options::Options;
use super::plain::Takes;
use super::walk::{Json, Leaf, Step, Walk};
use crate::ffi::owned::Owned;

/// The rules.
pub struct Native;

/// JSON as `json.dumps(..., ensure_ascii=False)` spells it.
pub type Plain = Spelled<Native, policy::Json, Python>;

/// JSON as `json.dumps` spells it by default.
pub type AsciiOnly = Spelled<Native, policy::JsonAsciiPython, Python>;

impl<P: Policy, F: FloatSpelling + 'static> Door for Spelled<Native, P, F> {
    #[inline(always)]
    fn int_keys(options: &Options) -> bool {
        options.non_str_keys
    }

    unsafe fn other<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        item: Owned,
    ) -> Step {
        // SAFETY: as the caller says.
        unsafe { walk.native_other(emitter, item) }
    }

    unsafe fn aside<O: Output>(
        options: &Options,
        quick: Quick<O, Self>,
        item: *mut PyObject,
        takes: Takes,
    ) -> Aside {
        // SAFETY: as the caller says.
        unsafe { aside::native(options, quick, item, takes) }
    }

    unsafe fn member<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        key: Owned,
        value: Owned,
    ) -> Step {
        // SAFETY: as the caller says.
        unsafe { walk.native_member(emitter, &key, value) }
    }

    unsafe fn big_int<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        item: *mut PyObject,
    ) -> Leaf {
        // SAFETY: as the caller says.
        unsafe { walk.native_big_int(emitter, item) }
    }

    fn non_finite<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        value: f64,
    ) -> Leaf {
        walk.native_non_finite(emitter, value)
    }

    fn surrogate() -> Failure {
        Failure::value(
            "str has a lone surrogate, which UTF-8 cannot hold (see option 'surrogates')",
        )
    }
}
