//! Heaps: where slots come from.

use std::cell::{Cell, UnsafeCell};
use std::ptr::{self, NonNull};

use crate::block::{BLOCK, Block, Free};
use crate::class::{CLASSES, LARGEST, class_of, size_of_class};
use crate::object::{BUSY, FREE, Header, KINDS, Kind, Layout};
use crate::pool::{self, BLOCKS};

/// The memory of one virtual machine. Clones are the same heap.
///
/// Objects may outlive every handle: the memory then stays until the last of
/// them is gone.
pub struct Heap {
    pub(crate) state: NonNull<State>,
}

/// What the handles and blocks of a heap point to.
pub(crate) struct State {
    /// The state's own address, with the right to free it.
    this: Cell<NonNull<Self>>,
    classes: [Class; CLASSES],
    kinds: [Cell<Option<&'static Kind>>; KINDS],
    /// How deep the dropping of objects is nested; see `release`.
    pub(crate) depth: Cell<u32>,
    /// Objects without references whose dropping was put off.
    pub(crate) queue: UnsafeCell<Vec<NonNull<Header>>>,
    /// The objects left when the last handle went; counted only then.
    pub(crate) left: Cell<usize>,
    pub(crate) handles: Cell<usize>,
    pub(crate) memory: UnsafeCell<Memory>,
    /// The bytes of blocks in use and large objects.
    pub(crate) bytes: Cell<usize>,
    pub(crate) limit: Cell<usize>,
    /// The bytes from which on a collection is wanted.
    pub(crate) threshold: Cell<usize>,
}

/// The slots of one size.
struct Class {
    /// Slots that were used before.
    free: Cell<*mut Free>,
    /// The next slot that was never used.
    fresh: Cell<*mut u8>,
    /// The end of the slots that were never used.
    end: Cell<*mut u8>,
}

/// The blocks of a heap.
#[derive(Default)]
pub(crate) struct Memory {
    chunks: Vec<Chunk>,
    /// No chunk before this one has an unused block.
    first_unused: usize,
    /// The blocks with slots.
    pub(crate) blocks: Vec<NonNull<Block>>,
    /// The blocks of large objects.
    pub(crate) large: Vec<NonNull<Block>>,
}

struct Chunk {
    start: NonNull<u8>,
    /// One bit for each block that is not in use.
    unused: u16,
}

/// A collection is wanted when the heap has grown by this, at least.
pub(crate) const GROWTH: usize = 96 << 20;

impl Heap {
    /// An empty heap.
    pub fn new() -> Self {
        let class = || Class {
            free: Cell::new(ptr::null_mut()),
            fresh: Cell::new(ptr::null_mut()),
            end: Cell::new(ptr::null_mut()),
        };
        let state = Box::new(State {
            this: Cell::new(NonNull::dangling()),
            classes: std::array::from_fn(|_| class()),
            kinds: [const { Cell::new(None) }; KINDS],
            depth: Cell::new(0),
            queue: UnsafeCell::new(Vec::new()),
            left: Cell::new(0),
            handles: Cell::new(1),
            memory: UnsafeCell::default(),
            bytes: Cell::new(0),
            limit: Cell::new(usize::MAX),
            threshold: Cell::new(GROWTH),
        });
        let state = NonNull::from(Box::leak(state));
        // SAFETY: the state has just been made.
        unsafe { state.as_ref().this.set(state) };
        Self { state }
    }

    #[inline(always)]
    pub(crate) fn state(&self) -> &State {
        // SAFETY: the state lives as long as a handle, and only shared
        // references to it are ever made.
        unsafe { self.state.as_ref() }
    }

    /// The bytes of the blocks and large objects in use.
    pub fn bytes(&self) -> usize {
        self.state().bytes.get()
    }

    /// Whether a collection would be worth its time now.
    #[inline]
    pub fn wants_collection(&self) -> bool {
        let state = self.state();
        state.bytes.get() >= state.threshold.get()
    }

    /// Sets the number of bytes beyond which [`Heap::over_limit`] is true.
    pub fn set_limit(&self, bytes: usize) {
        self.state().limit.set(bytes);
    }

