//! What a call asks for, from its arguments or from the attributes of an
//! encoder.

use std::borrow::Cow;

use linecaster_formats::json::Layout;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::rules::{CHECK_CIRCULAR, DEPTH, IN_PYTHON};
use super::stdlib::{self, names};
use crate::encode::options::{NonFinite, Options};
use crate::ffi::owned::Owned;
use crate::ffi::str::{self, Chars};

unsafe extern "C" {
    static mut PyMethod_Type: py::PyTypeObject;
    fn PyMethod_Function(method: *mut PyObject) -> *mut PyObject;
}

/// Text of a layout, as code points.
type Separator = Cow<'static, [u32]>;

const COMMA: &[u32] = &[b',' as u32];
const COMMA_SPACE: &[u32] = &[b',' as u32, b' ' as u32];
const COLON: &[u32] = &[b':' as u32];
const COLON_SPACE: &[u32] = &[b':' as u32, b' ' as u32];

/// The layout of a call without options.
pub static LAYOUT: Layout<'static> = Layout::new(COMMA_SPACE, COLON_SPACE, None);

/// What a call without options means.
pub static DEFAULT: Options = options(CHECK_CIRCULAR);

/// What Starlette's responses ask for.
pub static RESPONSE: Options = {
    let mut options = options(CHECK_CIRCULAR);
    options.ensure_ascii = false;
    options.non_finite = NonFinite::Raise;
    options
};

/// The layout of Starlette's responses.
pub static COMPACT: Layout<'static> = Layout::new(COMMA, COLON, None);

/// The same where the interpreter would do it in Python.
pub static DEFAULT_IN_PYTHON: Options = options(CHECK_CIRCULAR | IN_PYTHON);

const fn options(flags: u32) -> Options {
    let mut options = Options::DEFAULT;
    options.ensure_ascii = true;
    options.non_finite = NonFinite::Keep;
    options.max_depth = DEPTH;
    options.flags = flags;
    options
}

/// The widest indentation that is not left to the interpreter.
const WIDEST: Py_ssize_t = 1 << 12;

/// Something is out of the ordinary: the interpreter's own `json` decides.
pub struct Unusual;

/// What a call asks for.
pub struct Settings {
    /// Options of the walk.
    pub options: Options,
    item_separator: Separator,
    key_separator: Separator,
    indent: Option<Separator>,
    /// Keeps the callable of the options alive.
    default: Option<Owned>,
}

impl Settings {
    /// What stands between the values.
    pub fn layout(&self) -> Layout<'_> {
        Layout::new(
            &self.item_separator,
            &self.key_separator,
            self.indent.as_deref(),
        )
    }

    /// Reads the arguments of `dumps` and `dump`: values of [`OPTIONS`], null
    /// where not given. `one_shot` says that a text is made, not chunks.
    ///
    /// # Safety
    /// The arguments are null or alive.
    pub unsafe fn of_arguments(
        given: &[*mut PyObject; OPTIONS.len()],
        one_shot: bool,
    ) -> Result<Settings, Unusual> {
        let [
            skipkeys,
            ensure_ascii,
            check_circular,
            allow_nan,
            indent,
            separators,
            default,
            sort_keys,
        ] = *given;
        // SAFETY: as the caller says.
        unsafe {
            let mut settings = Settings::new();
            let options = &mut settings.options;
            options.skip_keys = truth(skipkeys, false)?;
            options.ensure_ascii = truth(ensure_ascii, true)?;
            options.sort_keys = truth(sort_keys, false)?;
            options.non_finite = non_finite(truth(allow_nan, true)?);
            options.flags |= circular(truth(check_circular, true)?);
            settings.set_indent(indent, one_shot)?;
            if settings.indent.is_some() {
                settings.item_separator = Cow::Borrowed(COMMA);
            }
            if !separators.is_null() && separators != py::Py_None() {
                let (item, key) = pair(separators)?;
                settings.item_separator = text(item)?;
                settings.key_separator = text(key)?;
            }
            if !default.is_null() {
                settings.set_default(Owned::from_borrowed(default));
            }
            settings.verified()
        }
    }

    /// Reads the attributes of an encoder.
    ///
    /// # Safety
    /// `encoder` is alive.
    pub unsafe fn of_encoder(encoder: *mut PyObject, one_shot: bool) -> Result<Settings, Unusual> {
        let get = |name: &stdlib::Kept| {
            // SAFETY: as the caller says.
            unsafe { Owned::from_new(py::PyObject_GetAttr(encoder, name.get())).ok_or(Unusual) }
        };
        // SAFETY: what `get` returns is owned.
        unsafe {
            let flag = |name| truth(get(name)?.as_ptr(), false);
            let mut settings = Settings::new();
            let options = &mut settings.options;
            options.skip_keys = flag(&names::SKIPKEYS)?;
            options.ensure_ascii = flag(&names::ENSURE_ASCII)?;
            options.sort_keys = flag(&names::SORT_KEYS)?;
            options.non_finite = non_finite(flag(&names::ALLOW_NAN)?);
            options.flags |= circular(flag(&names::CHECK_CIRCULAR)?);
            settings.set_indent(get(&names::INDENT)?.as_ptr(), one_shot)?;
            settings.item_separator = text(get(&names::ITEM_SEPARATOR)?.as_ptr())?;
            settings.key_separator = text(get(&names::KEY_SEPARATOR)?.as_ptr())?;
            let default = get(&names::DEFAULT)?;
            let own = py::Py_TYPE(default.as_ptr()) == &raw mut PyMethod_Type
                && PyMethod_Function(default.as_ptr()) == stdlib::DEFAULT.get();
            if !own {
                settings.set_default(default);
            }
            settings.verified()
        }
    }

    /// The callable of the options, null for none.
    pub fn default(&self) -> *mut PyObject {
        self.options.default
    }

    fn new() -> Settings {
        Settings {
            options: options(0),
            item_separator: Cow::Borrowed(COMMA_SPACE),
            key_separator: Cow::Borrowed(COLON_SPACE),
            indent: None,
            default: None,
        }
    }

    unsafe fn set_indent(&mut self, indent: *mut PyObject, one_shot: bool) -> Result<(), Unusual> {
        // SAFETY: the value is null or alive.
        unsafe {
            if !indent.is_null() && indent != py::Py_None() {
                self.indent = Some(if py::PyLong_Check(indent) != 0 {
                    let width = py::PyNumber_AsSsize_t(indent, core::ptr::null_mut());
                    if width > WIDEST {
                        return Err(Unusual);
                    }
                    Cow::Owned(vec![u32::from(b' '); width.max(0) as usize])
                } else {
                    text(indent)?
                });
            }
        }
        if !one_shot || self.indent.is_some() && cfg!(not(Py_3_13)) {
            self.options.flags |= IN_PYTHON;
        }
        Ok(())
    }

    fn set_default(&mut self, default: Owned) {
        // SAFETY: `None` is always there.
        if default.as_ptr() != unsafe { py::Py_None() } {
            self.options.default = default.as_ptr();
            self.default = Some(default);
        }
    }

    /// The settings, unless ASCII was asked for and something else given.
    fn verified(self) -> Result<Settings, Unusual> {
        if self.options.ensure_ascii && self.layout().max_char() > 0x7F {
            return Err(Unusual);
        }
        Ok(self)
    }
}

