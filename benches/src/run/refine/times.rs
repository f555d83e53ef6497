//! When refinement is the best method, and whether `auto` picks the best.

use super::super::Bench;
use super::super::table::{Table, seconds};
use super::{Asked, Case, NO_ANSWER, Way, ask};
use crate::detail::{Detail, blow_up};
use crate::families::{Family, Question};
use clap::ValueEnum;
use explicit::{Method, Outcome, Refinement};
use model::System;
use std::io;
use std::time::{Duration, Instant};

/// Between which `auto` may choose.
const METHODS: [Method; 3] = [Method::Direct, Method::Compositional, Method::Refine];

/// The time of `auto`, in those of the best method.
const MOST_RATIO: f64 = 1.5;

/// Of all questions, in per cent.
const LEAST_PICKED: usize = 90;

/// Differences below this many seconds say more about the machine than about methods.
const NOISE: f64 = 0.001;

pub fn of_families(bench: &Bench) -> io::Result<Table> {
    let mut table = Table::new("Refinement: time against the other methods", &head());
    let mut races = Vec::new();
    for &family in Family::value_variants() {
        let size = largest(bench, family)?;
        for &broken in if bench.divisor == 1 { &[false, true][..] } else { &[false] } {
            let case = Case::new(family, size, broken);
            races.extend(run(bench, &case, &mut table)?);
        }
    }
    table.note(score(&races));
    table.note(format!(
        "Checking time, without reading, at the largest n that `direct` checks within about a second \
         and a half; the least of three runs,  {} s at most. The bar: `auto` takes at most 1.5 times as \
         long as the best, or less than a millisecond longer, on nine questions of ten.",
        limit(bench).as_secs()
    ));
    Ok(table)
}

pub fn with_detail(bench: &Bench) -> io::Result<Table> {
    const SIZE: u32 = 2;
    let domain = 1000 / bench.divisor;
    let mut table = Table::new("Refinement: time where detail does not matter", &head());
    let mut races = Vec::new();
    for &family in Family::value_variants() {
        let change = |system: System| blow_up(&system, Detail::Counter, domain);
        races.extend(run(bench, &Case::changed(family, SIZE, false, change), &mut table)?);
    }
    table.note(score(&races));
    table.note(format!(
        "As above, with components that also carry a counter of {domain} values. `direct` composes \
         them, `compositional` colours them state by state, `refine` merges what the counter tells apart."
    ));
    Ok(table)
}

fn head() -> Vec<&'static str> {
    let mut head = vec!["family", "n", "property", "verdict"];
    head.extend(METHODS.map(Method::name));
    head.extend(["best", "auto", "decided by", "auto / best", "bar"]);
    head
}

fn run(bench: &Bench, case: &Case, table: &mut Table) -> io::Result<Vec<Race>> {
    let asked = case.questions.iter().filter(|asked| case.is_worth_asking(&asked.question));
    let mut races = Vec::new();
    for asked in asked {
        let race = Race::measure(bench, case, asked)?;
        table.row(race.row(case, &asked.question));
        races.push(race);
    }
    Ok(races)
}

fn limit(bench: &Bench) -> Duration {
    Duration::from_secs(if bench.divisor == 1 { 3 } else { 1 })
}

/// The largest size that `direct` can do in a short time.
fn largest(bench: &Bench, family: Family) -> io::Result<u32> {
    let most = if bench.divisor == 1 { 1.5 } else { 0.01 };
    let mut size = 2;
    loop {
        let next = Case::new(family, size + 1, false);
        let (answer, time) = timed(&next, &next.questions[0], Method::Direct, limit(bench))?;
        if answer.is_none() || time > most {
            return Ok(size);
        }
        size += 1;
    }
}

