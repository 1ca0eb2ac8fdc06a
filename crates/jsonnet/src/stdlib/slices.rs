//! `std.slice`, which `a[from:to:step]` stands for.

use super::args::{Outcome, fail};
use super::core::length_of;
use super::table::{Builtin, ready, required};
use crate::error::Error;
use crate::eval::Vm;
use crate::value::Value;

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[ready(
    "slice",
    &[
        required("indexable"),
        required("index"),
        required("end"),
        required("step"),
    ],
    slice,
)];

/// Every `step`th item or character from `index` up to `end`; both count from
/// the end when they are negative.
pub fn slice(vm: &mut Vm, args: &[Value]) -> Outcome {
    let whole = &args[0];
    let step = bound(&args[3], 1.0, |step| step)?;
    let length = match whole {
        Value::Str(_) | Value::Array(_) => length_of(vm, whole)? as f64,
        _ if step > 0.0 => {
            let got = whole.type_name();
            return fail(format!(
                "std.slice accepts a string or an array, but got: {got}"
            ));
        }
        _ => length_of(vm, whole)? as f64,
    };
    let index = bound(&args[1], 0.0, |index| (length + index).max(0.0))?;
    let end = bound(&args[2], length, |end| length + end)?;
    if step < 0.0 {
        let mut shown = Vec::with_capacity(3);
        for bound in [index, end, step] {
            shown.push(vm.to_str(&Value::Num(bound))?.as_str().to_owned());
        }
        return fail(format!(
            "got [{}] but negative steps are not supported",
            shown.join(":")
        ));
    }
    if step == 0.0 {
        return fail("got 0 but step must be greater than 0");
    }
    let end = end.min(length);
    match whole {
        Value::Str(text) if step == 1.0 => {
            let (from, to) = (index.trunc(), (end + index.fract()).ceil().min(length));
            if from >= to {
                return Ok(vm.str(""));
            }
            Ok(Value::Str(text.slice(
                vm.heap(),
                from as usize,
                to as usize,
            )))
        }
        Value::Str(text) => {
            let mut picked = String::new();
            let characters: Vec<char> = text.as_str().chars().collect();
            steps(index, end, step).for_each(|at| picked.push(characters[at]));
            Ok(vm.str(&picked))
        }
        Value::Array(items) if index.fract() == 0.0 && step.fract() == 0.0 => {
            let (from, to) = (index as usize, end.max(index).ceil() as usize);
            Ok(Value::Array(items.slice(
                vm.heap(),
                from,
                to,
                step as usize,
            )))
        }
        Value::Array(items) => {
            let picked: Vec<Value> = steps(index, end, step)
                .map(|at| vm.item_lazy(items, at))
                .collect();
            Ok(Value::Array(crate::value::Array::new(vm.heap(), picked)))
        }
        other => fail(format!(
            "std.slice accepts a string or an array, but got: {}",
            other.type_name()
        )),
    }
}

/// The positions that repeated addition comes to, without their fractions.
fn steps(index: f64, end: f64, step: f64) -> impl Iterator<Item = usize> {
    let mut at = index;
    core::iter::from_fn(move || {
        let here = (at < end).then_some(at as usize);
        at += step;
        here
    })
}

/// A bound, which is compared with zero first: the complaint is that of the
/// comparison.
fn bound(value: &Value, otherwise: f64, negative: impl Fn(f64) -> f64) -> Result<f64, Box<Error>> {
    match value {
        Value::Null => Ok(otherwise),
        Value::Num(number) if *number < 0.0 => Ok(negative(*number)),
        Value::Num(number) => Ok(*number),
        Value::Str(_) | Value::Array(_) => fail(format!(
            "Unexpected type number, expected {}",
            value.type_name()
        )),
        other => fail(format!("Unexpected type {}", other.type_name())),
    }
}
