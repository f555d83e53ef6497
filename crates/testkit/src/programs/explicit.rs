//! The states of a [`transition::cfg::Program`] that can be reached, one by one, as a model: for the reference
//! semantics and for everything that takes models.

use super::assembled::Assembled;
use logic::Truth;
use model::{Kind, Mode, ModelBuilder, PartialModel};
use std::collections::HashMap;
use transition::cfg::{
    CfgEdge, CfgTarget, CtlAtom, Effect, LabelId, LocationId, OneBlock, Partition, Program,
};
use transition::{ExprNode, NodeId, Section};

/// Labelled with these atoms. In holes, steps are possible and not certain, and labels may be unknown.
///
/// Nothing here knows of assumptions on holes.
pub fn explicit_model(program: &Program, propositions: &[(String, CtlAtom)]) -> PartialModel {
    let assembled = Assembled::new(program, &Partition::new(program, &mut OneBlock));
    let is_complete = assembled.locations.iter().all(|location| location.in_hole.is_none());
    let kind = if is_complete { Kind::Kripke } else { Kind::Kmts };
    let builder = ModelBuilder::new(kind, "program");
    let mut explorer =
        Explorer { program, assembled: &assembled, builder, known: HashMap::new(), open: vec![] };
    explorer.run();
    for (name, atom) in propositions {
        explorer.label(name, *atom);
    }
    explorer.builder.finish()
}

/// Nowhere inside is where things have gone wrong.
type State = (Option<LocationId>, Vec<i64>);

struct Explorer<'a> {
    program: &'a Program,
    assembled: &'a Assembled,
    builder: ModelBuilder,
    known: HashMap<State, u32>,
    open: Vec<State>,
}

impl Explorer<'_> {
    fn run(&mut self) {
        for values in self.beginnings() {
            let state = self.state((Some(self.assembled.entry), values));
            self.builder.init(state);
        }
        while let Some((place, values)) = self.open.pop() {
            let source = self.known[&(place, values.clone())];
            let Some(place) = place else {
                self.builder.edge(source, None, Mode::BOTH, source);
                continue;
            };
            let assembled = self.assembled;
            let location = &assembled.locations[place.0 as usize];
            let mode = if location.in_hole.is_some() { Mode::MAY } else { Mode::BOTH };
            for edge in &location.edges {
                for next in self.results(edge, &values) {
                    let to = if let CfgTarget::Inside(to) = edge.to { Some(to) } else { None };
                    let target = self.state((to, next));
                    self.builder.edge(source, None, mode, target);
                }
            }
        }
    }

    /// All values with which the program may start.
    fn beginnings(&self) -> Vec<Vec<i64>> {
        let mut found = vec![Vec::new()];
        for var in self.program.data.vars.values() {
            let size = var.domain.size() as u64;
            let longer = |values: Vec<i64>| {
                (0..size).map(move |number| [&values[..], &[var.domain.value(number)]].concat())
            };
            found = found.into_iter().flat_map(longer).collect();
        }
        let constraints = self.program.data.constraints.iter();
        let start = constraints.filter(|constraint| constraint.section == Section::Init);
        let start: Vec<NodeId> = start.map(|constraint| constraint.node).collect();
        found.retain(|values| start.iter().all(|&node| self.holds(node, values)));
        found
    }

    fn state(&mut self, state: State) -> u32 {
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let number = self.builder.state(format!("{}", self.known.len()));
        self.known.insert(state.clone(), number);
        self.open.push(state);
        number
    }

    fn results(&self, edge: &CfgEdge, values: &[i64]) -> Vec<Vec<i64>> {
        if edge.guard.is_some_and(|guard| !self.holds(guard, values)) {
            return Vec::new();
        }
        let with = |var: transition::VarId, value: i64| {
            let mut next = values.to_vec();
            next[var.0 as usize] = value;
            next
        };
        match edge.effect {
            Effect::Nothing | Effect::Fails => vec![values.to_vec()],
            Effect::Set(var, value) => vec![with(var, self.value(value, values))],
            Effect::Any(var) => {
                let domain = &self.program.data.vars[var].domain;
                (0..domain.size() as u64).map(|number| with(var, domain.value(number))).collect()
            }
        }
    }

    fn value(&self, node: NodeId, values: &[i64]) -> i64 {
        let leaf =
            |leaf: ExprNode| if let ExprNode::Now(var) = leaf { values[var.0 as usize] } else { 0 };
        let value = self.program.data.exprs.evaluate(node, leaf);
        value.unwrap_or_else(|_| panic!("{node:?} goes wrong"))
    }

    fn holds(&self, node: NodeId, values: &[i64]) -> bool {
        self.value(node, values) == 1
    }

    fn label(&mut self, name: &str, atom: CtlAtom) {
        let prop = self.builder.prop(name);
        let states: Vec<(State, u32)> =
            self.known.iter().map(|(state, &number)| (state.clone(), number)).collect();
        for ((place, values), number) in states {
            let value = match atom {
                CtlAtom::Error => Truth::from(place.is_none()),
                CtlAtom::End => Truth::False,
                CtlAtom::Holds(node) => Truth::from(self.holds(node, &values)),
                CtlAtom::At(label) => place.map_or(Truth::False, |place| self.at(place, label)),
            };
            self.builder.label(number, prop, value);
        }
    }

    fn at(&self, place: LocationId, label: LabelId) -> Truth {
        let location = &self.assembled.locations[place.0 as usize];
        let is_doubtful =
            location.in_hole.as_ref().is_some_and(|in_hole| in_hole.labels.contains(&label));
        match is_doubtful {
            true => Truth::Unknown,
            false => Truth::from(location.labels.contains(&label)),
        }
    }
}
