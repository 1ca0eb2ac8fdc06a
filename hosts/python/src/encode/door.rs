//! What a door decides: the doors share the walk, the loops and the spelling,
//! and differ in what becomes of the values that are of no exact built-in
//! type, of keys that are not exact strings, and of numbers and strings that
//! their format does not hold.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use linecaster_formats::json::{Dialect, Quick};
use linecaster_kernel::number::FloatSpelling;
use linecaster_kernel::output::Output;
use linecaster_kernel::policy::Policy;
use pyo3_ffi::PyObject;

use super::aside::Aside;
use super::error::Failure;
use super::frame::Kind;
use super::gathered::Member;
use super::options::Options;
use super::plain::Takes;
use super::sort::{self, Gathered};
use super::walk::{Json, Leaf, Step, Walk};
use crate::ffi::owned::Owned;

/// The largest integer up to which an `f64` holds all of them.
pub const LARGEST_EXACT: u64 = (1 << 53) - 1;

/// A dialect with the rules of a door. Everything here is off the fast path.
///
/// The functions write what they know, enter what is a container, and end the
/// walk by [`Walk::fail`] or [`Walk::fail_leaf`]. How a [`Failure`] becomes an
/// exception is the business of the door's own functions.
pub trait Door: Dialect {
    /// Whether [`Door::narrow_ints`] is ever true; it is not asked otherwise.
    const NARROW_INTS: bool = false;

    /// Whether exact `int`s that an `f64` does not hold for certain, those
    /// beyond [`LARGEST_EXACT`], go to [`Door::big_int`], too.
    #[inline(always)]
    fn narrow_ints(options: &Options) -> bool {
        let _ = options;
        false
    }

    /// Whether a container may be entered that is deeper down than
    /// [`Options::max_depth`] or another depth from which on this is asked;
    /// if not, the walk has failed.
    fn may_enter(walk: &mut Walk<'_>, kind: Kind, identity: *mut PyObject) -> bool {
        let _ = kind;
        walk.native_may_enter(identity)
    }

    /// The members of a dict in the order in which they are written. Asked
    /// only with [`Options::sort_keys`].
    ///
    /// # Safety
    /// The GIL is held, and `dict` is a dict, owned by the caller.
    unsafe fn gathered(walk: &Walk<'_>, dict: *mut PyObject) -> Result<Gathered, Failure> {
        let _ = walk;
        // SAFETY: as the caller says.
        unsafe { sort::sorted(dict) }.ok_or(Failure::Raised)
    }

    /// Whether [`Door::gathered`] would take the members of a dict as they
    /// come.
    ///
    /// # Safety
    /// The GIL is held, and `dict` is a dict.
    #[inline(always)]
    unsafe fn as_they_come(options: &Options, dict: *mut PyObject) -> bool {
        let _ = (options, dict);
        false
    }

    /// Whether [`Door::gathered`] sorts members by their keys, as far as those
    /// are exact strings, and does nothing else to them. Asked only with
    /// [`Options::sort_keys`].
    #[inline(always)]
    fn sorts(options: &Options) -> bool {
        let _ = options;
        true
    }

    /// Whether a key that is an exact `int` of at most 64 bits is written as
    /// its digits. Asked only of dicts whose members are taken as they come.
    #[inline(always)]
    fn int_keys(options: &Options) -> bool {
        let _ = options;
        false
    }

    /// Whether [`Door::enters`], [`Door::enters_here`] and [`Door::drops`] are
    /// asked.
    const CHOOSES: bool = false;

    /// Whether a dict is written member by member; else it is a value for
    /// [`Door::other`].
    ///
    /// # Safety
    /// The GIL is held, and `dict` is a dict.
    #[inline(always)]
    unsafe fn enters(dict: *mut PyObject) -> bool {
        let _ = dict;
        true
    }

    /// Whether a list, tuple or dict is gone through by the loops of the walk
    /// where that is now; else it is a value for [`Door::other`].
    ///
    /// # Safety
    /// The GIL is held, and `op` is of that kind.
    #[inline(always)]
    unsafe fn enters_here(walk: &mut Walk<'_>, kind: Kind, op: *mut PyObject) -> bool {
        let _ = walk;
        // SAFETY: as the caller says.
        kind != Kind::Dict || unsafe { Self::enters(op) }
    }

    /// Writes members of the innermost container, one of [`Kind::Chosen`].
    ///
    /// # Safety
    /// The GIL is held.
    unsafe fn chosen<O: Output>(walk: &mut Walk<'_>, emitter: &mut Json<'_, O, Self>) -> Step {
        let _ = (walk, emitter);
        Step::Leave
    }

    /// Whether a member is left out.
    ///
    /// # Safety
    /// The GIL is held, and `key` is an exact `str`.
    #[inline(always)]
    unsafe fn drops(options: &Options, key: *mut PyObject, value: *mut PyObject) -> bool {
        let _ = (options, key, value);
        false
    }

    /// Whether strings with lone surrogates wait for output that takes them:
    /// the walk ends with [`super::walk::Flow::Widen`].
    const SURROGATES_WAIT: bool = false;

    /// Writes a value of no exact built-in type.
    ///
    /// # Safety
    /// The GIL is held.
    unsafe fn other<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        item: Owned,
    ) -> Step;

    /// Writes a value of no exact built-in type into the room of the inner
    /// loop, if no code of a user runs for it.
    ///
    /// # Safety
    /// The GIL is held, the item is alive, and there is room.
    unsafe fn aside<O: Output>(
        options: &Options,
        quick: Quick<O, Self>,
        item: *mut PyObject,
        takes: Takes,
    ) -> Aside {
        let _ = (options, quick, item, takes);
        Aside::General
    }

    /// Gathers the members that are written of a value for which
    /// [`Door::aside`] gave [`Aside::Fields`], at least one, and says how many
    /// they are; `None` for the general way. No code of a user runs.
    ///
    /// # Safety
    /// The GIL is held, and the item is alive.
    unsafe fn fields(item: *mut PyObject, room: &mut [MaybeUninit<Member>]) -> Option<usize> {
        let _ = (item, room);
        None
    }

    /// Writes a member whose key is not an exact `str`. The key is noted by
    /// [`Walk::at`] already.
    ///
    /// # Safety
    /// The GIL is held.
    unsafe fn member<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        key: Owned,
        value: Owned,
    ) -> Step;

    /// Writes an exact `int` that 64 bits do not hold.
    ///
    /// # Safety
    /// The GIL is held, and `item` is such an `int`.
    unsafe fn big_int<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        item: *mut PyObject,
    ) -> Leaf;

    /// Writes NaN or an infinity.
    fn non_finite<O: Output>(
        walk: &mut Walk<'_>,
        emitter: &mut Json<'_, O, Self>,
        value: f64,
    ) -> Leaf;

    /// What a lone surrogate is where it is refused.
    fn surrogate() -> Failure;

    /// What happens when the innermost dict has another size than it had when
    /// it was entered; [`Step::Next`] goes on with it, whatever it holds now.
    fn dict_changed(walk: &mut Walk<'_>) -> Step {
        walk.dict_changed()
    }
}

/// The dialect of the rules `R` that spells by `P` and `F`.
pub struct Spelled<R, P, F>(PhantomData<(R, P, F)>);

impl<R, P, F> Clone for Spelled<R, P, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, P, F> Copy for Spelled<R, P, F> {}

impl<R: 'static, P: Policy, F: FloatSpelling + 'static> Dialect for Spelled<R, P, F> {
    type Policy = P;
    type Floats = F;
}
