//! An exact procedure of our own for linear integer arithmetic over few variables.
//!
//! Formulas become equations and inequalities, and what is left open ([`node`]): disjunctions, ≠, and what is
//! not divisible. Equations are solved at once ([`system`]), inequalities by the Omega test ([`omega`]), the open
//! rest by splitting where a solution does not satisfy it ([`search`]). Everything remembers which parts of the
//! question it comes from ([`origin`]), so that a contradiction names a core.

mod interpolate;
mod node;
mod omega;
mod origin;
mod row;
mod search;
mod stop;
mod system;

use crate::{Counters, LinearFormula, SatAnswer, SmtModel, Solver};
use node::Node;
use origin::Origin;
pub(crate) use stop::Budget;
use stop::Stop;

/// Rows that one query may combine: far more than small questions need, and done within a second.
const STEPS: u64 = 1 << 21;

/// The solver that needs no installation. What it answers is exact; it says that it does not know when its
/// budget is used up or a number does not fit 128 bits.
pub struct Embedded {
    steps: u64,
    counters: Counters,
    /// The formulas pushed, each with the rows of the context up to it.
    frames: Vec<(LinearFormula, Result<Node, Stop>)>,
}

impl Default for Embedded {
    fn default() -> Self {
        Self::new()
    }
}

impl Embedded {
    pub fn new() -> Self {
        Self { steps: STEPS, counters: Counters::default(), frames: Vec::new() }
    }

    fn context(&self) -> Result<Node, Stop> {
        self.frames.last().map_or_else(|| Ok(Node::default()), |(_, node)| node.clone())
    }

    fn solve(&self, parts: &[LinearFormula]) -> Result<SmtModel, Stop> {
        let mut node = self.context()?;
        for (number, part) in parts.iter().enumerate() {
            node.assert(part, true, Origin::part(number))?;
        }
        let (node, values) = search::search(node, 0, &mut Budget(self.steps))?;
        let model: SmtModel = node.model(&values).collect();
        let context = self.frames.iter().map(|(formula, _)| formula);
        let is_so =
            |part: &LinearFormula| part.holds(&|variable| model.value(variable)) == Some(true);
        if context.chain(parts).all(is_so) { Ok(model) } else { Err(Stop::Defect) }
    }
}

impl Solver for Embedded {
    fn check(&mut self, parts: &[LinearFormula]) -> SatAnswer {
        let answer = match self.solve(parts) {
            Ok(model) => SatAnswer::Sat(model),
            Err(Stop::Conflict(origin)) => SatAnswer::Unsat(origin.parts(parts.len())),
            Err(stop) => SatAnswer::Unknown(stop.reason().to_owned()),
        };
        self.counters.count(&answer);
        answer
    }

    fn push(&mut self, part: &LinearFormula) {
        let extended = self.context().and_then(|mut node| {
            node.assert(part, true, Origin::default())?;
            node.settle(&mut Budget(self.steps))?;
            Ok(node)
        });
        self.frames.push((part.clone(), extended));
    }

    fn pop(&mut self) {
        self.frames.pop();
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn interpolate(&mut self, sequence: &[LinearFormula]) -> Option<Vec<LinearFormula>> {
        interpolate::interpolate(sequence, &mut Budget(self.steps))
    }
}
