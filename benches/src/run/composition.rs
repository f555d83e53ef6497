//! Designs of many modules in SMV: what it costs to decide module by module, against the whole and against
//! NuSMV.

use super::Bench;
use super::ask::{Growth, Sample, Setup, title};
use super::peers::{NUSMV, Options, nusmv, verdicts};
use super::table::{
    NO_ANSWER, NOTHING, Score, Table, megabytes, met, or, percent, ratio, readable, row,
};
use crate::inputs::families::{self, Family, Question, Sort, Wish, last};
use crate::inputs::smv;
use clap::ValueEnum;
use front::GivenQuestion;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fs, io};
use support::FileId;

const SIZES: [u32; 6] = [4, 8, 16, 32, 64, 128];

fn sizes(bench: &Bench) -> &'static [u32] {
    bench.either(&SIZES, &SIZES[..5])
}

/// One question to one design, which has a file of its own: of that NuSMV is asked nothing else either.
struct Case<'a> {
    bench: &'a Bench,
    holds: bool,
    is_ctl: bool,
    formula: String,
    size: u32,
    path: PathBuf,
}

impl<'a> Case<'a> {
    fn new(bench: &'a Bench, wish: &Wish, question: &Question) -> io::Result<Self> {
        let &Wish { family, size, broken, data, .. } = wish;
        let properties = family.plan().properties;
        let property = properties.iter().find(|property| property.name == question.name);
        let (logic, formula) = property.expect("a property of the family").smv;
        let end = if broken { "-broken" } else { "" };
        let (width, label) =
            (or(data.map(|width| format!("-{width}")), ""), smv::label(question.name));
        let path = bench.inputs.join(format!("{}-{size}{width}{end}-{label}.smv", family.name()));
        fs::write(&path, smv::make(wish, |name| name == question.name))?;
        let (formula, is_ctl) = (last(formula, size), logic == "ctl");
        Ok(Self { bench, holds: question.holds, is_ctl, formula, size, path })
    }

    /// `None` if there is no answer in the time that it has.
    fn ask(&self, method: &str) -> io::Result<Option<Sample>> {
        let path = self.path.to_string_lossy();
        let mut input = vec![&*path];
        if !self.is_ctl {
            input.extend(["--mu", &self.formula]);
        }
        let setup = Setup { method, limit: self.bench.limit, runs: self.bench.either(3, 1) };
        Ok(self.bench.ask(&input, self.holds, setup)?.definite())
    }

    /// Measures NuSMV with the best of some options. Options with which it takes too long are dropped.
    fn ask_nusmv(&self, options: &mut Vec<Options>) -> io::Result<Option<Sample>> {
        let path = self.path.to_string_lossy();
        let run = if self.is_ctl { nusmv(self.bench, &path, options)? } else { None };
        let Some((run, _)) = run else { return Ok(None) };
        let expected = self.holds.to_string();
        if verdicts(&run.output).values().any(|verdict| *verdict != expected) {
            return Err(io::Error::other(format!("{path}: NuSMV does not say {expected}")));
        }
        Ok(Some(Sample { cpu: run.cpu, peak_bytes: run.peak_bytes, ..Sample::default() }))
    }

    /// How many states the variables of a design have, and whether the question depends on every module; `None`
    /// if the file is not read.
    fn extent(&self) -> Option<(f64, bool)> {
        let text: Arc<str> = fs::read_to_string(&self.path).ok()?.into();
        let logic = if self.is_ctl { logic::Logic::Ctl } else { logic::Logic::Mu };
        let question = GivenQuestion { logic, file: FileId(1), text: self.formula.as_str().into() };
        let testkit::SmvDocument { machine, propositions, .. } =
            testkit::read_smv_asking(FileId(0), &text, &[question]).ok()?;
        let cone = machine.cone(propositions.iter().map(|property| property.node));
        let (mut states, mut modules, mut dependent) = (1.0, HashSet::new(), HashSet::new());
        for var in machine.state_vars() {
            states *= machine.vars[var].domain.size() as f64;
            let name = machine.vars[var].name.split('.').next();
            modules.insert(name);
            dependent.extend(cone.contains(var).then_some(name));
        }
        Some((states, modules == dependent))
    }
}

/// Of a sound member of the family and of a broken one, there of those that see the fault.
pub fn questions(family: Family) -> impl Iterator<Item = (bool, Question)> {
    // What is asked does not depend on the size, but for the number of the last part.
    let of = move |broken| {
        families::questions(family, 3, broken).into_iter().map(move |question| (broken, question))
    };
    of(false).chain(of(true).filter(|(_, question)| question.sees_the_fault))
}

fn all_questions(is_asked: fn(Sort) -> bool) -> impl Iterator<Item = (Family, bool, Question)> {
    let of = |&family: &Family| questions(family).map(move |(broken, q)| (family, broken, q));
    Family::value_variants().iter().flat_map(of).filter(move |(_, _, q)| is_asked(q.sort))
}

