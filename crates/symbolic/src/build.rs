//! The encoding of a transition system as a symbolic structure.

use crate::disjuncts::{Disjunct, disjuncts};
use crate::relation::{Constituents, Part, Relation, Written};
use crate::runtime_errors::{ErrorCondition, ErrorConditions, FallibleConjunction};
use crate::structure::{Label, Structure};
use bdd::{Bdd, BddVar, Manager, Stop};
use encode::{Bit, EncodedExpr, Encoder, Layout};
use rustc_hash::FxHashMap;
use transition::{Conjunct, Machine, NodeId, Role, Section, Slice, StateProperty, VarId, VarKind};

pub(crate) struct Built {
    pub structure: Structure,
    pub layout: Layout,
    /// If something can fail.
    pub errors: Option<ErrorConditions>,
}

/// Transition system with the questions that it is encoded for.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub machine: &'a Machine,
    pub slice: &'a Slice,
    pub labels: &'a [StateProperty],
    /// Conditions on steps, by name.
    pub conditions: &'a [StateProperty],
}

pub(crate) fn build(source: &Source, mut manager: Manager) -> Result<Built, Stop> {
    let layout = Layout::new(source.machine, source.slice, &mut manager);
    let mut machine = source.machine.clone();
    let mut known = FxHashMap::default();
    let mut builder = Builder {
        machine: &mut machine,
        slice: source.slice,
        layout: &layout,
        manager: &mut manager,
        known: &mut known,
        disjuncts: Vec::new(),
    };
    let everywhere = builder.states()?;
    let start = builder.all(Section::Init)?;
    let states = everywhere.conjunction(builder.manager)?;
    let begin = start.conjunction(builder.manager)?;
    let init = builder.manager.and(&begin, &states)?;
    let (labels, in_labels) = builder.labels(source.labels)?;
    let parts = builder.parts(source.conditions)?;
    let disjuncts = builder.disjuncts;
    let errors = ErrorConditions { machine, start, everywhere, labels: in_labels, disjuncts };
    let bits = source.machine.state_vars().map(|var| layout.bits(var).len()).sum();
    let structure = Structure {
        manager,
        states,
        init,
        may: Relation { parts },
        must: None,
        labels: labels.into_iter().collect(),
        defined: FxHashMap::default(),
        conditions: source.conditions.iter().map(|c| c.name.clone()).collect(),
        bits,
        missing: None,
    };
    let errors = Some(errors).filter(|errors| !errors.is_empty());
    Ok(Built { structure, layout, errors })
}

/// The kinds of steps that assignments alone make, without conditions.
pub(crate) fn assigning_disjuncts(
    source: &Source,
    machine: &Machine,
    layout: &Layout,
    manager: &mut Manager,
) -> Result<Vec<(Part, FallibleConjunction)>, Stop> {
    let mut slice = source.slice.clone();
    slice.conjuncts.retain(|conjunct| !matches!(conjunct.role, Role::Constraint(_)));
    let mut machine = machine.clone();
    let mut known = FxHashMap::default();
    let mut builder = Builder {
        machine: &mut machine,
        slice: &slice,
        layout,
        manager,
        known: &mut known,
        disjuncts: Vec::new(),
    };
    let parts = builder.parts(&[])?;
    let mut conjunctions: FxHashMap<usize, FallibleConjunction> =
        builder.disjuncts.into_iter().collect();
    let with_conjunction =
        |(number, part)| (part, conjunctions.remove(&number).unwrap_or_default());
    Ok(parts.into_iter().enumerate().map(with_conjunction).collect())
}

pub(crate) struct Builder<'a> {
    pub slice: &'a Slice,
    /// With the expressions that taking it apart has made.
    pub machine: &'a mut Machine,
    pub layout: &'a Layout,
    pub manager: &'a mut Manager,
    pub known: &'a mut FxHashMap<NodeId, EncodedExpr>,
    /// The kinds of steps in which something can fail, by number.
    pub disjuncts: Vec<(usize, FallibleConjunction)>,
}

