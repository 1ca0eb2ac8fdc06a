//! Emitters: a format's token writer over the kernel.
//!
//! A host walks its own values and pushes tokens; the emitter owns
//! separators, indentation and quoting, so that no host can produce broken
//! output. Nothing here returns a `Result` per token: a sink's failure is
//! sticky (see `linecaster_kernel::sink`), and the one error that depends on
//! the data is a lone surrogate in a string.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod emitter;
pub mod ini;
pub mod json;
pub mod python;
pub mod text;
pub mod toml;
pub mod tree;
pub mod xml;
pub mod yaml;

pub use emitter::Emitter;
pub use tree::Tree;
