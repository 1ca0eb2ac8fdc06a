//! What every object begins with, and what its heap knows of its type.

use std::any::TypeId;
use std::cell::Cell;
use std::mem::needs_drop;
use std::ptr::NonNull;

use crate::trace::{Trace, Visitor};

/// The first eight bytes of a slot.
#[repr(C, align(8))]
pub(crate) struct Header {
    /// How many pointers refer to the object.
    pub(crate) count: Cell<u32>,
    /// The number of its type, [`FREE`] or [`BUSY`].
    pub(crate) kind: Cell<u8>,
    /// Whether the collector has reached it.
    pub(crate) mark: Cell<bool>,
    /// A note of the owner's.
    pub(crate) note: Cell<u16>,
}

/// The kind of a slot without an object.
pub(crate) const FREE: u8 = 0;
/// The kind of a slot whose object is being made.
pub(crate) const BUSY: u8 = u8::MAX;
/// Kinds are below this.
pub(crate) const KINDS: usize = 64;

impl Header {
    /// The header of an object that one pointer refers to.
    #[inline(always)]
    pub(crate) fn new(kind: u8) -> Self {
        Self {
            count: Cell::new(1),
            kind: Cell::new(kind),
            mark: Cell::new(false),
            note: Cell::new(0),
        }
    }

    /// Counts one more pointer.
    #[inline(always)]
    pub(crate) fn retain(&self) {
        let count = self.count.get().wrapping_add(1);
        self.count.set(count);
        if count == 0 {
            too_many();
        }
    }

    /// Counts one pointer less; whether it was the last one.
    #[inline(always)]
    pub(crate) fn forgo(&self) -> bool {
        let count = self.count.get() - 1;
        self.count.set(count);
        count == 0
    }
}

/// Ends the process: 2^32 pointers to one object cannot be counted.
#[cold]
fn too_many() -> ! {
    std::process::abort()
}

/// The layout of an object of its own.
#[repr(C)]
pub(crate) struct Single<T> {
    pub(crate) header: Header,
    pub(crate) value: T,
}

/// The layout of a head with items behind it.
#[repr(C)]
pub(crate) struct Series<H, T> {
    pub(crate) header: Header,
    pub(crate) len: u32,
    pub(crate) note: Cell<u32>,
    pub(crate) head: H,
    pub(crate) items: [T; 0],
}

/// What a heap knows of a type.
pub(crate) struct Kind {
    /// Drops what the object holds; its slot stays.
    ///
    /// # Safety
    /// The object is of this type, whole, and not used again.
    pub(crate) drop: unsafe fn(NonNull<Header>),
    /// Visits the pointers that the object holds.
    ///
    /// # Safety
    /// The object is of this type and whole.
    pub(crate) trace: unsafe fn(NonNull<Header>, &mut Visitor<'_>),
    /// Whether objects of the type hold no pointers.
    pub(crate) leaf: bool,
    /// Which type it is.
    pub(crate) id: fn() -> TypeId,
}

/// A layout of objects that a heap can hold.
pub(crate) trait Layout: 'static {
    /// What the heap knows of it.
    const KIND: &'static Kind;
    /// Whether there is anything to drop.
    const DROPS: bool;
    /// Whether dropping it may drop other objects, to any depth.
    const NESTS: bool;
}

impl<T: crate::Managed> Layout for Single<T> {
    const DROPS: bool = needs_drop::<T>();
    const NESTS: bool = Self::DROPS && T::NESTS;
    const KIND: &'static Kind = &Kind {
        // SAFETY: the object is a `Single<T>` and whole, by the field's rule.
        drop: |object| unsafe {
            (&raw mut (*object.cast::<Self>().as_ptr()).value).drop_in_place();
        },
        // SAFETY: as above.
        trace: |object, visitor| unsafe { object.cast::<Self>().as_ref().value.trace(visitor) },
        leaf: T::LEAF,
        id: TypeId::of::<Self>,
    };
}

impl<H: crate::Managed, T: Trace> Layout for Series<H, T> {
    const DROPS: bool = needs_drop::<H>() || needs_drop::<T>();
    const NESTS: bool = Self::DROPS && H::NESTS;
    const KIND: &'static Kind = &Kind {
        // SAFETY: the object is a `Series<H, T>` and whole, by the field's
        // rule.
        drop: |object| unsafe {
            let this = object.cast::<Self>();
            Self::items(this).drop_in_place();
            (&raw mut (*this.as_ptr()).head).drop_in_place();
        },
        // SAFETY: as above.
        trace: |object, visitor| unsafe {
            let this = object.cast::<Self>();
            this.as_ref().head.trace(visitor);
            for item in &*Self::items(this) {
                item.trace(visitor);
            }
        },
        leaf: H::LEAF,
        id: TypeId::of::<Self>,
    };
}

impl<H, T> Series<H, T> {
    /// Where the items begin.
    pub(crate) const ITEMS: usize = std::mem::offset_of!(Self, items);

    /// The bytes of a head and so many items: few enough to be a size, since
    /// the number is that of things that exist or are checked to be possible.
    #[inline(always)]
    pub(crate) const fn bytes(len: usize) -> usize {
        Self::ITEMS + len * size_of::<T>()
    }

    /// The items.
    ///
    /// # Safety
    /// `this` is a series whose length is set.
    #[inline(always)]
    pub(crate) unsafe fn items(this: NonNull<Self>) -> *mut [T] {
        // SAFETY: the length is set, by the caller; the items lie behind the
        // head, within the slot.
        unsafe {
            let len = (*this.as_ptr()).len as usize;
            let first: *mut T = this.as_ptr().byte_add(Self::ITEMS).cast();
            std::ptr::slice_from_raw_parts_mut(first, len)
        }
    }
}