/// Names of the arguments that [`Settings::of_arguments`] takes.
pub const OPTIONS: [&str; 8] = [
    "skipkeys",
    "ensure_ascii",
    "check_circular",
    "allow_nan",
    "indent",
    "separators",
    "default",
    "sort_keys",
];

fn non_finite(allow_nan: bool) -> NonFinite {
    if allow_nan {
        NonFinite::Keep
    } else {
        NonFinite::Raise
    }
}

fn circular(check: bool) -> u32 {
    if check { CHECK_CIRCULAR } else { 0 }
}

unsafe fn truth(value: *mut PyObject, default: bool) -> Result<bool, Unusual> {
    // SAFETY: the value is null or alive.
    unsafe {
        if value.is_null() {
            return Ok(default);
        }
        if value == py::Py_True() {
            return Ok(true);
        }
        if value == py::Py_False() {
            return Ok(false);
        }
        match py::PyObject_IsTrue(value) {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Unusual),
        }
    }
}

/// The two items of a list or tuple.
unsafe fn pair(op: *mut PyObject) -> Result<(*mut PyObject, *mut PyObject), Unusual> {
    // SAFETY: the value is alive, and so are its items, as nothing runs here
    // that could change it.
    unsafe {
        if py::PyTuple_CheckExact(op) != 0 && py::PyTuple_GET_SIZE(op) == 2 {
            Ok((py::PyTuple_GET_ITEM(op, 0), py::PyTuple_GET_ITEM(op, 1)))
        } else if py::PyList_CheckExact(op) != 0 && py::PyList_GET_SIZE(op) == 2 {
            Ok((py::PyList_GET_ITEM(op, 0), py::PyList_GET_ITEM(op, 1)))
        } else {
            Err(Unusual)
        }
    }
}

/// The code points of a `str`, the usual ones without a copy.
unsafe fn text(op: *mut PyObject) -> Result<Separator, Unusual> {
    // SAFETY: the value is alive.
    unsafe {
        if py::PyUnicode_Check(op) == 0 {
            return Err(Unusual);
        }
        Ok(match str::chars(op).ok_or(Unusual)? {
            Chars::Ascii(b", ") => Cow::Borrowed(COMMA_SPACE),
            Chars::Ascii(b": ") => Cow::Borrowed(COLON_SPACE),
            Chars::Ascii(b",") => Cow::Borrowed(COMMA),
            Chars::Ascii(text) | Chars::Latin1(text) => text.iter().map(|&c| c.into()).collect(),
            Chars::Ucs2(text) => text.iter().map(|&c| c.into()).collect(),
            Chars::Ucs4(text) => text.iter().copied().collect(),
        })
    }
}
