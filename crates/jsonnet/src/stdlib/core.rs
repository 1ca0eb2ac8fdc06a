//! What the language itself leans on: types, lengths, folds.

use super::args::{function, integer};
use super::table::{Builtin, builtin, ready, required};
use crate::error::Error;
use crate::eval::{Outcome, Vm};
use crate::ir::BuiltinId;
use crate::value::{Array, Str, Value};

pub(super) static BUILTINS: &[Builtin] = &[
    ready("$absent", &[], absent),
    ready("id", &[required("x")], identity),
    ready("length", &[required("x")], length),
    ready("type", &[required("x")], type_of),
    ready("makeArray", &[required("sz"), required("func")], make_array),
    ready(
        "foldl",
        &[required("func"), required("arr"), required("init")],
        foldl,
    ),
];

/// Stands for arguments that are missing; never called.
fn absent(_: &mut Vm, _: &[Value]) -> Outcome {
    Ok(Value::Null)
}

fn identity(_: &mut Vm, args: &[Value]) -> Outcome {
    Ok(args[0].clone())
}

/// Whether that builtin is the identity: keys are then the items themselves.
pub(super) fn is_identity(id: u32) -> bool {
    builtin(BuiltinId(id)).name == "id"
}

fn length(vm: &mut Vm, args: &[Value]) -> Outcome {
    Ok(Value::Num(length_of(vm, &args[0])? as f64))
}

/// How many code points, elements, visible fields or parameters without a
/// default a value has.
pub(super) fn length_of(vm: &Vm, value: &Value) -> Result<usize, Box<Error>> {
    Ok(match value {
        Value::Str(text) => text.len(),
        Value::Array(array) => array.len(),
        Value::Object(object) => {
            let fields = object.shape(vm.store()).fields().iter();
            fields.filter(|field| field.is_visible()).count()
        }
        Value::Function(function) => vm.required_params(function),
        other => return Err(unexpected(other)),
    })
}

#[cold]
fn unexpected(value: &Value) -> Box<Error> {
    Error::runtime(format!("Unexpected type {}", value.type_name()))
}

fn type_of(vm: &mut Vm, args: &[Value]) -> Outcome {
    Ok(vm.str(args[0].type_name()))
}

fn make_array(vm: &mut Vm, args: &[Value]) -> Outcome {
    let len = integer(&args[0])?;
    let by = function(&args[1])?;
    let len = usize::try_from(len).unwrap_or(0);
    Ok(Value::Array(Array::made(vm.heap(), by.clone(), len)))
}

fn foldl(vm: &mut Vm, args: &[Value]) -> Outcome {
    let by = function(&args[0])?;
    let mut result = args[2].clone();
    match &args[1] {
        Value::Array(array) => {
            for at in 0..array.len() {
                let item = vm.item_lazy(array, at);
                result = vm.call(by, &[result, item])?;
            }
        }
        Value::Str(text) => {
            for character in text.as_str().chars() {
                let item = Value::Str(Str::from_char(vm.heap(), character));
                result = vm.call(by, &[result, item])?;
            }
        }
        other => {
            let got = other.type_name();
            return Err(vm.error(format!(
                "foldl second parameter should be string or array, got {got}"
            )));
        }
    }
    Ok(result)
}
