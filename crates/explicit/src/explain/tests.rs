//! Explanations are sufficient and minimal (G Def. 5, Thm 3), as games on their own, and they are about
//! the model.

use super::{ExplainOptions, definite, explain};
use crate::{COMPOSITIONAL, DIRECT, Deadlock, REFINE, Request};
use game::ParityGame;
use game::Player;
use game::solve::{Algorithm, solve};
use logic::evidence::{Justification, Trace, TraceState, UnfoldedEvidence};
use logic::{Formula, Modality, Node, Truth};
use model::{EdgeClass, Kind, PartialModel, System};
use std::cell::Cell;
use support::Monitor;
use testkit::reference;
use testkit::{Case, Rng, for_seeds, pair, system_question};

/// The game in which an explanation is played by itself: who wins loses if he cannot move, and so does
/// the other; without the edge `(node, successor)` nothing is known of where it led.
fn winner(
    explanation: &UnfoldedEvidence,
    formula: &Formula,
    without: Option<(usize, usize)>,
) -> Vec<bool> {
    let UnfoldedEvidence { nodes, .. } = explanation;
    let value = explanation.verdict == Truth::True;
    let (ours, theirs) = if value {
        (Player::Verifier, Player::Falsifier)
    } else {
        (Player::Falsifier, Player::Verifier)
    };
    let lost = nodes.len() as u32;
    let (mut owners, mut priorities) = (Vec::new(), Vec::new());
    let (mut offsets, mut successors) = (vec![0], Vec::new());
    for (index, node) in nodes.iter().enumerate() {
        owners.push(if node.why == Justification::One || node.why == Justification::Unfolding {
            ours
        } else {
            theirs
        });
        priorities.push(formula.node_priority(node.formula.expect("a subformula")));
        for (number, successor) in node.successors.iter().enumerate() {
            successors.push(if without == Some((index, number)) { lost } else { successor.node });
        }
        offsets.push(successors.len() as u32);
    }
    owners.push(ours);
    priorities.push(0);
    offsets.push(successors.len() as u32);
    let game = ParityGame::new(priorities, owners, offsets, successors);
    let solution = solve(&game, Algorithm::Auto, &Monitor::new()).expect("nothing stops it");
    let roots = explanation.roots.iter();
    roots.map(|&root| solution.winner(root) == ours).collect()
}

/// Every node is what the model says: literals as they are labelled, the loser's steps complete, all
/// steps there.
fn is_of_the_model(
    explanation: &UnfoldedEvidence,
    formula: &Formula,
    composition: &PartialModel,
) -> Result<(), String> {
    let values = |node: usize| &explanation.states[explanation.nodes[node].state as usize];
    let name = |node: usize| -> Option<String> {
        let members = values(node).members.iter().map(|member| member.as_ref().map(|m| &*m.name));
        members.collect::<Option<Vec<&str>>>().map(|names| names.join(","))
    };
    let number = |name: &str| {
        (0..composition.states() as u32).find(|&state| composition.state_name(state) == name)
    };
    for (index, node) in explanation.nodes.iter().enumerate() {
        let Some(state) = name(index) else { continue };
        let state = number(&state).ok_or_else(|| format!("there is no state {state}"))?;
        let definition = formula.definition(node.formula.expect("a subformula"));
        if let Node::Modal(modality, actions, _) = formula.node(definition)
            && (modality == Modality::Box) == (node.value == Truth::True)
        {
            let set = formula.actions(actions);
            let asked = |class: EdgeClass| {
                let is_named = |action| set.contains(composition.actions().name(action));
                class.mode.may && class.action.is_none_or(is_named)
            };
            let mut targets: Vec<u32> = composition
                .edges()
                .out(state)
                .filter(|&(_, class)| asked(class))
                .map(|(target, _)| target)
                .collect();
            targets.sort_unstable();
            targets.dedup();
            let mut successors: Vec<u32> =
                node.successors.iter().map(|successor| successor.node).collect();
            successors.sort_unstable();
            successors.dedup();
            if successors.len() != targets.len() {
                return Err(format!(
                    "{} of {} steps of the loser",
                    successors.len(),
                    targets.len()
                ));
            }
        }
        for successor in node.successors.iter().filter(|successor| successor.step.is_some()) {
            let target = name(successor.node as usize).ok_or("a step into nowhere")?;
            let target = number(&target).ok_or_else(|| format!("there is no state {target}"))?;
            let is_hyper =
                composition.hyper_from(state).iter().any(|h| h.targets.contains(&target));
            if !is_hyper && !composition.edges().out(state).any(|(to, _)| to == target) {
                return Err(format!("there is no step from {state} to {target}"));
            }
        }
    }
    Ok(())
}

/// Where a subformula is said to have a value, it has.
fn is_right(
    explanation: &UnfoldedEvidence,
    formula: &Formula,
    composition: &PartialModel,
) -> Result<(), String> {
    let values = reference::evaluate(composition, formula);
    for node in &explanation.nodes {
        let members = &explanation.states[node.state as usize].members;
        let names: Option<Vec<&str>> =
            members.iter().map(|member| member.as_ref().map(|m| &*m.name)).collect();
        let Some(names) = names else { continue };
        let name = names.join(",");
        let state =
            (0..composition.states() as u32).find(|&state| composition.state_name(state) == name);
        let state = state.ok_or_else(|| format!("there is no state {name}"))?;
        if values.truth(node.formula.expect("a subformula"), state) != Some(node.value) {
            return Err(format!("`{}` is not {} in {name}", node.subformula, node.value));
        }
    }
    Ok(())
}

