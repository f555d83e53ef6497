//! An explanation as a document for programs: every position, nothing folded.

use super::Head;
use crate::json::{TOOL, Value, to_json};
use crate::parts::FormulaPart;
use crate::sentence;
use explicit::{Explanation, ShownMember, ShownNode, ShownSon, ShownState, ShownStep, Why};
use serde::Serialize;

/// One line of JSON; the fields are described in the manual.
pub fn json(head: &Head, explanation: &Explanation) -> String {
    let is_used = |part: &&FormulaPart| {
        explanation.nodes.iter().any(|node| node.subformula == part.subformula)
    };
    to_json(&Document {
        shape: "graph",
        tool: TOOL,
        version: head.version,
        files: head.files,
        property: head.property,
        logic: head.logic,
        formula: head.formula,
        verdict: Value(explanation.verdict),
        reason: explanation.reason.as_ref().map(sentence::reason),
        components: &explanation.components,
        states: explanation.states.iter().map(State::new).collect(),
        nodes: explanation.nodes.iter().map(Node::new).collect(),
        roots: &explanation.roots,
        cut: explanation.cut,
        parts: head.parts.iter().filter(is_used).collect(),
    })
}

#[derive(Serialize)]
struct Document<'a> {
    shape: &'static str,
    tool: &'static str,
    version: &'a str,
    files: &'a [String],
    property: &'a str,
    logic: &'static str,
    formula: &'a str,
    verdict: Value,
    reason: Option<String>,
    components: &'a [String],
    states: Vec<State<'a>>,
    nodes: Vec<Node<'a>>,
    roots: &'a [u32],
    cut: u64,
    parts: Vec<&'a FormulaPart>,
}

#[derive(Serialize)]
pub(crate) struct State<'a> {
    members: Vec<Option<Member<'a>>>,
}

impl<'a> State<'a> {
    pub fn new(state: &'a ShownState) -> Self {
        let member = |member: &'a Option<ShownMember>| member.as_ref().map(Member::new);
        Self { members: state.members.iter().map(member).collect() }
    }
}

#[derive(Serialize)]
struct Member<'a> {
    name: &'a str,
    #[serde(rename = "true")]
    true_props: &'a [String],
    #[serde(rename = "unknown")]
    unknown_props: &'a [String],
}

impl<'a> Member<'a> {
    fn new(member: &'a ShownMember) -> Self {
        let ShownMember { name, true_props, unknown_props } = member;
        Self { name, true_props, unknown_props }
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

impl<'a> Node<'a> {
    fn new(node: &'a ShownNode) -> Self {
        Self {
            state: node.state,
            subformula: &node.subformula,
            value: Value(node.value),
            why: name_of(node.why),
            sons: node.sons.iter().map(Son::new).collect(),
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
        Why::Cut => "cut",
    }
}

#[derive(Serialize)]
struct Son<'a> {
    node: u32,
    step: Option<Step<'a>>,
}

impl<'a> Son<'a> {
    fn new(son: &'a ShownSon) -> Self {
        Self { node: son.node, step: son.step.as_ref().map(Step::new) }
    }
}

#[derive(Serialize)]
struct Step<'a> {
    action: Option<&'a str>,
    sure: bool,
    one_of: bool,
}

impl<'a> Step<'a> {
    fn new(step: &'a ShownStep) -> Self {
        let ShownStep { action, is_sure: sure, is_one_of: one_of } = step;
        Self { action: action.as_deref(), sure: *sure, one_of: *one_of }
    }
}
