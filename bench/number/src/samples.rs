//! The workloads: reproducible, and large enough that no branch predictor
//! learns them by heart.

const COUNT: usize = 20_000;

/// A small reproducible generator (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly from 0 to 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn many<T>(mut make: impl FnMut(&mut Random) -> T) -> Vec<T> {
    let mut random = Random(7);
    (0..COUNT).map(|_| make(&mut random)).collect()
}

/// Lists of integers, by name.
pub fn ints() -> Vec<(&'static str, Vec<i64>)> {
    vec![
        ("ints in order", (0..COUNT as i64).collect()),
        ("ints below 100", many(|r| (r.next() % 100) as i64)),
        ("ints below 10000", many(|r| (r.next() % 10_000) as i64)),
        (
            "ints of 1 to 4 digits",
            many(|r| (r.next() % 10_i64.pow(1 + (r.next() % 4) as u32) as u64) as i64),
        ),
        ("ints of 32 bits", many(|r| r.next() as i32 as i64)),
        ("ints of 63 bits", many(|r| (r.next() >> 1) as i64)),
        (
            "ints of any length",
            many(|r| (r.next() >> (1 + r.next() % 63)) as i64),
        ),
    ]
}

/// Lists of floats, by name.
pub fn floats() -> Vec<(&'static str, Vec<f64>)> {
    vec![
        (
            "floats, any bits",
            many(|r| {
                loop {
                    let v = f64::from_bits(r.next());
                    if v.is_finite() {
                        return v;
                    }
                }
            }),
        ),
        ("floats, 0 to 1", many(Random::unit)),
        (
            "floats, prices",
            many(|r| (r.next() % 100_000) as f64 / 100.0),
        ),
        (
            "floats, 6-place degrees",
            many(|r| ((r.unit() - 0.5) * 360e6).round() / 1e6),
        ),
        (
            "floats, 17-digit degrees",
            many(|r| (r.unit() - 0.5) * 360.0),
        ),
        ("floats, whole", many(|r| (r.next() % 10_000) as f64)),
        (
            "floats, mixed",
            many(|r| match r.next() % 3 {
                0 => (r.next() % 10_000) as f64,
                1 => (r.next() % 100_000) as f64 / 100.0,
                _ => r.unit() * 1000.0,
            }),
        ),
    ]
}
