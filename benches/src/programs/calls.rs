//! One procedure, called often.

use super::{Plan, property};

pub(super) const PLAN: Plan = Plan {
    about: "Calls of one procedure. What can happen after a call is the same for all of them.",
    bits: 2,
    declarations: "\
var x, y : 0..$top;

proc work(in v : 0..$top, out r : 0..$top) {
  var t : 0..$top := v;
  r := 0;
  while t > 0 do
    if t mod 2 = 1 then r := $top - r fi;
    t := t / 2
  od
}
",
    body,
    properties: &[
        property("safe", "AG !error", true),
        property("ends", "AF at_done", true),
        property("reaches", "EF (at_done & x = 2 & y = $top)", true),
        property("always", "AG (at_done -> y = $top)", false),
    ],
};

fn body(size: u32) -> String {
    let calls: String = (0..size).map(|_| "work(x, y);\nx := any;\n").collect();
    format!("x := any;\n{calls}")
}
