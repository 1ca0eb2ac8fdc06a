//! The options of `loads` and `load`.

use core::ptr::null_mut;

use linecaster_decode::{Options, Surrogates, SyntaxError};
use pyo3_ffi::{self as ffi, PyObject};

use super::hooks::Hooks;
use super::raise;
use crate::args;
use crate::ffi::str::{self, Chars};

/// How many parameters there are.
pub const COUNT: usize = 9;

/// All parameters, of which the first is called `subject`.
pub const fn params(subject: &'static str) -> [&'static str; COUNT] {
    [
        subject,
        "object_hook",
        "object_pairs_hook",
        "parse_float",
        "parse_int",
        "max_depth",
        "strict",
        "allow_nan",
        "surrogates",
    ]
}

/// The parameters behind the first: those that are options.
pub const fn names() -> [&'static str; COUNT - 1] {
    let all = params("");
    let mut names = [""; COUNT - 1];
    let mut i = 0;
    while i < names.len() {
        names[i] = all[i + 1];
        i += 1;
    }
    names
}

/// What a call asks for.
#[derive(Clone)]
pub struct LoadOptions {
    /// What to call; borrowed from the call's arguments.
    pub hooks: Hooks,
    /// What is a document.
    pub syntax: Options,
    /// How what is none is told.
    pub raise: Raise,
}

/// Sets the exception for a text that is not a document.
pub type Raise = unsafe fn(text: *mut PyObject, error: &SyntaxError);

impl LoadOptions {
    /// What a call without options asks for.
    pub fn plain() -> Self {
        Self {
            hooks: Hooks::default(),
            syntax: Options::default(),
            raise: raise::decode_error,
        }
    }

    /// The same, but that nothing is called.
    pub fn without_hooks(&self) -> Self {
        let mut syntax = self.syntax.clone();
        (syntax.floats_as_text, syntax.integers_as_text) = (false, false);
        Self {
            hooks: Hooks::default(),
            syntax,
            raise: self.raise,
        }
    }

    /// Prepares for UTF-8 that was made of `str`: it has lone surrogates
    /// wherever the `str` had them.
    pub fn set_text(&mut self, is_text: bool) {
        if is_text && self.syntax.surrogates == Surrogates::Keep {
            self.syntax.surrogates = Surrogates::KeepRaw;
        }
    }

    /// The options in a call's arguments, null where one is not given; `None`
    /// with an exception set if one does not fit.
    ///
    /// # Safety
    /// The GIL is held, and the arguments are null or live objects.
    #[inline(always)]
    pub unsafe fn read(given: &[*mut PyObject; COUNT]) -> Option<Self> {
        let mut options = Self::plain();
        if given[1..].iter().any(|option| !option.is_null()) {
            // SAFETY: as the caller says.
            unsafe { options.set(given)? };
        }
        Some(options)
    }

    #[cold]
    unsafe fn set(&mut self, given: &[*mut PyObject; COUNT]) -> Option<()> {
        let [
            _,
            object,
            pairs,
            float,
            int,
            depth,
            strict,
            allow_nan,
            surrogates,
        ] = *given;
        // SAFETY: as for `read`.
        unsafe {
            self.hooks = Hooks {
                object: callable(object),
                pairs: callable(pairs),
                float: callable(float),
                int: callable(int),
                ..Hooks::default()
            };
            self.syntax.floats_as_text = !self.hooks.float.is_null();
            self.syntax.integers_as_text = !self.hooks.int.is_null();
            if !depth.is_null() {
                self.syntax.max_depth = max_depth(depth)?;
            }
            self.syntax.raw_control = !truth(strict, true)?;
            self.syntax.allow_nan = truth(allow_nan, false)?;
            if !surrogates.is_null() {
                self.syntax.surrogates = policy(surrogates)?;
            }
        }
        Some(())
    }
}

/// A hook, null for `None`.
unsafe fn callable(hook: *mut PyObject) -> *mut PyObject {
    // SAFETY: `None` is always there.
    if hook == unsafe { ffi::Py_None() } {
        null_mut()
    } else {
        hook
    }
}

unsafe fn max_depth(depth: *mut PyObject) -> Option<usize> {
    // SAFETY: the caller gives a live object.
    unsafe {
        let value = ffi::PyNumber_AsSsize_t(depth, ffi::PyExc_OverflowError);
        if value == -1 && !ffi::PyErr_Occurred().is_null() {
            return None;
        }
        if value < 0 {
            args::set_error(ffi::PyExc_ValueError, "max_depth must not be negative");
            return None;
        }
        Some(value as usize)
    }
}

unsafe fn truth(value: *mut PyObject, default: bool) -> Option<bool> {
    if value.is_null() {
        return Some(default);
    }
    // SAFETY: the caller gives a live object.
    match unsafe { ffi::PyObject_IsTrue(value) } {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

unsafe fn policy(name: *mut PyObject) -> Option<Surrogates> {
    // SAFETY: the caller gives a live object, looked into only if it is `str`.
    unsafe {
        if ffi::PyUnicode_Check(name) == 0 {
            args::type_error("surrogates must be 'pass' or 'strict'");
            return None;
        }
        match str::chars(name)? {
            Chars::Ascii(b"pass") => Some(Surrogates::Keep),
            Chars::Ascii(b"strict") => Some(Surrogates::Reject),
            _ => {
                args::set_error(
                    ffi::PyExc_ValueError,
                    "surrogates must be 'pass' or 'strict'",
                );
                None
            }
        }
    }
}
