//! Numbers to text and back: nanoseconds a number, beside other crates.
//!
//! Every writer fills the same buffer with the numbers of a workload one
//! after the other, as a list is written. Every answer is checked before it
//! is timed. A figure is the least of many passes, which are taken in turn.
//!
//! `cargo run --release -p bench-number [name of a workload …]`

mod samples;
mod timing;

use std::fmt::Write as _;
use std::hint::black_box;

use linecaster_kernel::number::float_style::{EcmaScript, Python};
use linecaster_kernel::number::{
    Decimal, FLOAT_LEN, I64_LEN, digit_prefix, exact_f64, parse_digit_prefix, parse_eight_digits,
    write_f64, write_i64,
};
use timing::{Entry, race};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted));
    println!("ns a number; less is better\n");
    for (name, values) in samples::ints() {
        if wants(name) {
            integers(name, &values);
        }
    }
    for (name, values) in samples::floats() {
        if wants(name) {
            floats(name, &values);
            reading(name, &values);
        }
    }
}

/// Room for every writer's output; none writes more than this a number.
fn buffer(values: usize) -> Vec<u8> {
    vec![0; values * FLOAT_LEN.max(I64_LEN) + FLOAT_LEN]
}

fn integers(name: &str, values: &[i64]) {
    for &v in values {
        let mut text = [0; I64_LEN];
        // SAFETY: the array has the room.
        let len = unsafe { write_i64(text.as_mut_ptr(), v) };
        assert_eq!(&text[..len], v.to_string().as_bytes());
    }
    let (mut ours, mut itoas) = (buffer(values.len()), buffer(values.len()));
    let mut std_text = String::with_capacity(values.len() * 32);
    let mut entries = [
        Entry::new("linecaster", || {
            let mut dst = ours.as_mut_ptr();
            for &v in values {
                // SAFETY: `buffer` has the room for each.
                unsafe { dst = dst.add(write_i64(dst, v)) };
            }
            black_box(dst);
        }),
        Entry::new("itoa", || {
            let mut at = 0;
            let mut text = itoa::Buffer::new();
            for &v in values {
                at += append(&mut itoas, at, text.format(v));
            }
            black_box(at);
        }),
        Entry::new("core", || {
            std_text.clear();
            for v in values {
                write!(std_text, "{v}").expect("a string takes everything");
            }
            black_box(&std_text);
        }),
    ];
    race(&format!("write {name}"), values.len(), &mut entries);
}

fn floats(name: &str, values: &[f64]) {
    for &v in values {
        let mut text = [0; FLOAT_LEN];
        // SAFETY: the array has the room.
        let len = unsafe { write_f64::<EcmaScript>(text.as_mut_ptr(), v) };
        let text = std::str::from_utf8(&text[..len]).expect("ASCII");
        assert_eq!(text.parse(), Ok(v));
    }
    let (mut ours, mut zmijs) = (buffer(values.len()), buffer(values.len()));
    let mut std_text = String::with_capacity(values.len() * 32);
    let mut entries = [
        Entry::new("linecaster", || {
            let mut dst = ours.as_mut_ptr();
            for &v in values {
                // SAFETY: `buffer` has the room for each.
                unsafe { dst = dst.add(write_f64::<Python>(dst, v)) };
            }
            black_box(dst);
        }),
        Entry::new("zmij, not appended", || {
            let mut total = 0;
            let mut text = zmij::Buffer::new();
            for &v in values {
                total += text.format_finite(v).len();
            }
            black_box(total);
        }),
        Entry::new("zmij", || {
            let mut at = 0;
            let mut text = zmij::Buffer::new();
            for &v in values {
                at += append(&mut zmijs, at, text.format_finite(v));
            }
            black_box(at);
        }),
        Entry::new("core", || {
            std_text.clear();
            for v in values {
                write!(std_text, "{v:e}").expect("a string takes everything");
            }
            black_box(&std_text);
        }),
    ];
    race(&format!("write {name}"), values.len(), &mut entries);
}

