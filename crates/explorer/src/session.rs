//! The state of the server.

use crate::checks::Checks;
use crate::fault::{Fault, to_json};
use crate::protocol::{Call, Order, TextFile};
use crate::settings::{OpenedFile, ServerSettings};
use crate::token::Token;
use crate::workers::Workers;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io;
use tokio::sync::Semaphore;

/// So many texts are read at once, and so many explanations made.
const MOST_QUESTIONS: usize = 4;

pub struct ServerState {
    pub settings: ServerSettings,
    pub token: Token,
    /// The origins of this server for a browser on this machine.
    pub hosts: [String; 2],
    pub checks: Checks,
    pub workers: Workers,
    pub questions: Semaphore,
}

#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    files: &'a [OpenedFile],
    methods: &'a [&'static str],
    timeout: f64,
    memory: u64,
    jobs: usize,
}

impl ServerState {
    pub fn new(settings: ServerSettings, port: u16) -> io::Result<Self> {
        Ok(Self {
            settings,
            token: Token::new()?,
            hosts: ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}")),
            checks: Checks::default(),
            workers: Workers::default(),
            questions: Semaphore::new(MOST_QUESTIONS),
        })
    }

    /// The address that the user opens.
    pub fn address(&self) -> String {
        format!("http://{}/#token={}", self.hosts[0], self.token.text())
    }

    /// The answer to `/api/session`.
    pub fn document(&self) -> String {
        let ServerSettings { version, files, methods, timeout, memory, .. } = &self.settings;
        let (timeout, jobs) = (timeout.as_secs_f64(), Checks::AT_ONCE);
        to_json(&Document { version, files, methods, timeout, memory: *memory, jobs })
    }

    /// The texts for a child process, some of them as they are in the editor.
    pub fn order(&self, mut edited: Map<String, Value>, call: Call) -> Result<Order, Fault> {
        let text = |file: &OpenedFile| {
            let text = match edited.remove(&file.name) {
                Some(Value::String(text)) => Some(text),
                Some(_) => return Err(Fault::request("a text is a string")),
                None => file.text.clone(),
            };
            Ok(TextFile { name: file.name.clone(), text })
        };
        let texts =
            self.settings.files.iter().map(text).collect::<Result<Vec<TextFile>, Fault>>()?;
        match edited.keys().next() {
            None => Ok(Order { texts, call }),
            Some(other) => Err(Fault::request(format!("`{other}` is not one of the files"))
                .with_help("only the files of the command line can be edited")),
        }
    }

    /// The names that are on the command line.
    pub fn given(&self) -> impl Iterator<Item = &str> {
        let sync = self.settings.sync.as_deref();
        let given =
            self.settings.files.iter().filter(move |file| file.given && Some(&*file.name) != sync);
        given.map(|file| &*file.name)
    }
}
