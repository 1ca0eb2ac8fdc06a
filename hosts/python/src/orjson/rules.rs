//! The rules of the walk.

use core::mem::MaybeUninit;

use linecaster_formats::Emitter;
use linecaster_formats::json::Quick;
use linecaster_kernel::number::float_style;
use linecaster_kernel::output::Output;
use linecaster_kernel::policy;
use linecaster_kernel::text::Ascii;
use pyo3::exceptions::PyTypeError;
use pyo3::{PyErr, Python};
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::classes::{Class, class_of};
use super::{aside, dataclass, fragment, members, options, slots, temporal};
use crate::encode::aside::Aside;
use crate::encode::door::{Door, Spelled};
use crate::encode::error::{Failure, type_name};
use crate::encode::frame::Kind;
use crate::encode::gathered::Member;
use crate::encode::names;
use crate::encode::options::Options;
use crate::encode::plain::Takes;
use crate::encode::sort::Gathered;
use crate::encode::temporal::{self as spelled, Stamp};
use crate::encode::walk::{Json, Leaf, Step, Walk};
use crate::ffi::int::{self, Int};
use crate::ffi::owned::Owned;
use crate::numpy::{self, Arrays};

/// The rules.
pub struct Rules;

/// JSON as the original spells it.
pub type Dumped = Spelled<Rules, policy::Json, float_style::Orjson>;

/// The text for what UTF-8 does not hold.
pub const SURROGATES: &str = "str is not valid UTF-8: surrogates not allowed";

/// How many calls of `default` may be inside of each other.
const MOST_CALLS: u32 = 255;

/// What a class's rule makes of a value.
pub enum Rule {
    /// It is written, or a container to enter, or has failed.
    Leaf(Leaf),
    /// It went its way.
    Done(Step),
    /// This value counts instead.
    Instead(Owned),
    /// For `default`.
    Ask,
}

impl Arrays for Dumped {
    const SINGLES: bool = true;
}

impl Door for Dumped {
    const NARROW_INTS: bool = true;

    #[inline(always)]
    fn narrow_ints(options: &Options) -> bool {
        options.flags & options::STRICT_INTEGER != 0
    }

    /// Lists, dicts and dataclasses are refused at one depth. Tuples are not
    /// counted there, and may lead beyond it.
    fn may_enter(walk: &mut Walk<'_>, kind: Kind, identity: *mut PyObject) -> bool {
        let refused = kind != Kind::Tuple && walk.stack.depth() == options::MAX_DEPTH;
        if refused || walk.stack.repeats(identity) {
            walk.fail(Failure::TooDeep);
            return false;
        }
        true
    }

    unsafe fn gathered(walk: &Walk<'_>, dict: *mut PyObject) -> Result<Gathered, Failure> {
        // SAFETY: as the caller says.
        unsafe { members::gathered(dict, walk.options) }
    }

    #[inline(always)]
    unsafe fn as_they_come(options: &Options, dict: *mut PyObject) -> bool {
        // SAFETY: as the caller says.
        unsafe { members::as_they_come(options, dict) }
    }

    #[inline(always)]
    fn sorts(options: &Options) -> bool {
        options.flags & options::SORT_KEYS != 0
    }

    #[inline(always)]
    fn int_keys(options: &Options) -> bool {
        options.flags & options::NON_STR_KEYS != 0
    }

    unsafe fn other<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        item: Owned,
    ) -> Step {
        // SAFETY: as the caller says.
        unsafe { other(walk, emitter, item) }
    }

    unsafe fn aside<O: Output>(
        options: &Options,
        quick: Quick<O, Self>,
        item: *mut PyObject,
        takes: Takes,
    ) -> Aside {
        // SAFETY: as the caller says.
        unsafe { aside::write(options, quick, item, takes) }
    }

    unsafe fn fields(item: *mut PyObject, room: &mut [MaybeUninit<Member>]) -> Option<usize> {
        // SAFETY: as the caller says.
        unsafe { slots::gather(item, room) }
    }

    unsafe fn member<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        key: Owned,
        value: Owned,
    ) -> Step {
        // SAFETY: both are owned, and what a key becomes is a `str`.
        unsafe {
            match members::converted(key, walk.options) {
                Ok(key) => walk.str_member(emitter, key, value),
                Err(failure) => walk.fail(failure),
            }
        }
    }

    unsafe fn big_int<O: Output>(
        walk: &mut Walk<'_>,
        _emitter: &mut Json<'_, O, Self>,
        item: *mut PyObject,
    ) -> Leaf {
        // SAFETY: the item is an `int`.
        walk.fail_leaf(Failure::value(match unsafe { int::value(item) } {
            Int::Big => "Integer exceeds 64-bit range",
            _ => "Integer exceeds 53-bit range",
        }))
    }

    fn non_finite<O: Output>(
        _walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        _value: f64,
    ) -> Leaf {
        emitter.null();
        Leaf::Written
    }

    fn surrogate() -> Failure {
        Failure::value(SURROGATES)
    }
}

