//! JSON text to events.
//!
//! [`parse`] reads a document in the representation that it has (UTF-8 bytes,
//! or the ASCII, Latin-1, UCS-2 or UCS-4 units of a host's string) and calls a
//! [`Visit`] for every value, in order. Nothing is transcoded first, nothing
//! is built here: a host makes its values from the calls, and because the end
//! of an array or object says how many members it had, it can make containers
//! at their final size.
//!
//! * RFC 8259 to the letter by default; each leniency is an [`Options`] field.
//! * [`parse_value`] reads one value out of a longer text.
//! * No recursion: nesting is a vector, limited by [`Options::max_depth`].
//! * No read outside the text, which needs no padding.
//! * Positions of errors are computed when there is an error, not before.
//!
//! ```
//! use linecaster_decode::{Characters, Options, Scratch, Visit, parse};
//! use linecaster_kernel::text::Utf8;
//!
//! /// Adds up the integers of a document.
//! struct Sum(i64);
//!
//! impl Visit for Sum {
//!     type Error = core::convert::Infallible;
//!     fn integer(&mut self, value: i64) -> Result<(), Self::Error> {
//!         self.0 += value;
//!         Ok(())
//!     }
//! }
//!
//! let mut sum = Sum(0);
//! let mut scratch = Scratch::default();
//! parse::<Utf8, _>(br#"{"a": 1, "b": [2, 3]}"#, &Options::default(), &mut scratch, &mut sum)
//!     .unwrap();
//! assert_eq!(sum.0, 6);
//! ```

mod characters;
mod copy;
mod dispatch;
mod error;
mod extent;
mod number;
mod options;
mod parser;
mod run;
mod scan;
mod string;
mod unescape;
mod utf8;
mod visit;

pub use characters::{Characters, Kind};
pub use error::{Error, Reason, SyntaxError};
pub use extent::Extent;
pub use options::{Options, Surrogates};
pub use parser::{Scratch, parse, parse_value};
pub use scan::Scan;
pub use visit::Visit;
