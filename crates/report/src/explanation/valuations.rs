//! A path as SMV users know it: the values of the variables, and from the second state on only what changes.

use super::run::remarks;
use crate::visible::one_line;
use logic::evidence::{Assignments, Digest, EvidencePath};

/// A state and what led to it.
#[derive(Default)]
struct Row<'a> {
    inputs: &'a [(String, String)],
    constants: &'a [(String, String)],
    values: Vec<&'a Assignments>,
    remarks: Vec<String>,
}

impl<'a> Row<'a> {
    fn assignments(&self) -> impl Iterator<Item = &'a (String, String)> {
        self.constants.iter().chain(self.values.clone().into_iter().flatten())
    }
}

/// The states of a path. The state that a loop returns to stands at the end again. Of a path that is longer than twice
/// the given number, so many states are shown from its beginning and from its end.
pub(crate) fn valuations(digest: &Digest, path: &EvidencePath, shown: usize) -> String {
    let steps = path.rows.iter().map(|row| row.step).enumerate();
    let back = path.back.as_ref().map(|back| (back.row, back.step));
    let rows: Vec<Row> = steps
        .chain(back)
        .enumerate()
        .map(|(number, (row, step))| {
            let row = &path.rows[row];
            let members = &digest.explanation.states[row.state as usize].members;
            // Where all steps count, it does not matter which inputs make them.
            let told =
                step.filter(|step| step.action.is_some() || digest.explanation.run.is_some());
            Row {
                inputs: told.map_or(&[][..], |step| &step.inputs),
                constants: digest.explanation.constants.as_deref().unwrap_or_default(),
                values: members.iter().flatten().map(|member| &member.values).collect(),
                remarks: if number < path.rows.len() { remarks(digest, row) } else { Vec::new() },
            }
        })
        .collect();
    let mut out = String::new();
    let mut before = &Row::default();
    for (number, row) in rows.iter().enumerate() {
        if number >= shown && number < rows.len().saturating_sub(shown) {
            if number == shown {
                let left_out = rows.len() - 2 * shown;
                out.push_str(&format!("  … {left_out} more states (all of them: --json) …\n"));
            }
            continue;
        }
        let mut changed =
            row.inputs.iter().filter(|input| !before.inputs.contains(input)).peekable();
        if changed.peek().is_some() {
            out.push_str(&format!("  -> Input: 1.{} <-\n", number + 1));
            changed.for_each(|assignment| put(&mut out, assignment));
        }
        // Marked where it begins; when it is come to again, that is the end.
        if back.is_some_and(|(start, _)| start == number) {
            out.push_str("  -- Loop starts here\n");
        }
        out.push_str(&format!("  -> State: 1.{} <-\n", number + 1));
        let is_new =
            |assignment: &&(String, String)| before.assignments().all(|o| o != *assignment);
        row.assignments().filter(is_new).for_each(|assignment| put(&mut out, assignment));
        for remark in &row.remarks {
            out.push_str(&format!("    -- {}\n", one_line(remark)));
        }
        before = row;
    }
    out
}

fn put(out: &mut String, (name, value): &(String, String)) {
    out.push_str(&format!("    {} = {}\n", one_line(name), one_line(value)));
}
