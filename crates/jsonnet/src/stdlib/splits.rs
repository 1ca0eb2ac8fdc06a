//! Taking strings apart and putting them together.

use super::args::{Outcome, array, fail, integer, string, text, unexpected};
use super::table::{Builtin, Param, ready, required};
use crate::error::Error;
use crate::eval::Vm;
use crate::value::{Array, Str, Value};

const LIMITED: &[Param] = &[required("str"), required("c"), required("maxsplits")];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("deepJoin", &[required("arr")], deep_join),
    ready("join", &[required("sep"), required("arr")], join),
    ready("lines", &[required("arr")], lines),
    ready("resolvePath", &[required("f"), required("r")], resolve_path),
    ready("split", &[required("str"), required("c")], split),
    ready("splitLimit", LIMITED, split_limit),
    ready("splitLimitR", LIMITED, split_limit_right),
];

/// The parts of a string as an array; they share its memory.
fn parts<'a>(vm: &Vm, whole: &Str, parts: impl Iterator<Item = &'a str>) -> Value {
    let heap = vm.heap();
    let start = whole.as_str().as_ptr() as usize;
    let items: Vec<Value> = parts
        .map(|part| {
            let from = part.as_ptr() as usize - start;
            Value::Str(whole.slice_bytes(heap, from, from + part.len()))
        })
        .collect();
    Value::Array(Array::new(heap, items))
}

fn split(vm: &mut Vm, args: &[Value]) -> Outcome {
    let must = |which: &str, value: &Value| {
        fail(format!(
            "std.split {which} parameter must be a String, got {}",
            value.type_name()
        ))
    };
    let Value::Str(whole) = &args[0] else {
        return must("first", &args[0]);
    };
    let Value::Str(separator) = &args[1] else {
        return must("second", &args[1]);
    };
    if separator.is_empty() {
        return fail("std.split second parameter must have length 1 or greater, got 0");
    }
    Ok(parts(vm, whole, whole.as_str().split(separator.as_str())))
}

fn limited<'a>(
    name: &str,
    args: &'a [Value],
) -> Result<(&'a Str, &'a Str, Option<usize>), Box<Error>> {
    let (whole, separator) = (string(&args[0])?, string(&args[1])?);
    let most = integer(&args[2])?;
    if most < -1 {
        return fail(format!(
            "std.{name} third parameter should be -1 or non-negative, got {most}"
        ));
    }
    if separator.is_empty() {
        return fail(format!(
            "std.{name} second parameter should have length 1 or greater, got 0"
        ));
    }
    Ok((whole, separator, usize::try_from(most).ok()))
}

fn split_limit(vm: &mut Vm, args: &[Value]) -> Outcome {
    let (whole, separator, most) = limited("splitLimit", args)?;
    let (text, separator) = (whole.as_str(), separator.as_str());
    Ok(match most {
        Some(most) => parts(vm, whole, text.splitn(most + 1, separator)),
        None => parts(vm, whole, text.split(separator)),
    })
}

fn split_limit_right(vm: &mut Vm, args: &[Value]) -> Outcome {
    let (whole, separator, most) = limited("splitLimitR", args)?;
    let (text, separator) = (whole.as_str(), separator.as_str());
    // What does not overlap is counted from the left, the splits are made from
    // the right.
    let count = text.matches(separator).count();
    let count = most.map_or(count, |most| count.min(most));
    let mut found: Vec<&str> = text.rsplitn(count + 1, separator).collect();
    found.reverse();
    Ok(parts(vm, whole, found.into_iter()))
}

fn join(vm: &mut Vm, args: &[Value]) -> Outcome {
    let items = array(&args[1])?;
    match &args[0] {
        Value::Str(separator) => join_strings(vm, separator.as_str(), items),
        Value::Array(separator) => join_arrays(vm, separator, items),
        other => fail(format!(
            "join first parameter should be string or array, got {}",
            other.type_name()
        )),
    }
}

fn join_strings(vm: &mut Vm, separator: &str, items: &Array) -> Outcome {
    let mut joined = String::new();
    let mut first = true;
    for index in 0..items.len() {
        match vm.item(items, index)? {
            Value::Null => continue,
            Value::Str(item) => {
                if !first {
                    joined.push_str(separator);
                }
                joined.push_str(item.as_str());
            }
            other => return unexpected(&other, "string"),
        }
        first = false;
    }
    Ok(text(vm, &joined))
}

fn join_arrays(vm: &mut Vm, separator: &Array, items: &Array) -> Outcome {
    let mut joined = Vec::new();
    let mut first = true;
    for index in 0..items.len() {
        match vm.item(items, index)? {
            Value::Null => continue,
            Value::Array(item) => {
                if !first {
                    extend(vm, &mut joined, separator);
                }
                extend(vm, &mut joined, &item);
            }
            other => return unexpected(&other, "array"),
        }
        first = false;
    }
    Ok(Value::Array(Array::new(vm.heap(), joined)))
}

/// Appends the items of an array as they are, pending or not.
pub fn extend(vm: &Vm, items: &mut Vec<Value>, array: &Array) {
    let heap = vm.heap();
    items.reserve(array.len());
    items.extend((0..array.len()).map(|index| array.get(heap, index)));
}

/// Each string with a line feed behind it; nulls leave nothing.
fn lines(vm: &mut Vm, args: &[Value]) -> Outcome {
    let last = Value::Array(Array::new(vm.heap(), [text(vm, "")]));
    let items = vm.add(&args[0], &last)?;
    join_strings(vm, "\n", array(&items)?)
}

fn deep_join(vm: &mut Vm, args: &[Value]) -> Outcome {
    let mut joined = String::new();
    push_deep(vm, &mut joined, &args[0])?;
    Ok(text(vm, &joined))
}

/// Appends a string, or all the strings of an array of such.
pub fn push_deep(vm: &mut Vm, joined: &mut String, value: &Value) -> Result<(), Box<Error>> {
    match value {
        Value::Str(text) => joined.push_str(text.as_str()),
        Value::Array(items) => {
            for index in 0..items.len() {
                let item = vm.item(items, index)?;
                vm.with_stack(|vm| push_deep(vm, joined, &item))?;
            }
        }
        other => {
            return fail(format!(
                "Expected string or array, got {}",
                other.type_name()
            ));
        }
    }
    Ok(())
}

/// A path beside another file's.
fn resolve_path(vm: &mut Vm, args: &[Value]) -> Outcome {
    let must = |which: &str, value: &Value| {
        fail(format!(
            "std.split {which} parameter must be a String, got {}",
            value.type_name()
        ))
    };
    let Value::Str(file) = &args[0] else {
        return must("first", &args[0]);
    };
    let folder = file
        .as_str()
        .rfind('/')
        .map_or("", |at| &file.as_str()[..=at]);
    match &args[1] {
        Value::Str(relative) => Ok(text(vm, &format!("{folder}{}", relative.as_str()))),
        Value::Null => Ok(text(vm, folder.strip_suffix('/').unwrap_or(""))),
        other => unexpected(other, "string"),
    }
}
