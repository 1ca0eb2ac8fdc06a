//! How a block that holds candidates is spelled.
//!
//! [`ByTable`] is the scalar table loop over the whole block. [`ByShuffle`]
//! costs the same at any density: every lane becomes one byte or a pair of
//! bytes (a backslash and a letter, or the two bytes of a Latin-1 character
//! in UTF-8), and a byte shuffle from a table of 256 closes the gaps of eight
//! lanes at once. Only groups of eight that hold a longer spelling leave it:
//! wide characters for their own shuffles, `\u00xx` for the table loop.

use super::candidates::{Derived, High};
use super::spell::{Place, spell_units, spell_units_aside};
use super::{LoneSurrogate, Output, Policy, Text, Unit};
use crate::text::Encoding;
use crate::vector::{GROUP, Vector};

/// A block at the place of reading: its first `groups * 8` units.
#[derive(Clone, Copy)]
pub(crate) struct Block<V> {
    /// The units, narrowed as [`Vector::load_narrowed`] does.
    pub(crate) bytes: V,
    /// How many groups of eight it has.
    pub(crate) groups: usize,
}

/// Spells a block with candidates.
pub(crate) trait Expand<V: Vector> {
    /// Spells `block` and gives the place behind it, which may lie behind the
    /// block's end where a character does.
    ///
    /// # Safety
    /// The machine has the features of `V`; the block is at `place`, and a
    /// block's room is at `place.out`.
    unsafe fn spell<T: Text, P: Policy, O: Output>(
        text: &[T::Unit],
        place: Place,
        block: Block<V>,
    ) -> Result<Place, LoneSurrogate>;
}

/// Unit by unit.
pub(crate) struct ByTable;

impl<V: Vector> Expand<V> for ByTable {
    #[inline(always)]
    unsafe fn spell<T: Text, P: Policy, O: Output>(
        text: &[T::Unit],
        place: Place,
        block: Block<V>,
    ) -> Result<Place, LoneSurrogate> {
        // SAFETY: the caller's.
        unsafe { spell_units::<T, P, O>(text, place, place.read + block.groups * GROUP) }
    }
}

/// Lanes of a block, one bit each.
pub(crate) type Mask = u32;

/// What a vector unit with byte shuffles can do more.
pub(crate) trait Shuffle: Vector {
    /// All lanes `byte`.
    fn splat(byte: u8) -> Self;
    /// Lanes that are equal, as 0xFF.
    fn equal(self, other: Self) -> Self;
    /// Bitwise.
    fn and(self, other: Self) -> Self;
    /// `other` where the top bit of `which` is set, else `self`.
    fn blend(self, other: Self, which: Self) -> Self;
    /// `table[lane]` for lanes below 16, 0 for the others.
    fn look_up_low(self, table: &[u8; 16]) -> Self;
    /// The lanes' top bits.
    fn mask(self) -> Mask;
    /// For lanes from 0x80: the first byte of their UTF-8 sequence.
    fn utf8_lead(self) -> Self;
    /// `first` and `second` lane by lane, ready for [`Shuffle::store_pairs`].
    fn interleave(first: Self, second: Self) -> Self::Pairs;

    /// Eight pairs in each of its parts.
    type Pairs: Copy;

    /// Stores group `group` as units: first bytes, and second bytes where
    /// `pairs` has a bit.
    ///
    /// # Safety
    /// 16 units are writable at `out`.
    unsafe fn store_pairs<U: Unit>(of: Self::Pairs, group: usize, pairs: u8, out: *mut u8);

    /// Writes eight wide characters, ASCII or not, as UTF-8 and gives the
    /// number of bytes; `None` when one is a surrogate and `pass` is not set.
    ///
    /// # Safety
    /// Eight units are readable at `from`, 36 bytes writable at `out`.
    unsafe fn transcode_group<U: Unit>(from: *const U, out: *mut u8, pass: bool) -> Option<usize>;

    /// Writes eight characters as `\uXXXX`; `false`, with nothing written,
    /// when one of them is above U+FFFF.
    ///
    /// # Safety
    /// Eight units are readable at `from`, 56 units writable at `out`.
    unsafe fn spell_group_u16<U: Unit, V: Unit>(from: *const U, out: *mut u8) -> bool;
}

/// The lanes of a block, sorted by what becomes of them.
struct Sorted<V: Shuffle> {
    pairs: V::Pairs,
    /// Lanes that are pairs.
    paired: Mask,
    /// ASCII lanes with a spelling that is no pair.
    long: Mask,
    /// Lanes that are spelled, all ASCII.
    escaped: Mask,
    /// Lanes that need [`High::Transcoded`], `Spelled` or `Wide`.
    high: Mask,
}

