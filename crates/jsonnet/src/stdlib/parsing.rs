//! Numbers, JSON and YAML out of text.

use super::args::{Outcome, checked, fail, string};
use super::complaint;
use super::objects::visible;
use super::table::{Builtin, Param, Run, ready, required};
use super::yaml::{self, Tree};
use crate::error::Error;
use crate::eval::Vm;
use crate::json::{self, Fault, Repeats};
use crate::value::{Array, Name, Str, Value};

const STR: &[Param] = &[required("str")];

const fn of_text(name: &'static str, run: Run) -> Builtin {
    ready(name, STR, run)
}

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    of_text("parseHex", |_, args| {
        natural(&args[0], 16, "Not hexadecimal: \"\"")
    }),
    of_text("parseInt", |_, args| {
        let text = string(&args[0])?.as_str();
        match text.parse::<i64>() {
            Ok(whole) => Ok(Value::Num(whole as f64)),
            Err(_) => fail(format!("{text} is not a base 10 integer")),
        }
    }),
    of_text("parseJson", parse_json),
    of_text("parseOctal", |_, args| {
        natural(&args[0], 8, "Not an octal number: \"\"")
    }),
    of_text("parseYaml", parse_yaml),
];

/// A number without a sign. By its definition, what lies between the digits and
/// the letters counts on from where they stand.
fn natural(value: &Value, base: i64, empty: &str) -> Outcome {
    let Value::Str(text) = value else {
        return fail(format!("Expected string, got {}", value.type_name()));
    };
    if text.is_empty() {
        return fail(empty);
    }
    let mut sum = 0.0;
    for character in text.as_str().chars() {
        let code = i64::from(u32::from(character));
        let digit = match code {
            97.. => code - 97 + 10,
            65.. => code - 65 + 10,
            _ => code - 48,
        };
        if !(0..base).contains(&digit) {
            return fail(format!("{} is not a base {base} integer", text.as_str()));
        }
        sum = sum * base as f64 + digit as f64;
    }
    checked(sum)
}

fn parse_json(vm: &mut Vm, args: &[Value]) -> Outcome {
    let text = string(&args[0])?.as_str();
    match json::read(vm.store(), text, Repeats::Last) {
        Ok(value) => Ok(value),
        Err(Fault::Range(number)) => fail(format!(
            "failed to parse JSON: json: cannot unmarshal number {number} into Go value of type float64"
        )),
        Err(Fault::Syntax(_) | Fault::Repeated(_)) => {
            fail(format!("failed to parse JSON: {}", complaint::of(text)))
        }
    }
}

fn parse_yaml(vm: &mut Vm, args: &[Value]) -> Outcome {
    match yaml::parse(string(&args[0])?.as_str()) {
        Ok(tree) => value_of(vm, &tree),
        Err(error) => fail(format!(
            "failed to parse YAML: error converting YAML to JSON: {error}"
        )),
    }
}

fn value_of(vm: &mut Vm, tree: &Tree) -> Outcome {
    Ok(match tree {
        Tree::Null => Value::Null,
        Tree::Bool(truth) => Value::Bool(*truth),
        Tree::Number(number) => Value::Num(*number),
        Tree::String(text) => Value::Str(Str::new(vm.heap(), text)),
        Tree::Array(items) => {
            let items = items
                .iter()
                .map(|item| vm.with_stack(|vm| value_of(vm, item)))
                .collect::<Result<Vec<Value>, Box<Error>>>()?;
            Value::Array(Array::new(vm.heap(), items))
        }
        Tree::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| {
                    let value = vm.with_stack(|vm| value_of(vm, value))?;
                    Ok((vm.intern(name), value))
                })
                .collect::<Result<Vec<(Name, Value)>, Box<Error>>>()?;
            visible(vm, members)?
        }
    })
}
