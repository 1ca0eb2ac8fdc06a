//! An evaluation: a virtual machine of its own, while Python's lock is
//! released.
//!
//! The machine belongs to the thread and lives as long as the evaluation.
//! What outlives it is what threads can share: lowered files.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use linecaster_jsonnet::error::ErrorKind;
use linecaster_jsonnet::import::{Files, Units};
use linecaster_jsonnet::ir::Unit;
use linecaster_jsonnet::value::Value;
use linecaster_jsonnet::{Error, Vm, compile};
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::callbacks::{Importer, attached, native};
use crate::raise::raise;
use crate::settings::{Program, Settings};
use crate::tape::Numbers;

/// Between two looks for signals.
const PACE: Duration = Duration::from_millis(50);

/// Lowered texts by their path and what they are.
type Texts = HashMap<(String, Vec<u8>), Arc<Unit>>;

/// Lowered files and texts, for several evaluations.
#[derive(Default)]
pub struct Parsed {
    pub files: Arc<Units>,
    texts: Mutex<Texts>,
}

impl Parsed {
    /// Texts that are kept; when there are more, all are forgotten.
    const TEXTS: usize = 1024;

    fn text(&self, name: &str, path: &str, text: Vec<u8>) -> Result<Arc<Unit>, Box<Error>> {
        let key = (path.to_owned(), text);
        let known = |parsed: &Self| {
            let texts = parsed.texts.lock().unwrap_or_else(PoisonError::into_inner);
            texts.get(&key).cloned()
        };
        if let Some(unit) = known(self) {
            return Ok(unit);
        }
        let unit = lowered(name, path, key.1.clone())?;
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if texts.len() >= Self::TEXTS {
            texts.clear();
        }
        texts.insert(key, Arc::clone(&unit));
        Ok(unit)
    }

    /// Forgets all.
    pub fn clear(&self) {
        self.files.clear();
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.clear();
    }
}

fn lowered(name: &str, path: &str, bytes: Vec<u8>) -> Result<Arc<Unit>, Box<Error>> {
    let unit = compile(name, path, bytes).map_err(Error::in_text)?;
    Ok(Arc::new(unit))
}

/// What is evaluated.
pub struct Job {
    pub program: Program,
    pub settings: Settings,
    /// What numbers are for native functions.
    pub numbers: Numbers,
    pub parsed: Option<Arc<Parsed>>,
    /// The exception of a callback or a signal's handler that ended it.
    pub failure: Mutex<Option<PyErr>>,
}

/// Why there is no value.
pub enum Failure {
    /// The program's error.
    Program(Box<Error>),
    /// The file cannot be read.
    Unread(String),
    /// A defect of ours.
    Panic,
}

impl From<Box<Error>> for Failure {
    fn from(error: Box<Error>) -> Self {
        Self::Program(error)
    }
}

impl Job {
    pub fn new(program: Program, settings: Settings, numbers: Numbers) -> Self {
        Self {
            program,
            settings,
            numbers,
            parsed: None,
            failure: Mutex::new(None),
        }
    }

    /// Keeps the exception that is about to end the evaluation.
    pub fn fail(&self, error: PyErr) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    /// Evaluates, and hands the value on to `finish`, all without Python's
    /// lock.
    pub fn run<T: Send>(
        self,
        py: Python<'_>,
        max_trace: usize,
        finish: impl FnOnce(&mut Vm, &Value) -> Result<T, Box<Error>> + Send,
    ) -> PyResult<T> {
        let job = Arc::new(self);
        let working = &job;
        let outcome = py.detach(move || {
            catch_unwind(AssertUnwindSafe(|| working.evaluate(finish)))
                .unwrap_or(Err(Failure::Panic))
        });
        outcome.map_err(|failure| {
            let mut cause = job.failure.lock().unwrap_or_else(PoisonError::into_inner);
            raise(py, failure, cause.take(), max_trace)
        })
    }

    fn evaluate<T>(
        self: &Arc<Self>,
        finish: impl FnOnce(&mut Vm, &Value) -> Result<T, Box<Error>>,
    ) -> Result<T, Failure> {
        let unit = self.unit()?;
        let mut vm = self.machine();
        let value = vm.evaluate_unit(unit, &self.settings.args)?;
        let finished = finish(&mut vm, &value);
        Ok(finished.map_err(|error| error.during("During manifestation"))?)
    }

    fn unit(&self) -> Result<Arc<Unit>, Failure> {
        let (name, path, text) = match &self.program {
            Program::Code { name, path, text } => (name, path, text.as_bytes().to_vec()),
            Program::File(path) => (path, path, contents(path)?),
        };
        Ok(match &self.parsed {
            Some(parsed) => parsed.text(name, path, text)?,
            None => lowered(name, path, text)?,
        })
    }

    fn machine(self: &Arc<Self>) -> Vm {
        let mut vm = Vm::new();
        let settings = &self.settings;
        vm.set_max_stack(settings.max_stack);
        if settings.max_steps.is_some() {
            vm.set_max_steps(settings.max_steps);
        }
        if let Some(bytes) = settings.max_memory {
            vm.set_max_memory(bytes);
        }
        if settings.callbacks.import.is_some() {
            vm.set_resolver(Box::new(Importer::new(Arc::clone(self))));
        } else if !settings.library.is_empty() {
            let library = settings.library.clone();
            vm.set_resolver(Box::new(Files { library }));
        }
        if let Some(parsed) = &self.parsed {
            vm.set_units(Arc::clone(&parsed.files));
        }
        for (name, given) in &settings.ext {
            vm.set_ext_var(name.as_str(), given.clone());
        }
        for (at, callback) in settings.callbacks.natives.iter().enumerate() {
            vm.set_native(callback.name.as_str(), native(self, at));
        }
        self.watch_signals(&mut vm);
        vm
    }

    /// Has the machine look for signals, such as the interrupt key's, if it
    /// runs in the thread that handles them.
    fn watch_signals(self: &Arc<Self>, vm: &mut Vm) {
        let job = Arc::clone(self);
        let mut due = Some(Instant::now() + PACE);
        vm.set_watch(Box::new(move || {
            if due.is_none_or(|due| Instant::now() < due) {
                return Ok(());
            }
            due = attached(|py| match look(py) {
                Ok(main) => Ok(main.then(|| Instant::now() + PACE)),
                Err(error) => {
                    job.fail(error);
                    Err(Error::new(ErrorKind::Interrupted, "interrupted".into()))
                }
            })?;
            Ok(())
        }));
    }
}

/// Runs the handlers of signals that have arrived; returns whether this is
/// the thread that does so.
fn look(py: Python<'_>) -> PyResult<bool> {
    py.check_signals()?;
    let threading = PyModule::import(py, "threading")?;
    let current = threading.call_method0("current_thread")?;
    Ok(current.is(threading.call_method0("main_thread")?))
}

fn contents(path: &str) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "no such file or directory".to_owned(),
            std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            std::io::ErrorKind::IsADirectory => {
                let reason = format!("read {path}: is a directory");
                return Failure::Unread(format!("Failed to read input file: {path}: {reason}"));
            }
            _ => error.to_string(),
        };
        Failure::Unread(format!(
            "Failed to read input file: {path}: open {path}: {reason}"
        ))
    })
}
