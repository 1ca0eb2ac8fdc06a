//! Calls.

use std::ops::Range;
use std::rc::Rc;

use super::frame::{Frame, Start, Trim};
use super::{Module, Outcome};
use crate::error::Error;
use crate::ir::{self, BuiltinId, CallKind, ExprId, NamedCallId, Span32, Tail};
use crate::stdlib::{self, Args, Builtin, Default};
use crate::value::{Function, FunctionKind, Value};
use crate::vm::Vm;

/// A call that an activation made as its last act, which is given up for it.
/// Its arguments are the last values of the stack, from `base` on.
pub(crate) struct Handed {
    function: Function,
    base: usize,
    /// Which parameters have arguments, if some were named.
    given: Option<Vec<bool>>,
    strict: bool,
    module: Rc<Module>,
    site: ExprId,
}

/// Which parameters got arguments.
#[derive(Clone, Copy)]
enum Given<'a> {
    First(usize),
    These(&'a [bool]),
}

impl Given<'_> {
    fn has(self, at: usize) -> bool {
        match self {
            Self::First(count) => at < count,
            Self::These(given) => given[at],
        }
    }
}

impl Vm {
    /// Calls a function with the arguments that were pushed from `base` on.
    #[inline]
    pub(super) fn invoke(
        &mut self,
        frame: &Frame<'_>,
        function: &Function,
        base: usize,
        kind: CallKind,
        site: ExprId,
    ) -> Outcome {
        if kind.strict {
            self.force_args(base)
                .map_err(|error| frame.at(error, site))?;
        }
        if frame.trim.get() == Trim::May && kind.tail == Tail::Last {
            return self.hand_over(frame, function.clone(), base, None, kind, site);
        }
        self.give_up(frame, kind.tail);
        self.site = (frame.module.id, site);
        let outcome = if kind.strict {
            self.run_strict(function.clone(), base, None)
        } else {
            self.run(function, base, Trim::No, Some(frame.module))
        };
        self.discard(base);
        outcome.map_err(|error| frame.at(error, site))
    }

    /// Gives the activation up for a call; see [`Vm::run_strict`].
    fn hand_over(
        &mut self,
        frame: &Frame<'_>,
        function: Function,
        base: usize,
        given: Option<Vec<bool>>,
        kind: CallKind,
        site: ExprId,
    ) -> Outcome {
        frame.trim.set(Trim::Done);
        self.handed = Some(Handed {
            function,
            base,
            given,
            strict: kind.strict,
            module: Rc::clone(frame.module),
            site,
        });
        Ok(Value::Null)
    }

    fn force_args(&mut self, base: usize) -> Result<(), Box<Error>> {
        self.force_slots(base..self.stack.len())
    }

    fn force_slots(&mut self, slots: Range<usize>) -> Result<(), Box<Error>> {
        for at in slots {
            if let Value::Pending(thunk) = &self.stack[at] {
                let thunk = thunk.clone();
                self.stack[at] = self.force_thunk(&thunk)?;
            }
        }
        Ok(())
    }

    /// Runs a `tailstrict` call, and the calls that activations give
    /// themselves up for.
    #[inline(never)]
    fn run_strict(
        &mut self,
        mut function: Function,
        base: usize,
        mut given: Option<Vec<bool>>,
    ) -> Outcome {
        let mut strict = true;
        let mut site: Option<(Rc<Module>, ExprId)> = None;
        loop {
            let trim = if strict { Trim::May } else { Trim::No };
            let outcome = match &given {
                Some(given) => self.run_given(&function, base, given, trim),
                None => self.run(&function, base, trim, None),
            };
            let Some(handed) = self.handed.take() else {
                return match (outcome, site) {
                    (Err(error), Some((module, at))) => Err(error.at(&module.unit, at).skipping()),
                    (outcome, _) => outcome,
                };
            };
            self.stack.drain(base..handed.base);
            function = handed.function;
            given = handed.given;
            strict = handed.strict;
            site = Some((handed.module, handed.site));
        }
    }

