//! Values as text in many formats.

use linecaster_formats::yaml::Jsonnet as Yaml;

use super::args::{Outcome, boolean, fail, object, string, text};
use super::table::{Builtin, Default, Param, optional, ready, required};
use crate::eval::Vm;
use crate::manifest;
use crate::value::{Str, Value};

const VALUE: &[Param] = &[required("value")];

/// The functions of this topic.
pub static BUILTINS: &[Builtin] = &[
    ready("manifestIni", &[required("ini")], ini),
    ready("manifestJson", VALUE, |vm, args| {
        let written = manifest::json_ex(vm, &args[0], "    ", "\n", ": ")?;
        Ok(text(vm, &written))
    }),
    ready(
        "manifestJsonEx",
        &[
            required("value"),
            required("indent"),
            optional("newline", Default::Str("\n")),
            optional("key_val_sep", Default::Str(": ")),
        ],
        |vm, args| {
            let [indent, newline, separator] =
                [string(&args[1])?, string(&args[2])?, string(&args[3])?].map(Str::as_str);
            let written = manifest::json_ex(vm, &args[0], indent, newline, separator)?;
            Ok(text(vm, &written))
        },
    ),
    ready("manifestJsonMinified", VALUE, |vm, args| {
        let written = manifest::json_minified(vm, &args[0])?;
        Ok(text(vm, &written))
    }),
    ready("manifestPython", &[required("v")], |vm, args| {
        let written = manifest::python(vm, &args[0])?;
        Ok(text(vm, &written))
    }),
    ready("manifestPythonVars", &[required("conf")], |vm, args| {
        let written = manifest::python_vars(vm, &args[0])?;
        Ok(text(vm, &written))
    }),
    ready("manifestToml", VALUE, |vm, args| {
        let written = manifest::toml_ex(vm, &args[0], "  ")?;
        Ok(text(vm, &written))
    }),
    ready(
        "manifestTomlEx",
        &[required("value"), required("indent")],
        |vm, args| {
            let written = manifest::toml_ex(vm, &args[0], string(&args[1])?.as_str())?;
            Ok(text(vm, &written))
        },
    ),
    ready("manifestXmlJsonml", VALUE, |vm, args| {
        let written = manifest::xml(vm, &args[0])?;
        Ok(text(vm, &written))
    }),
    ready(
        "manifestYamlDoc",
        &[
            required("value"),
            optional("indent_array_in_object", Default::Bool(false)),
            optional("quote_keys", Default::Bool(true)),
        ],
        |vm, args| {
            let style = Yaml {
                indent_arrays: boolean(&args[1])?,
                quote_keys: boolean(&args[2])?,
            };
            let written = manifest::yaml_doc(vm, &args[0], style)?;
            Ok(text(vm, &written))
        },
    ),
    ready(
        "manifestYamlStream",
        &[
            required("value"),
            optional("indent_array_in_object", Default::Bool(false)),
            optional("c_document_end", Default::Bool(true)),
            optional("quote_keys", Default::Bool(true)),
        ],
        yaml_stream,
    ),
];

fn ini(vm: &mut Vm, args: &[Value]) -> Outcome {
    let document = object(&args[0])?;
    let written = manifest::ini_document(vm, document)?;
    Ok(text(vm, &written))
}

fn yaml_stream(vm: &mut Vm, args: &[Value]) -> Outcome {
    let Value::Array(documents) = &args[0] else {
        let got = args[0].type_name();
        return fail(format!("manifestYamlStream only takes arrays, got {got}"));
    };
    let ended = boolean(&args[2])?;
    let mut stream = String::from("---\n");
    for index in 0..documents.len() {
        if index > 0 {
            stream.push_str("\n---\n");
        }
        let style = Yaml {
            indent_arrays: boolean(&args[1])?,
            quote_keys: boolean(&args[3])?,
        };
        let document = vm.item(documents, index)?;
        stream.push_str(&manifest::yaml_doc(vm, &document, style)?);
    }
    stream.push_str(if ended { "\n...\n" } else { "\n" });
    Ok(text(vm, &stream))
}
