//! A slow parser that is easy to believe, over code points, and the same
//! document as events from the real one.

use linecaster_decode::{Characters, Error, Options, Reason, Scratch, Visit, parse};
use linecaster_kernel::text::{Ascii, Latin1, Ucs2, Ucs4, Utf8};

/// What a visitor is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Null,
    Boolean(bool),
    Integer(String),
    Float(u64),
    String(Vec<u32>),
    Key(Vec<u32>),
    BeginArray,
    EndArray(usize),
    BeginObject,
    EndObject(usize),
}

/// Writes events down.
#[derive(Default)]
pub struct Recorder(pub Vec<Event>);

/// The characters by both ways of taking them, which must agree.
fn points(characters: Characters<'_>) -> Vec<u32> {
    let points: Vec<u32> = characters.iter().collect();
    assert_eq!(points.len(), characters.count());
    let width = characters.kind().width();
    let mut units = vec![0u32; characters.count() * width / 4 + 2];
    let mut bytes = Vec::new();
    // SAFETY: there is room for all units, aligned for the widest, and four
    // bytes more to show that nothing is written there.
    unsafe {
        characters.write(units.as_mut_ptr().cast());
        let start: *const u8 = units.as_ptr().cast();
        bytes.extend_from_slice(core::slice::from_raw_parts(start, points.len() * width + 4));
    }
    let written: Vec<u32> = bytes[..points.len() * width]
        .chunks_exact(width)
        .map(|unit| match *unit {
            [a] => u32::from(a),
            [a, b] => u32::from(u16::from_ne_bytes([a, b])),
            _ => u32::from_ne_bytes([unit[0], unit[1], unit[2], unit[3]]),
        })
        .collect();
    assert_eq!(written, points);
    assert_eq!(bytes[points.len() * width..], [0; 4]);
    let highest = points.iter().copied().max().unwrap_or(0);
    assert!(highest <= characters.kind().max_char());
    let narrower = [0x7F, 0xFF, 0xFFFF].into_iter().find(|&max| highest <= max);
    assert_eq!(characters.kind().max_char(), narrower.unwrap_or(0x10_FFFF));
    points
}

impl Visit for Recorder {
    type Error = core::convert::Infallible;

    fn null(&mut self) -> Result<(), Self::Error> {
        self.0.push(Event::Null);
        Ok(())
    }
    fn boolean(&mut self, value: bool) -> Result<(), Self::Error> {
        self.0.push(Event::Boolean(value));
        Ok(())
    }
    fn integer(&mut self, value: i64) -> Result<(), Self::Error> {
        self.0.push(Event::Integer(value.to_string()));
        Ok(())
    }
    fn unsigned(&mut self, value: u64) -> Result<(), Self::Error> {
        assert!(i64::try_from(value).is_err());
        self.0.push(Event::Integer(value.to_string()));
        Ok(())
    }
    fn integer_text(&mut self, text: &[u8]) -> Result<(), Self::Error> {
        let text = String::from_utf8(text.to_vec()).unwrap();
        assert!(text.parse::<i64>().is_err() && text.parse::<u64>().is_err());
        self.0.push(Event::Integer(text));
        Ok(())
    }
    fn float(&mut self, value: f64) -> Result<(), Self::Error> {
        self.0.push(Event::Float(value.to_bits()));
        Ok(())
    }
    fn string(&mut self, characters: Characters<'_>) -> Result<(), Self::Error> {
        self.0.push(Event::String(points(characters)));
        Ok(())
    }
    fn key(&mut self, characters: Characters<'_>) -> Result<(), Self::Error> {
        self.0.push(Event::Key(points(characters)));
        Ok(())
    }
    fn begin_array(&mut self) -> Result<(), Self::Error> {
        self.0.push(Event::BeginArray);
        Ok(())
    }
    fn end_array(&mut self, members: usize) -> Result<(), Self::Error> {
        self.0.push(Event::EndArray(members));
        Ok(())
    }
    fn begin_object(&mut self) -> Result<(), Self::Error> {
        self.0.push(Event::BeginObject);
        Ok(())
    }
    fn end_object(&mut self, members: usize) -> Result<(), Self::Error> {
        self.0.push(Event::EndObject(members));
        Ok(())
    }
}

/// The events of a document, or the reason, character, line and column of its
/// error.
pub type Outcome = Result<Vec<Event>, (Reason, usize, usize, usize)>;

macro_rules! outcome {
    ($text:ty, $units:expr) => {{
        let (mut scratch, mut recorder) = (Scratch::default(), Recorder::default());
        let result = parse::<$text, _>($units, &Options::default(), &mut scratch, &mut recorder);
        match result {
            Ok(()) => Ok(recorder.0),
            Err(Error::Visit(never)) => match never {},
            Err(Error::Syntax(e)) => Err((e.reason, e.character, e.line, e.column)),
        }
    }};
}

/// The outcome for bytes.
pub fn from_bytes(bytes: &[u8]) -> Outcome {
    outcome!(Utf8, bytes)
}

