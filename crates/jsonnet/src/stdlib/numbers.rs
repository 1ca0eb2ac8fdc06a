//! Arithmetic: roots, circular functions, rounding, sums.

use super::args::{Outcome, array, boolean, checked, fail, number};
use super::table::{Builtin, Param, lazy, ready, required};
use crate::error::Error;
use crate::eval::Vm;
use crate::number as elementary;
use crate::value::Value;

const X: &[Param] = &[required("x")];
const N: &[Param] = &[required("n")];
const XY: &[Param] = &[required("x"), required("y")];
const AB: &[Param] = &[required("a"), required("b")];
const ARR: &[Param] = &[required("arr")];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("abs", N, abs),
    ready("acos", X, |_, args| unary(args, elementary::acos)),
    ready("asin", X, |_, args| unary(args, elementary::asin)),
    ready("atan", X, |_, args| unary(args, elementary::atan)),
    ready("atan2", &[required("y"), required("x")], |_, args| {
        binary(args, elementary::atan2)
    }),
    ready("avg", ARR, avg),
    ready("ceil", X, |_, args| unary(args, f64::ceil)),
    lazy(
        "clamp",
        &[required("x"), required("minVal"), required("maxVal")],
        clamp,
    ),
    ready("cos", X, |_, args| unary(args, elementary::cos)),
    ready("deg2rad", X, |_, args| {
        unary(args, |x| x * core::f64::consts::PI / 180.0)
    }),
    ready("exp", X, |_, args| unary(args, elementary::exp)),
    ready("exponent", X, |_, args| {
        unary(args, |x| f64::from(elementary::frexp(x).1))
    }),
    ready("floor", X, |_, args| unary(args, f64::floor)),
    ready("hypot", XY, |_, args| binary(args, elementary::hypot)),
    ready("isDecimal", X, |_, args| test(args, |x| x.fract() != 0.0)),
    ready("isEven", X, |_, args| {
        test(args, |x| x.trunc() % 2.0 == 0.0)
    }),
    ready("isInteger", X, |_, args| test(args, |x| x.fract() == 0.0)),
    ready("isOdd", X, |_, args| test(args, |x| x.trunc() % 2.0 != 0.0)),
    ready("log", X, |_, args| unary(args, elementary::log)),
    ready("log10", X, |_, args| logarithm(args, 10.0)),
    ready("log2", X, |_, args| logarithm(args, 2.0)),
    ready("mantissa", X, |_, args| {
        unary(args, |x| elementary::frexp(x).0)
    }),
    ready("max", AB, max),
    ready("min", AB, min),
    ready("modulo", XY, modulo),
    ready("pow", &[required("x"), required("n")], |_, args| {
        binary(args, elementary::pow)
    }),
    ready("rad2deg", X, |_, args| {
        unary(args, |x| x * 180.0 / core::f64::consts::PI)
    }),
    ready("round", X, |_, args| unary(args, f64::round)),
    ready("sign", N, sign),
    ready("sin", X, |_, args| unary(args, elementary::sin)),
    ready("sqrt", X, |_, args| unary(args, f64::sqrt)),
    ready("sum", ARR, sum),
    ready("tan", X, |_, args| unary(args, elementary::tan)),
    ready("xnor", XY, |_, args| {
        Ok(Value::Bool(boolean(&args[0])? == boolean(&args[1])?))
    }),
    ready("xor", XY, |_, args| {
        Ok(Value::Bool(boolean(&args[0])? != boolean(&args[1])?))
    }),
];

fn unary(args: &[Value], function: fn(f64) -> f64) -> Outcome {
    checked(function(number(&args[0])?))
}

fn binary(args: &[Value], function: fn(f64, f64) -> f64) -> Outcome {
    let first = number(&args[0])?;
    checked(function(first, number(&args[1])?))
}

fn test(args: &[Value], function: fn(f64) -> bool) -> Outcome {
    Ok(Value::Bool(function(number(&args[0])?)))
}

fn logarithm(args: &[Value], base: f64) -> Outcome {
    let Value::Num(numerator) = unary(args, elementary::log)? else {
        return fail("Not a number");
    };
    checked(numerator / elementary::log(base))
}

/// Zero becomes negative zero, as by its definition `if n > 0 then n else -n`.
fn abs(_: &mut Vm, args: &[Value]) -> Outcome {
    let n = wanted(&args[0], "std.abs expected number")?;
    Ok(Value::Num(if n > 0.0 { n } else { -n }))
}

fn sign(_: &mut Vm, args: &[Value]) -> Outcome {
    let n = wanted(&args[0], "std.sign expected number")?;
    Ok(Value::Num(f64::from(i8::from(n > 0.0) - i8::from(n < 0.0))))
}

fn max(_: &mut Vm, args: &[Value]) -> Outcome {
    let a = wanted(&args[0], "std.max first param expected number")?;
    let b = wanted(&args[1], "std.max second param expected number")?;
    Ok(Value::Num(if a > b { a } else { b }))
}

fn min(_: &mut Vm, args: &[Value]) -> Outcome {
    let a = wanted(&args[0], "std.min first param expected number")?;
    let b = wanted(&args[1], "std.min second param expected number")?;
    Ok(Value::Num(if a < b { a } else { b }))
}

fn wanted(value: &Value, complaint: &str) -> Result<f64, Box<Error>> {
    match value {
        Value::Num(number) => Ok(*number),
        other => fail(format!("{complaint}, got {}", other.type_name())),
    }
}

fn clamp(vm: &mut Vm, args: &[Value]) -> Outcome {
    let x = vm.force(&args[0])?;
    let least = vm.force(&args[1])?;
    if vm.compare(&x, &least)?.is_lt() {
        return Ok(least);
    }
    let most = vm.force(&args[2])?;
    Ok(if vm.compare(&x, &most)?.is_gt() {
        most
    } else {
        x
    })
}

/// The remainder, of the sign of the dividend.
pub fn modulo(_: &mut Vm, args: &[Value]) -> Outcome {
    let (x, y) = (number(&args[0])?, number(&args[1])?);
    if y == 0.0 {
        return fail("Division by zero.");
    }
    checked(x % y)
}

fn sum(vm: &mut Vm, args: &[Value]) -> Outcome {
    total(vm, &args[0]).map(Value::Num)
}

fn total(vm: &mut Vm, value: &Value) -> Result<f64, Box<Error>> {
    let array = array(value)?;
    if let Some(numbers) = array.as_numbers() {
        return Ok(numbers.iter().fold(0.0, |sum, number| sum + number));
    }
    let mut sum = 0.0;
    for index in 0..array.len() {
        sum += number(&vm.item(array, index)?)?;
    }
    Ok(sum)
}

fn avg(vm: &mut Vm, args: &[Value]) -> Outcome {
    let length = array(&args[0])?.len();
    if length == 0 {
        return fail("Cannot calculate average of an empty array.");
    }
    Ok(Value::Num(total(vm, &args[0])? / length as f64))
}
