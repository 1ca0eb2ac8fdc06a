//! Inputs and outputs that lie flush against memory that nobody may touch.
#![cfg(unix)]

use linecaster_kernel::cursor::Cursor;
use linecaster_kernel::dispatch::{self, Implementation};
use linecaster_kernel::escape::SHORT;
use linecaster_kernel::output::{self, Output};
use linecaster_kernel::policy::Word;
use linecaster_kernel::policy::{Json, JsonHtmlSlash, Policy};
use linecaster_kernel::sink::{Refill, Sink};
use linecaster_kernel::testing::{Combination, Encoded, Path, Units, combinations, oracle};
use linecaster_kernel::text::{Ascii, Latin1, Text, Ucs2, Unit};

use crate::runner::{LEAD, TRAIL};

/// Readable and writable memory with an inaccessible page before and behind.
struct Guarded {
    start: *mut u8,
    page: usize,
    size: usize,
}

impl Guarded {
    fn new(pages: usize) -> Guarded {
        // SAFETY: a mapping of its own, of which only the inner pages are
        // made accessible.
        unsafe {
            let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).expect("a page size");
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let all = libc::mmap(
                std::ptr::null_mut(),
                (pages + 2) * page,
                libc::PROT_NONE,
                flags,
                -1,
                0,
            );
            assert!(all != libc::MAP_FAILED);
            let start = all.cast::<u8>().add(page);
            let access = libc::PROT_READ | libc::PROT_WRITE;
            assert_eq!(libc::mprotect(start.cast(), pages * page, access), 0);
            let size = pages * page;
            Guarded { start, page, size }
        }
    }

    /// `bytes` at the end, or at the beginning.
    fn place<U: Copy>(&self, units: &[U], at_end: bool) -> &[U] {
        let bytes = size_of_val(units);
        assert!(bytes <= self.size);
        let offset = if at_end { self.size - bytes } else { 0 };
        // SAFETY: inside the accessible memory; pages and sizes are multiples
        // of a unit's alignment.
        unsafe {
            let to = self.start.add(offset).cast::<U>();
            to.copy_from_nonoverlapping(units.as_ptr(), units.len());
            std::slice::from_raw_parts(to, units.len())
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the whole mapping, which nobody borrows any more.
        unsafe {
            let all = self.start.sub(self.page);
            libc::munmap(all.cast(), self.size + 2 * self.page);
        }
    }
}

unsafe fn full(sink: &mut Sink, _additional: usize) {
    sink.fail();
}

fn check(combination: &Combination, text: &Units<'_>, expected: &[u8], memory: &Guarded) {
    for path in Path::available() {
        // Just enough room, all of it before the inaccessible page; just too
        // little; and just as much as an inner loop asks for.
        let lead = (LEAD.len() - 1) * combination.width;
        let plenty = lead + (combination.plenty)(text);
        for room in [expected.len(), expected.len() - 1, plenty] {
            // SAFETY: the last `room` bytes of the accessible memory.
            let (mut sink, start) = unsafe {
                let start = memory.start.add(memory.size - room);
                (
                    Sink::new(start, room, full as Refill, std::ptr::null_mut()),
                    start,
                )
            };
            let result = (combination.run)(path, &mut sink, LEAD, text, TRAIL);
            assert_eq!(result, Ok(()));
            assert_eq!(sink.failed(), room < expected.len());
            if !sink.failed() {
                // SAFETY: that many bytes are written.
                let got = unsafe { std::slice::from_raw_parts(start, sink.len()) };
                assert_eq!(got, expected, "{path:?} {combination:?}");
            }
        }
    }
}

#[test]
fn flush_against_inaccessible_pages() {
    let (input, output) = (Guarded::new(1), Guarded::new(16));
    let all = combinations();
    let ranges: [&[u32]; 6] = [
        &[0x61],
        &[0x61, 0x61, 0x22],
        &[0xE9, 0x61],
        &[0x436, 0x436, 0x20],
        &[0x4E2D],
        &[0x1_F600, 0x61],
    ];
    for range in ranges {
        for length in (0..=130).chain([257, 389, 520, 777, 1000]) {
            let characters: Vec<u32> = range.iter().copied().cycle().take(length).collect();
            for combination in &all {
                let Some(text) = Encoded::new(&characters, combination.text) else {
                    continue;
                };
                let expected = (combination.oracle)(LEAD, &text.units(), TRAIL);
                let expected = expected.expect("no surrogates");
                for at_end in [true, false] {
                    let text = match &text {
                        Encoded::One(units) => Units::One(input.place(units, at_end)),
                        Encoded::Two(units) => Units::Two(input.place(units, at_end)),
                        Encoded::Four(units) => Units::Four(input.place(units, at_end)),
                    };
                    check(combination, &text, &expected, &output);
                }
            }
        }
    }
}

