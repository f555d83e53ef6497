//! A machine as a structure.
//!
//! Processes take turns: the relation has a part for each, in which only what the process writes is written.

use crate::code::{Bit, Encoder, Layout};
use crate::relation::{Part, Pieces, Relation, Written};
use crate::structure::{Label, Structure};
use diagrams::{Diagrams, Set, Stop, Var};
use machine::{
    ChoiceId, Conjunct, Domain, Kind, Machine, Moment, Node, NodeId, Property, Role, Slice, VarId,
};

/// What can go wrong in a machine, and where.
pub(crate) struct Danger {
    /// The conjunct in the slice.
    pub conjunct: Conjunct,
    /// Valuations of this state, the inputs and the next state.
    pub set: Set,
}

pub(crate) struct Built {
    pub structure: Structure,
    pub layout: Layout,
    pub dangers: Vec<Danger>,
}

/// What a machine is to be asked.
pub(crate) struct Source<'a> {
    pub machine: &'a Machine,
    pub slice: &'a Slice,
    pub labels: &'a [Property],
    /// Conditions on steps, by name.
    pub conditions: &'a [Property],
}

pub(crate) fn build(source: &Source, mut diagrams: Diagrams) -> Result<Built, Stop> {
    let layout = Layout::new(source.machine, source.slice, &mut diagrams);
    let mut builder =
        Builder { source, layout: &layout, diagrams: &mut diagrams, dangers: Vec::new() };
    let states = builder.states()?;
    let start = builder.start()?;
    let init = builder.diagrams.and(&start, &states)?;
    let parts = builder.parts()?;
    let labels = builder.labels()?;
    let dangers = builder.dangers;
    let bits = builder_bits(source, &layout);
    let structure = Structure {
        diagrams,
        states,
        init,
        may: Relation { parts },
        must: None,
        labels: labels.into_iter().collect(),
        conditions: source.conditions.iter().map(|c| c.name.clone()).collect(),
        bits,
    };
    Ok(Built { structure, layout, dangers })
}

fn builder_bits(source: &Source, layout: &Layout) -> usize {
    source.machine.state_vars().map(|var| layout.bits(var).len()).sum()
}

struct Builder<'a> {
    source: &'a Source<'a>,
    layout: &'a Layout,
    diagrams: &'a mut Diagrams,
    dangers: Vec<Danger>,
}

/// What a process does in a step: the value of the selector, if there is one.
#[derive(Clone, Copy)]
struct Turn(Option<(VarId, i64)>);

