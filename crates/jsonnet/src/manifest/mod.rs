//! Values as text.
//!
//! - [`tree`]: values as the formats see them;
//! - [`text`]: the main output and what the standard library writes;
//! - [`format`]: formats by name;
//! - [`walk`]: values part by part, for hosts.

mod format;
mod text;
mod tree;
mod walk;

pub use format::Format;
pub use walk::{Visit, visit};

pub(crate) use text::written;
pub use text::{
    ini_document, json_ex, json_minified, python, python_vars, to_json, to_string, toml_ex, xml,
    yaml_doc,
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
                push_hex(&mut out, "\\x", u32::from(control), 2);
            }
            control if control.is_control() => {
                push_hex(&mut out, "\\u", u32::from(control), 4);
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

fn push_hex(out: &mut String, lead: &str, code: u32, digits: u32) {
    out.push_str(lead);
    out.extend(
        (0..digits)
            .rev()
            .filter_map(|at| char::from_digit(code >> (4 * at) & 15, 16)),
    );
}
