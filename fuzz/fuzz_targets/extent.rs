//! Any bytes as a value in pieces: wherever the pieces are cut, the end that is
//! found must be the one at which the parser finds it.
//!
//! The first byte chooses the cuts, the rest is the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linecaster_decode::{Extent, Options, Scratch, Surrogates, parse_value};
use linecaster_kernel::text::Utf8;

#[path = "../../crates/decode/tests/oracle/mod.rs"]
#[expect(dead_code, reason = "the other targets use the rest of it")]
mod oracle;

/// The end that is found in pieces of these sizes, in turn.
fn extent(text: &[u8], sizes: &[usize]) -> Option<usize> {
    let mut extent = Extent::new(text[0]);
    let mut begin = 0;
    for size in sizes.iter().cycle() {
        let end = text.len().min(begin + size);
        if let Some(length) = extent.advance(&text[begin..end]) {
            return Some(begin + length);
        }
        begin = end;
        if begin == text.len() {
            break;
        }
    }
    extent.may_end().then_some(begin)
}

/// The end of the value that the text begins with, if it does.
fn parsed(text: &[u8]) -> Option<usize> {
    let options = Options {
        max_depth: usize::MAX,
        raw_control: true,
        surrogates: Surrogates::KeepRaw,
        ..Options::default()
    };
    let mut events = oracle::Recorder::default();
    parse_value::<Utf8, _>(text, 0, &options, &mut Scratch::default(), &mut events).ok()
}

fuzz_target!(|bytes: &[u8]| {
    let [cut, text @ ..] = bytes else { return };
    if text.is_empty() {
        return;
    }
    let cut = usize::from(*cut);
    let whole = extent(text, &[text.len()]);
    for sizes in [
        &[1][..],
        &[7],
        &[64],
        &[cut + 1],
        &[cut % 67 + 1, 64, 3],
        &[cut % 5 + 1, cut + 60],
    ] {
        assert_eq!(extent(text, sizes), whole);
    }
    let Some(end) = parsed(text) else { return };
    if matches!(text[0], b'[' | b'{' | b'"') {
        assert_eq!(whole, Some(end));
    } else if text.get(end).is_none_or(|byte| b" \t\n\r,:\"[]{}".contains(byte)) {
        // Behind anything else the text is no document.
        assert_eq!(whole, Some(end));
    }
});
