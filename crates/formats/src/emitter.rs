//! What every format's token writer offers.

use linecaster_kernel::escape::LoneSurrogate;
use linecaster_kernel::text::Text;

/// Takes a tree as a series of tokens, in document order.
///
/// The caller balances `begin_*` with `end_*` and writes a [`Emitter::key`]
/// before each member of an object.
pub trait Emitter {
    /// The null value.
    fn null(&mut self);
    /// A truth value.
    fn bool(&mut self, value: bool);
    /// A signed integer.
    fn int(&mut self, value: i64);
    /// An unsigned integer.
    fn uint(&mut self, value: u64);
    /// A finite float. What a format makes of the others is the host's
    /// choice: [`Emitter::null`] or [`Emitter::number_text`].
    fn float(&mut self, value: f64);
    /// A number that is already text, or a word that stands for one, in
    /// ASCII.
    fn number_text(&mut self, text: &[u8]);
    /// A string.
    ///
    /// # Errors
    /// [`LoneSurrogate`] when the output cannot hold one.
    fn string<T: Text>(&mut self, text: &[T::Unit]) -> Result<(), LoneSurrogate>;
    /// A value that is already text in this format and the output's encoding.
    fn raw(&mut self, text: &[u8]);
    /// An array follows.
    fn begin_array(&mut self);
    /// The array ends.
    fn end_array(&mut self);
    /// An object follows.
    fn begin_object(&mut self);
    /// The key of the value that follows.
    ///
    /// # Errors
    /// As [`Emitter::string`].
    fn key<T: Text>(&mut self, text: &[T::Unit]) -> Result<(), LoneSurrogate>;
    /// The object ends.
    fn end_object(&mut self);
}
