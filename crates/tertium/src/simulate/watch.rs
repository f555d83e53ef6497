//! Watched formulas: their values in the states of a walk.
//!
//! A formula without temporal operators is evaluated in the state. For one with some, the states that can be reached
//! from there are enumerated once, and the values in all of them are kept.

use super::integers::begins_with_step;
use super::walk::{Coordinates, MoveQuery, Walk};
use crate::error::Error;
use crate::integers::IntegerModel;
use crate::property::{About, Property};
use crate::transition_system::vocabulary::Vocabulary;
use crate::transition_system::{FiniteModel, ProgramGraph, StatedProperty, TransitionSystem};
use explicit::{DIRECT, Request};
use logic::{FairTerm, Fairness, Family, Formula, Node, NodeId, PropId, Signature, Surface, Truth};
use model::{Kind, Mode, ModelBuilder, System};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use support::{Interner, Monitor, SourceMap};
use transition::cfg::CtlAtom;

/// A watched formula and its value in the current state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WatchedFormula {
    /// As it was given.
    pub formula: String,
    /// Its value; unknown also where the model does not say, or a limit was reached.
    pub value: Truth,
    /// Why it is unknown, where it is not the model.
    pub reason: Option<String>,
}

/// The meaning of the propositions of a formula, by their numbers.
pub enum WatchedAtoms {
    /// By their names.
    Labels,
    Expressions(Vec<transition::NodeId>),
    Program(Vec<CtlAtom>),
    Integers(Arc<IntegerModel>),
}

/// A formula that is watched.
pub struct CompiledWatch {
    pub text: String,
    pub propositions: Vec<String>,
    pub atoms: WatchedAtoms,
    formula: Formula,
    /// The kind of the model that can be reached.
    kind: Kind,
    /// The text that the formula was read with.
    model: Option<Arc<FiniteModel>>,
    /// The formula, to be compiled when deadlock states are known, and the conditions of fair paths.
    fair: Option<(Surface, Vocabulary)>,
    /// Why temporal operators cannot be evaluated.
    limit: Option<&'static str>,
    known: FxHashMap<Coordinates, Truth>,
}

impl CompiledWatch {
    pub fn new(property: &Property, system: Option<&System>) -> Result<Self, Error> {
        if let Some(why) = property.not_supported() {
            return Err(crate::unsupported::Unsupported::Property(why.to_owned()).into());
        }
        if property.is_length() {
            let why = "a length is no property of states".to_owned();
            return Err(crate::unsupported::Unsupported::Property(why).into());
        }
        let text = property.name().to_owned();
        match property.about() {
            About::Components(surface, _) => Self::of_labels(text, property, surface, system),
            About::Finite(model, number) => match &model.control_flow {
                Some(graph) => Self::of_program(text, model, graph, *number),
                None => Self::of_expressions(text, model, *number),
            },
            About::Integers(model, number) => Self::of_integers(text, model, *number),
        }
    }

    fn base(
        text: String,
        formula: Formula,
        propositions: Vec<String>,
        atoms: WatchedAtoms,
    ) -> Self {
        let (kind, known) = (Kind::Kmts, FxHashMap::default());
        let (model, fair, limit) = (None, None, None);
        Self { text, propositions, atoms, formula, kind, model, fair, limit, known }
    }

    fn of_labels(
        text: String,
        property: &Property,
        surface: &Surface,
        system: Option<&System>,
    ) -> Result<Self, Error> {
        let system = system.ok_or_else(|| Error::message("the property is of another model"))?;
        let (props, actions) = (system.props(), system.actions());
        let signature = Signature { family: system.family(), props: &props, actions: &actions };
        let fairness = Fairness { everywhere: true, ..Fairness::default() };
        let formula = logic::compile_fair(surface, &signature, &fairness, &mut Vec::new());
        let sources = match property.about() {
            About::Components(_, Some(sources)) => (**sources).clone(),
            _ => SourceMap::new(),
        };
        let formula = formula.map_err(|errors| Error::of(errors, &sources))?;
        let names = props.names().map(str::to_owned).collect();
        let is_mixed =
            |part: &model::Component| matches!(part.model.kind, Kind::MixTs | Kind::Gkmts);
        let kind = match system.family() {
            Family::Actions => Kind::Mts,
            Family::Props if system.components.iter().any(is_mixed) => Kind::MixTs,
            Family::Props => Kind::Kmts,
        };
        Ok(Self { kind, ..Self::base(text, formula, names, WatchedAtoms::Labels) })
    }

