//! A model as a graph to be drawn.

use super::search::Words;
use super::window::{Graph, Window};
use crate::protocol::List;
use serde::Serialize;
use tertium::Stopped;
use tertium::Verdict as Truth;
use tertium::inspect::Monitor;
use tertium::inspect::PropId;
use tertium::inspect::{Covers, Edges, Hyper, StateGraph as Model};

/// The most edges that are drawn.
const MOST_EDGES: usize = 20_000;

/// A model, and the edges the other way round.
pub struct ModelGraph<'m> {
    model: &'m Model,
    backward: &'m Edges,
    hyper: &'m HyperInto,
}

/// By state: how many hyper-transitions lead there, from where.
#[derive(Default)]
pub struct HyperInto(std::collections::HashMap<u32, Vec<u32>>);

impl HyperInto {
    pub fn new(model: &Model) -> Self {
        let mut into = Self::default();
        for Hyper { source, targets } in model.hyper() {
            for target in targets {
                into.0.entry(*target).or_default().push(*source);
            }
        }
        into
    }

    fn of(&self, state: u32) -> &[u32] {
        self.0.get(&state).map_or(&[], Vec::as_slice)
    }
}

impl<'m> ModelGraph<'m> {
    pub fn new(model: &'m Model, backward: &'m Edges, hyper: &'m HyperInto) -> Self {
        Self { model, backward, hyper }
    }
}

impl Graph for ModelGraph<'_> {
    fn len(&self) -> usize {
        self.model.states()
    }

    fn starts(&self) -> &[u32] {
        self.model.init()
    }

    fn for_each_out(&self, state: u32, visit: &mut dyn FnMut(u32)) {
        self.model.edges().out(state).for_each(|(target, _)| visit(target));
        self.model
            .hyper_from(state)
            .iter()
            .flat_map(|hyper| &hyper.targets)
            .for_each(|&t| visit(t));
    }

    fn for_each_in(&self, state: u32, visit: &mut dyn FnMut(u32)) {
        self.backward.out(state).for_each(|(source, _)| visit(source));
        self.hyper.of(state).iter().for_each(|&source| visit(source));
    }
}

/// The answer to `/api/component`.
#[derive(Serialize, Debug)]
pub struct ComponentDocument<'a> {
    component: Option<&'a str>,
    kind: &'static str,
    states: usize,
    transitions: usize,
    components: &'a [String],
    props: Vec<&'a str>,
    complete: bool,
    nodes: Vec<Node>,
    edges: Vec<Arrow<'a>>,
    hyper: Vec<Fork>,
    covers: Vec<Cover<'a>>,
    constants: &'a [(String, String)],
    #[serde(skip_serializing_if = "is_zero")]
    edges_left_out: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[derive(Serialize, Debug)]
struct Node {
    id: u32,
    name: String,
    members: Vec<String>,
    initial: bool,
    #[serde(rename = "true")]
    true_props: Vec<String>,
    #[serde(rename = "unknown")]
    unknown_props: Vec<String>,
    out: usize,
    #[serde(rename = "in")]
    into: usize,
    more: usize,
}

#[derive(Serialize, Debug)]
struct Arrow<'a> {
    from: u32,
    to: u32,
    may: bool,
    must: bool,
    action: Option<&'a str>,
}

#[derive(Serialize, Debug)]
struct Fork {
    from: u32,
    to: Vec<u32>,
    inside: bool,
}

#[derive(Serialize, Debug)]
struct Cover<'a> {
    state: u32,
    covered: &'a [u32],
    exactly: bool,
}

/// The data of a model besides its graph.
pub struct Caption<'a> {
    /// `None` for the composition.
    pub component: Option<&'a str>,
    /// The components of which a state has members.
    pub components: &'a [String],
    /// Their models, if there are several.
    pub parts: &'a [&'a Model],
    pub constants: &'a [(String, String)],
}

