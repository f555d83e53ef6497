//! Abstraction and refinement: how much of a system it needs to look at, what its parts save, and how it
//! compares with the other methods.

use super::ask::{Member, Sample, Setup, title};
use super::table::{NO_ANSWER, Table, met, or, ratio, row, seconds};
use super::{Bench, Tables};
use crate::inputs::families::{Family, Wish, make_detailed};
use crate::inputs::name;
use crate::inputs::system::Detail;
use clap::ValueEnum;
use std::io;

pub const TABLES: [Tables; 5] = [of_families, with_detail, work, times, times_with_detail];

fn refine(bench: &Bench) -> Setup<'static> {
    Setup { method: "refine", limit: bench.either(3, 1), runs: 1 }
}

/// With components that carry values which do not matter.
fn detailed<'a>(
    bench: &'a Bench,
    family: Family,
    size: u32,
    detail: Detail,
    domain: u32,
) -> io::Result<Member<'a>> {
    let wish = Wish::new(family, size, false);
    let end = format!("-{}-{domain}", name(&detail));
    Member::written(bench, &wish, &end, |wish| make_detailed(wish, detail, domain))
}

/// Abstract states at the verdict against concrete ones.
fn of_families(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Refinement: abstract states at the verdict");
    for &family in Family::value_variants() {
        let member = Member::new(bench, family, bench.either(4, 2), false)?;
        for question in &member.questions() {
            let refined = member.ask(question, refine(bench))?;
            let direct = member.ask(question, Setup { method: "direct", ..refine(bench) })?;
            let mut cells = row![family.name(), member.size, question.name, question.holds];
            cells.extend(match refined.is_definite() {
                true => {
                    let (parts, few, many) = refined.looked_at();
                    let share = format!("{:.0} %", 100.0 * few as f64 / many as f64);
                    row![parts, few, many, share, refined.count("iterations")]
                }
                false => row![NO_ANSWER, "", "", "", ""],
            });
            cells.push(or(direct.definite().and_then(|direct| direct.figure("states")), NO_ANSWER));
            table.row(cells);
        }
    }
    Ok(vec![table])
}

/// Whether detail that does not matter makes them more.
fn with_detail(bench: &Bench) -> io::Result<Vec<Table>> {
    const SIZE: u32 = 3;
    let mut table = Table::new("Refinement: detail that does not matter");
    for &family in Family::value_variants() {
        for &detail in Detail::value_variants() {
            let with = |domain| detailed(bench, family, SIZE, detail, domain);
            let members = [Member::new(bench, family, SIZE, false)?, with(10)?, with(1000)?];
            // Of abstract states, of concrete ones, of coloured nodes, over all properties by member.
            let (mut sums, mut same, mut failed) = ([[0; 3]; 3], 0, Vec::new());
            let questions = members[0].questions();
            for question in &questions {
                let mut samples = Vec::new();
                for member in &members {
                    samples.extend(member.ask(question, refine(bench))?.definite());
                }
                let [_, small, large] = &samples[..] else {
                    failed.push(format!("`{}`: {NO_ANSWER}", question.name));
                    continue;
                };
                for (place, sample) in samples.iter().enumerate() {
                    let (_, few, many) = sample.looked_at();
                    let counts = [few, many, sample.count("coloured_nodes")];
                    sums.iter_mut().zip(counts).for_each(|(sum, count)| sum[place] += count);
                }
                let [before, after] = [small, large].map(|sample| sample.looked_at().1);
                if before == after {
                    same += 1;
                } else {
                    let name = question.name;
                    failed.push(format!("`{name}`: {before} abstract states, then {after}"));
                }
            }
            let [few, many, coloured] = sums;
            let mut cells = row![family.name(), SIZE, name(&detail), questions.len()];
            let figures = [few[0], few[1], few[2], many[1], many[2], coloured[1], coloured[2]];
            cells.extend(figures.map(|figure| figure.to_string()));
            cells.push(format!("{same} of {}", questions.len()));
            table.row(cells);
            if !failed.is_empty() {
                table.note(format!("{}, {}: {}.", family.name(), name(&detail), failed.join("; ")));
            }
        }
    }
    Ok(vec![table])
}

