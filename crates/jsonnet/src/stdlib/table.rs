//! Which functions the standard library has, by number.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{
    arrays, core, encodings, escapes, folds, format, host, manifests, numbers, objects, parsing,
    sets, slices, splits, strings, types,
};
use crate::error::Error;
use crate::eval::Vm;
use crate::ir::BuiltinId;
use crate::value::Value;

/// A function of the standard library.
pub struct Builtin {
    /// `std.name`; names that begin with `$` cannot be reached by programs.
    pub name: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// How it wants its arguments.
    pub args: Args,
    /// The function. It gets as many arguments as there are parameters; an
    /// error that it returns need not name the place of the call.
    pub run: fn(&mut Vm, &[Value]) -> Result<Value, Box<Error>>,
}

/// How a builtin wants its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Args {
    /// Evaluated, from left to right.
    Ready,
    /// As they are: the builtin calls [`Vm::force`].
    Lazy,
}

/// A parameter of a builtin.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What stands for a missing argument.
    pub default: Default,
}

/// What stands for a missing argument.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// It must be given.
    Required,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number.
    Num(f64),
    /// A string.
    Str(&'static str),
    /// The function of that number.
    Function(&'static str),
    /// [`ABSENT`], which no program can give.
    Absent,
}

/// What a builtin does.
pub(super) type Run = fn(&mut Vm, &[Value]) -> Result<Value, Box<Error>>;

/// A builtin that wants its arguments evaluated.
pub(super) const fn ready(name: &'static str, params: &'static [Param], run: Run) -> Builtin {
    Builtin {
        name,
        params,
        args: Args::Ready,
        run,
    }
}

/// A builtin that may not need all of its arguments.
pub(super) const fn lazy(name: &'static str, params: &'static [Param], run: Run) -> Builtin {
    Builtin {
        name,
        params,
        args: Args::Lazy,
        run,
    }
}

/// The value that stands for an argument that is missing and has no default:
/// a function that no program can reach; see [`Vm::is_absent`].
pub const ABSENT: BuiltinId = BuiltinId(0);

/// A parameter that must be given.
pub(super) const fn required(name: &'static str) -> Param {
    Param {
        name,
        default: Default::Required,
    }
}

/// A parameter that may be left out.
pub(super) const fn optional(name: &'static str, default: Default) -> Param {
    Param { name, default }
}

/// The functions; a [`BuiltinId`] is a position.
pub static BUILTINS: &[&[Builtin]] = &[
    core::BUILTINS,
    arrays::BUILTINS,
    encodings::BUILTINS,
    escapes::BUILTINS,
    folds::BUILTINS,
    format::BUILTINS,
    host::BUILTINS,
    manifests::BUILTINS,
    numbers::BUILTINS,
    objects::BUILTINS,
    parsing::BUILTINS,
    sets::BUILTINS,
    slices::BUILTINS,
    splits::BUILTINS,
    strings::BUILTINS,
    types::BUILTINS,
];

/// A builtin by its number.
#[inline]
pub fn builtin(id: BuiltinId) -> &'static Builtin {
    table().0[id.index()]
}

/// The builtin of that name.
pub fn find(name: &str) -> Option<BuiltinId> {
    table().1.get(name).copied()
}

type Table = (Vec<&'static Builtin>, HashMap<&'static str, BuiltinId>);

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let all: Vec<_> = BUILTINS.iter().copied().flatten().collect();
        let ids = (0..).map(BuiltinId);
        let names = all.iter().map(|builtin| builtin.name).zip(ids).collect();
        (all, names)
    })
}
