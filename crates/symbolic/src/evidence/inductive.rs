//! Lemmas that make an invariant inductive.
//!
//! As in IC3 (Bradley, VMCAI 2011) a state that satisfies the invariant and has a step out of it is generalised to a
//! cube, whose negation is a lemma. Where we differ: the reachable states are known, so a cube is as large as it can be
//! without a reachable state, and every lemma holds in all of them from the start.

use super::walk::{Field, State};
use crate::checker::SymbolicChecker;
use crate::fixpoints::{Evaluation, Side};
use crate::relation::Steps;
use bdd::{Bdd, Stop};
use logic::{Formula, Modality, Node, NodeId};
use transition::{Machine, Slice, VarId};

/// More variables, lemmas to begin with, and values of a variable are not looked at.
const MOST_VARIABLES: usize = 80;
const MOST_LEMMAS: usize = 40;
const MOST_VALUES: u128 = 16;
/// Of a variable with more values, those in reachable states are not looked for.
const MOST_LISTED: u128 = 256;

/// No reachable state has such values of these variables together.
#[derive(Clone, Debug)]
pub struct Lemma {
    pub excluded: Vec<(VarId, Vec<i64>)>,
}

impl SymbolicChecker {
    /// Lemmas with which the invariant `f` of `AG f` is inductive, each of them needed. `None` if the formula is
    /// another one; the inner `None` if what happens in unreachable states is not defined, or if it takes too many.
    #[allow(clippy::option_option)]
    pub fn inductive_lemmas(
        &mut self,
        (machine, slice): (&Machine, &Slice),
        formula: &Formula,
    ) -> Result<Option<Option<Vec<Lemma>>>, Stop> {
        let Some(goal) = self.invariant(formula)? else { return Ok(None) };
        let vars: Vec<VarId> = machine.state_vars().filter(|&var| slice.contains(var)).collect();
        if self.choice_can_fail || vars.len() > MOST_VARIABLES {
            return Ok(Some(None));
        }
        let (structure, layout) = (&mut self.structure, &self.layout);
        let (selected, constants) = (Vec::new(), Vec::new());
        let field = Field { structure, layout, machine, slice, selected, props: &[], constants };
        let mut search = LemmaSearch { field, reached: &self.reached, goal, vars };
        search.unread_first();
        search.run().map(Some)
    }

    /// The valuations that satisfy the invariant of `AG f`, if `f` is propositional.
    fn invariant(&mut self, formula: &Formula) -> Result<Option<Bdd>, Stop> {
        let states = self.structure.states.clone();
        let mut evaluation =
            Evaluation::new(&mut self.structure, formula, Side::Pessimist, &states)?;
        match evaluation.everywhere_or_somewhere(formula.root()) {
            Some((Modality::Box, of)) if is_propositional(formula, of) => {
                evaluation.node(of).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// By variable with few values: those that it has in reachable states.
    pub fn values_in_reachable_states(
        &mut self,
        (machine, slice): (&Machine, &Slice),
    ) -> Result<Vec<(VarId, Vec<i64>)>, Stop> {
        let (structure, layout) = (&mut self.structure, &self.layout);
        let (selected, constants) = (Vec::new(), Vec::new());
        let mut field =
            Field { structure, layout, machine, slice, selected, props: &[], constants };
        let mut found = Vec::new();
        for var in machine.state_vars().filter(|&var| slice.contains(var)) {
            let mut values = Vec::new();
            for value in values_of(machine, var, MOST_LISTED) {
                let there = field.equal(var, value)?;
                if !field.structure.manager.and(&self.reached, &there)?.is_empty() {
                    values.push(value);
                }
            }
            found.push((var, values));
        }
        Ok(found)
    }
}

fn is_propositional(formula: &Formula, id: NodeId) -> bool {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match formula.node(id) {
            Node::Const(_) | Node::Lit(..) => {}
            Node::And(a, b) | Node::Or(a, b) => open.extend([a, b]),
            Node::Modal(..) | Node::Fix(_) | Node::Var(_) => return false,
        }
    }
    true
}

/// The values of a variable that has at most so many.
fn values_of(machine: &Machine, var: VarId, most: u128) -> Vec<i64> {
    let domain = &machine.vars[var].domain;
    match domain.size() {
        size if size <= most => (0..size as u64).map(|n| domain.value(n)).collect(),
        _ => Vec::new(),
    }
}

struct LemmaSearch<'a> {
    field: Field<'a>,
    reached: &'a Bdd,
    goal: Bdd,
    /// In the order in which lemmas try to do without them.
    vars: Vec<VarId>,
}

impl LemmaSearch<'_> {
    /// Variables that the invariant does not read come first.
    fn unread_first(&mut self) {
        let read = self.field.structure.manager.support(&self.goal);
        let layout = self.field.layout;
        self.vars.sort_by_key(|&var| layout.bits(var).iter().any(|bit| read.contains(&bit.now)));
    }

