//! Python's objects as values of a virtual machine: what native functions
//! return.

use linecaster_jsonnet::Vm;
use linecaster_jsonnet::value::object::Visibility;
use linecaster_jsonnet::value::{Array, Name, Object, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

/// A container whose parts are being made.
enum Open<'py> {
    Array(Vec<Bound<'py, PyAny>>, Vec<Value>),
    Object(Vec<(Name, Bound<'py, PyAny>)>, Vec<(Name, Value)>),
}

/// Either a value, or a container to look into.
enum Look<'py> {
    Value(Value),
    Open(Open<'py>),
}

/// How deep what is returned may be nested: cycles end here.
const DEEPEST: usize = 1_000_000;

/// The value that an object is. No depth of nesting overflows the stack.
pub fn value_of(vm: &mut Vm, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = object.clone();
    loop {
        let mut value = match look(vm, &next)? {
            Look::Value(value) => Some(value),
            Look::Open(_) if open.len() >= DEEPEST => {
                return Err(PyValueError::new_err(
                    "what a native function returned is nested too deeply",
                ));
            }
            Look::Open(container) => {
                open.push(container);
                None
            }
        };
        next = loop {
            let Some(container) = open.last_mut() else {
                return Ok(value.unwrap_or(Value::Null));
            };
            if let Some(part) = container.go_on(value.take()) {
                break part;
            }
            if let Some(container) = open.pop() {
                value = Some(container.close(vm)?);
            }
        };
    }
}

fn look<'py>(vm: &Vm, object: &Bound<'py, PyAny>) -> PyResult<Look<'py>> {
    let value = if object.is_none() {
        Value::Null
    } else if let Ok(value) = object.cast::<PyBool>() {
        Value::Bool(value.is_true())
    } else if let Ok(text) = object.cast::<PyString>() {
        vm.str(text.to_str()?)
    } else if object.is_instance_of::<PyFloat>() || object.is_instance_of::<PyInt>() {
        let number: f64 = object.extract()?;
        if !number.is_finite() {
            return Err(PyValueError::new_err(
                "a native function returned a number that is not finite",
            ));
        }
        Value::Num(number)
    } else if let Ok(bytes) = object.cast::<PyBytes>() {
        Value::Array(Array::from_bytes(vm.heap(), bytes.as_bytes()))
    } else if let Ok(items) = object.cast::<PyList>() {
        return Ok(Look::Open(elements(items.iter())));
    } else if let Ok(items) = object.cast::<PyTuple>() {
        return Ok(Look::Open(elements(items.iter())));
    } else if let Ok(dict) = object.cast::<PyDict>() {
        return fields(vm, dict).map(Look::Open);
    } else {
        return Err(PyTypeError::new_err(
            "Unrecognized type return from Python Jsonnet native extension.",
        ));
    };
    Ok(Look::Value(value))
}

fn elements<'py>(items: impl DoubleEndedIterator<Item = Bound<'py, PyAny>>) -> Open<'py> {
    let missing: Vec<_> = items.rev().collect();
    let made = Vec::with_capacity(missing.len());
    Open::Array(missing, made)
}

fn fields<'py>(vm: &Vm, dict: &Bound<'py, PyDict>) -> PyResult<Open<'py>> {
    let mut missing = Vec::with_capacity(dict.len());
    for (key, value) in dict.iter() {
        let Ok(key) = key.cast::<PyString>() else {
            return Err(PyTypeError::new_err(
                "Non-string key in dict returned from Python Jsonnet native extension.",
            ));
        };
        missing.push((vm.intern(key.to_str()?), value));
    }
    let made = Vec::with_capacity(missing.len());
    Ok(Open::Object(missing, made))
}

impl<'py> Open<'py> {
    /// Takes the value of the part that was given last, if one was, and gives
    /// the next. For an object that is the last of the missing ones.
    fn go_on(&mut self, value: Option<Value>) -> Option<Bound<'py, PyAny>> {
        match self {
            Self::Array(missing, made) => {
                made.extend(value);
                missing.pop()
            }
            Self::Object(missing, made) => {
                if let (Some(value), Some((name, _))) = (value, missing.last()) {
                    made.push((*name, value));
                    missing.pop();
                }
                missing.last().map(|(_, part)| part.clone())
            }
        }
    }

    fn close(self, vm: &Vm) -> PyResult<Value> {
        match self {
            Self::Array(_, made) => Ok(Value::Array(Array::new(vm.heap(), made))),
            Self::Object(_, made) => {
                let fields = made
                    .into_iter()
                    .map(|(name, value)| (name, Visibility::Inherit, value));
                match Object::from_fields(vm.store(), fields) {
                    Ok(object) => Ok(Value::Object(object)),
                    Err(_) => Err(PyValueError::new_err("a key stands twice in a dict")),
                }
            }
        }
    }
}
