//! The structure of a group: its states, what it may do, and what it can bring about (C Def. 4.3, C §6.2).
//!
//! The constraints on a step are sorted by owner. The group chooses its inputs and those next values that
//! depend on no others; the other components answer with theirs, and the group's constraints on them are demanded.
//! That there is an answer to every choice is known of those who always go on ([`receptive`](super::receptive)).

use super::Composition;
use super::decomposition::Decomposition;
use super::group::Group;
use crate::build::{Bits, Builder};
use crate::disjuncts::{Disjunct, applied, disjuncts};
use crate::musts::{Choice, Must};
use crate::relation::{Constituents, Part, Relation, Stages};
use crate::structure::{Label, MissingStart};
use bdd::{Bdd, BddVar, Manager, Stop};
use transition::{Role, Section, StateProperty, VarId, VarKind};

/// Constraints of one owner are conjoined before they are projected if they have at most this many nodes.
const TOGETHER: usize = 2_000;

/// The constraints of one kind of transitions, by who decides them.
#[derive(Default)]
struct ConstraintsByOwner {
    chosen: Vec<Bdd>,
    answered: Vec<Bdd>,
    demanded: Vec<Bdd>,
}

impl ConstraintsByOwner {
    fn all(&self) -> impl Iterator<Item = &Bdd> {
        self.chosen.iter().chain(&self.answered).chain(&self.demanded)
    }
}

impl Composition {
    /// Makes the structure that of some components.
    pub(super) fn lift_group(&mut self, members: &[usize], asked: &[VarId]) -> Result<Group, Stop> {
        let group = Group::new(self, members, asked);
        let is_complete = self.is_all(members) && self.missing.is_empty();
        let can_go_on = (0..self.components.len())
            .all(|other| members.contains(&other) || self.is_receptive[other]);
        self.structure.init = self.initial(&group)?;
        let mut lifter = Lifter {
            builder: Builder {
                slice: &group.slice,
                machine: &mut self.machine,
                layout: &self.layout,
                manager: &mut self.structure.manager,
                known: &mut self.known,
                disjuncts: Vec::new(),
            },
            group: &group,
        };
        let (states, premises) = lifter.states()?;
        let (parts, choices) = lifter.kinds_of_steps(&self.conditions, &premises)?;
        let labels = lifter.labels(&self.labels)?;
        self.structure.states = states;
        self.structure.may = Relation { parts };
        let choices = if can_go_on { choices } else { Vec::new() };
        self.structure.must = (!is_complete).then_some(Must::Choices(choices));
        self.structure.labels = labels.into_iter().collect();
        let vars = group.slice.vars.ones().map(|var| VarId(var as u32));
        let vars = vars.filter(|&var| self.machine.vars[var].kind != VarKind::Input);
        self.structure.bits = vars.map(|var| self.layout.bits(var).len()).sum();
        self.structure.missing = self.missing_start(&group)?;
        Ok(group)
    }

    /// Where what is missing starts, if something of it is seen.
    fn missing_start(&mut self, group: &Group) -> Result<Option<MissingStart>, Stop> {
        if !group.slice.vars.ones().any(|var| self.is_missing(VarId(var as u32))) {
            return Ok(None);
        }
        let known = group.slice.vars.ones().filter(|&var| self.owner[var].is_some());
        let bits = known.flat_map(|var| self.layout.bits(VarId(var as u32)));
        let bits: Vec<BddVar> = bits.map(|bit| bit.now).collect();
        let known = self.structure.manager.cube(bits)?;
        Ok(Some(MissingStart { known, init: self.structure.init.clone() }))
    }
}

struct Lifter<'a, 'g> {
    builder: Builder<'a>,
    group: &'g Group,
}

impl Lifter<'_, '_> {
    fn manager(&mut self) -> &mut Manager {
        self.builder.manager
    }

