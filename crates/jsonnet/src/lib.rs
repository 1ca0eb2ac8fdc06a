//! The Jsonnet language.
#![forbid(unsafe_code)]

pub mod syntax;
pub mod value;
