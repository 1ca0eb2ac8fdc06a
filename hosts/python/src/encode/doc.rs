//! Docstrings, with signatures in the form that `inspect` reads.

use core::ffi::CStr;

macro_rules! options {
    () => {
        concat!(", *, ", option_list!())
    };
}

macro_rules! option_list {
    () => {
        "default=None, ensure_ascii=False, indent=None, separators=None, sort_keys=False, \
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
    ")\n--\n\nEncode obj as JSON text and write it to the file fp.\n
fp is a file of text or of bytes, or a path (os.PathLike). The text is written
in pieces of about 64 KiB as it is made, so that memory stays bounded; nothing
is written when obj cannot be encoded and that shows within the first piece.",
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

/// Of `linecaster.iterencode`.
pub const ITERENCODE_DOC: &CStr = doc!(
    "iterencode($module, obj, /, *, chunk_size=65536, ",
    option_list!(),
    ")\n--\n\nEncode obj as JSON text, an iterator over chunks of bytes.\n
The chunks have about chunk_size bytes and are made as they are asked for:
memory is bounded by a chunk and the longest string in obj, and generators
(iterables=True) are consumed as the text is. obj must not change meanwhile.",
    what_options_mean!(),
);

/// Of `linecaster.encode_lines`.
pub const ENCODE_LINES_DOC: &CStr = doc!(
    "encode_lines($module, iterable, /, fp=None",
    options!(),
    ")\n--\n\nEncode each item as a line of JSON text (NDJSON, JSON Lines).\n
Without fp return all lines as bytes. fp is a file of text or of bytes, a
socket or a path (os.PathLike): the lines are written as they are made, in
pieces of about 64 KiB, and their number is returned. When an item cannot be
encoded the lines before it are written, and nothing of that one.",
    what_options_mean!(),
);

/// Of `linecaster.iterencode_lines`.
pub const ITERENCODE_LINES_DOC: &CStr = doc!(
    "iterencode_lines($module, iterable, /, *, chunk_size=65536, ",
    option_list!(),
    ")\n--\n\nAs encode_lines, an iterator over chunks of bytes.\n
Each chunk holds whole lines, and ends when it has chunk_size bytes or more:
with chunk_size=1 each line is a chunk.",
    what_options_mean!(),
);

/// Of `linecaster.Encoder`.
pub const ENCODER: &CStr = doc!(
    "Encoder(*, ",
    option_list!(),
    ")\n--\n\nA reusable encoder: its options are worked out once.\n
It can be pickled and copied, used by threads at the same time, and subclassed;
a method default(self, obj) of a subclass takes the place of the option.",
    what_options_mean!(),
);

/// Of its methods.
pub const ENCODER_ENCODE: &CStr =
    c"encode($self, obj, /)\n--\n\nEncode obj as JSON text, UTF-8 bytes.";
pub const ENCODER_DUMPS: &CStr = c"dumps($self, obj, /)\n--\n\nEncode obj as JSON text, a str.";
pub const ENCODER_ENCODE_INTO: &CStr = c"encode_into($self, obj, buffer, offset=0)\n--\n
Encode obj as JSON text into a bytearray, from offset on.";
pub const ENCODER_DUMP: &CStr = c"dump($self, obj, fp)\n--\n
Encode obj as JSON text and write it to the file fp.";
pub const ENCODER_ITERENCODE: &CStr = c"iterencode($self, obj, /, *, chunk_size=65536)\n--\n
Encode obj as JSON text, an iterator over chunks of bytes.";
pub const ENCODER_ENCODE_LINES: &CStr = c"encode_lines($self, iterable, /, fp=None)\n--\n
Encode each item as a line of JSON text.";
pub const ENCODER_ITERENCODE_LINES: &CStr =
    c"iterencode_lines($self, iterable, /, *, chunk_size=65536)\n--\n
Encode each item as a line of JSON text, an iterator over chunks of bytes.";
