//! Loops that end one after the other.

use super::{Plan, property};

pub(super) const PLAN: Plan = Plan {
    about: "Loops one after the other: some count, some go on for as long as they like.",
    declarations: "var x : 0..7;\nvar y : 0..3;\nvar more : bool;\n",
    body,
    properties: &[
        property("safe", "AG !error", true),
        property("can_end", "AG EF at_done", true),
        property("ends", "AF at_done", false),
        property("resets", "AG (x = 7 -> EF x = 0)", true),
    ],
};

fn body(size: u32) -> String {
    let a_loop = |number: u32| match number % 3 {
        0 => "more := any;\nwhile more do\n  y := (y + 1) mod 4;\n  more := any\nod;\n",
        1 => "x := 0;\nwhile x < 7 do\n  x := x + 1\nod;\n",
        _ => "while x > y do\n  x := x - 1;\n  if x = 3 then y := {y, 0} fi\nod;\n",
    };
    let loops: String = (0..size).map(a_loop).collect();
    loops + "x := 0;\n"
}
