//! Pointers to a head and a slice behind it.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::block::Block;
use crate::object::{BUSY, Header, Series};
use crate::release::release;
use crate::{Heap, Managed, Trace};

/// A pointer to a head and a slice behind it, in a heap. The object has a
/// note of 32 bits too, for any use.
pub struct GcSlice<H: Managed, T: Trace> {
    object: NonNull<Series<H, T>>,
    owns: PhantomData<(H, T)>,
}

impl Heap {
    /// Puts a head and the items behind it into the heap.
    ///
    /// # Panics
    /// If there are fewer items than the iterator says, or more than 2^32 - 1.
    #[inline]
    pub fn alloc_slice<H: Managed, T: Trace>(
        &self,
        head: H,
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    ) -> GcSlice<H, T> {
        let mut items = items.into_iter();
        let len = items.len();
        let mut slice = GcSlice::<H, T>::begin(self, head, len);
        let first = slice.first();
        for at in 0..len {
            let Some(item) = items.next() else { too_few() };
            // SAFETY: the slot has room for so many items.
            unsafe { first.add(at).write(item) };
            slice.written = at + 1;
        }
        slice.finish()
    }

    /// Puts a head and clones of items into the heap.
    ///
    /// # Panics
    /// If there are more than 2^32 - 1 items.
    #[inline]
    pub fn alloc_copy<H: Managed, T: Trace + Copy>(&self, head: H, items: &[T]) -> GcSlice<H, T> {
        let slice = GcSlice::<H, T>::begin(self, head, items.len());
        // SAFETY: the slot has room for the items.
        unsafe {
            let first = slice.first();
            first.copy_from_nonoverlapping(items.as_ptr(), items.len());
        }
        slice.finish()
    }
}

#[cold]
fn too_few() -> ! {
    panic!("an iterator with fewer items than it said")
}

/// A slice whose items are not all there yet, in a busy slot that nothing
/// refers to.
pub(crate) struct Begun<H: Managed, T: Trace> {
    object: NonNull<Series<H, T>>,
    /// How many items are there, to be dropped if making the next one panics.
    written: usize,
}

impl<H: Managed, T: Trace> Begun<H, T> {
    /// Where the items go.
    #[inline(always)]
    pub(crate) fn first(&self) -> *mut T {
        // SAFETY: the items begin in the slot, or at its end.
        unsafe { self.object.as_ptr().byte_add(Series::<H, T>::ITEMS).cast() }
    }

    /// The slice, now that all its items are written.
    #[inline(always)]
    pub(crate) fn finish(self) -> GcSlice<H, T> {
        let object = self.object;
        std::mem::forget(self);
        // SAFETY: the slot is ours alone.
        unsafe { (*object.as_ptr()).header.kind.set(H::KIND) };
        GcSlice {
            object,
            owns: PhantomData,
        }
    }
}

impl<H: Managed, T: Trace> Drop for Begun<H, T> {
    #[cold]
    fn drop(&mut self) {
        let items = std::ptr::slice_from_raw_parts_mut(self.first(), self.written);
        // SAFETY: so many items and the head are there, and nothing refers to
        // them or to the slot.
        unsafe {
            items.drop_in_place();
            (&raw mut (*self.object.as_ptr()).head).drop_in_place();
            let object = self.object.cast();
            Block::of(object).heap.as_ref().free_any(object);
        }
    }
}

impl<H: Managed, T: Trace> GcSlice<H, T> {
    /// A busy slot with a head and room for so many items.
    #[inline(always)]
    pub(crate) fn begin(memory: &Heap, head: H, len: usize) -> Begun<H, T> {
        const {
            assert!(
                align_of::<Series<H, T>>() == 8,
                "slots are aligned to 8 bytes"
            );
            assert!(size_of::<T>() <= 1 << 12, "so that the size below is one");
        }
        let Ok(count) = u32::try_from(len) else {
            too_many()
        };
        let slot = memory
            .state()
            .slot_sized::<Series<H, T>>(H::KIND, Series::<H, T>::bytes(len));
        let object = slot.cast::<Series<H, T>>();
        // SAFETY: the slot is not in use and has room for this.
        unsafe {
            (&raw mut (*object.as_ptr()).header).write(Header::new(BUSY));
            (&raw mut (*object.as_ptr()).len).write(count);
            (&raw mut (*object.as_ptr()).note).write(Cell::new(0));
            (&raw mut (*object.as_ptr()).head).write(head);
        }
        Begun { object, written: 0 }
    }

    #[inline(always)]
    pub(crate) fn object(&self) -> NonNull<Header> {
        self.object.cast()
    }

    #[inline(always)]
    fn header(&self) -> &Header {
        // SAFETY: the object lives as long as this pointer.
        unsafe { &(*self.object.as_ptr()).header }
    }

    /// The head.
    #[inline(always)]
    pub fn head(&self) -> &H {
        // SAFETY: the object lives as long as this pointer, and its head is
        // changed only through its only pointer.
        unsafe { &(*self.object.as_ptr()).head }
    }

    /// A note of 32 bits, 0 at first.
    #[inline(always)]
    pub fn note(&self) -> &Cell<u32> {
        // SAFETY: the object lives as long as this pointer.
        unsafe { &(*self.object.as_ptr()).note }
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

    /// Whether this is the only pointer to the object.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.header().count.get() == 1
    }

    /// Changes head and items in place if this is the only pointer to them.
    /// No cycle is collected meanwhile.
    pub fn update<R>(&mut self, change: impl FnOnce(&mut H, &mut [T]) -> R) -> Option<R> {
        if !self.is_unique() {
            return None;
        }
        let heap = self.heap();
        Some(heap.state().undisturbed(|| {
            // SAFETY: this is the only pointer, borrowed uniquely, and the
            // collector, which could read the values, does not run.
            unsafe {
                let items = Series::items(self.object);
                change(&mut (*self.object.as_ptr()).head, &mut *items)
            }
        }))
    }

    /// The heap in which the object is.
    pub fn heap(&self) -> Heap {
        // SAFETY: the object lies in a block, whose heap lives as long.
        unsafe { Block::of(self.object()).heap.as_ref().handle() }
    }
}

#[cold]
fn too_many() -> ! {
    panic!("more than 2^32 - 1 items in one object")
}

impl<H: Managed, T: Trace> Clone for GcSlice<H, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        self.header().retain();
        Self {
            object: self.object,
            owns: PhantomData,
        }
    }
}

impl<H: Managed, T: Trace> Drop for GcSlice<H, T> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.header().forgo() {
            // SAFETY: this was the last pointer.
            unsafe { release::<Series<H, T>>(self.object(), None) };
        }
    }
}

impl<H: Managed, T: Trace> Deref for GcSlice<H, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the object lives as long as this pointer, and its items are
        // changed only through its only pointer.
        unsafe { &*Series::items(self.object) }
    }
}
