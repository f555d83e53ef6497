//! The tableau of a path formula (Clarke, Grumberg and Hamaguchi, "Another look at LTL model checking", 1994): a bit for
//! each operator on paths, which says whether the rest of the word satisfies it. Each word has exactly one fair run, and
//! on it all bits are right, whether the formula holds or not.

use super::FormulaContext;
use super::letters::{Atom, Letters};
use crate::error::AuditError;
use bdd::{Bdd, Cube, Renaming, Stop};
use logic::{ActionSet, Expr, ExprId, FairSteps, FairTerm, Family, LinearOp, LinearPairOp};
use rustc_hash::{FxHashMap, FxHashSet};

/// A condition that fair paths meet.
#[derive(Clone, Copy)]
pub(super) enum Condition<'a> {
    Term(&'a FairTerm),
    Steps(&'a FairSteps),
}

/// A condition, in the form `G F again | F G avoided`.
pub(super) struct ConditionSets {
    pub again: Bdd,
    pub avoided: Option<Bdd>,
}

/// More is foreseen of at most so many subformulas.
const MOST_FORESEEN: usize = 16;

/// Edges of the automaton are looked at so often at most.
const MOST_EDGES: u64 = 20_000_000;

pub(super) struct Tableau<'a> {
    context: &'a FormulaContext<'a>,
    pub letters: Letters,
    /// The letters of all positions are among these.
    possible: Bdd,
    /// By path formula, and whether it is meant and not its negation: where it holds.
    values: FxHashMap<(ExprId, bool), Bdd>,
    /// Bits that are the value of something at the next position.
    future: Vec<(Bdd, Bdd)>,
    /// Bits that are the value of something at the previous position, and their value at the first.
    past: Vec<(Bdd, Bdd, bool)>,
    /// The conditions that fair runs meet infinitely often.
    pub fair: Vec<Bdd>,
}

/// The runs of a tableau.
pub(super) struct Runs {
    pub letters: Letters,
    pub fair: Vec<Bdd>,
    pub init: Bdd,
    pub trans: Bdd,
    next: Cube,
    to_next: Renaming,
    /// How many edges may still be looked at.
    edges_left: u64,
}

impl<'a> Tableau<'a> {
    pub fn new(context: &'a FormulaContext<'a>, letters: Letters, possible: Bdd) -> Self {
        let (values, future, past, fair) = Default::default();
        Self { context, letters, possible, values, future, past, fair }
    }

    fn is_complete(&self) -> bool {
        self.context.is_complete
    }

    /// Where a path formula, or its negation, holds. It is computed from its operands, which have lower numbers.
    pub fn value(&mut self, root: ExprId, is_positive: bool) -> Result<Bdd, AuditError> {
        let exprs = &self.context.surface.exprs;
        // Where negation is complement, all formulas are taken positively.
        let sign = |sign: bool| sign || self.is_complete();
        let mut needed = FxHashSet::from_iter([(root, sign(is_positive))]);
        for id in exprs.ids().rev() {
            for positive in [true, false] {
                if !needed.contains(&(id, positive)) {
                    continue;
                }
                let mut need = |e: &ExprId, positive| needed.insert((*e, sign(positive)));
                match &exprs[id].0 {
                    Expr::Not(e) => {
                        need(e, !positive);
                    }
                    Expr::Implies(a, b) => {
                        need(a, !positive);
                        need(b, positive);
                    }
                    Expr::Iff(a, b) => {
                        for (e, positive) in [(a, true), (a, false), (b, true), (b, false)] {
                            need(e, positive);
                        }
                    }
                    Expr::And(es) | Expr::Or(es) => es.iter().for_each(|e| {
                        need(e, positive);
                    }),
                    Expr::Linear(_, e) => {
                        need(e, positive);
                    }
                    Expr::LinearPair(_, a, b) => {
                        need(a, positive);
                        need(b, positive);
                    }
                    _ => {}
                }
            }
        }
        for id in exprs.ids() {
            for positive in [true, false] {
                let key = (id, positive);
                if needed.contains(&key) && !self.values.contains_key(&key) {
                    let value = self.expanded(id, positive)?;
                    self.values.insert(key, value);
                }
            }
        }
        Ok(self.known(root, is_positive))
    }