impl Builder<'_> {
    pub fn encoder(&mut self) -> Encoder<'_> {
        Encoder {
            machine: self.machine,
            layout: self.layout,
            manager: self.manager,
            known: self.known,
        }
    }

    pub fn vars(&self) -> Vec<VarId> {
        self.machine.vars.ids().filter(|&var| self.slice.contains(var)).collect()
    }

    /// That all variables have values and what holds in every state does.
    pub fn states(&mut self) -> Result<FallibleConjunction, Stop> {
        let mut states = self.all(Section::Invar)?;
        for var in self.vars() {
            if self.machine.vars[var].kind != VarKind::Input {
                let valid = self.layout.valid(self.machine, var, self.manager)?;
                states.conjuncts.push(valid);
            }
        }
        Ok(states)
    }

    /// Conjunction of all constraints of this moment.
    pub fn all(&mut self, section: Section) -> Result<FallibleConjunction, Stop> {
        let slice = self.slice;
        self.conjunction(slice.conjuncts.iter().filter(|c| c.section == section))
    }

    fn conjunction<'c>(
        &mut self,
        conjuncts: impl Iterator<Item = &'c Conjunct>,
    ) -> Result<FallibleConjunction, Stop> {
        let mut conjunction = FallibleConjunction::default();
        for conjunct in conjuncts {
            let (set, wrong) = self.conjunct(conjunct)?;
            conjunction.add(set, conjunct.role, wrong);
        }
        Ok(conjunction)
    }

    pub fn labels(
        &mut self,
        of: &[StateProperty],
    ) -> Result<(Vec<Label>, Vec<ErrorCondition>), Stop> {
        let (mut labels, mut errors) = (Vec::new(), Vec::new());
        for &StateProperty { node, .. } in of {
            let tt = self.encoder().truth(node)?;
            labels.push(Label { ff: tt.not(), tt });
            let missing = self.encoder().encode(node)?.missing;
            errors.extend(ErrorCondition::new(Role::Constraint(node), missing));
        }
        Ok((labels, errors))
    }

    /// A conjunct as a set, and where it fails; there the set says nothing.
    pub fn conjunct(&mut self, conjunct: &Conjunct) -> Result<(Bdd, Option<Bdd>), Stop> {
        self.encoder().conjunct(conjunct)
    }

    fn parts(&mut self, conditions: &[StateProperty]) -> Result<Vec<Part>, Stop> {
        let disjuncts = disjuncts(self.machine, self.slice);
        let mut parts = Vec::new();
        for (number, disjunct) in disjuncts.iter().enumerate() {
            self.manager.monitor().step(1).map_err(Stop::Stopped)?;
            parts.push(self.part(number, disjunct, conditions)?);
        }
        Ok(parts)
    }

    fn part(
        &mut self,
        number: usize,
        disjunct: &Disjunct,
        conditions: &[StateProperty],
    ) -> Result<Part, Stop> {
        let mut conjunction = self.conjunction(disjunct.conjuncts.iter())?;
        if !disjunct.cases.is_empty() {
            conjunction.conjuncts.push(self.one_of(&disjunct.cases)?);
        }
        // What is kept and spoken of otherwise too is written, if only with its old value.
        let mentioned = self.next_of(conjunction.sets());
        let (same, kept): (Vec<VarId>, Vec<VarId>) =
            disjunct.kept.iter().partition(|var| mentioned.contains(var));
        for var in same {
            conjunction.conjuncts.push(self.layout.same(var, self.manager)?);
        }
        let constituents = self.constituents(disjunct, &kept, conditions, &mut conjunction)?;
        if !conjunction.errors.is_empty() {
            conjunction.constituents = Some(constituents.clone());
            self.disjuncts.push((number, conjunction));
        }
        Part::new(constituents, self.manager)
    }

    pub fn one_of(&mut self, cases: &[Vec<NodeId>]) -> Result<Bdd, Stop> {
        let mut sets = Vec::new();
        for case in cases {
            let mut all = self.manager.constant(true);
            for &node in case {
                let holds = self.encoder().truth(node)?;
                all = self.manager.and(&all, &holds)?;
            }
            sets.push(all);
        }
        union(sets, self.manager)
    }

    /// The variables whose next values some of these depend on.
    pub fn next_of<'s>(&self, sets: impl Iterator<Item = &'s Bdd>) -> Vec<VarId> {
        let mut vars = Vec::new();
        for conjunct in sets {
            let support = self.manager.support(conjunct);
            vars.extend(support.into_iter().filter_map(|var| self.layout.next_of(var)));
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    fn constituents(
        &mut self,
        disjunct: &Disjunct,
        kept: &[VarId],
        conditions: &[StateProperty],
        conjunction: &mut FallibleConjunction,
    ) -> Result<Constituents, Stop> {
        let bits = self.bits(disjunct, kept);
        for &var in &bits.inputs {
            conjunction.conjuncts.push(self.layout.valid(self.machine, var, self.manager)?);
        }
        let mut sets = Vec::new();
        for property in conditions {
            let node = self.selected(property.node, disjunct);
            sets.push(self.encoder().truth(node)?);
            let missing = self.encoder().encode(node)?.missing;
            conjunction.errors.extend(ErrorCondition::new(Role::Constraint(node), missing));
        }
        let conjuncts = conjunction.conjuncts.clone();
        let Bits { written, input_bits, .. } = bits;
        Ok(Constituents { conjuncts, written, inputs: input_bits, conditions: sets, action: None })
    }

    /// An expression as a disjunct of a component.
    pub fn selected(&mut self, node: NodeId, disjunct: &Disjunct) -> NodeId {
        match disjunct.selected {
            Some((selector, value)) => self.machine.with_value(node, selector, value),
            None => node,
        }
    }

    /// Bits that a disjunct may change while it keeps these variables, and the inputs that it reads.
    pub fn bits(&self, disjunct: &Disjunct, kept: &[VarId]) -> Bits {
        let selector = disjunct.selected.map(|(selector, _)| selector);
        let mut bits = Bits::default();
        for var in self.vars() {
            if selector == Some(var) || kept.binary_search(&var).is_ok() {
                continue;
            }
            for &Bit { now, next } in self.layout.bits(var) {
                match next {
                    Some(next) => bits.written.push(Written { now, next }),
                    None => bits.input_bits.push(now),
                }
            }
            if self.machine.vars[var].kind == VarKind::Input {
                bits.inputs.push(var);
            }
        }
        bits
    }
}

/// The truth variables of a kind of steps.
#[derive(Default)]
pub(crate) struct Bits {
    pub written: Vec<Written>,
    pub inputs: Vec<VarId>,
    pub input_bits: Vec<BddVar>,
}

/// The union of many sets, two at a time, so that the large ones are few.
fn union(mut sets: Vec<Bdd>, manager: &mut Manager) -> Result<Bdd, Stop> {
    while sets.len() > 1 {
        let mut pairs = Vec::with_capacity(sets.len() / 2 + 1);
        for pair in sets.chunks(2) {
            pairs.push(match pair {
                [a, b] => manager.or(a, b)?,
                _ => pair[0].clone(),
            });
        }
        sets = pairs;
    }
    Ok(sets.pop().unwrap_or(manager.constant(false)))
}
