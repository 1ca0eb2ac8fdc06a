//! Refuses interpreters whose object layouts are not known to `src/ffi`.
//!
//! `PyO3` has checks of its own, with variables that switch them off, and lets
//! the next, unreleased version through. This extension reads strings and
//! integers by their layout in memory, which each version may change: here
//! nothing can be switched off, and a layout is never guessed.

use pyo3_build_config::{InterpreterConfig, PythonImplementation};

/// The newest minor version of Python 3 whose layouts were compared with `src/ffi`.
const NEWEST: u8 = 15;
/// The oldest minor version that is supported.
const OLDEST: u8 = 10;

/// Says why the extension cannot be built for this interpreter, if it cannot.
fn refusal(config: &InterpreterConfig) -> Option<String> {
    let abi = config.target_abi();
    let version = config.version();
    let supported = format!("CPython 3.{OLDEST} to 3.{NEWEST} are supported");
    if abi.implementation() != PythonImplementation::CPython {
        return Some(format!(
            "{} {version} lays out its objects in its own way; {supported}.",
            abi.implementation()
        ));
    }
    if (version.major, version.minor) < (3, OLDEST) {
        return Some(format!("Python {version} is too old; {supported}."));
    }
    if (version.major, version.minor) > (3, NEWEST) {
        return Some(format!(
            "Python {version} is newer than any that this version of Linecaster knows; {supported}.\n\
             How a newer Python lays out its strings is never guessed, and no variable skips this \
             check.\n\
             Use a supported Python, or a newer Linecaster. To add a version: compare its headers \
             with src/ffi, run the tests, then raise NEWEST in hosts/python/build.rs."
        ));
    }
    if abi.kind().is_free_threaded() {
        return Some(format!(
            "the free-threaded build of Python {version} has other object layouts and no lock \
             around them; {supported}, in the ordinary build with the GIL."
        ));
    }
    None
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Some(reason) = refusal(pyo3_build_config::get()) {
        eprintln!("error: linecaster cannot be built for this Python.\n{reason}");
        std::process::exit(1);
    }
    pyo3_build_config::use_pyo3_cfgs();
}
