//! The arguments of a call.
//!
//! A call whose arguments are as they should be is read here. Any other is
//! given to the interpreter's own parser, with the format that ujson gives it,
//! so that what it says about it is the same in every version.

use core::ffi::{CStr, c_char, c_int};
use core::ptr::{null, null_mut};

use linecaster_formats::json::Layout;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use crate::args::{set_error, type_error};
use crate::encode::options::{NonFinite, Options, code_points};
use crate::ffi::int::{self, Int};
use crate::ffi::owned::Owned;
use crate::ffi::str::{self, Chars};

/// [`Options::flags`]: escape `<`, `>` and `&`.
pub const HTML: u32 = 1;
/// [`Options::flags`]: escape `/`.
pub const SLASH: u32 = 2;
/// [`Options::flags`]: `bytes` are none of the values that are known.
pub const REJECT_BYTES: u32 = 4;

/// The arguments of a vectorcall.
#[derive(Clone, Copy)]
pub struct Arguments {
    positional: *const *mut PyObject,
    count: Py_ssize_t,
    /// One for each name.
    values: *const *mut PyObject,
    /// A tuple of `str`, or null.
    names: *mut PyObject,
}

impl Arguments {
    /// The arguments of a function that takes them as they are.
    ///
    /// # Safety
    /// They are those of a vectorcall.
    pub unsafe fn new(
        args: *const *mut PyObject,
        count: Py_ssize_t,
        names: *mut PyObject,
    ) -> Arguments {
        Arguments {
            positional: args,
            count,
            // SAFETY: the values of keywords come behind the others.
            values: unsafe { args.add(count as usize) },
            names,
        }
    }

    /// The same keywords behind a single argument, of which only the place is
    /// noted.
    pub fn with_single(self, single: *const *mut PyObject) -> Arguments {
        Arguments {
            positional: single,
            count: 1,
            ..self
        }
    }

    /// Exactly `N` arguments by position, whatever there is by name; `None`
    /// with `TypeError` set.
    ///
    /// # Safety
    /// The arguments are alive.
    pub unsafe fn exactly<const N: usize>(self) -> Option<[*mut PyObject; N]> {
        let mut given = [null_mut(); N];
        // SAFETY: as the caller says; the format takes no more than two.
        unsafe {
            if self.count as usize == N {
                core::ptr::copy_nonoverlapping(self.positional, given.as_mut_ptr(), N);
                return Some(given);
            }
            let tuple = self.tuple()?;
            let mut sink = null_mut::<PyObject>();
            let format = if N == 1 { c"O" } else { c"OO" };
            let out = &raw mut sink;
            py::PyArg_ParseTuple(tuple.as_ptr(), format.as_ptr(), out, out);
        }
        None
    }

    /// The only argument, called `obj`; `None` with `TypeError` set.
    ///
    /// # Safety
    /// The arguments are alive.
    #[inline(always)]
    pub unsafe fn single(self) -> Option<*mut PyObject> {
        // SAFETY: as the caller says.
        unsafe {
            if self.count == 1 && self.names.is_null() {
                return Some(*self.positional);
            }
            self.named_single()
        }
    }

    #[cold]
    unsafe fn named_single(self) -> Option<*mut PyObject> {
        let mut names = Names::<2>([c"obj".as_ptr(), null()]);
        let mut found = null_mut::<PyObject>();
        // SAFETY: the format takes one object; the names end with a null.
        let parsed = unsafe {
            let (tuple, dict) = (self.tuple()?, self.dict()?);
            py::PyArg_ParseTupleAndKeywords(
                tuple.as_ptr(),
                dict.as_ptr(),
                c"O".as_ptr(),
                names.as_list(),
                &raw mut found,
            )
        };
        (parsed != 0).then_some(found)
    }

    unsafe fn tuple(self) -> Option<Owned> {
        // SAFETY: the tuple takes over a reference to each argument.
        unsafe {
            let tuple = Owned::from_new(py::PyTuple_New(self.count))?;
            for i in 0..self.count {
                let item = Owned::from_borrowed(*self.positional.add(i as usize));
                py::PyTuple_SET_ITEM(tuple.as_ptr(), i, item.into_ptr());
            }
            Some(tuple)
        }
    }

    /// The keywords as a dict, empty where there are none.
    unsafe fn dict(self) -> Option<Owned> {
        // SAFETY: there is a value for each name.
        unsafe {
            let dict = Owned::from_new(py::PyDict_New())?;
            let count = if self.names.is_null() {
                0
            } else {
                py::PyTuple_GET_SIZE(self.names)
            };
            for i in 0..count {
                let name = py::PyTuple_GET_ITEM(self.names, i);
                if py::PyDict_SetItem(dict.as_ptr(), name, *self.values.add(i as usize)) != 0 {
                    return None;
                }
            }
            Some(dict)
        }
    }

