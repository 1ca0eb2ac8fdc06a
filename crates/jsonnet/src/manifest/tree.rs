//! Values as the formats see them: worked out one after the other, while they
//! are written.

use linecaster_formats::Tree;
use linecaster_formats::tree::{Chars, Node, Refusal, Step};

use super::go_quoted;
use crate::error::Error;
use crate::eval::Vm;
use crate::value::object::Field;
use crate::value::{Str, Value};

/// How deep values may be nested, and what messages say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// JSON as the output or by `std.toString`: each level is an activation,
    /// and traces name the elements and fields on the way.
    Json,
    /// A function of the standard library's: as many levels as there may be
    /// activations, counted apart.
    Function(Words),
}

/// The words of a function's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// `manifestJsonEx`.
    Json,
    /// `manifestYamlDoc`.
    Yaml,
    /// `manifestTomlEx`.
    Toml,
    /// `manifestIni`.
    Ini,
    /// `manifestPython`.
    Python,
    /// `manifestXmlJsonml`.
    Xml,
}

/// A virtual machine whose values are written.
pub struct VmTree<'a> {
    vm: &'a mut Vm,
    rules: Rules,
    /// Integral numbers are integers for the format.
    integers: bool,
    /// Activations when the writing began.
    base: u32,
    /// Levels above the value that is written.
    level: usize,
    /// The steps to it: which element, or which field.
    steps: Vec<At>,
}

#[derive(Clone)]
enum At {
    Element(usize),
    Field(Str),
}

impl At {
    fn note(&self) -> String {
        match self {
            Self::Element(index) => format!("Array element {index}"),
            Self::Field(name) => format!("Field {}", go_quoted(name.as_str())),
        }
    }
}

/// How far a container has been asked.
pub struct Cursor {
    level: usize,
    next: usize,
    fields: Vec<Field>,
    name: Str,
}

impl Cursor {
    /// How many fields there are.
    pub(super) fn fields(&self) -> usize {
        self.fields.len()
    }

    /// The name of the field that was asked for last.
    pub(super) fn name(&self) -> &str {
        self.name.as_str()
    }
}

impl<'a> VmTree<'a> {
    /// For one document.
    pub fn new(vm: &'a mut Vm, rules: Rules) -> Self {
        let base = vm.depth;
        Self {
            vm,
            rules,
            integers: false,
            base,
            level: 0,
            steps: Vec::new(),
        }
    }

    /// With integral numbers as integers, for formats that tell them from
    /// floats.
    pub(super) fn with_integers(mut self) -> Self {
        self.integers = true;
        self
    }

    /// The error for a value that JSON does not have.
    #[cold]
    pub(super) fn no_json(&mut self) -> Box<Error> {
        self.on_the_way(Error::runtime("couldn't manifest function as JSON"))
    }

    /// The error with the way to where it arose, for traces that have it.
    #[cold]
    fn on_the_way(&mut self, error: Box<Error>) -> Box<Error> {
        if self.rules != Rules::Json {
            return error;
        }
        self.steps
            .iter()
            .rev()
            .fold(error, |error, at| error.during(at.note()))
    }
}

impl Drop for VmTree<'_> {
    fn drop(&mut self) {
        self.vm.depth = self.base;
    }
}