    fn known(&self, id: ExprId, is_positive: bool) -> Bdd {
        match self.is_complete() && !is_positive {
            true => self.values[&(id, true)].not(),
            false => self.values[&(id, is_positive)].clone(),
        }
    }

    fn expanded(&mut self, id: ExprId, positive: bool) -> Result<Bdd, AuditError> {
        let (expr, _) = &self.context.surface.exprs[id];
        Ok(match expr {
            Expr::Const(value) => self.letters.manager.constant(*value == positive),
            Expr::Prop(name) => {
                let signature = self.context.signature;
                let prop = signature.props.get(name).filter(|_| signature.family == Family::Props);
                match prop {
                    Some(prop) => self.letters.literal(Atom::Prop(prop), positive)?,
                    None => {
                        let step = self.step(&ActionSet::one(name))?;
                        if positive { step } else { step.not() }
                    }
                }
            }
            Expr::Quantified(..) => self.letters.literal(Atom::Quantified(id), positive)?,
            Expr::Not(e) => self.known(*e, !positive),
            Expr::And(es) => self.joined(es, positive, positive)?,
            Expr::Or(es) => self.joined(es, positive, !positive)?,
            Expr::Implies(a, b) => {
                let (a, b) = (self.known(*a, !positive), self.known(*b, positive));
                match positive {
                    true => self.letters.manager.or(&a, &b)?,
                    false => self.letters.manager.and(&a, &b)?,
                }
            }
            Expr::Iff(a, b) => {
                let [a, not_a] = [true, false].map(|sign| self.known(*a, sign));
                let [b, not_b] = [true, false].map(|sign| self.known(*b, sign == positive));
                let manager = &mut self.letters.manager;
                let (both, none) = (manager.and(&a, &b)?, manager.and(&not_a, &not_b)?);
                manager.or(&both, &none)?
            }
            Expr::Linear(op, e) => {
                let e = self.known(*e, positive);
                self.linear(*op, &e, positive)?
            }
            Expr::LinearPair(op, a, b) => {
                let (a, b) = (self.known(*a, positive), self.known(*b, positive));
                self.linear_pair(*op, &a, &b, positive)?
            }
            Expr::Var(_)
            | Expr::Modal(..)
            | Expr::Fix(..)
            | Expr::State(..)
            | Expr::Path(..)
            | Expr::ForValues(..)
            | Expr::Val(_)
            | Expr::Call(..) => {
                return Err(AuditError::invalid("its formula is not one of paths"));
            }
        })
    }

    fn joined(&mut self, es: &[ExprId], positive: bool, is_and: bool) -> Result<Bdd, Stop> {
        let mut all = self.letters.manager.constant(is_and);
        for &e in es {
            let e = self.known(e, positive);
            all = match is_and {
                true => self.letters.manager.and(&all, &e)?,
                false => self.letters.manager.or(&all, &e)?,
            };
        }
        Ok(all)
    }

    /// An operator, or its dual if its negation is meant.
    fn linear(&mut self, op: LinearOp, e: &Bdd, positive: bool) -> Result<Bdd, Stop> {
        let [no, yes] = [false, true].map(|value| self.letters.manager.constant(value));
        match (op, positive) {
            (LinearOp::Next, _) => self.next(e),
            (LinearOp::Finally, true) | (LinearOp::Globally, false) => self.until(&yes, e),
            (LinearOp::Globally, true) | (LinearOp::Finally, false) => self.release(&no, e),
            (LinearOp::Yesterday, true) | (LinearOp::WeakYesterday, false) => {
                self.previous(e, false)
            }
            (LinearOp::WeakYesterday, true) | (LinearOp::Yesterday, false) => {
                self.previous(e, true)
            }
            (LinearOp::Once, true) | (LinearOp::Historically, false) => self.since(&yes, e),
            (LinearOp::Historically, true) | (LinearOp::Once, false) => self.triggered(&no, e),
        }
    }

