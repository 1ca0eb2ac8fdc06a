//! TOML 1.0: tables, arrays of tables, everything else inline.
//!
//! A table's own values stand before its tables, so this format looks ahead
//! and walks a [`Tree`] itself. A [`Style`] says how scalars are written and
//! where lines end: [`Jsonnet`] is `std.manifestTomlEx` to the byte, [`Plain`]
//! is TOML as people write it.

mod document;
mod inline;
mod jsonnet;
mod plain;

pub use document::write;
pub use jsonnet::Jsonnet;
pub use plain::Plain;

use linecaster_kernel::escape::LoneSurrogate;
use linecaster_kernel::output::Output;
use linecaster_kernel::sink::Sink;

use crate::tree::Chars;

/// How a layout writes scalars, and the few things in which layouts differ.
pub trait Style: Copy {
    /// Lines are ended, not parted: every line of the document ends in a line
    /// feed, one empty line stands before a header, and tables that have
    /// nothing but tables in them get no header.
    const ENDED_LINES: bool;

    /// An array that is a member's value has a line for each item.
    const ARRAY_LINES: bool;

    /// What stands inside of an inline array's brackets.
    const PADDING: &'static [u8];

    /// What is repeated before the lines of a table, once per level, in the
    /// output's encoding.
    fn indent(&self) -> &[u8];

    /// Writes a key.
    ///
    /// # Errors
    /// [`LoneSurrogate`] when the output cannot hold one.
    fn key<O: Output>(&self, sink: &mut Sink, key: Chars<'_>) -> Result<(), LoneSurrogate>;

    /// Writes a string, which is a member's value or stands `inside` of one.
    ///
    /// # Errors
    /// As [`Style::key`].
    fn string<O: Output>(
        &self,
        sink: &mut Sink,
        text: Chars<'_>,
        inside: bool,
    ) -> Result<(), LoneSurrogate>;

    /// Writes a float.
    fn float<O: Output>(&self, sink: &mut Sink, value: f64);
}
