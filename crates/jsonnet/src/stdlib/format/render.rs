//! How `std.format` writes numbers.
//!
//! The standard library defines these conversions as arithmetic on doubles, so
//! that is what is done here, step by step: digits past the fifteenth come
//! from the rounding of that arithmetic and belong to the result.

use super::spec::{Code, Conversion};
use crate::number::{log, pow10};

/// The result of a step overflowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overflow;

/// Flags that number conversions share, with the least number of characters
/// to fill up by zeros.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct Style {
    /// Zeros are put before the digits up to this many characters.
    pub zeros: f64,
    /// A blank stands where a sign would.
    pub blank: bool,
    /// A plus sign is written.
    pub plus: bool,
    /// The alternate form.
    pub alternate: bool,
    /// Letters are capitals.
    pub capitals: bool,
}

/// Writes a number by the conversion of `code`, without padding by blanks.
///
/// # Errors
/// [`Overflow`] where the library's arithmetic overflows.
pub fn number(
    out: &mut String,
    code: &Code,
    value: f64,
    width: f64,
    precision: Option<f64>,
) -> Result<(), Overflow> {
    let style = Style {
        zeros: if code.zero && !code.left { width } else { 0.0 },
        blank: code.blank,
        plus: code.plus,
        alternate: code.alternate,
        capitals: code.capitals,
    };
    let digits = precision.unwrap_or(0.0);
    match code.conversion {
        Conversion::Decimal => {
            integer(
                out,
                value <= -1.0,
                value.abs().floor(),
                digits,
                style,
                Radix::TEN,
            );
            Ok(())
        }
        Conversion::Octal => {
            let prefix = if code.alternate { "0" } else { "" };
            let radix = Radix { base: 8.0, prefix };
            integer(
                out,
                value <= -1.0,
                value.abs().floor(),
                digits,
                style,
                radix,
            );
            Ok(())
        }
        Conversion::Hex => {
            hex(out, value.floor(), digits, style);
            Ok(())
        }
        Conversion::Float => decimal(out, value, style, true, precision.unwrap_or(6.0)),
        Conversion::Scientific => scientific(out, value, style, true, precision.unwrap_or(6.0)),
        Conversion::General => general(out, value, style, precision.unwrap_or(6.0)),
        Conversion::Character | Conversion::Text | Conversion::Percent => Ok(()),
    }
}

/// How many characters fill up to a width of `wanted`.
pub fn padding(wanted: f64, present: usize) -> usize {
    let missing = (wanted - present as f64).ceil();
    if missing > 0.0 { missing as usize } else { 0 }
}

fn push_repeated(out: &mut String, what: char, count: usize) {
    out.extend(core::iter::repeat_n(what, count));
}

#[derive(Clone, Copy)]
struct Radix {
    base: f64,
    prefix: &'static str,
}

impl Radix {
    const TEN: Self = Self {
        base: 10.0,
        prefix: "",
    };
}

fn sign(out: &mut String, negative: bool, style: Style) {
    if negative {
        out.push('-');
    } else if style.plus {
        out.push('+');
    } else if style.blank {
        out.push(' ');
    }
}

/// A whole number of at least `least` digits.
fn integer(
    out: &mut String,
    negative: bool,
    magnitude: f64,
    least: f64,
    style: Style,
    radix: Radix,
) {
    let signed = f64::from(negative || style.blank || style.plus);
    let wanted = (style.zeros - signed).max(least);
    let text = whole(magnitude, radix.base, false);
    let prefix = if magnitude == 0.0 { "" } else { radix.prefix };
    sign(out, negative, style);
    push_repeated(out, '0', padding(wanted, prefix.len() + text.len()));
    out.push_str(prefix);
    out.push_str(&text);
}

fn hex(out: &mut String, value: f64, least: f64, style: Style) {
    let negative = value < 0.0;
    let signed = f64::from(negative || style.blank || style.plus);
    let prefixed = if style.alternate { 2.0 } else { 0.0 };
    let wanted = (style.zeros - signed - prefixed).max(least);
    let text = whole(value.abs(), 16.0, style.capitals);
    sign(out, negative, style);
    if style.alternate {
        out.push_str(if style.capitals { "0X" } else { "0x" });
    }
    push_repeated(out, '0', padding(wanted, text.len()));
    out.push_str(&text);
}

