//! One string of the document.

use linecaster_kernel::text::{Encoding, Text};

use crate::characters::Characters;
use crate::dispatch::Machine;
use crate::error::Reason;
use crate::options::{Options, Surrogates};
use crate::scan::{self, Scan};
use crate::unescape::{self, Unescaped};

/// Reads the string whose characters begin at `start`, behind its quotation
/// mark: the characters, and the index behind its end.
#[inline(always)]
pub fn string<'a, T: Text<Unit: Scan>, M: Machine>(
    text: &'a [T::Unit],
    start: usize,
    options: &Options,
    unescaped: &'a mut Unescaped,
    machine: M,
) -> Result<(Characters<'a>, usize), (Reason, usize)> {
    let stretch = scan::stretch(text, start, machine);
    if text
        .get(stretch.end)
        .is_none_or(|unit| unit.ascii() != b'"')
    {
        let end = unescape::unescape::<T>(text, start, stretch, options, unescaped)?;
        return Ok((unescaped.characters(), end));
    }
    if options.surrogates == Surrogates::Reject {
        unescape::refuse_surrogates::<T>(text, start, stretch)?;
    }
    let len = stretch.end - start;
    if T::ENCODING == Encoding::Utf8
        && stretch.bits >= 0x80
        && let Some(bytes) = T::Unit::bytes(&text[start..])
        && let Some(characters) = unescaped.triples(bytes, len, machine)
    {
        return Ok((characters, stretch.end + 1));
    }
    let pass = options.surrogates == Surrogates::KeepRaw;
    match Characters::of_text::<T>(&text[start..], len, stretch.bits, pass) {
        Ok(characters) => Ok((characters, stretch.end + 1)),
        Err(offset) => Err((Reason::Utf8, start + offset)),
    }
}
