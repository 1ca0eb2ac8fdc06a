//! Finding and freeing cycles by trial deletion.
//!
//! 1. For each object, each pointer in it takes one from the count of its
//!    target. What is left are the pointers from outside of the heap.
//! 2. Whatever has any is reached, and what it points to, and so on. Each
//!    pointer of a reached object gives its one back.
//! 3. What was not reached is garbage. Its pointers give back their one too,
//!    then its contents are dropped, then its slots are freed.
//! 4. The lists of free slots are made anew and empty blocks given back.
//!
//! Objects of leaf types take no part: nothing in them keeps others alive.

use std::ptr::NonNull;

use crate::Heap;
use crate::block::{Block, Free};
use crate::heap::{GROWTH, State};
use crate::object::{BUSY, FREE, Header, Kind};
use crate::trace::{Mode, Visitor};

impl Heap {
    /// Frees the objects that only objects without other pointers refer to:
    /// the cycles. Does nothing if it is called while an object is dropped or
    /// changed in place.
    pub fn collect(&self) {
        self.state().collect_cycles();
    }
}

impl State {
    pub(crate) fn collect_cycles(&self) {
        if self.depth.get() != 0 {
            return;
        }
        self.depth.set(1);
        let garbage = self.find_garbage();
        self.free_garbage(&garbage);
        self.depth.set(0);
        self.drain();
        let live = self.sweep();
        self.threshold.set(live + live.max(GROWTH));
    }

    /// The objects that cannot be reached from outside. All counts are as
    /// they were.
    fn find_garbage(&self) -> Vec<NonNull<Header>> {
        let mut work = Vec::new();
        let heap = self.this();
        let visit = |object: NonNull<Header>, kind: &Kind, mode, work: &mut _| {
            let mut visitor = Visitor { heap, mode, work };
            // SAFETY: the object is whole and of the kind.
            unsafe { (kind.trace)(object, &mut visitor) };
        };
        self.each_branch(|object, kind| visit(object, kind, Mode::Take, &mut work));
        self.each_branch(|object, _| {
            // SAFETY: the object is live.
            let header = unsafe { object.as_ref() };
            if header.count.get() == 0 || header.mark.replace(true) {
                return;
            }
            work.push(object);
            while let Some(object) = work.pop() {
                // SAFETY: the objects that are reached are whole and of this
                // heap.
                let kind = unsafe { self.kind(object.as_ref().kind.get()) };
                visit(object, kind, Mode::Reach, &mut work);
            }
        });
        let mut garbage = Vec::new();
        self.each_branch(|object, kind| {
            // SAFETY: the object is live.
            if unsafe { !object.as_ref().mark.replace(false) } {
                garbage.push(object);
                visit(object, kind, Mode::Give, &mut work);
            }
        });
        garbage
    }

    /// Frees objects that refer to each other and that nothing else refers
    /// to.
    fn free_garbage(&self, garbage: &[NonNull<Header>]) {
        for object in garbage {
            // So that none of them is released on the way.
            // SAFETY: the objects are live.
            unsafe { object.as_ref().retain() };
        }
        for &object in garbage {
            // SAFETY: the object is whole and of this heap; what refers to it
            // is garbage too, and values do not follow pointers while they are
            // dropped.
            unsafe { (self.kind(object.as_ref().kind.get()).drop)(object) };
        }
        for &object in garbage {
            // SAFETY: the slot is of this heap until it is freed below.
            if unsafe { object.as_ref().count.get() } != 1 {
                // Something outside refers to the object: its type has visited
                // a pointer that it does not own.
                std::process::abort();
            }
            // SAFETY: its contents have been dropped, nothing refers to it.
            unsafe { self.free_any(object) };
        }
    }

    /// Calls `each` for every object that may hold pointers.
    fn each_branch(&self, mut each: impl FnMut(NonNull<Header>, &'static Kind)) {
        self.each_object(|object, number| {
            if number != BUSY {
                // SAFETY: the number is that of an object of this heap.
                let kind = unsafe { self.kind(number) };
                if !kind.leaf {
                    each(object, kind);
                }
            }
        });
    }

    /// Calls `each` for every object.
    fn each_object(&self, mut each: impl FnMut(NonNull<Header>, u8)) {
        let mut at = 0;
        while let Some(block) = self.block(at) {
            for number in 0..self.used_slots(block) {
                // SAFETY: the block has so many used slots.
                let (slot, kind) = unsafe {
                    let slot = Block::slot(block, number);
                    (slot, slot.as_ref().kind.get())
                };
                if kind != FREE {
                    each(slot, kind);
                }
            }
            at += 1;
        }
        at = 0;
        while let Some(block) = self.large_block(at) {
            // SAFETY: a large object's block has one slot, always in use.
            let (slot, kind) = unsafe {
                let slot = Block::slot(block, 0);
                (slot, slot.as_ref().kind.get())
            };
            each(slot, kind);
            at += 1;
        }
    }

    /// How many objects there are.
    pub(crate) fn count_objects(&self) -> usize {
        let mut count = 0;
        self.each_object(|_, _| count += 1);
        count
    }

    /// Makes the lists of free slots anew, gives empty blocks back, and says
    /// how many bytes are live.
    fn sweep(&self) -> usize {
        self.forget_free();
        let mut live = 0;
        let mut at = 0;
        while let Some(block) = self.block(at) {
            let (used, first, last) = self.free_slots_of(block);
            if used == 0 {
                // SAFETY: no slot holds an object, and the lists are new.
                unsafe { self.retire(block) };
                continue;
            }
            // SAFETY: the block is one of this heap.
            let (size, class) = unsafe { (block.as_ref().size, block.as_ref().class) };
            if let (Some(first), Some(last)) = (first, last) {
                // SAFETY: the slots from the first to the last are a list of
                // free slots of this class.
                unsafe { self.put_list(first, last, class) };
            }
            live += used * size;
            at += 1;
        }
        at = 0;
        while let Some(block) = self.large_block(at) {
            // SAFETY: the block is one of this heap.
            live += unsafe { block.as_ref().size };
            at += 1;
        }
        live
    }

    /// How many slots of a block hold objects, and the others as a list in
    /// the order of their addresses.
    #[allow(clippy::type_complexity)] // The ends of a list.
    fn free_slots_of(
        &self,
        block: NonNull<Block>,
    ) -> (usize, Option<NonNull<Free>>, Option<NonNull<Free>>) {
        let mut used = 0;
        let (mut first, mut last) = (None, None::<NonNull<Free>>);
        for number in 0..self.used_slots(block) {
            // SAFETY: the block has so many used slots; free ones are ours to
            // write to.
            unsafe {
                let slot = Block::slot(block, number);
                if slot.as_ref().kind.get() != FREE {
                    used += 1;
                    continue;
                }
                let slot = slot.cast::<Free>();
                match last {
                    Some(last) => (*last.as_ptr()).next = slot.as_ptr(),
                    None => first = Some(slot),
                }
                last = Some(slot);
            }
        }
        (used, first, last)
    }
}
