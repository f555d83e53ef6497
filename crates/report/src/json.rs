//! What `--json` prints.

use crate::answer::Answer;
use crate::sentence;
use explicit::{AbstractSize, DeadEnd, Knowledge, Stats};
use logic::Truth;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

pub(crate) const TOOL: &str = "tertium";

/// One line of JSON.
pub fn to_json(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string(document).expect("keys are strings and nothing fails");
    text.push('\n');
    text
}

/// The answer of `tertium check`.
#[derive(Serialize)]
pub struct CheckDocument<'a> {
    tool: &'static str,
    version: &'a str,
    files: &'a [String],
    results: Vec<Entry<'a>>,
}

impl<'a> CheckDocument<'a> {
    pub fn new(version: &'a str, files: &'a [String], answers: &'a [Answer]) -> Self {
        Self { tool: TOOL, version, files, results: answers.iter().map(Entry::new).collect() }
    }
}

/// What was asked and what came out.
#[derive(Serialize)]
pub(crate) struct Head<'a> {
    property: &'a str,
    /// Empty, like the formula, if a limit was reached before the property was read.
    logic: &'static str,
    formula: &'a str,
    verdict: Value,
    method: &'static str,
}

impl<'a> Head<'a> {
    pub(crate) fn new(answer: &'a Answer) -> Self {
        Self {
            property: &answer.property,
            logic: answer.logic.unwrap_or_default(),
            formula: &answer.formula,
            verdict: Value(answer.outcome.verdict),
            method: answer.outcome.method.name(),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct Entry<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    seconds: f64,
    reason: Option<String>,
    falsified_in: Option<&'a str>,
    deadlock: Option<Deadlock<'a>>,
    stats: Figures<'a>,
    /// What a refinement had found out when a limit ended it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    knowledge: Vec<Known<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Values<'a>>,
}

impl<'a> Entry<'a> {
    pub(crate) fn new(answer: &'a Answer) -> Self {
        let outcome = &answer.outcome;
        Self {
            head: Head::new(answer),
            seconds: answer.seconds,
            reason: outcome.reason.as_ref().map(sentence::reason),
            falsified_in: answer.falsified_in(),
            deadlock: outcome.dead_end.as_ref().map(Deadlock::new),
            stats: Figures::new(&outcome.stats, answer.peak_bytes),
            knowledge: outcome.knowledge.iter().map(Known::new).collect(),
            values: outcome.values.as_deref().map(Values),
        }
    }
}

/// A state that nothing follows; the components that have no step of their own there.
#[derive(Serialize)]
struct Deadlock<'a> {
    state: &'a str,
    stuck: &'a [String],
}

impl<'a> Deadlock<'a> {
    fn new(dead_end: &'a DeadEnd) -> Self {
        Self { state: &dead_end.state, stuck: &dead_end.stuck }
    }
}

/// A subformula that has a definite value in so many states, of which some are named.
#[derive(Serialize)]
struct Known<'a> {
    subformula: &'a str,
    value: Value,
    components: &'a [String],
    count: u64,
    states: &'a [String],
}

impl<'a> Known<'a> {
    fn new(knowledge: &'a Knowledge) -> Self {
        let Knowledge { subformula, components, value, count, states } = knowledge;
        Self { subformula, value: Value(*value), components, count: *count, states }
    }
}

/// How many states the abstraction of a component has, and how many the component.
#[derive(Serialize)]
pub(crate) struct Extent<'a> {
    component: &'a str,
    #[serde(rename = "abstract")]
    own: u64,
    /// `None` if infinitely many.
    concrete: Option<u64>,
}

impl<'a> Extent<'a> {
    pub(crate) fn new(size: &'a AbstractSize) -> Self {
        let AbstractSize { component, abstract_states, concrete_states } = size;
        Self { component, own: *abstract_states, concrete: *concrete_states }
    }
}

#[derive(Serialize)]
struct Figures<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transitions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_edges: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    component_nodes: Option<&'a [u64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    product_nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    abstract_states: Option<Vec<Extent<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coloured_nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagram_nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reorderings: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relevant_states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked_pieces: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reused_pieces: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    piece_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    piece_states: Option<u64>,
    peak_bytes: u64,
}

impl<'a> Figures<'a> {
    fn new(stats: &'a Stats, peak_bytes: u64) -> Self {
        let sizes = |sizes: &'a [AbstractSize]| sizes.iter().map(Extent::new).collect();
        Self {
            states: stats.states,
            transitions: stats.transitions,
            game_nodes: stats.game_nodes,
            game_edges: stats.game_edges,
            component_nodes: stats.component_nodes.as_deref(),
            product_nodes: stats.product_nodes,
            iterations: stats.iterations,
            abstract_states: stats.abstract_states.as_deref().map(sizes),
            coloured_nodes: stats.coloured_nodes,
            diagram_nodes: stats.diagram_nodes,
            reorderings: stats.reorderings,
            relevant_states: stats.relevant_states,
            pieces: stats.pieces,
            checked_pieces: stats.checked_pieces,
            reused_pieces: stats.reused_pieces,
            passes: stats.passes,
            piece_bytes: stats.piece_bytes,
            piece_states: stats.piece_states,
            peak_bytes,
        }
    }
}

pub(crate) struct Value(pub(crate) Truth);

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A map in the order of the states.
struct Values<'a>(&'a [(String, Truth)]);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (state, value) in self.0 {
            map.serialize_entry(state, &Value(*value))?;
        }
        map.end()
    }
}

/// The answer of `tertium solve --json`: a summary, no strategy.
#[derive(Serialize, Clone, Debug)]
pub struct SolveDocument {
    pub tool: &'static str,
    pub version: &'static str,
    pub file: String,
    pub nodes: u64,
    pub edges: u64,
    /// How many nodes each player wins; absent if a limit was reached.
    pub won: Option<[u64; 2]>,
    pub verified: Option<bool>,
    pub reason: Option<String>,
    pub read_seconds: f64,
    pub solve_seconds: f64,
    pub peak_bytes: u64,
}

impl SolveDocument {
    /// `3 nodes, 5 edges, read in 0.00 s, …`
    pub fn to_text(&self) -> String {
        let Self { nodes, edges, read_seconds, solve_seconds, .. } = self;
        let megabytes = self.peak_bytes as f64 / 1e6;
        format!(
            "{nodes} nodes, {edges} edges, read in {read_seconds:.3} s, solved in \
             {solve_seconds:.3} s, at most {megabytes:.1} MB\n"
        )
    }
}

/// The answer of `tertium compare --json`.
#[derive(Serialize, Clone, Debug)]
pub struct CompareDocument {
    pub tool: &'static str,
    pub version: &'static str,
    pub files: [String; 2],
    pub relation: Option<&'static str>,
    /// `None` if a limit was reached.
    pub holds: Option<bool>,
    pub reason: Option<String>,
}
