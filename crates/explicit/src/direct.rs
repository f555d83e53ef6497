//! The direct method: compose the whole system, play the game on it (C §2.1).

use crate::certificate::Evidence;
use crate::compositional::evidence::steps;
use crate::doubt::{dead_end, open_label, open_transition, standing_still};
use crate::failure::Failure;
use crate::outcome::{Doubt, Error, Outcome, Reason, Stats};
use crate::verdict::{Initial, verdict};
use crate::{Deadlock, Request};
use game::{Board, Op, Plan, Play};
use logic::{Formula, Truth};
use model::{Model, Moves};
use std::borrow::Cow;

pub(crate) fn run(request: &Request) -> Result<Outcome, Failure> {
    play(request, request.system.composed(request.monitor)?)
}

/// The answer, if the composition has not more states than the limit.
pub(crate) fn run_within_limit(request: &Request) -> Result<Option<Outcome>, Failure> {
    match request.limit {
        Some(limit) => run_within(request, u32::try_from(limit).unwrap_or(u32::MAX)),
        None => run(request).map(Some),
    }
}

/// The answer, if the whole has not more than so many states.
pub(crate) fn run_within(request: &Request, limit: u32) -> Result<Option<Outcome>, Failure> {
    let whole = request.system.composed_within(limit, request.monitor)?;
    whole.map(|whole| play(request, whole)).transpose()
}

/// Plays the game on the whole.
fn play(request: &Request, model: Cow<Model>) -> Result<Outcome, Failure> {
    let Request { system, formula, monitor, .. } = *request;
    let dead_end = model.deadlock_state().map(|state| dead_end(system, &model.members(state)));
    if let (Deadlock::Error, Some(dead_end)) = (request.deadlock, &dead_end) {
        return Err(Failure::Error(Error::Deadlock(dead_end.clone())));
    }
    let (model, dead_end) = match (request.deadlock, &dead_end) {
        (Deadlock::Stutter, _) => (Cow::Owned(model.into_owned().stuttering()), None),
        _ => (model, dead_end),
    };
    let plan = Plan::new(formula);
    let board = Board::new(&model, formula, &plan, monitor)?;
    let roots: Vec<u32> = if request.values {
        (0..model.states() as u32).map(|state| board.position(state, plan.root)).collect()
    } else {
        model.init().iter().map(|&state| board.position(state, plan.root)).collect()
    };
    let play = match request.evidence {
        true => Play::with_arguments(&board, &roots, monitor)?,
        false => Play::new(&board, &roots, monitor)?,
    };
    if let Some(position) = play.contradiction() {
        return Err(Failure::Error(contradiction(&board, formula, position)));
    }
    let value = |state: u32| {
        let colour = play.colour(board.position(state, plan.root));
        colour.expect("contradictions were looked for")
    };
    let initial: Vec<(u32, Truth)> = model.init().iter().map(|&s| (s, value(s))).collect();
    let tuples: Vec<Initial> =
        initial.iter().map(|&(state, value)| (model.members(state), value)).collect();
    let verdict = verdict(system, &tuples);
    let argument = play.argument(verdict == Truth::True).filter(|_| verdict.is_definite());
    let named = |(state, value): (u32, Truth)| (model.state_name(state), value);
    Ok(Outcome {
        reason: (verdict == Truth::Unknown).then(|| reason(request, &board, &play, &initial)),
        initial: initial.iter().copied().map(named).collect(),
        values: request
            .values
            .then(|| (0..model.states() as u32).map(|s| named((s, value(s)))).collect()),
        dead_end,
        evidence: argument.map(|argument| Evidence::Direct(steps(&plan, argument))),
        stats: Stats {
            states: Some(model.states() as u64),
            transitions: Some((model.edges().len() + model.hyper().len()) as u64),
            game_nodes: Some(play.nodes()),
            game_edges: Some(play.edges),
            ..Stats::default()
        },
        ..Outcome::new(verdict)
    })
}

pub(crate) fn contradiction(board: &Board, formula: &Formula, position: u32) -> Error {
    let model = board.model;
    let place = board.place(position);
    let state = match board.state(position) {
        Some(state) => state,
        None => model.hyper()[place as usize - model.states()].source,
    };
    let node = board.plan.equations[board.equation(position) as usize].node;
    Error::Contradiction { state: model.state_name(state), subformula: formula.show(node) }
}

fn reason(request: &Request, board: &Board, play: &Play, initial: &[(u32, Truth)]) -> Reason {
    let Request { system, formula, .. } = *request;
    let with = |wanted| initial.iter().find(|&&(_, value)| value == wanted).map(|&(s, _)| s);
    let name = |state| board.model.state_name(state);
    let Some(start) = with(Truth::Unknown) else {
        return Reason::InitialStates {
            satisfying: with(Truth::True).map(name).unwrap_or_default(),
            falsifying: with(Truth::False).map(name).unwrap_or_default(),
        };
    };
    let (way, doubt) = game::find_doubt(board, play, board.position(start, board.plan.root));
    let (position, cause) = match doubt {
        game::Doubt::Literal { position } => {
            let prop = match board.plan.equations[board.equation(position) as usize].op {
                Op::Lit(prop, _) => board.model.props().name(prop),
                _ => "",
            };
            let tuple = board.model.members(board.place(position));
            (position, open_label(system, &tuple, prop))
        }
        game::Doubt::Transition { position, target } => {
            let source = board.place(position);
            let (from, to) = (board.model.members(source), board.model.members(target));
            let action = open_action(board, position, target);
            let cause = match is_standing_still(request, &from, &to, action.as_deref()) {
                true => standing_still(),
                false => open_transition(system, &from, &to, action),
            };
            (position, cause)
        }
    };
    let node_of = |position| board.plan.equations[board.equation(position) as usize].node;
    let place = |position| Some((board.model.members(board.state(position)?), node_of(position)));
    Reason::Doubt(Doubt {
        is_exact: false,
        way: way.into_iter().filter_map(place).collect(),
        from: name(start),
        state: name(board.place(position)),
        subformula: formula.show(node_of(position)),
        cause,
    })
}

/// The action of a transition that the modality at a position uses and that need not happen.
fn open_action(board: &Board, position: u32, target: u32) -> Option<String> {
    let edge = board.open_edge(board.equation(position), board.place(position), target)?;
    let action = board.model.edges().class_of(edge).action?;
    Some(board.model.actions().name(action).to_owned())
}

/// Whether a step of the whole is none of its components: it follows itself because nothing else must follow.
fn is_standing_still(request: &Request, from: &[u32], to: &[u32], action: Option<&str>) -> bool {
    request.deadlock == Deadlock::Stutter && from == to && {
        let moves = Moves::new(request.system, request.monitor);
        let mut steps = moves.steps(from, usize::MAX).into_iter().flatten();
        !steps.any(|(shown, _, target)| shown == action && target == to)
    }
}
