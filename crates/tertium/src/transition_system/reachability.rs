//! Invariants of a symbolic transition system, searched on the fly: `AG p` and `EF p` where `p` is about one state.

use super::{StatedProperty, TransitionSystem};
use crate::error::Error;
use crate::explicit_model::ExplicitStates;
use logic::{Expr, ExprId, Fairness, Quantifier, StateOp, Surface};
use model::System;
use search::{CompiledSystem, Reachability, ReducedSystem, Reductions, Successors, reachability};
use std::sync::{Arc, Mutex, PoisonError};
use support::Monitor;
use transition::{Enumeration, Machine, NodeId, StateProperty, StepError};

const NOT_WANTED: &str = "it is switched off";

/// A formula that is decided by whether a state can be reached.
pub struct Reachable {
    /// The condition that such a state satisfies, as an expression of the formula.
    target: ExprId,
    is_negated: bool,
    /// The verdict if there is one.
    pub verdict: bool,
}

impl Reachable {
    /// Finds out whether a formula is of this kind.
    pub fn of(surface: &Surface) -> Option<Self> {
        let (mut root, mut is_positive) = (surface.root, true);
        while let Expr::Not(operand) = surface.exprs[root].0 {
            (root, is_positive) = (operand, !is_positive);
        }
        let (target, is_invariant) = match surface.exprs[root].0 {
            Expr::State(Quantifier::All, StateOp::Globally, operand) => (operand, true),
            Expr::State(Quantifier::Exists, StateOp::Finally, operand) => (operand, false),
            _ => return None,
        };
        let reachable =
            Self { target, is_negated: is_invariant, verdict: is_positive != is_invariant };
        is_about_states(surface, target).then_some(reachable)
    }
}

/// Whether an expression is a Boolean combination of propositions.
fn is_about_states(surface: &Surface, root: ExprId) -> bool {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let expr = &surface.exprs[id].0;
        match expr {
            Expr::Const(_) | Expr::Prop(_) => {}
            Expr::Not(_) | Expr::And(_) | Expr::Or(_) | Expr::Implies(..) | Expr::Iff(..) => {
                expr.operands(|operand| open.push(operand));
            }
            _ => return false,
        }
    }
    true
}

/// The formulas that states were searched for, and the reductions.
pub type SearchKey = (Vec<usize>, Option<Reductions>);

/// The states that were searched for some formulas, and those that decide them.
pub struct Searched {
    pub reachability: Reachability,
    system: Mutex<Compiled>,
    /// By formula that was searched for: its number.
    formulas: Vec<usize>,
    /// The name of the first initial state.
    pub initial: Option<String>,
    /// Why there was no partial-order reduction.
    pub unreduced: Option<&'static str>,
}

impl Searched {
    /// A state that decides a formula, if there is one.
    pub fn state(&self, number: usize) -> Option<u32> {
        let place = self.formulas.iter().position(|&formula| formula == number)?;
        self.reachability.found[place]
    }

    /// The verdict on a formula, which every initial state has to satisfy. `None` where one of several reaches a state
    /// that another one may not reach.
    pub fn verdict(&self, number: usize, formula: &Reachable) -> Option<bool> {
        let is_found = self.state(number).is_some();
        match (formula.verdict, self.reachability.initial) {
            (true, 0) => Some(true),
            (true, 2..) if is_found => None,
            (verdict, _) => Some(verdict == is_found),
        }
    }
}

/// A compiled system as a search sees it.
enum Compiled {
    Full(Box<CompiledSystem>),
    Reduced(Box<ReducedSystem>),
}

impl Compiled {
    fn full(&mut self) -> &mut CompiledSystem {
        match self {
            Compiled::Full(system) => system,
            Compiled::Reduced(system) => system.full(),
        }
    }
}

impl Successors for Compiled {
    type Error = StepError;

    fn words(&self) -> usize {
        match self {
            Compiled::Full(system) => system.words(),
            Compiled::Reduced(system) => system.words(),
        }
    }

    fn initial(
        &mut self,
        monitor: &Monitor,
        found: impl FnMut(&[u64]) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        match self {
            Compiled::Full(system) => system.initial(monitor, found),
            Compiled::Reduced(system) => system.initial(monitor, found),
        }
    }

    #[inline]
    fn successors(
        &mut self,
        state: &[u64],
        monitor: &Monitor,
        found: impl FnMut(u32, &[u64]) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        match self {
            Compiled::Full(system) => system.successors(state, monitor, found),
            Compiled::Reduced(system) => system.successors(state, monitor, found),
        }
    }

    #[inline]
    fn holds(&mut self, proposition: usize, state: &[u64]) -> bool {
        match self {
            Compiled::Full(system) => system.holds(proposition, state),
            Compiled::Reduced(system) => system.holds(proposition, state),
        }
    }
}

impl TransitionSystem {
    /// Whether every state has a successor and all paths count, so that invariants are about all states that can be
    /// reached.
    pub fn is_total(&self) -> bool {
        self.document.statements.is_some() && self.document.machine.fairness.is_empty()
    }

    /// The formula as a question for a state that can be reached, if it is one.
    pub fn reachable(&self, number: usize) -> Option<Reachable> {
        Reachable::of(&self.all[number].property.as_ref()?.surface)
    }

