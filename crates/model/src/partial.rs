//! The partial models: Kripke structures, KMTSs (C Def. 2.1), MixTSs and GKMTSs (X Def. 1), LTSs and
//! MTSs, all in one form.

use crate::edges::{EdgeCollector, Edges, Mode};
use crate::labelling::Labelling;
use crate::names::StateNames;
use fixedbitset::FixedBitSet;
use logic::{Family, PropId, Truth};
use std::sync::Arc;
use support::{Interner, define_id};

define_id!(ActionId, "a");

/// The unobservable action.
pub const TAU: &str = "tau";

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Kripke,
    /// R⁺ ⊆ R⁻ (C Def. 2.1).
    Kmts,
    /// R⁺ and R⁻ independent (X Def. 1).
    MixTs,
    /// Must transitions to sets of states (X Def. 1).
    Gkmts,
    Lts,
    Mts,
}

impl Kind {
    pub const ALL: [Kind; 6] =
        [Kind::Kripke, Kind::Kmts, Kind::MixTs, Kind::Gkmts, Kind::Lts, Kind::Mts];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Kripke => "kripke",
            Kind::Kmts => "kmts",
            Kind::MixTs => "mixts",
            Kind::Gkmts => "gkmts",
            Kind::Lts => "lts",
            Kind::Mts => "mts",
        }
    }

    pub fn family(self) -> Family {
        match self {
            Kind::Lts | Kind::Mts => Family::Actions,
            _ => Family::Props,
        }
    }

    /// Nothing is unknown in it.
    pub fn is_complete(self) -> bool {
        matches!(self, Kind::Kripke | Kind::Lts)
    }
}

/// A must hyper-transition (X Def. 1): from `source` to some state of `targets`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hyper {
    pub source: u32,
    pub targets: Vec<u32>,
}

/// `covers a: b, c;`, with `exactly` unless the list ends in `...`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Covers {
    pub state: u32,
    pub covered: Vec<u32>,
    pub exactly: bool,
}

#[derive(Clone, Debug)]
pub struct PartialModel {
    pub kind: Kind,
    pub name: String,
    pub(crate) labelling: Labelling,
    pub(crate) actions: Interner<ActionId>,
    pub(crate) names: StateNames,
    pub(crate) init: Vec<u32>,
    pub(crate) edges: Edges,
    /// Sorted by source; only in GKMTSs.
    pub(crate) hyper: Vec<Hyper>,
    pub(crate) covers: Vec<Covers>,
    /// See [`PartialModel::starts`]; empty if every initial state is a start of its own.
    pub(crate) starts: Vec<Vec<u32>>,
}

