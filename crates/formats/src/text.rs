//! Strings on their own: copied, or escaped by a policy, with nothing around
//! them but what the caller says.
//!
//! Jsonnet's functions of this kind are [`between`] with these policies and,
//! on both sides, these words: `escapeStringJson` and `escapeStringPython`
//! [`JsonControls`](linecaster_kernel::policy::JsonControls) and `"`;
//! `escapeStringBash` [`Bash`](linecaster_kernel::policy::Bash) and `'`;
//! `escapeStringDollars` [`Dollars`](linecaster_kernel::policy::Dollars) and
//! `escapeStringXML` [`Xml`](linecaster_kernel::policy::Xml) and nothing.

use linecaster_kernel::escape::{self, LoneSurrogate};
use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::{Policy, Verbatim, Word};
use linecaster_kernel::sink::Sink;
use linecaster_kernel::text::{Text, Unit};

use crate::tree::{Chars, with_text};

/// Writes the characters as they are.
///
/// # Errors
/// [`LoneSurrogate`] when the output cannot hold one.
pub fn verbatim<O: Output>(sink: &mut Sink, chars: Chars<'_>) -> Result<(), LoneSurrogate> {
    between::<Verbatim, O>(sink, Word::EMPTY, chars, Word::EMPTY)
}

/// Writes the characters escaped, between two words.
///
/// # Errors
/// As [`verbatim`].
pub fn between<P: Policy, O: Output>(
    sink: &mut Sink,
    lead: Word,
    chars: Chars<'_>,
    trail: Word,
) -> Result<(), LoneSurrogate> {
    with_text!(chars, T, units => escape::escape_between::<T, P, O>(sink, lead, units, trail))
}

/// Writes each line behind a line feed and so many spaces as `indent` says for
/// one of its length.
///
/// # Errors
/// As [`verbatim`].
pub(crate) fn lines<T: Text, P: Policy, O: Output>(
    sink: &mut Sink,
    text: &[T::Unit],
    indent: impl Fn(usize) -> usize,
) -> Result<(), LoneSurrogate> {
    let mut read = 0;
    loop {
        let rest = &text[read..];
        let len = find_line(rest).unwrap_or(rest.len());
        plain::line::<O>(sink, Word::EMPTY, b' ', indent(len));
        escape::escape_between::<T, P, O>(sink, Word::EMPTY, &rest[..len], Word::EMPTY).map_err(
            |LoneSurrogate { index }| LoneSurrogate {
                index: read + index,
            },
        )?;
        if len == rest.len() {
            return Ok(());
        }
        read += len + 1;
    }
}

/// Units that are looked at together, without a branch: the compiler makes
/// vectors of them.
pub(crate) const STEP: usize = 16;

/// Where the first line feed stands.
pub(crate) fn find_line<U: Unit>(text: &[U]) -> Option<usize> {
    let feed = U::truncate(u32::from(b'\n'));
    let mut at = 0;
    for step in text.chunks_exact(STEP) {
        let found = step
            .iter()
            .fold(0, |found, &unit| found | u8::from(unit == feed));
        if found != 0 {
            break;
        }
        at += STEP;
    }
    let rest = text[at..].iter().position(|&unit| unit == feed);
    rest.map(|k| at + k)
}
