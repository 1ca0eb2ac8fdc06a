//! CPython's objects as they lie in memory, one file per kind.
//!
//! These are the only files that know an object's layout. All functions here
//! need the GIL; pointers are borrowed unless a function says otherwise.

pub mod bytes;
pub mod class;
pub mod dict;
pub mod dict_entries;
pub mod dict_table;
pub mod float;
pub mod int;
pub mod list;
pub mod object;
pub mod owned;
pub mod set;
pub mod str;
