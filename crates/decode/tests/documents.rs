//! Whole documents against a slow parser, in every text.

mod oracle;

use linecaster_decode::{Options, Reason, Scratch, Surrogates, parse};
use linecaster_kernel::text::{Ucs2, Ucs4, Utf8};
use oracle::{Event, Recorder, from_bytes, from_points, oracle};
use proptest::prelude::*;

const SAMPLE: &str = r#" {"name": "Zoë \"the\" Ünïcode \u00e9\ud83d\ude00 漢字 😀 0123456789abcdef",
	"numbers": [0, -1, 12345678901234567890, 18446744073709551616, -9223372036854775808,
		1.5e10, -0.0, 0.000012345678901234567, 1e-400, 3.14159265358979],
	"nothing": [[], {}, null, true, false, [ ], { }],
	"deep": {"a": {"b": {"c": ["\\", "\/\b\f\n\r\t", ""]}}} , "漢": "\udc00"}
"#;

fn points(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

/// Holds a document against the oracle, in every text.
fn check(points: &[u32]) {
    let found = from_points(points);
    assert_eq!(found.clone().ok(), oracle(points), "{found:?}");
}

#[test]
fn sample_and_all_its_beginnings_and_ends() {
    let sample = points(SAMPLE);
    check(&sample);
    assert!(oracle(&sample).is_some());
    for at in 0..=sample.len() {
        check(&sample[..at]);
        check(&sample[at..]);
    }
}

#[test]
fn sample_truncated_at_every_byte() {
    for end in 0..SAMPLE.trim_end().len() {
        assert!(from_bytes(&SAMPLE.as_bytes()[..end]).is_err(), "{end}");
    }
}

#[test]
fn sample_with_every_byte_replaced() {
    let mut bytes = SAMPLE.as_bytes().to_vec();
    for at in 0..bytes.len() {
        for byte in [
            0, b'"', b'\\', b'[', b'}', b',', b'9', b' ', 0x80, 0xC3, 0xED, 0xFF,
        ] {
            let old = core::mem::replace(&mut bytes[at], byte);
            let found = from_bytes(&bytes);
            match core::str::from_utf8(&bytes) {
                Ok(text) => assert_eq!(found.ok(), oracle(&points(text)), "{at} {byte}"),
                Err(_) => assert!(found.is_err(), "{at} {byte}"),
            }
            bytes[at] = old;
        }
    }
}

#[test]
fn sample_at_every_offset() {
    for before in 0..70 {
        let text = " ".repeat(before) + SAMPLE.trim();
        check(&points(&text));
    }
}

#[test]
fn strings_of_every_length() {
    for fill in [
        "a",
        "é",
        "字",
        "😀",
        "\\n",
        "\\\"",
        "\\u00e9",
        "\\ud83d\\ude00",
        "aé",
        "字\\t",
    ] {
        for count in 0..=130 {
            check(&points(&format!("\"{}\"", fill.repeat(count))));
            check(&points(&format!(
                "{{\"{}\":\"x{}\" }}",
                fill.repeat(count),
                fill.repeat(count)
            )));
        }
    }
}

#[test]
fn numbers() {
    let parts = [
        "",
        "0",
        "7",
        "10",
        "00",
        "123456789",
        "1234567890123456789",
        "98765432109876543210",
    ];
    for integer in parts {
        for sign in ["", "-", "+", "--"] {
            for fraction in parts {
                for exponent in [
                    "",
                    "e",
                    "e5",
                    "E-7",
                    "e+300",
                    "e999999999999999999999",
                    "e-99999999999999999999",
                ] {
                    let dot = if fraction.is_empty() { "" } else { "." };
                    for text in [
                        format!("{sign}{integer}{dot}{fraction}{exponent}"),
                        format!("[{sign}{integer}.{fraction}{exponent}]"),
                    ] {
                        check(&points(&text));
                    }
                }
            }
        }
    }
}

/// What may stand among the integers of an array, right or wrong.
const MEMBERS: [&str; 32] = [
    "0",
    "7",
    "-0",
    "-1",
    "10",
    "256",
    "257",
    "-5",
    "-6",
    "12345678",
    "-1234567",
    "-12345678",
    "123456789",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551616",
    "123456789012345678901234",
    "00",
    "-01",
    "1.5",
    "1e5",
    "2E1",
    "-",
    "+1",
    " 3",
    "\n\t\r 4",
    "5 ",
    "",
    "true",
    "[6,7]",
    "\"8,9\"",
];

#[test]
fn integers_one_behind_the_other() {
    // Each at every distance from where the run began, with enough behind it
    // for the run to go on, and at the end of the text.
    for member in MEMBERS {
        for before in 0..70 {
            for behind in [0, 1, 90] {
                let text = format!(
                    "[1{},{member}{}]",
                    ",2".repeat(before),
                    ",34".repeat(behind)
                );
                check(&points(&text));
            }
        }
    }
}

#[test]
fn errors_have_a_place() {
    for (text, reason, place) in [
        ("", Reason::Value, (0, 1, 1)),
        ("\n\n [1,\n é]", Reason::Value, (8, 4, 2)),
        ("[1,2", Reason::Comma, (4, 1, 5)),
        ("[\"é\n\"]", Reason::Control, (3, 1, 4)),
        ("{\"漢\":1 \"b\"}", Reason::Comma, (7, 1, 8)),
        ("{\"a\" 1}", Reason::Colon, (5, 1, 6)),
        ("{1:1}", Reason::Name, (1, 1, 2)),
        ("[1,]", Reason::TrailingCommaArray, (2, 1, 3)),
        ("{\"a\":1 , }", Reason::TrailingCommaObject, (7, 1, 8)),
        ("1 2", Reason::Extra, (2, 1, 3)),
        ("[\"é", Reason::Unterminated, (1, 1, 2)),
        ("\"\\x\"", Reason::Escape, (1, 1, 2)),
        ("\"é\\u12G4\"", Reason::UnicodeEscape, (3, 1, 4)),
        ("\u{FEFF}1", Reason::ByteOrderMark, (0, 1, 1)),
        ("[NaN]", Reason::NotFinite, (1, 1, 2)),
        ("-Infinity", Reason::NotFinite, (0, 1, 1)),
        ("1e999", Reason::Range, (0, 1, 1)),
    ] {
        let (character, line, column) = place;
        assert_eq!(
            from_points(&points(text)),
            Err((reason, character, line, column)),
            "{text}"
        );
    }
    for (bytes, at) in [
        (&b"\"\xC0\x80\""[..], 1),
        (b"\"ok \xED\xA0\x80\"", 4),
        (b"\"\xC3\xA9\xF4\x90\x80\x80\"", 2),
        (b"[1, \xFF]", 4),
        (b"\"\xE2\x82\"", 1),
        (b"\"\xC3\xA9 \xF0\x9F\x98", 3),
    ] {
        let found = from_bytes(bytes);
        assert!(
            matches!(found, Err((_, character, 1, _)) if character == at),
            "{found:?}"
        );
    }
}

fn with<T>(options: &Options, text: &[T::Unit]) -> Result<Vec<Event>, Reason>
where
    T: linecaster_kernel::text::Text<Unit: linecaster_decode::Scan>,
{
    let mut recorder = Recorder::default();
    match parse::<T, _>(text, options, &mut Scratch::default(), &mut recorder) {
        Ok(()) => Ok(recorder.0),
        Err(linecaster_decode::Error::Syntax(error)) => Err(error.reason),
        Err(linecaster_decode::Error::Visit(never)) => match never {},
    }
}

#[test]
fn depth_is_limited_and_deep_documents_are_read() {
    let deep = |n: usize| ["[".repeat(n), "]".repeat(n)].concat();
    assert!(with::<Utf8>(&Options::default(), deep(1024).as_bytes()).is_ok());
    assert_eq!(
        with::<Utf8>(&Options::default(), deep(1025).as_bytes()),
        Err(Reason::Depth)
    );
    let options = Options {
        max_depth: 100_000,
        ..Options::default()
    };
    let events = with::<Utf8>(&options, deep(100_000).as_bytes()).unwrap();
    assert_eq!(events.len(), 200_000);
    let options = Options {
        max_depth: 0,
        ..Options::default()
    };
    assert!(with::<Utf8>(&options, b"1").is_ok());
    assert_eq!(with::<Utf8>(&options, b"{}"), Err(Reason::Depth));
}

#[test]
fn leniencies_are_asked_for() {
    let strict = Options::default();
    let lax = Options {
        allow_nan: true,
        leading_zeros: true,
        raw_control: true,
        surrogates: Surrogates::KeepRaw,
        ..Options::default()
    };
    let float = |value: f64| vec![Event::Float(value.to_bits())];
    let string = |points: &[u32]| vec![Event::String(points.to_vec())];
    for (text, events) in [
        (&b"NaN"[..], float(f64::NAN)),
        (b"Infinity", float(f64::INFINITY)),
        (b"-Infinity", float(f64::NEG_INFINITY)),
        (b"1e999", float(f64::INFINITY)),
        (b"-007", vec![Event::Integer("-7".into())]),
        (b"00", vec![Event::Integer("0".into())]),
        (b"000000000000000000000001.5", float(1.5)),
        (
            b"00000000000000000000000000012",
            vec![Event::Integer("12".into())],
        ),
        (b"\"a\n\0b\\n\"", string(&[0x61, 10, 0, 0x62, 10])),
        (b"\"\xED\xA0\x80\"", string(&[0xD800])),
    ] {
        assert!(with::<Utf8>(&strict, text).is_err(), "{text:?}");
        assert_eq!(with::<Utf8>(&lax, text), Ok(events), "{text:?}");
    }
}

#[test]
fn big_integers_may_become_floats() {
    let options = Options {
        big_integers_as_floats: true,
        ..Options::default()
    };
    let float = |value: f64| vec![Event::Float(value.to_bits())];
    let int = |text: &str| vec![Event::Integer(text.into())];
    for (text, events) in [
        ("18446744073709551615", int("18446744073709551615")),
        ("-9223372036854775808", int("-9223372036854775808")),
        ("18446744073709551616", float(18_446_744_073_709_551_616.0)),
        ("-9223372036854775809", float(-9_223_372_036_854_775_808.0)),
        (
            "123456789012345678901234567890",
            float(1.234_567_890_123_456_8e29),
        ),
    ] {
        assert_eq!(
            with::<Utf8>(&options, text.as_bytes()),
            Ok(events),
            "{text}"
        );
    }
    let huge = "1".repeat(400);
    assert_eq!(with::<Utf8>(&options, huge.as_bytes()), Err(Reason::Range));
}

#[test]
fn numbers_may_lack_digits() {
    let lax = Options {
        missing_digits: true,
        allow_nan: true,
        ..Options::default()
    };
    let text_of_floats = Options {
        floats_as_text: true,
        ..lax.clone()
    };
    let float = |value: f64| vec![Event::Float(value.to_bits())];
    let int = |text: &str| vec![Event::Integer(text.into())];
    for (text, events) in [
        (&b"-"[..], int("0")),
        (b"1.", float(1.0)),
        (b"-1.", float(-1.0)),
        (b"0.", float(0.0)),
        (b"-.5", float(-0.5)),
        (b"-.0", float(-0.0)),
        (b"-.5e2", float(-50.0)),
        (b"1.e5", float(1e5)),
        (
            b"12345678901234567890123.E-5",
            float(1.234_567_890_123_456_8e17),
        ),
        (b"1.e999", float(f64::INFINITY)),
        (b"-Infinity", float(f64::NEG_INFINITY)),
    ] {
        assert!(with::<Utf8>(&Options::default(), text).is_err(), "{text:?}");
        assert_eq!(with::<Utf8>(&lax, text), Ok(events), "{text:?}");
        let list = [b"[", text, b", ", text, b" ]"].concat();
        assert!(with::<Utf8>(&lax, &list).is_ok(), "{list:?}");
        assert!(with::<Utf8>(&text_of_floats, &list).is_ok(), "{list:?}");
        let wide: Vec<u32> = list.iter().map(|&byte| byte.into()).collect();
        assert!(with::<Ucs4>(&lax, &wide).is_ok(), "{list:?}");
    }
    for text in [
        "-.", ".5", "-.e5", "-e5", "1.e", "1.5.", "1..5", "--", "+", ".", "-I", "-N",
    ] {
        assert!(with::<Utf8>(&lax, text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn nul_may_be_refused_alone() {
    let lax = Options {
        raw_control: true,
        refuse_nul: true,
        ..Options::default()
    };
    assert!(with::<Utf8>(&lax, b"\"a\n\x01\x1f\"").is_ok());
    for text in [&b"\"\0\""[..], b"\"a\nb\0\"", b"\"\\n\0\""] {
        assert_eq!(with::<Utf8>(&lax, text), Err(Reason::Control));
    }
}

#[test]
fn lone_surrogates_are_kept_or_refused() {
    let reject = Options {
        surrogates: Surrogates::Reject,
        ..Options::default()
    };
    let keep = Options::default();
    for text in [
        &b"\"\\ud800\""[..],
        b"\"a\\udfffb\"",
        b"\"\\ud800\\u0041\"",
        b"\"\\ude00\\ud83d\"",
    ] {
        assert!(with::<Utf8>(&keep, text).is_ok());
        assert_eq!(with::<Utf8>(&reject, text), Err(Reason::Surrogate));
    }
    assert!(with::<Utf8>(&reject, b"\"\\ud83d\\ude00\"").is_ok());
    for units in [
        &[0x22u16, 0xD83D, 0xDE00, 0x22][..],
        &[0x22, 0x5C, 0x6E, 0xD800, 0x22],
    ] {
        assert!(with::<Ucs2>(&keep, units).is_ok());
        assert_eq!(with::<Ucs2>(&reject, units), Err(Reason::Surrogate));
    }
}

/// Fragments that make documents and things near them.
fn soup() -> impl Strategy<Value = String> {
    let fragment = prop_oneof![
        Just("["),
        Just("]"),
        Just("{"),
        Just("}"),
        Just(","),
        Just(":"),
        Just("\""),
        Just("\\"),
        Just("\\u"),
        Just("d83d"),
        Just("\\ude00"),
        Just("\\n"),
        Just("null"),
        Just("true"),
        Just("false"),
        Just("1"),
        Just("0"),
        Just("-"),
        Just("."),
        Just("e"),
        Just("12345678"),
        Just(" "),
        Just("\n    "),
        Just("é"),
        Just("漢"),
        Just("😀"),
        Just("\"a\""),
        Just("\"k\":"),
        Just("\u{1}"),
        Just("NaN"),
        Just("abcdefghijklmnop"),
    ];
    prop::collection::vec(fragment, 0..24).prop_map(|fragments| fragments.concat())
}

/// Documents, written out with blanks here and there.
fn document() -> impl Strategy<Value = String> {
    let blank = prop_oneof![
        Just(""),
        Just(" "),
        Just("\n  "),
        Just("\t\r\n            \t     ")
    ];
    let string = "([a-z éÿ漢字😀]|\\\\[nt\"\\\\/]|\\\\u[0-9a-fA-F]{4}){0,40}"
        .prop_map(|s| format!("\"{s}\""));
    let leaf = prop_oneof![
        string.clone(),
        any::<f64>()
            .prop_filter("finite", |f| f.is_finite())
            .prop_map(|f| format!("{f:?}")),
        any::<i128>().prop_map(|i| i.to_string()),
        any::<i16>().prop_map(|i| i.to_string()),
        Just("null".to_owned()),
    ];
    (
        leaf.prop_recursive(5, 40, 6, move |inner| {
            let member =
                (string.clone(), inner.clone()).prop_map(|(key, value)| format!("{key}:{value}"));
            prop_oneof![
                prop::collection::vec(inner, 0..6).prop_map(|all| format!("[{}]", all.join(" ,"))),
                prop::collection::vec(member, 0..6)
                    .prop_map(|all| format!("{{{}}}", all.join(",\n"))),
            ]
        }),
        blank,
    )
        .prop_map(|(document, blank)| format!("{blank}{document}{blank}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn anything_near_json(text in soup()) {
        check(&points(&text));
    }

    #[test]
    fn documents_are_read(text in document()) {
        let text = points(&text);
        prop_assert!(oracle(&text).is_some());
        check(&text);
    }

    #[test]
    fn arrays_of_numbers(
        members in prop::collection::vec(prop::sample::select(MEMBERS.as_slice()), 0..60),
    ) {
        check(&points(&format!("[{}]", members.join(","))));
    }

    #[test]
    fn arrays_of_integers(members in prop::collection::vec(any::<(i64, u32)>(), 0..60)) {
        let members = members.into_iter().map(|(value, shift)| (value >> (shift % 64)).to_string());
        check(&points(&format!("[{}]", members.collect::<Vec<_>>().join(","))));
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = from_bytes(&bytes);
    }

    #[test]
    fn any_code_points_are_survived(units in prop::collection::vec(any::<u32>(), 0..64)) {
        let mut quoted = vec![0x22];
        quoted.extend(units.iter().map(|unit| unit % 0x11_0000).filter(|&unit| unit > 0x5C));
        quoted.push(0x22);
        check(&quoted);
    }
}
