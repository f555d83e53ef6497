//! Programs over unbounded integers: the suite, what abstraction costs as predicates grow, our solver against others, and what
//! is saved by remembering.
//!
//! ```text
//! cargo build --release && cargo run --release -p benches -- run integers
//! ```

mod afresh;
mod agreement;
mod case;
mod cost;
mod hints;
mod pieces;
mod random;
mod recorder;
#[path = "../../../../crates/cli/src/solver.rs"]
mod solver;
mod suite;
mod texts;

use super::Bench;
use super::table::Table;
pub use case::{Program, programs};
use smt::{Embedded, Piped, Solver};
use solver::Process;
use std::path::PathBuf;
use std::time::Duration;

/// How long a case has if nobody says anything else.
const PATIENCE: Duration = Duration::from_secs(60);

/// The others that are asked where they are found, and how many questions there are for each that they are asked: some take long.
const OTHERS: [(&str, usize); 2] = [("z3", 1), ("cvc5", 10)];

type Measured = fn(&Bench, &[Program]) -> Vec<Table>;

/// Each by itself, so that what is measured is shown at once.
pub const TABLES: [Measured; 6] = [
    suite::tables,
    |_, _| vec![cost::table()],
    |bench, _| vec![pieces::table(bench)],
    |bench, programs| vec![afresh::table(bench, programs)],
    |bench, programs| vec![hints::table(bench, programs)],
    |bench, programs| vec![agreement::table(bench, programs)],
];

/// A program of the suite and the number of one of its properties; in a quick run some of them.
fn cases<'a>(
    bench: &Bench,
    programs: &'a [Program],
) -> impl Iterator<Item = (&'a Program, usize)> + use<'a> {
    let all =
        programs.iter().flat_map(|program| (0..program.expected.len()).map(move |p| (program, p)));
    all.step_by(bench.divisor as usize)
}

/// Who answers questions of arithmetic.
enum Who {
    Embedded,
    Other(PathBuf),
}

impl Who {
    /// The embedded one, and the others that are found, with how many cases there are for each that they are asked.
    fn all() -> Vec<(&'static str, Self, usize)> {
        let found = |(name, every)| Some((name, Self::find(name)?, every));
        let others = OTHERS.into_iter().filter_map(found);
        std::iter::once(("embedded", Who::Embedded, 1)).chain(others).collect()
    }

    fn find(name: &str) -> Option<Self> {
        solver::find(name).map(Who::Other)
    }

    fn solver(&self) -> Box<dyn Solver> {
        match self {
            Who::Embedded => Box::new(Embedded::new()),
            Who::Other(program) => {
                Box::new(Piped::new(Process::new(program.clone(), Duration::from_secs(2))))
            }
        }
    }
}
