//! The bits of `option`.

use crate::encode::options::Options;

pub const INDENT_2: u32 = 1;
pub const NAIVE_UTC: u32 = 1 << 1;
pub const NON_STR_KEYS: u32 = 1 << 2;
pub const OMIT_MICROSECONDS: u32 = 1 << 3;
pub const SERIALIZE_NUMPY: u32 = 1 << 4;
pub const SORT_KEYS: u32 = 1 << 5;
pub const STRICT_INTEGER: u32 = 1 << 6;
pub const UTC_Z: u32 = 1 << 7;
pub const PASSTHROUGH_SUBCLASS: u32 = 1 << 8;
pub const PASSTHROUGH_DATETIME: u32 = 1 << 9;
pub const APPEND_NEWLINE: u32 = 1 << 10;
pub const PASSTHROUGH_DATACLASS: u32 = 1 << 11;

/// All of them.
pub const ALL: u32 = (1 << 12) - 1;

/// The module's constants. Those of 0 once switched on what is always done.
pub const CONSTANTS: [(&str, u32); 14] = [
    ("OPT_APPEND_NEWLINE", APPEND_NEWLINE),
    ("OPT_INDENT_2", INDENT_2),
    ("OPT_NAIVE_UTC", NAIVE_UTC),
    ("OPT_NON_STR_KEYS", NON_STR_KEYS),
    ("OPT_OMIT_MICROSECONDS", OMIT_MICROSECONDS),
    ("OPT_PASSTHROUGH_DATACLASS", PASSTHROUGH_DATACLASS),
    ("OPT_PASSTHROUGH_DATETIME", PASSTHROUGH_DATETIME),
    ("OPT_PASSTHROUGH_SUBCLASS", PASSTHROUGH_SUBCLASS),
    ("OPT_SERIALIZE_DATACLASS", 0),
    ("OPT_SERIALIZE_NUMPY", SERIALIZE_NUMPY),
    ("OPT_SERIALIZE_UUID", 0),
    ("OPT_SORT_KEYS", SORT_KEYS),
    ("OPT_STRICT_INTEGER", STRICT_INTEGER),
    ("OPT_UTC_Z", UTC_Z),
];

/// How deep lists and dicts may be nested.
pub const MAX_DEPTH: usize = 254;

/// What a call without options means.
pub static DEFAULT: Options = of(0);

/// What these bits ask of the walk.
pub const fn of(flags: u32) -> Options {
    let mut options = Options::DEFAULT;
    // Keys that are not strings are converted before members are written.
    options.sort_keys = flags & (SORT_KEYS | NON_STR_KEYS) != 0;
    options.naive_utc = flags & NAIVE_UTC != 0;
    options.utc_z = flags & UTC_Z != 0;
    options.omit_microseconds = flags & OMIT_MICROSECONDS != 0;
    options.max_depth = MAX_DEPTH;
    options.flags = flags;
    options
}
