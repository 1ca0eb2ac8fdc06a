//! Finding the next unit that matters, a block at a time.
//!
//! [`Block`] is a vector of units; `sse2` and `swar` hold its implementations
//! and nothing else. The loops over it are here, once for every unit. Blocks
//! are loaded only where a whole one lies within the text; what is left over
//! is looked at unit by unit.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg_attr(target_arch = "x86_64", allow(dead_code))]
mod swar;

use linecaster_kernel::text::Unit;

use crate::dispatch::Machine;

/// A unit that can be scanned: `u8`, `u16` or `u32`.
pub trait Scan: Unit + Default {
    #[doc(hidden)]
    type Block: Block<Unit = Self>;
    /// For long stretches on machines with AVX2.
    #[doc(hidden)]
    #[cfg(target_arch = "x86_64")]
    type Wide: Vector<Unit = Self>;
    /// For long stretches on machines with AVX-512.
    #[doc(hidden)]
    #[cfg(target_arch = "x86_64")]
    type Widest: Vector<Unit = Self>;

    /// The low byte of a unit that is known to be ASCII.
    #[doc(hidden)]
    fn ascii(self) -> u8;

    /// As `u8` units, if they are.
    #[doc(hidden)]
    #[inline(always)]
    fn bytes(units: &[Self]) -> Option<&[u8]> {
        let _ = units;
        None
    }

    /// Eight units as bytes, the first in the lowest byte; 0xFF for a unit
    /// above that.
    ///
    /// # Safety
    /// Eight units lie at `at`.
    #[doc(hidden)]
    unsafe fn eight(at: *const Self) -> u64;

    /// The narrowest description of characters in these units.
    #[doc(hidden)]
    fn source(units: &[Self]) -> crate::characters::Source<'_>;
}

/// A vector of units: what a long stretch asks of it.
#[doc(hidden)]
pub trait Vector: Copy {
    /// What it holds.
    type Unit;
    /// How many.
    const LANES: usize;

    /// # Safety
    /// `LANES` units lie at `at`.
    unsafe fn load(at: *const Self::Unit) -> Self;
    /// A block of zeros.
    fn zero() -> Self;
    /// Lane by lane.
    fn or(self, other: Self) -> Self;
    /// Whether any lane ends a plain stretch of a string: a quotation mark, a
    /// backslash, or below U+0020.
    fn any_stops(four: [Self; 4]) -> bool;
    /// A number with the same highest bit as the highest unit; for bytes only
    /// as far as it tells those below 0x80 from the others.
    fn bits(self) -> u32;
}

/// A vector that can say which lanes it found, by bits of a mask.
#[doc(hidden)]
pub trait Block: Vector {
    /// How many bits of a mask stand for one lane.
    const MASK_BITS: u32;

    /// Lanes that end a plain stretch of a string, as [`Vector::any_stops`].
    fn stops(self) -> u64;
    /// As [`Block::stops`], and lanes from U+0080 on; for bytes only.
    fn stops_and_high(self) -> u64;
    /// # Safety
    /// `LANES` units lie at `at`, which need not be aligned.
    unsafe fn store(self, at: *mut Self::Unit);
    /// Writes the lanes, which are below U+0100, as bytes.
    ///
    /// # Safety
    /// `LANES` bytes lie at `to`.
    unsafe fn narrow(self, to: *mut u8);
    /// Lanes that are not blank, tab, line feed or carriage return.
    fn not_blanks(self) -> u64;
    /// The first `lanes` lanes, zeros behind them.
    fn first(self, lanes: usize) -> Self;
}

/// Where a plain stretch of a string ends.
#[derive(Clone, Copy)]
pub struct Stretch {
    /// Index of the unit that ends it, or the length of the text.
    pub end: usize,
    /// As [`Block::bits`], over all units of the stretch.
    pub bits: u32,
}

