//! Says for each file whether it is a program, and if not, why.
//!
//! `cargo run -p linecaster-jsonnet --example check -- FILE…`

use std::sync::Arc;

use linecaster_jsonnet::syntax::{Source, parse};

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let source = Arc::new(Source::from_bytes(path.as_str(), std::fs::read(&path)?));
        match parse(&source) {
            Ok(_) => println!("{path} ok"),
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}
