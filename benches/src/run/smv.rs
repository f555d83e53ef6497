//! SMV files, whole process: against NuSMV with the best of its options, and module by module against the whole.
//!
//! The files are those of NuSMV's distribution, which are not ours to keep: they are read from a folder,
//! where there is one. The examples of this repository are measured with them.

use super::Bench;
use super::peers::{NUSMV, best_of, nusmv, verdicts};
use super::process::{Run, on_path};
use super::table::{NOTHING, Table, geometric_mean, list, megabytes, or, readable, row};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// All SMV files of the folder and of the examples, by name.
fn files(bench: &Bench) -> io::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = vec![bench.smv.clone(), "examples".into()];
    open.retain(|path| path.is_dir());
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
    let name = |file: &Path| file.strip_prefix(&bench.smv).unwrap_or(file).display().to_string();
    Ok(found.iter().map(|file| (name(file), file.display().to_string())).collect())
}

fn check(bench: &Bench, file: &str, flags: &[&str]) -> io::Result<Option<Run>> {
    let common = ["check", "--no-progress", "--format", "nusmv", file];
    best_of(bench, &bench.tertium, &[&common, flags].concat())
}

fn decided(run: Option<&Run>) -> BTreeMap<&str, &str> {
    run.map(|run| verdicts(&run.output)).unwrap_or_default()
}

/// Verdicts that both have, and how many of them are the same.
fn agreement(ours: Option<&Run>, theirs: Option<&Run>) -> (usize, usize) {
    let (ours, theirs) = (decided(ours), decided(theirs));
    let common = ours.iter().filter(|(text, _)| theirs.contains_key(*text));
    let equal = common.clone().filter(|(text, value)| theirs.get(*text) == Some(value));
    (equal.count(), common.count())
}

fn time(run: Option<&Run>, none: &str) -> String {
    or(run.map(|run| readable(run.seconds)), none)
}

fn memory(run: Option<&Run>, none: &str) -> String {
    or(run.map(|run| megabytes(run.peak_bytes)), none)
}

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("SMV files, whole process, against NuSMV");
    let (mut ratios, mut memories, mut refused) = (Vec::new(), Vec::new(), 0);
    let [mut slower, mut only_ours, mut neither, mut different] = [const { Vec::new() }; 4];
    let has_rival = on_path("NuSMV").is_some();
    for (name, file) in files(bench)? {
        let ours = check(bench, &file, &[])?;
        let mut options = NUSMV.to_vec();
        let is_out_of_scope =
            |run: &Run| verdicts(&run.output).is_empty() && run.output.contains("is not supported");
        let is_refused = ours.as_ref().is_some_and(is_out_of_scope);
        let theirs = if is_refused { None } else { nusmv(bench, &file, &mut options)? };
        // Otherwise it has nothing to check in it, or NuSMV does not read it.
        if is_refused || theirs.is_none() && has_rival && !options.is_empty() {
            refused += 1;
            continue;
        }
        let (ours, with) = (ours.as_ref(), theirs.as_ref().map(|(_, options)| options.join(" ")));
        let theirs = theirs.as_ref().map(|(run, _)| run);
        let (equal, common) = agreement(ours, theirs);
        if equal < common {
            different.push(name.clone());
        }
        let both = ours.zip(theirs);
        let ratio = both.map(|(ours, theirs)| theirs.seconds / ours.seconds);
        match (ours.filter(|run| !verdicts(&run.output).is_empty()), theirs) {
            (Some(ours), Some(theirs)) => {
                ratios.extend(ratio);
                memories.push(ours.peak_bytes as f64 / theirs.peak_bytes as f64);
                if ours.seconds > 3.0 * theirs.seconds {
                    slower.push(name.clone());
                }
            }
            (Some(_), None) if has_rival => only_ours.push(name.clone()),
            (None, Some(_)) => slower.push(name.clone()),
            _ => neither.push(name.clone()),
        }
        table.row(row![
            format!("`{name}`"),
            match theirs {
                Some(_) if equal == common => format!("{common} equal"),
                Some(_) => format!("{equal} of {common} equal"),
                None => format!("{} of ours", decided(ours).len()),
            },
            time(ours, "—"),
            time(theirs, "—"),
            or(with.map(|options| format!("`{options}`")), "—"),
            or(ratio.map(|ratio| format!("{ratio:.1}")), "—"),
            memory(ours, "—"),
            memory(theirs, "—"),
        ]);
    }
    if !ratios.is_empty() {
        table.note(format!(
            "Over the {} files that both decide within {} s: NuSMV takes {:.1} times as long in the \
             geometric mean; Tertium takes {:.2} of its memory.",
            ratios.len(),
            bench.limit,
            geometric_mean(&ratios),
            geometric_mean(&memories)
        ));
    }
    let slower = list(&slower);
    table.note(format!("More than three times slower than NuSMV, or not decided: {slower}."));
    let (only_ours, neither) = (list(&only_ours), list(&neither));
    table.note(format!("Decided by Tertium only: {only_ours}. By neither: {neither}."));
    table.fill("different", list(&different));
    table.fill("refused", refused);
    table.fill("runs", bench.either(5, 1));
    Ok(vec![table])
}

