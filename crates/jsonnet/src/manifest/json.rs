//! JSON as the main output and `std.toString` spell it.

use std::fmt::Write;

use super::go_quoted;
use crate::error::Error;
use crate::value::{Array, Object, Value};
use crate::vm::Vm;

type Result = std::result::Result<(), Box<Error>>;

/// The main output: three spaces for each level.
pub fn to_json(vm: &mut Vm, value: &Value) -> std::result::Result<String, Box<Error>> {
    write(vm, value, Some(0))
}

/// On one line, as `std.toString` has it.
pub fn to_string(vm: &mut Vm, value: &Value) -> std::result::Result<String, Box<Error>> {
    write(vm, value, None)
}

fn write(
    vm: &mut Vm,
    value: &Value,
    indent: Option<usize>,
) -> std::result::Result<String, Box<Error>> {
    let mut out = String::new();
    write_value(vm, value, indent, &mut out)?;
    Ok(out)
}

fn write_value(vm: &mut Vm, value: &Value, indent: Option<usize>, out: &mut String) -> Result {
    vm.level(|vm| match value {
        Value::Null => {
            out.push_str("null");
            Ok(())
        }
        Value::Bool(value) => {
            out.push_str(if *value { "true" } else { "false" });
            Ok(())
        }
        Value::Num(number) => {
            spell_number(out, *number);
            Ok(())
        }
        Value::Str(text) => {
            write_string(out, text.as_str());
            Ok(())
        }
        Value::Array(array) => write_array(vm, array, indent, out),
        Value::Object(object) => write_object(vm, object, indent, out),
        Value::Function(_) | Value::Pending(_) => {
            Err(Error::runtime("couldn't manifest function as JSON"))
        }
    })
}

fn line(out: &mut String, first: bool, indent: Option<usize>) {
    match indent {
        Some(indent) => {
            out.push_str(if first { "\n" } else { ",\n" });
            out.extend(std::iter::repeat_n(' ', indent));
        }
        None if !first => out.push_str(", "),
        None => {}
    }
}

fn end(out: &mut String, indent: Option<usize>) {
    if let Some(indent) = indent {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent));
    }
}

fn write_array(vm: &mut Vm, array: &Array, indent: Option<usize>, out: &mut String) -> Result {
    if array.is_empty() {
        out.push_str("[ ]");
        return Ok(());
    }
    let inner = indent.map(|indent| indent + 3);
    out.push('[');
    for at in 0..array.len() {
        line(out, at == 0, inner);
        let item = vm.item(array, at);
        item.and_then(|item| write_value(vm, &item, inner, out))
            .map_err(|error| error.during(format!("Array element {at}")))?;
    }
    end(out, indent);
    out.push(']');
    Ok(())
}

fn write_object(vm: &mut Vm, object: &Object, indent: Option<usize>, out: &mut String) -> Result {
    vm.check_asserts(object)
        .map_err(|error| error.during("Checking object assertions"))?;
    let fields = vm.sorted_fields(object, false);
    if fields.is_empty() {
        out.push_str("{ }");
        return Ok(());
    }
    let inner = indent.map(|indent| indent + 3);
    out.push('{');
    for (at, field) in fields.iter().enumerate() {
        line(out, at == 0, inner);
        write_string(out, vm.store().names.text(field.name).as_str());
        out.push_str(": ");
        let value = vm.field_value(object, field);
        value
            .and_then(|value| write_value(vm, &value, inner, out))
            .map_err(|error| {
                let name = go_quoted(vm.store().names.text(field.name).as_str());
                error.during(format!("Field {name}"))
            })?;
    }
    end(out, indent);
    out.push('}');
    Ok(())
}

/// A number: whole ones in full, others with 17 digits.
fn spell_number(out: &mut String, number: f64) {
    let written = if number.floor() == number {
        write!(out, "{number:.0}")
    } else {
        return spell_17g(out, number);
    };
    debug_assert!(written.is_ok(), "strings take any text");
}

/// As C's `%.17g`.
fn spell_17g(out: &mut String, number: f64) {
    let spelled = format!("{number:.16e}");
    let (digits, exponent) = spelled.split_once('e').unwrap_or((&spelled, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..17).contains(&exponent) {
        let decimals = (16 - exponent) as usize;
        let fixed = format!("{number:.decimals$}");
        out.push_str(fixed.trim_end_matches('0').trim_end_matches('.'));
        return;
    }
    out.push_str(digits.trim_end_matches('0').trim_end_matches('.'));
    let sign = if exponent < 0 { '-' } else { '+' };
    let written = write!(out, "e{sign}{:02}", exponent.abs());
    debug_assert!(written.is_ok(), "strings take any text");
}

/// A string in quotes, with escapes.
pub(crate) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => {
                let written = write!(out, "\\u{:04x}", u32::from(control));
                debug_assert!(written.is_ok(), "strings take any text");
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
