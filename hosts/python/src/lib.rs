//! The module `linecaster._linecaster`.

/// Linecaster's native module.
#[pyo3::pymodule(gil_used = true)]
mod _linecaster {}