/// Less than this in either direction is neither a gain nor a loss.
const NOTICEABLE: f64 = 1.2;

/// As they are found, module by module and as a whole, with NuSMV's verdicts.
pub fn by_modules(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Composition: SMV files, by modules and as a whole");
    let (mut ratios, mut left_out) = (Vec::new(), 0);
    let [mut gains, mut losses, mut more, mut fewer, mut different] = [const { Vec::new() }; 5];
    for (name, file) in files(bench)? {
        let whole = check(bench, &file, &["--method", "symbolic"])?;
        if whole.as_ref().is_some_and(|run| verdicts(&run.output).is_empty()) {
            left_out += 1;
            continue;
        }
        let by_modules = ["--components", "auto", "--method", "compositional"];
        let ours = check(bench, &file, &by_modules)?;
        let theirs = nusmv(bench, &file, &mut NUSMV.to_vec())?.map(|(run, _)| run);
        let (ours, whole, theirs) = (ours.as_ref(), whole.as_ref(), theirs.as_ref());
        let (equal, common) = agreement(ours, theirs);
        if equal < common {
            different.push(name.clone());
        }
        // How many times as long the whole takes, if both have the same answers.
        let gain = ours.zip(whole).map(|(ours, whole)| whole.seconds / ours.seconds);
        let gain = gain.filter(|_| decided(ours) == decided(whole));
        ratios.extend(gain);
        match gain {
            Some(gain) if gain >= NOTICEABLE => gains.push(format!("`{name}` ({gain:.2})")),
            Some(gain) if gain <= 1.0 / NOTICEABLE => losses.push(format!("`{name}` ({gain:.2})")),
            None if decided(ours).len() > decided(whole).len() => more.push(name.clone()),
            None if decided(ours).len() < decided(whole).len() => fewer.push(name.clone()),
            _ => {}
        }
        table.row(row![
            format!("`{name}`"),
            or(theirs.map(|_| format!("{equal} of {common}")), NOTHING),
            time(ours, NOTHING),
            time(whole, NOTHING),
            super::table::ratio(gain, NOTHING),
            time(theirs, NOTHING),
            memory(ours, NOTHING),
            memory(whole, NOTHING),
        ]);
    }
    if !ratios.is_empty() {
        table.note(format!(
            "Over the {} files that both decide within {} s the whole takes {:.2} times as long as the \
             modules, in the geometric mean.",
            ratios.len(),
            bench.limit,
            geometric_mean(&ratios)
        ));
    }
    let several = |names: &[String]| match names {
        [] => "no file".to_owned(),
        _ => format!("{} files: {}", names.len(), names.join(", ")),
    };
    table.note(format!("Faster by modules, in {}.", several(&gains)));
    table.note(format!("Slower by modules, in {}.", several(&losses)));
    let (more, fewer) = (list(&more), list(&fewer));
    table.note(format!("More is decided by modules: {more}. More as a whole: {fewer}."));
    table.fill("different", list(&different));
    table.fill("left_out", left_out);
    Ok(vec![table])
}
