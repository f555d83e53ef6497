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
mod recorder;
#[path = "../../../../crates/cli/src/solver.rs"]
mod solver;
mod suite;

use super::Bench;
use super::table::Table;
use arithmetic::{Embedded, Piped, Solver};
use case::Program;
use solver::Process;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// How long a case has if nobody says anything else.
const PATIENCE: Duration = Duration::from_secs(60);

/// The others that are asked where they are found.
const OTHERS: [&str; 2] = ["z3", "cvc5"];

/// What makes some tables.
type Maker = fn(&Bench) -> io::Result<Vec<Table>>;

/// Each by itself, so that what is measured is shown at once.
pub const TABLES: [Maker; 4] = [
    |bench| Ok(suite::tables(bench, &case::programs())),
    |_| Ok(vec![cost::table()]),
    |bench| Ok(vec![afresh::table(bench, &case::programs())]),
    |bench| Ok(vec![agreement::table(bench, &case::programs())]),
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
    /// The embedded one, and the others that are found.
    fn all() -> Vec<(&'static str, Self)> {
        let others = OTHERS.into_iter().filter_map(|name| Some((name, Self::find(name)?)));
        std::iter::once(("embedded", Who::Embedded)).chain(others).collect()
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