    /// Calls a function whose arguments, all positional, were pushed from
    /// `base` on. They stay there.
    /// The function is often one of the module `near`.
    #[inline]
    fn run(
        &mut self,
        function: &Function,
        base: usize,
        trim: Trim,
        near: Option<&Rc<Module>>,
    ) -> Outcome {
        match function.kind() {
            FunctionKind::Closure(code, record) => {
                let owned;
                let module = match near {
                    Some(near) if near.id == code.module => near,
                    _ => {
                        owned = self.module(code.module);
                        &owned
                    }
                };
                let callee = module.unit.functions[code.id as usize];
                let start = Start {
                    callee: Some(function),
                    trim,
                    ..Start::captured(record.as_ref())
                };
                let given = self.stack.len() - base;
                if given != callee.params.len() {
                    return self.run_with_defaults(
                        module,
                        callee,
                        base,
                        start,
                        Given::First(given),
                    );
                }
                let code = module.unit.codes[callee.code.index()];
                self.activate(module, code, base, start)
            }
            FunctionKind::Builtin(id) => self.run_builtin(BuiltinId(*id), base),
            FunctionKind::Native(id) => self.run_native(*id, base),
        }
    }

    /// Calls a function with values.
    pub(crate) fn call_values(&mut self, function: &Function, args: &[Value]) -> Outcome {
        let base = self.stack.len();
        self.stack.extend_from_slice(args);
        let outcome = self.run(function, base, Trim::No, None);
        self.discard(base);
        outcome
    }

    /// Checks which parameters lack an argument, and runs the function with
    /// its defaults.
    #[inline(never)]
    fn run_with_defaults(
        &mut self,
        module: &Rc<Module>,
        callee: ir::Function,
        base: usize,
        start: Start<'_>,
        given: Given<'_>,
    ) -> Outcome {
        let params = &module.unit.params[callee.params.range()];
        if let Given::First(count) = given
            && count > params.len()
        {
            return Err(too_many(params.len(), count));
        }
        self.stack.resize(base + params.len(), Value::Null);
        let mut defaults = Vec::new();
        for (at, param) in params.iter().enumerate() {
            if given.has(at) {
                continue;
            }
            let twin = |&other: &usize| given.has(other) && params[other].name == param.name;
            if let Some(twin) = (0..params.len()).rfind(twin) {
                self.stack[base + at] = self.stack[base + twin].clone();
            } else if let Some(default) = &param.default {
                defaults.push(default);
            } else {
                let name = &module.unit.names[param.name.index()];
                return Err(Error::runtime(format!("Missing argument: {name}")));
            }
        }
        let code = module.unit.codes[callee.code.index()];
        self.activate_with(module, code, base, start, |vm, frame| {
            vm.bind_patched(frame, &mut defaults.iter().copied())?;
            match start.trim {
                Trim::No => Ok(()),
                Trim::May | Trim::Done => vm.force_slots(base..base + params.len()),
            }
        })
    }

    /// A call with named arguments.
    #[inline(never)]
    pub(super) fn call_named(
        &mut self,
        frame: &Frame<'_>,
        call: NamedCallId,
        site: ExprId,
    ) -> Outcome {
        let call = frame.module.unit.named_calls[call.index()];
        let target = self.eval(frame, call.target)?;
        let Value::Function(function) = target else {
            return Err(frame.at(super::unexpected(&target, "function"), site));
        };
        let base = self.stack.len();
        if let Err(error) = self.push_operands(frame, call.args) {
            return Err(frame.at(error, site));
        }
        let names = &frame.module.unit.arg_names[call.names.range()];
        let names: Vec<&str> = names
            .iter()
            .map(|name| &*frame.module.unit.names[name.index()])
            .collect();
        if call.kind.strict {
            self.force_args(base)
                .map_err(|error| frame.at(error, site))?;
        }
        let kind = call.kind;
        let given = match self.arrange(&function, base, &names) {
            Ok(given) => given,
            Err(error) => return Err(frame.at(error, site)),
        };
        if frame.trim.get() == Trim::May && kind.tail == Tail::Last {
            return self.hand_over(frame, function, base, Some(given), kind, site);
        }
        self.give_up(frame, kind.tail);
        self.site = (frame.module.id, site);
        let outcome = if kind.strict {
            self.run_strict(function, base, Some(given))
        } else {
            self.run_given(&function, base, &given, Trim::No)
        };
        self.discard(base);
        outcome.map_err(|error| frame.at(error, site))
    }

