//! Traces: paths through a model with the values of its variables.

use super::digest::{Digest, is_word};
use super::explanation::{Assignments, Justification, ShownState, ShownStep, UnfoldedEvidence};
use super::path::{EvidencePath, PathRow, prefix};
use crate::Truth;
use std::fmt;
use support::Span;

/// A counterexample or witness that is a path, or with a loop a lasso. States are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    pub states: Vec<TraceState>,
    /// Between each state and the next; if there is a loop, then also from the last state to its start.
    pub steps: Vec<TraceStep>,
    /// The state that follows the last one.
    pub loop_start: Option<usize>,
    /// Whether the path is only the part of the evidence that comes first: that branches in the last state, or is about
    /// all paths from there.
    pub is_prefix: bool,
}

/// The variables of a state in the order of their declaration. Of a model without variables, its components are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceState {
    pub values: Vec<(String, TraceValue)>,
    /// The values of definitions, where they were asked for.
    pub defines: Vec<(String, TraceValue)>,
    /// The subformulas that the state decides and that the verdict rests on.
    pub decided: Vec<DecidedSubformula>,
}

/// A subformula with its value in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecidedSubformula {
    pub subformula: String,
    pub value: Truth,
}

/// A step of a trace, as far as the model tells.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceStep {
    pub inputs: Vec<(String, TraceValue)>,
    pub action: Option<String>,
    /// The components that take part in the action, where there are several.
    pub components: Vec<String>,
    /// Whose step it is, where there are several processes.
    pub process: Option<String>,
    /// The statement that is executed, and where it stands.
    pub statement: Option<String>,
    pub span: Option<Span>,
    pub location: Option<TraceLocation>,
    /// The receiver's side of a rendezvous.
    pub partner: Option<TraceStatement>,
    /// Whether a partial model says only that the step may be there.
    pub is_may_only: bool,
}

/// A statement of a process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceStatement {
    pub process: String,
    pub text: String,
    pub location: Option<TraceLocation>,
}

/// A position in a text; lines and columns are numbered from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceLocation {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

/// A value of a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum TraceValue {
    Bool(bool),
    Int(i64),
    /// A bit vector, by its number.
    Word {
        signed: bool,
        width: u8,
        value: i64,
    },
    /// A symbolic constant, or the name of a state.
    Symbol(String),
    /// A proposition that a partial model leaves open.
    Unknown,
}

impl Trace {
    /// The step that leads to a state; none to the first one.
    pub fn step_to(&self, state: usize) -> Option<&TraceStep> {
        self.steps.get(state.checked_sub(1)?)
    }

    /// The step from the last state back into the loop.
    pub fn closing_step(&self) -> Option<&TraceStep> {
        self.loop_start.and_then(|_| self.steps.get(self.states.len().checked_sub(1)?))
    }

    /// The variables and definitions whose values are others than in the state before; all of the first state.
    pub fn changed(&self, state: usize) -> impl Iterator<Item = &(String, TraceValue)> {
        let before = state.checked_sub(1).map(|before| &self.states[before]);
        let is_new = move |(name, value): &&(String, TraceValue)| {
            before.is_none_or(|before| before.get(name) != Some(value))
        };
        let TraceState { values, defines, .. } = &self.states[state];
        values.iter().chain(defines).filter(is_new)
    }
}

impl TraceState {
    /// The value of a variable or a definition.
    pub fn get(&self, name: &str) -> Option<&TraceValue> {
        let mut all = self.values.iter().chain(&self.defines);
        all.find(|(other, _)| other == name).map(|(_, value)| value)
    }
}

impl From<&str> for TraceValue {
    fn from(text: &str) -> Self {
        match (text, text.parse()) {
            ("TRUE" | "true", _) => Self::Bool(true),
            ("FALSE" | "false", _) => Self::Bool(false),
            (_, Ok(number)) => Self::Int(number),
            _ => word(text).unwrap_or_else(|| Self::Symbol(text.to_owned())),
        }
    }
}

