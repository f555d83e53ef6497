//! Assumption synthesis: how small assumptions get, what they cost against checking outright and against
//! learning, and how that grows with the process.

use super::process::{measure, on_path, within};
use super::table::{Table, exponent, geometric_mean, greatest, median, readable, row};
use super::{Bench, Tables};
use crate::inputs::protocols::{Protocol, Questions};
use assume::{
    AnalysisPlan, AssumptionRequest, EndReason, EquivalenceChoice, InitialAbstraction, Progress,
    SafetyQuestion, SynthesisResult,
};
use model::PartialModel;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io};
use support::Monitor;

pub const TABLES: [Tables; 4] = [sliding_window, cost, growth, spin];

/// One question about a protocol in memory.
struct Case<'a> {
    protocol: String,
    asked: &'a Questions,
    name: &'static str,
    safety: &'a PartialModel,
    holds: bool,
    question: SafetyQuestion,
}

impl<'a> Case<'a> {
    fn all(protocol: Protocol, size: u32, asked: &'a Questions) -> io::Result<Vec<Self>> {
        let case = |(name, safety, holds): &'a (&'static str, PartialModel, bool)| {
            let question = SafetyQuestion::new(&asked.system, asked.process, safety);
            let question = question.map_err(io::Error::other)?;
            let protocol = format!("{} {size}", protocol.name());
            Ok(Self { protocol, asked, name, safety, holds: *holds, question })
        };
        asked.safeties.iter().map(case).collect()
    }

    fn states(&self) -> usize {
        self.asked.system.components[self.asked.process].model.states()
    }

    fn wrong(&self, what: &str) -> io::Error {
        io::Error::other(format!("{}: {}: {what}", self.protocol, self.name))
    }

    fn unfinished(&self) -> io::Error {
        self.wrong("the assumption is not complete in time")
    }

    /// Checks M‖N, or what has come of it: how many states were seen. A wrong verdict is an error.
    fn check(&self, question: &SafetyQuestion) -> io::Result<usize> {
        let found = assume::search(question, &Monitor::new())
            .map_err(|stopped| self.wrong(&stopped.to_string()))?;
        match found.error.is_none() == self.holds {
            true => Ok(found.states),
            false => Err(self.wrong("the verdict is wrong")),
        }
    }

    /// An assumption, if it is complete within the limit, and the median time.
    fn make(&self, bench: &Bench, start: InitialAbstraction) -> (Option<SynthesisResult>, f64) {
        timed(|| {
            let make =
                |monitor: &_| assume::synthesise(&self.question, &request(start), monitor, None);
            Some(within(bench.patience(), make)).filter(|made| made.ended == EndReason::Complete)
        })
    }

    /// M‖A instead of M‖N.
    fn replaced(&self, made: &SynthesisResult) -> io::Result<SafetyQuestion> {
        let Questions { system, process, .. } = self.asked;
        let (model, equivalence) = (&system.components[*process].model, &made.equivalence);
        let assumption = assume::quotient(model, &equivalence.class_of, equivalence.count);
        let system = assume::replace(system, *process, assumption);
        SafetyQuestion::new(&system, *process, self.safety)
            .map_err(|unfit| self.wrong(&unfit.to_string()))
    }
}

/// To the end, by both equivalences.
fn request(start: InitialAbstraction) -> AssumptionRequest {
    let equivalences = EquivalenceChoice::One(AnalysisPlan::Both);
    AssumptionRequest { start, equivalences, steps: None, until_flat: false }
}

/// The result of some work, and the median of its times: of five, unless they take long.
fn timed<T>(mut work: impl FnMut() -> T) -> (T, f64) {
    let mut times = Vec::new();
    loop {
        let start = Instant::now();
        let result = work();
        times.push(start.elapsed().as_secs_f64());
        if times.len() >= 5 || times.iter().sum::<f64>() > 2.0 {
            return (result, median(times));
        }
    }
}

fn verdict(holds: bool) -> &'static str {
    if holds { "holds" } else { "violated" }
}

