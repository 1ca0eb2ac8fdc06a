//! Reference-counted values in pooled memory, with a cycle collector.
//!
//! A [`Heap`] belongs to one virtual machine and one thread. [`Gc`] points to
//! one value in it, [`GcSlice`] to a head and a slice behind it, [`GcStr`] to a
//! head and text behind it: each is one pointer, cloned by counting. What no
//! pointer refers to is freed at once; cycles are found by [`Heap::collect`].

mod inline;
mod pointer;
mod slot;
mod trace;

pub use inline::InlineStr;
pub use pointer::{Gc, GcSlice, GcStr, Heap};
pub use slot::Slot;
pub use trace::{Managed, Trace, Visitor};
