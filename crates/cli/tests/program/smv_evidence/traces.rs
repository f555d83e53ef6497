//! Traces and invariants of explanations, checked by the finite engines on the model with ranges.

use super::{over_integers, verdicts, with_ranges};
use crate::smv_integers::random_integers::{HIGH, LOW, text};
use crate::support::{run_on, stderr};
use serde_json::Value;
use std::cell::Cell;
use testkit::{Rng, for_seeds};

/// Longer traces are cut before they are checked.
const LONG: usize = 40;

/// An explanation, from which formulas are made that hold if its trace and its invariants are right.
struct TracedAnswer {
    trace: Value,
    /// Whether formulas speak of all paths: none ends, and all are fair.
    is_total: bool,
}

impl TracedAnswer {
    fn reported(text: &str, property: usize, is_total: bool) -> Option<Self> {
        let number = property.to_string();
        let call = ["explain", "-", "-q", "--json", "--timeout", "4", "--property", &number];
        let trace: Value = serde_json::from_slice(&run_on(&call, text.as_bytes()).stdout).ok()?;
        (trace["verdict"] != "unknown").then_some(Self { trace, is_total })
    }

    fn steps(&self) -> &[Value] {
        self.trace["steps"].as_array().map_or(&[], |steps| steps)
    }

    /// Whether it is checked by modalities, for which all steps count, or by operators over infinite fair paths.
    fn is_in_mu(&self) -> bool {
        self.trace["logic"] != "ctl" || !self.is_total
    }

    /// Whether notes can be checked, too.
    fn is_remarked(&self) -> bool {
        self.trace["logic"] == "invar" || !self.is_in_mu()
    }

    /// The values of a state, those of the inputs of the step before it, and its notes.
    fn state(&self, number: usize, inputs: &Value) -> String {
        let equations = |values: &Value, mark: &str| -> Vec<String> {
            let all = values.as_object().into_iter().flatten();
            all.map(|(name, value)| format!("({mark}{name} = {})", value.as_str().expect("a text")))
                .collect()
        };
        let step = &self.steps()[number];
        let mut parts = equations(&step["values"], "");
        parts.extend(equations(inputs, "was_"));
        let remarks = step["notes"].as_array().into_iter().flatten().filter_map(Value::as_str);
        parts.extend(remarks.filter(|_| self.is_remarked()).map(remarked));
        parts.join(" & ")
    }

    fn formula(&self) -> Option<String> {
        let (steps, next) = (self.steps(), if self.is_in_mu() { "<>" } else { "EX" });
        let back = self.trace["loop_start"].as_u64().map(|back| back as usize);
        // Of a long trace only the beginning is checked.
        let is_long = steps.len() > LONG;
        let argument = self.argument().filter(|_| !is_long);
        let numbers: Vec<usize> = (0..steps.len()).chain(back).take(LONG).collect();
        let mut formula = match (steps.len(), argument) {
            (0, argument) => return argument.map(|argument| format!("!!({argument})")),
            (_, argument) => argument.unwrap_or("TRUE".to_owned()),
        };
        for (place, &number) in numbers.iter().enumerate().rev() {
            let inputs =
                place.checked_sub(1).map_or(&Value::Null, |before| &steps[before]["inputs"]);
            formula = format!("{} & ({formula})", self.state(number, inputs));
            if place > 0 {
                formula = format!("{next} ({formula})");
            }
        }
        Some(formula)
    }

    /// The invariants of all runs, as a formula over the file.
    fn argument(&self) -> Option<String> {
        let places = self.trace["proof"]["invariants"].as_array()?;
        let all = |list: &Value| -> Vec<String> {
            list.as_array()
                .into_iter()
                .flatten()
                .filter_map(|one| Some(format!("({})", one.as_str()?)))
                .collect()
        };
        let held = |held: &Value| {
            let place = held["location"].as_str().expect("a text").replace(", ", " & ");
            let mut parts = all(&held["always"]);
            parts.push(if place == "always" { "TRUE".to_owned() } else { place });
            let cases: Vec<String> = held["cases"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|c| all(c).join(" & "))
                .collect();
            parts.extend((!cases.is_empty()).then(|| format!("({})", cases.join(" | "))));
            format!("({})", parts.join(" & "))
        };
        let places: Vec<String> = places.iter().map(held).collect();
        let one = places.join(" | ");
        Some(match self.is_in_mu() {
            true => format!("nu Z. (({one}) & [] Z)"),
            false => format!("AG ({one})"),
        })
    }
}

