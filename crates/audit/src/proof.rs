//! Going through the steps of a proof. The conditions stand at the head of the crate.

use crate::brackets::Brackets;
use crate::error::AuditError;
use crate::format::{CLOSE, END, OBLIGATION, OPEN, PROVE};
use crate::read::Reader;
use logic::{Formula, NodeId};
use std::io::Read;
use support::Monitor;

/// The size of a valid proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Audited {
    pub steps: u64,
    /// Positions that were proved.
    pub positions: u64,
}

/// The positions that a proof is about: how its steps name them, and when they follow (condition 2).
pub(crate) trait Positions {
    /// The states of positions with one subformula.
    type States;

    /// Reads the states of a step and visits them, those that stand together at once; how many there are.
    fn read<R: Read>(
        &mut self,
        reader: &mut Reader<R>,
        visit: impl FnMut(&mut Self, Self::States) -> Result<(), ProofFailure>,
    ) -> Result<u64, ProofFailure>;
    /// The positions that are not known yet.
    fn new_in(&mut self, node: NodeId, states: &Self::States)
    -> Result<Self::States, ProofFailure>;
    /// Makes positions known.
    fn add(&mut self, node: NodeId, states: &Self::States) -> Result<(), ProofFailure>;
    /// Whether all these positions follow from what is known.
    fn follow(&mut self, node: NodeId, states: &Self::States) -> Result<(), ProofFailure>;

    /// Whether steps may name positions with this subformula.
    fn names(&self, _: NodeId) -> Result<(), ProofFailure> {
        Ok(())
    }

    /// Makes a step that not all kinds of proofs have; false if there is no such step.
    fn extra<R: Read>(&mut self, _: u64, _: &mut Reader<R>) -> Result<bool, ProofFailure> {
        Ok(false)
    }
}

/// A step that is wrong, or cannot be checked.
pub(crate) enum ProofFailure {
    Step(String),
    Error(AuditError),
}

impl From<String> for ProofFailure {
    fn from(problem: String) -> Self {
        ProofFailure::Step(problem)
    }
}

impl<E> From<E> for ProofFailure
where
    AuditError: From<E>,
{
    fn from(error: E) -> Self {
        ProofFailure::Error(error.into())
    }
}

/// Goes through the steps of a proof, up to their end.
pub(crate) fn go_through<R: Read>(
    positions: &mut impl Positions,
    formula: &Formula,
    verdict: bool,
    reader: &mut Reader<R>,
    monitor: &Monitor,
) -> Result<Audited, AuditError> {
    let mut brackets = Brackets::new(formula, verdict);
    let mut audited = Audited::default();
    loop {
        let kind = reader.number()?;
        audited.steps += u64::from(kind != END);
        let made = match kind {
            END => brackets.end().map(|()| 0).map_err(ProofFailure::Step),
            _ => advance(kind, positions, &mut brackets, reader),
        };
        match made {
            Ok(_) if kind == END => return Ok(audited),
            Ok(count) => audited.positions += count,
            Err(ProofFailure::Error(error)) => return Err(error),
            Err(ProofFailure::Step(problem)) => {
                return Err(AuditError::Invalid(format!("step {}: {problem}", audited.steps)));
            }
        }
        monitor.step(1)?;
    }
}

/// Makes one step: condition 3. How many positions it names.
fn advance<P: Positions, R: Read>(
    kind: u64,
    positions: &mut P,
    brackets: &mut Brackets<P::States>,
    reader: &mut Reader<R>,
) -> Result<u64, ProofFailure> {
    match kind {
        OPEN => brackets.open(reader.below(u32::MAX as usize, "a level that is too high")?)?,
        CLOSE => {
            for (node, states) in brackets.close()? {
                positions.follow(node, &states)?;
            }
        }
        PROVE | OBLIGATION => {
            let subformulas = brackets.formula.len();
            let node = NodeId(reader.below(subformulas, "a subformula that is not there")?);
            positions.names(node)?;
            brackets.admit(node)?;
            if kind == OBLIGATION {
                brackets.is_open_for(node)?;
            }
            return positions.read(reader, |positions, states| {
                let new = positions.new_in(node, &states)?;
                match kind {
                    PROVE => positions.follow(node, &new)?,
                    _ => brackets.add_obligation(node, new),
                }
                positions.add(node, &states)
            });
        }
        _ if positions.extra(kind, reader)? => {}
        _ => return Err(reader.malformed("an unknown kind of proof step").into()),
    }
    Ok(0)
}
