//! Values as text.
//!
//! - [`tree`]: values as the formats see them;
//! - [`text`]: the main output and what the standard library writes.

mod text;
mod tree;

pub(crate) use text::written;
pub use text::{
    ini, json_ex, json_minified, python, python_vars, to_json, to_string, toml_ex, xml, yaml_doc,
};
pub(crate) use tree::chars;

/// A string as Go's `%#v` spells it.
pub(crate) fn go_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\u{b}' => out.push_str("\\v"),
            control if control.is_ascii_control() => {
                out.push_str(&format!("\\x{:02x}", u32::from(control)));
            }
            control if control.is_control() => {
                out.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
