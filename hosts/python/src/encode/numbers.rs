//! Numbers that 64 bits do not hold: big integers, Decimal, and what is no
//! number at all.

use linecaster_formats::Emitter;
use linecaster_kernel::output::Output;
use linecaster_kernel::text::Ascii;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::door::Door;
use super::error::Failure;
use super::options::{BigInt, NonFinite};
use super::walk::{Json, Leaf, Walk};
use crate::ffi::owned::Owned;
use crate::ffi::str::{self, Chars};

impl Walk<'_> {
    pub unsafe fn native_big_int<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        item: *mut PyObject,
    ) -> Leaf {
        // SAFETY: the item is an `int`; its own `repr` runs no code of a user.
        unsafe {
            if self.options.big_int == BigInt::Raise {
                return self.fail_leaf(Failure::value("int exceeds 64 bits"));
            }
            let Some(repr) = py::PyLong_Type.tp_repr else {
                return Leaf::Other;
            };
            let Some(text) = Owned::from_new(repr(item)) else {
                return self.fail_leaf(Failure::Raised);
            };
            if let Some(Chars::Ascii(text)) = str::chars(text.as_ptr()) {
                if self.options.big_int == BigInt::String {
                    let _ = emitter.string::<Ascii>(text);
                } else {
                    emitter.number_text(text);
                }
            }
        }
        Leaf::Written
    }

    pub fn native_non_finite<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        value: f64,
    ) -> Leaf {
        match self.options.non_finite {
            NonFinite::Null => emitter.null(),
            NonFinite::Keep => emitter.number_text(spell_non_finite(value)),
            NonFinite::Raise => {
                let text = format!(
                    "float {} is not JSON (see option 'allow_nan')",
                    core::str::from_utf8(spell_non_finite(value)).unwrap_or("NaN")
                );
                return self.fail_leaf(Failure::Value(text));
            }
        }
        Leaf::Written
    }

    pub unsafe fn decimal<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        op: *mut PyObject,
    ) -> Leaf {
        // SAFETY: `op` is a Decimal.
        unsafe {
            let text = match decimal_text(op) {
                Ok(text) => text,
                Err(failure) => return self.fail_leaf(failure),
            };
            let Some(Chars::Ascii(text)) = str::chars(text.as_ptr()) else {
                return self.fail_leaf(Failure::value("Decimal whose text is not ASCII"));
            };
            let finite = text
                .iter()
                .all(|c| matches!(c, b'0'..=b'9' | b'+' | b'-' | b'.' | b'E' | b'e'));
            if self.options.decimal_string {
                let _ = emitter.string::<Ascii>(text);
            } else if finite {
                emitter.number_text(text);
            } else {
                let value = match text {
                    [b'-', b'I', ..] => f64::NEG_INFINITY,
                    [b'I', ..] => f64::INFINITY,
                    _ => f64::NAN,
                };
                if self.options.non_finite == NonFinite::Raise {
                    let name = core::str::from_utf8(spell_non_finite(value)).unwrap_or("NaN");
                    return self.fail_leaf(Failure::Value(format!(
                        "Decimal {name} is not JSON (see option 'allow_nan')"
                    )));
                }
                return self.non_finite(emitter, value);
            }
        }
        Leaf::Written
    }
}

/// The text of a Decimal: the class's own, not that of a subclass, which
/// may return anything.
///
/// # Safety
/// `op` is owned.
pub unsafe fn decimal_text(op: *mut PyObject) -> Result<Owned, Failure> {
    // SAFETY: the class's own function is called with an instance of it only,
    // whatever stands under its name by now.
    unsafe {
        let class = super::classes::loaded(c"decimal", c"Decimal")?;
        let own = class.filter(|class| py::PyObject_TypeCheck(op, class.as_ptr().cast()) != 0);
        let to_str = own.and_then(|class| (*class.as_ptr().cast::<py::PyTypeObject>()).tp_str);
        let text = match to_str {
            Some(to_str) => to_str(op),
            None => py::PyObject_Str(op),
        };
        Owned::from_new(text).ok_or(Failure::Raised)
    }
}

/// How `json` spells what is not a number.
pub fn spell_non_finite(value: f64) -> &'static [u8] {
    if value.is_nan() {
        b"NaN"
    } else if value > 0.0 {
        b"Infinity"
    } else {
        b"-Infinity"
    }
}
