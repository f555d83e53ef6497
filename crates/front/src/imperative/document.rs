//! Programs as symbolic transition systems, for the methods that do not work on control-flow graphs.

use super::fairness::add_fairness;
use crate::document::{MachineForm, ProgramForm, StatementMap};
use crate::language::ProcessFairness;
use support::{Diagnostic, Span};
use transition::cfg::{
    CommandKind, CtlAtom, Program, ProgramMachine, Weights, machine_of, machine_of_processes,
};

/// The most locations of a program that is encoded as a transition system.
const MAX_LOCATIONS: u64 = 1 << 20;

impl ProgramForm {
    /// The transition system of the program. A program with holes or recursive calls has none, nor has one that is too
    /// large once its procedures are written out.
    pub fn machine(&self) -> Result<MachineForm, Vec<Diagnostic>> {
        let program = &self.program;
        let errors: Vec<Diagnostic> =
            hole(program).into_iter().chain(recursion(program)).chain(too_large(program)).collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let ProgramMachine { machine, propositions, counter, choice, spans } =
            machine_of(program, &self.text, &self.propositions);
        let names = propositions.iter().map(|proposition| &*proposition.name).collect();
        let statement = |(symbol, span)| (symbol, vec![(None, span)]);
        let statements = StatementMap {
            determined_by: counter,
            statements: spans.into_iter().map(statement).collect(),
            prints: rustc_hash::FxHashMap::default(),
            named: Vec::new(),
            value_names: Vec::new(),
            control: choice.into_iter().chain([counter]).collect(),
        };
        let (statements, definitions) = (Some(statements), Vec::new());
        Ok(MachineForm {
            machine,
            propositions,
            names,
            is_sparse: false,
            interleaving: None,
            statements,
            definitions,
            counts_finite_paths: false,
        })
    }
}

/// The transition system of a program with processes.
pub(super) fn machine_of_program(
    program: &Program,
    text: &str,
    propositions: &[(String, CtlAtom)],
    fairness: Option<ProcessFairness>,
) -> Result<MachineForm, Diagnostic> {
    if let Some(error) = too_large(program) {
        return Err(error);
    }
    let mut made = machine_of_processes(program, text, propositions);
    if let Some(fairness) = fairness {
        add_fairness(&mut made, fairness);
    }
    let names = made.propositions.iter().map(|proposition| &*proposition.name).collect();
    let statement = |(symbol, process, span): (i64, String, Span)| {
        let process = Some(process).filter(|name| !name.is_empty());
        (symbol, vec![(process, span)])
    };
    let statements = StatementMap {
        determined_by: made.selector,
        statements: made.steps.into_iter().map(statement).collect(),
        prints: rustc_hash::FxHashMap::default(),
        named: Vec::new(),
        value_names: Vec::new(),
        control: made.control,
    };
    Ok(MachineForm {
        machine: made.machine,
        propositions: made.propositions,
        names,
        is_sparse: false,
        interleaving: None,
        statements: Some(statements),
        definitions: Vec::new(),
        // A fair run is infinite.
        counts_finite_paths: fairness.is_none(),
    })
}

fn hole(program: &Program) -> Option<Diagnostic> {
    let found = program.commands.values().find_map(|command| match &command.kind {
        CommandKind::Hole { hole, .. } => Some((*hole, command.span)),
        _ => None,
    });
    let (hole, span) = found?;
    let message =
        format!("the program has a hole: `{}` is not specified", program.holes.name(hole));
    Some(
        Diagnostic::error(message, span, "what it does is not known")
            .with_help("only `--method modular` checks programs with holes"),
    )
}

fn recursion(program: &Program) -> Option<Diagnostic> {
    let call = program.recursion()?;
    let (message, label) = ("the program has a recursive call", "needs a stack");
    Some(
        Diagnostic::error(message, call.span, label)
            .with_help("only `--method modular` checks programs with recursion, and only CTL"),
    )
}

fn too_large(program: &Program) -> Option<Diagnostic> {
    let weights = Weights::new(program);
    let mut sum = 0u64;
    let processes = program.processes.iter().flat_map(|process| &process.body);
    let over = program.body.iter().chain(processes).find(|&&command| {
        sum = sum.saturating_add(weights.of(command));
        sum > MAX_LOCATIONS
    })?;
    let span: Span = program.commands[*over].span;
    let message = format!("the program has more than {MAX_LOCATIONS} locations");
    let label = "with the procedures written out at every call, one too many is here";
    Some(
        Diagnostic::error(message, span, label)
            .with_help("only `--method modular` checks programs of this size"),
    )
}
