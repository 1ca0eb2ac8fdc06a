//! Values that are not of an exact built-in type.

use linecaster_formats::Emitter;
use linecaster_kernel::output::Output;
use linecaster_kernel::text::Ascii;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::classes::{Class, built_in, class_of};
use super::door::Door;
use super::error::{Failure, type_name};
use super::frame::Kind;
use super::options::Options;
use super::temporal::{self, Stamp};
use super::uuid;
use super::walk::{Json, Leaf, Step, Walk};
use crate::ffi::int::{self, Int};
use crate::ffi::owned::Owned;

/// How often one value may stand in for another: an `Enum` whose value is an
/// `Enum`, a `default` that returns an object of another class.
pub const REPLACEMENTS: usize = 254;

/// What a class's rule makes of a value.
enum Rule {
    /// It went its way.
    Done(Step),
    /// This value counts instead.
    Instead(Owned),
}

impl Walk<'_> {
    /// Writes a value of any class, or asks `default`.
    #[inline(never)]
    pub unsafe fn native_other<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        mut item: Owned,
    ) -> Step {
        if emitter.failed() {
            return self.fail(Failure::Raised);
        }
        for _ in 0..REPLACEMENTS {
            // SAFETY: the item is owned.
            unsafe {
                match self.rule(emitter, item) {
                    Rule::Done(step) => return step,
                    Rule::Instead(value) => item = value,
                }
                let leaf = self.leaf(emitter, item.as_ptr());
                if !matches!(leaf, Leaf::Other) {
                    return self.finish_value(emitter, leaf, item);
                }
            }
        }
        self.fail(Failure::value(format!(
            "default returned unsupported values {REPLACEMENTS} times in a row, at last {}",
            type_name(item.as_ptr())
        )))
    }

    unsafe fn rule<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        item: Owned,
    ) -> Rule {
        let op = item.as_ptr();
        // SAFETY: the item is owned, and of the class that is found.
        unsafe {
            let Ok((mut class, names)) = class_of(op) else {
                return Rule::Done(self.fail(Failure::Raised));
            };
            if self.options.passthrough.has(class) {
                // A member of an Enum of strings is a string, too.
                match built_in(py::Py_TYPE(op)) {
                    Ok(Some(kind)) => class = kind,
                    Ok(None) => return self.ask(class, &item),
                    Err(_) => return Rule::Done(self.fail(Failure::Raised)),
                }
            }
            let leaf = match class {
                Class::Str => self.string::<O, D, false>(emitter, op),
                Class::Int => match int::value(op) {
                    Int::Signed(value) => written(|| emitter.int(value)),
                    Int::Unsigned(value) => written(|| emitter.uint(value)),
                    Int::Big => self.big_int(emitter, op),
                },
                Class::Float => match py::PyFloat_AS_DOUBLE(op) {
                    value if value.is_finite() => written(|| emitter.float(value)),
                    value => self.non_finite(emitter, value),
                },
                Class::List => Leaf::Container(Kind::List),
                Class::Tuple => Leaf::Container(Kind::Tuple),
                Class::Dict => Leaf::Container(Kind::Dict),
                Class::DateTime | Class::Date | Class::Time | Class::TimeDelta | Class::Uuid => {
                    let mut place = temporal::place();
                    let mut text = Stamp::new(&mut place);
                    match stamp(&mut text, self.options, class, op) {
                        Ok(()) => written(|| {
                            let _ = emitter.string::<Ascii>(text.as_bytes());
                        }),
                        Err(failure) => self.fail_leaf(failure),
                    }
                }
                Class::Decimal => self.decimal(emitter, op),
                Class::Enum => {
                    return self.instead(py::PyObject_GetAttrString(op, c"value".as_ptr()));
                }
                Class::Path => return self.instead(py::PyObject_Str(op)),
                Class::Pydantic => return self.instead(model_dump(op)),
                Class::Fields => return Rule::Done(self.fields(emitter, item, names)),
                Class::Mapping => return Rule::Done(self.mapping(emitter, item)),
                Class::Iterable if self.options.iterables => {
                    return Rule::Done(self.iterable(emitter, item));
                }
                Class::Bytes | Class::Iterable | Class::Unknown => return self.ask(class, &item),
            };
            Rule::Done(self.finish_value(emitter, leaf, item))
        }
    }

    /// Calls `default`.
    unsafe fn ask(&mut self, class: Class, item: &Owned) -> Rule {
        let default = self.options.default;
        if !default.is_null() {
            // SAFETY: the caller of the function holds `default`.
            return unsafe { self.instead(py::PyObject_CallOneArg(default, item.as_ptr())) };
        }
        let name = type_name(item.as_ptr());
        let hint = match class {
            Class::Iterable => " (iterables=True writes it as an array)",
            Class::Bytes => " (decode it first, or give a default)",
            _ => "",
        };
        Rule::Done(self.fail(Failure::Value(format!(
            "type is not JSON serializable: {name}{hint}"
        ))))
    }

    /// The value that a call returned.
    unsafe fn instead(&mut self, op: *mut PyObject) -> Rule {
        // SAFETY: `op` is a new reference, or null with an exception set.
        match unsafe { Owned::from_new(op) } {
            Some(value) => Rule::Instead(value),
            None => Rule::Done(self.fail(Failure::Raised)),
        }
    }

    unsafe fn fields<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        item: Owned,
        names: Option<Owned>,
    ) -> Step {
        let Some(mut names) = names else {
            return self.fail(Failure::Raised);
        };
        if self.options.sort_keys {
            // SAFETY: the names are a tuple of strings.
            match unsafe { sorted_names(&names) } {
                Some(sorted) => names = sorted,
                None => return self.fail(Failure::Raised),
            }
        }
        emitter.begin_object();
        let identity = item.as_ptr();
        self.enter_as::<D>(Kind::Fields, item, names, identity)
    }

    unsafe fn mapping<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        item: Owned,
    ) -> Step {
        // SAFETY: all that is made here is owned.
        let iterator = unsafe {
            let Some(items) = Owned::from_new(py::PyMapping_Items(item.as_ptr())) else {
                return self.fail(Failure::Raised);
            };
            let source = if self.options.sort_keys {
                match sorted_pairs(&items) {
                    Ok(pairs) => pairs,
                    Err(failure) => return self.fail(failure),
                }
            } else {
                items
            };
            Owned::from_new(py::PyObject_GetIter(source.as_ptr()))
        };
        let Some(iterator) = iterator else {
            return self.fail(Failure::Raised);
        };
        emitter.begin_object();
        let identity = item.as_ptr();
        self.enter_as::<D>(Kind::PairIterator, iterator, item, identity)
    }

    unsafe fn iterable<O: Output, D: Door>(
        &mut self,
        emitter: &mut Json<'_, O, D>,
        item: Owned,
    ) -> Step {
        // SAFETY: the item is owned.
        let Some(iterator) = (unsafe { Owned::from_new(py::PyObject_GetIter(item.as_ptr())) })
        else {
            return self.fail(Failure::Raised);
        };
        emitter.begin_array();
        let identity = item.as_ptr();
        self.enter_as::<D>(Kind::Iterator, iterator, item, identity)
    }
}