/// Copies `text` to its place; what the peers, which give a `&str`, need to do
/// to append to an output.
#[inline]
fn append(output: &mut [u8], at: usize, text: &str) -> usize {
    output[at..at + text.len()].copy_from_slice(text.as_bytes());
    text.len()
}

fn reading(name: &str, values: &[f64]) {
    // One document, as a scanner finds its numbers: with text behind them.
    let mut document = String::new();
    let mut spans = Vec::new();
    for v in values {
        let start = document.len();
        write!(document, "{v}").expect("a string takes everything");
        if document.len() - start > 19 {
            document.truncate(start);
            write!(document, "{v:e}").expect("a string takes everything");
        }
        spans.push(start..document.len());
        document.push(',');
    }
    document.push_str("        ");
    for (span, v) in spans.iter().zip(values) {
        let read = read(&document[span.start..]);
        assert_eq!(read.to_bits(), v.to_bits(), "{}", &document[span.clone()]);
    }
    let decimals: Vec<Decimal> = spans
        .iter()
        .map(|span| scan(&document.as_bytes()[span.start..]))
        .collect();
    let mut entries = [
        Entry::new("linecaster, rounding only", || {
            let mut sum = 0.0;
            for decimal in &decimals {
                sum += decimal.to_f64().unwrap_or(0.0);
            }
            black_box(sum);
        }),
        Entry::new("with a scanner", || {
            let mut sum = 0.0;
            for span in &spans {
                sum += read(&document[span.start..]);
            }
            black_box(sum);
        }),
        Entry::new("fast-float2", || {
            let mut sum = 0.0;
            for span in &spans {
                sum += fast_float2::parse::<f64, _>(&document[span.clone()]).unwrap_or(0.0);
            }
            black_box(sum);
        }),
        Entry::new("core", || {
            let mut sum = 0.0;
            for span in &spans {
                sum += document[span.clone()].parse::<f64>().unwrap_or(0.0);
            }
            black_box(sum);
        }),
    ];
    race(&format!("read {name}"), values.len(), &mut entries);
}

#[inline]
fn read(text: &str) -> f64 {
    scan(text.as_bytes())
        .to_f64()
        .unwrap_or_else(|| exact_f64(text))
}

/// A scanner for the workloads: no more than 19 significant digits, and the
/// text is known to be a number.
#[inline]
fn scan(text: &[u8]) -> Decimal {
    let negative = text.first() == Some(&b'-');
    let mut at = usize::from(negative);
    let mut mantissa = 0;
    digits(text, &mut at, &mut mantissa);
    let mut exponent = 0;
    if text.get(at) == Some(&b'.') {
        at += 1;
        let start = at;
        digits(text, &mut at, &mut mantissa);
        exponent = start as i64 - at as i64;
    }
    if text.get(at) == Some(&b'e') {
        at += 1;
        let below = text[at] == b'-';
        at += usize::from(below);
        let mut power = 0;
        digits(text, &mut at, &mut power);
        exponent += if below { -(power as i64) } else { power as i64 };
    }
    Decimal {
        mantissa,
        exponent,
        negative,
        truncated: false,
    }
}

/// Takes a run of digits in.
#[inline]
fn digits(text: &[u8], at: &mut usize, value: &mut u64) {
    const POWERS: [u64; 9] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 0];
    while let Some(chunk) = text[*at..].first_chunk::<8>() {
        let chunk = u64::from_le_bytes(*chunk);
        let count = digit_prefix(chunk);
        if count == 8 {
            *value = *value * 100_000_000 + u64::from(parse_eight_digits(chunk));
            *at += 8;
            continue;
        }
        if count > 0 {
            let part = u64::from(parse_digit_prefix(chunk, count));
            *value = *value * POWERS[count as usize] + part;
            *at += count as usize;
        }
        return;
    }
    while let Some(digit @ b'0'..=b'9') = text.get(*at) {
        *value = *value * 10 + u64::from(digit - b'0');
        *at += 1;
    }
}
