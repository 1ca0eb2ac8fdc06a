//! `str` as PEP 393 lays it out, read and made in place.
//!
//! The layout depends on the version: until 3.11 a `wstr` pointer stands
//! behind the state word and strings may be *not ready*; from 3.12 on it is
//! gone. [`verify_layout`] holds what this file assumes against strings that
//! the running interpreter makes, once, when the module is imported.

use core::slice;

use pyo3_ffi as ffi;
use pyo3_ffi::{Py_UCS4, Py_ssize_t, PyObject};

use super::object;

/// The head of every `str` (`PyASCIIObject` up to its state word).
#[repr(C)]
struct Head {
    ob_base: PyObject,
    length: Py_ssize_t,
    hash: ffi::Py_hash_t,
    state: u32,
}

/// Size of `PyASCIIObject`: a compact ASCII string's characters follow it.
const ASCII_HEADER: usize = if cfg!(Py_3_12) { 40 } else { 48 };
/// Size of `PyCompactUnicodeObject`: the characters of the other compact
/// strings follow it, and the data pointer of those that are not compact.
const COMPACT_HEADER: usize = if cfg!(Py_3_12) { 56 } else { 72 };

// The state word: interned:2, kind:3, compact:1, ascii:1 (then `ready` until
// 3.11, `statically_allocated` from 3.12). Bit fields start at the low end on
// little-endian machines, at the high end on big-endian ones.
const fn field(bits: u32, shift: u32, width: u32) -> u32 {
    if cfg!(target_endian = "big") {
        bits << (32 - shift - width)
    } else {
        bits << shift
    }
}
const COMPACT: u32 = field(1, 5, 1);
const ASCII: u32 = field(1, 6, 1);
const READY: u32 = if cfg!(Py_3_12) { 0 } else { field(1, 7, 1) };
const FORM: u32 = field(7, 2, 3) | COMPACT | ASCII;
const IS_ASCII: u32 = field(1, 2, 3) | COMPACT | ASCII;
const IS_LATIN1: u32 = field(1, 2, 3) | COMPACT;
const IS_UCS2: u32 = field(2, 2, 3) | COMPACT;
const IS_UCS4: u32 = field(4, 2, 3) | COMPACT;

