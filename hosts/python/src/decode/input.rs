//! The text in an argument of `loads`.

use core::mem::MaybeUninit;
use core::slice;

use pyo3_ffi::{self as ffi, Py_buffer, PyObject};

use crate::args;
use crate::ffi::str::{self, Chars};

/// The text of a document. A buffer stays exported for as long as this lives,
/// so that hooks cannot resize what is being read.
pub enum Input<'a> {
    /// `str`, in the representation that it has.
    Str(Chars<'a>),
    /// The content of `bytes`.
    Bytes(&'a [u8]),
    /// The content of a `bytearray` or `memoryview`.
    Buffer(Py_buffer),
}

/// The text itself.
pub enum Units<'a> {
    /// Of a `str`.
    Str(Chars<'a>),
    /// Of anything else: UTF-8, not yet checked.
    Utf8(&'a [u8]),
}

impl Input<'_> {
    /// The text in `object`; `None` with an exception set if it has none.
    ///
    /// # Safety
    /// The GIL is held, and `object` outlives the result.
    #[inline(always)]
    pub unsafe fn of(object: *mut PyObject) -> Option<Self> {
        // SAFETY: each kind of object is read as what it is.
        unsafe {
            if ffi::PyBytes_Check(object) != 0 {
                let data = ffi::PyBytes_AS_STRING(object).cast();
                let len = ffi::Py_SIZE(object) as usize;
                Some(Self::Bytes(slice::from_raw_parts(data, len)))
            } else if ffi::PyUnicode_Check(object) != 0 {
                str::chars(object).map(Self::Str)
            } else {
                Self::buffer(object)
            }
        }
    }

    /// The text in a `bytearray` or `memoryview`; `None` with an exception set
    /// if `object` is neither or has no contiguous text.
    ///
    /// # Safety
    /// As for [`Input::of`].
    pub unsafe fn buffer(object: *mut PyObject) -> Option<Self> {
        // SAFETY: the buffer is used only if it has been filled.
        unsafe {
            if ffi::PyByteArray_Check(object) == 0 && ffi::PyMemoryView_Check(object) == 0 {
                ffi::PyErr_Format(
                    ffi::PyExc_TypeError,
                    c"the JSON document must be str, bytes, bytearray or memoryview, not %.200s"
                        .as_ptr(),
                    (*ffi::Py_TYPE(object)).tp_name,
                );
                return None;
            }
            let mut buffer = MaybeUninit::uninit();
            if ffi::PyObject_GetBuffer(object, buffer.as_mut_ptr(), ffi::PyBUF_SIMPLE) != 0 {
                return None;
            }
            let buffer = buffer.assume_init();
            if buffer.len < 0 {
                args::type_error("the buffer of the JSON document has no length");
                return None;
            }
            Some(Self::Buffer(buffer))
        }
    }

    /// The text.
    #[inline(always)]
    pub fn units(&self) -> Units<'_> {
        match self {
            Self::Str(chars) => Units::Str(*chars),
            Self::Bytes(bytes) => Units::Utf8(bytes),
            Self::Buffer(buffer) if buffer.len == 0 => Units::Utf8(&[]),
            // SAFETY: a simple buffer is contiguous, and keeps its place and
            // length while it is exported. A hook may write into it, but none
            // runs between the reading of a token and the making of its
            // object: the parser meets other bytes only at the next token.
            Self::Buffer(buffer) => Units::Utf8(unsafe {
                slice::from_raw_parts(buffer.buf.cast(), buffer.len as usize)
            }),
        }
    }
}

impl Drop for Input<'_> {
    fn drop(&mut self) {
        if let Self::Buffer(buffer) = self {
            // SAFETY: it has been exported and not yet released.
            unsafe { ffi::PyBuffer_Release(buffer) };
        }
    }
}
