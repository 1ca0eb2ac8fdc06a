//! Reads one JSON document a line and writes each in another format, as a JSON
//! string a line: what the differential tests hold against other readers.
//!
//! Usage: `format_lines yaml|yaml-indented|toml < documents`

#[path = "../tests/host/mod.rs"]
mod host;

use std::io::{BufRead, Write};

use host::{Json, Stop, written};
use linecaster_formats::toml;
use linecaster_formats::tree::emit;
use linecaster_formats::yaml::{self, YamlEmitter};
use linecaster_kernel::output::Utf8;
use serde_json::Value;

fn format(name: &str, value: &Value) -> Result<String, Stop> {
    let host = Json {
        floats: false,
        limit: None,
    };
    written(|sink| {
        if name == "toml" {
            return toml::write::<Utf8, _, _>(&mut &host, sink, toml::Plain::default(), value);
        }
        let indent_arrays = name == "yaml-indented";
        let style = yaml::Plain { indent_arrays };
        let mut emitter = YamlEmitter::<Utf8, _>::new(sink, style);
        emit(&mut &host, value, &mut emitter)?;
        emitter.finish();
        Ok(())
    })
}

fn main() {
    let name = std::env::args().nth(1).expect("a format");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let value: Value = serde_json::from_str(&line.expect("UTF-8")).expect("JSON");
        let text = format(&name, &value).expect("a value that the format has");
        serde_json::to_writer(&mut out, &text).expect("an open pipe");
        writeln!(out).expect("an open pipe");
    }
}