/// The characters of a `str`, in the representation that they have.
#[derive(Clone, Copy)]
pub enum Chars<'a> {
    /// All below U+0080.
    Ascii(&'a [u8]),
    /// One byte each.
    Latin1(&'a [u8]),
    /// Two bytes each.
    Ucs2(&'a [u16]),
    /// Four bytes each.
    Ucs4(&'a [u32]),
}

impl Chars<'_> {
    /// Whether there is a surrogate, which never has a partner, among them.
    pub fn has_surrogate(self) -> bool {
        match self {
            Chars::Ascii(_) | Chars::Latin1(_) => false,
            Chars::Ucs2(text) => text.iter().any(|c| c & 0xF800 == 0xD800),
            Chars::Ucs4(text) => text.iter().any(|c| c & 0xFFFF_F800 == 0xD800),
        }
    }
}

/// The characters of `op`; `None` with an exception set when an old-style
/// string cannot be made ready.
///
/// # Safety
/// `op` is a `str` or of a subclass, and outlives `'a`.
#[inline(always)]
pub unsafe fn chars<'a>(op: *mut PyObject) -> Option<Chars<'a>> {
    // SAFETY: as the caller says.
    unsafe {
        match compact(op) {
            Some(chars) => Some(chars),
            None => chars_not_compact(op),
        }
    }
}

/// The characters of `op` if they follow its header, as those of nearly all
/// strings do.
///
/// # Safety
/// As for [`chars`].
#[inline(always)]
pub unsafe fn compact<'a>(op: *mut PyObject) -> Option<Chars<'a>> {
    // SAFETY: every `str` begins with this head; a compact one has its
    // characters, `length` of them, right behind the header of its form.
    unsafe {
        let head = &*op.cast::<Head>();
        let len = head.length as usize;
        let ascii = op.cast::<u8>().add(ASCII_HEADER);
        let data = op.cast::<u8>().add(COMPACT_HEADER);
        match head.state & FORM {
            IS_ASCII => Some(Chars::Ascii(slice::from_raw_parts(ascii, len))),
            IS_LATIN1 => Some(Chars::Latin1(slice::from_raw_parts(data, len))),
            IS_UCS2 => Some(Chars::Ucs2(slice::from_raw_parts(data.cast(), len))),
            IS_UCS4 => Some(Chars::Ucs4(slice::from_raw_parts(data.cast(), len))),
            _ => None,
        }
    }
}

/// Where the characters of `op` begin and how many they are, if it is a
/// compact ASCII string. Its header stands in front of them.
///
/// # Safety
/// `op` is a `str` or of a subclass.
#[inline(always)]
pub unsafe fn ascii_behind_head(op: *mut PyObject) -> Option<(*const u8, usize)> {
    const { assert!(size_of::<Head>() <= ASCII_HEADER) };
    // SAFETY: as in [`chars`].
    unsafe {
        let head = op.cast::<Head>();
        let is_ascii = (*head).state & FORM == IS_ASCII;
        is_ascii.then(|| {
            (
                op.cast::<u8>().add(ASCII_HEADER).cast_const(),
                (*head).length as usize,
            )
        })
    }
}

/// The same for a compact string whose characters have one byte each.
///
/// # Safety
/// `op` is a `str` or of a subclass.
#[inline(always)]
pub unsafe fn narrow_behind_head(op: *mut PyObject) -> Option<(*const u8, usize)> {
    // SAFETY: as in [`chars`].
    unsafe {
        let head = op.cast::<Head>();
        let header = match (*head).state & FORM {
            IS_ASCII => ASCII_HEADER,
            IS_LATIN1 => COMPACT_HEADER,
            _ => return None,
        };
        let text = op.cast::<u8>().add(header).cast_const();
        Some((text, (*head).length as usize))
    }
}

/// Instances of subclasses are never compact, whatever their ASCII bit says;
/// until 3.11 neither are strings from the old buffer interface, which may
/// not be ready.
#[cold]
unsafe fn chars_not_compact<'a>(op: *mut PyObject) -> Option<Chars<'a>> {
    // SAFETY: `op` is a `str`; its data pointer is only read once it is ready.
    unsafe {
        #[cfg(not(Py_3_12))]
        if ffi::PyUnicode_READY(op) != 0 {
            return None;
        }
        let head = &*op.cast::<Head>();
        let len = head.length as usize;
        if head.state & COMPACT != 0 {
            return chars(op);
        }
        let data = op.byte_add(COMPACT_HEADER).cast::<*const u8>().read();
        Some(match head.state & FORM | COMPACT {
            IS_ASCII => Chars::Ascii(slice::from_raw_parts(data, len)),
            IS_LATIN1 => Chars::Latin1(slice::from_raw_parts(data, len)),
            IS_UCS2 => Chars::Ucs2(slice::from_raw_parts(data.cast(), len)),
            _ => Chars::Ucs4(slice::from_raw_parts(data.cast(), len)),
        })
    }
}

/// A new `str` of `len` characters up to `max_char`, its characters not yet
/// written; null with `MemoryError` set when there is no memory.
///
/// The caller writes all of them before anybody else sees the object, and
/// gives the narrowest `max_char` of 0x7F, 0xFF, 0xFFFF and 0x10FFFF that
/// holds them. An empty string is a shared object: nothing may be written.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn new(len: usize, max_char: Py_UCS4) -> *mut PyObject {
    // SAFETY: as the caller says.
    unsafe { ffi::PyUnicode_New(len as Py_ssize_t, max_char) }
}

/// [`new`] for `len` characters of which none needs more than two bytes, at
/// least one of them and at most as many as memory could hold.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn new_short(len: usize, max_char: Py_UCS4) -> *mut PyObject {
    // SAFETY: as the caller says; the NUL behind the characters is the last
    // unit that there is room for.
    unsafe {
        if !object::IN_PLACE {
            return new(len, max_char);
        }
        debug_assert!(len > 0 && max_char <= 0xFFFF);
        let (state, header, width) = match max_char {
            ..0x80 => (IS_ASCII, ASCII_HEADER, 1),
            0x80..0x100 => (IS_LATIN1, COMPACT_HEADER, 1),
            _ => (IS_UCS2, COMPACT_HEADER, 2),
        };
        let size = header + width * (len + 1);
        let op = object::allocate(size, &raw mut ffi::PyUnicode_Type);
        if !op.is_null() {
            let head = op.cast::<Head>();
            (&raw mut (*head).length).write(len as Py_ssize_t);
            (&raw mut (*head).hash).write(-1);
            (&raw mut (*head).state).write(state | READY);
            // What stands between the state and the characters is null:
            // copies in other encodings and their lengths.
            for at in (size_of::<Head>()..header).step_by(8) {
                op.byte_add(at).cast::<u64>().write(0);
            }
            let end = op.cast::<u8>().add(size - width);
            end.write(0);
            end.add(width - 1).write(0);
        }
        op
    }
}

/// Where the characters of a compact string lie.
///
/// # Safety
/// `op` is a compact `str`, such as [`new`] makes.
#[inline(always)]
pub unsafe fn compact_data(op: *mut PyObject) -> *mut u8 {
    // SAFETY: the characters of a compact string follow its header.
    unsafe {
        let ascii = (*op.cast::<Head>()).state & ASCII != 0;
        op.cast::<u8>()
            .add(if ascii { ASCII_HEADER } else { COMPACT_HEADER })
    }
}

/// Where the characters of a compact ASCII string lie.
///
/// # Safety
/// `op` is one, such as [`new`] makes for at least one ASCII character.
#[inline(always)]
pub unsafe fn ascii_data(op: *mut PyObject) -> *mut u8 {
    // SAFETY: the characters follow the header.
    unsafe { op.cast::<u8>().add(ASCII_HEADER) }
}

