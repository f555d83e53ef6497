//! Settings of the server.

use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

pub struct ServerSettings {
    /// The program whose child processes answer.
    pub program: PathBuf,
    pub version: &'static str,
    /// 0 for a free one.
    pub port: u16,
    /// All that can be read, and as it was read.
    pub files: Vec<OpenedFile>,
    /// The name of the file of synchronisation vectors among them.
    pub sync: Option<String>,
    pub methods: Vec<&'static str>,
    /// The limits of one check.
    pub timeout: Duration,
    pub memory: u64,
    /// A request has to have said by then what it asks; so has a connection that is kept for the next.
    pub patience: Duration,
}

#[derive(Clone, Serialize, Debug)]
pub struct OpenedFile {
    /// As on the command line.
    pub name: String,
    pub language: &'static str,
    /// Whether it is named on the command line, and not only in another file.
    pub given: bool,
    /// `None` if it is too long for an editor: then it is read from the disk.
    pub text: Option<String>,
    pub bytes: u64,
}
