//! `COMPUTE MIN[f, g]` and `COMPUTE MAX[f, g]` against loops over lists of states, bounded formulas of CTL by another
//! method, and NuSMV.

use crate::programs::{Condition, Program, State};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::process::Command;
use tertium::{Logic, Model, Options, PathLength, Verdict};
use testkit::{Case, Rng, for_seeds};

/// One end of the paths.
struct End {
    condition: Condition,
    /// Whether it is about some fair successor.
    is_next: bool,
}

impl End {
    fn random(rng: &mut Rng, program: &Program) -> Self {
        Self { condition: Condition::random(rng, &program.sizes()), is_next: rng.chance(0.2) }
    }

    fn text(&self) -> String {
        let text = self.condition.text();
        if self.is_next { format!("EX ({text})") } else { text }
    }

    fn holds(&self, program: &Program, fair: &BTreeSet<State>, state: &State) -> bool {
        match self.is_next {
            false => self.condition.holds(state),
            true => {
                let next = program.successors(state);
                next.iter().any(|next| fair.contains(next) && self.condition.holds(next))
            }
        }
    }
}

fn shortest(
    program: &Program,
    from: BTreeSet<State>,
    to: &BTreeSet<State>,
    fair: &BTreeSet<State>,
) -> PathLength {
    let (mut seen, mut layer) = (from.clone(), from);
    for steps in 0.. {
        if layer.intersection(to).next().is_some() {
            return PathLength::Steps(steps);
        }
        let next = layer.iter().flat_map(|state| program.successors(state));
        layer = next.filter(|state| fair.contains(state) && !seen.contains(state)).collect();
        if layer.is_empty() {
            break;
        }
        seen.extend(layer.iter().cloned());
    }
    PathLength::Infinite
}

/// The most states on a path from here that are in the set; `None` if there is a cycle.
fn longest_from(
    program: &Program,
    state: &State,
    within: &BTreeSet<State>,
    known: &mut BTreeMap<State, Option<u64>>,
    above: &mut Vec<State>,
) -> Option<u64> {
    if !within.contains(state) {
        return Some(0);
    }
    if let Some(known) = known.get(state) {
        return *known;
    }
    if above.contains(state) {
        return None;
    }
    above.push(state.clone());
    let next = program.successors(state);
    let lengths = next.iter().map(|next| longest_from(program, next, within, known, above));
    let longest =
        lengths.collect::<Option<Vec<u64>>>().map(|all| 1 + all.into_iter().max().unwrap_or(0));
    above.pop();
    known.insert(state.clone(), longest);
    longest
}

fn longest(
    program: &Program,
    from: &BTreeSet<State>,
    to: &BTreeSet<State>,
    fair: &BTreeSet<State>,
) -> PathLength {
    if from.is_empty() || to.is_empty() {
        return PathLength::Undefined;
    }
    let avoiding: BTreeSet<State> = fair.difference(to).cloned().collect();
    let mut known = BTreeMap::new();
    let all = from
        .iter()
        .map(|state| longest_from(program, state, &avoiding, &mut known, &mut Vec::new()));
    match all.collect::<Option<Vec<u64>>>() {
        Some(all) => PathLength::Steps(all.into_iter().max().unwrap_or(0)),
        None => PathLength::Infinite,
    }
}

/// Computes lengths by loops over lists of states.
fn expected(program: &Program, is_longest: bool, [from, to]: [&End; 2]) -> PathLength {
    let (fair, reachable) = (program.fair(), program.reachable());
    let [from, to] = [from, to].map(|end| {
        let there = fair.intersection(&reachable);
        there.filter(|state| end.holds(program, &fair, state)).cloned().collect::<BTreeSet<State>>()
    });
    match is_longest {
        true => longest(program, &from, &to, &fair),
        false => shortest(program, from, &to, &fair),
    }
}

