//! Claims found by explicit lists of valuations, node after node from the last to the first, until nothing
//! changes.

use audit::modular::{About, ListedNode, ListedSet, ModularWriter, NamedFormula};
use std::collections::HashMap;
use transition::cfg::{
    Assumed, Bound, Cfg, CfgEdge, CfgTarget, Closure, CtlAtom, CtlNode, Effect, FormulaId,
    HoleCase, HoleFormulaId, HoleGroup, HoleLocation, Location, Operator, Partition, Program,
    Temporal, TemporalId, UnfoldedId, Unfolding,
};
use transition::{NodeId, Section, VarId};

/// By number of the valuation.
type Set = Vec<bool>;

pub struct Claimed {
    pub place: UnfoldedId,
    /// By until of the level.
    pub sets: Vec<Set>,
}

pub struct Prover<'a> {
    pub program: &'a Program,
    pub closure: &'a Closure,
    pub assumed: &'a [Assumed],
    pub partition: &'a Partition,
    places: Unfolding,
    /// By number: the number of each variable's value.
    valuations: Vec<Vec<u64>>,
    known: Vec<Vec<Set>>,
}

impl<'a> Prover<'a> {
    pub fn new(
        program: &'a Program,
        closure: &'a Closure,
        assumed: &'a [Assumed],
        partition: &'a Partition,
    ) -> Self {
        let places = Unfolding::new(partition).expect("few places");
        let mut valuations = vec![Vec::new()];
        for var in program.data.vars.values() {
            let longer = |shorter: Vec<u64>| {
                (0..var.domain.size() as u64).map(move |number| [&shorter[..], &[number]].concat())
            };
            valuations = valuations.into_iter().flat_map(longer).collect();
        }
        let nothing = vec![vec![false; valuations.len()]; closure.temporals.len()];
        let known = vec![nothing; places.nodes.len()];
        Self { program, closure, assumed, partition, places, valuations, known }
    }

    /// All claims, level by level.
    pub fn prove(&mut self) -> Vec<Vec<Claimed>> {
        (0..self.closure.levels.len()).map(|level| self.level(level)).collect()
    }

    fn level(&mut self, level: usize) -> Vec<Claimed> {
        let closure = self.closure;
        let mut claims = Vec::new();
        loop {
            let mut is_stable = true;
            for place in self.places.nodes.ids().rev() {
                let given = self.given(place, level);
                let mut sets = Vec::new();
                let mut is_new = false;
                for (&id, set) in closure.levels[level].iter().zip(given) {
                    let known = &mut self.known[place.0 as usize][id.0 as usize];
                    if closure.temporals[id].is_until() {
                        is_new |= *known != set;
                        sets.push(set.clone());
                    }
                    *known = set;
                }
                if is_new {
                    is_stable = false;
                    claims.push(Claimed { place, sets });
                }
            }
            if is_stable {
                return claims;
            }
        }
    }

    fn holds(&self, node: NodeId, valuation: usize) -> bool {
        self.value(node, valuation) != 0
    }

    fn value(&self, node: NodeId, valuation: usize) -> i64 {
        let data = &self.program.data;
        let value = data.exprs.evaluate(node, |leaf| match leaf {
            transition::ExprNode::Now(var) => {
                data.vars[var].domain.value(self.valuations[valuation][var.0 as usize])
            }
            _ => 0,
        });
        value.expect("no run-time error occurs")
    }

    fn with(&self, valuation: usize, var: VarId, number: u64) -> usize {
        let mut values = self.valuations[valuation].clone();
        values[var.0 as usize] = number;
        self.valuations.iter().position(|other| *other == values).expect("a valuation")
    }

