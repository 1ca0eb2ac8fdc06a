//! Values as text.

/// A string as Go's `%#v` spells it.
pub(crate) fn go_quoted(text: &str) -> String {
    format!("{text:?}")
}
