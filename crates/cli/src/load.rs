//! Puts the files of one call together into one system and its properties.

use crate::input::{self, Trouble};
use base::{Diagnostic, Monitor, SourceMap};
use front::ReadError;
use logic::Surface;
use model::{Component, ComposeError, Model, System};
use std::io::Read;
use std::path::{Path, PathBuf};

/// What the files say.
pub struct Loaded {
    pub system: System,
    /// Names and formulas.
    pub properties: Vec<(String, Surface)>,
    pub warnings: Vec<Diagnostic>,
    pub sources: SourceMap,
}

pub fn load(files: &[PathBuf], monitor: &Monitor) -> Result<Loaded, Trouble> {
    let mut models = Vec::new();
    for file in files {
        models.push(read_aut(file, input::open(file)?, monitor)?);
    }
    let components = models.into_iter().map(|model| Component { model, is_unknown: false });
    Ok(Loaded {
        system: System { components: components.collect(), sync: model::Sync::default() },
        properties: Vec::new(),
        warnings: Vec::new(),
        sources: SourceMap::new(),
    })
}

/// The model of one file; a system of several components is composed.
pub fn load_model(path: &Path, monitor: &Monitor) -> Result<Model, Trouble> {
    let mut system = load(&[path.to_owned()], monitor)?.system;
    if system.components.len() == 1 {
        return Ok(system.components.swap_remove(0).model);
    }
    system.compose(monitor).map_err(|error| match error {
        ComposeError::Stopped(stopped) => Trouble::Stopped(stopped),
        ComposeError::NoComposableInit => {
            Trouble::Message(check::Error::NoComposableInit.to_string())
        }
    })
}

fn read_aut(path: &Path, input: impl Read, monitor: &Monitor) -> Result<Model, Trouble> {
    let name = input::name_of(path);
    front::read_aut(input, &name, monitor).map_err(|error| match error {
        ReadError::Fault(fault) => {
            let mut sources = SourceMap::new();
            let diagnostic = fault.into_diagnostic(&mut sources);
            Trouble::Faults(vec![diagnostic], Box::new(sources))
        }
        ReadError::Io(error) => input::unreadable(&name, &error),
        ReadError::Stopped(stopped) => Trouble::Stopped(stopped),
    })
}
