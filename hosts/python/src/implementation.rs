//! Which compiled form of the kernel's loop runs, as the module's users see it.
//!
//! `LINECASTER_FORCE` chooses one when the module is imported; tests run under
//! each. A name that is unknown, or that this machine cannot run, is an error:
//! a test that asks for one must not pass under another.

use linecaster_kernel::dispatch::{self, Implementation};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Names the SIMD implementations that this machine can run, the best last.
#[pyfunction]
fn implementations(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(
        py,
        dispatch::available()
            .map(Implementation::name)
            .collect::<Vec<_>>(),
    )
}

/// Names the SIMD implementation that runs.
#[pyfunction]
fn implementation() -> &'static str {
    dispatch::current().name()
}

/// Obeys `LINECASTER_FORCE`, and adds the functions to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    if let Some(name) = std::env::var_os("LINECASTER_FORCE").filter(|name| !name.is_empty()) {
        let name = name.to_string_lossy();
        dispatch::force(&name)
            .map_err(|error| PyImportError::new_err(format!("LINECASTER_FORCE={name}: {error}")))?;
    }
    module.add_function(wrap_pyfunction!(implementations, module)?)?;
    module.add_function(wrap_pyfunction!(implementation, module)?)
}
