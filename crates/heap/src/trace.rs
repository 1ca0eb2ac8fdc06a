//! What the collector asks of the values.

use std::ptr::NonNull;

use crate::block::Block;
use crate::heap::State;
use crate::object::Header;
use crate::{Gc, GcSlice, GcStr, Slot};

/// A value that can name the managed pointers that it owns.
///
/// # Contract
/// `trace` visits every pointer that the value owns exactly once and does
/// nothing else. Neither `Drop` nor `Clone` of the value follow a managed
/// pointer or touch a [`Slot`].
///
/// The trait is not `unsafe` only so that crates that forbid `unsafe` can have
/// values in a heap; its contract is as strict. Visiting too much ends the
/// process when the collector notices; visiting too little leaks.
pub trait Trace: 'static {
    /// Visits every managed pointer that this value owns, each once.
    fn trace(&self, visitor: &mut Visitor<'_>);
}

/// A type that has its own objects in a heap: for slices and text the head.
pub trait Managed: Trace {
    /// The number of this type among those of its heap, from 1 to 63. A
    /// number that means two types in one heap panics.
    const KIND: u8;
    /// Whether it never owns a managed pointer to anything but other leaves,
    /// so that the collector passes it by.
    const LEAF: bool = false;
    /// Whether dropping one may drop others, to any depth.
    const NESTS: bool = !Self::LEAF;
}

/// Walks over the managed pointers of a value.
pub struct Visitor<'a> {
    pub(crate) heap: NonNull<State>,
    pub(crate) mode: Mode,
    pub(crate) work: &'a mut Vec<NonNull<Header>>,
}

/// What the collector does to the target of a pointer.
#[derive(Clone, Copy)]
pub(crate) enum Mode {
    /// Takes one from its count.
    Take,
    /// Adds one to its count and reaches it.
    Reach,
    /// Adds one to its count.
    Give,
}

impl Visitor<'_> {
    /// Visits a pointer.
    #[inline]
    pub fn visit<T: Managed>(&mut self, pointer: &Gc<T>) {
        if !T::LEAF {
            self.visit_object(pointer.object());
        }
    }

    /// Visits a pointer to a slice.
    #[inline]
    pub fn visit_slice<H: Managed, T: Trace>(&mut self, pointer: &GcSlice<H, T>) {
        if !H::LEAF {
            self.visit_object(pointer.object());
        }
    }

    fn visit_object(&mut self, object: NonNull<Header>) {
        // SAFETY: a pointer's target is live.
        let (header, heap) = unsafe { (object.as_ref(), Block::of(object).heap) };
        if heap != self.heap {
            // The objects of other heaps take no part.
            return;
        }
        match self.mode {
            Mode::Take => match header.count.get().checked_sub(1) {
                Some(count) => header.count.set(count),
                // More visits than pointers.
                None => std::process::abort(),
            },
            Mode::Reach => {
                header.retain();
                if !header.mark.replace(true) {
                    self.work.push(object);
                }
            }
            Mode::Give => header.retain(),
        }
    }
}

impl<T: Trace> Trace for Option<T> {
    #[inline]
    fn trace(&self, visitor: &mut Visitor<'_>) {
        if let Some(value) = self {
            value.trace(visitor);
        }
    }
}

impl<T: Managed> Trace for Gc<T> {
    #[inline]
    fn trace(&self, visitor: &mut Visitor<'_>) {
        visitor.visit(self);
    }
}

impl<H: Managed, T: Trace> Trace for GcSlice<H, T> {
    #[inline]
    fn trace(&self, visitor: &mut Visitor<'_>) {
        visitor.visit_slice(self);
    }
}

impl<H: Managed> Trace for GcStr<H> {
    #[inline]
    fn trace(&self, _: &mut Visitor<'_>) {}
}

impl<T: Trace + Clone> Trace for Slot<T> {
    #[inline]
    fn trace(&self, visitor: &mut Visitor<'_>) {
        self.with(|value| value.trace(visitor));
    }
}

macro_rules! without_pointers {
    ($($type:ty),*) => {$(
        impl Trace for $type {
            #[inline]
            fn trace(&self, _: &mut Visitor<'_>) {}
        }
    )*};
}

without_pointers!(
    (),
    bool,
    u8,
    u16,
    u32,
    u64,
    usize,
    i8,
    i16,
    i32,
    i64,
    isize,
    f32,
    f64,
    char
);
