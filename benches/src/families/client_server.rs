//! Clients of one server, which serves one at a time. The server does not know who asks: which client
//! takes part in a step of the server is up to the synchronisation vectors.

use super::text::{Step, Text, step};
use super::{Instance, Logic::*, Plan, Property, p};

pub const PLAN: Plan = Plan {
    about: "\
Clients ask a server that serves one at a time and does not know them by name.

Client 0 thinks (`think0`) until it wants something (`want0`), asks (`req0`), gets the reply
(`rep0`) and uses it (`use0`). The server works for whoever asked (`work`). Synchronisation vectors
let one client at a time take part in `req` and `rep`; while the server is busy it blocks all the
others.",
    fault: "\
One client, not client 0, takes a reply for which it never asked. Then the server takes a new
request while client 0 still waits.",
    properties: &PROPERTIES,
    write,
};

const PROPERTIES: [Property; 16] = [
    p("local: nothing is used before a reply", Mcf, "[(!rep0)*.use0] false", true),
    p("local: a client can think forever", Mu, "nu X. <think0> X", true),
    p("local: a client can always think", Mcf, "[true*] <think0> true", false),
    p("local: a client asks for nothing", Mcf, "<(!want0)*.req0> true", false),
    p("two-party: a reply takes work", Mcf, "[true*.req0.(!work)*.rep0] false", true),
    p("two-party: a request can be answered", Mcf, "<true*.req0.true*.rep0> true", true),
    p("two-party: clients can be served in turns", Mcf, "<true*.use0.true*.use1> true", true),
    p(
        "two-party: clients can be served in turns forever",
        Mu,
        "nu X. mu Y. <rep0> (mu Z. <rep1> X | <true> Z) | <true> Y",
        true,
    ),
    p("two-party: who wants something can ask", Mcf, "[true*.want0] <req0> true", false),
    p("two-party: a reply without work", Mcf, "<true*.req0.(!work)*.rep0> true", false),
    p("global: one request at a time", Mcf, "[true*.req0.(!rep0)*.req1] false", true)
        .sees_the_fault(),
    p("global: the last does not push in", Mcf, "[true*.req0.(!rep0)*.rep$] false", true)
        .sees_the_fault(),
    p("global: no deadlock", Mcf, "[true*] <true> true", true),
    p("global: who wants something can get it", Mcf, "[true*.want0] <true*.use0> true", true),
    p("global: two requests at once", Mcf, "<true*.req0.(!rep0)*.req1> true", false)
        .sees_the_fault(),
    p(
        "global: who asks gets a reply in the end",
        Mcf,
        "[true*.req0] mu X. (<true> true && [!rep0] X)",
        false,
    ),
];

fn write(instance: &mut Instance, text: &mut Text) {
    let fault = instance.fault();
    text.lts("Server", &server());
    for i in 0..instance.size {
        let is_thief = fault == Some(i);
        text.lts(&format!("Client{i}"), &client(i, is_thief, instance.work()));
        for action in ["req", "rep"] {
            text.vector(format!("Server:{action} | Client{i}:{action} -> {action}{i}"));
        }
    }
}

fn server() -> [Step; 3] {
    [step("free", "req", "busy"), step("busy", "work", "done"), step("done", "rep", "free")]
}

fn client(i: u32, is_thief: bool, uses: u32) -> Vec<Step> {
    let mut steps = vec![
        step("idle", format!("think{i}"), "idle"),
        step("idle", format!("want{i}"), "wants"),
        step("wants", "req", "waits"),
        step("waits", "rep", "served1"),
    ];
    if is_thief {
        steps.push(step("idle", "rep", "served1"));
    }
    for number in 1..uses {
        let (now, next) = (format!("served{number}"), format!("served{}", number + 1));
        steps.push(step(now, format!("use{i}"), next));
    }
    steps.push(step(format!("served{uses}"), format!("use{i}"), "idle"));
    steps
}
