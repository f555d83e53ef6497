//! A transition that several rules make is one in explanations, and certain if one of them is.

mod reading;

use explicit::{COMPOSITIONAL, DIRECT, ExplainOptions, REFINE, Request, explain};
use logic::Truth;
use support::Monitor;

#[test]
fn parallel_transitions_are_one() {
    let text = "component A mts { actions a, b; init s; s: -a?> t -b-> t; t: ; }
                component B mts { actions d; init u; u: -d-> u; }
                system A || B sync { A:a -> c; A:b -> c; };
                property x: mu <c> true & [c] [c] false;";
    let (system, formula) = reading::read(text);
    let monitor = Monitor::new();
    let wish = ExplainOptions { positions: 1_000, shortest: false };
    for method in [DIRECT, COMPOSITIONAL, REFINE] {
        let request = Request::new(&system, &formula, &monitor);
        let (outcome, explanation) = explain(method, &request, &wish).unwrap();
        assert_eq!(outcome.verdict, Truth::True, "{method:?}");
        let explanation = explanation.expect("an explanation");
        let by_c = explanation.nodes.iter().map(|node| {
            let steps = node.successors.iter().filter_map(|successor| successor.step.as_ref());
            steps.filter(|step| step.action.as_deref() == Some("c")).count()
        });
        assert_eq!(by_c.max(), Some(1), "{method:?}: {explanation:?}");
    }
}
