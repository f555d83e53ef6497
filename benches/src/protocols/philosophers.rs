//! Dining philosophers: a fork between two of them, and what it keeps them from.

use super::Plan;
use super::safety::Safety;
use crate::families::{Family, write_components};

pub const PLAN: Plan = Plan {
    about: "\
Philosophers at a round table, and a fork between every two of them; who eats needs both.

Philosopher 0 thinks (`think0`), gets hungry (`hungry0`), takes a fork with each hand (`left0`,
`right0`), eats (`eat0`) and puts the forks down (`leftdown0`, `rightdown0`). Fork 1 lies to the left of
philosopher 1 and to the right of philosopher 0.

fork: philosophers 0 and 1 never both have it. zero_first: philosopher 1 does not eat before philosopher
0 has, which is wrong.",
    process: "Fork1",
    write: |size, text| write_components(Family::Philosophers, size, text),
    safeties,
};

fn safeties(_: u32) -> Vec<Safety> {
    vec![
        Safety::exclusion("fork", [("right0", "rightdown0"), ("left1", "leftdown1")]),
        Safety::first("zero_first", false, &["eat0".to_owned()], &["eat1".to_owned()]),
    ]
}
