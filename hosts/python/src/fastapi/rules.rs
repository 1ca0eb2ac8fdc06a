//! The rules of `encode`: an object is written as it is encoded, without a
//! tree in between.
//!
//! Values of exact built-in types, and those whose encoders are known, are
//! written where they are met. Anything else takes the original's two steps by
//! itself: its tree is made ([`super::tree`]), and `json`'s text of that is
//! put in its place.
//!
//! As long as no code of a user has run, whatever is out of the ordinary ends
//! the walk, and the whole object takes the two steps, so that errors are
//! theirs. Afterwards ([`Walk::called`]) an error of the first step is raised
//! as it comes, and one of the second step only when the first has gone
//! through all the rest: see [`super::response`].

use core::cell::Cell;

use linecaster_formats::json::Quick;
use linecaster_kernel::number::float_style::Python;
use linecaster_kernel::output::Output;
use linecaster_kernel::policy;
use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::chosen;
use super::custom::Asked;
use super::decimal::{self, Number};
use super::depth;
use super::dicts::is_private;
use super::extras::Extras;
use super::kinds::{self, Kind as Told};
use super::leaves::{self, Leaf as Known};
use super::model::Reading;
use super::parts::Parts;
use super::settings::{Scope, Settings};
use super::text;
use super::tree::Tree;
use super::values::{self, Texts, second_step};
use crate::args::set_error;
use crate::encode::aside::{self, Aside};
use crate::encode::door::{Door, Spelled};
use crate::encode::error::Failure;
use crate::encode::frame::{Frame, Kind};
use crate::encode::options::Options;
use crate::encode::plain::Takes;
use crate::encode::walk::{Json, Leaf, Step, Walk};
use crate::ffi::dict_entries::Entries;
use crate::ffi::owned::Owned;

/// The rules.
pub struct Encoded;

/// JSON as Starlette's responses spell it.
pub type Response = Spelled<Encoded, policy::Json, Python>;

/// Bits of [`Options::flags`]: members whose names begin with `_sa` are left
/// out.
pub const SAFE: u32 = 1;
/// Members whose value is `None` are.
pub const NO_NONE: u32 = 2;
/// There is an `include` or `exclude`: see [`chosen`].
pub const FILTERED: u32 = 4;
/// There is a `custom_encoder`.
pub const CUSTOM: u32 = 8;

/// The nesting up to which nobody is asked.
pub const DEPTH: usize = 200;

/// What the rules keep of a call.
pub struct Call<'a> {
    pub settings: &'a Settings,
    pub parts: &'a Parts,
    /// How models are read, if they may be, where no filters hold.
    pub reading: Option<Reading>,
    pub custom: Asked,
    /// The exception that is set is one of the second step.
    pub refused: Cell<bool>,
    /// There is a lone surrogate in what is written.
    pub surrogates: Cell<bool>,
}

impl Call<'_> {
    /// The call of a walk.
    ///
    /// # Safety
    /// The walk is one by these rules.
    pub unsafe fn of<'a>(options: &Options) -> &'a Call<'a> {
        // SAFETY: such a walk has a call, which outlives it.
        unsafe { &*options.call.cast::<Call<'a>>() }
    }

    /// What holds for a value where the walk is.
    pub fn scope(&self, walk: &mut Walk<'_>) -> Scope {
        let scope = self.settings.scope();
        if self.parts.defaults_in_dicts && !scope.has(Scope::FILTERED | Scope::CUSTOM) {
            return scope;
        }
        let frames = walk.stack.frames();
        let of_model = |frame: &Frame| frame.owner.is_some() && frame.kind != Kind::Chosen;
        if frames.iter().any(of_model) {
            return scope.of_dump();
        }
        if frames.iter().any(|frame| frame.kind.is_object()) {
            return scope.of_members(self.parts);
        }
        scope
    }

    /// A tree of the call.
    pub fn tree(&self) -> Tree<'_> {
        Tree {
            custom: self.custom.known(),
            ..Tree::new(self.settings, self.parts)
        }
    }
}

impl Door for Response {
    const CHOOSES: bool = true;

    const SURROGATES_WAIT: bool = true;

    /// Keys that have to be encoded may come to be equal: such a dict takes
    /// both steps.
    #[inline(always)]
    unsafe fn enters(dict: *mut PyObject) -> bool {
        // SAFETY: as the caller says.
        unsafe { Entries::all_strings(dict) }
    }

    #[inline(always)]
    unsafe fn enters_here(walk: &mut Walk<'_>, kind: Kind, op: *mut PyObject) -> bool {
        // SAFETY: as the caller says.
        !chosen::hold(walk) && (kind != Kind::Dict || unsafe { Self::enters(op) })
    }

    unsafe fn chosen<O: Output>(walk: &mut Walk<'_>, emitter: &mut Json<'_, O, Self>) -> Step {
        // SAFETY: as the caller says.
        unsafe { chosen::members(walk, emitter) }
    }

    #[inline(always)]
    unsafe fn drops(options: &Options, key: *mut PyObject, value: *mut PyObject) -> bool {
        // SAFETY: as the caller says.
        unsafe {
            options.flags & SAFE != 0 && is_private(key)
                || options.flags & NO_NONE != 0 && value == py::Py_None()
        }
    }

