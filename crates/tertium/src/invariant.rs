//! Why an invariant holds: lemmas with which it is inductive, or the variables or components that it depends on.

use crate::clock::Clock;
use crate::engine::{Context, Question};
use crate::engines::composition::{is_mixed, is_small};
use crate::engines::symbolic::with_encoded;
use crate::engines::symbolic_question;
use crate::error::Error;
use crate::explanation::{Explanation, Wanted};
use crate::transition_system::encoded::most_nodes;
use ::symbolic::{ComponentLemma, ComposedSystem, Policy, Stop, UnfitSystem};
use explicit::Deadlock;
use logic::evidence::{InductiveInvariant, ShownVariable};
use logic::{Family, Formula, Node, Truth};
use model::System;
use std::time::{Duration, Instant};
use support::Monitor;

/// More lemmas say less than the list of variables.
pub const MOST_LEMMAS: usize = 8;
/// The lemmas are not worth more time.
const PATIENCE: Duration = Duration::from_secs(3);

/// Adds the reason why an invariant holds to its explanation, if it is found in time.
pub(crate) fn add(explained: &mut Explanation, question: &Question, context: &Context) {
    let options = question.options;
    let is_shown = matches!(options.shape, Wanted::Any | Wanted::Graph);
    if explained.verdict() != Truth::True || !is_shown || options.deadlock != Deadlock::Warn {
        return;
    }
    let clock = Clock::default();
    let monitor = context.monitor.child(true);
    let _alarm = clock.stop_at(&monitor, Instant::now() + PATIENCE);
    let context = Context { monitor: &monitor, observer: &(), ..*context };
    if let Ok(proof) = find(explained, question, &context) {
        explained.graph.invariant = proof;
    }
}

fn find(
    explained: &Explanation,
    question: &Question,
    context: &Context,
) -> Result<Option<InductiveInvariant>, Error> {
    if let Some(machine) = symbolic_question(question) {
        let program = machine.transition_system()?;
        return with_encoded(&machine, question, context, |encoded| {
            encoded.invariant_proof(program, machine.number)
        });
    }
    let (Some((states, _)), Some(formula)) = (&explained.source, &explained.formula) else {
        return Ok(None);
    };
    let system = &states.system;
    if states.covering.is_some() || is_mixed(system) || !is_small(system) {
        return Ok(None);
    }
    let most_nodes = most_nodes(question.options.memory);
    Ok(of_components(system, formula, most_nodes, context.monitor).unwrap_or(None))
}

/// The proof of an invariant of components; `None` if the formula is another one.
fn of_components(
    system: &System,
    formula: &Formula,
    most_nodes: usize,
    monitor: &Monitor,
) -> Result<Option<InductiveInvariant>, UnfitSystem> {
    let policy = Policy { most_nodes, ..Policy::default() };
    let mut composition = ComposedSystem::new(system, false, policy, monitor)?;
    let Some(lemmas) = composition.inductive_lemmas(formula)? else { return Ok(None) };
    let lemmas = lemmas.filter(|lemmas| lemmas.len() <= MOST_LEMMAS);
    let cone = cone(system, formula);
    let states = composition.count_reachable(&cone)?;
    let variable = |&component: &usize| -> Result<ShownVariable, Stop> {
        let model = &system.components[component].model;
        let found = composition.states_within_reachable(component)?;
        let values = found.into_iter().map(|state| model.state_name(state)).collect();
        Ok(ShownVariable { name: model.name.clone(), values })
    };
    let variables = cone.iter().map(variable).collect::<Result<_, _>>()?;
    let written =
        |lemmas: Vec<ComponentLemma>| lemmas.iter().map(|one| lemma_text(system, one)).collect();
    // A number that cannot be told from the next one is not shown.
    let states = (states < 2f64.powi(53)).then_some(states as u64);
    Ok(Some(InductiveInvariant { lemmas: lemmas.map(written), states, variables }))
}

/// The components that an invariant depends on. With actions: those that take part in the steps of which the formula
/// speaks, and those that take part in steps with them.
fn cone(system: &System, formula: &Formula) -> Vec<usize> {
    let all = 0..system.components.len();
    if system.family() == Family::Props {
        return all.collect();
    }
    let asked = formula.nodes().filter_map(|(_, node)| match node {
        // Of the steps to the invariant itself it speaks anyway.
        Node::Modal(_, actions, body) if !matches!(formula.node(body), Node::Var(_)) => {
            Some(formula.actions(actions))
        }
        _ => None,
    });
    let asked: Vec<_> = asked.collect();
    let (rules, shown) = system.rules();
    let mut inside = vec![false; system.components.len()];
    for rule in &rules {
        if asked.iter().any(|actions| actions.contains(shown.name(rule.result))) {
            rule.parts.iter().for_each(|&(component, _)| inside[component] = true);
        }
    }
    loop {
        let before = inside.clone();
        for rule in &rules {
            if rule.parts.iter().any(|&(component, _)| inside[component]) {
                rule.parts.iter().for_each(|&(component, _)| inside[component] = true);
            }
        }
        if inside == before {
            return all.filter(|&component| inside[component]).collect();
        }
    }
}

/// `!(Sender = wait & Line in {empty, full})`
fn lemma_text(system: &System, lemma: &ComponentLemma) -> String {
    let literal = |(component, excluded): &(usize, Vec<u32>), is_excluded: bool| {
        let model = &system.components[*component].model;
        let rest = (0..model.states() as u32).filter(|state| !excluded.contains(state));
        let rest: Vec<u32> = rest.collect();
        let equation = |states: &[u32], sign: [&str; 2]| {
            let names: Vec<String> = states.iter().map(|&state| model.state_name(state)).collect();
            match &names[..] {
                [name] => format!("{} {} {name}", model.name, sign[0]),
                names => format!("{} {} {{{}}}", model.name, sign[1], names.join(", ")),
            }
        };
        let (equal, unequal) = (["=", "in"], ["!=", "not in"]);
        match rest.len() < excluded.len() {
            true => equation(&rest, if is_excluded { unequal } else { equal }),
            false => equation(excluded, if is_excluded { equal } else { unequal }),
        }
    };
    match &lemma.excluded[..] {
        [] => "false".to_owned(),
        [one] => literal(one, false),
        more => {
            let literals: Vec<String> = more.iter().map(|one| literal(one, true)).collect();
            format!("!({})", literals.join(" & "))
        }
    }
}
