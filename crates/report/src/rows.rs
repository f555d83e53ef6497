//! States one after the other as SMV users know them: the values of the variables, and from the second state on only
//! what changes.

use crate::visible::one_line;

/// A name and its value.
pub(crate) type Assignment<'a> = (&'a str, &'a str);

/// A state on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row<'a> {
    /// Of the step that has led there.
    pub inputs: Vec<Assignment<'a>>,
    pub values: Vec<Assignment<'a>>,
    pub remarks: &'a [String],
}

/// The states of a path. If it comes back to one, that one stands at the end again. Of a path that is longer than twice
/// the given number, so many states are shown from its beginning and from its end.
pub(crate) fn rows(all: &[Row], loops_to: Option<usize>, shown: usize) -> String {
    let mut out = String::new();
    let mut before = &Row::default();
    for (number, row) in all.iter().enumerate() {
        if number >= shown && number < all.len().saturating_sub(shown) {
            if number == shown {
                let left_out = all.len() - 2 * shown;
                out.push_str(&format!("  … {left_out} more states (all of them: --json) …\n"));
            }
            continue;
        }
        let changed = row.inputs.iter().filter(|input| !before.inputs.contains(input));
        if changed.clone().next().is_some() {
            out.push_str(&format!("  -> Input: 1.{} <-\n", number + 1));
            changed.for_each(|assignment| put(&mut out, assignment));
        }
        // Marked where it begins; when it is come to again, that is the end.
        if loops_to == Some(number) {
            out.push_str("  -- Loop starts here\n");
        }
        out.push_str(&format!("  -> State: 1.{} <-\n", number + 1));
        let changed = row.values.iter().filter(|assignment| !before.values.contains(assignment));
        changed.for_each(|assignment| put(&mut out, assignment));
        for remark in row.remarks {
            out.push_str(&format!("    -- {}\n", one_line(remark)));
        }
        before = row;
    }
    out
}

fn put(out: &mut String, (name, value): &Assignment) {
    out.push_str(&format!("    {} = {}\n", one_line(name), one_line(value)));
}
