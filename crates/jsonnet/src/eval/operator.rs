//! Operators on values: arithmetic, bits, `+`, `%`, `in`.

use std::cmp::Ordering;

use super::Outcome;
use super::access::{not_finite, unexpected, unexpected_any};
use crate::error::Error;
use crate::ir::BinaryOp;
use crate::stdlib;
use crate::stdlib::args::{checked, object, string};
use crate::value::{Array, Object, Str, Value};
use crate::vm::Vm;

/// The largest integer of which all smaller ones are doubles too: beyond it,
/// bits are refused.
const SAFE: f64 = 9_007_199_254_740_991.0;

impl Vm {
    /// An operator on two numbers; none if the result is an error.
    #[inline(always)]
    pub(super) fn arithmetic(op: BinaryOp, a: f64, b: f64) -> Option<Value> {
        let number = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div if b != 0.0 => a / b,
            BinaryOp::Percent if b != 0.0 => remainder(a, b),
            BinaryOp::Lt => return Some(Value::Bool(a < b)),
            BinaryOp::Le => return Some(Value::Bool(a <= b)),
            BinaryOp::Gt => return Some(Value::Bool(a > b)),
            BinaryOp::Ge => return Some(Value::Bool(a >= b)),
            BinaryOp::Eq => return Some(Value::Bool(a == b)),
            BinaryOp::Ne => return Some(Value::Bool(a != b)),
            BinaryOp::Div | BinaryOp::Percent | BinaryOp::In => return None,
            bits => return Self::bits(bits, a, b),
        };
        number.is_finite().then_some(Value::Num(number))
    }

    fn bits(op: BinaryOp, a: f64, b: f64) -> Option<Value> {
        if a.abs() > SAFE || b.abs() > SAFE {
            return None;
        }
        let (a, b) = (a as i64, b as i64);
        let bits = match op {
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::Shl if b >= 0 => a << (b % 64),
            BinaryOp::Shr if b >= 0 => a >> (b % 64),
            _ => return None,
        };
        Some(Value::Num(bits as f64))
    }

    /// An operator on values, after [`Vm::arithmetic`] had no answer.
    #[inline(never)]
    pub(super) fn apply(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Outcome {
        match op {
            BinaryOp::Add => self.add(left, right),
            BinaryOp::Eq => Ok(Value::Bool(self.equals(left, right)?)),
            BinaryOp::Ne => Ok(Value::Bool(!self.equals(left, right)?)),
            BinaryOp::Lt => Ok(Value::Bool(self.compare(left, right)? == Ordering::Less)),
            BinaryOp::Gt => Ok(Value::Bool(self.compare(left, right)? == Ordering::Greater)),
            BinaryOp::Le => Ok(Value::Bool(self.compare(left, right)? != Ordering::Greater)),
            BinaryOp::Ge => Ok(Value::Bool(self.compare(left, right)? != Ordering::Less)),
            BinaryOp::In => {
                let object = object(right)?;
                let found = self.has_field(object, string(left)?);
                Ok(Value::Bool(found))
            }
            BinaryOp::Percent => self.percent(left, right),
            _ => Err(Self::failed(op, left, right)),
        }
    }

    /// Whether the object has a field of the name, hidden or not.
    pub fn has_field(&self, object: &Object, name: &Str) -> bool {
        let name = self.store.names.find_str(name);
        name.is_some_and(|name| object.find(&self.store, name).is_some())
    }

    fn percent(&mut self, left: &Value, right: &Value) -> Outcome {
        match (left, right) {
            (Value::Num(_), Value::Num(_)) => Err(Self::failed(BinaryOp::Percent, left, right)),
            (Value::Str(_), _) => match stdlib::find("format") {
                Some(format) => {
                    let args = [left.clone(), right.clone()];
                    (stdlib::builtin(format).run)(self, &args)
                }
                None => unreachable!("the library has what operators need"),
            },
            _ => {
                let (left, right) = (left.type_name(), right.type_name());
                Err(Error::runtime(format!(
                    "Operator % cannot be used on types {left} and {right}."
                )))
            }
        }
    }

    /// Why an operator on numbers failed.
    #[cold]
    fn failed(op: BinaryOp, left: &Value, right: &Value) -> Box<Error> {
        let (a, b) = match (left, right) {
            (Value::Num(a), Value::Num(b)) => (*a, *b),
            (Value::Num(_), other) | (other, _) => return unexpected(other, "number"),
        };
        let number = match op {
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div | BinaryOp::Percent if b == 0.0 => {
                return Error::runtime("Division by zero.");
            }
            BinaryOp::Div => a / b,
            BinaryOp::Percent => a % b,
            _ => {
                return match [a, b].into_iter().find(|number| number.abs() > SAFE) {
                    Some(number) => Error::runtime(format!(
                        "Bitwise operator argument {} outside of range [{}, {SAFE}]",
                        spell_g(number),
                        -SAFE
                    )),
                    None => Error::runtime("Shift by negative exponent."),
                };
            }
        };
        not_finite(number)
    }

    /// `left + right`
    pub fn add(&mut self, left: &Value, right: &Value) -> Outcome {
        match (left, right) {
            (Value::Num(left), Value::Num(right)) => checked(left + right),
            (Value::Str(left), Value::Str(right)) => {
                Ok(Value::Str(Str::concat(&self.store.heap, left, right)))
            }
            (Value::Str(_), _) | (_, Value::Str(_)) => {
                let (left, right) = (self.to_str(left)?, self.to_str(right)?);
                Ok(Value::Str(Str::concat(&self.store.heap, &left, &right)))
            }
            (Value::Object(left), Value::Object(right)) => {
                Ok(Value::Object(Object::merge(&self.store.heap, left, right)))
            }
            (Value::Array(left), Value::Array(right)) => {
                Ok(Value::Array(Array::concat(&self.store.heap, left, right)))
            }
            (Value::Num(_), other) => Err(unexpected(other, "number")),
            (Value::Object(_), other) => Err(unexpected(other, "object")),
            (Value::Array(_), other) => Err(unexpected(other, "array")),
            (other, _) => Err(unexpected_any(other)),
        }
    }

    /// The value as `std.toString` gives it.
    pub fn to_str(&mut self, value: &Value) -> Result<Str, Box<Error>> {
        match value {
            Value::Str(text) => Ok(text.clone()),
            other => {
                let text = crate::manifest::to_string(self, other)?;
                Ok(Str::new(&self.store.heap, &text))
            }
        }
    }
}

/// The remainder with the sign of `a`; of whole numbers without `fmod`.
#[inline(always)]
fn remainder(a: f64, b: f64) -> f64 {
    let whole = |number: f64| {
        let cut = number as u64;
        (number <= SAFE && cut as f64 == number).then_some(cut)
    };
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) if a > 0 => (a % b) as f64,
        _ => a % b,
    }
}

/// A number as Go's `%v` spells it: shortest digits, with an exponent for what
/// is below 1e-4, and from 1e6 on.
pub(crate) fn spell_g(number: f64) -> String {
    let spelled = format!("{number:e}");
    let (digits, exponent) = spelled.split_once('e').unwrap_or((&spelled, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return format!("{number}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
