//! The Jsonnet language.
#![forbid(unsafe_code)]