    /// The states, and the constraints that no component decides.
    fn states(&mut self) -> Result<(Bdd, Vec<Bdd>), Stop> {
        let mut premises = Vec::new();
        let mut said = Vec::new();
        for (owner, conjunct) in &self.group.said {
            if conjunct.section == Section::Invar {
                said.push((*owner, self.builder.conjunct(conjunct)?.0));
            }
        }
        premises.extend(self.projected(said)?);
        for conjunct in &self.group.slice.conjuncts {
            if conjunct.section == Section::Invar && matches!(conjunct.role, Role::Assignment(..)) {
                premises.push(self.builder.conjunct(conjunct)?.0);
            }
        }
        let mut states = self.builder.states()?.conjunction(self.builder.manager)?;
        for premise in &premises {
            states = self.manager().and(&states, premise)?;
        }
        for var in self.builder.vars() {
            if self.builder.machine.vars[var].kind != VarKind::Input && !self.group.chooses(var) {
                let Builder { layout, machine, manager, .. } = &mut self.builder;
                premises.push(layout.valid(machine, var, manager)?);
            }
        }
        premises.retain(|premise| !premise.is_full());
        Ok((states, premises))
    }

    /// Sets projected to the group's variables; those of one owner together if they are small.
    fn projected(&mut self, said: Vec<(usize, Bdd)>) -> Result<Vec<Bdd>, Stop> {
        let mut found: Vec<Bdd> = Vec::new();
        for said in said.chunk_by(|a, b| a.0 == b.0) {
            let size = self.manager().size(said.iter().map(|(_, set)| set));
            if size > TOGETHER {
                for (_, set) in said {
                    found.push(self.exists_outside(set)?);
                }
                continue;
            }
            let mut all = self.manager().constant(true);
            for (_, set) in said {
                all = self.manager().and(&all, set)?;
            }
            found.push(self.exists_outside(&all)?);
        }
        found.retain(|set| !set.is_full());
        Ok(found)
    }

    fn exists_outside(&mut self, set: &Bdd) -> Result<Bdd, Stop> {
        self.group.view.exists_outside(set, self.builder.manager)
    }

    fn forall_outside(&mut self, set: &Bdd) -> Result<Bdd, Stop> {
        self.group.view.forall_outside(set, self.builder.manager)
    }

    fn labels(&mut self, of: &[StateProperty]) -> Result<Vec<Label>, Stop> {
        let (labels, _) = self.builder.labels(of)?;
        let mut seen = Vec::new();
        for Label { tt, ff } in labels {
            seen.push(Label { tt: self.forall_outside(&tt)?, ff: self.forall_outside(&ff)? });
        }
        Ok(seen)
    }

    /// May and must steps of the group, by disjuncts. Disjuncts with equal relations are one.
    fn kinds_of_steps(
        &mut self,
        conditions: &[StateProperty],
        premises: &[Bdd],
    ) -> Result<(Vec<Part>, Vec<Choice>), Stop> {
        let disjuncts = disjuncts(self.builder.machine, &self.group.slice);
        let mut seen = Vec::new();
        let (mut parts, mut choices) = (Vec::new(), Vec::new());
        for disjunct in &disjuncts {
            self.manager().monitor().step(1).map_err(Stop::Stopped)?;
            let kind = self.kind(disjunct, conditions)?;
            if seen.contains(&kind.key) {
                continue;
            }
            let (part, choice) = self.finish(&kind, premises)?;
            seen.push(kind.key);
            parts.push(part);
            choices.push(choice);
        }
        Ok((parts, choices))
    }