/// Reads `0ud8_255` or `-0sd8_5`.
fn word(text: &str) -> Option<TraceValue> {
    let (is_negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let signed = rest.starts_with("0sd");
    let (width, digits) =
        rest.strip_prefix("0ud").or_else(|| rest.strip_prefix("0sd"))?.split_once('_')?;
    let (width, digits) = (width.parse().ok()?, digits.parse::<u64>().ok()? as i64);
    let value = if is_negative { digits.wrapping_neg() } else { digits };
    Some(TraceValue::Word { signed, width, value })
}

impl fmt::Display for TraceValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Word { signed: false, width, value } => write!(f, "0ud{width}_{}", *value as u64),
            Self::Word { signed: true, width, value } => {
                let sign = if *value < 0 { "-" } else { "" };
                write!(f, "{sign}0sd{width}_{}", value.unsigned_abs())
            }
            Self::Symbol(name) => f.write_str(name),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

impl UnfoldedEvidence {
    /// The trace that shows the verdict; `None` if the evidence is no path.
    pub fn trace(&self) -> Option<Trace> {
        self.trace_prefix().filter(|trace| !trace.is_prefix)
    }

    /// The trace that shows the verdict, as far as it does not branch.
    pub fn trace_prefix(&self) -> Option<Trace> {
        let digest = Digest::new(self);
        let (path, branches) = prefix(&digest)?;
        let state = |row: &PathRow| &self.states[row.state as usize];
        // A fixpoint can be unfolded for ever without a step.
        let back = path.back.as_ref().filter(|back| back.step.is_some());
        let onward = path.rows.iter().skip(1).map(|row| row.step);
        let steps = onward.chain(back.map(|back| back.step));
        let shown = |row: &PathRow| TraceState {
            decided: self.decided(row),
            ..self.trace_state(state(row))
        };
        Some(Trace {
            states: path.rows.iter().map(shown).collect(),
            steps: steps.zip(&path.rows).map(|(step, row)| trace_step(state(row), step)).collect(),
            loop_start: back.map(|back| back.row),
            is_prefix: branches || self.needs_more_paths(&digest, &path),
        })
    }

    /// Whether something on the path rests on all paths from there, or on other runs.
    fn needs_more_paths(&self, digest: &Digest, path: &EvidencePath) -> bool {
        let is_example = self.run.as_ref().is_some_and(|notes| notes.is_example);
        let places = path.rows.iter().flat_map(|row| &row.places);
        let claims = places.map(|&place| digest.place(place).node);
        let mut nodes = claims.chain(path.rows.iter().flat_map(|row| row.facts.iter().copied()));
        is_example || nodes.any(|node| digest.node(node).why == Justification::Throughout)
    }

    /// The subformulas that are decided in a state of the path, each once, without what holds of every state and
    /// without those that another one is a part of.
    fn decided(&self, row: &PathRow) -> Vec<DecidedSubformula> {
        let mut found: Vec<DecidedSubformula> = Vec::new();
        let nodes = row.facts.iter().map(|&fact| &self.nodes[fact as usize]);
        for node in nodes.filter(|node| !node.is_constant() && node.value.is_definite()) {
            let decided = positive(&node.subformula, node.value);
            let is_part = |a: &DecidedSubformula, of: &DecidedSubformula| {
                of.subformula.contains(&a.subformula)
            };
            if !found.iter().any(|known| is_part(known, &decided)) {
                found.retain(|known| !is_part(&decided, known));
                found.push(decided);
            }
        }
        found
    }

    fn trace_state(&self, state: &ShownState) -> TraceState {
        let mut values = typed(self.constants.as_deref().unwrap_or_default());
        for (component, member) in self.components.iter().zip(&state.members) {
            match member {
                Some(member) if member.values.is_empty() && self.constants.is_none() => {
                    values.push((component.clone(), TraceValue::Symbol(member.name.clone())));
                }
                Some(member) => values.extend(typed(&member.values)),
                None => {}
            }
        }
        TraceState { values, ..TraceState::default() }
    }
}

/// A subformula without the parentheses and negations around it.
fn positive(subformula: &str, value: Truth) -> DecidedSubformula {
    let text = subformula.trim();
    if let Some(inner) = text.strip_prefix('!')
        && (is_word(inner) || is_enclosed(inner))
    {
        return positive(inner, !value);
    }
    match is_enclosed(text) {
        true => positive(&text[1..text.len() - 1], value),
        false => DecidedSubformula { subformula: text.to_owned(), value },
    }
}

/// Whether the first parenthesis is closed by the last.
fn is_enclosed(text: &str) -> bool {
    let mut depth = 0;
    let closes_at = text.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(at)
    });
    text.starts_with('(') && closes_at == Some(text.len() - 1)
}

fn trace_step(from: &ShownState, step: Option<&ShownStep>) -> TraceStep {
    let (statement, inputs) = (from.next.as_ref(), step.map_or(&[][..], |step| &step.inputs));
    let action = step.and_then(|step| step.action.clone());
    TraceStep {
        inputs: typed(inputs),
        action: action.filter(|_| inputs.is_empty()),
        process: statement.map(|next| next.process.clone()).filter(|name| !name.is_empty()),
        statement: statement.map(|next| next.text.clone()),
        span: statement.and_then(|next| next.span),
        is_may_only: step.is_some_and(|step| !step.is_must),
        ..TraceStep::default()
    }
}

