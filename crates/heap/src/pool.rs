//! Chunks of blocks, kept for the next heap of the process when one is done.
//!
//! A heap that lives for the length of one small program then costs neither a
//! call of the operating system nor fresh pages.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use crate::block::BLOCK;

/// The blocks of a chunk.
pub(crate) const BLOCKS: usize = 16;
/// The chunks that are kept.
const KEPT: usize = 8;

const LAYOUT: Layout = match Layout::from_size_align(BLOCKS * BLOCK, BLOCK) {
    Ok(layout) => layout,
    Err(_) => unreachable!(),
};

/// Memory for 16 blocks that belongs to nobody.
struct Chunk(NonNull<u8>);

// SAFETY: a chunk in the pool is plain memory that nothing else refers to.
unsafe impl Send for Chunk {}

static POOL: Mutex<Vec<Chunk>> = Mutex::new(Vec::new());

/// A chunk; what is in it is unspecified, maybe uninitialised.
pub(crate) fn take() -> NonNull<u8> {
    let kept = POOL.lock().unwrap_or_else(PoisonError::into_inner).pop();
    if let Some(Chunk(chunk)) = kept {
        return chunk;
    }
    // SAFETY: the layout has a size.
    NonNull::new(unsafe { alloc(LAYOUT) }).unwrap_or_else(|| handle_alloc_error(LAYOUT))
}

/// Gives a chunk back.
///
/// # Safety
/// It comes from [`take`], and nothing refers to it any more.
pub(crate) unsafe fn give(chunk: NonNull<u8>) {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if pool.len() < KEPT && !cfg!(miri) {
        pool.push(Chunk(chunk));
        return;
    }
    drop(pool);
    // SAFETY: `take` allocated it with this layout; by the caller nothing
    // refers to it.
    unsafe { dealloc(chunk.as_ptr(), LAYOUT) }
}

/// The layout of a large object of so many bytes, with its block's header.
fn large(size: usize) -> Layout {
    Layout::from_size_align(size, BLOCK).expect("an object fits into the address space")
}

/// The start of a block for a large object.
pub(crate) fn take_large(size: usize) -> NonNull<u8> {
    let layout = large(size);
    // SAFETY: the layout has a size, that of the block's header at least.
    let block = unsafe { alloc(layout) };
    NonNull::new(block).unwrap_or_else(|| handle_alloc_error(layout))
}

/// Gives the block of a large object back.
///
/// # Safety
/// It comes from [`take_large`] with this size, and nothing refers to it any
/// more.
pub(crate) unsafe fn give_large(block: NonNull<u8>, size: usize) {
    // SAFETY: by the caller.
    unsafe { dealloc(block.as_ptr(), large(size)) }
}
