//! Every code point, in the company of its neighbours and of ASCII.

use linecaster_kernel::testing::{Encoded, combinations};

use crate::runner::check;

/// Characters in a text.
const PIECE: usize = 4096;

fn check_all(with_ascii: bool) {
    let all = combinations();
    let points: Vec<u32> = (0..0x11_0000).collect();
    for piece in points.chunks(PIECE) {
        // Surrogates are errors in some outputs: those pieces go one by one,
        // so that each is met.
        let lone = piece[0] < 0xE000 && piece[PIECE - 1] >= 0xD800;
        let step = if lone { 1 } else { PIECE };
        for part in piece.chunks(step) {
            let mut characters = Vec::new();
            for (k, &c) in part.iter().enumerate() {
                characters.push(c);
                if with_ascii && k % 3 != 1 {
                    characters.push(u32::from(b'a'));
                }
            }
            check_encodings(&all, &characters);
        }
    }
}

fn check_encodings(all: &[linecaster_kernel::testing::Combination], characters: &[u32]) {
    for combination in all {
        if let Some(text) = Encoded::new(characters, combination.text) {
            check(combination, &text.units());
        }
    }
}

#[test]
fn beside_their_neighbours() {
    check_all(false);
}

#[test]
fn beside_ascii() {
    check_all(true);
}

/// The first piece holds both ASCII and more, so that the narrow texts skip
/// it: here they get their own.
#[test]
fn narrow_texts() {
    let all = combinations();
    for limit in [0x80, 0x100] {
        for start in 0..limit {
            let characters: Vec<u32> = (start..limit).chain(0..start).collect();
            check_encodings(&all, &characters);
            check_encodings(&all, &[start]);
        }
    }
}
