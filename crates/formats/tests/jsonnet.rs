//! Jsonnet's manifests against recorded answers of go-jsonnet.

mod host;

use host::{Json, Stop, written};
use linecaster_formats::json::{JsonEmitter, JsonnetManifest, JsonnetOutput, Layout, State};
use linecaster_formats::tree::{Refusal, Step, emit};
use linecaster_formats::yaml::{self, YamlEmitter};
use linecaster_formats::{ini, python, toml, xml};
use linecaster_kernel::output::Utf8;
use serde_json::{Value, json};

const HOST: Json = Json {
    floats: true,
    limit: None,
};

fn code_points(text: &Value) -> Vec<u32> {
    let text = text.as_str().expect("a string");
    text.chars().map(u32::from).collect()
}

fn flag(options: &Value, k: usize) -> bool {
    options[k].as_bool().expect("a flag")
}

/// What the function called `name` makes of `value`.
fn manifest(name: &str, options: &Value, value: &Value, host: &Json) -> Result<String, Stop> {
    let mut tree = host;
    written(|sink| match name {
        "output" | "toString" => {
            let layout = if name == "output" {
                Layout::THREE
            } else {
                Layout::SPACED
            };
            let mut emitter = JsonEmitter::<Utf8, JsonnetOutput>::new(sink, &layout, State::START);
            emit(&mut tree, value, &mut emitter)
        }
        "manifestJsonEx" => {
            let [indent, newline, separator] = [0, 1, 2].map(|k| code_points(&options[k]));
            let comma = [u32::from(b',')];
            let layout = Layout::new(&comma, &separator, Some(&indent)).with_newline(&newline);
            let mut emitter =
                JsonEmitter::<Utf8, JsonnetManifest>::new(sink, &layout, State::START);
            emit(&mut tree, value, &mut emitter)
        }
        "manifestJsonMinified" => {
            let mut emitter =
                JsonEmitter::<Utf8, JsonnetManifest>::new(sink, &Layout::COMPACT, State::START);
            emit(&mut tree, value, &mut emitter)
        }
        "manifestYamlDoc" => {
            let style = yaml::Jsonnet {
                indent_arrays: flag(options, 0),
                quote_keys: flag(options, 1),
            };
            emit(
                &mut tree,
                value,
                &mut YamlEmitter::<Utf8, _>::new(sink, style),
            )
        }
        "manifestYamlStream" => {
            let style = yaml::Jsonnet {
                indent_arrays: flag(options, 0),
                quote_keys: flag(options, 2),
            };
            let mut emitter = YamlEmitter::<Utf8, _>::new(sink, style);
            emitter.begin_stream();
            for (k, document) in value.as_array().expect("an array").iter().enumerate() {
                if k > 0 {
                    emitter.next_document();
                }
                emit(&mut tree, document, &mut emitter)?;
            }
            emitter.end_stream(flag(options, 1));
            Ok(())
        }
        "manifestTomlEx" => {
            let indent = options[0].as_str().expect("a string").as_bytes();
            toml::write::<Utf8, _, _>(&mut tree, sink, toml::Jsonnet { indent }, value)
        }
        "manifestIni" => {
            ini::write::<Utf8, _>(&mut tree, sink, value.get("main"), &value["sections"])
        }
        "manifestPython" => python::write::<Utf8, _>(&mut tree, sink, value),
        "manifestPythonVars" => python::write_vars::<Utf8, _>(&mut tree, sink, value),
        "manifestXmlJsonml" => xml::write::<Utf8, _>(&mut tree, sink, value),
        other => panic!("no function {other}"),
    })
}

#[test]
fn recorded_answers() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/formats/jsonnet.json"
    );
    let text = std::fs::read_to_string(path).expect("the vectors");
    let vectors: Value = serde_json::from_str(&text).expect("JSON");
    let vectors = vectors["vectors"].as_array().expect("an array");
    assert!(vectors.len() > 500);
    for vector in vectors {
        let name = vector["function"].as_str().expect("a name");
        let (options, value) = (&vector["options"], &vector["value"]);
        let got = manifest(name, options, value, &HOST);
        let expected = vector["output"].as_str().expect("a string");
        assert_eq!(got.as_deref(), Ok(expected), "{name} {options} of {value}");
    }
}

fn key(key: &str) -> Step {
    Step::Key(key.into())
}