fn written(write: impl FnOnce()) -> Leaf {
    write();
    Leaf::Written
}

unsafe fn model_dump(op: *mut PyObject) -> *mut PyObject {
    // SAFETY: all that is made here is owned.
    unsafe {
        let Some(method) = Owned::from_new(py::PyObject_GetAttrString(op, c"model_dump".as_ptr()))
        else {
            return core::ptr::null_mut();
        };
        let arguments = Owned::from_new(py::PyTuple_New(0));
        let options = Owned::from_new(py::PyDict_New());
        let mode = Owned::from_new(py::PyUnicode_FromString(c"json".as_ptr()));
        let (Some(arguments), Some(options), Some(mode)) = (arguments, options, mode) else {
            return core::ptr::null_mut();
        };
        if py::PyDict_SetItemString(options.as_ptr(), c"mode".as_ptr(), mode.as_ptr()) != 0 {
            return core::ptr::null_mut();
        }
        py::PyObject_Call(method.as_ptr(), arguments.as_ptr(), options.as_ptr())
    }
}

/// The text of a value that has a fixed spelling.
///
/// # Safety
/// `op` is owned and of that class.
pub unsafe fn stamp(
    text: &mut Stamp<'_>,
    options: &Options,
    class: Class,
    op: *mut PyObject,
) -> Result<(), Failure> {
    // SAFETY: as the caller says.
    unsafe {
        match class {
            Class::DateTime => temporal::datetime(text, op, options)?,
            Class::Date => temporal::date(text, op),
            Class::Time => temporal::time(text, op, options)?,
            Class::TimeDelta => temporal::timedelta(text, op),
            _ => uuid::stamp(text, uuid_by_name(op)?),
        }
    }
    Ok(())
}

unsafe fn uuid_by_name(op: *mut PyObject) -> Result<u128, Failure> {
    // SAFETY: `op` is owned.
    let value = unsafe {
        Owned::from_new(py::PyObject_GetAttrString(op, c"int".as_ptr())).ok_or(Failure::Raised)?
    };
    // SAFETY: checked to be an int.
    let number = unsafe {
        if py::PyLong_Check(value.as_ptr()) == 0 {
            return Err(Failure::value("UUID whose 'int' is not an int"));
        }
        int::magnitude(value.as_ptr())
    };
    number.ok_or_else(|| Failure::value("UUID beyond 128 bits"))
}

unsafe fn sorted_names(names: &Owned) -> Option<Owned> {
    // SAFETY: the list is new.
    unsafe {
        let list = Owned::from_new(py::PySequence_List(names.as_ptr()))?;
        if py::PyList_Sort(list.as_ptr()) != 0 {
            return None;
        }
        Owned::from_new(py::PyList_AsTuple(list.as_ptr()))
    }
}

unsafe fn sorted_pairs(items: &Owned) -> Result<Owned, Failure> {
    // SAFETY: the list is new, and nobody else sees it.
    unsafe {
        let list = Owned::from_new(py::PySequence_List(items.as_ptr())).ok_or(Failure::Raised)?;
        for i in 0..py::PyList_GET_SIZE(list.as_ptr()) {
            let pair = py::PyList_GET_ITEM(list.as_ptr(), i);
            if py::PyTuple_Check(pair) == 0 || py::PyTuple_GET_SIZE(pair) != 2 {
                return Err(Failure::value(
                    "items() of a mapping gave something else than pairs",
                ));
            }
        }
        super::sort::sort_pairs(list.as_ptr()).ok_or(Failure::Raised)?;
        Ok(list)
    }
}
