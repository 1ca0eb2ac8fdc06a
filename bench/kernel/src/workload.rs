//! Texts of the kinds that occur, the same in every run.

/// A small generator (xorshift), so that runs can be compared.
pub struct Random(u64);

impl Random {
    pub const fn new() -> Random {
        Random(0x9E37_79B9_7F4A_7C15)
    }

    /// Below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32 % limit
    }

    fn letter(&mut self) -> u32 {
        u32::from(b'a') + self.below(26)
    }
}

/// `n` letters; every `step`-th a character of `among`.
pub fn strewn(n: usize, step: usize, among: &[u32]) -> Vec<u32> {
    let mut random = Random::new();
    let mut text: Vec<u32> = (0..n).map(|_| random.letter()).collect();
    for c in text.iter_mut().step_by(step) {
        *c = among[random.below(among.len() as u32) as usize];
    }
    text
}

/// `n` letters of which `percent` in a hundred, at random, are Latin-1's.
pub fn latin1(n: usize, percent: u32) -> Vec<u32> {
    let mut random = Random::new();
    (0..n)
        .map(|_| {
            if random.below(100) < percent {
                0xC0 + random.below(0x40)
            } else {
                random.letter()
            }
        })
        .collect()
}

/// Words of `least` to `most` characters from `first` on, with spaces, commas
/// and full stops between them, and a line feed after every few sentences.
pub fn prose(n: usize, first: u32, count: u32, least: u32, most: u32, marks: [u32; 3]) -> Vec<u32> {
    let mut random = Random::new();
    let mut text = Vec::with_capacity(n + 16);
    while text.len() < n {
        for _ in 0..least + random.below(most - least + 1) {
            text.push(first + random.below(count));
        }
        match random.below(40) {
            0 => text.extend([marks[2], 0x0A]),
            1..5 => text.push(marks[1]),
            5..7 => text.push(marks[2]),
            _ => {}
        }
        if marks[0] != 0 {
            text.push(marks[0]);
        }
    }
    text.truncate(n);
    text
}

/// Russian-like prose.
pub fn cyrillic(n: usize) -> Vec<u32> {
    prose(n, 0x430, 32, 2, 11, [0x20, 0x2C, 0x2E])
}

/// Chinese-like prose: no spaces, marks of its own.
pub fn cjk(n: usize) -> Vec<u32> {
    prose(n, 0x4E00, 0x3000, 4, 16, [0, 0xFF0C, 0x3002])
}

/// Emoji and nothing else.
pub fn emoji(n: usize) -> Vec<u32> {
    let mut random = Random::new();
    (0..n).map(|_| 0x1_F300 + random.below(0x300)).collect()
}

/// Strings of `least` to `most` letters, 4096 of them.
pub fn strings(least: u32, most: u32, first: u32, count: u32) -> Vec<Vec<u32>> {
    let mut random = Random::new();
    (0..4096)
        .map(|_| {
            let n = least + random.below(most - least + 1);
            (0..n).map(|_| first + random.below(count)).collect()
        })
        .collect()
}
