//! What the host gives to programs.

use super::args::{Outcome, fail, string};
use super::table::{Builtin, Param, ready, required};
use crate::eval::Vm;
use crate::value::Value;

const X: &[Param] = &[required("x")];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("extVar", X, ext_var),
    ready("native", X, |vm, args| {
        Ok(vm.native(string(&args[0])?.as_str()).unwrap_or(Value::Null))
    }),
    ready("trace", &[required("str"), required("rest")], trace),
];

fn ext_var(vm: &mut Vm, args: &[Value]) -> Outcome {
    let name = string(&args[0])?.as_str();
    match vm.ext_var(name)? {
        Some(value) => Ok(value),
        None => fail(format!("Undefined external variable: {name}")),
    }
}

fn trace(vm: &mut Vm, args: &[Value]) -> Outcome {
    let line = format!("TRACE: {} {}", vm.site_line(), string(&args[0])?.as_str());
    vm.trace_line(&line);
    Ok(args[1].clone())
}
