//! Networks of Aldebaran files, by components, composed, and by mCRL2: `ltscombine`, `lts2pbes` and
//! `pbessolve`. Whole processes, reading included.

use super::super::Bench;
use super::super::process::measure_within;
use super::super::table::{Table, seconds};
use super::{Way, ask_about};
use crate::families::{self, Family, Question};
use crate::network::{self, Network};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Those whose components have actions.
const FAMILIES: [Family; 2] = [Family::Philosophers, Family::ClientServer];

pub fn table(bench: &Bench) -> io::Result<Table> {
    let head = [
        "family",
        "n",
        "property",
        "verdict",
        "Tertium",
        "by",
        "Tertium, direct",
        "direct / Tertium",
        "mCRL2",
        "mCRL2 / Tertium",
    ];
    let mut table = Table::new("Families: networks of .aut files, against mCRL2", &head);
    let (sizes, limit): (&[u32], u32) =
        if bench.divisor == 1 { (&[4, 6, 64], 20) } else { (&[3], 5) };
    for family in FAMILIES {
        for &size in sizes {
            Round::new(bench, family, size, limit)?.fill(&mut table)?;
        }
    }
    table.note(format!(
        "The same files for all, made by `gen family NAME n --aut DIR`; the other four families have \
         propositions, which mCRL2 does not. Tertium chooses its method (`auto`). Whole processes, \
         {limit} s at most each. mCRL2 is the sum of `ltscombine`, `lts2pbes` and `pbessolve`; that it \
         reads networks only after `ltsconvert` has made .lts files of the .aut files is not counted. \
         The composition is the same for every property, so where it takes too long for one it is not \
         tried for the next."
    ));
    Ok(table)
}

/// One network.
struct Round<'a> {
    bench: &'a Bench,
    family: Family,
    size: u32,
    limit: u32,
    folder: PathBuf,
    network: Network,
}

/// What the composition took, or that it took too long.
#[derive(Clone, Copy)]
enum Combined {
    In(f64),
    TooLong,
    NotThere,
}

impl<'a> Round<'a> {
    fn new(bench: &'a Bench, family: Family, size: u32, limit: u32) -> io::Result<Self> {
        let folder = bench.inputs.join(format!("{}-{size}", family.name()));
        let wish = families::Wish { family, size, seed: 1, broken: false, aut: None };
        let (system, _) = families::read(&families::make(&wish));
        let network = network::write(&system, &folder)?;
        Ok(Self { bench, family, size, limit, folder, network })
    }

    fn fill(&self, table: &mut Table) -> io::Result<()> {
        let combined = self.combine()?;
        let mut direct_is_possible = true;
        for question in &families::questions(self.family, self.size, false) {
            let ours = self.ask("auto", question)?;
            let direct = match direct_is_possible {
                true => self.ask("direct", question)?,
                false => None,
            };
            direct_is_possible = direct.is_some();
            let rival = self.mcrl2(question, combined)?;
            table.row(self.row(question, ours, direct, rival));
        }
        Ok(())
    }

    fn row(
        &self,
        question: &Question,
        ours: Option<(f64, String)>,
        direct: Option<(f64, String)>,
        rival: Option<f64>,
    ) -> Vec<String> {
        let mut row = vec![self.family.name(), self.size.to_string(), question.name.to_owned()];
        row.push(question.holds.to_string());
        let time = ours.as_ref().map(|(time, _)| *time);
        let too_long = || format!("over {} s", self.limit);
        row.push(time.map_or_else(too_long, seconds));
        row.push(ours.map_or(String::new(), |(_, method)| method));
        let not_there = self.bench.tools.mcrl2().is_none() || self.bench.tools.combiners.is_none();
        let direct = direct.map(|(time, _)| time);
        for (other, is_there) in [(direct, true), (rival, !not_there)] {
            row.push(match other {
                _ if !is_there => "not there".to_owned(),
                Some(other) => seconds(other),
                None => too_long(),
            });
            row.push(compared(time, other.filter(|_| is_there), is_there, self.limit));
        }
        row
    }

