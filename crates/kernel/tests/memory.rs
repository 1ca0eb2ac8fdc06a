//! A short tour through the unsafe code, small enough for Miri:
//! `cargo +nightly miri test -p linecaster-kernel --test memory --test sinks`.

use std::mem::MaybeUninit;

use linecaster_kernel::dispatch;
use linecaster_kernel::escape::escape_between;
use linecaster_kernel::output::{self, Output};
use linecaster_kernel::policy::{Json, JsonAscii, Policy, Word};
use linecaster_kernel::sink::{FixedSink, VecSink};
use linecaster_kernel::testing::oracle;
use linecaster_kernel::text::{self, Text, Unit};

const QUOTE: Word = Word::new(b"\"");

/// Texts of a few lengths around those at which the kernel changes its way.
fn tour<T: Text, P: Policy, O: Output>(characters: &[u32]) {
    for n in [0, 1, 3, 4, 7, 8, 15, 16, 31, 32, 33, 70, 130] {
        let characters = characters.iter().copied().cycle().take(n);
        let text: Vec<T::Unit> = characters.map(T::Unit::truncate).collect();
        let expected = oracle::<T, P, O>(QUOTE, &text, QUOTE).expect("no surrogates");
        let mut out = Vec::new();
        let mut sink = VecSink::new(&mut out);
        escape_between::<T, P, O>(sink.sink(), QUOTE, &text, QUOTE).expect("no surrogates");
        assert_eq!(sink.finish(), Ok(()));
        assert_eq!(out, expected);

        let mut exact = vec![MaybeUninit::uninit(); expected.len()];
        let mut sink = FixedSink::new(&mut exact);
        escape_between::<T, P, O>(sink.sink(), QUOTE, &text, QUOTE).expect("no surrogates");
        assert_eq!(sink.finish(), Ok(&expected[..]));
    }
}

#[test]
fn every_implementation() {
    for one in dispatch::available() {
        dispatch::force(one.name()).expect("it is available");
        tour::<text::Ascii, Json, output::Utf8>(&[0x61]);
        tour::<text::Ascii, Json, output::Units2>(&[0x61, 0x62, 0x22, 0x63]);
        tour::<text::Latin1, Json, output::Utf8>(&[0x61, 0xE9, 0x0A, 0xFF, 0x01]);
        tour::<text::Latin1, JsonAscii, output::Units1>(&[0xE9, 0x61]);
        tour::<text::Ucs2, Json, output::Utf8>(&[0x436, 0x61, 0x4E2D, 0x22]);
        tour::<text::Ucs2, Json, output::Units4>(&[0x436, 0x61, 0x4E2D]);
        tour::<text::Ucs4, Json, output::Utf8>(&[0x1_F600, 0x61, 0x4E2D]);
        tour::<text::Ucs4, JsonAscii, output::Units1>(&[0x1_F600, 0x61, 0x4E2D]);
    }
}