    /// The arguments in the order of [`PARAMS`], null where not given, if all
    /// of them fit.
    unsafe fn sorted(self) -> Option<[*mut PyObject; COUNT]> {
        let mut given = [null_mut(); COUNT];
        if self.count as usize > COUNT {
            return None;
        }
        // SAFETY: as many are copied as there are; names are strings, with a
        // value for each.
        unsafe {
            let count = self.count as usize;
            core::ptr::copy_nonoverlapping(self.positional, given.as_mut_ptr(), count);
            if !self.names.is_null() {
                for i in 0..py::PyTuple_GET_SIZE(self.names) {
                    let Some(Chars::Ascii(name)) = str::chars(py::PyTuple_GET_ITEM(self.names, i))
                    else {
                        return None;
                    };
                    let index = PARAMS.iter().position(|param| param.to_bytes() == name)?;
                    if !given[index].is_null() {
                        return None;
                    }
                    given[index] = *self.values.add(i as usize);
                }
            }
        }
        (!given[0].is_null()).then_some(given)
    }
}

/// A list of names for the interpreter's parser.
struct Names<const N: usize>([*const c_char; N]);

impl<const N: usize> Names<N> {
    #[cfg(not(Py_3_13))]
    fn as_list(&mut self) -> *mut *mut c_char {
        self.0.as_mut_ptr().cast()
    }

    #[cfg(Py_3_13)]
    fn as_list(&mut self) -> *const *const c_char {
        self.0.as_ptr()
    }
}

/// How many parameters `dumps` has.
const COUNT: usize = 10;

const PARAMS: [&CStr; COUNT] = [
    c"obj",
    c"ensure_ascii",
    c"encode_html_chars",
    c"escape_forward_slashes",
    c"sort_keys",
    c"indent",
    c"allow_nan",
    c"reject_bytes",
    c"default",
    c"separators",
];

/// What the arguments of `dumps` say.
struct Values {
    obj: *mut PyObject,
    ensure_ascii: c_int,
    html: c_int,
    slash: c_int,
    sort_keys: c_int,
    indent: c_int,
    allow_nan: c_int,
    reject_bytes: c_int,
    default: *mut PyObject,
    separators: *mut PyObject,
}

impl Values {
    const DEFAULT: Values = Values {
        obj: null_mut(),
        ensure_ascii: 1,
        html: 0,
        slash: 1,
        sort_keys: 0,
        indent: 0,
        allow_nan: 1,
        reject_bytes: 1,
        default: null_mut(),
        separators: null_mut(),
    };

    unsafe fn read(arguments: Arguments) -> Option<Values> {
        // SAFETY: the arguments are alive.
        unsafe {
            if let Some(given) = arguments.sorted()
                && let Some(indent) = small_int(given[5])
            {
                let mut values = Values {
                    obj: given[0],
                    indent,
                    default: given[8],
                    separators: given[9],
                    ..Values::DEFAULT
                };
                let flags = [
                    (given[1], &mut values.ensure_ascii),
                    (given[2], &mut values.html),
                    (given[3], &mut values.slash),
                    (given[4], &mut values.sort_keys),
                    (given[6], &mut values.allow_nan),
                    (given[7], &mut values.reject_bytes),
                ];
                for (value, flag) in flags {
                    if !value.is_null() {
                        *flag = py::PyObject_IsTrue(value);
                        if *flag < 0 {
                            return None;
                        }
                    }
                }
                return Some(values);
            }
            Self::parse(arguments)
        }
    }

    #[cold]
    unsafe fn parse(arguments: Arguments) -> Option<Values> {
        let mut names = Names::<{ COUNT + 1 }>([null(); COUNT + 1]);
        for (name, param) in names.0.iter_mut().zip(PARAMS) {
            *name = param.as_ptr();
        }
        let mut values = Values::DEFAULT;
        // SAFETY: the format takes an object, four truth values, an int, two
        // truth values and two objects; the names end with a null. Whoever
        // called keeps the objects alive.
        let parsed = unsafe {
            let (tuple, dict) = (arguments.tuple()?, arguments.dict()?);
            py::PyArg_ParseTupleAndKeywords(
                tuple.as_ptr(),
                dict.as_ptr(),
                c"O|ppppippOO".as_ptr(),
                names.as_list(),
                &raw mut values.obj,
                &raw mut values.ensure_ascii,
                &raw mut values.html,
                &raw mut values.slash,
                &raw mut values.sort_keys,
                &raw mut values.indent,
                &raw mut values.allow_nan,
                &raw mut values.reject_bytes,
                &raw mut values.default,
                &raw mut values.separators,
            )
        };
        (parsed != 0).then_some(values)
    }
}

