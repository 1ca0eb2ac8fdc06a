//! Files that are written whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file: into a temporary one beside it, which then takes its name.
/// What is there and is no regular file (a pipe, a terminal) is written to.
///
/// # Errors
/// Those of the file system; then the file is as it was.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let existing = fs::metadata(path).ok();
    if existing
        .as_ref()
        .is_some_and(|existing| !existing.is_file())
    {
        return OpenOptions::new()
            .write(true)
            .open(path)?
            .write_all(content);
    }
    // A link stays, the file behind it is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (temporary, mut file) = temporary(&path)?;
    let written = file
        .write_all(content)
        .and_then(|()| match &existing {
            Some(existing) => file.set_permissions(existing.permissions()),
            None => Ok(()),
        })
        .and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn temporary(path: &Path) -> io::Result<(PathBuf, fs::File)> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut attempt = 0_u32;
    loop {
        let candidate = path.with_file_name(format!(".{name}.{}-{attempt}", std::process::id()));
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&candidate)
        {
            Ok(file) => return Ok((candidate, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => {
                attempt += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Writes a file unless it has just that content, so that its time stays.
///
/// # Errors
/// Those of the file system.
pub fn write_changed(path: &Path, content: &[u8]) -> io::Result<()> {
    match fs::read(path) {
        Ok(present) if present == content => Ok(()),
        _ => write(path, content),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("linecaster-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("out.json");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        let before = fs::metadata(&path).unwrap().modified().unwrap();
        write_changed(&path, b"two").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
        write_changed(&path, b"three").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert!(write(&folder.join("none").join("x"), b"").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
