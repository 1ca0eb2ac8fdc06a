//! Every combination of text, policy and output that has a meaning, with the
//! types taken away.

use alloc::vec::Vec;

use super::oracle;
use crate::dispatch::{self, Implementation};
use crate::escape::{LoneSurrogate, escape_between, run};
use crate::output::{self, Output};
use crate::plain;
use crate::policy::{self, NonAscii, Policy, Word};
use crate::sink::Sink;
use crate::text::{self, Encoding, Text, Unit};

/// Text as units of some width.
#[derive(Clone, Copy, Debug)]
pub enum Units<'a> {
    /// ASCII, UTF-8 or Latin-1.
    One(&'a [u8]),
    /// UCS-2.
    Two(&'a [u16]),
    /// UCS-4.
    Four(&'a [u32]),
}

impl Units<'_> {
    fn slice<U: Unit>(&self) -> &[U] {
        let (width, ptr, len) = match *self {
            Units::One(units) => (1, units.as_ptr().cast::<U>(), units.len()),
            Units::Two(units) => (2, units.as_ptr().cast(), units.len()),
            Units::Four(units) => (4, units.as_ptr().cast(), units.len()),
        };
        assert_eq!(width, U::WIDTH);
        // SAFETY: the width tells which of the three types `U` is.
        unsafe { core::slice::from_raw_parts(ptr, len) }
    }
}

/// Which way through the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// [`escape_between`], inline path and dispatch included.
    Whole,
    /// One implementation, from the first unit.
    By(Implementation),
    /// One implementation as an inner loop calls it, where there is plenty of
    /// room and the lead ends in a quotation mark; else as [`Path::By`].
    Inner(Implementation),
}

impl Path {
    /// All that this machine can run.
    pub fn available() -> impl Iterator<Item = Path> {
        [Path::Whole]
            .into_iter()
            .chain(dispatch::available().map(Path::By))
            .chain(dispatch::available().map(Path::Inner))
    }
}

