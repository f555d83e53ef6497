//! Assumptions by labels against assumptions by learning.

use super::{Case, make, timed, verdict};
use crate::learning::{Answer, Learned, Limits, learn};
use crate::protocols::{Protocol, Stated};
use crate::run::Bench;
use crate::run::refine::within;
use crate::run::table::{Table, readable};
use assume::InitialAbstraction;
use std::io;
use std::time::Duration;
use support::Monitor;

const LIMITS: Limits = Limits { states: 20_000, queries: 20_000_000 };

const CASES: [(Protocol, u32); 10] = [
    (Protocol::SlidingWindow, 2),
    (Protocol::SlidingWindow, 3),
    (Protocol::SlidingWindow, 4),
    (Protocol::AlternatingBit, 2),
    (Protocol::AlternatingBit, 4),
    (Protocol::Philosophers, 3),
    (Protocol::Philosophers, 5),
    (Protocol::ClientServer, 3),
    (Protocol::ClientServer, 6),
    (Protocol::Peterson, 4),
];

pub fn table(bench: &Bench) -> io::Result<Table> {
    let mut table = Table::new(
        "Assumptions: against learning",
        &[
            "protocol",
            "property",
            "N",
            "by labels",
            "time",
            "without abstraction",
            "by learning",
            "letters",
            "questions",
            "conjectures",
            "time",
        ],
    );
    for (protocol, size) in CASES.into_iter().filter(|(_, size)| bench.divisor == 1 || *size < 4) {
        let case = Case::new(protocol, size);
        for safety in &case.safeties {
            let question = case.question(safety)?;
            let (refined, making) =
                timed(|| make(&question, InitialAbstraction::Trivial, bench.patience()));
            let (basic, without) =
                timed(|| make(&question, InitialAbstraction::Discrete, bench.patience()));
            let at_least = if refined.is_some() { "" } else { "> " };
            let made = refined.or(basic).ok_or_else(|| case.unfinished(safety))?;
            let learned = learned(&case, safety, bench.patience())?;
            let mut row = vec![
                case.name(),
                format!("{} ({})", safety.name, verdict(safety.holds)),
                case.states().to_string(),
                made.equivalence.count.to_string(),
                format!("{at_least}{}", readable(making)),
                readable(without),
            ];
            row.extend(cells(&learned));
            table.row(row);
        }
    }
    table.note(
        "Learning is L* with the counterexamples of Rivest and Schapire for the rule of Cobleigh, \
         Giannakopoulou and Păsăreanu (TACAS 2003), in `benches/src/learning`. Its assumption is the last \
         conjecture; where the property is violated it ends with the first word of N that shows it.",
    );
    Ok(table)
}

fn learned(case: &Case, safety: &Stated, limit: Duration) -> io::Result<Learned> {
    let monitor = Monitor::new();
    let learned = within(limit, &monitor, || {
        learn(&case.system, case.process, &safety.model, LIMITS, &monitor)
    });
    let is_wrong = match learned.answer {
        Answer::Holds => !safety.holds,
        Answer::Violated => safety.holds,
        Answer::GaveUp(_) => false,
    };
    if is_wrong { Err(case.wrong(safety, "learning errs")) } else { Ok(learned) }
}

fn cells(learned: &Learned) -> [String; 5] {
    let gave_up = matches!(learned.answer, Answer::GaveUp(_));
    let at_least = if gave_up { "> " } else { "" };
    [
        if gave_up {
            format!("no answer at {}", learned.states)
        } else {
            learned.states.to_string()
        },
        learned.letters.to_string(),
        learned.queries.to_string(),
        learned.conjectures.to_string(),
        format!("{at_least}{}", readable(learned.seconds)),
    ]
}
