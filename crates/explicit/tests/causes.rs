//! All causes of an unknown: minimal sets of facts, with the verdict that each gives.

mod reading;

use explicit::{COMPOSITIONAL, DIRECT, DecidingFacts, Fact, Request, deciding_facts};
use support::Monitor;

fn causes(text: &str, most: usize) -> Vec<String> {
    let (system, formula) = reading::read(text);
    let monitor = Monitor::new();
    let request = Request::new(&system, &formula, &monitor);
    let shown = |(fact, holds): &(Fact, bool)| {
        let fact = match fact {
            Fact::Label { component, state, prop } => format!("{component}.{state}.{prop}"),
            Fact::Transition { component, from, to, .. } => format!("{component}.{from}->{to}"),
        };
        format!("{}{fact}", if *holds { "" } else { "!" })
    };
    let line = |DecidingFacts { facts, verdict }: &DecidingFacts| {
        format!("{}: {verdict}", facts.iter().map(shown).collect::<Vec<_>>().join(" "))
    };
    let by = |method| -> Vec<String> {
        let mut lines: Vec<String> =
            deciding_facts(method, &request, most).iter().map(line).collect();
        lines.sort_by_key(|line| (line.matches(' ').count(), line.clone()));
        lines
    };
    let found = by(DIRECT);
    assert_eq!(found, by(COMPOSITIONAL));
    found
}

#[test]
fn every_disjunct_is_a_cause() {
    let text = "component M kmts { props p, q; init s; s: {p?, q?} -> s; }
                component N kripke { props r; init t; t: {} -> t; }
                system M || N; property x: mu p | q;";
    assert_eq!(causes(text, 9), ["M.s.p: true", "M.s.q: true", "!M.s.p !M.s.q: false"]);
    assert_eq!(causes(text, 1).len(), 1);
}

/// Both have to make the step; either alone can keep it from happening.
#[test]
fn a_joint_transition_takes_both() {
    let text = "component A mts { actions a; init s; s: -a?> t; t: ; }
                component B mts { actions a; init u; u: -a?> v; v: ; }
                system A || B; property x: mu <a> true;";
    assert_eq!(causes(text, 9), ["!A.s->t: false", "!B.u->v: false", "A.s->t B.u->v: true"]);
}

#[test]
fn a_definite_verdict_has_the_empty_cause() {
    let text = "component M kmts { props p; init s; s: {p} -> s; }
                component N kripke { props r; init t; t: {} -> t; }
                system M || N; property x: mu p;";
    assert_eq!(causes(text, 9), [": true"]);
}
