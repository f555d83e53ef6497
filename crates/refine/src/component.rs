//! A component in BDDs: its states, its steps, and what is asked about it.

use crate::classes::Classes;
use crate::concretisation::ConcretisationError;
use crate::constraint::{EncodedConstraint, Writer};
use crate::grouping::{Group, Grouping};
use crate::joint::JointBit;
use crate::relation::{Frame, Relation};
use bdd::{Bdd, BddVar, Cube, Stop};
use encode::Bit;
use explicit::Inseparable;
use transition::{Section, Slice, VarId};

/// So many steps are made to find the states that a component can reach by itself; after that every state
/// may be one.
const ROUNDS: usize = 256;
/// Of a variable of more bits than this it is not found out which values it can have: the steps that it
/// takes must not depend on the width of data.
const WIDE: u32 = 7;

pub(crate) struct EncodedComponent {
    pub name: String,
    pub own: Vec<VarId>,
    pub vars: Vec<VarId>,
    pub is_missing: bool,
    pub relation: Relation,
    /// No fewer states than it can reach in whatever company.
    pub reached: Bdd,
    /// Its part of the initial states of the composition.
    pub start: Bdd,
    pub joint: Vec<JointBit>,
    pub read: Vec<SharedVariable>,
    /// Propositions, by number in the question, and where they are true.
    pub labels: Vec<(usize, Bdd)>,
    /// The bits of its wide variables: of data, most of which says nothing.
    pub wide: Cube,
    /// The bits of those that it reads and leaves open; `None` if there are none.
    pub open: Option<Cube>,
    /// How many truth variables its states have.
    pub bits: usize,
}

/// A shared variable that a component only reads: where its bits stand in a joint label, and how many classes of
/// values there are.
pub(crate) struct SharedVariable {
    pub places: Vec<usize>,
    pub classes: u32,
}

/// Makes all components, and the initial states of the composition.
pub(crate) fn parts(
    grouping: &Grouping,
    slice: &Slice,
    writer: &mut Writer,
) -> Result<(Vec<EncodedComponent>, Bdd), ConcretisationError> {
    let mut builder = Builder { grouping, slice, writer };
    let mut states = Vec::new();
    for group in &grouping.groups {
        states.push(builder.states(group)?);
    }
    let init = builder.init(&states)?;
    let mut parts = Vec::new();
    for (group, states) in grouping.groups.iter().zip(&states) {
        builder.writer.pause()?;
        parts.push(builder.part(group, states, &init)?);
    }
    for (number, label) in grouping.labels.iter().enumerate() {
        let part = &mut parts[grouping.place(label)];
        if let Some(wrong) = &label.wrong {
            builder.is_safe(&part.reached, wrong)?;
        }
        part.labels.push((number, label.set.clone()));
    }
    Ok((parts, init))
}

struct Builder<'b, 'a> {
    grouping: &'b Grouping<'b>,
    slice: &'b Slice,
    writer: &'b mut Writer<'a>,
}