/// Short ASCII strings with a header of eight bytes before them, as an inner
/// loop writes them: in the middle of memory and at its end.
fn short_strings<P: Policy, O: Output, const MASKED: bool>(input: &Guarded, output: &Guarded) {
    const QUOTE: Word = Word::new(b"\"");
    const HEAD: usize = 8;
    let width = size_of::<O::Unit>();
    for len in 0..=SHORT + 1 {
        let mut texts = vec![vec![b'a'; len], vec![b' '; len], vec![0x7F; len]];
        for at in 0..len {
            for byte in [0, 0x1F, b' ', b'"', b'\\', b'/', b'<', b'>', b'&', b'~'] {
                let mut text = vec![b'z'; len];
                text[at] = byte;
                texts.push(text);
            }
        }
        for text in &texts {
            let expected = oracle::<Ascii, P, O>(QUOTE, text, TRAIL).expect("no surrogates");
            let plain = expected.len() == (len + 1 + TRAIL.len()) * width;
            // What is before the text, and behind it unless there is nothing,
            // would be escaped.
            for behind in [0, 1, 7, 40] {
                let placed = [&[0; HEAD], &text[..], &vec![b'"'; behind]].concat();
                let placed = input.place(&placed, true);
                // SAFETY: the room is as much as the longest string asks for,
                // and the header is there.
                unsafe {
                    let room = (len + 9).max(if MASKED { 33 } else { 17 }) * width;
                    let start = output.start.add(output.size - room);
                    let mut sink = Sink::new(start, room, full as Refill, std::ptr::null_mut());
                    let mut cursor = Cursor::new(&mut sink);
                    let at = placed.as_ptr().add(HEAD);
                    let written = cursor.put_short::<P, O, MASKED>(at, len, TRAIL);
                    assert_eq!(written, plain && len <= SHORT, "{text:?}");
                    cursor.settle(&mut sink);
                    let got = std::slice::from_raw_parts(start, sink.len());
                    assert_eq!(got, if written { &expected[..] } else { &[] }, "{text:?}");
                }
            }
        }
    }
}

/// Short strings of wide text, likewise.
#[cfg(target_arch = "x86_64")]
fn short_wide_strings<T: Text, P: Policy, O: Output>(wide: u32, input: &Guarded, output: &Guarded) {
    const QUOTE: Word = Word::new(b"\"");
    let width = size_of::<O::Unit>();
    for len in 0..=SHORT + 1 {
        let mut texts = vec![vec![wide; len]];
        for at in 0..len {
            for unit in [0, 0x1F, 0x20, 0x22, 0x5C, 0x2F, 0x7F, 0x80, 0xA2, 0xDC] {
                let mut text = vec![wide; len];
                text[at] = unit;
                texts.push(text);
            }
        }
        for text in &texts {
            let text: Vec<T::Unit> = text.iter().map(|&c| T::Unit::truncate(c)).collect();
            let expected = oracle::<T, P, O>(QUOTE, &text, TRAIL).expect("no surrogates");
            let plain = expected.len() == (len + 1 + TRAIL.len()) * width;
            let placed = input.place(&text, true);
            // SAFETY: the room is as much as the longest string asks for.
            unsafe {
                let room = (len + 9).max(33) * width;
                let start = output.start.add(output.size - room);
                let mut sink = Sink::new(start, room, full as Refill, std::ptr::null_mut());
                let mut cursor = Cursor::new(&mut sink);
                let written = cursor.put_short_masked::<T, P, O>(placed, TRAIL);
                assert_eq!(written, plain && len <= SHORT, "{len}");
                cursor.settle(&mut sink);
                let got = std::slice::from_raw_parts(start, sink.len());
                assert_eq!(got, if written { &expected[..] } else { &[] }, "{len}");
            }
        }
    }
}

#[test]
fn short_strings_flush_against_inaccessible_pages() {
    let (input, output) = (Guarded::new(1), Guarded::new(1));
    short_strings::<Json, output::Utf8, false>(&input, &output);
    short_strings::<Json, output::Units2, false>(&input, &output);
    short_strings::<JsonHtmlSlash, output::Units4, false>(&input, &output);
    #[cfg(target_arch = "x86_64")]
    if dispatch::available().any(|one| one == Implementation::Avx512) {
        short_strings::<Json, output::Utf8, true>(&input, &output);
        short_strings::<Json, output::Units2, true>(&input, &output);
        short_strings::<Json, output::Units4, true>(&input, &output);
        short_strings::<JsonHtmlSlash, output::Utf8, true>(&input, &output);
        short_strings::<JsonHtmlSlash, output::Units4, true>(&input, &output);
        short_wide_strings::<Latin1, Json, output::Units1>(0xE9, &input, &output);
        short_wide_strings::<Latin1, Json, output::Units2>(0xE9, &input, &output);
        short_wide_strings::<Latin1, JsonHtmlSlash, output::Units4>(0xE9, &input, &output);
        short_wide_strings::<Ucs2, Json, output::Units2>(0x4E22, &input, &output);
        short_wide_strings::<Ucs2, JsonHtmlSlash, output::Units4>(0x225C, &input, &output);
        return;
    }
    eprintln!("SKIPPED: short strings by masked vectors");
}