    /// Calls the function that a file's value is, with named arguments.
    pub(crate) fn run_top_level(
        &mut self,
        function: &Function,
        base: usize,
        names: &[&str],
    ) -> Outcome {
        let given = self.arrange(function, base, names)?;
        self.run_given(function, base, &given, Trim::No)
    }

    /// Puts arguments, the last of which have names, where the parameters are.
    fn arrange(
        &mut self,
        function: &Function,
        base: usize,
        names: &[&str],
    ) -> Result<Vec<bool>, Box<Error>> {
        let params = self.param_names(function);
        let positional = self.stack.len() - base - names.len();
        let mut given = vec![false; params.len()];
        if positional > params.len() {
            return Err(too_many(params.len(), positional));
        }
        given[..positional].fill(true);
        let with_names: Vec<Value> = self.stack.drain(base + positional..).collect();
        self.stack.resize(base + params.len(), Value::Null);
        for (name, value) in names.iter().zip(with_names) {
            let Some(at) = params.iter().rposition(|param| param == name) else {
                return Err(Error::runtime(format!("function has no parameter {name}")));
            };
            if std::mem::replace(&mut given[at], true) {
                return Err(Error::runtime(format!("Argument {name} already provided")));
            }
            self.stack[base + at] = value;
        }
        Ok(given)
    }

    fn run_given(
        &mut self,
        function: &Function,
        base: usize,
        given: &[bool],
        trim: Trim,
    ) -> Outcome {
        match function.kind() {
            FunctionKind::Closure(code, record) => {
                let module = self.module(code.module);
                let callee = module.unit.functions[code.id as usize];
                let start = Start {
                    callee: Some(function),
                    trim,
                    ..Start::captured(record.as_ref())
                };
                self.run_with_defaults(&module, callee, base, start, Given::These(given))
            }
            FunctionKind::Builtin(id) => {
                let builtin = stdlib::builtin(BuiltinId(*id));
                self.fill_builtin(builtin, base, Given::These(given))?;
                self.apply_builtin(builtin, base)
            }
            FunctionKind::Native(id) => {
                if let Some(at) = given.iter().position(|given| !given) {
                    return Err(self.missing_native(*id, at));
                }
                self.run_native(*id, base)
            }
        }
    }

    /// Names of a function's parameters.
    pub fn param_names(&self, function: &Function) -> Vec<String> {
        match function.kind() {
            FunctionKind::Closure(code, _) => {
                let unit = &self.modules[code.module.0 as usize].unit;
                let callee = unit.functions[code.id as usize];
                let params = unit.params[callee.params.range()].iter();
                params
                    .map(|param| unit.names[param.name.index()].to_string())
                    .collect()
            }
            FunctionKind::Builtin(id) => {
                let params = stdlib::builtin(BuiltinId(*id)).params.iter();
                params.map(|param| param.name.to_owned()).collect()
            }
            FunctionKind::Native(id) => self.natives[*id as usize].1.params.clone(),
        }
    }

    /// How many parameters a function has without a default.
    pub fn required_params(&self, function: &Function) -> usize {
        match function.kind() {
            FunctionKind::Closure(code, _) => {
                let unit = &self.modules[code.module.0 as usize].unit;
                unit.functions[code.id as usize].required as usize
            }
            FunctionKind::Builtin(id) => {
                let params = stdlib::builtin(BuiltinId(*id)).params.iter();
                params
                    .filter(|param| matches!(param.default, Default::Required))
                    .count()
            }
            FunctionKind::Native(id) => self.natives[*id as usize].1.params.len(),
        }
    }

