//! White space and separators of a JSON document.

use linecaster_kernel::policy::Word;

/// What stands between tokens.
///
/// The common separators, a few ASCII characters, are packed into words
/// together with the quotation mark or bracket that follows them, so that one
/// store writes both. Any other separator, and indentation, takes the general
/// path.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// Between items, and between members.
    item_separator: &'a [u32],
    /// Between a key and its value.
    key_separator: &'a [u32],
    /// Repeated once per level behind a line feed; `None` for one line.
    indent: Option<&'a [u32]>,
    /// What ends a line; only with an indentation.
    newline: &'a [u32],
    /// All separators are in the words below.
    pub(super) packed: bool,
    /// The separator behind a key is in its word, whatever the others are.
    pub(super) packed_key: bool,
    /// What ends a line, if that is the usual kind of text.
    pub(super) line: Option<Line>,
    /// Before a value: [`Pending`](super::emitter::Pending) is the index.
    pub(super) lead: [Word; 3],
    /// Before a string's characters.
    pub(super) lead_quote: [Word; 3],
    /// Before an array's items.
    pub(super) lead_array: [Word; 3],
    /// Before an object's members.
    pub(super) lead_object: [Word; 3],
    /// Behind a key's characters.
    pub(super) trail_key: Word,
    /// Behind a string's characters, and before the next item.
    pub(super) trail_text: Word,
}

/// Lines that end with a few ASCII characters and are indented by copies of
/// one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Behind an item that is not the last one.
    pub item: Word,
    /// Behind the characters of a string that is such an item.
    pub text: Word,
    /// What is repeated, …
    pub fill: u8,
    /// … so often for each level.
    pub width: usize,
}

impl Line {
    const fn new(item_separator: &[u32], indent: &[u32]) -> Option<Line> {
        let fill = if indent.is_empty() {
            b' ' as u32
        } else {
            indent[0]
        };
        let mut i = 0;
        while i < indent.len() {
            if indent[i] != fill {
                return None;
            }
            i += 1;
        }
        if fill >= 0x80 || !fits(item_separator) {
            return None;
        }
        Some(Line {
            item: pack(item_separator),
            text: behind_quote(pack(item_separator)),
            fill: fill as u8,
            width: indent.len(),
        })
    }
}

const COMMA: &[u32] = &[b',' as u32];
const COLON: &[u32] = &[b':' as u32];
const COLON_SPACE: &[u32] = &[b':' as u32, b' ' as u32];
const COMMA_SPACE: &[u32] = &[b',' as u32, b' ' as u32];
const THREE_SPACES: &[u32] = &[b' ' as u32; 3];
const NEWLINE: &[u32] = &[b'\n' as u32];

impl Layout<'static> {
    /// No white space at all: `{"a":1,"b":[]}`.
    pub const COMPACT: Layout<'static> = Layout::new(COMMA, COLON, None);
    /// One line, with spaces: `{"a": 1, "b": []}`.
    pub const SPACED: Layout<'static> = Layout::new(COMMA_SPACE, COLON_SPACE, None);
    /// Lines indented by three spaces a level: Jsonnet's main output.
    pub const THREE: Layout<'static> = Layout::new(COMMA, COLON_SPACE, Some(THREE_SPACES));
}

impl<'a> Layout<'a> {
    /// A layout with these separators, as code points. With `indent`, each
    /// item and member stands on a line of its own behind that text, once
    /// per level (an empty one for none); empty containers stay `[]` and
    /// `{}`, as in Python's `json`.
    pub const fn new(
        item_separator: &'a [u32],
        key_separator: &'a [u32],
        indent: Option<&'a [u32]>,
    ) -> Layout<'a> {
        // A word holds seven bytes, one of which is the bracket or quote.
        let packed = indent.is_none() && fits(item_separator) && fits(key_separator);
        let item = if packed {
            pack(item_separator)
        } else {
            Word::EMPTY
        };
        let packed_key = fits(key_separator);
        let key = if packed_key {
            pack(key_separator)
        } else {
            Word::EMPTY
        };
        Layout {
            item_separator,
            key_separator,
            indent,
            newline: NEWLINE,
            packed,
            packed_key,
            line: match indent {
                Some(indent) => Line::new(item_separator, indent),
                None => None,
            },
            lead: leads(item, b""),
            lead_quote: leads(item, b"\""),
            lead_array: leads(item, b"["),
            lead_object: leads(item, b"{"),
            trail_key: behind_quote(key),
            trail_text: behind_quote(item),
        }
    }

    /// With another text than a line feed at the end of lines.
    #[must_use]
    pub const fn with_newline(mut self, newline: &'a [u32]) -> Layout<'a> {
        self.newline = newline;
        if newline.len() != 1 || newline[0] != b'\n' as u32 {
            self.line = None;
        }
        self
    }

    /// Between items, as code points.
    pub const fn item_separator(&self) -> &'a [u32] {
        self.item_separator
    }

    /// Between a key and its value, as code points.
    pub const fn key_separator(&self) -> &'a [u32] {
        self.key_separator
    }

    /// The text of one level, as code points.
    pub const fn indent(&self) -> Option<&'a [u32]> {
        self.indent
    }

    /// What ends a line, as code points.
    pub const fn newline(&self) -> &'a [u32] {
        self.newline
    }

    /// The widest code point that the layout itself writes.
    pub fn max_char(&self) -> u32 {
        let parts = [
            self.item_separator,
            self.key_separator,
            self.indent.unwrap_or(&[]),
            self.newline,
        ];
        let widest = parts.into_iter().flatten().copied().max();
        widest.unwrap_or(0).max(0x7D)
    }
}

/// Whether `text` and one more character fit into a word.
const fn fits(text: &[u32]) -> bool {
    let mut i = 0;
    while i < text.len() {
        if text[i] >= 0x80 {
            return false;
        }
        i += 1;
    }
    text.len() <= 6
}

const fn pack(text: &[u32]) -> Word {
    let mut word = Word::EMPTY;
    let mut i = 0;
    while i < text.len() {
        word = word.then(&[text[i] as u8]);
        i += 1;
    }
    word
}

const fn behind_quote(separator: Word) -> Word {
    let mut word = Word::new(b"\"");
    let mut i = 0;
    while i < separator.len() {
        word = word.then(&[separator.get(i)]);
        i += 1;
    }
    word
}

const fn leads(item_separator: Word, opening: &[u8]) -> [Word; 3] {
    [
        Word::new(opening),
        item_separator.then(opening),
        Word::new(opening),
    ]
}
