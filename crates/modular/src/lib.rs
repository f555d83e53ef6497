//! Modular CTL checking of while-programs (paper M): one block in memory at a time.
//!
//! The algorithm is Laster and Grumberg's *Modular Model Checking of Software*: a block is checked under assumptions on
//! its exits (`node`), and CheckGraph combines the blocks (`check_graph`). [`check`] takes a program, a partition and
//! formulas to verdicts; sets of valuations are bit vectors or BDDs (`sets`).
//!
//! A loop that is split takes at most one pass more than there are valuations. Where we differ: independent subformulas
//! share passes, results are stored under their assumptions, run-time errors are an exit of each block, and holes make
//! values unknown.

mod assumption;
mod certificate;
mod check_graph;
mod claims;
mod evaluator;
mod hole_feasibility;
mod loop_results;
mod node;
mod path;
mod recursion;
mod sets;
mod store;
mod sufficient_assumptions;

pub use certificate::certificate;
pub use check_graph::ModularStats;
pub use claims::NodeClaim;
pub use path::{FormulaValue, PathState, ProgramPath};
pub use store::{InMemory, RecordKey, Store};
pub use sufficient_assumptions::SufficientAssumption;

use assumption::Assumption;
use audit::recursion::RecursionProof;
use bdd::Policy;
use check_graph::{CheckContext, GraphChecker};
use claims::ClaimLog;
use evaluator::Evaluator;
use logic::Truth;
use path::PathSearch;
use path::blocks::{BlockStates, Setting};
use sets::ValuationSets;
use sets::bdds::BddSets;
use sets::bits::Bits;
use std::sync::Arc;
use support::{Monitor, Stopped};
use transition::cfg::{Assumed, Closure, FormulaId, Partition, Program, Sizes, Unfolding};

/// How sets of valuations are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Representation {
    /// One bit for each valuation.
    Bits,
    /// BDDs.
    Bdds,
}

impl Representation {
    /// Up to so many bits of a valuation, tables are faster than BDDs, measured.
    const FEW_BITS: u32 = 10;

    pub fn suitable(program: &Program) -> Self {
        match Bits::width(&program.data) {
            0..=Self::FEW_BITS => Self::Bits,
            _ => Self::Bdds,
        }
    }

    /// About how many bytes the steps and the sets of one location take, with so many temporal formulas.
    pub fn bytes_of_a_location(self, program: &Program, temporals: u64) -> u64 {
        match self {
            // What a step does to each valuation, a guard, a set for each formula and two for an until being computed.
            Self::Bits => {
                let valuations = 1u64 << Bits::width(&program.data);
                let is_wide = program.data.vars.values().any(|var| var.domain.bits() > 8);
                let step = if is_wide { 4 * valuations } else { valuations };
                (step + (temporals + 3) * valuations / 8).max(64)
            }
            // BDDs of programs are small, measured; there is no telling before.
            Self::Bdds => (temporals + 1) << 10,
        }
    }

    /// Whether a program can be checked with it.
    pub fn fits(self, program: &Program) -> bool {
        self == Self::Bdds || Bits::width(&program.data) <= Bits::MOST_BITS
    }
}

pub struct ModularRequest<'a> {
    pub program: &'a Program,
    pub partition: &'a Partition,
    /// Assumptions on its holes.
    pub assumed: &'a [Assumed],
    pub closure: &'a Closure,
    pub representation: Representation,
    pub store: &'a dyn Store,
    /// Whether the store is to have everything: it will be used again.
    pub keeps_all: bool,
    /// Wanted evidence; not for partitions of more than [`Unfolding::MOST`] nodes.
    pub wish: WantedEvidence,
    /// How many nodes may be in memory at once.
    pub threads: usize,
    /// Branches with fewer nodes than this are not worth a thread.
    pub worth_a_thread: u64,
    /// Hash of the program, formulas, partition and assumptions: equal for all runs about them.
    pub question: u128,
    /// No more nodes of BDDs than this.
    pub most_nodes: usize,
    pub monitor: &'a Monitor,
}

/// Why the verdicts are as they are, in one form or another.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct WantedEvidence {
    /// Claims for a certificate.
    pub claims: bool,
    /// Ways through the program.
    pub paths: bool,
    /// Assumptions on holes that would decide the property.
    pub sufficient_assumptions: bool,
}

impl WantedEvidence {
    pub const NOTHING: WantedEvidence =
        WantedEvidence { claims: false, paths: false, sufficient_assumptions: false };
}

pub struct ModularOutcome {
    /// One for each root of the closure.
    pub verdicts: Vec<Truth>,
    /// For each root that is false, values of the variables at the start with which it is.
    pub falsified_in: Vec<Option<Vec<i64>>>,
    /// Whether no program can do what is assumed of a hole.
    pub is_impossible: bool,
    pub stats: ModularStats,
    pub evidence: Option<ModularEvidence>,
}

/// Why the verdicts are as they are.
pub struct ModularEvidence {
    /// For each root a path through the program, if it was asked for and the verdict is definite.
    pub paths: Vec<Option<ProgramPath>>,
    /// The evidence for a certificate, if it was asked for and there was room for it.
    pub claims: Option<Claims>,
    /// Assumptions on holes that would decide the property.
    pub sufficient_assumptions: Vec<SufficientAssumption>,
}