/// An answer and how many seconds it took.
fn timed(
    case: &Case,
    asked: &Asked,
    method: Method,
    limit: Duration,
) -> io::Result<(Option<Outcome>, f64)> {
    let way = Way { method, refinement: Refinement::default(), limit };
    let start = Instant::now();
    let answer = ask(case, asked, &way)?;
    Ok((answer, start.elapsed().as_secs_f64()))
}

/// All methods on one question; `None` where the limit was reached.
struct Race {
    times: [Option<f64>; 3],
    auto: Option<f64>,
    decided_by: String,
}

impl Race {
    fn measure(bench: &Bench, case: &Case, asked: &Asked) -> io::Result<Self> {
        let runs = if bench.divisor == 1 { 3 } else { 1 };
        let (mut taken, mut decided_by) = ([(); 4].map(|()| Vec::new()), String::new());
        let mut is_over = [false; 4];
        // The methods take turns, so that what else the machine does hits them alike.
        for _ in 0..runs {
            for (number, method) in METHODS.into_iter().chain([Method::Auto]).enumerate() {
                if is_over[number] {
                    continue;
                }
                let (answer, time) = timed(case, asked, method, limit(bench))?;
                taken[number].push(time);
                is_over[number] = answer.is_none();
                if let (Method::Auto, Some(outcome)) = (method, answer) {
                    decided_by = outcome.method.name().to_owned();
                }
            }
        }
        let least = |times: Vec<f64>| times.into_iter().min_by(f64::total_cmp);
        let mut all = taken.into_iter().zip(is_over);
        let mut next = || all.next().filter(|(_, over)| !over).and_then(|(times, _)| least(times));
        Ok(Self { times: [next(), next(), next()], auto: next(), decided_by })
    }

    /// Which method is the fastest, and its time.
    fn best(&self) -> Option<(Method, f64)> {
        let answered =
            METHODS.into_iter().zip(self.times).filter_map(|(method, time)| Some((method, time?)));
        answered.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    fn ratio(&self) -> Option<f64> {
        Some(self.auto? / self.best()?.1)
    }

    fn is_good(&self) -> bool {
        match (self.auto, self.best()) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(auto), Some((_, best))) => auto <= MOST_RATIO * best || auto - best < NOISE,
        }
    }

    fn row(&self, case: &Case, question: &Question) -> Vec<String> {
        let shown = |time: Option<f64>| time.map_or(NO_ANSWER.to_owned(), seconds);
        let mut row = vec![case.family.name(), case.size.to_string(), case.name(question)];
        row.push(question.holds.to_string());
        row.extend(self.times.map(shown));
        row.push(self.best().map_or(String::new(), |(method, _)| method.name().to_owned()));
        row.extend([shown(self.auto), self.decided_by.clone()]);
        row.push(self.ratio().map_or(String::new(), |ratio| format!("{ratio:.2}")));
        row.push(if self.is_good() { "met" } else { "missed" }.to_owned());
        row
    }
}

/// Who is the best how often, and how often `auto` is near.
fn score(races: &[Race]) -> String {
    let wins = METHODS.map(|method| {
        let won = |race: &&Race| race.best().is_some_and(|(best, _)| best == method);
        format!("`{}` in {}", method.name(), races.iter().filter(won).count())
    });
    let good = races.iter().filter(|race| race.is_good()).count();
    let strictly =
        races.iter().filter(|race| race.ratio().is_some_and(|r| r <= MOST_RATIO)).count();
    let bar = if good * 100 >= LEAST_PICKED * races.len() { "met" } else { "missed" };
    format!(
        "Of {} questions the best is {}. `auto` is within the bar in {good} ({strictly} if a difference \
         of less than a millisecond counts too): {bar}.",
        races.len(),
        wins.join(", "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn race(times: [f64; 3], auto: f64) -> Race {
        let time = |seconds: f64| seconds.is_finite().then_some(seconds);
        Race { times: times.map(time), auto: time(auto), decided_by: String::new() }
    }

    #[test]
    fn near_is_good_enough() {
        let never = f64::INFINITY;
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
    }
}
