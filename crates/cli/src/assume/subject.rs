//! What an assumption is made of: processes that run together, and safety properties.

use crate::flags::Limits;
use crate::input::Trouble;
use crate::load::{Loaded, component_named, load};
use ::assume::Unfit;
use base::{Monitor, did_you_mean};
use front::Safety;
use model::{Model, System};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

/// Stands for every process, in `--process`.
const ALL: &str = "all";

pub struct Subject {
    pub system: System,
    pub safeties: Vec<Safety>,
    /// What is odd about the files, for a person.
    warnings: String,
}

impl Subject {
    pub fn load(
        files: &[PathBuf],
        sync: Option<&Path>,
        limits: &Limits,
        monitor: &Monitor,
    ) -> Result<Subject, Trouble> {
        let loaded = load(files, sync, monitor)?;
        let warnings = loaded.warnings_for(limits);
        let Loaded { system, safeties, .. } = loaded;
        Ok(Subject { system, safeties, warnings })
    }

    pub fn warnings(&self) -> &str {
        &self.warnings
    }

    /// The safety property of that name.
    pub fn safety(&self, name: &str) -> Result<&Model, Trouble> {
        let names = self.safeties.iter().map(|safety| &*safety.name);
        let found = self.safeties.iter().find(|safety| safety.name == name);
        found.map(|safety| &safety.model).ok_or_else(|| {
            let message = format!("`--safety`: there is no safety property `{name}`");
            let help = match names.len() {
                0 => "write one: `safety NAME lts { … }` in a .tm file".to_owned(),
                _ => did_you_mean(name, "the safety properties are", names),
            };
            Trouble::message(message).with_help(help)
        })
    }

    /// All processes, the largest first: what it loses the others need not carry.
    pub fn largest_first(&self) -> Vec<usize> {
        let states = |&number: &usize| self.system.components[number].model.states();
        let mut all: Vec<usize> = (0..self.system.components.len()).collect();
        all.sort_by_key(|number| Reverse(states(number)));
        all
    }

    /// The processes of these names, in this order; `all` are all of them.
    pub fn processes(&self, names: &[String]) -> Result<Vec<usize>, Trouble> {
        if let [name] = names
            && name == ALL
            && component_named("--process", name, &self.system).is_err()
        {
            return Ok(self.largest_first());
        }
        let mut numbers = Vec::new();
        for name in names {
            let number = component_named("--process", name, &self.system)?;
            if numbers.contains(&number) {
                return Err(Trouble::message(format!("`--process` names `{name}` twice")));
            }
            numbers.push(number);
        }
        Ok(numbers)
    }
}

pub fn unfit(unfit: &Unfit) -> Trouble {
    Trouble::message(unfit.to_string())
}
