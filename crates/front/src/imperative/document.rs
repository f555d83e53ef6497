//! A program as a machine with formulas about it: what the methods that know no programs start from.

use super::{WhileDocument, WhileProperty};
use crate::smv::{Claim, SmvDocument, SmvLogic, Specification};
use logic::Logic;
use support::{Diagnostic, Span};
use transition::cfg::{Kind, Program, Weights, machine_of};

/// More places than this make a machine that nobody can use.
const MOST_PLACES: u64 = 1 << 20;

/// The machine of a program, with its properties as specifications. A program with holes has none, nor has one that
/// is too large once its procedures are written out.
pub fn while_machine(document: &WhileDocument, text: &str) -> Result<SmvDocument, Vec<Diagnostic>> {
    let program = &document.program;
    let errors: Vec<Diagnostic> = hole(program).into_iter().chain(too_large(program)).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let (machine, propositions) = machine_of(program, text, &document.propositions);
    Ok(SmvDocument {
        machine,
        specifications: document.properties.iter().map(specification).collect(),
        names: propositions.iter().map(|proposition| &*proposition.name).collect(),
        propositions,
        warnings: document.warnings.clone(),
    })
}

fn hole(program: &Program) -> Option<Diagnostic> {
    let found = program.commands.values().find_map(|command| match &command.kind {
        Kind::Hole { hole, .. } => Some((*hole, command.span)),
        _ => None,
    });
    let (hole, span) = found?;
    let message =
        format!("the program has a hole: `{}` is not written yet", program.holes.name(hole));
    Some(
        Diagnostic::error(message, span, "what it does is not known")
            .with_help("only `--method modular` checks programs with holes"),
    )
}

fn too_large(program: &Program) -> Option<Diagnostic> {
    let weights = Weights::new(program);
    let mut sum = 0u64;
    let over = program.body.iter().find(|&&command| {
        sum = sum.saturating_add(weights.of(command));
        sum > MOST_PLACES
    })?;
    let span: Span = program.commands[*over].span;
    let message = format!("the program has more than {MOST_PLACES} places");
    let label = "with the procedures written out at every call, one too many is here";
    Some(
        Diagnostic::error(message, span, label)
            .with_help("only `--method modular` checks programs of this size"),
    )
}

fn specification(property: &WhileProperty) -> Specification {
    let WhileProperty { name, logic, text, span, surface } = property;
    Specification {
        name: name.clone(),
        logic: if *logic == Logic::Mu { SmvLogic::Mu } else { SmvLogic::Ctl },
        text: text.clone(),
        spaced: text.clone(),
        instance: String::new(),
        span: *span,
        claim: Claim::Formula(surface.clone()),
    }
}
