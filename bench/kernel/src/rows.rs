//! The rows.

use std::hint::black_box;

use linecaster_kernel::dispatch;
use linecaster_kernel::escape::escape_between;
use linecaster_kernel::output::{self, Output};
use linecaster_kernel::policy::{Json, JsonAscii, Policy, Word};
use linecaster_kernel::sink::VecSink;
use linecaster_kernel::testing::oracle;
use linecaster_kernel::text::{self, Text, Unit};

use crate::timing;
use crate::workload as w;

const QUOTE: Word = Word::new(b"\"");
const QUOTE_COMMA: Word = Word::new(b"\",");
const KB4: usize = 4 << 10;
const MB: usize = 1 << 20;
/// What is escaped by a letter.
const ESCAPED: [u32; 4] = [0x22, 0x5C, 0x0A, 0x09];

/// What a goal counts.
#[derive(Clone, Copy, PartialEq)]
pub enum Goal {
    None,
    /// The share of `memcpy`'s speed.
    OfMemcpy(f64),
    /// GB/s of input.
    Input(f64),
    /// GB/s of output.
    Output(f64),
}

/// One row under one implementation.
pub struct Measured {
    pub row: &'static str,
    pub implementation: &'static str,
    pub goal: Goal,
    pub strings: usize,
    pub input: usize,
    pub output: usize,
    pub seconds: f64,
    pub memcpy: f64,
}

struct Bench<'a> {
    only: &'a str,
    results: Vec<Measured>,
}

impl Bench<'_> {
    fn row<T: Text, P: Policy, O: Output>(
        &mut self,
        row: &'static str,
        goal: Goal,
        text: Vec<u32>,
    ) {
        self.rows::<T, P, O>(row, goal, vec![text]);
    }

    /// Writes `strings` one after the other into one warm vector.
    fn rows<T: Text, P: Policy, O: Output>(
        &mut self,
        row: &'static str,
        goal: Goal,
        strings: Vec<Vec<u32>>,
    ) {
        if !row.contains(self.only) {
            return;
        }
        let encode = |string: Vec<u32>| string.into_iter().map(T::Unit::truncate).collect();
        let strings: Vec<Vec<T::Unit>> = strings.into_iter().map(encode).collect();
        let expected: Vec<u8> = strings
            .iter()
            .flat_map(|text| oracle::<T, P, O>(QUOTE, text, QUOTE_COMMA).expect("no surrogates"))
            .collect();
        let input = strings.iter().map(Vec::len).sum::<usize>() * T::Unit::WIDTH;
        for one in dispatch::available() {
            dispatch::force(one.name()).expect("it is available");
            let mut out = Vec::with_capacity(expected.len() + 1024);
            write::<T, P, O>(&strings, &mut out);
            assert!(out == expected, "{row}: wrong output under {}", one.name());
            let mut to = vec![0; expected.len()];
            let (seconds, memcpy) = timing::compare(
                || {
                    out.clear();
                    write::<T, P, O>(black_box(&strings), &mut out);
                    black_box(&out);
                },
                || timing::copy(&expected, &mut to),
            );
            self.results.push(Measured {
                row,
                implementation: one.name(),
                goal,
                strings: strings.len(),
                input,
                output: expected.len(),
                seconds,
                memcpy,
            });
        }
    }
}

#[inline(never)]
fn write<T: Text, P: Policy, O: Output>(strings: &[Vec<T::Unit>], out: &mut Vec<u8>) {
    let mut sink = VecSink::new(out);
    for text in strings {
        let _ = escape_between::<T, P, O>(sink.sink(), QUOTE, text, QUOTE_COMMA);
    }
    sink.finish().expect("memory");
}

/// Every row whose name contains `only`.
pub fn run(only: &str) -> Vec<Measured> {
    let mut bench = Bench {
        only,
        results: Vec::new(),
    };
    goals_of_ascii(&mut bench);
    goals_of_transcoding(&mut bench);
    goals_of_short_strings(&mut bench);
    goals_of_ascii_only(&mut bench);
    wide_outputs(&mut bench);
    bench.results
}

fn goals_of_ascii(bench: &mut Bench<'_>) {
    use output::Utf8 as O;
    use text::Ascii as T;
    let clean = |n| w::strewn(n, 1 << 30, &[0x61]);
    bench.row::<T, Json, O>("ASCII clean, 4 KiB", Goal::OfMemcpy(0.4), clean(KB4));
    bench.row::<T, Json, O>("ASCII clean, 1 MiB", Goal::OfMemcpy(0.85), clean(MB));
    let escapes = |step| w::strewn(MB, step, &ESCAPED);
    bench.row::<T, Json, O>("ASCII, escape every 100th, 1 MiB", Goal::None, escapes(100));
    bench.row::<T, Json, O>(
        "ASCII, escape every 10th, 1 MiB",
        Goal::Input(5.0),
        escapes(10),
    );
    bench.row::<T, Json, O>(
        "ASCII, escape every 2nd, 1 MiB",
        Goal::Input(5.0),
        escapes(2),
    );
    let long = w::strewn(MB, 10, &[0x01, 0x1F, 0x1B]);
    bench.row::<T, Json, O>("ASCII, \\u00xx every 10th, 1 MiB", Goal::None, long);
    bench.row::<text::Utf8, Json, O>("UTF-8 text clean, 1 MiB", Goal::None, clean(MB));
}