impl PartialModel {
    /// A Kripke structure without states, to be filled.
    pub(crate) fn empty() -> PartialModel {
        PartialModel {
            kind: Kind::Kripke,
            name: String::new(),
            labelling: Labelling::default(),
            actions: Interner::new(),
            names: StateNames::Numbered(0),
            init: Vec::new(),
            edges: Edges::from_triples(0, Vec::new(), std::iter::empty()),
            hyper: Vec::new(),
            covers: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// An LTS without state names, as `.aut` files have them.
    pub fn numbered_lts(
        name: impl Into<String>,
        actions: Interner<ActionId>,
        edges: Edges,
        init: u32,
    ) -> PartialModel {
        PartialModel {
            kind: Kind::Lts,
            name: name.into(),
            actions,
            names: StateNames::Numbered(edges.states()),
            init: vec![init],
            edges,
            ..PartialModel::empty()
        }
    }

    /// A Kripke structure whose parts are in place. The initial states are all different.
    pub fn kripke(
        name: impl Into<String>,
        labelling: Labelling,
        names: StateNames,
        init: Vec<u32>,
        edges: Edges,
    ) -> PartialModel {
        PartialModel { name: name.into(), labelling, names, init, edges, ..PartialModel::empty() }
    }

    pub fn states(&self) -> usize {
        self.edges.states()
    }

    pub fn props(&self) -> &Interner<PropId> {
        self.labelling.props()
    }

    pub fn actions(&self) -> &Interner<ActionId> {
        &self.actions
    }

    pub fn init(&self) -> &[u32] {
        &self.init
    }

    /// Sets of initial states: of each set an implementation begins in an unknown subset that is not empty. Empty if it
    /// begins in all initial states.
    pub fn starts(&self) -> &[Vec<u32>] {
        &self.starts
    }

    pub fn edges(&self) -> &Edges {
        &self.edges
    }

    pub fn hyper(&self) -> &[Hyper] {
        &self.hyper
    }

    /// The hyper-transitions out of a state.
    pub fn hyper_from(&self, state: u32) -> &[Hyper] {
        let start = self.hyper.partition_point(|hyper| hyper.source < state);
        let len = self.hyper[start..].partition_point(|hyper| hyper.source == state);
        &self.hyper[start..start + len]
    }

    pub fn covers(&self) -> &[Covers] {
        &self.covers
    }

    pub fn names(&self) -> &StateNames {
        &self.names
    }

    /// The states of the components in a state of their composition; of a single component, the state.
    pub fn members(&self, state: u32) -> Vec<u32> {
        match self.names().tuple(state) {
            [] => vec![state],
            tuple => tuple.to_vec(),
        }
    }

    pub fn state_name(&self, state: u32) -> String {
        self.names.name(state)
    }

    pub fn label(&self, state: u32, prop: PropId) -> Truth {
        self.labelling.get(state, prop)
    }

    /// The states in which `prop` is true.
    pub fn true_in(&self, prop: PropId) -> &FixedBitSet {
        self.labelling.true_in(prop)
    }

    /// The states in which `prop` is false.
    pub fn false_in(&self, prop: PropId) -> &FixedBitSet {
        self.labelling.false_in(prop)
    }

    /// Whether may and must are the same and every label is definite, whatever the kind says.
    pub fn is_complete(&self) -> bool {
        let both = |class: &crate::EdgeClass| class.mode == Mode::BOTH;
        let labels = || self.labelling.is_complete(self.states());
        self.kind.is_complete()
            || (self.hyper.is_empty() && self.edges.classes().iter().all(both) && labels())
    }

    /// The narrowest of the kinds of partial models that it is of (X Def. 1).
    pub(crate) fn narrowest_kind(&self) -> Kind {
        let must_only = |class: &crate::EdgeClass| class.mode == Mode::MUST;
        match () {
            () if !self.hyper.is_empty() => Kind::Gkmts,
            () if self.edges.classes().iter().any(must_only) => Kind::MixTs,
            () => Kind::Kmts,
        }
    }

    /// The states that transitions of any sort lead to from the initial ones.
    pub fn reachable(&self) -> FixedBitSet {
        let mut seen = FixedBitSet::with_capacity(self.states());
        let mut open = self.init.clone();
        open.iter().for_each(|&state| seen.insert(state as usize));
        while let Some(state) = open.pop() {
            let sets =
                self.hyper_from(state).iter().flat_map(|hyper| hyper.targets.iter().copied());
            let targets = self.edges.out(state).map(|(target, _)| target).chain(sets);
            open.extend(targets.filter(|&target| !seen.put(target as usize)));
        }
        seen
    }
}

/// Puts a model together state by state.
pub struct ModelBuilder {
    kind: Kind,
    name: String,
    labelling: Labelling,
    actions: Interner<ActionId>,
    names: Vec<String>,
    init: Vec<u32>,
    labels: Vec<(u32, PropId, Truth)>,
    edges: EdgeCollector,
    hyper: Vec<Hyper>,
    covers: Vec<Covers>,
}

impl ModelBuilder {
    pub fn new(kind: Kind, name: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
            labelling: Labelling::default(),
            actions: Interner::new(),
            names: Vec::new(),
            init: Vec::new(),
            labels: Vec::new(),
            edges: EdgeCollector::default(),
            hyper: Vec::new(),
            covers: Vec::new(),
        }
    }

    /// A model of another kind with the propositions, states, labels and initial states of this one, and with
    /// what its states cover. Transitions are to be added.
    pub(crate) fn like(model: &PartialModel, kind: Kind) -> Self {
        let mut builder = Self::new(kind, model.name.as_str());
        for state in 0..model.states() as u32 {
            builder.state(model.state_name(state));
        }
        for (prop, name) in model.props().iter() {
            builder.prop(name);
            let labels = (0..model.states() as u32).map(|s| (s, prop, model.label(s, prop)));
            builder.labels.extend(labels);
        }
        builder.init.extend_from_slice(model.init());
        builder.covers.clone_from(&model.covers);
        builder
    }

    pub fn prop(&mut self, name: &str) -> PropId {
        self.labelling.props.intern(name)
    }

    pub fn action(&mut self, name: &str) -> ActionId {
        self.actions.intern(name)
    }

    /// A new state; the caller sees to it that names differ.
    pub fn state(&mut self, name: impl Into<String>) -> u32 {
        self.names.push(name.into());
        self.names.len() as u32 - 1
    }

    /// Saying it twice changes nothing.
    pub fn init(&mut self, state: u32) {
        self.init.push(state);
    }

    /// Labels a state. A proposition without a label is unknown, in a Kripke structure false.
    pub fn label(&mut self, state: u32, prop: PropId, value: Truth) {
        self.labels.push((state, prop, value));
    }

    pub fn edge(&mut self, source: u32, action: Option<ActionId>, mode: Mode, target: u32) {
        self.edges.add(source, action, mode, target);
    }

    /// A must hyper-transition; one to a single state is an ordinary must transition.
    pub fn hyper(&mut self, source: u32, mut targets: Vec<u32>) {
        targets.sort_unstable();
        targets.dedup();
        match *targets {
            [] => {}
            [target] => self.edge(source, None, Mode::MUST, target),
            _ => self.hyper.push(Hyper { source, targets }),
        }
    }

    pub fn covers(&mut self, state: u32, covered: Vec<u32>, exactly: bool) {
        self.covers.push(Covers { state, covered, exactly });
    }

    pub fn finish(mut self) -> PartialModel {
        let states = self.names.len();
        self.labelling.resize(states);
        for &(state, prop, value) in &self.labels {
            self.labelling.set(state, prop, value);
        }
        if self.kind == Kind::Kripke {
            self.labelling.close();
        }
        let mut seen = FixedBitSet::with_capacity(states);
        self.init.retain(|&state| !seen.put(state as usize));
        self.hyper.sort_by(|a, b| (a.source, &a.targets).cmp(&(b.source, &b.targets)));
        self.hyper.dedup();
        PartialModel {
            kind: self.kind,
            name: self.name,
            labelling: self.labelling,
            actions: self.actions,
            names: StateNames::Named(Arc::new(self.names)),
            init: self.init,
            edges: self.edges.finish(states),
            hyper: self.hyper,
            covers: self.covers,
            starts: Vec::new(),
        }
    }
}
