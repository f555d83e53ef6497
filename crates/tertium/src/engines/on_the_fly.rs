//! `direct` on the fly: invariants and formulas of linear time about symbolic models that never stop are searched state
//! by state, by the compiled successor function. No edges are stored, and a violation ends the search.

use super::{
    SymbolicQuestion, check_explicit, explain_explicit, explain_states, not_over_integers,
    symbolic_question,
};
use crate::engine::{Attempt, Checked, Context, Effort, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::{Explanation, Wanted};
use crate::explicit_model::ExplicitStates;
use crate::transition_system::TransitionSystem;
use crate::transition_system::reachability::{Searched, searchable};
use crate::transition_system::runs::{SearchedRuns, is_about_runs};
use crate::unsupported::Unsupported;
use explicit::{DIRECT, Outcome, Refinement, Stats};
use logic::Truth;
use search::Reductions;
use std::sync::Arc;
use support::{Monitor, StopReason, Stopped};

pub struct OnTheFly;

/// The enumeration, which serves the same method, has more to say of what it refuses.
const ONLY: Unsupported = Unsupported::Input {
    method: DIRECT.name,
    does: "searches on the fly for invariants and linear time of programs with processes",
    help: "",
};

/// A search that is over.
enum Search {
    States(Arc<Searched>),
    Runs(Arc<SearchedRuns>),
}

impl Engine for OnTheFly {
    fn name(&self) -> &'static str {
        DIRECT.name
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let options = question.options;
        let machine = symbolic_question(question).ok_or(ONLY)?;
        let program = machine.transition_system().map_err(|_| ONLY)?;
        let is_plain = !options.evidence && !options.values && options.semantics.is_none();
        if !is_plain || !program.is_total() || !is_searched(program, machine.number) {
            return Err(ONLY);
        }
        not_over_integers(question)?;
        // Half as much as an enumeration with all edges.
        let cost = f64::from(program.bits(&machine.chosen).min(11)).exp2() / 2.0;
        Ok(Estimate(vec![Attempt { cost, effort: Effort::Unlimited }]))
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let machine = symbolic_question(question).expect("a symbolic model");
        match Search::of(&machine, question, context)? {
            Some(search) => Ok(search.outcome(&machine)?.into()),
            None => check_explicit(question, context, DIRECT, Refinement::default()),
        }
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explanation, Error> {
        let shape = question.options.shape;
        let machine = symbolic_question(question).expect("a symbolic model");
        let search = match shape {
            // These tell of other states, too.
            Wanted::SubModel | Wanted::Graph => None,
            Wanted::Any | Wanted::Path => Search::of(&machine, question, context)?,
        };
        let Some(search) = search else { return explain_explicit(question, context, DIRECT) };
        let program = machine.transition_system()?;
        let Some(states) = search.run(program, machine.number, context.monitor)? else {
            return explain_explicit(question, context, DIRECT);
        };
        let mut explanation = explain_states(question, context, DIRECT, Arc::new(states))?;
        explanation.outcome = search.outcome(&machine)?;
        Ok(explanation)
    }
}

/// Whether a formula is an invariant or one of linear time.
fn is_searched(program: &TransitionSystem, number: usize) -> bool {
    let property = program.all[number].property.as_ref();
    program.reachable(number).is_some()
        || property.is_some_and(|property| is_about_runs(&property.surface))
}

impl Search {
    /// The search that decides the question, and all invariants that are asked together; `None` if the steps cannot be
    /// compiled, or if the initial states differ.
    fn of(
        machine: &SymbolicQuestion,
        question: &Question,
        context: &Context,
    ) -> Result<Option<Self>, Error> {
        let program = machine.transition_system()?;
        let states = question.options.states as u64;
        let most = context.effort.limit().map_or(states, |limit| limit.min(states));
        let monitor = context.monitor;
        let found = match program.reachable(machine.number) {
            Some(formula) => {
                let formulas = searchable(program, &machine.chosen);
                // Left-out steps would make a shortest path longer.
                let is_reduced = question.options.reduction && !question.options.shortest;
                let reductions =
                    is_reduced.then_some(Reductions { is_searched: true, ..Reductions::ALL });
                let found =
                    context.sharing(|| program.search(&formulas, (most, reductions), monitor));
                if let Ok(Some(searched)) = &found {
                    let name = question.property.name();
                    let state = match searched.unreduced {
                        Some(why) => format!("off: {why}"),
                        None => "on".to_owned(),
                    };
                    context.detail(format!("`{name}`: partial-order reduction is {state}\n"));
                }
                let is_decided =
                    |searched: &Arc<Searched>| searched.verdict(machine.number, &formula).is_some();
                found.map(|found| found.filter(is_decided).map(Search::States))
            }
            None => program
                .search_runs(machine.number, most, monitor)
                .map(|found| found.map(Search::Runs)),
        };
        match found {
            Err(Error::Stopped(Stopped(StopReason::States))) if most < states => {
                Err(Stopped(StopReason::Effort).into())
            }
            found => found,
        }
    }

    fn outcome(&self, machine: &SymbolicQuestion) -> Result<Outcome, Error> {
        let program = machine.transition_system()?;
        let (is_true, stats, initial) = match self {
            Search::States(searched) => {
                let formula = program.reachable(machine.number);
                let verdict = formula.and_then(|one| searched.verdict(machine.number, &one));
                let reachability = &searched.reachability;
                let stats = Stats {
                    states: Some(u64::from(reachability.states.len())),
                    transitions: Some(reachability.transitions),
                    ..Stats::default()
                };
                (verdict == Some(true), stats, searched.initial.clone())
            }
            Search::Runs(searched) => {
                let search = &searched.search;
                let stats = Stats {
                    states: Some(u64::from(search.states.len())),
                    transitions: Some(search.transitions),
                    product_nodes: Some(search.positions),
                    ..Stats::default()
                };
                (search.lasso.is_none(), stats, None)
            }
        };
        let verdict = if is_true { Truth::True } else { Truth::False };
        let named = |name: String| (program.state_in_words(&name), verdict);
        let initial = initial.into_iter().map(named).collect();
        Ok(Outcome { initial, stats, ..Outcome::new(verdict) })
    }

    /// The run that shows the verdict, if one does.
    fn run(
        &self,
        program: &TransitionSystem,
        number: usize,
        monitor: &Monitor,
    ) -> Result<Option<ExplicitStates>, Error> {
        match self {
            Search::States(searched) => match searched.state(number) {
                Some(state) => program.path_to(searched, state, monitor).map(Some),
                None => Ok(None),
            },
            Search::Runs(searched) => program.run_found(searched, monitor),
        }
    }
}
