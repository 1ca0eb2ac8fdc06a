//! How far text is clean: what a format asks before it chooses a form.

use crate::arch::Baseline;
use crate::escape::candidates::Derived;
use crate::escape::run::load_word;
use crate::output::Utf8;
use crate::policy::Policy;
use crate::text::{Text, Unit};
use crate::vector::{Hits, Vector};

/// Units from the start on of which none is a candidate under `P`: all that
/// `text` has, or as many whole steps as it takes to find one that may be.
#[inline]
pub fn clean_units<T: Text, P: Policy>(text: &[T::Unit]) -> usize {
    let candidates = const { &Derived::<T, P, Utf8>::CANDIDATES };
    let n = text.len();
    let from = text.as_ptr();
    let lanes = Baseline::LANES;
    // SAFETY: every load lies inside of the text; the baseline's features are
    // there.
    unsafe {
        if T::Unit::WIDTH == 1 && n < lanes {
            let bytes: *const u8 = from.cast();
            let any = if n < 8 {
                // The lanes behind the text must not be taken for candidates.
                let padding = 0x2020_2020_2020_2020_u64 << (8 * n);
                let word = load_word(bytes, n) | padding;
                Baseline::any_in_words(word, word, candidates)
            } else {
                let low = bytes.cast::<u64>().read_unaligned();
                let high = bytes.add(n - 8).cast::<u64>().read_unaligned();
                Baseline::any_in_words(low, high, candidates)
            };
            return if any { 0 } else { n };
        }
        let mut at = 0;
        while n - at >= lanes {
            if Baseline::load_narrowed(from.add(at)).hits(candidates).any() {
                return at;
            }
            at += lanes;
        }
        if at == n || n < lanes {
            return at;
        }
        // What is left, with some of what came before it.
        let last = Baseline::load_narrowed(from.add(n - lanes));
        if last.hits(candidates).any() { at } else { n }
    }
}
