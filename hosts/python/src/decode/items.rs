//! The values at a path, one after the other, from text that comes in pieces.
//!
//! Only the containers that the path leads through are read here, token by
//! token. Of everything else the end is looked for ([`Extent`]): what is asked
//! for goes to the parser once it is there, in place if it lies in one chunk,
//! and what is not is passed over: strings and containers unseen, numbers and
//! words after a look, because garbage looks like them.

use linecaster_decode::{Extent, Reason};
use pyo3_ffi::PyObject;

use super::feed::{Feed, Position};
use super::options::LoadOptions;
use super::path::Part;
use super::{attempt, raise};
use crate::ffi::owned::{Owned, Raised};

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    /// A document, or the end.
    Document,
    /// An item of an array, or its end.
    FirstItem,
    /// An item.
    Item,
    /// A comma or the end of an array.
    ItemComma,
    /// A name, or the end of an object.
    FirstName,
    /// A name.
    Name,
    /// A colon.
    Colon,
    /// A member's value.
    Member,
    /// A comma or the end of an object.
    MemberComma,
}

/// What is being captured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// A value to hand over.
    Value,
    /// A member's name.
    Name,
    /// Nothing of interest.
    Nothing,
}

struct Capture {
    extent: Extent,
    purpose: Use,
    /// Where it began, once a chunk has ended in it.
    start: Option<Position>,
}

/// How far a reader is in its document.
pub struct Items {
    path: Vec<Part>,
    /// For each open container, whether it is an object.
    open: Vec<bool>,
    /// For each open array, the index of its next item.
    next: Vec<usize>,
    want: Want,
    /// Whether the path leads to the value that comes next.
    selected: bool,
    /// Whether there was a document.
    any: bool,
    capture: Option<Capture>,
    /// What earlier chunks had of what is captured.
    carry: Vec<u8>,
}

impl Items {
    /// At the beginning.
    pub fn new(path: Vec<Part>) -> Items {
        Items {
            path,
            open: Vec::new(),
            next: Vec::new(),
            want: Want::Document,
            selected: true,
            any: false,
            capture: None,
            carry: Vec::new(),
        }
    }

    /// The next value; `None` at the end.
    ///
    /// # Safety
    /// The GIL is held, and the options' objects are alive.
    pub unsafe fn next(
        &mut self,
        feed: &mut Feed,
        options: &LoadOptions,
    ) -> Result<Option<Owned>, Raised> {
        // SAFETY: as the caller says.
        unsafe {
            loop {
                if self.capture.is_some() {
                    if let Some(value) = self.capture(feed, options)? {
                        return Ok(Some(value));
                    }
                    continue;
                }
                let rest = feed.rest();
                let blanks = rest.iter().take_while(|byte| b" \t\n\r".contains(byte));
                feed.consume(blanks.count());
                match feed.rest().first() {
                    Some(&byte) => self.token(feed, byte)?,
                    None if feed.fill()? => {}
                    None => return self.end(feed),
                }
            }
        }
    }

    /// The text has ended outside of a value.
    fn end(&self, feed: &mut Feed) -> Result<Option<Owned>, Raised> {
        let reason = match self.want {
            Want::Document if self.any => return Ok(None),
            Want::Document | Want::FirstItem | Want::Item | Want::Member => Reason::Value,
            Want::FirstName | Want::Name => Reason::Name,
            Want::Colon => Reason::Colon,
            Want::ItemComma | Want::MemberComma => Reason::Comma,
        };
        Err(fault(feed, reason))
    }

    /// What begins with this byte, outside of a value.
    fn token(&mut self, feed: &mut Feed, byte: u8) -> Result<(), Raised> {
        match (self.want, byte) {
            (Want::FirstItem, b']') => self.leave(feed),
            (Want::Item, b']') => return Err(fault(feed, Reason::TrailingCommaArray)),
            (Want::ItemComma, b']') | (Want::FirstName | Want::MemberComma, b'}') => {
                self.leave(feed);
            }
            (Want::Name, b'}') => return Err(fault(feed, Reason::TrailingCommaObject)),
            (Want::ItemComma, b',') => self.go_on(feed, Want::Item),
            (Want::MemberComma, b',') => self.go_on(feed, Want::Name),
            (Want::ItemComma | Want::MemberComma, _) => return Err(fault(feed, Reason::Comma)),
            (Want::FirstName | Want::Name, b'"') => self.begin(byte, Use::Name),
            (Want::FirstName | Want::Name, _) => return Err(fault(feed, Reason::Name)),
            (Want::Colon, b':') => self.go_on(feed, Want::Member),
            (Want::Colon, _) => return Err(fault(feed, Reason::Colon)),
            (Want::Document | Want::FirstItem | Want::Item | Want::Member, _) => {
                self.value(feed, byte)?;
            }
        }
        Ok(())
    }

    fn go_on(&mut self, feed: &mut Feed, want: Want) {
        feed.consume(1);
        self.want = want;
    }

    /// A container has ended.
    fn leave(&mut self, feed: &mut Feed) {
        feed.consume(1);
        if self.open.pop() == Some(false) {
            self.next.pop();
        }
        self.finished();
    }

    /// A value has ended.
    fn finished(&mut self) {
        self.want = match self.open.last() {
            None => Want::Document,
            Some(false) => Want::ItemComma,
            Some(true) => Want::MemberComma,
        };
    }