/// The indentation if it is an exact `int` that fits, 0 if it is not given.
unsafe fn small_int(op: *mut PyObject) -> Option<c_int> {
    // SAFETY: `op` is null or alive.
    unsafe {
        if op.is_null() {
            return Some(0);
        }
        if py::PyLong_CheckExact(op) == 0 {
            return None;
        }
        match int::value(op) {
            Int::Signed(value) => value.try_into().ok(),
            _ => None,
        }
    }
}

/// The widest indentation.
const WIDEST: usize = 1000;

static SPACES: [u32; WIDEST] = [b' ' as u32; WIDEST];

const COMMA: &[u32] = &[b',' as u32];
const COLON: &[u32] = &[b':' as u32];
const COLON_SPACE: &[u32] = &[b':' as u32, b' ' as u32];

/// What a call of `dumps` asks for.
pub struct Request {
    /// The options, as the walk has them.
    pub options: Options,
    /// Spaces per level; 0 for one line.
    indent: usize,
    /// The separators that are given.
    separators: Option<[Vec<u32>; 2]>,
    /// Behind a key if none are given.
    key_separator: &'static [u32],
}

impl Request {
    /// What a call without options asks for.
    pub const DEFAULT: Request = Request {
        options: Options {
            ensure_ascii: true,
            non_finite: NonFinite::Keep,
            max_depth: 1024,
            flags: SLASH | REJECT_BYTES,
            ..Options::DEFAULT
        },
        indent: 0,
        separators: None,
        key_separator: COLON,
    };

    /// Reads the arguments: the object and what is asked for; `None` with an
    /// exception set.
    ///
    /// # Safety
    /// The arguments are alive for as long as the request.
    pub unsafe fn read(arguments: Arguments) -> Option<(*mut PyObject, Request)> {
        // SAFETY: as the caller says.
        unsafe {
            let values = Values::read(arguments)?;
            let mut request = Request::DEFAULT;
            let options = &mut request.options;
            options.ensure_ascii = values.ensure_ascii != 0;
            options.sort_keys = values.sort_keys != 0;
            options.flags = [
                (values.html, HTML),
                (values.slash, SLASH),
                (values.reject_bytes, REJECT_BYTES),
            ]
            .into_iter()
            .filter(|&(value, _)| value != 0)
            .fold(0, |flags, (_, flag)| flags | flag);
            if values.allow_nan == 0 {
                options.non_finite = NonFinite::Raise;
            }
            if values.default != py::Py_None() {
                options.default = values.default;
            }
            if values.indent > WIDEST as c_int {
                set_error(py::PyExc_ValueError, "Maximum allowed indentation is 1000");
                return None;
            }
            request.indent = values.indent.max(0) as usize;
            if values.indent != 0 {
                request.key_separator = COLON_SPACE;
            }
            if !values.separators.is_null() && values.separators != py::Py_None() {
                request.separators = Some(separators(values.separators)?);
            }
            Some((values.obj, request))
        }
    }

    /// Whether the layout is that of a call without options.
    pub fn is_compact(&self) -> bool {
        self.indent == 0 && self.separators.is_none() && self.key_separator.len() == COLON.len()
    }

    /// The layout.
    pub fn layout(&self) -> Layout<'_> {
        let [item, key] = match &self.separators {
            Some([item, key]) => [&item[..], &key[..]],
            None => [COMMA, self.key_separator],
        };
        let indent = (self.indent > 0).then(|| &SPACES[..self.indent]);
        Layout::new(item, key, indent)
    }
}

unsafe fn separators(given: *mut PyObject) -> Option<[Vec<u32>; 2]> {
    // SAFETY: the object is alive, and its items are as long as it is.
    unsafe {
        if py::PyTuple_Check(given) == 0 {
            type_error("expected tuple or None as separator");
            return None;
        }
        if py::PyTuple_GET_SIZE(given) != 2 {
            set_error(
                py::PyExc_ValueError,
                "expected tuple of size 2 as separator",
            );
            return None;
        }
        let [item, key] = [0, 1].map(|i| py::PyTuple_GET_ITEM(given, i));
        if py::PyUnicode_Check(item) == 0 {
            type_error("expected str as item separator");
            return None;
        }
        if py::PyUnicode_Check(key) == 0 {
            type_error("expected str as key separator");
            return None;
        }
        Some([code_points(item)?, code_points(key)?])
    }
}
