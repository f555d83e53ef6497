//! The text in the box of a place, in all drawings.

use super::words::{and, claim, facts, props, verb};
use super::wrap::cut;
use crate::visible::one_line;
use logic::Truth;
use logic::evidence::Digest;

/// The label of each edge of a must hyper-transition.
pub(crate) const ONE_OF: &str = "one of";

pub(crate) struct Caption {
    pub state: String,
    /// `{p, q?}`; empty if there are none.
    pub labels: String,
    /// `EF p fails`
    pub claim: String,
    /// Empty if the successors are the reason.
    pub reason: String,
    pub value: Truth,
}

impl Caption {
    /// `names` are those of the states.
    pub fn new(digest: &Digest, place: u32, names: &[String], longest: usize) -> Self {
        let state = digest.state_of(place);
        let node = digest.node(digest.place(place).node);
        let props = props(state);
        let labels =
            if props.is_empty() { String::new() } else { format!("{{{}}}", props.join(", ")) };
        let verb = verb(node.value);
        let room = longest.saturating_sub(verb.len() + 1);
        Self {
            state: names[node.state as usize].clone(),
            labels: cut(&labels, longest),
            claim: format!("{} {verb}", cut(&one_line(&node.subformula), room)),
            reason: reason(digest, place, longest),
            value: node.value,
        }
    }

    /// Without empty ones.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        let lines = [&self.state, &self.labels, &self.claim, &self.reason];
        lines.into_iter().map(String::as_str).filter(|line| !line.is_empty())
    }
}

/// `as EF p fails and p is false`
pub(crate) fn reason(digest: &Digest, place: u32, longest: usize) -> String {
    let here = digest.place(place);
    let mut reasons: Vec<String> = here.then.iter().map(|&node| claim(digest.node(node))).collect();
    reasons.extend(facts(digest, &here.facts));
    if reasons.is_empty() {
        return String::new();
    }
    cut(&format!("as {}", and(&reasons)).replace('`', ""), longest)
}
