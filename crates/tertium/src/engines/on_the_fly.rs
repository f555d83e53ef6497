//! `direct` on the fly: invariants of symbolic models that never stop are searched state by state by the compiled
//! successor function. No edges are stored, and a violation ends the search.

use super::{
    SymbolicQuestion, explain_explicit, explain_states, has_transition_system, not_over_integers,
    symbolic_question,
};
use crate::engine::{Attempt, Checked, Context, Effort, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::{Explanation, Wanted};
use crate::transition_system::reachability::{Searched, searchable};
use crate::unsupported::Unsupported;
use explicit::{DIRECT, Outcome, Stats};
use logic::Truth;
use std::sync::Arc;
use search::Reductions;
use support::{StopReason, Stopped};


pub struct OnTheFly;

const ONLY: &str = "a search on the fly is for invariants of Promela models";

impl Engine for OnTheFly {
    fn name(&self) -> &'static str {
        DIRECT.name
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let options = question.options;
        not_over_integers(question)?;
        let Some(machine) = symbolic_question(question) else {
            return Err(Unsupported::Composition(ONLY.to_owned()));
        };
        has_transition_system(&machine)?;
        let program = machine.transition_system().expect("it was just there");
        let is_plain = !options.evidence && !options.values && options.semantics.is_none();
        if !is_plain || !program.is_total() || program.reachable(machine.number).is_none() {
            return Err(Unsupported::Composition(ONLY.to_owned()));
        }
        // Half as much as an enumeration with all edges.
        let cost = f64::from(program.bits(&machine.chosen).min(11)).exp2() / 2.0;
        Ok(Estimate(vec![Attempt { cost, effort: Effort::Unlimited }]))
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let machine = symbolic_question(question).expect("a symbolic model");
        let searched = searched(&machine, question, context)?;
        Ok(outcome(&machine, &searched)?.into())
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explanation, Error> {
        // A graph of positions has what other states lead to.
        if question.options.shape == Wanted::SubModel || question.options.shape == Wanted::Graph {
            return explain_explicit(question, context, DIRECT);
        }
        let machine = symbolic_question(question).expect("a symbolic model");
        let searched = searched(&machine, question, context)?;
        let Some(state) = searched.state(machine.number) else {
            return explain_explicit(question, context, DIRECT);
        };
        let program = machine.transition_system()?;
        let path = program.path_to(&searched, state, context.monitor)?;
        let mut explanation = explain_states(question, context, DIRECT, Arc::new(path))?;
        explanation.outcome = outcome(&machine, &searched)?;
        Ok(explanation)
    }
}

/// The search that decides all invariants that are asked together.
fn searched(
    machine: &SymbolicQuestion,
    question: &Question,
    context: &Context,
) -> Result<Arc<Searched>, Error> {
    let program = machine.transition_system()?;
    let formulas = searchable(program, &machine.chosen);
    let states = question.options.states as u64;
    let most = context.effort.limit().map_or(states, |limit| limit.min(states));
    // Left-out steps would make a shortest path longer.
    let reductions = (!question.options.shortest).then_some(Reductions {
        ample_sets: question.options.reduction,
        is_searched: true,
        ..Reductions::ALL
    });
    let wanted = (most, reductions);
    let searched = context.sharing(|| program.search(&formulas, wanted, context.monitor));
    if let Ok(Searched { unreduced, .. }) = searched.as_deref() {
        context.detail(match unreduced {
            Some(why) => format!("partial-order reduction is off: {why}"),
            None => "partial-order reduction is on".to_owned(),
        });
    }
    match searched {
        Err(Error::Stopped(Stopped(StopReason::States))) if most < states => {
            Err(Stopped(StopReason::Effort).into())
        }
        searched => searched,
    }
}

fn outcome(machine: &SymbolicQuestion, searched: &Searched) -> Result<Outcome, Error> {
    let program = machine.transition_system()?;
    let is_found = searched.state(machine.number).is_some();
    let reachable = program.reachable(machine.number);
    let verdict = reachable.is_some_and(|reachable| reachable.verdict == is_found);
    let verdict = if verdict { Truth::True } else { Truth::False };
    let reachability = &searched.reachability;
    let states = Some(u64::from(reachability.states.len()));
    let transitions = Some(reachability.transitions);
    let stats = Stats { states, transitions, ..Stats::default() };
    let named = |name: &String| (program.state_in_words(name), verdict);
    let initial = searched.initial.iter().map(named).collect();
    Ok(Outcome { initial, stats, ..Outcome::new(verdict) })
}