/// The outcome in every text that can hold the characters; all are the same.
pub fn from_points(points: &[u32]) -> Outcome {
    let expected = outcome!(Ucs4, points);
    let highest = points.iter().copied().max().unwrap_or(0);
    let string: Option<String> = points.iter().map(|&point| char::from_u32(point)).collect();
    if let Some(string) = string {
        assert_eq!(from_bytes(string.as_bytes()), expected, "UTF-8 {string:?}");
    }
    if highest <= 0xFFFF {
        let units: Vec<u16> = points.iter().map(|&point| point as u16).collect();
        assert_eq!(outcome!(Ucs2, &units), expected, "UCS-2 {points:x?}");
    }
    if highest <= 0xFF {
        let units: Vec<u8> = points.iter().map(|&point| point as u8).collect();
        assert_eq!(outcome!(Latin1, &units), expected, "Latin-1 {points:x?}");
    }
    if highest <= 0x7F {
        let units: Vec<u8> = points.iter().map(|&point| point as u8).collect();
        assert_eq!(outcome!(Ascii, &units), expected, "ASCII {points:x?}");
    }
    expected
}

/// The events of a document by recursive descent, as RFC 8259 has it; `None`
/// if it is not one.
pub fn oracle(points: &[u32]) -> Option<Vec<Event>> {
    let mut reader = Reader {
        points,
        at: 0,
        events: Vec::new(),
    };
    reader.blanks();
    reader.value()?;
    reader.blanks();
    (reader.at == points.len()).then_some(reader.events)
}

struct Reader<'a> {
    points: &'a [u32],
    at: usize,
    events: Vec<Event>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.points
            .get(self.at)
            .map(|&point| char::from_u32(point).unwrap_or('\u{FFFD}'))
    }

    fn take(&mut self, expected: &str) -> Option<()> {
        for c in expected.chars() {
            if self.peek() != Some(c) {
                return None;
            }
            self.at += 1;
        }
        Some(())
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Option<()> {
        match self.peek()? {
            '"' => {
                let string = self.string()?;
                self.events.push(Event::String(string));
            }
            '[' => self.array()?,
            '{' => self.object()?,
            't' => {
                self.take("true")?;
                self.events.push(Event::Boolean(true));
            }
            'f' => {
                self.take("false")?;
                self.events.push(Event::Boolean(false));
            }
            'n' => {
                self.take("null")?;
                self.events.push(Event::Null);
            }
            _ => self.number()?,
        }
        Some(())
    }

    fn array(&mut self) -> Option<()> {
        self.take("[")?;
        self.events.push(Event::BeginArray);
        self.blanks();
        let mut members = 0;
        while self.peek()? != ']' {
            if members > 0 {
                self.take(",")?;
                self.blanks();
            }
            self.value()?;
            self.blanks();
            members += 1;
        }
        self.at += 1;
        self.events.push(Event::EndArray(members));
        Some(())
    }

    fn object(&mut self) -> Option<()> {
        self.take("{")?;
        self.events.push(Event::BeginObject);
        self.blanks();
        let mut members = 0;
        while self.peek()? != '}' {
            if members > 0 {
                self.take(",")?;
                self.blanks();
            }
            let key = self.string()?;
            self.events.push(Event::Key(key));
            self.blanks();
            self.take(":")?;
            self.blanks();
            self.value()?;
            self.blanks();
            members += 1;
        }
        self.at += 1;
        self.events.push(Event::EndObject(members));
        Some(())
    }

    fn string(&mut self) -> Option<Vec<u32>> {
        self.take("\"")?;
        let mut string = Vec::new();
        loop {
            let point = *self.points.get(self.at)?;
            self.at += 1;
            match point {
                0x22 => return Some(string),
                0..0x20 => return None,
                0x5C => string.push(self.escape()?),
                _ => string.push(point),
            }
        }
    }

    fn escape(&mut self) -> Option<u32> {
        let letter = self.peek()?;
        self.at += 1;
        Some(match letter {
            '"' | '\\' | '/' => letter as u32,
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'u' => {
                let high = self.hex()?;
                let rest = self.at;
                if (0xD800..0xDC00).contains(&high) && self.take("\\u").is_some() {
                    let low = self.hex()?;
                    if (0xDC00..0xE000).contains(&low) {
                        return Some(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00));
                    }
                }
                self.at = rest;
                high
            }
            _ => return None,
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let mut value = 0;
        for _ in 0..4 {
            value = value * 16 + self.peek()?.to_digit(16)?;
            self.at += 1;
        }
        Some(value)
    }

    fn number(&mut self) -> Option<()> {
        let start = self.at;
        let _ = self.take("-");
        if self.take("0").is_none() {
            self.digits()?;
        }
        let mut float = false;
        if self.take(".").is_some() {
            self.digits()?;
            float = true;
        }
        if self.take("e").is_some() || self.take("E").is_some() {
            let _ = self.take("-").or_else(|| self.take("+"));
            self.digits()?;
            float = true;
        }
        let text = &self.points[start..self.at];
        let text: String = text
            .iter()
            .filter_map(|&point| char::from_u32(point))
            .collect();
        if float {
            let value: f64 = text.parse().ok()?;
            if value.is_infinite() {
                return None;
            }
            self.events.push(Event::Float(value.to_bits()));
        } else {
            let text = if text == "-0" { "0".into() } else { text };
            self.events.push(Event::Integer(text));
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }
}
