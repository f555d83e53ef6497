//! One procedure, called often.

use super::{Plan, property};

pub(super) const PLAN: Plan = Plan {
    about: "Calls of one procedure. What can happen after a call is the same for all of them.",
    declarations: "\
var x, y : 0..3;

proc work(in v : 0..3, out r : 0..3) {
  var t : 0..3 := v;
  r := 0;
  while t > 0 do
    if t mod 2 = 1 then r := 3 - r fi;
    t := t / 2
  od
}
",
    body,
    properties: &[
        property("safe", "AG !error", true),
        property("ends", "AF at_done", true),
        property("reaches", "EF (at_done & x = 2 & y = 3)", true),
        property("always", "AG (at_done -> y = 3)", false),
    ],
};

fn body(size: u32) -> String {
    let calls: String = (0..size).map(|_| "work(x, y);\nx := any;\n").collect();
    format!("x := any;\n{calls}")
}
