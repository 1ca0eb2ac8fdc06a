//! Any bytes as a document: every text and implementation must tell the same
//! story, and the reader of the tests, slow and simple, must agree.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linecaster_kernel::dispatch;

#[path = "../../crates/decode/tests/oracle/mod.rs"]
mod oracle;

fuzz_target!(|bytes: &[u8]| {
    let mut outcomes = dispatch::available().map(|implementation| {
        dispatch::force(implementation.name()).expect("it is available");
        oracle::from_bytes(bytes)
    });
    let first = outcomes.next().expect("there is always one");
    assert!(outcomes.all(|outcome| outcome == first));
    let Ok(text) = core::str::from_utf8(bytes) else {
        assert!(first.is_err());
        return;
    };
    let points: Vec<u32> = text.chars().map(u32::from).collect();
    let found = oracle::from_points(&points);
    // The slow reader recurses.
    if points.iter().filter(|&&point| point == 0x5B || point == 0x7B).count() < 1000 {
        assert_eq!(found.ok(), oracle::oracle(&points));
    }
});
