//! Runs of the program that an SMV file with integers becomes, as runs of the file.

use cegar::ConcreteState;
use front::BackTranslation;
use logic::evidence::{RunPoint, ShownMember, ShownState};
use smt::{LinearFormula, Variable};
use transition::VarId;

/// The states of the SMV file that a program over integers was made from.
pub struct SourceStates<'a> {
    pub view: &'a BackTranslation,
}

impl SourceStates<'_> {
    pub fn are_at(&self, place: u32) -> bool {
        self.view.values_at(place).is_some()
    }

    /// The states of a run. What is between two of them is a part of the step.
    pub fn points(&self, states: &[ConcreteState]) -> Vec<RunPoint> {
        let mut points: Vec<RunPoint> = Vec::new();
        for state in states {
            if let Some(values) = self.view.state(state.location, &state.values) {
                let member = ShownMember { values: self.texts(&values), ..ShownMember::default() };
                let shown = ShownState { members: vec![Some(member)], next: None };
                points.push(RunPoint { state: shown, ..RunPoint::default() });
            }
            let Some(point) = points.last_mut() else { continue };
            point.facts.extend(state.facts.iter().cloned());
            if let Some(step) = state.step {
                point.inputs.extend(self.texts(&self.view.inputs(step, &state.values)));
            }
        }
        points
    }

    fn texts(&self, values: &[(VarId, i64)]) -> Vec<(String, String)> {
        let machine = &self.view.machine;
        let text = |&(var, value): &(VarId, i64)| {
            (machine.vars[var].name.clone(), machine.text(var, value))
        };
        values.iter().map(text).collect()
    }

    /// The values that make up a location, if there are states.
    pub fn location_text(&self, place: u32) -> Option<String> {
        let values = self.view.values_at(place)?;
        Some(if values.is_empty() { "always".to_owned() } else { self.view.shown(&values) })
    }

    /// The values that make up a location, one by one.
    pub fn values_at(&self, place: u32) -> Vec<String> {
        let values = self.view.values_at(place).unwrap_or_default();
        values.iter().map(|&value| self.view.shown(&[value])).collect()
    }

    /// Several, each once, those in the midst of steps by the state before; none if there is only one.
    pub fn location_texts(&self, places: &[u32]) -> Vec<String> {
        let mut own: Vec<u32> =
            places.iter().filter_map(|&p| self.view.state_location(p)).collect();
        own.sort_unstable();
        own.dedup();
        let values = own.into_iter().filter_map(|place| self.view.values_at(place));
        values.filter(|values| !values.is_empty()).map(|values| self.view.shown(&values)).collect()
    }

    /// Projects a conjunction to the state variables: some choice fits it. In a state the choice is still open.
    pub fn without_choices(&self, formulas: &[LinearFormula]) -> Option<Vec<LinearFormula>> {
        let chosen: Vec<Variable> = self.view.chosen.iter().map(|&v| Variable(v)).collect();
        let speaks = |formula: &LinearFormula| {
            let mut found = false;
            formula.for_each_atom(&mut |atom| {
                found |= atom.term().coefficients().iter().any(|(v, _)| chosen.contains(v));
            });
            found
        };
        let (of_choices, mut rest): (Vec<LinearFormula>, Vec<LinearFormula>) =
            formulas.iter().cloned().partition(speaks);
        if of_choices.is_empty() {
            return Some(rest);
        }
        let any = chosen.iter().try_fold(LinearFormula::and(of_choices), |any, &v| any.exists(v));
        match any.ok()? {
            LinearFormula::Constant(true) => {}
            LinearFormula::And(parts) => rest.extend(parts.iter().cloned()),
            other => rest.push(other),
        }
        Some(rest)
    }
}
