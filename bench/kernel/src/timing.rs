//! Minimum times.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long one repeat takes at least.
const REPEAT: Duration = Duration::from_micros(100);
const REPEATS: usize = 400;

/// Seconds that `one` and `other` take, each the minimum of many repeats, the
/// repeats by turns.
pub fn compare(mut one: impl FnMut(), mut other: impl FnMut()) -> (f64, f64) {
    let (count_one, count_other) = (iterations(&mut one), iterations(&mut other));
    let mut least = (f64::MAX, f64::MAX);
    for _ in 0..REPEATS {
        least.0 = least.0.min(repeat(&mut one, count_one));
        least.1 = least.1.min(repeat(&mut other, count_other));
    }
    least
}

fn iterations(body: &mut impl FnMut()) -> u32 {
    let mut count = 1;
    loop {
        let seconds = repeat(body, count) * f64::from(count);
        if seconds >= REPEAT.as_secs_f64() || count > 1 << 20 {
            return count;
        }
        count *= 2;
    }
}

fn repeat(body: &mut impl FnMut(), count: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        body();
    }
    start.elapsed().as_secs_f64() / f64::from(count)
}

/// Copies `from` to `to`, whatever the optimiser knows.
pub fn copy(from: &[u8], to: &mut [u8]) {
    black_box(&mut *to).copy_from_slice(black_box(from));
}