#[test]
fn what_cannot_be_written_is_refused_with_its_path() {
    let function = "\0function";
    let refused = |path| Err(Stop::Refused(Refusal::Value, path));
    for name in ["output", "toString", "manifestJsonMinified"] {
        let value = json!({"a": [1, {"b": function}]});
        let path = vec![key("a"), Step::Index(1), key("b")];
        assert_eq!(manifest(name, &json!([]), &value, &HOST), refused(path));
    }
    let toml = |value| manifest("manifestTomlEx", &json!([""]), &value, &HOST);
    assert_eq!(
        toml(json!({"a": {"b": [{"c": [null]}]}})),
        refused(vec![
            key("a"),
            key("b"),
            Step::Index(0),
            key("c"),
            Step::Index(0)
        ])
    );
    assert_eq!(
        toml(json!({"x": [1, {"y": null}]})),
        refused(vec![key("x"), Step::Index(1), key("y")])
    );
    assert_eq!(toml(json!([])), Err(Stop::Refused(Refusal::Root, vec![])));
    let ini = |value| manifest("manifestIni", &json!([]), &value, &HOST);
    assert_eq!(
        ini(json!({"sections": {"a": 1}})),
        Err(Stop::Refused(Refusal::Section, vec![key("a")]))
    );
    assert_eq!(
        ini(json!({"sections": []})),
        Err(Stop::Refused(Refusal::Section, vec![]))
    );
    let xml = |value| manifest("manifestXmlJsonml", &json!([]), &value, &HOST);
    assert_eq!(xml(json!("a")), Err(Stop::Refused(Refusal::Root, vec![])));
    assert_eq!(xml(json!([])), Err(Stop::Refused(Refusal::Element, vec![])));
    assert_eq!(
        xml(json!(["a", {}, ["b", 1]])),
        Err(Stop::Refused(
            Refusal::Element,
            vec![Step::Index(2), Step::Index(1)]
        ))
    );
    assert_eq!(
        xml(json!(["a", {}, [1]])),
        Err(Stop::Refused(Refusal::Tag, vec![Step::Index(2)]))
    );
    let vars = manifest("manifestPythonVars", &json!([]), &json!([]), &HOST);
    assert_eq!(vars, Err(Stop::Refused(Refusal::Root, vec![])));
}

/// As go-jsonnet counts with `--max-stack`.
#[test]
fn depth_is_counted() {
    let host = |limit| Json {
        floats: true,
        limit: Some(limit),
    };
    let depths = [
        ("manifestJsonMinified", json!([]), json!([[1]]), 3),
        ("manifestYamlDoc", json!([false, true]), json!({"a": {}}), 2),
        ("manifestTomlEx", json!([""]), json!({"a": [[1]]}), 4),
        ("manifestTomlEx", json!([""]), json!({"a": {"b": 1}}), 4),
        ("manifestTomlEx", json!([""]), json!({"a": [{"b": 1}]}), 4),
    ];
    for (name, options, value, depth) in depths {
        assert!(manifest(name, &options, &value, &host(depth)).is_ok());
        let got = manifest(name, &options, &value, &host(depth - 1));
        assert_eq!(got, Err(Stop::TooDeep), "{name} of {value}");
    }
}

#[test]
fn depth_does_not_overflow() {
    let depth = 100_000;
    let mut value = json!(1);
    for k in 0..depth {
        value = if k % 2 == 0 {
            Value::Array(vec![value])
        } else {
            let members = [("k".to_owned(), value)];
            Value::Object(members.into_iter().collect())
        };
    }
    let value = std::mem::ManuallyDrop::new(value);
    for (name, options) in [("toString", json!([])), ("manifestPython", json!([]))] {
        let text = manifest(name, &options, &value, &HOST).expect("no limit");
        assert!(text.len() > 3 * depth);
    }
    let mut element = json!(["a"]);
    for _ in 0..depth {
        element = Value::Array(vec![json!("a"), element]);
    }
    let element = std::mem::ManuallyDrop::new(element);
    let text = manifest("manifestXmlJsonml", &json!([]), &element, &HOST).expect("no limit");
    assert_eq!(text.len(), 7 * (depth + 1));
    // Indented, the text is as long as the depth squared.
    let mut table = json!([[]]);
    for _ in 0..2000 {
        let members = [("k".to_owned(), table)];
        table = Value::Object(members.into_iter().collect());
    }
    let table = std::mem::ManuallyDrop::new(table);
    for (name, options) in [
        ("manifestTomlEx", json!([""])),
        ("manifestYamlDoc", json!([true, false])),
    ] {
        manifest(name, &options, &table, &HOST).expect("no limit");
    }
}
