//! The virtual machine: what hosts set up and run.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::error::Error;
use crate::eval::{Handed, Limits, Module, Watch};
use crate::import::{Files, Imports, Resolver, Units};
use crate::ir::{ExprId, Unit};
use crate::lower::lower;
use crate::syntax::{Source, StaticError, parse};
use crate::value::{Code, Function, ModuleId, Object, Store, Thunk, Value};

/// A function of the host.
pub struct Native {
    /// Names of its parameters.
    pub params: Vec<String>,
    /// The function, on evaluated arguments.
    pub run: Rc<NativeFn>,
}

/// What a native function does.
pub type NativeFn = dyn Fn(&mut Vm, &[Value]) -> Result<Value, Box<Error>>;

/// A value that the host gives to a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A string.
    Str(String),
    /// Code, evaluated when it is needed.
    Code(String),
}

/// Evaluates programs. Values live as long as it does.
pub struct Vm {
    /// The slots of all activations.
    pub(crate) stack: Vec<Value>,
    /// Activations at the moment.
    pub(crate) depth: u32,
    pub(crate) limits: Limits,
    pub(crate) modules: Vec<Rc<Module>>,
    /// A call that is to take the place of the activation that made it.
    pub(crate) handed: Option<Handed>,
    /// The last call of a builtin.
    pub(crate) site: (ModuleId, ExprId),
    pub(crate) imports: Imports,
    pub(crate) natives: Vec<(String, Native)>,
    pub(crate) std_objects: HashMap<String, Object>,
    ext_given: HashMap<String, Given>,
    ext_values: HashMap<String, Value>,
    trace_out: Box<dyn FnMut(&str)>,
    /// The last field: what the others hold is freed before the memory is.
    pub(crate) store: Store,
}

impl Default for Vm {
    fn default() -> Self {
        Self::new()
    }
}

impl Vm {
    /// With the limits of the reference implementation, and files imported
    /// from the file system.
    pub fn new() -> Self {
        Self {
            store: Store::new(),
            stack: Vec::new(),
            depth: 0,
            limits: Limits {
                depth: 500,
                fuel: 1,
                steps: None,
                interrupt: Arc::new(AtomicBool::new(false)),
                watch: None,
            },
            modules: Vec::new(),
            handed: None,
            site: (ModuleId(0), ExprId(0)),
            imports: Imports::new(Box::new(Files::new())),
            natives: Vec::new(),
            std_objects: HashMap::new(),
            ext_given: HashMap::new(),
            ext_values: HashMap::new(),
            trace_out: Box::new(|line| eprintln!("{line}")),
        }
    }

    /// Sets how many activations there may be at once.
    pub fn set_max_stack(&mut self, max: u32) {
        self.limits.depth = max;
    }

    /// Sets how many activations there may be altogether, about.
    pub fn set_max_steps(&mut self, max: Option<u64>) {
        self.limits.steps = max;
        self.limits.fuel = 1;
    }

    /// Sets how many bytes values may take, about.
    pub fn set_max_memory(&mut self, max: usize) {
        self.store.heap.set_limit(max);
    }

