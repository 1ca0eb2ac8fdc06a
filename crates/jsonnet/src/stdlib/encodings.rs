//! Bytes, base 64, digests and escapes.

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use md5::Digest;

use super::args::{Outcome, array, fail, integer, string, text};
use super::table::{Builtin, Param, ready, required};
use crate::error::Error;
use crate::eval::Vm;
use crate::syntax::source::replace_bad_bytes;
use crate::value::{Array, Value};

const STR: &[Param] = &[required("str")];
const S: &[Param] = &[required("s")];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("base64", &[required("input")], encode_base64),
    ready("base64Decode", STR, |vm, args| {
        let bytes = decode_base64(&args[0])?;
        Ok(text(vm, &replace_bad_bytes(&bytes).0))
    }),
    ready("base64DecodeBytes", STR, |vm, args| {
        let bytes = decode_base64(&args[0])?;
        Ok(Value::Array(Array::from_bytes(vm.heap(), &bytes)))
    }),
    ready("decodeUTF8", &[required("arr")], decode_utf8),
    ready("encodeUTF8", STR, |vm, args| {
        let bytes = string(&args[0])?.as_str().as_bytes();
        Ok(Value::Array(Array::from_bytes(vm.heap(), bytes)))
    }),
    ready("md5", S, digest::<md5::Md5>),
    ready("sha1", S, digest::<sha1::Sha1>),
    ready("sha256", S, digest::<sha2::Sha256>),
    ready("sha3", S, digest::<sha3::Sha3_512>),
    ready("sha512", S, digest::<sha2::Sha512>),
];

fn digest<D: Digest>(vm: &mut Vm, args: &[Value]) -> Outcome {
    let digest = D::digest(string(&args[0])?.as_str().as_bytes());
    let mut written = String::with_capacity(2 * digest.len());
    for byte in digest {
        for nibble in [byte >> 4, byte & 15] {
            written.push(char::from(b"0123456789abcdef"[usize::from(nibble)]));
        }
    }
    Ok(text(vm, &written))
}

/// The bytes of an array of whole numbers below 256.
fn bytes(
    vm: &mut Vm,
    items: &Array,
    not_whole: fn(&Value, Box<Error>) -> Box<Error>,
    outside: fn(i64) -> String,
) -> Result<Vec<u8>, Box<Error>> {
    let mut bytes = Vec::with_capacity(items.len());
    for index in 0..items.len() {
        let item = vm.item(items, index)?;
        let whole = integer(&item).map_err(|error| not_whole(&item, error))?;
        let Ok(byte) = u8::try_from(whole) else {
            return fail(outside(whole));
        };
        bytes.push(byte);
    }
    Ok(bytes)
}

fn encode_base64(vm: &mut Vm, args: &[Value]) -> Outcome {
    let outside = |whole: i64| {
        format!(
            "base64 encountered invalid codepoint value in the array \
             (must be 0 <= X <= 255), got {whole}"
        )
    };
    let encoded = match &args[0] {
        Value::Str(string) => {
            let wide = string.as_str().chars().find(|&c| u32::from(c) > 255);
            if let Some(character) = wide {
                return fail(outside(i64::from(u32::from(character))));
            }
            STANDARD.encode(string.as_str())
        }
        Value::Array(items) => {
            let not_whole = |item: &Value, _| {
                let got = item.type_name();
                Error::runtime(format!(
                    "base64 encountered a non-integer value in the array, got {got}"
                ))
            };
            STANDARD.encode(bytes(vm, items, not_whole, outside)?)
        }
        other => {
            return fail(format!(
                "base64 can only base64 encode strings / arrays of single bytes, got {}",
                other.type_name()
            ));
        }
    };
    Ok(text(vm, &encoded))
}

/// As Go's decoder: bits that belong to no byte may be anything.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

fn decode_base64(value: &Value) -> Result<Vec<u8>, Box<Error>> {
    let Value::Str(string) = value else {
        let got = value.type_name();
        return fail(format!("base64DecodeBytes requires a string, got {got}"));
    };
    let text = string.as_str();
    if text.len() % 4 != 0 {
        return fail(format!(
            "input string appears not to be a base64 encoded string. Wrong length found ({})",
            text.len()
        ));
    }
    let compact: String = text.chars().filter(|c| !matches!(c, '\r' | '\n')).collect();
    LENIENT.decode(&compact).or_else(|_| {
        let valid =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'\r' | b'\n');
        let at = text
            .bytes()
            .position(|byte| !valid(byte))
            .unwrap_or(text.len());
        fail(format!(
            "failed to decode: illegal base64 data at input byte {at}"
        ))
    })
}

fn decode_utf8(vm: &mut Vm, args: &[Value]) -> Outcome {
    let outside = |whole| format!("Bytes must be integers in range [0, 255], got {whole}");
    let bytes = bytes(vm, array(&args[0])?, |_, error| error, outside)?;
    Ok(text(vm, &replace_bad_bytes(&bytes).0))
}
