//! An explanation as a document for programs: every position, nothing folded; of a run its states.

use super::ExplanationHead;
use super::run::{RunRow, run_rows};
use crate::json::{TOOL, Value, to_json};
use crate::parts::FormulaPart;
use crate::sentence;
use logic::evidence::{
    Assignments, Explanation, ProofOutline, RunNotes, ShownMember, ShownNode, ShownSon, ShownState,
    Why,
};
use serde::Serialize;
use serde_json::Map;

/// One line of JSON; the fields are described in the manual.
pub fn json(head: &ExplanationHead, explanation: &Explanation) -> String {
    match &explanation.run {
        Some(notes) => document(head, explanation, "story", Run::new(explanation, notes)),
        None => document(head, explanation, "graph", Graph::new(head, explanation)),
    }
}

fn document(
    head: &ExplanationHead,
    explanation: &Explanation,
    shape: &'static str,
    body: impl Serialize,
) -> String {
    to_json(&Document {
        shape,
        tool: TOOL,
        version: head.version,
        files: head.files,
        property: head.property,
        logic: head.logic,
        formula: head.formula,
        verdict: Value(explanation.verdict),
        reason: head.reason.map(sentence::reason),
        body,
    })
}

#[derive(Serialize)]
struct Document<'a, B> {
    shape: &'static str,
    tool: &'static str,
    version: &'a str,
    files: &'a [String],
    property: &'a str,
    logic: &'static str,
    formula: &'a str,
    verdict: Value,
    reason: Option<String>,
    #[serde(flatten)]
    body: B,
}

#[derive(Serialize)]
struct Graph<'a> {
    components: &'a [String],
    states: Vec<State<'a>>,
    nodes: Vec<Node<'a>>,
    roots: &'a [u32],
    cut: u64,
    parts: Vec<&'a FormulaPart>,
}

impl<'a> Graph<'a> {
    fn new(head: &'a ExplanationHead, explanation: &'a Explanation) -> Self {
        let Explanation { components, states, nodes, roots, cut, .. } = explanation;
        let is_used =
            |part: &&FormulaPart| nodes.iter().any(|node| node.subformula == part.subformula);
        Self {
            components,
            states: states.iter().map(State::new).collect(),
            nodes: nodes.iter().map(Node::new).collect(),
            roots,
            cut: *cut,
            parts: head.parts.iter().filter(is_used).collect(),
        }
    }
}

#[derive(Serialize)]
struct State<'a> {
    members: Vec<Option<Member<'a>>>,
}

#[derive(Serialize)]
struct Member<'a> {
    name: &'a str,
    #[serde(rename = "true")]
    true_props: &'a [String],
    #[serde(rename = "unknown")]
    unknown_props: &'a [String],
}

impl<'a> State<'a> {
    fn new(state: &'a ShownState) -> Self {
        let member = |ShownMember { name, true_props, unknown_props, .. }: &'a ShownMember| {
            Member { name, true_props, unknown_props }
        };
        Self { members: state.members.iter().map(|own| own.as_ref().map(member)).collect() }
    }
}

#[derive(Serialize)]
struct Node<'a> {
    state: u32,
    subformula: &'a str,
    value: Value,
    why: &'static str,
    sons: Vec<Son<'a>>,
}

#[derive(Serialize)]
struct Son<'a> {
    node: u32,
    step: Option<Step<'a>>,
}

#[derive(Serialize)]
struct Step<'a> {
    action: Option<&'a str>,
    sure: bool,
    one_of: bool,
}

impl<'a> Node<'a> {
    fn new(node: &'a ShownNode) -> Self {
        let son = |son: &'a ShownSon| Son {
            node: son.node,
            step: son.step.as_ref().map(|step| Step {
                action: step.action.as_deref(),
                sure: step.is_sure,
                one_of: step.is_one_of,
            }),
        };
        Self {
            state: node.state,
            subformula: &node.subformula,
            value: Value(node.value),
            why: name_of(node.why),
            sons: node.sons.iter().map(son).collect(),
        }
    }
}

fn name_of(why: Why) -> &'static str {
    match why {
        Why::Itself => "itself",
        Why::One => "one",
        Why::All => "all",
        Why::Unfolding => "unfolding",
        Why::Missing => "missing",
        Why::Throughout => "throughout",
        Why::Forever => "forever",
        Why::Cut => "cut",
    }
}

#[derive(Serialize)]
struct Run<'a> {
    steps: Vec<RunStep>,
    /// The number of the step, from 0, that the run goes on with after the last.
    back_to: Option<usize>,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    goes_on: Option<GoesOn<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    goes_on_otherwise: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<Argument<'a>>,
}

#[derive(Serialize)]
struct GoesOn<'a> {
    /// The number of a step, from 0.
    like: usize,
    wherever: &'a [String],
}

#[derive(Serialize)]
struct RunStep {
    #[serde(flatten)]
    doing: Doing,
    values: Values,
    remarks: Vec<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Doing {
    Command { line: Option<usize>, command: String },
    Inputs { inputs: Values },
}

type Values = Map<String, serde_json::Value>;

impl<'a> Run<'a> {
    fn new(explanation: &'a Explanation, notes: &'a RunNotes) -> Self {
        let (rows, back_to) = run_rows(explanation);
        let map = |values: &Assignments| -> Values {
            values.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect()
        };
        let step = |RunRow { statement, values, inputs, remarks }| RunStep {
            doing: match statement {
                Some((line, command)) => Doing::Command { line, command },
                None => Doing::Inputs { inputs: map(inputs) },
            },
            values: map(values),
            remarks,
        };
        let goes_on = notes.recurrence.as_ref();
        Self {
            steps: rows.into_iter().map(step).collect(),
            back_to,
            complete: explanation.cut == 0,
            goes_on: goes_on.map(|like| GoesOn { like: like.from, wherever: &like.wherever }),
            goes_on_otherwise: notes.goes_on,
            argument: notes.proof.as_ref().map(Argument::new),
        }
    }
}

#[derive(Serialize)]
struct Argument<'a> {
    places: Vec<Held<'a>>,
    measures: Vec<Measured<'a>>,
}

#[derive(Serialize)]
struct Held<'a> {
    lines: &'a [usize],
    place: &'a str,
    always: &'a [String],
    cases: &'a [Vec<String>],
}

#[derive(Serialize)]
struct Measured<'a> {
    measure: &'a str,
    lines: &'a [usize],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    places: &'a [String],
}

impl<'a> Argument<'a> {
    fn new(proof: &'a ProofOutline) -> Self {
        let places = proof.invariants.iter().map(|own| Held {
            lines: &own.lines,
            place: &own.location,
            always: &own.always,
            cases: &own.cases,
        });
        let measures = proof.rankings.iter().map(|own| Measured {
            measure: &own.ranking,
            lines: &own.lines,
            places: &own.locations,
        });
        Self { places: places.collect(), measures: measures.collect() }
    }
}
