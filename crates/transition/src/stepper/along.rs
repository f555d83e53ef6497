//! The inputs along a path: an engine that keeps states only does not know by which step it went on.

use super::layout::{PackedField, PackedLayout};
use super::search::SearchError;
use super::steps::{Steps, plan_steps};
use crate::expr::NodeId;
use crate::parts::{Machine, VarId};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use support::{Monitor, Stopped};

/// The values of some variables.
pub type Valuation = FxHashMap<VarId, i64>;

/// Finds for each pair of states values of the inputs with which the second is a successor of the first; `None` where
/// it is none. The states are those of a slice of the transition system.
pub fn inputs_along(
    machine: &Machine,
    steps: &[(&Valuation, &Valuation)],
    monitor: &Monitor,
) -> Result<Vec<Option<Valuation>>, Stopped> {
    let (mut machine, mut recorded) = machine.recording_inputs();
    let variables: Vec<VarId> =
        steps.iter().take(1).flat_map(|(from, _)| from.keys().copied()).collect();
    let mut roots: Vec<NodeId> = variables.into_iter().map(|var| machine.now(var)).collect();
    let part = machine.cone(roots.clone());
    recorded.retain(|&(input, _)| part.contains(input));
    if recorded.is_empty() {
        return Ok(vec![Some(Valuation::default()); steps.len()]);
    }
    roots.extend(recorded.iter().map(|&(_, record)| machine.now(record)));
    let slice = machine.cone(roots);
    let layout = PackedLayout::new(&machine, &slice);
    let plans = plan_steps(&mut machine, &slice);
    let machine = Arc::new(machine);
    let mut search = Steps::new(&machine, &layout, &plans, &[]);
    let (records, fields): (Vec<&PackedField>, Vec<&PackedField>) =
        layout.fields.iter().partition(|field| recorded.iter().any(|&(_, own)| own == field.var));
    let inputs_of = |row: &[u64]| -> Valuation {
        let input =
            |field: &PackedField| recorded.iter().find(|&&(_, own)| own == field.var).copied();
        let value = |field: &&PackedField| Some((input(field)?.0, field.get(row)));
        records.iter().filter_map(value).collect()
    };
    let mut found = Vec::with_capacity(steps.len());
    for (from, to) in steps {
        let mut row = vec![0; layout.words];
        let is_known = fields.iter().all(|field| {
            let value = from.get(&field.var).copied();
            value.and_then(|value| field.set(&mut row, value)).is_some()
        });
        let is_target =
            |row: &[u64]| fields.iter().all(|field| to.get(&field.var) == Some(&field.get(row)));
        let mut inputs = None;
        if is_known {
            let ended = search.visit(&row, monitor, |_, next, _| match is_target(next) {
                true => {
                    inputs = Some(inputs_of(next));
                    Err(SearchError::TooMany)
                }
                false => Ok(()),
            });
            if let Err(SearchError::Stopped(stopped)) = ended {
                return Err(stopped);
            }
        }
        found.push(inputs);
    }
    Ok(found)
}