    fn of_expressions(
        text: String,
        model: &Arc<FiniteModel>,
        number: usize,
    ) -> Result<Self, Error> {
        let system = model.transition_system()?;
        let asked = &system.all[number];
        let vocabulary = system.vocabulary(&[asked]);
        let surface = surface_of(asked)?;
        let formula = vocabulary.compile(&surface, &vocabulary.plain_fairness())?;
        let names = vocabulary.labels.iter().map(|label| label.name.clone()).collect();
        let nodes = vocabulary.labels.iter().map(|label| label.node).collect();
        let of_steps = |term: &FairTerm| matches!(term, FairTerm::Step(_));
        let limit = vocabulary.terms.iter().any(of_steps);
        let limit = limit.then_some("fairness conditions on inputs are left to `check`");
        let fair = asked.is_fair.then_some((surface, vocabulary));
        let atoms = WatchedAtoms::Expressions(nodes);
        let model = Some(model.clone());
        Ok(Self { model, fair, limit, ..Self::base(text, formula, names, atoms) })
    }

    fn of_program(
        text: String,
        model: &Arc<FiniteModel>,
        graph: &ProgramGraph,
        number: usize,
    ) -> Result<Self, Error> {
        let names: Interner<PropId> =
            graph.propositions.iter().map(|(name, _)| name.as_str()).collect();
        let signature = Signature { family: Family::Props, props: &names, actions: &[] };
        let surface = surface_of(&model.all[number])?;
        let formula = logic::compile(&surface, &signature, &mut Vec::new())
            .map_err(|errors| Error::of(errors, &model.sources))?;
        let (names, atoms) = graph.propositions.iter().cloned().unzip();
        let atoms = WatchedAtoms::Program(atoms);
        Ok(Self { model: Some(model.clone()), ..Self::base(text, formula, names, atoms) })
    }

    fn of_integers(text: String, model: &Arc<IntegerModel>, number: usize) -> Result<Self, Error> {
        let formula = model.formulas[number].clone();
        let formula = formula.ok_or_else(|| Error::message("the formula is not supported"))?;
        let names = model.document.propositions.iter().map(|(name, _)| name.clone()).collect();
        let limit = Some("temporal operators over unbounded integers are left to `check`");
        let atoms = WatchedAtoms::Integers(model.clone());
        Ok(Self { limit, ..Self::base(text, formula, names, atoms) })
    }

    /// The transition system that the formula was read with.
    pub fn system(&self) -> Option<&TransitionSystem> {
        self.model.as_ref()?.transition_system().ok()
    }

    /// The control-flow graph that the formula was read with.
    pub fn control_flow(&self) -> Option<&ProgramGraph> {
        self.model.as_ref()?.control_flow.as_ref()
    }

    /// The value in a state; temporal operators look at so many states at most.
    pub fn value(
        &mut self,
        state: &[i64],
        walk: &mut dyn Walk,
        most: usize,
        monitor: &Monitor,
    ) -> WatchedFormula {
        let found = match self.known.get(state) {
            Some(&value) => Ok(value),
            None => match self.evaluate(state, walk) {
                Some(value) => Ok(value),
                None => self.explore(state, walk, most, monitor),
            },
        };
        let (value, reason) = match found {
            Ok(value) => (value, None),
            Err(reason) => (Truth::Unknown, Some(reason)),
        };
        WatchedFormula { formula: self.text.clone(), value, reason }
    }

    /// The value by the propositions alone; `None` if there is a temporal operator.
    fn evaluate(&self, state: &[i64], walk: &dyn Walk) -> Option<Truth> {
        let mut root = self.formula.root();
        // Where the first step leads to the initial states, the formula begins with it.
        if let WatchedAtoms::Integers(model) = &self.atoms
            && begins_with_step(&model.document)
            && let Node::Modal(_, _, body) = self.formula.node(root)
        {
            root = body;
        }
        let mut values: FxHashMap<NodeId, Option<Truth>> = FxHashMap::default();
        for (id, node) in self.formula.nodes() {
            let value = |id: NodeId| values.get(&id).copied().flatten();
            let found = match node {
                Node::Const(constant) => Some(Truth::from(constant)),
                Node::Lit(prop, positive) => {
                    let value = walk.proposition(state, self, prop.0 as usize);
                    Some(if positive { value } else { !value })
                }
                Node::And(a, b) => value(a).zip(value(b)).map(|(a, b)| a.and(b)),
                Node::Or(a, b) => value(a).zip(value(b)).map(|(a, b)| a.or(b)),
                Node::Modal(..) | Node::Fix(_) | Node::Var(_) => None,
            };
            values.insert(id, found);
        }
        values.remove(&root).flatten()
    }

