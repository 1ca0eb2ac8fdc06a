//! Paths to the items of a document.
//!
//! In the form that users of ijson know, `results.item.name`: names of members
//! with dots between them, `item` for each item of an array (and a member of
//! that name), the empty path for the document itself. Or, beginning with a
//! dollar sign, in that of `JSONPath`: `$.results[*].name`, `$["a.b"][0]`, with
//! `*` for all members or items.

/// One step of a path.
pub enum Part {
    /// A member of this name, in UTF-8.
    Name(Vec<u8>),
    /// An item of an array by its index.
    Index(usize),
    /// Each item, or a member of this name.
    Item,
    /// Each item and each member.
    Any,
}

impl Part {
    /// Whether an array can hold what is meant.
    pub fn in_array(&self) -> bool {
        !matches!(self, Part::Name(_))
    }

    /// Whether an object can.
    pub fn in_object(&self) -> bool {
        !matches!(self, Part::Index(_))
    }

    /// Whether this item of an array is meant.
    pub fn takes_index(&self, index: usize) -> bool {
        match self {
            Part::Name(_) => false,
            Part::Index(wanted) => *wanted == index,
            Part::Item | Part::Any => true,
        }
    }

    /// Whether the member of this name is meant.
    pub fn takes_name(&self, name: &[u8]) -> bool {
        match self {
            Part::Name(wanted) => wanted == name,
            Part::Index(_) => false,
            Part::Item => name == b"item",
            Part::Any => true,
        }
    }
}

/// What a path's text means, or why it means nothing.
pub fn parse(text: &[u8]) -> Result<Vec<Part>, &'static str> {
    if let Some(rest) = text.strip_prefix(b"$") {
        return parse_dollar(rest);
    }
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let parts = text.split(|&byte| byte == b'.');
    Ok(parts
        .map(|name| match name {
            b"item" => Part::Item,
            _ => Part::Name(name.to_vec()),
        })
        .collect())
}

fn parse_dollar(mut rest: &[u8]) -> Result<Vec<Part>, &'static str> {
    let mut parts = Vec::new();
    while let Some((&first, behind)) = rest.split_first() {
        let (part, left) = match first {
            b'.' => name(behind)?,
            b'[' => bracket(behind)?,
            _ => {
                return Err(
                    "a path that begins with $ goes on with .name, [index], [*] or [\"name\"]",
                );
            }
        };
        parts.push(part);
        rest = left;
    }
    Ok(parts)
}

fn name(text: &[u8]) -> Result<(Part, &[u8]), &'static str> {
    let end = text.iter().position(|byte| b".[".contains(byte));
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    match name {
        b"" => Err("a path has no name behind a dot"),
        b"*" => Ok((Part::Any, rest)),
        _ => Ok((Part::Name(name.to_vec()), rest)),
    }
}

fn bracket(text: &[u8]) -> Result<(Part, &[u8]), &'static str> {
    const OPEN: &str = "a path has a bracket that is not closed";
    if let Some((&quote @ (b'"' | b'\''), quoted)) = text.split_first() {
        let (mut name, mut at) = (Vec::new(), 0);
        loop {
            match quoted.get(at).ok_or(OPEN)? {
                b'\\' => {
                    name.push(*quoted.get(at + 1).ok_or(OPEN)?);
                    at += 2;
                }
                &byte if byte == quote => break,
                &byte => {
                    name.push(byte);
                    at += 1;
                }
            }
        }
        let rest = quoted[at + 1..].strip_prefix(b"]").ok_or(OPEN)?;
        return Ok((Part::Name(name), rest));
    }
    let end = text.iter().position(|&byte| byte == b']').ok_or(OPEN)?;
    let (inner, rest) = (&text[..end], &text[end + 1..]);
    if inner == b"*" {
        return Ok((Part::Any, rest));
    }
    let digits = core::str::from_utf8(inner).ok();
    let index = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    match index.and_then(|digits| digits.parse().ok()) {
        Some(index) => Ok((Part::Index(index), rest)),
        None => Err("a path has neither *, an index nor a quoted name in a bracket"),
    }
}
