//! The direct method: compose the system, colour the 3-valued game on it (C §2.1). The composition is built once, the
//! game is never stored; the cost is linear in states × subformulas for alternation-free formulas and that of a
//! parity game for others.

use crate::cause::{deadlock_state, uncertain_transition, unknown_label};
use crate::certificate::Evidence;
use crate::compositional::evidence::steps;
use crate::failure::Failure;
use crate::outcome::{CheckError, Diagnosis, Outcome, Reason, Stats};
use crate::thorough::{self, Thorough};
use crate::verdict::{Initial, verdict};
use crate::{Deadlock, Request};
use game::{ModelGame, Op, Plan, ThreeValuedSolution};
use logic::{Formula, Truth};
use model::PartialModel;
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

/// The answer, if the composition has not more than so many states.
pub(crate) fn run_within(request: &Request, limit: u32) -> Result<Option<Outcome>, Failure> {
    let composition = request.system.composed_within(limit, request.monitor)?;
    composition.map(|composition| play(request, composition)).transpose()
}

/// Plays the game on the composition.
fn play(request: &Request, model: Cow<PartialModel>) -> Result<Outcome, Failure> {
    let Request { system, formula, monitor, .. } = *request;
    let deadlock_state =
        model.deadlock_state().map(|state| deadlock_state(system, &model.members(state)));
    if let (Deadlock::Error, Some(deadlock_state)) = (request.deadlock, &deadlock_state) {
        return Err(Failure::Error(CheckError::Deadlock(deadlock_state.clone())));
    }
    let (model, deadlock_state) = match (request.deadlock, &deadlock_state) {
        (Deadlock::Stutter, _) => (Cow::Owned(model.into_owned().stuttering()), None),
        _ => (model, deadlock_state),
    };
    let plan = Plan::new(formula);
    let arena = ModelGame::new(&model, formula, &plan, monitor)?;
    let roots: Vec<u32> = if request.values {
        (0..model.states() as u32).map(|state| arena.position(state, plan.root)).collect()
    } else {
        model.init().iter().map(|&state| arena.position(state, plan.root)).collect()
    };
    let solution = match request.evidence {
        true => ThreeValuedSolution::with_proofs(&arena, &roots, monitor)?,
        false => ThreeValuedSolution::new(&arena, &roots, monitor)?,
    };
    if let Some(position) = solution.contradiction() {
        return Err(Failure::Error(contradiction(&arena, formula, position)));
    }
    let value = |state: u32| {
        let colour = solution.colour(arena.position(state, plan.root));
        colour.expect("contradictions were looked for")
    };
    let Values { initial, all, verdict, thorough } = Values::new(request, &model, value)?;
    let is_proved = verdict.is_definite() && thorough.is_none();
    let proof = solution.proof(verdict == Truth::True).filter(|_| is_proved);
    let named = |(state, value): (u32, Truth)| (model.state_name(state), value);
    Ok(Outcome {
        reason: (verdict == Truth::Unknown).then(|| reason(request, &arena, &solution, &initial)),
        initial: initial.iter().copied().map(named).collect(),
        thorough,
        values: all.map(|values| values.into_iter().map(named).collect()),
        deadlock_state,
        evidence: proof.map(|proof| Evidence::Direct(steps(&plan, proof))),
        stats: Stats {
            states: Some(model.states() as u64),
            transitions: Some((model.edges().len() + model.hyper().len()) as u64),
            game_nodes: Some(solution.nodes()),
            game_edges: Some(solution.edges),
            ..Stats::default()
        },
        ..Outcome::new(verdict)
    })
}

/// The values of the formula by state.
struct Values {
    initial: Vec<(u32, Truth)>,
    /// In all states, if they are asked for.
    all: Option<Vec<(u32, Truth)>>,
    verdict: Truth,
    /// If the inductive semantics has no verdict and the thorough one is asked for.
    thorough: Option<Thorough>,
}