/// Where the characters of any other compact string lie.
///
/// # Safety
/// `op` is one, such as [`new`] makes for characters that are not all ASCII.
#[inline(always)]
pub unsafe fn wide_data(op: *mut PyObject) -> *mut u8 {
    // SAFETY: the characters follow the header.
    unsafe { op.cast::<u8>().add(COMPACT_HEADER) }
}

/// The hash of a `str`, which computes it the first time.
///
/// # Safety
/// The GIL is held, and `op` is an exact `str`.
#[inline(always)]
pub unsafe fn hash(op: *mut PyObject) -> ffi::Py_hash_t {
    // SAFETY: as the caller says; -1 stands for a hash not yet computed, and
    // no string has it.
    unsafe {
        match (*op.cast::<Head>()).hash {
            -1 => ffi::PyObject_Hash(op),
            hash => hash,
        }
    }
}

/// A new `str` of ASCII characters; null with an exception set on failure.
///
/// # Safety
/// The GIL is held, and `text` is ASCII.
#[inline]
pub unsafe fn from_ascii(text: &[u8]) -> *mut PyObject {
    // SAFETY: a fresh compact ASCII string has room for its characters.
    unsafe {
        let op = new(text.len(), 0x7F);
        if !op.is_null() && !text.is_empty() {
            core::ptr::copy_nonoverlapping(text.as_ptr(), compact_data(op), text.len());
        }
        op
    }
}

/// The text of `op`, which is released, as a string of its narrowest form;
/// null with `MemoryError` set when there is no memory.
///
/// # Safety
/// `op` is a compact `str` that the caller owns.
pub unsafe fn narrowed(op: *mut PyObject) -> *mut PyObject {
    // SAFETY: as the caller says; the interpreter copies the characters.
    unsafe {
        let (kind, data, len): (_, *const core::ffi::c_void, _) = match chars(op) {
            Some(Chars::Latin1(s)) => (1, s.as_ptr().cast(), s.len()),
            Some(Chars::Ucs2(s)) => (2, s.as_ptr().cast(), s.len()),
            Some(Chars::Ucs4(s)) => (4, s.as_ptr().cast(), s.len()),
            Some(Chars::Ascii(_)) | None => return op,
        };
        let copy = ffi::PyUnicode_FromKindAndData(kind, data, len as Py_ssize_t);
        ffi::Py_DECREF(op);
        copy
    }
}

/// Whether this file reads strings as the running interpreter writes them, and
/// writes them in the same way.
///
/// # Safety
/// The GIL is held.
pub unsafe fn verify_layout() -> bool {
    let writes = [0x7F, 0xFF, 0xFFFF].into_iter().all(|max_char| {
        // SAFETY: both are new strings of one length and kind.
        unsafe {
            let header = if max_char == 0x7F {
                ASCII_HEADER
            } else {
                COMPACT_HEADER
            };
            // Of the state one byte is used; what is behind it may be anything.
            let state = core::mem::offset_of!(Head, state);
            let used = [0..state + 1, size_of::<Head>()..header];
            object::same_bytes(new_short(9, max_char), new(9, max_char), used)
        }
    });
    let reads = [0x7E, 0xE9, 0x20AC, 0x1_F600].into_iter().all(|last: u32| {
        let mut sample: Vec<u32> = (0..100).map(|i| 0x20 + i % 0x5F).collect();
        sample.push(last);
        // SAFETY: the interpreter copies the code points.
        unsafe {
            let op = ffi::PyUnicode_FromKindAndData(
                4,
                sample.as_ptr().cast(),
                sample.len() as Py_ssize_t,
            );
            if op.is_null() {
                return false;
            }
            let equal = match chars(op) {
                Some(Chars::Ascii(s)) => last < 0x80 && same(s, &sample),
                Some(Chars::Latin1(s)) => (0x80..0x100).contains(&last) && same(s, &sample),
                Some(Chars::Ucs2(s)) => (0x100..0x1_0000).contains(&last) && same(s, &sample),
                Some(Chars::Ucs4(s)) => last >= 0x1_0000 && same(s, &sample),
                None => false,
            };
            ffi::Py_DECREF(op);
            equal
        }
    });
    reads && writes
}

fn same<U: Copy + Into<u32>>(units: &[U], sample: &[u32]) -> bool {
    units.len() == sample.len() && units.iter().zip(sample).all(|(&u, &s)| u.into() == s)
}

/// Gives a string under construction another length; its new address, or
/// null with an exception set, and then it is gone.
///
/// # Safety
/// `op` was made by [`new`] with a length above 0, and nobody else has seen
/// it.
pub unsafe fn resize(mut op: *mut PyObject, len: usize) -> *mut PyObject {
    // SAFETY: as the caller says; a failed resize leaves the object alone.
    unsafe {
        if ffi::PyUnicode_Resize(&raw mut op, len as Py_ssize_t) != 0 {
            ffi::Py_DECREF(op);
            return core::ptr::null_mut();
        }
    }
    op
}
