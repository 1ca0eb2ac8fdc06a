//! How a block that holds candidates is spelled where the vector unit can
//! compress: move the chosen bytes of a vector together.
//!
//! Every unit becomes a lane with room for the longest that it can be, and
//! what it does not need of that is dropped. So the cost is the same at any
//! density, for escapes, for `\uXXXX` and for UTF-8; what decides is only how
//! wide the lanes must be. Spellings of other kinds go through the table.

use super::candidates::{Derived, High};
use super::expand::{Block, Expand};
use super::spell::{Place, spell_units_aside};
use super::{LoneSurrogate, Output, Policy, Text, Unit};
use crate::text::Encoding;
use crate::vector::Vector;

/// Lanes of a block, one bit each.
pub(crate) type Mask = u64;

/// Candidates in a block of otherwise wide units from which on the block is
/// spelled unit by unit.
const MANY: u32 = 8;

/// What a vector unit that compresses can do more.
pub(crate) trait Compress: Vector<Hits = Mask> {
    /// As many UTF-16 words as fit the vector.
    type Words: Copy;

    /// The lanes from 0x80.
    fn high(self) -> Mask;
    /// The lanes that are not zero.
    fn mask(self) -> Mask;
    /// `table[lane]` for the lanes below 0x80, 0 for the others.
    fn look_up(self, table: &[u8; 128]) -> Self;

    /// Stores the lanes as units: one with a byte in `seconds` as a backslash
    /// and that byte; with `latin1`, one from 0x80 as UTF-8; any other as it
    /// is. Gives the number of units. Only the first `lanes` lanes need be
    /// stored; the others, which are neither, count as one unit each.
    ///
    /// # Safety
    /// Two units for each lane are writable at `out`.
    unsafe fn store_pairs<U: Unit>(
        self,
        seconds: Self,
        latin1: bool,
        lanes: usize,
        out: *mut u8,
    ) -> usize;

    /// `units` units, no more than half a vector has lanes (a quarter if they
    /// have four bytes), as words and their number; spaces behind them.
    ///
    /// # Safety
    /// They are readable at `ptr`.
    unsafe fn load_words<U: Unit>(ptr: *const U, units: usize) -> (Self::Words, usize);

    /// Words as the lower half of a vector, those above 0xFF as 0xFF; the
    /// upper half are spaces.
    fn narrow_words(words: Self::Words) -> Self;

    /// Stores words as units: as `\uXXXX` where `hex` has a bit, the others as
    /// [`Compress::store_pairs`] does. Gives the number of units.
    ///
    /// # Safety
    /// For each word six units are writable at `out`, or, if `hex` has no bit,
    /// three.
    unsafe fn spell_words<U: Unit>(
        words: Self::Words,
        seconds: Self,
        hex: u32,
        latin1: bool,
        out: *mut u8,
    ) -> usize;

    /// Writes a vector's lanes of units, none of which is escaped, as UTF-8 and
    /// gives the number of bytes; `None` when one is a surrogate and `pass` is
    /// not set.
    ///
    /// # Safety
    /// They are readable at `from`; four bytes for each are writable at `out`.
    unsafe fn transcode_block<U: Unit>(from: *const U, pass: bool, out: *mut u8) -> Option<usize>;

    /// Writes units, no more than half a vector has lanes (a quarter if they
    /// have four bytes), as UTF-8; `None` when one is a surrogate and `pass` is
    /// not set. Those that `letters` has a byte for become a backslash and that
    /// byte. Gives the number of bytes, one for each unit that is lacking
    /// among them.
    ///
    /// # Safety
    /// `units` units are readable at `from`; four bytes for each, lacking ones
    /// included, are writable at `out`.
    unsafe fn transcode<U: Unit>(
        from: *const U,
        units: usize,
        letters: Option<&[u8; 128]>,
        pass: bool,
        out: *mut u8,
    ) -> Option<usize>;
}

/// All lanes at a time.
pub(crate) struct ByCompress;

/// A block and what its lanes are.
struct Lanes<V> {
    block: Block<V>,
    /// ASCII lanes that are spelled.
    escaped: Mask,
    /// The letters of those that have one.
    letters: V,
    /// Those that have none.
    long: Mask,
}

impl<V: Compress> Expand<V> for ByCompress {
    #[inline(always)]
    unsafe fn spell<T: Text, P: Policy, O: Output>(
        text: &[T::Unit],
        place: Place,
        block: Block<V>,
    ) -> Result<Place, LoneSurrogate> {
        let candidates = const { &Derived::<T, P, O>::CANDIDATES };
        let high = block.bytes.high();
        let hits = block.bytes.hits(candidates);
        if Derived::<T, P, O>::RANGES && hits & high != 0 {
            // SAFETY: the caller's.
            return unsafe { spell_units_aside::<T, P, O>(text, place, place.read + block.units) };
        }
        let escaped = hits & !high;
        if T::Unit::WIDTH > 1
            && matches!(Derived::<T, P, O>::HIGH, High::Transcoded)
            && block.units == V::LANES
            && escaped == 0
        {
            // The usual case; a surrogate is found below.
            // SAFETY: the caller's.
            unsafe {
                let at = text.as_ptr().add(place.read);
                let bytes = V::transcode_block(at, O::SURROGATE_PASS, place.out);
                if let Some(bytes) = bytes {
                    let (read, out) = (place.read + V::LANES, place.out.add(bytes));
                    return Ok(Place { read, out });
                }
            }
        }
        let letters = block
            .bytes
            .look_up(const { &Derived::<T, P, O>::ALL_LETTERS });
        let lanes = Lanes {
            block,
            escaped,
            letters,
            long: escaped & !letters.mask(),
        };
        let bytes_only = T::ENCODING != Encoding::Utf8 || high == 0;
        // SAFETY: the caller's.
        unsafe {
            match Derived::<T, P, O>::HIGH {
                High::Copied | High::Pair if lanes.long == 0 => {
                    Ok(spell_pairs::<V, T, P, O>(place, &lanes))
                }
                High::Copied | High::Pair => spell_words::<V, T, P, O>(text, place, &lanes),
                High::Spelled if bytes_only => spell_words::<V, T, P, O>(text, place, &lanes),
                High::Transcoded => transcode::<V, T, P, O>(text, place, &lanes),
                High::Wide if escaped.count_ones() < MANY => {
                    spell_first::<V, T, P, O>(text, place, &lanes)
                }
                High::Spelled | High::Wide => {
                    spell_units_aside::<T, P, O>(text, place, place.read + lanes.block.units)
                }
            }
        }
    }
}

