//! A host for tests: JSON documents, and what no format can write.

use linecaster_formats::Tree;
use linecaster_formats::tree::{Chars, Node, Refusal, Step};
use linecaster_kernel::sink::{Sink, VecSink};
use serde_json::Value;

/// Walks borrowed values. The string `"\u{0}function"` stands for a value that
/// no format can write.
#[derive(Debug, Default)]
pub struct Json {
    /// Numbers are floats, as Jsonnet's are.
    pub floats: bool,
    /// The greatest depth, if there is one.
    pub limit: Option<usize>,
}

/// Why the writing stopped.
#[derive(Debug, PartialEq, Eq)]
pub enum Stop {
    Refused(Refusal, Vec<Step>),
    TooDeep,
}

pub enum Cursor<'a> {
    Array(std::slice::Iter<'a, Value>),
    Object(serde_json::map::Iter<'a>, &'a str),
}

impl<'a> Tree for &'a Json {
    type Value = &'a Value;
    type Cursor = Cursor<'a>;
    type Error = Stop;

    fn node<'b>(&'b mut self, value: &'b &'a Value) -> Node<'b> {
        match value {
            Value::Null => Node::Null,
            Value::Bool(value) => Node::Bool(*value),
            Value::Number(value) => match (self.floats, value.as_i64(), value.as_u64()) {
                (false, Some(value), _) => Node::Int(value),
                (false, _, Some(value)) => Node::Uint(value),
                _ => Node::Float(value.as_f64().expect("a float")),
            },
            Value::String(text) if text == "\0function" => Node::Other,
            Value::String(text) if text.is_ascii() => Node::String(Chars::Ascii(text.as_bytes())),
            Value::String(text) => Node::String(text.as_str().into()),
            Value::Array(_) => Node::Array,
            Value::Object(_) => Node::Object,
        }
    }

    fn open(&mut self, container: &&'a Value) -> Result<Cursor<'a>, Stop> {
        Ok(match container {
            Value::Array(items) => Cursor::Array(items.iter()),
            Value::Object(members) => Cursor::Object(members.iter(), ""),
            _ => panic!("no container"),
        })
    }

    fn is_empty(&mut self, container: &&'a Value) -> bool {
        match container {
            Value::Array(items) => items.is_empty(),
            Value::Object(members) => members.is_empty(),
            _ => panic!("no container"),
        }
    }

    fn next(&mut self, _: &&'a Value, cursor: &mut Cursor<'a>) -> Result<Option<&'a Value>, Stop> {
        Ok(match cursor {
            Cursor::Array(items) => items.next(),
            Cursor::Object(members, key) => members.next().map(|(name, value)| {
                *key = name;
                value
            }),
        })
    }

    fn key<'b>(&'b self, _: &'b &'a Value, cursor: &'b Cursor<'a>) -> Chars<'b> {
        match cursor {
            Cursor::Object(_, key) => (*key).into(),
            Cursor::Array(_) => panic!("no object"),
        }
    }

    fn descend(&mut self, depth: usize) -> Result<(), Stop> {
        if self.limit.is_some_and(|limit| depth >= limit) {
            return Err(Stop::TooDeep);
        }
        Ok(())
    }

    fn refuse(&mut self, why: Refusal, _: &&'a Value, path: Vec<Step>) -> Stop {
        Stop::Refused(why, path)
    }
}

/// What `write` writes, as text.
pub fn written(write: impl FnOnce(&mut Sink) -> Result<(), Stop>) -> Result<String, Stop> {
    let mut out = Vec::new();
    let mut sink = VecSink::new(&mut out);
    write(sink.sink())?;
    sink.finish().expect("memory");
    Ok(String::from_utf8(out).expect("UTF-8"))
}
