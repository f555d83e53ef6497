//! The letters of words: which literals count at a state, and the step that leaves it. One BDD variable for each bit,
//! now and at the next position.

use super::FormulaContext;
use crate::error::AuditError;
use bdd::{Bdd, BddVar, Manager, Stop};
use logic::{ActionSet, Expr, ExprId, FairTerm, Family, Formula, Modality, PropId};
use rustc_hash::FxHashMap;

/// A state formula that path formulas are made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Atom {
    Prop(PropId),
    /// `A f` or `E f`.
    Quantified(ExprId),
    /// That a step is possible that the fairness of this number is about; the first of those about the same steps.
    Enabled(usize),
}

impl Atom {
    /// That one of these steps is possible, if fairness is about that.
    pub fn enabled(context: &FormulaContext, actions: &ActionSet) -> Option<Self> {
        let mut steps = context.fairness.steps.iter();
        steps.position(|steps| steps.actions == *actions).map(Atom::Enabled)
    }
}

pub(super) struct Letters {
    pub manager: Manager,
    /// Of all bits so far: now, and next.
    pub bits: Vec<[BddVar; 2]>,
    is_complete: bool,
    literals: FxHashMap<(Atom, bool), Bdd>,
    /// The steps by an action; where states have propositions, the steps that satisfy a condition.
    steps: FxHashMap<String, Bdd>,
}

impl Letters {
    pub fn new(
        context: &FormulaContext,
        formula: &Formula,
        manager: Manager,
    ) -> Result<Self, AuditError> {
        let (bits, literals, steps) = Default::default();
        let mut letters = Self { manager, bits, is_complete: context.is_complete, literals, steps };
        let is_named = |name: &String| match context.signature.family {
            Family::Props => context.signature.actions.contains(name),
            Family::Actions => true,
        };
        let terms = context.fairness.terms.iter().filter_map(|term| match term {
            FairTerm::Step(actions) => Some(actions),
            FairTerm::State(..) => None,
        });
        let fair = context.fairness.steps.iter().map(|steps| &steps.actions);
        let sets = formula.action_sets().values().chain(terms).chain(fair);
        let mut names: Vec<String> = sets.flat_map(ActionSet::names).cloned().collect();
        names.extend(context.surface.exprs.values().filter_map(|(expr, _)| match expr {
            Expr::Prop(name) => Some(name.clone()),
            _ => None,
        }));
        names.retain(is_named);
        names.sort();
        names.dedup();
        match context.signature.family {
            // A step may satisfy several conditions.
            Family::Props => {
                for name in names {
                    let bit = letters.bit()?;
                    letters.steps.insert(name, bit);
                }
            }
            // A step has one action. The codes that are left over stand for all others.
            Family::Actions => {
                let width = usize::BITS - names.len().leading_zeros();
                let code = (0..width).map(|_| letters.bit()).collect::<Result<Vec<_>, _>>()?;
                for (number, name) in names.into_iter().enumerate() {
                    let mut all = letters.manager.constant(true);
                    for (place, bit) in code.iter().enumerate() {
                        let bit = if number >> place & 1 == 1 { bit.clone() } else { bit.not() };
                        all = letters.manager.and(&all, &bit)?;
                    }
                    letters.steps.insert(name, all);
                }
            }
        }
        Ok(letters)
    }

    /// A new bit, now.
    pub fn bit(&mut self) -> Result<Bdd, Stop> {
        let pair = self.manager.add_group::<2>();
        self.bits.push(pair);
        self.manager.var(pair[0])
    }

    /// Where a literal counts. On partial models it does so independently of its negation.
    pub fn literal(&mut self, atom: Atom, is_positive: bool) -> Result<Bdd, Stop> {
        let key = (atom, is_positive || self.is_complete);
        let known = match self.literals.get(&key) {
            Some(known) => known.clone(),
            None => {
                let bit = self.bit()?;
                self.literals.insert(key, bit.clone());
                bit
            }
        };
        Ok(if key.1 == is_positive { known } else { known.not() })
    }

    /// The literals so far, and the steps.
    pub fn literals(&self) -> Vec<Bdd> {
        self.literals.values().chain(self.steps.values()).cloned().collect()
    }

    /// Where a literal may be won: letters say what is certain if there are diamonds, what is possible if there are boxes,
    /// and what is won is certain and its negation not possible.
    pub fn won(&mut self, modality: Modality, atom: Atom, is_positive: bool) -> Result<Bdd, Stop> {
        match modality {
            Modality::Dia => self.literal(atom, is_positive),
            Modality::Box => self.literal(atom, !is_positive).map(|excluded| excluded.not()),
        }
    }

    /// Where a step of a set is taken. `None` if it is not known which steps these are.
    pub fn step(&mut self, set: &ActionSet) -> Result<Option<Bdd>, Stop> {
        let mut some = self.manager.constant(false);
        for name in set.names() {
            let Some(step) = self.steps.get(name) else { return Ok(None) };
            some = self.manager.or(&some, step)?;
        }
        Ok(Some(if set.is_complement() { some.not() } else { some }))
    }
}
