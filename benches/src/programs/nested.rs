//! Loops in each other.

use super::{Plan, property};

pub(super) const PLAN: Plan = Plan {
    about: "Loops in each other. All burn one supply of fuel, so that they end.",
    bits: 3,
    declarations: "var fuel : 0..$top;\nvar x : 0..3;\nvar more : bool;\n",
    body,
    properties: &[
        property("safe", "AG !error", true),
        property("ends", "AF at_done", true),
        property("burns", "A[!at_done U (fuel = 0 | at_done)]", true),
        property("needs_fuel", "AG (at_done -> fuel = 0)", false),
    ],
};

fn body(size: u32) -> String {
    level(size, 0)
}

fn level(left: u32, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    if left == 0 {
        return format!("{indent}x := (x + 1) mod 4;\n");
    }
    let inner = level(left - 1, depth + 1);
    format!(
        "{indent}more := any;\n\
         {indent}while more & fuel > 0 do\n\
         {indent}  fuel := fuel - 1;\n\
         {inner}\
         {indent}  more := any\n\
         {indent}od;\n"
    )
}
