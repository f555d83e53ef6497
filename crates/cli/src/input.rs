//! Where input comes from, and what can be wrong with it before a parser sees it.

use crate::texts;
use front::ReadError;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use support::{Diagnostic, Monitor, Severity, SourceMap, Stopped};

/// Why there is no input.
#[derive(Debug)]
pub enum Trouble {
    Faults(Vec<Diagnostic>, Box<SourceMap>),
    Stopped(Stopped),
}

impl Trouble {
    /// Something is wrong that has no place in a text.
    pub fn message(message: impl Into<String>) -> Self {
        let (severity, message) = (Severity::Error, message.into());
        let diagnostic = Diagnostic { severity, message, labels: Vec::new(), help: None };
        Trouble::Faults(vec![diagnostic], Box::default())
    }

    /// What is wrong, if it is one thing that has no place in a text.
    pub fn bare_message(&self) -> Option<String> {
        match self {
            Trouble::Faults(diagnostics, _) => match &**diagnostics {
                [only] if only.labels.is_empty() => Some(only.message.clone()),
                _ => None,
            },
            Trouble::Stopped(_) => None,
        }
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        if let Trouble::Faults(diagnostics, _) = &mut self {
            let help = help.into();
            diagnostics.iter_mut().for_each(|diagnostic| diagnostic.help = Some(help.clone()));
        }
        self
    }

    pub fn from_reader(path: &Path, error: ReadError) -> Self {
        match error {
            ReadError::Fault(fault) => {
                let mut sources = Box::new(SourceMap::new());
                let diagnostic = fault.into_diagnostic(&mut sources);
                Trouble::Faults(vec![diagnostic], sources)
            }
            ReadError::Io(error) => unreadable(path, &error),
            ReadError::Stopped(stopped) => Trouble::Stopped(stopped),
        }
    }
}

impl From<Stopped> for Trouble {
    fn from(stopped: Stopped) -> Self {
        Trouble::Stopped(stopped)
    }
}

/// As it stands in messages.
pub fn name_of(path: &Path) -> String {
    if is_dash(path) { "<standard input>".to_owned() } else { path.display().to_string() }
}

/// As it stands in JSON.
pub fn name_in_json(path: &Path) -> String {
    path.display().to_string()
}

pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of a file or of standard input, without the mark of UTF-8 that some editors put first.
pub fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, Trouble> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let mut input = open_as_it_is(path)?;
    if input.fill_buf().map_err(|error| unreadable(path, &error))?.starts_with(MARK) {
        input.consume(MARK.len());
    }
    Ok(input)
}

/// All bytes of a file or of standard input.
pub fn open_as_it_is(path: &Path) -> Result<Box<dyn BufRead + Send>, Trouble> {
    match texts::in_place_of_files() {
        Some(texts) => texts.open(path),
        None => open_file(path),
    }
}

/// From the disk, whatever stands in place of files.
pub fn open_file(path: &Path) -> Result<Box<dyn BufRead + Send>, Trouble> {
    if is_dash(path) {
        return Ok(match put_back_text().take() {
            Some(text) => Box::new(Cursor::new(text)),
            None => Box::new(BufReader::new(io::stdin())),
        });
    }
    let name = name_of(path);
    if path.is_dir() {
        return Err(Trouble::message(format!("`{name}` is a directory, not a file")));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::with_capacity(1 << 16, file))),
        Err(error) => Err(cannot_open(path, &error)),
    }
}

/// What was read from standard input and turned out to be for another reader.
static PUT_BACK: Mutex<Option<String>> = Mutex::new(None);

fn put_back_text() -> MutexGuard<'static, Option<String>> {
    PUT_BACK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks at how standard input begins, and leaves it there.
pub fn at_the_start_of_standard_input<T>(look: impl FnOnce(&[u8]) -> T) -> T {
    match &*put_back_text() {
        Some(text) => look(text.as_bytes()),
        None => look(io::stdin().lock().fill_buf().unwrap_or_default()),
    }
}

/// Leaves a text to the next who opens its file.
pub fn put_back(path: &Path, text: &str) {
    if is_dash(path) {
        *put_back_text() = Some(text.to_owned());
    }
}

fn cannot_open(path: &Path, error: &io::Error) -> Trouble {
    let name = name_of(path);
    if error.kind() != ErrorKind::NotFound {
        return unreadable(path, error);
    }
    let trouble = Trouble::message(format!("there is no file `{name}`"));
    match neighbour(path) {
        Some(near) => trouble.with_help(format!("did you mean `{near}`?")),
        None => trouble,
    }
}

pub fn unreadable(path: &Path, error: &io::Error) -> Trouble {
    Trouble::message(format!("cannot read `{}`: {error}", name_of(path)))
}

/// The first reader would leave nothing to the second.
pub fn standard_input_twice() -> Trouble {
    Trouble::message("standard input is named twice, and can be read only once")
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

/// A whole text, which has to be UTF-8 and not empty.
pub fn read_text(path: &Path, mut input: impl Read, monitor: &Monitor) -> Result<String, Trouble> {
    const BLOCK: u64 = 1 << 20;
    let mut bytes = Vec::new();
    loop {
        let read = input.by_ref().take(BLOCK).read_to_end(&mut bytes);
        match read.map_err(|error| unreadable(path, &error))? {
            0 => break,
            read => monitor.step(read as u64)?,
        }
    }
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(path, &error))?;
    if text.trim().is_empty() {
        return Err(Trouble::message(format!("`{}` is empty", name_of(path))));
    }
    Ok(text)
}

fn not_utf8(path: &Path, error: &std::string::FromUtf8Error) -> Trouble {
    let offset = error.utf8_error().valid_up_to();
    let line = error.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let (name, byte) = (name_of(path), error.as_bytes()[offset]);
    Trouble::message(format!(
        "`{name}` is not UTF-8: the byte 0x{byte:02x} at offset {offset}, in line {line}"
    ))
    .with_help("save the file as UTF-8")
}
