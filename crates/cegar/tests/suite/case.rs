//! The programs of `benches/integers` as questions.

use cegar::{
    CegarAnswer, CegarLimits, CegarQuestion, LocationPartition, ProcessLocations, Proposition,
};
use front::{Form, IntegerForm, Numbers, Reading, SourceText, language_named};
use smt::{LinearFormula, Solver};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;
use support::{FileId, Monitor, StopReason, Stopped};
use testkit::{IntegerText, integer_texts};

/// A program with all that is asked of it.
pub struct Program {
    pub name: String,
    pub expected: Vec<(String, bool)>,
    text: Arc<str>,
    document: IntegerForm,
    invariant: LinearFormula,
    propositions: Vec<(String, Proposition)>,
    initial_predicates: Vec<LinearFormula>,
    formulas: Vec<logic::Formula>,
    /// Its processes, if there are several.
    components: Option<ProcessLocations>,
}

/// All programs of the suite.
pub fn programs() -> Vec<Program> {
    integer_texts().into_iter().map(Program::read).collect()
}

impl Program {
    pub fn read(IntegerText { name, text, expected }: IntegerText) -> Self {
        let language = language_named("while").expect("a language");
        let monitor = Monitor::new();
        let reading = Reading { numbers: Numbers::Unbounded, ..Reading::new(&monitor) };
        let read = language.read(&SourceText::new(FileId(0), &*name, text.clone()), reading);
        let read = read.unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let Form::Integers(document) = read.form else { panic!("{name} is not over integers") };
        let titles = read.properties.iter().map(|property| property.title());
        assert!(titles.eq(expected.iter().map(|(title, _)| &**title)), "{name}");
        let formula = |property| {
            let formula = document.formula(property, |surface, signature, fairness| {
                logic::compile_fair(surface, signature, fairness, &mut Vec::new())
            });
            formula.expect("its names exist").expect("a formula of CTL or of the µ-calculus")
        };
        let formulas = read.properties.iter().map(formula).collect();
        let components = (document.processes.len() > 1).then(|| ProcessLocations {
            locations: document.process_locations(),
            movers: document.movers.iter().map(|mover| Some(mover.as_ref()?.process)).collect(),
        });
        Self {
            components,
            formulas,
            propositions: document.propositions.clone(),
            initial_predicates: document
                .predicates
                .iter()
                .map(|given| given.condition.clone())
                .collect(),
            invariant: document.invariant.clone(),
            document: *document,
            expected,
            name,
            text,
        }
    }

    /// The case with hints put into the text, as a user would.
    pub fn with_hints(&self, hints: &[LinearFormula]) -> Self {
        let names = &self.document.program.variables;
        let shown = hints.iter().map(|hint| hint.show(&|v| names[v.0 as usize].clone()));
        let line = format!("predicates {};\n", shown.collect::<Vec<_>>().join(", "));
        let is_before = |line: &&str| {
            line.trim().is_empty() || line.starts_with("//") || line.starts_with("var ")
        };
        let lines = self.text.split_inclusive('\n');
        let before: usize = lines.take_while(is_before).map(str::len).sum();
        let text = [&self.text[..before], &line, &self.text[before..]].concat().into();
        Self::read(IntegerText { name: self.name.clone(), text, expected: self.expected.clone() })
    }

    /// The program itself.
    pub fn program(&self) -> &transition::integers::IntegerProgram {
        &self.document.program
    }

    /// Checks one of its properties within some time: process by process, if there are several, or block by
    /// block, if there are blocks.
    pub fn answer(
        &self,
        property: usize,
        partition: Option<&LocationPartition>,
        limits: CegarLimits,
        patience: Duration,
        solver: &mut dyn Solver,
    ) -> Result<CegarAnswer, Stopped> {
        within(patience, |monitor| {
            let question = CegarQuestion {
                program: &self.document.program,
                start: (self.document.start.location, &self.document.start.condition),
                invariant: &self.invariant,
                propositions: &self.propositions,
                formula: &self.formulas[property],
                initial_predicates: &self.initial_predicates,
                components: self.components.as_ref().filter(|_| partition.is_none()),
                partition,
                limits,
                evidence: false,
                watch: &|_| {},
                monitor,
            };
            cegar::run(&question, solver)
        })
    }
}

/// Stops what takes longer, as soon as it looks at the monitor.
fn within<T>(patience: Duration, work: impl FnOnce(&Monitor) -> T) -> T {
    let monitor = Monitor::new();
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        let monitor = &monitor;
        scope.spawn(move || {
            if let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(patience) {
                monitor.stop(StopReason::Timeout);
            }
        });
        let result = work(monitor);
        drop(done);
        result
    })
}
