//! From text to syntax tree.
//!
//! - [`source`]: a file's text, positions and locations,
//! - [`token`], [`lexer`]: text to tokens,
//! - [`ast`]: the tree,
//! - [`parser`]: tokens to the tree, [`parse`] is the door,
//! - [`error`]: what is wrong with a text, in the reference implementation's
//!   words.

pub mod ast;
pub mod error;
pub mod lexer;
mod names;
pub mod parser;
mod scan;
pub mod source;
pub mod token;

pub use error::StaticError;
pub use parser::{parse, parse_with_tokens};
pub use source::{Source, Span};
