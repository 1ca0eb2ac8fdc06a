//! The command `linecaster`: one subcommand for each door.
#![forbid(unsafe_code)]

use std::process::ExitCode;

const USAGE: &str = "\
linecaster <command> {<argument>}

  jsonnet   evaluate Jsonnet programs (linecaster jsonnet --help)

The Python package has more commands: python -m linecaster --help.
";

fn main() -> ExitCode {
    let mut args = std::env::args_os()
        .skip(1)
        .map(|arg| arg.to_string_lossy().into_owned());
    match args.next().as_deref() {
        Some("jsonnet") => ExitCode::from(linecaster_jsonnet::command::run(args)),
        Some("-h" | "--help") => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        Some("--version") => {
            println!("linecaster {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        Some(other) => {
            eprintln!("linecaster: no command {other}\n\n{USAGE}");
            ExitCode::from(2)
        }
        None => {
            eprint!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
