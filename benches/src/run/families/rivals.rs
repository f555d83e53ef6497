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
        "without `ltscombine`",
    ];
    let mut table = Table::new("Families: networks of .aut files, against mCRL2", &head);
    let (sizes, limit): (&[u32], u32) =
        if bench.divisor == 1 { (&[4, 6, 64], 20) } else { (&[3], 5) };
    let mut rows = Vec::new();
    for family in FAMILIES {
        for &size in sizes {
            rows.extend(Round::new(bench, family, size, limit)?.fill(&mut table)?);
        }
    }
    let direct = score(&rows, "`direct`", |row| row.direct);
    let mcrl2 = score(&rows, "mCRL2", |row| row.mcrl2);
    table.note(format!("Tertium is {direct}; {mcrl2}."));
    table.note(format!(
        "The same files for all, made by `gen family NAME n --aut DIR`; the other four families have \
         propositions, which mCRL2 has not. Tertium chooses its method (`auto`). Whole processes, \
         {limit} s at most each; of Tertium the least of three runs. mCRL2 is the sum of `ltscombine`, `lts2pbes` and `pbessolve`; that it \
         reads networks only after `ltsconvert` has made .lts files of the .aut files is not counted. \
         Most of its time goes to `ltscombine`, which looks at every way in which components can move \
         at once; the last column is the rest. \
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

#[derive(Clone, Copy)]
enum Time {
    Took(f64),
    TooLong,
    /// The program is missing.
    NotThere,
}

/// Who takes how long for one question.
struct Row {
    ours: Time,
    method: String,
    direct: Time,
    /// All three programs.
    mcrl2: Time,
    /// Without the one that combines, if that came to its end.
    solving: Option<Time>,
}

impl<'a> Round<'a> {
    fn new(bench: &'a Bench, family: Family, size: u32, limit: u32) -> io::Result<Self> {
        let folder = bench.inputs.join(format!("{}-{size}", family.name()));
        let wish = families::Wish::new(family, size, false);
        let (system, _) = families::read(&families::make(&wish));
        let network = network::write(&system, &folder)?;
        Ok(Self { bench, family, size, limit, folder, network })
    }

    fn fill(&self, table: &mut Table) -> io::Result<Vec<Row>> {
        let combined = self.combine()?;
        let mut direct = Time::NotThere;
        let mut rows = Vec::new();
        for question in &families::questions(self.family, self.size, false) {
            let (ours, method) = self.ask("auto", question)?;
            if !matches!(direct, Time::TooLong) {
                (direct, _) = self.ask("direct", question)?;
            }
            let (mcrl2, solving) = self.mcrl2(question, combined)?;
            let row = Row { ours, method, direct, mcrl2, solving };
            table.row(self.cells(question, &row));
            rows.push(row);
        }
        Ok(rows)
    }

    fn cells(&self, question: &Question, row: &Row) -> Vec<String> {
        let shown = |time: Time| match time {
            Time::Took(time) => seconds(time),
            Time::TooLong => format!("over {} s", self.limit),
            Time::NotThere => "not there".to_owned(),
        };
        let name = [self.family.name(), self.size.to_string(), question.name.to_owned()];
        let mut cells = name.to_vec();
        cells.extend([question.holds.to_string(), shown(row.ours), row.method.clone()]);
        for other in [row.direct, row.mcrl2] {
            cells.extend([shown(other), compared(row.ours, other, self.limit)]);
        }
        cells.push(row.solving.map_or(String::new(), shown));
        cells
    }

    /// The time of the process, and the method that was used.
    fn ask(&self, method: &str, question: &Question) -> io::Result<(Time, String)> {
        let paths = self.network.files.iter().chain([&self.network.sync]);
        let paths: Vec<String> = paths.map(|path| path.to_string_lossy().into_owned()).collect();
        let mut input: Vec<&str> = paths.iter().map(String::as_str).collect();
        input.insert(input.len() - 1, "--sync");
        input.extend(["--mcf", &question.mcf]);
        let way = Way { method, limit: self.limit, runs: 3 };
        let sample = ask_about(self.bench, &input, question, way)?;
        Ok(match sample.is_definite() {
            true => (Time::Took(sample.process), sample.figures.method),
            false => (Time::TooLong, String::new()),
        })
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(self.limit.into())
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_string_lossy().into_owned()
    }

    /// Makes one LTS of the network, for mCRL2.
    fn combine(&self) -> io::Result<Time> {
        let Some(tools) = &self.bench.tools.combiners else { return Ok(Time::NotThere) };
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
        Ok(done.map_or(Time::TooLong, |run| Time::Took(run.seconds)))
    }

    fn whole(&self) -> String {
        self.path("whole.lts")
    }

    /// The time of all three programs, and without the one that combines.
    fn mcrl2(&self, question: &Question, combined: Time) -> io::Result<(Time, Option<Time>)> {
        let Time::Took(first) = combined else { return Ok((combined, None)) };
        let solving = self.solve(question)?;
        let all = match solving {
            Time::Took(rest) => Time::Took(first + rest),
            other => other,
        };
        Ok((all, Some(solving)))
    }

    /// The time of mCRL2 on the combined system.
    fn solve(&self, question: &Question) -> io::Result<Time> {
        let Some((lts2pbes, pbessolve)) = self.bench.tools.mcrl2() else {
            return Ok(Time::NotThere);
        };
        let (text, pbes) = (self.path("formula.mcf"), self.path("formula.pbes"));
        fs::write(&text, &question.mcf)?;
        let args = ["-q", "-f", &text, &self.whole(), &pbes];
        let Some(first) = measure_within(lts2pbes, &args, self.limit())? else {
            return Ok(Time::TooLong);
        };
        let Some(second) = measure_within(pbessolve, &["-q", &pbes], self.limit())? else {
            return Ok(Time::TooLong);
        };
        if second.output.trim() != question.holds.to_string() {
            let (name, verdict) = (question.name, second.output.trim());
            return Err(io::Error::other(format!("{name}: mCRL2 says `{verdict}`")));
        }
        Ok(Time::Took(first.seconds + second.seconds))
    }
}

/// How many times as long the other takes.
fn compared(ours: Time, other: Time, limit: u32) -> String {
    let limit = f64::from(limit);
    match (ours, other) {
        (Time::Took(ours), Time::Took(other)) => ratio(other / ours),
        (Time::Took(ours), Time::TooLong) => format!("> {}", ratio(limit / ours)),
        (Time::TooLong, Time::Took(other)) => format!("< {}", ratio(other / limit)),
        _ => String::new(),
    }
}

fn ratio(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}

/// `faster than mCRL2 in 3 of 4, slower in 1`
fn score(rows: &[Row], name: &str, other: impl Fn(&Row) -> Time) -> String {
    let (mut faster, mut slower) = (0, 0);
    for row in rows {
        match (row.ours, other(row)) {
            (Time::Took(ours), Time::Took(other)) if other < ours => slower += 1,
            (Time::Took(_), Time::Took(_) | Time::TooLong) => faster += 1,
            (Time::TooLong, Time::Took(_)) => slower += 1,
            _ => {}
        }
    }
    format!("faster than {name} in {faster} of {}, slower in {slower}", rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_losses_and_limits() {
        use Time::{NotThere, TooLong, Took};
        assert_eq!(compared(Took(2.0), Took(30.0), 60), "15");
        assert_eq!(compared(Took(2.0), Took(1.0), 60), "0.50");
        assert_eq!(compared(Took(2.0), TooLong, 60), "> 30");
        assert_eq!(compared(TooLong, Took(6.0), 60), "< 0.10");
        assert_eq!(compared(TooLong, TooLong, 60), "");
        assert_eq!(compared(Took(2.0), NotThere, 60), "");
        let pairs = [(Took(1.0), Took(2.0)), (Took(1.0), TooLong), (TooLong, Took(1.0))];
        let row = |(ours, direct)| Row {
            ours,
            method: String::new(),
            direct,
            mcrl2: NotThere,
            solving: None,
        };
        let rows: Vec<Row> = pairs.map(row).into();
        assert_eq!(score(&rows, "d", |row| row.direct), "faster than d in 2 of 3, slower in 1");
        assert_eq!(score(&rows, "m", |row| row.mcrl2), "faster than m in 0 of 3, slower in 0");
    }
}
