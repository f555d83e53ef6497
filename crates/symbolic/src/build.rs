//! A machine as a structure.

use crate::dangers::{Danger, Dangers, Venture};
use crate::relation::{Part, Pieces, Relation, Written};
use crate::structure::{Label, Structure};
use crate::turns::{Turn, turns};
use coding::{Bit, Coded, Encoder, Layout};
use diagrams::{Diagrams, Set, Stop, Var};
use machine::{Conjunct, Kind, Machine, Moment, NodeId, Property, Role, Slice, VarId};
use rustc_hash::FxHashMap;

pub(crate) struct Built {
    pub structure: Structure,
    pub layout: Layout,
    /// If something can go wrong.
    pub dangers: Option<Dangers>,
}

/// What a machine is to be asked.
#[derive(Clone, Copy)]
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
        turns: Vec::new(),
    };
    let everywhere = builder.states()?;
    let start = builder.all(Moment::Start)?;
    let states = everywhere.conjunction(builder.diagrams)?;
    let begin = start.conjunction(builder.diagrams)?;
    let init = builder.diagrams.and(&begin, &states)?;
    let (labels, in_labels) = builder.labels()?;
    let parts = builder.parts()?;
    let Builder { machine, turns, .. } = builder;
    let dangers = Dangers { machine, start, everywhere, labels: in_labels, turns };
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
    let dangers = Some(dangers).filter(|dangers| !dangers.is_empty());
    Ok(Built { structure, layout, dangers })
}

/// The kinds of steps that assignments alone make, without conditions.
pub(crate) fn assigning_turns(
    source: &Source,
    machine: &Machine,
    layout: &Layout,
    diagrams: &mut Diagrams,
) -> Result<Vec<(Part, Venture)>, Stop> {
    let mut slice = source.slice.clone();
    slice.conjuncts.retain(|conjunct| !matches!(conjunct.role, Role::Holds(_)));
    let source = Source { slice: &slice, conditions: &[], ..*source };
    let mut builder = Builder {
        machine: machine.clone(),
        source: &source,
        layout,
        diagrams,
        known: FxHashMap::default(),
        turns: Vec::new(),
    };
    let parts = builder.parts()?;
    let mut ventures: FxHashMap<usize, Venture> = builder.turns.into_iter().collect();
    let with_venture = |(number, part)| (part, ventures.remove(&number).unwrap_or_default());
    Ok(parts.into_iter().enumerate().map(with_venture).collect())
}

struct Builder<'a> {
    source: &'a Source<'a>,
    /// With the expressions that taking it apart has made.
    machine: Machine,
    layout: &'a Layout,
    diagrams: &'a mut Diagrams,
    known: FxHashMap<NodeId, Coded>,
    /// The kinds of steps in which something can go wrong, by number.
    turns: Vec<(usize, Venture)>,
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
    fn states(&mut self) -> Result<Venture, Stop> {
        let mut states = self.all(Moment::State)?;
        for var in self.vars() {
            if self.machine.vars[var].kind != Kind::Input {
                let valid = self.layout.valid(&self.machine, var, self.diagrams)?;
                states.conjuncts.push(valid);
            }
        }
        Ok(states)
    }

    /// What has to hold at this moment.
    fn all(&mut self, moment: Moment) -> Result<Venture, Stop> {
        let slice = self.source.slice;
        self.venture(slice.conjuncts.iter().filter(|c| c.moment == moment))
    }

    fn venture<'c>(
        &mut self,
        conjuncts: impl Iterator<Item = &'c Conjunct>,
    ) -> Result<Venture, Stop> {
        let mut venture = Venture::default();
        for conjunct in conjuncts {
            let (set, wrong) = self.conjunct(conjunct)?;
            venture.add(set, conjunct.role, wrong);
        }
        Ok(venture)
    }

    fn labels(&mut self) -> Result<(Vec<Label>, Vec<Danger>), Stop> {
        let (mut labels, mut dangers) = (Vec::new(), Vec::new());
        for &Property { node, .. } in self.source.labels {
            let tt = self.encoder().truth(node)?;
            labels.push(Label { ff: tt.not(), tt });
            let missing = self.encoder().encode(node)?.missing;
            dangers.extend(Danger::new(Role::Holds(node), missing));
        }
        Ok((labels, dangers))
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
            Role::Keeps(_) => (encoder.diagrams.constant(true), None),
        })
    }

    fn parts(&mut self) -> Result<Vec<Part>, Stop> {
        let turns = turns(&mut self.machine, self.source.slice);
        let mut parts = Vec::new();
        for (number, turn) in turns.iter().enumerate() {
            self.diagrams.monitor().step(1).map_err(Stop::Stopped)?;
            parts.push(self.part(number, turn)?);
        }
        Ok(parts)
    }

    fn part(&mut self, number: usize, turn: &Turn) -> Result<Part, Stop> {
        let mut venture = self.venture(turn.conjuncts.iter())?;
        if !turn.cases.is_empty() {
            venture.conjuncts.push(self.one_of(&turn.cases)?);
        }
        // What is kept and spoken of otherwise too is written, if only with its old value.
        let spoken_of = self.next_of(venture.sets());
        let (same, kept): (Vec<VarId>, Vec<VarId>) =
            turn.kept.iter().partition(|var| spoken_of.contains(var));
        for var in same {
            venture.conjuncts.push(self.layout.same(var, self.diagrams)?);
        }
        let pieces = self.pieces(turn, &kept, &mut venture)?;
        if !venture.dangers.is_empty() {
            venture.pieces = Some(pieces.clone());
            self.turns.push((number, venture));
        }
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
    fn next_of<'s>(&self, sets: impl Iterator<Item = &'s Set>) -> Vec<VarId> {
        let mut vars = Vec::new();
        for conjunct in sets {
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
        venture: &mut Venture,
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
                let valid = self.layout.valid(&self.machine, var, self.diagrams)?;
                venture.conjuncts.push(valid);
            }
        }
        let mut conditions = Vec::new();
        for property in self.source.conditions {
            let node = match turn.selected {
                Some((selector, value)) => self.machine.with_value(property.node, selector, value),
                None => property.node,
            };
            conditions.push(self.encoder().truth(node)?);
            let missing = self.encoder().encode(node)?.missing;
            venture.dangers.extend(Danger::new(Role::Holds(node), missing));
        }
        let conjuncts = venture.conjuncts.clone();
        Ok(Pieces { conjuncts, written, inputs, conditions, action: None })
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
