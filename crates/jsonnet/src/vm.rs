//! The virtual machine: what hosts set up and run.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::error::Error;
use crate::eval::{Limits, Module};
use crate::import::{Files, Resolver};
use crate::value::{Store, Value};

/// A function of the host.
pub struct Native {
    /// Names of its parameters.
    pub params: Vec<String>,
    /// The function, on evaluated arguments.
    pub run: Box<NativeFn>,
}

/// What a native function does.
pub type NativeFn = dyn FnMut(&mut Vm, &[Value]) -> Result<Value, Box<Error>>;

/// Evaluates programs. Values live as long as it does.
pub struct Vm {
    pub(crate) store: Store,
    /// The slots of all activations.
    pub(crate) stack: Vec<Value>,
    /// Activations at the moment.
    pub(crate) depth: u32,
    pub(crate) limits: Limits,
    pub(crate) modules: Vec<Rc<Module>>,
    pub(crate) resolver: Box<dyn Resolver>,
    pub(crate) natives: Vec<(String, Native)>,
    pub(crate) ext_vars: HashMap<String, Value>,
    pub(crate) trace_out: Box<dyn FnMut(&str)>,
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
            },
            modules: Vec::new(),
            resolver: Box::new(Files::new()),
            natives: Vec::new(),
            ext_vars: HashMap::new(),
            trace_out: Box::new(|line| eprintln!("{line}")),
        }
    }
}
