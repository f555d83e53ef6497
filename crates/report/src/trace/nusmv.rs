//! Traces as NuSMV writes them: the text of its default plugin, and the XML that `read_trace` takes.

use super::{Row, inputs, rows_with_return};
use crate::visible::visible;
use logic::Truth;
use logic::evidence::{Trace, TraceValue};
use std::fmt::Write;

/// `CTL Counterexample`; of an invariant it is `AG alpha Counterexample`.
pub fn nusmv_title(logic: &str, verdict: Truth) -> String {
    let kind = match verdict {
        Truth::False => "Counterexample",
        Truth::True => "Witness",
        Truth::Unknown => "Diagnosis",
    };
    match logic {
        "invar" => format!("AG alpha {kind}"),
        _ => format!("{} {kind}", logic.to_uppercase()),
    }
}

/// The line of NuSMV between a verdict and its trace.
pub const AS_DEMONSTRATED: &str = "-- as demonstrated by the following execution sequence\n";

/// Each state with the variables that changed, the inputs before it, and the first state of a loop again at the end.
/// `id` is the number of the trace.
pub fn nusmv_text(trace: &Trace, description: &str, id: usize) -> String {
    let mut out = format!(
        "Trace Description: {} \nTrace Type: {} \n",
        visible(description),
        visible(last_word(description))
    );
    let has_inputs = !inputs(trace).is_empty();
    let mut known: Vec<&(String, TraceValue)> = Vec::new();
    for (index, row) in rows_with_return(trace).iter().enumerate() {
        let number = index + 1;
        if has_inputs && index > 0 {
            _ = writeln!(out, "  -> Input: {id}.{number} <-");
            let given = row.step.map_or(&[][..], |step| &step.inputs);
            for input in given.iter().filter(|input| !known.contains(input)) {
                _ = writeln!(out, "    {}", assignment(input));
            }
            known = given.iter().collect();
        }
        if trace.loop_start == Some(index) {
            out.push_str("  -- Loop starts here\n");
        }
        _ = writeln!(out, "  -> State: {id}.{number} <-");
        for variable in row.changed() {
            _ = writeln!(out, "    {}", assignment(variable));
        }
    }
    out
}

fn assignment((name, value): &(String, TraceValue)) -> String {
    format!("{} = {}", visible(name), visible(&constant(value)))
}

/// `CTL Counterexample` is a `Counterexample`.
fn last_word(description: &str) -> &str {
    description.rsplit(' ').next().unwrap_or(description)
}

/// A value in the syntax of SMV.
fn constant(value: &TraceValue) -> String {
    match value {
        TraceValue::Bool(true) => "TRUE".to_owned(),
        TraceValue::Bool(false) => "FALSE".to_owned(),
        other => other.to_string(),
    }
}

/// A document of nodes: a state with all its variables, and the inputs of the step to the next.
pub fn nusmv_xml(trace: &Trace, description: &str) -> String {
    let kind = if last_word(description) == "Counterexample" { 0 } else { 1 };
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<counter-example type=\"{kind}\" id=\"1\" desc=\"{}\" >\n",
        escape(description)
    );
    let rows = rows_with_return(trace);
    for (index, row) in rows.iter().enumerate() {
        out.push_str("\t<node>\n");
        section(&mut out, "state", index + 1, row.values());
        let onward = rows.get(index + 1).and_then(|next: &Row| next.step);
        if let Some(step) = onward.filter(|step| !step.inputs.is_empty()) {
            section(&mut out, "input", index + 2, step.inputs.iter());
        }
        out.push_str("\t</node>\n");
    }
    let start = trace.loop_start.map_or(String::new(), |start| format!("{} ", start + 1));
    out + &format!("\t<loops> {start}</loops>\n</counter-example>\n")
}

fn section<'a>(
    out: &mut String,
    tag: &str,
    id: usize,
    values: impl Iterator<Item = &'a (String, TraceValue)>,
) {
    _ = writeln!(out, "\t\t<{tag} id=\"{id}\">");
    for (name, value) in values {
        let (name, value) = (escape(name), escape(&constant(value)));
        _ = writeln!(out, "\t\t\t<value variable=\"{name}\">{value}</value>");
    }
    _ = writeln!(out, "\t\t</{tag}>");
}

/// Characters that XML cannot have at all become the replacement character.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' | '\r' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::lasso;
    use super::*;

    #[test]
    fn titles_are_those_of_nusmv() {
        assert_eq!(nusmv_title("ltl", Truth::False), "LTL Counterexample");
        assert_eq!(nusmv_title("invar", Truth::False), "AG alpha Counterexample");
    }

    #[test]
    fn the_text_is_that_of_nusmv() {
        let expected = "\
Trace Description: CTL Counterexample \nTrace Type: Counterexample \n  \
  -> State: 1.1 <-\n    x = 0ud3_0\n    m.busy = FALSE\n    m.mode = idle\n    y = -3\n  \
  -> Input: 1.2 <-\n    coin = TRUE\n  -- Loop starts here\n  \
  -> State: 1.2 <-\n    x = 0ud3_5\n    m.busy = TRUE\n    m.mode = run fast\n  \
  -> Input: 1.3 <-\n  -> State: 1.3 <-\n    x = 0ud3_6\n    m.mode = <end>\n    y = 2\n  \
  -> Input: 1.4 <-\n  -> State: 1.4 <-\n    x = 0ud3_5\n    m.mode = run fast\n    y = -3\n";
        assert_eq!(nusmv_text(&lasso(), "CTL Counterexample", 1), expected);
    }

    #[test]
    fn the_document_is_that_of_nusmv() {
        let found = nusmv_xml(&lasso(), "CTL Counterexample");
        assert!(
            found.contains("<counter-example type=\"0\" id=\"1\" desc=\"CTL Counterexample\" >")
        );
        assert_eq!(found.matches("<node>").count(), 4);
        let input = "\t\t<input id=\"2\">\n\t\t\t<value variable=\"coin\">TRUE</value>\n\t\t</input>\n\t</node>\n";
        assert!(found.contains(input), "{found}");
        assert!(found.contains("<value variable=\"m.mode\">&lt;end&gt;</value>"), "{found}");
        assert!(found.ends_with("\t<loops> 2 </loops>\n</counter-example>\n"), "{found}");
    }
}