/// Spells a block whose lanes become one or two units each.
///
/// # Safety
/// As for [`Expand::spell`].
#[inline(always)]
unsafe fn spell_pairs<V: Compress, T: Text, P: Policy, O: Output>(
    place: Place,
    lanes: &Lanes<V>,
) -> Place {
    let Block { bytes, units } = lanes.block;
    let latin1 = matches!(Derived::<T, P, O>::HIGH, High::Pair);
    // SAFETY: a block's room has two units for each lane at least.
    unsafe {
        let stored = bytes.store_pairs::<O::Unit>(lanes.letters, latin1, units, place.out);
        let stored = stored - (V::LANES - units);
        Place {
            read: place.read + units,
            out: place.out.add(stored * O::Unit::WIDTH),
        }
    }
}

/// Spells a block in which some lanes become `\uXXXX`, by half vectors of
/// words.
///
/// # Safety
/// As for [`Expand::spell`].
#[inline(always)]
unsafe fn spell_words<V: Compress, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    mut place: Place,
    lanes: &Lanes<V>,
) -> Result<Place, LoneSurrogate> {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    let upto = place.read + lanes.block.units;
    if !Derived::<T, P, O>::LETTERS_OR_U16 {
        // SAFETY: the caller's.
        return unsafe { spell_units_aside::<T, P, O>(text, place, upto) };
    }
    let latin1 = matches!(Derived::<T, P, O>::HIGH, High::Pair);
    let most = if T::Unit::WIDTH == 4 {
        V::LANES / 4
    } else {
        V::LANES / 2
    };
    while place.read < upto {
        let units = (upto - place.read).min(most);
        // SAFETY: the caller's; for each word there is the room of a unit, or
        // half of that of a pair.
        unsafe {
            let (words, count) = V::load_words(text.as_ptr().add(place.read), units);
            let bytes = V::narrow_words(words);
            let letters = bytes.look_up(const { &Derived::<T, P, O>::ALL_LETTERS });
            let mut hex = bytes.hits(candidates) & !letters.mask();
            if !matches!(Derived::<T, P, O>::HIGH, High::Spelled) {
                hex &= !bytes.high();
            }
            let stored = V::spell_words::<O::Unit>(words, letters, hex as u32, latin1, place.out);
            let stored = stored - (V::LANES / 2 - count);
            place.read += units;
            place.out = place.out.add(stored * O::Unit::WIDTH);
        }
    }
    Ok(place)
}

/// Writes a block of wide units as UTF-8.
///
/// # Safety
/// As for [`Expand::spell`].
#[inline(always)]
unsafe fn transcode<V: Compress, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    mut place: Place,
    lanes: &Lanes<V>,
) -> Result<Place, LoneSurrogate> {
    let letters = const { &Derived::<T, P, O>::ALL_LETTERS };
    let letters = (lanes.escaped != 0).then_some(letters);
    let most = V::LANES / T::Unit::WIDTH;
    let start = place.read;
    let upto = start + lanes.block.units;
    while place.read < upto {
        let units = (upto - place.read).min(most);
        let long = lanes.long >> (place.read - start) & (Mask::MAX >> (V::LANES - most));
        // SAFETY: the caller's.
        unsafe {
            let at = text.as_ptr().add(place.read);
            let written = if long == 0 {
                V::transcode(at, units, letters, O::SURROGATE_PASS, place.out)
            } else {
                None
            };
            place = match written {
                Some(bytes) => Place {
                    read: place.read + units,
                    out: place.out.add(bytes - (most - units)),
                },
                None => spell_units_aside::<T, P, O>(text, place, place.read + units)?,
            };
        }
    }
    Ok(place)
}

/// Stores wide units as they are up to the first candidate, and spells that.
///
/// # Safety
/// As for [`Expand::spell`]; there is a candidate.
#[inline(always)]
unsafe fn spell_first<V: Compress, T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    place: Place,
    lanes: &Lanes<V>,
) -> Result<Place, LoneSurrogate> {
    let clean = lanes.escaped.trailing_zeros() as usize;
    // SAFETY: the caller's.
    unsafe {
        let from = text.as_ptr().add(place.read);
        V::copy_units::<T::Unit, O::Unit>(from, lanes.block.units, place.out);
        let place = Place {
            read: place.read + clean,
            out: place.out.add(clean * O::Unit::WIDTH),
        };
        spell_units_aside::<T, P, O>(text, place, place.read + 1)
    }
}
