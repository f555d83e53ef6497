//! Lemmas that make an invariant inductive.
//!
//! As in IC3 (Bradley, VMCAI 2011) a state that satisfies the invariant and has a step out of it is generalised to a
//! cube, whose negation is a lemma. Where we differ: the reachable states are known, so a cube is as large as it can be
//! without a reachable state, and every lemma holds in all of them from the start.

use super::walk::State;
use crate::checker::SymbolicChecker;
use crate::composed::ComposedSystem;
use crate::fixpoints::{Evaluation, Side};
use crate::kmts::{StateBits, numbers};
use crate::relation::Steps;
use crate::structure::Structure;
use bdd::{Bdd, BddVar, Stop};
use encode::Layout;
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

/// No reachable state of a composition has such states of these components together.
#[derive(Clone, Debug)]
pub struct ComponentLemma {
    pub excluded: Vec<(usize, Vec<u32>)>,
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
        let Some(goal) = self.structure.invariant(formula, false)? else { return Ok(None) };
        let vars: Vec<VarId> = machine.state_vars().filter(|&var| slice.contains(var)).collect();
        if self.choice_can_fail || vars.len() > MOST_VARIABLES {
            return Ok(Some(None));
        }
        let encoded = vars.iter().map(|&var| of_machine(machine, &self.layout, var)).collect();
        let Some(cubes) =
            LemmaSearch::new(&mut self.structure, &self.reached, goal, encoded).run()?
        else {
            return Ok(Some(None));
        };
        let values = |(index, numbers): (usize, Vec<u64>)| {
            let domain = &machine.vars[vars[index]].domain;
            (vars[index], numbers.into_iter().map(|number| domain.value(number)).collect())
        };
        let lemma = |cube: ValueCube| Lemma { excluded: cube.into_iter().map(values).collect() };
        Ok(Some(Some(cubes.into_iter().map(lemma).collect())))
    }

    /// By variable with few values: those that it has in reachable states.
    pub fn values_in_reachable_states(
        &mut self,
        (machine, slice): (&Machine, &Slice),
    ) -> Result<Vec<(VarId, Vec<i64>)>, Stop> {
        let mut found = Vec::new();
        for var in machine.state_vars().filter(|&var| slice.contains(var)) {
            let encoded = of_machine(machine, &self.layout, var);
            let numbers = self.structure.values_within(&self.reached, &encoded)?;
            let domain = &machine.vars[var].domain;
            found.push((var, numbers.into_iter().map(|number| domain.value(number)).collect()));
        }
        Ok(found)
    }
}

impl ComposedSystem {
    /// Lemmas with which the invariant `f` of `AG f` is inductive, as of [`SymbolicChecker::inductive_lemmas`]; `f` may
    /// speak of single steps.
    #[allow(clippy::option_option)]
    pub fn inductive_lemmas(
        &mut self,
        formula: &Formula,
    ) -> Result<Option<Option<Vec<ComponentLemma>>>, Stop> {
        let Some(goal) = self.structure.invariant(formula, true)? else { return Ok(None) };
        if self.component_bits.len() > MOST_VARIABLES {
            return Ok(Some(None));
        }
        let encoded = self.component_bits.iter().map(of_component).collect();
        let cubes = LemmaSearch::new(&mut self.structure, &self.reached, goal, encoded).run()?;
        let states = |(component, numbers): (usize, Vec<u64>)| {
            (component, numbers.into_iter().map(|number| number as u32).collect())
        };
        let lemma =
            |cube: ValueCube| ComponentLemma { excluded: cube.into_iter().map(states).collect() };
        Ok(Some(cubes.map(|cubes| cubes.into_iter().map(lemma).collect())))
    }

    /// The states that a component has in reachable states of the composition; none if it has many.
    pub fn states_within_reachable(&mut self, component: usize) -> Result<Vec<u32>, Stop> {
        let encoded = of_component(&self.component_bits[component]);
        let numbers = self.structure.values_within(&self.reached, &encoded)?;
        Ok(numbers.into_iter().map(|number| number as u32).collect())
    }

    /// How many tuples of these components' states are reachable.
    pub fn count_reachable(&mut self, components: &[usize]) -> Result<f64, Stop> {
        let all = self.component_bits.iter().enumerate();
        let others = all.filter(|(component, _)| !components.contains(component));
        let others: Vec<BddVar> = others.flat_map(|(_, bits)| bits.now().to_vec()).collect();
        let bits = self.structure.bits - others.len();
        let manager = &mut self.structure.manager;
        let others = manager.cube(others)?;
        let projected = manager.exists(&self.reached, &others)?;
        Ok(manager.density(&projected) * 2f64.powi(bits as i32))
    }
}

/// A variable by the number of its value: its bits, highest first, and how many values it has.
struct EncodedVariable {
    bits: Vec<BddVar>,
    values: u128,
}

/// By variable, numbers of its values in ascending order.
type ValueCube = Vec<(usize, Vec<u64>)>;

fn of_machine(machine: &Machine, layout: &Layout, var: VarId) -> EncodedVariable {
    let bits = layout.bits(var).iter().rev().map(|bit| bit.now).collect();
    EncodedVariable { bits, values: machine.vars[var].domain.size() }
}

fn of_component(bits: &StateBits) -> EncodedVariable {
    EncodedVariable { bits: bits.now().to_vec(), values: bits.states as u128 }
}

impl EncodedVariable {
    /// The numbers of its values, if these are at most so many.
    fn numbers(&self, most: u128) -> Vec<u64> {
        if self.values <= most { (0..self.values as u64).collect() } else { Vec::new() }
    }

