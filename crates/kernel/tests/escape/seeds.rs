//! A candidate at every position of a text of every length.

use linecaster_kernel::testing::{Encoded, combinations};
use linecaster_kernel::text::Encoding;

use crate::runner::{check, check_sinks};

/// One character for each way through the kernel.
const CANDIDATES: [u32; 18] = [
    0x00, 0x1F, 0x0A, 0x22, 0x5C, 0x2F, 0x3C, 0x26, 0x7F, 0x80, 0xE9, 0xFF, 0x100, 0x7FF, 0x4E2D,
    0xD800, 0xFFFD, 0x1_F600,
];

fn for_each_text(mut body: impl FnMut(&[u32])) {
    for length in 0..=130 {
        // Clean ASCII, and text that is all in one of the wider ranges.
        for base in [u32::from(b'a'), 0xE9, 0x436, 0x4E2D, 0x1_F600] {
            body(&vec![base; length]);
        }
    }
    for &candidate in &CANDIDATES {
        for length in [
            1, 2, 3, 5, 8, 15, 16, 17, 24, 31, 32, 33, 47, 64, 67, 100, 130,
        ] {
            for at in 0..length {
                let mut text = vec![u32::from(b'a'); length];
                text[at] = candidate;
                body(&text);
            }
            // The rest of the text may be of another range, and candidates
            // may come at any density.
            for base in [0xE9, 0x436, 0x4E2D] {
                for step in [1, 2, 3, 7, 10] {
                    let mut text = vec![base; length];
                    text.iter_mut().step_by(step).for_each(|c| *c = candidate);
                    body(&text);
                }
            }
        }
    }
}

#[test]
fn every_position() {
    let all = combinations();
    for_each_text(|characters| {
        for encoding in ENCODINGS {
            let Some(text) = Encoded::new(characters, encoding) else {
                continue;
            };
            for combination in all.iter().filter(|one| one.text == encoding) {
                check(combination, &text.units());
            }
        }
    });
}

const ENCODINGS: [Encoding; 5] = [
    Encoding::Ascii,
    Encoding::Latin1,
    Encoding::Utf8,
    Encoding::Ucs2,
    Encoding::Ucs4,
];

#[test]
fn every_sink() {
    let all = combinations();
    let mixed: Vec<u32> = (0..1000)
        .map(|k| CANDIDATES[k % 9] + u32::from(k % 7 == 3))
        .collect();
    let ranges = [
        vec![0x61],
        vec![0x61, 0x22],
        vec![0xE9, 0x20],
        vec![0x4E2D, 0x0A],
        vec![0x1_F600],
        mixed,
    ];
    for range in ranges {
        for length in [0, 3, 20, 33, 100, 400] {
            let characters: Vec<u32> = range.iter().copied().cycle().take(length).collect();
            for combination in &all {
                if let Some(text) = Encoded::new(&characters, combination.text) {
                    check_sinks(combination, &text.units());
                }
            }
        }
    }
}

#[test]
fn lone_surrogate_has_its_index() {
    let combinations = combinations();
    for length in 1..=80_u32 {
        for at in 0..length {
            let text: Vec<u32> = (0..length)
                .map(|k| if k == at { 0xDC80 } else { 0x4E00 + k })
                .collect();
            for encoding in [Encoding::Ucs2, Encoding::Ucs4] {
                let text = Encoded::new(&text, encoding).expect("fits");
                for combination in combinations
                    .iter()
                    .filter(|one| one.text == encoding && one.utf8)
                {
                    check(combination, &text.units());
                }
            }
        }
    }
}