/// The digits of a whole number, by repeated division as doubles have it.
fn whole(magnitude: f64, base: f64, capitals: bool) -> String {
    if magnitude < 1.0 {
        return "0".into();
    }
    if magnitude < 9_007_199_254_740_992.0 {
        let exact = magnitude as u64;
        return match (base as u32, capitals) {
            (8, _) => format!("{exact:o}"),
            (16, true) => format!("{exact:X}"),
            (16, false) => format!("{exact:x}"),
            _ => exact.to_string(),
        };
    }
    let mut digits = Vec::new();
    let mut rest = magnitude;
    while rest > 0.0 {
        let digit = char::from_digit((rest % base) as u32, 16).unwrap_or('0');
        digits.push(if capitals {
            digit.to_ascii_uppercase()
        } else {
            digit
        });
        rest = (rest / base).floor();
    }
    digits.iter().rev().collect()
}

/// Plain notation; `trailing` keeps zeros at the end.
fn decimal(
    out: &mut String,
    value: f64,
    style: Style,
    trailing: bool,
    precision: f64,
) -> Result<(), Overflow> {
    let magnitude = value.abs();
    let denominator = finite(pow10(precision))?;
    let numerator = finite(finite(magnitude * denominator)? + 0.5)?;
    let units = if magnitude > 0.0 {
        finite(numerator / denominator)?.floor()
    } else {
        0.0
    };
    let fraction = numerator.floor() % denominator;
    let dot = if precision == 0.0 && !style.alternate {
        0.0
    } else {
        1.0
    };
    let zeros = style.zeros - precision - dot;
    integer(
        out,
        value < 0.0,
        units,
        0.0,
        Style { zeros, ..style },
        Radix::TEN,
    );
    if precision == 0.0 {
        if style.alternate {
            out.push('.');
        }
        return Ok(());
    }
    if trailing || fraction > 0.0 {
        out.push('.');
        let plain = Style {
            zeros: precision,
            blank: false,
            plus: false,
            ..style
        };
        integer(out, false, fraction, 0.0, plain, Radix::TEN);
        if !trailing {
            out.truncate(out.trim_end_matches('0').len());
        }
    }
    Ok(())
}

/// Scientific notation.
fn scientific(
    out: &mut String,
    value: f64,
    style: Style,
    trailing: bool,
    precision: f64,
) -> Result<(), Overflow> {
    let exponent = exponent(value);
    let mut suffix = String::from(if style.capitals { "E" } else { "e" });
    let signed = Style {
        zeros: 3.0,
        blank: false,
        plus: true,
        alternate: false,
        capitals: false,
    };
    integer(
        &mut suffix,
        exponent < 0.0,
        exponent.abs(),
        0.0,
        signed,
        Radix::TEN,
    );
    // The power of ten of the least subnormal is zero.
    let mantissa = if exponent == -324.0 {
        value * 10.0 / pow10(exponent + 1.0)
    } else {
        value / pow10(exponent)
    };
    let zeros = style.zeros - suffix.len() as f64;
    decimal(
        out,
        finite(mantissa)?,
        Style { zeros, ..style },
        trailing,
        precision,
    )?;
    out.push_str(&suffix);
    Ok(())
}

fn general(out: &mut String, value: f64, style: Style, precision: f64) -> Result<(), Overflow> {
    let exponent = exponent(value);
    if exponent < -4.0 || exponent >= precision {
        return scientific(out, value, style, style.alternate, precision - 1.0);
    }
    let before_point = (exponent + 1.0).max(1.0);
    decimal(out, value, style, style.alternate, precision - before_point)
}

fn exponent(value: f64) -> f64 {
    if value == 0.0 {
        0.0
    } else {
        (log(value.abs()) / log(10.0)).floor()
    }
}

fn finite(value: f64) -> Result<f64, Overflow> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Overflow)
    }
}
