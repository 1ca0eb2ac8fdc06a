//! Text that does not come from the emitter: what `__json__` returns, which is
//! written as it is, and `bytes` that stand for strings.
//!
//! ujson makes UTF-8 and decodes it in the end. Only then does it see bytes
//! that are not UTF-8, so what it raises for them tells their place in the
//! whole output. Where our output is UTF-8, such bytes are written as they are
//! and the door decodes the output, too. Where the output is code units, each
//! of them becomes a unit beyond Unicode, above [`MARK`], in an output of the
//! widest form; [`marked_utf8`] makes UTF-8 of that.

use linecaster_formats::Emitter;
use linecaster_kernel::output::Output;
use linecaster_kernel::plain;
use linecaster_kernel::policy::{NonAscii, Policy};
use linecaster_kernel::sink::VecSink;
use linecaster_kernel::text::Unit;
use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use crate::encode::door::Door;
use crate::encode::error::Failure;
use crate::encode::target::Form;
use crate::encode::walk::{Foreign, Json, Leaf, Step, Walk};
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::str::{self, Chars};

/// What is added to a byte that is no part of a character.
pub const MARK: u32 = 0x11_0000;

/// Writes `text`, a `str` or `bytes`, in place of `item`.
///
/// # Safety
/// Both are of these types and owned.
pub unsafe fn splice<O: Output, D: Door>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, D>,
    text: Owned,
    item: Owned,
) -> Step {
    // SAFETY: as the caller says.
    unsafe {
        let is_bytes = py::PyBytes_Check(text.as_ptr()) != 0;
        if O::UTF8 {
            let bytes = if is_bytes {
                text
            } else {
                let encoded = py::PyUnicode_AsEncodedString(
                    text.as_ptr(),
                    c"utf-8".as_ptr(),
                    c"surrogatepass".as_ptr(),
                );
                match Owned::from_new(encoded) {
                    Some(encoded) => encoded,
                    None => return walk.fail(Failure::Raised),
                }
            };
            raw_utf8(walk, emitter, contents(&bytes));
            return Step::Next;
        }
        let text = if is_bytes {
            match decoded(&text) {
                Ok(Some(text)) => text,
                Ok(None) if walk.form < Form::Ucs4 => {
                    walk.foreign = Foreign::Waiting(text);
                    return walk.finish_value(emitter, Leaf::Widen(Form::Ucs4), item);
                }
                Ok(None) => {
                    walk.foreign = Foreign::Written;
                    emitter.raw(&native::<O>(marked(contents(&text))));
                    return Step::Next;
                }
                Err(Raised) => return walk.fail(Failure::Raised),
            }
        } else {
            text
        };
        let Some(chars) = str::chars(text.as_ptr()) else {
            return walk.fail(Failure::Raised);
        };
        let (form, units) = match chars {
            Chars::Ascii(units) => (Form::Ascii, native::<O>(widened(units))),
            Chars::Latin1(units) => (Form::Latin1, native::<O>(widened(units))),
            Chars::Ucs2(units) => (Form::Ucs2, native::<O>(widened(units))),
            Chars::Ucs4(units) => (Form::Ucs4, native::<O>(widened(units))),
        };
        if walk.form < form {
            walk.foreign = Foreign::Waiting(text);
            return walk.finish_value(emitter, Leaf::Widen(form), item);
        }
        emitter.raw(&units);
        Step::Next
    }
}

