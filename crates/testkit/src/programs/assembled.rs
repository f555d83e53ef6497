//! The composition of the blocks of a partition (M Def. A.5), compared with a structure.

use super::oracle::Oracle;
use super::structure::Location;
use crate::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};
use transition::cfg::{
    Cfg, CfgEdge, CfgTarget, CommandId, Cuts, Effect, GraphId, LocationId, Partition,
    PartitionGraph, Program,
};
use transition::{ExprNode, VarId};

/// The locations of all blocks, with edges between them. Nothing leads out.
pub struct Assembled {
    pub locations: Vec<transition::cfg::Location>,
    pub entry: LocationId,
}

impl Assembled {
    pub fn new(program: &Program, partition: &Partition) -> Self {
        let mut maker = Maker { program, partition, locations: Vec::new() };
        let entry = maker.graph(partition.root, CfgTarget::Error);
        let CfgTarget::Inside(entry) = entry else { panic!("the program does nothing") };
        Self { locations: maker.locations, entry }
    }

    /// Whether locations and steps are those of the oracle's structure, location for location; in what they
    /// differ otherwise. What no edge leads to is only counted.
    pub fn compare(&self, program: &Program, oracle: &Oracle) -> Result<(), String> {
        let inside = oracle.structure.locations.iter();
        let inside =
            inside.filter(|place| matches!(place, Location::Rest(rest) if !rest.is_empty()));
        let (here, there) = (self.locations.len(), inside.count());
        if here != there {
            return Err(format!("{here} locations instead of {there}"));
        }
        let mut walk = Walk { assembled: self, program, oracle, places: BTreeMap::new() };
        walk.meet(self.entry, &oracle.structure.initial)?;
        let mut done: BTreeSet<LocationId> = BTreeSet::new();
        while let Some(next) = walk.places.keys().copied().find(|place| !done.contains(place)) {
            walk.steps(next)?;
            done.insert(next);
        }
        let images: BTreeSet<&Location> = walk.places.values().collect();
        match images.len() == walk.places.len() {
            true => Ok(()),
            false => Err("two locations are one".to_owned()),
        }
    }
}

struct Maker<'a> {
    program: &'a Program,
    partition: &'a Partition,
    locations: Vec<transition::cfg::Location>,
}

impl Maker<'_> {
    /// Adds a graph that goes on at `after`; where it begins.
    fn graph(&mut self, graph: GraphId, after: CfgTarget) -> CfgTarget {
        match &self.partition.graphs[graph] {
            PartitionGraph::Block(commands) => {
                self.block(&Cfg::of(self.program, &[], commands), &[after])
            }
            PartitionGraph::Seq(graphs) => {
                graphs.iter().rev().fold(after, |after, &graph| self.graph(graph, after))
            }
            PartitionGraph::If { command, then, otherwise } => {
                let places = [*then, *otherwise].map(|branch| self.graph(branch, after));
                self.block(&Cfg::of_test(self.program, *command), &places)
            }
            PartitionGraph::While { command, body } => {
                let head = self.locations.len();
                let test = Cfg::of_test(self.program, *command);
                // The body has to know the condition, and the condition the body.
                let entry = self.block(&test, &[CfgTarget::Exit(0), after]);
                let body = self.graph(*body, entry);
                for edge in &mut self.locations[head].edges {
                    if edge.to == CfgTarget::Exit(0) {
                        edge.to = body;
                    }
                }
                entry
            }
            PartitionGraph::Call { procedure, .. } => match self.partition.procedures[*procedure] {
                Some(graph) => self.graph(graph, after),
                None => panic!("procedure {procedure:?} has no graph"),
            },
        }
    }

    fn block(&mut self, cfg: &Cfg, exits: &[CfgTarget]) -> CfgTarget {
        let shift = self.locations.len() as u32;
        let moved = |to: CfgTarget| match to {
            CfgTarget::Inside(location) => CfgTarget::Inside(LocationId(location.0 + shift)),
            CfgTarget::Exit(number) => exits[number as usize],
            CfgTarget::Error => CfgTarget::Error,
        };
        for location in cfg.locations.values() {
            let mut location = location.clone();
            location.edges.iter_mut().for_each(|edge| edge.to = moved(edge.to));
            self.locations.push(location);
        }
        moved(CfgTarget::Inside(cfg.entry))
    }
}

/// Which location is which, found by following edges from both beginnings.
struct Walk<'a> {
    assembled: &'a Assembled,
    program: &'a Program,
    oracle: &'a Oracle,
    places: BTreeMap<LocationId, Location>,
}

