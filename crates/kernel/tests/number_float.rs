//! Floats to text, held against the standard library's shortest digits.
#![allow(
    clippy::unreadable_literal,
    reason = "spelled as the programs print them"
)]

use linecaster_kernel::number::float_style::{EcmaScript, Orjson, OrjsonSingle, Python, Ujson};
use linecaster_kernel::number::{
    FLOAT_LEN, FloatClass, FloatDigits, FloatSpelling, FloatStyle, classify, write_f32, write_f64,
};

mod number_samples;
use number_samples::{Random, vectors};

/// The text of `v`, with a check that the writer keeps to its room.
fn text<S: FloatSpelling>(v: f64) -> String {
    guarded(|dst| {
        // SAFETY: `guarded` gives FLOAT_LEN bytes.
        unsafe { write_f64::<S>(dst, v) }
    })
}

fn text_f32<S: FloatSpelling>(v: f32) -> String {
    guarded(|dst| {
        // SAFETY: `guarded` gives FLOAT_LEN bytes.
        unsafe { write_f32::<S>(dst, v) }
    })
}

fn guarded(write: impl FnOnce(*mut u8) -> usize) -> String {
    let mut buffer = [0xaa_u8; FLOAT_LEN + 16];
    let len = write(buffer[8..].as_mut_ptr());
    assert_eq!(buffer[..8], [0xaa; 8], "wrote before its room");
    assert_eq!(buffer[8 + FLOAT_LEN..], [0xaa; 8], "wrote behind its room");
    String::from_utf8(buffer[8..8 + len].to_vec()).unwrap()
}

/// The oracle's layout: digits and exponent from `{:e}`, spelled the slow way.
fn oracle(scientific: &str, style: FloatStyle) -> String {
    let (sign, rest) = match scientific.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", scientific),
    };
    let (mantissa, exponent) = rest.split_once('e').unwrap();
    let digits = mantissa.replace('.', "");
    let exponent: i32 = exponent.parse().unwrap();
    if digits == "0" {
        let sign = if style.negative_zero { sign } else { "" };
        let zero = if style.fixed_point_zero { "0.0" } else { "0" };
        return format!("{sign}{zero}");
    }
    let body = if exponent < style.fixed_min || exponent >= style.fixed_end {
        let (first, others) = digits.split_at(1);
        let fraction = match others {
            "" if style.exponent_point_zero => ".0".to_owned(),
            "" => String::new(),
            others => format!(".{others}"),
        };
        let letter = style.exponent_letter as char;
        let sign = match exponent {
            ..0 => "-",
            _ if style.exponent_plus => "+",
            _ => "",
        };
        let width = style.exponent_digits;
        format!("{first}{fraction}{letter}{sign}{:0width$}", exponent.abs())
    } else if exponent < 0 {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        format!("0.{zeros}{digits}")
    } else {
        let whole = exponent as usize + 1;
        if digits.len() <= whole {
            let zeros = "0".repeat(whole - digits.len());
            let end = if style.fixed_point_zero { ".0" } else { "" };
            format!("{digits}{zeros}{end}")
        } else {
            format!("{}.{}", &digits[..whole], &digits[whole..])
        }
    };
    format!("{sign}{body}")
}

/// A style unlike the others in everything that it can be.
struct Odd;

impl FloatSpelling for Odd {
    const STYLE: FloatStyle = FloatStyle {
        fixed_min: 0,
        fixed_end: 1,
        fixed_point_zero: true,
        exponent_point_zero: true,
        exponent_letter: b'E',
        exponent_plus: false,
        exponent_digits: 2,
        negative_zero: false,
    };
}

/// The shortest digits as `-1.234e56`.
fn shortest(v: f64) -> String {
    even_on_tie(format!("{v:e}"), v, |text| text.parse() == Ok(v))
}

fn shortest_f32(v: f32) -> String {
    even_on_tie(format!("{v:e}"), f64::from(v), |text| text.parse() == Ok(v))
}

/// The standard library's digits, except where a float lies exactly between
/// the two nearest candidates. There it rounds away from zero; Python and
/// ECMAScript's writers take the even digit.
fn even_on_tie(scientific: String, v: f64, reads_back: impl FnOnce(&str) -> bool) -> String {
    // Ties have at most 18 digits, so they are near one in size.
    if !(1e-20..1e20).contains(&v.abs()) {
        return scientific;
    }
    let exact = format!("{v:.60e}");
    let (exact, _) = exact.split_once('e').unwrap();
    let (mantissa, power) = scientific.split_once('e').unwrap();
    match exact.trim_end_matches('0').strip_suffix('5') {
        Some(below)
            if below.len() == mantissa.len() && below.ends_with(['0', '2', '4', '6', '8']) =>
        {
            let even = format!("{below}e{power}");
            if reads_back(&even) { even } else { scientific }
        }
        _ => scientific,
    }
}

