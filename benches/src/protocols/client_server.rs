//! Clients of one server, which serves one at a time.

use super::Plan;
use super::safety::Safety;
use crate::families::{Family, write_components};

pub const PLAN: Plan = Plan {
    about: "\
Clients ask a server that serves one at a time and does not know them by name.

Client 0 thinks (`think0`) until it wants something (`want0`), asks (`req0`), gets the reply
(`rep0`) and uses it (`use0`). The server works for whoever asked (`work`).

one_at_a_time: clients 0 and 1 never both wait for a reply. zero_first: client 1 gets no reply before
client 0 has got one, which is wrong.",
    process: "Server",
    write: |size, text| write_components(Family::ClientServer, size, text),
    safeties,
};

fn safeties(_: u32) -> Vec<Safety> {
    vec![
        Safety::exclusion("one_at_a_time", [("req0", "rep0"), ("req1", "rep1")]),
        Safety::first("zero_first", false, &["rep0".to_owned()], &["rep1".to_owned()]),
    ]
}
