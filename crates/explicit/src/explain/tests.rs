//! Explanations are sufficient and minimal (G Def. 5, Thm 3), as games on their own, and they are about
//! the model.

use super::unfold::Unfolded;
use super::{Explanation, Why, Wish, definite, explain, find};
use crate::{Deadlock, Method, Request};
use game::ParityGame;
use game::Player;
use game::solve::{Algorithm, solve};
use logic::{Formula, Modality, Node, Truth};
use model::{EdgeClass, Kind, Model, System};
use std::cell::Cell;
use support::Monitor;
use testkit::reference;
use testkit::{Case, Rng, for_seeds, pair, system_question};

/// The game in which an explanation is played by itself: who wins loses if he cannot move, and so does
/// the other; without the edge `(node, son)` nothing is known of where it led.
fn winner(unfolded: &Unfolded, formula: &Formula, without: Option<(usize, usize)>) -> Vec<bool> {
    let Explanation { nodes, .. } = &unfolded.explanation;
    let value = unfolded.explanation.verdict == Truth::True;
    let (ours, theirs) = if value {
        (Player::Verifier, Player::Falsifier)
    } else {
        (Player::Falsifier, Player::Verifier)
    };
    let lost = nodes.len() as u32;
    let (mut owners, mut priorities) = (Vec::new(), Vec::new());
    let (mut offsets, mut sons) = (vec![0], Vec::new());
    for (index, node) in nodes.iter().enumerate() {
        owners.push(if node.why == Why::One || node.why == Why::Unfolding { ours } else { theirs });
        priorities.push(formula.node_priority(unfolded.subformulas[index]));
        for (number, son) in node.sons.iter().enumerate() {
            sons.push(if without == Some((index, number)) { lost } else { son.node });
        }
        offsets.push(sons.len() as u32);
    }
    owners.push(ours);
    priorities.push(0);
    offsets.push(sons.len() as u32);
    let game = ParityGame::new(priorities, owners, offsets, sons);
    let solution = solve(&game, Algorithm::Auto, &Monitor::new()).expect("nothing stops it");
    let roots = unfolded.explanation.roots.iter();
    roots.map(|&root| solution.winner(root) == ours).collect()
}

/// Every node is what the model says: literals as they are labelled, the loser's steps complete, all
/// steps there.
fn is_of_the_model(unfolded: &Unfolded, formula: &Formula, whole: &Model) -> Result<(), String> {
    let explanation = &unfolded.explanation;
    let values = |node: usize| &explanation.states[explanation.nodes[node].state as usize];
    let name = |node: usize| -> Option<String> {
        let members = values(node).members.iter().map(|member| member.as_ref().map(|m| &*m.name));
        members.collect::<Option<Vec<&str>>>().map(|names| names.join(","))
    };
    let number =
        |name: &str| (0..whole.states() as u32).find(|&state| whole.state_name(state) == name);
    for (index, node) in explanation.nodes.iter().enumerate() {
        let Some(state) = name(index) else { continue };
        let state = number(&state).ok_or_else(|| format!("there is no state {state}"))?;
        let definition = formula.definition(unfolded.subformulas[index]);
        if let Node::Modal(modality, actions, _) = formula.node(definition)
            && (modality == Modality::Box) == (node.value == Truth::True)
        {
            let set = formula.actions(actions);
            let asked = |class: EdgeClass| {
                let is_named = |action| set.contains(whole.actions().name(action));
                class.mode.may && class.action.is_none_or(is_named)
            };
            let mut targets: Vec<u32> = whole
                .edges()
                .out(state)
                .filter(|&(_, class)| asked(class))
                .map(|(target, _)| target)
                .collect();
            targets.sort_unstable();
            targets.dedup();
            let mut sons: Vec<u32> = node.sons.iter().map(|son| son.node).collect();
            sons.sort_unstable();
            sons.dedup();
            if sons.len() != targets.len() {
                return Err(format!("{} of {} steps of the loser", sons.len(), targets.len()));
            }
        }
        for son in node.sons.iter().filter(|son| son.step.is_some()) {
            let target = name(son.node as usize).ok_or("a step into nowhere")?;
            let target = number(&target).ok_or_else(|| format!("there is no state {target}"))?;
            let is_hyper = whole.hyper_from(state).iter().any(|h| h.targets.contains(&target));
            if !is_hyper && !whole.edges().out(state).any(|(to, _)| to == target) {
                return Err(format!("there is no step from {state} to {target}"));
            }
        }
    }
    Ok(())
}