    fn linear_pair(
        &mut self,
        op: LinearPairOp,
        a: &Bdd,
        b: &Bdd,
        positive: bool,
    ) -> Result<Bdd, Stop> {
        match (op, positive) {
            (LinearPairOp::Until, true) | (LinearPairOp::Release, false) => self.until(a, b),
            (LinearPairOp::Release, true) | (LinearPairOp::Until, false) => self.release(a, b),
            (LinearPairOp::WeakUntil, true) => {
                let either = self.letters.manager.or(a, b)?;
                self.release(b, &either)
            }
            (LinearPairOp::WeakUntil, false) => {
                let both = self.letters.manager.and(a, b)?;
                self.until(b, &both)
            }
            (LinearPairOp::Since, true) | (LinearPairOp::Triggered, false) => self.since(a, b),
            (LinearPairOp::Triggered, true) | (LinearPairOp::Since, false) => self.triggered(a, b),
        }
    }

    fn next(&mut self, e: &Bdd) -> Result<Bdd, Stop> {
        let bit = self.letters.bit()?;
        self.future.push((bit.clone(), e.clone()));
        Ok(bit)
    }

    fn until(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        let later = self.letters.bit()?;
        let manager = &mut self.letters.manager;
        let on = manager.and(a, &later)?;
        let value = manager.or(b, &on)?;
        self.fair.push(manager.or(b, &value.not())?);
        self.future.push((later, value.clone()));
        Ok(value)
    }

    fn release(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.until(&a.not(), &b.not()).map(|value| value.not())
    }

    fn previous(&mut self, e: &Bdd, at_start: bool) -> Result<Bdd, Stop> {
        let bit = self.letters.bit()?;
        self.past.push((bit.clone(), e.clone(), at_start));
        Ok(bit)
    }

    fn since(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        let before = self.letters.bit()?;
        let manager = &mut self.letters.manager;
        let on = manager.and(a, &before)?;
        let value = manager.or(b, &on)?;
        self.past.push((before, value.clone(), false));
        Ok(value)
    }

    fn triggered(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.since(&a.not(), &b.not()).map(|value| value.not())
    }

    /// Where something holds at infinitely many positions. One bit says so, and never changes; another one, whether it
    /// holds now or later. Runs are fair if infinitely often it is met or, if they say that it is not, no longer to come.
    pub fn infinitely_often(&mut self, met: &Bdd) -> Result<Bdd, Stop> {
        let [again, later] = [self.letters.bit()?, self.letters.bit()?];
        let manager = &mut self.letters.manager;
        let coming = manager.or(met, &later)?;
        let kept = manager.and(&again, met)?;
        let over = manager.minus(&again.not(), &coming)?;
        self.fair.push(manager.or(&kept, &over)?);
        self.future.extend([(later, coming), (again.clone(), again.clone())]);
        Ok(again)
    }

    /// Adds bits that do not change the runs, but tell more of what comes: the literals of the next positions, so many, and
    /// of each subformula whether it holds again and again, and always from some position on. Of `X f`, `F f` and `G f`
    /// what `f` tells suffices.
    pub fn foresee(&mut self, steps: usize, limits: bool) -> Result<(), Stop> {
        let mut values: Vec<Bdd> = Vec::new();
        let mut known: Vec<_> = self.values.keys().copied().filter(|_| limits).collect();
        known.sort_unstable();
        for key in known {
            let value = &self.values[&key];
            let is_told = matches!(
                self.context.surface.exprs[key.0].0,
                Expr::Linear(LinearOp::Next | LinearOp::Finally | LinearOp::Globally, _)
            );
            let is_constant = value.is_empty() || value.is_full();
            if !is_told && !is_constant && !values.contains(value) && !values.contains(&value.not())
            {
                values.push(value.clone());
            }
        }
        for value in values.into_iter().take(MOST_FORESEEN) {
            self.infinitely_often(&value)?;
            self.infinitely_often(&value.not())?;
        }
        for mut bit in self.letters.literals().into_iter().take(MOST_FORESEEN) {
            for _ in 0..steps {
                bit = self.next(&bit)?;
            }
        }
        Ok(())
    }

