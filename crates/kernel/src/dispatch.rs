//! Which implementation runs: the only run-time choice and the only
//! `#[target_feature]` functions of the kernel.
//!
//! The choice is made once, from CPUID, and cached. [`force`] replaces it:
//! hosts call it with the value of `LINECASTER_FORCE`. The inline path for
//! short strings is no part of the choice: it is compiled for the target's
//! baseline.

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::arch::swar::Swar;
#[cfg(target_arch = "x86_64")]
use crate::arch::{avx2::Avx2, avx512::Avx512, sse2::Sse2};
use crate::escape::spell::Place;
use crate::escape::{LoneSurrogate, run};
use crate::output::Output;
use crate::policy::{Policy, Word};
use crate::text::Text;

#[cfg(target_arch = "x86_64")]
cpufeatures::new!(has_avx2, "avx2", "bmi1", "bmi2", "popcnt");
// Ice Lake and later, where wide vectors do not slow the processor down.
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(
    has_avx512,
    "avx512f",
    "avx512bw",
    "avx512vl",
    "avx512dq",
    "avx512cd",
    "avx512ifma",
    "avx512vbmi",
    "avx512vbmi2"
);

/// A compiled form of the escape loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Implementation {
    /// Words of eight bytes; every machine.
    Swar = 1,
    /// Vectors of 16 bytes.
    #[cfg(target_arch = "x86_64")]
    Sse2 = 2,
    /// Vectors of 32 bytes and byte shuffles.
    #[cfg(target_arch = "x86_64")]
    Avx2 = 3,
    /// Vectors of 64 bytes, masks and byte compression.
    #[cfg(target_arch = "x86_64")]
    Avx512 = 4,
}

impl Implementation {
    /// All that this build contains, the best last.
    pub const ALL: &'static [Implementation] = &[
        Implementation::Swar,
        #[cfg(target_arch = "x86_64")]
        Implementation::Sse2,
        #[cfg(target_arch = "x86_64")]
        Implementation::Avx2,
        #[cfg(target_arch = "x86_64")]
        Implementation::Avx512,
    ];

    /// What every machine of the build's target has.
    pub const BASELINE: Implementation = {
        #[cfg(target_arch = "x86_64")]
        let baseline = Implementation::Sse2;
        #[cfg(not(target_arch = "x86_64"))]
        let baseline = Implementation::Swar;
        baseline
    };

    /// The name that [`force`] takes.
    pub const fn name(self) -> &'static str {
        match self {
            Implementation::Swar => "swar",
            #[cfg(target_arch = "x86_64")]
            Implementation::Sse2 => "sse2",
            #[cfg(target_arch = "x86_64")]
            Implementation::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Implementation::Avx512 => "avx512",
        }
    }

    /// Whether this machine can run it.
    pub fn is_available(self) -> bool {
        match self {
            Implementation::Swar => true,
            #[cfg(target_arch = "x86_64")]
            Implementation::Sse2 => true,
            #[cfg(target_arch = "x86_64")]
            Implementation::Avx2 => has_avx2::get(),
            #[cfg(target_arch = "x86_64")]
            Implementation::Avx512 => has_avx2::get() && has_avx512::get(),
        }
    }
}

/// Why [`force`] did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceError {
    /// No implementation of this build has that name.
    Unknown,
    /// This machine cannot run it.
    Unavailable,
}

impl fmt::Display for ForceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ForceError::Unknown => "no such implementation; known are",
            ForceError::Unavailable => "this machine lacks that implementation; it has",
        })?;
        let list = Implementation::ALL.iter();
        for one in list.filter(|one| *self == ForceError::Unknown || one.is_available()) {
            write!(f, " {}", one.name())?;
        }
        Ok(())
    }
}

impl core::error::Error for ForceError {}

/// 0, or the implementation that runs.
static CURRENT: AtomicU8 = AtomicU8::new(0);

/// The implementations that this machine can run, the best last.
pub fn available() -> impl Iterator<Item = Implementation> {
    let all = Implementation::ALL.iter().copied();
    all.filter(|one| one.is_available())
}

/// The implementation that runs.
#[inline(always)]
pub fn current() -> Implementation {
    let current = CURRENT.load(Ordering::Relaxed);
    for &one in Implementation::ALL.iter().rev() {
        if current == one as u8 {
            return one;
        }
    }
    choose()
}

#[cold]
#[inline(never)]
fn choose() -> Implementation {
    let best = available().last().unwrap_or(Implementation::Swar);
    CURRENT.store(best as u8, Ordering::Relaxed);
    best
}

/// Runs the implementation called `name` from now on, in the whole process.
///
/// # Errors
/// When there is none of that name, or the machine cannot run it.
pub fn force(name: &str) -> Result<(), ForceError> {
    let mut all = Implementation::ALL.iter();
    let one = all.find(|one| one.name() == name);
    let one = *one.ok_or(ForceError::Unknown)?;
    if !one.is_available() {
        return Err(ForceError::Unavailable);
    }
    CURRENT.store(one as u8, Ordering::Relaxed);
    Ok(())
}