    /// Where an edge leads from a valuation.
    fn after(&self, edge: &CfgEdge, valuation: usize) -> Vec<usize> {
        if edge.guard.is_some_and(|guard| !self.holds(guard, valuation)) {
            return Vec::new();
        }
        let domain = |var: VarId| &self.program.data.vars[var].domain;
        let mut found = match edge.effect {
            Effect::Nothing | Effect::Fails => vec![valuation],
            Effect::Set(var, node) => {
                let number = domain(var).number(self.value(node, valuation)).expect("a value");
                vec![self.with(valuation, var, number)]
            }
            Effect::Any(var) => {
                let numbers = 0..domain(var).size() as u64;
                numbers.map(|number| self.with(valuation, var, number)).collect()
            }
        };
        found.retain(|&to| edge.after.is_none_or(|after| self.holds(after, to)));
        found
    }

    fn cfg(&self, place: UnfoldedId) -> Cfg {
        self.places.cfg(place, self.program, self.partition, self.assumed)
    }

    fn given(&self, place: UnfoldedId, level: usize) -> Vec<Set> {
        let node = self.explore(place, level);
        let ids = self.closure.levels[level].iter();
        ids.map(|id| node.found[id.0 as usize][node.cfg.entry.0 as usize].clone()).collect()
    }

    fn explore(&self, place: UnfoldedId, level: usize) -> Explored<'_> {
        let cfg = self.cfg(place);
        let exits = self.places.nodes[place].exits.clone();
        let behind = exits.iter().map(|&exit| {
            let cfg = self.cfg(exit);
            Some(cfg.locations[cfg.entry].clone())
        });
        let locations_and_error: Vec<Option<Location>> =
            cfg.locations.values().cloned().map(Some).chain(behind).chain([None]).collect();
        let location_index = |place: CfgTarget| match place {
            CfgTarget::Inside(location) => location.0 as usize,
            CfgTarget::Exit(number) => cfg.locations.len() + number as usize,
            CfgTarget::Error => locations_and_error.len() - 1,
        };
        let of = |edge: &CfgEdge, valuation: usize| {
            let to = location_index(edge.to);
            self.after(edge, valuation).into_iter().map(move |next| (to, next))
        };
        let group = |edges: &[CfgEdge], valuation: usize, postponed: &[HoleFormulaId]| Group {
            to: edges.iter().flat_map(|edge| of(edge, valuation)).collect(),
            postponed: postponed.to_vec(),
        };
        let steps = |location: &Location, valuation: usize| -> Vec<Vec<Group>> {
            let Some(in_hole) = &location.in_hole else {
                return vec![vec![group(&location.edges, valuation, &[])]];
            };
            let is_in = |case: &&HoleCase| case.guard.is_none_or(|g| self.holds(g, valuation));
            let groups = |case: &HoleCase| {
                let own = |one: &HoleGroup| {
                    group(&location.edges[one.edges.clone()], valuation, &one.postponed)
                };
                case.groups.iter().map(own).collect()
            };
            in_hole.cases.iter().filter(is_in).map(groups).collect()
        };
        let every = 0..self.valuations.len();
        let successors = cfg
            .locations
            .values()
            .map(|location| every.clone().map(|v| steps(location, v)).collect())
            .collect();
        let nothing = vec![vec![false; self.valuations.len()]; locations_and_error.len()];
        let found = vec![nothing; self.closure.temporals.len()];
        let mut explored = Explored { prover: self, cfg, locations_and_error, successors, found };
        for id in self.closure.up_to(level) {
            for (number, exit) in exits.iter().enumerate() {
                let known = &self.known[exit.0 as usize][id.0 as usize];
                let location_index = explored.cfg.locations.len() + number;
                explored.found[id.0 as usize][location_index].clone_from(known);
            }
            explored.temporal(id);
        }
        explored
    }

    /// Whether a root is surely true with all initial valuations, or not even maybe true with one.
    pub fn verdict(&self, root: transition::cfg::Root) -> Option<bool> {
        let node = self.explore(UnfoldedId(0), self.closure.levels.len());
        let entry = node.cfg.entry.0 as usize;
        let data = &self.program.data;
        let at_start = data.constraints.iter().filter(|c| c.section == Section::Init);
        let starts: Vec<NodeId> = at_start.map(|constraint| constraint.node).collect();
        let mut initial = (0..self.valuations.len())
            .filter(|&valuation| starts.iter().all(|&node| self.holds(node, valuation)));
        if initial.clone().all(|valuation| node.truth(root.certain, entry, valuation)) {
            return Some(true);
        }
        initial.any(|valuation| !node.truth(root.maybe, entry, valuation)).then_some(false)
    }

    /// All bits of all variables, each variable's lowest first.
    pub fn order(&self) -> Vec<(VarId, u32)> {
        let vars = self.program.data.vars.iter();
        vars.flat_map(|(id, var)| (0..var.domain.bits()).map(move |bit| (id, bit))).collect()
    }

    pub fn listed(&self, set: &Set) -> ListedSet {
        let members: Vec<Vec<u64>> = self
            .valuations
            .iter()
            .zip(set)
            .filter(|(_, is_in)| **is_in)
            .map(|(v, _)| v.clone())
            .collect();
        let (mut nodes, mut numbers) = (Vec::new(), HashMap::new());
        let root = diagram(&self.order(), &members, &mut nodes, &mut numbers);
        ListedSet { nodes, root }
    }

    pub fn written(
        &self,
        properties: &[NamedFormula],
        assumptions: &[String],
        levels: &[Vec<Claimed>],
        verdicts: &[Option<bool>],
    ) -> Vec<u8> {
        let order = self.order();
        let about = About {
            program: self.program,
            closure: self.closure,
            is_complete: !self.program.has_holes(),
            properties,
            assumptions,
            partition: self.partition,
        };
        let mut writer = ModularWriter::start(&about, &order);
        for claims in levels {
            for claim in claims {
                let sets: Vec<ListedSet> = claim.sets.iter().map(|set| self.listed(set)).collect();
                writer.claim(claim.place, &sets);
            }
            writer.end_level();
        }
        writer.finish(verdicts)
    }
}

