//! Files that are written.

use std::convert::Infallible;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tertium::Error;

/// Writes a file under another name first, so that what was there stays until all is well. The outer
/// error is the writer's own.
pub fn replace<E>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<io::Result<()>, E>,
) -> Result<io::Result<()>, E> {
    let path = place_of(path);
    let is_special = is_special(&path);
    let draft = if is_special { path.clone() } else { draft_of(&path) };
    let mut out = match File::create(&draft) {
        Ok(file) => BufWriter::new(file),
        Err(error) => return Ok(Err(error)),
    };
    let written = write(&mut out).map(|written| written.and_then(|()| out.flush()));
    if is_special {
        return written;
    }
    if let Ok(Ok(())) = written {
        return Ok(fs::rename(&draft, &path));
    }
    // It was of no use; that it stays behind is not worth a second message.
    let _ = fs::remove_file(&draft);
    written
}

/// Writes a complete text.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    match replace(path, |out| Ok::<_, Infallible>(out.write_all(text.as_bytes()))) {
        Ok(written) => written,
    }
}

/// Whether a file can be written there, found out by beginning one.
pub fn try_writing(path: &Path) -> io::Result<()> {
    let path = place_of(path);
    if path.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if is_special(&path) {
        return Ok(());
    }
    let draft = draft_of(&path);
    File::create(&draft)?;
    fs::remove_file(&draft)
}

/// An output must not overwrite an input.
pub fn is_no_input(path: &Path, inputs: &[PathBuf]) -> Result<(), Error> {
    let same = |input: &PathBuf| input.exists() && place_of(input) == place_of(path);
    if !inputs.iter().any(same) {
        return Ok(());
    }
    Err(Error::wrong(
        format!("`{}` is one of the files that are read", path.display()),
        "write to another file",
    ))
}

/// A link is to stay one.
fn place_of(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or(path.to_owned())
}

/// A device or a pipe cannot be replaced.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| !data.is_file())
}

fn draft_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    name.into()
}

pub fn unwritable(path: &Path, error: &io::Error) -> Error {
    Error::wrong(cannot_write(path, error), "")
}

pub fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("cannot write `{}`: {error}", path.display())
}
