//! The atoms of the formulas, over the locations and numbers of the program.

use super::branch::refusal;
use super::explore::{Graph, at};
use super::layout::Layout;
use crate::document::Specification;
use logic::{Combination, Expr, FairTerm, PropId};
use smt::{LinearFormula, Variable};
use support::{Diagnostic, Interner, Span};
use transition::integers::{LinearTruth, Proposition, opposite};
use transition::{Machine, NodeId, StateProperty};

/// The properties of a transition system, with their propositions.
pub(super) struct TranslatedProperties {
    pub specifications: Vec<Specification>,
    pub propositions: Vec<StateProperty>,
    pub names: Interner<PropId>,
}

/// Propositions of the program, each once.
#[derive(Default)]
pub(super) struct Table {
    pub list: Vec<(String, Proposition)>,
}

impl Table {
    pub fn add(&mut self, name: impl FnOnce() -> String, proposition: Proposition) -> PropId {
        let known = self.list.iter().position(|(_, other)| *other == proposition);
        PropId(known.unwrap_or_else(|| {
            let name = match name() {
                name if self.list.iter().all(|(other, _)| *other != name) => name,
                name => format!("{name} ({})", self.list.len()),
            };
            self.list.push((name, proposition));
            self.list.len() - 1
        }) as u32)
    }

    /// A condition on numbers, its connectives as those of the formula, so that the search for predicates finds its
    /// parts.
    fn condition(&mut self, condition: &LinearFormula, names: &[String]) -> Combination {
        match condition {
            LinearFormula::Constant(value) => Combination::Constant(*value),
            LinearFormula::And(parts) => {
                Combination::And(parts.iter().map(|part| self.condition(part, names)).collect())
            }
            LinearFormula::Or(parts) => {
                Combination::Or(parts.iter().map(|part| self.condition(part, names)).collect())
            }
            LinearFormula::Atom(_) | LinearFormula::Not(_) => {
                let holds = Proposition::Holds(condition.clone());
                let name = |variable: Variable| names[variable.0 as usize].clone();
                Combination::Holds(self.add(|| condition.show(&name), holds))
            }
        }
    }

    /// At which locations what has to hold. Their names do not depend on the order of occurrence.
    fn by_places(
        &mut self,
        groups: Vec<(LinearFormula, Vec<u32>)>,
        names: &[String],
    ) -> Combination {
        if let [(only, _)] = &groups[..] {
            return self.condition(only, names);
        }
        let mut parts = Vec::new();
        for (condition, locations) in groups {
            if condition == LinearFormula::Constant(false) {
                continue;
            }
            let holds = self.condition(&condition, names);
            let numbers: Vec<String> = locations.iter().map(u32::to_string).collect();
            let name = format!("places {}", numbers.join(", "));
            let at = Combination::Holds(self.add(|| name, Proposition::At(locations)));
            parts.push(Combination::And(vec![at, holds]));
        }
        Combination::Or(parts)
    }
}

impl TranslatedProperties {
    /// Gives the conditions of fairness names, as propositions.
    pub fn fairness(&mut self, machine: &Machine) -> Result<Vec<FairTerm>, Diagnostic> {
        let mut terms = Vec::new();
        for (number, fairness) in machine.fairness.iter().enumerate() {
            if machine.exprs.reads_input(fairness.node) {
                return Err(about_steps(fairness.span));
            }
            let name = format!("FAIRNESS {}", number + 1);
            let prop = self.names.intern(&name);
            self.propositions.push(StateProperty { name: name.clone(), node: fairness.node });
            terms.push(FairTerm::State(prop, name));
        }
        Ok(terms)
    }

    /// The meaning of each proposition.
    pub fn meanings(
        &self,
        machine: &Machine,
        layout: &Layout,
        graph: &Graph,
        table: &mut Table,
    ) -> Result<Vec<Combination>, Diagnostic> {
        let meaning = |property: &StateProperty| {
            let mut groups: Vec<(LinearFormula, Vec<u32>)> = Vec::new();
            for (number, here) in (0..).zip(&graph.locations) {
                let found = at(machine, layout, here, property.node);
                let found =
                    found.map_err(|complaint| refusal(complaint, self.span_of(&property.name)))?;
                let holds = self.always(machine, property, found)?;
                match groups.iter_mut().find(|(condition, _)| *condition == holds) {
                    Some((_, locations)) => locations.push(number),
                    None => groups.push((holds, vec![number])),
                }
            }
            Ok(table.by_places(groups, &layout.names))
        };
        self.propositions.iter().map(meaning).collect()
    }

    fn always(
        &self,
        machine: &Machine,
        property: &StateProperty,
        found: LinearTruth,
    ) -> Result<LinearFormula, Diagnostic> {
        let can_fault = |node: NodeId| machine.exprs.can_fault(node);
        if !can_fault(property.node) || found.fails == opposite(&found.holds) {
            return Ok(found.holds);
        }
        Err(Diagnostic::error(
            "this has no value in some states",
            self.span_of(&property.name),
            "it can be undefined",
        )
        .with_help("add a branch `TRUE : …`, and take out what is divided by zero"))
    }

    /// The specification that speaks of it.
    fn span_of(&self, name: &str) -> Span {
        let speaks = |specification: &&Specification| match &specification.formula {
            Ok(surface) => surface
                .exprs
                .values()
                .into_iter()
                .any(|(expr, _)| matches!(expr, Expr::Prop(prop) if prop == name)),
            Err(_) => false,
        };
        let found = self.specifications.iter().find(speaks).or(self.specifications.first());
        found.map_or(Span::new(support::FileId(0), 0..0), |specification| specification.span)
    }
}

fn about_steps(span: Span) -> Diagnostic {
    let message = "`FAIRNESS` about steps is not supported next to unbounded integers";
    Diagnostic::error(message, span, "reads an input, or which process is running")
        .with_help("remember it in a variable: `next(ran) := …; FAIRNESS ran`")
}
