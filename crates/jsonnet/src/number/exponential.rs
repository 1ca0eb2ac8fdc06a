//! Logarithm, exponential, powers.

/// The natural logarithm.
pub fn log(x: f64) -> f64 {
    libm::log(x)
}

/// Mantissa in `[0.5, 1)` and exponent, so that `x = mantissa * 2^exponent`.
pub fn frexp(x: f64) -> (f64, i32) {
    libm::frexp(x)
}

/// The square root of `p*p + q*q`, without overflow on the way.
pub fn hypot(p: f64, q: f64) -> f64 {
    let (p, q) = (p.abs(), q.abs());
    let (least, most) = if p < q { (p, q) } else { (q, p) };
    if most == 0.0 {
        return 0.0;
    }
    let ratio = least / most;
    most * (1.0 + ratio * ratio).sqrt()
}

/// Half, sixth, … of the series of the exponential, from the last term.
const SERIES: [f64; 7] = [
    1.984_126_984_126_984_1e-4,
    1.388_888_888_888_889e-3,
    8.333_333_333_333_333e-3,
    4.166_666_666_666_666_4e-2,
    1.666_666_666_666_666_6e-1,
    0.5,
    1.0,
];

/// The exponential function: a sixteenth of the reduced argument by the series,
/// then squared four times.
pub fn exp(x: f64) -> f64 {
    const OVERFLOW: f64 = 709.782_712_893_384;
    const LN2_UPPER: f64 = 0.693_147_180_559_662_956_511_601_805_686_950_683_593_75;
    const LN2_LOWER: f64 = 0.282_352_905_630_315_771_225_884_481_750_134_360_255_254_120_68e-12;
    if x.is_nan() || x > OVERFLOW {
        return if x.is_nan() { x } else { f64::INFINITY };
    }
    if x == f64::NEG_INFINITY {
        return 0.0;
    }
    let power = (core::f64::consts::LOG2_E * x).round_ties_even();
    if power < -2000.0 {
        return 0.0;
    }
    let reduced = (-LN2_LOWER).mul_add(power, (-LN2_UPPER).mul_add(power, x)) * 0.0625;
    let mut sum: f64 = 2.480_158_730_158_73e-5;
    for term in SERIES {
        sum = sum.mul_add(reduced, term);
    }
    // e^t - 1, of which (y + 2) * y is that of 2t.
    let mut less_one = reduced * sum;
    for _ in 0..3 {
        less_one *= less_one + 2.0;
    }
    scale(less_one.mul_add(less_one + 2.0, 1.0), power as i32)
}

/// `fraction * 2^power`, rounded once for subnormal results.
fn scale(fraction: f64, power: i32) -> f64 {
    let biased = power + 1023;
    if biased >= 2047 {
        return f64::INFINITY;
    }
    if biased > 0 {
        return fraction * f64::from_bits((biased as u64) << 52);
    }
    if biased < -52 {
        return 0.0;
    }
    fraction * f64::from_bits(((biased + 1022) as u64) << 52) * f64::from_bits(1 << 52)
}

/// `x` to the power of `y`, by squaring for the whole part of `y`.
pub fn pow(x: f64, y: f64) -> f64 {
    if let Some(special) = special_power(x, y) {
        return special;
    }
    let mut whole = y.abs().trunc();
    let mut part = y.abs() - whole;
    if part != 0.0 && x < 0.0 {
        return f64::NAN;
    }
    if whole >= 9_223_372_036_854_775_808.0 {
        return match x {
            -1.0 => 1.0,
            _ if (x.abs() < 1.0) == (y > 0.0) => 0.0,
            _ => f64::INFINITY,
        };
    }
    let mut result = 1.0;
    if part != 0.0 {
        if part > 0.5 {
            part -= 1.0;
            whole += 1.0;
        }
        result = exp(part * log(x));
    }
    let mut power = 0_i64;
    let (mut square, exponent) = frexp(x);
    let mut exponent = i64::from(exponent);
    let mut bits = whole as i64;
    while bits != 0 {
        if !(-4096..=4096).contains(&exponent) {
            // More than any double has: the end is 0 or infinity.
            power += exponent;
            break;
        }
        if bits & 1 == 1 {
            result *= square;
            power += exponent;
        }
        square *= square;
        exponent <<= 1;
        if square < 0.5 {
            square += square;
            exponent -= 1;
        }
        bits >>= 1;
    }
    if y < 0.0 {
        result = 1.0 / result;
        power = -power;
    }
    libm::ldexp(result, power.clamp(-5000, 5000) as i32)
}

fn special_power(x: f64, y: f64) -> Option<f64> {
    let odd = y.abs() < 9_007_199_254_740_992.0 && y % 2.0 != 0.0 && y.trunc() == y;
    if y == 0.0 || x == 1.0 {
        Some(1.0)
    } else if y == 1.0 {
        Some(x)
    } else if x.is_nan() || y.is_nan() {
        Some(f64::NAN)
    } else if x == 0.0 {
        Some(match (y < 0.0, x.is_sign_negative() && odd) {
            (true, true) => f64::NEG_INFINITY,
            (true, false) => f64::INFINITY,
            (false, true) => x,
            (false, false) => 0.0,
        })
    } else if y == 0.5 {
        Some(x.sqrt())
    } else if y == -0.5 {
        Some(1.0 / x.sqrt())
    } else {
        None
    }
}

/// A power of ten.
pub fn pow10(y: f64) -> f64 {
    pow(10.0, y)
}
