//! `evaluate_file` and `evaluate_snippet`, with the signatures of the package
//! `jsonnet`.

use std::path::PathBuf;

use linecaster_jsonnet::manifest::Format;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::run::Job;
use crate::settings::{Keywords, Program, Settings};
use crate::tape::Numbers;

fn text(
    py: Python<'_>,
    program: Program,
    keywords: &Keywords<'_, '_>,
    max_stack: u32,
    max_trace: usize,
) -> PyResult<String> {
    let settings = Settings {
        max_stack,
        ..keywords.read()?
    };
    let job = Job::new(program, settings, Numbers::Floats);
    job.run(py, max_trace, |vm, value| Format::Json.write(vm, value))
}

/// Interpret the given Jsonnet file.
#[pyfunction]
#[pyo3(signature = (
    filename, jpathdir=None, max_stack=500, gc_min_objects=1000, gc_growth_trigger=2.0,
    ext_vars=None, ext_codes=None, tla_vars=None, tla_codes=None, max_trace=20,
    import_callback=None, native_callbacks=None
))]
#[allow(clippy::too_many_arguments)] // They are those of the original.
pub fn evaluate_file(
    py: Python<'_>,
    filename: PathBuf,
    jpathdir: Option<&Bound<'_, PyAny>>,
    max_stack: u32,
    gc_min_objects: u32,
    gc_growth_trigger: f64,
    ext_vars: Option<&Bound<'_, PyDict>>,
    ext_codes: Option<&Bound<'_, PyDict>>,
    tla_vars: Option<&Bound<'_, PyDict>>,
    tla_codes: Option<&Bound<'_, PyDict>>,
    max_trace: u32,
    import_callback: Option<&Bound<'_, PyAny>>,
    native_callbacks: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    // The collector tunes itself.
    let _ = (gc_min_objects, gc_growth_trigger);
    let keywords = Keywords {
        ext_vars,
        ext_codes,
        tlas: tla_vars,
        tla_codes,
        jpath: jpathdir,
        import_callback,
        native_callbacks,
    };
    let program = Program::of(None, Some(filename))?;
    text(py, program, &keywords, max_stack, max_trace as usize)
}

/// Interpret the given Jsonnet code.
#[pyfunction]
#[pyo3(signature = (
    filename, src, jpathdir=None, max_stack=500, gc_min_objects=1000, gc_growth_trigger=2.0,
    ext_vars=None, ext_codes=None, tla_vars=None, tla_codes=None, max_trace=20,
    import_callback=None, native_callbacks=None
))]
#[allow(clippy::too_many_arguments)] // They are those of the original.
pub fn evaluate_snippet(
    py: Python<'_>,
    filename: String,
    src: String,
    jpathdir: Option<&Bound<'_, PyAny>>,
    max_stack: u32,
    gc_min_objects: u32,
    gc_growth_trigger: f64,
    ext_vars: Option<&Bound<'_, PyDict>>,
    ext_codes: Option<&Bound<'_, PyDict>>,
    tla_vars: Option<&Bound<'_, PyDict>>,
    tla_codes: Option<&Bound<'_, PyDict>>,
    max_trace: u32,
    import_callback: Option<&Bound<'_, PyAny>>,
    native_callbacks: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    // The collector tunes itself.
    let _ = (gc_min_objects, gc_growth_trigger);
    let keywords = Keywords {
        ext_vars,
        ext_codes,
        tlas: tla_vars,
        tla_codes,
        jpath: jpathdir,
        import_callback,
        native_callbacks,
    };
    let program = Program::Code {
        name: filename.clone(),
        path: filename,
        text: src,
    };
    text(py, program, &keywords, max_stack, max_trace as usize)
}
