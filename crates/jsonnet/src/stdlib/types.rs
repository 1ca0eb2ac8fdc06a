//! Types, equality, order, text.

use core::cmp::Ordering;

use super::args::{Outcome, array, fail};
use super::table::{Builtin, Param, ready, required};
use crate::error::Error;
use crate::eval::Vm;
use crate::value::Value;

const V: &[Param] = &[required("v")];
const XY: &[Param] = &[required("x"), required("y")];
const ARRAYS: &[Param] = &[required("arr1"), required("arr2")];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("__array_greater", ARRAYS, |vm, args| {
        arrays(vm, args, Ordering::is_gt)
    }),
    ready("__array_greater_or_equal", ARRAYS, |vm, args| {
        arrays(vm, args, Ordering::is_ge)
    }),
    ready("__array_less", ARRAYS, |vm, args| {
        arrays(vm, args, Ordering::is_lt)
    }),
    ready("__array_less_or_equal", ARRAYS, |vm, args| {
        arrays(vm, args, Ordering::is_le)
    }),
    ready(
        "__compare",
        &[required("v1"), required("v2")],
        |vm, args| Ok(sign(three_way(vm, &args[0], &args[1])?)),
    ),
    ready("__compare_array", ARRAYS, |vm, args| {
        Ok(sign(compare_arrays(vm, &args[0], &args[1])?))
    }),
    ready("assertEqual", &[required("a"), required("b")], assert_equal),
    ready("equals", XY, |vm, args| {
        Ok(Value::Bool(vm.equals(&args[0], &args[1])?))
    }),
    ready("isArray", V, |_, args| {
        Ok(Value::Bool(matches!(args[0], Value::Array(_))))
    }),
    ready("isBoolean", V, |_, args| {
        Ok(Value::Bool(matches!(args[0], Value::Bool(_))))
    }),
    ready("isFunction", V, |_, args| {
        Ok(Value::Bool(matches!(args[0], Value::Function(_))))
    }),
    ready("isNull", &[required("x")], |_, args| {
        Ok(Value::Bool(matches!(args[0], Value::Null)))
    }),
    ready("isNumber", V, |_, args| {
        Ok(Value::Bool(matches!(args[0], Value::Num(_))))
    }),
    ready("isObject", V, |_, args| {
        Ok(Value::Bool(matches!(args[0], Value::Object(_))))
    }),
    ready("isString", V, |_, args| {
        Ok(Value::Bool(matches!(args[0], Value::Str(_))))
    }),
    ready("primitiveEquals", XY, primitive_equals),
    ready("toString", &[required("a")], |vm, args| {
        Ok(Value::Str(vm.to_str(&args[0])?))
    }),
];

fn sign(order: Ordering) -> Value {
    Value::Num(f64::from(order as i8))
}

fn primitive_equals(vm: &mut Vm, args: &[Value]) -> Outcome {
    let (x, y) = (&args[0], &args[1]);
    if x.type_name() != y.type_name() {
        return Ok(Value::Bool(false));
    }
    match x {
        Value::Array(_) | Value::Object(_) => fail(format!(
            "primitiveEquals operates on primitive types, got {}",
            x.type_name()
        )),
        _ => Ok(Value::Bool(vm.equals(x, y)?)),
    }
}

fn assert_equal(vm: &mut Vm, args: &[Value]) -> Outcome {
    if vm.equals(&args[0], &args[1])? {
        return Ok(Value::Bool(true));
    }
    let mut shown = Vec::with_capacity(2);
    for value in args {
        let text = vm.to_str(value)?;
        shown.push(match value {
            Value::Str(_) => super::escapes::json(&text)?,
            _ => text.as_str().to_owned(),
        });
    }
    fail(format!("Assertion failed. {} != {}", shown[0], shown[1]))
}

fn arrays(vm: &mut Vm, args: &[Value], test: fn(Ordering) -> bool) -> Outcome {
    Ok(Value::Bool(test(compare_arrays(vm, &args[0], &args[1])?)))
}

/// The order of two values of a type that has one.
fn three_way(vm: &mut Vm, first: &Value, second: &Value) -> Result<Ordering, Box<Error>> {
    let (one, other) = (first.type_name(), second.type_name());
    if one != other {
        return fail(format!(
            "Comparison requires matching types. Got {one} and {other}"
        ));
    }
    match first {
        Value::Array(_) => vm.with_stack(|vm| compare_arrays(vm, first, second)),
        Value::Function(_) | Value::Object(_) | Value::Bool(_) => {
            fail(format!("Values of type {one} are not comparable."))
        }
        _ => vm.compare(first, second),
    }
}

fn compare_arrays(vm: &mut Vm, first: &Value, second: &Value) -> Result<Ordering, Box<Error>> {
    let (first, second) = (array(first)?, array(second)?);
    for index in 0..first.len().min(second.len()) {
        let one = vm.item(first, index)?;
        let other = vm.item(second, index)?;
        let order = three_way(vm, &one, &other)?;
        if order.is_ne() {
            return Ok(order);
        }
    }
    Ok(first.len().cmp(&second.len()))
}