    fn may_enter(walk: &mut Walk<'_>, _: Kind, _: *mut PyObject) -> bool {
        if !walk.called {
            walk.fail(Failure::TooDeep);
            return false;
        }
        // SAFETY: the GIL is held during a walk.
        let reached = unsafe { depth::asked(walk.stack.depth() + 1) };
        if reached.is_err() {
            walk.fail(Failure::Raised);
        }
        reached.is_ok()
    }

    unsafe fn other<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        item: Owned,
    ) -> Step {
        if emitter.failed() {
            return walk.fail(Failure::Raised);
        }
        let flags = walk.options.flags;
        // SAFETY: the item is owned, and the walk is by these rules.
        unsafe {
            if flags & FILTERED != 0 && !walk.called && !chosen::settle(walk) {
                return walk.fail(Failure::Raised);
            }
            if flags & CUSTOM != 0 {
                return values::custom_first(walk, emitter, item);
            }
            values::other(walk, emitter, item)
        }
    }

    unsafe fn aside<O: Output>(
        options: &Options,
        quick: Quick<O, Self>,
        item: *mut PyObject,
        takes: Takes,
    ) -> Aside {
        // SAFETY: as the caller says.
        unsafe { aside(options, quick, item, takes) }
    }

    /// Reached only where code of a user has put such a key into a dict that
    /// the walk stands in.
    unsafe fn member<O: Output>(
        walk: &mut Walk<'_>,
        _: &mut Json<'_, O, Self>,
        _: Owned,
        _: Owned,
    ) -> Step {
        let text = "dictionary keys changed during iteration";
        // SAFETY: the GIL is held during a walk.
        unsafe { set_error(py::PyExc_RuntimeError, text) };
        walk.fail(Failure::Raised)
    }

    unsafe fn big_int<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        item: *mut PyObject,
    ) -> Leaf {
        // SAFETY: the item is alive, and the walk is by these rules.
        unsafe { second_step(walk, emitter, item, Texts::Whole) }
    }

    fn non_finite<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        value: f64,
    ) -> Leaf {
        // SAFETY: the GIL is held during a walk; the number is owned.
        unsafe {
            let Some(number) = Owned::from_new(py::PyFloat_FromDouble(value)) else {
                return walk.fail_leaf(Failure::Raised);
            };
            second_step(walk, emitter, number.as_ptr(), Texts::Whole)
        }
    }

    fn surrogate() -> Failure {
        // Strings that have one wait for output that takes it.
        Failure::value("lone surrogate")
    }
}

/// Writes a value if no code of a user runs for it.
///
/// # Safety
/// As for [`Door::aside`].
#[inline(never)]
pub unsafe fn aside<O: Output>(
    options: &Options,
    quick: Quick<O, Response>,
    item: *mut PyObject,
    takes: Takes,
) -> Aside {
    // SAFETY: the item is alive, and of the class that is noted; there is room
    // for a number.
    unsafe {
        let class = py::Py_TYPE(item);
        if options.flags & CUSTOM != 0 && Call::of(options).custom.is_for(class) {
            return Aside::General;
        }
        match kinds::noted(class) {
            Some(Told::Leaf(leaf)) => {
                if !Call::of(options).parts.has_own_encoder(leaf, class) {
                    return Aside::General;
                }
                known(quick, leaf, item)
            }
            Some(kind @ (Told::Model | Told::Dataclass))
                if Call::of(options).settings.extras == Extras::NONE =>
            {
                text::aside(Call::of(options), quick, item, kind, takes)
            }
            Some(Told::Enum { in_place: true, .. }) => aside::value_of_enum(quick, item, takes),
            Some(Told::Atom) if py::PyUnicode_Check(item) != 0 => aside::string(quick, item, takes),
            Some(Told::Atom) if py::PyLong_Check(item) != 0 => aside::integer(quick, item, takes),
            _ => Aside::General,
        }
    }
}

/// Writes a value whose encoder is known, if that need not be called.
///
/// # Safety
/// The GIL is held, the item is alive and exactly of the class, and there is
/// room for a number.
#[inline(always)]
pub unsafe fn known<O: Output>(
    mut quick: Quick<O, Response>,
    leaf: Known,
    item: *mut PyObject,
) -> Aside {
    // SAFETY: as the caller says.
    unsafe {
        match leaf {
            Known::Uuid => aside::identifier(quick, item),
            Known::DateTime | Known::Date | Known::Time => {
                aside::stamped(quick, |text| leaves::stamp(text, leaf, item))
            }
            Known::Decimal => {
                match decimal::number(item) {
                    Some(Number::Int(value)) => quick.int(value),
                    Some(Number::Float(value)) => quick.float::<false>(value),
                    None => return Aside::General,
                }
                Aside::Written(quick.tail())
            }
            Known::Duration => {
                let Some(value) = leaves::seconds(item) else {
                    return Aside::General;
                };
                quick.float::<false>(value);
                Aside::Written(quick.tail())
            }
            Known::Bytes => Aside::General,
        }
    }
}
