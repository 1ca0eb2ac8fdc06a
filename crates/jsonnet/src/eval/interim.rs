//! Signatures; bodies follow with the evaluator.
#![allow(unused_variables, missing_docs, clippy::all, clippy::pedantic)]
use super::{Frame, Outcome};
use crate::error::Error;
use crate::ir::ExprId;
use crate::value::object::Field;
use crate::value::{Element, Function, Object, Str, Thunk, Value};
use crate::vm::Vm;
use linecaster_heap::Gc;
use std::cmp::Ordering;

impl Vm {
    pub(crate) fn eval(&mut self, frame: &Frame<'_>, id: ExprId) -> Outcome {
        unimplemented!()
    }
    pub(crate) fn force_thunk(&mut self, thunk: &Gc<Thunk>) -> Outcome {
        unimplemented!()
    }
    pub(crate) fn element(&mut self, element: &Element) -> Outcome {
        unimplemented!()
    }
    pub(crate) fn work_out_field(&mut self, object: &Object, field: &Field) -> Outcome {
        unimplemented!()
    }
    pub(crate) fn call_values(&mut self, function: &Function, args: &[Value]) -> Outcome {
        unimplemented!()
    }
    /// Checks the object's assertions, once.
    pub fn check_asserts(&mut self, object: &Object) -> Result<(), Box<Error>> {
        unimplemented!()
    }
    /// `left == right`, deep.
    pub fn equals(&mut self, left: &Value, right: &Value) -> Result<bool, Box<Error>> {
        unimplemented!()
    }
    /// The order of numbers, strings and arrays.
    pub fn compare(&mut self, left: &Value, right: &Value) -> Result<Ordering, Box<Error>> {
        unimplemented!()
    }
    /// `left + right`
    pub fn add(&mut self, left: &Value, right: &Value) -> Outcome {
        unimplemented!()
    }
    /// The value as `std.toString` gives it.
    pub fn to_str(&mut self, value: &Value) -> Result<Str, Box<Error>> {
        unimplemented!()
    }
    /// How many parameters a function has without a default.
    pub fn required_params(&self, function: &Function) -> usize {
        unimplemented!()
    }
}
