//! What the escape loop asks of a vector.
//!
//! The loop is written once over this trait; a file in `arch` implements it
//! per instruction set. No method carries `#[target_feature]`: all are
//! `#[inline(always)]` and take the feature from the one wrapper in
//! `dispatch` that they are inlined into, so nothing here may be called from
//! anywhere else unless the build's baseline has the feature.

use crate::escape::candidates::Candidates;
use crate::escape::expand::Expand;
use crate::escape::spell::Place;
use crate::escape::{SHORT, store_short};
use crate::output::Output;
use crate::policy::Policy;
use crate::text::{Text, Unit};

/// Eight units, as bytes in memory order: what the loop uses below a vector.
pub(crate) const GROUP: usize = 8;

/// The lanes of a vector that are candidates.
pub(crate) trait Hits: Copy {
    /// Both sets of hits.
    fn or(self, other: Self) -> Self;

    /// Whether there is a hit.
    fn any(self) -> bool;
}

/// A run of byte lanes.
pub(crate) trait Vector: Copy {
    /// Bytes in a vector.
    const LANES: usize;
    /// A part of a vector has a multiple of so many units: [`GROUP`], or 1
    /// where loads can be masked.
    const GRAIN: usize;
    /// What [`Vector::hits`] gives.
    type Hits: Hits;
    /// Copies long runs without candidates: what the second level of the
    /// cache gives and takes fastest, which need not be the widest.
    type Run: Vector;
    /// Takes the strings that are shorter than a vector.
    type Short: Vector;
    /// How a block that holds a candidate is spelled.
    type Expansion: Expand<Self>;

    /// # Safety
    /// `LANES` bytes are readable at `ptr`.
    unsafe fn load(ptr: *const u8) -> Self;

    /// # Safety
    /// `LANES` bytes are writable at `ptr`.
    unsafe fn store(self, ptr: *mut u8);

    /// `LANES` units as bytes: a unit below U+0080 is itself, every other has
    /// its top bit set (and is itself when it fits a byte).
    ///
    /// # Safety
    /// `LANES` units are readable at `ptr`.
    unsafe fn load_narrowed<U: Unit>(ptr: *const U) -> Self;

    /// As [`Vector::load_narrowed`] for fewer units; the remaining lanes are
    /// spaces.
    ///
    /// # Safety
    /// `units` units are readable at `ptr`; they are a multiple of `GRAIN`
    /// and fewer than `LANES`.
    unsafe fn load_part<U: Unit>(ptr: *const U, units: usize) -> Self;

    /// Copies units, widening each if those of the output are wider. Behind
    /// them, up to `LANES` units may be touched.
    ///
    /// # Safety
    /// `units` units are readable at `from`; they are a multiple of `GRAIN`
    /// and at most `LANES`. `LANES` units of `V` are writable at `to`.
    #[inline(always)]
    unsafe fn copy_units<U: Unit, V: Unit>(from: *const U, units: usize, to: *mut u8) {
        for k in 0..units / GROUP {
            // SAFETY: the caller's.
            unsafe {
                convert::<GROUP, U, V>(from.add(GROUP * k), to.add(GROUP * k * V::WIDTH));
            }
        }
    }

    /// Spells a text from its start on, as long as that takes no more than to
    /// load, test and store, and gives the end of its spelling; or, before
    /// the text's end, the place to go on, behind which the output is void.
    ///
    /// # Errors
    /// The place to go on.
    ///
    /// # Safety
    /// As many output units as `text` has, and [`widest_room`](crate::escape::run::widest_room) more bytes, are
    /// writable from `out` to `end`.
    #[inline(always)]
    unsafe fn start<T: Text, P: Policy, O: Output>(
        text: &[T::Unit],
        out: *mut u8,
        _end: *mut u8,
    ) -> Result<*mut u8, Place> {
        // SAFETY: the caller's.
        unsafe { start_short::<T, P, O>(text, out) }
    }

    /// The lanes that are candidates.
    fn hits(self, candidates: &Candidates) -> Self::Hits;

    /// Whether four vectors hold a candidate.
    #[inline(always)]
    fn any_of_four(four: [Self; 4], candidates: &Candidates) -> bool {
        let [a, b, c, d] = four;
        let low = a.hits(candidates).or(b.hits(candidates));
        low.or(c.hits(candidates).or(d.hits(candidates))).any()
    }

    /// Whether one of 16 bytes is a candidate.
    fn any_in_words(low: u64, high: u64, candidates: &Candidates) -> bool;
}

/// A text of up to [`SHORT`] clean units, which the output keeps or widens.
///
/// # Safety
/// As for [`Vector::start`].
#[inline(always)]
pub(crate) unsafe fn start_short<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    out: *mut u8,
) -> Result<*mut u8, Place> {
    let units = text.len();
    // SAFETY: the caller's.
    if units <= SHORT && unsafe { store_short::<T, P, O>(text, out) } {
        return Ok(out.wrapping_add(units * O::Unit::WIDTH));
    }
    Err(Place { read: 0, out })
}

/// Eight units as bytes, narrowed as [`Vector::load_narrowed`] does.
///
/// # Safety
/// Eight units are readable at `ptr`.
#[inline(always)]
pub(crate) unsafe fn narrow_group<U: Unit>(ptr: *const U) -> u64 {
    let mut bytes = [0; GROUP];
    for (k, byte) in bytes.iter_mut().enumerate() {
        // SAFETY: the caller's.
        let unit: u32 = unsafe { ptr.add(k).read_unaligned() }.into();
        *byte = unit.min(0xFF) as u8;
    }
    u64::from_ne_bytes(bytes)
}

/// Copies `N` units, widening or (ASCII only) narrowing each.
///
/// # Safety
/// `N` units are readable at `from`, and `N` units writable at `to`, which
/// need not be aligned.
#[inline(always)]
pub(crate) unsafe fn convert<const N: usize, U: Unit, V: Unit>(from: *const U, to: *mut u8) {
    if U::WIDTH == V::WIDTH {
        // SAFETY: the caller's.
        unsafe { to.copy_from_nonoverlapping(from.cast(), N * U::WIDTH) };
        return;
    }
    let to: *mut V = to.cast();
    for k in 0..N {
        // SAFETY: the caller's.
        unsafe {
            let unit: u32 = from.add(k).read_unaligned().into();
            to.add(k).write_unaligned(V::truncate(unit));
        }
    }
}
