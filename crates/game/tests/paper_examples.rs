//! The examples of C §2–3 and the failure nodes of G §5, by number.
//!
//! The figures are missing from the papers' texts. The KMTS of C Fig. 2(a) is reconstructed from
//! Examples 2.5, 2.8 and 3.5: thirteen nodes n0 … n12, of which n3 = s0 ⊢ q is a tie, n5 is T, n7 = s1 ⊢ Z
//! is F, and the initial node is unknown.

use game::colour::{Colouring, colour};
use game::{GameGraph, NodeClass, Subformulas, unknown_subgraph};
use logic::{Family, Formula, Logic, Node, Signature, Truth};
use model::{Kind, Mode, ModelBuilder, PartialModel};
use support::{FileId, Monitor};

/// States with their labels (`p`, `!p`; what is not named is unknown) and edges (may only if `false`).
fn kmts(props: &[&str], states: &[&[&str]], edges: &[(u32, u32, bool)]) -> PartialModel {
    let mut builder = ModelBuilder::new(Kind::Kmts, "M");
    let ids: Vec<_> = props.iter().map(|prop| builder.prop(prop)).collect();
    for (number, labels) in states.iter().enumerate() {
        let state = builder.state(format!("s{number}"));
        for label in *labels {
            let name = label.trim_start_matches('!');
            let index = props.iter().position(|prop| *prop == name).expect("a known proposition");
            builder.label(state, ids[index], (!label.starts_with('!')).into());
        }
    }
    builder.init(0);
    for &(source, target, must) in edges {
        let mode = if must { Mode::BOTH } else { Mode::MAY };
        builder.edge(source, None, mode, target);
    }
    builder.finish()
}

fn formula(model: &PartialModel, logic: Logic, text: &str) -> Formula {
    let surface = front::parse_formula(logic, FileId(0), &text.into(), 0..text.len())
        .unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let signature = Signature { family: Family::Props, props: model.props(), actions: &[] };
    logic::compile(&surface, &signature, &mut Vec::new()).expect("names are known")
}

fn coloured<'f>(
    model: &PartialModel,
    formula: &Formula,
    subformulas: &'f Subformulas,
) -> (GameGraph<'f>, Colouring) {
    let monitor = Monitor::new();
    let graph = GameGraph::new(model, formula, subformulas, &monitor).expect("small");
    let colouring = colour(&graph, &monitor).expect("small");
    (graph, colouring)
}

/// The node `s ⊢ ψ` with ψ as it is printed.
fn node(phi: &Formula, graph: &GameGraph, state: u32, shown: &str) -> u32 {
    let is_it =
        |n: u32| graph.states[n as usize] == state && phi.show(graph.subformula(n).node) == shown;
    (0..graph.len() as u32).find(|&n| is_it(n)).unwrap_or_else(|| panic!("no s{state} ⊢ {shown}"))
}

fn figure_2() -> PartialModel {
    kmts(&["p", "q"], &[&["p"], &["!p", "!q"]], &[(0, 1, false), (1, 1, true)])
}

const PHI: &str = "mu Z. (q | (p & [] Z))";

#[test]
fn c_example_2_5_the_game_graph_has_thirteen_nodes_and_two_of_odd_priority() {
    let model = figure_2();
    let phi = formula(&model, Logic::Mu, PHI);
    let subformulas = Subformulas::of_formula(&phi);
    let (graph, _) = coloured(&model, &phi, &subformulas);
    assert_eq!(graph.len(), 13);
    let odd: Vec<u32> = (0..13).filter(|&n| graph.priority(n) == 1).collect();
    assert_eq!(odd, [node(&phi, &graph, 0, "Z"), node(&phi, &graph, 1, "Z")]);
    assert!((0..13).all(|n| graph.priority(n) <= 1));
    let to_s1 = node(&phi, &graph, 0, "[] Z");
    assert_eq!(graph.class(to_s1), NodeClass::Box);
    assert!(graph.successors(to_s1).iter().all(|edge| edge.may() && !edge.must()));
}

#[test]
fn c_example_2_8_the_initial_node_is_unknown() {
    let model = figure_2();
    let phi = formula(&model, Logic::Mu, PHI);
    let subformulas = Subformulas::of_formula(&phi);
    let (graph, colouring) = coloured(&model, &phi, &subformulas);
    let colour = |state, shown| colouring.colours[node(&phi, &graph, state, shown) as usize];
    assert_eq!(colouring.colours[graph.initial[0] as usize], Truth::Unknown);
    assert_eq!(colour(0, "q"), Truth::Unknown);
    assert_eq!(colour(0, "p"), Truth::True);
    assert_eq!(colour(1, "Z"), Truth::False);
}

