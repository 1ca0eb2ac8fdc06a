//! Text from its start on, as long as nothing in it is escaped: one masked
//! load, test and store for a short one.

#[allow(clippy::wildcard_imports, reason = "a dozen intrinsics")]
use core::arch::x86_64::*;

use super::{Avx512, load_units, store, utf8};
use crate::escape::candidates::{Candidates, Derived, High};
use crate::escape::compress::{Compress, Mask};
use crate::escape::spell::Place;
use crate::output::Output;
use crate::policy::Policy;
use crate::text::{Text, Unit};
use crate::vector::Vector;

/// The most bytes that a vector of text becomes, as long as nothing in it is
/// escaped: 64 of Latin-1 or 32 of UCS-2, and what stores touch behind them.
const MOST: usize = 192;

/// See [`Vector::start`].
///
/// # Safety
/// As there, and the machine has AVX-512.
#[inline(always)]
pub(super) unsafe fn start<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    out: *mut u8,
    end: *mut u8,
) -> Result<*mut u8, Place> {
    let place = Place { read: 0, out };
    // SAFETY: the caller's.
    unsafe {
        match Derived::<T, P, O>::HIGH {
            High::Copied | High::Wide if T::Unit::WIDTH > O::Unit::WIDTH => Err(place),
            // Longer ones take the loop that has been made for them.
            High::Copied if O::Unit::WIDTH == 1 && text.len() > Avx512::LANES => Err(place),
            High::Copied | High::Wide => copy::<T, P, O>(text, place),
            High::Pair => pairs::<T, P, O>(text, place, end),
            High::Transcoded => transcode::<T, P, O>(text, place, end),
            High::Spelled => Err(place),
        }
    }
}

/// Stores up to 32 characters as units, and says whether that is how they are
/// spelled; without a branch on their number.
///
/// # Safety
/// They are readable at `text`, 32 units are writable at `out`, and the
/// machine has AVX-512.
#[inline(always)]
pub(crate) unsafe fn short<T: Text, P: Policy, O: Output>(
    text: *const T::Unit,
    len: usize,
    out: *mut u8,
) -> bool {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    let kept = matches!(Derived::<T, P, O>::HIGH, High::Copied | High::Wide);
    if !kept || T::Unit::WIDTH > O::Unit::WIDTH || T::Unit::WIDTH > 2 {
        return false;
    }
    // SAFETY: the caller's; masked lanes are not read.
    unsafe {
        let mask = _bzhi_u32(u32::MAX, len as u32);
        // The lanes behind the text are zeros, and no single candidates.
        let mut hits;
        if T::Unit::WIDTH == 1 {
            let lanes = _mm256_maskz_loadu_epi8(mask, text.cast());
            store::widened_half::<O::Unit>(lanes, out);
            let below = _mm256_set1_epi8(candidates.below as i8);
            hits = _mm256_mask_cmplt_epu8_mask(mask, lanes, below);
            for &single in &candidates.single[..candidates.singles] {
                hits |= _mm256_cmpeq_epi8_mask(lanes, _mm256_set1_epi8(single as i8));
            }
        } else {
            let lanes = _mm512_maskz_loadu_epi16(mask, text.cast());
            if O::Unit::WIDTH == 2 {
                _mm512_storeu_si512(out.cast(), lanes);
            } else {
                let (low, high) = store::halves(lanes);
                _mm512_storeu_si512(out.cast(), _mm512_cvtepu16_epi32(low));
                _mm512_storeu_si512(out.add(64).cast(), _mm512_cvtepu16_epi32(high));
            }
            let below = _mm512_set1_epi16(i16::from(candidates.below));
            hits = _mm512_mask_cmplt_epu16_mask(mask, lanes, below);
            for &single in &candidates.single[..candidates.singles] {
                let single = _mm512_set1_epi16(i16::from(single));
                hits |= _mm512_cmpeq_epi16_mask(lanes, single);
            }
        }
        hits == 0
    }
}

/// Copies clean text, widening its units.
///
/// # Safety
/// As for [`start`].
#[inline(always)]
unsafe fn copy<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    mut place: Place,
) -> Result<*mut u8, Place> {
    let n = text.len();
    let widest = if T::Unit::WIDTH > O::Unit::WIDTH {
        T::Unit::WIDTH
    } else {
        O::Unit::WIDTH
    };
    let lanes = 64 / widest;
    // SAFETY: the caller's: a vector is written where units are left to be.
    unsafe {
        if n <= lanes {
            let hits = copy_part::<T, P, O>(text, place, 0, n);
            // A branch: what is stored next must not wait for the test.
            if hits != 0 {
                return Err(place);
            }
            return Ok(place.out.add(n * O::Unit::WIDTH));
        }
        while n - place.read >= 4 * lanes {
            let low = copy_part::<T, P, O>(text, place, 0, lanes)
                | copy_part::<T, P, O>(text, place, lanes, lanes);
            let high = copy_part::<T, P, O>(text, place, 2 * lanes, lanes)
                | copy_part::<T, P, O>(text, place, 3 * lanes, lanes);
            if low | high != 0 {
                return Err(place);
            }
            place.read += 4 * lanes;
            place.out = place.out.add(4 * lanes * O::Unit::WIDTH);
        }
        let left = n - place.read;
        let (mut hits, mut k) = (0, 0);
        while k < left {
            hits |= copy_part::<T, P, O>(text, place, k, lanes.min(left - k));
            k += lanes;
        }
        if hits != 0 {
            return Err(place);
        }
        Ok(place.out.add(left * O::Unit::WIDTH))
    }
}

