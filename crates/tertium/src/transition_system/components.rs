//! An SMV file component by component.

use super::encoded::{Certifying, stats};
use super::vocabulary::Vocabulary;
use super::{StatedProperty, TransitionSystem};
use crate::error::Error;
use crate::source::{self, Loader, Source};
use audit::Claim;
use explicit::{Outcome, Reason};
use logic::{Fairness, Formula};
use std::path::Path;
use support::{Monitor, did_you_mean};
use symbolic::{
    Composition, DecompositionError, LabelledMachine, Policy, SearchLimit, Stop, Trial,
};
use transition::{Division, InstanceGroup, InstanceId};

/// Variables are not reordered before there are so many nodes.
const REORDER_AT: usize = 1 << 18;

/// The components that a symbolic transition system is divided into.
pub struct ComponentChoice {
    pub division: Division,
    pub missing: Vec<InstanceId>,
}

/// A machine in components, and what it can be asked.
pub struct EncodedComponents {
    composition: Composition,
    words: Vocabulary,
    fairness: Fairness,
    missing: Vec<String>,
}

impl TransitionSystem {
    /// Looks up what `--components` and `--unknown` name. `None` for one component.
    pub fn parts(
        &self,
        components: Option<&str>,
        unknown: &[String],
        loader: &dyn Loader,
    ) -> Result<Option<ComponentChoice>, Error> {
        let missing = self.instances("`--unknown`", unknown, &mut Vec::new())?;
        let division = match components.map(str::trim) {
            None | Some("auto") => Division::Instances,
            Some("none") if missing.is_empty() => return Ok(None),
            Some("none") => Division::Given(Vec::new()),
            Some("recursive") => Division::Recursive,
            Some(list) => Division::Given(self.groups(list, loader)?),
        };
        Ok(Some(ComponentChoice { division, missing }))
    }

    fn instance(&self, place: &str, name: &str) -> Result<InstanceId, Error> {
        if name.is_empty() {
            let message = format!("{place}: the name of an instance is missing");
            return Err(Error::message(message).with_help("write for example `a,b`"));
        }
        self.document.machine.instance(name).ok_or_else(|| {
            let message = format!("{place}: there is no instance `{name}` of a module");
            Error::message(message).with_help(self.instances_like(name))
        })
    }

    fn instances_like(&self, name: &str) -> String {
        let names = self.document.machine.instances.values().map(|instance| &*instance.name);
        let names = names.filter(|name| !name.is_empty());
        match names.clone().next() {
            Some(_) => did_you_mean(name, "the instances are", names),
            None => "everything is in the main module".to_owned(),
        }
    }

    /// Looks up some instances, none of which may be taken.
    fn instances(
        &self,
        place: &str,
        names: &[String],
        taken: &mut Vec<InstanceId>,
    ) -> Result<Vec<InstanceId>, Error> {
        let mut found = Vec::new();
        for name in names.iter().map(|name| name.trim()) {
            let instance = self.instance(place, name)?;
            if taken.contains(&instance) {
                let message = format!("{place}: the instance `{name}` is named twice");
                return Err(Error::message(message));
            }
            taken.push(instance);
            found.push(instance);
        }
        Ok(found)
    }

    /// Instances, each a component, or those that a file lists.
    fn groups(&self, list: &str, loader: &dyn Loader) -> Result<Vec<InstanceGroup>, Error> {
        let names = list.split(',').map(str::trim);
        let is_known = |name: &str| self.document.machine.instance(name).is_some();
        let path = Path::new(list);
        let is_file = !names.clone().any(is_known) && (list.contains('/') || path.exists());
        if !is_file && !list.is_empty() && !list.contains(',') && !is_known(list) {
            let message = format!("`--components`: there is no instance and no file `{list}`");
            return Err(Error::message(message).with_help(self.instances_like(list)));
        }
        let lines = if is_file { listed(path, loader)? } else { names.map(Line::alone).collect() };
        let mut groups: Vec<InstanceGroup> = Vec::new();
        let mut taken = Vec::new();
        for Line { place, name, members } in lines {
            let instances = self.instances(&place, &members, &mut taken)?;
            if groups.iter().any(|group| group.name == name) {
                let message = format!("{place}: there is another component `{name}`");
                return Err(Error::message(message));
            }
            groups.push(InstanceGroup { name, instances });
        }
        Ok(groups)
    }

    /// Encodes what the specifications that are asked depend on.
    pub fn in_parts(
        &self,
        chosen: &[usize],
        parts: &ComponentChoice,
        most_nodes: usize,
        effort: SearchLimit,
        monitor: &Monitor,
    ) -> Result<Result<EncodedComponents, DecompositionError>, Error> {
        let machine = &self.document.machine;
        let words = self.vocabulary(&self.asked(chosen));
        let slice = self.slice(&words.all());
        let components = machine.components(&slice, &parts.division, &parts.missing);
        let Vocabulary { labels, conditions, .. } = &words;
        let subject = LabelledMachine { machine, slice: &slice, labels, conditions };
        // A better order for one group need not be one for the next, and sifting takes time.
        let reorder_at = (effort == SearchLimit::Unlimited).then_some(REORDER_AT);
        let policy = Policy { most_nodes, reorder_at, ..Policy::default() };
        let fairness = words.fairness_on(&slice);
        let composition = Composition::new(subject, components, policy, effort, monitor)
            .map_err(|stop| Error::Stopped(stop.into()))?;
        let name = |&id: &InstanceId| machine.instances[id].name.clone();
        let missing = parts.missing.iter().map(name).collect();
        Ok(composition.map(|composition| EncodedComponents {
            composition,
            words,
            fairness,
            missing,
        }))
    }
}

