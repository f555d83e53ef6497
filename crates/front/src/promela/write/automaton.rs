//! An assumption as the body of a proctype: a label for each class, a guarded command for each step.

use super::families::{Choice, Family};
use super::source::{Declaration, Source};
use super::statements::{Statements, short};
use crate::promela::processes::{LocalAction, ProcessStep, Processes};
use crate::promela::{ProcessId, PromelaModel, VarId};
use model::PartialModel;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use support::Diagnostic;

/// The parameters and the body of the proctype.
pub(super) struct Written {
    pub parameters: String,
    pub body: String,
}

pub(super) struct Automaton<'a> {
    pub program: &'a PromelaModel,
    pub processes: &'a Processes,
    pub process: ProcessId,
    pub source: &'a Source<'a>,
    pub declaration: &'a Declaration,
    pub assumption: &'a PartialModel,
    pub comments: &'a [String],
}

/// The first step of the process: values that it is started with, if they matter, and the classes that it can
/// begin in.
type Entry<'a> = (Option<&'a [i32]>, BTreeSet<u32>);

impl Automaton<'_> {
    pub fn write(&self) -> Result<Written, Diagnostic> {
        let mut statements = Statements {
            program: self.program,
            process: self.process,
            source: self.source,
            gates: BTreeMap::new(),
            started: BTreeMap::new(),
            mentioned: Vec::new(),
        };
        let entries = self.entries();
        let label = self.source.unused("endC");
        let mut classes = String::new();
        for class in self.order(&entries) {
            classes += &self.class(&mut statements, &label, class)?;
        }
        let renamed = self.renamed_parameters(&statements.mentioned);
        let begin = self.begin(&statements, &entries, &label, &renamed)?;
        let body = format!("{}{}{begin}{classes}", self.header(), statements.declarations());
        Ok(Written { parameters: self.parameters(&renamed), body })
    }

    fn header(&self) -> String {
        let name = &self.program.processes[self.process].name;
        let said =
            format!("What the others and a safety property can notice of `{name}`, and no more.");
        let unsaid =
            "Every class has an `end` label: nothing is said of where it may wait for ever.";
        format!("\n  /* {said}\n     {unsaid} */\n")
    }

    /// The steps out of a class that mean something once the process has started.
    fn steps(&self, class: u32) -> Vec<(&ProcessStep, u32)> {
        let steps = self.moves(class).filter_map(|(action, target)| match action {
            LocalAction::Step(step) => Some((step, target)),
            LocalAction::Start(_) => None,
        });
        steps.filter(|(step, target)| step.has_effect() || *target != class).collect()
    }

    fn moves(&self, class: u32) -> impl Iterator<Item = (&LocalAction, u32)> {
        let known = &self.processes.system.components[self.process.0 as usize].model;
        let assumption = self.assumption;
        assumption.edges().out(class).filter_map(move |(target, edge)| {
            let name = assumption.actions().name(edge.action?);
            let action = known.actions().get(name)?;
            Some((&self.processes.actions[self.process][action.0 as usize], target))
        })
    }

    /// In which classes the process begins, by what it is started with.
    fn entries(&self) -> Vec<Entry<'_>> {
        if self.program.processes[self.process].is_active {
            return vec![(None, self.assumption.init().iter().copied().collect())];
        }
        let mut entries: BTreeMap<&[i32], BTreeSet<u32>> = BTreeMap::new();
        for &class in self.assumption.init() {
            for (action, target) in self.moves(class) {
                if let LocalAction::Start(locals) = action {
                    entries.entry(locals).or_default().insert(target);
                }
            }
        }
        let first = entries.values().next().cloned().unwrap_or_default();
        if entries.values().all(|classes| *classes == first) {
            return vec![(None, first)];
        }
        entries.into_iter().map(|(locals, classes)| (Some(locals), classes)).collect()
    }

    /// The classes that are reached, those in which it begins first.
    fn order(&self, entries: &[Entry]) -> Vec<u32> {
        let mut seen = BTreeSet::new();
        let mut order: Vec<u32> = Vec::new();
        let mut reach = |order: &mut Vec<u32>, class| {
            if seen.insert(class) {
                order.push(class);
            }
        };
        entries.iter().flat_map(|(_, classes)| classes).for_each(|&class| reach(&mut order, class));
        let mut next = 0;
        while next < order.len() {
            let steps = self.steps(order[next]).into_iter();
            // A step that fails leads nowhere.
            let targets = steps.filter(|(step, _)| !step.fails).map(|(_, target)| target);
            targets.for_each(|target| reach(&mut order, target));
            next += 1;
        }
        order
    }

    fn class(
        &self,
        statements: &mut Statements,
        label: &str,
        class: u32,
    ) -> Result<String, Diagnostic> {
        let mut text = match self.comments.get(class as usize) {
            Some(comment) => format!("  /* {} */\n", comment.replace("*/", "* /")),
            None => String::new(),
        };
        text += &format!("{label}{class}:\n");
        let choices = self.choices(statements, class)?;
        if choices.is_empty() {
            return Ok(text + "  false;\n");
        }
        text += "  if\n";
        for choice in choices {
            let end = (!choice.step.fails).then(|| format!("goto {label}{}", choice.target));
            let mut all = statements.of(choice)?;
            all.extend(end);
            text += &option(&all);
        }
        Ok(text + "  fi;\n")
    }

    /// The steps out of a class, in as few words as there are.
    fn choices(&self, statements: &mut Statements, class: u32) -> Result<Vec<Choice>, Diagnostic> {
        let choice = |(step, target): (&ProcessStep, u32)| {
            let (guards, effects) = (Vec::new(), Vec::new());
            Choice { step: step.clone(), guards, effects, target }
        };
        let mut choices: Vec<Choice> = self.steps(class).into_iter().map(choice).collect();
        let vars: BTreeSet<VarId> =
            choices.iter().flat_map(|choice| choice.step.vars.keys().copied()).collect();
        for var in vars {
            let name = statements.var(var)?;
            let (ty, values) = (self.program.vars[var].ty, &self.processes.values[&var]);
            choices = Family { var, ty, name: &name, values }.merged(choices);
        }
        Ok(choices)
    }

    /// How to come to the first class, unless it comes first anyway.
    fn begin(
        &self,
        statements: &Statements,
        entries: &[Entry],
        label: &str,
        renamed: &FxHashMap<String, String>,
    ) -> Result<String, Diagnostic> {
        if let [(_, classes)] = entries
            && classes.len() <= 1
        {
            return Ok(String::new());
        }
        let mut text = "  if\n".to_owned();
        for (locals, classes) in entries {
            let guard = match locals {
                Some(locals) => self.started_with(statements, entries, locals, renamed)?,
                None => "true".to_owned(),
            };
            for class in classes {
                text += &option(&[guard.clone(), format!("goto {label}{class}")]);
            }
        }
        Ok(text + "  fi;\n")
    }

    /// That the process has been started with these values, as far as there are others.
    fn started_with(
        &self,
        statements: &Statements,
        entries: &[Entry],
        locals: &[i32],
        renamed: &FxHashMap<String, String>,
    ) -> Result<String, Diagnostic> {
        let first = self.program.vars.iter().find(|(_, var)| var.owner == Some(self.process));
        let first = first.map_or(VarId(0), |(id, _)| id);
        let mut conditions = Vec::new();
        for (slot, &value) in locals.iter().enumerate() {
            let is_other = |entry: &Entry| entry.0.is_some_and(|locals| locals[slot] != value);
            if !entries.iter().any(is_other) {
                continue;
            }
            let var = &self.program.vars[VarId(first.0 + slot as u32)];
            let Some(name) = renamed.get(short(&var.name)) else {
                let message = format!("`{}` depends on how it is started", var.name);
                return Err(Diagnostic::error(message, var.span, "this is no parameter"));
            };
            conditions.push(format!("{name} == {}", statements.value(var.ty, value)));
        }
        Ok(conditions.join(" && "))
    }

    /// The new names of the parameters: names in the body mean global variables.
    fn renamed_parameters(&self, mentioned: &[String]) -> FxHashMap<String, String> {
        let heads: BTreeSet<&str> =
            mentioned.iter().filter_map(|name| name.split(['[', '.']).next()).collect();
        let words = self.source.words(&self.declaration.parameters);
        let new_name = |word: &str| match heads.contains(word) {
            true => self.source.unused(&format!("{word}_")),
            false => word.to_owned(),
        };
        words.map(|word| (word.text.to_owned(), new_name(word.text))).collect()
    }

    fn parameters(&self, renamed: &FxHashMap<String, String>) -> String {
        let range = &self.declaration.parameters;
        let mut text = String::new();
        let mut done = range.start;
        for word in self.source.words(range) {
            text += &self.source.text[done..word.span.start as usize];
            text += &renamed[word.text];
            done = word.span.end as usize;
        }
        text + &self.source.text[done..range.end]
    }
}

fn option(statements: &[String]) -> String {
    let all = match statements {
        [first, rest @ ..] if !rest.is_empty() => format!("{first} -> {}", rest.join("; ")),
        _ => statements.join("; "),
    };
    // A jump is no step of its own.
    let is_one_step = matches!(statements, [_] | [_, _])
        && !statements[1..].iter().any(|last| !last.starts_with("goto "));
    if is_one_step { format!("  :: {all}\n") } else { format!("  :: atomic {{ {all} }}\n") }
}
