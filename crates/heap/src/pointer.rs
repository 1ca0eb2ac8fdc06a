//! Heaps and the pointers into them.

use std::ops::Deref;
use std::rc::Rc;

use crate::{Managed, Trace};

/// The memory of one virtual machine. Clones are the same heap.
#[derive(Clone, Default)]
pub struct Heap {
    state: Rc<()>,
}

impl Heap {
    /// An empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a value into the heap.
    #[inline]
    pub fn alloc<T: Managed>(&self, value: T) -> Gc<T> {
        Gc(Rc::new(value))
    }

    /// Puts a head and the items behind it into the heap. The iterator must
    /// be as long as it says.
    #[inline]
    pub fn alloc_slice<H: Managed, T: Trace>(
        &self,
        head: H,
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    ) -> GcSlice<H, T> {
        GcSlice(Rc::new((head, items.into_iter().collect())))
    }

    /// Puts a head and the text behind it into the heap, made of the pieces.
    #[inline]
    pub fn alloc_str<H: Managed>(&self, head: H, pieces: &[&str]) -> GcStr<H> {
        GcStr(Rc::new((head, pieces.concat().into())))
    }

    /// The bytes of the blocks and large objects in use.
    pub fn bytes(&self) -> usize {
        0
    }

    /// Whether a collection would be worth its time now.
    #[inline]
    pub fn wants_collection(&self) -> bool {
        false
    }

    /// Frees the cycles that nothing outside of them refers to; to be called
    /// while no value is being changed.
    pub fn collect(&self) {
        let _ = &self.state;
    }

    /// Sets the number of bytes beyond which [`Heap::over_limit`] is true.
    pub fn set_limit(&self, _: usize) {}

    /// Whether the heap has grown beyond its limit.
    #[inline]
    pub fn over_limit(&self) -> bool {
        false
    }

    /// Gives the memory up to the end of the process: nothing is freed any
    /// more, by this handle or by any pointer.
    pub fn leak(&self) {}
}

/// A pointer to a value in a heap.
pub struct Gc<T: Managed>(Rc<T>);

/// A pointer to a head and a slice behind it, in a heap.
pub struct GcSlice<H: Managed, T: Trace>(Rc<(H, Box<[T]>)>);

/// A pointer to a head and text behind it, in a heap.
pub struct GcStr<H: Managed>(Rc<(H, Box<str>)>);

impl<T: Managed> Gc<T> {
    /// Whether both point to the same object.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// The address of the object, for tables.
    #[inline]
    pub fn address(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }

    /// The value, if nothing else points to it.
    #[inline]
    pub fn get_mut(&mut self) -> Option<&mut T> {
        Rc::get_mut(&mut self.0)
    }
}

impl<H: Managed, T: Trace> GcSlice<H, T> {
    /// The head.
    #[inline]
    pub fn head(&self) -> &H {
        &self.0.0
    }

    /// Whether both point to the same object.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// The address of the object, for tables.
    #[inline]
    pub fn address(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }

    /// The head and the items, if nothing else points to them.
    #[inline]
    pub fn get_mut(&mut self) -> Option<(&mut H, &mut [T])> {
        Rc::get_mut(&mut self.0).map(|both| (&mut both.0, &mut *both.1))
    }
}

impl<H: Managed> GcStr<H> {
    /// The head.
    #[inline]
    pub fn head(&self) -> &H {
        &self.0.0
    }

    /// Whether both point to the same object.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: Managed> Clone for Gc<T> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<H: Managed, T: Trace> Clone for GcSlice<H, T> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<H: Managed> Clone for GcStr<H> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Managed> Deref for Gc<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<H: Managed, T: Trace> Deref for GcSlice<H, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0.1
    }
}

impl<H: Managed> Deref for GcStr<H> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        &self.0.1
    }
}
