//! A path as SMV users know it: the values of the variables, and from the second state on only what
//! changes.

use super::digest::Digest;
use super::path::Path;
use crate::visible::one_line;
use check::ShownMember;

/// The states of a path, whose names are values of variables: `x=3,y=TRUE`. The constants have the same
/// values in all states and stand in no name.
pub(crate) fn valuations(digest: &Digest, path: &Path, constants: &[(String, String)]) -> String {
    let mut out = String::new();
    let mut before: Vec<(&str, &str)> = Vec::new();
    let loops_to = path.back.as_ref().map(|back| back.row);
    let rows = (0..path.rows.len()).chain(loops_to);
    for (number, row) in rows.enumerate() {
        // Marked where it begins; when it is come to again, that is the end.
        if loops_to == Some(number) {
            out.push_str("  -- Loop starts here\n");
        }
        out.push_str(&format!("  -> State: 1.{} <-\n", number + 1));
        let state = &digest.explanation.states[path.rows[row].state as usize];
        let here: Vec<(&str, &str)> =
            state.members.iter().flatten().flat_map(assignments).collect();
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

/// The values that the name of a state tells.
fn assignments(member: &ShownMember) -> impl Iterator<Item = (&str, &str)> {
    member.name.split(',').filter_map(|assignment| assignment.split_once('='))
}
