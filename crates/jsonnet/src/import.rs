//! Imports: where files come from, and what is kept of them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::eval::Outcome;
use crate::ir::Unit;
use crate::syntax::ast::ImportKind;
use crate::syntax::source::replace_bad_bytes;
use crate::value::{Array, Str, Value};
use crate::vm::{Vm, compile};

/// Finds the files that programs import.
pub trait Resolver {
    /// Where the file is that a file at `from` (empty: code that was given)
    /// imports as `path`. The error is the message of the failed import.
    fn resolve(&mut self, from: &str, path: &str) -> Result<String, String>;

    /// The bytes of a file that [`Resolver::resolve`] found.
    fn read(&mut self, found: &str) -> Result<Vec<u8>, String>;
}

/// Lowered files by their name, for VMs of several threads.
#[derive(Default)]
pub struct Units(Mutex<HashMap<String, Arc<Unit>>>);

impl Units {
    /// The lowered file, made if it is not there. Two threads that ask at the
    /// same time may both make it.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn get(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<Unit, Box<Error>>,
    ) -> Result<Arc<Unit>, Box<Error>> {
        let known = |units: &Self| {
            let units = units.0.lock().unwrap_or_else(PoisonError::into_inner);
            units.get(name).cloned()
        };
        if let Some(unit) = known(self) {
            return Ok(unit);
        }
        let unit = Arc::new(make()?);
        let mut units = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(units.entry(name.to_owned()).or_insert(unit)))
    }

    /// Forgets all.
    pub fn clear(&self) {
        let mut units = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        units.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        let units = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        units.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What one VM has imported.
pub(crate) struct Imports {
    pub(crate) resolver: Box<dyn Resolver>,
    pub(crate) units: Arc<Units>,
    bytes: HashMap<String, Rc<Vec<u8>>>,
    values: HashMap<String, Value>,
}

impl Imports {
    pub(crate) fn new(resolver: Box<dyn Resolver>) -> Self {
        Self {
            resolver,
            units: Arc::default(),
            bytes: HashMap::new(),
            values: HashMap::new(),
        }
    }

    /// Values may be different from now on.
    pub(crate) fn forget_values(&mut self) {
        self.values.clear();
    }

    fn bytes(&mut self, found: &str) -> Result<Rc<Vec<u8>>, Box<Error>> {
        if let Some(bytes) = self.bytes.get(found) {
            return Ok(Rc::clone(bytes));
        }
        let bytes = Rc::new(self.resolver.read(found).map_err(Error::runtime)?);
        self.bytes.insert(found.to_owned(), Rc::clone(&bytes));
        Ok(bytes)
    }
}

impl Vm {
    /// `import` and its sisters, in a file at `from`.
    pub(crate) fn import(&mut self, from: &str, path: &str, kind: ImportKind) -> Outcome {
        let found = self.imports.resolver.resolve(from, path);
        let found = found.map_err(Error::runtime)?;
        match kind {
            ImportKind::Code => self.import_code(&found),
            ImportKind::Str => {
                let bytes = self.imports.bytes(&found)?;
                let (text, _) = replace_bad_bytes(&bytes);
                Ok(Value::Str(Str::new(&self.store.heap, &text)))
            }
            ImportKind::Bin => {
                let bytes = self.imports.bytes(&found)?;
                Ok(Value::Array(Array::from_bytes(&self.store.heap, &bytes)))
            }
        }
    }

    fn import_code(&mut self, found: &str) -> Outcome {
        if let Some(value) = self.imports.values.get(found).cloned() {
            return self.force(&value);
        }
        let units = Arc::clone(&self.imports.units);
        let unit = units.get(found, || {
            let bytes = self.imports.resolver.read(found).map_err(Error::runtime)?;
            let unit = compile(found, found, bytes);
            unit.map_err(|error| Error::runtime(error.to_string()))
        })?;
        let module = self.load(unit);
        let value = self.root_thunk(module);
        self.imports.values.insert(found.to_owned(), value.clone());
        self.force(&value)
    }
}

/// Files of the file system: beside the importing file, then in the library
/// paths, the last first.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Library paths.
    pub library: Vec<PathBuf>,
}

impl Files {
    /// Without library paths.
    pub fn new() -> Self {
        Self::default()
    }

    fn candidate(dir: &Path, path: &str) -> PathBuf {
        clean(&dir.join(path))
    }
}

impl Resolver for Files {
    fn resolve(&mut self, from: &str, path: &str) -> Result<String, String> {
        let beside = from.rfind('/').map_or("", |at| &from[..=at]);
        let beside = Path::new(beside);
        let dirs = std::iter::once(beside).chain(self.library.iter().rev().map(PathBuf::as_path));
        for dir in dirs.filter(|_| !path.is_empty()) {
            let candidate = Self::candidate(dir, path);
            match std::fs::metadata(&candidate) {
                Ok(found) if found.is_dir() => {
                    let shown = candidate.display();
                    return Err(format!("read {shown}: is a directory"));
                }
                Ok(_) => return Ok(candidate.to_string_lossy().into_owned()),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(refused(&candidate, &error)),
            }
        }
        let shown = crate::manifest::go_quoted(path);
        Err(format!(
            "couldn't open import {shown}: no match locally or in the Jsonnet library paths"
        ))
    }

    fn read(&mut self, found: &str) -> Result<Vec<u8>, String> {
        std::fs::read(found).map_err(|error| refused(Path::new(found), &error))
    }
}

fn refused(path: &Path, error: &std::io::Error) -> String {
    let reason = match error.kind() {
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::NotADirectory => "not a directory".to_owned(),
        _ => error.to_string(),
    };
    format!("open {}: {reason}", path.display())
}

/// The path without `.`, and without `..` where what it leaves is named.
fn clean(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => match out.components().next_back() {
                Some(Component::Normal(_)) => {
                    out.pop();
                }
                Some(Component::RootDir) => {}
                _ => out.push(".."),
            },
            part => out.push(part),
        }
    }
    if out.as_os_str().is_empty() {
        out.push(".");
    }
    out
}
