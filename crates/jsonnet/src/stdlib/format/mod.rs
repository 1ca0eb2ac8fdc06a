//! `std.format`, and `%` on strings.
//!
//! [`spec`] is the language of conversion codes, [`render`] how numbers are
//! written; here values are taken for the codes and put in their places.

pub mod render;
pub mod spec;

use self::spec::{Code, Conversion, Piece, Size, SpecError};
use super::args::{Outcome, fail, number, room, text};
use super::strings::char_of;
use super::table::{Builtin, ready, required};
use crate::error::Error;
use crate::eval::Vm;
use crate::value::{Array, Object, Str, Value};

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("format", &[required("str"), required("vals")], format),
    ready("mod", &[required("a"), required("b")], modulo),
];

fn format(vm: &mut Vm, args: &[Value]) -> Outcome {
    match &args[0] {
        Value::Str(pattern) => apply(vm, pattern, &args[1]),
        // By its definition it asks for the length, then for the characters.
        Value::Object(_) => fail("Unexpected type number, expected string"),
        Value::Function(_) => fail("Value non indexable: *jsonnet.valueFunction"),
        other => fail(format!("Unexpected type {}", other.type_name())),
    }
}

/// The operator `%`: a remainder, or a format with its values.
pub fn modulo(vm: &mut Vm, args: &[Value]) -> Outcome {
    match (&args[0], &args[1]) {
        (Value::Num(_), Value::Num(_)) => super::numbers::modulo(vm, args),
        (Value::Str(pattern), values) => apply(vm, pattern, values),
        (a, b) => fail(format!(
            "Operator % cannot be used on types {} and {}.",
            a.type_name(),
            b.type_name()
        )),
    }
}

/// Formats the values: an array's items in turn, an object's fields by name,
/// any other value as the only one.
pub fn apply(vm: &mut Vm, pattern: &Str, values: &Value) -> Outcome {
    let pieces = spec::parse(pattern.as_str()).or_else(|error| match error {
        SpecError::Truncated => fail("Truncated format code."),
        SpecError::Unrecognised(letter) => fail(format!("Unrecognised conversion type: {letter}")),
    })?;
    let mut out = String::with_capacity(pattern.bytes() + 16 * pieces.len());
    let mut values = match values {
        Value::Object(object) => Values::Named(object.clone()),
        Value::Array(items) => Values::Listed {
            items: items.clone(),
            next: 0,
        },
        single => Values::Listed {
            items: Array::new(vm.heap(), vec![single.clone()]),
            next: 0,
        },
    };
    for piece in &pieces {
        match piece {
            Piece::Literal(from, to) => out.push_str(&pattern.as_str()[*from..*to]),
            Piece::Code(code) => values.write(vm, &mut out, code)?,
        }
    }
    values.finish()?;
    Ok(text(vm, &out))
}

enum Values {
    Listed { items: Array, next: usize },
    Named(Object),
}

impl Values {
    /// Writes what a code makes of its value, padded to its width.
    fn write(&mut self, vm: &mut Vm, out: &mut String, code: &Code) -> Result<(), Box<Error>> {
        let width = self.size(vm, code.width, "field width")?;
        let precision = match code.precision {
            Some(size) => Some(self.size(vm, size, "precision")?),
            None => None,
        };
        let start = out.len();
        if code.conversion == Conversion::Percent {
            self.name(code)?;
            out.push('%');
        } else {
            let (value, place) = self.value(vm, code)?;
            convert(vm, out, code, &value, &place, width, precision)?;
        }
        if width > 0.0 {
            let missing = render::padding(width, out[start..].chars().count());
            room(vm, 1, missing)?;
            let blanks = core::iter::repeat_n(' ', missing);
            if code.left {
                out.extend(blanks);
            } else {
                out.insert_str(start, &blanks.collect::<String>());
            }
        }
        Ok(())
    }

    /// A width or a precision: as written, or for `*` the next value.
    fn size(&mut self, vm: &mut Vm, size: Size, what: &str) -> Result<f64, Box<Error>> {
        match (size, self) {
            (Size::Fixed(size), _) => Ok(size),
            (Size::Star, Self::Named(_)) => fail(format!("Cannot use * {what} with object.")),
            (Size::Star, Self::Listed { items, next }) => {
                if *next >= items.len() {
                    let (length, at) = (items.len(), *next);
                    return fail(format!(
                        "Not enough values to format: {length}, expected at least {at}"
                    ));
                }
                *next += 1;
                number(&vm.item(items, *next - 1)?)
            }
        }
    }

    /// The name in a code, which there must be for the fields of an object.
    fn name<'a>(&self, code: &'a Code) -> Result<&'a str, Box<Error>> {
        match (self, &code.key) {
            (Self::Named(_), None) => fail("Mapping keys required."),
            (_, key) => Ok(key.as_deref().unwrap_or_default()),
        }
    }

    /// The value for a code, and how messages call its place.
    fn value(&mut self, vm: &mut Vm, code: &Code) -> Result<(Value, String), Box<Error>> {
        let key = self.name(code)?;
        match self {
            Self::Named(object) => {
                let name = vm.store().names.find(key);
                match name.and_then(|name| object.find(vm.store(), name)) {
                    Some(field) => Ok((vm.field(object, field.name)?, key.to_owned())),
                    None => fail(format!("No such field: {key}")),
                }
            }
            Self::Listed { items, next } => {
                let at = *next;
                if at >= items.len() {
                    return fail(format!(
                        "Not enough values to format: {}, expected more than {at}",
                        items.len()
                    ));
                }
                *next += 1;
                Ok((vm.item(items, at)?, at.to_string()))
            }
        }
    }

    /// Complains about values that no code has taken.
    fn finish(&self) -> Result<(), Box<Error>> {
        match self {
            Self::Listed { items, next } if *next < items.len() => fail(format!(
                "Too many values to format: {}, expected {next}",
                items.len()
            )),
            _ => Ok(()),
        }
    }
}

fn convert(
    vm: &mut Vm,
    out: &mut String,
    code: &Code,
    value: &Value,
    place: &str,
    width: f64,
    precision: Option<f64>,
) -> Result<(), Box<Error>> {
    match (code.conversion, value) {
        (Conversion::Text, value) => out.push_str(vm.to_str(value)?.as_str()),
        (Conversion::Character, Value::Num(_)) => {
            if let Value::Str(character) = char_of(vm, core::slice::from_ref(value))? {
                out.push_str(character.as_str());
            }
        }
        (Conversion::Character, Value::Str(character)) => {
            if character.len() != 1 {
                let length = character.len();
                return fail(format!("%c expected 1-sized string got: {length}"));
            }
            out.push_str(character.as_str());
        }
        (Conversion::Character, other) => {
            return fail(format!(
                "%c expected number / string, got: {}",
                other.type_name()
            ));
        }
        (_, Value::Num(number)) => {
            if code.zero && !code.left {
                room(vm, 1, width.max(0.0) as usize)?;
            }
            room(vm, 1, precision.unwrap_or(0.0).max(0.0) as usize)?;
            if render::number(out, code, *number, width, precision).is_err() {
                return fail("Overflow");
            }
        }
        (_, other) => {
            let got = other.type_name();
            return fail(format!("Format required number at {place}, got {got}"));
        }
    }
    Ok(())
}
