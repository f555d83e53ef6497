//! Assumptions on a hole with which the rest of the program satisfies the property: values of one of its
//! variables with which it has to end.

use crate::ModularRequest;
use crate::assumption::Assumption;
use crate::check_graph::GraphChecker;
use crate::claims::ClaimLog;
use crate::evaluator::Evaluator;
use crate::sets::ValuationSets;
use support::Stopped;
use transition::VarId;
use transition::cfg::{
    Bound, CommandKind, HoleId, PartitionGraph, TemporalId, UnfoldedId, Unfolding,
};

/// If a hole ends with one of these values of a variable, a formula of the closure is definite from there on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SufficientAssumption {
    pub hole: HoleId,
    pub var: VarId,
    pub values: Vec<i64>,
}

/// More values than this of a variable are not looked at.
const MOST_VALUES: u128 = 256;

/// Looks at all holes that are nodes by themselves, after a check that was traced.
pub fn sufficient_assumptions<S: ValuationSets>(
    checker: &mut GraphChecker<S>,
    unfolding: &Unfolding,
    log: &ClaimLog,
) -> Result<Vec<SufficientAssumption>, Stopped> {
    let ModularRequest { program, partition, .. } = *checker.context.request;
    let mut found: Vec<SufficientAssumption> = Vec::new();
    for node in unfolding.nodes.values() {
        let PartitionGraph::Block(commands) = &partition.graphs[node.graph] else { continue };
        let [command] = commands[..] else { continue };
        let CommandKind::Hole { hole, frame } = &program.commands[command].kind else { continue };
        for &exit in &node.exits {
            for wanted in definite(&mut checker.evaluator, exit, log)? {
                for &var in frame {
                    let values = values(&mut checker.evaluator, var, &wanted, program)?;
                    let need = SufficientAssumption { hole: *hole, var, values };
                    if !need.values.is_empty() && !found.contains(&need) {
                        found.push(need);
                    }
                }
            }
        }
    }
    Ok(found)
}

/// Where each temporal formula is definite at a location: true, or false.
fn definite<S: ValuationSets>(
    evaluator: &mut Evaluator<S>,
    place: UnfoldedId,
    log: &ClaimLog,
) -> Result<Vec<S::Set>, Stopped> {
    let mut known = Assumption::unknown(Vec::new(), evaluator.closure);
    log.known(place, &mut known, evaluator.closure, &mut evaluator.sets)?;
    let mut found = Vec::new();
    let ids: Vec<TemporalId> = evaluator.closure.temporals.ids().collect();
    for id in ids {
        let Some(set) = known.get(id).cloned() else { continue };
        let all = evaluator.sets.all();
        found.push(match evaluator.closure.temporals[id].bound {
            Bound::Certain => set,
            Bound::Maybe => evaluator.sets.minus(&all, &set)?,
        });
    }
    Ok(found)
}

/// The values of a variable that are enough to be in a set; none if all are.
fn values<S: ValuationSets>(
    evaluator: &mut Evaluator<S>,
    var: VarId,
    wanted: &S::Set,
    program: &transition::cfg::Program,
) -> Result<Vec<i64>, Stopped> {
    let domain = &program.data.vars[var].domain;
    if domain.size() > MOST_VALUES {
        return Ok(Vec::new());
    }
    let mut enough = Vec::new();
    for number in 0..domain.size() as u64 {
        let value = domain.value(number);
        let with = evaluator.sets.with_value(var, value)?;
        let outside = evaluator.sets.minus(&with, wanted)?;
        if evaluator.sets.is_empty(&outside) {
            enough.push(value);
        }
    }
    Ok(if enough.len() as u128 == domain.size() { Vec::new() } else { enough })
}
