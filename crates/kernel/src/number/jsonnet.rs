//! Floats as Jsonnet's manifests spell them, which no [`FloatStyle`] can say:
//! their texts may have more than three hundred digits, or digits that are not
//! the shortest ones.
//!
//! [`FloatStyle`]: super::FloatStyle

use core::fmt::{self, Write};

use super::int::write_u64;
use super::{FloatDigits, U64_LEN};

/// The longest text is that of `-f64::MIN_POSITIVE`'s last neighbours: a sign,
/// `0.`, 323 zeros and 17 digits.
const CAPACITY: usize = 352;

/// Integers below this are all floats, and their own shortest digits.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Room for the text of any finite float.
#[derive(Debug)]
pub struct FloatBuffer {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl Default for FloatBuffer {
    fn default() -> Self {
        FloatBuffer::new()
    }
}

impl FloatBuffer {
    /// With nothing in it.
    pub const fn new() -> FloatBuffer {
        FloatBuffer {
            bytes: [0; CAPACITY],
            len: 0,
        }
    }

    /// A finite `v` as `toString` and the main output spell it: integers in
    /// full, every digit the float's own, others as C's `%.17g`.
    pub fn general(&mut self, v: f64) -> &[u8] {
        self.len = 0;
        if self.small_integer(v) {
            return self.text();
        }
        // What has no fraction bits is an integer.
        if v.abs() >= EXACT || v == 0.0 {
            self.format(format_args!("{v:.0}"));
            return self.text();
        }
        let (digits, exponent) = seventeen(v.abs());
        self.sign(v);
        if (-4..17).contains(&exponent) {
            self.fixed(&digits, exponent);
        } else {
            self.push(&digits[..1]);
            if digits.len() > 1 {
                self.push(b".");
                self.push(&digits[1..]);
            }
            // As many digits as `%.17g` has: two at least.
            self.format(format_args!(
                "e{}{:02}",
                if exponent < 0 { '-' } else { '+' },
                exponent.abs()
            ));
        }
        self.text()
    }

    /// A finite `v` as `manifestJsonEx` and `manifestYamlDoc` spell it: the
    /// shortest digits, never with an exponent.
    pub fn positional(&mut self, v: f64) -> &[u8] {
        self.len = 0;
        if self.small_integer(v) {
            return self.text();
        }
        self.sign(v);
        let shortest = FloatDigits::of_f64(v);
        if shortest.digits == 0 {
            self.push(b"0");
            return self.text();
        }
        let mut digits = Digits::new();
        digits.number(shortest.digits);
        let exponent = shortest.exponent + digits.len() as i32 - 1;
        self.fixed(&digits, exponent);
        self.text()
    }

    /// Most numbers of a configuration are of this kind.
    fn small_integer(&mut self, v: f64) -> bool {
        let integer = v as i64;
        // By bits, since negative zero has a text of its own.
        if (integer as f64).to_bits() != v.to_bits() || v.abs() >= EXACT {
            return false;
        }
        self.sign(v);
        let mut digits = Digits::new();
        digits.number(integer.unsigned_abs());
        self.push(&digits);
        true
    }

    /// Digits of which the first one's power of ten is `exponent`.
    fn fixed(&mut self, digits: &[u8], exponent: i32) {
        if exponent < 0 {
            self.push(b"0.");
            self.zeros(-exponent - 1);
            self.push(digits);
            return;
        }
        let whole = exponent as usize + 1;
        if digits.len() <= whole {
            self.push(digits);
            self.zeros((whole - digits.len()) as i32);
        } else {
            self.push(&digits[..whole]);
            self.push(b".");
            self.push(&digits[whole..]);
        }
    }

    fn sign(&mut self, v: f64) {
        if v.is_sign_negative() {
            self.push(b"-");
        }
    }

    fn zeros(&mut self, count: i32) {
        let count = count as usize;
        self.bytes[self.len..self.len + count].fill(b'0');
        self.len += count;
    }

    fn push(&mut self, text: &[u8]) {
        self.bytes[self.len..self.len + text.len()].copy_from_slice(text);
        self.len += text.len();
    }

    fn format(&mut self, text: fmt::Arguments<'_>) {
        self.write_fmt(text).expect("the buffer holds any float");
    }

