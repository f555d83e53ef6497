//! SMV files, whole process, against NuSMV with the best of its options.
//!
//! The files are those of NuSMV's distribution, which are not ours to keep: they are read from a folder,
//! where there is one. The examples of this repository are measured with them.

use super::Bench;
use super::process::{Run, measure_quietly};
use super::table::{Table, geometric_mean, list, megabytes, readable};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Without a counterexample, as we give none either; with and without cone and reordering.
pub const OPTIONS: [Options; 4] =
    [&["-dcx"], &["-dcx", "-coi"], &["-dcx", "-dynamic"], &["-dcx", "-coi", "-dynamic"]];

pub type Options = &'static [&'static str];

/// Runs that are shorter than this are repeated.
const SHORT: f64 = 0.5;
const REPETITIONS: usize = 5;

pub fn table(bench: &Bench, folder: &Path) -> io::Result<Table> {
    let mut table = Table::new(
        "SMV files, whole process, against NuSMV",
        &[
            "file",
            "verdicts",
            "Tertium",
            "NuSMV's best",
            "with",
            "NuSMV / Tertium",
            "memory",
            "NuSMV's",
        ],
    );
    let mut summary = Summary::default();
    for file in files(folder)? {
        let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        if let Some(row) = measure_file(bench, &file, &name, &mut summary)? {
            table.row(row);
        }
    }
    summary.notes(&mut table, bench);
    Ok(table)
}

/// All SMV files of the folder and of the examples.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = [folder, Path::new("examples")]
        .into_iter()
        .filter(|path| path.is_dir())
        .map(Path::to_owned)
        .collect();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "smv") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[derive(Default)]
struct Summary {
    ratios: Vec<f64>,
    memory: Vec<f64>,
    slower: Vec<String>,
    only_ours: Vec<String>,
    neither: Vec<String>,
    refused: usize,
    different: Vec<String>,
}

fn measure_file(
    bench: &Bench,
    file: &Path,
    name: &str,
    summary: &mut Summary,
) -> io::Result<Option<Vec<String>>> {
    let path = file.to_string_lossy();
    let check = ["check", "--no-progress", "--format", "nusmv", &path];
    let ours = best_of(bench, &bench.tools.tertium, &check)?;
    if ours.as_ref().is_some_and(|run| is_out_of_scope(&run.output)) {
        summary.refused += 1;
        return Ok(None);
    }
    let mut options = OPTIONS.to_vec();
    let theirs = nusmv(bench, &path, &mut options)?;
    let has_ended = bench.tools.nusmv.is_some() && !options.is_empty();
    if theirs.is_none() && has_ended {
        // It has nothing to check in it, or NuSMV does not read it.
        summary.refused += 1;
        return Ok(None);
    }
    Ok(Some(summary.row(name, ours, theirs, bench.tools.nusmv.is_some())))
}

