//! YAML, streamed: block style, two spaces a level.
//!
//! One [`YamlEmitter`] writes the structure; a [`Style`] says how strings and
//! keys are written and the few things in which layouts differ. [`Jsonnet`] is
//! `std.manifestYamlDoc` to the byte; [`Plain`] is YAML as people write it.

mod emitter;
mod jsonnet;
mod plain;
mod scalar;

pub use emitter::YamlEmitter;
pub use jsonnet::{Jsonnet, is_bare};
pub use plain::Plain;
pub use scalar::{Form, form};

use linecaster_kernel::escape::LoneSurrogate;
use linecaster_kernel::output::Output;
use linecaster_kernel::sink::Sink;
use linecaster_kernel::text::Text;

/// How a layout writes scalars.
pub trait Style: Copy {
    /// An array that is an array's item begins on a line of its own (`-` alone
    /// before it) instead of behind the dash (`- - 1`).
    const NESTED_LINE: bool;

    /// Whether an array that is a member's value is indented.
    fn indents_arrays(&self) -> bool;

    /// Writes a string whose lines, if it has any, are indented by `indent`.
    ///
    /// # Errors
    /// [`LoneSurrogate`] when the output cannot hold one.
    fn string<T: Text, O: Output>(
        &self,
        sink: &mut Sink,
        text: &[T::Unit],
        indent: usize,
    ) -> Result<(), LoneSurrogate>;

    /// Writes a key that stands at `indent`, and its colon.
    ///
    /// # Errors
    /// As [`Style::string`].
    fn key<T: Text, O: Output>(
        &self,
        sink: &mut Sink,
        text: &[T::Unit],
        indent: usize,
    ) -> Result<(), LoneSurrogate>;

    /// Writes a float.
    fn float<O: Output>(&self, sink: &mut Sink, value: f64);
}