    fn text(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl Write for FloatBuffer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}

/// The digits of an integer, or of a float's significand.
struct Digits {
    bytes: [u8; U64_LEN],
    len: usize,
}

impl Digits {
    const fn new() -> Digits {
        Digits {
            bytes: [0; U64_LEN],
            len: 0,
        }
    }

    fn number(&mut self, v: u64) {
        // SAFETY: the buffer has the writer's length.
        self.len = unsafe { write_u64(self.bytes.as_mut_ptr(), v) };
    }
}

impl core::ops::Deref for Digits {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// The first seventeen digits of a positive `v`, correctly rounded, without the
/// zeros at their end, and the first one's power of ten.
fn seventeen(v: f64) -> (Digits, i32) {
    let (mut digits, exponent) = exact_seventeen(v).unwrap_or_else(|| any_seventeen(v));
    while digits.len > 1 && digits.bytes[digits.len - 1] == b'0' {
        digits.len -= 1;
    }
    (digits, exponent)
}

/// `10^17`
const LIMIT: u128 = 100_000_000_000_000_000;

/// As [`seventeen`] with all digits, where 128 bits hold `v` times the power of
/// ten: from `10^-5` to `2^52`, where most numbers are.
fn exact_seventeen(v: f64) -> Option<(Digits, i32)> {
    if !(1e-5..EXACT / 2.0).contains(&v) {
        return None;
    }
    let bits = v.to_bits();
    let significand = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
    let binary = (bits >> 52) as i32 - 1075;
    // `floor(log10)`, or one less: 1233 / 4096 is a little below `log10(2)`.
    let mut exponent = ((binary + 52) * 1233) >> 12;
    loop {
        // At most 10^22, less than 2^74, times 53 bits.
        let power = 10_u128.pow((16 - exponent) as u32);
        let product = significand * power;
        let (shift, half) = (-binary as u32, 1_u128 << (-binary - 1));
        let (floor, rest) = (product >> shift, product & (2 * half - 1));
        let up = rest > half || rest == half && floor & 1 == 1;
        let digits = floor + u128::from(up);
        if digits < LIMIT {
            let mut text = Digits::new();
            text.number(digits as u64);
            return Some((text, exponent));
        }
        exponent += 1;
    }
}

/// As [`seventeen`] with all digits, of any positive float.
fn any_seventeen(v: f64) -> (Digits, i32) {
    let mut spread = Scientific {
        digits: Digits::new(),
        exponent: 0,
        state: State::Digits,
    };
    write!(spread, "{v:.16e}").expect("seventeen digits fit");
    let sign = if spread.state == State::Negative {
        -1
    } else {
        1
    };
    (spread.digits, sign * spread.exponent)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Digits,
    Exponent,
    Negative,
}

/// Takes `d.ddde-dd` apart.
struct Scientific {
    digits: Digits,
    exponent: i32,
    state: State,
}

impl Write for Scientific {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            match (byte, self.state) {
                (b'0'..=b'9', State::Digits) => {
                    self.digits.bytes[self.digits.len] = byte;
                    self.digits.len += 1;
                }
                (b'0'..=b'9', _) => self.exponent = 10 * self.exponent + i32::from(byte - b'0'),
                (b'e', _) => self.state = State::Exponent,
                (b'-', State::Exponent) => self.state = State::Negative,
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half-way cases and neighbours of powers of ten and two are among them.
    #[test]
    fn both_ways_to_seventeen_digits_agree() {
        let check = |v: f64| {
            let (digits, exponent) = any_seventeen(v);
            if let Some((exact, power)) = exact_seventeen(v) {
                assert_eq!((&exact[..], power), (&digits[..], exponent), "{v:e}");
            }
        };
        let mut seed = 1_u64;
        for _ in 0..200_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // From 2^-18 to 2^54.
            let exponent = 1023 - 18 + (seed >> 57) % 72;
            check(f64::from_bits(exponent << 52 | seed & ((1 << 52) - 1)));
            check((seed >> 40) as f64 / f64::from(1_u32 << (seed & 31)));
            check((seed >> 34) as f64 / 1e9);
        }
        for power in -6..17 {
            let v = 10_f64.powi(power);
            for v in [v, v.next_up(), v.next_down(), v / 2.0, 5.0 * v] {
                check(v);
            }
        }
        for power in -20..54 {
            let v = 2_f64.powi(power);
            for v in [v, v.next_up(), v.next_down()] {
                check(v);
            }
        }
    }
}
