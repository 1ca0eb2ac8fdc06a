//! Objects: names, values, patches.

use super::args::{Outcome, boolean, fail, object, string};
use super::table::{Builtin, Default, Param, find, lazy, optional, ready, required};
use crate::error::Error;
use crate::eval::Vm;
use crate::value::object::{Field, Visibility};
use crate::value::{Array, Name, Object, Thunk, Value};

const O: &[Param] = &[required("o")];
const OF: &[Param] = &[required("o"), required("f")];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    lazy(
        "get",
        &[
            required("o"),
            required("f"),
            optional("default", Default::Null),
            optional("inc_hidden", Default::Bool(true)),
        ],
        get,
    ),
    ready(
        "mapWithKey",
        &[required("func"), required("obj")],
        map_with_key,
    ),
    ready(
        "mergePatch",
        &[required("target"), required("patch")],
        merge_patch,
    ),
    ready("objectFields", O, |vm, args| names(vm, &args[0], false)),
    ready("objectFieldsAll", O, |vm, args| names(vm, &args[0], true)),
    ready(
        "objectFieldsEx",
        &[required("obj"), required("hidden")],
        |vm, args| {
            object(&args[0])?;
            names(vm, &args[0], boolean(&args[1])?)
        },
    ),
    ready("objectHas", OF, |vm, args| {
        has(vm, &args[0], &args[1], false)
    }),
    ready("objectHasAll", OF, |vm, args| {
        has(vm, &args[0], &args[1], true)
    }),
    ready(
        "objectHasEx",
        &[required("obj"), required("fname"), required("hidden")],
        |vm, args| {
            string(&args[1]).and(object(&args[0]))?;
            has(vm, &args[0], &args[1], boolean(&args[2])?)
        },
    ),
    ready("objectKeysValues", O, |vm, args| pairs(vm, &args[0], false)),
    ready("objectKeysValuesAll", O, |vm, args| {
        pairs(vm, &args[0], true)
    }),
    ready(
        "objectRemoveKey",
        &[required("obj"), required("key")],
        remove_key,
    ),
    ready("objectValues", O, |vm, args| values(vm, &args[0], false)),
    ready("objectValuesAll", O, |vm, args| values(vm, &args[0], true)),
    ready("prune", &[required("a")], |vm, args| prune(vm, &args[0])),
];

/// The field of an object, to be read when it is needed.
fn later(vm: &Vm, object: &Object, field: &Field) -> Value {
    match object.cached(vm.store(), field.slot) {
        Some(value) => value,
        None => Value::Pending(Thunk::field(vm.heap(), object, field.name)),
    }
}

fn names(vm: &mut Vm, value: &Value, hidden: bool) -> Outcome {
    let fields = vm.sorted_fields(object(value)?, hidden);
    let names = &vm.store().names;
    let texts: Vec<Value> = fields
        .iter()
        .map(|field| Value::Str(names.text(field.name).clone()))
        .collect();
    Ok(Value::Array(Array::new(vm.heap(), texts)))
}

fn values(vm: &mut Vm, value: &Value, hidden: bool) -> Outcome {
    let object = object(value)?;
    let fields = vm.sorted_fields(object, hidden);
    let values: Vec<Value> = fields
        .iter()
        .map(|field| later(vm, object, field))
        .collect();
    Ok(Value::Array(Array::new(vm.heap(), values)))
}

fn pairs(vm: &mut Vm, value: &Value, hidden: bool) -> Outcome {
    let object = object(value)?;
    let fields = vm.sorted_fields(object, hidden);
    let (key, value) = (vm.intern("key"), vm.intern("value"));
    let mut pairs = Vec::with_capacity(fields.len());
    for field in &fields {
        let text = Value::Str(vm.store().names.text(field.name).clone());
        let members = [(key, text), (value, later(vm, object, field))];
        pairs.push(visible(vm, members)?);
    }
    Ok(Value::Array(Array::new(vm.heap(), pairs)))
}

/// An object of visible fields.
pub fn visible(vm: &Vm, fields: impl IntoIterator<Item = (Name, Value)>) -> Outcome {
    let fields = fields
        .into_iter()
        .map(|(name, value)| (name, Visibility::Inherit, value));
    match Object::from_fields(vm.store(), fields) {
        Ok(object) => Ok(Value::Object(object)),
        Err(name) => {
            let name = super::escapes::json(vm.store().names.text(name))?;
            fail(format!("Duplicate field name: {name}"))
        }
    }
}

fn field(vm: &Vm, object: &Object, name: &Value) -> Result<Option<Field>, Box<Error>> {
    let name = vm.store().names.find_str(string(name)?);
    Ok(name.and_then(|name| object.find(vm.store(), name)))
}