fn check(v: f64) {
    let scientific = shortest(v);
    assert_eq!(
        text::<Python>(v),
        oracle(&scientific, Python::STYLE),
        "{v:e} {:#x}",
        v.to_bits()
    );
    assert_eq!(
        text::<EcmaScript>(v),
        oracle(&scientific, EcmaScript::STYLE),
        "{v:e}"
    );
    assert_eq!(text::<Ujson>(v), oracle(&scientific, Ujson::STYLE), "{v:e}");
    assert_eq!(
        text::<Orjson>(v),
        oracle(&scientific, Orjson::STYLE),
        "{v:e}"
    );
    assert_eq!(text::<Odd>(v), oracle(&scientific, Odd::STYLE), "{v:e}");
}

fn check_f32(v: f32) {
    let scientific = shortest_f32(v);
    assert_eq!(
        text_f32::<Python>(v),
        oracle(&scientific, Python::STYLE),
        "{v:e}"
    );
    assert_eq!(
        text_f32::<EcmaScript>(v),
        oracle(&scientific, EcmaScript::STYLE),
        "{v:e}"
    );
}

/// What the named programs print, copied from them.
#[test]
fn known_spellings() {
    let rows: &[(f64, &str, &str, &str, &str)] = &[
        // value, Python 3.11, ECMAScript's rules, ujson 6.1.0, orjson 3.13.0
        (0.0, "0.0", "0", "0.0", "0.0"),
        (-0.0, "-0.0", "0", "-0.0", "-0.0"),
        (1.0, "1.0", "1", "1.0", "1.0"),
        (-1.5, "-1.5", "-1.5", "-1.5", "-1.5"),
        (0.0001, "0.0001", "0.0001", "0.0001", "0.0001"),
        (0.00001, "1e-05", "0.00001", "1e-5", "0.00001"),
        (1.5e-5, "1.5e-05", "0.000015", "1.5e-5", "0.000015"),
        (1e-6, "1e-06", "0.000001", "1e-6", "1e-6"),
        (1e-7, "1e-07", "1e-7", "1e-7", "1e-7"),
        (
            1e15,
            "1000000000000000.0",
            "1000000000000000",
            "1000000000000000.0",
            "1000000000000000.0",
        ),
        (
            9999999999999998.0,
            "9999999999999998.0",
            "9999999999999998",
            "9999999999999998.0",
            "9999999999999998.0",
        ),
        (1e16, "1e+16", "10000000000000000", "1e+16", "1e+16"),
        (1e20, "1e+20", "100000000000000000000", "1e+20", "1e+20"),
        (1e21, "1e+21", "1e+21", "1e+21", "1e+21"),
        (
            1.2345678901234568e17,
            "1.2345678901234568e+17",
            "123456789012345680",
            "1.2345678901234568e+17",
            "1.2345678901234568e+17",
        ),
        (5e-324, "5e-324", "5e-324", "5e-324", "5e-324"),
    ];
    for &(v, python, ecmascript, ujson, orjson) in rows {
        assert_eq!(text::<Python>(v), python);
        assert_eq!(text::<EcmaScript>(v), ecmascript);
        assert_eq!(text::<Ujson>(v), ujson);
        assert_eq!(text::<Orjson>(v), orjson);
    }
}

#[test]
fn single_precision_as_orjson_spells_it() {
    // Values and texts of orjson 3.13.0 for numpy.float32.
    let rows = [
        (1e-7, "1e-7"),
        (1e-6, "0.000001"),
        (1.234567e-6, "0.000001234567"),
        (0.1, "0.1"),
        (-0.0, "-0.0"),
        (123_456_789.0, "123456790.0"),
        (1e12, "1000000000000.0"),
        (1e13, "1e+13"),
        (3.4e38, "3.4e+38"),
        (1e-45, "1e-45"),
    ];
    for (value, text) in rows {
        let mut buffer = [0; FLOAT_LEN];
        // SAFETY: the buffer is as long as is asked for.
        let len = unsafe { write_f32::<OrjsonSingle>(buffer.as_mut_ptr(), value) };
        assert_eq!(core::str::from_utf8(&buffer[..len]), Ok(text));
    }
}

#[test]
fn every_power_of_two_and_its_neighbours() {
    for exponent in 0..0x7ff_u64 {
        for fraction in [0, 1, 2, 3, (1 << 52) - 2, (1 << 52) - 1, 1 << 51] {
            check(f64::from_bits(exponent << 52 | fraction));
        }
    }
    for bit in 0..52 {
        check(f64::from_bits(1 << bit));
        check(f64::from_bits((1 << bit) + 1));
    }
}

#[test]
fn powers_of_ten_and_their_neighbours() {
    for power in -330..=308 {
        let v: f64 = format!("1e{power}").parse().unwrap();
        for step in -3..=3 {
            check(f64::from_bits(v.to_bits().saturating_add_signed(step)));
        }
    }
}

