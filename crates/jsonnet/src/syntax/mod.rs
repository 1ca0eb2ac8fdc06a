//! From text to syntax tree.
//!
//! - [`source`]: a file's text, positions and locations,
//! - [`ast`]: the tree.

pub mod ast;
pub mod source;