    /// A value begins.
    fn value(&mut self, feed: &mut Feed, byte: u8) -> Result<(), Raised> {
        if b",:]}".contains(&byte) {
            return Err(fault(feed, Reason::Value));
        }
        let depth = self.open.len();
        let selected = match (self.want, self.next.last_mut()) {
            (Want::FirstItem | Want::Item, Some(next)) => {
                *next += 1;
                self.path[depth - 1].takes_index(*next - 1)
            }
            (Want::Member, _) => self.selected,
            _ => {
                self.any = true;
                true
            }
        };
        if !selected {
            self.begin(byte, Use::Nothing);
            return Ok(());
        }
        match (byte, self.path.get(depth)) {
            (_, None) => self.begin(byte, Use::Value),
            (b'{', Some(part)) if part.in_object() => {
                self.open.push(true);
                self.go_on(feed, Want::FirstName);
            }
            (b'[', Some(part)) if part.in_array() => {
                self.open.push(false);
                self.next.push(0);
                self.go_on(feed, Want::FirstItem);
            }
            _ => self.begin(byte, Use::Nothing),
        }
        Ok(())
    }

    fn begin(&mut self, first: u8, purpose: Use) {
        self.carry.clear();
        self.capture = Some(Capture {
            extent: Extent::new(first),
            purpose,
            start: None,
        });
    }

    /// Goes on with a capture; the value, if it is one and has ended.
    unsafe fn capture(
        &mut self,
        feed: &mut Feed,
        options: &LoadOptions,
    ) -> Result<Option<Owned>, Raised> {
        let Some(capture) = &mut self.capture else {
            return Ok(None);
        };
        let is_scalar = capture.extent.may_end();
        let keep = is_scalar || capture.purpose != Use::Nothing;
        let rest = feed.rest();
        let end = capture.extent.advance(rest);
        let in_chunk = capture.start.is_none();
        if end.is_none() || !in_chunk {
            // It does not lie in one chunk.
            if in_chunk {
                capture.start = Some(feed.position());
            }
            let part = &rest[..end.unwrap_or(rest.len())];
            if keep {
                extend(&mut self.carry, part)?;
            }
            feed.consume(part.len());
            // SAFETY: the GIL is held, and what of the chunk is of use was
            // copied.
            if end.is_none() && unsafe { feed.fill()? } {
                return Ok(None);
            }
            if end.is_none() && !keep {
                let reason = if capture.extent.in_string() {
                    Reason::Unterminated
                } else {
                    Reason::Comma
                };
                return Err(fault(feed, reason));
            }
        }
        let Some(Capture { purpose, start, .. }) = self.capture.take() else {
            return Ok(None);
        };
        let text = match (end, in_chunk) {
            (Some(end), true) => {
                feed.consume(end);
                &rest[..end]
            }
            _ => &self.carry[..],
        };
        match purpose {
            Use::Nothing => {
                if is_scalar {
                    // SAFETY: the GIL is held.
                    drop(unsafe { parse(text, feed, start, &options.without_hooks())? });
                }
                self.finished();
                return Ok(None);
            }
            Use::Name => {
                // SAFETY: the GIL is held.
                self.selected =
                    unsafe { names(&self.path[self.open.len() - 1], text, feed, start)? };
                self.want = Want::Colon;
                return Ok(None);
            }
            Use::Value => {}
        }
        // SAFETY: as the caller says; the text stays where it is.
        let value = unsafe { parse(text, feed, start, options)? };
        self.finished();
        Ok(Some(value))
    }
}

/// Whether a name, in quotation marks, is that of a member that is meant.
unsafe fn names(
    part: &Part,
    text: &[u8],
    feed: &mut Feed,
    start: Option<Position>,
) -> Result<bool, Raised> {
    if let [b'"', name @ .., b'"'] = text
        && !name.contains(&b'\\')
    {
        return Ok(part.takes_name(name));
    }
    let mut plain = LoadOptions::plain();
    plain.set_text(feed.is_text());
    // SAFETY: the GIL is held; a JSON string becomes a `str`.
    unsafe {
        let name = parse(text, feed, start, &plain)?;
        let bytes = super::surrogate_pass(name.as_ptr())?;
        Ok(part.takes_name(super::bytes_of(&bytes)))
    }
}

/// The value of a text that has just been consumed.
unsafe fn parse(
    text: &[u8],
    feed: &mut Feed,
    start: Option<Position>,
    options: &LoadOptions,
) -> Result<Owned, Raised> {
    // SAFETY: the GIL is held, and the text stays.
    match unsafe { attempt(text, options) } {
        Ok(value) => Ok(value),
        Err(None) => Err(Raised),
        Err(Some(error)) => {
            let mut position = match start {
                Some(start) => start,
                None => feed.position_before(text.len()),
            };
            position.pass(&text[..error.index]);
            // SAFETY: the GIL is held.
            unsafe { raise::decode_error_at(error.reason, text, error.character, position) };
            Err(Raised)
        }
    }
}

/// Raises an error at the next byte.
#[cold]
fn fault(feed: &mut Feed, reason: Reason) -> Raised {
    const SHOWN: usize = 80;
    let rest = feed.rest();
    let position = feed.position();
    // SAFETY: the GIL is held by every function of the module.
    unsafe { raise::decode_error_at(reason, &rest[..rest.len().min(SHOWN)], 0, position) };
    Raised
}

/// Appends to what is carried over, unless memory runs out.
pub fn extend(carry: &mut Vec<u8>, text: &[u8]) -> Result<(), Raised> {
    if carry.try_reserve(text.len()).is_err() {
        // SAFETY: the GIL is held by every function of the module.
        unsafe { pyo3_ffi::PyErr_NoMemory() };
        return Err(Raised);
    }
    carry.extend_from_slice(text);
    Ok(())
}

/// A reference to an object, or that an exception is set.
pub type Outcome = Result<Option<Owned>, Raised>;

/// For slots of the interpreter.
pub fn into_ptr(outcome: Outcome) -> *mut PyObject {
    match outcome {
        Ok(Some(value)) => value.into_ptr(),
        _ => core::ptr::null_mut(),
    }
}
