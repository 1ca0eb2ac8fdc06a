//! Text that comes in pieces: from a file, a socket, an iterable of chunks, or
//! an object that holds all of it.
//!
//! A chunk is read in place, and kept until the next is asked for. `str`
//! chunks that are not ASCII are made UTF-8 first, surrogates and all, so that
//! whoever reads sees bytes only.

use core::mem::MaybeUninit;
use core::ptr::null_mut;
use core::slice;

use pyo3_ffi::{self as ffi, Py_buffer, Py_ssize_t, PyObject};

use crate::args::{set_error, type_error};
use crate::encode::writer;
use crate::ffi::class::Visit;
use crate::ffi::owned::{Owned, Raised};
use crate::ffi::str::{self, Chars};

/// How far a reader is, in characters; lines begin with 1.
#[derive(Clone, Copy)]
pub struct Position {
    /// Characters before it.
    pub offset: usize,
    /// The line.
    pub line: usize,
    /// Characters before its line.
    line_start: usize,
}

impl Position {
    const START: Position = Position {
        offset: 0,
        line: 1,
        line_start: 0,
    };

    /// The column, from 1.
    pub fn column(&self) -> usize {
        self.offset - self.line_start + 1
    }

    /// Moves on behind this text.
    pub fn pass(&mut self, text: &[u8]) {
        let (characters, breaks) = tally(text);
        self.offset += characters;
        if breaks > 0 {
            let last = text.iter().rposition(|&byte| byte == b'\n');
            let behind = last.map_or(0, |last| last + 1);
            self.line += breaks;
            self.line_start = self.offset - tally(&text[behind..]).0;
        }
    }
}

/// Bytes that are counted side by side: whole vectors.
const LANES: usize = 32;

/// How many characters begin in this text, and how many lines end. Each lane
/// has counters of its own, of one byte, so that vectors of them are added.
fn tally(text: &[u8]) -> (usize, usize) {
    // As many rows as a counter holds.
    const PART: usize = 255 * LANES;
    let begins = |byte: u8| byte & 0xC0 != 0x80;
    let (mut characters, mut breaks) = (0, 0);
    for part in text.chunks(PART) {
        let (rows, tail) = part.as_chunks::<LANES>();
        let (mut begun, mut ended) = ([0; LANES], [0; LANES]);
        for row in rows {
            for lane in 0..LANES {
                begun[lane] += u8::from(begins(row[lane]));
                ended[lane] += u8::from(row[lane] == b'\n');
            }
        }
        let sum = |counters: [u8; LANES]| counters.into_iter().map(usize::from).sum::<usize>();
        characters += sum(begun);
        breaks += sum(ended);
        for &byte in tail {
            characters += usize::from(begins(byte));
            breaks += usize::from(byte == b'\n');
        }
    }
    (characters, breaks)
}

/// A piece of text.
struct Chunk {
    /// What holds it: `bytes` or a `str`.
    object: Option<Owned>,
    /// What holds it otherwise, exported.
    buffer: Option<Py_buffer>,
    text: *const u8,
    len: usize,
}

impl Chunk {
    /// The text in an object of a caller; and whether it was a `str`.
    unsafe fn of(object: Owned) -> Result<(Chunk, bool), Raised> {
        let op = object.as_ptr();
        // SAFETY: each kind of object is read as what it is, and kept.
        unsafe {
            if ffi::PyUnicode_Check(op) != 0 {
                let chunk = match str::chars(op).ok_or(Raised)? {
                    Chars::Ascii(text) => Chunk::held(object, text),
                    _ => Chunk::bytes(super::surrogate_pass(op)?),
                };
                return Ok((chunk, true));
            }
            if ffi::PyBytes_Check(op) != 0 {
                return Ok((Chunk::bytes(object), false));
            }
            if ffi::PyObject_CheckBuffer(op) == 0 {
                ffi::PyErr_Format(
                    ffi::PyExc_TypeError,
                    c"chunks of JSON text must be str or bytes, not %.200s".as_ptr(),
                    (*ffi::Py_TYPE(op)).tp_name,
                );
                return Err(Raised);
            }
            let mut buffer = MaybeUninit::uninit();
            if ffi::PyObject_GetBuffer(op, buffer.as_mut_ptr(), ffi::PyBUF_SIMPLE) != 0 {
                return Err(Raised);
            }
            let buffer = buffer.assume_init();
            let chunk = Chunk {
                object: None,
                text: buffer.buf.cast(),
                len: buffer.len.max(0) as usize,
                buffer: Some(buffer),
            };
            Ok((chunk, false))
        }
    }

    unsafe fn bytes(object: Owned) -> Chunk {
        // SAFETY: the caller gives a `bytes`.
        unsafe {
            let text = ffi::PyBytes_AS_STRING(object.as_ptr()).cast::<u8>();
            let len = ffi::Py_SIZE(object.as_ptr()) as usize;
            Chunk::held(object, slice::from_raw_parts(text, len))
        }
    }

