//! Values as text.
//!
//! - [`json`]: the main output and `std.toString`.

mod json;

pub(crate) use json::write_string;
pub use json::{to_json, to_string};

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
