//! SMV files as they are found, module by module and as a whole, with NuSMV's verdicts.

use super::super::Bench;
use super::super::process::Run;
use super::super::smv::{self, OPTIONS, best_of, files, verdicts};
use super::super::table::{Table, geometric_mean, list, megabytes, readable};
use super::NOTHING;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Less than this in either direction is neither a gain nor a loss.
const NOTICEABLE: f64 = 1.2;

pub fn table(bench: &Bench, folder: &Path) -> io::Result<Table> {
    let head = [
        "file",
        "verdicts as NuSMV",
        "compositional",
        "symbolic",
        "symbolic / compositional",
        "NuSMV's best",
        "memory",
        "symbolic",
    ];
    let mut table = Table::new("Composition: SMV files, by modules and as a whole", &head);
    let mut summary = Summary::default();
    for file in files(folder)? {
        let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        match Row::measure(bench, &file)? {
            None => summary.left_out += 1,
            Some(row) => {
                summary.count(&name, &row);
                table.row(row.cells(&name));
            }
        }
    }
    summary.notes(bench, &mut table);
    Ok(table)
}

struct Row {
    compositional: Option<Run>,
    symbolic: Option<Run>,
    nusmv: Option<Run>,
}

impl Row {
    /// `None` if there is nothing in the file that can be checked.
    fn measure(bench: &Bench, file: &Path) -> io::Result<Option<Self>> {
        let path = file.to_string_lossy();
        let ask = |flags: &[&str]| {
            let common = ["check", "--no-progress", "--format", "nusmv", &path];
            best_of(bench, &bench.tools.tertium, &[&common, flags].concat())
        };
        let symbolic = ask(&["--method", "symbolic"])?;
        if symbolic.as_ref().is_some_and(|run| verdicts(&run.output).is_empty()) {
            return Ok(None);
        }
        let compositional = ask(&["--components", "auto", "--method", "compositional"])?;
        let nusmv = smv::nusmv(bench, &path, &mut OPTIONS.to_vec())?.map(|(run, _)| run);
        Ok(Some(Self { compositional, symbolic, nusmv }))
    }

    /// Verdicts of the composition that NuSMV has as well, and how many of them are the same.
    fn agreement(&self) -> Option<[usize; 2]> {
        let known = verdicts(&self.nusmv.as_ref()?.output);
        let ours = decided(&self.compositional);
        let common = ours.iter().filter(|(text, _)| known.contains_key(*text));
        let equal = common.clone().filter(|(text, value)| known.get(*text) == Some(value));
        Some([equal.count(), common.count()])
    }

    /// How many times as long the whole takes, if both have the same answers.
    fn gain(&self) -> Option<f64> {
        let both_decide = decided(&self.compositional) == decided(&self.symbolic);
        let (ours, whole) = (self.compositional.as_ref()?, self.symbolic.as_ref()?);
        both_decide.then_some(whole.seconds / ours.seconds)
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let none = || NOTHING.to_owned();
        let [ours, whole, theirs] = [&self.compositional, &self.symbolic, &self.nusmv];
        let time = |run: &Option<Run>| run.as_ref().map_or_else(none, |r| readable(r.seconds));
        let memory =
            |run: &Option<Run>| run.as_ref().map_or_else(none, |r| megabytes(r.peak_bytes));
        let agreement =
            self.agreement().map_or_else(none, |[equal, common]| format!("{equal} of {common}"));
        let gain = self.gain().map_or_else(none, |gain| format!("{gain:.2}"));
        let times = [time(ours), time(whole), gain, time(theirs)];
        [format!("`{name}`"), agreement]
            .into_iter()
            .chain(times)
            .chain([ours, whole].map(memory))
            .collect()
    }
}

fn decided(run: &Option<Run>) -> BTreeMap<&str, &str> {
    run.as_ref().map(|run| verdicts(&run.output)).unwrap_or_default()
}

/// `2 files: a, b`
fn several(names: &[String]) -> String {
    match names {
        [] => "no file".to_owned(),
        _ => format!("{} files: {}", names.len(), names.join(", ")),
    }
}

#[derive(Default)]
struct Summary {
    ratios: Vec<f64>,
    /// With how many times as long the whole takes.
    gains: Vec<(String, f64)>,
    losses: Vec<(String, f64)>,
    only_by_modules: Vec<String>,
    only_as_a_whole: Vec<String>,
    different: Vec<String>,
    left_out: usize,
}

impl Summary {
    fn count(&mut self, name: &str, row: &Row) {
        let name = || name.to_owned();
        if row.agreement().is_some_and(|[equal, common]| equal < common) {
            self.different.push(name());
        }
        let [ours, whole] = [&row.compositional, &row.symbolic].map(|run| decided(run).len());
        match row.gain() {
            Some(gain) => {
                self.ratios.push(gain);
                if gain >= NOTICEABLE {
                    self.gains.push((name(), gain));
                } else if gain <= 1.0 / NOTICEABLE {
                    self.losses.push((name(), gain));
                }
            }
            None if ours > whole => self.only_by_modules.push(name()),
            None if ours < whole => self.only_as_a_whole.push(name()),
            None => {}
        }
    }

    fn notes(&self, bench: &Bench, table: &mut Table) {
        if !self.ratios.is_empty() {
            table.note(format!(
                "Over the {} files that both decide within {} s the whole takes {:.2} times as long as the \
                 modules, in the geometric mean.",
                self.ratios.len(),
                bench.limit,
                geometric_mean(&self.ratios)
            ));
        }
        let ratios = |files: &[(String, f64)]| -> Vec<String> {
            files.iter().map(|(name, gain)| format!("`{name}` ({gain:.2})")).collect()
        };
        table.note(format!("Faster by modules, in {}.", several(&ratios(&self.gains))));
        table.note(format!("Slower by modules, in {}.", several(&ratios(&self.losses))));
        table.note(format!(
            "More is decided by modules: {}. More as a whole: {}.",
            list(&self.only_by_modules),
            list(&self.only_as_a_whole)
        ));
        table.note(format!(
            "Other verdicts than NuSMV's: {}. Left out, with nothing in them that can be checked: {} files. \
             `--components auto --method compositional` against `--method symbolic`, whole process.",
            list(&self.different),
            self.left_out
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seconds: f64, verdict: &str) -> Option<Run> {
        let output = format!("-- specification AG p  is {verdict}\n");
        Some(Run { seconds, cpu_seconds: seconds, peak_bytes: 0, output })
    }

    #[test]
    fn gains_losses_and_what_only_one_decides() {
        let mut summary = Summary::default();
        let row =
            |compositional, symbolic| Row { compositional, symbolic, nusmv: run(1.0, "true") };
        summary.count("gain", &row(run(1.0, "true"), run(2.0, "true")));
        summary.count("loss", &row(run(2.0, "true"), run(1.0, "true")));
        summary.count("even", &row(run(1.0, "true"), run(1.1, "true")));
        summary.count("late", &row(None, run(1.0, "true")));
        summary.count("wrong", &row(run(1.0, "false"), run(1.0, "true")));
        assert_eq!(summary.gains, [("gain".to_owned(), 2.0)]);
        assert_eq!(summary.losses, [("loss".to_owned(), 0.5)]);
        assert_eq!(summary.only_as_a_whole, ["late"]);
        assert_eq!(summary.different, ["wrong"]);
    }
}