fn time(cost: Option<&Sample>) -> String {
    or(cost.map(|cost| readable(cost.cpu)), NO_ANSWER)
}

/// Something at the largest size, which is named if it is not the last of all.
fn largest(growth: &Growth, last: u32, shown: impl Fn(&Sample) -> String) -> String {
    match growth.costs.last() {
        None => NOTHING.to_owned(),
        Some((size, cost)) if *size == last => shown(cost),
        Some((size, cost)) => format!("{} (n = {size})", shown(cost)),
    }
}

/// How many states: all digits of a small number, the magnitude of a large one.
fn states(count: Option<f64>) -> String {
    let shown = |count| if count < 1e6 { format!("{count:.0}") } else { format!("{count:.1e}") };
    or(count.map(shown), NOTHING)
}

/// Properties of one module or two, as the others become more: the cost should be linear, and only a small
/// part of the states should matter.
pub fn growth(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut times = Table::new("Composition: one module and two, as n grows");
    let mut shares = Table::new("Composition: memory and relevant states");
    let (mut linear, mut small) = (Score::default(), Score::default());
    let (floor, sizes) = (bench.floor()?, sizes(bench));
    let last = sizes[sizes.len() - 1];
    for (family, broken, question) in all_questions(|sort| sort != Sort::Global) {
        let case = |&size: &u32| Case::new(bench, &Wish::new(family, size, broken), &question);
        let cases: Vec<Case> = sizes.iter().map(case).collect::<io::Result<_>>()?;
        let by = |method| Growth::measure(sizes, |place| cases[place].ask(method));
        let mut options = NUSMV.to_vec();
        let of_nusmv = Growth::measure(sizes, |place| cases[place].ask_nusmv(&mut options))?;
        let setups = [by("compositional")?, by("symbolic")?, by("auto")?, of_nusmv];
        let exponents = setups.each_ref().map(|setup| setup.exponent(floor, |_| true));
        let is_linear = setups[0].at(last).is_some() && exponents[0].is_some_and(|e| e <= 1.3);
        let mut cells = row![family.name(), title(broken, &question), question.kind()];
        cells.extend(SIZES.map(|size| match sizes.contains(&size) {
            true => time(setups[0].at(size)),
            false => String::new(),
        }));
        cells.push(ratio(exponents[0], ""));
        for (setup, exponent) in setups.iter().zip(exponents).skip(1) {
            cells.push(largest(setup, last, |cost| readable(cost.cpu)));
            cells.push(ratio(exponent, ""));
        }
        cells.push(met(linear.count(is_linear)).to_owned());
        times.row(cells);
        // States at the largest size at which they are known, or at the largest of all.
        let known = |size: u32| {
            let relevant = setups[0].at(size).and_then(|cost| cost.figure("relevant_states"));
            (relevant, setups[1].at(size).and_then(|cost| cost.figure("states")))
        };
        let is_known = |case: &&Case| matches!(known(case.size), (Some(_), Some(_)));
        let case = cases.iter().rfind(is_known).unwrap_or(&cases[cases.len() - 1]);
        let (relevant, reachable) = known(case.size);
        let share = relevant.zip(reachable).map(|(few, many)| few / many);
        let (all, is_composition) = case.extent().unzip();
        // Otherwise the reachable states are not those of the whole, but of what nobody would leave out.
        let is_composition = is_composition.unwrap_or(true);
        let mut cells = row![family.name(), title(broken, &question)];
        cells.extend(
            setups.iter().map(|setup| largest(setup, last, |cost| megabytes(cost.peak_bytes))),
        );
        cells.push(case.size.to_string());
        cells.extend([relevant, reachable, all].map(states));
        cells.push(or(share.map(|share| percent(100.0 * share)), NOTHING));
        cells.push(match (is_composition, question.sort) {
            (false, _) => "cone".to_owned(),
            (_, Sort::Local) => {
                met(small.count(share.is_some_and(|share| share <= 0.05))).to_owned()
            }
            _ => String::new(),
        });
        shares.row(cells);
    }
    times.note(format!("Within the bar: {linear}."));
    times.fill("limit", bench.limit);
    times.fill("floor", readable(floor));
    shares.note(format!("Within the bar: {small}."));
    Ok(vec![times, shares])
}

/// Of `compositional`, in times of `symbolic`, and of `auto`, in times of the better of the two.
const MOST: [f64; 2] = [1.5, 1.2];