/// `here F holds`, `here F does not hold`.
fn remarked(remark: &str) -> String {
    let remark = remark.strip_suffix(" here").expect("a note");
    match (remark.strip_suffix(" does not hold"), remark.strip_suffix(" holds")) {
        (Some(formula), _) => format!("!({formula})"),
        (None, Some(formula)) => format!("({formula})"),
        (None, None) => panic!("{remark}"),
    }
}

/// The text with ranges, which remembers the inputs of the step before.
fn remembering(template: &str) -> String {
    let text = with_ranges(template);
    match text.contains("IVAR i") {
        true => format!("{text}VAR was_i : {LOW}..{HIGH};\nASSIGN next(was_i) := i;\n"),
        false => text,
    }
}

/// Whether ranges know the way: from some initial state, or all if it is no way but what holds on all.
fn is_known(template: &str, answer: &TracedAnswer) -> Option<bool> {
    let formula = answer.formula()?;
    let flag = if answer.is_in_mu() { "--mu" } else { "--ctl" };
    let (asked, wanted) = match formula.strip_prefix("!!") {
        Some(formula) => (formula.to_owned(), "true"),
        None => (format!("!({formula})"), "false"),
    };
    let found = verdicts(&remembering(template), &[flag, &asked]);
    let (_, verdict) = found.unwrap_or_else(|| panic!("{asked}")).into_iter().next()?;
    Some(verdict == wanted)
}

/// Runs that are told are runs of the file with ranges, and what is remarked is so.
#[test]
fn reported_runs_are_runs_of_the_file() {
    let [reported, steps, arguments, cut, caught, changes] = [const { Cell::new(0) }; 6];
    let count = |which: &Cell<usize>, more: usize| which.set(which.get() + more);
    for_seeds("runs of SMV with integers", 0..80, |rng, case| {
        let template = text(rng, 3);
        case.note(&template);
        let finite = run_on(&["check", "-"], remembering(&template).as_bytes());
        if !matches!(finite.status.code(), Some(0 | 1)) {
            return Ok(());
        }
        let ends = stderr(&finite).contains("finite paths do not count");
        let is_total = !ends && !template.contains("FAIRNESS");
        for property in 1..=3 {
            let Some(answer) =
                TracedAnswer::reported(&over_integers(&template), property, is_total)
            else {
                continue;
            };
            match is_known(&template, &answer) {
                Some(false) => return Err(format!("{} is not so", answer.trace)),
                Some(true) => count(&reported, 1),
                None => continue,
            }
            count(&cut, usize::from(answer.trace["complete"] == false));
            count(&steps, answer.steps().len());
            count(&arguments, usize::from(answer.argument().is_some()));
            // Whoever tells something else is found out, mostly: it may be so, too.
            if let Some(other) = tampered(&answer, rng) {
                count(&changes, 1);
                count(&caught, usize::from(is_known(&template, &other) == Some(false)));
            }
        }
        Ok(())
    });
    println!(
        "{reported:?} are told, {steps:?} steps, {arguments:?} arguments, {cut:?} cut; {caught:?} of {changes:?} changes are seen"
    );
    assert!(
        reported.get() > 100 && steps.get() > 150 && arguments.get() > 20,
        "{reported:?} {steps:?} {arguments:?}"
    );
    assert!(caught.get() * 2 > changes.get(), "{caught:?} of {changes:?}");
}

/// A trace with one value changed.
fn tampered(answer: &TracedAnswer, rng: &mut Rng) -> Option<TracedAnswer> {
    let mut trace = answer.trace.clone();
    let steps = trace["steps"].as_array_mut()?;
    let number = rng.below(steps.len().max(1));
    let value = steps.get_mut(number)?["values"].get_mut("x")?;
    let old: i64 = value.as_str()?.parse().ok()?;
    *value = (if old == HIGH { LOW } else { old + 1 }).to_string().into();
    Some(TracedAnswer { trace, is_total: answer.is_total })
}