#[inline(always)]
fn sort<V: Shuffle, T: Text, P: Policy, O: Output>(bytes: V) -> Sorted<V> {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    let letters = bytes.look_up_low(const { &Derived::<T, P, O>::LETTERS });
    let mut own = V::splat(0);
    let mut k = 0;
    while k < candidates.singles {
        if Derived::<T, P, O>::is_own_letter(candidates.single[k]) {
            own = own.or(bytes.equal(V::splat(candidates.single[k])));
        }
        k += 1;
    }
    let mut second = letters.or(bytes.and(own));
    let plain = second.equal(V::splat(0));
    let mut first = V::splat(b'\\').blend(bytes, plain);
    let high = bytes.mask();
    let escaped = bytes.hits(candidates).mask() & !high;
    let mut paired = !plain.mask();
    let long = escaped & !paired;
    let special = !matches!(Derived::<T, P, O>::HIGH, High::Copied | High::Pair);
    if matches!(Derived::<T, P, O>::HIGH, High::Pair) {
        first = first.blend(bytes.utf8_lead(), bytes);
        second = second.blend(bytes.and(V::splat(0xBF)), bytes);
        paired |= high;
    }
    Sorted {
        pairs: V::interleave(first, second),
        paired,
        long,
        escaped,
        high: if special { high } else { 0 },
    }
}

/// Eight lanes at a time.
pub(crate) struct ByShuffle;

impl<V: Shuffle> Expand<V> for ByShuffle {
    #[inline(always)]
    unsafe fn spell<T: Text, P: Policy, O: Output>(
        text: &[T::Unit],
        mut place: Place,
        block: Block<V>,
    ) -> Result<Place, LoneSurrogate> {
        let lanes = sort::<V, T, P, O>(block.bytes);
        if block.groups == V::LANES / GROUP && (lanes.long | lanes.high) == 0 {
            // The usual case, without a branch per group.
            for group in 0..V::LANES / GROUP {
                // SAFETY: the caller's.
                place = unsafe { pairs::<V, O>(&lanes, group, place) };
            }
            return Ok(place);
        }
        if T::Unit::WIDTH == 1
            && !(lanes.high == 0 || T::ENCODING == Encoding::Latin1 && lanes.high == Mask::MAX)
        {
            // UTF-8 sequences do not end where groups do, and a mix of ASCII
            // and Latin-1 would be a mispredicted branch for every group.
            let upto = place.read + block.groups * GROUP;
            // SAFETY: the caller's.
            return unsafe { spell_units_aside::<T, P, O>(text, place, upto) };
        }
        for group in 0..block.groups {
            // SAFETY: the caller's.
            place = unsafe { spell_group::<V, T, P, O>(text, place, &lanes, group)? };
        }
        Ok(place)
    }
}

/// The bits of one group.
#[inline(always)]
const fn bits(mask: Mask, group: usize) -> u8 {
    (mask >> (GROUP * group)) as u8
}

/// # Safety
/// The group's room is at `place.out`.
#[inline(always)]
unsafe fn pairs<V: Shuffle, O: Output>(lanes: &Sorted<V>, group: usize, place: Place) -> Place {
    let paired = bits(lanes.paired, group);
    // SAFETY: eight pairs have 16 units.
    unsafe { V::store_pairs::<O::Unit>(lanes.pairs, group, paired, place.out) };
    let units = GROUP + paired.count_ones() as usize;
    Place {
        read: place.read + GROUP,
        out: place.out.wrapping_add(units * O::Unit::WIDTH),
    }
}

/// # Safety
/// The group is at `place`, with its room.
#[inline(always)]
unsafe fn spell_group<V: Shuffle, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    place: Place,
    lanes: &Sorted<V>,
    group: usize,
) -> Result<Place, LoneSurrogate> {
    let high = bits(lanes.high, group);
    let read = place.read + GROUP;
    // SAFETY: eight units are there, and the room for the worst of each.
    unsafe {
        let at = text.as_ptr().add(place.read);
        if high == 0 {
            if bits(lanes.long, group) == 0 {
                return Ok(pairs::<V, O>(lanes, group, place));
            }
        } else if matches!(Derived::<T, P, O>::HIGH, High::Transcoded) {
            if bits(lanes.escaped, group) == 0
                && let Some(bytes) = V::transcode_group(at, place.out, O::SURROGATE_PASS)
            {
                let out = place.out.add(bytes);
                return Ok(Place { read, out });
            }
        } else if matches!(Derived::<T, P, O>::HIGH, High::Spelled)
            && high == 0xFF
            && V::spell_group_u16::<T::Unit, O::Unit>(at, place.out)
        {
            let out = place.out.add(6 * GROUP * O::Unit::WIDTH);
            return Ok(Place { read, out });
        }
        spell_units_aside::<T, P, O>(text, place, read)
    }
}