impl Tree for VmTree<'_> {
    type Value = Value;
    type Cursor = Cursor;
    type Error = Box<Error>;

    #[inline]
    fn node<'v>(&'v mut self, value: &'v Value) -> Node<'v> {
        match value {
            Value::Null => Node::Null,
            Value::Bool(value) => Node::Bool(*value),
            Value::Num(value) if self.integers && is_integer(*value) => Node::Int(*value as i64),
            Value::Num(value) if value.is_finite() => Node::Float(*value),
            // Sums may overflow without an error.
            Value::Num(value) if *value > 0.0 => Node::Literal(b"+Inf"),
            Value::Num(value) => Node::Literal(if value.is_nan() { b"NaN" } else { b"-Inf" }),
            Value::Str(text) => Node::String(chars(text)),
            Value::Array(_) => Node::Array,
            Value::Object(_) => Node::Object,
            // YAML has nothing in a function's place, and no error.
            _ if self.rules == Rules::Function(Words::Yaml) => Node::Literal(b""),
            Value::Function(_) | Value::Pending(_) => Node::Other,
        }
    }

    fn open(&mut self, container: &Value) -> Result<Cursor, Box<Error>> {
        let mut fields = Vec::new();
        if let Value::Object(object) = container {
            fields = self.vm.sorted_fields(object, false);
            if self.rules == Rules::Json || !fields.is_empty() {
                let checked = self.vm.check_asserts(object);
                if let Err(error) = checked {
                    let json = self.rules == Rules::Json;
                    let error = if json {
                        error.during("Checking object assertions")
                    } else {
                        error
                    };
                    return Err(self.on_the_way(error));
                }
            }
        }
        let name = Str::new(self.vm.heap(), "");
        Ok(Cursor {
            level: self.level,
            next: 0,
            fields,
            name,
        })
    }

    fn is_empty(&mut self, container: &Value) -> bool {
        match container {
            Value::Array(items) => items.is_empty(),
            Value::Object(object) => !object
                .shape(self.vm.store())
                .fields()
                .iter()
                .any(Field::is_visible),
            _ => true,
        }
    }

    fn next(
        &mut self,
        container: &Value,
        cursor: &mut Cursor,
    ) -> Result<Option<Value>, Box<Error>> {
        let at = cursor.next;
        cursor.next += 1;
        let value = match container {
            Value::Array(items) if at < items.len() => {
                self.steps.truncate(cursor.level);
                self.steps.push(At::Element(at));
                self.vm.item(items, at)
            }
            Value::Object(object) if at < cursor.fields.len() => {
                let field = cursor.fields[at];
                cursor.name = self.vm.store().names.text(field.name).clone();
                self.steps.truncate(cursor.level);
                self.steps.push(At::Field(cursor.name.clone()));
                self.vm.field_value(object, &field)
            }
            _ => return Ok(None),
        };
        self.level = cursor.level + 1;
        value.map(Some).map_err(|error| self.on_the_way(error))
    }

    #[inline]
    fn key<'v>(&'v self, _: &'v Value, cursor: &'v Cursor) -> Chars<'v> {
        chars(&cursor.name)
    }

    #[inline]
    fn descend(&mut self, depth: usize) -> Result<(), Box<Error>> {
        let limit = self.vm.limits.depth;
        match self.rules {
            Rules::Json => {
                // The value's own activation, which its elements stand upon.
                self.vm.depth = self.base + depth as u32;
                if self.vm.depth >= limit {
                    let error = Error::runtime("max stack frames exceeded.");
                    return Err(self.on_the_way(error));
                }
                self.vm.depth += 1;
                Ok(())
            }
            Rules::Function(_) if depth >= limit as usize => Err(Error::runtime(
                "max manifest depth exceeded, possible infinite recursion",
            )),
            Rules::Function(_) => Ok(()),
        }
    }

    #[cold]
    fn refuse(&mut self, why: Refusal, value: &Value, path: Vec<Step>) -> Box<Error> {
        match self.rules {
            Rules::Function(words) => Error::runtime(words.refusal(why, value, &path)),
            Rules::Json => {
                let error = Error::runtime(FUNCTION_AS_JSON);
                let steps = path.iter().rev();
                steps.fold(error, |error, step| error.during(note(step)))
            }
        }
    }
}

const FUNCTION_AS_JSON: &str = "couldn't manifest function as JSON";

impl Words {
    fn refusal(self, why: Refusal, value: &Value, path: &[Step]) -> String {
        let got = value.type_name();
        match (self, why) {
            (Self::Json, _) => format!("tried to manifest function at {}", listed(path)),
            (Self::Toml, Refusal::Root) => format!("TOML body must be an object. Got {got}"),
            (Self::Toml, _) if matches!(value, Value::Null) => {
                format!("Tried to manifest \"null\" at {}", listed(path))
            }
            (Self::Yaml | Self::Toml, _) => {
                format!("Tried to manifest function at {}", listed(path))
            }
            (Self::Ini, Refusal::Section) | (Self::Python, Refusal::Root) => {
                format!("Unexpected type {got}, expected object")
            }
            (Self::Python, _) => "cannot manifest function".into(),
            (Self::Xml, Refusal::Root) => {
                format!("Expected a JSONML value (an array), got {got}")
            }
            (Self::Xml, Refusal::Tag) => format!("Expected string or array, got {got}"),
            (Self::Xml, Refusal::Element) => match value {
                Value::Array(_) => "Index 0 out of bounds, not within [0, 0)".into(),
                Value::Object(_) => "Unexpected type number, expected string".into(),
                other => format!("Value non indexable: {}", go_type(other)),
            },
            (Self::Ini | Self::Xml, _) => FUNCTION_AS_JSON.into(),
        }
    }
}

/// What Go calls the type of a value, for messages that show it.
fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "*jsonnet.valueBoolean",
        Value::Num(_) => "*jsonnet.valueNumber",
        Value::Null => "*jsonnet.valueNull",
        _ => "*jsonnet.valueFunction",
    }
}

fn note(step: &Step) -> String {
    match step {
        Step::Index(index) => format!("Array element {index}"),
        Step::Key(name) => format!("Field {}", go_quoted(name)),
    }
}

/// Whether the number is integral and no larger than integers are.
fn is_integer(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() < 9.2e18 && (value != 0.0 || value.is_sign_positive())
}

/// A path as a list: `[a 0 b]`.
fn listed(path: &[Step]) -> String {
    let steps: Vec<String> = path
        .iter()
        .map(|step| match step {
            Step::Key(name) => name.clone(),
            Step::Index(index) => index.to_string(),
        })
        .collect();
    format!("[{}]", steps.join(" "))
}

/// The characters of a string.
#[inline]
pub fn chars(text: &Str) -> Chars<'_> {
    let bytes = text.as_str().as_bytes();
    if text.is_ascii() {
        Chars::Ascii(bytes)
    } else {
        Chars::Utf8(bytes)
    }
}
