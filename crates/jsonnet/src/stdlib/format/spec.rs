//! The conversion language of `std.format`: `%[(key)][flags][width][.precision][hlL]type`.
//!
//! Source: the Jsonnet standard library's documentation of `std.format`, which
//! follows Python's `%`. Whatever the grammar allows is accepted here; what a
//! code makes of its value is in `render`.

/// Why a format string is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpecError {
    /// The string ends inside of a code.
    Truncated,
    /// The letter at the end of a code stands for nothing.
    Unrecognised(char),
}

/// A width or a precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// A number in the code itself; 0 where none was written.
    Fixed(f64),
    /// `*`: the next value.
    Star,
}

/// What a code writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    /// `d`, `i`, `u`.
    Decimal,
    /// `o`.
    Octal,
    /// `x`, `X`.
    Hex,
    /// `e`, `E`.
    Scientific,
    /// `f`, `F`.
    Float,
    /// `g`, `G`.
    General,
    /// `c`.
    Character,
    /// `s`.
    Text,
    /// `%`: a percent sign, which takes no value.
    Percent,
}

/// One code.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::struct_excessive_bools)]
pub struct Code {
    /// The name in parentheses.
    pub key: Option<Box<str>>,
    /// `#`.
    pub alternate: bool,
    /// `0`.
    pub zero: bool,
    /// `-`.
    pub left: bool,
    /// A blank.
    pub blank: bool,
    /// `+`.
    pub plus: bool,
    /// The least number of characters.
    pub width: Size,
    /// What follows the dot, if there is one.
    pub precision: Option<Size>,
    /// What is written.
    pub conversion: Conversion,
    /// Whether letters are capitals.
    pub capitals: bool,
}

/// A piece of a format string.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Text as it stands: its range of bytes in the format string.
    Literal(usize, usize),
    /// A code.
    Code(Box<Code>),
}

/// Parses a whole format string.
///
/// # Errors
/// [`SpecError`], for the first code that is wrong.
pub fn parse(text: &str) -> Result<Vec<Piece>, SpecError> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('%') {
        if found > 0 {
            pieces.push(Piece::Literal(at, at + found));
        }
        let mut reader = Reader {
            text,
            at: at + found + 1,
        };
        pieces.push(Piece::Code(Box::new(reader.code()?)));
        at = reader.at;
    }
    if at < text.len() {
        pieces.push(Piece::Literal(at, text.len()));
    }
    Ok(pieces)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Result<u8, SpecError> {
        self.text
            .as_bytes()
            .get(self.at)
            .copied()
            .ok_or(SpecError::Truncated)
    }

    fn code(&mut self) -> Result<Code, SpecError> {
        let key = self.key()?;
        let mut code = Code {
            key,
            alternate: false,
            zero: false,
            left: false,
            blank: false,
            plus: false,
            width: Size::Fixed(0.0),
            precision: None,
            conversion: Conversion::Percent,
            capitals: false,
        };
        loop {
            match self.peek()? {
                b'#' => code.alternate = true,
                b'0' => code.zero = true,
                b'-' => code.left = true,
                b' ' => code.blank = true,
                b'+' => code.plus = true,
                _ => break,
            }
            self.at += 1;
        }
        code.width = self.size()?;
        if self.peek()? == b'.' {
            self.at += 1;
            code.precision = Some(self.size()?);
        }
        if matches!(self.peek()?, b'h' | b'l' | b'L') {
            self.at += 1;
        }
        (code.conversion, code.capitals) = self.conversion()?;
        Ok(code)
    }

    fn key(&mut self) -> Result<Option<Box<str>>, SpecError> {
        if self.peek()? != b'(' {
            return Ok(None);
        }
        let from = self.at + 1;
        let length = self.text[from..].find(')').ok_or(SpecError::Truncated)?;
        self.at = from + length + 1;
        Ok(Some(self.text[from..from + length].into()))
    }

    fn size(&mut self) -> Result<Size, SpecError> {
        if self.text.as_bytes().get(self.at) == Some(&b'*') {
            self.at += 1;
            return Ok(Size::Star);
        }
        let mut size = 0.0;
        loop {
            let byte = self.peek()?;
            if !byte.is_ascii_digit() {
                return Ok(Size::Fixed(size));
            }
            size = size * 10.0 + f64::from(byte - b'0');
            self.at += 1;
        }
    }

    fn conversion(&mut self) -> Result<(Conversion, bool), SpecError> {
        self.peek()?;
        let letter = self.text[self.at..]
            .chars()
            .next()
            .ok_or(SpecError::Truncated)?;
        self.at += letter.len_utf8();
        let conversion = match letter.to_ascii_lowercase() {
            'd' | 'i' | 'u' if letter.is_ascii_lowercase() => Conversion::Decimal,
            'o' if letter == 'o' => Conversion::Octal,
            'c' if letter == 'c' => Conversion::Character,
            's' if letter == 's' => Conversion::Text,
            'x' => Conversion::Hex,
            'e' => Conversion::Scientific,
            'f' => Conversion::Float,
            'g' => Conversion::General,
            '%' => Conversion::Percent,
            _ => return Err(SpecError::Unrecognised(letter)),
        };
        Ok((conversion, letter.is_ascii_uppercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Code {
        match parse(text).unwrap().pop().unwrap() {
            Piece::Code(code) => *code,
            Piece::Literal(..) => panic!("no code"),
        }
    }

    #[test]
    fn every_part() {
        let full = code("%(a b)#0- +12.*lX");
        assert_eq!(full.key.as_deref(), Some("a b"));
        assert!(full.alternate && full.zero && full.left && full.blank && full.plus);
        assert_eq!(full.width, Size::Fixed(12.0));
        assert_eq!(full.precision, Some(Size::Star));
        assert_eq!(full.conversion, Conversion::Hex);
        assert!(full.capitals);
        assert_eq!(code("%.f").precision, Some(Size::Fixed(0.0)));
        assert_eq!(code("%5%").conversion, Conversion::Percent);
    }

    #[test]
    fn literals_and_codes() {
        let pieces = parse("a%sé%%b").unwrap();
        assert_eq!(pieces.len(), 5);
        assert_eq!(pieces[0], Piece::Literal(0, 1));
        assert_eq!(pieces[2], Piece::Literal(3, 5));
        assert_eq!(pieces[4], Piece::Literal(7, 8));
        assert!(parse("").unwrap().is_empty());
    }

    #[test]
    fn faults() {
        for text in ["%", "%(a", "%(a)", "%5", "%5.", "%.2", "%l", "a%-"] {
            assert_eq!(parse(text), Err(SpecError::Truncated), "{text}");
        }
        for (text, letter) in [
            ("%y", 'y'),
            ("%D", 'D'),
            ("%S", 'S'),
            ("%é", 'é'),
            ("%lld", 'l'),
        ] {
            assert_eq!(parse(text), Err(SpecError::Unrecognised(letter)), "{text}");
        }
    }
}
