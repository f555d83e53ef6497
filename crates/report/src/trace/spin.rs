//! Traces as Spin's replay shows them (`spin -t -p`): a line for each step with its process, place and statement, then
//! the variables that changed.

use super::{Row, rows_with_return};
use crate::visible::visible;
use logic::evidence::{Trace, TraceLocation, TraceStatement, TraceStep};
use std::fmt::Write;

/// The steps, numbered from 1; the initial state has number 0.
pub fn spin_steps(trace: &Trace) -> String {
    let mut out = String::new();
    let rows = rows_with_return(trace);
    for (number, row) in rows.iter().enumerate() {
        out.push_str(format!("{number:>3}:\t{}", title(row)).trim_end());
        out.push('\n');
        if let Some(partner) = row.step.and_then(|step| step.partner.as_ref()) {
            let TraceStatement { process, text, location } = partner;
            let line = line(Some(process), location.as_ref(), Some(text));
            _ = writeln!(out, "{number:>3}:\t{line}");
        }
        for (name, value) in row.changed() {
            _ = writeln!(out, "\t\t{} = {}", visible(name), visible(&value.to_string()));
        }
        if trace.loop_start == Some(number) {
            out.push_str("  <<<<<START OF CYCLE>>>>>\n");
        }
    }
    out + &format!("spin: trail ends after {} steps\n", rows.len().saturating_sub(1))
}

fn title(row: &Row) -> String {
    let Some(step) = row.step else { return "initial state".to_owned() };
    let TraceStep { inputs, action, process, statement, location, .. } = step;
    let inputs: Vec<String> =
        inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let inputs = Some(inputs.join(", ")).filter(|inputs| !inputs.is_empty());
    let done = statement.as_ref().or(action.as_ref()).or(inputs.as_ref());
    line(process.as_ref(), location.as_ref(), done)
}

/// `proc P (model.pml:12) [x = x + 1]`
fn line(
    process: Option<&String>,
    location: Option<&TraceLocation>,
    done: Option<&String>,
) -> String {
    let process = process.map(|name| format!("proc {}", visible(name)));
    let place = location.map(|at| format!("({}:{})", visible(&at.file), at.line));
    let done = done.map(|text| format!("[{}]", visible(text)));
    [process, place, done].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::lasso;
    use super::*;

    #[test]
    fn steps_are_those_of_a_replay() {
        let found = spin_steps(&lasso());
        let expected = "  0:\tinitial state\n\t\tx = 0ud3_0\n\t\tm.busy = false\n\t\tm.mode = idle\n\t\ty = -3\n  \
            1:\t[coin = true]\n\t\tx = 0ud3_5\n\t\tm.busy = true\n\t\tm.mode = run fast\n  <<<<<START OF CYCLE>>>>>\n  \
            2:\t[go on]\n\t\tx = 0ud3_6\n\t\tm.mode = <end>\n\t\ty = 2\n  \
            3:\tproc P (a.pml:2) [x = x - 6]\n\t\tx = 0ud3_5\n\t\tm.mode = run fast\n\t\ty = -3\n\
            spin: trail ends after 3 steps\n";
        assert_eq!(found, expected);
    }
}