/// The claims of a certificate about the parts of a program.
pub enum Claims {
    /// By level, what was found out about the nodes; each follows from those before.
    Nodes(Vec<Vec<NodeClaim>>),
    /// Of a program with recursive calls, the contexts of its procedures.
    Contexts(RecursionProof),
}

/// The verdicts: true if a formula surely holds in all initial states, false if it surely does not in some.
pub fn check(request: &ModularRequest) -> Result<ModularOutcome, Stopped> {
    let ModularRequest { program, monitor, .. } = *request;
    if program.recursion().is_some() {
        return recursion::check(request);
    }
    match request.representation {
        Representation::Bits => {
            check_with(request, Bits::new(Arc::new(program.data.clone()), monitor)?)
        }
        Representation::Bdds => {
            // Every thread has BDDs of its own.
            let most_nodes = request.most_nodes / request.threads.max(1);
            let policy = Policy { most_nodes, ..Policy::default() };
            check_with(request, BddSets::new(&program.data, policy, monitor)?)
        }
    }
}

fn check_with<S: ValuationSets>(
    request: &ModularRequest,
    sets: S,
) -> Result<ModularOutcome, Stopped> {
    let ModularRequest { program, partition, store, monitor, wish, .. } = *request;
    let sizes = Sizes::new(partition);
    let unfolding = if wish == WantedEvidence::NOTHING { None } else { Unfolding::new(partition) };
    let log = unfolding.as_ref().map(|_| ClaimLog::new(store, request.question, wish.claims));
    let context = CheckContext { request, sizes: &sizes, log: log.as_ref() };
    monitor.phase("checking blocks", 0);
    let mut checker = GraphChecker::new(context, sets)?;
    let impossible =
        hole_feasibility::impossible(program, request.assumed, &mut checker.evaluator)?;
    let entry = checker.program()?;
    let answers = answers(program, &entry, &mut checker.evaluator)?;
    let mut evidence = None;
    if let (Some(unfolding), Some(log)) = (&unfolding, &log) {
        // The verdicts are there. If there is no time or room for more, that is what is missing.
        let sufficient_assumptions = wish.sufficient_assumptions.then(|| {
            sufficient_assumptions::sufficient_assumptions(&mut checker, unfolding, log)
                .unwrap_or_default()
        });
        let setting = Setting { request, unfolding, log };
        let paths = answers.iter().filter(|_| wish.paths).map(|answer| {
            let (values, formula, holds) = answer.shown.clone()?;
            let mut states = BlockStates::new(setting, &mut checker.evaluator);
            let first = states.first(values);
            PathSearch::new(states).run(first, formula, holds).ok()
        });
        let paths = paths.collect();
        let sufficient_assumptions = sufficient_assumptions.unwrap_or_default();
        let claims = Some(Claims::Nodes(log.claims()));
        evidence = Some(ModularEvidence { paths, claims, sufficient_assumptions });
    }
    Ok(ModularOutcome {
        verdicts: answers.iter().map(|answer| answer.verdict).collect(),
        falsified_in: answers.iter().map(Answer::falsified_in).collect(),
        is_impossible: impossible.is_some() || answers.iter().any(|answer| answer.is_impossible),
        stats: checker.stats,
        evidence,
    })
}

struct Answer {
    verdict: Truth,
    /// Initial values that show it, a formula, and whether it holds there.
    shown: Option<(Vec<i64>, FormulaId, bool)>,
    /// Whether it is surely true and surely false somewhere.
    is_impossible: bool,
}

impl Answer {
    fn falsified_in(&self) -> Option<Vec<i64>> {
        let (values, ..) = self.shown.as_ref().filter(|_| self.verdict == Truth::False)?;
        Some(values.clone())
    }
}

/// Reads the verdicts off what holds at the beginning of the program.
fn answers<S: ValuationSets>(
    program: &Program,
    entry: &Assumption<S::Set>,
    evaluator: &mut Evaluator<S>,
) -> Result<Vec<Answer>, Stopped> {
    let mut initial = evaluator.sets.all();
    for constraint in &program.data.constraints {
        let set = evaluator.sets.holds(constraint.node)?;
        initial = evaluator.sets.and(&initial, &set)?;
    }
    let mut answers = Vec::new();
    for root in &evaluator.closure.roots {
        let certain = evaluator.assumed(root.certain, entry)?;
        let maybe = evaluator.assumed(root.maybe, entry)?;
        let not_certain = evaluator.sets.minus(&initial, &certain)?;
        let not_maybe = evaluator.sets.minus(&initial, &maybe)?;
        let both = evaluator.sets.and(&certain, &not_maybe)?;
        let pick = |set: &S::Set| evaluator.sets.pick(set);
        let (verdict, shown) = match (pick(&not_certain), pick(&not_maybe)) {
            (_, Some(values)) => (Truth::False, Some((values, root.maybe, false))),
            (None, None) => {
                (Truth::True, pick(&initial).map(|values| (values, root.certain, true)))
            }
            (Some(_), None) => (Truth::Unknown, None),
        };
        answers.push(Answer { verdict, shown, is_impossible: !evaluator.sets.is_empty(&both) });
    }
    Ok(answers)
}
