//! What the page in the browser is told: all that it shows, in words already.

use super::ExplanationHead;
use super::names::short_names;
use super::picture::reason;
use super::text::{conclusion, missing};
use super::words::{arrow, explained, place_name, props, verb};
use crate::json::Value;
use explicit::{Cause, Reason};
use logic::Truth;
use logic::evidence::{
    Digest, DigestEdge, EvidencePath, Explanation, ShownNode, ShownSon, ShownStep, Why, path,
};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// In a line of a box, as the script beside it draws them.
const LETTERS: usize = 30;

/// The script beside it reads these names.
#[derive(Serialize)]
pub(crate) struct Page<'a> {
    property: &'a str,
    logic: &'static str,
    formula: &'a str,
    files: &'a [String],
    version: &'a str,
    verdict: Value,
    /// What it comes down to, if that can be said in a sentence.
    conclusion: String,
    cut: u64,
    components: &'a [String],
    states: Vec<State<'a>>,
    /// Texts that many nodes share.
    formulas: Vec<&'a str>,
    /// What a person wants to read, and every position.
    short: Graph,
    full: Graph,
    /// If the evidence is a path.
    trace: Option<Trace>,
}

#[derive(Serialize)]
struct State<'a> {
    name: String,
    /// As it fits a box, if the name does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    short: Option<String>,
    props: Vec<String>,
    /// By component.
    members: Vec<Option<&'a str>>,
}

#[derive(Serialize)]
struct Graph {
    nodes: Vec<Node>,
    roots: Vec<u32>,
}

#[derive(Serialize)]
struct Node {
    state: u32,
    formula: usize,
    verb: &'static str,
    value: Value,
    reason: String,
    sons: Vec<Son>,
}

#[derive(Serialize)]
struct Son {
    to: u32,
    /// `None` if it stays in the state.
    arrow: Option<String>,
    may: bool,
    /// Whether it is one of several targets of one step.
    one_of: bool,
}

impl Son {
    fn new(to: u32, step: Option<&ShownStep>) -> Self {
        Self {
            to,
            arrow: step.map(arrow),
            may: step.is_some_and(|step| !step.is_sure),
            one_of: step.is_some_and(|step| step.is_one_of),
        }
    }
}

#[derive(Serialize)]
struct Trace {
    rows: Vec<Row>,
    /// The row that the last one leads back to.
    back: Option<usize>,
    /// By which step.
    back_arrow: Option<String>,
}

#[derive(Serialize)]
struct Row {
    state: u32,
    arrow: Option<String>,
    /// A node of the short graph.
    node: u32,
}

impl<'a> Page<'a> {
    pub fn new(head: &ExplanationHead<'a>, explanation: &'a Explanation) -> Self {
        let digest = Digest::new(explanation);
        let path = path(&digest);
        let told = path.as_ref().map(|path| conclusion(head, &digest, path));
        let mut texts = Texts::default();
        let mut states = states(explanation);
        let (mut short, mut full) = (short(&digest, &mut texts), full(explanation, &mut texts));
        if let Some(open) = OpenEnd::new(head, explanation) {
            let place = digest.places.iter().position(|place| place.facts.contains(&open.node));
            let text = texts.number("this step");
            short.add_open_end(place, &open, states.len(), text);
            full.add_open_end(Some(open.node as usize), &open, states.len(), text);
            states.push(open.state);
        }
        Self {
            property: head.property,
            logic: head.logic,
            formula: head.formula,
            files: head.files,
            version: head.version,
            verdict: Value(explanation.verdict),
            conclusion: told.or_else(|| missing(head)).unwrap_or_default(),
            cut: explanation.cut,
            components: &explanation.components,
            states,
            short,
            full,
            trace: path.as_ref().map(trace),
            formulas: texts.all,
        }
    }
}

/// The step of which it is not known whether it is there.
struct OpenEnd<'a> {
    /// The position that depends on it.
    node: u32,
    step: ShownStep,
    /// Where it would lead.
    state: State<'a>,
}

