//! A system with actions as a folder of Aldebaran files, synchronised by vectors, for Tertium
//! (`net.sync`) and for mCRL2's `ltscombine` (`net.comm`, `net.allow`, and `net.mcrl2` with the actions).
//!
//! `ltscombine` wants an action in one communication at most. So a component's part in a joint step is named
//! after both: `left0_Fork0` and `left0_Phil0` make `left0`; and a step that takes part in several joint
//! steps stands in the file once for each of them.

use model::{Interface, Model, Rule, System};
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub struct Network {
    /// One for each component, in their order.
    pub files: Vec<PathBuf>,
    pub sync: PathBuf,
    pub comm: PathBuf,
    pub allow: PathBuf,
    /// An mCRL2 specification that declares the actions and does nothing.
    pub actions: PathBuf,
}

pub fn write(system: &System, folder: &Path) -> io::Result<Network> {
    fs::create_dir_all(folder)?;
    let plan = Plan { system, interface: Interface::new(system) };
    let keep = |name: String, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).map(|()| path)
    };
    let models = system.components.iter().map(|component| &component.model);
    Ok(Network {
        files: models
            .enumerate()
            .map(|(number, model)| keep(format!("{}.aut", model.name), plan.aut(number, model)))
            .collect::<io::Result<_>>()?,
        sync: keep("net.sync".to_owned(), plan.sync())?,
        comm: keep("net.comm".to_owned(), plan.comm())?,
        allow: keep("net.allow".to_owned(), format!("{{{}}}\n", plan.results().join(", ")))?,
        actions: keep("net.mcrl2".to_owned(), plan.actions())?,
    })
}

struct Plan<'a> {
    system: &'a System,
    interface: Interface,
}

impl Plan<'_> {
    fn result(&self, rule: &Rule) -> &str {
        self.interface.actions.name(rule.result)
    }

    fn results(&self) -> Vec<&str> {
        let mut results: Vec<&str> =
            self.interface.rules.iter().map(|rule| self.result(rule)).collect();
        results.sort_unstable();
        results.dedup();
        results
    }

    fn joint(&self) -> impl Iterator<Item = &Rule> {
        self.interface.rules.iter().filter(|rule| rule.parts.len() > 1)
    }

    fn component(&self, number: usize) -> &str {
        &self.system.components[number].model.name
    }

    /// The part of a component in a rule, as its file names it.
    fn part(&self, rule: &Rule, component: usize) -> String {
        match rule.parts.len() {
            1 => self.result(rule).to_owned(),
            _ => format!("{}_{}", self.result(rule), self.component(component)),
        }
    }

    /// What all parts of a rule are called.
    fn parts(&self, rule: &Rule) -> Vec<String> {
        rule.parts.iter().map(|&(component, _)| self.part(rule, component)).collect()
    }

    fn aut(&self, component: usize, model: &Model) -> String {
        let mut lines = Vec::new();
        for (source, class, target) in model.edges().triples() {
            let action = model.edges().classes()[class as usize].action;
            let takes_part = |rule: &&Rule| {
                rule.parts.iter().any(|&part| (part.0, Some(part.1)) == (component, action))
            };
            for rule in self.interface.rules.iter().filter(takes_part) {
                lines.push(format!("({source}, \"{}\", {target})\n", self.part(rule, component)));
            }
        }
        let start = model.init().first().copied().unwrap_or(0);
        format!("des ({start}, {}, {})\n{}", lines.len(), model.states(), lines.concat())
    }

    fn sync(&self) -> String {
        let mut text = String::from("sync {\n");
        for rule in self.joint() {
            let part =
                |&(c, _): &(usize, _)| format!("{}:{}", self.component(c), self.part(rule, c));
            let parts: Vec<String> = rule.parts.iter().map(part).collect();
            let _ = writeln!(text, "  {} -> {};", parts.join(" | "), self.result(rule));
        }
        text + "}\n"
    }

    fn comm(&self) -> String {
        let steps: Vec<String> = self
            .joint()
            .map(|rule| format!("{} -> {}", self.parts(rule).join("|"), self.result(rule)))
            .collect();
        format!("{{{}}}\n", steps.join(",\n"))
    }

    fn actions(&self) -> String {
        let mut names: Vec<String> = self.joint().flat_map(|rule| self.parts(rule)).collect();
        names.extend(self.results().into_iter().map(str::to_owned));
        format!("act {};\ninit delta;\n", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::{self, Family, Wish};
    use model::Component;
    use support::{FileId, Monitor};

    /// What Tertium reads from a network.
    fn read(network: &Network) -> System {
        let component = |path: &PathBuf| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let file = fs::File::open(path).expect("it was written");
            let mut model = front::read_aut(file, &name, &Monitor::new()).expect("an LTS");
            model.name = name;
            Component { model, is_unknown: false }
        };
        let components: Vec<Component> = network.files.iter().map(component).collect();
        let text = fs::read_to_string(&network.sync).expect("it was written");
        let (sync, warnings) =
            front::read_sync(FileId(0), &text.into(), &components).expect("vectors");
        assert!(warnings.is_empty(), "{warnings:?}");
        System { components, sync }
    }

    #[test]
    fn a_network_is_the_same_system() {
        let folder = std::env::temp_dir().join(format!("tertium-network-{}", std::process::id()));
        for family in [Family::Philosophers, Family::ClientServer] {
            let wish = Wish::new(family, 3, false);
            let (system, _) = families::read(&families::make(&wish));
            let network = write(&system, &folder).expect("a folder for temporary files");
            let compose = |system: &System| system.compose(&Monitor::new()).expect("no limit");
            let (whole, again) = (compose(&system), compose(&read(&network)));
            let same = model::bisimulation(&whole, &again, &Monitor::new()).expect("no limit");
            assert!(same.contains(whole.init()[0], again.init()[0]), "{family:?}");
            assert_eq!(whole.edges().len(), again.edges().len(), "{family:?}");
        }
        fs::remove_dir_all(folder).expect("it was made");
    }

    #[test]
    fn for_mcrl2_every_part_of_a_joint_step_has_its_own_name() {
        let wish = Wish::new(Family::ClientServer, 2, false);
        let (system, _) = families::read(&families::make(&wish));
        let plan = Plan { system: &system, interface: Interface::new(&system) };
        assert!(plan.comm().starts_with("{req0_Server|req0_Client0 -> req0,\n"));
        let mut names: Vec<String> = plan.joint().flat_map(|rule| plan.parts(rule)).collect();
        names.sort();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(plan.aut(0, &system.components[0].model).contains("\"rep1_Server\""));
    }
}