/// Writes `text` from `place` on into the room before `end`, by the
/// implementation given; see [`run::stretch`].
///
/// # Safety
/// The implementation is available, and the memory from `place.out` to `end`
/// is writable.
#[inline(always)]
pub(crate) unsafe fn stretch<T: Text, P: Policy, O: Output>(
    by: Implementation,
    text: &[T::Unit],
    place: Place,
    end: *mut u8,
) -> Result<Place, LoneSurrogate> {
    // SAFETY: the caller's.
    let Place { read, out } = unsafe {
        match by {
            Implementation::Swar => swar::<T, P, O>(text, place, end),
            #[cfg(target_arch = "x86_64")]
            Implementation::Sse2 => sse2::<T, P, O>(text, place, end),
            #[cfg(target_arch = "x86_64")]
            Implementation::Avx2 => avx2::<T, P, O>(text, place, end),
            #[cfg(target_arch = "x86_64")]
            Implementation::Avx512 => avx512::<T, P, O>(text, place, end),
        }
    };
    if out.is_null() {
        Err(LoneSurrogate { index: read })
    } else {
        Ok(Place { read, out })
    }
}

/// Writes `text`, and `trail` behind it, into the room before `end`, by the
/// implementation given; see [`run::between`].
///
/// # Safety
/// The implementation is available, and the memory from `out` to `end` is
/// writable.
#[inline(always)]
pub(crate) unsafe fn between<T: Text, P: Policy, O: Output>(
    by: Implementation,
    text: &[T::Unit],
    trail: Word,
    out: *mut u8,
    end: *mut u8,
) -> *mut u8 {
    // SAFETY: the caller's.
    unsafe {
        match by {
            Implementation::Swar => swar_between::<T, P, O>(text, trail, out, end),
            #[cfg(target_arch = "x86_64")]
            Implementation::Sse2 => sse2_between::<T, P, O>(text, trail, out, end),
            #[cfg(target_arch = "x86_64")]
            Implementation::Avx2 => avx2_between::<T, P, O>(text, trail, out, end),
            #[cfg(target_arch = "x86_64")]
            Implementation::Avx512 => avx512_between::<T, P, O>(text, trail, out, end),
        }
    }
}

/// What a wrapper returns: a place fits into two registers, a `Result` of it
/// does not. No output begins at null.
#[inline(always)]
fn in_registers(result: Result<Place, LoneSurrogate>) -> Place {
    result.unwrap_or_else(|LoneSurrogate { index }| Place {
        read: index,
        out: core::ptr::null_mut(),
    })
}

/// # Safety
/// As for [`stretch`]; every machine has words.
#[inline(never)]
unsafe fn swar<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    place: Place,
    end: *mut u8,
) -> Place {
    // SAFETY: the caller's.
    in_registers(unsafe { run::stretch::<Swar, T, P, O>(text, place, end) })
}

/// # Safety
/// As for [`stretch`]; SSE2 is the baseline.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn sse2<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    place: Place,
    end: *mut u8,
) -> Place {
    // SAFETY: the caller's.
    in_registers(unsafe { run::stretch::<Sse2, T, P, O>(text, place, end) })
}

/// # Safety
/// As for [`stretch`]; the machine has the features that [`has_avx2`] asks for.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn avx2<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    place: Place,
    end: *mut u8,
) -> Place {
    // SAFETY: the caller's.
    in_registers(unsafe { run::stretch::<Avx2, T, P, O>(text, place, end) })
}

/// # Safety
/// As for [`stretch`]; the machine has the features that [`has_avx2`] and
/// [`has_avx512`] ask for.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl,avx512dq")]
#[target_feature(enable = "avx512cd,avx512ifma,avx512vbmi,avx512vbmi2")]
unsafe fn avx512<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    place: Place,
    end: *mut u8,
) -> Place {
    // SAFETY: the caller's.
    in_registers(unsafe { run::stretch::<Avx512, T, P, O>(text, place, end) })
}

/// # Safety
/// As for [`between`]; every machine has words.
#[inline(never)]
unsafe fn swar_between<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    trail: Word,
    out: *mut u8,
    end: *mut u8,
) -> *mut u8 {
    // SAFETY: the caller's.
    unsafe { run::between::<Swar, T, P, O>(Implementation::Swar, text, trail, out, end) }
}

/// # Safety
/// As for [`between`]; SSE2 is the baseline.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn sse2_between<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    trail: Word,
    out: *mut u8,
    end: *mut u8,
) -> *mut u8 {
    // SAFETY: the caller's.
    unsafe { run::between::<Sse2, T, P, O>(Implementation::Sse2, text, trail, out, end) }
}

/// # Safety
/// As for [`between`]; the machine has the features that [`has_avx2`] asks for.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn avx2_between<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    trail: Word,
    out: *mut u8,
    end: *mut u8,
) -> *mut u8 {
    // SAFETY: the caller's.
    unsafe { run::between::<Avx2, T, P, O>(Implementation::Avx2, text, trail, out, end) }
}

/// # Safety
/// As for [`between`]; the machine has the features that [`has_avx2`] and
/// [`has_avx512`] ask for.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl,avx512dq")]
#[target_feature(enable = "avx512cd,avx512ifma,avx512vbmi,avx512vbmi2")]
unsafe fn avx512_between<T: Text, P: Policy, O: Output>(
    text: &[T::Unit],
    trail: Word,
    out: *mut u8,
    end: *mut u8,
) -> *mut u8 {
    // SAFETY: the caller's.
    unsafe { run::between::<Avx512, T, P, O>(Implementation::Avx512, text, trail, out, end) }
}