/// The fastest run of NuSMV that decides something. Options with which it takes too long are dropped.
pub fn nusmv(
    bench: &Bench,
    path: &str,
    options: &mut Vec<Options>,
) -> io::Result<Option<(Run, Options)>> {
    let mut best: Option<(Run, Options)> = None;
    let Some(nusmv) = &bench.tools.nusmv else { return Ok(None) };
    for tried in std::mem::take(options) {
        let args: Vec<&str> = tried.iter().copied().chain([path]).collect();
        let Some(run) = best_of(bench, nusmv, &args)? else { continue };
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
    let limit = Duration::from_secs(bench.limit.into());
    let mut best = measure_quietly(program, args, limit)?;
    if best.as_ref().is_some_and(|run| run.seconds < SHORT) {
        for _ in 1..repetitions(bench) {
            let again = measure_quietly(program, args, limit)?;
            best = best.into_iter().chain(again).min_by(|a, b| a.seconds.total_cmp(&b.seconds));
        }
    }
    Ok(best)
}

/// Of runs that are short.
fn repetitions(bench: &Bench) -> usize {
    if bench.divisor == 1 { REPETITIONS } else { 1 }
}

/// Whether nothing in the file is in a logic that is supported.
fn is_out_of_scope(output: &str) -> bool {
    verdicts(output).is_empty() && output.contains("is not supported")
}

/// What is true and what is false, by the text that NuSMV prints.
pub fn verdicts(output: &str) -> BTreeMap<&str, &str> {
    let lines = output.lines().filter_map(|line| line.strip_prefix("-- "));
    lines
        .filter(|line| line.starts_with("specification") || line.starts_with("invariant"))
        .filter_map(|line| line.rsplit_once(" is "))
        .filter(|(_, value)| ["true", "false"].contains(value))
        .collect()
}

impl Summary {
    fn row(
        &mut self,
        name: &str,
        ours: Option<Run>,
        theirs: Option<(Run, Options)>,
        has_rival: bool,
    ) -> Vec<String> {
        let decided = ours.as_ref().map(|run| verdicts(&run.output)).unwrap_or_default();
        let known = theirs.as_ref().map(|(run, _)| verdicts(&run.output)).unwrap_or_default();
        let common = decided.iter().filter(|(text, _)| known.contains_key(*text)).count();
        let equal = decided.iter().filter(|(text, value)| known.get(*text) == Some(value)).count();
        if equal < common {
            self.different.push(name.to_owned());
        }
        let agreement = match theirs.is_some() {
            true if equal == common => format!("{common} equal"),
            true => format!("{equal} of {common} equal"),
            false => format!("{} of ours", decided.len()),
        };
        self.compare(
            name,
            ours.as_ref().filter(|_| !decided.is_empty()),
            theirs.as_ref(),
            has_rival,
        );
        let time = |run: &Run| readable(run.seconds);
        let none = || "—".to_owned();
        let of_theirs = theirs.as_ref().map(|(run, _)| run);
        let ratio =
            ours.as_ref().zip(of_theirs).map(|(ours, theirs)| theirs.seconds / ours.seconds);
        vec![
            format!("`{name}`"),
            agreement,
            ours.as_ref().map_or_else(none, time),
            of_theirs.map_or_else(none, time),
            theirs.as_ref().map_or_else(none, |(_, options)| format!("`{}`", options.join(" "))),
            ratio.map_or_else(none, |ratio| format!("{ratio:.1}")),
            ours.as_ref().map_or_else(none, |run| megabytes(run.peak_bytes)),
            of_theirs.map_or_else(none, |run| megabytes(run.peak_bytes)),
        ]
    }

    fn compare(
        &mut self,
        name: &str,
        ours: Option<&Run>,
        theirs: Option<&(Run, Options)>,
        has_rival: bool,
    ) {
        match (ours, theirs) {
            (Some(ours), Some((theirs, _))) => {
                self.ratios.push(theirs.seconds / ours.seconds);
                self.memory.push(ours.peak_bytes as f64 / theirs.peak_bytes as f64);
                if ours.seconds > 3.0 * theirs.seconds {
                    self.slower.push(name.to_owned());
                }
            }
            (Some(_), None) if has_rival => self.only_ours.push(name.to_owned()),
            (None, Some(_)) => self.slower.push(name.to_owned()),
            _ => self.neither.push(name.to_owned()),
        }
    }

    fn notes(&self, table: &mut Table, bench: &Bench) {
        if !self.ratios.is_empty() {
            table.note(format!(
                "Over the {} files that both decide within {} s: NuSMV takes {:.1} times as long in the \
                 geometric mean; Tertium takes {:.2} of its memory.",
                self.ratios.len(),
                bench.limit,
                geometric_mean(&self.ratios),
                geometric_mean(&self.memory)
            ));
        }
        table.note(format!(
            "More than three times slower than NuSMV, or not decided: {}.",
            list(&self.slower)
        ));
        table.note(format!(
            "Decided by Tertium only: {}. By neither: {}.",
            list(&self.only_ours),
            list(&self.neither)
        ));
        table.note(format!(
            "Other verdicts than NuSMV's: {}. Left out, as NuSMV refuses them or there is no CTL and no invariant \
             in them: {} files. Short runs are the best of {}.",
            list(&self.different),
            self.refused,
            repetitions(bench)
        ));
    }
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
}
