//! Where texts come from, and what can be wrong with them before a parser sees them.

use crate::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use support::Monitor;

/// Opens the files that a model names: itself, those after `from`, partitions and lists of components.
pub trait Loader: Sync {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// The file is not there, or cannot be read.
    fn open(&self, path: &Path) -> Result<Box<dyn BufRead + Send>, Error>;
}

/// Opens files of the file system.
#[derive(Clone, Copy, Debug)]
pub struct FileSystem;

/// Opens nothing: a text that names another file is wrong.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Loader for FileSystem {
    fn open(&self, path: &Path) -> Result<Box<dyn BufRead + Send>, Error> {
        if path.is_dir() {
            let name = path.display();
            return Err(Error::message(format!("`{name}` is a directory, not a file")));
        }
        match File::open(path) {
            Ok(file) => Ok(Box::new(BufReader::with_capacity(1 << 16, file))),
            Err(error) => Err(cannot_open(path, &error)),
        }
    }
}

impl Loader for NoFiles {
    fn open(&self, path: &Path) -> Result<Box<dyn BufRead + Send>, Error> {
        let message = format!("`{}` cannot be read: there are no files here", path.display());
        Err(Error::message(message))
    }
}

/// One of the inputs that make up a model.
pub(crate) struct Source {
    /// Its name: a path, or what it is called in messages.
    pub name: String,
    pub path: std::path::PathBuf,
    content: Content,
}

enum Content {
    File,
    Bytes(Box<dyn BufRead + Send>),
}

impl Source {
    pub fn file(path: &Path) -> Self {
        let name = path.display().to_string();
        Self { name, path: path.to_owned(), content: Content::File }
    }

    pub fn bytes(name: &str, bytes: Box<dyn BufRead + Send>) -> Self {
        let content = Content::Bytes(bytes);
        // What is no path, as `<standard input>`, has no folder.
        let path = if name.starts_with('<') { "-" } else { name };
        Self { name: name.to_owned(), path: path.into(), content }
    }

    pub fn text(name: &str, text: &str) -> Self {
        Self::bytes(name, Box::new(Cursor::new(Arc::<[u8]>::from(text.as_bytes()))))
    }

    pub fn is_file(&self) -> bool {
        matches!(self.content, Content::File)
    }

    /// Opens it, without the mark of UTF-8 that some editors put first.
    pub fn open(self, loader: &dyn Loader) -> Result<Box<dyn BufRead + Send>, Error> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let mut input = match self.content {
            Content::File => loader.open(&self.path)?,
            Content::Bytes(bytes) => bytes,
        };
        let start = input.fill_buf().map_err(|error| unreadable(&self.path, &error))?;
        if start.starts_with(MARK) {
            input.consume(MARK.len());
        }
        Ok(input)
    }
}

fn cannot_open(path: &Path, error: &io::Error) -> Error {
    if error.kind() != ErrorKind::NotFound {
        return unreadable(path, error);
    }
    let missing = Error::message(format!("there is no file `{}`", path.display()));
    match neighbour(path) {
        Some(near) => missing.with_help(format!("did you mean `{near}`?")),
        None => missing,
    }
}

pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Error {
    Error::message(format!("cannot read `{}`: {error}", path.display()))
}

/// A file in the same directory with nearly the same name.
fn neighbour(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let directory = path.parent()?;
    let here = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let entries = std::fs::read_dir(here).ok()?.flatten();
    let names: Vec<String> = entries.filter_map(|e| e.file_name().into_string().ok()).collect();
    let near = support::nearest(wanted, names.iter().map(String::as_str))?;
    Some(directory.join(near).display().to_string())
}

/// Reads a whole text, which has to be UTF-8 and not empty.
pub(crate) fn read_text(name: &str, input: impl Read, monitor: &Monitor) -> Result<String, Error> {
    let text = read_any_text(name, input, monitor)?;
    match text.trim().is_empty() {
        true => Err(Error::message(format!("`{name}` is empty"))),
        false => Ok(text),
    }
}

/// A text that may be empty.
pub(crate) fn read_any_text(
    name: &str,
    mut input: impl Read,
    monitor: &Monitor,
) -> Result<String, Error> {
    const BLOCK: u64 = 1 << 20;
    let mut bytes = Vec::new();
    loop {
        let read = input.by_ref().take(BLOCK).read_to_end(&mut bytes);
        match read.map_err(|error| unreadable(Path::new(name), &error))? {
            0 => break,
            read => monitor.step(read as u64)?,
        }
    }
    String::from_utf8(bytes).map_err(|error| not_utf8(name, &error))
}

fn not_utf8(name: &str, error: &std::string::FromUtf8Error) -> Error {
    let offset = error.utf8_error().valid_up_to();
    let line = error.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let byte = error.as_bytes()[offset];
    Error::message(format!(
        "`{name}` is not UTF-8: the byte 0x{byte:02x} at offset {offset}, in line {line}"
    ))
    .with_help("save the file as UTF-8")
}
