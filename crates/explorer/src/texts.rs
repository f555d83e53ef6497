//! Texts that stand in place of files: what is in an editor and not on the disk.
//!
//! Where there are such texts, they are all that can be read.

use std::collections::HashMap;
use std::io::{BufRead, Cursor};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tertium::{Error, FileSystem, Loader};

#[derive(Default, Debug)]
pub struct Texts {
    /// `None` for a file that is read from the disk.
    by_path: HashMap<PathBuf, Option<Arc<str>>>,
}

impl Texts {
    /// Adds a text under the name of a file; without one, the file is read from the disk.
    pub fn add(&mut self, name: &str, text: Option<String>) {
        self.by_path.insert(plain(Path::new(name)), text.map(Arc::from));
    }
}

impl Loader for Texts {
    fn open(&self, path: &Path) -> Result<Box<dyn BufRead + Send>, Error> {
        match self.by_path.get(&plain(path)) {
            Some(Some(text)) => Ok(Box::new(Cursor::new(Arc::<[u8]>::from(text.clone())))),
            Some(None) => FileSystem.open(path),
            None => {
                let name = path.display();
                let message =
                    format!("`{name}` is not one of the files that the explorer was started with");
                Err(Error::wrong(message, "start `tertium explore` again with it"))
            }
        }
    }
}

/// Without the detours that a path can make.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn a_path_has_many_names() {
        let names = ["a/b.tm", "./a/b.tm", "a/./b.tm", "a/c/../b.tm"];
        assert!(names.iter().all(|name| plain(Path::new(name)) == Path::new("a/b.tm")));
        assert_eq!(plain(Path::new("../../x")), Path::new("../../x"));
        assert_eq!(plain(Path::new("/../x")), Path::new("/../x"));
    }

    #[test]
    fn no_other_file_can_be_read() {
        let mut texts = Texts::default();
        texts.add("a.tm", Some("component".to_owned()));
        let mut read = String::new();
        let opened = texts.open(Path::new("./a.tm")).and_then(|mut text| {
            text.read_to_string(&mut read).map_err(|error| Error::wrong(error.to_string(), ""))
        });
        assert!(opened.is_ok() && read == "component");
        for other in ["Cargo.toml", "/etc/passwd", "../a.tm", "-", ""] {
            assert!(texts.open(Path::new(other)).is_err(), "{other}");
        }
    }
}
