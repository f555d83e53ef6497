//! A component in diagrams: its states, its steps, and what is asked about it.

use crate::grouping::{Group, start_conjuncts};
use crate::joint::JointBit;
use crate::relation::{Frame, Relation};
use crate::worlds::{Halt, Subject};
use coding::{Bit, Coded, Encoder, Layout};
use diagrams::{Cube, Diagrams, Set, Stop, Var};
use machine::{Conjunct, Kind, Machine, Moment, NodeId, Property, Role, Slice, VarId};
use rustc_hash::FxHashMap;

/// So many steps are made to find the states that a component can reach by itself; after that every state
/// may be one.
const ROUNDS: usize = 256;
/// Of a variable of more bits than this it is not found out which values it can have: the steps that it
/// takes must not depend on the width of data.
const WIDE: u32 = 7;

pub(crate) struct Part {
    pub name: String,
    pub own: Vec<VarId>,
    pub vars: Vec<VarId>,
    pub is_missing: bool,
    pub relation: Relation,
    /// No fewer states than it can reach in whatever company.
    pub reached: Set,
    /// Its part of the initial states of the whole.
    pub start: Set,
    pub joint: Vec<JointBit>,
    /// Propositions and where they are true.
    pub labels: Vec<(String, Set)>,
    /// How many truth variables its states have.
    pub bits: usize,
}

/// Encodes all components, and the initial states of the whole.
pub(crate) fn encode(
    subject: &Subject,
    slice: &Slice,
    groups: &[Group],
    layout: &Layout,
    diagrams: &mut Diagrams,
) -> Result<(Vec<Part>, Set), Halt> {
    let known = FxHashMap::default();
    let mut builder = Builder { machine: subject.machine, slice, layout, diagrams, known };
    let mut states = Vec::new();
    for group in groups {
        builder.pause()?;
        states.push(builder.states(group)?);
    }
    let init = builder.init(subject, &states)?;
    let mut parts = Vec::new();
    for (index, states) in states.iter().enumerate() {
        builder.pause()?;
        parts.push(builder.part(groups, index, states, &init)?);
    }
    for label in subject.labels {
        let set = builder.label(label, &parts)?;
        let place = owner(label, subject.machine, &parts);
        parts[place].labels.push((label.name.clone(), set));
    }
    Ok((parts, init))
}

/// Of the components that have all that a proposition speaks of the one that owns most of it.
fn owner(label: &Property, machine: &Machine, parts: &[Part]) -> usize {
    let read = machine.access([label.node]).now;
    let has_all = |part: &Part| read.iter().all(|var| part.vars.binary_search(var).is_ok());
    let owned = |part: &Part| read.iter().filter(|var| part.own.binary_search(var).is_ok()).count();
    let places = (0..parts.len()).filter(|&place| has_all(&parts[place]));
    places.max_by_key(|&place| (owned(&parts[place]), std::cmp::Reverse(place))).unwrap_or(0)
}

struct Builder<'a> {
    machine: &'a Machine,
    slice: &'a Slice,
    layout: &'a Layout,
    diagrams: &'a mut Diagrams,
    known: FxHashMap<NodeId, Coded>,
}

