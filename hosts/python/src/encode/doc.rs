//! Docstrings, with signatures in the form that `inspect` reads.

use core::ffi::CStr;

macro_rules! options {
    () => {
        ", *, default=None, ensure_ascii=False, indent=None, separators=None, sort_keys=False, \
         skip_keys=False, allow_nan='raise', non_str_keys=False, big_int='exact', \
         decimal='number', surrogates=None, max_depth=1024, iterables=False, naive_utc=False, \
         utc_z=False, omit_microseconds=False, passthrough=None"
    };
}

macro_rules! what_options_mean {
    () => {
        "\n
Options:
  default: called with a value that JSON has no type for; what it returns is
      encoded in its place.
  ensure_ascii: spell all characters above U+007E as \\\\uXXXX.
  indent: an int (spaces) or a str for each level, every item on a line.
  separators: (between items, between key and value).
  sort_keys: members in the order of their keys.
  skip_keys: leave out members whose key is not a str.
  allow_nan: 'raise' or False; 'keep' or True for NaN, Infinity and -Infinity;
      'null'.
  non_str_keys: write int, float, bool, None, datetime, UUID and Enum keys as
      strings.
  big_int: integers beyond 64 bits: 'exact', 'string' or 'raise'.
  decimal: Decimal as a 'number' or a 'string', in either case exact.
  surrogates: lone surrogates 'pass' or are refused ('strict').
  max_depth: how deep arrays and objects may be nested.
  iterables: write sets, generators and other iterables as arrays.
  naive_utc: a datetime without time zone is in UTC.
  utc_z: Z instead of +00:00.
  omit_microseconds: leave out fractions of seconds.
  passthrough: names of types that go to default, such as ('datetime', 'uuid'), or 'all'.

Raises EncodeError, a TypeError, for a value that cannot be encoded; its
attribute path tells where it is, such as $.items[3].when. Exceptions of
callbacks come through as they are."
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

/// Of `linecaster.dumps`.
pub const DUMPS_DOC: &CStr = doc!(
    "dumps($module, obj, /",
    options!(),
    ")\n--\n\nEncode obj as JSON text, a str (RFC 8259).\n
Encodes dict, list, tuple, str, int, float, bool, None, their subclasses,
dataclasses, attrs classes, Pydantic models, Enum, datetime, date, time,
timedelta, UUID, Decimal, paths and mappings. Lone surrogates pass unless
surrogates='strict'.",
    what_options_mean!(),
);

/// Of `linecaster.encode`.
pub const ENCODE_DOC: &CStr = doc!(
    "encode($module, obj, /",
    options!(),
    ")\n--\n\nEncode obj as JSON text, UTF-8 bytes (RFC 8259).\n
As dumps, but lone surrogates are refused unless surrogates='pass', which
keeps them as three bytes.",
    what_options_mean!(),
);

/// Of `linecaster.dump`.
pub const DUMP_DOC: &CStr = doc!(
    "dump($module, obj, fp",
    options!(),
    ")\n--\n\nEncode obj as JSON text and write it to the text file fp.\n
The text is written by one call of fp.write(str), after all of it is made:
nothing is written when obj cannot be encoded.",
    what_options_mean!(),
);

/// Of `linecaster.encode_into`.
pub const ENCODE_INTO_DOC: &CStr = doc!(
    "encode_into($module, obj, buffer, offset=0",
    options!(),
    ")\n--\n\nEncode obj as JSON text into a bytearray, from offset on.\n
The buffer ends behind the text afterwards, whatever its size was; an offset
of -1 appends to it. It is left alone when obj cannot be encoded.",
    what_options_mean!(),
);