/// The first has everything, the second is not incremental.
const VARIANTS: [(&str, &[&str]); 8] = [
    ("everything", &[]),
    ("nothing remembered", &["--no-keep-colours"]),
    ("absent nodes kept", &["--no-drop"]),
    ("no colours from products", &["--no-take-over"]),
    ("all sides at once", &["--both-sides"]),
    ("looking when asked", &["--lazy"]),
    ("hyper-transitions", &["--hyper"]),
    ("as in the papers", &["--paper"]),
];

/// The gain from keeping definite nodes and from pruning: nodes coloured over all rounds, with and without.
fn work(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Refinement: nodes coloured over all rounds");
    let setup = Setup { limit: bench.either(2, 1), ..refine(bench) };
    let (mut all_answered, mut all_nodes) = (0, [0; 8]);
    for &family in Family::value_variants() {
        for &size in bench.either(&[2, 3, 4][..], &[2]) {
            let member = Member::new(bench, family, size, false)?;
            let (mut answered, mut nodes, mut left_out) = (0, [0; 8], Vec::new());
            for question in &member.questions() {
                let (mut coloured, mut without) = (Vec::new(), Vec::new());
                for (name, flags) in VARIANTS {
                    match member.ask_with(question, setup, flags)?.definite() {
                        Some(sample) => coloured.push(sample.count("coloured_nodes")),
                        None => without.push(name),
                    }
                }
                match (&without[..], &coloured[..]) {
                    ([], _) => {
                        answered += 1;
                        nodes.iter_mut().zip(coloured).for_each(|(sum, nodes)| *sum += nodes);
                    }
                    (_, []) => left_out.push(format!("`{}`", question.name)),
                    _ => left_out.push(format!("`{}` ({})", question.name, without.join(", "))),
                }
            }
            table.row(work_cells(&family.name(), &size.to_string(), answered, nodes));
            if !left_out.is_empty() {
                table.note(format!("Left out: {} {size}: {}.", family.name(), left_out.join("; ")));
            }
            all_answered += answered;
            all_nodes.iter_mut().zip(nodes).for_each(|(sum, nodes)| *sum += nodes);
        }
    }
    table.row(work_cells("all", "", all_answered, all_nodes));
    Ok(vec![table])
}

fn work_cells(family: &str, size: &str, answered: u32, nodes: [u64; 8]) -> Vec<String> {
    let share = nodes[0] as f64 / nodes[1] as f64;
    let mut cells = row![family, size, answered];
    cells.extend(nodes.map(|nodes| nodes.to_string()));
    cells.extend(row![format!("{share:.2}"), met(share <= 0.5)]);
    cells
}

/// Between which `auto` may choose.
const METHODS: [&str; 3] = ["direct", "compositional", "refine"];

/// When refinement is the best method, and whether `auto` picks the best.
fn times(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Refinement: time against the other methods");
    let mut races = Vec::new();
    for &family in Family::value_variants() {
        let size = Member::largest(bench, family)?;
        for &broken in bench.either(&[false, true][..], &[false]) {
            race(&Member::new(bench, family, size, broken)?, &mut table, &mut races)?;
        }
    }
    table.note(score(&races));
    table.fill("limit", refine(bench).limit);
    Ok(vec![table])
}

fn times_with_detail(bench: &Bench) -> io::Result<Vec<Table>> {
    let domain = bench.scaled(1000);
    let mut table = Table::new("Refinement: time where detail does not matter");
    let mut races = Vec::new();
    for &family in Family::value_variants() {
        let member = detailed(bench, family, 2, Detail::Counter, domain)?;
        race(&member, &mut table, &mut races)?;
    }
    table.note(score(&races));
    table.note(format!(
        "As above, with components that also carry a counter of {domain} values. `direct` composes \
         them, `compositional` colours them state by state, `refine` merges what the counter tells apart."
    ));
    Ok(vec![table])
}

/// Times of the methods and of `auto` on one question; `None` where the limit was reached.
struct Race {
    times: [Option<f64>; 3],
    auto: Option<f64>,
}

