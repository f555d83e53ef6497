//! Formulas of linear time, searched on the fly: a run on which the formula does not hold.

use super::TransitionSystem;
use super::reachability::states_of_run;
use crate::error::Error;
use crate::explicit_model::ExplicitStates;
use automata::negated_automaton;
use logic::{Expr, Family, PropId, Signature, Surface};
use search::{CompiledSystem, LassoSearch, accepted_run};
use std::sync::{Arc, Mutex, PoisonError};
use support::{Interner, Monitor};
use transition::NodeId;

/// Whether a formula is one of linear time about all runs.
pub fn is_about_runs(surface: &Surface) -> bool {
    let is_linear = |expr: &Expr| {
        matches!(
            expr,
            Expr::Const(_)
                | Expr::Prop(_)
                | Expr::Not(_)
                | Expr::And(_)
                | Expr::Or(_)
                | Expr::Implies(..)
                | Expr::Iff(..)
                | Expr::Linear(..)
                | Expr::LinearPair(..)
        )
    };
    surface.logic.has_linear_operators()
        && !surface.logic.quantifies_over_path_formulas()
        && surface.exprs.values().all(|(expr, _)| is_linear(expr))
}

/// The search for a run on which a formula does not hold.
pub struct SearchedRuns {
    pub search: LassoSearch,
    system: Mutex<CompiledSystem>,
    /// The formula.
    number: usize,
}

impl TransitionSystem {
    /// Searches the runs for one on which the formula does not hold; `None` if the steps cannot be compiled. Kept for
    /// the next question.
    pub fn search_runs(
        &self,
        number: usize,
        most: u64,
        monitor: &Monitor,
    ) -> Result<Option<Arc<SearchedRuns>>, Error> {
        let kept = || self.searched_runs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(searched) = &*kept()
            && searched.number == number
        {
            return Ok(Some(searched.clone()));
        }
        let Some(property) = &self.all[number].property else { return Ok(None) };
        let machine = &self.document.machine;
        let properties = self.propositions(&[&self.all[number]]);
        let names: Interner<PropId> = properties.iter().map(|property| &*property.name).collect();
        let signature = Signature { family: Family::Props, props: &names, actions: &[] };
        let (automaton, atoms) =
            negated_automaton(&property.surface, &signature, monitor).map_err(Error::of_formula)?;
        let node = |prop: &PropId| properties[prop.0 as usize].node;
        let own = properties.iter().map(|property| property.node);
        let nodes: Vec<NodeId> = atoms.iter().map(node).chain(own).collect();
        let slice = machine.cone(nodes.iter().copied());
        let Some(mut system) = CompiledSystem::new(machine, &slice, &nodes) else {
            return Ok(None);
        };
        let search = accepted_run(&mut system, &automaton, atoms.len(), most, monitor)
            .map_err(|halt| self.error(halt, machine))?;
        let searched = Arc::new(SearchedRuns { search, system: Mutex::new(system), number });
        *kept() = Some(searched.clone());
        Ok(Some(searched))
    }

    /// The run that was found, as a model of its own.
    pub fn run_found(
        &self,
        searched: &SearchedRuns,
        monitor: &Monitor,
    ) -> Result<Option<ExplicitStates>, Error> {
        let Some((run, loop_start)) = &searched.search.lasso else { return Ok(None) };
        let properties = self.propositions(&[&self.all[searched.number]]);
        let names = properties.iter().map(|property| &*property.name).collect();
        let states = &searched.search.states;
        let rows: Vec<&[u64]> = run.iter().map(|&state| states.get(state)).collect();
        let mut system = searched.system.lock().unwrap_or_else(PoisonError::into_inner);
        let made = system.run_model(&rows, *loop_start, names, monitor);
        Ok(Some(states_of_run(made.map_err(|halt| self.error(halt, &self.document.machine))?)))
    }
}
