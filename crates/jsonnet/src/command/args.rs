//! The arguments of `linecaster jsonnet`: those of go-jsonnet's `jsonnet`, and
//! some of our own.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::vm::Given;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Evaluation.
    Evaluate(Box<Config>),
    /// The usage, asked for.
    Help,
    /// The version.
    Version,
}

/// What is wrong with the arguments, and whether the usage helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misuse {
    /// What is wrong.
    pub message: String,
    /// Whether the usage is shown behind it.
    pub usage: bool,
}

/// How to evaluate, and where the output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)]
pub struct Config {
    /// The file (or, with [`Config::exec`], the code); `-` is standard input.
    pub inputs: Vec<String>,
    /// The input is code.
    pub exec: bool,
    /// Library folders, the last one first searched.
    pub library: Vec<PathBuf>,
    /// The file to write instead of standard output.
    pub output: Option<PathBuf>,
    /// The folder for the files that the program's object names.
    pub multi: Option<PathBuf>,
    /// Missing folders are made.
    pub create_dirs: bool,
    /// An array is written as a stream of YAML documents.
    pub stream: bool,
    /// The value must be a string, which is written as it is.
    pub text: bool,
    /// A line feed ends the output.
    pub newline: bool,
    /// Activations at a time.
    pub max_stack: u32,
    /// Lines of a trace before it is cropped; 0 shows all.
    pub max_trace: usize,
    /// External variables.
    pub ext_vars: Vec<(String, Given)>,
    /// Top-level arguments.
    pub tla_vars: Vec<(String, Given)>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            inputs: Vec::new(),
            exec: false,
            library: Vec::new(),
            output: None,
            multi: None,
            create_dirs: false,
            stream: false,
            text: false,
            newline: true,
            max_stack: 500,
            max_trace: 20,
            ext_vars: Vec::new(),
            tla_vars: Vec::new(),
        }
    }
}

/// Reads the arguments. `variable` looks up the environment.
///
/// # Errors
/// [`Misuse`]
pub fn read(
    args: impl IntoIterator<Item = String>,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Request, Misuse> {
    let mut config = Config::default();
    if let Some(path) = variable("JSONNET_PATH") {
        config.library = std::env::split_paths(&path)
            .filter(|p| !p.as_os_str().is_empty())
            .collect();
        config.library.reverse();
    }
    let mut reader = Reader {
        args: expand(args),
        variable,
    };
    while let Some(arg) = reader.args.pop_front() {
        match arg.as_str() {
            "-h" | "--help" => return Ok(Request::Help),
            "-v" | "--version" => return Ok(Request::Version),
            "--" => {
                config.inputs.extend(reader.args.drain(..));
                break;
            }
            option if option.len() > 1 && option.starts_with('-') => {
                reader.option(option, &mut config)?;
            }
            _ => config.inputs.push(arg),
        }
    }
    check(&config)?;
    Ok(Request::Evaluate(Box::new(config)))
}

fn misuse<T>(message: impl Into<String>) -> Result<T, Misuse> {
    Err(Misuse {
        message: message.into(),
        usage: false,
    })
}

fn check(config: &Config) -> Result<(), Misuse> {
    if config.stream && !config.newline {
        return misuse("cannot use --no-trailing-newline with --yaml-stream");
    }
    let wanted = if config.exec { "code" } else { "filename" };
    if config.inputs.is_empty() {
        return Err(Misuse {
            message: format!("must give {wanted}"),
            usage: true,
        });
    }
    if config.inputs.len() > 1 {
        return misuse(format!("only one {wanted} is allowed"));
    }
    Ok(())
}

/// `-abc` as `-a -b -c`, up to the first `--`.
fn expand(args: impl IntoIterator<Item = String>) -> VecDeque<String> {
    let mut expanded = VecDeque::new();
    let mut ended = false;
    for arg in args {
        ended |= arg == "--";
        match arg.strip_prefix('-') {
            Some(letters) if !ended && arg.len() > 2 && !letters.starts_with('-') => {
                expanded.extend(letters.chars().map(|letter| format!("-{letter}")));
            }
            _ => expanded.push_back(arg),
        }
    }
    expanded
}

struct Reader<'a> {
    args: VecDeque<String>,
    variable: &'a dyn Fn(&str) -> Option<OsString>,
}

