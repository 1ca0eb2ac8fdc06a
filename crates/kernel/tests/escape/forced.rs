//! The implementation that is asked for is the one that runs.

use std::process::Command;

use linecaster_kernel::dispatch::{self, ForceError, Implementation};

const VARIABLE: &str = "LINECASTER_FORCE";

/// Run by itself, or by [`each_in_its_own_process`], with the variable set.
#[test]
fn forced_implementation_runs() {
    let best = dispatch::available().last().expect("there is always one");
    match std::env::var(VARIABLE) {
        Ok(name) => {
            dispatch::force(&name).unwrap_or_else(|error| panic!("{VARIABLE}={name}: {error}"));
            assert_eq!(dispatch::current().name(), name);
        }
        Err(_) => assert_eq!(dispatch::current(), best),
    }
}

#[test]
fn each_in_its_own_process() {
    let program = std::env::current_exe().expect("this test");
    for one in Implementation::ALL {
        let mut command = Command::new(&program);
        command.args(["--exact", "forced::forced_implementation_runs"]);
        let output = command
            .env(VARIABLE, one.name())
            .output()
            .expect("it starts");
        if !one.is_available() {
            eprintln!("SKIPPED: this machine lacks {}", one.name());
        }
        assert_eq!(output.status.success(), one.is_available(), "{one:?}");
    }
    let mut command = Command::new(&program);
    command.args(["--exact", "forced::forced_implementation_runs"]);
    let output = command
        .env(VARIABLE, "no such")
        .output()
        .expect("it starts");
    assert!(!output.status.success());
}

#[test]
fn unknown_names_are_refused() {
    assert_eq!(dispatch::force("mmx"), Err(ForceError::Unknown));
    let message = ForceError::Unknown.to_string();
    assert!(message.ends_with("swar sse2 avx2 avx512") || message.ends_with("swar"));
}