    fn number_in(&self, state: &State) -> u64 {
        self.bits
            .iter()
            .fold(0, |number, bit| number << 1 | u64::from(state.contains(bit.0 as usize)))
    }
}

impl Structure {
    /// The states that satisfy the invariant `f` of `AG f`, if `f` has no fixpoints, and modalities only where these are
    /// allowed.
    fn invariant(
        &mut self,
        formula: &Formula,
        allows_modalities: bool,
    ) -> Result<Option<Bdd>, Stop> {
        let states = self.states.clone();
        let mut evaluation = Evaluation::new(self, formula, Side::Pessimist, &states)?;
        match evaluation.everywhere_or_somewhere(formula.root()) {
            Some((Modality::Box, of)) if is_local(formula, of, allows_modalities) => {
                evaluation.node(of).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The numbers of the values that a variable has in a set of states; none if it has many.
    fn values_within(&mut self, set: &Bdd, var: &EncodedVariable) -> Result<Vec<u64>, Stop> {
        let mut found = Vec::new();
        for number in var.numbers(MOST_LISTED) {
            let here = numbers(&var.bits, &[number], &mut self.manager)?;
            if !self.manager.and(set, &here)?.is_empty() {
                found.push(number);
            }
        }
        Ok(found)
    }
}

/// Whether a formula speaks of a state, or of its steps too, and of no paths.
fn is_local(formula: &Formula, id: NodeId, allows_modalities: bool) -> bool {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match formula.node(id) {
            Node::Const(_) | Node::Lit(..) => {}
            Node::And(a, b) | Node::Or(a, b) => open.extend([a, b]),
            Node::Modal(_, _, body) if allows_modalities => open.push(body),
            Node::Modal(..) | Node::Fix(_) | Node::Var(_) => return false,
        }
    }
    true
}

struct LemmaSearch<'a> {
    structure: &'a mut Structure,
    reached: &'a Bdd,
    goal: Bdd,
    vars: Vec<EncodedVariable>,
    /// The order in which lemmas try to do without variables: those that the invariant does not read come first.
    order: Vec<usize>,
}

impl<'a> LemmaSearch<'a> {
    fn new(
        structure: &'a mut Structure,
        reached: &'a Bdd,
        goal: Bdd,
        vars: Vec<EncodedVariable>,
    ) -> Self {
        let read = structure.manager.support(&goal);
        let mut order: Vec<usize> = (0..vars.len()).collect();
        order.sort_by_key(|&var| vars[var].bits.iter().any(|bit| read.contains(bit)));
        Self { structure, reached, goal, vars, order }
    }

    fn run(&mut self) -> Result<Option<Vec<ValueCube>>, Stop> {
        let mut lemmas: Vec<(ValueCube, Bdd)> = Vec::new();
        let mut strengthened = self.goal.clone();
        while let Some(state) = self.leaving(&strengthened)? {
            if lemmas.len() == MOST_LEMMAS {
                return Ok(None);
            }
            let excluded = self.generalised(&state)?;
            let cube = self.cube(&excluded)?;
            strengthened = self.structure.manager.minus(&strengthened, &cube)?;
            lemmas.push((excluded, cube));
        }
        // A later lemma can make an earlier one needless.
        for index in (0..lemmas.len()).rev() {
            let removed = lemmas.remove(index);
            let mut rest = self.goal.clone();
            for (_, cube) in &lemmas {
                rest = self.structure.manager.minus(&rest, cube)?;
            }
            if self.leaving(&rest)?.is_some() {
                lemmas.insert(index, removed);
            }
        }
        Ok(Some(lemmas.into_iter().map(|(excluded, _)| excluded).collect()))
    }

    /// A state of a set with a step out of the set.
    fn leaving(&mut self, set: &Bdd) -> Result<Option<State>, Stop> {
        let outside = self.structure.manager.minus(&self.structure.states, set)?;
        let leaving = self.structure.pre_image(&outside, false, Steps::All, set)?;
        let picked = self.structure.manager.pick(&leaving);
        let ones = |picked: Vec<(BddVar, bool)>| {
            picked.into_iter().filter(|(_, value)| *value).map(|(var, _)| var.0 as usize).collect()
        };
        Ok(picked.map(ones))
    }

    /// An unreachable state with as many others as possible.
    fn generalised(&mut self, state: &State) -> Result<ValueCube, Stop> {
        let mut excluded: ValueCube =
            self.order.iter().map(|&var| (var, vec![self.vars[var].number_in(state)])).collect();
        for var in self.order.clone() {
            let without: ValueCube =
                excluded.iter().filter(|(own, _)| *own != var).cloned().collect();
            if self.is_unreachable(&without)? {
                excluded = without;
            }
        }
        for index in 0..excluded.len() {
            for other in self.vars[excluded[index].0].numbers(MOST_VALUES) {
                let mut wider = excluded.clone();
                if let Err(place) = wider[index].1.binary_search(&other) {
                    wider[index].1.insert(place, other);
                    if self.is_unreachable(&wider)? {
                        excluded = wider;
                    }
                }
            }
        }
        excluded.sort_by_key(|(var, _)| *var);
        Ok(excluded)
    }

    fn is_unreachable(&mut self, excluded: &ValueCube) -> Result<bool, Stop> {
        let cube = self.cube(excluded)?;
        Ok(self.structure.manager.and(self.reached, &cube)?.is_empty())
    }

    fn cube(&mut self, excluded: &ValueCube) -> Result<Bdd, Stop> {
        let mut cube = self.structure.manager.constant(true);
        for (var, values) in excluded {
            let any = numbers(&self.vars[*var].bits, values, &mut self.structure.manager)?;
            cube = self.structure.manager.and(&cube, &any)?;
        }
        Ok(cube)
    }
}