/// The plain stretch of a string from `from` on.
#[inline(always)]
pub fn stretch<U: Scan, M: Machine>(text: &[U], from: usize, machine: M) -> Stretch {
    let mut seen = U::Block::zero();
    let mut at = from;
    // Nearly all strings end within this.
    for _ in 0..SHORT_BLOCKS {
        if at + U::Block::LANES > text.len() {
            return stretch_tail(text, at, seen);
        }
        // SAFETY: a whole block lies within the text.
        let block = unsafe { U::Block::load(text.as_ptr().add(at)) };
        if let Some(stretch) = end_in(block, at, seen) {
            return stretch;
        }
        seen = seen.or(block);
        at += U::Block::LANES;
    }
    machine.stretch_long(text, at, seen)
}

/// Blocks that are looked at one by one before four at a time.
const SHORT_BLOCKS: usize = 4;

/// The stretch that ends in the block at `at`, if it does; `seen` is what came
/// before, all in one.
#[inline(always)]
fn end_in<B: Block>(block: B, at: usize, seen: B) -> Option<Stretch> {
    let stops = block.stops();
    if stops == 0 {
        return None;
    }
    let lanes = (stops.trailing_zeros() / B::MASK_BITS) as usize;
    Some(Stretch {
        end: at + lanes,
        bits: seen.or(block.first(lanes)).bits(),
    })
}

/// The rest of a long stretch, of which `seen` came before: four blocks `B` at
/// a time, then the ordinary ones.
#[inline(always)]
pub fn stretch_long<U: Scan, B: Vector<Unit = U>>(
    text: &[U],
    from: usize,
    seen: U::Block,
) -> Stretch {
    let (mut at, mut wide) = (from, B::zero());
    while at + 4 * B::LANES <= text.len() {
        // SAFETY: four whole blocks lie within the text.
        let four = [0, 1, 2, 3].map(|i| unsafe { B::load(text.as_ptr().add(at + i * B::LANES)) });
        if B::any_stops(four) {
            break;
        }
        wide = wide.or(four[0].or(four[1]).or(four[2].or(four[3])));
        at += 4 * B::LANES;
    }
    let mut seen = seen;
    let before = wide.bits();
    while at + U::Block::LANES <= text.len() {
        // SAFETY: a whole block lies within the text.
        let block = unsafe { U::Block::load(text.as_ptr().add(at)) };
        if let Some(mut stretch) = end_in(block, at, seen) {
            stretch.bits |= before;
            return stretch;
        }
        seen = seen.or(block);
        at += U::Block::LANES;
    }
    let mut stretch = stretch_tail(text, at, seen);
    stretch.bits |= before;
    stretch
}

/// The stretch that goes on, if at all, in what is less than a block.
#[inline(always)]
fn stretch_tail<U: Scan>(text: &[U], from: usize, seen: U::Block) -> Stretch {
    let (mut at, mut bits) = (from, seen.bits());
    while let Some(&unit) = text.get(at) {
        let unit: u32 = unit.into();
        if unit < 0x20 || unit == u32::from(b'"') || unit == u32::from(b'\\') {
            break;
        }
        bits |= unit;
        at += 1;
    }
    Stretch { end: at, bits }
}

/// Index of the first unit from `from` on that is not whitespace, or the
/// length of the text.
#[inline(always)]
pub fn skip_blanks<U: Scan>(text: &[U], from: usize) -> usize {
    // Compact documents have nothing here, others mostly a single blank or
    // the indentation of a line.
    match text.get(from) {
        Some(&unit) if is_blank(unit) => {}
        _ => return from,
    }
    match text.get(from + 1) {
        Some(&unit) if is_blank(unit) => skip_long(text, from + 2),
        _ => from + 1,
    }
}

#[inline(always)]
fn is_blank<U: Scan>(unit: U) -> bool {
    let unit: u32 = unit.into();
    unit <= 0x20 && 1u64 << unit & (1 << 0x20 | 1 << 0x0A | 1 << 0x0D | 1 << 0x09) != 0
}

#[inline(always)]
fn skip_long<U: Scan>(text: &[U], from: usize) -> usize {
    let mut at = from;
    while at + U::Block::LANES <= text.len() {
        // SAFETY: a whole block lies within the text.
        let others = unsafe { U::Block::load(text.as_ptr().add(at)) }.not_blanks();
        if others != 0 {
            return at + (others.trailing_zeros() / U::Block::MASK_BITS) as usize;
        }
        at += U::Block::LANES;
    }
    while let Some(&unit) = text.get(at)
        && is_blank(unit)
    {
        at += 1;
    }
    at
}

