//! JSON text to values.
//!
//! Strict JSON (RFC 8259), read by the engine's parser: one pass, from the
//! text's bytes to ready values. What reads files of JSON as programs falls
//! back to the language's own parser for the rest.

use std::collections::HashMap;

use linecaster_decode::{Characters, Error, Options, Scratch, SyntaxError, Visit, parse};
use linecaster_kernel::text::Utf8;

use crate::value::object::Visibility;
use crate::value::{Array, Name, Object, Store, Str, Value};

/// Why a text did not become a value.
#[derive(Debug)]
pub enum Fault {
    /// It is no JSON.
    Syntax(SyntaxError),
    /// A number is too large for a double: its text.
    Range(String),
    /// A name stands twice in an object, which was asked to be an error.
    Repeated(Name),
}

/// What a repeated name in an object means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// The last value counts.
    Last,
    /// An error.
    Refused,
}

/// Reads a document. Lone surrogates become U+FFFD.
///
/// # Errors
/// [`Fault`]
pub fn read(store: &Store, text: &str, repeats: Repeats) -> Result<Value, Fault> {
    let options = Options {
        max_depth: usize::MAX,
        floats_as_text: true,
        // Only as text a zero may have a sign.
        integers_as_text: text.contains("-0"),
        ..Options::default()
    };
    let mut builder = Builder {
        store,
        repeats,
        values: Vec::new(),
        names: Vec::new(),
    };
    match parse::<Utf8, _>(
        text.as_bytes(),
        &options,
        &mut Scratch::default(),
        &mut builder,
    ) {
        Ok(()) => Ok(builder.values.pop().unwrap_or(Value::Null)),
        Err(Error::Syntax(fault)) => Err(Fault::Syntax(fault)),
        Err(Error::Visit(fault)) => Err(fault),
    }
}

/// Values that wait for their container's end.
struct Builder<'a> {
    store: &'a Store,
    repeats: Repeats,
    values: Vec<Value>,
    names: Vec<Name>,
}

impl Builder<'_> {
    fn number(&mut self, text: &[u8]) -> Result<(), Fault> {
        // The parser has seen to it that these are a number's characters.
        let text = std::str::from_utf8(text).unwrap_or("");
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.values.push(Value::Num(number));
                Ok(())
            }
            _ => Err(Fault::Range(text.to_owned())),
        }
    }
}

/// The characters as a string, by way of `decoded` unless they are ASCII.
fn text<'a>(characters: &Characters<'a>, decoded: &'a mut String) -> &'a str {
    if let Some(text) = characters.as_str() {
        return text;
    }
    decoded.reserve(characters.count());
    decoded.extend(
        characters
            .iter()
            .map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)),
    );
    decoded
}

impl Visit for Builder<'_> {
    type Error = Fault;

    fn null(&mut self) -> Result<(), Fault> {
        self.values.push(Value::Null);
        Ok(())
    }

    fn boolean(&mut self, value: bool) -> Result<(), Fault> {
        self.values.push(Value::Bool(value));
        Ok(())
    }

    fn integer(&mut self, value: i64) -> Result<(), Fault> {
        self.values.push(Value::Num(value as f64));
        Ok(())
    }

    fn unsigned(&mut self, value: u64) -> Result<(), Fault> {
        self.values.push(Value::Num(value as f64));
        Ok(())
    }

    fn integer_text(&mut self, text: &[u8]) -> Result<(), Fault> {
        self.number(text)
    }

    fn float_text(&mut self, text: &[u8]) -> Result<(), Fault> {
        self.number(text)
    }

    fn string(&mut self, characters: Characters<'_>) -> Result<(), Fault> {
        let mut decoded = String::new();
        let string = Str::new(&self.store.heap, text(&characters, &mut decoded));
        self.values.push(Value::Str(string));
        Ok(())
    }

    fn key(&mut self, characters: Characters<'_>) -> Result<(), Fault> {
        let mut decoded = String::new();
        let name = self.store.names.intern(text(&characters, &mut decoded));
        self.names.push(name);
        Ok(())
    }

    fn end_array(&mut self, members: usize) -> Result<(), Fault> {
        let items = self.values.split_off(self.values.len() - members);
        self.values
            .push(Value::Array(Array::new(&self.store.heap, items)));
        Ok(())
    }

    fn end_object(&mut self, members: usize) -> Result<(), Fault> {
        let values = self.values.split_off(self.values.len() - members);
        let names = self.names.split_off(self.names.len() - members);
        let object = match ready(
            self.store,
            names.iter().copied().zip(values.iter().cloned()),
        ) {
            Ok(object) => object,
            Err(name) if self.repeats == Repeats::Refused => return Err(Fault::Repeated(name)),
            Err(_) => {
                let last: HashMap<Name, usize> = names.iter().copied().zip(0..).collect();
                let kept = names.into_iter().zip(values).enumerate();
                let kept = kept
                    .filter(|(at, (name, _))| last[name] == *at)
                    .map(|(_, pair)| pair);
                ready(self.store, kept).map_err(Fault::Repeated)?
            }
        };
        self.values.push(Value::Object(object));
        Ok(())
    }
}

fn ready(store: &Store, fields: impl Iterator<Item = (Name, Value)>) -> Result<Object, Name> {
    Object::from_fields(
        store,
        fields.map(|(name, value)| (name, Visibility::Inherit, value)),
    )
}