type Numbers = HashMap<(VarId, u32, u32, u32), u32>;

fn diagram(
    order: &[(VarId, u32)],
    members: &[Vec<u64>],
    nodes: &mut Vec<ListedNode>,
    numbers: &mut Numbers,
) -> u32 {
    let Some((&(var, bit), below)) = order.split_first() else {
        return u32::from(members.is_empty());
    };
    let (yes, no): (Vec<_>, Vec<_>) =
        members.iter().cloned().partition(|member| member[var.0 as usize] >> bit & 1 == 1);
    let [high, low] = [yes, no].map(|some| diagram(below, &some, nodes, numbers));
    if high == low {
        return high;
    }
    *numbers.entry((var, bit, high, low)).or_insert_with(|| {
        nodes.push(ListedNode { var, bit, high, low });
        2 * nodes.len() as u32
    })
}

/// Successors of a state, of which one at least is there if the state is in a hole.
struct Group {
    to: Vec<(usize, usize)>,
    postponed: Vec<HoleFormulaId>,
}

/// The states of a node, what follows it included, and what is true in them.
struct Explored<'a> {
    prover: &'a Prover<'a>,
    cfg: Cfg,
    /// Locations, the successor of each exit, and `error`, which is no location.
    locations_and_error: Vec<Option<Location>>,
    /// By location, valuation and case.
    successors: Vec<Vec<Vec<Vec<Group>>>>,
    /// By temporal formula, location and valuation.
    found: Vec<Vec<Set>>,
}