/// Writes a value of any class, or asks `default`.
#[inline(never)]
unsafe fn other<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Dumped>,
    mut item: Owned,
) -> Step {
    let mut calls = 0;
    let step = loop {
        if emitter.failed() {
            break walk.fail(Failure::Raised);
        }
        // SAFETY: the item is owned.
        unsafe {
            item = match rule(walk, emitter, &item) {
                Rule::Leaf(leaf) => break walk.finish_value(emitter, leaf, item),
                Rule::Done(step) => break step,
                Rule::Instead(value) => value,
                Rule::Ask => match ask(walk.options.default, &item, walk.stack.calls() + calls) {
                    Ok(value) => {
                        calls += 1;
                        value
                    }
                    Err(failure) => break walk.fail(failure),
                },
            };
            let leaf = walk.leaf(emitter, item.as_ptr());
            if leaf != Leaf::Other {
                break walk.finish_value(emitter, leaf, item);
            }
        }
    };
    if calls > 0
        && step == Step::Enter
        && let Some(frame) = walk.stack.top()
    {
        frame.calls = calls;
    }
    step
}

unsafe fn rule<O: Output>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, Dumped>,
    item: &Owned,
) -> Rule {
    let op = item.as_ptr();
    // SAFETY: the item is owned, and of the class that is found.
    unsafe {
        let Ok(class) = class_of(op, walk.options.flags) else {
            return Rule::Done(walk.fail(Failure::Raised));
        };
        let passed = walk.options.flags & options::PASSTHROUGH_DATETIME != 0;
        Rule::Leaf(match class {
            Class::DateTime | Class::Date | Class::Time if passed => return Rule::Ask,
            Class::DateTime | Class::Date | Class::Time | Class::Uuid => {
                let mut place = spelled::place();
                let mut text = Stamp::new(&mut place);
                match temporal::stamp(&mut text, class, op, walk.options) {
                    Ok(()) => {
                        // ASCII text never fails.
                        let _ = emitter.string::<Ascii>(text.as_bytes());
                        Leaf::Written
                    }
                    Err(failure) => walk.fail_leaf(failure),
                }
            }
            Class::Str => walk.string::<O, Dumped, false>(emitter, op),
            Class::Int if walk.is_wide::<Dumped>(op) => walk.big_int(emitter, op),
            Class::Int => match int::value(op) {
                Int::Signed(value) => written(|| emitter.int(value)),
                Int::Unsigned(value) => written(|| emitter.uint(value)),
                Int::Big => walk.big_int(emitter, op),
            },
            Class::List => Leaf::Container(Kind::List),
            Class::Dict => Leaf::Container(Kind::Dict),
            Class::Fragment => match fragment::write(emitter, op) {
                Ok(()) => Leaf::Written,
                Err(failure) => walk.fail_leaf(failure),
            },
            Class::Enum { .. } => {
                return match names::VALUE.of(op) {
                    Ok(value) => Rule::Instead(value),
                    Err(_) => Rule::Done(walk.fail(Failure::Raised)),
                };
            }
            Class::Dataclass { .. } => return Rule::Done(dataclass::enter(walk, emitter, op)),
            Class::NumpyScalar(scalar) => {
                match numpy::scalar::write(emitter, op, scalar, walk.options) {
                    Ok(()) => Leaf::Written,
                    Err(failure) => walk.fail_leaf(failure),
                }
            }
            Class::NumpyArray => match numpy::array::write(emitter, op, walk.options) {
                Ok(true) => Leaf::Written,
                Ok(false) => return Rule::Ask,
                Err(failure) => walk.fail_leaf(failure),
            },
            Class::Unknown => return Rule::Ask,
        })
    }
}

fn written(write: impl FnOnce()) -> Leaf {
    write();
    Leaf::Written
}

/// What `default` gives for `item`, inside of so many other calls of it.
#[inline(never)]
unsafe fn ask(default: *mut PyObject, item: &Owned, calls: u32) -> Result<Owned, Failure> {
    let text = || {
        format!(
            "Type is not JSON serializable: {}",
            type_name(item.as_ptr())
        )
    };
    if default.is_null() {
        return Err(Failure::Value(text()));
    }
    if calls == MOST_CALLS {
        return Err(Failure::value("default serializer exceeds recursion limit"));
    }
    // SAFETY: the caller of the function holds `default`.
    unsafe {
        match Owned::from_new(py::PyObject_CallOneArg(default, item.as_ptr())) {
            Some(value) => Ok(value),
            None => Err(because_of_it(&text())),
        }
    }
}

/// Raises `TypeError` with the present exception as its cause.
#[cold]
unsafe fn because_of_it(text: &str) -> Failure {
    // SAFETY: the GIL is held during a walk.
    let python = unsafe { Python::assume_attached() };
    let cause = PyErr::take(python);
    let error = PyTypeError::new_err(text.to_owned());
    error.set_cause(python, cause);
    error.restore(python);
    Failure::Raised
}
