//! C Example 4.9 step by step, by the paper's lifting. The components of Fig. 5(a) are missing from the
//! text: `examples/c-4.9.tm` is a reconstruction and says from what.

mod reading;

use explicit::{COMPOSITIONAL, Request};
use game::colour::{Colouring, colour};
use game::{GameGraph, ModelGame, Plan, Products, Subformulas, SubsystemGame, ThreeValuedSolution};
use logic::{Formula, Truth};
use model::{
    Interface, LiftedComponent, Lifting, Moves, PartialModel, System, lift, mixed_simulation,
};
use std::path::Path;
use support::Monitor;

/// The system of an example and its first property.
fn example(name: &str) -> (System, Formula) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    reading::read(&std::fs::read_to_string(path).expect("an example"))
}

fn lifted(system: &System, interface: &Interface, component: usize) -> LiftedComponent {
    lift(system, interface, component, &[], Lifting::Paper, false)
}

/// Data that the steps of the example share.
struct Question {
    system: System,
    formula: Formula,
    plan: Plan,
    subformulas: Subformulas,
    interface: Interface,
    monitor: Monitor,
}

impl Question {
    fn new() -> Self {
        let (system, formula) = example("c-4.9.tm");
        let plan = Plan::new(&formula);
        let subformulas = Subformulas::of_plan(&formula, &plan);
        let (interface, monitor) = (Interface::new(&system), Monitor::new());
        Self { system, formula, plan, subformulas, interface, monitor }
    }

    /// The colour of the initial node of a lifted component, and its ?-subgraph.
    fn part(&self, component: usize) -> (Truth, SubsystemGame<'_>) {
        let lifted = lifted(&self.system, &self.interface, component);
        let arena =
            ModelGame::new(&lifted.model, &self.formula, &self.plan, &self.monitor).unwrap();
        let root = arena.position(0, self.plan.root);
        let solution = ThreeValuedSolution::new(&arena, &[root], &self.monitor).unwrap();
        let part = SubsystemGame::of_component(
            &arena,
            &solution,
            &lifted,
            &[0],
            &self.interface,
            &self.subformulas,
            &self.monitor,
        );
        (solution.colour(root).unwrap(), part.unwrap())
    }

    fn product(&self) -> (SubsystemGame<'_>, Colouring) {
        let products = Products {
            interface: &self.interface,
            formula: &self.formula,
            plan: &self.plan,
            knowledge: &Moves::new(&self.system, &self.monitor),
            has_choices: false,
            limit: u32::MAX,
            monitor: &self.monitor,
        };
        let ((_, first), (_, second)) = (self.part(0), self.part(1));
        let product = products.combine(&first, &second, [&[0, 0][..]]).unwrap().unwrap();
        let colouring = colour(&product.graph, &self.monitor).unwrap();
        (product, colouring)
    }

    fn shown(&self, graph: &GameGraph, node: u32) -> String {
        self.formula.show(graph.subformula(node).node)
    }
}

/// o is local to M1, i to M2, and r is the only joint proposition.
#[test]
fn c_example_4_9_the_propositions() {
    let question = Question::new();
    let own = |component: usize| -> Vec<&str> {
        question.system.components[component].model.props().names().collect()
    };
    assert_eq!((own(0), own(1)), (vec!["r", "o"], vec!["r", "i"]));
    assert_eq!(question.interface.joint.names(), ["r"]);
}

/// Fig. 5(b): neither component decides. Its failure causes in M1 are named in §5.1 and Example 5.11.
#[test]
fn c_example_4_9_both_lifted_components_are_unknown() {
    let question = Question::new();
    let [(first, part), (second, _)] = [0, 1].map(|component| question.part(component));
    assert_eq!((first, second), (Truth::Unknown, Truth::Unknown));
    let graph = &part.graph;
    let find = |state: &str, shown: &str| {
        let model = &question.system.components[0].model;
        (0..graph.len() as u32).find(|&node| {
            let own = model.state_name(graph.states[node as usize]);
            own == state && question.shown(graph, node) == shown
        })
    };
    let literal = find("s0", "!i").expect("s0 ⊢ ¬i is in the ?-subgraph");
    assert_eq!(graph.given[literal as usize], Some(Truth::Unknown));
    let step = find("s1", "<> o").expect("s1 ⊢ ◇o is in the ?-subgraph");
    let target = find("s2", "o").expect("and so is s2 ⊢ o");
    assert!(graph.successors(step).iter().any(|edge| edge.node() == target && !edge.must()));
}

/// The files `c-4.9-m1.tm` and `c-4.9-m2.tm` are the lifted components, written down (C Def. 4.3).
#[test]
fn c_def_4_3_the_lifted_components_are_those_of_the_example() {
    let question = Question::new();
    for (component, name) in [(0, "c-4.9-m1.tm"), (1, "c-4.9-m2.tm")] {
        let made = lifted(&question.system, &question.interface, component).model;
        let written = example(name).0.components.remove(0).model;
        let covers = |concrete: &PartialModel, abstracted: &PartialModel| {
            let found = mixed_simulation(concrete, abstracted, &question.monitor).unwrap();
            (0..made.states() as u32).all(|state| found.contains(state, state))
        };
        assert!(covers(&made, &written) && covers(&written, &made), "{name}");
    }
}

/// Fig. 5(c): "All the edges in the product graph are must edges. All nodes, and in particular the initial
/// node, are colored T"; it "only considers a small part of the compound system".
#[test]
fn c_example_4_9_the_product_decides() {
    let question = Question::new();
    let (product, colouring) = question.product();
    let graph = &product.graph;
    assert_eq!(graph.initial.len(), 1);
    for node in 0..graph.len() as u32 {
        assert_eq!(colouring.colours[node as usize], Truth::True, "{node}");
        assert!(graph.successors(node).iter().all(|edge| edge.must()), "{node}");
    }
    let composition = question.system.compose(&question.monitor).unwrap();
    let subformulas = Subformulas::of_plan(&question.formula, &question.plan);
    let full =
        GameGraph::new(&composition, &question.formula, &subformulas, &question.monitor).unwrap();
    assert!(graph.len() < full.len(), "{} of {} nodes", graph.len(), full.len());
}

/// C Fig. 4 from end to end.
#[test]
fn c_fig_4_the_algorithm_answers_the_example() {
    let Question { system, formula, monitor, .. } = Question::new();
    for order in [[0, 1], [1, 0]] {
        let plain = Request::new(&system, &formula, &monitor);
        let outcome = COMPOSITIONAL.run(&Request { order: &order, ..plain }).unwrap();
        assert_eq!((outcome.verdict, outcome.unsuited), (Truth::True, None));
    }
}
