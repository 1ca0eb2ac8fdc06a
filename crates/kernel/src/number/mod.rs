//! Numbers to decimal text, and decimal text to numbers.
//!
//! * [`int`]: integers of up to 128 bits; [`big`]: larger ones.
//! * [`float_digits`]: the shortest digits of a float, apart from
//!   [`float_style`]: how they are laid out.
//! * [`jsonnet`]: the texts of floats that no style can say.
//! * [`scan`]: ASCII digits to integers, eight at a time; [`parse`]: a scanned
//!   decimal to the nearest `f64`.
//!
//! The `unsafe` writers take a pointer with room for a stated length (reserved
//! in a sink once), write anything into that room and return the length of
//! the text.

pub mod big;
mod digits;
#[cfg(target_arch = "x86_64")]
mod float_avx512;
pub mod float_digits;
pub mod float_style;
pub mod int;
pub mod jsonnet;
pub mod parse;
mod pow10;
pub mod scan;

pub use big::{big_capacity, write_big_u30, write_big_u64};
pub use float_digits::{FloatClass, FloatDigits, classify};
#[cfg(target_arch = "x86_64")]
pub use float_style::write_f64_avx512;
pub use float_style::{FLOAT_LEN, FloatSpelling, FloatStyle, write_f32, write_f64};
pub use int::{
    I64_LEN, I128_LEN, IntBuffer, U64_LEN, U128_LEN, write_i64, write_i128, write_u64, write_u128,
};
pub use parse::{Decimal, exact_f64};
pub use scan::{
    digit_prefix, is_eight_digits, parse_digit_prefix, parse_digit_values, parse_eight_digits,
};