    fn kind(&mut self, disjunct: &Disjunct, conditions: &[StateProperty]) -> Result<Sort, Stop> {
        let mut constraints = ConstraintsByOwner::default();
        for conjunct in &disjunct.conjuncts {
            let (set, _) = self.builder.conjunct(conjunct)?;
            let var = match conjunct.role {
                Role::Assignment(var, _) | Role::Frame(var) => Some(var),
                Role::Constraint(_) => None,
            };
            self.sort(set, var, &mut constraints);
        }
        if !disjunct.cases.is_empty() {
            let cases = self.builder.one_of(&disjunct.cases)?;
            self.sort(cases, None, &mut constraints);
        }
        let mut kept = Vec::new();
        let said = self.answers(disjunct, &mut kept)?;
        constraints.answered.extend(self.projected(said)?);
        let kept = self.kept(disjunct, kept, &mut constraints)?;
        let kept = self.really_kept(kept, &mut constraints)?;
        let bits = self.builder.bits(disjunct, &kept);
        for &var in &bits.inputs {
            let Builder { layout, machine, manager, .. } = &mut self.builder;
            constraints.chosen.push(layout.valid(machine, var, manager)?);
        }
        let mut mentioned = Vec::new();
        for property in conditions {
            let node = self.builder.selected(property.node, disjunct);
            let set = self.builder.encoder().truth(node)?;
            mentioned.push((self.exists_outside(&set)?, self.forall_outside(&set)?));
        }
        let sets = constraints.all().cloned().collect();
        Ok(Sort { key: SortKey { kept, sets, conditions: mentioned }, constraints, bits })
    }

    /// Constraints of the others on their variables in a disjunct; frame conditions among them are added to
    /// `kept`.
    fn answers(
        &mut self,
        disjunct: &Disjunct,
        kept: &mut Vec<VarId>,
    ) -> Result<Vec<(usize, Bdd)>, Stop> {
        let mut said = Vec::new();
        for (owner, conjunct) in &self.group.said {
            if conjunct.section != Section::Trans {
                continue;
            }
            let conjunct = applied(self.builder.machine, disjunct.selected, conjunct.clone());
            match conjunct.role {
                Role::Frame(var) => kept.push(var),
                _ => said.push((*owner, self.builder.conjunct(&conjunct)?.0)),
            }
        }
        Ok(said)
    }

    /// Adds the variables that the group keeps in a disjunct to those that the others keep. Where the group neither
    /// chooses a variable nor assigns it to itself, keeping it becomes a demand.
    fn kept(
        &mut self,
        disjunct: &Disjunct,
        mut kept: Vec<VarId>,
        constraints: &mut ConstraintsByOwner,
    ) -> Result<Vec<VarId>, Stop> {
        for &var in &disjunct.kept {
            if self.group.chooses(var) || self.is_assigned_to_itself(var, disjunct) {
                kept.push(var);
            } else if !kept.contains(&var) {
                constraints.demanded.push(self.builder.layout.same(var, self.builder.manager)?);
            }
        }
        kept.sort_unstable();
        kept.dedup();
        Ok(kept)
    }

    /// Whether the group says so where it says what becomes of the variable.
    fn is_assigned_to_itself(&mut self, var: VarId, disjunct: &Disjunct) -> bool {
        let mut steps = self.group.slice.conjuncts.iter().filter(|c| c.section == Section::Trans);
        steps.any(|conjunct| match conjunct.role {
            Role::Frame(of) => of == var,
            Role::Assignment(of, _) if of == var => {
                let role = applied(self.builder.machine, disjunct.selected, conjunct.clone()).role;
                role == Role::Frame(var)
            }
            _ => false,
        })
    }

    /// Kept variables that no other constraint mentions. The others are written, if only with their old value.
    fn really_kept(
        &mut self,
        kept: Vec<VarId>,
        constraints: &mut ConstraintsByOwner,
    ) -> Result<Vec<VarId>, Stop> {
        let mentioned = self.builder.next_of(constraints.all());
        let (same, kept): (Vec<VarId>, Vec<VarId>) =
            kept.into_iter().partition(|var| mentioned.contains(var));
        for var in same {
            let set = self.builder.layout.same(var, self.builder.manager)?;
            match self.group.chooses(var) {
                true => constraints.chosen.push(set),
                false => constraints.answered.push(set),
            }
        }
        Ok(kept)
    }

