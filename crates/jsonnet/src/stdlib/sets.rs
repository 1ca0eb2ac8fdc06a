//! Sorting, and sets as sorted arrays.

use core::cmp::Ordering;

use super::args::{Outcome, array, fail, function};
use super::arrays::sequence;
use super::core::{is_identity, length_of};
use super::table::{Builtin, Default, Param, lazy, ready, required};
use crate::error::Error;
use crate::eval::Vm;
use crate::value::{Array, Function, FunctionKind, Value};

const KEY: Param = Param {
    name: "keyF",
    default: Default::Function("id"),
};
const ARR: &[Param] = &[required("arr"), KEY];
const TWO: &[Param] = &[required("a"), required("b"), KEY];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("set", ARR, |vm, args| {
        let sorted = sort(vm, args)?;
        uniq(vm, &[sorted, args[1].clone()])
    }),
    ready("setDiff", TWO, |vm, args| {
        merge(
            vm,
            args,
            Keep {
                left: true,
                both: false,
                right: false,
            },
        )
    }),
    ready("setInter", TWO, |vm, args| {
        merge(
            vm,
            args,
            Keep {
                left: false,
                both: true,
                right: false,
            },
        )
    }),
    lazy(
        "setMember",
        &[required("x"), required("arr"), KEY],
        set_member,
    ),
    ready("setUnion", TWO, |vm, args| {
        merge(
            vm,
            args,
            Keep {
                left: true,
                both: true,
                right: true,
            },
        )
    }),
    ready("sort", ARR, sort),
    ready("uniq", ARR, uniq),
];

/// A key function; the identity is not called.
struct Key<'a>(Option<&'a Function>);

impl<'a> Key<'a> {
    fn new(value: &'a Value) -> Result<Self, Box<Error>> {
        let by = function(value)?;
        let identity = matches!(by.kind(), FunctionKind::Builtin(id) if is_identity(*id));
        Ok(Self((!identity).then_some(by)))
    }

    fn of(&self, vm: &mut Vm, items: &Array, index: usize) -> Outcome {
        match self.0 {
            None => vm.item(items, index),
            Some(by) => {
                let item = items.get(vm.heap(), index);
                vm.call(by, &[item])
            }
        }
    }
}

fn sort(vm: &mut Vm, args: &[Value]) -> Outcome {
    let items = array(&args[0])?;
    let by = Key::new(&args[1])?;
    if let (Some(numbers), None) = (items.as_numbers(), by.0) {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        return Ok(Value::Array(Array::numbers(vm.heap(), sorted)));
    }
    let mut keyed = Vec::with_capacity(items.len());
    for index in 0..items.len() {
        let key = by.of(vm, items, index)?;
        keyed.push((key, items.get(vm.heap(), index)));
    }
    sort_by_key(vm, &mut keyed)?;
    let sorted: Vec<Value> = keyed.into_iter().map(|(_, item)| item).collect();
    Ok(Value::Array(Array::new(vm.heap(), sorted)))
}

/// A stable sort; the first comparison that fails ends it.
fn sort_by_key(vm: &mut Vm, keyed: &mut [(Value, Value)]) -> Result<(), Box<Error>> {
    if keyed.iter().all(|(key, _)| matches!(key, Value::Str(_))) {
        keyed.sort_by(|(a, _), (b, _)| match (a, b) {
            (Value::Str(a), Value::Str(b)) => a.as_str().cmp(b.as_str()),
            _ => Ordering::Equal,
        });
        return Ok(());
    }
    let mut failure = None;
    keyed.sort_by(|(a, _), (b, _)| {
        if failure.is_some() {
            return Ordering::Equal;
        }
        vm.compare(a, b).unwrap_or_else(|error| {
            failure = Some(error);
            Ordering::Equal
        })
    });
    failure.map_or(Ok(()), Err)
}

/// The first of each run of items with equal keys.
fn uniq(vm: &mut Vm, args: &[Value]) -> Outcome {
    let Some(items) = sequence(vm, &args[0]) else {
        let got = args[0].type_name();
        return fail(format!(
            "foldl second parameter should be string or array, got {got}"
        ));
    };
    let by = Key::new(&args[1])?;
    // The key of a single item is not looked at.
    if items.len() == 1 {
        return Ok(Value::Array(items));
    }
    let mut kept = Vec::new();
    let mut last: Option<Value> = None;
    for index in 0..items.len() {
        let key = by.of(vm, &items, index)?;
        let repeated = match &last {
            Some(last) => vm.equals(last, &key)?,
            None => false,
        };
        if !repeated {
            kept.push(items.get(vm.heap(), index));
            last = Some(key);
        }
    }
    Ok(Value::Array(Array::new(vm.heap(), kept)))
}

