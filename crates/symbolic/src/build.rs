//! A machine as a structure.

use crate::relation::{Part, Pieces, Relation, Written};
use crate::structure::{Label, Structure};
use crate::turns::{Turn, turns};
use coding::{Bit, Coded, Encoder, Layout};
use diagrams::{Diagrams, Set, Stop, Var};
use machine::{Conjunct, Kind, Machine, Moment, NodeId, Property, Role, Slice, VarId};
use rustc_hash::FxHashMap;

/// What can go wrong in a machine, and where.
pub(crate) struct Danger {
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
    let mut builder = Builder {
        machine: source.machine.clone(),
        source,
        layout: &layout,
        diagrams: &mut diagrams,
        known: FxHashMap::default(),
        dangers: Vec::new(),
    };
    let states = builder.states()?;
    let start = builder.all(Moment::Start)?;
    let init = builder.diagrams.and(&start, &states)?;
    let labels = builder.labels()?;
    let parts = builder.parts()?;
    let dangers = builder.dangers;
    let bits = source.machine.state_vars().map(|var| layout.bits(var).len()).sum();
    let structure = Structure {
        diagrams,
        states,
        init,
        may: Relation { parts },
        must: None,
        labels: labels.into_iter().collect(),
        defined: FxHashMap::default(),
        conditions: source.conditions.iter().map(|c| c.name.clone()).collect(),
        bits,
        known: None,
    };
    Ok(Built { structure, layout, dangers })
}

struct Builder<'a> {
    source: &'a Source<'a>,
    /// With the expressions that taking it apart has made.
    machine: Machine,
    layout: &'a Layout,
    diagrams: &'a mut Diagrams,
    known: FxHashMap<NodeId, Coded>,
    dangers: Vec<Danger>,
}

impl Builder<'_> {
    fn encoder(&mut self) -> Encoder<'_> {
        Encoder {
            machine: &self.machine,
            layout: self.layout,
            diagrams: self.diagrams,
            known: &mut self.known,
        }
    }

    fn vars(&self) -> Vec<VarId> {
        self.machine.vars.ids().filter(|&var| self.source.slice.contains(var)).collect()
    }

    /// That all variables have values and what holds in every state does.
    fn states(&mut self) -> Result<Set, Stop> {
        let mut states = self.all(Moment::State)?;
        for var in self.vars() {
            if self.machine.vars[var].kind != Kind::Input {
                let valid = self.layout.valid(&self.machine, var, false, self.diagrams)?;
                states = self.diagrams.and(&states, &valid)?;
            }
        }
        Ok(states)
    }

    /// That everything holds that has to at this moment.
    fn all(&mut self, moment: Moment) -> Result<Set, Stop> {
        let mut all = self.diagrams.constant(true);
        for conjunct in self.source.slice.conjuncts.iter().filter(|c| c.moment == moment) {
            let holds = self.conjunct(conjunct)?;
            all = self.diagrams.and(&all, &holds)?;
        }
        Ok(all)
    }

    fn labels(&mut self) -> Result<Vec<Label>, Stop> {
        let mut labels = Vec::new();
        for property in self.source.labels {
            let tt = self.encoder().truth(property.node)?;
            labels.push(Label { ff: tt.not(), tt });
        }
        Ok(labels)
    }

    /// A conjunct as a set; what can go wrong in it is noted.
    fn conjunct(&mut self, conjunct: &Conjunct) -> Result<Set, Stop> {
        let mut encoder = self.encoder();
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
        let turns = turns(&mut self.machine, self.source.slice);
        let mut parts = Vec::new();
        for turn in &turns {
            self.diagrams.monitor().step(1).map_err(Stop::Stopped)?;
            parts.push(self.part(turn)?);
        }
        Ok(parts)
    }

    fn part(&mut self, turn: &Turn) -> Result<Part, Stop> {
        let mut conjuncts = Vec::new();
        for conjunct in &turn.conjuncts {
            conjuncts.push(self.conjunct(conjunct)?);
        }
        if !turn.cases.is_empty() {
            conjuncts.push(self.one_of(&turn.cases)?);
        }
        // What is kept and spoken of otherwise too is written, if only with its old value.
        let spoken_of = self.next_of(&conjuncts);
        let (same, kept): (Vec<VarId>, Vec<VarId>) =
            turn.kept.iter().partition(|var| spoken_of.contains(var));
        for var in same {
            conjuncts.push(self.same(var)?);
        }
        let pieces = self.pieces(turn, &kept, conjuncts)?;
        Part::new(pieces, self.diagrams)
    }

    fn one_of(&mut self, cases: &[Vec<NodeId>]) -> Result<Set, Stop> {
        let mut sets = Vec::new();
        for case in cases {
            let mut all = self.diagrams.constant(true);
            for &node in case {
                let holds = self.encoder().truth(node)?;
                all = self.diagrams.and(&all, &holds)?;
            }
            sets.push(all);
        }
        union(sets, self.diagrams)
    }

    /// The variables whose next values some of these depend on.
    fn next_of(&self, conjuncts: &[Set]) -> Vec<VarId> {
        let mut vars = Vec::new();
        for conjunct in conjuncts {
            let support = self.diagrams.support(conjunct);
            vars.extend(support.into_iter().filter_map(|var| self.layout.next_of(var)));
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    fn pieces(
        &mut self,
        turn: &Turn,
        kept: &[VarId],
        mut conjuncts: Vec<Set>,
    ) -> Result<Pieces, Stop> {
        let mut inputs: Vec<Var> = Vec::new();
        let mut written: Vec<Written> = Vec::new();
        let selector = turn.selected.map(|(selector, _)| selector);
        for var in self.vars() {
            if selector == Some(var) || kept.binary_search(&var).is_ok() {
                continue;
            }
            for &Bit { now, next } in self.layout.bits(var) {
                match next {
                    Some(next) => written.push(Written { now, next }),
                    None => inputs.push(now),
                }
            }
            if self.machine.vars[var].kind == Kind::Input {
                conjuncts.push(self.layout.valid(&self.machine, var, false, self.diagrams)?);
            }
        }
        let mut conditions = Vec::new();
        for property in self.source.conditions {
            let node = match turn.selected {
                Some((selector, value)) => self.machine.with_value(property.node, selector, value),
                None => property.node,
            };
            conditions.push(self.encoder().truth(node)?);
        }
        Ok(Pieces { conjuncts, written, inputs, conditions, action: None })
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

/// The union of many sets, two at a time, so that the large ones are few.
fn union(mut sets: Vec<Set>, diagrams: &mut Diagrams) -> Result<Set, Stop> {
    while sets.len() > 1 {
        let mut pairs = Vec::with_capacity(sets.len() / 2 + 1);
        for pair in sets.chunks(2) {
            pairs.push(match pair {
                [a, b] => diagrams.or(a, b)?,
                _ => pair[0].clone(),
            });
        }
        sets = pairs;
    }
    Ok(sets.pop().unwrap_or(diagrams.constant(false)))
}