impl EncodedComponents {
    /// Has another monitor watch it from now on.
    pub fn watch(&mut self, monitor: &Monitor) {
        self.composition.watch(monitor);
    }

    /// How many steps operations on BDDs have made.
    pub fn steps(&self) -> u64 {
        self.composition.stats().steps
    }

    /// How many components there are that are not missing.
    pub fn len(&self) -> usize {
        self.composition.len()
    }

    /// Answers a specification, with what was tried.
    pub fn answer(
        &mut self,
        asked: &StatedProperty,
        effort: SearchLimit,
        mut watch: impl FnMut(&Trial),
    ) -> Result<Outcome, Error> {
        let Some(property) = &asked.property else {
            return Ok(asked.without_property());
        };
        let formula = self.words.compile(&property.surface, &self.fairness)?;
        let every = Fairness { everywhere: true, ..Fairness::default() };
        let about = self.words.compile(&property.surface, &every)?;
        let (mut trials, mut relevant) = (0, 0.0);
        let mut count = |trial: &Trial| {
            trials += 1;
            relevant += trial.relevant;
            watch(trial);
        };
        let verdict = match self.composition.check(&formula, &about, effort, &mut count) {
            Ok(verdict) => verdict,
            Err(Stop::Stopped(stopped)) => return Err(Error::Stopped(stopped)),
            Err(full) => return Ok(Outcome::stopped(full.into())),
        };
        let mut outcome = Outcome::new(verdict);
        outcome.stats = stats(&self.composition.stats());
        outcome.stats.states = None;
        outcome.stats.iterations = Some(trials);
        outcome.stats.relevant_states = exact(relevant);
        if !verdict.is_definite() {
            outcome.reason = Some(Reason::MissingParts(self.missing.clone()));
        }
        Ok(outcome)
    }
}

impl Certifying for EncodedComponents {
    fn words(&self) -> &Vocabulary {
        &self.words
    }

    fn shown(&mut self, formula: &Formula, claim: &Claim) -> Result<Option<Vec<u8>>, Stop> {
        self.composition.certificate(formula, claim)
    }
}

/// Beyond that a count is not exact.
pub fn exact(count: f64) -> Option<u64> {
    (count < 2f64.powi(53)).then_some(count as u64)
}

/// A component as it is listed, and where.
struct Line {
    place: String,
    name: String,
    members: Vec<String>,
}

impl Line {
    fn alone(name: &str) -> Self {
        let (place, name) = ("`--components`".to_owned(), name.to_owned());
        Self { place, members: vec![name.clone()], name }
    }

    /// `None` if there is only a remark.
    fn read(place: String, text: &str) -> Result<Option<Self>, Error> {
        let text = without_remark(text);
        let (name, members) = match text.split_once(':') {
            Some((name, members)) => (Some(name.trim()), members),
            None => (None, text),
        };
        let separators = |c: char| c.is_whitespace() || c == ',';
        let members: Vec<String> =
            members.split(separators).filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let missing = match (name, members.first()) {
            (None, None) => return Ok(None),
            (Some(_), None) => "instances",
            (Some(""), _) => "name",
            (name, Some(first)) => {
                let name = name.unwrap_or(first).to_owned();
                return Ok(Some(Self { place, name, members }));
            }
        };
        let message = format!("{place}: this component has no {missing}");
        Err(Error::message(message).with_help("write `name: a b c`, or only the instances"))
    }
}

/// Drops the comment of a line, which begins with `--` or `#`; a name can have a `#` inside.
fn without_remark(line: &str) -> &str {
    let line = line.split("--").next().unwrap_or_default();
    let begins =
        |&(at, _): &(usize, &str)| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    line.match_indices('#').find(begins).map_or(line, |(at, _)| &line[..at])
}

/// The lines of a file, each a component: `name: a b c`, or the instances alone, of which the first gives it its
/// name.
fn listed(path: &Path, loader: &dyn Loader) -> Result<Vec<Line>, Error> {
    let name = path.display().to_string();
    let text = source::read_text(&name, Source::file(path).open(loader)?, &Monitor::new())?;
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        lines.extend(Line::read(format!("{name}:{}", number + 1), line)?);
    }
    match lines.is_empty() {
        true => Err(Error::message(format!("`{name}` lists no components"))
            .with_help("write one on each line: `name: a b c`, with instances of modules")),
        false => Ok(lines),
    }
}
