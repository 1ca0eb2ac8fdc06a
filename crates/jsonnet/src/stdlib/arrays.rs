//! Arrays: making, mapping, choosing, searching.

use super::args::{Outcome, array, boolean, fail, function, integer, room, text, unexpected};
use super::splits::extend;
use super::strings::{characters, contains};
use super::table::{Builtin, Param, lazy, ready, required};
use crate::error::Error;
use crate::eval::Vm;
use crate::value::{Array, By, Function, Value};

const ARR: &[Param] = &[required("arr")];
const FUNC_ARR: &[Param] = &[required("func"), required("arr")];
const ARR_X: &[Param] = &[required("arr"), required("x")];
const ARR_ELEM: &[Param] = &[required("arr"), required("elem")];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("all", ARR, |vm, args| decide(vm, args, "all", false)),
    ready("any", ARR, |vm, args| decide(vm, args, "any", true)),
    ready("contains", ARR_ELEM, |vm, args| {
        let items = array(&args[0])?;
        Ok(Value::Bool(position(vm, items, &args[1])?.is_some()))
    }),
    lazy("count", ARR_X, count),
    ready("filter", FUNC_ARR, filter),
    ready(
        "filterMap",
        &[
            required("filter_func"),
            required("map_func"),
            required("arr"),
        ],
        filter_map,
    ),
    lazy("find", &[required("value"), required("arr")], find),
    ready("flatMap", FUNC_ARR, flat_map),
    ready("flattenArrays", &[required("arrs")], flatten),
    ready("flattenDeepArray", &[required("value")], |vm, args| {
        let mut flat = Vec::new();
        push_flat(vm, &mut flat, &args[0])?;
        Ok(Value::Array(Array::new(vm.heap(), flat)))
    }),
    ready("map", FUNC_ARR, map),
    ready("mapWithIndex", FUNC_ARR, map_with_index),
    ready("member", ARR_X, member),
    ready("range", &[required("from"), required("to")], range),
    ready("remove", ARR_ELEM, remove),
    ready("removeAt", &[required("arr"), required("i")], remove_at),
    ready("repeat", &[required("what"), required("count")], repeat),
    ready("reverse", ARR, |vm, args| {
        Ok(Value::Array(array(&args[0])?.reversed(vm.heap())))
    }),
];

fn made(vm: &Vm, items: Vec<Value>) -> Outcome {
    Ok(Value::Array(Array::new(vm.heap(), items)))
}

/// The items of an array, or the characters of a string; none for the rest.
pub fn sequence(vm: &Vm, value: &Value) -> Option<Array> {
    match value {
        Value::Array(items) => Some(items.clone()),
        Value::Str(string) => Some(characters(vm, string)),
        _ => None,
    }
}

fn range(vm: &mut Vm, args: &[Value]) -> Outcome {
    let (from, to) = (integer(&args[0])?, integer(&args[1])?);
    let length = usize::try_from(to - from + 1).unwrap_or(0);
    Ok(Value::Array(Array::range(vm.heap(), from, length)))
}

fn map(vm: &mut Vm, args: &[Value]) -> Outcome {
    let Value::Function(by) = &args[0] else {
        return fail(format!(
            "std.map first param must be function, got {}",
            args[0].type_name()
        ));
    };
    match sequence(vm, &args[1]) {
        Some(items) => Ok(mapped(vm, By::Item(by.clone()), items)),
        None => fail(format!(
            "std.map second param must be array / string, got {}",
            args[1].type_name()
        )),
    }
}

fn mapped(vm: &Vm, by: By, items: Array) -> Value {
    Value::Array(Array::mapped(vm.heap(), by, items))
}

fn map_with_index(vm: &mut Vm, args: &[Value]) -> Outcome {
    let Value::Function(by) = &args[0] else {
        let got = args[0].type_name();
        return fail(format!(
            "std.mapWithIndex first param must be function, got {got}"
        ));
    };
    match sequence(vm, &args[1]) {
        Some(items) => Ok(mapped(vm, By::IndexAndItem(by.clone()), items)),
        None => fail(format!(
            "std.mapWithIndex second param must be array, got {}",
            args[1].type_name()
        )),
    }
}

