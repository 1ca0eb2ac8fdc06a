//! The class `VM`: settings and lowered files, kept for many evaluations.

use std::path::PathBuf;
use std::sync::Arc;

use linecaster_jsonnet::manifest;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::run::{Job, Parsed};
use crate::settings::{Keywords, Program, Settings, format};
use crate::tape::{Numbers, Tape};
use crate::{MAX_TRACE, objects};

/// Evaluates programs with the same variables, callbacks and limits; what it
/// has parsed it keeps. Any thread may use it, several at a time.
#[pyclass(module = "linecaster_jsonnet", name = "VM")]
pub struct Machine {
    settings: Settings,
    parsed: Arc<Parsed>,
}

impl Machine {
    fn job(
        &self,
        code: Option<String>,
        path: Option<PathBuf>,
        keywords: &Keywords<'_, '_>,
    ) -> PyResult<Job> {
        let settings = self.settings.with(&keywords.read()?);
        let mut job = Job::new(Program::of(code, path)?, settings, Numbers::ByValue);
        job.parsed = Some(Arc::clone(&self.parsed));
        Ok(job)
    }
}

#[pymethods]
impl Machine {
    #[new]
    #[pyo3(signature = (
        *, ext_vars=None, ext_codes=None, tlas=None, tla_codes=None, jpath=None,
        import_callback=None, native_callbacks=None, max_stack=500, max_memory=None,
        max_steps=None
    ))]
    #[allow(clippy::too_many_arguments)] // They are the keywords.
    fn new(
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
    ) -> PyResult<Self> {
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
        let parsed = Arc::default();
        Ok(Self { settings, parsed })
    }

    /// Evaluate a program; return its value as Python objects.
    #[pyo3(signature = (
        code=None, *, path=None, ext_vars=None, ext_codes=None, tlas=None, tla_codes=None
    ))]
    #[allow(clippy::too_many_arguments)] // They are the keywords.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        code: Option<String>,
        path: Option<PathBuf>,
        ext_vars: Option<&Bound<'_, PyDict>>,
        ext_codes: Option<&Bound<'_, PyDict>>,
        tlas: Option<&Bound<'_, PyDict>>,
        tla_codes: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let keywords = Keywords {
            ext_vars,
            ext_codes,
            tlas,
            tla_codes,
            ..Keywords::default()
        };
        objects(py, self.job(code, path, &keywords)?)
    }

    /// Evaluate a program; return its value as a document.
    #[pyo3(signature = (
        code=None, *, path=None, format="json", ext_vars=None, ext_codes=None, tlas=None,
        tla_codes=None
    ))]
    #[allow(clippy::too_many_arguments)] // They are the keywords.
    fn manifest(
        &self,
        py: Python<'_>,
        code: Option<String>,
        path: Option<PathBuf>,
        format: &str,
        ext_vars: Option<&Bound<'_, PyDict>>,
        ext_codes: Option<&Bound<'_, PyDict>>,
        tlas: Option<&Bound<'_, PyDict>>,
        tla_codes: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let keywords = Keywords {
            ext_vars,
            ext_codes,
            tlas,
            tla_codes,
            ..Keywords::default()
        };
        let format = self::format(format)?;
        let job = self.job(code, path, &keywords)?;
        job.run(py, MAX_TRACE, |vm, value| format.write(vm, value))
    }

    /// Forget what was parsed: files may have changed.
    fn clear(&self) {
        self.parsed.clear();
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let callbacks = &self.settings.callbacks;
        visit.call(&callbacks.import)?;
        for callback in &callbacks.natives {
            visit.call(&callback.function)?;
        }
        Ok(())
    }

    fn __clear__(&mut self) {
        self.settings.callbacks = Arc::default();
    }
}

/// Shows the value to a tape.
pub fn recorded(
    vm: &mut linecaster_jsonnet::Vm,
    value: &linecaster_jsonnet::value::Value,
) -> Result<Tape, Box<linecaster_jsonnet::Error>> {
    let mut tape = Tape::default();
    manifest::visit(vm, value, &mut tape)?;
    Ok(tape)
}