/// Properties that hang on all modules: what it costs to have tried the modules first.
pub fn global(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Composition: global properties against the whole");
    let mut scores = [Score::default(), Score::default()];
    for (family, broken, question) in all_questions(|sort| sort == Sort::Global) {
        let of = |size| Case::new(bench, &Wish::new(family, size, broken), &question);
        let (mut case, mut symbolic) = (of(sizes(bench)[0])?, None);
        for &size in sizes(bench) {
            let larger = of(size)?;
            let cost = larger.ask("symbolic")?;
            let is_short = cost.as_ref().is_some_and(|c| c.cpu <= f64::from(bench.limit) / 10.0);
            if !is_short && symbolic.is_some() {
                break;
            }
            (case, symbolic) = (larger, cost);
        }
        let nusmv = case.ask_nusmv(&mut NUSMV.to_vec())?;
        let (composed, auto) = (case.ask("compositional")?, case.ask("auto")?);
        let cpu = |cost: &Option<Sample>| cost.as_ref().map(|cost| cost.cpu);
        let ratios = ratios([&symbolic, &composed, &auto].map(cpu));
        let mut bars =
            ratios.into_iter().zip(MOST).zip(&mut scores).map(|((value, most), score)| {
                let is_met = score.count(value.is_some_and(|value| value <= most));
                row![ratio(value, ""), met(is_met)]
            });
        let mut next = || bars.next().expect("two bars");
        let memory = |cost: &Option<Sample>| or(cost.as_ref().map(|c| megabytes(c.peak_bytes)), "");
        let mut cells = row![family.name(), title(broken, &question), question.kind(), case.size];
        cells.extend([time(symbolic.as_ref()), time(composed.as_ref())]);
        cells.extend(next());
        cells.push(time(auto.as_ref()));
        cells.extend(next());
        cells.push(or(cpu(&nusmv).map(readable), NOTHING));
        cells.extend([memory(&symbolic), memory(&composed)]);
        table.row(cells);
    }
    let ([composed, auto], [most, most_of_auto]) = (scores, MOST);
    table.note(format!("Within the bars: {composed}, of `auto` {auto}."));
    table.fill("limit", bench.limit);
    table.fill("largest", sizes(bench)[sizes(bench).len() - 1]);
    table.fill("most", most);
    table.fill("most_of_auto", most_of_auto);
    Ok(vec![table])
}

fn ratios([symbolic, composed, auto]: [Option<f64>; 3]) -> [Option<f64>; 2] {
    let better = [symbolic, composed].into_iter().flatten().min_by(f64::total_cmp);
    [(composed, symbolic), (auto, better)].map(|(time, other)| Some(time? / other?))
}

const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// Designs that are blown up with data on which nothing depends that is asked: what an abstraction looks at
/// should not grow with the width of words.
pub fn width(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Composition: words that do not matter");
    let (mut score, size) = (Score::default(), bench.either(4, 3));
    for (family, _, question) in all_questions(|_| true).filter(|(_, broken, _)| !broken) {
        let ask = |method: &str, width| {
            let wish = Wish { smv: true, data: Some(width), ..Wish::new(family, size, false) };
            Case::new(bench, &wish, &question)?.ask(method)
        };
        // What is too much at one width will not be less at the next.
        let refined = Growth::measure(&WIDTHS, |place| ask("refine", WIDTHS[place]))?;
        let small = ask("symbolic", WIDTHS[0])?;
        let large = if small.is_some() { ask("symbolic", WIDTHS[3])? } else { None };
        let counts = |sample: &Sample| (sample.looked_at().1, sample.count("iterations"));
        let counts = WIDTHS.map(|width| refined.at(width).map(counts));
        let is_the_same = counts[0].is_some() && counts.iter().all(|count| *count == counts[0]);
        let mut cells = row![family.name(), size, question.name, question.kind()];
        let shown = |(states, rounds)| format!("{states}, {rounds}");
        cells.extend(counts.map(|counts| or(counts.map(shown), NO_ANSWER)));
        cells.push(met(score.count(is_the_same)).to_owned());
        cells.extend([WIDTHS[0], WIDTHS[3]].map(|width| time(refined.at(width))));
        cells.extend([time(small.as_ref()), time(large.as_ref())]);
        table.row(cells);
    }
    table.note(format!("Within the bar: {score}."));
    table.fill("limit", bench.limit);
    Ok(vec![table])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_short() {
        let shown = [None, Some(0.0), Some(999_999.0), Some(1.5e40)].map(states);
        assert_eq!(shown, ["–", "0", "999999", "1.5e40"]);
        let cost = |cpu| Sample { cpu, ..Sample::default() };
        let growth = Growth { costs: vec![(4, cost(0.004)), (8, cost(0.008))], stuck: Some(16) };
        let shown = |growth: &Growth, last| largest(growth, last, |cost| readable(cost.cpu));
        assert_eq!([8, 16].map(|last| shown(&growth, last)), ["8.00 ms", "8.00 ms (n = 8)"]);
        assert_eq!(shown(&Growth::default(), 8), "–");
        assert_eq!(ratios([Some(2.0), Some(1.0), Some(1.5)]), [Some(0.5), Some(1.5)]);
        assert_eq!(ratios([None, Some(1.0), Some(1.1)]), [None, Some(1.1)]);
    }

    #[test]
    fn a_broken_member_is_asked_what_sees_the_fault() {
        assert_eq!(questions(Family::Msi).filter(|(broken, _)| *broken).count(), 2);
    }
}
