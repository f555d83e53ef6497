//! Other tools, where they are on PATH.

use super::Bench;
use super::process::{Run, measure, on_path};
use crate::inputs::system::Network;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// How long somebody takes.
#[derive(Clone, Copy)]
pub enum Time {
    Took(f64),
    TooLong,
    /// The program is missing.
    NotThere,
}

impl Time {
    pub fn shown(self, limit: u32) -> String {
        match self {
            Time::Took(time) => super::table::seconds(time),
            Time::TooLong => format!("over {limit} s"),
            Time::NotThere => "not there".to_owned(),
        }
    }

    /// How many times as long another takes.
    pub fn compared(self, other: Time, limit: u32) -> String {
        let limit = f64::from(limit);
        let ratio = |value: f64| {
            if value < 10.0 { format!("{value:.2}") } else { format!("{value:.0}") }
        };
        match (self, other) {
            (Time::Took(ours), Time::Took(other)) => ratio(other / ours),
            (Time::Took(ours), Time::TooLong) => format!("> {}", ratio(limit / ours)),
            (Time::TooLong, Time::Took(other)) => format!("< {}", ratio(other / limit)),
            _ => String::new(),
        }
    }
}

/// Of pairs of our time and another's: `faster than mCRL2 in 3 of 4, slower in 1`
pub fn faster_than(name: &str, pairs: &[(Time, Time)]) -> String {
    let (mut faster, mut slower) = (0, 0);
    for pair in pairs {
        match *pair {
            (Time::Took(ours), Time::Took(other)) if other < ours => slower += 1,
            (Time::Took(_), Time::Took(_) | Time::TooLong) => faster += 1,
            (Time::TooLong, Time::Took(_)) => slower += 1,
            _ => {}
        }
    }
    format!("faster than {name} in {faster} of {}, slower in {slower}", pairs.len())
}

/// mCRL2's `lts2pbes` and `pbessolve` on an LTS: the time, and the larger peak of the two. A verdict other than the
/// one that is known is an error.
pub fn mcrl2(
    bench: &Bench,
    lts: &str,
    formula: &str,
    known: &str,
    limit: Duration,
) -> io::Result<(Time, u64)> {
    let (Some(lts2pbes), Some(pbessolve)) = (on_path("lts2pbes"), on_path("pbessolve")) else {
        return Ok((Time::NotThere, 0));
    };
    let path = |name: &str| bench.inputs.join(name).to_string_lossy().into_owned();
    let (actions, text, pbes) = (path("actions.mcrl2"), path("formula.mcf"), path("formula.pbes"));
    let names: Vec<String> = (0..8).map(|action| format!("a{action}")).collect();
    fs::write(&actions, format!("act {};\n", names.join(",")))?;
    fs::write(&text, formula)?;
    let mut args = vec!["-q", "-f", &text, lts, &pbes];
    if lts.ends_with(".aut") {
        args.splice(1..1, ["-D", &actions]);
    }
    let Some(first) = measure(&lts2pbes, &args, limit, false)? else {
        return Ok((Time::TooLong, 0));
    };
    let Some(second) = measure(&pbessolve, &["-q", &pbes], limit, false)? else {
        return Ok((Time::TooLong, 0));
    };
    let verdict = second.output.trim();
    if verdict != known {
        return Err(io::Error::other(format!("{formula}: mCRL2 says `{verdict}`")));
    }
    Ok((Time::Took(first.seconds + second.seconds), first.peak_bytes.max(second.peak_bytes)))
}

/// Makes one LTS of a network, for mCRL2: its path, and the time of `ltscombine`.
pub fn combine(network: &Network, limit: Duration) -> io::Result<(String, Time)> {
    let whole = network.path("whole.lts");
    let tools = ["mcrl22lps", "ltsconvert", "ltscombine"].map(on_path);
    let [Some(mcrl22lps), Some(ltsconvert), Some(ltscombine)] = tools else {
        return Ok((whole, Time::NotThere));
    };
    let run = |program: &Path, args: &[&str]| measure(program, args, limit, false);
    let lps = network.path("net.lps");
    run(&mcrl22lps, &["-q", &network.path("net.mcrl2"), &lps])?;
    let comm = format!("--comm={}", network.path("net.comm"));
    let allow = format!("--allow={}", network.path("net.allow"));
    let mut args = vec!["-q".to_owned(), comm, allow];
    for file in &network.files {
        let lts = file.with_extension("lts").to_string_lossy().into_owned();
        run(&ltsconvert, &["-q", "-l", &lps, &file.to_string_lossy(), &lts])?;
        args.push(lts);
    }
    args.push(whole.clone());
    let done = run(&ltscombine, &args.iter().map(String::as_str).collect::<Vec<_>>())?;
    Ok((whole, done.map_or(Time::TooLong, |run| Time::Took(run.seconds))))
}

