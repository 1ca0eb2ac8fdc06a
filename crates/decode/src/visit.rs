//! The receiver of a document's values.

use crate::characters::Characters;

/// What [`crate::parse`] calls, in the order of the document. Every method
/// does nothing unless it is overridden; the first error ends the parse.
///
/// Members of an array come between [`Visit::begin_array`] and
/// [`Visit::end_array`]; members of an object as a [`Visit::key`] and then a
/// value each.
pub trait Visit {
    /// Why the receiver gives up.
    type Error;

    /// `null`.
    #[inline(always)]
    fn null(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// `true` or `false`.
    #[inline(always)]
    fn boolean(&mut self, value: bool) -> Result<(), Self::Error> {
        let _ = value;
        Ok(())
    }

    /// An integer.
    #[inline(always)]
    fn integer(&mut self, value: i64) -> Result<(), Self::Error> {
        let _ = value;
        Ok(())
    }

    /// Members of an array that are integers and follow one another: those
    /// that `run` gives until it ends. How many there were.
    ///
    /// For visitors that are faster at many than at one at a time.
    #[inline(always)]
    fn integers(&mut self, run: &mut impl Iterator<Item = i64>) -> Result<usize, Self::Error> {
        let mut members = 0;
        for value in run {
            self.integer(value)?;
            members += 1;
        }
        Ok(members)
    }

    /// An integer above `i64::MAX`.
    #[inline(always)]
    fn unsigned(&mut self, value: u64) -> Result<(), Self::Error> {
        let _ = value;
        Ok(())
    }

    /// An integer as it is written, `-?[0-9]+` in ASCII: one that needs more
    /// than 64 bits, or any with [`crate::Options::integers_as_text`].
    #[inline(always)]
    fn integer_text(&mut self, text: &[u8]) -> Result<(), Self::Error> {
        let _ = text;
        Ok(())
    }

    /// A number with a fraction or an exponent, correctly rounded; or NaN or
    /// an infinity if [`crate::Options::allow_nan`] is set.
    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<(), Self::Error> {
        let _ = value;
        Ok(())
    }

    /// `NaN`, `Infinity` or `-Infinity`, as spelled by these words; only with
    /// [`crate::Options::allow_nan`].
    #[inline(always)]
    fn not_finite(&mut self, value: f64) -> Result<(), Self::Error> {
        self.float(value)
    }

    /// A number with a fraction or an exponent as it is written, in ASCII;
    /// only with [`crate::Options::floats_as_text`].
    #[inline(always)]
    fn float_text(&mut self, text: &[u8]) -> Result<(), Self::Error> {
        let _ = text;
        Ok(())
    }

    /// A string.
    #[inline(always)]
    fn string(&mut self, characters: Characters<'_>) -> Result<(), Self::Error> {
        let _ = characters;
        Ok(())
    }

    /// The name of the member whose value comes next.
    #[inline(always)]
    fn key(&mut self, characters: Characters<'_>) -> Result<(), Self::Error> {
        let _ = characters;
        Ok(())
    }

    /// `[`
    #[inline(always)]
    fn begin_array(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// `]`, after this many members.
    #[inline(always)]
    fn end_array(&mut self, members: usize) -> Result<(), Self::Error> {
        let _ = members;
        Ok(())
    }

    /// `{`
    #[inline(always)]
    fn begin_object(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// `}`, after this many members (a repeated key counts each time).
    #[inline(always)]
    fn end_object(&mut self, members: usize) -> Result<(), Self::Error> {
        let _ = members;
        Ok(())
    }
}
