//! What a program comes to, on its way from the evaluator into Python.
//!
//! While the evaluator works, Python's lock is released: what it comes to is
//! written down as a list of events in document order, and read off again when
//! the lock is held. Neither direction recurses, so that no depth of nesting
//! overflows the stack.

use linecaster_jsonnet::manifest::Visit;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyList, PyString};

/// What numbers become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// `int` if the number is integral, as JSON text read back would be.
    ByValue,
    /// Always `float`.
    Floats,
}

/// Values, written down.
#[derive(Default)]
pub struct Tape {
    events: Vec<Event>,
    /// All strings and keys, one behind the other.
    text: String,
}

#[derive(Clone, Copy)]
enum Event {
    Null,
    Bool(bool),
    Number(f64),
    /// So many bytes of the text.
    String(usize),
    Array(usize),
    Object(usize),
    Key(usize),
}

impl Visit for Tape {
    fn null(&mut self) {
        self.events.push(Event::Null);
    }

    fn bool(&mut self, value: bool) {
        self.events.push(Event::Bool(value));
    }

    fn number(&mut self, value: f64) {
        self.events.push(Event::Number(value));
    }

    fn string(&mut self, text: &str) {
        self.text.push_str(text);
        self.events.push(Event::String(text.len()));
    }

    fn begin_array(&mut self, len: usize) {
        self.events.push(Event::Array(len));
    }

    fn begin_object(&mut self, len: usize) {
        self.events.push(Event::Object(len));
    }

    fn key(&mut self, name: &str) {
        self.text.push_str(name);
        self.events.push(Event::Key(name.len()));
    }
}

/// A container whose parts are being made.
struct Open<'py> {
    /// Parts that are still to come.
    missing: usize,
    place: Place<'py>,
}

enum Place<'py> {
    /// The elements are the ready values from here on.
    List(usize),
    /// The key is that of the value that is being made.
    Dict(Bound<'py, PyDict>, Option<Bound<'py, PyString>>),
}

/// Reads a tape.
struct Reader<'a, 'py> {
    py: Python<'py>,
    text: &'a str,
    numbers: Numbers,
    keys: Keys<'a, 'py>,
    ready: Vec<Bound<'py, PyAny>>,
    open: Vec<Open<'py>>,
}

impl Tape {
    /// Makes the objects; there is one for each value that was visited.
    pub fn objects<'py>(
        &self,
        py: Python<'py>,
        numbers: Numbers,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut reader = Reader {
            py,
            text: &self.text,
            numbers,
            keys: Keys::default(),
            ready: Vec::new(),
            open: Vec::new(),
        };
        for &event in &self.events {
            reader.take(event)?;
        }
        Ok(reader.ready)
    }
}

impl<'a, 'py> Reader<'a, 'py> {
    fn cut(&mut self, len: usize) -> &'a str {
        let (cut, rest) = self.text.split_at(len);
        self.text = rest;
        cut
    }

    fn take(&mut self, event: Event) -> PyResult<()> {
        let py = self.py;
        let value = match event {
            Event::Null => py.None().into_bound(py),
            Event::Bool(value) => PyBool::new(py, value).to_owned().into_any(),
            Event::Number(value) => self.number(value)?,
            Event::String(len) => PyString::new(py, self.cut(len)).into_any(),
            Event::Key(len) => {
                let text = self.cut(len);
                let name = self.keys.get(py, text);
                if let Some(Open {
                    place: Place::Dict(_, key),
                    ..
                }) = self.open.last_mut()
                {
                    *key = Some(name);
                }
                return Ok(());
            }
            Event::Array(0) => PyList::empty(py).into_any(),
            Event::Object(0) => PyDict::new(py).into_any(),
            Event::Array(missing) => {
                let place = Place::List(self.ready.len());
                self.open.push(Open { missing, place });
                return Ok(());
            }
            Event::Object(missing) => {
                let place = Place::Dict(PyDict::new(py), None);
                self.open.push(Open { missing, place });
                return Ok(());
            }
        };
        self.put(value)
    }

    /// An integral number is an integer, whose JSON text is read back as one.
    fn number(&self, value: f64) -> PyResult<Bound<'py, PyAny>> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let py = self.py;
        if self.numbers == Numbers::Floats || !value.is_finite() || value.fract() != 0.0 {
            return Ok(PyFloat::new(py, value).into_any());
        }
        if value.abs() <= EXACT {
            return Ok((value as i64).into_pyobject(py)?.into_any());
        }
        PyFloat::new(py, value).call_method0("__int__")
    }

    /// Puts a value where it belongs, and the containers that it completes.
    fn put(&mut self, mut value: Bound<'py, PyAny>) -> PyResult<()> {
        loop {
            let Some(open) = self.open.last_mut() else {
                self.ready.push(value);
                return Ok(());
            };
            open.missing -= 1;
            match &mut open.place {
                Place::List(_) => self.ready.push(value),
                Place::Dict(dict, key) => {
                    if let Some(key) = key.take() {
                        dict.set_item(key, value)?;
                    }
                }
            }
            if open.missing > 0 {
                return Ok(());
            }
            let Some(done) = self.open.pop() else {
                return Ok(());
            };
            value = match done.place {
                Place::List(first) => PyList::new(self.py, self.ready.drain(first..))?.into_any(),
                Place::Dict(dict, _) => dict.into_any(),
            };
        }
    }
}

/// Keys that were made before: objects of one kind share theirs.
#[derive(Default)]
struct Keys<'a, 'py>(Vec<Option<(&'a str, Bound<'py, PyString>)>>);

impl<'a, 'py> Keys<'a, 'py> {
    const PLACES: usize = 256;
    /// Longer keys are not kept.
    const LONGEST: usize = 64;

    fn get(&mut self, py: Python<'py>, text: &'a str) -> Bound<'py, PyString> {
        let bytes = text.as_bytes();
        let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else {
            return PyString::new(py, text);
        };
        if bytes.len() > Self::LONGEST {
            return PyString::new(py, text);
        }
        if self.0.is_empty() {
            self.0.resize_with(Self::PLACES, || None);
        }
        let middle = bytes[bytes.len() / 2];
        let hash = [first, middle, last, bytes.len() as u8]
            .iter()
            .fold(0_usize, |hash, &byte| hash * 31 + byte as usize);
        let place = &mut self.0[hash % Self::PLACES];
        if let Some((known, key)) = place
            && *known == text
        {
            return key.clone();
        }
        let key = PyString::new(py, text);
        *place = Some((text, key.clone()));
        key
    }
}
