//! Documents by the line, from text that comes in pieces.

use pyo3_ffi as py;
use pyo3_ffi::PyObject;

use super::feed::{Feed, Position};
use super::items::{Outcome, extend};
use super::options::LoadOptions;
use super::{attempt, raise};
use crate::args::{set_error, type_error};
use crate::ffi::class::Visit;
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::str::{self, Chars};

/// What becomes of lines that are not JSON.
pub enum Errors {
    /// An exception each; the next line comes after it.
    Raise,
    /// Nothing.
    Skip,
    /// A callable is called with the exception.
    Call(Owned),
}

impl Errors {
    /// Reads the option; null stands for the default.
    ///
    /// # Safety
    /// The value is null or alive.
    pub unsafe fn read(given: *mut PyObject) -> Option<Errors> {
        // SAFETY: as the caller says.
        unsafe {
            if given.is_null() {
                return Some(Errors::Raise);
            }
            if py::PyCallable_Check(given) != 0 {
                return Some(Errors::Call(Owned::from_borrowed(given)));
            }
            if py::PyUnicode_Check(given) == 0 {
                type_error("option 'errors' must be 'raise', 'skip' or a callable");
                return None;
            }
            match str::chars(given)? {
                Chars::Ascii(b"raise") => Some(Errors::Raise),
                Chars::Ascii(b"skip") => Some(Errors::Skip),
                _ => {
                    let text = "option 'errors' must be 'raise', 'skip' or a callable";
                    set_error(py::PyExc_ValueError, text);
                    None
                }
            }
        }
    }
}

/// How far a reader is.
pub struct Lines {
    errors: Errors,
    /// What earlier chunks had of the line, and where it began.
    carry: Vec<u8>,
    start: Option<Position>,
}

/// The line that comes next.
enum Line<'a> {
    /// It lies in the chunk.
    InChunk(&'a [u8]),
    /// It is what is carried over.
    Carried,
    /// There is none.
    End,
}

impl Lines {
    /// At the beginning.
    pub fn new(errors: Errors) -> Lines {
        Lines {
            errors,
            carry: Vec::new(),
            start: None,
        }
    }

    /// The next value; `None` at the end.
    ///
    /// # Safety
    /// The GIL is held, and the options' objects are alive.
    pub unsafe fn next(&mut self, feed: &mut Feed, options: &LoadOptions) -> Outcome {
        // SAFETY: as the caller says; the line stays where it is until the
        // next is asked for.
        unsafe {
            loop {
                let (text, start) = match self.line(feed)? {
                    Line::End => return Ok(None),
                    Line::InChunk(text) => (text, None),
                    Line::Carried => (&self.carry[..], self.start.take()),
                };
                if text.iter().all(|byte| b" \t\r".contains(byte)) {
                    continue;
                }
                match attempt(text, options) {
                    Ok(value) => return Ok(Some(value)),
                    Err(None) => return Err(Raised),
                    Err(Some(error)) => {
                        // In the chunk, the line feed has been passed, too.
                        let mut position =
                            start.unwrap_or_else(|| feed.position_before(text.len() + 1));
                        position.pass(&text[..error.index]);
                        let (reason, at) = (error.reason, error.character);
                        match &self.errors {
                            Errors::Skip => {}
                            Errors::Raise => {
                                raise::decode_error_at(reason, text, at, position);
                                return Err(Raised);
                            }
                            Errors::Call(function) => {
                                let error = raise::new_error_at(reason, text, at, position);
                                let error = Owned::from_call(error)?;
                                Owned::from_call(py::PyObject_CallOneArg(
                                    function.as_ptr(),
                                    error.as_ptr(),
                                ))?;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Takes the next line from the feed.
    unsafe fn line<'a>(&mut self, feed: &mut Feed) -> Result<Line<'a>, Raised> {
        self.carry.clear();
        self.start = None;
        loop {
            let rest = feed.rest();
            if let Some(end) = find_line_feed(rest) {
                let carried = self.start.is_some();
                if carried {
                    extend(&mut self.carry, &rest[..end])?;
                }
                feed.consume(end + 1);
                return Ok(if carried {
                    Line::Carried
                } else {
                    Line::InChunk(&rest[..end])
                });
            }
            if !rest.is_empty() {
                if self.start.is_none() {
                    self.start = Some(feed.position());
                }
                extend(&mut self.carry, rest)?;
                feed.consume(rest.len());
            }
            // SAFETY: the GIL is held, and what the chunk had was copied.
            if unsafe { !feed.fill()? } {
                return Ok(if self.start.is_some() {
                    Line::Carried
                } else {
                    Line::End
                });
            }
        }
    }

    /// What is kept alive, for the collector.
    pub fn traverse(&self, visit: &mut Visit) {
        if let Errors::Call(function) = &self.errors {
            visit.object(function.as_ptr());
        }
    }
}

unsafe extern "C" {
    /// The C library's.
    fn memchr(
        text: *const core::ffi::c_void,
        byte: core::ffi::c_int,
        len: usize,
    ) -> *const core::ffi::c_void;
}

fn find_line_feed(text: &[u8]) -> Option<usize> {
    // SAFETY: the text has that many bytes, and a find lies in it.
    unsafe {
        let found = memchr(text.as_ptr().cast(), i32::from(b'\n'), text.len());
        (!found.is_null()).then(|| found.cast::<u8>().offset_from_unsigned(text.as_ptr()))
    }
}
