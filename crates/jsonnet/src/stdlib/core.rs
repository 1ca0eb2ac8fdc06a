//! What the language itself leans on: types, lengths, folds.

use super::table::{Args, Builtin, required};
use crate::error::Error;
use crate::eval::{Outcome, Vm};
use crate::value::{Array, Str, Value};

pub(super) static BUILTINS: &[Builtin] = &[
    Builtin {
        name: "$absent",
        params: &[],
        args: Args::Ready,
        run: absent,
    },
    Builtin {
        name: "id",
        params: &[required("x")],
        args: Args::Ready,
        run: identity,
    },
    Builtin {
        name: "length",
        params: &[required("x")],
        args: Args::Ready,
        run: length,
    },
    Builtin {
        name: "type",
        params: &[required("x")],
        args: Args::Ready,
        run: type_of,
    },
    Builtin {
        name: "makeArray",
        params: &[required("sz"), required("func")],
        args: Args::Ready,
        run: make_array,
    },
    Builtin {
        name: "foldl",
        params: &[required("func"), required("arr"), required("init")],
        args: Args::Ready,
        run: foldl,
    },
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
    id == 1
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
    let len = vm.int(&args[0])?;
    let function = vm.function(&args[1])?;
    let len = usize::try_from(len).unwrap_or(0);
    Ok(Value::Array(Array::made(vm.heap(), function.clone(), len)))
}

fn foldl(vm: &mut Vm, args: &[Value]) -> Outcome {
    let function = vm.function(&args[0])?;
    let mut result = args[2].clone();
    match &args[1] {
        Value::Array(array) => {
            for at in 0..array.len() {
                let item = vm.item_lazy(array, at);
                result = vm.call(function, &[result, item])?;
            }
        }
        Value::Str(text) => {
            for character in text.as_str().chars() {
                let item = Value::Str(Str::from_char(vm.heap(), character));
                result = vm.call(function, &[result, item])?;
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