    /// The subject of a fairness condition of the model.
    pub fn condition(&mut self, condition: Condition) -> Result<ConditionSets, AuditError> {
        let steps = match condition {
            Condition::Term(FairTerm::State(prop, _)) => {
                let again = self.letters.literal(Atom::Prop(*prop), true)?;
                return Ok(ConditionSets { again, avoided: None });
            }
            Condition::Term(FairTerm::Step(actions)) => {
                return Ok(ConditionSets { again: self.step(actions)?, avoided: None });
            }
            Condition::Steps(steps) => steps,
        };
        let taken = self.step(&steps.actions)?;
        let unknown = || AuditError::invalid("a fairness condition of the system is not its own");
        let enabled = Atom::enabled(self.context, &steps.actions).ok_or_else(unknown)?;
        let disabled = self.letters.literal(enabled, false)?;
        if steps.is_strong {
            return Ok(ConditionSets { again: taken, avoided: Some(disabled) });
        }
        let again = self.letters.manager.or(&taken, &disabled)?;
        Ok(ConditionSets { again, avoided: None })
    }

    /// Where runs begin that meet a condition.
    pub fn meeting(&mut self, condition: &ConditionSets) -> Result<Bdd, Stop> {
        let again = self.infinitely_often(&condition.again)?;
        let Some(avoided) = &condition.avoided else { return Ok(again) };
        let missed = self.infinitely_often(&avoided.not())?;
        self.letters.manager.or(&again, &missed.not())
    }

    fn step(&mut self, set: &ActionSet) -> Result<Bdd, AuditError> {
        let unknown = || AuditError::invalid("its formula names a step that the system has not");
        self.letters.step(set)?.ok_or_else(unknown)
    }

    /// The runs, once all formulas and all letters are known.
    pub fn runs(self) -> Result<Runs, Stop> {
        let Self { mut letters, possible, future, past, fair, .. } = self;
        let pairs: Vec<_> = letters.bits.iter().map(|&[now, next]| (now, next)).collect();
        let to_next = letters.manager.renaming(&pairs);
        let next = letters.manager.cube(pairs.iter().map(|&(_, next)| next))?;
        let manager = &mut letters.manager;
        let (mut init, mut trans) = (possible.clone(), possible);
        for (bit, value) in future {
            let value = manager.rename(&value, to_next)?;
            let differs = manager.xor(&bit, &value)?;
            trans = manager.minus(&trans, &differs)?;
        }
        for (bit, value, at_start) in past {
            let bit_next = manager.rename(&bit, to_next)?;
            let differs = manager.xor(&bit_next, &value)?;
            trans = manager.minus(&trans, &differs)?;
            init = manager.and(&init, &if at_start { bit } else { bit.not() })?;
        }
        Ok(Runs { letters, fair, init, trans, next, to_next, edges_left: MOST_EDGES })
    }
}

impl Runs {
    /// Counts a look at these edges.
    pub fn look_at(&mut self, edges: usize) -> Result<(), Stop> {
        // One for the position itself.
        let left = self.edges_left.checked_sub(edges as u64 + 1);
        self.edges_left = left.ok_or(Stop::Full)?;
        Ok(())
    }

    /// A set of positions, as one of next positions.
    pub fn there(&mut self, set: &Bdd) -> Result<Bdd, Stop> {
        self.letters.manager.rename(set, self.to_next)
    }

    /// From where a step to some of these next positions leads.
    pub fn before(&mut self, there: &Bdd) -> Result<Bdd, Stop> {
        self.letters.manager.and_exists(&self.trans, there, &self.next)
    }
}