    fn held(object: Owned, text: &[u8]) -> Chunk {
        Chunk {
            object: Some(object),
            buffer: None,
            text: text.as_ptr(),
            len: text.len(),
        }
    }

    fn text<'a>(&self) -> &'a [u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the object or the export keeps the text where it is; the
        // feed drops the chunk only when it is asked for the next, and whoever
        // reads has no text of it then.
        unsafe { slice::from_raw_parts(self.text, self.len) }
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if let Some(buffer) = &mut self.buffer {
            // SAFETY: it has been exported and not yet released.
            unsafe { ffi::PyBuffer_Release(buffer) };
        }
    }
}

/// Where chunks come from.
enum Source {
    /// A method that is called with a size.
    Read(Owned, Owned),
    /// An iterator.
    Iterate(Owned),
    /// This object is the text.
    Whole(Owned),
    /// Nothing follows.
    End,
}

/// The byte order mark.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The text of a reader, and how far it is.
pub struct Feed {
    source: Source,
    /// A file that was opened here.
    opened: Option<Owned>,
    chunk: Option<Chunk>,
    /// Where in the chunk the reader is.
    at: usize,
    /// A place in the chunk, at most that one.
    settled: usize,
    /// Its position.
    position: Position,
    /// Whether the chunks are `str`, once there was one.
    text: Option<bool>,
    /// Bytes of a byte order mark that were met.
    mark: usize,
}

impl Feed {
    /// A feed from what a caller gave.
    ///
    /// # Safety
    /// `source` is alive.
    pub unsafe fn of(source: *mut PyObject, size: usize) -> Result<Feed, Raised> {
        let mut feed = Feed {
            source: Source::End,
            opened: None,
            chunk: None,
            at: 0,
            settled: 0,
            position: Position::START,
            text: None,
            mark: 0,
        };
        // SAFETY: as the caller says.
        unsafe {
            if writer::is_path(source)? {
                let file = writer::open(source, c"rb").ok_or(Raised)?;
                feed.source = from_file(file.as_ptr(), size)?;
                feed.opened = Some(file);
            } else if ffi::PyUnicode_Check(source) != 0
                || ffi::PyBytes_Check(source) != 0
                || ffi::PyByteArray_Check(source) != 0
                || ffi::PyMemoryView_Check(source) != 0
            {
                feed.source = Source::Whole(Owned::from_borrowed(source));
            } else {
                feed.source = from_file(source, size)?;
            }
        }
        Ok(feed)
    }

    /// Whether the chunks are `str`.
    pub fn is_text(&self) -> bool {
        self.text == Some(true)
    }

    /// What is left of the chunk. It stays where it is until [`Feed::fill`].
    pub fn rest<'a>(&self) -> &'a [u8] {
        let text = self.chunk.as_ref().map_or(&[][..], Chunk::text);
        &text[self.at..]
    }

    /// Moves on.
    pub fn consume(&mut self, count: usize) {
        self.at += count;
    }

    /// The position of the next byte.
    pub fn position(&mut self) -> Position {
        self.position_before(0)
    }

    /// The position `back` bytes ago, in the same chunk and behind all that
    /// was asked for before.
    pub fn position_before(&mut self, back: usize) -> Position {
        let text = self.chunk.as_ref().map_or(&[][..], Chunk::text);
        let to = self.at - back;
        self.position.pass(&text[self.settled.min(to)..to]);
        self.settled = self.settled.max(to);
        self.position
    }

    /// Replaces the chunk, which is used up, by the next that is not empty;
    /// `false` when there is none.
    ///
    /// # Safety
    /// The GIL is held, and nobody has text of the chunk.
    pub unsafe fn fill(&mut self) -> Result<bool, Raised> {
        self.position();
        self.chunk = None;
        (self.at, self.settled) = (0, 0);
        // SAFETY: as the caller says.
        unsafe {
            while let Some(object) = self.next_object()? {
                let (chunk, is_text) = Chunk::of(object)?;
                if *self.text.get_or_insert(is_text) != is_text {
                    type_error("chunks of JSON text must be all str or all bytes");
                    return Err(Raised);
                }
                if chunk.len == 0 {
                    if let Source::Read(..) = self.source {
                        self.source = Source::End;
                    }
                    continue;
                }
                self.skip_mark(chunk.text())?;
                let used_up = self.at == chunk.len;
                self.chunk = Some(chunk);
                if !used_up {
                    self.settled = self.at;
                    return Ok(true);
                }
                self.at = 0;
            }
        }
        self.source = Source::End;
        if (1..MARK.len()).contains(&self.mark) {
            return Err(broken_mark());
        }
        Ok(false)
    }

