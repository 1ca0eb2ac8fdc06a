//! What a scalar means: the types of YAML 1.1 that Go's library knows.

/// A resolved scalar.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number of 64 bits with a sign.
    Int(i64),
    /// One that has no room in those.
    Uint(u64),
    /// Any other number, infinities and NaN too.
    Float(f64),
    /// Text, and what looks like a timestamp.
    Text,
}

impl Scalar {
    fn tag(&self) -> &'static str {
        match self {
            Self::Null => "!!null",
            Self::Bool(_) => "!!bool",
            Self::Int(_) | Self::Uint(_) => "!!int",
            Self::Float(_) => "!!float",
            Self::Text => "!!str",
        }
    }
}

/// Resolves a plain scalar, or one with a tag (`!!int` and so on, in short).
///
/// # Errors
/// The message, when the text is not of the tag's type.
pub fn resolve(tag: &str, text: &str) -> Result<Scalar, String> {
    let found = match tag {
        "" | "!!bool" | "!!int" | "!!float" | "!!null" | "!!timestamp" => implicit(text),
        _ => return Ok(Scalar::Text),
    };
    match (tag, &found) {
        ("", _) | ("!!timestamp", Scalar::Text) => Ok(found),
        ("!!float", Scalar::Int(whole)) => Ok(Scalar::Float(*whole as f64)),
        (tag, found) if found.tag() == tag => Ok(found.clone()),
        (tag, found) => Err(format!("cannot decode {} `{text}` as a {tag}", found.tag())),
    }
}

fn implicit(text: &str) -> Scalar {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return Scalar::Bool(true);
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Scalar::Bool(false);
        }
        "" | "~" | "null" | "Null" | "NULL" => return Scalar::Null,
        ".nan" | ".NaN" | ".NAN" => return Scalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            return Scalar::Float(f64::INFINITY);
        }
        "-.inf" | "-.Inf" | "-.INF" => return Scalar::Float(f64::NEG_INFINITY),
        _ => {}
    }
    match text.as_bytes()[0] {
        b'.' => match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Scalar::Float(value),
            _ => Scalar::Text,
        },
        b'0'..=b'9' | b'+' | b'-' => number(&text.replace('_', "")),
        _ => Scalar::Text,
    }
}

fn number(text: &str) -> Scalar {
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    if let Some(magnitude) = magnitude(digits) {
        let signed = if negative {
            -i128::from(magnitude)
        } else {
            i128::from(magnitude)
        };
        if let Ok(value) = i64::try_from(signed) {
            return Scalar::Int(value);
        }
        if digits.len() == text.len() {
            return Scalar::Uint(magnitude);
        }
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && is_decimal(digits) => Scalar::Float(value),
        _ => Scalar::Text,
    }
}

/// An unsigned whole number with Go's prefixes; a leading zero means octal.
fn magnitude(digits: &str) -> Option<u64> {
    let lower = digits.get(..2).map(str::to_ascii_lowercase);
    let (base, digits) = match lower.as_deref() {
        Some("0x") => (16, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        Some(_) if digits.starts_with('0') => (8, &digits[1..]),
        _ => (10, digits),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    u64::from_str_radix(digits, base).ok()
}

/// `1`, `1.`, `1.5`, `.5`, each with an exponent or without.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mantissa = digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty());
    mantissa
        && exponent.is_none_or(|part| {
            let part = part.strip_prefix(['+', '-']).unwrap_or(part);
            !part.is_empty() && digits(part)
        })
}