    /// Whether the heap has grown beyond its limit.
    #[inline]
    pub fn over_limit(&self) -> bool {
        let state = self.state();
        state.bytes.get() > state.limit.get()
    }

    /// Keeps the memory up to the end of the process: dropping the last
    /// handle then neither collects nor frees.
    pub fn leak(&self) {
        std::mem::forget(self.clone());
    }
}

impl State {
    /// A slot for an object of a layout, of a class known at compile time.
    #[inline(always)]
    pub(crate) fn slot<L: Layout>(&self, number: u8, class: usize) -> NonNull<Header> {
        self.know::<L>(number);
        self.slot_of(class)
    }

    /// A slot for an object of so many bytes.
    #[inline(always)]
    pub(crate) fn slot_sized<L: Layout>(&self, number: u8, size: usize) -> NonNull<Header> {
        self.know::<L>(number);
        if size <= LARGEST {
            self.slot_of(class_of(size))
        } else {
            self.large_slot(size)
        }
    }

    #[inline(always)]
    fn slot_of(&self, class: usize) -> NonNull<Header> {
        let place = &self.classes[class];
        if let Some(free) = NonNull::new(place.free.get()) {
            // SAFETY: what the list holds are free slots.
            place.free.set(unsafe { free.as_ref().next });
            return free.cast();
        }
        let fresh = place.fresh.get();
        if fresh == place.end.get() {
            return self.slot_of_new_block(class);
        }
        // SAFETY: the end is a whole number of slots away.
        place
            .fresh
            .set(unsafe { fresh.byte_add(size_of_class(class)) });
        // SAFETY: there are slots before the end, so this is one.
        unsafe { NonNull::new_unchecked(fresh.cast()) }
    }

    /// Checks that the number means the layout.
    #[inline(always)]
    fn know<L: Layout>(&self, number: u8) {
        let known = self.kinds[usize::from(number) % KINDS].get();
        if !known.is_some_and(|known| ptr::eq(known, L::KIND)) {
            self.learn::<L>(number);
        }
    }

    #[cold]
    #[inline(never)]
    fn learn<L: Layout>(&self, number: u8) {
        assert!(
            number != FREE && number != BUSY && usize::from(number) < KINDS,
            "kinds are numbers from 1 to 63"
        );
        match self.kinds[usize::from(number)].get() {
            Some(known) => assert!(
                (known.id)() == (L::KIND.id)(),
                "two types have the kind {number}"
            ),
            None => self.kinds[usize::from(number)].set(Some(L::KIND)),
        }
    }

    /// What is known of the type of an object.
    ///
    /// # Safety
    /// The kind is that of an object of this heap.
    #[inline]
    pub(crate) unsafe fn kind(&self, number: u8) -> &'static Kind {
        // SAFETY: `know` was called before the object was made.
        unsafe {
            self.kinds[usize::from(number) % KINDS]
                .get()
                .unwrap_unchecked()
        }
    }

    /// Puts a slot on its list. The slot of a large object is given back.
    ///
    /// # Safety
    /// The slot is of this heap and class, and its object is gone.
    #[inline(always)]
    pub(crate) unsafe fn free(&self, slot: NonNull<Header>, class: usize) {
        let place = &self.classes[class];
        let free = Free {
            header: Header::new(FREE),
            next: place.free.get(),
        };
        // SAFETY: slots have room for this; by the caller nothing uses it.
        unsafe { slot.cast().write(free) };
        place.free.set(slot.as_ptr().cast());
    }

    /// Frees a slot of any size.
    ///
    /// # Safety
    /// The slot is of this heap, and its object is gone.
    pub(crate) unsafe fn free_any(&self, slot: NonNull<Header>) {
        // SAFETY: the slot lies in a block of this heap.
        let block = unsafe { Block::of(slot) };
        if block.class == Block::LARGE {
            let (place, size) = (block.place.get(), block.size);
            // SAFETY: by the caller the object, the only one of its block, is
            // gone.
            unsafe { self.free_large(place, size) };
        } else {
            // SAFETY: by the caller; the class is the block's.
            unsafe { self.free(slot, block.class) };
        }
    }

