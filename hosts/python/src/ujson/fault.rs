//! What ujson says about a text that it refuses.
//!
//! Called when the parser has refused one: reads it once more from its
//! beginning, in ujson's way, as far as the fault, and makes no objects. The
//! parser stops at the first fault, as ujson does but for one: an array or
//! object in place of a key, which ujson reads, notes and goes on behind.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use linecaster_decode::SyntaxError;

use crate::args::set_error;
use crate::ffi::owned::Owned;

/// The deepest nesting that ujson reads.
const DEEPEST: usize = 1024;

/// Why the reading ends.
enum Fault {
    /// ujson's text.
    Text(&'static str),
    /// An exception is set.
    Raised,
}

/// What was read last, as far as it counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    String,
    Other,
}

/// Sets the exception that ujson raises for `text`.
///
/// # Safety
/// The GIL is held, and `text` is a `str`, `bytes` or `bytearray`.
#[cold]
pub unsafe fn raise(text: *mut PyObject, error: &SyntaxError) {
    // SAFETY: each kind of object is read as what it is, and nothing changes
    // it meanwhile.
    unsafe {
        if py::PyUnicode_Check(text) != 0 {
            let encoded =
                py::PyUnicode_AsEncodedString(text, c"utf-8".as_ptr(), c"surrogatepass".as_ptr());
            if let Some(encoded) = Owned::from_new(encoded) {
                raise(encoded.as_ptr(), error);
            }
            return;
        }
        let (data, len) = if py::PyBytes_Check(text) != 0 {
            (py::PyBytes_AsString(text), py::PyBytes_Size(text))
        } else {
            (py::PyByteArray_AsString(text), py::PyByteArray_Size(text))
        };
        let mut reader = Reader {
            text: core::slice::from_raw_parts(data.cast_const().cast(), len as usize),
            at: 0,
            depth: 0,
            last: Last::Other,
            bad_key: false,
        };
        let message = match reader.document() {
            // Set before what came later, and not replaced by it.
            _ if reader.bad_key && py::PyErr_Occurred().is_null() => {
                "Invalid JSON: object keys must be strings"
            }
            Err(Fault::Text(text)) => text,
            Err(Fault::Raised) => return,
            // The parser refuses nothing else.
            Ok(()) => error.reason.message(),
        };
        set_error(super::decode_error(), message);
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
    last: Last,
    /// An array or object stood in place of a key.
    bad_key: bool,
}

type Read = Result<(), Fault>;

const fn fault(text: &'static str) -> Read {
    Err(Fault::Text(text))
}

impl Reader<'_> {
    /// The byte at `at`; 0 behind the end, as in a C string.
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// Takes the next byte.
    fn take(&mut self) -> u8 {
        let byte = self.byte(self.at);
        self.at += 1;
        byte
    }

    fn skip(&mut self) {
        while matches!(self.byte(self.at), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    fn document(&mut self) -> Read {
        self.value()?;
        self.skip();
        if self.at != self.text.len() {
            return fault("Trailing data");
        }
        Ok(())
    }

    fn value(&mut self) -> Read {
        self.skip();
        match self.byte(self.at) {
            b'"' => self.string(),
            b'0'..=b'9' | b'I' | b'N' | b'-' => self.number(),
            b'[' => self.array(),
            b'{' => self.object(),
            b't' => self.word(b"true", "Unexpected character found when decoding 'true'"),
            b'f' => self.word(b"false", "Unexpected character found when decoding 'false'"),
            b'n' => self.word(b"null", "Unexpected character found when decoding 'null'"),
            _ => fault("Expected object or value"),
        }
    }

    fn word(&mut self, word: &[u8], text: &'static str) -> Read {
        for &byte in word {
            if self.take() != byte {
                return fault(text);
            }
        }
        self.last = Last::Other;
        Ok(())
    }

    fn number(&mut self) -> Read {
        let start = self.at;
        let negative = self.byte(start) == b'-';
        self.at += usize::from(negative);
        match self.byte(self.at) {
            b'I' if negative => {
                let text = "Unexpected character found when decoding '-Infinity'";
                return self.word(b"Infinity", text);
            }
            b'I' => {
                let text = "Unexpected character found when decoding 'Infinity'";
                return self.word(b"Infinity", text);
            }
            b'N' if !negative => {
                return self.word(b"NaN", "Unexpected character found when decoding 'NaN'");
            }
            _ => {}
        }
        self.last = Last::Other;
        let first = self.at;
        self.digits();
        if matches!(self.byte(self.at), b'.' | b'e' | b'E') {
            // Nothing is taken of what is no number.
            self.at = self.float_end(first).unwrap_or(start);
            return Ok(());
        }
        self.check_digits(start)
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.byte(self.at).is_ascii_digit() {
            self.at += 1;
        }
        self.at - start
    }

    /// Where the float ends whose digits begin at `first` and which the
    /// reader has read to the end of its integer part.
    fn float_end(&mut self, first: usize) -> Option<usize> {
        let mut digits = self.at - first;
        if self.byte(self.at) == b'.' {
            self.at += 1;
            digits += self.digits();
        }
        if digits == 0 {
            return None;
        }
        let end = self.at;
        if matches!(self.take(), b'e' | b'E') {
            if matches!(self.byte(self.at), b'+' | b'-') {
                self.at += 1;
            }
            if self.digits() > 0 {
                return Some(self.at);
            }
        }
        Some(end)
    }

    /// Raises what the interpreter raises for an integer of too many digits.
    fn check_digits(&mut self, start: usize) -> Read {
        // The least limit that can be set is 640.
        if self.at - start < 640 {
            return Ok(());
        }
        let mut digits = self.text[start..self.at].to_vec();
        digits.push(0);
        // SAFETY: the digits end with a NUL.
        let number = unsafe {
            let end = core::ptr::null_mut();
            Owned::from_new(py::PyLong_FromString(digits.as_ptr().cast(), end, 10))
        };
        number.map(drop).ok_or(Fault::Raised)
    }

    fn enter(&mut self) -> Read {
        self.depth += 1;
        if self.depth > DEEPEST {
            return fault("Reached object decoding depth limit");
        }
        self.last = Last::Other;
        self.at += 1;
        Ok(())
    }

    fn array(&mut self) -> Read {
        self.enter()?;
        let mut first = true;
        loop {
            self.skip();
            if self.byte(self.at) == b']' {
                if first {
                    self.at += 1;
                    break;
                }
                return fault("Unexpected character found when decoding array value (1)");
            }
            self.value()?;
            self.skip();
            match self.take() {
                b']' => break,
                b',' => first = false,
                _ => return fault("Unexpected character found when decoding array value (2)"),
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn object(&mut self) -> Read {
        const UNEXPECTED: &str = "Unexpected character in found when decoding object value";
        self.depth += 1;
        if self.depth > DEEPEST {
            return fault("Reached object decoding depth limit");
        }
        self.at += 1;
        let mut first = true;
        loop {
            self.skip();
            if self.byte(self.at) == b'}' {
                if first {
                    self.at += 1;
                    break;
                }
                return fault(UNEXPECTED);
            }
            self.last = Last::Other;
            let is_string = self.byte(self.at) == b'"';
            self.value()?;
            // What an array or object ends with passes for the key.
            if self.last != Last::String {
                return fault("Key name of object must be 'string' when decoding 'object'");
            }
            self.skip();
            if self.take() != b':' {
                return fault("No ':' found when decoding object value");
            }
            self.skip();
            self.value()?;
            self.bad_key |= !is_string;
            self.skip();
            match self.take() {
                b'}' => break,
                b',' => first = false,
                _ => return fault(UNEXPECTED),
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn string(&mut self) -> Read {
        self.at += 1;
        loop {
            match self.byte(self.at) {
                0 => return fault("Unmatched '\"' when decoding 'string'"),
                b'"' => break,
                b'\\' => self.escape()?,
                0x80.. => self.sequence()?,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        self.last = Last::String;
        Ok(())
    }

    fn escape(&mut self) -> Read {
        self.at += 1;
        match self.take() {
            b'\\' | b'"' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(()),
            b'u' => self.hex(),
            0 => fault("Unterminated escape sequence when decoding 'string'"),
            _ => fault("Unrecognized escape sequence when decoding 'string'"),
        }
    }

    fn hex(&mut self) -> Read {
        for _ in 0..4 {
            match self.take() {
                b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' => {}
                0 => return fault("Unterminated unicode escape sequence when decoding 'string'"),
                _ => {
                    return fault(
                        "Unexpected character in unicode escape sequence when decoding 'string'",
                    );
                }
            }
        }
        Ok(())
    }

    /// A sequence of UTF-8 that begins with a byte above ASCII.
    fn sequence(&mut self) -> Read {
        const BEYOND: &str = "Code point > U+10FFFF encountered whilst decoding 'string'";
        let first = self.take();
        let (more, bits, least, overlong) = match first {
            ..0xC0 => {
                return fault(
                    "Found UTF-8 continuation byte without corresponding start byte when \
                     decoding 'string'",
                );
            }
            0xC0..0xE0 => (
                1,
                first & 0x1F,
                0x80,
                "Overlong 2-byte UTF-8 sequence detected when decoding 'string'",
            ),
            0xE0..0xF0 => (
                2,
                first & 0x0F,
                0x800,
                "Overlong 3-byte UTF-8 sequence detected when encoding string",
            ),
            0xF0..0xF5 => (
                3,
                first & 0x07,
                0x1_0000,
                "Overlong 4-byte UTF-8 sequence detected when decoding 'string'",
            ),
            0xF5..0xF8 => return fault(BEYOND),
            0xF8.. => return fault("Invalid UTF-8 sequence length when decoding 'string'"),
        };
        let mut code_point = u32::from(bits);
        for _ in 0..more {
            let byte = self.take();
            if byte & 0xC0 != 0x80 {
                return fault("Invalid UTF-8 continuation byte when decoding 'string'");
            }
            code_point = code_point << 6 | u32::from(byte & 0x3F);
        }
        if code_point < least {
            return fault(overlong);
        }
        if code_point > 0x10_FFFF {
            return fault(BEYOND);
        }
        Ok(())
    }
}