/// With single spaces.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Questions with the lengths that NuSMV finds, if it is there.
fn of_nusmv(text: &str) -> Option<Vec<(String, String)>> {
    let folder = std::env::temp_dir().join(format!("lengths-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("model.smv");
    std::fs::write(&file, text).expect("a file");
    let program = std::env::var_os("NUSMV").unwrap_or_else(|| "NuSMV".into());
    let output = Command::new(program).arg(&file).output().ok()?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = stdout.lines().filter(|line| line.starts_with("-- the result of "));
    let answer = |line: &str| {
        let (statement, length) = line.strip_prefix("-- ")?.rsplit_once(" is ")?;
        Some((folded(statement), length.trim().to_owned()))
    };
    Some(lines.filter_map(answer).collect())
}

fn compare(rng: &mut Rng, case: &mut Case, asks_nusmv: bool) -> Result<(), String> {
    let program = Program::random(rng);
    let mut text = program.text(|var| program.vars[var].next());
    let questions: Vec<(bool, [End; 2])> = (0..4)
        .map(|number| (number % 2 == 1, [End::random(rng, &program), End::random(rng, &program)]))
        .collect();
    for (is_longest, [from, to]) in &questions {
        let name = if *is_longest { "MAX" } else { "MIN" };
        writeln!(text, "COMPUTE {name} [{}, {}];", from.text(), to.text()).unwrap();
    }
    case.note(&text);
    let model = Model::read("smv", "m.smv", &text).map_err(|error| error.to_string())?;
    // Without any fair path NuSMV warns, and its answers do not depend on the model.
    let is_about_some = !program.fair().is_disjoint(&program.reachable());
    let theirs = if asks_nusmv && is_about_some { of_nusmv(&text) } else { None };
    if let Some(theirs) = &theirs
        && theirs.len() != questions.len()
    {
        return Err(format!("NuSMV answers {theirs:?}"));
    }
    for (number, (is_longest, [from, to])) in questions.iter().enumerate() {
        let wanted = expected(&program, *is_longest, [from, to]);
        let property = &model.properties()[number];
        let answer =
            model.check(property, &Options::default()).map_err(|error| error.to_string())?;
        if (answer.verdict(), answer.length()) != (Verdict::True, Some(wanted)) {
            return Err(format!(
                "{}: {:?}, and not {wanted:?}",
                property.formula(),
                answer.length()
            ));
        }
        if let Some(theirs) = &theirs {
            let statement = folded(property.statement());
            let known = theirs.iter().find(|(asked, _)| *asked == statement);
            match known.map(|(_, length)| length) {
                Some(length) if *length == wanted.to_string() => {}
                length => {
                    return Err(format!("{statement}: NuSMV finds {length:?}, and not {wanted}"));
                }
            }
        }
        if let PathLength::Steps(steps) = wanted {
            bounded(&model, *is_longest, (&from.text(), &to.text()), steps)?;
        }
    }
    Ok(())
}

/// Checks a length by two bounded formulas: it suffices, and one less does not.
fn bounded(
    model: &Model,
    is_longest: bool,
    (from, to): (&str, &str),
    steps: u64,
) -> Result<(), String> {
    let formula = |steps: u64| match is_longest {
        true => format!("AG (({from}) -> ABF 0..{steps} ({to}))"),
        false => format!("AG !(({from}) & EBF 0..{steps} ({to}))"),
    };
    let holds = |steps: u64| {
        let property =
            model.property(Logic::Ctl, &formula(steps)).map_err(|error| error.to_string())?;
        let answer = model.check(&property, &Options::default().method("direct"));
        Ok::<bool, String>(answer.map_err(|error| error.to_string())?.verdict() == Verdict::True)
    };
    if holds(steps)? != is_longest || steps > 0 && holds(steps - 1)? == is_longest {
        return Err(format!("{} does not say {steps}", formula(steps)));
    }
    Ok(())
}

#[test]
fn lengths_are_those_of_the_states() {
    for_seeds("lengths_are_those_of_the_states", 0..150, |rng, case| compare(rng, case, false));
}

/// `cargo test -p tertium --test smv many_lengths -- --ignored`
#[test]
#[ignore = "asks NuSMV, where it is on the path"]
fn many_lengths_are_those_of_nusmv() {
    for_seeds("many_lengths_are_those_of_nusmv", 0..1_000, |rng, case| compare(rng, case, true));
}