    /// A builtin with the values that were pushed from `base` on.
    #[inline(never)]
    fn run_builtin(&mut self, id: BuiltinId, base: usize) -> Outcome {
        let builtin = stdlib::builtin(id);
        let given = self.stack.len() - base;
        if given != builtin.params.len() {
            if given > builtin.params.len() {
                return Err(too_many(builtin.params.len(), given));
            }
            self.stack.resize(base + builtin.params.len(), Value::Null);
            self.fill_builtin(builtin, base, Given::First(given))?;
        }
        self.apply_builtin(builtin, base)
    }

    fn fill_builtin(
        &mut self,
        builtin: &Builtin,
        base: usize,
        given: Given<'_>,
    ) -> Result<(), Box<Error>> {
        for (at, param) in builtin.params.iter().enumerate() {
            if given.has(at) {
                continue;
            }
            self.stack[base + at] = match param.default {
                Default::Required => {
                    let name = param.name;
                    return Err(Error::runtime(format!("Missing argument: {name}")));
                }
                Default::Null => Value::Null,
                Default::Bool(value) => Value::Bool(value),
                Default::Num(number) => Value::Num(number),
                Default::Str(text) => self.str(text),
                Default::Function(name) => {
                    self.builtin_value(stdlib::find(name).unwrap_or(stdlib::ABSENT))
                }
                Default::Absent => self.builtin_value(stdlib::ABSENT),
            };
        }
        Ok(())
    }

    fn apply_builtin(&mut self, builtin: &Builtin, base: usize) -> Outcome {
        if builtin.args == Args::Ready {
            self.force_args(base)?;
        }
        let args: Vec<Value> = self.stack.drain(base..).collect();
        (builtin.run)(self, &args)
    }

    /// A builtin with evaluated arguments.
    #[inline]
    pub(super) fn call_std(
        &mut self,
        frame: &Frame<'_>,
        builtin: BuiltinId,
        args: Span32,
        site: ExprId,
    ) -> Outcome {
        let run = stdlib::builtin(builtin).run;
        let items = &frame.module.unit.items[args.range()];
        let outcome = match *items {
            [a] => self.run_std(frame, run, [a], site),
            [a, b] => self.run_std(frame, run, [a, b], site),
            [a, b, c] => self.run_std(frame, run, [a, b, c], site),
            _ => {
                let args = items.iter().map(|&item| self.eval(frame, item));
                args.collect::<Result<Vec<Value>, _>>().and_then(|args| {
                    self.site = (frame.module.id, site);
                    run(self, &args)
                })
            }
        };
        outcome.map_err(|error| frame.at(error, site))
    }

    #[inline]
    fn run_std<const N: usize>(
        &mut self,
        frame: &Frame<'_>,
        run: fn(&mut Self, &[Value]) -> Outcome,
        items: [ExprId; N],
        site: ExprId,
    ) -> Outcome {
        let args = self.std_args(frame, items)?;
        self.site = (frame.module.id, site);
        run(self, &args)
    }

    #[inline]
    fn std_args<const N: usize>(
        &mut self,
        frame: &Frame<'_>,
        items: [ExprId; N],
    ) -> Result<[Value; N], Box<Error>> {
        let mut args = [const { Value::Null }; N];
        for (arg, item) in args.iter_mut().zip(items) {
            *arg = self.operand_value(frame, item)?;
        }
        Ok(args)
    }

    fn run_native(&mut self, id: u32, base: usize) -> Outcome {
        let count = self.natives[id as usize].1.params.len();
        let given = self.stack.len() - base;
        if given > count {
            return Err(too_many(count, given));
        }
        if given < count {
            return Err(self.missing_native(id, given));
        }
        self.force_args(base)?;
        let args: Vec<Value> = self.stack.drain(base..).collect();
        let native = Rc::clone(&self.natives[id as usize].1.run);
        native(self, &args)
    }

    #[cold]
    fn missing_native(&self, id: u32, at: usize) -> Box<Error> {
        let name = &self.natives[id as usize].1.params[at];
        Error::runtime(format!("Missing argument: {name}"))
    }
}

#[cold]
fn too_many(expected: usize, got: usize) -> Box<Error> {
    Error::runtime(format!(
        "function expected {expected} positional argument(s), but got {got}"
    ))
}
