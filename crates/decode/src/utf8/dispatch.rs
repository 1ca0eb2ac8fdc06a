//! The run-time choice for UTF-8: the kernel's, so that forcing an
//! implementation there holds here too.
//!
//! Only machines with AVX2 (the best that is written here, so that AVX-512
//! ones run it too) have more than the character by character loops, because
//! the rest lives on byte shuffles.

use linecaster_kernel::dispatch::{Implementation, current};

use super::{Measure, Narrow};

/// [`super::measure`], if there is a faster way and the text is well formed.
#[inline(always)]
pub fn measure(text: &[u8], len: usize) -> Option<Measure> {
    match current() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the machine has what the current implementation needs.
        Implementation::Avx2 | Implementation::Avx512 if len <= text.len() => unsafe {
            by_avx2::measure(text, len)
        },
        _ => None,
    }
}

/// [`super::write`], if there is a faster way; whether there is.
///
/// # Safety
/// As for [`super::write`].
#[inline(always)]
pub unsafe fn write<U: Narrow>(text: &[u8], len: usize, count: usize, to: *mut U) -> bool {
    match current() {
        #[cfg(target_arch = "x86_64")]
        Implementation::Avx2 | Implementation::Avx512 if len <= text.len() => {
            // SAFETY: the machine has what the current implementation needs;
            // the rest is the caller's.
            unsafe { by_avx2::write(text, len, count, to) };
            true
        }
        _ => false,
    }
}

#[cfg(target_arch = "x86_64")]
mod by_avx2 {
    use super::super::avx2;
    use super::{Measure, Narrow};

    /// # Safety
    /// As for [`avx2::measure`].
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub unsafe fn measure(text: &[u8], len: usize) -> Option<Measure> {
        // SAFETY: the caller's.
        unsafe { avx2::measure(text, len) }
    }

    /// # Safety
    /// As for [`avx2::write`].
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub unsafe fn write<U: Narrow>(text: &[u8], len: usize, count: usize, to: *mut U) {
        // SAFETY: the caller's.
        unsafe { avx2::write(text, len, count, to) };
    }
}
