//! Documents that lie flush against memory that nobody may touch: a read
//! before or behind the text ends the process.
#![cfg(unix)]

use linecaster_decode::{Options, Scan, Scratch, parse};
use linecaster_kernel::dispatch::{available, force};
use linecaster_kernel::text::{Ascii, Latin1, Text, Ucs2, Ucs4, Utf8};

#[allow(dead_code, reason = "shared with the tests of whole documents")]
mod oracle;

use oracle::{Recorder, oracle};

/// Readable memory with an inaccessible page before and behind.
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
            let all = libc::mmap(
                core::ptr::null_mut(),
                (pages + 2) * page,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
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

    /// `units` at the end of the memory, or at its beginning.
    fn place<U: Copy>(&self, units: &[U], at_end: bool) -> &[U] {
        let bytes = size_of_val(units);
        assert!(bytes <= self.size);
        let offset = if at_end { self.size - bytes } else { 0 };
        // SAFETY: inside the accessible memory; pages and sizes are multiples
        // of a unit's alignment.
        unsafe {
            let to = self.start.add(offset).cast::<U>();
            to.copy_from_nonoverlapping(units.as_ptr(), units.len());
            core::slice::from_raw_parts(to, units.len())
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

/// Reads `units` at both ends of the memory; `document` is what they mean.
fn check<T: Text<Unit: Scan>>(memory: &Guarded, units: &[T::Unit], document: &[u32]) {
    for at_end in [false, true] {
        let units = memory.place(units, at_end);
        let mut recorder = Recorder::default();
        let mut scratch = Scratch::default();
        let result = parse::<T, _>(units, &Options::default(), &mut scratch, &mut recorder);
        let found = result.is_ok().then_some(recorder.0);
        assert_eq!(found, oracle(document), "{document:?}");
    }
}

/// Documents that end, whole or cut, in every kind of token, with a string of
/// `length` characters `filler` before.
fn documents(length: usize, filler: char) -> Vec<String> {
    let text: String = core::iter::repeat_n(filler, length).collect();
    let mut all = vec![
        format!("\"{text}\""),
        format!("\"{text}"),
        format!("\"{text}\\n\""),
        format!("\"{text}\\u00e9\""),
        format!("\"{text}\\"),
        format!("\"{text}\\u00e"),
        format!("[\"{text}\",tru"),
        format!("{{\"{text}\":1}}"),
    ];
    if filler == '7' {
        all.extend([
            text.clone(),
            format!("0.{text}"),
            format!("-{text}e{length}"),
            format!("{text}."),
            format!("[{text}"),
            format!("[1,{text}"),
            format!("[1{}", ",234".repeat(length / 4)),
            format!("[1{}]", ",2".repeat(length / 2)),
        ]);
    }
    if filler == ' ' {
        all.extend([format!("{text}1"), format!("1{text}"), text]);
    }
    all
}

fn check_all(memory: &Guarded) {
    for length in 0..=130 {
        for filler in ['a', '7', ' ', 'é', '漢', '😀'] {
            for document in documents(length, filler) {
                let points: Vec<u32> = document.chars().map(u32::from).collect();
                check::<Utf8>(memory, document.as_bytes(), &points);
                check::<Ucs4>(memory, &points, &points);
                if points.iter().all(|&c| c < 0x1_0000) {
                    let units: Vec<u16> = points.iter().map(|&c| c as u16).collect();
                    check::<Ucs2>(memory, &units, &points);
                }
                if points.iter().all(|&c| c < 0x100) {
                    let units: Vec<u8> = points.iter().map(|&c| c as u8).collect();
                    check::<Latin1>(memory, &units, &points);
                }
                if document.is_ascii() {
                    check::<Ascii>(memory, document.as_bytes(), &points);
                }
            }
        }
    }
}

/// One test, because the implementation is forced for the whole process.
#[test]
fn flush_against_inaccessible_pages() {
    let memory = Guarded::new(1);
    for implementation in available() {
        force(implementation.name()).expect("it is available");
        check_all(&memory);
    }
}

/// Sequences that are cut short, which a decoder might read beyond.
#[test]
fn cut_utf8_at_the_end() {
    let memory = Guarded::new(1);
    for length in 0..=130 {
        for cut in [
            &b"\xC3"[..],
            b"\xE6\xBC",
            b"\xE6",
            b"\xF0\x9F\x98",
            b"\xF0\x9F",
            b"\xF0",
        ] {
            let mut bytes = vec![b'"'];
            bytes.resize(length + 1, b'a');
            bytes.extend(cut);
            let bytes = memory.place(&bytes, true);
            let mut recorder = Recorder::default();
            let mut scratch = Scratch::default();
            let result = parse::<Utf8, _>(bytes, &Options::default(), &mut scratch, &mut recorder);
            assert!(result.is_err());
        }
    }
}
