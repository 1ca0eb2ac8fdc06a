//! The native module `linecaster_jsonnet._linecaster_jsonnet`.
//!
//! - `settings`: what a program is given,
//! - `run`: an evaluation, without Python's lock,
//! - `tape`: values on their way into Python,
//! - `convert`: objects on their way into the evaluator,
//! - `callbacks`: imports and native functions,
//! - `raise`: errors,
//! - `machine`: the class `VM`,
//! - `dropin`: the functions of the package `jsonnet`.
#![forbid(unsafe_code)]

mod callbacks;
mod convert;
mod dropin;
mod machine;
mod raise;
mod run;
mod settings;
mod tape;

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use machine::recorded;
use run::Job;
use settings::{Keywords, Program, Settings};
use tape::Numbers;

/// Places of a trace that the text of an error names.
const MAX_TRACE: usize = 20;

/// The value of a program as Python's objects.
fn objects(py: Python<'_>, job: Job) -> PyResult<Bound<'_, PyAny>> {
    let tape = job.run(py, MAX_TRACE, recorded)?;
    let mut values = tape.objects(py, Numbers::ByValue)?;
    // One value was visited.
    Ok(values.pop().unwrap_or_else(|| py.None().into_bound(py)))
}

/// Evaluate a program; return its value as Python objects.
#[pyfunction]
#[pyo3(signature = (
    code=None, *, path=None, ext_vars=None, ext_codes=None, tlas=None, tla_codes=None,
    jpath=None, import_callback=None, native_callbacks=None, max_stack=500, max_memory=None,
    max_steps=None
))]
#[allow(clippy::too_many_arguments)] // They are the keywords.
fn evaluate<'py>(
    py: Python<'py>,
    code: Option<String>,
    path: Option<PathBuf>,
    ext_vars: Option<&Bound<'_, PyDict>>,
    ext_codes: Option<&Bound<'_, PyDict>>,
    tlas: Option<&Bound<'_, PyDict>>,
    tla_codes: Option<&Bound<'_, PyDict>>,
    jpath: Option<&Bound<'_, PyAny>>,
    import_callback: Option<&Bound<'_, PyAny>>,
    native_callbacks: Option<&Bound<'_, PyDict>>,
    max_stack: u32,
    max_memory: Option<usize>,
    max_steps: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let keywords = Keywords {
        ext_vars,
        ext_codes,
        tlas,
        tla_codes,
        jpath,
        import_callback,
        native_callbacks,
    };
    let settings = Settings {
        max_stack,
        max_memory,
        max_steps,
        ..keywords.read()?
    };
    let program = Program::of(code, path)?;
    objects(py, Job::new(program, settings, Numbers::ByValue))
}

/// Evaluate a program; return its value as a document.
#[pyfunction]
#[pyo3(signature = (
    code=None, *, format="json", path=None, ext_vars=None, ext_codes=None, tlas=None,
    tla_codes=None, jpath=None, import_callback=None, native_callbacks=None, max_stack=500,
    max_memory=None, max_steps=None
))]
#[allow(clippy::too_many_arguments)] // They are the keywords.
fn manifest(
    py: Python<'_>,
    code: Option<String>,
    format: &str,
    path: Option<PathBuf>,
    ext_vars: Option<&Bound<'_, PyDict>>,
    ext_codes: Option<&Bound<'_, PyDict>>,
    tlas: Option<&Bound<'_, PyDict>>,
    tla_codes: Option<&Bound<'_, PyDict>>,
    jpath: Option<&Bound<'_, PyAny>>,
    import_callback: Option<&Bound<'_, PyAny>>,
    native_callbacks: Option<&Bound<'_, PyDict>>,
    max_stack: u32,
    max_memory: Option<usize>,
    max_steps: Option<u64>,
) -> PyResult<String> {
    let keywords = Keywords {
        ext_vars,
        ext_codes,
        tlas,
        tla_codes,
        jpath,
        import_callback,
        native_callbacks,
    };
    let settings = Settings {
        max_stack,
        max_memory,
        max_steps,
        ..keywords.read()?
    };
    let format = settings::format(format)?;
    let job = Job::new(Program::of(code, path)?, settings, Numbers::ByValue);
    job.run(py, MAX_TRACE, |vm, value| format.write(vm, value))
}

/// Run the command line with these arguments; return the exit status.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<String>) -> u8 {
    py.detach(|| linecaster_jsonnet::command::run(arguments))
}

#[pymodule(gil_used = true, name = "_linecaster_jsonnet")]
fn native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<machine::Machine>()?;
    module.add_function(wrap_pyfunction!(evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(manifest, module)?)?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(dropin::evaluate_file, module)?)?;
    module.add_function(wrap_pyfunction!(dropin::evaluate_snippet, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
