//! Blocks: 64 KiB at a multiple of 64 KiB, cut into slots of one size, or
//! more than that for one large object.
//!
//! The header is found from the address of any slot. It does not stand at the
//! very beginning: headers at multiples of 64 KiB would all share the same few
//! lines of the cache. The block's number tells how many lines further on.

use std::cell::Cell;
use std::ptr::NonNull;

use crate::heap::State;
use crate::object::Header;

/// The bytes of a block and its alignment.
pub(crate) const BLOCK: usize = 64 << 10;

/// What a block begins with, after the lines that are left out.
#[repr(C)]
pub(crate) struct Block {
    /// The heap to which the block belongs.
    pub(crate) heap: NonNull<State>,
    /// The bytes of each slot; of the whole block if it holds one large
    /// object.
    pub(crate) size: usize,
    /// The class of the slots; [`Block::LARGE`] for a large object.
    pub(crate) class: usize,
    /// The number of the block among the heap's blocks or large objects.
    pub(crate) place: Cell<usize>,
}

/// A slot without an object.
#[repr(C)]
pub(crate) struct Free {
    pub(crate) header: Header,
    pub(crate) next: *mut Free,
}

impl Block {
    /// The class of a block that holds one large object.
    pub(crate) const LARGE: usize = usize::MAX;
    /// Where the first slot is, from the header on.
    pub(crate) const FIRST: usize = size_of::<Self>();
    /// The most bytes before the header, and a bit more.
    pub(crate) const BEFORE: usize = 1 << 12;

    /// How many slots of a size a block has.
    #[inline]
    pub(crate) const fn slots(size: usize) -> usize {
        (BLOCK - Self::BEFORE - Self::FIRST) / size
    }

    /// The address of the header of the block in which an address lies.
    #[inline(always)]
    fn header(address: usize) -> usize {
        const LINE: usize = 64;
        let start = address & !(BLOCK - 1);
        start | (start / (BLOCK / LINE)) & (Self::BEFORE - LINE)
    }

    /// Where the header of a block goes.
    ///
    /// # Safety
    /// The block starts at `start`.
    pub(crate) unsafe fn place(start: NonNull<u8>) -> NonNull<Self> {
        let away = Self::header(start.addr().get()) - start.addr().get();
        // SAFETY: that is still in the block.
        unsafe { start.byte_add(away).cast() }
    }

    /// The start of a block.
    ///
    /// # Safety
    /// `block` points to a block.
    pub(crate) unsafe fn start(block: NonNull<Self>) -> NonNull<u8> {
        let away = block.addr().get() % BLOCK;
        // SAFETY: the block starts before its header.
        unsafe { block.byte_sub(away).cast() }
    }

    /// The block in which an object lies.
    ///
    /// # Safety
    /// The object lies in a slot of a block.
    #[inline(always)]
    pub(crate) unsafe fn of<'a>(object: NonNull<Header>) -> &'a Self {
        let block = object.as_ptr().map_addr(Self::header);
        // SAFETY: blocks begin at the multiple of their size below each of
        // their slots (the only slot of a large object is near the start), and
        // live as long as an object in them. The header is where `place` put
        // it.
        unsafe { &*block.cast() }
    }

    /// The block's slots from the first one on.
    ///
    /// # Safety
    /// `block` points to a block.
    pub(crate) unsafe fn slot(block: NonNull<Self>, number: usize) -> NonNull<Header> {
        // SAFETY: the slot lies in the block, since the numbers that callers
        // use are below `slots`.
        unsafe {
            block
                .byte_add(Self::FIRST + number * block.as_ref().size)
                .cast()
        }
    }
}

const _: () = assert!(Block::FIRST.is_multiple_of(8));
