//! Decimal text to floats, held against the standard library.

use std::fmt::Write as _;
use std::mem::MaybeUninit;

use linecaster_kernel::number::{
    Decimal, big_capacity, digit_prefix, exact_f64, is_eight_digits, parse_digit_prefix,
    parse_eight_digits, write_big_u64,
};

mod number_samples;
use number_samples::{Random, vectors};

/// A plain scanner for `[-]digits[.digits][e[+-]digits]`.
fn scan(text: &str) -> Decimal {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (number, power) = rest.split_once('e').unwrap_or((rest, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let mut exponent = power.parse::<i64>().unwrap() - fraction.len() as i64;
    let mut truncated = false;
    let mut mantissa = 0_u64;
    for (at, digit) in digits.bytes().enumerate() {
        if at < 19 {
            mantissa = mantissa * 10 + u64::from(digit - b'0');
        } else {
            truncated |= digit != b'0';
            exponent += 1;
        }
    }
    Decimal {
        mantissa,
        exponent,
        negative,
        truncated,
    }
}

/// Whether the fast ways answered.
fn check(text: &str) -> bool {
    let expected: f64 = text.parse().unwrap();
    let fast = scan(text).to_f64();
    let value = fast.unwrap_or_else(|| exact_f64(text));
    assert_eq!(
        value.to_bits(),
        expected.to_bits(),
        "{text}: {value:e}, not {expected:e}"
    );
    fast.is_some()
}

#[test]
fn known_numbers() {
    for text in [
        "0",
        "-0",
        "0.0",
        "-0.0e5",
        "1",
        "-1",
        "1.5",
        "0.1",
        "0.3",
        "1e22",
        "1e23",
        "1e-22",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740994",
        "9007199254740995",
        "9007199254740993.00000000000000000000000000000000001",
        "5e-324",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.4703282292062327208e-324",
        "2.48e-324",
        "1e-325",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.225073858507201e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "-1e400",
        "1e-400",
        "-1e-400",
        "0e400",
        "0e99999999999",
        "-0e-99999999999",
        "18446744073709551615",
        "18446744073709551616",
        "9999999999999999999",
        "10000000000000000000",
        "99999999999999999999",
        "1e99999999999",
        "1e-99999999999",
        "0.000000000000000000000000000000000000000000000000000000000000001e63",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
    ] {
        check(text);
        check(&format!("-{}", text.trim_start_matches('-')));
    }
}

#[test]
fn overflow_and_underflow_keep_the_sign() {
    assert_eq!(scan("1e400").to_f64(), Some(f64::INFINITY));
    assert_eq!(scan("-1e400").to_f64(), Some(f64::NEG_INFINITY));
    assert_eq!(
        scan("-1e-400").to_f64().map(f64::to_bits),
        Some((-0.0_f64).to_bits())
    );
    assert_eq!(
        scan("-0").to_f64().map(f64::to_bits),
        Some((-0.0_f64).to_bits())
    );
    for exponent in [i64::MIN, i64::MAX, -400, 400, -343, -342, 308, 309] {
        let number = |mantissa| Decimal {
            mantissa,
            exponent,
            negative: false,
            truncated: false,
        };
        let expected: f64 = format!("1e{exponent}").parse().unwrap();
        assert_eq!(number(1).to_f64(), Some(expected), "{exponent}");
        let expected: f64 = format!("{}e{exponent}", u64::MAX).parse().unwrap();
        assert_eq!(number(u64::MAX).to_f64(), Some(expected), "{exponent}");
        assert_eq!(number(0).to_f64(), Some(0.0), "{exponent}");
    }
}

/// What any writer of floats makes reads back, whatever its digits.
#[test]
fn texts_of_random_floats() {
    let mut random = Random::new(1);
    let mut slow = 0;
    for _ in 0..400_000 {
        let v = f64::from_bits(random.next());
        if v.is_finite() {
            assert!(check(&format!("{v:e}")));
            assert!(check(&format!("{v:.16e}")));
            slow += usize::from(!check(&format!("{v:.18e}")));
            slow += usize::from(!check(&format!("{v:.20e}")));
        }
    }
    // 21 digits of a float lie next to it, not next to a halfway point.
    assert_eq!(slow, 0);
}

/// Halfway points between floats, and numbers next to them, cut at various
/// lengths.
#[test]
fn halfway_points() {
    let mut random = Random::new(2);
    for _ in 0..20_000 {
        let bits = random.next() >> 1;
        let v = f64::from_bits(bits);
        if !v.is_finite() || v >= f64::MAX {
            continue;
        }
        check_halfway(v);
    }
    // Where a tie has few digits.
    for _ in 0..100_000 {
        let bits = (random.next() >> 12) | (1023 + 30 + random.next() % 60) << 52;
        check_halfway(f64::from_bits(bits));
    }
}

fn check_halfway(v: f64) {
    let exact = halfway_above(v);
    check(&exact);
    let (digits, power) = exact.split_once('e').unwrap();
    let power: i64 = power.parse().unwrap();
    for len in [17, 18, 19, 20, 21, 25, 40] {
        if digits.len() > len {
            let power = power + (digits.len() - len) as i64;
            check(&format!("{}e{power}", &digits[..len]));
        }
    }
    check(&format!("{digits}.00000000000000000000000000e{power}"));
    check(&format!("{digits}.00000000000000000000000001e{power}"));
}

/// The exact text of the point halfway between `v >= 0` and the next float.
fn halfway_above(v: f64) -> String {
    let bits = v.to_bits();
    let stored = (bits >> 52) as usize;
    let fraction = bits & ((1 << 52) - 1);
    let significand = if stored == 0 {
        fraction
    } else {
        fraction | 1 << 52
    };
    // (2 × significand + 1) × 2^(exponent - 1), with a factor of 5 for every
    // negative power of two, so that the power becomes one of ten.
    let exponent = stored.max(1) as i32 - 1075 - 1;
    let factor = if exponent < 0 { 5 } else { 2 };
    let mut words = vec![2 * significand + 1];
    for _ in 0..exponent.unsigned_abs() {
        let mut carry = 0_u128;
        for word in &mut words {
            carry += u128::from(*word) * factor;
            *word = carry as u64;
            carry >>= 64;
        }
        if carry != 0 {
            words.push(carry as u64);
        }
    }
    let mut buffer = vec![MaybeUninit::uninit(); big_capacity(words.len() * 64)];
    let len = write_big_u64(&mut buffer, &words);
    // SAFETY: the writer has initialised the bytes of the text.
    let digits = buffer[..len]
        .iter()
        .map(|byte| unsafe { byte.assume_init() });
    let digits = String::from_utf8(digits.collect()).unwrap();
    format!("{digits}e{}", exponent.min(0))
}

/// Decimals that lie next to a halfway point.
#[test]
fn decimals_that_are_hard_to_read() {
    let vectors = vectors("hard-decimals.txt");
    assert!(vectors.len() > 1000);
    for (text, bits) in vectors {
        let expected = u64::from_str_radix(&bits, 16).unwrap();
        let value = scan(&text).to_f64();
        assert_eq!(value.map(f64::to_bits), Some(expected), "{text}");
    }
}

#[test]
fn random_digits_and_exponents() {
    let mut random = Random::new(3);
    for _ in 0..1_000_000 {
        let mantissa = random.next() >> (random.next() % 64);
        let exponent = (random.next() % 700) as i64 - 360;
        check(&format!("{mantissa}e{exponent}"));
    }
}

/// As above, a hundred times as many; some minutes in a release build.
#[test]
#[ignore = "takes minutes"]
fn very_many_random_digits_and_exponents() {
    let mut random = Random::new(300);
    let mut text = String::new();
    for _ in 0..100_000_000 {
        let mantissa = random.next() >> (random.next() % 64);
        let exponent = (random.next() % 700) as i64 - 360;
        text.clear();
        write!(text, "{mantissa}e{exponent}").unwrap();
        let expected: f64 = text.parse().unwrap();
        let decimal = Decimal {
            mantissa,
            exponent,
            negative: false,
            truncated: false,
        };
        let value = decimal.to_f64().unwrap();
        assert_eq!(value.to_bits(), expected.to_bits(), "{text}");
    }
}

#[test]
fn many_digits() {
    let mut random = Random::new(4);
    for _ in 0..200_000 {
        let count = 17 + random.next() % 10;
        let mut text: String = (0..count)
            .map(|_| (b'0' + (random.next() % 10) as u8) as char)
            .collect();
        text.insert(1 + (random.next() % (count - 1)) as usize, '.');
        check(&text);
        check(&format!("{text}e{}", random.next() % 620));
        check(&format!("{text}e-{}", random.next() % 620));
    }
}

#[test]
fn everyday_decimals() {
    for cents in 0..200_000 {
        assert!(check(&format!("{}.{:02}", cents / 100, cents % 100)));
    }
    let mut random = Random::new(5);
    for _ in 0..200_000 {
        let degrees = (random.next() % 360_000_000_000_000_000) as f64 / 1e15 - 180.0;
        assert!(check(&format!("{degrees}")));
        assert!(check(&format!("{degrees:.6}")));
        assert!(check(&format!("{degrees:.15}")));
    }
}

#[test]
fn eight_digits() {
    let mut random = Random::new(6);
    let numbers = [0, 1, 9, 10, 99_999_999, 12_345_678, 10_000_000];
    for at in 0..100_000 {
        let v = match numbers.get(at) {
            Some(v) => *v,
            None => (random.next() % 100_000_000) as u32,
        };
        let text = format!("{v:08}");
        let chunk = u64::from_le_bytes(text.as_bytes().try_into().unwrap());
        assert!(is_eight_digits(chunk));
        assert_eq!(parse_eight_digits(chunk), v);
        for count in 0..=8 {
            let mut bytes: [u8; 8] = random.next().to_le_bytes();
            bytes[..count].copy_from_slice(&text.as_bytes()[..count]);
            let expected = text[..count].parse().unwrap_or(0);
            assert_eq!(
                parse_digit_prefix(u64::from_le_bytes(bytes), count as u32),
                expected
            );
        }
    }
}

#[test]
fn digit_prefix_of_any_byte_in_any_place() {
    for count in 0..8 {
        for byte in 0..=u8::MAX {
            for after in [b'0', b'9', 0, 0xff, b'/', b':'] {
                let mut bytes = [after; 8];
                bytes[..count].copy_from_slice(&b"01234567"[..count]);
                bytes[count] = byte;
                let expected = bytes
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit())
                    .count();
                let chunk = u64::from_le_bytes(bytes);
                assert_eq!(digit_prefix(chunk) as usize, expected, "{bytes:?}");
                assert_eq!(is_eight_digits(chunk), expected == 8);
            }
        }
    }
}
