//! Every colouring against the reference semantics, node by node, on random models and formulas.

use game::colour::Colouring;
use game::{
    Arena, ArenaView, FailureNode, GameGraph, ModelGame, Plan, Player, Side, Subformulas,
    ThreeValuedSolution, View, find_failure_node, unknown_subgraph,
};
use logic::{Formula, NodeId, Truth};
use model::{Kind, PartialModel};
use support::Monitor;
use testkit::reference::{self, Values};
use testkit::{Case, Rng, for_seeds, pair};

/// The ordinary run; a million by `cargo test -p tertium-game --release -- --ignored`.
const PAIRS: u64 = 20_000;

#[test]
fn all_colourings_agree_with_the_reference() {
    for_seeds("colourings", 0..PAIRS, one_pair);
}

#[test]
#[ignore = "a million pairs: minutes in a release build"]
fn all_colourings_agree_with_the_reference_on_a_million_pairs() {
    for_seeds("colourings", PAIRS..PAIRS + 1_000_000, one_pair);
}

fn one_pair(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let (model, formula) = pair(rng, case, &Kind::ALL, 16);
    let values = reference::evaluate(&model, &formula);
    check_play(&model, &formula, &values)?;
    if matches!(model.kind, Kind::Kripke | Kind::Kmts | Kind::Lts | Kind::Mts) {
        check_graph(&model, &formula, &values)?;
    }
    Ok(())
}

fn check_play(model: &PartialModel, formula: &Formula, values: &Values) -> Result<(), String> {
    let monitor = Monitor::new();
    let plan = Plan::new(formula);
    let arena = ModelGame::new(model, formula, &plan, &monitor).expect("small");
    let roots: Vec<u32> =
        (0..model.states() as u32).map(|state| arena.position(state, plan.root)).collect();
    let solution = ThreeValuedSolution::new(&arena, &roots, &monitor).expect("nothing stops it");
    for position in solution.reachable.ones() {
        let position = position as u32;
        let Some(state) = arena.state(position) else { continue };
        let node = plan.equations[arena.equation(position) as usize].node;
        let (found, wanted) = (solution.colour(position), values.truth(node, state));
        if found != wanted {
            let shown = formula.show(node);
            return Err(format!("s{state} |- {shown}: {found:?}, reference {wanted:?}"));
        }
        if found == Some(Truth::Unknown) && solution.contradiction().is_none() {
            check_cause(&arena, &solution, position)?;
        }
    }
    for view in [View::Pessimistic, View::Optimistic] {
        check_strategies(arena.view(view), &solution, solution.side(view))?;
    }
    Ok(())
}

fn check_cause(
    arena: &ModelGame,
    solution: &ThreeValuedSolution,
    position: u32,
) -> Result<(), String> {
    match find_failure_node(arena, solution, position).1 {
        FailureNode::Literal { position } if arena.terminal(position) == Some(Truth::Unknown) => {
            Ok(())
        }
        FailureNode::Transition { position, target } => {
            let modes = arena.modes(arena.equation(position), arena.place(position), target);
            if modes == (true, false) { Ok(()) } else { Err(format!("no failure: {modes:?}")) }
        }
        other => Err(format!("no failure: {other:?}")),
    }
}

/// Following the strategies, the winner stays among his positions and no cycle is the other's.
fn check_strategies(
    view: ArenaView,
    solution: &ThreeValuedSolution,
    side: &Side,
) -> Result<(), String> {
    for player in [Player::Verifier, Player::Falsifier] {
        let region: Vec<u32> = solution
            .reachable
            .ones()
            .map(|p| p as u32)
            .filter(|&p| side.verifier_wins(p) == (player == Player::Verifier))
            .collect();
        let moves = |position: u32| -> Vec<u32> {
            if view.owner(position) == player {
                return side.strategy(view, position).into_iter().collect();
            }
            let mut successors = Vec::new();
            view.any_successor(position, |successor| {
                successors.push(successor);
                false
            });
            successors
        };
        for &position in &region {
            let successors = moves(position);
            if view.owner(position) == player && successors.is_empty() {
                return Err(format!("{player:?} is stuck at {position}"));
            }
            if let Some(successor) = successors.iter().find(|successor| !region.contains(successor))
            {
                return Err(format!("{player:?} leaves his region: {position} to {successor}"));
            }
            if Player::of_priority(view.priority(position)) != player
                && on_cycle(view, &moves, position)
            {
                return Err(format!("{player:?} lets the other win a cycle through {position}"));
            }
        }
    }
    Ok(())
}

