//! `linecaster.Encoder`: options that are worked out once.

use core::ffi::{CStr, c_void};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use linecaster_formats::json::Layout;
use pyo3::prelude::*;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyType_Slot, PyTypeObject};

use super::chunks::Plan;
use super::options::{self, COUNT, Options};
use super::stream::{self, Content};
use super::target::{Form, Product};
use super::{doc, produce_as, usual, write_into};
use crate::args::Signature;
use crate::ffi::class::{self, Class, Methods, Visit, method};
use crate::ffi::owned::Owned;
use crate::{function, guarded};

/// The content of an instance.
pub struct Encoder {
    options: Options,
    /// No option was given.
    usual: bool,
    /// Borrows from the options' vectors, whose memory never moves.
    layout: Layout<'static>,
    /// What `dumps` makes.
    text: Product,
    /// Keeps the object of the options alive.
    default: Option<Owned>,
    /// The options as given, a dict; none for an encoder that nobody sees.
    given: Option<Owned>,
}

impl Encoder {
    /// An encoder by the options of a call, null where not given.
    unsafe fn new(given: &[*mut PyObject]) -> Option<Encoder> {
        // SAFETY: the caller's values are alive; `default` is kept alive, and
        // the layout goes before the options.
        unsafe {
            let options = Options::read(given)?;
            let layout = core::mem::transmute::<Layout<'_>, Layout<'static>>(options.layout());
            let default = options.default;
            let default = (!default.is_null()).then(|| Owned::from_borrowed(default));
            Some(Encoder {
                usual: given.iter().all(|value| value.is_null()),
                text: Product::Str(Form::Ascii).with(layout.max_char()),
                options,
                layout,
                default,
                given: None,
            })
        }
    }

    /// Takes the method `default` of a subclass, unless the option is given.
    unsafe fn adopt_default(this: *mut PyObject) -> bool {
        // SAFETY: the caller gives an instance, which nobody else uses yet.
        unsafe {
            let encoder = class::value::<Encoder>(this);
            let class: *mut PyObject = py::Py_TYPE(this).cast();
            if (*encoder).default.is_some()
                || class == CLASS.load(Ordering::Relaxed)
                || py::PyObject_HasAttrString(class, c"default".as_ptr()) == 0
            {
                return true;
            }
            let Some(method) =
                Owned::from_new(py::PyObject_GetAttrString(this, c"default".as_ptr()))
            else {
                return false;
            };
            (*encoder).usual = false;
            (*encoder).options.default = method.as_ptr();
            (*encoder).default = Some(method);
            true
        }
    }
}

static CLASS: AtomicPtr<PyObject> = AtomicPtr::new(null_mut());

/// Makes the class and adds it to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::add_to::<Encoder>(module, &CLASS, "Encoder")
}

/// An encoder that nobody sees.
///
/// # Safety
/// The values are alive, or null where not given.
pub unsafe fn make(given: &[*mut PyObject]) -> Option<Owned> {
    // SAFETY: as the caller says.
    unsafe {
        let encoder = Encoder::new(given)?;
        Owned::from_new(class::instance(
            CLASS.load(Ordering::Relaxed).cast(),
            encoder,
        ))
    }
}

/// The plan in an encoder; good for as long as the encoder is alive.
///
/// # Safety
/// The object is an encoder.
#[inline(always)]
pub unsafe fn plan<'a>(this: *mut PyObject) -> Plan<'a> {
    // SAFETY: as the caller says; instances do not move.
    unsafe {
        let encoder = class::value::<Encoder>(this);
        Plan {
            options: &(*encoder).options,
            layout: &(*encoder).layout,
        }
    }
}

static METHODS: Methods<9> = Methods([
    method(c"encode", doc::ENCODER_ENCODE, py::METH_O, encode),
    method(c"dumps", doc::ENCODER_DUMPS, py::METH_O, dumps),
    function(c"encode_into", doc::ENCODER_ENCODE_INTO, encode_into),
    function(c"dump", doc::ENCODER_DUMP, dump),
    function(c"iterencode", doc::ENCODER_ITERENCODE, iterencode),
    function(c"encode_lines", doc::ENCODER_ENCODE_LINES, encode_lines),
    function(
        c"iterencode_lines",
        doc::ENCODER_ITERENCODE_LINES,
        iterencode_lines,
    ),
    class::new_arguments_method::<Encoder>(),
    py::PyMethodDef::zeroed(),
]);

