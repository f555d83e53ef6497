//! Modular CTL checking of while-programs (paper M): one piece in memory at a time.
//!
//! [`check`] takes a program, a partition and formulas to verdicts. What is known of a place in [`assumption`], the check of one node in [`node`] and the recursion
//! over the partition graph in [`check_graph`]. All of it is written once, above two kinds of sets ([`sets`]).

mod assumption;
mod check_graph;
mod kit;
mod node;
mod sets;
mod store;

pub use check_graph::Figures;
pub use store::{InMemory, Key, Store};

use base::{Monitor, Stopped};
use check_graph::{Checker, Subject};
use diagrams::Policy;
use flow::{Assumed, Closure, Partition, Program};
use logic::Truth;
use sets::Sets;
use sets::bits::Bits;
use sets::graphs::Graphs;
use std::sync::Arc;

/// How sets of valuations are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Representation {
    /// One bit for each valuation.
    Bits,
    /// Decision diagrams.
    Diagrams,
}

impl Representation {
    /// Up to so many bits of a valuation, tables are faster than diagrams, measured.
    const FEW_BITS: u32 = 14;

    pub fn suitable(program: &Program) -> Self {
        match Bits::width(&program.data) {
            0..=Self::FEW_BITS => Self::Bits,
            _ => Self::Diagrams,
        }
    }

    /// Whether a program can be checked with it.
    pub fn fits(self, program: &Program) -> bool {
        self == Self::Diagrams || Bits::width(&program.data) <= Bits::MOST_BITS
    }
}

pub struct Request<'a> {
    pub program: &'a Program,
    pub partition: &'a Partition,
    /// What is assumed of its holes.
    pub assumed: &'a [Assumed],
    pub closure: &'a Closure,
    pub representation: Representation,
    pub store: &'a dyn Store,
    /// Whether the store is to have everything: it will be used again.
    pub keeps_all: bool,
    pub monitor: &'a Monitor,
}

pub struct Outcome {
    /// One for each root of the closure.
    pub verdicts: Vec<Truth>,
    pub figures: Figures,
}

/// The verdicts: true if a formula surely holds in all initial states, false if it surely does not in some.
pub fn check(request: &Request) -> Result<Outcome, Stopped> {
    let Request { program, monitor, .. } = *request;
    match request.representation {
        Representation::Bits => {
            check_with(request, Bits::new(Arc::new(program.data.clone()), monitor))
        }
        Representation::Diagrams => {
            check_with(request, Graphs::new(&program.data, Policy::default(), monitor)?)
        }
    }
}

fn check_with<S: Sets>(request: &Request, sets: S) -> Result<Outcome, Stopped> {
    let Request { program, partition, assumed, closure, store, keeps_all, monitor, .. } = *request;
    let subject =
        Subject { program, partition, assumed, closure, store, monitor, keeps_all, question: 0 };
    monitor.phase("checking pieces", 0);
    let mut checker = Checker::new(subject, sets)?;
    let entry = checker.whole()?;
    let mut initial = checker.kit.sets.all();
    for constraint in &program.data.constraints {
        let set = checker.kit.sets.holds(constraint.node)?;
        initial = checker.kit.sets.and(&initial, &set)?;
    }
    let mut verdicts = Vec::new();
    for root in &closure.roots {
        let mut is_within = |formula| -> Result<bool, Stopped> {
            let value = checker.kit.assumed(formula, &entry)?;
            let rest = checker.kit.sets.minus(&initial, &value)?;
            Ok(checker.kit.sets.is_empty(&rest))
        };
        let (surely, maybe) = (is_within(root.surely)?, is_within(root.maybe)?);
        verdicts.push(match (surely, maybe) {
            (true, _) => Truth::True,
            (false, true) => Truth::Unknown,
            (false, false) => Truth::False,
        });
    }
    Ok(Outcome { verdicts, figures: checker.figures })
}
