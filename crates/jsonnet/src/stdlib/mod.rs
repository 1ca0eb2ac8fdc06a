//! The standard library.
//!
//! - [`table`]: which functions there are, and how they are called.

mod table;

pub use table::{ABSENT, Args, BUILTINS, Builtin, Default, Param, builtin, find};

mod args;
mod complaint;
mod objects;
mod parsing;
mod types;
mod arrays;
mod core;
mod encodings;
mod escapes;
mod folds;
pub mod format;
mod numbers;
mod sets;
mod slices;
mod splits;
mod strings;
pub mod yaml;
