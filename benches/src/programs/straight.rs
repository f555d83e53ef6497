//! No loops.

use super::{Plan, property};

pub(super) const PLAN: Plan = Plan {
    about: "Assignments and branches, one after the other.",
    bits: 3,
    declarations: "var x, y : 0..$top;\nvar b : bool;\n",
    body,
    properties: &[
        property("safe", "AG !error", true),
        property("ends", "AF at_done", true),
        property("reaches", "EF (at_done & b)", true),
        property("always", "AG (at_done -> b)", false),
        property("low", "E[x < $top U at_done]", false),
    ],
};

pub(super) fn body(size: u32) -> String {
    let line = |number: u32| match number % 4 {
        0 => format!("x := (x + {}) mod $all;\n", 1 + number / 4 % 3),
        1 => format!("if x > {} * $all / 8 then y := x else b := any fi;\n", 2 + number / 4 % 5),
        2 => "y := {x, y, $top - y};\n".to_owned(),
        _ => format!(
            "if b & y < {} * $all / 8 then x := y else y := (y + 1) mod $all fi;\n",
            1 + number / 4 % 6
        ),
    };
    // Whether `b` holds at the end, the last one decides.
    let lines: String = (0..size.saturating_sub(1)).map(line).collect();
    lines + "b := any;\n"
}