/// The experiment of A §7.
fn sliding_window(bench: &Bench) -> io::Result<Vec<Table>> {
    // A §7, Fig. 7: states of the assumption, and refinement steps.
    const PAPER: [(&str, u32, u32); 4] = [("A", 8, 169), ("B", 1, 18), ("C", 8, 168), ("D", 1, 15)];
    let mut table = Table::new("Assumptions: the sliding window protocol (A §7)");
    let mut curve =
        Table::new("Assumptions: states of the receiver's quotient after some steps (A Fig. 7)");
    for protocol in [Protocol::SlidingWindow, Protocol::SelectiveRepeat] {
        let asked = protocol.questions(3);
        for (case, (name, states, steps)) in Case::all(protocol, 3, &asked)?.iter().zip(PAPER) {
            let (made, time) = case.make(bench, InitialAbstraction::Trivial);
            let made = made.ok_or_else(|| case.unfinished())?;
            let basic = case
                .make(bench, InitialAbstraction::Discrete)
                .0
                .ok_or_else(|| case.unfinished())?;
            // The smallest on the way may be smaller than the last.
            if case.name != name || made.equivalence.count > basic.equivalence.count {
                return Err(
                    case.wrong("another property, or abstraction gives a larger assumption")
                );
            }
            let (own, without) = (made.equivalence.count, basic.equivalence.count);
            let auto = AssumptionRequest {
                equivalences: EquivalenceChoice::Auto,
                ..request(InitialAbstraction::Trivial)
            };
            let auto = assume::synthesise(&case.question, &auto, &Monitor::new(), None);
            table.row(row![
                case.protocol,
                name,
                verdict(case.holds),
                case.states(),
                own,
                states,
                without,
                auto.equivalence.count,
                made.steps,
                steps,
                readable(time)
            ]);
            let mut points: Vec<Progress> = Vec::new();
            let mut observe = |point| points.push(point);
            let (request, monitor) = (request(InitialAbstraction::Trivial), Monitor::new());
            let made = assume::synthesise(&case.question, &request, &monitor, Some(&mut observe));
            let mut cells = row![case.protocol, name];
            cells.extend([0, 5, 10, 20, 40, 80, 120, 160, 200].map(|step| {
                let at = points.iter().find(|point| point.step == step);
                at.map_or_else(String::new, |point| point.classes.to_string())
            }));
            cells.push(format!("{} ({})", made.equivalence.count, made.steps));
            curve.row(cells);
            points.dedup_by_key(|point| point.classes);
            let changes = points.iter().map(|point| format!("{} at {}", point.classes, point.step));
            let changes = changes.collect::<Vec<_>>().join(", ");
            let protocol = &case.protocol;
            curve.note(format!("{protocol}, {name}, all of the curve (size at step): {changes}."));
        }
    }
    Ok(vec![table, curve])
}

