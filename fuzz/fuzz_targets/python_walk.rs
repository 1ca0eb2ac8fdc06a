//! Python objects made of any bytes: what is written and read must be what
//! `json` writes and reads, under the implementation that the first byte names.
//!
//! The interpreter is embedded, so that libFuzzer sees which of the extension's
//! branches an input takes; what is done with an input stands in
//! `python_walk.py`.
#![no_main]

use std::sync::OnceLock;

use _linecaster::linecaster;
use libfuzzer_sys::fuzz_target;
use linecaster_kernel::dispatch;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// `python_walk.one`, in an interpreter that has the extension built in.
fn one() -> &'static Py<PyAny> {
    static ONE: OnceLock<Py<PyAny>> = OnceLock::new();
    ONE.get_or_init(|| {
        pyo3::append_to_inittab!(linecaster);
        Python::attach(|py| import(py).unwrap_or_else(|error| fail(py, &error)))
    })
}

fn import(py: Python<'_>) -> PyResult<Py<PyAny>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let sys = py.import("sys")?;
    for folder in ["../hosts/python", "../tests/python", "."] {
        let path = sys.getattr("path")?;
        path.call_method1("insert", (0, format!("{root}{folder}")))?;
    }
    // A module that is built in has no package: the package finds it here.
    let native = py.import("_linecaster")?;
    sys.getattr("modules")?
        .set_item("linecaster._linecaster", native)?;
    Ok(py.import("python_walk")?.getattr("one")?.unbind())
}

/// Shows Python's traceback and ends the run.
fn fail(py: Python<'_>, error: &PyErr) -> ! {
    error.print(py);
    panic!("Python raised {error}");
}

fuzz_target!(|bytes: &[u8]| {
    let one = one();
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let implementations: Vec<_> = dispatch::available().collect();
    let implementation = implementations[usize::from(*first) % implementations.len()];
    dispatch::force(implementation.name()).expect("it is available");
    Python::attach(|py| {
        if let Err(error) = one.call1(py, (PyBytes::new(py, rest),)) {
            fail(py, &error);
        }
    });
});