#[test]
fn short_decimals() {
    for cents in 0..100_000_u32 {
        check(f64::from(cents) / 100.0);
    }
    for digits in [1_u64, 12, 123, 1234, 9, 99, 999_999, 123_456_789_012_345] {
        for power in -30..=30 {
            check(format!("{digits}e{power}").parse().unwrap());
            check(format!("-{digits}e{power}").parse().unwrap());
        }
    }
}

/// Floats whose digits turn on the last bits of the arithmetic.
#[test]
fn floats_that_are_hard_to_write() {
    let vectors = vectors("hard-floats.txt");
    assert!(vectors.len() > 700);
    for (bits, digits) in vectors {
        let v = f64::from_bits(u64::from_str_radix(&bits, 16).unwrap());
        assert_eq!(text::<Python>(v), digits, "{bits}");
    }
}

#[test]
fn random_bit_patterns() {
    let mut random = Random::new(1);
    for _ in 0..1_000_000 {
        let v = f64::from_bits(random.next());
        if !v.is_finite() {
            continue;
        }
        let scientific = shortest(v);
        assert_eq!(
            text::<Python>(v),
            oracle(&scientific, Python::STYLE),
            "{v:e}"
        );
    }
}

/// As above, a hundred times as many; some minutes in a release build.
#[test]
#[ignore = "takes minutes"]
fn many_random_bit_patterns() {
    let mut random = Random::new(100);
    for _ in 0..100_000_000 {
        let v = f64::from_bits(random.next());
        if v.is_finite() {
            let expected = oracle(&shortest(v), Python::STYLE);
            assert_eq!(text::<Python>(v), expected, "{:#x}", v.to_bits());
        }
    }
}

/// Every `f32`; an hour or so in a release build.
#[test]
#[ignore = "takes an hour"]
fn every_f32() {
    for bits in 0..0x7f80_0000 {
        let v = f32::from_bits(bits);
        let expected = oracle(&shortest_f32(v), Python::STYLE);
        assert_eq!(text_f32::<Python>(v), expected, "{bits:#x}");
    }
}

#[test]
fn random_numbers_of_everyday_size() {
    let mut random = Random::new(2);
    for _ in 0..200_000 {
        let unit = (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
        check(unit);
        check((unit - 0.5) * 360.0);
        check((random.next() >> (random.next() % 64)) as f64);
        check(random.next() as i64 as f64 / 1000.0);
    }
}

#[test]
fn random_f32() {
    let mut random = Random::new(3);
    for exponent in 0..0xff_u32 {
        for fraction in [0, 1, (1 << 23) - 1, 1 << 22] {
            check_f32(f32::from_bits(exponent << 23 | fraction));
        }
    }
    for _ in 0..300_000 {
        let v = f32::from_bits(random.next() as u32);
        if v.is_finite() {
            check_f32(v);
        }
    }
}

#[test]
fn digits_apart_from_layout() {
    let mut random = Random::new(4);
    let digits = |digits, exponent, negative| FloatDigits {
        digits,
        exponent,
        negative,
    };
    assert_eq!(FloatDigits::of_f64(-0.0), digits(0, 0, true));
    assert_eq!(FloatDigits::of_f64(1500.0), digits(15, 2, false));
    assert_eq!(FloatDigits::of_f64(-5e-324), digits(5, -324, true));
    assert_eq!(FloatDigits::of_f32(0.1), digits(1, -1, false));
    for _ in 0..100_000 {
        let v = f64::from_bits(random.next());
        if !v.is_finite() {
            continue;
        }
        let FloatDigits {
            digits,
            exponent,
            negative,
        } = FloatDigits::of_f64(v);
        assert_ne!(digits % 10, 0);
        let sign = if negative { "-" } else { "" };
        assert_eq!(format!("{sign}{digits}e{exponent}").parse(), Ok(v));
        let scientific = shortest(v);
        let mantissa = scientific.split_once('e').unwrap().0;
        assert_eq!(format!("{sign}{digits}"), mantissa.replace('.', ""));
    }
}

#[test]
fn classes() {
    assert_eq!(classify(0.0), FloatClass::Finite);
    assert_eq!(classify(f64::MAX), FloatClass::Finite);
    assert_eq!(classify(f64::INFINITY), FloatClass::Infinity);
    assert_eq!(classify(f64::NEG_INFINITY), FloatClass::NegativeInfinity);
    assert_eq!(classify(f64::NAN), FloatClass::Nan);
    assert_eq!(classify(-f64::NAN), FloatClass::Nan);
}

/// Not a number to compare, but still text within its room.
#[test]
fn other_floats_stay_in_their_room() {
    for v in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN] {
        text::<Python>(v);
        text::<EcmaScript>(v);
        text_f32::<EcmaScript>(v as f32);
    }
}