impl Builder<'_, '_> {
    /// All of some sentences within a set. It is an end if one may fail there.
    fn all<'c>(
        &mut self,
        constraints: impl Iterator<Item = &'c EncodedConstraint>,
        mut within: Bdd,
    ) -> Result<Bdd, ConcretisationError> {
        let (safe, dangerous): (Vec<&EncodedConstraint>, Vec<&EncodedConstraint>) =
            constraints.partition(|constraint| constraint.wrong.is_none());
        for constraint in safe {
            within = self.writer.manager.and(&within, &constraint.set)?;
        }
        for wrong in dangerous.iter().filter_map(|constraint| constraint.wrong.as_ref()) {
            self.is_safe(&within, wrong)?;
        }
        for constraint in dangerous {
            within = self.writer.manager.and(&within, &constraint.set)?;
        }
        Ok(within)
    }

    fn is_safe(&mut self, within: &Bdd, wrong: &Bdd) -> Result<(), ConcretisationError> {
        match self.writer.manager.and(within, wrong)?.is_empty() {
            true => Ok(()),
            false => Err(Inseparable::ComponentErrors.into()),
        }
    }

    fn valid(&mut self, var: VarId) -> Result<Bdd, Stop> {
        let Writer { machine, layout, manager, .. } = &mut *self.writer;
        layout.valid(machine, var, manager)
    }

    /// That all its variables have values and what it says about states holds.
    fn states(&mut self, group: &Group) -> Result<Bdd, ConcretisationError> {
        let mut valid = self.writer.manager.constant(true);
        for &var in &group.vars {
            let one = self.valid(var)?;
            valid = self.writer.manager.and(&valid, &one)?;
        }
        let said = group.constraints.iter();
        self.all(said.filter(|constraint| constraint.section == Some(Section::Invar)), valid)
    }

    /// The initial states of the composition.
    fn init(&mut self, states: &[Bdd]) -> Result<Bdd, ConcretisationError> {
        let mut within = self.writer.manager.constant(true);
        for states in states {
            within = self.writer.manager.and(&within, states)?;
        }
        self.all(self.grouping.starts.iter(), within)
    }

    fn part(
        &mut self,
        group: &Group,
        states: &Bdd,
        init: &Bdd,
    ) -> Result<EncodedComponent, ConcretisationError> {
        let frame = self.frame(group);
        let (conjuncts, wrong) = self.steps(group)?;
        let relation = Relation::new(conjuncts, &frame, self.writer.manager)?;
        let others = self.state_bits(|var| !group.vars.contains(&var));
        let others = self.writer.manager.cube(others)?;
        let start = self.writer.manager.exists(init, &others)?;
        let domain = |var: VarId| &self.writer.machine.vars[var].domain;
        let wide = self.state_bits(|var| group.vars.contains(&var) && domain(var).bits() > WIDE);
        let wide = self.writer.manager.cube(wide)?;
        let is_open = |var: VarId| {
            let is_read = group.vars.contains(&var) && !group.own.contains(&var);
            is_read && self.grouping.is_left_open(var)
        };
        let open = self.state_bits(is_open);
        let has_open = !open.is_empty();
        let open = Some(self.writer.manager.cube(open)?).filter(|_| has_open);
        let from = (states, &start);
        let reached = self.reached(group, &relation, from, &wide)?;
        self.is_safe(&reached, &wrong)?;
        let (joint, read) = self.joint(group)?;
        Ok(EncodedComponent {
            name: group.name.clone(),
            own: group.own.iter().copied().collect(),
            vars: group.vars.iter().copied().collect(),
            is_missing: group.is_missing,
            relation,
            reached,
            start,
            joint,
            read,
            labels: Vec::new(),
            wide,
            open,
            bits: frame.states.len(),
        })
    }

    fn frame(&self, group: &Group) -> Frame {
        let mut frame = Frame::default();
        for var in group.vars.iter().copied().chain(group.inputs()) {
            for &Bit { now, next } in self.writer.layout.bits(var) {
                match next {
                    Some(next) => frame.states.push((now, next)),
                    None => frame.inputs.push(now),
                }
            }
        }
        frame
    }

    /// Transition relation of a component, conjunctively partitioned, and the valuations where it may fail with
    /// a run-time error.
    fn steps(&mut self, group: &Group) -> Result<(Vec<Bdd>, Bdd), ConcretisationError> {
        let mut sets = Vec::new();
        for input in group.inputs() {
            sets.push(self.valid(input)?);
        }
        let manager = &mut self.writer.manager;
        let mut all_errors = manager.constant(false);
        let said = group.constraints.iter();
        for constraint in said.filter(|constraint| constraint.section == Some(Section::Trans)) {
            if let Some(wrong) = &constraint.wrong {
                all_errors = manager.or(&all_errors, wrong)?;
            }
            sets.push(constraint.set.clone());
        }
        for valid in &sets[..group.inputs().count()] {
            all_errors = manager.and(&all_errors, valid)?;
        }
        Ok((sets, all_errors))
    }

    /// The bits of some state variables.
    fn state_bits(&self, is_meant: impl Fn(VarId) -> bool) -> Vec<BddVar> {
        let vars = self.writer.machine.state_vars().filter(|&var| self.slice.contains(var));
        let bits = vars.filter(|&var| is_meant(var)).flat_map(|var| self.writer.layout.bits(var));
        bits.map(|bit| bit.now).collect()
    }

    /// No fewer than the states that can be reached: whatever it reads changes as it likes, and of wide
    /// variables every value is taken for possible.
    fn reached(
        &mut self,
        group: &Group,
        relation: &Relation,
        (states, start): (&Bdd, &Bdd),
        wide: &Cube,
    ) -> Result<Bdd, Stop> {
        if group.is_missing {
            return Ok(states.clone());
        }
        let start = self.closed(group, start)?;
        let mut reached = self.widened(&start, wide, states)?;
        let mut new = reached.clone();
        for _ in 0..ROUNDS {
            self.writer.pause()?;
            let there = relation.image(&new, self.writer.manager)?;
            let there = self.widened(&there, wide, states)?;
            new = self.writer.manager.minus(&there, &reached)?;
            if new.is_empty() {
                return Ok(reached);
            }
            reached = self.writer.manager.or(&reached, &new)?;
        }
        Ok(states.clone())
    }

    /// With all that a component does not tell apart.
    fn closed(&mut self, group: &Group, set: &Bdd) -> Result<Bdd, Stop> {
        let mut set = set.clone();
        for &var in group.vars.difference(&group.own) {
            if let Some(classes) = self.grouping.classes(var) {
                let Writer { layout, manager, .. } = &mut *self.writer;
                set = classes.closed(&set, var, layout, manager)?;
            }
        }
        Ok(set)
    }

    fn widened(&mut self, set: &Bdd, wide: &Cube, states: &Bdd) -> Result<Bdd, Stop> {
        let within = self.writer.manager.and(set, states)?;
        let any = self.writer.manager.exists(&within, wide)?;
        self.writer.manager.and(&any, states)
    }

    /// Joint bits of the component, and which of them belong to one variable that it only reads.
    fn joint(&mut self, group: &Group) -> Result<(Vec<JointBit>, Vec<SharedVariable>), Stop> {
        let (mut joint, mut read) = (Vec::new(), Vec::new());
        for &var in &group.vars {
            let Some(classes) = self.grouping.classes(var) else { continue };
            let places = joint.len()..joint.len() + classes.bits() as usize;
            if !group.own.contains(&var) {
                read.push(SharedVariable { places: places.collect(), classes: classes.count() });
            }
            joint.extend(self.bits(var, &classes)?);
        }
        Ok((joint, read))
    }

    fn bits(&mut self, var: VarId, classes: &Classes) -> Result<Vec<JointBit>, Stop> {
        let Writer { machine, layout, manager, .. } = &mut *self.writer;
        let name = &machine.vars[var].name;
        let bit = |bit: u32| {
            let set = classes.states(|class| class >> bit & 1 == 1, var, layout, manager)?;
            Ok(JointBit { set, name: format!("bit {bit} of {name}") })
        };
        (0..classes.bits()).map(bit).collect()
    }
}
