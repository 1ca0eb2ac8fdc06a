//! What the host gives to programs.

use super::args::{Outcome, fail, string};
use super::table::{Args, Builtin, Param, required};
use crate::eval::Vm;
use crate::value::Value;

const X: &[Param] = &[required("x")];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    Builtin {
        name: "extVar",
        params: X,
        args: Args::Ready,
        run: ext_var,
    },
    Builtin {
        name: "native",
        params: X,
        args: Args::Ready,
        run: |vm, args| Ok(vm.native(string(&args[0])?.as_str()).unwrap_or(Value::Null)),
    },
    Builtin {
        name: "trace",
        params: &[required("str"), required("rest")],
        args: Args::Ready,
        run: trace,
    },
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
