//! Designs of many modules in SMV: what it costs to decide module by module, against the whole and against
//! NuSMV.

mod files;
mod global;
mod growth;
mod width;

use super::Bench;
use super::families::{Way, ask_about};
use super::figures::Figures;
use super::smv::{self, Options};
use super::table::readable;
use crate::families::{self, Family, Formula, Question, Wish};
use std::fs;
use std::io;
use std::path::PathBuf;

pub use files::table as files;
pub use global::table as global;
pub use growth::tables as growth;
pub use width::table as width;

const SIZES: [u32; 6] = [4, 8, 16, 32, 64, 128];

fn sizes(bench: &Bench) -> &'static [u32] {
    if bench.divisor == 1 { &SIZES } else { &SIZES[..5] }
}

/// One question to one design, which has a file of its own: of that NuSMV is asked nothing else either.
struct Case<'a> {
    bench: &'a Bench,
    question: &'a Question,
    formula: Formula,
    size: u32,
    path: PathBuf,
}

/// What one answer costs.
#[derive(Clone, Default)]
struct Cost {
    /// Processor time of the whole process, reading included.
    cpu: f64,
    peak_bytes: u64,
    /// Nothing of NuSMV.
    figures: Figures,
}

impl<'a> Case<'a> {
    fn new(
        bench: &'a Bench,
        family: Family,
        question: &'a Question,
        broken: bool,
        size: u32,
        data: Option<u32>,
    ) -> io::Result<Self> {
        let formula = families::formulas(family, size)
            .into_iter()
            .find(|formula| formula.name == question.name)
            .ok_or_else(|| io::Error::other(format!("no formula for `{}`", question.name)))?;
        let wish = Wish { smv: true, data, ..Wish::new(family, size, broken) };
        let end = if broken { "-broken" } else { "" };
        let width = data.map_or(String::new(), |width| format!("-{width}"));
        let file = format!("{}-{size}{width}{end}-{}.smv", family.name(), formula.label);
        let path = bench.inputs.join(file);
        fs::write(&path, families::make_smv(&wish, |asked| asked.name == formula.name))?;
        Ok(Self { bench, question, formula, size, path })
    }

    /// `None` if there is no answer in the time that it has.
    fn ask(&self, method: &str) -> io::Result<Option<Cost>> {
        let path = self.path.to_string_lossy();
        let mut input = vec![&*path];
        if !self.formula.is_ctl {
            input.extend(["--mu", &self.formula.text]);
        }
        let runs = if self.bench.divisor == 1 { 3 } else { 1 };
        let way = Way { method, limit: self.bench.limit, runs };
        let sample = ask_about(self.bench, &input, self.question, way)?;
        let is_definite = sample.is_definite();
        let (cpu, peak_bytes, figures) = (sample.cpu, sample.peak_bytes, sample.figures);
        Ok(is_definite.then_some(Cost { cpu, peak_bytes, figures }))
    }

    /// The same of NuSMV with the best of some options. Options with which it takes too long are dropped.
    fn ask_nusmv(&self, options: &mut Vec<Options>) -> io::Result<Option<Cost>> {
        if !self.formula.is_ctl {
            return Ok(None);
        }
        let path = self.path.to_string_lossy();
        let Some((run, _)) = smv::nusmv(self.bench, &path, options)? else { return Ok(None) };
        let expected = self.question.holds.to_string();
        match smv::verdicts(&run.output).values().all(|verdict| *verdict == expected) {
            true => Ok(Some(Cost {
                cpu: run.cpu_seconds,
                peak_bytes: run.peak_bytes,
                ..Cost::default()
            })),
            false => Err(io::Error::other(format!("{path}: NuSMV does not say {expected}"))),
        }
    }
}

/// Of a sound member of the family and of a broken one, there of those that see the fault.
fn questions(family: Family) -> Vec<(bool, Question)> {
    // What is asked does not depend on the size, but for the number of the last part.
    const SMALL: u32 = 3;
    let of =
        |broken| families::questions(family, SMALL, broken).into_iter().map(move |q| (broken, q));
    of(false).chain(of(true).filter(|(_, question)| question.sees_the_fault)).collect()
}

/// How a table names a property.
fn name(broken: bool, question: &Question) -> String {
    format!("{}{}", question.name, if broken { " (broken)" } else { "" })
}

/// What nobody has told.
const NOTHING: &str = "–";

fn time(cost: Option<&Cost>) -> String {
    cost.map_or(NO_ANSWER.to_owned(), |cost| readable(cost.cpu))
}

const NO_ANSWER: &str = "no answer";

/// How many states: all digits of a small number, the magnitude of a large one.
fn states(count: Option<f64>) -> String {
    match count {
        None => NOTHING.to_owned(),
        Some(count) if count < 1e6 => format!("{count:.0}"),
        Some(count) => format!("{count:.1e}"),
    }
}

fn met(is_met: bool) -> String {
    if is_met { "met" } else { "missed" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_of_states_are_short() {
        let shown = [None, Some(0.0), Some(999_999.0), Some(1.5e40)].map(states);
        assert_eq!(shown, ["–", "0", "999999", "1.5e40"]);
    }

    #[test]
    fn a_broken_member_is_asked_what_sees_the_fault() {
        let asked = questions(Family::Msi);
        let broken: Vec<&str> =
            asked.iter().filter(|(broken, _)| *broken).map(|(_, question)| question.name).collect();
        assert_eq!(broken.len(), 2, "{broken:?}");
    }
}