/// Which items a merge of two sets keeps.
#[derive(Clone, Copy)]
struct Keep {
    left: bool,
    both: bool,
    right: bool,
}

fn merge(vm: &mut Vm, args: &[Value], keep: Keep) -> Outcome {
    let (left, right) = (items_of(vm, &args[0])?, items_of(vm, &args[1])?);
    let by = Key::new(&args[2])?;
    let mut kept = Vec::new();
    let (mut i, mut j) = (0, 0);
    let (mut left_key, mut right_key) = (None, None);
    while i < left.len() && j < right.len() {
        let a = match left_key.take() {
            Some(key) => key,
            None => by.of(vm, &left, i)?,
        };
        let b = match right_key.take() {
            Some(key) => key,
            None => by.of(vm, &right, j)?,
        };
        match order(vm, &a, &b)? {
            Ordering::Equal => {
                if keep.both {
                    kept.push(left.get(vm.heap(), i));
                }
                (i, j) = (i + 1, j + 1);
            }
            Ordering::Less => {
                if keep.left {
                    kept.push(left.get(vm.heap(), i));
                }
                i += 1;
                right_key = Some(b);
            }
            Ordering::Greater => {
                if keep.right {
                    kept.push(right.get(vm.heap(), j));
                }
                j += 1;
                left_key = Some(a);
            }
        }
    }
    rest(
        vm,
        kept,
        [
            (keep.left, &args[0], &left, i),
            (keep.right, &args[1], &right, j),
        ],
    )
}

/// What is kept, and what is left of the sets that are kept whole. What is left
/// of a string is a string, which arrays are added to as text.
fn rest(vm: &mut Vm, mut kept: Vec<Value>, sets: [(bool, &Value, &Array, usize); 2]) -> Outcome {
    // The end of the left set is looked at first.
    let ended = usize::from(sets[0].3 < sets[0].2.len());
    let (keep, source, items, from) = sets[1 - ended];
    if !keep {
        return Ok(Value::Array(Array::new(vm.heap(), kept)));
    }
    if let Value::Str(source) = source {
        let kept = Value::Array(Array::new(vm.heap(), kept));
        let left = Value::Str(source.slice(vm.heap(), from, source.len()));
        return vm.add(&kept, &left);
    }
    kept.extend((from..items.len()).map(|index| items.get(vm.heap(), index)));
    Ok(Value::Array(Array::new(vm.heap(), kept)))
}

/// The items of a set. Its length is asked for first, then its items, by
/// number, which objects and functions do not have.
fn items_of(vm: &Vm, value: &Value) -> Result<Array, Box<Error>> {
    if let Some(items) = sequence(vm, value) {
        return Ok(items);
    }
    match (length_of(vm, value)?, value) {
        (0, _) => Ok(Array::new(vm.heap(), [])),
        (_, Value::Object(_)) => fail("Unexpected type number, expected string"),
        _ => fail("Value non indexable: *jsonnet.valueFunction"),
    }
}

/// Equal first, which every two values can be asked for, then by order.
fn order(vm: &mut Vm, a: &Value, b: &Value) -> Result<Ordering, Box<Error>> {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => Ok(a.as_str().cmp(b.as_str())),
        _ if vm.equals(a, b)? => Ok(Ordering::Equal),
        _ => match vm.compare(a, b)? {
            Ordering::Less => Ok(Ordering::Less),
            _ => Ok(Ordering::Greater),
        },
    }
}

/// Looks from the start on, as the set need not be one: up to the first item
/// that is equal or greater.
fn set_member(vm: &mut Vm, args: &[Value]) -> Outcome {
    let items = vm.force(&args[1])?;
    let items = items_of(vm, &items)?;
    let by = vm.force(&args[2])?;
    let by = Key::new(&by)?;
    if items.is_empty() {
        return Ok(Value::Bool(false));
    }
    let key = match by.0 {
        Some(by) => vm.call(by, core::slice::from_ref(&args[0]))?,
        None => vm.force(&args[0])?,
    };
    for index in 0..items.len() {
        let other = by.of(vm, &items, index)?;
        match order(vm, &key, &other)? {
            Ordering::Equal => return Ok(Value::Bool(true)),
            Ordering::Less => return Ok(Value::Bool(false)),
            Ordering::Greater => {}
        }
    }
    Ok(Value::Bool(false))
}
