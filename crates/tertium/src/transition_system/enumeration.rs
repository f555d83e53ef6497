//! A symbolic transition system enumerated into an explicit model.

use super::{StatedProperty, TransitionSystem};
use crate::error::Error;
use crate::explicit_model::ExplicitStates;
use explicit::{DIRECT, Deadlock, Request};
use logic::{Expr, FairTerm, Fairness, Truth};
use model::System;
use std::sync::{Arc, PoisonError};
use support::{Diagnostic, Monitor, Severity, StopReason, Stopped};
use transition::{Enumeration, Machine, RuntimeError, StateProperty, StepError};

impl TransitionSystem {
    /// The reachable states, with all that is needed to answer these formulas: only their cone of influence is looked
    /// at. Kept for the next question.
    pub fn states(
        &self,
        chosen: &[usize],
        deadlock: Deadlock,
        trusting: bool,
        most: usize,
        monitor: &Monitor,
    ) -> Result<Arc<ExplicitStates>, Error> {
        let key = (chosen.to_vec(), trusting.then_some(deadlock == Deadlock::Stutter));
        let kept = || self.enumerated.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(states) = kept().get(&key) {
            return Ok(states.clone());
        }
        let mut states = self.enumerate(chosen, most, monitor)?;
        if trusting {
            states.look_for_unfair_states(deadlock, monitor)?;
        }
        let states = Arc::new(states);
        kept().insert(key, states.clone());
        Ok(states)
    }

    fn enumerate(
        &self,
        chosen: &[usize],
        most: usize,
        monitor: &Monitor,
    ) -> Result<ExplicitStates, Error> {
        let asked = self.asked(chosen);
        let is_fair = asked.iter().any(|asked| asked.is_fair);
        let machine = match is_fair {
            true => self.document.machine.with_history_variables(),
            false => self.document.machine.clone(),
        };
        let mut properties = self.propositions(&asked);
        let fair = if is_fair { self.fairness(&machine, &mut properties) } else { Vec::new() };
        let slice = machine.cone(properties.iter().map(|property| property.node));
        let enumerated = transition::enumerate(&machine, &slice, &properties, most, monitor);
        let Enumeration { model, deadlocks, constants } =
            enumerated.map_err(|halt| self.error(halt, &machine))?;
        let term = |name: String| Some(FairTerm::State(model.props().get(&name)?, name));
        let terms: Vec<FairTerm> = fair.into_iter().filter_map(term).collect();
        let counts_all = self.document.counts_finite_paths || deadlocks.is_clear();
        let everywhere = terms.is_empty() && counts_all;
        let deadlock_state = deadlocks.ones().next().map(|state| model.state_name(state as u32));
        let fairness = Fairness { terms, everywhere, ..Fairness::default() };
        let mut states = ExplicitStates::new(Arc::new(System::single(model)), fairness);
        states.deadlock_state = deadlock_state;
        states.constants = Some(constants);
        Ok(states)
    }

    /// The propositions that occur in the formulas.
    pub(super) fn propositions(&self, asked: &[&StatedProperty]) -> Vec<StateProperty> {
        let surfaces = || asked.iter().filter_map(|asked| asked.surface());
        let is_used = |name: &str| {
            surfaces().any(|surface| {
                let exprs = surface.exprs.values();
                exprs.into_iter().any(|(expr, _)| matches!(expr, Expr::Prop(prop) if prop == name))
            })
        };
        let propositions = self.document.propositions.iter();
        propositions.filter(|proposition| is_used(&proposition.name)).cloned().collect()
    }

    /// The names of the propositions that fair paths meet infinitely often, which are added if they are
    /// not there. They are called what they are called in the file.
    pub(super) fn fairness(
        &self,
        machine: &Machine,
        properties: &mut Vec<StateProperty>,
    ) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (index, fairness) in machine.fairness.iter().enumerate() {
            if machine.exprs.as_constant(fairness.node) == Some(1) {
                continue;
            }
            let known = properties.iter().find(|property| property.node == fairness.node);
            let name = match known {
                Some(known) => known.name.clone(),
                None => self.name_of_fairness(machine, index, properties),
            };
            if known.is_none() {
                properties.push(StateProperty { name: name.clone(), node: fairness.node });
            }
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn name_of_fairness(&self, machine: &Machine, index: usize, known: &[StateProperty]) -> String {
        let fairness = &machine.fairness[index];
        let text = match &fairness.name {
            Some(name) => name.clone(),
            None => {
                let text = self.sources.text(fairness.span);
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            }
        };
        let name = match &*machine.instances[fairness.instance].name {
            "" => text,
            instance => format!("{text} IN {instance}"),
        };
        match known.iter().any(|property| property.name == name) {
            true => format!("{name} ({})", index + 1),
            false => name,
        }
    }

    pub(super) fn error(&self, halt: StepError, machine: &Machine) -> Error {
        match halt {
            StepError::Stopped(stopped) => Error::Stopped(stopped),
            StepError::TooMany(_) => Error::Stopped(Stopped(StopReason::States)),
            StepError::Fault(fault) => self.fault(&fault, machine),
        }
    }

    pub fn fault(&self, fault: &RuntimeError, machine: &Machine) -> Error {
        if let Some(limit) = fault.limit(machine) {
            return Error::Stopped(limit);
        }
        Error::of(vec![fault.diagnostic(machine)], &self.sources)
    }
}

impl ExplicitStates {
    /// Computes whether a fair path begins in every state. Formulas get simpler if one does; certificates are about
    /// the formulas without this simplification.
    pub fn look_for_unfair_states(
        &mut self,
        deadlock: Deadlock,
        monitor: &Monitor,
    ) -> Result<(), Error> {
        if self.fairness.everywhere {
            return Ok(());
        }
        if self.deadlock_state.is_some() && deadlock != Deadlock::Stutter {
            return Ok(());
        }
        let formula = self.fairness.always();
        let request = Request { deadlock, ..Request::new(&self.system, &formula, monitor) };
        let outcome = DIRECT.run(&request).map_err(|error| Error::message(error.to_string()))?;
        monitor.check()?;
        self.fairness.everywhere = outcome.verdict == Truth::True;
        Ok(())
    }

    /// Warnings about the states of a symbolic model.
    pub fn warnings(&self, deadlock: Deadlock) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        if self.constants.is_none() {
            return warnings;
        }
        if self.system.never_starts() {
            warnings.push(no_start());
        }
        if let (Some(state), Deadlock::Warn) = (&self.deadlock_state, deadlock) {
            // Where finite paths count, everything is known of them.
            warnings.push(deadlock_warning(state, self.fairness.everywhere));
        }
        warnings
    }
}

pub fn no_start() -> Diagnostic {
    const WHY: &str = "`INIT`, `init(x) := …` and `INVAR` contradict each other";
    warning("there is no initial state, so everything holds".to_owned(), WHY)
}

pub(super) fn deadlock_warning(state: &str, counts_finite_paths: bool) -> Diagnostic {
    let (meaning, help) = match counts_finite_paths {
        true => (
            "every process waits",
            "there `AF f` is true and `EG f` false; `AG EX true` asks whether there is such a state",
        ),
        false => (
            "finite paths do not count",
            "specifications are about infinite paths, as in NuSMV; `--deadlock stutter` adds a self-loop, `--deadlock error` rejects the model",
        ),
    };
    warning(format!("the state `{state}` is a deadlock state: {meaning}"), help)
}

/// A diagnostic without a position in the file.
fn warning(message: String, help: &str) -> Diagnostic {
    let help = Some(help.to_owned());
    Diagnostic { severity: Severity::Warning, message, labels: Vec::new(), help }
}
