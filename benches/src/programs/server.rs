//! A loop with many branches.

use super::{Plan, property};

pub(super) const PLAN: Plan = Plan {
    about: "A server: a loop that takes a request and looks for one who handles it.",
    bits: 3,
    declarations: "\
var request : 0..7;
var load : 0..$top := 0;
var mode : {idle, busy, full} := idle;
var stop : bool := false;
",
    body,
    properties: &[
        property("safe", "AG !error", true),
        property("serves", "AG (mode = full -> EF mode = idle)", true),
        property("can_stop", "AG EF at_done", true),
        property("stops", "AF at_done", false),
    ],
};

fn body(size: u32) -> String {
    let handlers: String = (0..size).map(handler).collect();
    format!(
        "while !stop do\n\
         \x20 serve: request := any;\n\
         \x20 mode := busy;\n\
         {handlers}\
         \x20 if load = $top then mode := full else mode := idle fi;\n\
         \x20 if mode = full then load := 0; mode := idle fi;\n\
         \x20 stop := any\n\
         od;\n"
    )
}

fn handler(number: u32) -> String {
    let kind = number % 8;
    let action = match number % 3 {
        0 => "if load < $top then load := load + 1 fi",
        1 => "if load > 0 then load := load - 1 fi",
        _ => "load := {load, 0, $top}",
    };
    format!("  if request = {kind} & mode = busy then {action} fi;\n")
}
