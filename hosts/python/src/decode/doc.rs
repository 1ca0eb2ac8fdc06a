//! Docstrings, with signatures in the form that `inspect` reads.

use core::ffi::CStr;

macro_rules! options {
    () => {
        "object_hook=None, object_pairs_hook=None, parse_float=None, parse_int=None, \
         max_depth=1024, strict=True, allow_nan=False, surrogates='pass'"
    };
}

macro_rules! what_options_mean {
    () => {
        "
object_hook: called with each dict; its result takes the dict's place.
object_pairs_hook: as object_hook, but called with a list of (key, value)
    pairs; goes before it.
parse_float, parse_int: called with the text of each float, each int.
max_depth: how deep arrays and objects may be nested.
strict: refuse raw control characters in strings.
allow_nan: take NaN, Infinity and -Infinity, and floats too large.
surrogates: 'pass' keeps lone surrogates that are escaped, 'strict' refuses
    them."
    };
}

macro_rules! doc {
    ($($text:expr),* $(,)?) => {
        match CStr::from_bytes_with_nul(concat!($($text,)* "\0").as_bytes()) {
            Ok(doc) => doc,
            Err(_) => panic!("a docstring holds no NUL"),
        }
    };
}

/// Of `linecaster.loads`.
pub const LOADS: &CStr = doc!(
    "loads($module, text, /, *, ",
    options!(),
    ")\n--\n\nMake Python objects of a JSON document.\n
text: str, or bytes, bytearray or memoryview holding UTF-8.",
    what_options_mean!(),
    "\n
Raise DecodeError, a json.JSONDecodeError, for text that is not JSON. Of
members with the same name the last one counts.",
);

/// Of `linecaster.load`.
pub const LOAD: &CStr = doc!(
    "load($module, fp, /, *, ",
    options!(),
    ")\n--\n\nMake Python objects of the JSON document that fp.read() returns.\n
The document may be str or bytes. Options are those of loads.",
);

/// Of `linecaster.decode_lines`.
pub const LINES: &CStr = doc!(
    "decode_lines($module, source, /, *, errors='raise', chunk_size=65536, ",
    options!(),
    ")\n--\n\nIterate over the values of JSON text with one on each line (NDJSON).\n
source: a path (os.PathLike), a file of bytes or text, a socket, an iterable of
    chunks of bytes or str, cut anywhere; or the text itself.
errors: what becomes of lines that are not JSON: 'raise' a DecodeError (the
    iterator goes on with the next line), 'skip', or a callable that is called
    with the DecodeError.
chunk_size: how much is asked of a file at once.",
    what_options_mean!(),
    "\n
Blank lines are passed over. Memory is bounded by a chunk and a line. The
DecodeError has the line as doc, pos in it, and lineno, colno and offset (in
characters) in all of the text.",
);

/// Of `linecaster.iter_items`.
pub const ITEMS: &CStr = doc!(
    "iter_items($module, source, /, path, *, chunk_size=65536, ",
    options!(),
    ")\n--\n\nIterate over the values at a path of a JSON document of any size.\n
source: as for decode_lines.
path: 'results.item' for each item of the array that is the member 'results',
    'item' for each item of the document, '' for the document itself; or
    '$.results[*]', '$[*]', '$'. Documents may follow one another.
chunk_size: how much is asked of a file at once.",
    what_options_mean!(),
    "\n
Memory is bounded by a chunk and a value. What the path does not lead to is
passed over, and only looked at for its strings and brackets. The DecodeError
has the value as doc, pos in it, and lineno, colno and offset (in characters)
in all of the text.",
);

/// Of `linecaster.Decoder`.
pub const DECODER: &CStr = doc!(
    "Decoder(*, ",
    options!(),
    ")\n--\n\nA reusable decoder: its options are worked out once.\n
It can be pickled and copied, used by threads at the same time, and subclassed.\n",
    what_options_mean!(),
);

/// Of its methods.
pub const DECODER_LOADS: &CStr =
    c"loads($self, text, /)\n--\n\nMake Python objects of a JSON document.";
pub const DECODER_LOAD: &CStr =
    c"load($self, fp, /)\n--\n\nMake Python objects of the JSON document that fp.read() returns.";
pub const DECODER_LINES: &CStr =
    c"decode_lines($self, source, /, *, errors='raise', chunk_size=65536)\n--\n
Iterate over the values of JSON text with one on each line.";
pub const DECODER_ITEMS: &CStr = c"iter_items($self, source, /, path, *, chunk_size=65536)\n--\n
Iterate over the values at a path of a JSON document of any size.";
