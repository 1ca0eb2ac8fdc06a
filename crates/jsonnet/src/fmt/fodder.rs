//! Fodder: the comments and line breaks before a token.

use crate::syntax::lexer::blanks_end;

/// What a piece of fodder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FodderKind {
    /// The end of a line, perhaps after a comment; the next thing begins a
    /// line.
    LineEnd,
    /// A `/* */` within a line.
    Interstitial,
    /// A comment on lines of its own.
    Paragraph,
}

/// A piece of fodder.
#[derive(Clone, Debug)]
pub struct Element {
    pub kind: FodderKind,
    /// Blank lines after it.
    pub blanks: usize,
    /// Indentation of what comes after it.
    pub indent: usize,
    /// Lines of the comment: any number, one or none, by kind as above.
    pub comment: Vec<String>,
}

/// What stands before a token.
pub type Fodder = Vec<Element>;

impl Element {
    /// A line break and what follows it.
    pub fn line_end(blanks: usize, indent: usize) -> Self {
        Self {
            kind: FodderKind::LineEnd,
            blanks,
            indent,
            comment: Vec::new(),
        }
    }

    /// Whether it ends a line.
    pub fn breaks(&self) -> bool {
        self.kind != FodderKind::Interstitial
    }

    fn line_breaks(&self) -> usize {
        match self.kind {
            FodderKind::Interstitial => 0,
            FodderKind::LineEnd => 1,
            FodderKind::Paragraph => self.comment.len() + self.blanks,
        }
    }
}

/// Whether there is a line break.
pub fn breaks(fodder: &[Element]) -> bool {
    fodder.iter().any(Element::breaks)
}

/// Number of line breaks.
pub fn line_breaks(fodder: &[Element]) -> usize {
    fodder.iter().map(Element::line_breaks).sum()
}

/// Whether what follows is on the line of what came before.
pub fn same_line(fodder: &[Element]) -> bool {
    fodder.first().is_none_or(|first| !first.breaks())
}

/// Whether it ends with a line break.
pub fn ends_line(fodder: &[Element]) -> bool {
    fodder.last().is_some_and(Element::breaks)
}

/// Makes it end with a line break.
pub fn end_line(fodder: &mut Fodder) {
    if !ends_line(fodder) {
        append(fodder, Element::line_end(0, 0));
    }
}

/// Appends an element so that no line end follows another line break, and that
/// paragraphs begin a line.
pub fn append(fodder: &mut Fodder, mut element: Element) {
    if ends_line(fodder) && element.kind == FodderKind::LineEnd {
        if element.comment.is_empty() {
            if let Some(last) = fodder.last_mut() {
                last.indent = element.indent;
                last.blanks += element.blanks;
            }
            return;
        }
        element.kind = FodderKind::Paragraph;
    } else if !ends_line(fodder) && element.kind == FodderKind::Paragraph {
        fodder.push(Element::line_end(0, element.indent));
    }
    fodder.push(element);
}

/// One fodder after the other.
pub fn concat(mut first: Fodder, second: Fodder) -> Fodder {
    if first.is_empty() {
        return second;
    }
    let mut second = second.into_iter();
    if let Some(element) = second.next() {
        append(&mut first, element);
        first.extend(second);
    }
    first
}

/// Moves `from` in front of `to`.
pub fn move_front(to: &mut Fodder, from: &mut Fodder) {
    *to = concat(std::mem::take(from), std::mem::take(to));
}

/// Reads the fodder between two tokens: `text[from..to]`, which the lexer
/// skipped. Blanks before the end of the file do not count.
pub fn read(text: &str, from: usize, to: usize) -> Fodder {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: from,
        fodder: Vec::new(),
    };
    loop {
        let (breaks, indent) = reader.blanks();
        if reader.at == text.len() {
            return reader.fodder;
        }
        if breaks > 0 {
            reader.fodder.push(Element::line_end(breaks - 1, indent));
        }
        if reader.at >= to {
            return reader.fodder;
        }
        if reader.bytes[reader.at..].starts_with(b"/*") {
            reader.block_comment();
        } else {
            reader.line_comment();
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    fodder: Fodder,
}

impl Reader<'_> {
    /// Skips blanks: the number of line breaks, and the width of the last
    /// line's indentation.
    fn blanks(&mut self) -> (usize, usize) {
        let (mut breaks, mut indent) = (0, 0);
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' => indent += 1,
                b'\t' => indent += 8,
                b'\r' => {}
                b'\n' => (breaks, indent) = (breaks + 1, 0),
                _ => break,
            }
            self.at += 1;
        }
        (breaks, indent)
    }

    /// The start of the current line.
    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    /// `#` or `//` to the end of the line.
    fn line_comment(&mut self) {
        let first_on_line = self.text[self.line_start()..self.at]
            .trim_matches(blank)
            .is_empty();
        let end = self.text[self.at..]
            .find('\n')
            .map_or(self.text.len(), |len| self.at + len);
        let comment = self.text[self.at..end].trim_end_matches(blank).to_owned();
        self.at = end;
        let (breaks, indent) = self.blanks();
        let kind = if first_on_line {
            FodderKind::Paragraph
        } else {
            FodderKind::LineEnd
        };
        let blanks = breaks.saturating_sub(1);
        self.fodder.push(Element {
            kind,
            blanks,
            indent,
            comment: vec![comment],
        });
    }

    /// `/* */`
    fn block_comment(&mut self) {
        let margin = self.at - self.line_start();
        let inside = self.at + 2;
        let end = self.text[inside..]
            .find("*/")
            .map_or(self.text.len(), |len| inside + len + 2);
        let comment = &self.text[self.at..end];
        self.at = end;
        let (breaks, indent) = self.blanks();
        if !comment.contains('\n') {
            let (kind, comment) = (FodderKind::Interstitial, vec![comment.to_owned()]);
            self.fodder.push(Element {
                kind,
                blanks: 0,
                indent: 0,
                comment,
            });
            if breaks > 0 {
                self.fodder.push(Element::line_end(breaks - 1, indent));
            }
            return;
        }
        let comment = comment
            .split('\n')
            .map(|line| strip(line, margin).to_owned())
            .collect();
        // It ends its line even if something follows.
        let indent = if breaks > 0 { indent } else { 0 };
        let (kind, blanks) = (FodderKind::Paragraph, breaks.saturating_sub(1));
        append(
            &mut self.fodder,
            Element {
                kind,
                blanks,
                indent,
                comment,
            },
        );
    }
}

fn blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r')
}

/// A comment's line without up to `margin` blanks before and all behind.
fn strip(line: &str, margin: usize) -> &str {
    let blanks = line.bytes().take_while(|&byte| blank(byte.into())).count();
    line[blanks.min(margin)..].trim_end_matches(blank)
}

/// The indentation of a text block's lines, and that of its end.
pub fn block_indents(literal: &str) -> (&str, &str) {
    let mut lines = literal.split('\n').skip(1);
    let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
    let last = literal.rsplit('\n').next().unwrap_or_default();
    let indent = |line: &'_ str| blanks_end(line.as_bytes(), 0);
    (&first[..indent(first)], &last[..indent(last)])
}
