//! YAML and TOML as people write it, against recorded documents that other
//! readers have read back.

mod host;

use host::{Json, written};
use linecaster_formats::toml;
use linecaster_formats::tree::{Chars, emit};
use linecaster_formats::yaml::{self, Form, YamlEmitter, form};
use linecaster_formats::{Emitter, text};
use linecaster_kernel::output::{Units4, Utf8};
use linecaster_kernel::policy::{Word, YamlDouble};
use linecaster_kernel::sink::VecSink;
use linecaster_kernel::text::{Latin1, Ucs2, Ucs4, Utf8 as Utf8Text};
use proptest::prelude::*;
use serde_json::Value;

const HOST: Json = Json {
    floats: false,
    limit: None,
};

fn yaml(value: &Value, indent_arrays: bool) -> String {
    let text = written(|sink| {
        let mut emitter = YamlEmitter::<Utf8, _>::new(sink, yaml::Plain { indent_arrays });
        emit(&mut &HOST, value, &mut emitter)?;
        emitter.finish();
        Ok(())
    });
    text.expect("YAML has all values of JSON")
}

#[test]
fn recorded_documents() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/formats/plain.json"
    );
    let text = std::fs::read_to_string(path).expect("the vectors");
    let vectors: Value = serde_json::from_str(&text).expect("JSON");
    let vectors = vectors["vectors"].as_array().expect("an array");
    assert!(vectors.len() > 100);
    for vector in vectors {
        let value = &vector["value"];
        let got = match vector["format"].as_str() {
            Some("yaml") => yaml(value, false),
            Some("yaml-indented") => yaml(value, true),
            _ => written(|sink| {
                toml::write::<Utf8, _, _>(&mut &HOST, sink, toml::Plain::default(), value)
            })
            .expect("tables of what TOML has"),
        };
        assert_eq!(Some(got.as_str()), vector["output"].as_str());
    }
}

#[test]
fn floats_that_are_not_finite() {
    let floats = |write: &dyn Fn(&mut YamlEmitter<'_, Utf8, yaml::Plain>)| {
        written(|sink| {
            write(&mut YamlEmitter::new(sink, yaml::Plain::default()));
            Ok(())
        })
        .expect("no refusal")
    };
    assert_eq!(floats(&|out| out.float(f64::INFINITY)), ".inf");
    assert_eq!(floats(&|out| out.float(f64::NEG_INFINITY)), "-.inf");
    assert_eq!(floats(&|out| out.float(f64::NAN)), ".nan");
}

fn characters() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        8 => prop::sample::select("-?:#.'\"\\ \t\n01eyn~=".chars().collect::<Vec<_>>()),
        4 => any::<char>(),
        1 => prop::sample::select(vec!['\u{85}', '\u{2028}', '\u{FEFF}', '\u{FFFE}', '\u{7F}']),
        4 => prop::char::range('a', 'z'),
    ];
    prop::collection::vec(one, 0..60).prop_map(String::from_iter)
}

proptest! {
    /// The form and the spelling do not depend on the encoding.
    #[test]
    fn every_encoding_alike(string in characters()) {
        let wide: Vec<u32> = string.chars().map(u32::from).collect();
        for key in [false, true] {
            let expected = form::<Utf8Text>(string.as_bytes(), key);
            prop_assert_eq!(form::<Ucs4>(&wide, key), expected);
            if wide.iter().all(|&c| c < 0x1_0000) {
                let units: Vec<u16> = wide.iter().map(|&c| c as u16).collect();
                prop_assert_eq!(form::<Ucs2>(&units, key), expected);
            }
            if wide.iter().all(|&c| c < 0x100) {
                let units: Vec<u8> = wide.iter().map(|&c| c as u8).collect();
                prop_assert_eq!(form::<Latin1>(&units, key), expected);
            }
        }
        let between = |chars: Chars<'_>| {
            let mut out = Vec::new();
            let mut sink = VecSink::new(&mut out);
            let written = text::between::<YamlDouble, Utf8>(
                sink.sink(), Word::EMPTY, chars, Word::EMPTY);
            written.expect("no surrogates");
            sink.finish().expect("memory");
            out
        };
        prop_assert_eq!(between(string.as_str().into()), between(Chars::Ucs4(&wide)));
    }

    /// What is plain has none of the characters that part a document, and what
    /// is a block has lines.
    #[test]
    fn forms_hold_what_they_can(string in characters()) {
        let has = |part: &str| string.contains(part);
        match form::<Utf8Text>(string.as_bytes(), false) {
            Form::Plain => {
                prop_assert!(!string.is_empty() && string.trim_matches([' ', '\t']) == string);
                prop_assert!(![": ", " #", "\n", "\r", "\t"].into_iter().any(has));
                prop_assert!(!string.ends_with(':'));
            }
            Form::Single => prop_assert!(has("\"") || has("\\")),
            Form::Block => prop_assert!(has("\n") && !has(" \n") && !has("\t\n") && !has("\r")),
            Form::Double => {}
        }
    }

    /// Output of units is the same text.
    #[test]
    fn every_output_alike(string in characters()) {
        let wide: Vec<u32> = string.chars().map(u32::from).collect();
        let mut out = Vec::new();
        let mut sink = VecSink::new(&mut out);
        let mut emitter = YamlEmitter::<Units4, _>::new(sink.sink(), yaml::Plain::default());
        emitter.begin_object();
        emitter.key::<Ucs4>(&wide).expect("any");
        emitter.string::<Ucs4>(&wide).expect("any");
        emitter.end_object();
        emitter.finish();
        sink.finish().expect("memory");
        let units = out.chunks_exact(4).map(|unit| u32::from_ne_bytes(unit.try_into().expect("four")));
        let got: String = units.filter_map(char::from_u32).collect();
        let members = [(string.clone(), Value::String(string))];
        if !members[0].0.starts_with('\0') {
            prop_assert_eq!(got, yaml(&Value::Object(members.into_iter().collect()), false));
        }
    }
}
