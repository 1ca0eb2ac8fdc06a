//! The run-time choice: the kernel's, so that forcing an implementation there
//! holds here too. The only `#[target_feature]` functions of this crate.
//!
//! The parser's loop is compiled a second time for machines with AVX2 and its
//! contemporaries: numbers and masks live on shifts and bit counts that the
//! baseline lacks. AVX-512 adds long stretches of strings to that. UTF-8 has no more than loops over
//! single characters on other machines, because the rest lives on byte
//! shuffles.

use linecaster_kernel::dispatch::{Implementation, current};
use linecaster_kernel::text::Text;

use crate::error::Stop;
use crate::number;
use crate::parser::Parser;
use crate::run;
use crate::scan::{self, Scan, Stretch};
use crate::utf8::{Measure, Narrow};
use crate::visit::Visit;

/// The parts of the parser that are functions of their own, in the form that
/// its loop is compiled for.
pub trait Machine: Copy {
    /// [`number::float`].
    fn float<U: Scan>(
        self,
        text: &[U],
        start: usize,
        integer_end: usize,
        value: u64,
    ) -> (f64, usize);

    /// [`run::integers`].
    fn integers<U: Scan, V: Visit>(
        self,
        text: &[U],
        end: usize,
        visitor: &mut V,
    ) -> Result<(usize, usize), V::Error>;

    /// [`scan::stretch_long`].
    fn stretch_long<U: Scan>(self, text: &[U], from: usize, seen: U::Block) -> Stretch;

    /// Writes the first `len` bytes of `text` if all of their characters are
    /// of three bytes, they are UTF-8, and there is a fast way; whether it did.
    ///
    /// # Safety
    /// `len <= text.len()`, and `to` has room for `len / 3`.
    unsafe fn triples(self, text: &[u8], len: usize, to: *mut u16) -> bool;
}

/// Any machine.
#[derive(Clone, Copy)]
pub struct Baseline;

impl Machine for Baseline {
    #[inline(never)]
    fn float<U: Scan>(
        self,
        text: &[U],
        start: usize,
        integer_end: usize,
        value: u64,
    ) -> (f64, usize) {
        number::float(text, start, integer_end, value)
    }

    #[inline(never)]
    fn integers<U: Scan, V: Visit>(
        self,
        text: &[U],
        end: usize,
        visitor: &mut V,
    ) -> Result<(usize, usize), V::Error> {
        run::integers(text, end, visitor)
    }

    #[inline(never)]
    fn stretch_long<U: Scan>(self, text: &[U], from: usize, seen: U::Block) -> Stretch {
        scan::stretch_long::<U, U::Block>(text, from, seen)
    }

    #[inline(always)]
    unsafe fn triples(self, _: &[u8], _: usize, _: *mut u16) -> bool {
        false
    }
}

/// A machine with AVX2, and AVX-512 if `wide`, if this is one.
#[cfg(all(test, target_arch = "x86_64"))]
pub fn avx2(wide: bool) -> Option<impl Machine> {
    let [avx2, avx512] = [Implementation::Avx2, Implementation::Avx512];
    let available = if wide { avx512 } else { avx2 }.is_available();
    // SAFETY: the kernel has looked.
    available.then(|| unsafe { by_avx2::Avx2::assumed(wide) })
}

/// [`Parser::document`].
#[inline(always)]
pub fn document<T: Text<Unit: Scan>, V: Visit>(
    parser: Parser<'_, T, V, Baseline>,
) -> Result<usize, Stop<V::Error>> {
    match current() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the machine has what the current implementation needs.
        is @ (Implementation::Avx2 | Implementation::Avx512) => unsafe {
            let wide = is == Implementation::Avx512;
            by_avx2::document(parser.on(by_avx2::Avx2::assumed(wide)))
        },
        _ => parser.document(),
    }
}

/// [`crate::utf8::measure`], if there is a faster way and the text is well formed.
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

/// [`crate::utf8::write`], if there is a faster way; whether there is.
///
/// # Safety
/// As for [`crate::utf8::write`].
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
    use super::{
        Machine, Measure, Narrow, Parser, Scan, Stop, Stretch, Text, Visit, number, run, scan,
    };
    use crate::utf8::{avx2, triples as of_three};

    /// A machine with AVX2 and what the kernel asks for with it.
    #[derive(Clone, Copy)]
    pub struct Avx2 {
        /// It has AVX-512, too, and what the kernel asks for with it.
        wide: bool,
    }

    impl Avx2 {
        /// # Safety
        /// The machine is one.
        #[inline(always)]
        pub unsafe fn assumed(wide: bool) -> Self {
            Self { wide }
        }
    }

    impl Machine for Avx2 {
        #[inline(always)]
        fn float<U: Scan>(
            self,
            text: &[U],
            start: usize,
            integer_end: usize,
            value: u64,
        ) -> (f64, usize) {
            // SAFETY: the machine has the instructions.
            unsafe { float(text, start, integer_end, value) }
        }

        #[inline(always)]
        fn integers<U: Scan, V: Visit>(
            self,
            text: &[U],
            end: usize,
            visitor: &mut V,
        ) -> Result<(usize, usize), V::Error> {
            // SAFETY: the machine has the instructions.
            unsafe { integers(text, end, visitor) }
        }

        #[inline(always)]
        fn stretch_long<U: Scan>(self, text: &[U], from: usize, seen: U::Block) -> Stretch {
            // SAFETY: the machine has the instructions.
            unsafe {
                if self.wide {
                    stretch_longer(text, from, seen)
                } else {
                    stretch_long(text, from, seen)
                }
            }
        }

        #[inline(always)]
        unsafe fn triples(self, text: &[u8], len: usize, to: *mut u16) -> bool {
            // SAFETY: the machine has the instructions, the rest is the
            // caller's.
            unsafe { triples(text, len, to) }
        }
    }

    /// # Safety
    /// The machine has AVX2 and what the kernel asks for with it.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub unsafe fn document<T: Text<Unit: Scan>, V: Visit>(
        parser: Parser<'_, T, V, Avx2>,
    ) -> Result<usize, Stop<V::Error>> {
        parser.document()
    }

    /// # Safety
    /// As for [`document`].
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    #[inline(never)]
    unsafe fn float<U: Scan>(
        text: &[U],
        start: usize,
        integer_end: usize,
        value: u64,
    ) -> (f64, usize) {
        number::float(text, start, integer_end, value)
    }

    /// # Safety
    /// As for [`document`].
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    #[inline(never)]
    unsafe fn integers<U: Scan, V: Visit>(
        text: &[U],
        end: usize,
        visitor: &mut V,
    ) -> Result<(usize, usize), V::Error> {
        run::integers(text, end, visitor)
    }

    /// # Safety
    /// As for [`document`].
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    #[inline(never)]
    unsafe fn stretch_long<U: Scan>(text: &[U], from: usize, seen: U::Block) -> Stretch {
        scan::stretch_long::<U, U::Wide>(text, from, seen)
    }

    /// # Safety
    /// As for [`document`], and the machine has AVX-512.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw")]
    #[inline(never)]
    unsafe fn stretch_longer<U: Scan>(text: &[U], from: usize, seen: U::Block) -> Stretch {
        scan::stretch_long::<U, U::Widest>(text, from, seen)
    }

    /// # Safety
    /// As for [`of_three::triples`].
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    #[inline(never)]
    unsafe fn triples(text: &[u8], len: usize, to: *mut u16) -> bool {
        // SAFETY: the caller's.
        unsafe { of_three::triples(text, len, to) }
    }

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
