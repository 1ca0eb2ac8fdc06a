//! What the collector asks of the values.

use crate::{Gc, GcSlice, Slot};

/// A value that can name the managed pointers that it owns.
///
/// The contract, which the collector checks and answers with an abort:
/// `trace` visits every pointer that the value owns exactly once and does
/// nothing else; neither `Drop` nor `Clone` of the value follow a managed
/// pointer or touch a [`Slot`].
pub trait Trace: 'static {
    /// Visits every managed pointer that this value owns, each once.
    fn trace(&self, visitor: &mut Visitor<'_>);
}

/// A type that has its own objects in a heap: for slices and text the head.
pub trait Managed: Trace {
    /// The number of this type among those of its heap, below 64.
    const KIND: u8;
    /// Whether it never owns a managed pointer, so that the collector passes
    /// it by.
    const LEAF: bool = false;
}

/// Walks over the managed pointers of a value.
pub struct Visitor<'a> {
    _work: &'a (),
}

impl Visitor<'_> {
    /// Visits a pointer.
    #[inline]
    pub fn visit<T: Managed>(&mut self, _: &Gc<T>) {}

    /// Visits a pointer to a slice.
    #[inline]
    pub fn visit_slice<H: Managed, T: Trace>(&mut self, _: &GcSlice<H, T>) {}
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
