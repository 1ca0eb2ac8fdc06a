//! Sine, cosine, tangent and their inverses.
//!
//! Each octant is reduced to `[0, pi/4]` (by a product with 4/pi of 1200 bits
//! where the argument is large) and evaluated by a polynomial of Cephes.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

const SINE: [f64; 6] = [
    1.589_623_015_765_465_680_60e-10,
    -2.505_074_776_285_780_728_66e-8,
    2.755_731_362_138_572_452_13e-6,
    -1.984_126_982_958_953_859_96e-4,
    8.333_333_333_322_118_588_78e-3,
    -1.666_666_666_666_663_072_95e-1,
];
const COSINE: [f64; 6] = [
    -1.135_853_652_138_768_173_00e-11,
    2.087_570_084_197_473_167_78e-9,
    -2.755_731_417_929_673_881_12e-7,
    2.480_158_728_885_170_453_48e-5,
    -1.388_888_888_887_305_641_16e-3,
    4.166_666_666_666_659_292_18e-2,
];
/// Above this, the argument has too few bits behind the octant.
const LARGE: f64 = (1 << 29) as f64;
/// pi/4 in three parts, of which the first two have short mantissas.
const QUARTER: [f64; 3] = [
    7.853_981_256_484_985_351_56e-1,
    3.774_894_707_930_798_176_68e-8,
    2.695_151_429_079_059_526_45e-15,
];
/// The binary digits of 4/pi: 64 before the point, the rest behind it.
const FOUR_OVER_PI: [u64; 20] = [
    0x0000_0000_0000_0001,
    0x45f3_06dc_9c88_2a53,
    0xf84e_afa3_ea69_bb81,
    0xb6c5_2b32_7887_2083,
    0xfca2_c757_bd77_8ac3,
    0x6e48_dc74_849b_a5c0,
    0x0c92_5dd4_13a3_2439,
    0xfc3b_d639_6253_4e7d,
    0xd104_6bea_5d76_8909,
    0xd338_e04d_68be_fc82,
    0x7323_ac73_06a6_73e9,
    0x3908_bf17_7bf2_5076,
    0x3ff1_2fff_bc0b_301f,
    0xde5e_2316_b414_da3e,
    0xda6c_fd9e_4f96_136e,
    0x9e8c_7ecd_3cbf_d45a,
    0xea4f_758f_d7cb_e2f6,
    0x7a0e_73ef_14a5_25d4,
    0xd7f6_bf62_3f1a_ba10,
    0xac06_608d_f8f6_d757,
];

/// The octant of a positive number (made even) and the rest of it.
fn reduce(x: f64) -> (u64, f64) {
    if x >= LARGE {
        return reduce_large(x);
    }
    let mut octant = (x * (4.0 / PI)) as u64;
    octant += octant & 1;
    let whole = octant as f64;
    let rest = ((x - whole * QUARTER[0]) - whole * QUARTER[1]) - whole * QUARTER[2];
    (octant & 7, rest)
}

/// The same by a product with the 192 bits of 4/pi that matter (M. Payne and
/// R. Hanek, 1983).
fn reduce_large(x: f64) -> (u64, f64) {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1023 - 52;
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    let first = (exponent + 61) as u64;
    let (word, shift) = ((first / 64) as usize, first % 64);
    let window = |at: usize| {
        let next = FOUR_OVER_PI.get(at + 1).copied().unwrap_or(0);
        if shift == 0 {
            FOUR_OVER_PI[at]
        } else {
            FOUR_OVER_PI[at] << shift | next >> (64 - shift)
        }
    };
    let (high, middle, low) = (window(word), window(word + 1), window(word + 2));
    let product = u128::from(middle) * u128::from(mantissa)
        + ((u128::from(low) * u128::from(mantissa)) >> 64);
    let top = ((product >> 64) as u64).wrapping_add(high.wrapping_mul(mantissa));
    let mut octant = top >> 61;
    let low = product as u64;
    let fraction = top << 3 | low >> 61;
    // The fraction from its first bit on, as a float. What moves in from below
    // is the low word from its top, as Go has it, not from its fourth bit.
    let zeros = fraction.leading_zeros();
    let kept = (u128::from(fraction) << 64 | u128::from(low)) << (zeros + 1) >> 76;
    let mut rest =
        f64::from_bits((1023 - u64::from(zeros + 1)) << 52 | (kept as u64 & ((1 << 52) - 1)));
    if octant & 1 == 1 {
        octant = (octant + 1) & 7;
        rest -= 1.0;
    }
    (octant, rest * FRAC_PI_4)
}

fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients
        .iter()
        .fold(0.0, |sum, &coefficient| sum * x + coefficient)
}

fn sine_near_zero(z: f64) -> f64 {
    let zz = z * z;
    z + z * zz * polynomial(&SINE, zz)
}

fn cosine_near_zero(z: f64) -> f64 {
    let zz = z * z;
    1.0 - 0.5 * zz + zz * zz * polynomial(&COSINE, zz)
}