/// Writes `item`, a `bytes`, as the string that it holds as UTF-8.
///
/// # Safety
/// It is owned.
pub unsafe fn bytes<O: Output, D: Door>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, D>,
    item: Owned,
) -> Step {
    // SAFETY: the item is a `bytes`, and what it is decoded to a `str`.
    unsafe {
        match decoded(&item) {
            Ok(Some(text)) => {
                let leaf = walk.string::<O, D, false>(emitter, text.as_ptr());
                return walk.finish_value(emitter, leaf, text);
            }
            Ok(None) => {}
            Err(Raised) => return walk.fail(Failure::Raised),
        }
        let mut text = vec![b'"'];
        if let Err(failure) = escape::<D>(contents(&item), &mut text) {
            return walk.fail(failure);
        }
        text.push(b'"');
        if O::UTF8 {
            raw_utf8(walk, emitter, &text);
        } else if walk.form < Form::Ucs4 {
            return walk.finish_value(emitter, Leaf::Widen(Form::Ucs4), item);
        } else {
            walk.foreign = Foreign::Written;
            emitter.raw(&native::<O>(marked(&text)));
        }
        Step::Next
    }
}

/// Writes a member whose key is a `bytes` that holds UTF-8.
///
/// # Safety
/// Both are owned.
pub unsafe fn bytes_member<O: Output, D: Door>(
    walk: &mut Walk<'_>,
    emitter: &mut Json<'_, O, D>,
    key: Owned,
    value: Owned,
) -> Step {
    // SAFETY: the key is a `bytes`, and what it is decoded to a `str`.
    unsafe {
        match decoded(&key) {
            Ok(Some(text)) => return walk.str_member(emitter, text, value),
            Ok(None) => {}
            Err(Raised) => return walk.fail(Failure::Raised),
        }
        let mut text = Vec::new();
        if let Err(failure) = escape::<D>(contents(&key), &mut text) {
            return walk.fail(failure);
        }
        if !O::UTF8 && walk.form < Form::Ucs4 {
            return walk.key_not_written(Leaf::Widen(Form::Ucs4), key, value);
        }
        walk.foreign = Foreign::Written;
        if O::UTF8 {
            emitter.raw_key(&text);
        } else {
            emitter.raw_key(&native::<O>(marked(&text)));
        }
        walk.value(emitter, value)
    }
}

fn raw_utf8<O: Output, D: Door>(walk: &mut Walk<'_>, emitter: &mut Json<'_, O, D>, text: &[u8]) {
    if !text.is_ascii() {
        walk.foreign = Foreign::Written;
    }
    emitter.raw(text);
}

/// The content of a `bytes`.
unsafe fn contents(bytes: &Owned) -> &[u8] {
    // SAFETY: the caller gives a `bytes`, which does not change.
    unsafe {
        let data = py::PyBytes_AS_STRING(bytes.as_ptr()).cast();
        core::slice::from_raw_parts(data, py::Py_SIZE(bytes.as_ptr()) as usize)
    }
}

/// The text of a `bytes`; `None` if it is not UTF-8.
unsafe fn decoded(bytes: &Owned) -> Result<Option<Owned>, Raised> {
    // SAFETY: the caller gives a `bytes`.
    unsafe {
        if let Some(text) = Owned::from_new(decode(contents(bytes))) {
            return Ok(Some(text));
        }
        if py::PyErr_ExceptionMatches(py::PyExc_UnicodeDecodeError) == 0 {
            return Err(Raised);
        }
        py::PyErr_Clear();
        Ok(None)
    }
}

/// The `str` that these bytes are in UTF-8, surrogates included; null with an
/// exception set if they are not UTF-8.
///
/// # Safety
/// The GIL is held.
pub unsafe fn decode(text: &[u8]) -> *mut PyObject {
    // SAFETY: the text is as long as it says.
    unsafe {
        py::PyUnicode_DecodeUTF8(
            text.as_ptr().cast(),
            text.len() as Py_ssize_t,
            c"surrogatepass".as_ptr(),
        )
    }
}

fn widened<U: Copy + Into<u32>>(units: &[U]) -> impl Iterator<Item = u32> {
    units.iter().map(|&unit| unit.into())
}

/// Bytes of ASCII as they are, the others marked.
fn marked(text: &[u8]) -> impl Iterator<Item = u32> {
    text.iter().map(|&byte| match byte {
        0..0x80 => u32::from(byte),
        _ => MARK + u32::from(byte),
    })
}

