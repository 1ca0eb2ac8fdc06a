//! Values part by part, for hosts that make objects of their own of them.

use linecaster_formats::Tree;

use super::tree::{Cursor, Rules, VmTree};
use crate::error::Error;
use crate::eval::Vm;
use crate::value::Value;

/// Takes a value's parts in the order of its JSON text.
pub trait Visit {
    /// `null`
    fn null(&mut self);
    /// A truth value.
    fn bool(&mut self, value: bool);
    /// A number.
    fn number(&mut self, value: f64);
    /// A string.
    fn string(&mut self, text: &str);
    /// So many elements follow.
    fn begin_array(&mut self, len: usize);
    /// So many fields follow: each a key and a value.
    fn begin_object(&mut self, len: usize);
    /// The name of the field whose value follows.
    fn key(&mut self, name: &str);
}

/// Works a value out as for the main output, and shows it to the visitor.
///
/// # Errors
/// As [`super::to_json`].
pub fn visit(vm: &mut Vm, value: &Value, visitor: &mut impl Visit) -> Result<(), Box<Error>> {
    let mut tree = VmTree::new(vm, Rules::Json);
    let mut open: Vec<(Value, Cursor)> = Vec::new();
    let mut value = value.clone();
    loop {
        tree.descend(open.len())?;
        match &value {
            Value::Null => visitor.null(),
            Value::Bool(value) => visitor.bool(*value),
            Value::Num(value) => visitor.number(*value),
            Value::Str(text) => visitor.string(text.as_str()),
            Value::Array(items) => {
                visitor.begin_array(items.len());
                let cursor = tree.open(&value)?;
                open.push((value, cursor));
            }
            Value::Object(_) => {
                let cursor = tree.open(&value)?;
                visitor.begin_object(cursor.fields());
                open.push((value, cursor));
            }
            Value::Function(_) | Value::Pending(_) => return Err(tree.no_json()),
        }
        value = loop {
            let Some((container, cursor)) = open.last_mut() else {
                return Ok(());
            };
            if let Some(next) = tree.next(container, cursor)? {
                if matches!(container, Value::Object(_)) {
                    visitor.key(cursor.name());
                }
                break next;
            }
            open.pop();
        };
    }
}
