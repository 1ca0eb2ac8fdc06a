//! Values as text, by the engine's formats.

use linecaster_formats::json::{
    Dialect, JsonEmitter, JsonnetManifest, JsonnetOutput, Layout, State,
};
use linecaster_formats::tree::emit;
use linecaster_formats::yaml::YamlEmitter;
use linecaster_formats::{ini, python, toml, xml, yaml};
use linecaster_kernel::output::Utf8;
use linecaster_kernel::sink::{Sink, VecSink};

use super::tree::{Rules, VmTree, Words};
use crate::error::Error;
use crate::eval::Vm;
use crate::value::{Object, Value};

type Result<T> = std::result::Result<T, Box<Error>>;

/// What `body` writes, as text.
pub fn written(body: impl FnOnce(&mut Sink) -> Result<()>) -> Result<String> {
    let mut out = Vec::new();
    let mut sink = VecSink::new(&mut out);
    let outcome = body(sink.sink());
    if sink.finish().is_err() {
        return Err(Error::runtime("out of memory for the output"));
    }
    outcome?;
    // The formats write UTF-8; that is looked at again, as nothing here is unsafe.
    Ok(String::from_utf8(out).unwrap_or_default())
}

fn json<D: Dialect>(
    vm: &mut Vm,
    value: &Value,
    layout: &Layout<'_>,
    rules: Rules,
) -> Result<String> {
    written(|sink| {
        let mut emitter = JsonEmitter::<Utf8, D>::new(sink, layout, State::START);
        emit(&mut VmTree::new(vm, rules), value.clone(), &mut emitter)
    })
}

/// The main output: JSON with three spaces for each level.
pub fn to_json(vm: &mut Vm, value: &Value) -> Result<String> {
    json::<JsonnetOutput>(vm, value, &Layout::THREE, Rules::Json)
}

/// JSON on one line, as `std.toString` has it.
pub fn to_string(vm: &mut Vm, value: &Value) -> Result<String> {
    json::<JsonnetOutput>(vm, value, &Layout::SPACED, Rules::Json)
}

/// `std.manifestJsonEx`.
pub fn json_ex(
    vm: &mut Vm,
    value: &Value,
    indent: &str,
    newline: &str,
    separator: &str,
) -> Result<String> {
    let [indent, newline, separator] =
        [indent, newline, separator].map(|text| text.chars().map(u32::from).collect::<Vec<u32>>());
    let layout = Layout::new(&[b',' as u32], &separator, Some(&indent)).with_newline(&newline);
    json::<JsonnetManifest>(vm, value, &layout, Rules::Function(Words::Json))
}

/// `std.manifestJsonMinified`.
pub fn json_minified(vm: &mut Vm, value: &Value) -> Result<String> {
    json::<JsonnetManifest>(vm, value, &Layout::COMPACT, Rules::Function(Words::Json))
}

/// `std.manifestYamlDoc`.
pub fn yaml_doc(vm: &mut Vm, value: &Value, style: yaml::Jsonnet) -> Result<String> {
    written(|sink| {
        let mut emitter = YamlEmitter::<Utf8, _>::new(sink, style);
        let rules = Rules::Function(Words::Yaml);
        emit(&mut VmTree::new(vm, rules), value.clone(), &mut emitter)
    })
}

/// `std.manifestTomlEx`.
pub fn toml_ex(vm: &mut Vm, value: &Value, indent: &str) -> Result<String> {
    written(|sink| {
        let style = toml::Jsonnet {
            indent: indent.as_bytes(),
        };
        let mut tree = VmTree::new(vm, Rules::Function(Words::Toml));
        toml::write::<Utf8, _, _>(&mut tree, sink, style, value.clone())
    })
}

/// `std.manifestIni` of an object with `main` and `sections`.
pub fn ini_document(vm: &mut Vm, document: &Object) -> Result<String> {
    let [main, sections] = ["main", "sections"].map(|name| vm.intern(name));
    let main = match document.find(vm.store(), main) {
        Some(field) if field.is_visible() => Some(vm.field(document, main)?),
        _ => None,
    };
    let sections = vm.field(document, sections)?;
    ini(vm, main, sections)
}

/// `std.manifestIni` of the main part, if there is one, and the sections.
fn ini(vm: &mut Vm, main: Option<Value>, sections: Value) -> Result<String> {
    written(|sink| {
        let mut tree = VmTree::new(vm, Rules::Function(Words::Ini));
        ini::write::<Utf8, _>(&mut tree, sink, main, sections)
    })
}

/// `std.manifestPython`.
pub fn python(vm: &mut Vm, value: &Value) -> Result<String> {
    written(|sink| {
        let mut tree = VmTree::new(vm, Rules::Function(Words::Python));
        python::write::<Utf8, _>(&mut tree, sink, value.clone())
    })
}

/// `std.manifestPythonVars`.
pub fn python_vars(vm: &mut Vm, value: &Value) -> Result<String> {
    written(|sink| {
        let mut tree = VmTree::new(vm, Rules::Function(Words::Python));
        python::write_vars::<Utf8, _>(&mut tree, sink, value.clone())
    })
}

/// `std.manifestXmlJsonml`.
pub fn xml(vm: &mut Vm, value: &Value) -> Result<String> {
    written(|sink| {
        let mut tree = VmTree::new(vm, Rules::Function(Words::Xml));
        xml::write::<Utf8, _>(&mut tree, sink, value.clone())
    })
}
