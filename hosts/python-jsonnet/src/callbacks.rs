//! Functions of Python's that programs call: imports and natives.
//!
//! Each takes Python's lock for as long as it runs. Their exceptions end the
//! evaluation and are kept in the [`Job`], to be the cause of its error.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use linecaster_jsonnet::import::Resolver;
use linecaster_jsonnet::manifest;
use linecaster_jsonnet::value::Value;
use linecaster_jsonnet::{Error, Native, Vm};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::convert::value_of;
use crate::run::Job;
use crate::tape::Tape;

/// Runs `work` with Python's lock, and with room on the native stack for what
/// Python code takes there: the evaluator may have used up most of it.
pub fn attached<T>(work: impl FnOnce(Python<'_>) -> T) -> T {
    const ROOM: usize = 2 << 20;
    stacker::maybe_grow(ROOM, 4 * ROOM, || Python::attach(work))
}

/// An exception's text.
fn words(py: Python<'_>, error: &PyErr) -> String {
    match error.value(py).str() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => "an exception".into(),
    }
}

/// Finds imports by `import_callback(folder, name) -> (path, content)`.
pub struct Importer {
    job: Arc<Job>,
    found: HashMap<(String, String), String>,
    contents: HashMap<String, Vec<u8>>,
}

impl Importer {
    pub fn new(job: Arc<Job>) -> Self {
        Self {
            job,
            found: HashMap::new(),
            contents: HashMap::new(),
        }
    }

    fn ask(&self, folder: &str, path: &str) -> Result<(String, Vec<u8>), String> {
        attached(|py| {
            let Some(function) = &self.job.settings.callbacks.import else {
                return Err("there is no import callback".into());
            };
            match function.bind(py).call1((folder, path)) {
                Ok(answer) => content(&answer),
                Err(error) => {
                    let words = words(py, &error);
                    self.job.fail(error);
                    Err(words)
                }
            }
        })
    }
}

fn content(answer: &Bound<'_, PyAny>) -> Result<(String, Vec<u8>), String> {
    const WRONG: &str = "import_callback did not return (string, bytes). Since 0.19.0 imports \
                         should be returned as bytes instead of as a string.  You may want to \
                         call .encode() on your string.";
    let Ok(pair) = answer.cast::<PyTuple>() else {
        return Err("import_callback did not return a tuple".into());
    };
    let (Ok(path), Ok(bytes)) = (pair.get_item(0), pair.get_item(1)) else {
        return Err(WRONG.into());
    };
    match (path.cast::<PyString>(), bytes.cast::<PyBytes>()) {
        (Ok(path), Ok(bytes)) if pair.len() == 2 => {
            let path = path.to_string_lossy().into_owned();
            Ok((path, bytes.as_bytes().to_vec()))
        }
        _ => Err(WRONG.into()),
    }
}

impl Resolver for Importer {
    fn resolve(&mut self, from: &str, path: &str) -> Result<String, String> {
        let folder = from.rfind('/').map_or("", |at| &from[..=at]);
        let key = (folder.to_owned(), path.to_owned());
        if let Some(found) = self.found.get(&key) {
            return Ok(found.clone());
        }
        let (found, bytes) = self
            .ask(folder, path)
            .map_err(|why| format!("couldn't open import \"{path}\": {why}"))?;
        self.contents.entry(found.clone()).or_insert(bytes);
        self.found.insert(key, found.clone());
        Ok(found)
    }

    fn read(&mut self, found: &str) -> Result<Vec<u8>, String> {
        match self.contents.get(found) {
            Some(bytes) => Ok(bytes.clone()),
            None => Err(format!("couldn't open import \"{found}\"")),
        }
    }
}

/// The native function of that number.
pub fn native(job: &Arc<Job>, at: usize) -> Native {
    let params = job.settings.callbacks.natives[at].params.clone();
    let job = Arc::clone(job);
    let run = move |vm: &mut Vm, args: &[Value]| call(&job, at, vm, args);
    Native {
        params,
        run: Rc::new(run),
    }
}

fn call(job: &Job, at: usize, vm: &mut Vm, args: &[Value]) -> Result<Value, Box<Error>> {
    let mut tape = Tape::default();
    for arg in args {
        manifest::visit(vm, arg, &mut tape)?;
    }
    attached(|py| {
        let function = job.settings.callbacks.natives[at].function.bind(py);
        let called = tape
            .objects(py, job.numbers)
            .and_then(|args| PyTuple::new(py, args))
            .and_then(|args| function.call1(args))
            .and_then(|answer| value_of(vm, &answer));
        called.map_err(|error| {
            let words = words(py, &error);
            job.fail(error);
            Error::runtime(words)
        })
    })
}
