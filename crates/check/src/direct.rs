//! The direct method: compose the whole system, play the game on it (C §2.1).

use crate::outcome::{Cause, Doubt, Error, OpenStep, Outcome, Reason, Stats};
use crate::{Method, Request};
use base::Stopped;
use game::{Board, Op, Plan, Play};
use logic::{Formula, Truth};
use model::{ComposeError, Model, System};
use std::borrow::Cow;

pub(crate) fn run(request: &Request) -> Result<Outcome, Error> {
    match check(request) {
        Ok(outcome) => Ok(outcome),
        Err(Failure::Stopped(stopped)) => Ok(Outcome {
            verdict: Truth::Unknown,
            method: Method::Direct,
            reason: Some(Reason::Stopped(stopped)),
            initial: Vec::new(),
            values: None,
            stats: Stats::default(),
        }),
        Err(Failure::Error(error)) => Err(error),
    }
}

enum Failure {
    Stopped(Stopped),
    Error(Error),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure::Stopped(stopped)
    }
}

impl From<ComposeError> for Failure {
    fn from(error: ComposeError) -> Self {
        match error {
            ComposeError::NoComposableInit => Failure::Error(Error::NoComposableInit),
            ComposeError::Stopped(stopped) => Failure::Stopped(stopped),
        }
    }
}

fn check(request: &Request) -> Result<Outcome, Failure> {
    let Request { system, formula, monitor, .. } = *request;
    let model = whole(system, request)?;
    let plan = Plan::new(formula);
    let board = Board::new(&model, formula, &plan, monitor)?;
    let roots: Vec<u32> = if request.values {
        (0..model.states() as u32).map(|state| board.position(state, plan.root)).collect()
    } else {
        model.init().iter().map(|&state| board.position(state, plan.root)).collect()
    };
    let play = Play::new(&board, &roots, monitor)?;
    if let Some(position) = play.contradiction() {
        return Err(Failure::Error(contradiction(&board, formula, position)));
    }
    let value = |state: u32| {
        let colour = play.colour(board.position(state, plan.root));
        colour.expect("contradictions were looked for")
    };
    let initial: Vec<(u32, Truth)> = model.init().iter().map(|&s| (s, value(s))).collect();
    let verdict = verdict(system, &model, &initial);
    let named = |(state, value): (u32, Truth)| (model.state_name(state), value);
    Ok(Outcome {
        verdict,
        method: Method::Direct,
        reason: (verdict == Truth::Unknown)
            .then(|| reason(system, &board, formula, &play, &initial)),
        initial: initial.iter().copied().map(named).collect(),
        values: request
            .values
            .then(|| (0..model.states() as u32).map(|s| named((s, value(s)))).collect()),
        stats: Stats {
            states: Some(model.states() as u64),
            transitions: Some((model.edges().len() + model.hyper().len()) as u64),
            game_nodes: Some(play.nodes()),
            game_edges: Some(play.edges),
            ..Stats::default()
        },
    })
}

/// The composition; a single component is its own.
fn whole<'a>(system: &'a System, request: &Request) -> Result<Cow<'a, Model>, Failure> {
    match &*system.components {
        [single] if system.sync == model::Sync::default() => Ok(Cow::Borrowed(&single.model)),
        _ => Ok(Cow::Owned(system.compose(request.monitor)?)),
    }
}

/// True if true in every initial state, false if false in one, else unknown. Of the initial states of
/// a missing part an implementation has some that nobody knows: false only if false whichever it has.
fn verdict(system: &System, model: &Model, initial: &[(u32, Truth)]) -> Truth {
    if initial.iter().all(|&(_, value)| value == Truth::True) {
        return Truth::True;
    }
    let open = |state: u32| -> Vec<u32> {
        let tuple = model.names().tuple(state);
        let members = if tuple.is_empty() { std::slice::from_ref(&state) } else { tuple };
        let parts = members.iter().zip(&system.components);
        parts.filter(|(_, part)| part.is_unknown).map(|(&member, _)| member).collect()
    };
    let mut choices: Vec<(Vec<u32>, bool)> =
        initial.iter().map(|&(state, value)| (open(state), value == Truth::False)).collect();
    choices.sort();
    let falsified = |group: &[(Vec<u32>, bool)]| group.iter().any(|&(_, falsified)| falsified);
    if choices.chunk_by(|a, b| a.0 == b.0).all(falsified) { Truth::False } else { Truth::Unknown }
}

