//! The cost of making certificates and of auditing them. In one process, since reading a file would take longer.

use super::Bench;
use super::process::Clock;
use super::single::FORMULAS;
use super::table::{Table, row, seconds};
use crate::inputs::families::{self, Family};
use crate::inputs::lts::{self, Shape};
use audit::{AfterDeadlock, Claim, ExplicitSubject, Reader};
use clap::ValueEnum;
use explicit::{COMPOSITIONAL, Checker, DIRECT, Request, certificate};
use logic::{Formula, Logic, Signature, Truth};
use model::System;
use std::io;
use std::sync::Arc;
use support::{FileId, Monitor};

/// Differences below this many seconds say more about the machine than about the program.
const NOISE: f64 = 0.001;

/// How many there are, and how many keep the bars of audits, evidence and sizes.
#[derive(Default)]
struct Tally {
    all: usize,
    within: [usize; 3],
    unanswered: usize,
}

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Evidence");
    let mut tally = Tally::default();
    for (shape, name) in [(Shape::Uniform, "uniform LTS"), (Shape::Grid, "grid LTS")] {
        let mut text = Vec::new();
        lts::make(&lts::Wish::of(shape, bench.scaled(1_000_000), 1)).write(&mut text)?;
        let model = front::read_aut(&text[..], name, &Monitor::new()).map_err(io::Error::other)?;
        let system = System::single(model);
        for (_, _, text) in FORMULAS {
            let formula = compile(&system, text)?;
            tally.add(&mut table, &system, &formula, DIRECT, [name, text])?;
        }
    }
    for &family in Family::value_variants() {
        // Members that take the direct method some tenths of a second.
        let size = match family {
            _ if bench.quick => 3,
            Family::TokenRing => 11,
            Family::Philosophers => 7,
            Family::ClientServer => 8,
            Family::Msi => 6,
            Family::Pipeline | Family::ArbiterTree => 4,
        };
        let wish = families::Wish::new(family, size, false);
        let (system, properties) = families::read(&families::make(&wish));
        let name = format!("{} {size}", family.name());
        for property in &properties {
            let formula = families::compile(&system, property);
            for checker in [COMPOSITIONAL, DIRECT] {
                tally.add(&mut table, &system, &formula, checker, [&name, property.title()])?;
            }
        }
    }
    let Tally { all, within: [audits, evidence, sizes], unanswered } = tally;
    table.note(format!(
        "Within the bars, of {all}: audits {audits}, evidence {evidence}, sizes {sizes}. Without a verdict: {unanswered}."
    ));
    Ok(vec![table])
}

fn compile(system: &System, text: &str) -> io::Result<Formula> {
    let text: Arc<str> = text.into();
    let wrong = |errors| io::Error::other(format!("{text}: {errors:?}"));
    let surface =
        front::parse_formula(Logic::Mcf, FileId(0), &text, 0..text.len()).map_err(wrong)?;
    let (props, actions) = (system.props(), system.actions());
    let signature = Signature { family: system.family(), props: &props, actions: &actions };
    logic::compile(&surface, &signature, &mut Vec::new()).map_err(wrong)
}

/// The least time of three, and what came of it.
fn least<T>(mut work: impl FnMut() -> io::Result<T>) -> io::Result<(T, f64)> {
    let mut best = f64::INFINITY;
    let mut timed = || -> io::Result<T> {
        let clock = Clock::start();
        let done = work()?;
        best = best.min(clock.wall());
        Ok(done)
    };
    timed()?;
    timed()?;
    let last = timed()?;
    Ok((last, best))
}

impl Tally {
    fn add(
        &mut self,
        table: &mut Table,
        system: &System,
        formula: &Formula,
        checker: Checker,
        [name, property]: [&str; 2],
    ) -> io::Result<()> {
        let monitor = Monitor::new();
        let ask = |evidence| {
            least(|| {
                let plain = Request::new(system, formula, &monitor);
                checker.run(&Request { evidence, ..plain }).map_err(io::Error::other)
            })
        };
        let (_, check) = ask(false)?;
        let (outcome, with_evidence) = ask(true)?;
        let Some(evidence) = &outcome.evidence else {
            self.unanswered += 1;
            return Ok(());
        };
        let is_true = outcome.verdict == Truth::True;
        let claim = Claim::new("p", formula, AfterDeadlock::Ends, is_true);
        let mut bytes = Vec::new();
        certificate::write_start(&mut bytes, system.digest())?;
        certificate::write_claim(&mut bytes, &claim, evidence)?;
        let (audited, audit) = least(|| {
            let mut reader = Reader::new(&bytes[..]).map_err(io::Error::other)?;
            let claim = reader.claim().map_err(io::Error::other)?.expect("it was written");
            let mut subject = ExplicitSubject::new(system);
            audit::audit(&mut subject, formula, &claim, &mut reader, &monitor)
                .map_err(io::Error::other)
        })?;
        let most_bytes = if formula.is_alternation_free() { 8.0 } else { 12.0 };
        let each = bytes.len() as f64 / audited.positions.max(1) as f64;
        let met = [
            audit <= 0.3 * check || audit < NOISE,
            with_evidence <= 1.2 * check || with_evidence - check < NOISE,
            // The head of a certificate is there even if it speaks of few positions.
            each <= most_bytes || audited.positions < 100,
        ];
        self.all += 1;
        self.within.iter_mut().zip(met).for_each(|(count, met)| *count += usize::from(met));
        let missed = ["audit", "evidence", "size"].into_iter().zip(met);
        let missed: Vec<&str> = missed.filter(|(_, met)| !met).map(|(name, _)| name).collect();
        table.row(row![
            name,
            property.replace('|', "\\|"),
            checker.name,
            outcome.verdict,
            seconds(check),
            seconds(with_evidence),
            format!("{:.2}", with_evidence / check),
            seconds(audit),
            format!("{:.2}", audit / check),
            audited.positions,
            format!("{each:.2}"),
            match &missed[..] {
                [] => "met".to_owned(),
                missed => format!("missed: {}", missed.join(", ")),
            },
        ]);
        Ok(())
    }
}