/// Where a subformula is said to have a value, it has.
fn is_right(unfolded: &Unfolded, formula: &Formula, whole: &Model) -> Result<(), String> {
    let values = reference::evaluate(whole, formula);
    let explanation = &unfolded.explanation;
    for (node, &subformula) in explanation.nodes.iter().zip(&unfolded.subformulas) {
        let members = &explanation.states[node.state as usize].members;
        let names: Option<Vec<&str>> =
            members.iter().map(|member| member.as_ref().map(|m| &*m.name)).collect();
        let Some(names) = names else { continue };
        let name = names.join(",");
        let state = (0..whole.states() as u32).find(|&state| whole.state_name(state) == name);
        let state = state.ok_or_else(|| format!("there is no state {name}"))?;
        if values.truth(subformula, state) != Some(node.value) {
            return Err(format!("`{}` is not {} in {name}", node.subformula, node.value));
        }
    }
    Ok(())
}

/// Several components, or one with hyper-transitions.
fn question(rng: &mut Rng, case: &mut Case) -> Option<(System, Model, Formula)> {
    if rng.chance(0.7) {
        return system_question(rng, case, 14);
    }
    let (model, formula) = pair(rng, case, &[Kind::MixTs, Kind::Gkmts], 14);
    Some((System::single(model.clone()), model, formula))
}

fn one_question(rng: &mut Rng, case: &mut Case, seen: &Cell<[u32; 2]>) -> Result<(), String> {
    let Some((system, whole, formula)) = question(rng, case) else { return Ok(()) };
    let monitor = Monitor::new();
    let methods = [Method::Auto, Method::Direct, Method::Compositional, Method::Refine];
    let method = *rng.pick(&methods);
    let deadlock = *rng.pick(&[Deadlock::Warn, Deadlock::Stutter]);
    case.note(format!("-- {method:?} {deadlock:?}"));
    let plain = Request::new(&system, &formula, &monitor);
    let request = Request { method, deadlock, evidence: true, ..plain };
    // A small limit makes it go to the parts.
    let limit = if rng.chance(0.2) { 2 } else { 100_000 };
    let wish = Wish { positions: limit, shortest: rng.chance(0.5) };
    let outcome = match find(&request, &wish) {
        Ok(outcome) => outcome,
        // Musts without mays can contradict themselves.
        Err(crate::Error::Contradiction { .. }) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let whole = if deadlock == Deadlock::Stutter { whole.stuttering() } else { whole };
    let Some(evidence) = &outcome.evidence else {
        let (_, explanation) = explain(&request, &Wish { positions: 1000, shortest: false })
            .map_err(|error| error.to_string())?;
        let is_missing =
            |e: &Explanation| e.nodes.iter().filter(|n| n.why == Why::Missing).count() == 1;
        let is_doubt = matches!(outcome.reason, Some(crate::Reason::Doubt(_)));
        return match explanation {
            Some(explanation) if is_missing(&explanation) => Ok(()),
            None if !is_doubt => Ok(()),
            other => Err(format!("an unknown is explained as {other:?}")),
        };
    };
    let unfolded = definite(&request, &outcome, evidence, &wish).map_err(|_| "it was stopped")?;
    let unfolded = unfolded.ok_or("no explanation")?;
    // In parts the states may be blocks.
    if limit > 2 {
        is_right(&unfolded, &formula, &whole)?;
        is_of_the_model(&unfolded, &formula, &whole)?;
    }
    if unfolded.explanation.cut > 0 {
        return Ok(());
    }
    if winner(&unfolded, &formula, None).contains(&false) {
        return Err(format!("it is not sufficient: {:?}", unfolded.explanation));
    }
    let [branching, edges] = seen.get();
    let mut count = 0;
    for (index, node) in unfolded.explanation.nodes.iter().enumerate() {
        for number in 0..node.sons.len() {
            count += 1;
            if !winner(&unfolded, &formula, Some((index, number))).contains(&false) {
                return Err(format!("it does without an edge: {:?}", unfolded.explanation));
            }
        }
    }
    let is_branching = unfolded.explanation.nodes.iter().any(|node| node.sons.len() > 1);
    seen.set([branching + u32::from(is_branching), edges + count]);
    Ok(())
}

#[test]
fn explanations_are_sufficient_and_minimal() {
    let seen = Cell::new([0, 0]);
    for_seeds("explain", 0..6_000, |rng, case| one_question(rng, case, &seen));
    let [branching, edges] = seen.get();
    assert!(branching > 500 && edges > 5_000, "{branching} {edges}");
}