impl Builder<'_> {
    fn conjuncts(&self, moment: Moment) -> impl Iterator<Item = &Conjunct> + use<'_> {
        self.source.slice.conjuncts.iter().filter(move |conjunct| conjunct.moment == moment)
    }

    fn vars(&self) -> impl Iterator<Item = VarId> + use<'_> {
        let Source { machine, slice, .. } = self.source;
        machine.vars.ids().filter(|&var| slice.contains(var))
    }

    /// That all variables have values and what holds in every state does.
    fn states(&mut self) -> Result<Set, Stop> {
        let mut states = self.diagrams.constant(true);
        for var in Vec::from_iter(self.vars()) {
            if self.source.machine.vars[var].kind != Kind::Input {
                let valid = self.layout.valid(self.source.machine, var, false, self.diagrams)?;
                states = self.diagrams.and(&states, &valid)?;
            }
        }
        for conjunct in Vec::from_iter(self.conjuncts(Moment::State).cloned()) {
            let holds = self.conjunct(self.source.machine, &conjunct)?;
            states = self.diagrams.and(&states, &holds)?;
        }
        Ok(states)
    }

    fn start(&mut self) -> Result<Set, Stop> {
        let mut start = self.diagrams.constant(true);
        for conjunct in Vec::from_iter(self.conjuncts(Moment::Start).cloned()) {
            let holds = self.conjunct(self.source.machine, &conjunct)?;
            start = self.diagrams.and(&start, &holds)?;
        }
        Ok(start)
    }

    fn labels(&mut self) -> Result<Vec<Label>, Stop> {
        let machine = self.source.machine;
        let mut labels = Vec::new();
        for property in self.source.labels {
            let tt = Encoder::new(machine, self.layout, self.diagrams).truth(property.node)?;
            labels.push(Label { ff: tt.not(), tt });
        }
        Ok(labels)
    }

    /// A conjunct as a set; what can go wrong in it is noted.
    fn conjunct(&mut self, machine: &Machine, conjunct: &Conjunct) -> Result<Set, Stop> {
        let mut encoder = Encoder::new(machine, self.layout, self.diagrams);
        let (set, wrong) = match conjunct.role {
            Role::Holds(node) => {
                let missing = encoder.encode(node)?.missing;
                (encoder.truth(node)?, missing)
            }
            Role::Drives(var, choice) => {
                let assigned = encoder.assign(var, conjunct.moment == Moment::Step, choice)?;
                (assigned.relation, Some(assigned.wrong))
            }
            Role::Keeps(_) => (encoder.diagrams.constant(true), None),
        };
        match wrong {
            Some(wrong) if !wrong.is_empty() => {
                // Where something is wrong nothing is excluded, so that it is found.
                let set = self.diagrams.or(&set, &wrong)?;
                self.dangers.push(Danger { conjunct: conjunct.clone(), set: wrong });
                Ok(set)
            }
            _ => Ok(set),
        }
    }

    fn parts(&mut self) -> Result<Vec<Part>, Stop> {
        let machine = self.source.machine;
        let Some(selector) = machine.selector.filter(|&var| self.source.slice.contains(var)) else {
            return Ok(vec![self.part(Turn(None))?]);
        };
        let Domain::Values(values) = &machine.vars[selector].domain else {
            return Ok(vec![self.part(Turn(None))?]);
        };
        values.iter().map(|&value| self.part(Turn(Some((selector, value))))).collect()
    }

    /// The steps in which it is somebody's turn.
    fn part(&mut self, turn: Turn) -> Result<Part, Stop> {
        let mut machine = self.source.machine.clone();
        let mut written: Vec<VarId> = Vec::new();
        let mut conjuncts = Vec::new();
        let mut kept: Vec<VarId> = Vec::new();
        for conjunct in Vec::from_iter(self.conjuncts(Moment::Step).cloned()) {
            let conjunct = turn.applied(&mut machine, conjunct);
            match conjunct.role {
                Role::Keeps(var) => kept.push(var),
                _ => conjuncts.push(conjunct),
            }
        }
        // What some other conjunct speaks of is written, if only with its old value.
        for conjunct in &conjuncts {
            let speaks_of: Vec<VarId> = next_of(&machine, conjunct);
            for var in speaks_of.iter().filter(|var| kept.contains(var)) {
                written.push(*var);
            }
        }
        let is_kept = |var: VarId| kept.contains(&var) && !written.contains(&var);
        let changing: Vec<VarId> = self.vars().filter(|&var| !is_kept(var)).collect();
        let mut sets = Vec::new();
        for conjunct in &conjuncts {
            sets.push(self.conjunct(&machine, conjunct)?);
        }
        for var in written {
            sets.push(self.same(var)?);
        }
        let pieces = self.pieces(&mut machine, turn, &changing, sets)?;
        Part::new(pieces, self.diagrams)
    }

    fn pieces(
        &mut self,
        machine: &mut Machine,
        turn: Turn,
        changing: &[VarId],
        mut conjuncts: Vec<Set>,
    ) -> Result<Pieces, Stop> {
        let mut inputs: Vec<Var> = Vec::new();
        let mut written: Vec<Written> = Vec::new();
        for &var in changing {
            let is_selector = turn.0.is_some_and(|(selector, _)| selector == var);
            for &Bit { now, next } in self.layout.bits(var) {
                match next {
                    Some(next) => written.push(Written { now, next }),
                    None if is_selector => {}
                    None => inputs.push(now),
                }
            }
            if machine.vars[var].kind == Kind::Input && !is_selector {
                conjuncts.push(self.layout.valid(machine, var, false, self.diagrams)?);
            }
        }
        let mut conditions = Vec::new();
        for property in self.source.conditions {
            let node = match turn.0 {
                Some((selector, value)) => machine.with_value(property.node, selector, value),
                None => property.node,
            };
            conditions.push(Encoder::new(machine, self.layout, self.diagrams).truth(node)?);
        }
        Ok(Pieces { conjuncts, written, inputs, conditions })
    }

    /// That a variable keeps its value.
    fn same(&mut self, var: VarId) -> Result<Set, Stop> {
        let mut same = self.diagrams.constant(true);
        for bit in self.layout.bits(var) {
            let Some(next) = bit.next else { continue };
            let (now, next) = (self.diagrams.var(bit.now)?, self.diagrams.var(next)?);
            let differ = self.diagrams.xor(&now, &next)?;
            same = self.diagrams.minus(&same, &differ)?;
        }
        Ok(same)
    }
}

impl Turn {
    /// The conjunct when it is somebody's turn. An assignment of a variable to itself keeps it.
    fn applied(self, machine: &mut Machine, conjunct: Conjunct) -> Conjunct {
        let Some((selector, value)) = self.0 else {
            let role = keeps(machine, conjunct.role);
            return Conjunct { role, ..conjunct };
        };
        let role = match conjunct.role {
            Role::Holds(node) => Role::Holds(machine.with_value(node, selector, value)),
            Role::Drives(var, choice) => {
                Role::Drives(var, machine.choice_with_value(choice, selector, value))
            }
            Role::Keeps(var) => Role::Keeps(var),
        };
        Conjunct { role: keeps(machine, role), ..conjunct }
    }
}

fn keeps(machine: &Machine, role: Role) -> Role {
    match role {
        Role::Drives(var, choice) if is_itself(machine, var, choice) => Role::Keeps(var),
        other => other,
    }
}

fn is_itself(machine: &Machine, var: VarId, choice: ChoiceId) -> bool {
    let node: Option<NodeId> = machine.choices.as_one(choice);
    node.is_some_and(|node| machine.exprs.node(node) == Node::Now(var))
}

/// The variables whose next values a conjunct speaks of.
fn next_of(machine: &Machine, conjunct: &Conjunct) -> Vec<VarId> {
    match conjunct.role {
        Role::Holds(node) => machine.access([node]).next,
        Role::Drives(_, choice) => machine.access(machine.choices.nodes(choice)).next,
        Role::Keeps(_) => Vec::new(),
    }
}
