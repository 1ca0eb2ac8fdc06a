//! The Linecaster kernel: characters in memory to escaped text.
//!
//! * [`text`]: the representation that the input has (ASCII, UTF-8, Latin-1,
//!   UCS-2, UCS-4); it is read as it lies, never transcoded first.
//! * [`policy`]: which characters are escaped and how each is spelled, as
//!   compile-time data.
//! * [`output`]: what the result is made of: UTF-8, or code units of 1, 2 or
//!   4 bytes.
//! * [`sink`]: where it goes: one concrete buffer that makes room by growing
//!   or by flushing.
//! * [`escape`]: the one loop: find the next candidate, bulk-copy the run
//!   before it, spell it, go on.
//! * [`clean`]: how far text has no candidate.
//! * [`dispatch`]: which compiled form of the loop runs.
//! * [`number`]: integers and floats to text.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod arch;
pub mod clean;
pub mod cursor;
pub mod dispatch;
pub mod escape;
pub mod number;
pub mod output;
pub mod plain;
pub mod policy;
pub mod sink;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
mod vector;
