//! What it costs to show a verdict, and to check what shows it.

use super::Bench;
use super::table::{Table, seconds};
use crate::families::{self, Family};
use crate::lts::{self, Shape};
use audit::{Claim, ExplicitSubject, Reader};
use clap::ValueEnum;
use explicit::certificate;
use explicit::{Method, Outcome, Request, run};
use logic::{Formula, Logic, Signature, Truth};
use model::System;
use std::io;
use std::sync::Arc;
use std::time::Instant;
use support::{FileId, Monitor};

/// Checking a certificate, in times of finding the verdict.
const MOST_AUDIT: f64 = 0.3;
/// A check with evidence, in times of one without.
const MOST_EVIDENCE: f64 = 1.2;
/// Differences below this many seconds say more about the machine than about the program.
const NOISE: f64 = 0.001;

const FORMULAS: [&str; 3] = [
    "nu X. [true]X && mu Y. (<a0>true || [a1]Y)",
    "nu X. mu Y. <a0>X || <a1 || a2>Y",
    "nu X. mu Y. <a0>X || ([a1]Y && <a2>X)",
];

pub fn table(bench: &Bench) -> io::Result<Table> {
    let head = [
        "system",
        "property",
        "method",
        "verdict",
        "check",
        "with evidence",
        "times",
        "audit",
        "audit / check",
        "positions",
        "bytes a position",
        "bars",
    ];
    let mut table = Table::new("Evidence", &head);
    let mut score = Score::default();
    for (shape, name) in [(Shape::Uniform, "uniform LTS"), (Shape::Grid, "grid LTS")] {
        let system = System::single(lts::make(&lts::Wish::of(shape, 1_000_000 / bench.divisor, 1)));
        for text in FORMULAS {
            let formula = compile(&system, Logic::Mcf, text)?;
            score.add(measure(&system, &formula, Method::Direct)?, name, text, &mut table);
        }
    }
    for &family in Family::value_variants() {
        let size = if bench.divisor == 1 { size(family) } else { 3 };
        let wish = families::Wish::new(family, size, false);
        let (system, properties) = families::read(&families::make(&wish));
        for (property, question) in properties.iter().zip(families::questions(family, size, false))
        {
            let formula = families::compile(&system, property);
            for method in [Method::Auto, Method::Direct] {
                let name = format!("{} {size}", family.name());
                score.add(measure(&system, &formula, method)?, &name, question.name, &mut table);
            }
        }
    }
    table.note(score.told());
    table.note(
        "Times without reading files, the least of three runs. The bars: an audit takes at most 0.3 of \
         the time of the check, or less than a millisecond; a check with evidence 1.2 times that of one \
         without, or less than a millisecond more; 8 bytes a position, 12 if the formula alternates. \
         An audit of the direct method composes the system again, and so cannot be much faster than a \
         check that does little else.",
    );
    Ok(table)
}

/// Members that take the direct method some tenths of a second.
fn size(family: Family) -> u32 {
    match family {
        Family::TokenRing => 11,
        Family::Philosophers => 7,
        Family::ClientServer => 8,
        Family::Msi => 6,
        Family::Pipeline | Family::ArbiterTree => 4,
    }
}

fn compile(system: &System, logic: Logic, text: &str) -> io::Result<Formula> {
    let text: Arc<str> = text.into();
    let surface = front::parse_formula(logic, FileId(0), &text, 0..text.len())
        .map_err(|_| io::Error::other("a formula that cannot be read"))?;
    let (props, actions) = (system.props(), system.actions());
    let signature = Signature { family: system.family(), props: &props, actions: &actions };
    logic::compile(&surface, &signature, &mut Vec::new())
        .map_err(|_| io::Error::other("a formula about something else"))
}

struct Measured {
    outcome: Outcome,
    is_alternating: bool,
    check: f64,
    with_evidence: f64,
    audit: f64,
    bytes: usize,
    positions: u64,
}