#[test]
fn c_example_3_5_the_unknown_subgraph_leaves_out_what_is_settled() {
    let model = figure_2();
    let phi = formula(&model, Logic::Mu, PHI);
    let subformulas = Subformulas::of_formula(&phi);
    let (graph, colouring) = coloured(&model, &phi, &subformulas);
    let part = unknown_subgraph(&graph, &colouring.colours);
    let inside = |n: u32| part.of.contains(&n);
    // n5 is no witnessing successor; the descendants n8 … n12 of n7 are left out.
    assert_eq!(part.graph.len(), 7);
    assert!(!inside(node(&phi, &graph, 0, "p")));
    assert!(inside(node(&phi, &graph, 1, "Z")) && !inside(node(&phi, &graph, 1, "q")));
    // The initial colouring is defined on the terminal nodes n3 and n7 alone.
    let given: Vec<u32> = (0..7)
        .filter(|&n| part.graph.given[n as usize].is_some())
        .map(|n| part.of[n as usize])
        .collect();
    assert_eq!(given, [node(&phi, &graph, 0, "q"), node(&phi, &graph, 1, "Z")]);
    // C Thm 3.3: colouring the part again gives every node its colour.
    let again = colour(&part.graph, &Monitor::new()).expect("small");
    for (n, &original) in part.of.iter().enumerate() {
        assert_eq!(again.colours[n], colouring.colours[original as usize]);
    }
}

#[test]
fn g_lemma_2_case_1_a_literal() {
    let model = kmts(&["p"], &[&[]], &[(0, 0, true)]);
    let phi = formula(&model, Logic::Ctl, "AX p");
    let subformulas = Subformulas::of_formula(&phi);
    let (graph, colouring) = coloured(&model, &phi, &subformulas);
    let failure = colouring.failure_node(graph.initial[0]);
    assert_eq!(failure, node(&phi, &graph, 0, "p"));
}

#[test]
fn g_lemma_2_case_2_a_may_successor_of_the_wrong_colour() {
    for (text, labels) in [("AX p", "!p"), ("EX p", "p")] {
        let model = kmts(&["p"], &[&["!p"], &[labels]], &[(0, 1, false), (1, 1, true)]);
        let phi = formula(&model, Logic::Ctl, text);
        let subformulas = Subformulas::of_formula(&phi);
        let (graph, colouring) = coloured(&model, &phi, &subformulas);
        assert_eq!(colouring.colours[graph.initial[0] as usize], Truth::Unknown);
        let failure = colouring.failure_node(graph.initial[0]);
        assert_eq!(failure, node(&phi, &graph, 0, text));
        let successor = graph.successors(failure)[0];
        assert!(!successor.must() && colouring.colours[successor.node() as usize].is_definite());
    }
}

#[test]
fn g_lemma_2_case_3_a_loop_that_need_not_be_there() {
    // A loop of may transitions: AF p could fail on it, and EG p could hold on it.
    for (text, label, class) in [("AF p", "!p", NodeClass::Box), ("EG p", "p", NodeClass::Dia)] {
        let model = kmts(&["p"], &[&[label]], &[(0, 0, false)]);
        let phi = formula(&model, Logic::Ctl, text);
        let subformulas = Subformulas::of_formula(&phi);
        let (graph, colouring) = coloured(&model, &phi, &subformulas);
        assert_eq!(colouring.colours[graph.initial[0] as usize], Truth::Unknown);
        let failure = colouring.failure_node(graph.initial[0]);
        assert_eq!(graph.class(failure), class);
        let successors = graph.successors(failure);
        assert!(successors.iter().all(|edge| !edge.must()));
        // By the time it was coloured no successor was unknown, though in the end one is.
        assert!(
            successors.iter().all(|edge| colouring.colours[edge.node() as usize] == Truth::Unknown)
        );
    }
}

#[test]
fn g_section_3_the_cause_of_a_conjunction_coloured_by_a_loop_is_on_the_loop() {
    // AF p on a loop without p. Only the loop refutes it.
    let model = kmts(&["p"], &[&["!p"]], &[(0, 0, true)]);
    let phi = formula(&model, Logic::Ctl, "AF p");
    let subformulas = Subformulas::of_formula(&phi);
    let (graph, colouring) = coloured(&model, &phi, &subformulas);
    let step =
        (0..graph.len() as u32).find(|&n| graph.class(n) == NodeClass::Box).expect("AX AF p");
    let cause = colouring.next[step as usize];
    assert!(matches!(phi.node(graph.subformula(cause).node), Node::Var(_)));
    assert_eq!(colouring.colours[step as usize], Truth::False);
}
