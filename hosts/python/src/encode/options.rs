//! What a caller asks of an encoding function.

use linecaster_formats::json::Layout;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::passthrough::Passthrough;
use crate::args::{Signature, type_error};
use crate::ffi::str::{self, Chars};

/// What becomes of NaN and the infinities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonFinite {
    /// An error.
    Raise,
    /// `NaN`, `Infinity`, `-Infinity`, which are not JSON.
    Keep,
    /// `null`.
    Null,
}

/// What becomes of integers that 64 bits do not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BigInt {
    /// All their digits.
    Exact,
    /// All their digits, as a string.
    String,
    /// An error.
    Raise,
}

/// What becomes of lone surrogates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surrogates {
    /// An error.
    Strict,
    /// Kept: as they are in a `str`, as three bytes in `bytes`.
    Pass,
}

#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
/// The options of a call. See `docs/options.md` for what each means.
pub struct Options {
    /// Borrowed from the caller; null for none.
    pub default: *mut PyObject,
    pub ensure_ascii: bool,
    pub sort_keys: bool,
    pub skip_keys: bool,
    pub non_str_keys: bool,
    pub iterables: bool,
    pub non_finite: NonFinite,
    pub big_int: BigInt,
    pub decimal_string: bool,
    pub surrogates: Option<Surrogates>,
    pub naive_utc: bool,
    pub utc_z: bool,
    pub omit_microseconds: bool,
    /// What goes to `default` although it has a form of its own.
    pub passthrough: Passthrough,
    pub max_depth: usize,
    /// What a door wants to know beside: its own bits.
    pub flags: u32,
    /// What a door keeps of its call beside: alive as long as the walk.
    pub call: *const (),
    pub separators: Option<[Vec<u32>; 2]>,
    pub indent: Option<Vec<u32>>,
}

/// Names of the options, in the order of [`Options::set`].
macro_rules! option_names {
    () => {
        [
            "default",
            "ensure_ascii",
            "indent",
            "separators",
            "sort_keys",
            "skip_keys",
            "allow_nan",
            "non_str_keys",
            "big_int",
            "decimal",
            "surrogates",
            "max_depth",
            "iterables",
            "naive_utc",
            "utc_z",
            "omit_microseconds",
            "passthrough",
        ]
    };
}

/// How many options there are.
pub const COUNT: usize = 17;

/// The signature of a function that takes `N - COUNT` parameters and then the
/// options.
const fn signature<const N: usize>(
    name: &'static str,
    params: &'static [&'static str; N],
    required: usize,
) -> Signature {
    Signature {
        name,
        params,
        required,
        positional: N - COUNT,
        positional_only: if N - COUNT == 1 { 1 } else { 0 },
    }
}