impl Walk<'_> {
    fn meet(&mut self, place: LocationId, location: &Location) -> Result<(), String> {
        let Location::Rest(rest) = location else {
            return Err(format!("{place:?} is where things have gone wrong"));
        };
        let labels = rest.first().map(|&command| &self.oracle.flat.commands[command].labels);
        let own = self.assembled.locations[place.0 as usize].labels.iter();
        let own: Vec<String> =
            own.map(|&label| self.program.labels.name(label).to_owned()).collect();
        if labels != Some(&own) {
            return Err(format!("{place:?} has the labels {own:?} instead of {labels:?}"));
        }
        match self.places.entry(place).or_insert_with(|| location.clone()) {
            known if known == location => Ok(()),
            known => Err(format!("{place:?} is {known:?} and {location:?}")),
        }
    }

    /// The steps from a location with all valuations.
    fn steps(&mut self, place: LocationId) -> Result<(), String> {
        let location = self.places[&place].clone();
        for valuation in 0..self.oracle.valuations.count() {
            let ours = self.successors(place, valuation);
            let theirs = self.oracle.steps_from(&location, valuation);
            let found: BTreeSet<(bool, usize)> =
                ours.iter().map(|(to, next)| (*to == CfgTarget::Error, *next)).collect();
            let meant: BTreeSet<(bool, usize)> =
                theirs.iter().map(|(to, next)| (*to == Location::Error, *next)).collect();
            if found != meant {
                return Err(format!("{place:?}, {valuation}: {found:?} instead of {meant:?}"));
            }
            // From one location with given values, steps that go well lead to one place.
            for (to, _) in &ours {
                let CfgTarget::Inside(to) = to else { continue };
                for (location, _) in theirs.iter().filter(|(to, _)| *to != Location::Error) {
                    self.meet(*to, location)?;
                }
            }
        }
        Ok(())
    }

    fn successors(&self, place: LocationId, valuation: usize) -> Vec<(CfgTarget, usize)> {
        let edges = self.assembled.locations[place.0 as usize].edges.iter();
        let enabled = edges.filter(|edge| edge.guard.is_none_or(|g| self.value(g, valuation) == 1));
        enabled
            .flat_map(|edge| self.results(edge, valuation).into_iter().map(|next| (edge.to, next)))
            .collect()
    }

    fn results(&self, edge: &CfgEdge, valuation: usize) -> Vec<usize> {
        let valuations = &self.oracle.valuations;
        match edge.effect {
            Effect::Nothing | Effect::Fails => vec![valuation],
            Effect::Any(var) => valuations.any(valuation, self.place_of(var)),
            Effect::Set(var, value) => {
                let value = self.own_value(self.value(value, valuation));
                valuations.set(valuation, self.place_of(var), value).into_iter().collect()
            }
        }
    }

    fn value(&self, node: transition::NodeId, valuation: usize) -> i64 {
        let values = self.oracle.valuations.values(valuation);
        let leaf = |leaf: ExprNode| match leaf {
            ExprNode::Now(var) => self.machine_value(var, values[self.place_of(var)]),
            _ => 0,
        };
        let value = self.program.data.exprs.evaluate(node, leaf);
        value.unwrap_or_else(|_| panic!("{node:?} goes wrong"))
    }

    /// Variables and symbols go by their names: each program may number them differently.
    fn place_of(&self, var: VarId) -> usize {
        let name = &self.program.data.vars[var].name;
        let place = self.oracle.valuations.place_named(name);
        place.unwrap_or_else(|| panic!("there is no variable {name}"))
    }

    fn machine_value(&self, var: VarId, value: i64) -> i64 {
        let transition::Domain::Values(_) = self.program.data.vars[var].domain else {
            return value;
        };
        let symbol = self.program.data.symbols.get(self.oracle.valuations.symbol(value));
        symbol.map_or(value, transition::symbol_value)
    }

    fn own_value(&self, value: i64) -> i64 {
        let Some(symbol) =
            value.checked_sub(transition::FIRST_SYMBOL).filter(|&number| number >= 0)
        else {
            return value;
        };
        let name = self.program.data.symbols.name(transition::SymbolId(symbol as u32));
        self.oracle.valuations.symbol_named(name).unwrap_or(value)
    }
}

/// Cuts anywhere.
pub struct RandomCuts<'a> {
    pub rng: &'a mut Rng,
    /// How probable a cut is.
    pub density: f64,
}

impl<'a> RandomCuts<'a> {
    /// Anything from few cuts to almost all.
    pub fn new(rng: &'a mut Rng) -> Self {
        let density = *rng.pick(&[0.1, 0.3, 0.5, 0.7, 0.95]);
        Self { rng, density }
    }
}

impl Cuts for RandomCuts<'_> {
    fn opens(&mut self, _: &Program, _: CommandId) -> bool {
        self.rng.chance(self.density)
    }

    fn begins(&mut self, _: &Program, _: &[CommandId], _: CommandId) -> bool {
        self.rng.chance(self.density)
    }
}

/// All partitions, in the order of what is cut; `None` if there are more than `most`.
pub fn all_partitions(program: &Program, most: usize) -> Option<Vec<Partition>> {
    let mut found = Vec::new();
    let mut answers: Vec<bool> = Vec::new();
    loop {
        let mut cuts = Scripted { answers: &mut answers, asked: 0 };
        found.push(Partition::new(program, &mut cuts));
        let asked = cuts.asked;
        if found.len() > most {
            return None;
        }
        answers.truncate(asked);
        // The next script: the last `no` becomes `yes`, and everything after it is asked again.
        while answers.last() == Some(&true) {
            answers.pop();
        }
        match answers.last_mut() {
            Some(last) => *last = true,
            None => return Some(found),
        }
    }
}

/// Answers as it is told, and `no` after that.
struct Scripted<'a> {
    answers: &'a mut Vec<bool>,
    asked: usize,
}

impl Scripted<'_> {
    fn next(&mut self) -> bool {
        self.asked += 1;
        if self.answers.len() < self.asked {
            self.answers.push(false);
        }
        self.answers[self.asked - 1]
    }
}

impl Cuts for Scripted<'_> {
    fn opens(&mut self, _: &Program, _: CommandId) -> bool {
        self.next()
    }

    fn begins(&mut self, _: &Program, _: &[CommandId], _: CommandId) -> bool {
        self.next()
    }
}
