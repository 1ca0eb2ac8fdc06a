//! Reference-counted values in pooled memory, with a cycle collector.
//!
//! A [`Heap`] belongs to one virtual machine and one thread. [`Gc`] points to
//! one value in it, [`GcSlice`] to a head and a slice behind it, [`GcStr`] to a
//! head and text behind it: each is one pointer, cloned by counting, without
//! atomics. What no pointer refers to any more is freed at once, however deep
//! it is nested; cycles are found by [`Heap::collect`].
//!
//! # Memory
//! Blocks of 64 KiB, aligned to their size and cut into slots of one size,
//! come in chunks of 1 MiB. A block begins with its header, so that the
//! address of an object leads to its heap. Free slots of a size form one list;
//! slots that were never used are taken in order. What is larger than the
//! largest slot has a block of its own.
//!
//! An object begins with eight bytes: its count, the number of its type, a
//! mark. A heap knows each type by that number ([`Managed::KIND`]).
//!
//! # Cycles
//! The collector takes from the count of each object the references that come
//! from other objects. What is left comes from outside, and so do the roots:
//! no list of roots is kept. What cannot be reached from them is freed.

mod block;
mod class;
mod collect;
mod heap;
mod inline;
mod object;
mod pointer;
mod pool;
mod release;
mod slice;
mod slot;
mod text;
mod trace;

pub use heap::Heap;
pub use inline::InlineStr;
pub use pointer::Gc;
pub use slice::GcSlice;
pub use slot::Slot;
pub use text::GcStr;
pub use trace::{Managed, Trace, Visitor};

const _: () = assert!(usize::BITS == 64, "sizes are worked out without overflow");