    #[cold]
    #[inline(never)]
    fn slot_of_new_block(&self, class: usize) -> NonNull<Header> {
        let size = size_of_class(class);
        // SAFETY: no other reference to the memory exists: its users are the
        // functions of this file and of `collect`, which keep none.
        let memory = unsafe { &mut *self.memory.get() };
        // SAFETY: that is the start of a block.
        let block = unsafe { Block::place(memory.unused_block()) };
        let header = Block {
            heap: self.this.get(),
            size,
            class,
            place: Cell::new(memory.blocks.len()),
        };
        // SAFETY: the block is memory of this heap that is not in use.
        unsafe { block.write(header) };
        memory.blocks.push(block);
        self.bytes.set(self.bytes.get() + BLOCK);
        let place = &self.classes[class];
        // SAFETY: all slots lie in the block.
        unsafe {
            let first = Block::slot(block, 0);
            place.fresh.set(first.byte_add(size).as_ptr().cast());
            place
                .end
                .set(first.byte_add(Block::slots(size) * size).as_ptr().cast());
            first
        }
    }

    #[inline(never)]
    fn large_slot(&self, size: usize) -> NonNull<Header> {
        let size = Block::BEFORE + Block::FIRST + size;
        // SAFETY: that is the start of a block.
        let block = unsafe { Block::place(pool::take_large(size)) };
        // SAFETY: see `slot_of_new_block`.
        let memory = unsafe { &mut *self.memory.get() };
        let header = Block {
            heap: self.this.get(),
            size,
            class: Block::LARGE,
            place: Cell::new(memory.large.len()),
        };
        // SAFETY: the block is new and has so many bytes, more than a header.
        unsafe {
            block.write(header);
            memory.large.push(block);
            self.bytes.set(self.bytes.get() + size);
            block.byte_add(Block::FIRST).cast()
        }
    }

    /// Gives a large object's block back.
    ///
    /// # Safety
    /// The place and size are those of the block, whose object is gone.
    #[inline(never)]
    unsafe fn free_large(&self, place: usize, size: usize) {
        // SAFETY: see `slot_of_new_block`.
        let memory = unsafe { &mut *self.memory.get() };
        let block = memory.large.swap_remove(place);
        if let Some(moved) = memory.large.get(place) {
            // SAFETY: what the list holds are blocks.
            unsafe { moved.as_ref().place.set(place) };
        }
        self.bytes.set(self.bytes.get() - size);
        // SAFETY: by the caller, and the block is on no list any more.
        unsafe { pool::give_large(Block::start(block), size) };
    }

    /// How many slots of a block are or were in use: all, but for the block
    /// from which fresh slots are taken.
    pub(crate) fn used_slots(&self, block: NonNull<Block>) -> usize {
        // SAFETY: callers give blocks of this heap.
        let size = unsafe { block.as_ref().size };
        let first = block.addr().get() + Block::FIRST;
        match self.fresh_in(block) {
            Some(fresh) => (fresh - first) / size,
            None => Block::slots(size),
        }
    }

    /// The address of the next fresh slot of a block's class, if it is in
    /// that block or at its end.
    fn fresh_in(&self, block: NonNull<Block>) -> Option<usize> {
        // SAFETY: callers give blocks of this heap.
        let (class, size) = unsafe { (block.as_ref().class, block.as_ref().size) };
        let fresh = self.classes[class].fresh.get().addr();
        let first = block.addr().get() + Block::FIRST;
        (fresh > first && fresh <= first + Block::slots(size) * size).then_some(fresh)
    }

    /// A block with slots, by its number.
    pub(crate) fn block(&self, at: usize) -> Option<NonNull<Block>> {
        // SAFETY: see `slot_of_new_block`.
        let memory = unsafe { &*self.memory.get() };
        memory.blocks.get(at).copied()
    }

    /// A block with a large object, by its number.
    pub(crate) fn large_block(&self, at: usize) -> Option<NonNull<Block>> {
        // SAFETY: see `slot_of_new_block`.
        let memory = unsafe { &*self.memory.get() };
        memory.large.get(at).copied()
    }

    /// The state's own address.
    pub(crate) fn this(&self) -> NonNull<Self> {
        self.this.get()
    }