const fn with_options<const P: usize, const N: usize>(
    first: [&'static str; P],
) -> [&'static str; N] {
    let options = option_names!();
    let mut all = [""; N];
    let mut i = 0;
    while i < N {
        all[i] = if i < P { first[i] } else { options[i - P] };
        i += 1;
    }
    all
}

const ENCODER_PARAMS: [&str; COUNT] = with_options([]);
const OBJ: [&str; 1 + COUNT] = with_options(["obj"]);
const OBJ_SIZE: [&str; 2 + COUNT] = with_options(["obj", "chunk_size"]);
const ITERABLE_SIZE: [&str; 2 + COUNT] = with_options(["iterable", "chunk_size"]);
const ITERABLE_FP: [&str; 2 + COUNT] = with_options(["iterable", "fp"]);
const OBJ_FP: [&str; 2 + COUNT] = with_options(["obj", "fp"]);
const OBJ_BUFFER: [&str; 3 + COUNT] = with_options(["obj", "buffer", "offset"]);

pub const DUMPS: Signature = signature("dumps", &OBJ, 1);
pub const ENCODE: Signature = signature("encode", &OBJ, 1);
pub const DUMP: Signature = signature("dump", &OBJ_FP, 2);
pub const ENCODE_INTO: Signature = signature("encode_into", &OBJ_BUFFER, 2);

pub const ENCODER: Signature = signature("Encoder", &ENCODER_PARAMS, 0);
pub const ENCODE_LINES: Signature = Signature {
    positional_only: 1,
    ..signature("encode_lines", &ITERABLE_FP, 1)
};
pub const ITERENCODE: Signature = Signature {
    positional: 1,
    positional_only: 1,
    ..signature("iterencode", &OBJ_SIZE, 1)
};
pub const ITERENCODE_LINES: Signature = Signature {
    positional: 1,
    positional_only: 1,
    ..signature("iterencode_lines", &ITERABLE_SIZE, 1)
};

// SAFETY: the one `Options` that threads share is a constant without objects.
unsafe impl Sync for Options {}

/// What a call without options means.
pub static DEFAULT: Options = Options::DEFAULT;

/// The layout of such a call.
pub static COMPACT: Layout<'static> = Layout::COMPACT;

impl Options {
    /// What a call without options means.
    pub const DEFAULT: Options = Options {
        default: core::ptr::null_mut(),
        ensure_ascii: false,
        sort_keys: false,
        skip_keys: false,
        non_str_keys: false,
        iterables: false,
        non_finite: NonFinite::Raise,
        big_int: BigInt::Exact,
        decimal_string: false,
        surrogates: None,
        naive_utc: false,
        utc_z: false,
        omit_microseconds: false,
        passthrough: Passthrough::NONE,
        max_depth: 1024,
        flags: 0,
        call: core::ptr::null(),
        separators: None,
        indent: None,
    };

    /// Reads the options of a call; `None` with an exception set when one is
    /// not understood.
    ///
    /// # Safety
    /// `given` are the option values of a call, null where not given, alive
    /// for as long as the options are.
    pub unsafe fn read(given: &[*mut PyObject]) -> Option<Options> {
        debug_assert_eq!(given.len(), COUNT);
        let mut options = Options::DEFAULT;
        for (name, &value) in option_names!().into_iter().zip(given) {
            // SAFETY: as the caller says.
            if !value.is_null() && !unsafe { options.set(name, value) } {
                return None;
            }
        }
        Some(options)
    }

    /// Whether the separators or the indentation hold lone surrogates.
    #[inline(always)]
    pub fn layout_has_surrogates(&self) -> bool {
        if self.separators.is_none() && self.indent.is_none() {
            return false;
        }
        let [item, key] = self
            .separators
            .as_ref()
            .map_or([&[][..]; 2], |both| [&both[0], &both[1]]);
        let parts = [item, key, self.indent.as_deref().unwrap_or(&[])];
        parts.into_iter().flatten().any(|c| c & !0x7FF == 0xD800)
    }

    unsafe fn set(&mut self, name: &str, value: *mut PyObject) -> bool {
        // SAFETY: the value is alive.
        unsafe {
            match name {
                "default" => return self.set_default(value),
                "indent" => return self.set_indent(value),
                "separators" => return self.set_separators(value),
                "max_depth" => return depth(value, &mut self.max_depth),
                "allow_nan" => return self.set_allow_nan(value),
                "passthrough" => return self.passthrough.read(value),
                "big_int" => {
                    let names = ["exact", "string", "raise"];
                    let values = [BigInt::Exact, BigInt::String, BigInt::Raise];
                    return choice(name, value, names, values, &mut self.big_int);
                }
                "decimal" => {
                    let names = ["number", "string"];
                    return choice(name, value, names, [false, true], &mut self.decimal_string);
                }
                "surrogates" if value == py::Py_None() => return true,
                "surrogates" => {
                    let values = [Some(Surrogates::Strict), Some(Surrogates::Pass)];
                    return choice(
                        name,
                        value,
                        ["strict", "pass"],
                        values,
                        &mut self.surrogates,
                    );
                }
                _ => {}
            }
            let flag = match name {
                "ensure_ascii" => &mut self.ensure_ascii,
                "sort_keys" => &mut self.sort_keys,
                "skip_keys" => &mut self.skip_keys,
                "non_str_keys" => &mut self.non_str_keys,
                "iterables" => &mut self.iterables,
                "naive_utc" => &mut self.naive_utc,
                "utc_z" => &mut self.utc_z,
                _ => &mut self.omit_microseconds,
            };
            let truth = py::PyObject_IsTrue(value);
            *flag = truth == 1;
            truth >= 0
        }
    }

    unsafe fn set_default(&mut self, value: *mut PyObject) -> bool {
        // SAFETY: the value is alive.
        unsafe {
            if value == py::Py_None() {
                return true;
            }
            if py::PyCallable_Check(value) == 0 {
                return type_error("option 'default' must be a callable or None");
            }
        }
        self.default = value;
        true
    }

    unsafe fn set_allow_nan(&mut self, value: *mut PyObject) -> bool {
        // SAFETY: the value is alive.
        unsafe {
            if py::PyBool_Check(value) != 0 {
                let keep = value == py::Py_True();
                self.non_finite = if keep {
                    NonFinite::Keep
                } else {
                    NonFinite::Raise
                };
                return true;
            }
            let names = ["raise", "keep", "null"];
            let values = [NonFinite::Raise, NonFinite::Keep, NonFinite::Null];
            choice("allow_nan", value, names, values, &mut self.non_finite)
        }
    }

    unsafe fn set_indent(&mut self, value: *mut PyObject) -> bool {
        const WIDEST: Py_ssize_t = 1 << 16;
        // SAFETY: the value is alive.
        unsafe {
            if value == py::Py_None() {
                return true;
            }
            if py::PyUnicode_Check(value) != 0 {
                let Some(text) = code_points(value) else {
                    return false;
                };
                self.indent = Some(text);
                return true;
            }
            if py::PyLong_Check(value) == 0 {
                return type_error("option 'indent' must be an int, a str or None");
            }
            let width = py::PyNumber_AsSsize_t(value, py::PyExc_OverflowError);
            if width == -1 && !py::PyErr_Occurred().is_null() {
                return false;
            }
            if width > WIDEST {
                return value_error("option 'indent' must be at most 65536");
            }
            self.indent = Some(vec![b' ' as u32; width.max(0) as usize]);
            true
        }
    }

    unsafe fn set_separators(&mut self, value: *mut PyObject) -> bool {
        const SHAPE: &str = "option 'separators' must be a pair of str: (item, key)";
        // SAFETY: the value is alive, and its items are as long as it is not
        // changed, which nothing here does.
        unsafe {
            if value == py::Py_None() {
                return true;
            }
            let is_list = py::PyList_Check(value) != 0;
            if !is_list && py::PyTuple_Check(value) == 0 || py::PySequence_Size(value) != 2 {
                return type_error(SHAPE);
            }
            let at = |i| {
                if is_list {
                    py::PyList_GET_ITEM(value, i)
                } else {
                    py::PyTuple_GET_ITEM(value, i)
                }
            };
            let (item, key) = (at(0), at(1));
            if py::PyUnicode_Check(item) == 0 || py::PyUnicode_Check(key) == 0 {
                return type_error(SHAPE);
            }
            let (Some(item), Some(key)) = (code_points(item), code_points(key)) else {
                return false;
            };
            self.separators = Some([item, key]);
            true
        }
    }

    /// Whether the layout is [`COMPACT`].
    #[inline(always)]
    pub fn is_compact(&self) -> bool {
        self.separators.is_none() && self.indent.is_none()
    }

    /// Whether a document may have line breaks.
    pub fn breaks_lines(&self) -> bool {
        let separators = self.separators.iter().flatten().flatten();
        self.indent.is_some() || separators.into_iter().any(|&c| c == 0x0A || c == 0x0D)
    }

    /// The layout that the options ask for.
    pub fn layout(&self) -> Layout<'_> {
        const COMMA: &[u32] = &[b',' as u32];
        const COLON: &[u32] = &[b':' as u32];
        const COLON_SPACE: &[u32] = &[b':' as u32, b' ' as u32];
        let (item, key) = match (&self.separators, &self.indent) {
            (Some([item, key]), _) => (&item[..], &key[..]),
            (None, None) => (COMMA, COLON),
            (None, Some(_)) => (COMMA, COLON_SPACE),
        };
        Layout::new(item, key, self.indent.as_deref())
    }
}