fn contradiction(board: &Board, formula: &Formula, position: u32) -> Error {
    let model = board.model;
    let place = board.place(position);
    let state = match board.state(position) {
        Some(state) => state,
        None => model.hyper()[place as usize - model.states()].source,
    };
    let node = board.plan.equations[board.equation(position) as usize].node;
    Error::Contradiction { state: model.state_name(state), subformula: formula.show(node) }
}

fn reason(
    system: &System,
    board: &Board,
    formula: &Formula,
    play: &Play,
    initial: &[(u32, Truth)],
) -> Reason {
    let with = |wanted| initial.iter().find(|&&(_, value)| value == wanted).map(|&(s, _)| s);
    let name = |state| board.model.state_name(state);
    let Some(start) = with(Truth::Unknown) else {
        return Reason::InitialStates {
            satisfying: with(Truth::True).map(name).unwrap_or_default(),
            falsifying: with(Truth::False).map(name).unwrap_or_default(),
        };
    };
    let doubt = game::find_doubt(board, play, board.position(start, board.plan.root));
    let (position, cause) = match doubt {
        game::Doubt::Literal { position } => (position, open_label(system, board, position)),
        game::Doubt::Transition { position, target } => {
            (position, open_transition(system, board, position, target))
        }
    };
    let node = board.plan.equations[board.equation(position) as usize].node;
    Reason::Doubt(Doubt {
        from: name(start),
        state: name(board.place(position)),
        subformula: formula.show(node),
        cause,
    })
}

/// The states of the components in a state of the whole.
fn members<'s>(system: &'s System, model: &Model, state: u32) -> Vec<(&'s Model, u32)> {
    let tuple = model.names().tuple(state);
    let single = [state];
    let members = if tuple.is_empty() { &single[..] } else { tuple };
    system.components.iter().map(|part| &part.model).zip(members.iter().copied()).collect()
}

fn open_label(system: &System, board: &Board, position: u32) -> Cause {
    let equation = board.plan.equations[board.equation(position) as usize];
    let prop = match equation.op {
        Op::Lit(prop, _) => board.model.props().name(prop),
        _ => "",
    };
    let state = board.place(position);
    let mut parts = members(system, board.model, state).into_iter();
    let unknown = parts.find(|(part, member)| {
        part.props().get(prop).is_some_and(|prop| part.label(*member, prop) == Truth::Unknown)
    });
    let (component, state) = match unknown {
        Some((part, member)) => (part.name.clone(), part.state_name(member)),
        None => (board.model.name.clone(), board.model.state_name(state)),
    };
    Cause::Label { component, state, prop: prop.to_owned() }
}

fn open_transition(system: &System, board: &Board, position: u32, target: u32) -> Cause {
    let source = board.place(position);
    let model = board.model;
    let edges = model.edges();
    let edge = edges
        .row(source)
        .find(|&e| edges.target(e) == target && edges.class_of(e).mode == model::Mode::MAY);
    let action = edge.and_then(|edge| edges.class_of(edge).action);
    let pairs = members(system, model, source).into_iter().zip(members(system, model, target));
    let open = pairs.filter(|((part, from), (_, to))| {
        let mut out = part.edges().out(*from);
        // A must step to the same state would do as well.
        from != to && out.all(|(t, class)| t != *to || !class.mode.must)
            || from == to && part.edges().out(*from).any(|(t, class)| t == *to && !class.mode.must)
    });
    let mut steps: Vec<OpenStep> = open
        .map(|((part, from), (_, to))| OpenStep {
            component: part.name.clone(),
            from: part.state_name(from),
            to: part.state_name(to),
        })
        .collect();
    if steps.is_empty() {
        steps.push(OpenStep {
            component: model.name.clone(),
            from: model.state_name(source),
            to: model.state_name(target),
        });
    }
    Cause::Transition { steps, action: action.map(|a| model.actions().name(a).to_owned()) }
}
