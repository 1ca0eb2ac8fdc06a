//! The standard library.
//!
//! - [`table`]: which functions there are, and how they are called.

mod table;

pub use table::{ABSENT, Args, BUILTINS, Builtin, Default, Param, builtin, find};

mod core;