/// Whether the unit at `at` is this ASCII character.
#[inline(always)]
pub fn is<U: Scan>(text: &[U], at: usize, character: u8) -> bool {
    text.get(at)
        .is_some_and(|&unit| unit.into() == u32::from(character))
}

/// Eight units from `at` on as bytes, the first in the lowest byte: zeros
/// where the text ends, something that is not ASCII for a unit that is not.
#[inline(always)]
pub fn eight<U: Scan>(text: &[U], at: usize) -> u64 {
    if text.len() >= 8 && at <= text.len() - 8 {
        // SAFETY: eight units lie within the text.
        return unsafe { U::eight(text.as_ptr().add(at)) };
    }
    eight_at_end(text, at)
}

/// [`eight`], where the text may have fewer.
#[inline(never)]
fn eight_at_end<U: Scan>(text: &[U], at: usize) -> u64 {
    let mut word = 0;
    for (i, &unit) in text
        .get(at..)
        .unwrap_or_default()
        .iter()
        .take(8)
        .enumerate()
    {
        let unit: u32 = unit.into();
        word |= u64::from(unit.min(0xFF)) << (8 * i);
    }
    word
}

/// How many bytes [`commas`] looks at.
pub const COMMAS: usize = 64;

/// Which of the bytes at `at` are commas, the first by the lowest bit.
///
/// # Safety
/// [`COMMAS`] bytes lie there.
#[inline(always)]
pub unsafe fn commas(at: *const u8) -> u64 {
    // SAFETY: the caller's.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        return sse2::commas(at);
        #[cfg(not(target_arch = "x86_64"))]
        return swar::commas(at);
    }
}

