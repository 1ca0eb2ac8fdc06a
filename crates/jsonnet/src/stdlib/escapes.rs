//! Text as literals of other languages.

use linecaster_formats::text::between;
use linecaster_kernel::output::Utf8;
use linecaster_kernel::policy::{Bash, Dollars, JsonControls, Policy, Word, Xml};

use super::args::{Outcome, text};
use super::table::{Builtin, Param, ready, required};
use crate::error::Error;
use crate::eval::Vm;
use crate::manifest::{chars, written};
use crate::value::{Str, Value};

const STR: &[Param] = &[required("str_")];
const QUOTE: Word = Word::new(b"\"");
const APOSTROPHE: Word = Word::new(b"'");

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("escapeStringBash", STR, |vm, args| {
        escaped::<Bash>(vm, &args[0], APOSTROPHE)
    }),
    ready("escapeStringDollars", STR, |vm, args| {
        escaped::<Dollars>(vm, &args[0], Word::EMPTY)
    }),
    ready("escapeStringJson", STR, |vm, args| {
        escaped::<JsonControls>(vm, &args[0], QUOTE)
    }),
    ready("escapeStringPython", &[required("str")], |vm, args| {
        escaped::<JsonControls>(vm, &args[0], QUOTE)
    }),
    ready("escapeStringXML", STR, |vm, args| {
        escaped::<Xml>(vm, &args[0], Word::EMPTY)
    }),
];

fn escaped<P: Policy>(vm: &mut Vm, value: &Value, quote: Word) -> Outcome {
    let plain = vm.to_str(value)?;
    let escaped = quoted::<P>(&plain, quote)?;
    Ok(text(vm, &escaped))
}

fn quoted<P: Policy>(plain: &Str, quote: Word) -> Result<String, Box<Error>> {
    written(|sink| {
        between::<P, Utf8>(sink, quote, chars(plain), quote)
            .map_err(|_| Error::runtime("the string has a lone surrogate"))
    })
}

/// A JSON string, with U+007F to U+009F escaped as well.
pub fn json(plain: &Str) -> Result<String, Box<Error>> {
    quoted::<JsonControls>(plain, QUOTE)
}
