//! The Jsonnet language.
#![forbid(unsafe_code)]

pub mod command;
pub mod error;
pub mod eval;
pub mod import;
pub mod ir;
pub mod json;
pub mod lower;
pub mod manifest;
pub mod number;
pub mod stdlib;
pub mod syntax;
pub mod value;
mod vm;

pub use error::Error;
pub use vm::{Given, Native, NativeFn, Vm};