/// The cost of an assumption against checking outright, and the time it saves when it is used again.
fn cost(bench: &Bench) -> io::Result<Vec<Table>> {
    const CASES: [(Protocol, u32); 9] = [
        (Protocol::SlidingWindow, 3),
        (Protocol::SlidingWindow, 7),
        (Protocol::AlternatingBit, 3),
        (Protocol::AlternatingBit, 12),
        (Protocol::Philosophers, 4),
        (Protocol::Philosophers, 6),
        (Protocol::ClientServer, 6),
        (Protocol::Peterson, 30),
        (Protocol::Log, 10_000),
    ];
    let mut table = Table::new("Assumptions: making one against checking outright");
    let mut ratios = [Vec::new(), Vec::new()];
    for (protocol, size) in CASES.into_iter().filter(|(_, size)| !bench.quick || *size < 5) {
        let asked = protocol.questions(size);
        for case in Case::all(protocol, size, &asked)? {
            let (states, outright) = timed(|| case.check(&case.question));
            let (made, making) = case.make(bench, InitialAbstraction::Trivial);
            let (basic, without) = case.make(bench, InitialAbstraction::Discrete);
            if case.holds {
                let own = [making, without].map(|time| time / outright);
                ratios.iter_mut().zip(own).for_each(|(ratios, ratio)| ratios.push(ratio));
            }
            let at_least = if made.is_some() { "" } else { "> " };
            let made = made.or(basic).ok_or_else(|| case.unfinished())?;
            let replaced = case.replaced(&made)?;
            let (fewer, again) = timed(|| case.check(&replaced));
            table.row(row![
                case.protocol,
                case.name,
                verdict(case.holds),
                case.states(),
                made.equivalence.count,
                states?,
                readable(outright),
                format!("{at_least}{}", readable(making)),
                format!("{at_least}{:.2}", making / outright),
                readable(without),
                format!("{:.2}", without / outright),
                fewer?,
                readable(again),
                format!("{:.0} %", 100.0 * (1.0 - again / outright)),
            ]);
        }
    }
    for (name, ratios) in ["with abstraction", "without"].into_iter().zip(ratios) {
        let (mean, most) = (geometric_mean(&ratios), greatest(ratios));
        table.note(format!(
            "Making A by checking, {name}, where the property holds: {mean:.2} in the geometric mean, {most:.2} at most."
        ));
    }
    Ok(vec![table])
}

/// Time as N grows and M and P do not.
fn growth(bench: &Bench) -> io::Result<Vec<Table>> {
    // Three states of N each: 10² to 10⁵.
    const ENTRIES: [u32; 7] = [34, 100, 334, 1_000, 3_334, 10_000, 33_334];
    let mut table = Table::new("Assumptions: growth in N with M and P fixed");
    let most = bench.scaled(40_000);
    let sizes = ENTRIES.into_iter().filter(|entries| *entries < most);
    let asked: Vec<_> = sizes.map(|size| (size, Protocol::Log.questions(size))).collect();
    for (number, (name, ..)) in asked[0].1.safeties.iter().enumerate() {
        let mut points = Vec::new();
        for (size, asked) in &asked {
            let case = Case::all(Protocol::Log, *size, asked)?.swap_remove(number);
            let (made, making) = case.make(bench, InitialAbstraction::Trivial);
            let made = made.ok_or_else(|| case.unfinished())?;
            let (_, basic) = case.make(bench, InitialAbstraction::Discrete);
            let (checked, outright) = timed(|| case.check(&case.question));
            checked?;
            points.push((case.states() as f64, making));
            table.row(row![
                name,
                case.states(),
                made.equivalence.count,
                readable(making),
                format!("{:.0} ns", making * 1e9 / case.states() as f64),
                readable(basic),
                readable(outright),
            ]);
        }
        let exponent = exponent(&points).unwrap_or(f64::NAN);
        table.note(format!("{name}: fitted exponent of time in N: {exponent:.2}."));
    }
    table.note("Medians in one process.");
    Ok(vec![table])
}

/// Spin on Promela models, and on the same with an assumption for one process.
fn spin(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table =
        Table::new("Assumptions: Spin on a model, and on it with an assumption in place");
    let Some(spin) = on_path("spin") else {
        table.note("Spin is not on PATH.");
        return Ok(vec![table]);
    };
    let folder = bench.inputs.join("spin");
    fs::create_dir_all(&folder)?;
    let folder = fs::canonicalize(folder)?;
    let files = fs::read_dir("examples/promela")?.map(|entry| fs::canonicalize(entry?.path()));
    let mut models = files.collect::<io::Result<Vec<PathBuf>>>()?;
    models.retain(|path| path.extension().is_some_and(|ending| ending == "pml"));
    models.sort();
    let mut refused = Vec::new();
    for model in models {
        let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let written = folder.join("assumed.pml");
        let Some((process, made)) = assumption(bench, &model, &written)? else {
            refused.push(name);
            continue;
        };
        let [(states, errors, time), (fewer, errors_left, less)] = [
            search(&spin, &model, &folder, bench.patience())?,
            search(&spin, &written, &folder, bench.patience())?,
        ];
        if (errors > 0) != (errors_left > 0) {
            return Err(io::Error::other(format!("{name}: the assumption changes Spin's verdict")));
        }
        let (own, small) = (&made["states"], &made["assumption_states"]);
        let (holds, time, less) = (verdict(errors == 0), readable(time), readable(less));
        table.row(row![name, process, own, small, holds, states, fewer, time, less]);
    }
    if !refused.is_empty() {
        table.note(format!("No assumption can be made or written for: {}.", refused.join(", ")));
    }
    Ok(vec![table])
}

