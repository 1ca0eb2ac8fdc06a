//! Strings against vectors of characters.

use std::sync::Arc;

use linecaster_heap::Heap;
use proptest::prelude::*;

use super::Str;
use crate::syntax::source::{Source, Span};

/// How a string is made.
#[derive(Clone, Debug)]
enum Plan {
    Own(String),
    Shared(String, String, String),
    Both(Box<Plan>, Box<Plan>),
    Piece(Box<Plan>, usize, usize),
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z\"\\\\\n]{0,20}",
        "[ -~]{0,300}",
        "[aé漢😀\u{7f}\u{85}\u{a0}]{0,20}",
        "[a-cé漢😀]{0,400}",
    ]
}

fn plan() -> impl Strategy<Value = Plan> {
    let leaf = prop_oneof![
        text().prop_map(Plan::Own),
        (text(), text(), text()).prop_map(|(a, b, c)| Plan::Shared(a, b, c)),
    ];
    leaf.prop_recursive(6, 24, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone())
                .prop_map(|(left, right)| Plan::Both(Box::new(left), Box::new(right))),
            (inner, 0_usize..500, 0_usize..500).prop_map(|(whole, from, to)| Plan::Piece(
                Box::new(whole),
                from,
                to
            )),
        ]
    })
}

fn build(heap: &Heap, plan: &Plan) -> (Str, Vec<char>) {
    match plan {
        Plan::Own(text) => (Str::new(heap, text), text.chars().collect()),
        Plan::Shared(before, text, after) => {
            let source = Arc::new(Source::new("", [&**before, text, after].concat()));
            let start = before.len() as u32;
            let end = start + text.len() as u32;
            let shared = Str::shared(heap, &source, Span { start, end });
            (shared, text.chars().collect())
        }
        Plan::Both(left, right) => {
            let (left, right) = (build(heap, left), build(heap, right));
            let both = Str::concat(heap, &left.0, &right.0);
            (both, [left.1, right.1].concat())
        }
        Plan::Piece(whole, from, to) => {
            let (whole, model) = build(heap, whole);
            let (start, end) = (*from.min(&model.len()), *to.min(&model.len()));
            let model = model[start..end.max(start)].to_vec();
            (whole.slice(heap, *from, *to), model)
        }
    }
}

fn is_escaped(c: char) -> bool {
    matches!(c, '\0'..='\x1F' | '"' | '\\' | '\x7F'..='\u{9F}')
}

proptest! {
    #[test]
    fn a_string_is_a_vector_of_characters(plan in plan(), at in 0_usize..700) {
        let heap = Heap::new();
        let (string, model) = build(&heap, &plan);
        // In this order, so that lengths are asked before and after the text
        // of a concatenation is made.
        prop_assert_eq!(string.len(), model.len());
        prop_assert_eq!(string.is_ascii(), model.iter().all(char::is_ascii));
        let text: String = model.iter().collect();
        prop_assert_eq!(string.bytes(), text.len());
        prop_assert_eq!(string.as_str(), &text);
        prop_assert_eq!(string.len(), model.len());
        prop_assert_eq!(string.is_empty(), model.is_empty());
        prop_assert_eq!(string.is_escape_free(), !model.iter().copied().any(is_escaped));
        prop_assert_eq!(string.char_at(at), model.get(at).copied());
        let one = string.index(&heap, at);
        prop_assert_eq!(one.map(|one| one.as_str().to_owned()), model.get(at).map(char::to_string));
        let byte = string.byte_position(at);
        prop_assert_eq!(byte, model.iter().take(at).map(|c| c.len_utf8()).sum::<usize>());
        prop_assert_eq!(string.position(byte), at.min(model.len()));
        let end = string.bytes();
        let rest = string.slice_bytes(&heap, byte, end);
        prop_assert_eq!(rest.as_str(), &text[byte..]);
    }

    #[test]
    fn strings_are_ordered_by_code_points(left in plan(), right in plan()) {
        let heap = Heap::new();
        let ((left, one), (right, two)) = (build(&heap, &left), build(&heap, &right));
        prop_assert_eq!(left.cmp(&right), one.cmp(&two));
        prop_assert_eq!(left == right, one == two);
        prop_assert_eq!(left.cmp(&left.clone()), std::cmp::Ordering::Equal);
        prop_assert!(left == left.slice(&heap, 0, left.len()));
    }
}

#[test]
fn a_chain_of_concatenations_is_linear_and_flat() {
    let heap = Heap::new();
    for front in [false, true] {
        let mut chain = Str::empty();
        let piece = Str::new(&heap, "piece é ");
        for _ in 0..100_000 {
            chain = if front {
                Str::concat(&heap, &piece, &chain)
            } else {
                Str::concat(&heap, &chain, &piece)
            };
        }
        assert_eq!(chain.len(), 800_000);
        let unseen = Str::concat(&heap, &chain, &piece);
        assert_eq!(chain.as_str(), "piece é ".repeat(100_000));
        assert_eq!(unseen.bytes(), 900_009);
    }
    heap.collect();
    assert_eq!(heap.bytes(), 0);
}

#[test]
fn a_chain_that_nobody_looks_at_is_dropped() {
    let heap = Heap::new();
    let long = Str::new(&heap, &"x".repeat(300));
    let mut chain = long.clone();
    for _ in 0..200_000 {
        chain = Str::concat(&heap, &chain, &long);
    }
    drop(chain);
}

#[test]
fn pieces_together() {
    let heap = Heap::new();
    assert_eq!(Str::from_pieces(&heap, &[]).as_str(), "");
    assert_eq!(Str::from_pieces(&heap, &["a", "é"]).as_str(), "aé");
    let long = Str::from_pieces(&heap, &["fifteen", " letters"]);
    assert_eq!((long.as_str(), long.len()), ("fifteen letters", 15));
}

#[test]
fn a_maker_may_know_that_nothing_is_escaped() {
    let heap = Heap::new();
    let text = Str::new(&heap, "nothing to escape in here");
    assert_eq!(text.known_escape_free(), None);
    text.set_escape_free(true);
    assert_eq!(text.known_escape_free(), Some(true));
    assert_eq!(Str::new(&heap, "\"").known_escape_free(), Some(false));
}
