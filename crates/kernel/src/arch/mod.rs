//! Vectors, one file per instruction set; nothing but primitives.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod sse2;
pub(crate) mod swar;

/// What every machine of the build's target has.
#[cfg(target_arch = "x86_64")]
pub(crate) type Baseline = sse2::Sse2;
/// What every machine of the build's target has.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) type Baseline = swar::Swar;