/// All methods on all questions of a member.
fn race(member: &Member, table: &mut Table, races: &mut Vec<Race>) -> io::Result<()> {
    let (bench, mut setup) = (member.bench, refine(member.bench));
    for question in &member.questions() {
        let mut best: [Option<Sample>; 4] = [const { None }; 4];
        let mut is_over = [false; 4];
        // The methods take turns, so that what else the machine does hits them alike.
        for _ in 0..bench.either(3, 1) {
            for (number, method) in METHODS.into_iter().chain(["auto"]).enumerate() {
                if is_over[number] {
                    continue;
                }
                setup.method = method;
                let sample = member.ask(question, setup)?.definite();
                is_over[number] = sample.is_none();
                let known = best[number].take().filter(|_| sample.is_some());
                let both = known.into_iter().chain(sample);
                best[number] = both.min_by(|a, b| a.checking.total_cmp(&b.checking));
            }
        }
        let time = |number: usize| best[number].as_ref().map(|sample| sample.checking);
        let race = Race { times: [0, 1, 2].map(time), auto: time(3) };
        let shown = |time: Option<f64>| or(time.map(seconds), NO_ANSWER);
        let mut cells = row![member.family.name(), member.size, title(member.broken, question)];
        cells.push(question.holds.to_string());
        cells.extend(race.times.map(shown));
        cells.extend(row![
            or(race.best().map(|(method, _)| method), ""),
            shown(race.auto),
            or(best[3].as_ref().map(Sample::method), ""),
            ratio(race.ratio(), ""),
            met(race.is_good()),
        ]);
        table.row(cells);
        races.push(race);
    }
    Ok(())
}

impl Race {
    /// Which method is the fastest, and its time.
    fn best(&self) -> Option<(&'static str, f64)> {
        let answered = METHODS.into_iter().zip(self.times);
        let answered = answered.filter_map(|(method, time)| Some((method, time?)));
        answered.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    fn ratio(&self) -> Option<f64> {
        Some(self.auto? / self.best()?.1)
    }

    /// Differences below a millisecond say more about the machine than about methods.
    fn is_good(&self) -> bool {
        match (self.auto, self.best()) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(auto), Some((_, best))) => auto <= 1.5 * best || auto - best < 0.001,
        }
    }
}

/// Who is the best how often, and how often `auto` is near.
fn score(races: &[Race]) -> String {
    let wins = METHODS.map(|method| {
        let won = |race: &&Race| race.best().is_some_and(|(best, _)| best == method);
        format!("`{method}` in {}", races.iter().filter(won).count())
    });
    let good = races.iter().filter(|race| race.is_good()).count();
    let strictly = races.iter().filter(|race| race.ratio().is_some_and(|r| r <= 1.5)).count();
    format!(
        "Of {} questions the best is {}. `auto` is within the bar in {good} ({strictly} if a difference \
         of less than a millisecond counts too): {}.",
        races.len(),
        wins.join(", "),
        met(good * 100 >= 90 * races.len())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_is_good_enough() {
        let never = f64::INFINITY;
        let time = |seconds: f64| seconds.is_finite().then_some(seconds);
        let race = |times: [f64; 3], auto| Race { times: times.map(time), auto: time(auto) };
        let races = [
            race([1.0, 2.0, 3.0], 1.4),
            race([1.0, 0.1, never], 1.0),
            race([never, never, 0.5], never),
            race([never, never, never], never),
            race([0.0002, 0.0001, 0.0003], 0.0004),
        ];
        assert_eq!(races.each_ref().map(Race::is_good), [true, false, false, true, true]);
        let score = score(&races);
        assert!(score.contains("`direct` in 1, `compositional` in 2, `refine` in 1"), "{score}");
        assert!(score.contains("within the bar in 3 (1 if"), "{score}");
        assert!(score.ends_with("missed."), "{score}");
        assert_eq!(work_cells("", "", 1, [3, 6, 4, 4, 4, 4, 4, 4])[11..], ["0.50", "met"]);
    }
}