    /// The time of the process and the method, if the answer comes in time.
    fn ask(&self, method: &str, question: &Question) -> io::Result<Option<(f64, String)>> {
        let paths = self.network.files.iter().chain([&self.network.sync]);
        let paths: Vec<String> = paths.map(|path| path.to_string_lossy().into_owned()).collect();
        let mut input: Vec<&str> = paths.iter().map(String::as_str).collect();
        input.insert(input.len() - 1, "--sync");
        input.extend(["--mcf", &question.mcf]);
        let way = Way { method, limit: self.limit, runs: 1 };
        let sample = ask_about(self.bench, &input, question, way)?;
        Ok(sample.is_definite().then(|| (sample.process, sample.figures.method.clone())))
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(self.limit.into())
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_string_lossy().into_owned()
    }

    /// Makes one LTS of the network, for mCRL2.
    fn combine(&self) -> io::Result<Combined> {
        let Some(tools) = &self.bench.tools.combiners else { return Ok(Combined::NotThere) };
        let run = |program: &Path, args: &[&str]| measure_within(program, args, self.limit());
        let lps = self.path("net.lps");
        run(&tools.mcrl22lps, &["-q", &self.network.actions.to_string_lossy(), &lps])?;
        let mut components = Vec::new();
        for file in &self.network.files {
            let lts = file.with_extension("lts").to_string_lossy().into_owned();
            run(&tools.ltsconvert, &["-q", "-l", &lps, &file.to_string_lossy(), &lts])?;
            components.push(lts);
        }
        let comm = format!("--comm={}", self.network.comm.display());
        let allow = format!("--allow={}", self.network.allow.display());
        let whole = self.whole();
        let mut args = vec!["-q", &comm, &allow];
        args.extend(components.iter().map(String::as_str));
        args.push(&whole);
        let done = run(&tools.ltscombine, &args)?;
        Ok(done.map_or(Combined::TooLong, |run| Combined::In(run.seconds)))
    }

    fn whole(&self) -> String {
        self.path("whole.lts")
    }

    /// The time of all three programs, if each answers in time.
    fn mcrl2(&self, question: &Question, combined: Combined) -> io::Result<Option<f64>> {
        let Some((lts2pbes, pbessolve)) = self.bench.tools.mcrl2() else { return Ok(None) };
        let Combined::In(time) = combined else { return Ok(None) };
        let (text, pbes) = (self.path("formula.mcf"), self.path("formula.pbes"));
        fs::write(&text, &question.mcf)?;
        let args = ["-q", "-f", &text, &self.whole(), &pbes];
        let Some(first) = measure_within(lts2pbes, &args, self.limit())? else { return Ok(None) };
        let Some(second) = measure_within(pbessolve, &["-q", &pbes], self.limit())? else {
            return Ok(None);
        };
        if second.output.trim() != question.holds.to_string() {
            let (name, verdict) = (question.name, second.output.trim());
            return Err(io::Error::other(format!("{name}: mCRL2 says `{verdict}`")));
        }
        Ok(Some(time + first.seconds + second.seconds))
    }
}

/// How many times as long the other takes.
fn compared(ours: Option<f64>, other: Option<f64>, is_there: bool, limit: u32) -> String {
    match (ours, other) {
        _ if !is_there => String::new(),
        (Some(ours), Some(other)) => ratio(other / ours),
        (Some(ours), None) => format!("> {}", ratio(f64::from(limit) / ours)),
        (None, Some(other)) => format!("< {}", ratio(other / f64::from(limit))),
        (None, None) => String::new(),
    }
}

fn ratio(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_losses_and_limits() {
        assert_eq!(compared(Some(2.0), Some(30.0), true, 60), "15");
        assert_eq!(compared(Some(2.0), Some(1.0), true, 60), "0.50");
        assert_eq!(compared(Some(2.0), None, true, 60), "> 30");
        assert_eq!(compared(None, Some(6.0), true, 60), "< 0.10");
        assert_eq!(compared(None, None, true, 60), "");
        assert_eq!(compared(Some(2.0), None, false, 60), "");
    }
}
