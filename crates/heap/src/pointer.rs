//! Pointers to values.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::block::Block;
use crate::class::{LARGEST, class_of};
use crate::object::{Header, Single};
use crate::release::release;
use crate::{Heap, Managed};

/// A pointer to a value in a heap. The object has a note of 16 bits too, for
/// any use.
pub struct Gc<T: Managed> {
    object: NonNull<Single<T>>,
    owns: PhantomData<Single<T>>,
}

impl Heap {
    /// Puts a value into the heap.
    #[inline(always)]
    pub fn alloc<T: Managed>(&self, value: T) -> Gc<T> {
        let slot = self.state().slot::<Single<T>>(T::KIND, Gc::<T>::CLASS);
        let object = slot.cast();
        let header = Header::new(T::KIND);
        // SAFETY: the slot is not in use and large enough.
        unsafe { object.write(Single { header, value }) };
        Gc {
            object,
            owns: PhantomData,
        }
    }
}

impl<T: Managed> Gc<T> {
    const CLASS: usize = {
        assert!(size_of::<Single<T>>() <= LARGEST, "too large for a slot");
        assert!(align_of::<Single<T>>() == 8, "slots are aligned to 8 bytes");
        class_of(size_of::<Single<T>>())
    };

    #[inline(always)]
    pub(crate) fn object(&self) -> NonNull<Header> {
        self.object.cast()
    }

    #[inline(always)]
    fn header(&self) -> &Header {
        // SAFETY: the object lives as long as this pointer.
        unsafe { &(*self.object.as_ptr()).header }
    }

    /// Whether both point to the same object.
    #[inline]
    pub fn same(&self, other: &Self) -> bool {
        self.object == other.object
    }

    /// The address of the object, for tables.
    #[inline]
    pub fn address(&self) -> usize {
        self.object.addr().get()
    }

    /// A note of 16 bits, 0 at first.
    #[inline(always)]
    pub fn note(&self) -> &Cell<u16> {
        &self.header().note
    }

    /// Whether this is the only pointer to the object.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.header().count.get() == 1
    }

    /// Changes the value in place if this is the only pointer to it. No cycle
    /// is collected meanwhile.
    pub fn update<R>(&mut self, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        if !self.is_unique() {
            return None;
        }
        let heap = self.heap();
        Some(heap.state().undisturbed(|| {
            // SAFETY: this is the only pointer, borrowed uniquely, and the
            // collector, which could read the value, does not run.
            change(unsafe { &mut (*self.object.as_ptr()).value })
        }))
    }

    /// The heap in which the object is.
    pub fn heap(&self) -> Heap {
        // SAFETY: the object lies in a block, whose heap lives as long.
        unsafe { Block::of(self.object()).heap.as_ref().handle() }
    }
}

impl<T: Managed> Clone for Gc<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        self.header().retain();
        Self {
            object: self.object,
            owns: PhantomData,
        }
    }
}

impl<T: Managed> Drop for Gc<T> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.header().forgo() {
            // SAFETY: this was the last pointer.
            unsafe { release::<Single<T>>(self.object(), Some(Self::CLASS)) };
        }
    }
}

impl<T: Managed> Deref for Gc<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the object lives as long as this pointer, and its value is
        // changed only through its only pointer.
        unsafe { &(*self.object.as_ptr()).value }
    }
}