    /// Adds a constraint to those of its owner; `assigned` gets its value here.
    fn sort(&mut self, set: Bdd, assigned: Option<VarId>, constraints: &mut ConstraintsByOwner) {
        let chooses = |var: VarId| self.group.chooses(var);
        let is_choice = match assigned {
            Some(var) => chooses(var),
            None => {
                let next = self.builder.next_of([&set].into_iter());
                next.into_iter().all(chooses)
            }
        };
        match (is_choice, assigned) {
            (true, _) => constraints.chosen.push(set),
            (false, Some(_)) => constraints.answered.push(set),
            (false, None) => constraints.demanded.push(set),
        }
    }

    fn finish(&mut self, kind: &Sort, premises: &[Bdd]) -> Result<(Part, Choice), Stop> {
        let Sort { constraints, bits, key } = kind;
        let (hidden, values) = self.hidden()?;
        let constituents = Constituents {
            conjuncts: key.sets.iter().cloned().chain([values.clone()]).collect(),
            written: bits.written.clone(),
            inputs: bits.input_bits.iter().chain(&hidden).copied().collect(),
            conditions: key.conditions.iter().map(|(may, _)| may.clone()).collect(),
            action: None,
        };
        let part = Part::new(constituents, self.manager())?;
        let to_next = part.to_next;
        let mut answered = constraints.answered.clone();
        for premise in premises {
            answered.push(self.manager().rename(premise, to_next)?);
        }
        let mut demanded = self.manager().constant(true);
        for set in &constraints.demanded {
            demanded = self.manager().and(&demanded, set)?;
        }
        let mut own = bits.input_bits.clone();
        let mut others = Vec::new();
        let mut written = Vec::new();
        for bit in &bits.written {
            let var = self.builder.layout.next_of(bit.next);
            match var.filter(|&var| self.group.chooses(var)) {
                Some(var) => {
                    own.push(bit.next);
                    written.push(var);
                }
                None => others.push(bit.next),
            }
        }
        let mut chosen = constraints.chosen.clone();
        // What is no value is no choice: there need be no answer to it.
        written.sort_unstable();
        written.dedup();
        for var in written {
            let Builder { layout, machine, manager, .. } = &mut self.builder;
            let valid = layout.valid(machine, var, manager)?;
            chosen.push(manager.rename(&valid, to_next)?);
        }
        chosen.retain(|set| !set.is_full());
        let chosen = Stages::new(chosen, own, self.manager())?;
        let answered = Stages::new(answered, others, self.manager())?;
        let conditions = key.conditions.iter().map(|(_, must)| must.clone()).collect();
        let given = Stages::new(vec![values], hidden, self.manager())?;
        Ok((part, Choice { given, chosen, answered, demanded, to_next, conditions }))
    }

    /// The bits of what is hidden, and that they are values.
    fn hidden(&mut self) -> Result<(Vec<BddVar>, Bdd), Stop> {
        let mut bits = Vec::new();
        let mut values = self.manager().constant(true);
        for &var in &self.group.hidden {
            let Builder { layout, machine, manager, .. } = &mut self.builder;
            bits.extend(layout.bits(var).iter().map(|bit| bit.now));
            let valid = layout.valid(machine, var, manager)?;
            values = manager.and(&values, &valid)?;
        }
        Ok((bits, values))
    }
}

/// A kind of steps before it is made ready for use.
struct Sort {
    constraints: ConstraintsByOwner,
    bits: Bits,
    key: SortKey,
}

/// Key of a disjunct: disjuncts with equal keys are merged.
#[derive(PartialEq)]
struct SortKey {
    kept: Vec<VarId>,
    sets: Vec<Bdd>,
    /// Where each condition may hold, and where it must.
    conditions: Vec<(Bdd, Bdd)>,
}
