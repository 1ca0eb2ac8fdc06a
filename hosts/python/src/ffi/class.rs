//! Classes of our own: heap types whose instances hold a Rust value.
//!
//! The value is made before its instance, so that the garbage collector never
//! sees one without the other, and dropped with it. Subclasses written in
//! Python work as with any other class: they add their fields behind ours.

use core::ffi::{CStr, c_int, c_uint, c_void};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3::prelude::*;
use pyo3_ffi as ffi;
use pyo3_ffi::{PyMemberDef, PyMethodDef, PyObject, PyType_Slot, PyTypeObject};

use super::owned::Owned;
use crate::guarded;

/// An instance in memory.
#[repr(C)]
struct Instance<T> {
    head: PyObject,
    value: T,
}

/// What makes a Rust type the content of a Python class.
pub trait Class: Sized + 'static {
    /// Module and name.
    const NAME: &'static CStr;
    /// Whether Python code may derive classes from it.
    const SUBCLASSED: bool = false;
    /// Whether instances are called by vectorcall: by the function at the
    /// place that the member `__vectorcalloffset__` names.
    const VECTORCALL: bool = false;

    /// The slots but for those of memory management, without the last.
    fn slots() -> Vec<PyType_Slot>;

    /// Shows the objects that the value keeps alive to the collector.
    fn traverse(&self, visit: &mut Visit);

    /// Lets go of them; called when nobody can reach the instance any more.
    /// What is left must still be safe to use.
    fn clear(&mut self);

    /// The options that an instance was made with, a dict; none for one that
    /// nobody sees, or whose class has no options.
    fn given(&self) -> Option<&Owned> {
        None
    }
}

/// The collector's visit to an instance.
pub struct Visit {
    function: ffi::visitproc,
    argument: *mut c_void,
    result: c_int,
}

impl Visit {
    /// Shows one object; null is passed over.
    pub fn object(&mut self, op: *mut PyObject) {
        if self.result == 0 && !op.is_null() {
            // SAFETY: the collector gave the function and its argument.
            self.result = unsafe { (self.function)(op, self.argument) };
        }
    }
}

/// A method table, which ends with a zeroed entry.
pub struct Methods<const N: usize>(pub [PyMethodDef; N]);

// SAFETY: nothing in a table changes after its making.
unsafe impl<const N: usize> Sync for Methods<N> {}

impl<const N: usize> Methods<N> {
    /// The slot that names the table.
    pub fn slot(&'static self) -> PyType_Slot {
        slot(ffi::Py_tp_methods, self.0.as_ptr().cast_mut().cast())
    }

    /// Adds them to a module as its functions.
    pub fn add_to(&'static self, module: &Bound<'_, PyModule>) -> PyResult<()> {
        // SAFETY: the table is static and ends with a zeroed entry, and the
        // functions keep pointers into it.
        let result =
            unsafe { ffi::PyModule_AddFunctions(module.as_ptr(), self.0.as_ptr().cast_mut()) };
        if result < 0 {
            return Err(PyErr::fetch(module.py()));
        }
        Ok(())
    }
}

/// A table of members, which ends with a zeroed entry.
pub struct Members<const N: usize>(pub [PyMemberDef; N]);

// SAFETY: nothing in a table changes after its making.
unsafe impl<const N: usize> Sync for Members<N> {}

impl<const N: usize> Members<N> {
    /// The slot that names the table.
    pub fn slot(&'static self) -> PyType_Slot {
        slot(ffi::Py_tp_members, self.0.as_ptr().cast_mut().cast())
    }
}

/// Where in an instance that place of its value lies.
pub const fn offset<T>(inner: usize) -> ffi::Py_ssize_t {
    (core::mem::offset_of!(Instance<T>, value) + inner) as ffi::Py_ssize_t
}

/// A slot.
pub fn slot(id: c_int, content: *mut c_void) -> PyType_Slot {
    PyType_Slot {
        slot: id,
        pfunc: content,
    }
}

/// The slots of an iterator.
pub fn iterator<const N: usize>(
    doc: &'static CStr,
    next: ffi::iternextfunc,
    methods: &'static Methods<N>,
) -> Vec<PyType_Slot> {
    vec![
        slot(ffi::Py_tp_doc, doc.as_ptr().cast_mut().cast()),
        slot(ffi::Py_tp_iter, ffi::PyObject_SelfIter as *mut c_void),
        slot(ffi::Py_tp_iternext, next as *mut c_void),
        methods.slot(),
    ]
}