fn filter(vm: &mut Vm, args: &[Value]) -> Outcome {
    let items = array(&args[1])?;
    let by = function(&args[0])?;
    let chosen = chosen(vm, by, items)?;
    made(vm, chosen)
}

/// The items for which the function is true, as they are.
fn chosen(vm: &mut Vm, by: &Function, items: &Array) -> Result<Vec<Value>, Box<Error>> {
    let mut chosen = Vec::new();
    for index in 0..items.len() {
        let item = items.get(vm.heap(), index);
        let verdict = vm.call(by, core::slice::from_ref(&item))?;
        if boolean(&verdict)? {
            chosen.push(item);
        }
    }
    Ok(chosen)
}

fn filter_map(vm: &mut Vm, args: &[Value]) -> Outcome {
    let must = |which: &str, what: &str, value: &Value| {
        let got = value.type_name();
        fail(format!(
            "std.filterMap {which} param must be {what}, got {got}"
        ))
    };
    let Value::Function(test) = &args[0] else {
        return must("first", "function", &args[0]);
    };
    let Value::Function(by) = &args[1] else {
        return must("second", "function", &args[1]);
    };
    let Value::Array(items) = &args[2] else {
        return must("third", "array", &args[2]);
    };
    let chosen = chosen(vm, test, items)?;
    let chosen = Array::new(vm.heap(), chosen);
    Ok(mapped(vm, By::Item(by.clone()), chosen))
}

fn flat_map(vm: &mut Vm, args: &[Value]) -> Outcome {
    let by = function(&args[0])?;
    match &args[1] {
        Value::Array(items) => {
            let mut flat = Vec::new();
            for index in 0..items.len() {
                let item = items.get(vm.heap(), index);
                let part = vm.call(by, &[item])?;
                extend(vm, &mut flat, array(&part)?);
            }
            made(vm, flat)
        }
        Value::Str(string) => {
            let mut joined = String::new();
            let letters = characters(vm, string);
            for index in 0..letters.len() {
                let letter = letters.get(vm.heap(), index);
                match vm.call(by, &[letter])? {
                    Value::Str(part) => joined.push_str(part.as_str()),
                    other => return unexpected(&other, "string"),
                }
            }
            Ok(text(vm, &joined))
        }
        other => fail(format!(
            "std.flatMap second param must be array / string, got {}",
            other.type_name()
        )),
    }
}

/// The sum of the items, from an empty array on: arrays put together, unless
/// an item is something else that an array can be added to.
fn flatten(vm: &mut Vm, args: &[Value]) -> Outcome {
    let Some(items) = sequence(vm, &args[0]) else {
        let got = args[0].type_name();
        return fail(format!(
            "foldl second parameter should be string or array, got {got}"
        ));
    };
    let mut flat = Vec::new();
    for index in 0..items.len() {
        match vm.item(&items, index)? {
            Value::Array(item) => extend(vm, &mut flat, &item),
            other => {
                let mut sum = made(vm, flat)?;
                sum = vm.add(&sum, &other)?;
                for index in index + 1..items.len() {
                    let item = vm.item(&items, index)?;
                    sum = vm.add(&sum, &item)?;
                }
                return Ok(sum);
            }
        }
    }
    made(vm, flat)
}

fn push_flat(vm: &mut Vm, flat: &mut Vec<Value>, value: &Value) -> Result<(), Box<Error>> {
    let Value::Array(items) = value else {
        flat.push(value.clone());
        return Ok(());
    };
    for index in 0..items.len() {
        let item = vm.item(items, index)?;
        vm.with_stack(|vm| push_flat(vm, flat, &item))?;
    }
    Ok(())
}

