//! Refuses interpreters whose string layout is not known to `src/ffi/str.rs`.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
