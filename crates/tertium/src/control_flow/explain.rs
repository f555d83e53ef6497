//! Explanations of while-programs: a path through the text, with the values of the variables.

use super::question::ModularQuestion;
use super::{Run, RunSettings, impossible};
use crate::error::Error;
use crate::explanation::Explanation;
use crate::options::Options;
use crate::source::Loader;
use crate::transition_system::FiniteModel;
use logic::evidence::{
    FoundRun, RunFact, RunNotes, RunPoint, ShownMember, ShownState, ShownStatement,
};
use modular::{FormulaValue, PathState, WantedEvidence};
use std::time::Instant;
use support::{Monitor, SourceMap, Span};
use transition::cfg::{AtomId, CtlNode};

/// Explains one property.
pub fn explain(
    text: &FiniteModel,
    number: usize,
    options: &Options,
    loader: &dyn Loader,
    monitor: &Monitor,
) -> Result<Explanation, Error> {
    let subject = ModularQuestion::new(text, &[number], options)?;
    let partition = subject.partition(options, loader)?;
    let run = Run { subject: &subject, partition: &partition, memory: options.memory };
    let wish = WantedEvidence { paths: true, ..WantedEvidence::NOTHING };
    let settings = RunSettings { kept: None, wish, threads: 1 };
    let began = Instant::now();
    let disk = super::store::Disk::hidden()?;
    let found = run.check(&subject.closure, &subject.assumed, &disk, settings, monitor)?;
    if found.is_impossible {
        return Err(impossible());
    }
    let outcome = run.outcome(&found, 0, began.elapsed(), monitor);
    let paths = found.evidence.map(|evidence| evidence.paths).unwrap_or_default();
    let path = paths.into_iter().flatten().next().unwrap_or_default();
    let notes = RunNotes { has_statements: true, ..RunNotes::default() };
    let formula = text.all[number].formula.clone();
    let points = path.states.iter().map(|state| point(&subject, &formula, state)).collect();
    let mut run = FoundRun::new(formula, outcome.verdict, notes);
    run.points = points;
    (run.loop_start, run.is_cut) = (path.loop_start, path.is_cut);
    let explanation = run.explanation(subject.document.program.data.name.clone());
    Ok(Explanation::new(outcome, explanation))
}

/// The line of a command, and its text there.
pub fn command_at(sources: &SourceMap, span: Span) -> (usize, String) {
    let text = sources.text(span).lines().next().unwrap_or_default();
    // An `else` that is not there is a step too.
    let text = if text == "fi" { "else skip" } else { text.trim() };
    (sources.position(span).0, test_alone(text).to_owned())
}

/// The test of `if x > 0 then …` or `while x > 0 do …` without the commands that it guards.
fn test_alone(text: &str) -> &str {
    let end = match text.split_whitespace().next() {
        Some("if" | "elif") => " then ",
        Some("while") => " do ",
        _ => return text,
    };
    text.find(end).map_or(text, |at| text[..at + end.len()].trim_end())
}

fn point(subject: &ModularQuestion, asked: &str, state: &PathState) -> RunPoint {
    let mut next =
        ShownStatement { text: "a run-time error has occurred".to_owned(), ..Default::default() };
    if let Some(command) = state.command {
        let span = subject.document.program.commands[command].span;
        let (line, text) = command_at(&subject.sources, span);
        next = ShownStatement { line: Some(line), text, span: Some(span), ..next };
    }
    if state.is_return {
        next.text.push_str("   (return)");
    }
    if state.in_hole {
        next.text.push_str("   (any behaviour)");
    }
    let values = subject.values(&state.values);
    let member = ShownMember { values, ..ShownMember::default() };
    RunPoint {
        state: ShownState { members: vec![Some(member)], next: Some(next) },
        inputs: Vec::new(),
        facts: state.formula_values.iter().map(|value| fact(subject, asked, value)).collect(),
    }
}

/// The property itself is told as it was asked.
fn fact(subject: &ModularQuestion, asked: &str, value: &FormulaValue) -> RunFact {
    let closure = &subject.closure;
    let on_all_paths = value.on_all_paths;
    if let Some(root) = closure.roots.first() {
        let is_negated = closure.formulas[root.certain] == CtlNode::Not(value.formula);
        if value.formula == root.certain || is_negated {
            let holds = value.holds != is_negated;
            return RunFact { subformula: asked.to_owned(), holds, on_all_paths };
        }
    }
    let name =
        |atom: AtomId| subject.document.name_of(closure.atoms[atom]).unwrap_or_default().to_owned();
    let is_temporal = matches!(closure.formulas[value.formula], CtlNode::Temporal(_));
    let subformula = match value.holds || !is_temporal {
        true => closure.show(value.formula, &name),
        false => closure.show_negated(value.formula, &name),
    };
    let holds = value.holds || is_temporal;
    RunFact { subformula, holds, on_all_paths }
}
