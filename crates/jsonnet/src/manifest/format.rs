//! The formats that a program's value can be written in, by name.

use linecaster_formats::toml::Plain as PlainToml;
use linecaster_formats::yaml::Plain as PlainYaml;
use linecaster_formats::yaml::YamlEmitter;
use linecaster_formats::{toml, tree};
use linecaster_kernel::output::Utf8;

use super::text::{ini_document, json_minified, python, to_json, written, xml};
use super::tree::{Rules, VmTree, Words};
use crate::error::Error;
use crate::eval::Vm;
use crate::stdlib::args::{object, string};
use crate::value::Value;

/// A format of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The main output.
    Json,
    /// `std.manifestJsonMinified`
    JsonMinified,
    /// YAML as people write it.
    Yaml,
    /// TOML as people write it.
    Toml,
    /// `std.manifestIni`
    Ini,
    /// `std.manifestXmlJsonml`
    Xml,
    /// `std.manifestPython`
    Python,
    /// The value is a string, which is the document.
    String,
}

impl Format {
    /// All formats by their names.
    pub const ALL: [(&'static str, Self); 8] = [
        ("json", Self::Json),
        ("json-minified", Self::JsonMinified),
        ("yaml", Self::Yaml),
        ("toml", Self::Toml),
        ("ini", Self::Ini),
        ("xml", Self::Xml),
        ("python", Self::Python),
        ("string", Self::String),
    ];

    /// The format of that name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|entry| entry.0 == name)?;
        Some(found.1)
    }

    /// The value as a document. All but strings end with a line feed.
    ///
    /// # Errors
    /// The program's, and of values that the format does not have.
    pub fn write(self, vm: &mut Vm, value: &Value) -> Result<String, Box<Error>> {
        let mut text = match self {
            Self::Json => to_json(vm, value)?,
            Self::JsonMinified => json_minified(vm, value)?,
            Self::Yaml => yaml(vm, value)?,
            Self::Toml => toml(vm, value)?,
            Self::Ini => ini_document(vm, object(value)?)?,
            Self::Xml => xml(vm, value)?,
            Self::Python => python(vm, value)?,
            Self::String => return Ok(string(value)?.as_str().to_owned()),
        };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        Ok(text)
    }
}

fn yaml(vm: &mut Vm, value: &Value) -> Result<String, Box<Error>> {
    written(|sink| {
        let mut emitter = YamlEmitter::<Utf8, _>::new(sink, PlainYaml::default());
        let mut values = VmTree::new(vm, Rules::Function(Words::Json)).with_integers();
        tree::emit(&mut values, value.clone(), &mut emitter)?;
        emitter.finish();
        Ok(())
    })
}

fn toml(vm: &mut Vm, value: &Value) -> Result<String, Box<Error>> {
    written(|sink| {
        let mut values = VmTree::new(vm, Rules::Function(Words::Toml)).with_integers();
        toml::write::<Utf8, _, _>(&mut values, sink, PlainToml::default(), value.clone())
    })
}
