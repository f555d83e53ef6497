//! Loops that end one after the other.

use super::{Plan, property};

pub(super) const PLAN: Plan = Plan {
    about: "Loops one after the other: some count, some go on for as long as they like.",
    bits: 3,
    declarations: "var x, y : 0..$top;\nvar more : bool;\n",
    body,
    properties: &[
        property("safe", "AG !error", true),
        property("can_end", "AG EF at_done", true),
        property("ends", "AF at_done", false),
        property("resets", "AG (x = $top -> EF x = 0)", true),
        property("low", "E[x < $top U at_done]", false),
    ],
};

fn body(size: u32) -> String {
    let a_loop = |number: u32| match number % 3 {
        0 => "more := any;\nwhile more do\n  y := (y + 1) mod $all;\n  more := any\nod;\n",
        1 => "x := 0;\nwhile x < $top do\n  x := x + 1\nod;\n",
        _ => "while x > y do\n  x := x - 1;\n  if x = 3 then y := {y, 0} fi\nod;\n",
    };
    let loops: String = (0..size).map(a_loop).collect();
    loops + "x := 0;\n"
}
