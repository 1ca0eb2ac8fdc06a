//! Programs for each construct, with the reference implementation's outcomes.

use crate::vm::Vm;

/// Programs behind `>>>`, each followed by its value on one line, or by its
/// error, and an empty line.
const CASES: &str = include_str!("cases.txt");

/// The value on one line, or the error with its trace.
fn outcome(code: &str) -> String {
    let mut vm = Vm::new();
    let value = vm.evaluate("p", "", code, &[]).and_then(|value| {
        let text = vm.to_str(&value);
        text.map_err(|error| error.during("During manifestation"))
    });
    match value {
        Ok(text) => text.as_str().to_owned(),
        Err(error) => {
            let text = error.render(0);
            let static_error = text.find("\n\n").unwrap_or(text.len());
            text[..static_error].trim_end().to_owned()
        }
    }
}

#[test]
fn outcomes_of_the_reference_implementation() {
    let mut count = 0;
    for case in CASES.split("\n\n").filter(|case| !case.is_empty()) {
        let case = case.trim_start_matches(">>> ");
        let (code, wanted) = case.split_once('\n').expect("a program and its outcome");
        assert_eq!(outcome(code), wanted, "{code}");
        count += 1;
    }
    assert!(count > 100, "{count} cases");
}

#[test]
fn depth_is_no_overflow() {
    let mut vm = Vm::new();
    vm.set_max_stack(200_000);
    let code = "local f(n) = if n == 0 then 0 else 1 + f(n - 1); f(100000)";
    let value = vm.evaluate("p", "", code, &[]).expect("deep");
    assert_eq!(vm.to_str(&value).expect("a number").as_str(), "100000");
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let code = format!("local a = {nested}, b = {nested}; a == b");
    let value = vm.evaluate("p", "", &code, &[]).expect("deep");
    assert_eq!(vm.to_str(&value).expect("a boolean").as_str(), "true");
}

#[test]
fn limits_end_an_evaluation() {
    let endless = "local f(n) = f(n + 1) tailstrict; f(0)";
    let mut vm = Vm::new();
    vm.set_max_steps(Some(100_000));
    let error = vm
        .evaluate("p", "", endless, &[])
        .map(|_| ())
        .expect_err("steps");
    assert_eq!(error.message(), "step limit exceeded");
    let mut vm = Vm::new();
    vm.interrupt()
        .store(true, std::sync::atomic::Ordering::Relaxed);
    let error = vm
        .evaluate("p", "", endless, &[])
        .map(|_| ())
        .expect_err("interrupted");
    assert_eq!(error.message(), "interrupted");
}