/// Copies up to a vector of units, `ahead` of the place, widening them, and
/// gives the candidates among them.
///
/// # Safety
/// So many units are readable there, a vector is writable, and the machine has
/// AVX-512.
#[inline(always)]
unsafe fn copy_part<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    place: Place,
    ahead: usize,
    units: usize,
) -> Mask {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    // SAFETY: the caller's.
    unsafe {
        let from = text.as_ptr().add(place.read + ahead);
        let to = place.out.add(ahead * O::Unit::WIDTH);
        let lanes = load_units(from, units);
        let wide = match (T::Unit::WIDTH, O::Unit::WIDTH) {
            (1, 2) => _mm512_cvtepu8_epi16(_mm512_castsi512_si256(lanes)),
            (1, 4) => _mm512_cvtepu8_epi32(_mm512_castsi512_si128(lanes)),
            (2, 4) => _mm512_cvtepu16_epi32(_mm512_castsi512_si256(lanes)),
            _ => lanes,
        };
        _mm512_storeu_si512(to.cast(), wide);
        hits::<T::Unit>(lanes, candidates)
    }
}

/// The units that are candidates in ASCII.
///
/// # Safety
/// The machine has AVX-512.
#[inline(always)]
unsafe fn hits<U: Unit>(lanes: __m512i, candidates: &Candidates) -> Mask {
    let below = i32::from(candidates.below);
    let singles = &candidates.single[..candidates.singles];
    // SAFETY: the caller's.
    unsafe {
        match U::WIDTH {
            1 => {
                let ascii = Avx512(lanes);
                ascii.hits(candidates) & !(if candidates.high { ascii.high() } else { 0 })
            }
            2 => {
                let mut hits = _mm512_cmplt_epu16_mask(lanes, _mm512_set1_epi16(below as i16));
                for &single in singles {
                    let single = _mm512_set1_epi16(i16::from(single));
                    hits |= _mm512_cmpeq_epi16_mask(lanes, single);
                }
                Mask::from(hits)
            }
            _ => {
                let mut hits = _mm512_cmplt_epu32_mask(lanes, _mm512_set1_epi32(below));
                for &single in singles {
                    let single = _mm512_set1_epi32(i32::from(single));
                    hits |= _mm512_cmpeq_epi32_mask(lanes, single);
                }
                Mask::from(hits)
            }
        }
    }
}

/// Writes Latin-1 as UTF-8.
///
/// # Safety
/// As for [`start`].
#[inline(always)]
unsafe fn pairs<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    mut place: Place,
    end: *mut u8,
) -> Result<*mut u8, Place> {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    while place.read < text.len() {
        if (end as usize - place.out as usize) < MOST {
            return Err(place);
        }
        let units = (text.len() - place.read).min(64);
        // SAFETY: the caller's; there is room.
        unsafe {
            let lanes = load_units(text.as_ptr().add(place.read), units);
            if hits::<T::Unit>(lanes, candidates) != 0 {
                return Err(place);
            }
            let none = _mm512_setzero_si512();
            let bytes = store::pairs::<u8>(lanes, none, true, units, place.out);
            place.read += units;
            place.out = place.out.add(bytes - (64 - units));
        }
    }
    Ok(place.out)
}

/// Writes wide text as UTF-8, up to a surrogate.
///
/// # Safety
/// As for [`start`].
#[inline(always)]
unsafe fn transcode<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    mut place: Place,
    end: *mut u8,
) -> Result<*mut u8, Place> {
    let candidates = const { &Derived::<T, P, O>::CANDIDATES };
    let most = 64 / T::Unit::WIDTH;
    while place.read < text.len() {
        if (end as usize - place.out as usize) < MOST {
            return Err(place);
        }
        let units = (text.len() - place.read).min(most);
        // SAFETY: the caller's; there is room.
        unsafe {
            let lanes = load_units(text.as_ptr().add(place.read), units);
            if hits::<T::Unit>(lanes, candidates) != 0 {
                return Err(place);
            }
            let pass = O::SURROGATE_PASS;
            let Some(bytes) = utf8::transcode_lanes::<T::Unit>(lanes, units, None, pass, place.out)
            else {
                return Err(place);
            };
            place.read += units;
            place.out = place.out.add(bytes - (most - units));
        }
    }
    Ok(place.out)
}