/// The class, a new reference; null with an exception set.
///
/// # Safety
/// The GIL is held.
pub unsafe fn make<T: Class>() -> *mut PyObject {
    let traverse: ffi::traverseproc = traverse::<T>;
    let clear: ffi::inquiry = clear::<T>;
    let dealloc: ffi::destructor = dealloc::<T>;
    let mut slots = T::slots();
    slots.push(slot(ffi::Py_tp_traverse, traverse as *mut c_void));
    slots.push(slot(ffi::Py_tp_clear, clear as *mut c_void));
    slots.push(slot(ffi::Py_tp_dealloc, dealloc as *mut c_void));
    slots.push(slot(0, null_mut()));
    let mut flags = ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_HAVE_GC;
    if T::SUBCLASSED {
        flags |= ffi::Py_TPFLAGS_BASETYPE;
    }
    if T::VECTORCALL {
        flags |= ffi::Py_TPFLAGS_HAVE_VECTORCALL;
    }
    let mut spec = ffi::PyType_Spec {
        name: T::NAME.as_ptr(),
        basicsize: size_of::<Instance<T>>() as c_int,
        itemsize: 0,
        flags: flags as c_uint,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the slots are copied; tables and names in them are static.
    unsafe { ffi::PyType_FromSpec(&raw mut spec) }
}

/// A new instance of `class`; null with an exception set.
///
/// # Safety
/// `class` is the class made for `T`, or derived from it.
pub unsafe fn instance<T: Class>(class: *mut PyTypeObject, value: T) -> *mut PyObject {
    // SAFETY: every class has an allocator, the memory is as large as the
    // class says, and nothing runs between its making and its filling.
    unsafe {
        let Some(alloc) = (*class).tp_alloc else {
            return ffi::PyErr_NoMemory();
        };
        let object = alloc(class, 0);
        if !object.is_null() {
            (&raw mut (*object.cast::<Instance<T>>()).value).write(value);
        }
        object
    }
}

/// The value of an instance.
///
/// # Safety
/// `object` is an instance of the class made for `T`.
#[inline(always)]
pub unsafe fn value<T: Class>(object: *mut PyObject) -> *mut T {
    // SAFETY: as the caller says.
    unsafe { &raw mut (*object.cast::<Instance<T>>()).value }
}

unsafe extern "C" fn traverse<T: Class>(
    object: *mut PyObject,
    visit: ffi::visitproc,
    argument: *mut c_void,
) -> c_int {
    let mut visit = Visit {
        function: visit,
        argument,
        result: 0,
    };
    // SAFETY: the collector gives a live instance; nothing else runs now.
    unsafe {
        visit.object(ffi::Py_TYPE(object).cast());
        (*value::<T>(object)).traverse(&mut visit);
    }
    visit.result
}

unsafe extern "C" fn clear<T: Class>(object: *mut PyObject) -> c_int {
    // SAFETY: the collector gives a live instance.
    unsafe { (*value::<T>(object)).clear() };
    0
}

unsafe extern "C" fn dealloc<T: Class>(object: *mut PyObject) {
    // SAFETY: nobody else has the instance any more; its class was kept alive
    // by it.
    unsafe {
        let class = ffi::Py_TYPE(object);
        ffi::PyObject_GC_UnTrack(object.cast());
        core::ptr::drop_in_place(value::<T>(object));
        if let Some(free) = (*class).tp_free {
            free(object.cast());
        }
        ffi::Py_DECREF(class.cast());
    }
}

/// A method without names: of one argument, or of none (then null).
pub const fn method(
    name: &'static CStr,
    doc: &'static CStr,
    flags: c_int,
    body: ffi::PyCFunction,
) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: body },
        ml_flags: flags,
        ml_doc: doc.as_ptr(),
    }
}

/// The method `close` of an iterator that has nothing to give back.
pub const fn close_method(body: ffi::PyCFunction) -> PyMethodDef {
    let doc = c"close($self, /)\n--\n\nForget the rest. The iterator is exhausted afterwards.";
    method(c"close", doc, ffi::METH_NOARGS, body)
}

