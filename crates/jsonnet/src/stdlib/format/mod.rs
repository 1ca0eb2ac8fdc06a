//! `std.format`, and `%` on strings.
pub mod render;
pub mod spec;
