//! A path as SMV users know it: the values of the variables, and from the second state on only what
//! changes.

use super::digest::Digest;
use super::path::Path;
use crate::visible::one_line;
use check::ShownStep;

/// The states of a path, whose names are values of variables: `x=3,y=TRUE`. The constants have the same
/// values in all states and stand in no name.
pub(crate) fn valuations(digest: &Digest, path: &Path, constants: &[(String, String)]) -> String {
    let mut out = String::new();
    let mut before: Vec<(&str, &str)> = Vec::new();
    let loops_to = path.back.as_ref().map(|back| back.row);
    let rows = (0..path.rows.len()).chain(loops_to);
    let mut inputs: Vec<(&str, &str)> = Vec::new();
    for (number, row) in rows.enumerate() {
        let step = match number < path.rows.len() {
            true => path.rows[number].step,
            false => path.back.as_ref().and_then(|back| back.step),
        };
        let given: Vec<(&str, &str)> = step.map(inputs_of).unwrap_or_default();
        let changed = given.iter().filter(|input| !inputs.contains(input));
        if changed.clone().next().is_some() {
            out.push_str(&format!("  -> Input: 1.{} <-\n", number + 1));
            changed.for_each(|(name, value)| put(&mut out, name, value));
        }
        inputs = given;
        // Marked where it begins; when it is come to again, that is the end.
        if loops_to == Some(number) {
            out.push_str("  -- Loop starts here\n");
        }
        out.push_str(&format!("  -> State: 1.{} <-\n", number + 1));
        let state = &digest.explanation.states[path.rows[row].state as usize];
        let here: Vec<(&str, &str)> =
            state.members.iter().flatten().flat_map(|member| assignments(&member.name)).collect();
        if number == 0 {
            constants.iter().for_each(|(name, value)| put(&mut out, name, value));
        }
        let changed = here.iter().filter(|assignment| !before.contains(assignment));
        changed.for_each(|(name, value)| put(&mut out, name, value));
        before = here;
    }
    out
}

fn put(out: &mut String, name: &str, value: &str) {
    out.push_str(&format!("    {} = {}\n", one_line(name), one_line(value)));
}

/// The inputs that a step shows of itself.
fn inputs_of(step: &ShownStep) -> Vec<(&str, &str)> {
    step.action.as_deref().map(|inputs| assignments(inputs).collect()).unwrap_or_default()
}

/// The values that the name of a state or of a step tells.
fn assignments(name: &str) -> impl Iterator<Item = (&str, &str)> {
    name.split(',').filter_map(|assignment| assignment.split_once('='))
}