/// Those of Oink's sequential solvers that its authors recommend for speed, and those that are the fastest on games that
/// were built to be hard.
pub const OINK: [&str; 7] = ["--tl", "--zlk", "--npp", "--fpi", "--fpj", "--ptl", "--rr"];
pub const OINK_LIMIT: &str = "5";

/// The least solving time of Oink, and with what.
pub fn oink(file: &str) -> io::Result<Option<(f64, String)>> {
    let Some(oink) = on_path("oink") else { return Ok(None) };
    let mut best: Option<(f64, String)> = None;
    for solver in OINK {
        for preprocessing in [None, Some("--no")] {
            let mut args = vec![solver, "-w", "-1", "-z", OINK_LIMIT];
            args.extend(preprocessing);
            args.push(file);
            let Some(run) = measure(&oink, &args, Duration::MAX, false)? else { continue };
            // `total solving time: 0.123 sec.`
            let reported =
                run.output.split_once("total solving time:").map_or("", |(_, rest)| rest);
            let time = reported.split_whitespace().next().and_then(|time| time.parse().ok());
            if let Some(time) = time.filter(|time| best.as_ref().is_none_or(|(b, _)| time < b)) {
                best = Some((
                    time,
                    format!("{solver} {}", preprocessing.unwrap_or("")).trim().to_owned(),
                ));
            }
        }
    }
    Ok(best)
}

pub type Options = &'static [&'static str];

/// Of NuSMV: without a counterexample, as we give none either; with and without cone and reordering.
pub const NUSMV: [Options; 4] =
    [&["-dcx"], &["-dcx", "-coi"], &["-dcx", "-dynamic"], &["-dcx", "-coi", "-dynamic"]];

/// The fastest run of NuSMV that decides something. Options with which it takes too long are dropped.
pub fn nusmv(
    bench: &Bench,
    path: &str,
    options: &mut Vec<Options>,
) -> io::Result<Option<(Run, Options)>> {
    let mut best: Option<(Run, Options)> = None;
    let Some(nusmv) = on_path("NuSMV") else { return Ok(None) };
    for tried in std::mem::take(options) {
        let Some(run) = best_of(bench, &nusmv, &[tried, &[path]].concat())? else { continue };
        options.push(tried);
        let is_better = best.as_ref().is_none_or(|(best, _)| run.seconds < best.seconds);
        if is_better && !verdicts(&run.output).is_empty() {
            best = Some((run, tried));
        }
    }
    Ok(best)
}

/// The fastest of several runs, if one is short.
pub fn best_of(bench: &Bench, program: &Path, args: &[&str]) -> io::Result<Option<Run>> {
    let mut best = measure(program, args, bench.patience(), true)?;
    if best.as_ref().is_some_and(|run| run.seconds < 0.5) {
        for _ in 1..bench.either(5, 1) {
            let again = measure(program, args, bench.patience(), true)?;
            best = best.into_iter().chain(again).min_by(|a, b| a.seconds.total_cmp(&b.seconds));
        }
    }
    Ok(best)
}

/// The verdicts by the text that NuSMV prints, in its order.
pub fn reported_by_nusmv(output: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = output.lines().filter_map(|line| line.strip_prefix("-- "));
    lines
        .filter(|line| line.starts_with("specification") || line.starts_with("invariant"))
        .filter_map(|line| line.rsplit_once(" is "))
        .filter(|(_, value)| ["true", "false"].contains(value))
}

/// The verdicts, ordered by text.
pub fn verdicts(output: &str) -> BTreeMap<&str, &str> {
    reported_by_nusmv(output).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read() {
        let output = "*** NuSMV\n-- specification AG p  is true\n-- invariant x is y is false\n-- as demonstrated\n";
        let found: Vec<_> = verdicts(output).into_iter().collect();
        assert_eq!(found, [("invariant x is y", "false"), ("specification AG p ", "true")]);
    }

    #[test]
    fn wins_losses_and_limits() {
        use Time::{NotThere, TooLong, Took};
        let pairs = [
            (Took(2.0), Took(30.0), "15"),
            (Took(2.0), Took(1.0), "0.50"),
            (Took(2.0), TooLong, "> 30"),
            (TooLong, Took(6.0), "< 0.10"),
            (TooLong, TooLong, ""),
            (Took(2.0), NotThere, ""),
        ];
        for (ours, other, shown) in pairs {
            assert_eq!(ours.compared(other, 60), shown);
        }
        let pairs = pairs.map(|(ours, other, _)| (ours, other));
        assert_eq!(faster_than("m", &pairs), "faster than m in 2 of 6, slower in 2");
    }
}
