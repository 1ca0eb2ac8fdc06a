//! Where imported files come from.

use std::path::{Path, PathBuf};

/// What an import found.
pub struct Found {
    /// The file's name: names the file in messages, and is what imports inside
    /// of it are relative to. Equal names are the same file.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Finds the files that programs import.
pub trait Resolver {
    /// Where the file is that a file at `from` (empty: code that was given)
    /// imports as `path`. The error is the message of the failed import.
    fn resolve(&mut self, from: &str, path: &str) -> Result<String, String>;

    /// The bytes of a file that [`Resolver::resolve`] found.
    fn read(&mut self, found: &str) -> Result<Vec<u8>, String>;
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
        for dir in dirs {
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
    out
}
