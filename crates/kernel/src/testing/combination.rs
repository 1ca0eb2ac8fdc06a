//! Every combination of text, policy and output that has a meaning, with the
//! types taken away.

use alloc::vec::Vec;

use super::oracle;
use crate::dispatch::{self, Implementation};
use crate::escape::{self, LoneSurrogate, escape_between};
use crate::output::{self, Output};
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
}

impl Path {
    /// All that this machine can run.
    pub fn available() -> impl Iterator<Item = Path> {
        [Path::Whole]
            .into_iter()
            .chain(dispatch::available().map(Path::By))
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
}

/// All of them. `inline`, so that only programs that call it compile them.
#[inline]
pub fn combinations() -> Vec<Combination> {
    let mut all = Vec::new();
    policy::<policy::Json>(&mut all, "json");
    policy::<policy::JsonSlash>(&mut all, "json-slash");
    policy::<policy::JsonHtml>(&mut all, "json-html");
    policy::<policy::JsonHtmlSlash>(&mut all, "json-html-slash");
    policy::<policy::JsonAscii>(&mut all, "json-ascii");
    policy::<policy::JsonAsciiSlash>(&mut all, "json-ascii-slash");
    policy::<policy::JsonHtmlAscii>(&mut all, "json-html-ascii");
    policy::<policy::JsonHtmlAsciiSlash>(&mut all, "json-html-ascii-slash");
    policy::<policy::JsonAsciiPython>(&mut all, "json-ascii-python");
    all
}

fn policy<P: Policy>(all: &mut Vec<Combination>, name: &'static str) {
    output::<P, output::Utf8>(all, name, "utf8");
    output::<P, output::Utf8SurrogatePass>(all, name, "utf8-surrogatepass");
    output::<P, output::Units1>(all, name, "units1");
    output::<P, output::Units2>(all, name, "units2");
    output::<P, output::Units4>(all, name, "units4");
}

fn output<P: Policy, O: Output>(
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
    let Path::By(one) = path else {
        return escape_between::<T, P, O>(sink, lead, text.slice(), trail);
    };
    assert!(one.is_available());
    escape::word::<O>(sink, lead);
    // SAFETY: it is available.
    unsafe { dispatch::escape_by::<T, P, O>(one, sink, text.slice())? };
    escape::word::<O>(sink, trail);
    Ok(())
}
