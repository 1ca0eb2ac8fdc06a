//! What is wrong with a text that is no JSON, in the words of Go's
//! `encoding/json`, which `std.parseJson` reports.
//!
//! A second reading, for the message only: the state of a reader that takes a
//! byte at a time, and the context in which a byte did not fit.

/// The complaint about a text that no JSON parser takes.
pub fn of(text: &str) -> String {
    let mut reader = Reader {
        bytes: text.as_bytes(),
        at: 0,
        open: Vec::new(),
    };
    match reader.document() {
        Err(Complaint::End) => "unexpected end of JSON input".into(),
        Err(Complaint::Byte(context)) => {
            // At the end Go's reader is given a blank.
            let byte = text.as_bytes().get(reader.at).copied().unwrap_or(b' ');
            format!("invalid character {} {context}", quoted(byte))
        }
        Ok(()) => "exceeded max depth".into(),
    }
}

enum Complaint {
    End,
    /// The byte at which the reader stands, and why.
    Byte(&'static str),
}

type Step = Result<(), Complaint>;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The containers around: whether each is an object.
    open: Vec<bool>,
}

const HEX: &str = "in \\u hexadecimal character escape";
const VALUE: &str = "looking for beginning of value";

impl Reader<'_> {
    fn peek(&self) -> Result<u8, Complaint> {
        self.bytes.get(self.at).copied().ok_or(Complaint::End)
    }

    /// The next byte where no blank may stand: then the end is one.
    fn within(&self, context: &'static str) -> Result<u8, Complaint> {
        self.peek().map_err(|_| Complaint::Byte(context))
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Ok(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn document(&mut self) -> Step {
        self.value()?;
        while let Some(&object) = self.open.last() {
            self.blanks();
            match (self.peek()?, object) {
                (b',', true) => {
                    self.at += 1;
                    self.blanks();
                    self.name()?;
                    self.value()?;
                }
                (b',', false) => {
                    self.at += 1;
                    self.value()?;
                }
                (b'}', true) | (b']', false) => {
                    self.at += 1;
                    self.open.pop();
                }
                (_, true) => return Err(Complaint::Byte("after object key:value pair")),
                (_, false) => return Err(Complaint::Byte("after array element")),
            }
        }
        self.blanks();
        match self.peek() {
            Ok(_) => Err(Complaint::Byte("after top-level value")),
            Err(_) => Ok(()),
        }
    }

    /// A value; of a container only its beginning, up to its first scalar.
    fn value(&mut self) -> Step {
        loop {
            self.blanks();
            match self.peek()? {
                b'{' => {
                    self.at += 1;
                    self.blanks();
                    if self.peek()? == b'}' {
                        self.at += 1;
                        return Ok(());
                    }
                    self.open.push(true);
                    self.name()?;
                }
                b'[' => {
                    self.at += 1;
                    self.blanks();
                    if self.peek()? == b']' {
                        self.at += 1;
                        return Ok(());
                    }
                    self.open.push(false);
                }
                b'"' => return self.string(),
                b'-' | b'0'..=b'9' => return self.number(),
                b't' => {
                    return self.word(
                        b"true",
                        [
                            "",
                            "in literal true (expecting 'r')",
                            "in literal true (expecting 'u')",
                            "in literal true (expecting 'e')",
                            "",
                        ],
                    );
                }
                b'f' => {
                    return self.word(
                        b"false",
                        [
                            "",
                            "in literal false (expecting 'a')",
                            "in literal false (expecting 'l')",
                            "in literal false (expecting 's')",
                            "in literal false (expecting 'e')",
                        ],
                    );
                }
                b'n' => {
                    return self.word(
                        b"null",
                        [
                            "",
                            "in literal null (expecting 'u')",
                            "in literal null (expecting 'l')",
                            "in literal null (expecting 'l')",
                            "",
                        ],
                    );
                }
                _ => return Err(Complaint::Byte(VALUE)),
            }
        }
    }

    fn name(&mut self) -> Step {
        if self.peek()? != b'"' {
            return Err(Complaint::Byte(
                "looking for beginning of object key string",
            ));
        }
        self.string()?;
        self.blanks();
        if self.peek()? != b':' {
            return Err(Complaint::Byte("after object key"));
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &[u8], contexts: [&'static str; 5]) -> Step {
        for (&letter, context) in word.iter().zip(contexts) {
            if self.within(context)? != letter {
                return Err(Complaint::Byte(context));
            }
            self.at += 1;
        }
        Ok(())
    }

    fn string(&mut self) -> Step {
        self.at += 1;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    self.at += 1;
                    self.escape()?;
                }
                0..0x20 => return Err(Complaint::Byte("in string literal")),
                _ => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Step {
        let letter = self.within("in string escape code")?;
        if !matches!(
            letter,
            b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"' | b'u'
        ) {
            return Err(Complaint::Byte("in string escape code"));
        }
        self.at += 1;
        if letter == b'u' {
            for _ in 0..4 {
                if !self.within(HEX)?.is_ascii_hexdigit() {
                    return Err(Complaint::Byte(HEX));
                }
                self.at += 1;
            }
        }
        Ok(())
    }

    fn digits(&mut self, context: &'static str) -> Step {
        if !self.within(context)?.is_ascii_digit() {
            return Err(Complaint::Byte(context));
        }
        while self.peek().is_ok_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Step {
        if self.peek()? == b'-' {
            self.at += 1;
        }
        if self.peek().is_ok_and(|byte| byte == b'0') {
            self.at += 1;
        } else {
            self.digits("in numeric literal")?;
        }
        if self.peek().is_ok_and(|byte| byte == b'.') {
            self.at += 1;
            self.digits("after decimal point in numeric literal")?;
        }
        if self.peek().is_ok_and(|byte| matches!(byte, b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Ok(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits("in exponent of numeric literal")?;
        }
        Ok(())
    }
}

/// A byte as a character of Latin-1 in single quotes.
fn quoted(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".into(),
        b'"' => "'\"'".into(),
        b'\\' => "'\\\\'".into(),
        7 => "'\\a'".into(),
        8 => "'\\b'".into(),
        9 => "'\\t'".into(),
        10 => "'\\n'".into(),
        11 => "'\\v'".into(),
        12 => "'\\f'".into(),
        13 => "'\\r'".into(),
        0..0x20 | 0x7f => format!("'\\x{byte:02x}'"),
        0x80..0xa0 | 0xad => format!("'\\u{byte:04x}'"),
        _ => format!("'{}'", char::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn in_the_words_of_go() {
        let cases = [
            ("", "unexpected end of JSON input"),
            ("[1", "unexpected end of JSON input"),
            ("\"a", "unexpected end of JSON input"),
            ("[1,", "unexpected end of JSON input"),
            (
                "tru",
                "invalid character ' ' in literal true (expecting 'e')",
            ),
            ("-", "invalid character ' ' in numeric literal"),
            ("1e", "invalid character ' ' in exponent of numeric literal"),
            ("x", "invalid character 'x' looking for beginning of value"),
            (
                "[1,]",
                "invalid character ']' looking for beginning of value",
            ),
            (
                "{a}",
                "invalid character 'a' looking for beginning of object key string",
            ),
            ("{\"a\" 1}", "invalid character '1' after object key"),
            (
                "{\"a\":1 2}",
                "invalid character '2' after object key:value pair",
            ),
            ("[1 2]", "invalid character '2' after array element"),
            ("1 2", "invalid character '2' after top-level value"),
            ("01", "invalid character '1' after top-level value"),
            (
                "trux",
                "invalid character 'x' in literal true (expecting 'e')",
            ),
            ("-x", "invalid character 'x' in numeric literal"),
            (
                "1.x",
                "invalid character 'x' after decimal point in numeric literal",
            ),
            (
                "1ex",
                "invalid character 'x' in exponent of numeric literal",
            ),
            ("\"\\x\"", "invalid character 'x' in string escape code"),
            (
                "\"\\u12x\"",
                "invalid character 'x' in \\u hexadecimal character escape",
            ),
            ("\"\n\"", "invalid character '\\n' in string literal"),
            ("é", "invalid character 'Ã' looking for beginning of value"),
        ];
        for (text, complaint) in cases {
            assert_eq!(of(text), complaint, "{text}");
        }
    }
}