/// The sine of a finite number.
pub fn sin(x: f64) -> f64 {
    if x == 0.0 {
        return x;
    }
    let (octant, z) = reduce(x.abs());
    let value = if octant & 3 == 2 {
        cosine_near_zero(z)
    } else {
        sine_near_zero(z)
    };
    if (octant > 3) == (x < 0.0) {
        value
    } else {
        -value
    }
}

/// The cosine of a finite number.
pub fn cos(x: f64) -> f64 {
    let (octant, z) = reduce(x.abs());
    let value = if octant & 3 == 2 {
        sine_near_zero(z)
    } else {
        cosine_near_zero(z)
    };
    if matches!(octant, 2 | 4) {
        -value
    } else {
        value
    }
}

/// The tangent of a finite number.
pub fn tan(x: f64) -> f64 {
    const ABOVE: [f64; 3] = [
        -1.309_369_391_813_837_776_46e4,
        1.153_516_648_385_874_161_40e6,
        -1.795_652_519_764_848_779_88e7,
    ];
    const BELOW: [f64; 4] = [
        1.368_129_634_706_929_546_78e4,
        -1.320_892_344_402_109_674_47e6,
        2.500_838_018_233_579_158_39e7,
        -5.386_957_559_294_546_298_81e7,
    ];
    if x == 0.0 {
        return x;
    }
    let (octant, z) = reduce(x.abs());
    let zz = z * z;
    let mut value = z;
    if zz > 1e-14 {
        let below = BELOW[1..]
            .iter()
            .fold(zz + BELOW[0], |sum, &q| sum * zz + q);
        value = z + z * (zz * polynomial(&ABOVE, zz) / below);
    }
    if octant & 2 == 2 {
        value = -1.0 / value;
    }
    if x < 0.0 { -value } else { value }
}

/// The arctangent in `[0, 0.66]`.
fn arctangent_near_zero(x: f64) -> f64 {
    const ABOVE: [f64; 5] = [
        -8.750_608_600_031_904_122_785e-01,
        -1.615_753_718_733_365_076_637e+01,
        -7.500_855_792_314_704_667_340e+01,
        -1.228_866_684_490_136_173_410e+02,
        -6.485_021_904_942_025_371_773e+01,
    ];
    const BELOW: [f64; 5] = [
        2.485_846_490_142_306_297_962e+01,
        1.650_270_098_316_988_542_046e+02,
        4.328_810_604_912_902_668_951e+02,
        4.853_903_996_359_136_964_868e+02,
        1.945_506_571_482_613_964_425e+02,
    ];
    let z = x * x;
    let below = BELOW[1..].iter().fold(z + BELOW[0], |sum, &q| sum * z + q);
    x * (z * polynomial(&ABOVE, z) / below) + x
}

/// The arctangent of a positive number.
fn arctangent(x: f64) -> f64 {
    /// What pi/2 has beyond a double.
    const MORE_BITS: f64 = 6.123_233_995_736_765_886_130e-17;
    const TAN_3_PI_8: f64 = 2.414_213_562_373_095_048_80;
    if x <= 0.66 {
        arctangent_near_zero(x)
    } else if x > TAN_3_PI_8 {
        FRAC_PI_2 - arctangent_near_zero(1.0 / x) + MORE_BITS
    } else {
        FRAC_PI_4 + arctangent_near_zero((x - 1.0) / (x + 1.0)) + 0.5 * MORE_BITS
    }
}

/// The arctangent.
pub fn atan(x: f64) -> f64 {
    if x == 0.0 {
        x
    } else if x > 0.0 {
        arctangent(x)
    } else {
        -arctangent(-x)
    }
}

/// The arcsine; not a number outside of `[-1, 1]`.
pub fn asin(x: f64) -> f64 {
    if x == 0.0 {
        return x;
    }
    let magnitude = x.abs();
    if magnitude > 1.0 {
        return f64::NAN;
    }
    let other = (1.0 - magnitude * magnitude).sqrt();
    let angle = if magnitude > 0.7 {
        FRAC_PI_2 - arctangent(other / magnitude)
    } else {
        arctangent(magnitude / other)
    };
    if x < 0.0 { -angle } else { angle }
}

/// The arccosine; not a number outside of `[-1, 1]`.
pub fn acos(x: f64) -> f64 {
    FRAC_PI_2 - asin(x)
}

/// The angle of the point `(x, y)` of finite coordinates.
pub fn atan2(y: f64, x: f64) -> f64 {
    if y == 0.0 {
        return if x.is_sign_positive() {
            0.0_f64.copysign(y)
        } else {
            PI.copysign(y)
        };
    }
    if x == 0.0 {
        return FRAC_PI_2.copysign(y);
    }
    let angle = atan(y / x);
    if x >= 0.0 {
        angle
    } else if angle <= 0.0 {
        angle + PI
    } else {
        angle - PI
    }
}
