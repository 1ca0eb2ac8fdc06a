//! Every implementation, policy, text and output against the scalar oracle;
//! and ill-formed text, of which nothing is asked but that memory stays whole.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use linecaster_kernel::policy::Word;
use linecaster_kernel::sink::VecSink;
use linecaster_kernel::testing::{Combination, Encoded, Path, Units, combinations};
use linecaster_kernel::text::Encoding;

const QUOTE: Word = Word::new(b"\"");

/// An input is for one part of the combinations, so that a run is short.
const PARTS: usize = 8;

/// The limits of what the kernel tells apart.
const LIMITS: [u32; 16] = [
    0x7F, 0x80, 0xBF, 0xC0, 0xFF, 0x100, 0x7FF, 0x800, 0x2028, 0xD7FF, 0xD800, 0xDFFF, 0xE000,
    0xFFFF, 0x1_0000, 0x10_FFFF,
];

/// A byte as a character of one of six kinds of text.
fn character(kind: u8, byte: u8) -> u32 {
    let number = u32::from(byte);
    match (kind % 6, byte) {
        (0, _) => number,
        (_, ..0x40) => number,
        (1, _) => 0x400 + number,
        (2, _) => 0x4E00 + 61 * number,
        (3, _) => 0x1_F300 + number,
        (4, _) => LIMITS[usize::from(byte % 16)],
        _ => number * 0x1000 + 0xFF,
    }
}

fn output(path: Path, combination: &Combination, text: &Units<'_>) -> Result<Vec<u8>, usize> {
    let mut out = Vec::new();
    let mut sink = VecSink::new(&mut out);
    let result = (combination.run)(path, sink.sink(), QUOTE, text, QUOTE);
    sink.finish().expect("memory");
    result.map(|()| out).map_err(|lone| lone.index)
}

fuzz_target!(|data: &[u8]| {
    static ALL: OnceLock<Vec<Combination>> = OnceLock::new();
    let all = ALL.get_or_init(combinations);
    let [kind, part, bytes @ ..] = data else {
        return;
    };
    let part = usize::from(*part) % PARTS;
    let characters: Vec<u32> = bytes.iter().map(|&byte| character(*kind, byte)).collect();
    let ill_formed: Vec<u32> = characters
        .iter()
        .map(|c| c.wrapping_mul(0x9E37_79B1))
        .collect();
    for combination in all.iter().skip(part).step_by(PARTS) {
        let text = Encoded::new(&characters, combination.text);
        for path in Path::available() {
            match combination.text {
                Encoding::Utf8 => drop(output(path, combination, &Units::One(bytes))),
                Encoding::Ucs4 => drop(output(path, combination, &Units::Four(&ill_formed))),
                _ => {}
            }
            if let Some(text) = &text {
                let expected = (combination.oracle)(QUOTE, &text.units(), QUOTE);
                let got = output(path, combination, &text.units());
                assert_eq!(
                    got,
                    expected.map_err(|lone| lone.index),
                    "{path:?} {combination:?}"
                );
            }
        }
    }
});
