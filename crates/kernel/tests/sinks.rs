//! The sinks: growth, flushing, failure.

use std::mem::MaybeUninit;

use linecaster_kernel::escape::escape_between;
use linecaster_kernel::output::{Units4, Utf8};
use linecaster_kernel::plain::{ascii, word};
use linecaster_kernel::policy::{Json, Word};
use linecaster_kernel::sink::{ChunkedSink, FixedSink, Refill, Sink, SinkError, VecSink};
use linecaster_kernel::text::Ascii;

const QUOTE: Word = Word::new(b"\"");

fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|k| b'a' + (k % 26) as u8).collect()
}

#[test]
fn a_vector_grows_and_keeps_what_it_held() {
    for start in [0, 1, 7, 64] {
        for n in [0, 1, 63, 64, 65, 1000, 100_000] {
            let mut out = bytes(start);
            let mut sink = VecSink::new(&mut out);
            sink.sink().write(&bytes(n));
            word::<Utf8>(sink.sink(), QUOTE);
            assert_eq!(sink.finish(), Ok(()));
            assert_eq!(out, [bytes(start), bytes(n), b"\"".to_vec()].concat());
        }
    }
}

#[test]
fn what_is_taken_back_is_written_over() {
    let mut out = bytes(3);
    let mut sink = VecSink::new(&mut out);
    let start = sink.sink().len();
    sink.sink().write(&bytes(1000));
    sink.sink().truncate(start + 2);
    sink.sink().truncate(start + 10);
    sink.sink().write(b"xyz");
    assert_eq!(sink.finish(), Ok(()));
    assert_eq!(out, b"abcabxyz");
}

#[test]
fn growth_is_geometric() {
    let mut out = Vec::new();
    let mut sink = VecSink::new(&mut out);
    let (mut moves, mut last) = (0, 0);
    for _ in 0..100_000 {
        sink.sink().write(b"x");
        if sink.sink().capacity() != last {
            (moves, last) = (moves + 1, sink.sink().capacity());
        }
    }
    assert!(moves <= 12, "{moves} growths for 100,000 bytes");
}

#[test]
fn a_long_string_grows_the_vector_once() {
    let text = bytes(1_000_000);
    let mut out = Vec::new();
    let mut sink = VecSink::new(&mut out);
    escape_between::<Ascii, Json, Utf8>(sink.sink(), QUOTE, &text, QUOTE).expect("ASCII");
    let capacity = sink.sink().capacity();
    assert_eq!(sink.finish(), Ok(()));
    assert!(
        capacity < text.len() + 2000,
        "{capacity} bytes for a clean string"
    );
}

#[test]
fn out_of_memory_is_sticky_and_quiet() {
    let mut out = bytes(3);
    let mut sink = VecSink::new(&mut out);
    assert!(!sink.sink().reserve(usize::MAX / 2));
    assert!(sink.sink().failed());
    sink.sink().write(b"lost");
    word::<Utf8>(sink.sink(), QUOTE);
    ascii::<Units4>(sink.sink(), b"lost");
    let result = escape_between::<Ascii, Json, Utf8>(sink.sink(), QUOTE, &bytes(5000), QUOTE);
    assert_eq!(result, Ok(()));
    assert!(!sink.sink().reserve(0) || sink.sink().room() == 0);
    assert_eq!(sink.finish(), Err(SinkError));
    assert_eq!(out, bytes(3));
}

#[test]
fn a_fixed_buffer_fills_to_the_brim() {
    let mut buffer = [MaybeUninit::uninit(); 10];
    let mut sink = FixedSink::new(&mut buffer);
    sink.sink().write(b"01234");
    word::<Utf8>(sink.sink(), Word::new(b"56789"));
    assert_eq!(sink.finish(), Ok(&b"0123456789"[..]));

    let mut sink = FixedSink::new(&mut buffer);
    sink.sink().write(b"01234");
    word::<Utf8>(sink.sink(), Word::new(b"567890"));
    sink.sink().write(b"");
    assert_eq!(sink.finish(), Err(SinkError));
}

#[test]
fn wide_units_fill_a_fixed_buffer_to_the_brim() {
    for size in 0..40 {
        let mut buffer = [MaybeUninit::uninit(); 40];
        let mut sink = FixedSink::new(&mut buffer[..size]);
        ascii::<Units4>(sink.sink(), b"abc");
        word::<Units4>(sink.sink(), Word::new(b"def"));
        let expected: Vec<u8> = b"abcdef"
            .iter()
            .flat_map(|&b| u32::from(b).to_ne_bytes())
            .collect();
        match sink.finish() {
            Ok(written) => assert_eq!(written, expected),
            Err(SinkError) => assert!(size < 24),
        }
    }
}

#[test]
fn chunks_are_full_and_complete() {
    for size in [1, 2, 7, 64, 512] {
        let (mut out, mut sizes) = (Vec::new(), Vec::new());
        let mut write = |chunk: &[u8]| {
            out.extend_from_slice(chunk);
            sizes.push(chunk.len());
            true
        };
        let mut chunk = vec![MaybeUninit::uninit(); size];
        let result = ChunkedSink::new(&mut chunk, &mut write).with(|sink| sink.write(&bytes(1000)));
        assert_eq!(result, Ok(()));
        assert_eq!(out, bytes(1000));
        let (last, full) = sizes.split_last().expect("chunks");
        assert!(full.iter().all(|&n| n == size) && *last <= size);
    }
}

#[test]
fn a_writer_that_refuses_is_not_asked_again() {
    for allowed in 0..5 {
        let mut calls = 0;
        let mut write = |_: &[u8]| {
            calls += 1;
            calls <= allowed
        };
        let mut chunk = [MaybeUninit::uninit(); 64];
        let result = ChunkedSink::new(&mut chunk, &mut write).with(|sink| {
            for _ in 0..100 {
                sink.write(&bytes(10));
            }
        });
        assert_eq!(result, Err(SinkError));
        assert_eq!(calls, allowed + 1);
    }
}

#[test]
fn a_piece_larger_than_the_chunk_fails() {
    let mut write = |_: &[u8]| true;
    let mut chunk = [MaybeUninit::uninit(); 64];
    let result = ChunkedSink::new(&mut chunk, &mut write).with(|sink| sink.reserve(65));
    assert_eq!(result, Err(SinkError));
}

/// Grows by what is wanted, once, and says what that was.
unsafe fn once(sink: &mut Sink, additional: usize) {
    assert!(additional <= sink.wanted());
    // SAFETY: the test passes a vector that nobody else uses.
    let vec = unsafe { &mut *sink.state().cast::<Vec<u8>>() };
    if vec.capacity() > 0 {
        return sink.fail();
    }
    vec.reserve_exact(sink.wanted());
    // SAFETY: the vector's buffer, empty as the sink is.
    unsafe { sink.set_buffer(vec.as_mut_ptr(), 0, vec.capacity()) };
}

#[test]
fn a_refill_is_told_what_is_wanted() {
    let mut vec: Vec<u8> = Vec::new();
    let state = (&raw mut vec).cast();
    let nothing = std::ptr::NonNull::dangling().as_ptr();
    // SAFETY: no bytes, and a vector that outlives the sink.
    let mut sink = unsafe { Sink::new(nothing, 0, once as Refill, state) };
    let text = bytes(10_000);
    let lead = Word::EMPTY;
    escape_between::<Ascii, Json, Utf8>(&mut sink, lead, &text, Word::EMPTY).expect("ASCII");
    assert!(!sink.failed());
    assert_eq!(sink.len(), text.len());
}