impl<'a> ComponentDocument<'a> {
    pub fn new(
        graph: &ModelGraph<'a>,
        caption: &Caption<'a>,
        window: &Window,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        let model = graph.model;
        let chosen = window.nodes(graph, monitor)?;
        let is_shown = |state: &u32| chosen.contains(*state);
        let nodes =
            chosen.nodes.iter().map(|&state| node(graph, caption, state, &is_shown)).collect();
        let all = chosen.nodes.iter().flat_map(|&from| {
            model.edges().out(from).filter(|(to, _)| is_shown(to)).map(move |(to, class)| Arrow {
                from,
                to,
                may: class.mode.may,
                must: class.mode.must,
                action: class.action.map(|action| model.actions().name(action)),
            })
        });
        let mut edges: Vec<Arrow> = Vec::new();
        let mut edges_left_out = 0;
        for edge in all {
            if edges.len() < MOST_EDGES { edges.push(edge) } else { edges_left_out += 1 }
        }
        let forks =
            chosen.nodes.iter().flat_map(|&state| model.hyper_from(state)).map(|hyper| Fork {
                from: hyper.source,
                to: hyper.targets.clone(),
                inside: hyper.targets.iter().all(is_shown),
            });
        let covers = model.covers().iter().filter(|cover| is_shown(&cover.state));
        Ok(Self {
            component: caption.component,
            kind: model.kind.name(),
            states: model.states(),
            transitions: model.edges().len() + model.hyper().len(),
            components: caption.components,
            props: model.props().names().collect(),
            complete: chosen.nodes.len() == model.states(),
            nodes,
            edges,
            hyper: forks.collect(),
            covers: covers
                .map(|Covers { state, covered, exactly }| Cover {
                    state: *state,
                    covered,
                    exactly: *exactly,
                })
                .collect(),
            constants: caption.constants,
            edges_left_out,
        })
    }
}

fn node(
    graph: &ModelGraph,
    caption: &Caption,
    state: u32,
    is_shown: &dyn Fn(&u32) -> bool,
) -> Node {
    let model = graph.model;
    let (mut out, mut into, mut more) = (0, 0, 0);
    graph.for_each_out(state, &mut |other| {
        out += 1;
        more += usize::from(!is_shown(&other));
    });
    graph.for_each_in(state, &mut |other| {
        into += 1;
        more += usize::from(!is_shown(&other));
    });
    let with = |value: Truth| {
        let named = model
            .props()
            .iter()
            .filter(|(prop, _): &(PropId, &str)| model.label(state, *prop) == value);
        named.map(|(_, name)| name.to_owned()).collect()
    };
    let name = model.state_name(state);
    let members = match model.names().tuple(state) {
        [] => vec![name.clone()],
        tuple => {
            caption.parts.iter().zip(tuple).map(|(part, &member)| part.state_name(member)).collect()
        }
    };
    Node {
        id: state,
        name,
        members,
        initial: model.init().contains(&state),
        true_props: with(Truth::True),
        unknown_props: with(Truth::Unknown),
        out,
        into,
        more,
    }
}

/// The answer to `/api/states`.
#[derive(Serialize, Debug)]
pub struct StatesDocument {
    total: usize,
    states: Vec<Found>,
}

#[derive(Serialize, Debug)]
struct Found {
    id: u32,
    name: String,
    initial: bool,
}

impl StatesDocument {
    pub fn new(model: &Model, list: &List, monitor: &Monitor) -> Result<Self, Stopped> {
        let words = Words::new(&list.query);
        let page = list.page();
        let (mut total, mut states) = (0, Vec::new());
        for id in 0..model.states() as u32 {
            let is_wanted = page.contains(&total);
            if id % 1024 == 0 {
                monitor.step(1024)?;
            }
            if words.is_empty() && !is_wanted {
                total += 1;
                continue;
            }
            let name = model.state_name(id);
            if words.are_in(&name) {
                if is_wanted {
                    states.push(Found { id, name, initial: model.init().contains(&id) });
                }
                total += 1;
            }
        }
        Ok(Self { total, states })
    }
}
