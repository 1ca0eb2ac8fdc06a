//! The standard library.
//!
//! - [`table`]: which functions there are, and how they are called.

mod table;

pub use table::{ABSENT, Args, BUILTINS, Builtin, Default, Param, builtin, find};

pub(crate) use escapes::json as json_string;

pub(crate) mod args;
mod arrays;
mod complaint;
mod core;
mod encodings;
mod escapes;
mod folds;
pub mod format;
mod host;
mod manifests;
mod numbers;
mod objects;
mod parsing;
mod sets;
mod slices;
mod splits;
mod strings;
mod types;
pub mod yaml;
