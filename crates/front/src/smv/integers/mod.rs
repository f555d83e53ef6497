//! SMV with unbounded integers: from a machine to a program over integers.
//!
//! Reading makes a machine first, as for every file, in which [`Domain::INTEGERS`](transition::Domain::INTEGERS) stands for all integers. Then
//!
//! 1. [`layout`] decides what is in the places of the program and what is a number there,
//! 2. [`rules`] has what the machine says of the start and of steps in one form,
//! 3. [`branch`] makes guarded steps of it, all combinations of what can be chosen ([`values`] says what expressions are),
//! 4. [`explore`] goes from place to place, and
//! 5. [`program`] writes it down, with the formulas.
//!
//! What is chosen and has to satisfy a condition (`TRANS next(x) > x`, an unbounded input) is a number of its own that is
//! chosen in a step before. Then every step takes two, and the formulas know it ([`logic::Expansion`]).

mod bounds;
mod branch;
mod explore;
mod layout;
mod program;
mod propositions;
mod rules;
mod solve;
mod values;
mod view;

use super::SmvDocument;
use crate::document::Specification;
use crate::imperative::IntegerDocument;
use branch::Halt;
use explore::Explorer;
use layout::Layout;
use logic::Formula;
use rules::Rules;
use solve::Oracle;
pub use solve::Witness;
use support::{Diagnostic, Span};
use transition::predicates::Condition;
pub use view::{IntegerView, ViewPlace};

/// What an SMV file over integers says.
#[derive(Clone, Debug)]
pub struct SmvIntegers {
    /// Without properties: these are below.
    pub document: IntegerDocument,
    /// What holds always.
    pub invariant: Condition,
    /// In the order of the file, each with its formula if it can be checked.
    pub specifications: Vec<(Specification, Option<Formula>)>,
    /// What has to be true for the rest to mean something.
    pub assurance: Option<Assurance>,
    /// Whether it is known that a step leads on from everywhere.
    pub is_total: bool,
    /// What the document is in the words of the file.
    pub view: IntegerView,
}

/// That nothing goes wrong.
#[derive(Clone, Debug)]
pub struct Assurance {
    pub formula: Formula,
    /// What could: where it is said.
    pub places: Vec<Span>,
}

/// The witness is told all that the program is made of by being impossible.
pub(super) fn translate(
    document: SmvDocument,
    witness: &mut Witness,
) -> Result<SmvIntegers, Vec<Diagnostic>> {
    let SmvDocument { mut machine, specifications, propositions, names, mut warnings } = document;
    let (start, steps) = (Rules::of_start(&mut machine), Rules::of_steps(&mut machine));
    let refused = |diagnostic: Diagnostic, mut warnings: Vec<Diagnostic>| {
        warnings.push(diagnostic);
        warnings
    };
    let mut layout = Layout::new(&machine, true);
    let graph = loop {
        let mut told = |parts: &[smt::Formula]| witness(parts);
        match Explorer::new(&machine, &layout, Oracle::new(&mut told)).run(&start, &steps) {
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
    let asked = propositions::Asked { specifications, propositions, names };
    match program::write(machine, layout, graph, asked) {
        Ok(mut written) => {
            written.document.warnings.splice(0..0, warnings);
            Ok(written)
        }
        Err(diagnostic) => Err(refused(diagnostic, warnings)),
    }
}

fn no_start() -> Diagnostic {
    const WHY: &str = "`INIT`, `init(x) := …` and `INVAR` contradict each other";
    warning("there is no initial state, so everything holds", WHY)
}

fn may_end() -> Diagnostic {
    const HELP: &str = "specifications speak of infinite paths, as in NuSMV: let `TRANS` and `INVAR` \
                        leave a step in every state";
    warning("it may be that nothing follows some states: paths that end do not count", HELP)
}

/// One that has no place in the file.
fn warning(message: &str, help: &str) -> Diagnostic {
    let (severity, help) = (support::Severity::Warning, Some(help.to_owned()));
    Diagnostic { severity, message: message.to_owned(), labels: Vec::new(), help }
}
