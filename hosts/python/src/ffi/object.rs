//! Objects of plain types, made without the interpreter's constructors.
//!
//! Numbers, strings and the tables of dicts are most of what a document turns
//! into, and a constructor takes longer than the memory that it fills: it goes
//! through the procedure linkage table once for the allocation and again for
//! the first reference. What is made here comes from the same allocator, has
//! the same bytes (each kind's `verify_layout` compares them when the module
//! is imported) and is released by the interpreter like any other object.
//!
//! Newer interpreters than are known, and those that count or trace all
//! references, are asked instead: see [`IN_PLACE`].

use core::cell::UnsafeCell;
use core::ops::Range;
use core::ptr::null_mut;

use pyo3_ffi::{self as ffi, Py_ssize_t, PyObject, PyTypeObject};

use super::owned::Owned;

/// Whether objects are made in place. (Python 3.14 keeps free integers in a
/// list, which is better served by its own constructor.)
pub const IN_PLACE: bool = cfg!(not(any(
    Py_3_14,
    Py_GIL_DISABLED,
    py_sys_config = "Py_DEBUG",
    py_sys_config = "Py_REF_DEBUG",
    py_sys_config = "Py_TRACE_REFS",
)));

/// What every object begins with until 3.13.
#[repr(C)]
pub struct Head {
    /// References.
    pub refcnt: Py_ssize_t,
    /// The type.
    pub kind: *mut PyTypeObject,
}

/// Memory for an object of `size` bytes with its head written: one reference,
/// which is the caller's. Null with `MemoryError` set when there is none.
///
/// # Safety
/// The GIL is held, [`IN_PLACE`] is set, `size` has room for the head, and
/// `kind` is a static type whose objects are released by `PyObject_Free` and
/// unknown to the garbage collector.
#[inline(always)]
pub unsafe fn allocate(size: usize, kind: *mut PyTypeObject) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe {
        let op = ffi::PyObject_Malloc(size).cast::<Head>();
        if op.is_null() {
            return no_memory();
        }
        op.write(Head { refcnt: 1, kind });
        op.cast()
    }
}

/// Bytes of a [`Spare`] block: room for a `float`, and for an `int` of two
/// digits. (The interpreter gives no smaller blocks for either.)
pub const BLOCK: usize = 32;
/// How many [`Spare`] blocks there are at most.
pub const BLOCKS: usize = 64;

/// Blocks for objects that were taken ahead of need. Whoever makes many of one
/// size has no call between them then, and nothing to decide either: a block
/// is written in any case, and taken if it is needed. What is left is for the
/// next.
pub struct Spare {
    blocks: [*mut PyObject; BLOCKS],
    count: usize,
}

struct Slot(UnsafeCell<Spare>);

// SAFETY: touched under the GIL only (the module declares that it needs it and
// is refused by a second interpreter), and never across a call that could give
// it up.
unsafe impl Sync for Slot {}

static SPARE: Slot = Slot(UnsafeCell::new(Spare {
    blocks: [null_mut(); BLOCKS],
    count: 0,
}));

impl Spare {
    /// The end of [`BLOCKS`] blocks; `None` with `MemoryError` set when there
    /// is no memory.
    ///
    /// They are taken from the last one on, [`Spare::keep`] says how far, before
    /// anything else is called that takes some.
    ///
    /// # Safety
    /// The GIL is held, and [`IN_PLACE`] is set.
    #[inline(always)]
    pub unsafe fn all() -> Option<*mut *mut PyObject> {
        // SAFETY: as the caller says.
        unsafe {
            let spare = &mut *SPARE.0.get();
            if spare.count < BLOCKS && !spare.fill() {
                return None;
            }
            Some(spare.blocks.as_mut_ptr().add(BLOCKS))
        }
    }

    /// Leaves the first `count` blocks for others.
    ///
    /// # Safety
    /// As for [`Spare::all`], which was called before.
    #[inline(always)]
    pub unsafe fn keep(count: usize) {
        debug_assert!(count <= BLOCKS);
        // SAFETY: as the caller says.
        unsafe { (*SPARE.0.get()).count = count };
    }

    /// Takes blocks until there are as many as may be; whether it could.
    #[inline(never)]
    unsafe fn fill(&mut self) -> bool {
        for block in &mut self.blocks[self.count..] {
            // SAFETY: the GIL is held.
            unsafe {
                *block = ffi::PyObject_Malloc(BLOCK).cast();
                if block.is_null() {
                    no_memory();
                    return false;
                }
            }
            self.count += 1;
        }
        true
    }
}

/// Null with `MemoryError` set.
///
/// # Safety
/// The GIL is held.
#[cold]
pub unsafe fn no_memory() -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe { ffi::PyErr_NoMemory() };
    null_mut()
}

/// Whether two fresh objects agree in these two stretches of bytes. Both are
/// released.
///
/// # Safety
/// The GIL is held; each is null or an owned reference to an object that has
/// these bytes.
pub unsafe fn same_bytes(
    one: *mut PyObject,
    other: *mut PyObject,
    stretches: [Range<usize>; 2],
) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        let (one, other) = (Owned::from_new(one), Owned::from_new(other));
        let (Some(one), Some(other)) = (one, other) else {
            return false;
        };
        stretches.into_iter().all(|stretch| {
            let bytes = |op: &Owned| {
                let from = op.as_ptr().cast::<u8>().add(stretch.start);
                core::slice::from_raw_parts(from, stretch.len())
            };
            bytes(&one) == bytes(&other)
        })
    }
}
