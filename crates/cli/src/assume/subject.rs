//! What an assumption is made of: processes that run together, and safety properties.

use crate::console::colour_of_stderr;
use crate::flags::Limits;
use crate::input::{self, Trouble};
use crate::load::{Loaded, component_named, load, load_safeties};
use crate::smv::{self, is_promela};
use crate::supervisor::Session;
use ::assume::Unfit;
use front::Safety;
use front::promela::{Part, Processes, Program, assertions, processes, read_promela};
use model::{Model, System, TAU};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor, SourceMap, Span, did_you_mean};

/// Stands for every process, in `--process`.
const ALL: &str = "all";

pub struct Subject {
    pub system: System,
    pub safeties: Vec<Safety>,
    /// If the processes come from a Promela model.
    pub promela: Option<Promela>,
    /// What is odd about the files, for a person.
    warnings: String,
}

/// A Promela model and what it was taken apart into.
pub struct Promela {
    pub file: FileId,
    pub sources: SourceMap,
    pub program: Program,
    pub processes: Processes,
}

impl Promela {
    pub fn text(&self) -> &str {
        &self.sources.file(self.file).text
    }

    pub fn trouble(&self, diagnostic: Diagnostic) -> Trouble {
        Trouble::Faults(vec![diagnostic], Box::new(self.sources.clone()))
    }
}

impl Subject {
    pub fn load(
        files: &[PathBuf],
        sync: Option<&Path>,
        limits: &Limits,
        monitor: &Monitor,
    ) -> Result<Subject, Trouble> {
        if files.iter().any(|file| is_promela(file)) {
            return Subject::of_promela(files, sync, limits, monitor);
        }
        if let Some(path) = smv::among(files)? {
            let message = format!(
                "a safety property is about the actions of processes, and `{}` is an SMV file",
                input::name_of(path)
            );
            return Err(
                Trouble::message(message).with_help("give .tm or .aut files, or a .pml file")
            );
        }
        let loaded = load(files, sync, monitor)?;
        let warnings = loaded.warnings_for(limits);
        let Loaded { system, safeties, .. } = loaded;
        Ok(Subject { system, safeties, promela: None, warnings })
    }

    /// A Promela file, and files with safety properties about what its processes show.
    fn of_promela(
        files: &[PathBuf],
        sync: Option<&Path>,
        limits: &Limits,
        monitor: &Monitor,
    ) -> Result<Subject, Trouble> {
        let (models, others): (Vec<PathBuf>, Vec<PathBuf>) =
            files.iter().cloned().partition(|file| is_promela(file));
        let [path] = &models[..] else {
            return Err(Trouble::message("there are two Promela files")
                .with_help("a Promela file is a whole system"));
        };
        if sync.is_some() {
            return Err(Trouble::message(
                "`--sync` is not for a Promela file, which says itself how \
                                         its processes run together",
            ));
        }
        let promela = read(path, monitor)?;
        let (mut safeties, warnings, sources) = load_safeties(&others, monitor)?;
        let span = Span::new(promela.file, 0..0);
        let model = assertions();
        safeties.push(Safety { name: model.name.clone(), span, model });
        let warnings = match limits.quiet {
            true => String::new(),
            false => report::render(&warnings, &sources, colour_of_stderr()),
        };
        let system = promela.processes.system.clone();
        Ok(Subject { system, safeties, promela: Some(promela), warnings })
    }

    /// The safety property that is asked about; says what is odd about the files, and about the property.
    pub fn asked(
        &self,
        name: Option<&str>,
        limits: &Limits,
        session: &Session<String>,
    ) -> Result<&Model, Trouble> {
        session.remark(&*self.warnings);
        let safety = self.safety(name)?;
        if !limits.quiet {
            session.remark(self.unseen_actions(safety));
        }
        Ok(safety)
    }