impl Reader<'_> {
    fn option(&mut self, option: &str, config: &mut Config) -> Result<(), Misuse> {
        match option {
            "-e" | "--exec" => config.exec = true,
            "-o" | "--output-file" => config.output = Some(self.path("-o")?),
            "-m" | "--multi" => config.multi = Some(self.path("-m")?),
            "-J" | "--jpath" => config.library.push(self.path("-J")?),
            "-c" | "--create-output-dirs" => config.create_dirs = true,
            "-y" | "--yaml-stream" => config.stream = true,
            "-S" | "--string" => config.text = true,
            "--no-trailing-newline" => config.newline = false,
            "-s" | "--max-stack" => {
                config.max_stack =
                    u32::try_from(self.number("--max-stack", 1)?).unwrap_or(u32::MAX);
            }
            "-t" | "--max-trace" => config.max_trace = self.number("--max-trace", 0)?,
            _ => return self.binding(option, config),
        }
        Ok(())
    }

    fn binding(&mut self, option: &str, config: &mut Config) -> Result<(), Misuse> {
        let (target, kind) = match option {
            "-V" => (&mut config.ext_vars, "str"),
            "-A" => (&mut config.tla_vars, "str"),
            _ => match (option.strip_prefix("--ext-"), option.strip_prefix("--tla-")) {
                (Some(kind), _) => (&mut config.ext_vars, kind),
                (_, Some(kind)) => (&mut config.tla_vars, kind),
                _ => return misuse(format!("unrecognized argument: {option}")),
            },
        };
        let given = match kind {
            "str" => self.value().map(|(name, text)| (name, Given::Str(text))),
            "code" => self.value().map(|(name, code)| (name, Given::Code(code))),
            "str-file" => self.file("importstr"),
            "code-file" => self.file("import"),
            _ => return misuse(format!("unrecognized argument: {option}")),
        };
        target.push(given?);
        Ok(())
    }

    fn next(&mut self) -> Result<String, Misuse> {
        match self.args.pop_front() {
            Some(arg) => Ok(arg),
            None => misuse("Expected another commandline argument."),
        }
    }

    fn path(&mut self, option: &str) -> Result<PathBuf, Misuse> {
        let path = self.next()?;
        if path.is_empty() {
            return misuse(format!("{option} argument was empty string"));
        }
        Ok(path.into())
    }

    fn number(&mut self, option: &str, least: usize) -> Result<usize, Misuse> {
        let text = self.next()?;
        match text.parse::<i64>() {
            Ok(number) => match usize::try_from(number) {
                Ok(number) if number >= least => Ok(number),
                _ => misuse(format!("invalid {option} value: {number}")),
            },
            Err(_) => misuse(format!("Invalid integer \"{text}\"")),
        }
    }

    /// `name=value`, or a name whose value is in the environment.
    fn value(&mut self) -> Result<(String, String), Misuse> {
        let text = self.next()?;
        if let Some((name, value)) = text.split_once('=') {
            return Ok((name.to_owned(), value.to_owned()));
        }
        match (self.variable)(&text) {
            Some(value) => Ok((text, value.to_string_lossy().into_owned())),
            None => misuse(format!("environment variable {text} was undefined")),
        }
    }

    /// `name=file`, as code that imports the file.
    fn file(&mut self, import: &str) -> Result<(String, Given), Misuse> {
        let text = self.next()?;
        let Some((name, path)) = text.split_once('=') else {
            return misuse(format!("argument not in form <var>=<file> \"{text}\""));
        };
        let code = format!("{import} @'{}'", path.replace('\'', "''"));
        Ok((name.to_owned(), Given::Code(code)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(args: &[&str]) -> Config {
        match request(args) {
            Ok(Request::Evaluate(config)) => *config,
            other => panic!("{other:?}"),
        }
    }

    fn request(args: &[&str]) -> Result<Request, Misuse> {
        let variable = |name: &str| match name {
            "HOME" => Some("/home".into()),
            "JSONNET_PATH" => Some("a:b".into()),
            _ => None,
        };
        read(args.iter().map(ToString::to_string), &variable)
    }

    #[test]
    fn every_option() {
        let read = config(&[
            "-ySce",
            "-V",
            "HOME",
            "--tla-code",
            "x=1",
            "-J",
            "c",
            "--",
            "-e",
        ]);
        assert!(read.stream && read.create_dirs && read.exec && read.text);
        assert_eq!(read.inputs, ["-e"]);
        assert_eq!(read.ext_vars, [("HOME".into(), Given::Str("/home".into()))]);
        assert_eq!(read.tla_vars, [("x".into(), Given::Code("1".into()))]);
        let library: Vec<_> = read
            .library
            .iter()
            .map(|path| path.to_str().unwrap())
            .collect();
        assert_eq!(library, ["b", "a", "c"]);
        let read = config(&["-s", "9", "-t", "0", "--ext-code-file", "x=it's", "-"]);
        assert_eq!((read.max_stack, read.max_trace), (9, 0));
        assert_eq!(
            read.ext_vars,
            [("x".into(), Given::Code("import @'it''s'".into()))]
        );
    }

    #[test]
    fn misuse() {
        let cases: [(&[&str], &str); 12] = [
            (&[], "must give filename"),
            (&["-e"], "must give code"),
            (&["a", "b"], "only one filename is allowed"),
            (&["-o", "", "a"], "-o argument was empty string"),
            (&["-o"], "Expected another commandline argument."),
            (&["-s", "0", "a"], "invalid --max-stack value: 0"),
            (&["-s", "x", "a"], "Invalid integer \"x\""),
            (&["-t", "-1", "a"], "invalid --max-trace value: -1"),
            (&["-V", "no", "a"], "environment variable no was undefined"),
            (
                &["--ext-str-file", "x", "a"],
                "argument not in form <var>=<file> \"x\"",
            ),
            (
                &["--ext-what", "x", "a"],
                "unrecognized argument: --ext-what",
            ),
            (
                &["-y", "--no-trailing-newline", "a"],
                "cannot use --no-trailing-newline",
            ),
        ];
        for (args, message) in cases {
            let misuse = request(args).unwrap_err();
            assert!(
                misuse.message.starts_with(message),
                "{args:?}: {}",
                misuse.message
            );
        }
    }
}
