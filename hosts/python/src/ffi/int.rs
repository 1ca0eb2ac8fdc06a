//! `int` as it lies in memory: base-2^30 digits, the least significant first.
//!
//! Until 3.11 the sign is that of `ob_size`; from 3.12 on it stands in the
//! low bits of a tag whose upper bits count the digits.

use pyo3_ffi as ffi;
use pyo3_ffi::PyObject;

use super::object;

#[cfg(Py_3_12)]
#[repr(C)]
struct Layout {
    ob_base: PyObject,
    tag: usize,
    digits: [u32; 3],
}

#[cfg(not(Py_3_12))]
#[repr(C)]
struct Layout {
    ob_base: ffi::PyVarObject,
    digits: [u32; 3],
}

/// The value of an `int`, as far as it fits into 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Int {
    /// Any value of at most 63 bits and a sign.
    Signed(i64),
    /// 2^63 and above.
    Unsigned(u64),
    /// Everything else.
    Big,
}

/// How many digits, and whether the value is negative.
///
/// # Safety
/// `op` is an `int` or of a subclass.
#[inline(always)]
unsafe fn shape(op: *mut PyObject) -> (usize, bool) {
    // SAFETY: every `int` begins with this head.
    unsafe {
        #[cfg(Py_3_12)]
        {
            let tag = (*op.cast::<Layout>()).tag;
            (tag >> 3, tag & 2 != 0)
        }
        #[cfg(not(Py_3_12))]
        {
            let size = (*op.cast::<Layout>()).ob_base.ob_size;
            (size.unsigned_abs(), size < 0)
        }
    }
}

/// The value of `op`.
///
/// # Safety
/// `op` is an `int` or of a subclass.
#[inline(always)]
pub unsafe fn value(op: *mut PyObject) -> Int {
    // SAFETY: as many digits are read as there are. Those of zero are not:
    // it may have none.
    unsafe {
        let (count, negative) = shape(op);
        let digits = (&raw const (*op.cast::<Layout>()).digits).cast::<u32>();
        let magnitude = match count {
            0 => return Int::Signed(0),
            1 => *digits as u64,
            2 => *digits as u64 | (*digits.add(1) as u64) << 30,
            _ => return wide(digits, count, negative),
        };
        let value = magnitude as i64;
        Int::Signed(if negative { -value } else { value })
    }
}

/// Whether `op` may lie beyond 30 bits.
///
/// # Safety
/// `op` is an `int` or of a subclass.
#[inline(always)]
pub unsafe fn is_long(op: *mut PyObject) -> bool {
    // SAFETY: as the caller says.
    unsafe { shape(op).0 > 1 }
}

/// # Safety
/// There are at least three digits, and exactly `count`.
#[cold]
unsafe fn wide(digits: *const u32, count: usize, negative: bool) -> Int {
    // SAFETY: as the caller says.
    let [d0, d1, d2] = unsafe { *digits.cast::<[u32; 3]>() };
    if count > 3 || d2 >= 1 << 4 {
        return Int::Big;
    }
    let magnitude = d0 as u64 | (d1 as u64) << 30 | (d2 as u64) << 60;
    match (negative, magnitude) {
        (false, 0..=0x7FFF_FFFF_FFFF_FFFF) => Int::Signed(magnitude as i64),
        (false, _) => Int::Unsigned(magnitude),
        (true, 0..=0x8000_0000_0000_0000) => Int::Signed((magnitude as i64).wrapping_neg()),
        (true, _) => Int::Big,
    }
}

/// The absolute value of `op`, if 128 bits hold it.
///
/// # Safety
/// `op` is an `int` or of a subclass.
pub unsafe fn magnitude(op: *mut PyObject) -> Option<u128> {
    // SAFETY: as many digits are read as there are.
    unsafe {
        let (count, _) = shape(op);
        let digits = (&raw const (*op.cast::<Layout>()).digits).cast::<u32>();
        if count > 5 {
            return None;
        }
        let mut value = 0_u128;
        for i in (0..count).rev() {
            if value >> 98 != 0 {
                return None;
            }
            value = value << 30 | *digits.add(i) as u128;
        }
        Some(value)
    }
}

/// A new `int` that is none of those which the interpreter shares (-5 to 256);
/// null with `MemoryError` set when there is no memory.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn new_unshared(value: i64) -> *mut PyObject {
    debug_assert!(!(-5..=256).contains(&value));
    let magnitude = value.unsigned_abs();
    // SAFETY: as the caller says.
    unsafe {
        if !object::IN_PLACE {
            return ffi::PyLong_FromLongLong(value);
        }
        if magnitude >> 60 == 0 {
            let count = 1 + usize::from(magnitude >> 30 != 0);
            made::<2>(magnitude, count, value < 0)
        } else {
            made::<3>(magnitude, 3, value < 0)
        }
    }
}

