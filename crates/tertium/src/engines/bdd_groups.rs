//! `compositional` for explicit models, with sets of states as BDDs: groups of components one after the other, only
//! what is relevant composed (paper C, §6.2, Fig. 10).

use super::bdd_components::line;
use super::composition::{is_mixed, is_small, refused, unknown_reason};
use super::{certified_by_sets, explicit_only, not_for_components};
use crate::engine::{AUTO, Checked, Context, Effort, Engine, Estimate, Question};
use crate::error::Error;
use crate::property::About;
use crate::transition_system::components::exact;
use crate::transition_system::encoded::{most_nodes, stats};
use crate::unsupported::Unsupported;
use ::symbolic::{DecomposedSystem, Policy, Trial};
use audit::Claim;
use explicit::{Deadlock, Outcome};
use logic::Truth;
use std::time::Instant;
use support::{StopReason, Stopped};

pub struct BddGroups;

/// Nodes of BDDs that attempts may use at a time.
const NODES: [u64; 3] = [1 << 16, 1 << 19, 1 << 22];

/// The cost of a node, in states of a composition: a little more than where all components are taken at once, which is
/// tried first.
const COST: f64 = 0.51;

/// Steps of operations that an attempt may make for each node that it may use.
const STEPS_OF_NODE: u64 = 64;

impl Engine for BddGroups {
    fn name(&self) -> &'static str {
        "compositional"
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let About::Components(..) = question.property.about() else {
            return Err(explicit_only("compositional"));
        };
        not_for_components(question)?;
        super::direct_only_options(question)?;
        let options = question.options;
        if !options.order.is_empty() {
            let why = "`--order` is for products of games: groups of BDDs follow the property";
            return Err(Unsupported::Composition(why.to_owned()));
        }
        if options.deadlock == Deadlock::Error {
            let why = "deadlocks are a property of the composition";
            return Err(Unsupported::Composition(why.to_owned()));
        }
        let states = question.model.states(options.semantics);
        let suits = states.is_ok_and(|states| {
            let system = &states.system;
            system.components.len() > 1
                && !is_mixed(system)
                && (options.method != AUTO || is_small(system))
        });
        match suits {
            true => Ok(Estimate::trying(NODES, COST)),
            false if options.method == AUTO => Ok(Estimate(Vec::new())),
            false => {
                let why = "there are no several components with single must transitions";
                Err(Unsupported::Composition(why.to_owned()))
            }
        }
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let options = question.options;
        let super::ExplicitQuestion { states, formula, property } =
            super::explicit(question, context)?;
        let policy = Policy { most_nodes: most_nodes(options.memory), ..Policy::default() };
        let effort = match context.effort {
            Effort::Unlimited => ::symbolic::SearchLimit::Unlimited,
            Effort::AtMost(nodes) => ::symbolic::SearchLimit::AtMost {
                nodes: nodes as usize,
                steps: nodes * STEPS_OF_NODE,
            },
        };
        let stutters = options.deadlock == Deadlock::Stutter;
        let system = &states.system;
        let mut groups =
            match DecomposedSystem::new(system, stutters, policy, effort, context.monitor) {
                Ok(groups) => groups,
                Err(refusal) => match refused(refusal) {
                    Error::Stopped(stopped) => return given_up(stopped),
                    error => return Err(error),
                },
            };
        let mut begun = Instant::now();
        let (mut trials, mut relevant, mut is_full) = (0, 0.0, false);
        let mut watch = |trial: &Trial| {
            trials += 1;
            relevant += trial.relevant;
            is_full = trial.is_full;
            if options.method != AUTO {
                context.detail(line(&property.name, trial, false, begun.elapsed()));
            }
            begun = Instant::now();
        };
        let verdict = match groups.check(&formula, effort, &mut watch) {
            Ok(verdict) => verdict,
            Err(stop) => return given_up(stop.into()),
        };
        if is_full && !verdict.is_definite() {
            return given_up(Stopped(StopReason::Nodes));
        }
        let mut outcome = Outcome::new(verdict);
        outcome.stats = stats(&groups.stats());
        outcome.stats.states = None;
        outcome.stats.iterations = Some(trials);
        outcome.stats.relevant_states = exact(relevant);
        if verdict == Truth::Unknown {
            let cause = || groups.unknown_cause(&formula);
            outcome.reason = Some(unknown_reason(system, &formula, question, context, cause)?);
        }
        let shown = |claim: &Claim| groups.certificate(&formula, claim);
        let certified = certified_by_sets(question, system, &formula, verdict, shown)?;
        Ok(Checked::new(outcome, certified))
    }
}

/// The outcome of an attempt that has reached a limit.
fn given_up(stopped: Stopped) -> Result<Checked, Error> {
    match stopped {
        Stopped(StopReason::Nodes) => Ok(Outcome::stopped(stopped).into()),
        _ => Err(stopped.into()),
    }
}