impl Explored<'_> {
    fn truth(&self, formula: FormulaId, location_index: usize, valuation: usize) -> bool {
        match self.prover.closure.formulas[formula] {
            CtlNode::True => true,
            CtlNode::Not(a) => !self.truth(a, location_index, valuation),
            CtlNode::Or(a, b) => {
                self.truth(a, location_index, valuation) || self.truth(b, location_index, valuation)
            }
            CtlNode::Temporal(id) => self.found[id.0 as usize][location_index][valuation],
            CtlNode::Atom(id, bound) => {
                match (self.prover.closure.atoms[id], &self.locations_and_error[location_index]) {
                    (CtlAtom::Holds(node), _) => self.prover.holds(node, valuation),
                    (CtlAtom::Error, location) => location.is_none(),
                    (CtlAtom::End, _) => false,
                    (CtlAtom::At(_), None) => false,
                    (CtlAtom::At(label), Some(location)) => {
                        let in_hole = location.in_hole.as_ref();
                        let may_be = in_hole.is_some_and(|in_hole| in_hole.labels.contains(&label));
                        location.labels.contains(&label) || (may_be && bound == Bound::Maybe)
                    }
                }
            }
        }
    }

    fn next(
        &self,
        temporal: &Temporal,
        location: usize,
        valuation: usize,
        is_true: impl Fn(usize, usize, &[HoleFormulaId]) -> bool,
    ) -> bool {
        let all = |group: &Group| group.to.iter().all(|&(to, v)| is_true(to, v, &group.postponed));
        let any = |group: &Group| group.to.iter().any(|&(to, v)| is_true(to, v, &group.postponed));
        let mut cases = self.successors[location][valuation].iter();
        let in_hole = self.locations_and_error[location].as_ref().and_then(|l| l.in_hole.as_ref());
        let bound = in_hole.map(|_| temporal.bound);
        match (bound, temporal.is_all) {
            (None, true) => cases.all(|case| all(&case[0])),
            (None, false) => cases.any(|case| any(&case[0])),
            (Some(Bound::Certain), true) => cases.all(|case| all(&case[0])),
            (Some(Bound::Certain), false) => cases.all(|case| case.iter().any(all)),
            (Some(Bound::Maybe), true) => cases.any(|case| case.iter().all(any)),
            (Some(Bound::Maybe), false) => cases.any(|case| any(&case[0])),
        }
    }

    fn temporal(&mut self, id: TemporalId) {
        let temporal = self.prover.closure.temporals[id];
        let (index, valuations) = (id.0 as usize, 0..self.prover.valuations.len());
        let error = self.locations_and_error.len() - 1;
        let (left, goal) = match temporal.operator {
            Operator::Next(operand) => (None, operand),
            Operator::Until(left, goal) => (Some(left), goal),
        };
        self.found[index][error] = valuations.clone().map(|v| self.truth(goal, error, v)).collect();
        let Some(left) = left else {
            for location in 0..self.cfg.locations.len() {
                let next = |v| {
                    self.next(&temporal, location, v, |location_index, v, _| {
                        self.truth(goal, location_index, v)
                    })
                };
                self.found[index][location] = valuations.clone().map(next).collect();
            }
            return;
        };
        while self.round(index, &temporal, left, goal) {}
    }

    /// One step of the iteration for all locations; whether anything has changed.
    fn round(
        &mut self,
        index: usize,
        temporal: &Temporal,
        left: FormulaId,
        goal: FormulaId,
    ) -> bool {
        let mut is_changed = false;
        for location in 0..self.cfg.locations.len() {
            let old = self.found[index][location].clone();
            let on_the_way = |kept: Option<(HoleFormulaId, &Set)>| -> Set {
                let again = |v| {
                    self.next(temporal, location, v, |to, v, postponed| match kept {
                        Some((until, set)) if to == location && postponed.contains(&until) => {
                            set[v]
                        }
                        _ => self.found[index][to][v],
                    })
                };
                let holds = |v| {
                    self.truth(goal, location, v) || (self.truth(left, location, v) && again(v))
                };
                (0..old.len()).map(holds).collect()
            };
            let mut new = on_the_way(None);
            let in_hole =
                self.locations_and_error[location].as_ref().and_then(|l| l.in_hole.as_ref());
            let in_hole = in_hole.filter(|_| temporal.bound == Bound::Certain);
            for until in in_hole.map(HoleLocation::postponed).unwrap_or_default() {
                let mut kept: Set = vec![true; old.len()];
                loop {
                    let smaller = on_the_way(Some((until, &kept)));
                    if std::mem::replace(&mut kept, smaller) == kept {
                        break;
                    }
                }
                new.iter_mut().zip(kept).for_each(|(new, kept)| *new |= kept);
            }
            self.found[index][location] = new;
            is_changed |= old != self.found[index][location];
        }
        is_changed
    }
}