fn goals_of_transcoding(bench: &mut Bench<'_>) {
    use output::Utf8 as O;
    let goal = Goal::Output(4.0);
    let latin1 = |percent| w::latin1(MB, percent);
    bench.row::<text::Latin1, Json, O>("Latin-1 to UTF-8, 1 %", goal, latin1(1));
    bench.row::<text::Latin1, Json, O>("Latin-1 to UTF-8, 10 %", goal, latin1(10));
    bench.row::<text::Latin1, Json, O>("Latin-1 to UTF-8, 50 %", goal, latin1(50));
    bench.row::<text::Latin1, Json, O>("Latin-1 to UTF-8, 100 %", goal, latin1(100));
    bench.row::<text::Ucs2, Json, O>("Cyrillic UCS-2 to UTF-8, 1 Mi", goal, w::cyrillic(MB));
    bench.row::<text::Ucs2, Json, O>("CJK UCS-2 to UTF-8, 1 Mi", goal, w::cjk(MB));
    bench.row::<text::Ucs2, Json, O>("Cyrillic UCS-2 to UTF-8, 4 Ki", goal, w::cyrillic(KB4));
    bench.row::<text::Ucs2, Json, O>("CJK UCS-2 to UTF-8, 4 Ki", goal, w::cjk(KB4));
    let ascii = w::strewn(MB, 1 << 30, &[0x61]);
    bench.row::<text::Ucs2, Json, O>("ASCII in UCS-2 to UTF-8, 1 Mi", Goal::None, ascii);
    bench.row::<text::Ucs4, Json, O>("CJK UCS-4 to UTF-8, 1 Mi", Goal::None, w::cjk(MB));
    bench.row::<text::Ucs4, Json, O>("emoji UCS-4 to UTF-8, 256 Ki", Goal::None, w::emoji(MB / 4));
}

fn goals_of_short_strings(bench: &mut Bench<'_>) {
    use output::Utf8 as O;
    let letters = |least, most| w::strings(least, most, 0x61, 26);
    let (short, longer) = (Goal::Output(1.2), Goal::Output(4.0));
    bench.rows::<text::Ascii, Json, O>("4-12 bytes with quotes", short, letters(4, 12));
    bench.rows::<text::Ascii, Json, O>("16-80 bytes with quotes", longer, letters(16, 80));
    let equal = letters(10, 10);
    bench.rows::<text::Ascii, Json, O>("10 bytes with quotes", Goal::None, equal);
    let cjk = w::strings(20, 20, 0x4E00, 0x3000);
    bench.rows::<text::Ucs2, Json, O>("20 CJK characters to UTF-8", Goal::None, cjk.clone());
    bench.rows::<text::Ucs2, Json, output::Units2>("20 CJK characters to UCS-2", Goal::None, cjk);
    let latin1 = w::strings(30, 30, 0xC0, 0x40);
    bench.rows::<text::Latin1, Json, O>("30 Latin-1 characters to UTF-8", Goal::None, latin1);
    let mixed = w::strings(16, 80, 0x20, 0x5F);
    bench.rows::<text::Ascii, Json, O>("16-80 printable ASCII", Goal::None, mixed);
}

fn goals_of_ascii_only(bench: &mut Bench<'_>) {
    use output::Units1 as O;
    let goal = Goal::Output(3.0);
    let latin1 = |percent| w::latin1(MB, percent);
    bench.row::<text::Latin1, JsonAscii, O>("\\u Latin-1, 10 %", goal, latin1(10));
    bench.row::<text::Latin1, JsonAscii, O>("\\u Latin-1, 100 %", goal, latin1(100));
    bench.row::<text::Ucs2, JsonAscii, O>("\\u CJK", goal, w::cjk(MB));
    bench.row::<text::Ucs2, JsonAscii, O>("\\u Cyrillic", Goal::None, w::cyrillic(MB));
    bench.row::<text::Ucs4, JsonAscii, O>("\\u emoji", goal, w::emoji(MB / 4));
    let text = w::cjk(MB / 4);
    let utf8: String = text.into_iter().filter_map(char::from_u32).collect();
    let utf8 = utf8.into_bytes().into_iter().map(u32::from).collect();
    bench.row::<text::Utf8, JsonAscii, O>("\\u CJK from UTF-8", Goal::None, utf8);
}

fn wide_outputs(bench: &mut Bench<'_>) {
    let clean = |n| w::strewn(n, 1 << 30, &[0x61]);
    let dense = || w::strewn(MB, 10, &ESCAPED);
    bench.row::<text::Latin1, Json, output::Units1>(
        "Latin-1 to 1-byte units",
        Goal::None,
        w::latin1(MB, 10),
    );
    bench.row::<text::Ascii, Json, output::Units2>("ASCII to 2-byte units", Goal::None, clean(MB));
    bench.row::<text::Ascii, Json, output::Units2>(
        "ASCII, escape every 10th, to 2-byte units",
        Goal::None,
        dense(),
    );
    bench.row::<text::Ucs2, Json, output::Units2>("CJK to 2-byte units", Goal::None, w::cjk(MB));
    bench.row::<text::Ascii, Json, output::Units4>("ASCII to 4-byte units", Goal::None, clean(MB));
    bench.row::<text::Ucs2, Json, output::Units4>(
        "CJK UCS-2 to 4-byte units",
        Goal::None,
        w::cjk(MB),
    );
    bench.row::<text::Ucs4, Json, output::Units4>(
        "emoji to 4-byte units",
        Goal::None,
        w::emoji(MB / 4),
    );
}