/// Reads one of `names` and stores the value that stands for it.
unsafe fn choice<T: Copy, const N: usize>(
    option: &str,
    given: *mut PyObject,
    names: [&str; N],
    values: [T; N],
    slot: &mut T,
) -> bool {
    // SAFETY: the value is alive.
    unsafe {
        if py::PyUnicode_Check(given) != 0
            && let Some(Chars::Ascii(text)) = str::chars(given)
            && let Some(i) = names.iter().position(|name| name.as_bytes() == text)
        {
            *slot = values[i];
            return true;
        }
    }
    value_error(&format!("option '{option}' must be one of {names:?}"))
}

/// Reads a limit of at least 1.
pub unsafe fn depth(given: *mut PyObject, slot: &mut usize) -> bool {
    // SAFETY: the value is alive.
    unsafe {
        if py::PyLong_Check(given) == 0 {
            return type_error("option 'max_depth' must be an int");
        }
        // Anything too big is as good as no limit.
        let value = py::PyNumber_AsSsize_t(given, core::ptr::null_mut());
        if value < 1 {
            return value_error("option 'max_depth' must be at least 1");
        }
        *slot = value as usize;
    }
    true
}

/// The code points of a `str`; `None` with `MemoryError` set when there is no
/// room for them.
///
/// # Safety
/// `op` is a `str`.
pub unsafe fn code_points(op: *mut PyObject) -> Option<Vec<u32>> {
    // SAFETY: the caller gives a `str`.
    match unsafe { str::chars(op)? } {
        Chars::Ascii(text) | Chars::Latin1(text) => collect(text),
        Chars::Ucs2(text) => collect(text),
        Chars::Ucs4(text) => collect(text),
    }
}

/// The units as code points; `None` with `MemoryError` set for too many.
fn collect<U: Copy + Into<u32>>(text: &[U]) -> Option<Vec<u32>> {
    let mut all = Vec::new();
    if all.try_reserve_exact(text.len()).is_err() {
        // SAFETY: the GIL is held in every function of the module.
        unsafe { py::PyErr_NoMemory() };
        return None;
    }
    all.extend(text.iter().map(|&c| c.into()));
    Some(all)
}

pub fn value_error(text: &str) -> bool {
    // SAFETY: the GIL is held in every function of the module.
    unsafe { crate::args::set_error(py::PyExc_ValueError, text) };
    false
}