    /// The safety property of that name; of no name, the only one, or that no assertion of a Promela model fails.
    pub fn safety(&self, name: Option<&str>) -> Result<&Model, Trouble> {
        let name = match (name, &self.safeties[..]) {
            (Some(name), _) => name,
            (None, [.., last]) if self.promela.is_some() => &last.name,
            (None, [only]) => &only.name,
            (None, _) => "",
        };
        let names = self.safeties.iter().map(|safety| &*safety.name);
        let found = self.safeties.iter().find(|safety| safety.name == name);
        found.map(|safety| &safety.model).ok_or_else(|| {
            let message = match name {
                "" if self.safeties.is_empty() => "the files have no safety property".to_owned(),
                "" => "which safety property? `--safety P` names it".to_owned(),
                name => format!("`--safety`: there is no safety property `{name}`"),
            };
            let help = match names.len() {
                0 => "write one: `safety NAME lts { … }` in a .tm file".to_owned(),
                _ => did_you_mean(name, "the safety properties are", names),
            };
            Trouble::message(message).with_help(help)
        })
    }

    /// What a safety property says nothing with: actions that nobody shows.
    fn unseen_actions(&self, safety: &Model) -> String {
        let (_, shown) = self.system.rules();
        if shown.is_empty() {
            return String::new();
        }
        // The failed assertions of a Promela model that has none.
        let is_own =
            |name: &str| self.promela.is_some() && assertions().actions().get(name).is_some();
        let is_unseen = |name: &&str| *name != TAU && shown.get(name).is_none() && !is_own(name);
        let remark = |name: &str| {
            let help = did_you_mean(name, "the actions are", shown.names());
            format!(
                "Warning: the safety property `{}` declares `{name}`, and nobody shows such an action\n  \
                 Help: {help}\n",
                safety.name
            )
        };
        safety.actions().names().filter(is_unseen).map(remark).collect()
    }

    /// All processes, the largest first: what it loses the others need not carry.
    pub fn largest_first(&self) -> Vec<usize> {
        let states = |&number: &usize| self.system.components[number].model.states();
        // The variables and channels of a Promela model are no processes.
        let is_process = |&number: &usize| {
            let promela = self.promela.as_ref();
            promela.is_none_or(|model| matches!(model.processes.of[number], Part::Process(_)))
        };
        let mut all: Vec<usize> = (0..self.system.components.len()).filter(is_process).collect();
        all.sort_by_key(|number| Reverse(states(number)));
        all
    }

    /// The processes of these names, in this order; `all` are all of them.
    pub fn processes(&self, names: &[String]) -> Result<Vec<usize>, Trouble> {
        if names.iter().any(|name| name == ALL) && self.process("--process", ALL).is_err() {
            return match names {
                [_] => Ok(self.largest_first()),
                _ => Err(Trouble::message("`--process all` names every process already")
                    .with_help("leave the others out, or name those that you mean")),
            };
        }
        let mut numbers = Vec::new();
        for name in names {
            let number = self.process("--process", name)?;
            if numbers.contains(&number) {
                return Err(Trouble::message(format!("`--process` names `{name}` twice")));
            }
            numbers.push(number);
        }
        Ok(numbers)
    }

    /// The process of that name; one of a Promela model has also the name that formulas know it by, `P[0]`.
    pub fn process(&self, asked: &str, name: &str) -> Result<usize, Trouble> {
        let named = self.promela.as_ref().and_then(|promela| {
            let (id, _) = promela.program.processes.iter().find(|(_, own)| own.name == name)?;
            promela.processes.of.iter().position(|&part| part == Part::Process(id))
        });
        match named {
            Some(number) => Ok(number),
            None => component_named(asked, name, &self.system),
        }
    }
}

fn read(path: &Path, monitor: &Monitor) -> Result<Promela, Trouble> {
    let input = input::open(path)?;
    let text: Arc<str> = input::read_text(path, input, monitor)?.into();
    let mut sources = SourceMap::new();
    let file = sources.add(input::name_of(path), text.clone());
    let taken_apart = || {
        let program = read_promela(file, &text)?;
        let processes = processes(&program, monitor)?;
        Ok((program, processes))
    };
    match taken_apart() {
        Ok((program, processes)) => Ok(Promela { file, sources, program, processes }),
        Err(faults) => {
            monitor.check()?;
            Err(Trouble::Faults(faults, Box::new(sources)))
        }
    }
}

pub fn unfit(unfit: &Unfit) -> Trouble {
    Trouble::message(unfit.to_string())
}
