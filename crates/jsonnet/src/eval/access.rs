//! What the standard library and hosts use: forcing, elements, fields, calls,
//! and values of a wanted type with the errors of the reference
//! implementation.

use linecaster_heap::Heap;

use super::Outcome;
use super::frame::with_stack;
use crate::error::Error;
use crate::ir::BuiltinId;
use crate::stdlib::{self, ABSENT};
use crate::value::array::Item;
use crate::value::object::{Field, Visibility};
use crate::value::{Array, Function, FunctionKind, Name, Object, Store, Str, Value};
use crate::vm::Vm;

type Result<T> = std::result::Result<T, Box<Error>>;

impl Vm {
    /// Names, shapes and memory.
    #[inline]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The memory of values.
    #[inline]
    pub fn heap(&self) -> &Heap {
        &self.store.heap
    }

    /// `std` in a file.
    pub(crate) fn std_object(&mut self, path: &str) -> Outcome {
        if let Some(object) = self.std_objects.get(path) {
            return Ok(Value::Object(object.clone()));
        }
        let hidden = |name: &str, value| (self.intern(name), Visibility::Hidden, value);
        let functions = stdlib::BUILTINS.iter().copied().flatten().zip(0..);
        let mut fields: Vec<_> = functions
            .filter(|(builtin, _)| !builtin.name.starts_with('$'))
            .map(|(builtin, id)| hidden(builtin.name, self.builtin_value(BuiltinId(id))))
            .collect();
        fields.push(hidden("pi", Value::Num(std::f64::consts::PI)));
        fields.push(hidden("thisFile", self.str(path)));
        let object = Object::from_fields(&self.store, fields);
        let object = object.unwrap_or_else(|_| unreachable!("names differ"));
        self.std_objects.insert(path.to_owned(), object.clone());
        Ok(Value::Object(object))
    }

    /// The name of a text.
    pub fn intern(&self, text: &str) -> Name {
        self.store.names.intern(text)
    }

    /// A string of its own.
    pub fn str(&self, text: &str) -> Value {
        Value::Str(Str::new(&self.store.heap, text))
    }

    /// An array of values, pending ones among them or not.
    pub fn array_of(
        &self,
        values: impl IntoIterator<Item = Value, IntoIter: ExactSizeIterator>,
    ) -> Value {
        Value::Array(Array::new(&self.store.heap, values))
    }

    /// A function of the standard library as a value.
    pub fn builtin_value(&self, id: BuiltinId) -> Value {
        Value::Function(Function::builtin(&self.store.heap, id.0))
    }

    /// The error of `message` at the place of the call.
    #[cold]
    pub fn error(&self, message: impl Into<String>) -> Box<Error> {
        Error::runtime(message)
    }

    /// What the value is worked out to.
    #[inline(always)]
    pub fn force(&mut self, value: &Value) -> Outcome {
        match value {
            Value::Pending(thunk) => self.force_thunk(thunk),
            ready => Ok(ready.clone()),
        }
    }

    /// An element of an array, worked out.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline]
    pub fn item(&mut self, array: &Array, index: usize) -> Outcome {
        match array.item(&self.store.heap, index) {
            Item::Value(Value::Pending(thunk)) => {
                let value = self.force_thunk(&thunk)?;
                array.store(index, value.clone());
                Ok(value)
            }
            Item::Value(value) => Ok(value),
            Item::Element(element) => {
                let value = self.element(&element)?;
                array.store(index, value.clone());
                Ok(value)
            }
        }
    }

    /// An element of an array, maybe pending: to hand on without evaluating.
    #[inline]
    pub fn item_lazy(&self, array: &Array, index: usize) -> Value {
        array.get(&self.store.heap, index)
    }

    /// The value of a field; an error if there is none. Checks the object's
    /// assertions first.
    pub fn field(&mut self, object: &Object, name: Name) -> Outcome {
        self.check_asserts(object)?;
        match object.find(&self.store, name) {
            Some(field) => self.field_value(object, &field),
            None => Err(self.no_field(name)),
        }
    }

    /// The value of a field that was found in the object, whose assertions
    /// have been checked.
    #[inline]
    pub fn field_value(&mut self, object: &Object, field: &Field) -> Outcome {
        match object.cached(&self.store, field.slot) {
            Some(Value::Pending(thunk)) => self.force_thunk(&thunk),
            Some(value) => Ok(value),
            None => self.work_out_field(object, field),
        }
    }

    /// The fields that manifesting shows (or all), sorted by name.
    pub fn sorted_fields(&self, object: &Object, hidden: bool) -> Vec<Field> {
        let shape = object.shape(&self.store);
        let order = shape.sorted(&self.store.names);
        let fields = order.iter().map(|&at| shape.fields()[at as usize]);
        fields
            .filter(|field| hidden || field.is_visible())
            .collect()
    }

    /// Calls a function with positional arguments, pending ones or not.
    #[inline]
    pub fn call(&mut self, function: &Function, args: &[Value]) -> Outcome {
        self.call_values(function, args)
    }

    /// Runs `work` as an activation of its own (a level of manifestation),
    /// counted and with room on the native stack.
    pub fn level<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.nested(work)
    }

    /// Runs `work` with room on the native stack, for recursion that does not
    /// count.
    pub fn with_stack<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        with_stack(|| work(self))
    }

    /// For long loops without calls: sees to interruption and limits now and
    /// then.
    #[inline]
    pub fn step(&mut self) -> Result<()> {
        self.limits.fuel = self.limits.fuel.wrapping_sub(1);
        if self.limits.fuel == 0 {
            return self.checkpoint();
        }
        Ok(())
    }

    /// Whether an argument was left out whose default is
    /// [`crate::stdlib::Default::Absent`].
    pub fn is_absent(&self, value: &Value) -> bool {
        matches!(value, Value::Function(function)
            if matches!(function.kind(), FunctionKind::Builtin(id) if *id == ABSENT.0))
    }

    #[cold]
    pub(crate) fn no_field(&self, name: Name) -> Box<Error> {
        let name = self.store.names.text(name).as_str();
        Error::runtime(format!("Field does not exist: {name}"))
    }
}

/// A value of one type where another is wanted.
#[cold]
pub(crate) fn unexpected(value: &Value, wanted: &str) -> Box<Error> {
    let got = value.type_name();
    Error::runtime(format!("Unexpected type {got}, expected {wanted}"))
}

/// A value of a type that does not do.
#[cold]
pub(crate) fn unexpected_any(value: &Value) -> Box<Error> {
    Error::runtime(format!("Unexpected type {}", value.type_name()))
}

#[cold]
pub(crate) fn not_finite(number: f64) -> Box<Error> {
    Error::runtime(if number.is_nan() {
        "Not a number"
    } else {
        "Overflow"
    })
}