/// An assumption for the largest process that Promela has a place for. Asks for all processes first, which names them,
/// the largest first.
fn assumption(bench: &Bench, model: &Path, written: &Path) -> io::Result<Option<(String, Value)>> {
    let (file, output) = (model.to_string_lossy(), written.to_string_lossy());
    let ask = |process: &str, more: &[&str]| -> io::Result<Option<Value>> {
        let args = ["assume", &*file, "--process", process, "--json", "--quiet"];
        let run = measure(&bench.tertium, &[&args, more].concat(), bench.patience(), true)?;
        Ok(run.and_then(|run| serde_json::from_str(&run.output).ok()))
    };
    let Some(all) = ask("all", &[])? else { return Ok(None) };
    for part in all["assumptions"].as_array().into_iter().flatten() {
        let process = part["process"].as_str().unwrap_or_default();
        _ = fs::remove_file(written);
        let asked = ask(process, &["-o", &output])?;
        if let Some(mut answer) = asked.filter(|_| written.exists()) {
            return Ok(Some((process.to_owned(), answer["assumptions"][0].take())));
        }
    }
    Ok(None)
}

/// Makes a verifier of a model and runs it: states, errors and seconds.
fn search(
    spin: &Path,
    model: &Path,
    folder: &Path,
    limit: Duration,
) -> io::Result<(u64, u64, f64)> {
    let run = |program: &Path, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        let wrong =
            || io::Error::other(format!("{} fails on {}", program.display(), model.display()));
        command.status()?.success().then_some(()).ok_or_else(wrong)
    };
    // Spin calls the preprocessor of C, which now and then fails on a busy machine.
    let translate = || run(spin, &["-a", &model.to_string_lossy()]);
    (0..4).find_map(|_| translate().ok()).map_or_else(translate, Ok)?;
    run(Path::new("gcc"), &["-O2", "-w", "-DSAFETY", "-o", "pan", "pan.c"])?;
    // It leaves the way to an error where it is run.
    let script = format!("cd '{}' && exec ./pan -E -m1000000", folder.display());
    let searched = measure(Path::new("/bin/sh"), &["-c", &script], limit, true)?
        .ok_or_else(|| io::Error::other("the verifier takes too long"))?;
    let line = |mark: &str| searched.output.lines().find(|line| line.contains(mark));
    let states = line("states, stored").and_then(|line| line.split_whitespace().next());
    let errors = line("errors:").and_then(|line| line.split_whitespace().last());
    let number = |text: Option<&str>| {
        let number = text.and_then(|text| text.parse::<f64>().ok()).map(|number| number as u64);
        number.ok_or_else(|| io::Error::other("the verifier has said nothing of it"))
    };
    Ok((number(states)?, number(errors)?, searched.seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_keep_the_verdict_and_a_wrong_one_is_seen() {
        let asked = Protocol::AlternatingBit.questions(2);
        for mut case in Case::all(Protocol::AlternatingBit, 2, &asked).unwrap() {
            let states = case.check(&case.question).unwrap();
            let made = [InitialAbstraction::Trivial, InitialAbstraction::Discrete].map(|start| {
                assume::synthesise(&case.question, &request(start), &Monitor::new(), None)
            });
            assert_eq!(made[0].equivalence.count, made[1].equivalence.count);
            let fewer = case.check(&case.replaced(&made[0]).unwrap()).unwrap();
            assert!(fewer <= states, "{fewer} {states}");
            case.holds = !case.holds;
            assert!(case.check(&case.question).is_err());
        }
    }
}