    /// Puts a list of free slots before those of their class.
    ///
    /// # Safety
    /// The slots are free, of this heap and class, and on no list.
    pub(crate) unsafe fn put_list(&self, first: NonNull<Free>, last: NonNull<Free>, class: usize) {
        let place = &self.classes[class];
        // SAFETY: by the caller.
        unsafe { (*last.as_ptr()).next = place.free.get() };
        place.free.set(first.as_ptr());
    }

    /// Empties the lists of free slots, to be filled again.
    pub(crate) fn forget_free(&self) {
        for class in &self.classes {
            class.free.set(ptr::null_mut());
        }
    }

    /// Takes a block out of use.
    ///
    /// # Safety
    /// It is of this heap, no object is in it, and none of its slots is on a
    /// list.
    pub(crate) unsafe fn retire(&self, block: NonNull<Block>) {
        // SAFETY: it is a block of this heap.
        let (class, place) = unsafe { (block.as_ref().class, block.as_ref().place.get()) };
        if self.fresh_in(block).is_some() {
            self.classes[class].fresh.set(ptr::null_mut());
            self.classes[class].end.set(ptr::null_mut());
        }
        // SAFETY: see `slot_of_new_block`.
        let memory = unsafe { &mut *self.memory.get() };
        memory.blocks.swap_remove(place);
        if let Some(moved) = memory.blocks.get(place) {
            // SAFETY: what the list holds are blocks.
            unsafe { moved.as_ref().place.set(place) };
        }
        self.bytes.set(self.bytes.get() - BLOCK);
        // SAFETY: the block is not in use any more.
        unsafe { memory.give_back(Block::start(block)) };
    }
}

impl Memory {
    /// A block that is not in use, which it then is.
    fn unused_block(&mut self) -> NonNull<u8> {
        let from = self.first_unused;
        let at = self.chunks[from..]
            .iter()
            .position(|chunk| chunk.unused != 0);
        let at = from + at.unwrap_or(self.chunks.len() - from);
        if at == self.chunks.len() {
            let start = pool::take();
            let unused = u16::MAX;
            self.chunks.push(Chunk { start, unused });
        }
        self.first_unused = at;
        let chunk = &mut self.chunks[at];
        let block = chunk.unused.trailing_zeros() as usize;
        chunk.unused &= chunk.unused - 1;
        // SAFETY: a chunk has so many blocks.
        unsafe { chunk.start.byte_add(block * BLOCK) }
    }

    /// Puts a block to the unused ones, and gives its chunk back if it was
    /// the last one in use.
    ///
    /// # Safety
    /// The block is of this memory and nothing refers to it.
    unsafe fn give_back(&mut self, block: NonNull<u8>) {
        let found = self.chunks.iter().position(|chunk| {
            let away = block.addr().get().wrapping_sub(chunk.start.addr().get());
            away < BLOCKS * BLOCK
        });
        let at = found.expect("a block of this heap");
        let chunk = &mut self.chunks[at];
        let block = (block.addr().get() - chunk.start.addr().get()) / BLOCK;
        chunk.unused |= 1 << block;
        self.first_unused = self.first_unused.min(at);
        if chunk.unused == u16::MAX {
            let chunk = self.chunks.remove(at);
            // SAFETY: none of its blocks is in use.
            unsafe { pool::give(chunk.start) };
        }
    }

    /// Gives all memory back.
    ///
    /// # Safety
    /// Nothing refers to it any more.
    pub(crate) unsafe fn give_all(&mut self) {
        for chunk in self.chunks.drain(..) {
            // SAFETY: by the caller.
            unsafe { pool::give(chunk.start) };
        }
        for block in self.large.drain(..) {
            // SAFETY: by the caller; the size is the block's.
            unsafe { pool::give_large(Block::start(block), block.as_ref().size) };
        }
    }
}

impl Clone for Heap {
    fn clone(&self) -> Self {
        let handles = &self.state().handles;
        handles.set(handles.get() + 1);
        Self { state: self.state }
    }
}

impl Default for Heap {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        let state = self.state();
        state.handles.set(state.handles.get() - 1);
        if state.handles.get() == 0 {
            // SAFETY: there is no other handle, and this one is not used
            // again.
            unsafe { State::abandon(self.state) };
        }
    }
}