/// One text, one policy, one output.
#[derive(Clone, Copy, Debug)]
pub struct Combination {
    /// The policy's name.
    pub policy: &'static str,
    /// The text's encoding.
    pub text: Encoding,
    /// The output's name.
    pub output: &'static str,
    /// Bytes in an output unit.
    pub width: usize,
    /// Whether the output is UTF-8.
    pub utf8: bool,
    /// What must come out, lead and trail included.
    pub oracle: fn(Word, &Units<'_>, Word) -> Result<Vec<u8>, LoneSurrogate>,
    /// What comes out. Panics when the machine lacks the path's
    /// implementation.
    pub run: fn(Path, &mut Sink, Word, &Units<'_>, Word) -> Result<(), LoneSurrogate>,
    /// How many bytes are plenty of room for [`Path::Inner`], the lead but for
    /// its quotation mark apart.
    pub plenty: fn(&Units<'_>) -> usize,
}

/// Every policy with every text in UTF-8, and every output under the policies
/// with the fewest and the most candidates, ASCII only and not. `inline`, so
/// that only programs that call it compile the hundred loops.
#[inline]
pub fn combinations() -> Vec<Combination> {
    let mut all = Vec::new();
    every_output::<policy::Json>(&mut all, "json");
    every_text::<policy::JsonSlash, output::Utf8>(&mut all, "json-slash", "utf8");
    every_text::<policy::JsonHtml, output::Utf8>(&mut all, "json-html", "utf8");
    every_output::<policy::JsonHtmlSlash>(&mut all, "json-html-slash");
    every_text::<policy::JsonAscii, output::Utf8>(&mut all, "json-ascii", "utf8");
    every_text::<policy::JsonAsciiSlash, output::Utf8>(&mut all, "json-ascii-slash", "utf8");
    every_text::<policy::JsonHtmlAscii, output::Utf8>(&mut all, "json-html-ascii", "utf8");
    every_output::<policy::JsonHtmlAsciiSlash>(&mut all, "json-html-ascii-slash");
    every_output::<policy::JsonAsciiPython>(&mut all, "json-ascii-python");
    every_text::<policy::JsonDel, output::Utf8>(&mut all, "json-del", "utf8");
    every_text::<policy::JsonControls, output::Utf8>(&mut all, "json-controls", "utf8");
    every_text::<policy::JsonGo, output::Utf8>(&mut all, "json-go", "utf8");
    every_text::<policy::YamlDouble, output::Utf8>(&mut all, "yaml-double", "utf8");
    every_text::<policy::Xml, output::Utf8>(&mut all, "xml", "utf8");
    every_text::<policy::Bash, output::Utf8>(&mut all, "bash", "utf8");
    every_text::<policy::Dollars, output::Utf8>(&mut all, "dollars", "utf8");
    every_output::<policy::Verbatim>(&mut all, "verbatim");
    every_text::<policy::SingleQuoted, output::Utf8>(&mut all, "single-quoted", "utf8");
    all
}

fn every_output<P: Policy>(all: &mut Vec<Combination>, policy: &'static str) {
    every_text::<P, output::Utf8>(all, policy, "utf8");
    every_text::<P, output::Units1>(all, policy, "units1");
    every_text::<P, output::Units2>(all, policy, "units2");
    every_text::<P, output::Units4>(all, policy, "units4");
    // Only texts that can hold a surrogate tell it from UTF-8.
    if P::RULES.non_ascii == NonAscii::Keep {
        push::<text::Ucs2, P, output::Utf8SurrogatePass>(all, policy, "utf8-surrogatepass");
        push::<text::Ucs4, P, output::Utf8SurrogatePass>(all, policy, "utf8-surrogatepass");
    }
}

fn every_text<P: Policy, O: Output>(
    all: &mut Vec<Combination>,
    policy: &'static str,
    name: &'static str,
) {
    push::<text::Ascii, P, O>(all, policy, name);
    push::<text::Latin1, P, O>(all, policy, name);
    push::<text::Utf8, P, O>(all, policy, name);
    push::<text::Ucs2, P, O>(all, policy, name);
    push::<text::Ucs4, P, O>(all, policy, name);
}

fn push<T: Text, P: Policy, O: Output>(
    all: &mut Vec<Combination>,
    policy: &'static str,
    output: &'static str,
) {
    let fits = match T::ENCODING {
        Encoding::Utf8 => O::UTF8,
        _ => O::UTF8 || T::Unit::WIDTH <= O::Unit::WIDTH,
    };
    if fits || P::RULES.non_ascii == NonAscii::EscapeU16 {
        all.push(Combination {
            policy,
            text: T::ENCODING,
            output,
            width: O::Unit::WIDTH,
            utf8: O::UTF8,
            oracle: |lead, text, trail| oracle::<T, P, O>(lead, text.slice(), trail),
            run: run::<T, P, O>,
            plenty: |text| run::plenty::<T, P, O>(text.slice()),
        });
    }
}

fn run<T: Text, P: Policy, O: Output>(
    path: Path,
    sink: &mut Sink,
    lead: Word,
    text: &Units<'_>,
    trail: Word,
) -> Result<(), LoneSurrogate> {
    // The loop of an implementation knows ranges in UTF-8 alone.
    let by_runs =
        !P::RULES.ranges.is_empty() && !matches!(T::ENCODING, Encoding::Ascii | Encoding::Utf8);
    let path = if by_runs { Path::Whole } else { path };
    let (mut lead, one) = match path {
        Path::Whole => return escape_between::<T, P, O>(sink, lead, text.slice(), trail),
        Path::By(one) | Path::Inner(one) => (lead, one),
    };
    assert!(one.is_available());
    let bytes = lead.bits().to_le_bytes();
    if let Path::Inner(_) = path
        && let Some((b'"', before)) = bytes[..lead.len()].split_last()
    {
        plain::word::<O>(sink, Word::new(before));
        lead = Word::new(b"\"");
        let start = sink.tail();
        let end = start.wrapping_add(sink.room());
        // SAFETY: it is available, and this is the room.
        unsafe {
            let behind = dispatch::between::<T, P, O>(one, text.slice(), trail, start, end);
            if !behind.is_null() {
                sink.advance(behind as usize - start as usize);
                return Ok(());
            }
        }
    }
    plain::word::<O>(sink, lead);
    // SAFETY: it is available.
    unsafe { run::escape::<T, P, O>(one, sink, text.slice())? };
    plain::word::<O>(sink, trail);
    Ok(())
}
