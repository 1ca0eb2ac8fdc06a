//! The least time of many passes, the entries taken in turn.

use std::time::{Duration, Instant};

/// Passes of every entry. The least of them is what the code takes when
/// nothing else disturbs it.
const PASSES: u32 = 200;

/// One way to do a workload.
pub struct Entry<'a> {
    name: &'static str,
    run: Box<dyn FnMut() + 'a>,
    least: Duration,
}

impl<'a> Entry<'a> {
    pub fn new(name: &'static str, run: impl FnMut() + 'a) -> Entry<'a> {
        Entry {
            name,
            run: Box::new(run),
            least: Duration::MAX,
        }
    }
}

/// Times all entries and prints a row.
pub fn race(title: &str, numbers: usize, entries: &mut [Entry]) {
    for _ in 0..PASSES {
        for entry in &mut *entries {
            let start = Instant::now();
            (entry.run)();
            entry.least = entry.least.min(start.elapsed());
        }
    }
    print!("{title:30}");
    for entry in entries {
        let each = entry.least.as_secs_f64() * 1e9 / numbers as f64;
        print!("  {} {each:6.2}", entry.name);
    }
    println!();
}
