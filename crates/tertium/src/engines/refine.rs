//! `refine` for explicit models: abstract the components, and refine where the answer is undetermined (paper C, Fig.
//! 7).

use super::{
    check_explicit, explain_explicit, explicit_only, has_transition_system, not_for_components,
    symbolic_question,
};
use crate::engine::{AUTO, Attempt, Checked, Context, Effort, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::Explanation;
use crate::explicit_model::ExplicitStates;
use crate::options::{Ablation, Options, StateClasses};
use crate::property::About;
use crate::unsupported::Unsupported;
use explicit::{Deadlock, REFINE, Refinement};
use model::{Component, Lifting, System};
use std::collections::HashMap;
use std::sync::Arc;

pub struct Refine;

/// Nodes that a refinement may colour.
const COLOURED: [u64; 3] = [1 << 13, 1 << 15, 1 << 18];

/// The cost of a coloured node, in states of a composition.
const COST: f64 = 8.0;

/// A component of fewer states has no detail that is worth leaving out.
const DETAILED: usize = 64;

/// Nodes that a refinement of a detailed component may colour before anything else is tried.
const FIRST: u64 = 1 << 11;

impl Engine for Refine {
    fn name(&self) -> &'static str {
        REFINE.name
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        match question.property.about() {
            About::Components(..) => {
                not_for_components(question)?;
                match question.options.method == AUTO {
                    true => Ok(estimate(question)),
                    false => Ok(Estimate::of(1.0)),
                }
            }
            // What is asked for has to do with single states.
            About::Finite(..) => match needs_states(question.options) {
                Some(option) => match question.options.modules_option() {
                    Some(other) => Err(Unsupported::Together {
                        why: format!("{option} needs a list of states, and `{other}` makes none"),
                        help: "leave one of them out",
                    }),
                    None => {
                        super::not_over_integers(question)?;
                        has_transition_system(
                            &symbolic_question(question).expect("a symbolic model"),
                        )?;
                        Ok(Estimate::of(1.0))
                    }
                },
                None => Err(explicit_only("refine")),
            },
            About::Integers(..) => Err(explicit_only("refine")),
        }
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let options = question.options;
        if let (About::Finite(..), Some(option)) =
            (question.property.about(), needs_states(options))
        {
            let how = "the states are listed, and refined as one component";
            context.detail(format!("Note: {option} asks for a list of states: {how}\n"));
        }
        let states = super::explicit(question, context)?.states;
        let abstracted = abstracted(&options.abstracted, &states.system)?;
        let given = options.start.as_ref();
        let start = given.map(|classes| Arc::new(start(classes, &states.system)));
        let refinement = Refinement { abstracted, start, ..refinement(options) };
        check_explicit(question, context, REFINE, refinement)
    }

    fn is_tentative(&self) -> bool {
        true
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explanation, Error> {
        explain_explicit(question, context, REFINE)
    }
}

/// The attempts that are worth making on components.
fn estimate(question: &Question) -> Estimate {
    let options = question.options;
    let states = question.model.states(options.semantics);
    // Where a deadlock is an error, all of the composition has to be searched first.
    let suits = |states: &ExplicitStates| {
        options.deadlock != Deadlock::Error && REFINE.suits(&states.system, options.values)
    };
    // One component is its own composition, which `direct` checks in less time than its abstraction takes.
    let is_composed = |states: &Arc<ExplicitStates>| states.system.components.len() > 1;
    let Some(states) = states.ok().filter(|states| suits(states)).filter(is_composed) else {
        return Estimate(Vec::new());
    };
    let mut parts = states.system.components.iter();
    let mut estimate = Estimate::trying(COLOURED, COST);
    if parts.any(|part| part.model.states() >= DETAILED) {
        estimate.0.insert(0, Attempt { cost: 1.0, effort: Effort::AtMost(FIRST) });
    }
    estimate
}

/// An option that only a list of states can serve.
pub fn needs_states(options: &Options) -> Option<&'static str> {
    let is_all = options.abstracted.iter().all(|name| name.trim() == "all");
    match options.deadlock {
        Deadlock::Stutter => Some("`--deadlock stutter`"),
        Deadlock::Error => Some("`--deadlock error`"),
        Deadlock::Warn if options.abstractions => Some("`--emit-abstraction`"),
        Deadlock::Warn if options.start.is_some() => Some("`--from-abstraction`"),
        Deadlock::Warn if !is_all => Some("`--abstract`"),
        Deadlock::Warn if !options.order.is_empty() => Some("`--order`"),
        Deadlock::Warn => None,
    }
}

/// The components that are abstracted; `None` for all.
fn abstracted(names: &[String], system: &System) -> Result<Option<Vec<usize>>, Error> {
    let is_all = names.iter().all(|name| name.trim() == "all");
    let chosen = || super::components("--abstract", names, system);
    if is_all { Ok(None) } else { chosen().map(Some) }
}

/// By component that has sets, by state: the number of the set that it begins in, 0 for a state that is in none.
fn start(classes: &StateClasses, system: &System) -> Vec<Option<Vec<u32>>> {
    let of_part = |part: &Component| {
        let classes = classes.get(&part.model.name)?;
        let numbered = (1..).zip(classes);
        let numbers: HashMap<&str, u32> = numbered
            .flat_map(|(number, names)| names.iter().map(move |name| (name.as_str(), number)))
            .collect();
        let states = 0..part.model.states() as u32;
        let number = |state| numbers.get(&*part.model.state_name(state)).copied().unwrap_or(0);
        Some(states.map(number).collect())
    };
    system.components.iter().map(of_part).collect()
}

/// How to refine, all components alike.
pub fn refinement(options: &Options) -> Refinement {
    let defaults = Refinement::default();
    let Ablation { no_keep_colours, no_drop, no_take_over, both_sides } = options.ablation;
    Refinement {
        eager: !options.lazy && !options.paper,
        lifting: if options.paper { Lifting::Paper } else { Lifting::Summaries },
        hyper: options.hyper,
        keep_colours: !no_keep_colours,
        drop_absent: !no_drop,
        take_over: !no_take_over,
        nodes_of_cause: defaults.nodes_of_cause.filter(|_| !options.paper),
        one_side_first: !both_sides,
        emit: options.abstractions,
        ..defaults
    }
}
