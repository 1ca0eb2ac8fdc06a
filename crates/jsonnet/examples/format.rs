//! Writes each file formatted, under a line with its name.
//!
//! `cargo run -p linecaster-jsonnet --example format -- [OPTION…] FILE…`, with
//! the options that `jsonnetfmt` has for its style.

use std::sync::Arc;

use linecaster_jsonnet::fmt::{CommentStyle, Options, StringStyle, format};
use linecaster_jsonnet::syntax::Source;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_default();
        match arg.as_str() {
            "--indent" => options.indent = value().parse()?,
            "--max-blank-lines" => options.max_blank_lines = value().parse()?,
            "--string-style" => {
                options.string_style = match value().as_str() {
                    "d" => StringStyle::Double,
                    "s" => StringStyle::Single,
                    _ => StringStyle::Leave,
                }
            }
            "--comment-style" => {
                options.comment_style = match value().as_str() {
                    "h" => CommentStyle::Hash,
                    "s" => CommentStyle::Slash,
                    _ => CommentStyle::Leave,
                }
            }
            "--no-pretty-field-names" => options.pretty_field_names = false,
            "--pad-arrays" => options.pad_arrays = true,
            "--no-pad-objects" => options.pad_objects = false,
            "--no-sort-imports" => options.sort_imports = false,
            "--no-use-implicit-plus" => options.use_implicit_plus = false,
            path => {
                let source = Arc::new(Source::from_bytes(path, std::fs::read(path)?));
                println!("==> {path}");
                match format(&source, &options) {
                    Ok(text) => print!("{text}"),
                    Err(error) => println!("{error}"),
                }
            }
        }
    }
    Ok(())
}
