//! The Jsonnet language.
#![forbid(unsafe_code)]
// Errors are boxed wherever they are made, so that results stay small; numbers
// are compared as the language compares them; and all builtins have one type.
#![allow(
    clippy::unnecessary_box_returns,
    clippy::float_cmp,
    clippy::unnecessary_wraps
)]

pub mod command;
pub mod error;
pub mod eval;
pub mod fmt;
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
pub use vm::{Given, Native, NativeFn, Vm, compile};