    /// Passes over a byte order mark at the beginning of all text.
    fn skip_mark(&mut self, text: &[u8]) -> Result<(), Raised> {
        if self.mark == MARK.len() {
            return Ok(());
        }
        let wanted = &MARK[self.mark..];
        let same = text.iter().zip(wanted).take_while(|(a, b)| a == b).count();
        if same == wanted.len() || same == text.len() {
            self.mark += same;
            self.at = same;
        } else if self.mark + same > 0 {
            return Err(broken_mark());
        } else {
            self.mark = MARK.len();
        }
        Ok(())
    }

    unsafe fn next_object(&mut self) -> Result<Option<Owned>, Raised> {
        // SAFETY: what the source has is owned.
        unsafe {
            match &self.source {
                Source::End => Ok(None),
                Source::Whole(_) => match core::mem::replace(&mut self.source, Source::End) {
                    Source::Whole(object) => Ok(Some(object)),
                    _ => Ok(None),
                },
                Source::Iterate(iterator) => {
                    let next = Owned::from_new(ffi::PyIter_Next(iterator.as_ptr()));
                    if next.is_none() && !ffi::PyErr_Occurred().is_null() {
                        return Err(Raised);
                    }
                    Ok(next)
                }
                Source::Read(method, size) => {
                    let read = ffi::PyObject_CallOneArg(method.as_ptr(), size.as_ptr());
                    let read = Owned::from_call(read)?;
                    if read.as_ptr() == ffi::Py_None() {
                        set_error(ffi::PyExc_BlockingIOError, "the file would block");
                        return Err(Raised);
                    }
                    Ok(Some(read))
                }
            }
        }
    }

    /// Gives up what is left, and closes the file if it was opened here;
    /// `false` with an exception set, if only the one that was set before.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn close(&mut self) -> bool {
        self.source = Source::End;
        match self.opened.take() {
            // SAFETY: as the caller says.
            Some(file) => unsafe { writer::close(&file) },
            None => true,
        }
    }

    /// What is kept alive, for the collector.
    pub fn traverse(&self, visit: &mut Visit) {
        match &self.source {
            Source::Read(method, _) => visit.object(method.as_ptr()),
            Source::Iterate(object) | Source::Whole(object) => visit.object(object.as_ptr()),
            Source::End => {}
        }
        if let Some(object) = &self.opened {
            visit.object(object.as_ptr());
        }
        if let Some(buffer) = self.chunk.as_ref().and_then(|chunk| chunk.buffer.as_ref()) {
            visit.object(buffer.obj);
        }
        for object in self.chunk.iter().flat_map(|chunk| &chunk.object) {
            visit.object(object.as_ptr());
        }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        // SAFETY: the GIL is held where objects are dropped. An exception that
        // was set before stays; that of a file which does not close goes where
        // those of finalizers go.
        unsafe {
            let quiet = ffi::PyErr_Occurred().is_null();
            if !self.close() && quiet {
                ffi::PyErr_WriteUnraisable(null_mut());
            }
        }
    }
}

#[cold]
fn broken_mark() -> Raised {
    let error = linecaster_decode::Reason::Utf8;
    // SAFETY: the GIL is held by every function of the module.
    unsafe { super::raise::decode_error_at(error, &[], 0, Position::START) };
    Raised
}

/// The source that a file, a socket or an iterable is.
unsafe fn from_file(file: *mut PyObject, size: usize) -> Result<Source, Raised> {
    // SAFETY: the file is alive.
    unsafe {
        let read = writer::attribute(file, c"read")?;
        let method = match read {
            // A text file that is no file on disk gives what there is by the
            // line only.
            Some(_) if writer::is_text(file).ok_or(Raised)? && !is_seekable(file)? => None,
            // As much as there is, at least something.
            Some(read) => Some(writer::attribute(file, c"read1")?.unwrap_or(read)),
            None => writer::attribute(file, c"recv")?,
        };
        let Some(method) = method else {
            return Owned::from_call(ffi::PyObject_GetIter(file)).map(Source::Iterate);
        };
        let size = size.min(Py_ssize_t::MAX as usize);
        let size = Owned::from_call(ffi::PyLong_FromSize_t(size))?;
        Ok(Source::Read(method, size))
    }
}

unsafe fn is_seekable(file: *mut PyObject) -> Result<bool, Raised> {
    // SAFETY: the file is alive.
    unsafe {
        let Some(method) = writer::attribute(file, c"seekable")? else {
            return Ok(true);
        };
        let answer = ffi::PyObject_CallNoArgs(method.as_ptr());
        let answer = Owned::from_call(answer)?;
        match ffi::PyObject_IsTrue(answer.as_ptr()) {
            -1 => Err(Raised),
            truth => Ok(truth == 1),
        }
    }
}
