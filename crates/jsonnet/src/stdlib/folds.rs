//! Folds, and the least and the greatest item.

use super::args::{Outcome, array, fail, function};
use super::arrays::sequence;
use super::table::{Builtin, Default, Param, ready, required};
use crate::eval::Vm;
use crate::value::Value;

const FOLD: &[Param] = &[required("func"), required("arr"), required("init")];
const EXTREME: &[Param] = &[
    required("arr"),
    Param {
        name: "keyF",
        default: Default::Function("id"),
    },
    Param {
        name: "onEmpty",
        default: Default::Absent,
    },
];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("foldr", FOLD, foldr),
    ready("maxArray", EXTREME, |vm, args| {
        extreme(vm, args, core::cmp::Ordering::Less)
    }),
    ready("minArray", EXTREME, |vm, args| {
        extreme(vm, args, core::cmp::Ordering::Greater)
    }),
];

fn foldr(vm: &mut Vm, args: &[Value]) -> Outcome {
    let by = function(&args[0])?;
    let Some(items) = sequence(vm, &args[1]) else {
        let got = args[1].type_name();
        return fail(format!(
            "foldr second parameter should be string or array, got {got}"
        ));
    };
    let mut result = args[2].clone();
    for index in (0..items.len()).rev() {
        let item = items.get(vm.heap(), index);
        result = vm.call(by, &[item, result])?;
    }
    Ok(result)
}

/// The first item whose key no other beats; another beats it when the
/// comparison of the present key with the other's gives `worse`.
fn extreme(vm: &mut Vm, args: &[Value], worse: core::cmp::Ordering) -> Outcome {
    let items = array(&args[0])?;
    let by = function(&args[1])?;
    if items.is_empty() {
        return if vm.is_absent(&args[2]) {
            fail("Expected at least one element in array. Got none")
        } else {
            Ok(args[2].clone())
        };
    }
    let mut best = vm.item(items, 0)?;
    let mut best_key = vm.call(by, core::slice::from_ref(&best))?;
    for index in 1..items.len() {
        let item = vm.item(items, index)?;
        let key = vm.call(by, core::slice::from_ref(&item))?;
        if vm.compare(&best_key, &key)? == worse {
            best = item;
            best_key = key;
        }
    }
    Ok(best)
}
