//! JSON (RFC 8259).

mod emitter;
mod layout;
mod quick;

pub use emitter::{JsonEmitter, Mark, State};
pub use layout::Layout;
pub use quick::{After, Quick};

use linecaster_kernel::number::FloatSpelling;
use linecaster_kernel::policy::Policy;

/// How strings and floats are spelled: the parts of JSON that its writers
/// differ in, apart from the [`Layout`].
pub trait Dialect: Copy + 'static {
    /// Which characters are escaped.
    type Policy: Policy;
    /// How a float's digits are laid out.
    type Floats: FloatSpelling;
}
