//! The kernel's speed, row by row, against `memcpy` of the output in the same
//! run.
//!
//! Each row first holds its output against the scalar oracle, then takes the
//! minimum of many repeats, by turns with `memcpy`, under every
//! implementation that the machine has. A row's goal is for AVX2.
//!
//! `linecaster-bench-kernel [--only SUBSTRING] [RESULTS.json]`

mod report;
mod rows;
mod timing;
mod workload;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut only = String::new();
    let mut path = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--only" {
            only = arguments.next().unwrap_or_default();
        } else {
            path = Some(argument);
        }
    }
    let results = rows::run(&only);
    report::print(&results);
    let Some(path) = path else {
        return ExitCode::SUCCESS;
    };
    match std::fs::write(&path, report::json(&results)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}
