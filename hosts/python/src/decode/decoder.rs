//! `linecaster.Decoder`: options that are worked out once; and the functions
//! that read text in pieces by one.

use core::ffi::{CStr, c_void};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3::prelude::*;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyType_Slot, PyTypeObject};

use super::hooks::Hooks;
use super::options::{self, COUNT, LoadOptions};
use super::{decode, doc, load_from, values};
use crate::args::Signature;
use crate::ffi::class::{self, Class, Methods, Visit, method};
use crate::ffi::owned::Owned;
use crate::{function, guarded};

/// The content of an instance.
pub struct Decoder {
    options: LoadOptions,
    /// Keep the objects of the options alive.
    hooks: [Option<Owned>; 4],
    /// The options as given, a dict; none for a decoder that nobody sees.
    given: Option<Owned>,
}

const NAMES: usize = COUNT - 1;

const SIGNATURE: Signature = Signature {
    name: "Decoder",
    params: &options::names(),
    required: 0,
    positional: 0,
    positional_only: 0,
};

impl Decoder {
    /// A decoder by the options of a call, null where not given.
    unsafe fn new(given: &[*mut PyObject]) -> Option<Decoder> {
        let mut all = [null_mut(); COUNT];
        all[1..].copy_from_slice(given);
        // SAFETY: the caller's values are alive; the hooks are kept alive.
        unsafe {
            let options = LoadOptions::read(&all)?;
            let Hooks {
                object,
                pairs,
                float,
                int,
                // The doors that have these have classes of their own.
                constant: _,
                array: _,
            } = options.hooks;
            let hooks = [object, pairs, float, int]
                .map(|hook| (!hook.is_null()).then(|| Owned::from_borrowed(hook)));
            Some(Decoder {
                options,
                hooks,
                given: None,
            })
        }
    }
}

static CLASS: AtomicPtr<PyObject> = AtomicPtr::new(null_mut());

/// Makes the classes and adds them to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::add_to::<Decoder>(module, &CLASS, "Decoder")?;
    values::add_to(module)
}

/// The options of a decoder; good for as long as it is alive.
///
/// # Safety
/// The object is a decoder.
pub unsafe fn options<'a>(this: *mut PyObject) -> &'a LoadOptions {
    // SAFETY: as the caller says; instances do not move.
    unsafe { &(*class::value::<Decoder>(this)).options }
}

static METHODS: Methods<6> = Methods([
    method(c"loads", doc::DECODER_LOADS, py::METH_O, loads),
    method(c"load", doc::DECODER_LOAD, py::METH_O, load),
    function(c"decode_lines", doc::DECODER_LINES, lines_method),
    function(c"iter_items", doc::DECODER_ITEMS, items_method),
    class::new_arguments_method::<Decoder>(),
    py::PyMethodDef::zeroed(),
]);

impl Class for Decoder {
    const NAME: &'static CStr = c"linecaster.Decoder";
    const SUBCLASSED: bool = true;

    fn slots() -> Vec<PyType_Slot> {
        let new: py::newfunc = new;
        vec![
            class::slot(py::Py_tp_doc, doc::DECODER.as_ptr().cast_mut().cast()),
            class::slot(py::Py_tp_new, new as *mut c_void),
            class::repr_slot::<Decoder>(),
            METHODS.slot(),
        ]
    }

    fn traverse(&self, visit: &mut Visit) {
        for object in self.hooks.iter().flatten().chain(&self.given) {
            visit.object(object.as_ptr());
        }
    }

    fn clear(&mut self) {
        // Without hooks, numbers must not go to them either.
        self.options = LoadOptions::plain();
        drop((core::mem::take(&mut self.hooks), self.given.take()));
    }

    fn given(&self) -> Option<&Owned> {
        self.given.as_ref()
    }
}

unsafe extern "C" fn new(
    class: *mut PyTypeObject,
    args: *mut PyObject,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the interpreter calls it with a subclass, a tuple, and a dict
    // or null.
    guarded(|| unsafe {
        let mut given = [null_mut(); NAMES];
        if !SIGNATURE.parse_class(args, keywords, &mut given) {
            return null_mut();
        }
        let Some(mut decoder) = Decoder::new(&given) else {
            return null_mut();
        };
        decoder.given = class::options(keywords);
        if decoder.given.is_none() {
            return null_mut();
        }
        class::instance(class, decoder)
    })
}

