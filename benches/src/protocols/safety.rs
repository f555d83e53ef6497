//! Safety properties as deterministic LTSs, each with the same said in a formula.

use crate::families::{Step, Text, step};

pub struct Safety {
    pub name: &'static str,
    pub holds: bool,
    /// It starts where the first one does.
    pub steps: Vec<Step>,
    /// Seen, too, and allowed nowhere.
    pub never: Vec<String>,
    /// For `check`, in the logic `mcf`.
    pub formula: String,
}

impl Safety {
    /// Whoever has begun ends before the other begins: begin and end of each.
    pub fn exclusion(name: &'static str, [(a, b), (c, d)]: [(&str, &str); 2]) -> Self {
        let steps = [
            ("free", a, "one"),
            ("free", b, "free"),
            ("free", c, "two"),
            ("free", d, "free"),
            ("one", a, "one"),
            ("one", b, "free"),
            ("one", d, "one"),
            ("two", b, "two"),
            ("two", c, "two"),
            ("two", d, "free"),
        ];
        Self {
            name,
            holds: true,
            steps: steps.into_iter().map(|(from, action, to)| step(from, action, to)).collect(),
            never: Vec::new(),
            formula: format!("[true*.{a}.(!{b})*.{c}] false && [true*.{c}.(!{d})*.{a}] false"),
        }
    }

    /// None of the second before one of the first.
    pub fn first(name: &'static str, holds: bool, first: &[String], then: &[String]) -> Self {
        let begins = first.iter().map(|action| step("none", action, "some"));
        let goes_on = first.iter().chain(then).map(|action| step("some", action, "some"));
        Self {
            name,
            holds,
            steps: begins.chain(goes_on).collect(),
            never: Vec::new(),
            formula: format!("[(!{})*.{}] false", any_of(first), any_of(then)),
        }
    }

    /// Not one of them, which is wrong.
    pub fn never(name: &'static str, never: Vec<String>) -> Self {
        let formula = format!("[true*.{}] false", any_of(&never));
        Self { name, holds: false, steps: Vec::new(), never, formula }
    }

    /// Its actions in the order of their first appearance.
    fn actions(&self) -> Vec<&str> {
        let mut actions: Vec<&str> = Vec::new();
        let used = self.steps.iter().map(|(_, action, _)| action).chain(&self.never);
        for action in used {
            if !actions.contains(&action.as_str()) {
                actions.push(action);
            }
        }
        actions
    }

    pub fn expect(&self, text: &mut Text) {
        text.prose(&format!("expect: {} = {}", self.name, self.holds));
    }

    pub fn write(&self, text: &mut Text) {
        text.begin_safety(self.name);
        text.item(&format!("actions {}", self.actions().join(", ")));
        if self.steps.is_empty() {
            text.item("init start");
            text.item("start:");
        } else {
            text.steps(&self.steps);
        }
        text.end_component();
        text.line(&format!("property {}: mcf {};", self.name, self.formula));
    }
}

/// `(a || b)`
pub fn any_of<S: AsRef<str>>(actions: &[S]) -> String {
    let names: Vec<&str> = actions.iter().map(AsRef::as_ref).collect();
    match *names {
        [name] => name.to_owned(),
        _ => format!("({})", names.join(" || ")),
    }
}