/// Units of the output, in memory's order.
fn native<O: Output>(units: impl Iterator<Item = u32>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in units {
        match O::Unit::WIDTH {
            1 => bytes.push(unit as u8),
            2 => bytes.extend((unit as u16).to_ne_bytes()),
            _ => bytes.extend(unit.to_ne_bytes()),
        }
    }
    bytes
}

/// The UTF-8 of an output of the widest form in which some bytes are marked.
pub fn marked_utf8(output: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut sink = VecSink::new(&mut text);
    for unit in output.chunks_exact(4) {
        let unit = u32::from_ne_bytes([unit[0], unit[1], unit[2], unit[3]]);
        if unit >= MARK {
            sink.sink().write(&[unit as u8]);
        } else {
            plain::code_points::<linecaster_kernel::output::Utf8SurrogatePass>(
                sink.sink(),
                &[unit],
            );
        }
    }
    let _ = sink.finish();
    text
}

/// Escapes a string of bytes that are not UTF-8 as ujson does: where all that
/// is not ASCII is escaped, it looks at the sequences itself, but takes a
/// continuation byte for a character.
fn escape<D: Door>(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Failure> {
    let rules = D::Policy::RULES;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte < 0x80 {
            let spelling = rules.ascii[byte as usize];
            if spelling.is_empty() {
                out.push(byte);
            } else {
                out.extend((0..spelling.len()).map(|i| spelling.get(i)));
            }
            at += 1;
        } else if rules.non_ascii == NonAscii::Keep || matches!(byte, 0x80..0xC0 | 0xFE..) {
            out.push(byte);
            at += 1;
        } else {
            let (code_point, length) = sequence(&bytes[at..]).map_err(Failure::value)?;
            if code_point >= 0x1_0000 {
                let above = code_point - 0x1_0000;
                let (high, low) = (0xD800 | above >> 10, 0xDC00 | above & 0x3FF);
                out.extend(format!("\\u{high:04x}\\u{low:04x}").bytes());
            } else {
                out.extend(format!("\\u{code_point:04x}").bytes());
            }
            at += length;
        }
    }
    Ok(())
}

/// The code point of the sequence that begins with the first byte, which is
/// 0xC0 or above, and its length.
fn sequence(bytes: &[u8]) -> Result<(u32, usize), &'static str> {
    const CONTINUATION: [&str; 3] = [
        "Invalid continuation byte in 2-byte UTF-8 sequence detected when encoding string",
        "Invalid continuation byte in 3-byte UTF-8 sequence detected when encoding string",
        "Invalid continuation byte in 4-byte UTF-8 sequence detected when encoding string",
    ];
    const OVERLONG: [&str; 3] = [
        "Overlong 2-byte UTF-8 sequence detected when encoding string",
        "Overlong 3-byte UTF-8 sequence detected when encoding string",
        "Overlong 4-byte UTF-8 sequence detected when encoding string",
    ];
    let first = bytes[0];
    let (length, least, bits) = match first {
        ..0xE0 => (2, 0x80, first & 0x1F),
        0xE0..0xF0 => (3, 0x800, first & 0x0F),
        0xF0..0xF8 => (4, 0x1_0000, first & 0x07),
        _ => return Err("Unsupported UTF-8 sequence length when encoding string"),
    };
    let Some(rest) = bytes.get(1..length) else {
        return Err("Unterminated UTF-8 sequence when encoding string");
    };
    if rest.iter().any(|byte| byte & 0xC0 != 0x80) {
        return Err(CONTINUATION[length - 2]);
    }
    if first >= 0xF5 || first == 0xF4 && rest[0] >= 0x90 {
        return Err(">U+10FFFF in 4-byte UTF-8 sequence detected when encoding string");
    }
    let code_point = rest.iter().fold(u32::from(bits), |bits, byte| {
        bits << 6 | u32::from(byte & 0x3F)
    });
    if code_point < least {
        return Err(OVERLONG[length - 2]);
    }
    Ok((code_point, length))
}
