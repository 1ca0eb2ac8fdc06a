//! Evaluates a program and writes its value as JSON: `eval -e code`, or
//! `eval file`, with `--max-stack n` before them.

use std::io::Write;
use std::process::ExitCode;

use linecaster_jsonnet::{Vm, manifest};

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1).peekable();
    let mut vm = Vm::new();
    if args.next_if(|arg| arg == "--max-stack").is_some() {
        let limit = args.next().and_then(|limit| limit.parse().ok());
        vm.set_max_stack(limit.unwrap_or(500));
    }
    let outcome = match (args.next().as_deref(), args.next()) {
        (Some("-e"), Some(code)) => vm.evaluate("<cmdline>", "", &code, &[]),
        (Some(path), None) => vm.evaluate_file(path, &[]),
        _ => {
            eprintln!("usage: eval [--max-stack n] (-e code | file)");
            return ExitCode::from(2);
        }
    };
    let text = outcome.and_then(|value| {
        let text = manifest::to_json(&mut vm, &value);
        text.map_err(|error| error.during("During manifestation"))
    });
    match text {
        Ok(mut text) => {
            text.push('\n');
            match std::io::stdout().write_all(text.as_bytes()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(_) => ExitCode::FAILURE,
            }
        }
        Err(error) => {
            eprintln!("{}", error.render(20));
            ExitCode::FAILURE
        }
    }
}
