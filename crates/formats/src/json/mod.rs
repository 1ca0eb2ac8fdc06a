//! JSON (RFC 8259).

mod emitter;
mod jsonnet;
mod layout;
mod quick;

pub use emitter::{JsonEmitter, Mark, State};
pub use jsonnet::{JsonnetManifest, JsonnetOutput};
pub use layout::Layout;
pub use quick::{After, Quick};

use linecaster_kernel::number::FloatSpelling;
use linecaster_kernel::policy::{Policy, Word};

/// How strings and floats are spelled: the parts of JSON that its writers
/// differ in, apart from the [`Layout`].
pub trait Dialect: Copy + 'static {
    /// Which characters are escaped.
    type Policy: Policy;
    /// How a float's digits are laid out.
    type Floats: FloatSpelling;
    /// Whether [`Dialect::Floats`] says so.
    const NUMBERS: Numbers = Numbers::Styled;
    /// What stands in a container that has nothing in it.
    const EMPTY: Empty = Empty::Nothing;
    /// The null value.
    const NULL: Word = Word::new(b"null");
    /// The true value.
    const TRUE: Word = Word::new(b"true");
    /// The false value.
    const FALSE: Word = Word::new(b"false");
}

/// How floats are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// By [`Dialect::Floats`].
    Styled,
    /// By [`FloatBuffer::general`](linecaster_kernel::number::jsonnet::FloatBuffer::general).
    General,
    /// By [`FloatBuffer::positional`](linecaster_kernel::number::jsonnet::FloatBuffer::positional).
    Positional,
}

/// What stands between the brackets of an empty container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// Nothing: `[]`.
    Nothing,
    /// A space: `[ ]`.
    Space,
    /// With indentation: an empty line.
    Line,
}