impl Class for Encoder {
    const NAME: &'static CStr = c"linecaster.Encoder";
    const SUBCLASSED: bool = true;

    fn slots() -> Vec<PyType_Slot> {
        let new: py::newfunc = new;
        vec![
            class::slot(py::Py_tp_doc, doc::ENCODER.as_ptr().cast_mut().cast()),
            class::slot(py::Py_tp_new, new as *mut c_void),
            class::repr_slot::<Encoder>(),
            METHODS.slot(),
        ]
    }

    fn traverse(&self, visit: &mut Visit) {
        for object in self.default.iter().chain(&self.given) {
            visit.object(object.as_ptr());
        }
    }

    fn clear(&mut self) {
        self.options.default = null_mut();
        drop((self.default.take(), self.given.take()));
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
        let mut given = [null_mut(); COUNT];
        if !options::ENCODER.parse_class(args, keywords, &mut given) {
            return null_mut();
        }
        let Some(mut encoder) = Encoder::new(&given) else {
            return null_mut();
        };
        encoder.given = class::options(keywords);
        if encoder.given.is_none() {
            return null_mut();
        }
        match Owned::from_new(class::instance(class, encoder)) {
            Some(this) if Encoder::adopt_default(this.as_ptr()) => this.into_ptr(),
            _ => null_mut(),
        }
    })
}

unsafe extern "C" fn encode(this: *mut PyObject, obj: *mut PyObject) -> *mut PyObject {
    // SAFETY: the method belongs to the class.
    guarded(|| unsafe {
        if (*class::value::<Encoder>(this)).usual {
            return usual::<false>(obj);
        }
        let Plan { options, layout } = plan(this);
        produce_as(obj, options, layout, Product::Bytes, |target, sink| {
            target.finish(sink)
        })
    })
}

unsafe extern "C" fn dumps(this: *mut PyObject, obj: *mut PyObject) -> *mut PyObject {
    // SAFETY: the method belongs to the class.
    guarded(|| unsafe {
        if (*class::value::<Encoder>(this)).usual {
            return usual::<true>(obj);
        }
        let Plan { options, layout } = plan(this);
        let text = (*class::value::<Encoder>(this)).text;
        produce_as(obj, options, layout, text, |target, sink| {
            target.finish(sink)
        })
    })
}

/// A method with `N` parameters, none of them an option.
macro_rules! plain_method {
    ($name:ident, $signature:expr, $n:literal, |$this:ident, $given:ident| $body:expr) => {
        unsafe extern "C" fn $name(
            $this: *mut PyObject,
            args: *const *mut PyObject,
            nargs: Py_ssize_t,
            names: *mut PyObject,
        ) -> *mut PyObject {
            const SIGNATURE: Signature = $signature;
            // SAFETY: the arguments are those of a vectorcall, and the method
            // belongs to the class.
            guarded(|| unsafe {
                let mut $given = [null_mut(); $n];
                if !SIGNATURE.parse(args, nargs, names, &mut $given) {
                    return null_mut();
                }
                $body
            })
        }
    };
}

const fn signature(
    name: &'static str,
    params: &'static [&'static str],
    required: usize,
    positional: usize,
) -> Signature {
    Signature {
        name,
        params,
        required,
        positional,
        positional_only: if positional == 1 { 1 } else { 0 },
    }
}

plain_method!(
    encode_into,
    signature("encode_into", &["obj", "buffer", "offset"], 2, 3),
    3,
    |this, given| {
        let Plan { options, layout } = plan(this);
        write_into(&given, options, layout)
    }
);
plain_method!(
    dump,
    signature("dump", &["obj", "fp"], 2, 2),
    2,
    |this, given| stream::dump(given[0], given[1], plan(this))
);
plain_method!(
    encode_lines,
    Signature {
        positional_only: 1,
        ..signature("encode_lines", &["iterable", "fp"], 1, 2)
    },
    2,
    |this, given| stream::encode_lines(given[0], given[1], plan(this))
);
plain_method!(
    iterencode,
    signature("iterencode", &["obj", "chunk_size"], 1, 1),
    2,
    |this, given| {
        let this = Owned::from_borrowed(this);
        stream::iterate(this, Content::Document, given[0], given[1])
    }
);
plain_method!(
    iterencode_lines,
    signature("iterencode_lines", &["iterable", "chunk_size"], 1, 1),
    2,
    |this, given| {
        let this = Owned::from_borrowed(this);
        stream::iterate(this, Content::Lines, given[0], given[1])
    }
);
