//! A path as SMV users know it.

use super::digest::Digest;
use super::path::Path;
use crate::rows::{Assignment, Row, rows};
use explicit::ShownStep;

/// The states of a path, whose names are values of variables: `x=3,y=TRUE`. The constants have the same
/// values in all states and stand in no name.
pub(crate) fn valuations(digest: &Digest, path: &Path, constants: &[(String, String)]) -> String {
    let steps = path.rows.iter().map(|row| row.step).enumerate();
    let back = path.back.as_ref().map(|back| (back.row, back.step));
    let row = |(number, step): (usize, _)| {
        let state = &digest.explanation.states[path.rows[number].state as usize];
        let members = state.members.iter().flatten();
        let constants = constants.iter().map(|(name, value)| (&**name, &**value));
        let own = members.flat_map(|member| assignments(&member.name));
        let inputs = Option::map_or_else(step, Vec::new, inputs_of);
        Row { inputs, values: constants.chain(own).collect(), remarks: &[] }
    };
    let all: Vec<Row> = steps.chain(back).map(row).collect();
    rows(&all, back.map(|(row, _)| row), usize::MAX)
}

/// The inputs that a step shows of itself.
fn inputs_of(step: &ShownStep) -> Vec<Assignment<'_>> {
    step.action.as_deref().map(|inputs| assignments(inputs).collect()).unwrap_or_default()
}

/// The values that the name of a state or of a step tells.
fn assignments(name: &str) -> impl Iterator<Item = Assignment<'_>> {
    name.split(',').filter_map(|assignment| assignment.split_once('='))
}