    fn run(&mut self) -> Result<Option<Vec<Lemma>>, Stop> {
        let mut lemmas: Vec<(Lemma, Bdd)> = Vec::new();
        let mut strengthened = self.goal.clone();
        while let Some(state) = self.leaving(&strengthened)? {
            if lemmas.len() == MOST_LEMMAS {
                return Ok(None);
            }
            let (lemma, cube) = self.generalised(&state)?;
            strengthened = self.field.structure.manager.minus(&strengthened, &cube)?;
            lemmas.push((lemma, cube));
        }
        // A later lemma can make an earlier one needless.
        for index in (0..lemmas.len()).rev() {
            let (removed, _) = (lemmas[index].clone(), lemmas.remove(index));
            let mut rest = self.goal.clone();
            for (_, cube) in &lemmas {
                rest = self.field.structure.manager.minus(&rest, cube)?;
            }
            if self.leaving(&rest)?.is_some() {
                lemmas.insert(index, removed);
            }
        }
        Ok(Some(lemmas.into_iter().map(|(lemma, _)| lemma).collect()))
    }

    /// A state of a set with a step out of the set.
    fn leaving(&mut self, set: &Bdd) -> Result<Option<State>, Stop> {
        let structure = &mut *self.field.structure;
        let outside = structure.manager.minus(&structure.states, set)?;
        let leaving = structure.pre_image(&outside, false, Steps::All, set)?;
        Ok(self.field.pick(&leaving))
    }

    /// An unreachable state with as many others as possible.
    fn generalised(&mut self, state: &State) -> Result<(Lemma, Bdd), Stop> {
        let machine = self.field.machine;
        let value = |var: VarId| {
            self.field.layout.value(machine, var, |bit| state.contains(bit.0 as usize))
        };
        let mut excluded: Vec<(VarId, Vec<i64>)> =
            self.vars.iter().map(|&var| (var, vec![value(var)])).collect();
        for var in self.vars.clone() {
            let without: Vec<_> = excluded.iter().filter(|(own, _)| *own != var).cloned().collect();
            if self.is_unreachable(&without)? {
                excluded = without;
            }
        }
        for index in 0..excluded.len() {
            for other in values_of(machine, excluded[index].0, MOST_VALUES) {
                let mut wider = excluded.clone();
                if !wider[index].1.contains(&other) {
                    wider[index].1.push(other);
                    if self.is_unreachable(&wider)? {
                        excluded = wider;
                    }
                }
            }
        }
        excluded.sort_by_key(|(var, _)| *var);
        for (var, values) in &mut excluded {
            values.sort_by_key(|&value| machine.vars[*var].domain.number(value));
        }
        let cube = self.cube(&excluded)?;
        Ok((Lemma { excluded }, cube))
    }

    fn is_unreachable(&mut self, excluded: &[(VarId, Vec<i64>)]) -> Result<bool, Stop> {
        let cube = self.cube(excluded)?;
        Ok(self.field.structure.manager.and(self.reached, &cube)?.is_empty())
    }

    fn cube(&mut self, excluded: &[(VarId, Vec<i64>)]) -> Result<Bdd, Stop> {
        let mut cube = self.field.structure.manager.constant(true);
        for (var, values) in excluded {
            let mut any = self.field.structure.manager.constant(false);
            for &value in values {
                let here = self.field.equal(*var, value)?;
                any = self.field.structure.manager.or(&any, &here)?;
            }
            cube = self.field.structure.manager.and(&cube, &any)?;
        }
        Ok(cube)
    }
}

impl Field<'_> {
    /// The valuations in which a variable has a value.
    fn equal(&mut self, var: VarId, value: i64) -> Result<Bdd, Stop> {
        let number = self.machine.vars[var].domain.number(value).unwrap_or_default();
        let manager = &mut self.structure.manager;
        let mut all = manager.constant(true);
        for (index, bit) in self.layout.bits(var).iter().enumerate() {
            let is_one = manager.var(bit.now)?;
            let is_so = if number >> index & 1 == 1 { is_one } else { is_one.not() };
            all = manager.and(&all, &is_so)?;
        }
        Ok(all)
    }
}
