//! One evaluation: a virtual machine set up by the options, and its value on
//! the way out.

use std::io::Read;

use super::args::Config;
use super::output::{self, Done};
use crate::error::Error;
use crate::eval::Vm;
use crate::import::Files;
use crate::manifest;
use crate::syntax::source::replace_bad_bytes;
use crate::value::Value;

/// Evaluates and writes.
pub fn run(config: &Config) -> Done {
    let mut vm = Vm::new();
    vm.set_max_stack(config.max_stack);
    vm.set_resolver(Box::new(Files {
        library: config.library.clone(),
    }));
    for (name, given) in &config.ext_vars {
        vm.set_ext_var(name.clone(), given.clone());
    }
    let input = &config.inputs[0];
    let evaluated = if config.exec {
        vm.evaluate("<cmdline>", "", input, &config.tla_vars)
    } else if input == "-" {
        vm.evaluate("<stdin>", "", &standard_input()?, &config.tla_vars)
    } else {
        opened(input)?;
        vm.evaluate_file(input, &config.tla_vars)
    };
    let shown = |error: Box<Error>| error.render(config.max_trace);
    let value = evaluated.map_err(shown)?;
    let manifested = |error: Box<Error>| {
        error
            .during("During manifestation")
            .render(config.max_trace)
    };
    let done = if let Some(folder) = &config.multi {
        let outputs = multi(&mut vm, config, &value).map_err(manifested)?;
        output::multi(config, folder, &outputs)
    } else if config.stream {
        let text = stream(&mut vm, &value).map_err(manifested)?;
        output::whole(config, &text)
    } else {
        let mut text = single(&mut vm, config, &value).map_err(manifested)?;
        if config.newline {
            text.push('\n');
        }
        output::whole(config, &text)
    };
    // The process ends: what the values take need not be given back.
    vm.heap().leak();
    done
}

fn standard_input() -> Result<String, String> {
    let mut bytes = Vec::new();
    match std::io::stdin().read_to_end(&mut bytes) {
        Ok(_) => Ok(replace_bad_bytes(&bytes).0),
        Err(error) => Err(format!("Reading input file: <stdin>: {error}")),
    }
}

/// Complains about a root file that cannot be read, in the command's words.
fn opened(path: &str) -> Done {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(format!("Reading input file: {path}: is a directory")),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(format!(
            "Opening input file: {path}: no such file or directory"
        )),
        Err(error) => Err(format!("Opening input file: {path}: {error}")),
    }
}

fn single(vm: &mut Vm, config: &Config, value: &Value) -> Result<String, Box<Error>> {
    match (config.text, value) {
        (false, value) => manifest::to_json(vm, value),
        (true, Value::Str(text)) => Ok(text.as_str().to_owned()),
        (true, other) => Err(vm.error(format!(
            "expected string result, got: {}",
            other.type_name()
        ))),
    }
}

/// The fields of an object as names and texts of files.
fn multi(vm: &mut Vm, config: &Config, value: &Value) -> Result<Vec<(String, String)>, Box<Error>> {
    let Value::Object(object) = value else {
        return Err(vm.error(format!(
            "multi mode: top-level object was a {}, should be an object whose keys are filenames \
             and values hold the JSON for that file.",
            value.type_name()
        )));
    };
    let mut outputs = Vec::new();
    for field in vm.sorted_fields(object, false) {
        let name = vm.store().names.text(field.name).as_str().to_owned();
        let value = vm.field(object, field.name)?;
        let mut text = match (config.text, &value) {
            (false, value) => manifest::to_json(vm, value)?,
            (true, Value::Str(text)) => text.as_str().to_owned(),
            (true, other) => {
                return Err(vm.error(format!(
                    "multi mode: top-level object's key {name} has a value of type {}, should be \
                     a string",
                    other.type_name()
                )));
            }
        };
        if config.newline {
            text.push('\n');
        }
        outputs.push((name, text));
    }
    Ok(outputs)
}

/// The elements of an array as a stream of YAML documents, each in JSON.
fn stream(vm: &mut Vm, value: &Value) -> Result<String, Box<Error>> {
    let Value::Array(items) = value else {
        return Err(vm.error(format!(
            "stream mode: top-level object was a {}, should be an array whose elements hold the \
             JSON for each document in the stream.",
            value.type_name()
        )));
    };
    let mut text = String::new();
    for index in 0..items.len() {
        let item = vm.item(items, index)?;
        text.push_str("---\n");
        text.push_str(&manifest::to_json(vm, &item)?);
        text.push('\n');
    }
    if !text.is_empty() {
        text.push_str("...\n");
    }
    Ok(text)
}