impl Values {
    /// From the inductive ones.
    fn new(
        request: &Request,
        model: &PartialModel,
        value: impl Fn(u32) -> Truth,
    ) -> Result<Self, Failure> {
        let Request { system, formula, monitor, .. } = *request;
        let verdict_of = |initial: &[(u32, Truth)]| {
            let members = |&(state, value): &(u32, Truth)| (model.members(state), value);
            verdict(system, &initial.iter().map(members).collect::<Vec<Initial>>())
        };
        let mut initial: Vec<(u32, Truth)> = model.init().iter().map(|&s| (s, value(s))).collect();
        let mut all: Option<Vec<(u32, Truth)>> =
            request.values.then(|| (0..model.states() as u32).map(|s| (s, value(s))).collect());
        let inductive = verdict_of(&initial);
        if !request.thorough {
            return Ok(Self { initial, all, verdict: inductive, thorough: None });
        }
        let both = [Some(&mut initial), all.as_mut()].into_iter().flatten();
        let is_decided = thorough::decide(model, formula, both, monitor)?;
        let verdict = verdict_of(&initial);
        let thorough = (!inductive.is_definite()).then(|| Thorough::new(verdict, is_decided));
        Ok(Self { initial, all, verdict, thorough })
    }
}

pub(crate) fn contradiction(arena: &ModelGame, formula: &Formula, position: u32) -> CheckError {
    let model = arena.model;
    let place = arena.place(position);
    let state = match arena.state(position) {
        Some(state) => state,
        None => model.hyper()[place as usize - model.states()].source,
    };
    let node = arena.plan.equations[arena.equation(position) as usize].node;
    CheckError::Contradiction { state: model.state_name(state), subformula: formula.show(node) }
}

fn reason(
    request: &Request,
    arena: &ModelGame,
    solution: &ThreeValuedSolution,
    initial: &[(u32, Truth)],
) -> Reason {
    let Request { system, formula, .. } = *request;
    let with = |wanted| initial.iter().find(|&&(_, value)| value == wanted).map(|&(s, _)| s);
    let name = |state| arena.model.state_name(state);
    let Some(start) = with(Truth::Unknown) else {
        return Reason::InitialStates {
            satisfying: with(Truth::True).map(name).unwrap_or_default(),
            falsifying: with(Truth::False).map(name).unwrap_or_default(),
        };
    };
    let (path, failure) =
        game::find_failure_node(arena, solution, arena.position(start, arena.plan.root));
    let (position, cause) = match failure {
        game::FailureNode::Literal { position } => {
            let prop = match arena.plan.equations[arena.equation(position) as usize].op {
                Op::Lit(prop, _) => arena.model.props().name(prop),
                _ => "",
            };
            let tuple = arena.model.members(arena.place(position));
            (position, unknown_label(system, &tuple, prop))
        }
        game::FailureNode::Transition { position, target } => {
            let source = arena.place(position);
            let (from, to) = (arena.model.members(source), arena.model.members(target));
            let action = open_action(arena, position, target);
            (position, uncertain_transition(system, &from, &to, action, None))
        }
    };
    let node_of = |position| arena.plan.equations[arena.equation(position) as usize].node;
    let place = |position| Some((arena.model.members(arena.state(position)?), node_of(position)));
    Reason::Undetermined(Diagnosis {
        is_exact: false,
        path: path.into_iter().filter_map(place).collect(),
        from: name(start),
        state: name(arena.place(position)),
        subformula: formula.show(node_of(position)),
        cause,
    })
}

/// The action of a transition that the modality at a position uses and that need not happen.
fn open_action(arena: &ModelGame, position: u32, target: u32) -> Option<String> {
    let edge = arena.open_edge(arena.equation(position), arena.place(position), target)?;
    let action = arena.model.edges().class_of(edge).action?;
    Some(arena.model.actions().name(action).to_owned())
}
