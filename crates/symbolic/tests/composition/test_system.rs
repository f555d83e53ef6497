//! A machine and its components, written out.

use crate::graph::{Graph, Step};
use crate::table::{Sentence, Sizes, Slot, Solver, next, now};
use std::cell::Cell;
use std::collections::HashMap;
use transition::{
    Conjunct, ExprNode, Machine, MachineComponent, NodeId, Role, Section, Slice, StateProperty,
    VarId, VarKind,
};

/// Sentences that speak of more are not written out.
const LARGEST: usize = 1 << 12;

/// Constraint with its owner.
pub struct Reported {
    pub conjunct: Conjunct,
    pub sentence: Sentence,
}

impl Reported {
    /// The variable that it gives a value.
    pub fn driven(&self) -> Option<VarId> {
        match self.conjunct.role {
            Role::Assignment(var, _) | Role::Frame(var) => Some(var),
            Role::Constraint(_) => None,
        }
    }

    pub fn is_at(&self, section: Section) -> bool {
        self.conjunct.section == section
    }
}

pub struct TestSystem {
    pub machine: Machine,
    pub slice: Slice,
    pub sizes: Vec<usize>,
    /// Constraints of the system.
    pub all: Vec<Reported>,
    /// Those that are not missing, with what they say.
    pub components: Vec<MachineComponent>,
    pub missing: Vec<MachineComponent>,
    pub said: Vec<Vec<Reported>>,
    pub labels: Vec<Sentence>,
    /// Condition of formulas on steps.
    pub condition: Sentence,
}

impl TestSystem {
    /// `None` if it is too large, or if something has no value.
    pub fn new(
        machine: &Machine,
        slice: &Slice,
        (labels, condition): (&[StateProperty], &StateProperty),
        components: &[MachineComponent],
    ) -> Option<Self> {
        let sizes: Vec<usize> = machine
            .vars
            .values()
            .flat_map(|var| [usize::try_from(var.domain.size()).unwrap_or(usize::MAX); 2])
            .collect();
        let mut machine = machine.clone();
        let mut said = |conjuncts: &[Conjunct]| -> Option<Vec<Reported>> {
            conjuncts.iter().map(|conjunct| written_out(&mut machine, &sizes, conjunct)).collect()
        };
        let all = said(&slice.conjuncts)?;
        let (missing, components): (Vec<MachineComponent>, Vec<MachineComponent>) =
            components.iter().cloned().partition(|component| component.is_missing);
        let said = components.iter().map(|component| said(&component.conjuncts));
        let said = said.collect::<Option<_>>()?;
        let labels = labels.iter().map(|label| sentence(&machine, &sizes, label.node));
        let labels = labels.collect::<Option<_>>()?;
        let condition = sentence(&machine, &sizes, condition.node)?;
        let slice = slice.clone();
        Some(Self { slice, sizes, all, components, missing, said, labels, condition, machine })
    }

    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    pub fn is_input(&self, var: VarId) -> bool {
        self.machine.vars[var].kind == VarKind::Input
    }

    /// The component that owns a variable.
    pub fn owner(&self, var: VarId) -> Option<usize> {
        self.components.iter().position(|component| component.own.contains(&var))
    }

    /// The state variables, and the inputs.
    pub fn vars(&self) -> (Vec<VarId>, Vec<VarId>) {
        let vars = self.machine.vars.ids().filter(|&var| self.slice.contains(var));
        vars.partition(|&var| !self.is_input(var))
    }

    fn at(&self, section: Section) -> Vec<&Sentence> {
        self.all.iter().filter(|said| said.is_at(section)).map(|said| &said.sentence).collect()
    }

