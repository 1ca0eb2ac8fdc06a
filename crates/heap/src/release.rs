//! Freeing objects that have lost their last pointer.
//!
//! Dropping an object may take the last pointers from others. That nests up
//! to [`NESTED`] deep; deeper objects wait in a queue, so that no depth of
//! nesting overflows the stack.

use std::ptr::NonNull;

use crate::Heap;
use crate::block::Block;
use crate::heap::State;
use crate::object::{Header, Layout};

/// How deep dropping nests on the native stack.
const NESTED: u32 = 48;

/// Added to the depth when the last handle of the heap is gone: every release
/// then takes the slow path, where the objects that are left are counted.
const ABANDONED: u32 = 1 << 31;

/// Frees an object that has lost its last pointer. `class` is the class of
/// its slot, if it is known.
///
/// # Safety
/// The object is a whole `L`, nothing refers to it, and it is not used again.
#[inline]
pub(crate) unsafe fn release<L: Layout>(object: NonNull<Header>, class: Option<usize>) {
    // SAFETY: the object lies in a block, whose heap lives as long as the
    // block.
    let this = unsafe { Block::of(object).heap };
    // SAFETY: as above.
    let state = unsafe { this.as_ref() };
    let depth = state.depth.get();
    let most = if L::NESTS { NESTED } else { ABANDONED };
    if depth >= most {
        // SAFETY: by the caller. The state is not used again.
        unsafe { State::put_off(this, object) };
        return;
    }
    if L::DROPS {
        state.depth.set(depth + 1);
        // SAFETY: by the caller.
        unsafe { (L::KIND.drop)(object) };
        state.depth.set(depth);
    }
    // SAFETY: the object is gone, its slot is of this heap.
    unsafe {
        match class {
            Some(class) => state.free(object, class),
            None => state.free_any(object),
        }
    }
    if L::NESTS && depth == 0 {
        state.drain();
    }
}

impl State {
    /// Lets an object wait; in a heap without handles, frees what waits, and
    /// the heap with the last object.
    ///
    /// # Safety
    /// The object is whole and of this heap, nothing refers to it, and it is
    /// not used again; nor is the heap by way of it.
    #[cold]
    #[inline(never)]
    unsafe fn put_off(this: NonNull<Self>, object: NonNull<Header>) {
        // SAFETY: the heap lives as long as its objects.
        let state = unsafe { this.as_ref() };
        // SAFETY: no reference to the queue is kept anywhere.
        unsafe { (*state.queue.get()).push(object) };
        if state.depth.get() != ABANDONED {
            return;
        }
        let freed = state.drain_queue();
        state.left.set(state.left.get().saturating_sub(freed));
        if state.left.get() == 0 && state.depth.get() == ABANDONED {
            // SAFETY: no handle and no object is left.
            unsafe { Self::tear_down(this) };
        }
    }

    /// Frees what waits.
    #[inline(always)]
    pub(crate) fn drain(&self) {
        // SAFETY: as in `put_off`.
        if unsafe { !(*self.queue.get()).is_empty() } {
            self.drain_queue();
        }
    }

    /// Frees what waits, and says how many objects that were.
    #[cold]
    #[inline(never)]
    fn drain_queue(&self) -> usize {
        let mut freed = 0;
        // While the depth is not 0 nobody else drains.
        self.depth.set(self.depth.get() + 1);
        // SAFETY: as in `put_off`.
        while let Some(object) = unsafe { (*self.queue.get()).pop() } {
            // SAFETY: objects in the queue are whole, of this heap, and
            // nothing else refers to them.
            unsafe {
                let kind = self.kind(object.as_ref().kind.get());
                (kind.drop)(object);
                self.free_any(object);
            }
            freed += 1;
        }
        self.depth.set(self.depth.get() - 1);
        freed
    }

    /// Called when the last handle goes: frees the cycles, and the heap if no
    /// object is left.
    ///
    /// # Safety
    /// There is no handle.
    pub(crate) unsafe fn abandon(this: NonNull<Self>) {
        // SAFETY: the state lives until it is torn down.
        let state = unsafe { this.as_ref() };
        if state.depth.get() != 0 {
            // The last handle was owned by an object that is being dropped:
            // the memory is given up.
            return;
        }
        // What is dropped may ask for a handle and let go of it again.
        state.handles.set(1);
        state.collect_cycles();
        state.handles.set(state.handles.get() - 1);
        if state.handles.get() != 0 {
            return;
        }
        let left = state.count_objects();
        if left == 0 {
            // SAFETY: there is no handle and no object.
            unsafe { Self::tear_down(this) };
        } else {
            state.left.set(left);
            state.depth.set(ABANDONED);
        }
    }

    /// Frees the heap.
    ///
    /// # Safety
    /// There is no handle and no object.
    unsafe fn tear_down(this: NonNull<Self>) {
        // SAFETY: by the caller nothing refers to the state or its memory.
        unsafe {
            let state = Box::from_raw(this.as_ptr());
            (*state.memory.get()).give_all();
        }
    }

    /// Runs `work` while no cycle is collected.
    pub(crate) fn undisturbed<R>(&self, work: impl FnOnce() -> R) -> R {
        let depth = self.depth.get();
        self.depth.set(depth + 1);
        let result = work();
        self.depth.set(depth);
        if depth == 0 {
            self.drain();
        }
        result
    }

    /// A handle, made from an object: there may have been none.
    pub(crate) fn handle(&self) -> Heap {
        self.handles.set(self.handles.get() + 1);
        self.depth.set(self.depth.get() & !ABANDONED);
        Heap { state: self.this() }
    }
}
