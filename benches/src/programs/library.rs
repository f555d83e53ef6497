//! One long procedure, called often.

use super::{Plan, property, straight};

pub(super) const PLAN: Plan = Plan {
    about: "Calls of one procedure with a thousand statements. What can happen after a call is the same for all of them.",
    bits: 3,
    declarations: "var x, y : 0..$top;\nvar b : bool;\n",
    body,
    properties: &[
        property("safe", "AG !error", true),
        property("ends", "AF at_done", true),
        property("reaches", "EF (at_done & b)", true),
        property("low", "E[x < $top U at_done]", false),
    ],
};

fn body(size: u32) -> String {
    let calls = "work();\n".repeat(size as usize);
    format!("proc work() {{\n{}}}\n\n{calls}", straight::body(1_000))
}