unsafe extern "C" fn loads(this: *mut PyObject, text: *mut PyObject) -> *mut PyObject {
    // SAFETY: the method belongs to the class.
    guarded(|| unsafe { decode(text, options(this)) })
}

unsafe extern "C" fn load(this: *mut PyObject, file: *mut PyObject) -> *mut PyObject {
    // SAFETY: the method belongs to the class.
    guarded(|| unsafe { load_from(file, options(this)) })
}

/// A signature of which the first `required` parameters are positional.
const fn signature(
    name: &'static str,
    params: &'static [&'static str],
    required: usize,
) -> Signature {
    Signature {
        name,
        params,
        required,
        positional: required,
        positional_only: 1,
    }
}

const LINES: [&str; 3] = ["source", "errors", "chunk_size"];
const ITEMS: [&str; 3] = ["source", "path", "chunk_size"];

const fn with_options(first: [&'static str; 3]) -> [&'static str; 3 + NAMES] {
    let options = options::names();
    let mut all = [""; 3 + NAMES];
    let mut i = 0;
    while i < all.len() {
        all[i] = if i < 3 { first[i] } else { options[i - 3] };
        i += 1;
    }
    all
}

unsafe extern "C" fn lines_method(
    this: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const SIGNATURE: Signature = signature("decode_lines", &LINES, 1);
    let mut given = [null_mut(); 3];
    // SAFETY: the arguments are those of a vectorcall, and the method belongs
    // to the class.
    guarded(|| unsafe {
        if !SIGNATURE.parse(args, nargs, names, &mut given) {
            return null_mut();
        }
        let [source, errors, size] = given;
        values::lines(Owned::from_borrowed(this), source, errors, size)
    })
}

unsafe extern "C" fn items_method(
    this: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const SIGNATURE: Signature = signature("iter_items", &ITEMS, 2);
    let mut given = [null_mut(); 3];
    // SAFETY: as for [`lines_method`].
    guarded(|| unsafe {
        if !SIGNATURE.parse(args, nargs, names, &mut given) {
            return null_mut();
        }
        let [source, path, size] = given;
        values::items(Owned::from_borrowed(this), source, path, size)
    })
}

/// A decoder that nobody sees.
unsafe fn make(given: &[*mut PyObject]) -> Option<Owned> {
    // SAFETY: the caller's values are alive, or null where not given.
    unsafe {
        let decoder = Decoder::new(given)?;
        Owned::from_new(class::instance(
            CLASS.load(Ordering::Relaxed).cast(),
            decoder,
        ))
    }
}

/// `linecaster.decode_lines`.
pub unsafe extern "C" fn decode_lines(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const PARAMS: [&str; 3 + NAMES] = with_options(LINES);
    const SIGNATURE: Signature = signature("decode_lines", &PARAMS, 1);
    let mut given = [null_mut(); 3 + NAMES];
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        if !SIGNATURE.parse(args, nargs, names, &mut given) {
            return null_mut();
        }
        match make(&given[3..]) {
            Some(decoder) => values::lines(decoder, given[0], given[1], given[2]),
            None => null_mut(),
        }
    })
}

/// `linecaster.iter_items`.
pub unsafe extern "C" fn iter_items(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    nargs: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    const PARAMS: [&str; 3 + NAMES] = with_options(ITEMS);
    const SIGNATURE: Signature = signature("iter_items", &PARAMS, 2);
    let mut given = [null_mut(); 3 + NAMES];
    // SAFETY: the arguments are those of a vectorcall.
    guarded(|| unsafe {
        if !SIGNATURE.parse(args, nargs, names, &mut given) {
            return null_mut();
        }
        match make(&given[3..]) {
            Some(decoder) => values::items(decoder, given[0], given[1], given[2]),
            None => null_mut(),
        }
    })
}
