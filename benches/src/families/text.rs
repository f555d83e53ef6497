//! Writes `.tm` files, in the order of the language: prose, components, the system, properties.

use super::{Logic, Property};
use rustc_hash::FxHashMap;
use std::fmt::Write;

pub struct Text {
    out: String,
    components: Vec<String>,
    vectors: Vec<String>,
}

/// One transition: source, action, target.
pub type Step = (String, String, String);

pub fn step(
    source: impl Into<String>,
    action: impl Into<String>,
    target: impl Into<String>,
) -> Step {
    (source.into(), action.into(), target.into())
}

impl Text {
    pub fn new() -> Self {
        Self { out: String::new(), components: Vec::new(), vectors: Vec::new() }
    }

    pub fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// A comment of as many lines as the text has.
    pub fn prose(&mut self, text: &str) {
        for line in text.split('\n') {
            self.line(format!("// {line}").trim_end());
        }
    }

    pub fn begin_component(&mut self, name: &str, kind: &str) {
        if !self.components.is_empty() {
            self.line("");
        }
        self.line(&format!("component {name} {kind} {{"));
        self.components.push(name.to_owned());
    }

    pub fn begin_safety(&mut self, name: &str) {
        self.line(&format!("safety {name} lts {{"));
    }

    /// A line of a component.
    pub fn item(&mut self, item: &str) {
        self.line(&format!("  {item};"));
    }

    pub fn end_component(&mut self) {
        self.line("}");
    }

    /// An LTS that starts where its first step does.
    pub fn lts(&mut self, name: &str, steps: &[Step]) {
        self.begin_component(name, "lts");
        self.steps(steps);
        self.end_component();
    }

    /// The states of an LTS that starts where its first step does.
    pub fn steps(&mut self, steps: &[Step]) {
        let mut sources: Vec<&str> = Vec::new();
        let mut arrows: FxHashMap<&str, String> = FxHashMap::default();
        for (source, action, target) in steps {
            let own = arrows.entry(source).or_insert_with(|| {
                sources.push(source);
                String::new()
            });
            write!(own, " -{action}-> {target}").expect("a string has room");
        }
        self.item(&format!("init {}", sources[0]));
        for source in sources {
            self.item(&format!("{source}:{}", arrows[source]));
        }
    }

    /// `A:send | B:recv -> comm`
    pub fn vector(&mut self, vector: String) {
        self.vectors.push(vector);
    }

    /// All components together.
    pub fn system(&mut self) {
        let names = self.components.join(" || ");
        if self.vectors.is_empty() {
            self.line(&format!("\nsystem {names};\n"));
            return;
        }
        self.line(&format!("\nsystem {names} sync {{"));
        for vector in std::mem::take(&mut self.vectors) {
            self.item(&vector);
        }
        self.line("};\n");
    }

    pub(super) fn property(&mut self, property: &Property, last: u32) {
        let (name, formula) = (property.name, property.text(last));
        let logic = match property.logic {
            Logic::Ctl => "ctl",
            Logic::Mu => "mu",
            Logic::Mcf => "mcf",
        };
        writeln!(self.out, "property \"{name}\": {logic} {formula};").expect("a string has room");
    }

    pub fn finish(self) -> String {
        self.out
    }
}
