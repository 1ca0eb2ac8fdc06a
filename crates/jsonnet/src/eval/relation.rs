//! Equality and order.

use std::cmp::Ordering;

use super::access::{unexpected, unexpected_any};
use super::frame::with_stack;
use crate::error::Error;
use crate::value::{Array, Object, Value};
use crate::vm::Vm;

type Result<T> = std::result::Result<T, Box<Error>>;

impl Vm {
    /// `left == right`, deep, of evaluated values.
    pub fn equals(&mut self, left: &Value, right: &Value) -> Result<bool> {
        match (left, right) {
            (Value::Null, Value::Null) => Ok(true),
            (Value::Bool(left), Value::Bool(right)) => Ok(left == right),
            (Value::Num(left), Value::Num(right)) => Ok(left == right),
            (Value::Str(left), Value::Str(right)) => Ok(left == right),
            (Value::Array(left), Value::Array(right)) => {
                with_stack(|| self.equal_arrays(left, right))
            }
            (Value::Object(left), Value::Object(right)) => {
                with_stack(|| self.equal_objects(left, right))
            }
            (Value::Function(_), Value::Function(_)) => {
                Err(Error::runtime("Cannot test equality of functions"))
            }
            _ => Ok(false),
        }
    }

    fn equal_arrays(&mut self, left: &Array, right: &Array) -> Result<bool> {
        if left.len() != right.len() {
            return Ok(false);
        }
        if let (Some(left), Some(right)) = (left.as_numbers(), right.as_numbers()) {
            return Ok(left == right);
        }
        for at in 0..left.len() {
            let (left, right) = (self.item(left, at)?, self.item(right, at)?);
            if !self.equals(&left, &right)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn equal_objects(&mut self, left: &Object, right: &Object) -> Result<bool> {
        let lefts = self.sorted_fields(left, false);
        let rights = self.sorted_fields(right, false);
        let names = |fields: &[crate::value::object::Field]| -> Vec<_> {
            fields.iter().map(|field| field.name).collect()
        };
        if names(&lefts) != names(&rights) {
            return Ok(false);
        }
        for (one, other) in lefts.iter().zip(&rights) {
            self.check_asserts(left)?;
            let one = self.field_value(left, one)?;
            self.check_asserts(right)?;
            let other = self.field_value(right, other)?;
            if !self.equals(&one, &other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The order of two evaluated numbers, strings or arrays.
    pub fn compare(&mut self, left: &Value, right: &Value) -> Result<Ordering> {
        match (left, right) {
            (Value::Num(left), Value::Num(right)) => {
                Ok(left.partial_cmp(right).unwrap_or(Ordering::Equal))
            }
            (Value::Str(left), Value::Str(right)) => Ok(left.cmp(right)),
            (Value::Array(left), Value::Array(right)) => {
                with_stack(|| self.compare_arrays(left, right))
            }
            (Value::Num(_), other) => Err(unexpected(other, "number")),
            (Value::Str(_), other) => Err(unexpected(other, "string")),
            (Value::Array(_), other) => Err(unexpected(other, "array")),
            (other, _) => Err(unexpected_any(other)),
        }
    }

    fn compare_arrays(&mut self, left: &Array, right: &Array) -> Result<Ordering> {
        for at in 0..left.len().min(right.len()) {
            let (one, other) = (self.item(left, at)?, self.item(right, at)?);
            let order = self.compare(&one, &other)?;
            if order != Ordering::Equal {
                return Ok(order);
            }
        }
        Ok(left.len().cmp(&right.len()))
    }
}