    /// The states that can be reached, with their steps; `None` if there are more than so many.
    pub fn composition(&self, most: usize) -> Option<Graph> {
        let (vars, inputs) = self.vars();
        let slots: Vec<Slot> = vars.iter().map(|&var| now(var)).collect();
        let mut states: Vec<Vec<usize>> = Vec::new();
        let mut numbers: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut number = |state: Vec<usize>, states: &mut Vec<Vec<usize>>| {
            *numbers.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() - 1
            })
        };
        let mut values = vec![0; self.sizes.len()];
        let invariants = self.at(Section::Invar);
        let start: Vec<&Sentence> = [self.at(Section::Init), invariants.clone()].concat();
        Solver::new(slots.clone(), &start).run(&self.sizes, &mut values, &mut |values| {
            number(slots.iter().map(|&slot| values[slot]).collect(), &mut states);
        });
        let init = states.len();
        let primed: Vec<Sentence> = invariants.iter().map(|sentence| sentence.primed()).collect();
        let steps: Vec<&Sentence> =
            self.at(Section::Trans).into_iter().chain(primed.iter()).collect();
        let chosen = inputs.iter().map(|&var| now(var)).chain(vars.iter().map(|&var| next(var)));
        let solver = Solver::new(chosen.collect(), &steps);
        let mut may: Vec<Vec<Step>> = Vec::new();
        while may.len() < states.len() {
            if states.len() > most {
                return None;
            }
            for (&slot, &value) in slots.iter().zip(&states[may.len()]) {
                values[slot] = value;
            }
            let mut successors = Vec::new();
            solver.run(&self.sizes, &mut values, &mut |values| {
                let there = slots.iter().map(|&slot| values[slot + 1]).collect();
                let is_so = self.condition.holds(values);
                successors.push((number(there, &mut states), is_so));
            });
            successors.sort_unstable();
            successors.dedup();
            may.push(successors);
        }
        let init = (0..states.len()).map(|state| state < init).collect();
        let mut graph = Graph { vars, states, init, may, must: None, labels: Vec::new() };
        graph.labels = self.labels_of(&graph);
        Some(graph)
    }

    /// Where each label is true whatever is not remembered, and where it is false.
    pub fn labels_of(&self, graph: &Graph) -> Vec<[Vec<bool>; 2]> {
        let is_there = |slot: Slot| graph.vars.iter().any(|&var| now(var) == slot);
        let of = |label: &Sentence| {
            let not = Sentence::all(&[label], &self.sizes).negated();
            [label, &not].map(|sentence| {
                let other = sentence.negated().projected(is_there, &self.sizes);
                (0..graph.states.len())
                    .map(|state| !other.holds(&graph.valuation(state, &self.sizes)))
                    .collect()
            })
        };
        self.labels.iter().map(of).collect()
    }
}

/// A condition as a table; `None` if it is too large or has no value somewhere.
fn sentence(machine: &Machine, sizes: &Sizes, node: NodeId) -> Option<Sentence> {
    let access = machine.access([node]);
    let slots = access.now.iter().map(|&var| now(var));
    let mut support: Vec<Slot> = slots.chain(access.next.iter().map(|&var| next(var))).collect();
    support.sort_unstable();
    let size = support.iter().try_fold(1, |size: usize, &slot| size.checked_mul(sizes[slot]));
    size.filter(|&size| size <= LARGEST)?;
    let is_defined = Cell::new(true);
    let value = |values: &[usize], leaf: ExprNode| match leaf {
        ExprNode::Now(var) => machine.vars[var].domain.value(values[now(var)] as u64),
        ExprNode::Next(var) => machine.vars[var].domain.value(values[next(var)] as u64),
        _ => 0,
    };
    let table = Sentence::new(support, sizes, |values| {
        let result = machine.exprs.evaluate(node, |leaf| value(values, leaf));
        is_defined.set(is_defined.get() && result.is_ok());
        result == Ok(1)
    });
    is_defined.get().then_some(table)
}

fn written_out(machine: &mut Machine, sizes: &Sizes, conjunct: &Conjunct) -> Option<Reported> {
    let is_step = conjunct.section == Section::Trans;
    let of =
        |machine: &mut Machine, var| if is_step { machine.next(var) } else { machine.now(var) };
    let node = match conjunct.role {
        Role::Constraint(node) => node,
        Role::Frame(var) => {
            let (old, new) = (machine.now(var), machine.next(var));
            machine.exprs.eq(old, new)
        }
        Role::Assignment(var, choice) => {
            let value = of(machine, var);
            machine.member(value, choice)
        }
    };
    let table = sentence(machine, sizes, node)?;
    if let Role::Assignment(var, _) = conjunct.role {
        let slot = if is_step { next(var) } else { now(var) };
        let has_value = table.projected(|other| other != slot, sizes);
        has_value.is_always().then_some(())?;
    }
    Some(Reported { conjunct: conjunct.clone(), sentence: table })
}