/// Whether a cycle through the node has no higher priority than the node's.
fn on_cycle(view: ArenaView, moves: &impl Fn(u32) -> Vec<u32>, start: u32) -> bool {
    let low = |position: &u32| view.priority(*position) <= view.priority(start);
    let mut seen = Vec::new();
    let mut open: Vec<u32> = moves(start).into_iter().filter(low).collect();
    while let Some(position) = open.pop() {
        if position == start {
            return true;
        }
        if !seen.contains(&position) {
            seen.push(position);
            open.extend(moves(position).into_iter().filter(low));
        }
    }
    false
}

fn check_graph(model: &PartialModel, formula: &Formula, values: &Values) -> Result<(), String> {
    let monitor = Monitor::new();
    let subformulas = Subformulas::of_formula(formula);
    let graph = GameGraph::new(model, formula, &subformulas, &monitor).expect("small");
    let wanted: Vec<Truth> = (0..graph.len())
        .map(|n| {
            values.truth(NodeId(graph.labels[n]), graph.states[n]).expect("must lies within may")
        })
        .collect();
    let same = |name: &str, colours: &[Truth]| match colours == wanted {
        true => Ok(()),
        false => Err(format!("{name}: {colours:?}, reference {wanted:?}")),
    };
    same("3-valued Zielonka", &testkit::zielonka::colour(&graph))?;
    let colouring = game::colour::colour(&graph, &monitor).expect("nothing stops it");
    same("colour", &colouring.colours)?;
    let parity = game::colour::parity::colour(&graph, &monitor).expect("nothing stops it");
    same("two parity games", &parity.colours)?;
    for colouring in [&colouring, &parity] {
        check_reasons(&graph, colouring)?;
    }
    check_subgraph(&graph, &colouring)
}

/// C Thm 3.3 for the ?-subgraph.
fn check_subgraph(graph: &GameGraph, colouring: &Colouring) -> Result<(), String> {
    let part = unknown_subgraph(graph, &colouring.colours);
    let again = game::colour::colour(&part.graph, &Monitor::new()).expect("nothing stops it");
    for (n, &original) in part.of.iter().enumerate() {
        if again.colours[n] != colouring.colours[original as usize] {
            return Err(format!("node {original} has another colour in the ?-subgraph"));
        }
    }
    Ok(())
}

/// `cause` leads to the same colour by a must edge; `cont` leads to a failure node as in G Lemma 2.
fn check_reasons(graph: &GameGraph, colouring: &Colouring) -> Result<(), String> {
    for node in 0..graph.len() as u32 {
        let colour = colouring.colours[node as usize];
        let next = colouring.next[node as usize];
        if next != game::colour::NONE {
            let edge = graph.successors(node).iter().find(|edge| edge.node() == next && edge.may());
            if edge.is_none() || colouring.colours[next as usize] != colour {
                return Err(format!("node {node} does not follow from {next}"));
            }
        } else if colour.is_definite() && graph.given[node as usize].is_none() {
            let universal = graph.class(node).is_universal();
            if universal == (colour == Truth::False) {
                return Err(format!("node {node} is {colour} without a cause"));
            }
        }
        if colour == Truth::Unknown {
            check_failure_node(graph, colouring, colouring.failure_node(node))?;
        }
    }
    Ok(())
}

fn check_failure_node(graph: &GameGraph, colouring: &Colouring, node: u32) -> Result<(), String> {
    let literal = graph.given[node as usize] == Some(Truth::Unknown);
    let bad = Truth::from(!graph.class(node).is_universal());
    let open = graph.successors(node).iter().any(|edge| {
        let colour = colouring.colours[edge.node() as usize];
        edge.may() && !edge.must() && (colour == bad || colour == Truth::Unknown)
    });
    if literal || open { Ok(()) } else { Err(format!("{node} is no failure node of G Lemma 2")) }
}
