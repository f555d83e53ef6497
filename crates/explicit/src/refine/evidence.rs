//! Evidence of a verdict found by refinement: the partition of each component's states, and proofs on the
//! abstract components.
//!
//! What the loop has found may lean on more than the last abstraction has: on colours of states that have
//! been split since, and on what products say of their parts. So the verdict is looked for once more, by
//! the parts of the abstractions; if these do not say enough they are refined on, without memory, and if
//! that takes too long, it is shown of the system itself.

use super::abstraction::Abstraction;
use super::{Question, Refinement, Run};
use crate::Request;
use crate::certificate::{CompositionalProof, Evidence};
use crate::checker::by_components_or_composed;
use crate::compositional;
use crate::failure::Failure;
use model::{Blocks, System};

/// Products of abstract components with more nodes than this are not worth it.
const PAYS: u64 = 1 << 17;

/// How many nodes may be coloured to find the verdict without memory, at least.
const TRIED: u64 = 1 << 14;

impl<'f> Run<'_, 'f> {
    /// Evidence for the verdict of the run.
    pub(super) fn evidence(&mut self) -> Result<Option<Evidence>, Failure> {
        if let Some(evidence) = self.evidence_so_far()? {
            return Ok(Some(evidence));
        }
        self.refine_plainly();
        if let Some(evidence) = self.evidence_so_far()? {
            return Ok(Some(evidence));
        }
        by_components_or_composed(self.request, PAYS).map(|outcome| outcome.evidence)
    }

    /// Evidence from the present abstractions, without refining them.
    fn evidence_so_far(&self) -> Result<Option<Evidence>, Failure> {
        let Some((system, blocks)) = self.quotients() else { return Ok(None) };
        let request = Request {
            system: &system,
            order: &[],
            deadlock: self.request.deadlock.of_an_abstraction(),
            limit: Some(PAYS),
            ..self.request.clone()
        };
        let outcome = compositional::run(&request)?;
        Ok(match outcome.and_then(|outcome| outcome.evidence) {
            Some(Evidence::Compositional(parts)) => {
                Some(Evidence::Compositional(CompositionalProof { blocks, ..parts }))
            }
            _ => None,
        })
    }

    /// The abstract components, and by component the blocks that are its states.
    fn quotients(&self) -> Option<(System, Vec<Option<Blocks>>)> {
        let own = |abstraction: &Abstraction| {
            let concrete = &abstraction.concrete;
            Some(Blocks { of: concrete.blocks()?.to_vec(), count: concrete.states() })
        };
        let blocks: Vec<Option<Blocks>> = self.abstractions.iter().map(own).collect();
        if blocks.contains(&None) {
            return None;
        }
        Some((self.request.system.quotient(&blocks).ok()?, blocks))
    }

    /// Refines on where the abstractions by themselves leave it open.
    fn refine_plainly(&mut self) {
        let refinement = Refinement {
            hyper: false,
            keep_colours: false,
            drop_absent: false,
            take_over: false,
            emit: false,
            ..self.request.refinement.clone()
        };
        let limit = Some(TRIED.max(self.coloured()));
        let request =
            Request { refinement, evidence: false, limit, watch: &|_| {}, ..self.request.clone() };
        let initial = self.initial.iter().map(|(tuple, _)| tuple.clone()).collect();
        let mut abstractions = std::mem::take(&mut self.abstractions);
        abstractions.iter_mut().for_each(|abstraction| abstraction.make_plain());
        // Certificates have no hyper-transitions.
        let question = Question { has_choices: false, ..self.question };
        let mut again = Run::new(&request, question, abstractions, initial);
        again.decide();
        self.abstractions = again.abstractions;
        self.initial = again.initial;
    }
}