fn typed(values: &[(String, String)]) -> Vec<(String, TraceValue)> {
    values.iter().map(|(name, value)| (name.clone(), TraceValue::from(&**value))).collect()
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |values: &[(String, TraceValue)]| {
            let texts = values.iter().map(|(name, value)| format!("{name} = {value}"));
            texts.collect::<Vec<_>>().join(", ")
        };
        for (number, state) in self.states.iter().enumerate() {
            writeln!(f, "{number}: {}", list(&state.values))?;
            let Some(TraceStep { inputs, action, process, statement, .. }) = self.steps.get(number)
            else {
                continue;
            };
            let inputs = Some(list(inputs)).filter(|inputs| !inputs.is_empty());
            let parts = [process, action, statement, &inputs];
            let parts: Vec<&str> = parts.into_iter().flatten().map(|part| &**part).collect();
            if !parts.is_empty() {
                writeln!(f, "   {}", parts.join(": "))?;
            }
        }
        match self.loop_start {
            Some(start) => writeln!(f, "back to {start}"),
            None => Ok(()),
        }
    }
}

/// The variables that the name of a state tells, which is `x=3,y=TRUE`; none if it is another name.
pub fn valuation(name: &str) -> Assignments {
    let pair =
        |part: &str| part.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    name.split(',').map(pair).collect::<Option<_>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Truth;
    use crate::evidence::{
        FoundRun, Justification, RunFact, RunNotes, RunPoint, ShownMember, ShownStatement,
    };

    fn point(x: i64, text: &str) -> RunPoint {
        let values = vec![("x".to_owned(), x.to_string()), ("b".to_owned(), "TRUE".to_owned())];
        let member = ShownMember { values, ..ShownMember::default() };
        let (process, text) = ("P".to_owned(), text.to_owned());
        let next = ShownStatement { line: Some(1), process, text, span: None };
        let state = ShownState { members: vec![Some(member)], next: Some(next) };
        RunPoint { state, ..RunPoint::default() }
    }

    #[test]
    fn a_run_becomes_a_trace_with_its_loop() {
        let mut run = FoundRun::new("EG x < 2".to_owned(), Truth::True, RunNotes::default());
        run.points = vec![point(0, "x := 1"), point(1, "skip"), point(0, "skip")];
        run.points[1].facts =
            vec![RunFact { subformula: "x < 2".to_owned(), holds: true, on_all_paths: false }];
        run.points[1].inputs = vec![("i".to_owned(), "red".to_owned())];
        run.loop_start = Some(1);
        let explanation = run.explanation("main".to_owned());
        assert_eq!((explanation.nodes.len(), explanation.states.len()), (4, 3));
        let fact = explanation.nodes.iter().find(|node| node.subformula == "x < 2");
        assert_eq!(fact.map(|fact| (fact.state, fact.why)), Some((1, Justification::Itself)));
        let trace = explanation.trace().expect("a path");
        assert_eq!((trace.states.len(), trace.steps.len(), trace.loop_start), (3, 3, Some(1)));
        assert_eq!(trace.states[1].get("x"), Some(&TraceValue::Int(1)));
        assert_eq!(trace.states[1].get("b"), Some(&TraceValue::Bool(true)));
        assert_eq!(trace.steps[0].statement.as_deref(), Some("x := 1"));
        assert_eq!(trace.steps[0].process.as_deref(), Some("P"));
        assert_eq!(trace.steps[1].inputs, [("i".to_owned(), TraceValue::Symbol("red".into()))]);
        assert_eq!(
            trace.to_string(),
            "0: x = 0, b = true\n   P: x := 1\n1: x = 1, b = true\n   P: skip: i = red\n\
             2: x = 0, b = true\n   P: skip\nback to 1\n"
        );
    }

    #[test]
    fn decided_subformulas_are_reported_without_negations() {
        let literal = |text: &str| {
            let DecidedSubformula { subformula, value } = positive(text, Truth::False);
            (subformula, value)
        };
        assert_eq!(literal("!p"), ("p".to_owned(), Truth::True));
        assert_eq!(literal("!(x = 2)"), ("x = 2".to_owned(), Truth::True));
        assert_eq!(literal("((x < 3))"), ("x < 3".to_owned(), Truth::False));
        assert_eq!(literal("(a) & (b)"), ("(a) & (b)".to_owned(), Truth::False));
        assert_eq!(literal("!a & b"), ("!a & b".to_owned(), Truth::False));
    }

    #[test]
    fn names_that_are_valuations_tell_variables() {
        let values = valuation("x=3,s=idle");
        assert_eq!(values, [("x".into(), "3".into()), ("s".into(), "idle".into())]);
        assert!(valuation("s0").is_empty() && valuation("").is_empty());
    }
}
