//! Arguments of functions called by `METH_FASTCALL | METH_KEYWORDS`.
//!
//! A call without options must cost next to nothing, so there is no table to
//! fill for it: [`Signature::parse`] writes only what the call names.

use core::ffi::CStr;
use core::ptr;

use pyo3_ffi as ffi;
use pyo3_ffi::{Py_ssize_t, PyObject};

use crate::ffi::owned::Raised;
use crate::ffi::str::{self, Chars};

/// What a function takes: `positional` parameters, of which the first
/// `required` must be there, then keyword-only ones. The first
/// `positional_only` cannot be given by name.
pub struct Signature {
    /// For error messages, such as `dumps`.
    pub name: &'static str,
    /// Names in order.
    pub params: &'static [&'static str],
    /// How many must be given.
    pub required: usize,
    /// How many may be given by position.
    pub positional: usize,
    /// How many may be given by position only.
    pub positional_only: usize,
}

impl Signature {
    /// Of a function that takes all of them, by position only.
    pub const fn of_positions(name: &'static str, params: &'static [&'static str]) -> Signature {
        Signature {
            name,
            params,
            required: params.len(),
            positional: params.len(),
            positional_only: params.len(),
        }
    }

    /// The arguments of a call, as [`Signature::parse`] sorts them.
    ///
    /// # Safety
    /// The arguments are those of a vectorcall.
    #[inline]
    pub unsafe fn sorted<const N: usize>(
        &self,
        args: *const *mut PyObject,
        nargs: Py_ssize_t,
        names: *mut PyObject,
    ) -> Result<[*mut PyObject; N], Raised> {
        let mut given = [ptr::null_mut(); N];
        // SAFETY: as the caller says.
        let fits = unsafe { self.parse(args, nargs, names, &mut given) };
        if fits { Ok(given) } else { Err(Raised) }
    }

    /// Sorts the arguments of a call into `out`, null where one is not given.
    /// `false` with `TypeError` set when they do not fit.
    ///
    /// # Safety
    /// The arguments are those of a vectorcall.
    #[inline]
    pub unsafe fn parse<const N: usize>(
        &self,
        args: *const *mut PyObject,
        nargs: Py_ssize_t,
        names: *mut PyObject,
        out: &mut [*mut PyObject; N],
    ) -> bool {
        debug_assert_eq!(N, self.params.len());
        let nargs = nargs as usize;
        if nargs > self.positional {
            return self.too_many(nargs);
        }
        // SAFETY: a vectorcall passes `nargs` values, then one per name.
        unsafe {
            ptr::copy_nonoverlapping(args, out.as_mut_ptr(), nargs);
            if !names.is_null() && !self.keywords(args.add(nargs), names, out) {
                return false;
            }
        }
        if let Some(missing) = out[..self.required].iter().position(|arg| arg.is_null()) {
            let text = format!(
                "{}() missing required argument: '{}'",
                self.name, self.params[missing]
            );
            return type_error(&text);
        }
        true
    }

    /// As [`Signature::parse`], for the arguments of a class.
    ///
    /// # Safety
    /// `args` is a tuple, `keywords` a dict or null.
    pub unsafe fn parse_class<const N: usize>(
        &self,
        args: *mut PyObject,
        keywords: *mut PyObject,
        out: &mut [*mut PyObject; N],
    ) -> bool {
        // SAFETY: as the caller says; the dict is not changed meanwhile.
        unsafe {
            let nargs = ffi::PyTuple_GET_SIZE(args) as usize;
            if nargs > self.positional {
                return self.too_many(nargs);
            }
            for (i, slot) in out.iter_mut().take(nargs).enumerate() {
                *slot = ffi::PyTuple_GET_ITEM(args, i as Py_ssize_t);
            }
            let (mut pos, mut name, mut value) = (0, ptr::null_mut(), ptr::null_mut());
            while !keywords.is_null()
                && ffi::PyDict_Next(keywords, &raw mut pos, &raw mut name, &raw mut value) != 0
            {
                if ffi::PyUnicode_Check(name) == 0 {
                    return type_error("keywords must be strings");
                }
                let Some(index) = self.index_of(name) else {
                    return self.unexpected(name);
                };
                out[index] = value;
            }
        }
        true
    }

    #[cold]
    fn too_many(&self, nargs: usize) -> bool {
        let plural = if self.positional == 1 { "" } else { "s" };
        type_error(&format!(
            "{}() takes at most {} positional argument{plural} ({nargs} given)",
            self.name, self.positional
        ))
    }

    unsafe fn keywords(
        &self,
        values: *const *mut PyObject,
        names: *mut PyObject,
        out: &mut [*mut PyObject],
    ) -> bool {
        // SAFETY: `names` is a tuple of `str`, with a value for each.
        unsafe {
            for i in 0..ffi::PyTuple_GET_SIZE(names) {
                let name = ffi::PyTuple_GET_ITEM(names, i);
                let Some(index) = self.index_of(name) else {
                    return self.unexpected(name);
                };
                if !out[index].is_null() {
                    return type_error(&format!(
                        "{}() got multiple values for argument '{}'",
                        self.name, self.params[index]
                    ));
                }
                out[index] = *values.add(i as usize);
            }
        }
        true
    }

    unsafe fn index_of(&self, name: *mut PyObject) -> Option<usize> {
        // SAFETY: keyword names are strings.
        let Some(Chars::Ascii(name)) = (unsafe { str::chars(name) }) else {
            return None;
        };
        let given = &self.params[self.positional_only..];
        let found = given.iter().position(|param| param.as_bytes() == name);
        Some(self.positional_only + found?)
    }

    #[cold]
    unsafe fn unexpected(&self, name: *mut PyObject) -> bool {
        let text = format!("{}() got an unexpected keyword argument '%U'\0", self.name);
        if let Ok(format) = CStr::from_bytes_with_nul(text.as_bytes()) {
            // SAFETY: the format takes one `str`.
            unsafe { ffi::PyErr_Format(ffi::PyExc_TypeError, format.as_ptr(), name) };
        }
        false
    }
}

/// Sets `TypeError` and returns `false`.
#[cold]
pub fn type_error(text: &str) -> bool {
    // SAFETY: the exception copies the text.
    unsafe { set_error(ffi::PyExc_TypeError, text) };
    false
}

/// Sets an exception of `class` with `text`.
///
/// # Safety
/// `class` is an exception class, and the GIL is held.
#[cold]
pub unsafe fn set_error(class: *mut PyObject, text: &str) {
    // SAFETY: the text is valid UTF-8; a failure to make it sets MemoryError.
    unsafe {
        let text = ffi::PyUnicode_FromStringAndSize(text.as_ptr().cast(), text.len() as Py_ssize_t);
        if !text.is_null() {
            ffi::PyErr_SetObject(class, text);
            ffi::Py_DECREF(text);
        }
    }
}
