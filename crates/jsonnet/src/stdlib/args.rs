//! What functions take out of their arguments, and how they complain.

use crate::error::Error;
use crate::eval::{self, Vm, spell_g};
use crate::value::{Array, Function, Object, Str, Value};

pub use crate::eval::Outcome;

/// Fails with a message.
#[cold]
pub fn fail<T>(message: impl Into<String>) -> Result<T, Box<Error>> {
    Err(Error::runtime(message))
}

/// Fails because a value is of another type than the one expected.
#[cold]
pub fn unexpected<T>(value: &Value, expected: &str) -> Result<T, Box<Error>> {
    Err(eval::unexpected(value, expected))
}

/// The number that the value is.
#[inline]
pub fn number(value: &Value) -> Result<f64, Box<Error>> {
    match value {
        Value::Num(number) => Ok(*number),
        other => unexpected(other, "number"),
    }
}

/// The truth value that the value is.
#[inline]
pub fn boolean(value: &Value) -> Result<bool, Box<Error>> {
    match value {
        Value::Bool(truth) => Ok(*truth),
        other => unexpected(other, "boolean"),
    }
}

/// The string that the value is.
#[inline]
pub fn string(value: &Value) -> Result<&Str, Box<Error>> {
    match value {
        Value::Str(text) => Ok(text),
        other => unexpected(other, "string"),
    }
}

/// The array that the value is.
#[inline]
pub fn array(value: &Value) -> Result<&Array, Box<Error>> {
    match value {
        Value::Array(array) => Ok(array),
        other => unexpected(other, "array"),
    }
}

/// The object that the value is.
#[inline]
pub fn object(value: &Value) -> Result<&Object, Box<Error>> {
    match value {
        Value::Object(object) => Ok(object),
        other => unexpected(other, "object"),
    }
}

/// The function that the value is.
#[inline]
pub fn function(value: &Value) -> Result<&Function, Box<Error>> {
    match value {
        Value::Function(function) => Ok(function),
        other => unexpected(other, "function"),
    }
}

/// The whole number of 32 bits that the value is: an index or a length.
#[inline]
pub fn integer(value: &Value) -> Result<i64, Box<Error>> {
    let number = number(value)?;
    let whole = number as i32;
    if f64::from(whole) == number {
        return Ok(i64::from(whole));
    }
    fail(format!("Expected an integer, but got {}", spell_g(number)))
}

/// A finite number as a value.
///
/// # Errors
/// For infinities and what is not a number.
#[inline]
pub fn checked(number: f64) -> Outcome {
    if number.is_finite() {
        return Ok(Value::Num(number));
    }
    Err(eval::not_finite(number))
}

/// A string as a value.
#[inline]
pub fn text(vm: &Vm, text: &str) -> Value {
    Value::Str(Str::new(vm.heap(), text))
}

/// The bytes of so many copies, if a string may have that many.
pub fn room(vm: &Vm, bytes: usize, times: usize) -> Result<usize, Box<Error>> {
    match bytes.checked_mul(times) {
        Some(total) if total <= LONGEST => Ok(total),
        _ => Err(vm.error(format!("String too long: {bytes} bytes times {times}"))),
    }
}

/// The longest string that a function makes out of short ones, in bytes.
const LONGEST: usize = 1 << 32;