/// Whether all or any are true: the first that is `until` decides.
fn decide(vm: &mut Vm, args: &[Value], name: &str, until: bool) -> Outcome {
    let Value::Array(items) = &args[0] else {
        let got = args[0].type_name();
        return fail(format!("{name}() parameter should be an array, got {got}"));
    };
    for index in 0..items.len() {
        match vm.item(items, index)? {
            Value::Bool(truth) if truth == until => return Ok(Value::Bool(until)),
            Value::Bool(_) => {}
            other => {
                let shown = vm.to_str(&other)?;
                let got = other.type_name();
                return fail(format!(
                    "element \"{}\" of type {got} is not a boolean",
                    shown.as_str()
                ));
            }
        }
    }
    Ok(Value::Bool(!until))
}

/// Where the first item stands that equals the value.
fn position(vm: &mut Vm, items: &Array, value: &Value) -> Result<Option<usize>, Box<Error>> {
    if let (Some(numbers), Value::Num(number)) = (items.as_numbers(), value) {
        return Ok(numbers.iter().position(|item| item == number));
    }
    for index in 0..items.len() {
        let item = vm.item(items, index)?;
        if vm.equals(&item, value)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

fn member(vm: &mut Vm, args: &[Value]) -> Outcome {
    match &args[0] {
        Value::Array(items) => Ok(Value::Bool(position(vm, items, &args[1])?.is_some())),
        Value::Str(string) => Ok(Value::Bool(contains(string, &args[1])?)),
        _ => fail("std.member first argument must be an array or a string"),
    }
}

fn count(vm: &mut Vm, args: &[Value]) -> Outcome {
    let items = vm.force(&args[0])?;
    let found = positions(vm, array(&items)?, &args[1])?;
    Ok(Value::Num(found.len() as f64))
}

fn find(vm: &mut Vm, args: &[Value]) -> Outcome {
    let items = match vm.force(&args[1])? {
        Value::Array(items) => items,
        other => {
            let got = other.type_name();
            return fail(format!(
                "find second parameter should be an array, got {got}"
            ));
        }
    };
    let found = positions(vm, &items, &args[0])?;
    Ok(Value::Array(Array::numbers(vm.heap(), found)))
}

/// Where the items are that equal a value, which is worked out if there are any.
fn positions(vm: &mut Vm, items: &Array, value: &Value) -> Result<Vec<f64>, Box<Error>> {
    let mut found = Vec::new();
    for index in 0..items.len() {
        let item = vm.item(items, index)?;
        let value = vm.force(value)?;
        if vm.equals(&item, &value)? {
            found.push(index as f64);
        }
    }
    Ok(found)
}

fn remove(vm: &mut Vm, args: &[Value]) -> Outcome {
    let items = array(&args[0])?;
    Ok(match position(vm, items, &args[1])? {
        Some(index) => without(vm, items, index),
        None => args[0].clone(),
    })
}

fn remove_at(vm: &mut Vm, args: &[Value]) -> Outcome {
    let items = array(&args[0])?;
    let index = integer(&args[1])?;
    match usize::try_from(index) {
        Ok(place) if place < items.len() => Ok(without(vm, items, place)),
        _ => fail(format!(
            "Index {index} out of bounds, not within [0, {})",
            items.len()
        )),
    }
}

fn without(vm: &Vm, items: &Array, index: usize) -> Value {
    let heap = vm.heap();
    let before = items.slice(heap, 0, index, 1);
    let behind = items.slice(heap, index + 1, items.len(), 1);
    Value::Array(Array::concat(heap, &before, &behind))
}

fn repeat(vm: &mut Vm, args: &[Value]) -> Outcome {
    match &args[0] {
        Value::Str(what) => {
            let times = usize::try_from(integer(&args[1])?).unwrap_or(0);
            let bytes = room(vm, what.bytes(), times)?;
            let mut repeated = String::with_capacity(bytes);
            (0..times).for_each(|_| repeated.push_str(what.as_str()));
            Ok(text(vm, &repeated))
        }
        Value::Array(what) => {
            let times = usize::try_from(integer(&args[1])?).unwrap_or(0);
            Ok(Value::Array(what.repeat(vm.heap(), times)))
        }
        _ => fail("std.repeat first argument must be an array or a string"),
    }
}
