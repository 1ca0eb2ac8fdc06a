//! `int` objects. Most are small, and of each of those the interpreter has just
//! one: a table of them saves the call.

use core::cell::UnsafeCell;
use core::hint::select_unpredictable;
use core::ptr::null_mut;

use pyo3_ffi::{self as ffi, Py_ssize_t, PyObject};

use crate::ffi::int;
use crate::ffi::object::{BLOCKS, Head, Spare};

/// The least integer of which there is one object only.
const FIRST: i64 = -5;
/// How many of them there are.
const COUNT: usize = 262;
/// From here on an `int` has more than one digit.
const ONE_DIGIT: u64 = 1 << 30;

/// References of the table's own.
struct Table(UnsafeCell<[*mut PyObject; COUNT]>);

// SAFETY: read and written under the GIL only (the module declares that it
// needs it and is refused by a second interpreter).
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new([null_mut(); COUNT]));

/// Fills the table, once, before anything else of this file is called; `None`
/// with an exception set when there is no memory.
///
/// # Safety
/// The GIL is held.
pub unsafe fn fill() -> Option<()> {
    for index in 0..COUNT {
        // SAFETY: the GIL is held, and the place lies within the table.
        unsafe {
            let object = ffi::PyLong_FromLongLong(FIRST + index as i64);
            if object.is_null() {
                return None;
            }
            *place(index) = object;
        }
    }
    Some(())
}

#[inline(always)]
fn place(index: usize) -> *mut *mut PyObject {
    TABLE.0.get().cast::<*mut PyObject>().wrapping_add(index)
}

/// A new reference to an `int`; null with an exception set when there is no
/// memory.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn make(value: i64) -> *mut PyObject {
    let index = value.wrapping_sub(FIRST) as usize;
    // SAFETY: the GIL is held, and the place lies within the table.
    unsafe {
        if index < COUNT {
            let shared = *place(index);
            ffi::Py_INCREF(shared);
            return shared;
        }
        int::new_unshared(value)
    }
}

/// Pushes new references to the integers of a run: how many there were. `None` with an exception set when there is no
/// memory.
///
/// Whether an integer is a shared one cannot be predicted. So each is written
/// into a spare block, and nothing branches on whether that or the table's
/// object is pushed.
///
/// # Safety
/// The GIL is held, and `run` does nothing with objects.
#[inline(always)]
pub unsafe fn push_all(
    values: &mut Vec<*mut PyObject>,
    run: &mut impl Iterator<Item = i64>,
) -> Option<usize> {
    let before = values.len();
    loop {
        values.reserve(BLOCKS);
        // SAFETY: the GIL is held. No more is pushed than was reserved, and
        // no more blocks are taken than there are.
        unsafe {
            let blocks = Spare::all()?;
            let start = values.as_mut_ptr().add(values.len());
            let (mut to, mut top) = (start, blocks);
            let end = start.add(BLOCKS);
            let finished = loop {
                if to == end {
                    break Some(false);
                }
                let Some(value) = run.next() else {
                    break Some(true);
                };
                let object = if value.unsigned_abs() < ONE_DIGIT {
                    one_digit(value, &mut top)
                } else {
                    int::new_unshared(value)
                };
                if object.is_null() {
                    break None;
                }
                to.write(object);
                to = to.add(1);
            };
            Spare::keep(BLOCKS - blocks.offset_from_unsigned(top));
            values.set_len(values.len() + to.offset_from_unsigned(start));
            if finished? {
                return Some(values.len() - before);
            }
        }
    }
}

/// A new reference to an `int` of one digit, written into the block below
/// `top`, which is lowered if that is what the reference is to.
///
/// # Safety
/// As for [`int::write_digit`].
#[inline(always)]
unsafe fn one_digit(value: i64, top: &mut *mut *mut PyObject) -> *mut PyObject {
    // SAFETY: as the caller says; the place lies within the table.
    unsafe {
        let block = *top.sub(1);
        int::write_digit(block, value);
        let index = value.wrapping_sub(FIRST) as usize;
        let is_shared = index < COUNT;
        let shared = *place(index.min(COUNT - 1));
        let object = select_unpredictable(is_shared, shared, block);
        *top = top.sub(usize::from(!is_shared));
        // From 3.12 on shared integers are not counted.
        if cfg!(not(Py_3_12)) {
            (*object.cast::<Head>()).refcnt += Py_ssize_t::from(is_shared);
        }
        object
    }
}