macro_rules! units {
    ($($unit:ty => $source:ident, $sse2:ident, $eight:ident;)*) => {$(
        impl Scan for $unit {
            #[cfg(target_arch = "x86_64")]
            type Block = sse2::$sse2;
            #[cfg(target_arch = "x86_64")]
            type Wide = avx2::$sse2;
            #[cfg(target_arch = "x86_64")]
            type Widest = avx512::$sse2;
            #[cfg(not(target_arch = "x86_64"))]
            type Block = swar::Word<$unit>;

            #[inline(always)]
            fn ascii(self) -> u8 {
                self as u8
            }

            #[inline(always)]
            fn bytes(units: &[Self]) -> Option<&[u8]> {
                if size_of::<Self>() == 1 {
                    // SAFETY: the units are bytes.
                    Some(unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), units.len()) })
                } else {
                    None
                }
            }

            #[inline(always)]
            unsafe fn eight(at: *const Self) -> u64 {
                // SAFETY: the caller's.
                unsafe {
                    #[cfg(target_arch = "x86_64")]
                    return sse2::$eight(at);
                    #[cfg(not(target_arch = "x86_64"))]
                    return swar::eight(at);
                }
            }

            #[inline(always)]
            fn source(units: &[Self]) -> crate::characters::Source<'_> {
                crate::characters::Source::$source(units)
            }
        }
    )*};
}
units! {
    u8 => One, Bytes, eight_bytes;
    u16 => Two, Pairs, eight_pairs;
    u32 => Four, Quads, eight_quads;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::Baseline;

    fn naive_stops(unit: u32) -> bool {
        unit < 0x20 || unit == 0x22 || unit == 0x5C
    }

    fn mask_of<B: Block>(lanes: impl Iterator<Item = bool>) -> Vec<bool> {
        lanes.take(B::LANES).collect()
    }

    /// The lanes of a mask: set if any of their bits is.
    fn lanes<B: Block>(mask: u64) -> Vec<bool> {
        let lane = |i| mask >> (i as u32 * B::MASK_BITS) & ((1 << B::MASK_BITS) - 1) != 0;
        (0..B::LANES).map(lane).collect()
    }

    /// Every unit in every lane, among quiet and loud neighbours.
    fn check<B: Block>(make: impl Fn(u32) -> B::Unit, units: impl Iterator<Item = u32>)
    where
        B::Unit: Copy,
    {
        for unit in units {
            for lane in 0..B::LANES {
                for around in [0x41, 0x22, 0x20, 0x0A, 0xFF, 0] {
                    let values: Vec<u32> = (0..B::LANES)
                        .map(|i| if i == lane { unit } else { around })
                        .collect();
                    let units: Vec<B::Unit> = values.iter().map(|&v| make(v)).collect();
                    // SAFETY: the vector holds a whole block.
                    let block = unsafe { B::load(units.as_ptr()) };
                    let want = mask_of::<B>(values.iter().map(|&v| naive_stops(v)));
                    assert_eq!(lanes::<B>(block.stops()), want, "{values:x?}");
                    let want =
                        mask_of::<B>(values.iter().map(|v| ![0x20, 0x0A, 0x0D, 0x09].contains(v)));
                    assert_eq!(lanes::<B>(block.not_blanks()), want, "{values:x?}");
                    if values.iter().all(|&v| v < 0x100) {
                        let mut bytes = vec![0; B::LANES];
                        // SAFETY: there is a byte for each lane.
                        unsafe { block.narrow(bytes.as_mut_ptr()) };
                        assert!(bytes.iter().map(|&b| u32::from(b)).eq(values.clone()));
                    }
                    for n in 0..B::LANES {
                        let or = values[..n].iter().fold(0, |a, b| a | b);
                        let bits = block.first(n).bits();
                        if size_of::<B::Unit>() == 1 {
                            assert_eq!(bits >= 0x80, or >= 0x80, "{values:x?} {n}");
                        } else {
                            assert_eq!(bits, or, "{values:x?} {n}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_unit_in_every_lane() {
        let edges = [
            0x7FFF, 0x8000, 0x8022, 0x2200, 0x225C, 0xFFFF, 0x2022, 0x1F00,
        ];
        let wide = [
            0x1_0022,
            0x2200_0000,
            0x8000_0000,
            0xFFFF_FFFF,
            0x10_FFFF,
            0x22_0000,
        ];
        check::<swar::Word<u8>>(|v| v as u8, 0..0x100);
        check::<swar::Word<u16>>(|v| v as u16, (0..0x200).chain(edges));
        check::<swar::Word<u32>>(|v| v, (0..0x200).chain(edges).chain(wide));
        check::<<u8 as Scan>::Block>(|v| v as u8, 0..0x100);
        check::<<u16 as Scan>::Block>(|v| v as u16, (0..0x200).chain(edges));
        check::<<u32 as Scan>::Block>(|v| v, (0..0x200).chain(edges).chain(wide));
    }

    fn stretches<U: Scan>(make: impl Fn(u32) -> U) {
        for len in 0..150 {
            for stop in 0..=len {
                let mut units: Vec<U> = (0..len).map(|_| make(0x61)).collect();
                if stop < len {
                    units[stop] = make(0x22);
                }
                for from in 0..=stop {
                    let found = stretch(&units, from, Baseline);
                    assert_eq!((found.end, found.bits < 0x80), (stop, true));
                }
                for unit in &mut units[..stop] {
                    *unit = make(0x20);
                }
                for from in 0..=stop {
                    assert_eq!(skip_blanks(&units, from), stop);
                }
            }
        }
    }

    #[test]
    fn stretches_of_every_length() {
        stretches(|v| v as u8);
        stretches(|v| v as u16);
        stretches(|v| v);
    }

    /// One unit among plain ones, at every place of every length that matters.
    fn long_stretches<U: Scan, M: Machine>(machine: M, make: impl Fn(u32) -> U, marked: &[u32]) {
        for len in [0, 63, 64, 65, 127, 128, 129, 191, 192, 260, 319, 320, 600] {
            for &mark in marked {
                for at in 0..len {
                    let mut units: Vec<U> = (0..len).map(|i| make(0x20 + i as u32 % 2)).collect();
                    units[at] = make(mark);
                    let found = stretch(&units, 0, machine);
                    let want = if naive_stops(mark) { at } else { len };
                    assert_eq!(found.end, want, "{mark:x} at {at} of {len}");
                    let wide = found.end > at && mark >= 0x80;
                    assert_eq!(found.bits >= 0x80, wide, "{mark:x} at {at} of {len}");
                    if size_of::<U>() > 1 && wide {
                        assert_eq!(found.bits, mark | 0x20 | u32::from(len > 1), "{mark:x}");
                    }
                }
            }
        }
    }

    fn long_stretches_of_every_unit(machine: impl Machine) {
        let bytes = [0, 0x1F, 0x20, 0x22, 0x5C, 0x7F, 0x80, 0xA2, 0xFF];
        long_stretches(machine, |v| v as u8, &bytes);
        let pairs = [0, 0x1F, 0x22, 0x5C, 0xDC, 0x100, 0x2200, 0x8022, 0xFFFF];
        long_stretches(machine, |v| v as u16, &pairs);
        let quads = [
            0x1F,
            0x22,
            0x5C,
            0xA2,
            0x1_0022,
            0x22_0000,
            0x8000_0000,
            u32::MAX,
        ];
        long_stretches(machine, |v| v, &quads);
    }

    #[test]
    fn long_stretches_on_every_machine() {
        long_stretches_of_every_unit(Baseline);
        #[cfg(target_arch = "x86_64")]
        for (wide, name) in [(false, "AVX2"), (true, "AVX-512")] {
            match crate::dispatch::avx2(wide) {
                Some(machine) => long_stretches_of_every_unit(machine),
                None => eprintln!("skipped: this machine has no {name}"),
            }
        }
    }

    #[test]
    fn commas_at_every_place() {
        for at in 0..COMMAS {
            for around in [0x2B, 0x2D, 0xAC, 0x2C] {
                let mut bytes = [around; COMMAS];
                bytes[at] ^= 0x2C ^ 0x30;
                let naive = |bytes: &[u8; COMMAS]| {
                    let commas = (0..COMMAS).filter(|&i| bytes[i] == b',');
                    commas.fold(0u64, |mask, i| mask | 1 << i)
                };
                for byte in [bytes[at], b','] {
                    bytes[at] = byte;
                    // SAFETY: there are as many bytes.
                    let found = unsafe { [commas(bytes.as_ptr()), swar::commas(bytes.as_ptr())] };
                    assert_eq!(found, [naive(&bytes); 2]);
                }
            }
        }
    }

    #[test]
    fn eight_units_as_bytes() {
        assert_eq!(eight(b"12345678".as_slice(), 0).to_le_bytes(), *b"12345678");
        assert_eq!(
            eight(b"123".as_slice(), 1).to_le_bytes(),
            *b"23\0\0\0\0\0\0"
        );
        assert_eq!(eight(b"123".as_slice(), 4), 0);
        let edges = [
            0, 0x31, 0x7F, 0x80, 0xFF, 0x100, 0x3031, 0x7FFF, 0x8000, 0xFFFF,
        ];
        for unit in edges {
            for lane in 0..8 {
                let mut pairs = [0x39u16; 8];
                pairs[lane] = unit;
                let mut want = [0x39; 8];
                want[lane] = unit.min(0xFF) as u8;
                let quads = pairs.map(u32::from);
                assert_eq!(eight(&pairs, 0).to_le_bytes(), want);
                assert_eq!(eight(&quads, 0).to_le_bytes(), want);
                // SAFETY: there are eight.
                let portable =
                    unsafe { [swar::eight(pairs.as_ptr()), swar::eight(quads.as_ptr())] };
                assert_eq!(portable.map(u64::to_le_bytes), [want; 2]);
            }
        }
        for unit in [0x1_0031, 0x10_FFFF, 0x7FFF_FFFF, 0x8000_0000, u32::MAX] {
            let units = [0x39, unit, 0x39, 0x39, 0x39, unit, 0x39, 0x39];
            assert_eq!(eight(&units, 0).to_le_bytes(), *b"9\xff999\xff99");
        }
        let wide = [0x31u16, 0x100, 0x3031, 0x32];
        assert_eq!(
            eight(wide.as_slice(), 0).to_le_bytes(),
            *b"1\xff\xff2\0\0\0\0"
        );
    }
}