fn has(vm: &mut Vm, value: &Value, name: &Value, hidden: bool) -> Outcome {
    let field = field(vm, object(value)?, name)?;
    Ok(Value::Bool(
        field.is_some_and(|field| hidden || field.is_visible()),
    ))
}

fn get(vm: &mut Vm, args: &[Value]) -> Outcome {
    let value = vm.force(&args[0])?;
    let name = vm.force(&args[1])?;
    let hidden = vm.force(&args[3])?;
    let object = object(&value)?;
    match field(vm, object, &name)? {
        Some(field) if boolean(&hidden)? || field.is_visible() => vm.field(object, field.name),
        _ => {
            boolean(&hidden)?;
            vm.force(&args[2])
        }
    }
}

fn map_with_key(vm: &mut Vm, args: &[Value]) -> Outcome {
    let Value::Function(by) = &args[0] else {
        let got = args[0].type_name();
        return fail(format!(
            "std.mapWithKey first param must be function, got {got}"
        ));
    };
    let Value::Object(object) = &args[1] else {
        let got = args[1].type_name();
        return fail(format!(
            "std.mapWithKey second param must be object, got {got}"
        ));
    };
    let fields = vm.sorted_fields(object, false);
    let mapped: Vec<(Name, Value)> = fields
        .iter()
        .map(|field| {
            let key = Value::Str(vm.store().names.text(field.name).clone());
            let call = Thunk::call(vm.heap(), by, vec![key, later(vm, object, field)]);
            (field.name, Value::Pending(call))
        })
        .collect();
    visible(vm, mapped)
}

/// The object without one of its fields.
fn remove_key(vm: &mut Vm, args: &[Value]) -> Outcome {
    let object = object(&args[0])?;
    match field(vm, object, &args[1])? {
        Some(field) => Ok(Value::Object(object.without(vm.store(), field.name))),
        None => Ok(args[0].clone()),
    }
}

/// RFC 7396. Which fields there are is worked out at once, their values when
/// they are needed.
fn merge_patch(vm: &mut Vm, args: &[Value]) -> Outcome {
    let Value::Object(patch) = &args[1] else {
        return Ok(args[1].clone());
    };
    let target = match &args[0] {
        Value::Object(target) => Some(target),
        _ => None,
    };
    let ours = target.map_or_else(Vec::new, |target| vm.sorted_fields(target, false));
    let theirs = vm.sorted_fields(patch, false);
    let mut kept: Vec<(Name, Value)> = Vec::with_capacity(ours.len() + theirs.len());
    if let Some(target) = target {
        let store = vm.store();
        let patched = |name| {
            patch
                .find(store, name)
                .is_some_and(|field| field.is_visible())
        };
        kept.extend(
            ours.iter()
                .filter(|field| !patched(field.name))
                .map(|field| (field.name, later(vm, target, field))),
        );
    }
    let again = find("mergePatch").map(|id| vm.builtin_value(id));
    for field in &theirs {
        let value = vm.field(patch, field.name)?;
        let old = target.and_then(|target| {
            let field = target.find(vm.store(), field.name)?;
            field.is_visible().then(|| later(vm, target, &field))
        });
        match (value, &again) {
            (Value::Null, _) => {}
            // Both values are worked out even if only the patch counts.
            (value, Some(Value::Function(again)))
                if old.is_some() || matches!(value, Value::Object(_)) =>
            {
                let args = vec![old.unwrap_or(Value::Null), value];
                kept.push((
                    field.name,
                    Value::Pending(Thunk::call(vm.heap(), again, args)),
                ));
            }
            (value, _) => kept.push((field.name, value)),
        }
    }
    visible(vm, kept)
}

/// Without nulls, empty arrays and empty objects, at every depth.
fn prune(vm: &mut Vm, value: &Value) -> Outcome {
    match value {
        Value::Array(items) => {
            let mut kept = Vec::new();
            for index in 0..items.len() {
                let item = vm.item(items, index)?;
                let item = vm.with_stack(|vm| prune(vm, &item))?;
                if is_content(vm, &item) {
                    kept.push(item);
                }
            }
            Ok(Value::Array(Array::new(vm.heap(), kept)))
        }
        Value::Object(object) => {
            let mut kept = Vec::new();
            for field in vm.sorted_fields(object, false) {
                let item = vm.field(object, field.name)?;
                let item = vm.with_stack(|vm| prune(vm, &item))?;
                if is_content(vm, &item) {
                    kept.push((field.name, item));
                }
            }
            visible(vm, kept)
        }
        other => Ok(other.clone()),
    }
}

fn is_content(vm: &Vm, value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(object) => object
            .shape(vm.store())
            .fields()
            .iter()
            .any(Field::is_visible),
        _ => true,
    }
}