impl Builder<'_> {
    fn pause(&self) -> Result<(), Stop> {
        self.diagrams.monitor().step(1).map_err(Stop::Stopped)
    }

    fn encoder(&mut self) -> Encoder<'_> {
        Encoder {
            machine: self.machine,
            layout: self.layout,
            diagrams: self.diagrams,
            known: &mut self.known,
        }
    }

    /// A conjunct as a set, and where it goes wrong; there the set says nothing.
    fn conjunct(&mut self, conjunct: &Conjunct) -> Result<(Set, Option<Set>), Stop> {
        let mut encoder = self.encoder();
        Ok(match conjunct.role {
            Role::Holds(node) => {
                let missing = encoder.encode(node)?.missing;
                (encoder.truth(node)?, missing)
            }
            Role::Drives(var, choice) => {
                let assigned = encoder.assign(var, conjunct.moment == Moment::Step, choice)?;
                (assigned.relation, Some(assigned.wrong))
            }
            Role::Keeps(var) => (self.layout.same(var, self.diagrams)?, None),
        })
    }

    /// All of some conjuncts within a set. It is an end if one may go wrong there.
    fn all<'c>(
        &mut self,
        conjuncts: impl Iterator<Item = &'c Conjunct>,
        mut within: Set,
    ) -> Result<Set, Halt> {
        let mut dangers = Vec::new();
        for conjunct in conjuncts {
            let (set, wrong) = self.conjunct(conjunct)?;
            match wrong.filter(|wrong| !wrong.is_empty()) {
                Some(wrong) => dangers.push((set, wrong)),
                None => within = self.diagrams.and(&within, &set)?,
            }
        }
        for (_, wrong) in &dangers {
            self.is_safe(&within, wrong)?;
        }
        for (set, _) in dangers {
            within = self.diagrams.and(&within, &set)?;
        }
        Ok(within)
    }

    fn is_safe(&mut self, within: &Set, wrong: &Set) -> Result<(), Halt> {
        match self.diagrams.and(within, wrong)?.is_empty() {
            true => Ok(()),
            false => Err(Halt::MayGoWrong),
        }
    }

    /// That all its variables have values and what it says about states holds.
    fn states(&mut self, group: &Group) -> Result<Set, Halt> {
        let mut valid = self.diagrams.constant(true);
        for &var in &group.vars {
            let one = self.layout.valid(self.machine, var, self.diagrams)?;
            valid = self.diagrams.and(&valid, &one)?;
        }
        self.all(group.conjuncts.iter().filter(|c| c.moment == Moment::State), valid)
    }

    /// The initial states of the whole.
    fn init(&mut self, subject: &Subject, states: &[Set]) -> Result<Set, Halt> {
        let mut within = self.diagrams.constant(true);
        for states in states {
            within = self.diagrams.and(&within, states)?;
        }
        self.all(start_conjuncts(self.machine, self.slice, subject.missing), within)
    }

    fn part(
        &mut self,
        groups: &[Group],
        index: usize,
        states: &Set,
        init: &Set,
    ) -> Result<Part, Halt> {
        let group = &groups[index];
        let frame = self.frame(group);
        let (conjuncts, wrong) = self.steps(group)?;
        let relation = Relation::new(conjuncts, &frame, self.diagrams)?;
        let others = self.state_bits(|var| !group.vars.contains(&var));
        let start = self.without(init, others)?;
        let reached = self.reached(group, &relation, states, &start)?;
        self.is_safe(&reached, &wrong)?;
        Ok(Part {
            name: group.name.clone(),
            own: group.own.iter().copied().collect(),
            vars: group.vars.iter().copied().collect(),
            is_missing: group.is_missing,
            relation,
            reached,
            start,
            joint: self.joint(groups, index),
            labels: Vec::new(),
            bits: frame.states.len(),
        })
    }

    fn frame(&self, group: &Group) -> Frame {
        let mut frame = Frame::default();
        for var in group.vars.iter().copied().chain(group.inputs()) {
            for &Bit { now, next } in self.layout.bits(var) {
                match next {
                    Some(next) => frame.states.push((now, next)),
                    None => frame.inputs.push(now),
                }
            }
        }
        frame
    }

    /// What a component says about steps, and where one of that may go wrong.
    fn steps(&mut self, group: &Group) -> Result<(Vec<Set>, Set), Halt> {
        let mut sets = Vec::new();
        for input in group.inputs() {
            sets.push(self.layout.valid(self.machine, input, self.diagrams)?);
        }
        let mut all_wrong = self.diagrams.constant(false);
        for conjunct in group.conjuncts.iter().filter(|c| c.moment == Moment::Step) {
            let (set, wrong) = self.conjunct(conjunct)?;
            sets.push(set);
            if let Some(wrong) = wrong {
                all_wrong = self.diagrams.or(&all_wrong, &wrong)?;
            }
        }
        for valid in &sets[..group.inputs().count()] {
            all_wrong = self.diagrams.and(&all_wrong, valid)?;
        }
        Ok((sets, all_wrong))
    }

    /// The bits of some state variables.
    fn state_bits(&self, is_meant: impl Fn(VarId) -> bool) -> Vec<Var> {
        let vars = self.machine.state_vars().filter(|&var| self.slice.contains(var));
        let bits = vars.filter(|&var| is_meant(var)).flat_map(|var| self.layout.bits(var));
        bits.map(|bit| bit.now).collect()
    }

    fn without(&mut self, set: &Set, vars: Vec<Var>) -> Result<Set, Stop> {
        let cube = self.diagrams.cube(vars)?;
        self.diagrams.exists(set, &cube)
    }

    /// No fewer than the states that can be reached: whatever it reads changes as it likes, and of wide
    /// variables every value is taken for possible.
    fn reached(
        &mut self,
        group: &Group,
        relation: &Relation,
        states: &Set,
        start: &Set,
    ) -> Result<Set, Stop> {
        if group.is_missing {
            return Ok(states.clone());
        }
        let is_wide =
            |var: VarId| group.vars.contains(&var) && self.machine.vars[var].domain.bits() > WIDE;
        let wide = self.state_bits(is_wide);
        let wide = self.diagrams.cube(wide)?;
        let mut reached = self.widened(start, &wide, states)?;
        let mut new = reached.clone();
        for _ in 0..ROUNDS {
            self.pause()?;
            let there = relation.image(&new, self.diagrams)?;
            let there = self.diagrams.and(&there, states)?;
            let there = self.widened(&there, &wide, states)?;
            new = self.diagrams.minus(&there, &reached)?;
            if new.is_empty() {
                return Ok(reached);
            }
            reached = self.diagrams.or(&reached, &new)?;
        }
        Ok(states.clone())
    }

    fn widened(&mut self, set: &Set, wide: &Cube, states: &Set) -> Result<Set, Stop> {
        let any = self.diagrams.exists(set, wide)?;
        self.diagrams.and(&any, states)
    }

    fn joint(&self, groups: &[Group], index: usize) -> Vec<JointBit> {
        let mut joint = Vec::new();
        let others: Vec<&Group> =
            groups.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, g)| g).collect();
        for &var in &groups[index].vars {
            if others.iter().any(|other| other.vars.contains(&var)) {
                let name = &self.machine.vars[var].name;
                joint.extend(self.layout.bits(var).iter().enumerate().map(|(number, bit)| {
                    JointBit { var: bit.now, name: format!("bit {number} of {name}") }
                }));
            }
        }
        joint
    }

    fn label(&mut self, label: &Property, parts: &[Part]) -> Result<Set, Halt> {
        let missing = self.encoder().encode(label.node)?.missing;
        let place = owner(label, self.machine, parts);
        if let Some(wrong) = missing {
            self.is_safe(&parts[place].reached, &wrong)?;
        }
        Ok(self.encoder().truth(label.node)?)
    }
}

/// Whether an expression speaks of states.
pub(crate) fn is_of_states(machine: &Machine, label: &Property) -> bool {
    let access = machine.access([label.node]);
    access.next.is_empty() && access.now.iter().all(|&var| machine.vars[var].kind != Kind::Input)
}
