//! Where values go: standard output, a file, a folder of files.

use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use super::args::Config;
use super::files;

/// A failure in words.
pub type Done = Result<(), String>;

fn told(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Writes the whole output.
pub fn whole(config: &Config, text: &str) -> Done {
    let Some(path) = &config.output else {
        return std::io::stdout()
            .write_all(text.as_bytes())
            .map_err(|error| format!("standard output: {error}"));
    };
    if let (true, Some(folder)) = (config.create_dirs, path.parent()) {
        fs::create_dir_all(folder).map_err(told(folder))?;
    }
    files::write(path, text.as_bytes()).map_err(told(path))
}

/// Writes a file for each name and text, in their order, and the names.
///
/// No name leads out of the folder: one that would is an error, before
/// anything is written.
pub fn multi(config: &Config, folder: &Path, outputs: &[(String, String)]) -> Done {
    let mut names = String::new();
    let mut paths = Vec::with_capacity(outputs.len());
    for (name, _) in outputs {
        let path = folder.join(inside(name)?);
        names.push_str(&path.to_string_lossy());
        names.push('\n');
        paths.push(path);
    }
    if outputs.is_empty() {
        return whole(config, "");
    }
    if config.create_dirs {
        fs::create_dir_all(folder).map_err(told(folder))?;
    }
    for (path, (_, text)) in paths.iter().zip(outputs) {
        if let (true, Some(parent)) = (config.create_dirs, path.parent()) {
            fs::create_dir_all(parent).map_err(told(parent))?;
        }
        files::write_changed(path, text.as_bytes()).map_err(told(path))?;
    }
    whole(config, &names)
}

/// The path relative to the folder, without detours.
fn inside(name: &str) -> Result<PathBuf, String> {
    let mut path = PathBuf::new();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            Component::ParentDir => {
                if !path.pop() {
                    return Err(format!("{name}: the path leads out of the output folder"));
                }
            }
        }
    }
    if path.as_os_str().is_empty() {
        return Err(format!("\"{name}\" names no file"));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        assert_eq!(inside("a/./b.json"), Ok("a/b.json".into()));
        assert_eq!(inside("/a"), Ok("a".into()));
        assert_eq!(inside("a/../b"), Ok("b".into()));
        assert!(inside("../a").is_err());
        assert!(inside("a/../../b").is_err());
        assert!(inside("").is_err());
    }
}