/// Makes a class, once per process, and adds it to the module.
pub fn add_to<T: Class>(
    module: &Bound<'_, PyModule>,
    kept: &AtomicPtr<PyObject>,
    name: &str,
) -> PyResult<()> {
    // Imported again, the module has the same classes.
    let mut class = kept.load(Ordering::Relaxed);
    if class.is_null() {
        // SAFETY: the GIL is held while a module is made.
        class = unsafe { make::<T>() };
        if class.is_null() {
            return Err(PyErr::fetch(module.py()));
        }
        // Never released: iterators are made for as long as the process runs.
        kept.store(class, Ordering::Relaxed);
    }
    // SAFETY: the class is alive for good.
    let class = unsafe { Bound::from_borrowed_ptr(module.py(), class) };
    module.add(name, class)
}

/// A copy of the options that a class was called with, null for none.
///
/// # Safety
/// `keywords` is a dict or null.
pub unsafe fn options(keywords: *mut PyObject) -> Option<Owned> {
    // SAFETY: as the caller says.
    unsafe {
        Owned::from_new(if keywords.is_null() {
            ffi::PyDict_New()
        } else {
            ffi::PyDict_Copy(keywords)
        })
    }
}

/// The slot of the function that gives the text of an instance: its class with
/// the options that it was given.
pub fn repr_slot<T: Class>() -> PyType_Slot {
    let repr: ffi::reprfunc = repr::<T>;
    slot(ffi::Py_tp_repr, repr as *mut c_void)
}

unsafe extern "C" fn repr<T: Class>(this: *mut PyObject) -> *mut PyObject {
    // SAFETY: the slot belongs to the class.
    guarded(|| unsafe { text_of(this, (*value::<T>(this)).given()) })
}

unsafe fn text_of(this: *mut PyObject, given: Option<&Owned>) -> *mut PyObject {
    // SAFETY: all that is made here is owned; the dict is nobody else's, and
    // what its values' `repr` does cannot change it.
    unsafe {
        let class: *mut PyObject = ffi::Py_TYPE(this).cast();
        let attribute =
            |name: &CStr| Owned::from_new(ffi::PyObject_GetAttrString(class, name.as_ptr()));
        let (Some(module), Some(name)) = (attribute(c"__module__"), attribute(c"__qualname__"))
        else {
            return null_mut();
        };
        let Some(parts) = Owned::from_new(ffi::PyList_New(0)) else {
            return null_mut();
        };
        let (mut pos, mut key, mut value) = (0, null_mut(), null_mut());
        while let Some(given) = given
            && ffi::PyDict_Next(given.as_ptr(), &raw mut pos, &raw mut key, &raw mut value) != 0
        {
            let part = ffi::PyUnicode_FromFormat(c"%U=%R".as_ptr(), key, value);
            let Some(part) = Owned::from_new(part) else {
                return null_mut();
            };
            if ffi::PyList_Append(parts.as_ptr(), part.as_ptr()) != 0 {
                return null_mut();
            }
        }
        let comma = Owned::from_new(super::str::from_ascii(b", "));
        let Some(comma) = comma else {
            return null_mut();
        };
        let inner = Owned::from_new(ffi::PyUnicode_Join(comma.as_ptr(), parts.as_ptr()));
        let Some(inner) = inner else {
            return null_mut();
        };
        ffi::PyUnicode_FromFormat(
            c"%S.%S(%U)".as_ptr(),
            module.as_ptr(),
            name.as_ptr(),
            inner.as_ptr(),
        )
    }
}

/// The method `__getnewargs_ex__`, by which an instance is pickled and copied:
/// no positional arguments, and the options that it was given.
pub const fn new_arguments_method<T: Class>() -> PyMethodDef {
    let flags = ffi::METH_NOARGS;
    method(c"__getnewargs_ex__", c"", flags, new_arguments::<T>)
}

unsafe extern "C" fn new_arguments<T: Class>(
    this: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the method belongs to the class; all that is made here is owned,
    // and the tuple takes both over.
    guarded(|| unsafe {
        let given = (*value::<T>(this)).given();
        let names = options(given.map_or(null_mut(), Owned::as_ptr));
        let none = Owned::from_new(ffi::PyTuple_New(0));
        let both = Owned::from_new(ffi::PyTuple_New(2));
        let (Some(names), Some(none), Some(both)) = (names, none, both) else {
            return null_mut();
        };
        ffi::PyTuple_SET_ITEM(both.as_ptr(), 0, none.into_ptr());
        ffi::PyTuple_SET_ITEM(both.as_ptr(), 1, names.into_ptr());
        both.into_ptr()
    })
}
