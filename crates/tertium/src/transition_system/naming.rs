//! States and values of variables in the words of the text: variables for control become places in it.

use super::TransitionSystem;
use crate::control_flow::explain::command_at;
use logic::evidence::valuation;
use transition::{Machine, VarId};

impl TransitionSystem {
    /// Whether a variable is for control, and none of the text.
    pub fn is_control(&self, var: VarId) -> bool {
        let statements = self.document.statements.as_ref();
        let machine = &self.document.machine;
        let is_added = machine.selector == Some(var) || machine.history.contains(&var);
        is_added || statements.is_some_and(|told| told.control.contains(&var))
    }

    /// A state that is named after its values, with the statement that each process is at.
    pub fn state_in_words(&self, name: &str) -> String {
        let machine = &self.document.machine;
        if self.document.statements.is_none() && machine.history.is_empty() {
            return name.to_owned();
        }
        let var = |name: &str| machine.vars.iter().find(|(_, var)| var.name == name);
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for (name, value) in valuation(name) {
            match var(&name).filter(|(var, _)| self.is_control(*var)) {
                Some((var, _)) => places.extend(self.place_in_words(var, &name, &value)),
                None => values.push(format!("{name}={value}")),
            }
        }
        if values.is_empty() && places.is_empty() {
            return name.to_owned();
        }
        let values = values.join(",");
        match (values.is_empty(), places.is_empty()) {
            (_, true) => values,
            (true, false) => places.join(", "),
            (false, false) => format!("{values} ({})", places.join(", ")),
        }
    }

    /// `P[0]: x++ (line 12)`; nothing of what is no place of a process.
    fn place_in_words(&self, var: VarId, process: &str, value: &str) -> Option<String> {
        let line = self.line_of(var, value)?;
        let text = self.sources.files().first()?.text.lines().nth(line - 1)?.trim();
        Some(format!("{process}: {text} (line {line})"))
    }

    /// The line that a value of a location variable stands for.
    pub fn line_of(&self, var: VarId, value: &str) -> Option<usize> {
        let machine = &self.document.machine;
        let told = self.document.statements.as_ref()?;
        if told.determined_by == var {
            let symbol = transition::symbol_value(machine.symbols.get(value)?);
            let (_, span) = told.statements.get(&symbol)?.first()?;
            return Some(command_at(&self.sources, *span).0);
        }
        let number = value.strip_prefix("line")?.split('_').next()?;
        number.parse().ok().filter(|_| !machine.vars[var].name.starts_with('@'))
    }

    /// That a variable has one of these values, in the syntax of the text.
    pub fn literal(&self, var: VarId, values: &[i64]) -> String {
        let machine = &self.document.machine;
        let name = &machine.vars[var].name;
        let domain = &machine.vars[var].domain;
        let mut texts: Vec<String> = Vec::new();
        for value in values.iter().map(|&value| machine.text(var, value)) {
            let place = self.line_of(var, &value).map(|line| format!("line {line}"));
            let text = place.unwrap_or(value);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        if self.is_control(var) {
            return format!("{} at {}", name.trim_start_matches('@'), texts.join(" or "));
        }
        if let Some(only) = missing_value(machine, var, values) {
            return format!("{name} != {only}");
        }
        match (&texts[..], domain) {
            ([value], transition::Domain::Bool) if value == "TRUE" => name.clone(),
            ([_], transition::Domain::Bool) => format!("!{name}"),
            ([value], _) => format!("{name} = {value}"),
            _ => format!("{name} in {{{}}}", texts.join(", ")),
        }
    }
}

/// The only value of a domain of several that is not listed.
fn missing_value(machine: &Machine, var: VarId, values: &[i64]) -> Option<String> {
    let domain = &machine.vars[var].domain;
    if values.len() < 2 || domain.size() != values.len() as u128 + 1 {
        return None;
    }
    let mut all = (0..domain.size() as u64).map(|number| domain.value(number));
    all.find(|value| !values.contains(value)).map(|value| machine.text(var, value))
}