/// A trace is a run of the model.
fn is_run(trace: &Trace, composition: &PartialModel) -> Result<(), String> {
    let number = |state: &TraceState| {
        let names: Vec<String> = state.values.iter().map(|(_, name)| name.to_string()).collect();
        let name = names.join(",");
        let found =
            (0..composition.states() as u32).find(|&state| composition.state_name(state) == name);
        found.ok_or_else(|| format!("there is no state {name}"))
    };
    let mut states = trace.states.iter().map(number).collect::<Result<Vec<u32>, String>>()?;
    if !composition.init().contains(&states[0]) {
        return Err(format!("{trace} does not begin in an initial state"));
    }
    states.extend(trace.loop_start.map(|start| states[start]));
    if trace.steps.len() + 1 != states.len() {
        return Err(format!("{} steps between {} states", trace.steps.len(), states.len()));
    }
    let is_step = |ends: &[u32]| {
        let is_plain = composition.edges().out(ends[0]).any(|(to, _)| to == ends[1]);
        is_plain || composition.hyper_from(ends[0]).iter().any(|h| h.targets.contains(&ends[1]))
    };
    match states.windows(2).find(|ends| !is_step(ends)) {
        Some(ends) => Err(format!("there is no step {ends:?} in {trace}")),
        None => Ok(()),
    }
}

/// Several components, or one with hyper-transitions.
fn question(rng: &mut Rng, case: &mut Case) -> Option<(System, PartialModel, Formula)> {
    if rng.chance(0.7) {
        return system_question(rng, case, 14);
    }
    let (model, formula) = pair(rng, case, &[Kind::MixTs, Kind::Gkmts], 14);
    Some((System::single(model.clone()), model, formula))
}

fn one_question(
    rng: &mut Rng,
    case: &mut Case,
    seen: &Cell<[u32; 2]>,
    traces: &Cell<u32>,
) -> Result<(), String> {
    let Some((system, composition, formula)) = question(rng, case) else { return Ok(()) };
    let monitor = Monitor::new();
    let checker = *rng.pick(&[DIRECT, COMPOSITIONAL, REFINE]);
    let deadlock = *rng.pick(&[Deadlock::Warn, Deadlock::Stutter]);
    case.note(format!("-- {checker:?} {deadlock:?}"));
    let plain = Request::new(&system, &formula, &monitor);
    let request = Request { deadlock, evidence: true, ..plain };
    // A small limit makes it go to the parts.
    let limit = if rng.chance(0.2) { 2 } else { 100_000 };
    let wish = ExplainOptions { positions: limit, shortest: rng.chance(0.5) };
    let outcome = match checker.run(&request) {
        Ok(outcome) => outcome,
        // Musts without mays can contradict themselves.
        Err(crate::CheckError::Contradiction { .. }) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let composition =
        if deadlock == Deadlock::Stutter { composition.stuttering() } else { composition };
    let Some(evidence) = &outcome.evidence else {
        let (_, explanation) =
            explain(checker, &request, &ExplainOptions { positions: 1000, shortest: false })
                .map_err(|error| error.to_string())?;
        let is_missing = |e: &UnfoldedEvidence| {
            e.nodes.iter().filter(|n| n.why == Justification::Missing).count() == 1
        };
        let is_doubt = matches!(outcome.reason, Some(crate::Reason::Undetermined(_)));
        return match explanation {
            Some(explanation) if is_missing(&explanation) => Ok(()),
            None if !is_doubt => Ok(()),
            other => Err(format!("an unknown is explained as {other:?}")),
        };
    };
    let explanation =
        definite(&request, &outcome, evidence, &wish).map_err(|_| "it was stopped")?;
    let explanation = explanation.ok_or("no explanation")?;
    // In parts the states may be blocks.
    if limit > 2 {
        is_right(&explanation, &formula, &composition)?;
        is_of_the_model(&explanation, &formula, &composition)?;
        let has_all_members = explanation.states.iter().all(|state| !state.members.contains(&None));
        if let (true, Some(trace)) = (has_all_members, explanation.trace()) {
            is_run(&trace, &composition)?;
            traces.set(traces.get() + 1);
        }
    }
    if explanation.cut > 0 {
        return Ok(());
    }
    if winner(&explanation, &formula, None).contains(&false) {
        return Err(format!("it is not sufficient: {:?}", explanation));
    }
    let [branching, edges] = seen.get();
    let mut count = 0;
    for (index, node) in explanation.nodes.iter().enumerate() {
        for number in 0..node.successors.len() {
            count += 1;
            if !winner(&explanation, &formula, Some((index, number))).contains(&false) {
                return Err(format!("it does without an edge: {:?}", explanation));
            }
        }
    }
    let is_branching = explanation.nodes.iter().any(|node| node.successors.len() > 1);
    seen.set([branching + u32::from(is_branching), edges + count]);
    Ok(())
}

#[test]
fn explanations_are_sufficient_and_minimal() {
    let (seen, traces) = (Cell::new([0, 0]), Cell::new(0));
    for_seeds("explain", 0..6_000, |rng, case| one_question(rng, case, &seen, &traces));
    let [branching, edges] = seen.get();
    assert!(branching > 500 && edges > 5_000, "{branching} {edges}");
    assert!(traces.get() > 500, "{traces:?}");
}