    /// Enumerates what can be reached, and evaluates the formula everywhere there.
    fn explore(
        &mut self,
        from: &[i64],
        walk: &mut dyn Walk,
        most: usize,
        monitor: &Monitor,
    ) -> Result<Truth, String> {
        if let Some(limit) = self.limit {
            return Err(limit.to_owned());
        }
        let Reached { states, builder, has_deadlock } = self.reached(from, walk, most, monitor)?;
        if let Some((surface, vocabulary)) = &self.fair {
            let plain = vocabulary.plain_fairness();
            let everywhere = plain.everywhere || plain.terms.is_empty() && !has_deadlock;
            let formula = vocabulary.compile(surface, &Fairness { everywhere, ..plain });
            self.formula = formula.map_err(|error| error.to_string())?;
        }
        let system = System::single(builder.finish());
        let request = Request { values: true, ..Request::new(&system, &self.formula, monitor) };
        let outcome = DIRECT.run(&request).map_err(|error| error.to_string())?;
        monitor.check().map_err(|stopped| stopped.to_string())?;
        for (name, value) in outcome.values.unwrap_or_default() {
            if let Some(state) = name.parse().ok().and_then(|number: usize| states.get(number)) {
                self.known.insert(state.clone(), value);
            }
        }
        let value = self.known.get(from).copied();
        value.ok_or_else(|| "the value was not computed".to_owned())
    }

    fn reached(
        &self,
        from: &[i64],
        walk: &mut dyn Walk,
        most: usize,
        monitor: &Monitor,
    ) -> Result<Reached, String> {
        let has_actions = self.kind == Kind::Mts;
        let mut builder = ModelBuilder::new(self.kind, "reached");
        let props: Vec<PropId> = self.propositions.iter().map(|name| builder.prop(name)).collect();
        let mut numbers: FxHashMap<Coordinates, u32> = FxHashMap::default();
        let mut states = vec![from.to_vec()];
        numbers.insert(from.to_vec(), builder.state("0"));
        builder.init(0);
        let mut has_deadlock = false;
        let mut source = 0;
        while let Some(state) = states.get(source).cloned() {
            for (number, &prop) in props.iter().enumerate() {
                let value = walk.proposition(&state, self, number);
                builder.label(source as u32, prop, value);
            }
            let mut edges: Vec<(Option<String>, Mode, Coordinates)> = Vec::new();
            let mut is_sample = false;
            let query = MoveQuery { from: Some(&state), given: &[], monitor };
            let found = walk.moves(&query, &mut |found| {
                is_sample |= !found.sampled.is_empty();
                edges.push((found.step.action.clone(), found.mode(), found.target));
                if edges.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            found.map_err(|error| error.to_string())?;
            has_deadlock |= edges.is_empty();
            if is_sample || edges.len() > most {
                return Err("a state has more successors than are looked at".to_owned());
            }
            for (action, mode, target) in edges {
                let next = states.len();
                let target = *numbers.entry(target).or_insert_with_key(|target| {
                    states.push(target.clone());
                    builder.state(next.to_string())
                });
                let action = action.filter(|_| has_actions).map(|name| builder.action(&name));
                builder.edge(source as u32, action, mode, target);
            }
            if states.len() > most {
                return Err(format!("more than {most} states can be reached from here"));
            }
            source += 1;
            monitor.check().map_err(|stopped| stopped.to_string())?;
        }
        Ok(Reached { states, builder, has_deadlock })
    }
}

/// The states reachable from a state.
struct Reached {
    states: Vec<Coordinates>,
    builder: ModelBuilder,
    has_deadlock: bool,
}

fn surface_of(asked: &StatedProperty) -> Result<Surface, Error> {
    let property = asked.property.as_ref();
    let surface = property.map(|property| property.surface.clone());
    surface.ok_or_else(|| {
        Error::message(asked.not_supported.as_deref().unwrap_or("it is not supported"))
    })
}
