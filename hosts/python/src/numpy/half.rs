//! Floats of 16 bits.

/// The value of the `f16` with these bits (IEEE 754, binary16).
pub fn value(bits: u16) -> f32 {
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1F), u32::from(bits & 0x3FF));
    let magnitude = match exponent {
        // A multiple of 2^-24.
        0 => fraction as f32 / 16_777_216.0,
        0x1F if fraction == 0 => f32::INFINITY,
        0x1F => f32::NAN,
        _ => f32::from_bits((exponent + (127 - 15)) << 23 | fraction << 13),
    };
    if bits >> 15 == 0 {
        magnitude
    } else {
        -magnitude
    }
}
