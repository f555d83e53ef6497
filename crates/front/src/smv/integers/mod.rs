//! SMV with unbounded integers: from a machine to a program over integers.
//!
//! Reading makes a machine first, as for every file, in which [`Domain::INTEGERS`](transition::Domain::INTEGERS) stands
//! for all integers. Then
//!
//! 1. [`layout`] decides what is in the locations of the program and what is a number there,
//! 2. [`rules`] has what the machine says of the start and of steps in one form,
//! 3. [`branch`] makes guarded steps of it, all combinations of what can be chosen ([`transition::integers::Linear`]
//!    lowers expressions),
//! 4. [`explore`] goes from location to location, and
//! 5. [`program`] writes it down, with the formulas.
//!
//! What is chosen and has to satisfy a condition (`TRANS next(x) > x`, an unbounded input) is a number of its own that
//! is chosen in a step before. Then every step takes two, and the formulas know it ([`logic::Expansion`]).

mod bounds;
mod branch;
mod explore;
mod layout;
mod program;
mod propositions;
mod rules;
mod solve;
mod view;

use super::build::Built;
use crate::document::{Document, Form, MachineForm};
use branch::{Halt, refusal};
use explore::Explorer;
use layout::Layout;
use logic::Formula;
use rules::Rules;
use solve::Oracle;
pub use solve::Witness;
use support::{Diagnostic, Span};
pub use view::{BackLocation, BackTranslation};

/// That no run-time error occurs.
#[derive(Clone, Debug)]
pub struct NoErrorProperty {
    pub formula: Formula,
    /// The constructs that could fail.
    pub spans: Vec<Span>,
}

/// The witness is told all that the program is made of by being impossible.
pub(super) fn translate(built: Built, witness: &mut Witness) -> Result<Document, Vec<Diagnostic>> {
    let Built { form, mut specifications, mut warnings, symbols, unsupported, .. } = built;
    for specification in &mut specifications {
        if specification.distance.is_some() {
            specification.formula =
                Err("`COMPUTE` over unbounded integers is not supported".into());
        }
    }
    let MachineForm { mut machine, propositions, names, .. } = form;
    let (start, steps) = (Rules::of_start(&mut machine), Rules::of_steps(&mut machine));
    let refused = |diagnostic: Diagnostic, mut warnings: Vec<Diagnostic>| {
        warnings.push(diagnostic);
        warnings
    };
    let mut layout = Layout::new(&machine, true);
    let graph = loop {
        let mut forward = |parts: &[smt::LinearFormula]| witness(parts);
        let explorer = Explorer::new(&machine, &layout, Oracle::new(&mut forward));
        let explored = explorer.map_err(|why| {
            let span = machine.vars.values().next().map(|var| var.span);
            Halt::Refused(refusal(why, span.unwrap_or(Span::new(support::FileId(0), 0..0))))
        });
        match explored.and_then(|explorer| explorer.run(&start, &steps)) {
            Ok(graph) => break graph,
            Err(Halt::Choose(slot)) => layout.choose(&machine, slot),
            // What is not listed is not multiplied.
            Err(Halt::TooMany(_)) if layout.lists => layout = Layout::new(&machine, false),
            Err(Halt::TooMany(diagnostic) | Halt::Refused(diagnostic)) => {
                return Err(refused(diagnostic, warnings));
            }
        }
    };
    if graph.starts.is_empty() && graph.faults.is_empty() {
        warnings.push(no_start());
    } else if !graph.is_total {
        warnings.push(may_end());
    }
    let mut asked = propositions::TranslatedProperties { specifications, propositions, names };
    match program::write(machine, layout, graph, &mut asked) {
        Ok(form) => {
            let form = Form::Integers(Box::new(form));
            let document = Document::new(form, asked.specifications, warnings, symbols);
            Ok(Document { unsupported, ..document })
        }
        Err(diagnostic) => Err(refused(diagnostic, warnings)),
    }
}

fn no_start() -> Diagnostic {
    const WHY: &str = "`INIT`, `init(x) := …` and `INVAR` contradict each other";
    warning("there is no initial state, so everything holds", WHY)
}

fn may_end() -> Diagnostic {
    const HELP: &str = "specifications are about infinite paths, as in NuSMV: let `TRANS` and `INVAR` allow a successor of every state";
    warning("there may be deadlock states: finite paths do not count", HELP)
}

/// A warning without a place in the file.
fn warning(message: &str, help: &str) -> Diagnostic {
    let (severity, help) = (support::Severity::Warning, Some(help.to_owned()));
    Diagnostic { severity, message: message.to_owned(), labels: Vec::new(), help }
}
