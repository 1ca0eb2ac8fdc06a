//! What a program is given: variables, arguments, library paths, callbacks,
//! limits.

use std::path::PathBuf;
use std::sync::Arc;

use linecaster_jsonnet::Given;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// Names and what they stand for.
pub type Bindings = Vec<(String, Given)>;

/// Everything but the program.
#[derive(Default)]
pub struct Settings {
    pub ext: Bindings,
    pub args: Bindings,
    pub library: Vec<PathBuf>,
    pub callbacks: Arc<Callbacks>,
    pub max_stack: u32,
    pub max_memory: Option<usize>,
    pub max_steps: Option<u64>,
}

/// Functions of Python's.
#[derive(Default)]
pub struct Callbacks {
    pub import: Option<Py<PyAny>>,
    pub natives: Vec<NativeCallback>,
}

/// A function that programs call by `std.native`.
pub struct NativeCallback {
    pub name: String,
    pub params: Vec<String>,
    pub function: Py<PyAny>,
}

/// The keyword arguments as they come.
#[derive(Default)]
pub struct Keywords<'a, 'py> {
    pub ext_vars: Option<&'a Bound<'py, PyDict>>,
    pub ext_codes: Option<&'a Bound<'py, PyDict>>,
    pub tlas: Option<&'a Bound<'py, PyDict>>,
    pub tla_codes: Option<&'a Bound<'py, PyDict>>,
    pub jpath: Option<&'a Bound<'py, PyAny>>,
    pub import_callback: Option<&'a Bound<'py, PyAny>>,
    pub native_callbacks: Option<&'a Bound<'py, PyDict>>,
}

impl Keywords<'_, '_> {
    /// Checks them.
    pub fn read(&self) -> PyResult<Settings> {
        let mut settings = Settings {
            max_stack: 500,
            ..Settings::default()
        };
        add(&mut settings.ext, "ext_vars", self.ext_vars, Given::Str)?;
        add(&mut settings.ext, "ext_codes", self.ext_codes, Given::Code)?;
        add(&mut settings.args, "tlas", self.tlas, Given::Str)?;
        add(&mut settings.args, "tla_codes", self.tla_codes, Given::Code)?;
        if let Some(paths) = self.jpath {
            settings.library = library(paths)?;
        }
        let mut callbacks = Callbacks::default();
        if let Some(function) = self.import_callback {
            callbacks.import = Some(callable(function, "import_callback")?);
        }
        if let Some(functions) = self.native_callbacks {
            callbacks.natives = natives(functions)?;
        }
        settings.callbacks = Arc::new(callbacks);
        Ok(settings)
    }
}

impl Settings {
    /// These, and others for one evaluation, which take precedence.
    pub fn with(&self, more: &Self) -> Self {
        Self {
            ext: joined(&self.ext, &more.ext),
            args: joined(&self.args, &more.args),
            library: self.library.clone(),
            callbacks: Arc::clone(&self.callbacks),
            max_stack: self.max_stack,
            max_memory: self.max_memory,
            max_steps: self.max_steps,
        }
    }
}

fn joined(first: &Bindings, more: &Bindings) -> Bindings {
    let mut all = first.clone();
    all.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
    all.extend_from_slice(more);
    all
}

fn text(value: &Bound<'_, PyAny>, what: impl FnOnce() -> String) -> PyResult<String> {
    let Ok(text) = value.cast::<PyString>() else {
        let found = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{} must be str, not {found}",
            what()
        )));
    };
    Ok(text.to_str()?.to_owned())
}

fn add(
    into: &mut Bindings,
    keyword: &str,
    dict: Option<&Bound<'_, PyDict>>,
    given: fn(String) -> Given,
) -> PyResult<()> {
    for (name, value) in dict.into_iter().flat_map(PyDictMethods::iter) {
        let name = text(&name, || format!("a name in {keyword}"))?;
        let value = text(&value, || format!("{keyword}['{name}']"))?;
        match into.iter_mut().find(|(other, _)| *other == name) {
            Some(entry) => entry.1 = given(value),
            None => into.push((name, given(value))),
        }
    }
    Ok(())
}

fn library(paths: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    if let Ok(paths) = paths.cast::<PyList>() {
        return paths.iter().map(|path| path.extract()).collect();
    }
    if let Ok(paths) = paths.cast::<PyTuple>() {
        return paths.iter().map(|path| path.extract()).collect();
    }
    Ok(vec![paths.extract()?])
}

fn callable(function: &Bound<'_, PyAny>, what: &str) -> PyResult<Py<PyAny>> {
    if function.is_callable() {
        Ok(function.clone().unbind())
    } else {
        Err(PyTypeError::new_err(format!("{what} must be callable")))
    }
}

fn natives(functions: &Bound<'_, PyDict>) -> PyResult<Vec<NativeCallback>> {
    let wrong = |message: &'static str| PyTypeError::new_err(message);
    let mut all = Vec::with_capacity(functions.len());
    for (name, entry) in functions.iter() {
        let name = text(&name, || "native callback name".into())?;
        let entry = entry
            .cast::<PyTuple>()
            .map_err(|_| wrong("native callback dict values must be tuples"))?;
        if entry.len() != 2 {
            return Err(wrong(
                "native callback tuples must have two elements: the parameters and the function",
            ));
        }
        let (params, function) = (entry.get_item(0)?, entry.get_item(1)?);
        let params = params
            .cast::<PyTuple>()
            .map_err(|_| wrong("native callback params must be a tuple"))?;
        let params = params
            .iter()
            .map(|param| match param.cast::<PyString>() {
                Ok(param) => Ok(param.to_str()?.to_owned()),
                Err(_) => Err(wrong("native callback param must be string")),
            })
            .collect::<PyResult<_>>()?;
        all.push(NativeCallback {
            name,
            params,
            function: callable(&function, "native callback")?,
        });
    }
    Ok(all)
}

/// The program: code that was given, or a file.
pub enum Program {
    /// A name for messages, what imports are relative to, and the text.
    Code {
        name: String,
        path: String,
        text: String,
    },
    File(String),
}

impl Program {
    /// Of the arguments `code` and `path`: code at a path is named by it, and
    /// its imports are relative to it.
    pub fn of(code: Option<String>, path: Option<PathBuf>) -> PyResult<Self> {
        let path = path.map(|path| path.to_string_lossy().into_owned());
        match (code, path) {
            (Some(text), Some(path)) => Ok(Self::Code {
                name: path.clone(),
                path,
                text,
            }),
            (Some(text), None) => Ok(Self::Code {
                name: "<code>".into(),
                path: String::new(),
                text,
            }),
            (None, Some(path)) => Ok(Self::File(path)),
            (None, None) => Err(PyTypeError::new_err("code or path must be given")),
        }
    }
}

/// The format of that name.
pub fn format(name: &str) -> PyResult<linecaster_jsonnet::manifest::Format> {
    use linecaster_jsonnet::manifest::Format;
    Format::named(name).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.iter().map(|entry| entry.0).collect();
        PyValueError::new_err(format!(
            "no format {name:?}; there are {}",
            known.join(", ")
        ))
    })
}