    /// What ends an evaluation when it becomes true.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.limits.interrupt)
    }

    /// Sets what is asked every few thousand activations whether to go on.
    pub fn set_watch(&mut self, watch: Box<Watch>) {
        self.limits.watch = Some(watch);
        self.limits.fuel = 1;
    }

    /// Sets where imported files come from.
    pub fn set_resolver(&mut self, resolver: Box<dyn Resolver>) {
        self.imports = Imports::new(resolver);
    }

    /// Shares lowered files with other VMs.
    pub fn set_units(&mut self, units: Arc<Units>) {
        self.imports.units = units;
    }

    /// Sets what becomes of the lines of `std.trace`.
    pub fn set_trace_out(&mut self, out: Box<dyn FnMut(&str)>) {
        self.trace_out = out;
    }

    /// Writes a line for `std.trace`.
    pub fn trace_line(&mut self, line: &str) {
        (self.trace_out)(line);
    }

    /// The place of the builtin's call, as `std.trace` names it: file and line.
    pub fn site_line(&self) -> String {
        let (module, expr) = self.site;
        let unit = &self.modules[module.0 as usize].unit;
        let line = unit.source.position(unit.spans[expr.index()].start).line;
        format!("{}:{line}", unit.source.name())
    }

    /// Sets what `std.extVar(name)` is.
    pub fn set_ext_var(&mut self, name: impl Into<String>, given: Given) {
        let name = name.into();
        self.ext_values.remove(&name);
        self.ext_given.insert(name, given);
        self.imports.forget_values();
    }

    /// What `std.extVar(name)` is, if it is set.
    pub fn ext_var(&mut self, name: &str) -> Result<Option<Value>, Box<Error>> {
        if let Some(value) = self.ext_values.get(name).cloned() {
            return self.force(&value).map(Some);
        }
        let Some(given) = self.ext_given.get(name).cloned() else {
            return Ok(None);
        };
        let value = self.given(&given, &format!("<extvar:{name}>"))?;
        self.ext_values.insert(name.to_owned(), value.clone());
        self.force(&value).map(Some)
    }

    fn given(&mut self, given: &Given, file: &str) -> Result<Value, Box<Error>> {
        match given {
            Given::Str(text) => Ok(self.str(text)),
            Given::Code(code) => {
                let unit = compile(file, "", code.clone().into_bytes());
                let unit = Unit {
                    this_file: file.to_owned(),
                    ..unit.map_err(Error::in_text)?
                };
                let module = self.load(Arc::new(unit));
                Ok(self.root_thunk(module))
            }
        }
    }

    /// Sets what `std.native(name)` is.
    pub fn set_native(&mut self, name: impl Into<String>, native: Native) {
        let name = name.into();
        match self.natives.iter_mut().find(|old| old.0 == name) {
            Some(old) => old.1 = native,
            None => self.natives.push((name, native)),
        }
        self.imports.forget_values();
    }

    /// What `std.native(name)` is, if it is set.
    pub fn native(&self, name: &str) -> Option<Value> {
        let at = self.natives.iter().position(|native| native.0 == name)?;
        let function = Function::native(&self.store.heap, at as u32);
        Some(Value::Function(function))
    }

    /// Evaluates code; `name` names it in messages, and its imports are
    /// relative to `path`.
    pub fn evaluate(
        &mut self,
        name: &str,
        path: &str,
        code: &str,
        args: &[(String, Given)],
    ) -> Result<Value, Box<Error>> {
        let module = self.load_text(name, path, code.as_bytes().to_vec())?;
        self.evaluate_module(module, args)
    }

    /// Evaluates a file.
    pub fn evaluate_file(
        &mut self,
        path: &str,
        args: &[(String, Given)],
    ) -> Result<Value, Box<Error>> {
        let bytes = self.imports.resolver.read(path).map_err(Error::runtime)?;
        let module = self.load_text(path, path, bytes)?;
        self.evaluate_module(module, args)
    }

    /// Evaluates a file that is lowered already.
    pub fn evaluate_unit(
        &mut self,
        unit: Arc<Unit>,
        args: &[(String, Given)],
    ) -> Result<Value, Box<Error>> {
        let module = self.load(unit);
        self.evaluate_module(module, args)
    }

    fn evaluate_module(
        &mut self,
        module: ModuleId,
        args: &[(String, Given)],
    ) -> Result<Value, Box<Error>> {
        self.stack.clear();
        self.depth = 0;
        self.handed = None;
        let root = self.root_thunk(module);
        let value = self
            .force(&root)
            .map_err(|error| error.during("During evaluation"))?;
        let Value::Function(function) = &value else {
            return Ok(value);
        };
        let base = self.stack.len();
        let mut names = Vec::with_capacity(args.len());
        for (name, given) in args {
            let value = self.given(given, &format!("<top-level-arg:{name}>"))?;
            self.stack.push(value);
            names.push(name.as_str());
        }
        let outcome = self.run_top_level(function, base, &names);
        self.stack.truncate(base);
        outcome.map_err(|error| error.during("Top-level function call"))
    }

    /// A file's value, worked out when it is needed.
    pub(crate) fn root_thunk(&self, module: ModuleId) -> Value {
        let id = self.modules[module.0 as usize].unit.root.0;
        let code = Code { module, id };
        Value::Pending(Thunk::new(&self.store.heap, code, None))
    }

    /// Parses and lowers a text, and makes a module of it.
    pub(crate) fn load_text(
        &mut self,
        name: &str,
        path: &str,
        bytes: Vec<u8>,
    ) -> Result<ModuleId, Box<Error>> {
        let unit = compile(name, path, bytes).map_err(Error::in_text)?;
        Ok(self.load(Arc::new(unit)))
    }

    /// Makes a module of a lowered file.
    pub(crate) fn load(&mut self, unit: Arc<Unit>) -> ModuleId {
        let id = ModuleId(self.modules.len() as u32);
        let module = Module::new(id, unit, &self.store);
        self.modules.push(Rc::new(module));
        id
    }
}

/// Parses and lowers a text.
pub fn compile(name: &str, path: &str, bytes: Vec<u8>) -> Result<Unit, StaticError> {
    let source = Arc::new(Source::from_bytes(name, bytes));
    let ast = parse(&source)?;
    lower(&ast, path)
}
