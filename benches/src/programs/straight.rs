//! No loops.

use super::{Plan, property};

pub(super) const PLAN: Plan = Plan {
    about: "Assignments and branches, one after the other.",
    declarations: "var x, y : 0..7;\nvar b : bool;\n",
    body,
    properties: &[
        property("safe", "AG !error", true),
        property("ends", "AF at_done", true),
        property("reaches", "EF (at_done & b)", true),
        property("always", "AG (at_done -> b)", false),
    ],
};

fn body(size: u32) -> String {
    let line = |number: u32| match number % 4 {
        0 => format!("x := (x + {}) mod 8;\n", 1 + number / 4 % 3),
        1 => format!("if x > {} then y := x else b := any fi;\n", 2 + number / 4 % 5),
        2 => "y := {x, y, 7 - y};\n".to_owned(),
        _ => format!("if b & y < {} then x := y else y := (y + 1) mod 8 fi;\n", 1 + number / 4 % 6),
    };
    // Whether `b` holds at the end, the last one decides.
    let lines: String = (0..size.saturating_sub(1)).map(line).collect();
    lines + "b := any;\n"
}