fn measure(system: &System, formula: &Formula, method: Method) -> io::Result<Option<Measured>> {
    let monitor = Monitor::new();
    let ask = |evidence| {
        least(|| {
            let plain = Request::new(system, formula, &monitor);
            run(&Request { method, evidence, ..plain }).map_err(io::Error::other)
        })
    };
    let (_, check) = ask(false)?;
    let (outcome, with_evidence) = ask(true)?;
    let Some(evidence) = &outcome.evidence else { return Ok(None) };
    let is_true = outcome.verdict == Truth::True;
    let claim = Claim::new("p", formula, audit::AfterDeadlock::Ends, is_true);
    let mut bytes = Vec::new();
    certificate::write_start(&mut bytes, system.digest())?;
    certificate::write_claim(&mut bytes, &claim, evidence)?;
    let (audited, audit) = least(|| {
        let mut reader = Reader::new(&bytes[..]).map_err(io::Error::other)?;
        let claim = reader.claim().map_err(io::Error::other)?.expect("it was written");
        let mut subject = ExplicitSubject::new(system);
        audit::audit(&mut subject, formula, &claim, &mut reader, &monitor).map_err(io::Error::other)
    })?;
    Ok(Some(Measured {
        is_alternating: !formula.is_alternation_free(),
        check,
        with_evidence,
        audit,
        bytes: bytes.len(),
        positions: audited.positions,
        outcome,
    }))
}

/// The least time of three, and what came of it.
fn least<T>(mut work: impl FnMut() -> io::Result<T>) -> io::Result<(T, f64)> {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..3 {
        drop(last.take());
        let started = Instant::now();
        last = Some(work()?);
        best = best.min(started.elapsed().as_secs_f64());
    }
    Ok((last.expect("three runs"), best))
}

#[derive(Default)]
struct Score {
    all: usize,
    audits: usize,
    evidence: usize,
    sizes: usize,
    unanswered: usize,
}

impl Score {
    fn add(&mut self, measured: Option<Measured>, system: &str, property: &str, table: &mut Table) {
        let Some(measured) = measured else {
            self.unanswered += 1;
            return;
        };
        let Measured { check, with_evidence, audit, bytes, positions, .. } = measured;
        let most_bytes = if measured.is_alternating { 12.0 } else { 8.0 };
        let each = bytes as f64 / positions.max(1) as f64;
        let met = [
            audit <= MOST_AUDIT * check || audit < NOISE,
            with_evidence <= MOST_EVIDENCE * check || with_evidence - check < NOISE,
            // The head of a certificate is there even if it speaks of few positions.
            each <= most_bytes || positions < 100,
        ];
        self.all += 1;
        for (count, met) in
            [&mut self.audits, &mut self.evidence, &mut self.sizes].into_iter().zip(met)
        {
            *count += usize::from(met);
        }
        let missed: Vec<&str> = ["audit", "evidence", "size"]
            .into_iter()
            .zip(met)
            .filter(|(_, met)| !met)
            .map(|(name, _)| name)
            .collect();
        let outcome = &measured.outcome;
        table.row(vec![
            system.to_owned(),
            property.replace('|', "\\|"),
            outcome.method.name().to_owned(),
            outcome.verdict.to_string(),
            seconds(check),
            seconds(with_evidence),
            format!("{:.2}", with_evidence / check),
            seconds(audit),
            format!("{:.2}", audit / check),
            positions.to_string(),
            format!("{each:.2}"),
            if missed.is_empty() {
                "met".to_owned()
            } else {
                format!("missed: {}", missed.join(", "))
            },
        ]);
    }

    fn told(&self) -> String {
        let Self { all, audits, evidence, sizes, unanswered } = self;
        format!(
            "Within the bars, of {all}: audits {audits}, evidence {evidence}, sizes {sizes}. Without a \
             verdict: {unanswered}."
        )
    }
}