impl<'a> OpenEnd<'a> {
    /// `None` if knowledge of something else is missing, or if it is told in other states.
    fn new(head: &ExplanationHead<'a>, explanation: &'a Explanation) -> Option<Self> {
        let Some(Reason::Doubt(doubt)) = head.reason else { return None };
        let Cause::Transition { steps, action } = &doubt.cause else { return None };
        let node = explanation.nodes.iter().position(|node| node.why == Why::Missing)?;
        let mut target = explanation.states[explanation.nodes[node].state as usize].clone();
        let names = explanation.states[explanation.nodes[node].state as usize].members.iter();
        let mut members: Vec<Option<&str>> = names.map(|m| m.as_ref().map(|m| &*m.name)).collect();
        for step in steps {
            let component = explanation.components.iter().position(|c| *c == step.component)?;
            let member = target.members[component].as_mut().filter(|m| m.name == step.from)?;
            member.name.clone_from(&step.to);
            members[component] = Some(&step.to);
        }
        let state = State {
            name: place_name(explanation, &target),
            short: None,
            props: Vec::new(),
            members,
        };
        let step = ShownStep { action: action.clone(), ..ShownStep::default() };
        Some(Self { node: node as u32, step, state })
    }
}

impl Graph {
    fn add_open_end(&mut self, from: Option<usize>, open: &OpenEnd, state: usize, text: usize) {
        let Some(from) = from else { return };
        let end = self.nodes.len() as u32;
        self.nodes[from].sons.push(Son::new(end, Some(&open.step)));
        self.nodes.push(Node {
            state: state as u32,
            formula: text,
            verb: verb(Truth::Unknown),
            value: Value(Truth::Unknown),
            reason: "it may be there or not".to_owned(),
            sons: Vec::new(),
        });
    }
}

/// Each text once.
#[derive(Default)]
struct Texts<'a> {
    all: Vec<&'a str>,
    numbers: FxHashMap<&'a str, usize>,
}

impl<'a> Texts<'a> {
    fn number(&mut self, text: &'a str) -> usize {
        *self.numbers.entry(text).or_insert_with(|| {
            self.all.push(text);
            self.all.len() - 1
        })
    }
}

fn states(explanation: &Explanation) -> Vec<State<'_>> {
    let short = short_names(explanation, LETTERS);
    let states = explanation.states.iter().zip(short);
    let state = states.map(|(shown, short)| {
        let name = place_name(explanation, shown);
        let members = shown.members.iter().map(|m| m.as_ref().map(|m| m.name.as_str()));
        let short = (short != name).then_some(short);
        State { name, short, props: props(shown), members: members.collect() }
    });
    state.collect()
}

fn short<'a>(digest: &Digest<'a>, texts: &mut Texts<'a>) -> Graph {
    let son = |next: &DigestEdge| Son::new(next.place, next.step);
    let places = digest.places.iter().zip(0..).map(|(place, number)| {
        let reason = reason(digest, number, usize::MAX);
        node(digest.node(place.node), reason, place.moves.iter().map(son).collect(), texts)
    });
    let nodes = places.collect();
    Graph { nodes, roots: digest.roots.clone() }
}

fn full<'a>(explanation: &'a Explanation, texts: &mut Texts<'a>) -> Graph {
    let son = |son: &ShownSon| Son::new(son.node, son.step.as_ref());
    let nodes = explanation
        .nodes
        .iter()
        .map(|shown| node(shown, explained(shown), shown.sons.iter().map(son).collect(), texts));
    Graph { nodes: nodes.collect(), roots: explanation.roots.clone() }
}

fn node<'a>(shown: &'a ShownNode, reason: String, sons: Vec<Son>, texts: &mut Texts<'a>) -> Node {
    Node {
        state: shown.state,
        formula: texts.number(&shown.subformula),
        verb: verb(shown.value),
        value: Value(shown.value),
        reason,
        sons,
    }
}

fn trace(path: &EvidencePath) -> Trace {
    let rows = path.rows.iter().map(|row| Row {
        state: row.state,
        arrow: row.step.map(arrow),
        node: row.places.first().copied().unwrap_or_default(),
    });
    let back = path.back.as_ref();
    Trace {
        rows: rows.collect(),
        back: back.map(|back| back.row),
        back_arrow: back.and_then(|back| back.step).map(arrow),
    }
}
