//! What a document may contain beyond RFC 8259, and how numbers are handed
//! over.

/// What becomes of surrogates that have no partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surrogates {
    /// Kept from `\udXXX` escapes and from UCS-2 and UCS-4 text; an error in
    /// UTF-8 bytes, which cannot hold them when well formed.
    Keep,
    /// As [`Surrogates::Keep`], and their three-byte sequences in UTF-8 bytes
    /// are taken too (Python's `surrogatepass`).
    KeepRaw,
    /// An error wherever they come from.
    Reject,
}

/// How [`crate::parse`] reads. The default is RFC 8259.
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent switches, set by name"
)]
pub struct Options {
    /// How deep arrays and objects may be nested. 1024 by default.
    pub max_depth: usize,
    /// Take `NaN`, `Infinity` and `-Infinity`, and numbers too large for an
    /// `f64` as infinities.
    pub allow_nan: bool,
    /// Take integers and integer parts that begin with zeros, as `007`.
    pub leading_zeros: bool,
    /// Take numbers whose digits are missing: a minus sign alone as the integer
    /// 0, and a point without digits before it (behind a minus sign) or behind
    /// it, as `-.5` and `1.`.
    pub missing_digits: bool,
    /// Take characters below U+0020 in strings as they are.
    pub raw_control: bool,
    /// Refuse U+0000 even so, as readers of text that ends with a NUL do.
    pub refuse_nul: bool,
    /// What becomes of lone surrogates.
    pub surrogates: Surrogates,
    /// Hand over integers that need more than 64 bits as floats.
    pub big_integers_as_floats: bool,
    /// Hand over every integer by [`crate::Visit::integer_text`].
    pub integers_as_text: bool,
    /// Hand over every float by [`crate::Visit::float_text`].
    pub floats_as_text: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_depth: 1024,
            allow_nan: false,
            leading_zeros: false,
            missing_digits: false,
            raw_control: false,
            refuse_nul: false,
            surrogates: Surrogates::Keep,
            big_integers_as_floats: false,
            integers_as_text: false,
            floats_as_text: false,
        }
    }
}
