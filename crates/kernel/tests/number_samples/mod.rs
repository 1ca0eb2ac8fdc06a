//! Numbers for the tests of the number writers and readers.

/// A small reproducible generator (`SplitMix64`).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The lines of a file in `testdata/number`, as two words each.
#[allow(dead_code, reason = "the integer tests have no file")]
pub fn vectors(file: &str) -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/number/");
    let text = std::fs::read_to_string(format!("{folder}{file}")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (first, second) = line.split_once(' ').unwrap();
            (first.to_owned(), second.to_owned())
        })
        .collect()
}