    /// Searches the states for those that decide these formulas; `None` if the steps cannot be compiled. Kept for the
    /// next question.
    pub fn search(
        &self,
        formulas: &[usize],
        (most, reductions): (u64, Option<Reductions>),
        monitor: &Monitor,
    ) -> Result<Option<Arc<Searched>>, Error> {
        let kept = || self.searched.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, searched)) = &*kept()
            && known.0 == formulas
            && known.1 == reductions
        {
            return Ok(Some(searched.clone()));
        }
        let machine = &self.document.machine;
        let Some((mut compiled, unreduced)) = self.compile(formulas, reductions) else {
            return Ok(None);
        };
        let reachability = reachability(&mut compiled, formulas.len(), most, monitor)
            .map_err(|halt| self.error(halt, machine))?;
        let initial = match reachability.states.is_empty() {
            true => None,
            false => Some(compiled.full().commands.describe(reachability.states.get(0))),
        };
        let (formulas, system) = (formulas.to_vec(), Mutex::new(compiled));
        let searched =
            Searched { reachability, system, formulas: formulas.clone(), initial, unreduced };
        let searched = Arc::new(searched);
        *kept() = Some(((formulas, reductions), searched.clone()));
        Ok(Some(searched))
    }

    /// The compiled successor function of the cone of influence of formulas, with the states that decide them and the
    /// propositions in them as its propositions.
    fn compile(
        &self,
        formulas: &[usize],
        reductions: Option<Reductions>,
    ) -> Option<(Compiled, Option<&'static str>)> {
        let mut machine = self.document.machine.clone();
        let properties = self.propositions(&self.asked(formulas));
        let mut nodes: Vec<NodeId> = Vec::new();
        for &number in formulas {
            let (property, reachable) =
                (self.all[number].property.as_ref()?, self.reachable(number)?);
            nodes.push(target(&mut machine, &property.surface, &reachable, &properties));
        }
        nodes.extend(properties.iter().map(|property| property.node));
        let slice = machine.cone(nodes.iter().copied());
        let processes = self.document.interleaving.as_ref();
        let full = |why| {
            let system = CompiledSystem::new(&machine, &slice, &nodes)?;
            Some((Compiled::Full(Box::new(system)), Some(why)))
        };
        let (Some(of), Some(wanted)) = (processes, reductions) else { return full(NOT_WANTED) };
        if !of.covers(&machine, &slice) {
            return full("an automaton goes along with the processes");
        }
        let why = of.prevented;
        let wanted = Reductions { ample_sets: why.is_none(), ..wanted };
        let system = ReducedSystem::new(&machine, &slice, (of, wanted), &nodes)?;
        Some((Compiled::Reduced(Box::new(system)), why))
    }

    /// The shortest path to the state that decides a formula, as a model of its own.
    pub fn path_to(
        &self,
        searched: &Searched,
        state: u32,
        monitor: &Monitor,
    ) -> Result<ExplicitStates, Error> {
        let machine = &self.document.machine;
        let mut system = searched.system.lock().unwrap_or_else(PoisonError::into_inner);
        let names = self.propositions(&self.asked(&searched.formulas));
        let names = names.iter().map(|property| &*property.name).collect();
        let made = searched.reachability.path(&mut *system, state, monitor).and_then(|path| {
            let states = &searched.reachability.states;
            let mut rows: Vec<&[u64]> = path.iter().map(|&state| states.get(state)).collect();
            let run = match &mut *system {
                Compiled::Full(_) => Vec::new(),
                Compiled::Reduced(system) => system.run_behind(&rows, monitor)?,
            };
            if !run.is_empty() {
                rows = run.iter().map(|row| &row[..]).collect();
            }
            system.full().run_model(&rows, rows.len() - 1, names, monitor)
        });
        Ok(states_of_run(made.map_err(|halt| self.error(halt, machine))?))
    }
}

/// The states of a run, as a model of its own.
pub(super) fn states_of_run(made: Enumeration) -> ExplicitStates {
    let fairness = Fairness { everywhere: true, ..Fairness::default() };
    let mut states = ExplicitStates::new(Arc::new(System::single(made.model)), fairness);
    states.constants = Some(made.constants);
    states
}

/// The states that decide a formula, as an expression of the transition system.
fn target(
    machine: &mut Machine,
    surface: &Surface,
    reachable: &Reachable,
    properties: &[StateProperty],
) -> NodeId {
    let mut nodes: Vec<NodeId> = Vec::with_capacity(surface.exprs.len());
    let exprs = &mut machine.exprs;
    // Operands stand before what is built of them.
    for (_, (expr, _)) in surface.exprs.iter() {
        let of = |id: &ExprId| nodes[id.0 as usize];
        let node = match expr {
            Expr::Const(value) => exprs.bool(*value),
            Expr::Prop(name) => {
                let property = properties.iter().find(|property| property.name == *name);
                property.map_or_else(|| exprs.bool(false), |property| property.node)
            }
            Expr::Not(operand) => {
                let operand = of(operand);
                exprs.not(operand)
            }
            Expr::And(operands) => {
                let operands = operands.iter().map(of).collect();
                exprs.join(transition::Binary::And, operands)
            }
            Expr::Or(operands) => {
                let operands = operands.iter().map(of).collect();
                exprs.join(transition::Binary::Or, operands)
            }
            Expr::Implies(a, b) => {
                let (a, b) = (of(a), of(b));
                exprs.implies(a, b)
            }
            Expr::Iff(a, b) => {
                let (a, b) = (of(a), of(b));
                exprs.eq(a, b)
            }
            // The target is about one state.
            _ => exprs.bool(false),
        };
        nodes.push(node);
    }
    let node = nodes[reachable.target.0 as usize];
    if reachable.is_negated { exprs.not(node) } else { node }
}

/// The formulas that one search decides.
pub fn searchable(system: &TransitionSystem, chosen: &[usize]) -> Vec<usize> {
    let is_searchable = |&number: &usize| {
        let asked: &StatedProperty = &system.all[number];
        asked.property.is_some() && system.reachable(number).is_some()
    };
    chosen.iter().copied().filter(is_searchable).collect()
}
