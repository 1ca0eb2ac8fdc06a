//! `linecaster jsonnet`: the command line.
//!
//! Here and not in a host, because two hosts have it: the native binary and
//! the Python package.

mod args;
mod evaluate;
mod files;
mod output;
mod usage;

use std::io::Write;

pub use args::{Config, Misuse, Request};

/// Runs the command with its arguments (without the program's name), and
/// returns the status to exit with: 0, or 1 for an error, which is then on
/// standard error.
pub fn run(args: impl IntoIterator<Item = String>) -> u8 {
    let outcome = match args::read(args, &|name| std::env::var_os(name)) {
        Ok(Request::Help) => print(&usage::text()),
        Ok(Request::Version) => print(&usage::version()),
        Ok(Request::Evaluate(config)) => evaluate::run(&config),
        Err(misuse) => {
            let usage = if misuse.usage {
                format!("\n\n{}", usage::text())
            } else {
                String::new()
            };
            Err(format!("ERROR: {}{usage}", misuse.message))
        }
    };
    match outcome {
        Ok(()) => 0,
        Err(message) => {
            // Nothing is left to do when there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "{}", message.trim_end_matches('\n'));
            1
        }
    }
}

fn print(text: &str) -> Result<(), String> {
    std::io::stdout()
        .write_all(text.as_bytes())
        .map_err(|error| error.to_string())
}
