//! Takes one text through every path and sink and compares with the oracle.

use std::mem::MaybeUninit;
use std::sync::Once;

use linecaster_kernel::dispatch::Implementation;
use linecaster_kernel::escape::LoneSurrogate;
use linecaster_kernel::policy::Word;
use linecaster_kernel::sink::{ChunkedSink, FixedSink, Sink, VecSink};
use linecaster_kernel::testing::{Combination, Path, Units};

pub const LEAD: Word = Word::new(b", \"");
pub const TRAIL: Word = Word::new(b"\": ");

/// Prints, once, what this machine cannot test.
pub fn report_skipped() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for one in Implementation::ALL {
            if !one.is_available() {
                eprintln!("SKIPPED: this machine lacks {}", one.name());
            }
        }
    });
}

/// Compares every path on a roomy sink.
pub fn check(combination: &Combination, text: &Units<'_>) {
    report_skipped();
    let expected = (combination.oracle)(LEAD, text, TRAIL);
    for path in Path::available() {
        compare(combination, path, text, &expected);
    }
}

fn compare(
    combination: &Combination,
    path: Path,
    text: &Units<'_>,
    expected: &Result<Vec<u8>, LoneSurrogate>,
) {
    let got = output(combination, path, LEAD, text, TRAIL);
    assert_same(combination, path, text, &got, expected);
}

/// What a path writes to a roomy sink.
pub fn output(
    combination: &Combination,
    path: Path,
    lead: Word,
    text: &Units<'_>,
    trail: Word,
) -> Result<Vec<u8>, LoneSurrogate> {
    let mut out = Vec::with_capacity(64);
    let mut sink = VecSink::new(&mut out);
    let result = (combination.run)(path, sink.sink(), lead, text, trail);
    sink.finish().expect("memory");
    result.map(|()| out)
}

fn assert_same(
    combination: &Combination,
    path: Path,
    text: &Units<'_>,
    got: &Result<Vec<u8>, LoneSurrogate>,
    expected: &Result<Vec<u8>, LoneSurrogate>,
) {
    assert!(
        got == expected,
        "{path:?} {} {:?} {}\ntext {text:x?}\ngot      {:?}\nexpected {:?}",
        combination.policy,
        combination.text,
        combination.output,
        got.as_ref().map(|bytes| String::from_utf8_lossy(bytes)),
        expected
            .as_ref()
            .map(|bytes| String::from_utf8_lossy(bytes)),
    );
}

/// Compares every path on sinks that flush, of several chunk sizes, and on
/// fixed ones of every size around the output's.
pub fn check_sinks(combination: &Combination, text: &Units<'_>) {
    let expected = (combination.oracle)(LEAD, text, TRAIL);
    for path in Path::available() {
        for size in [64, 65, 100, 128, 200, 256, 511, 512] {
            let got = chunked(combination, path, text, size);
            assert_same(combination, path, text, &got, &expected);
        }
        let Ok(expected) = &expected else { continue };
        let n = expected.len();
        for size in [0, 1, n / 2, n.saturating_sub(40), n - 1, n, n + 1, n + 30] {
            fixed(combination, path, text, size, expected);
        }
    }
}

fn chunked(
    combination: &Combination,
    path: Path,
    text: &Units<'_>,
    size: usize,
) -> Result<Vec<u8>, LoneSurrogate> {
    let mut out = Vec::new();
    let mut write = |chunk: &[u8]| {
        assert!(chunk.len() <= size);
        out.extend_from_slice(chunk);
        true
    };
    let mut chunk = vec![MaybeUninit::uninit(); size];
    let body = |sink: &mut Sink| (combination.run)(path, sink, LEAD, text, TRAIL);
    let result = ChunkedSink::new(&mut chunk, &mut write).with(body);
    result
        .expect("a writer that takes everything")
        .map(|()| out)
}

/// A fixed sink fails if and only if the output does not fit, and what it
/// holds is the output's beginning.
fn fixed(combination: &Combination, path: Path, text: &Units<'_>, size: usize, expected: &[u8]) {
    let mut buffer = vec![MaybeUninit::new(0xA5); size];
    let mut sink = FixedSink::new(&mut buffer);
    let result = (combination.run)(path, sink.sink(), LEAD, text, TRAIL);
    assert_eq!(result, Ok(()));
    let written = sink.sink().len();
    match sink.finish() {
        Ok(bytes) => assert_eq!(bytes, expected),
        Err(_) => assert!(size < expected.len()),
    }
    // SAFETY: the buffer was initialised as a whole.
    let bytes = buffer.iter().map(|byte| unsafe { byte.assume_init() });
    let start: Vec<u8> = bytes.take(written).collect();
    assert!(expected.starts_with(&start));
}
