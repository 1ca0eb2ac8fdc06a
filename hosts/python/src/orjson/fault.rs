//! What the original says of a malformed document, and where.
//!
//! Its reader (yyjson 0.12) stops at another place than ours for some faults,
//! and has names of its own for them. This scanner goes through a document
//! that has failed already, and finds the fault as that reader does. It makes
//! no values, and the time it takes matters little.
//!
//! Where a document just ends, that is the fault: "unexpected end of data" at
//! its end, instead of whatever would be said there.

/// A fault and its index in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub message: &'static str,
    pub at: usize,
}

const END: &str = "unexpected end of data";
const VALUE: &str = "unexpected character, expected a JSON value";

/// How deep containers may be nested.
const MAX_DEPTH: usize = 1024;

/// Finds the fault in `text`, which is UTF-8 and not empty.
pub fn find(text: &[u8]) -> Fault {
    let mut scanner = Scanner { text, at: 0 };
    let fault = match scanner.document() {
        Err(fault) => fault,
        // Not reached for what our own reader refuses.
        Ok(()) => Fault {
            message: VALUE,
            at: 0,
        },
    };
    if fault.at == 0 && text.starts_with(b"\xEF\xBB\xBF") {
        return Fault {
            message: "UTF-8 byte order mark (BOM) is not supported",
            at: 0,
        };
    }
    fault
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

type Result<T> = core::result::Result<T, Fault>;

impl Scanner<'_> {
    /// The byte at `index`; 0 behind the end, as the original pads it.
    fn byte(&self, index: usize) -> u8 {
        self.text.get(index).copied().unwrap_or(0)
    }

    fn here(&self) -> u8 {
        self.byte(self.at)
    }

    /// A fault at `at`, or that the document ends there.
    fn fault<T>(&self, message: &'static str, at: usize) -> Result<T> {
        if at >= self.text.len() {
            return self.end();
        }
        Err(Fault { message, at })
    }

    fn end<T>(&self) -> Result<T> {
        Err(Fault {
            message: END,
            at: self.text.len(),
        })
    }

    fn skip_blanks(&mut self) {
        while matches!(self.here(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    fn document(&mut self) -> Result<()> {
        self.skip_blanks();
        if self.at >= self.text.len() {
            return Err(Fault {
                message: "input data is empty",
                at: 0,
            });
        }
        if matches!(self.here(), b'[' | b'{') {
            self.containers()?;
        } else {
            self.scalar()?;
        }
        self.skip_blanks();
        if self.at < self.text.len() {
            return self.fault("unexpected content after document", self.at);
        }
        Ok(())
    }

    /// The container that begins here, with all inside of it.
    fn containers(&mut self) -> Result<()> {
        // For each open one, whether it is an object.
        let mut open = Vec::new();
        // Whether a value has just ended, rather than one is to begin.
        let mut ended = false;
        // Whether something stands before, in the innermost container.
        let mut filled = false;
        loop {
            self.skip_blanks();
            let Some(&is_object) = open.last() else {
                if ended {
                    return Ok(());
                }
                filled = self.begin(&mut open)?;
                continue;
            };
            if ended {
                (ended, filled) = (self.follow(&mut open, is_object)?, true);
                continue;
            }
            let closing = if is_object { b'}' } else { b']' };
            if self.here() == closing {
                if filled {
                    // The comma is the last thing that is not blank.
                    let before = &self.text[..self.at];
                    let comma = before.iter().rposition(|&byte| byte == b',');
                    return self.fault("trailing comma is not allowed", comma.unwrap_or(0));
                }
                self.at += 1;
                open.pop();
                ended = true;
                continue;
            }
            if is_object {
                self.key()?;
            }
            if matches!(self.here(), b'[' | b'{') {
                filled = self.begin(&mut open)?;
            } else {
                self.scalar()?;
                ended = true;
            }
        }
    }

    /// Enters the container that begins here; there is nothing in it yet.
    fn begin(&mut self, open: &mut Vec<bool>) -> Result<bool> {
        open.push(self.here() == b'{');
        self.at += 1;
        if open.len() > MAX_DEPTH {
            // Said even at the end of the document.
            return Err(Fault {
                message: "depth limit exceeded",
                at: self.at,
            });
        }
        Ok(false)
    }

    /// What comes behind a value; whether that is the end of its container.
    fn follow(&mut self, open: &mut Vec<bool>, is_object: bool) -> Result<bool> {
        let (closing, message) = if is_object {
            (b'}', "unexpected character, expected ',' or '}'")
        } else {
            (b']', "unexpected character, expected ',' or ']'")
        };
        if self.here() != b',' && self.here() != closing {
            return self.fault(message, self.at);
        }
        self.at += 1;
        if self.byte(self.at - 1) == closing {
            open.pop();
            return Ok(true);
        }
        Ok(false)
    }

    /// A member's name, its colon and the blanks before the value.
    fn key(&mut self) -> Result<()> {
        if self.here() != b'"' {
            return self.fault("unexpected character, expected a string key", self.at);
        }
        self.string()?;
        self.skip_blanks();
        if self.here() != b':' {
            return self.fault("unexpected character, expected ':' after key", self.at);
        }
        self.at += 1;
        self.skip_blanks();
        Ok(())
    }

    fn scalar(&mut self) -> Result<()> {
        match self.here() {
            b'"' => self.string(),
            b'.' | b'-' | b'+' | b'0'..=b'9' => self.number(),
            b't' => self.literal("true", "invalid literal, expected 'true'"),
            b'f' => self.literal("false", "invalid literal, expected 'false'"),
            b'n' => self.literal("null", "invalid literal, expected 'null'"),
            _ => self.fault(VALUE, self.at),
        }
    }

    fn literal(&mut self, word: &str, message: &'static str) -> Result<()> {
        let rest = &self.text[self.at..];
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(());
        }
        if word.as_bytes().starts_with(rest) {
            return self.end();
        }
        self.fault(message, self.at)
    }

    fn skip_digits(&mut self) {
        while self.here().is_ascii_digit() {
            self.at += 1;
        }
    }

    fn number(&mut self) -> Result<()> {
        let start = self.at;
        self.at += usize::from(self.here() == b'-');
        if !self.here().is_ascii_digit() {
            return self.fault("no digit after sign", self.at);
        }
        if self.here() == b'0' && self.byte(self.at + 1).is_ascii_digit() {
            return self.fault("number with leading zero is not allowed", self.at);
        }
        self.skip_digits();
        if self.here() == b'.' {
            self.at += 1;
            if !self.here().is_ascii_digit() {
                return self.fault("no digit after decimal point", self.at);
            }
            self.skip_digits();
        }
        if matches!(self.here(), b'e' | b'E') {
            self.at += 1;
            self.at += usize::from(matches!(self.here(), b'+' | b'-'));
            if !self.here().is_ascii_digit() {
                return self.fault("no digit after exponent sign", self.at);
            }
            self.skip_digits();
        }
        let text = core::str::from_utf8(&self.text[start..self.at]);
        let value: f64 = text.ok().and_then(|text| text.parse().ok()).unwrap_or(0.0);
        if value.is_infinite() {
            return self.fault("number is infinity when parsed as double", start);
        }
        Ok(())
    }

    fn string(&mut self) -> Result<()> {
        self.at += 1;
        loop {
            match self.here() {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.escape()?,
                0..0x20 => {
                    return self.fault("unexpected control character in string", self.at);
                }
                _ => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<()> {
        let at = self.at;
        match self.byte(at + 1) {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {
                self.at += 2;
                Ok(())
            }
            b'u' => self.unicode_escape(),
            _ => self.escape_fault("invalid escaped sequence in string", at),
        }
    }

    fn unicode_escape(&mut self) -> Result<()> {
        let at = self.at;
        let Some(first) = self.hex(at + 2) else {
            return self.escape_fault("invalid escaped sequence in string", at);
        };
        self.at += 6;
        if first & 0xF800 != 0xD800 {
            return Ok(());
        }
        if first & 0xFC00 != 0xD800 {
            return self.escape_fault("invalid high surrogate in string", at);
        }
        if self.byte(at + 6) != b'\\' || self.byte(at + 7) != b'u' {
            return self.escape_fault("no low surrogate in string", at);
        }
        match self.hex(at + 8) {
            None => self.escape_fault("invalid escape in string", at),
            Some(second) if second & 0xFC00 != 0xDC00 => {
                self.escape_fault("invalid low surrogate in string", at)
            }
            Some(_) => {
                self.at += 6;
                Ok(())
            }
        }
    }

    fn hex(&self, at: usize) -> Option<u32> {
        let digits = (at..at + 4).map(|i| char::from(self.byte(i)).to_digit(16));
        digits.reduce(|high, low| Some(high? << 4 | low?))?
    }

    /// A fault of the escape at `at`, unless it is the beginning of a right
    /// one that the end of the document cuts off.
    fn escape_fault<T>(&self, message: &'static str, at: usize) -> Result<T> {
        let rest = &self.text[at..];
        let cut_off = match rest.len() {
            1 => true,
            2..=5 => rest[1] == b'u' && rest[2..].iter().all(u8::is_ascii_hexdigit),
            6..=11 => self.is_half_pair(at),
            _ => false,
        };
        if cut_off {
            return self.end();
        }
        self.fault(message, at)
    }

    /// Whether what remains is a surrogate and the beginning of its partner.
    fn is_half_pair(&self, at: usize) -> bool {
        let partner = &self.text[at + 6..];
        let fits = |(i, byte): (usize, &u8)| match i {
            0 => *byte == b'\\',
            1 => *byte == b'u',
            2 => matches!(byte, b'd' | b'D'),
            3 => matches!(byte, b'c'..=b'f' | b'C'..=b'F'),
            _ => byte.is_ascii_hexdigit(),
        };
        self.byte(at + 1) == b'u'
            && self
                .hex(at + 2)
                .is_some_and(|first| first & 0xF800 == 0xD800)
            && partner.iter().enumerate().all(fits)
    }
}