/// Writes an `int` of one digit into a block of [`object::BLOCK`] bytes: none
/// of those which the interpreter shares, unless nobody is to see it.
///
/// # Safety
/// [`object::IN_PLACE`] is set; the block is the caller's, and `value` is of
/// less than 30 bits beside its sign.
#[inline(always)]
pub unsafe fn write_digit(block: *mut PyObject, value: i64) {
    debug_assert!(value.unsigned_abs() < 1 << 30);
    // SAFETY: as the caller says; a block has room for two digits.
    unsafe {
        let kind = &raw mut ffi::PyLong_Type;
        block
            .cast::<object::Head>()
            .write(object::Head { refcnt: 1, kind });
        let op = block.cast::<Layout>();
        #[cfg(Py_3_12)]
        (&raw mut (*op).tag).write(1 << 3 | if value < 0 { 2 } else { 0 });
        #[cfg(not(Py_3_12))]
        (&raw mut (*op).ob_base.ob_size).write(if value < 0 { -1 } else { 1 });
        let digit = (&raw mut (*op).digits).cast::<u32>();
        digit.write(value.unsigned_abs() as u32);
    }
}

/// An `int` of `count` digits, with room for `ROOM`.
///
/// # Safety
/// As for [`object::allocate`]; `count` is at most `ROOM`.
#[inline(always)]
unsafe fn made<const ROOM: usize>(magnitude: u64, count: usize, negative: bool) -> *mut PyObject {
    const DIGIT: u64 = (1 << 30) - 1;
    // SAFETY: as the caller says; the digits lie at the object's end.
    unsafe {
        let size = core::mem::offset_of!(Layout, digits) + ROOM * size_of::<u32>();
        let op = object::allocate(size, &raw mut ffi::PyLong_Type).cast::<Layout>();
        if op.is_null() {
            return op.cast();
        }
        #[cfg(Py_3_12)]
        (&raw mut (*op).tag).write(count << 3 | if negative { 2 } else { 0 });
        #[cfg(not(Py_3_12))]
        {
            let count = count as ffi::Py_ssize_t;
            (&raw mut (*op).ob_base.ob_size).write(if negative { -count } else { count });
        }
        let digits = (&raw mut (*op).digits).cast::<u32>();
        for i in 0..ROOM {
            digits.add(i).write((magnitude >> (30 * i) & DIGIT) as u32);
        }
        op.cast()
    }
}

/// Whether this file reads integers as the running interpreter writes them, and
/// writes them in the same way.
///
/// # Safety
/// The GIL is held.
pub unsafe fn verify_layout() -> bool {
    let signed = [
        0,
        1,
        -1,
        (1 << 30) - 1,
        1 << 30,
        -(1 << 29) - 3,
        -(1 << 45) - 3,
        1 << 60,
        i64::MAX,
        i64::MIN,
    ];
    let signed = signed.into_iter().all(|sample: i64| {
        let bits = 64 - sample.unsigned_abs().leading_zeros() as usize;
        let size = core::mem::offset_of!(Layout, digits) + size_of::<u32>() * bits.div_ceil(30);
        // SAFETY: new references to an `int` of that many digits.
        unsafe {
            let theirs = || ffi::PyLong_FromLongLong(sample);
            reads(theirs(), Int::Signed(sample))
                && (bits < 9 || object::same_bytes(new_unshared(sample), theirs(), [0..8, 8..size]))
                && (!(9..=30).contains(&bits) || writes_digit(sample, theirs(), size))
        }
    });
    // SAFETY: as above.
    signed
        && unsafe {
            reads(
                ffi::PyLong_FromUnsignedLongLong(u64::MAX),
                Int::Unsigned(u64::MAX),
            )
        }
}

/// Whether [`write_digit`] writes what the interpreter has made.
///
/// # Safety
/// The GIL is held; `theirs` is null or an owned `int` of `size` bytes, and has
/// this value of one digit.
unsafe fn writes_digit(value: i64, theirs: *mut PyObject, size: usize) -> bool {
    // SAFETY: as the caller says; a block from the interpreter's allocator
    // becomes an object that it releases.
    unsafe {
        if !object::IN_PLACE {
            ffi::Py_XDECREF(theirs);
            return true;
        }
        let block = ffi::PyObject_Malloc(object::BLOCK).cast::<PyObject>();
        if !block.is_null() {
            write_digit(block, value);
        }
        object::same_bytes(block, theirs, [0..8, 8..size])
    }
}

/// # Safety
/// `op` is null or an owned `int`.
unsafe fn reads(op: *mut PyObject, expected: Int) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        let Some(op) = super::owned::Owned::from_new(op) else {
            return false;
        };
        value(op.as_ptr()) == expected
    }
}
