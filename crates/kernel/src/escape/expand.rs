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
use crate::vector::{GROUP, Hits, Vector};

/// A block at the place of reading, or the first part of one.
#[derive(Clone, Copy)]
pub(crate) struct Block<V> {
    /// The units, narrowed as [`Vector::load_narrowed`] does.
    pub(crate) bytes: V,
    /// How many units it has: a multiple of [`Vector::GRAIN`].
    pub(crate) units: usize,
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
        unsafe { spell_units::<T, P, O>(text, place, place.read + block.units) }
    }
}

/// Lanes of a block, one bit each.
pub(crate) type Mask = u32;

/// What a vector unit with byte shuffles can do more.
pub(crate) trait Shuffle: Vector<Hits = Self> + Hits {
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

/// The lanes of a block as pairs. Lanes that are neither pairs nor kept come
/// out as their first byte alone and must not be stored.
struct Paired<V: Shuffle> {
    pairs: V::Pairs,
    /// Lanes that are pairs.
    paired: Mask,
}

#[inline(always)]
fn pair<V: Shuffle, T: Text, P: Policy, O: Output>(bytes: V) -> Paired<V> {
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
    let mut paired = !plain.mask();
    if matches!(Derived::<T, P, O>::HIGH, High::Pair) {
        first = first.blend(bytes.utf8_lead(), bytes);
        second = second.blend(bytes.and(V::splat(0xBF)), bytes);
        paired |= bytes.mask();
    }
    Paired {
        pairs: V::interleave(first, second),
        paired,
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
        let candidates = const { &Derived::<T, P, O>::CANDIDATES };
        let high = block.bytes.mask();
        let hits = block.bytes.hits(candidates).mask();
        if Derived::<T, P, O>::RANGES && hits & high != 0 {
            // SAFETY: the caller's.
            return unsafe { spell_units_aside::<T, P, O>(text, place, place.read + block.units) };
        }
        let escaped = hits & !high;
        let bytewise = matches!(Derived::<T, P, O>::HIGH, High::Copied | High::Pair);
        if !bytewise && high != 0 {
            let lanes = Lanes { high, escaped };
            // SAFETY: the caller's.
            return unsafe { spell_high::<V, T, P, O>(text, place, block.units / GROUP, lanes) };
        }
        let lanes = pair::<V, T, P, O>(block.bytes);
        let long = escaped & !lanes.paired;
        if block.units == V::LANES && long == 0 {
            // The usual case, without a branch per group.
            for group in 0..V::LANES / GROUP {
                // SAFETY: the caller's.
                place = unsafe { store_group::<V, O>(&lanes, group, place) };
            }
            return Ok(place);
        }
        for group in 0..block.units / GROUP {
            // SAFETY: the caller's.
            place = unsafe {
                if bits(long, group) == 0 {
                    store_group::<V, O>(&lanes, group, place)
                } else {
                    spell_units_aside::<T, P, O>(text, place, place.read + GROUP)?
                }
            };
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
unsafe fn store_group<V: Shuffle, O: Output>(
    lanes: &Paired<V>,
    group: usize,
    place: Place,
) -> Place {
    let paired = bits(lanes.paired, group);
    // SAFETY: eight pairs have 16 units.
    unsafe { V::store_pairs::<O::Unit>(lanes.pairs, group, paired, place.out) };
    let units = GROUP + paired.count_ones() as usize;
    Place {
        read: place.read + GROUP,
        out: place.out.wrapping_add(units * O::Unit::WIDTH),
    }
}

/// What a block holds that is no plain ASCII.
#[derive(Clone, Copy)]
struct Lanes {
    /// Lanes from 0x80.
    high: Mask,
    /// ASCII lanes that are spelled.
    escaped: Mask,
}

/// Spells a block with characters that are more than a byte or spelled
/// `\uXXXX`.
///
/// # Safety
/// As for [`Expand::spell`].
#[inline(always)]
unsafe fn spell_high<V: Shuffle, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    mut place: Place,
    groups: usize,
    lanes: Lanes,
) -> Result<Place, LoneSurrogate> {
    let all_latin1 = T::ENCODING == Encoding::Latin1 && lanes.high == Mask::MAX;
    if T::Unit::WIDTH == 1 && !all_latin1 {
        // UTF-8 sequences do not end where groups do, and a mix of ASCII and
        // Latin-1 would be a mispredicted branch for every group.
        let upto = place.read + groups * GROUP;
        // SAFETY: the caller's.
        return unsafe { spell_units_aside::<T, P, O>(text, place, upto) };
    }
    for group in 0..groups {
        let (high, escaped) = (bits(lanes.high, group), bits(lanes.escaped, group));
        // SAFETY: the caller's; the group's units are there, and the room for
        // the worst of each.
        unsafe {
            let at = text.as_ptr().add(place.read);
            let written = match Derived::<T, P, O>::HIGH {
                High::Transcoded if escaped == 0 => {
                    V::transcode_group(at, place.out, O::SURROGATE_PASS)
                }
                High::Spelled if high == 0xFF => {
                    let fits = V::spell_group_u16::<T::Unit, O::Unit>(at, place.out);
                    fits.then_some(6 * GROUP * O::Unit::WIDTH)
                }
                _ => None,
            };
            place = match written {
                Some(bytes) => Place {
                    read: place.read + GROUP,
                    out: place.out.add(bytes),
                },
                None => spell_units_aside::<T, P, O>(text, place, place.read + GROUP)?,
            };
        }
    }
    Ok(place)
}
