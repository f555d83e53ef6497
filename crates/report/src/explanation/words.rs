//! Positions of the game as phrases.

use super::wrap::cut;
use crate::visible::one_line;
use logic::Truth;
use logic::evidence::{
    Digest, Justification, ShownMember, ShownNode, ShownState, ShownStep, UnfoldedEvidence, is_word,
};
use std::borrow::Cow;

/// `holds`, of a formula.
pub(crate) fn verb(value: Truth) -> &'static str {
    match value {
        Truth::True => "holds",
        Truth::False => "fails",
        Truth::Unknown => "is unknown",
    }
}

/// Between backticks, and shortened.
pub(crate) fn quoted(formula: &str) -> String {
    const LONGEST: usize = 100;
    format!("`{}`", cut(&one_line(formula), LONGEST))
}

/// `` `EF p` fails ``
pub(crate) fn claim(node: &ShownNode) -> String {
    format!("{} {}", quoted(&node.subformula), verb(node.value))
}

/// Why a position needs no further ones.
pub(crate) fn fact(node: &ShownNode) -> String {
    let text = node.subformula.as_str();
    match node.why {
        Justification::Cut => format!("{} (not explored further)", claim(node)),
        Justification::Throughout => format!("{} (on all continuations)", claim(node)),
        _ if node.is_constant() => format!("it reduces to {}", quoted(text)),
        _ => match literal(node) {
            Some((prop, is_positive)) => {
                let value = if is_positive { node.value } else { !node.value };
                format!("{} is {value}", quoted(prop))
            }
            None if node.why == Justification::Missing || node.value == Truth::Unknown => {
                claim(node)
            }
            None => format!("there is no {}", steps_of(node)),
        },
    }
}

/// Why a position has its value, where its successors are shown beside it.
pub(crate) fn explained(node: &ShownNode) -> String {
    let moves = node.successors.iter().any(|successor| successor.step.is_some());
    match node.why {
        Justification::All
            if node
                .successors
                .iter()
                .any(|successor| successor.step.as_ref().is_some_and(|s| s.is_hyper)) =>
        {
            "one hyper-transition suffices: all its targets have this value".to_owned()
        }
        Justification::One if moves => "one transition suffices".to_owned(),
        Justification::One => "one operand suffices".to_owned(),
        Justification::All if moves => {
            "all successors by such transitions have this value".to_owned()
        }
        Justification::All if !node.successors.is_empty() => {
            "all operands have this value".to_owned()
        }
        Justification::Unfolding => "by unfolding the fixpoint".to_owned(),
        Justification::Itself
        | Justification::All
        | Justification::Missing
        | Justification::Throughout
        | Justification::Forever
        | Justification::Cut => fact(node).replace('`', ""),
    }
}

/// The proposition, and whether it stands without `!`.
fn literal(node: &ShownNode) -> Option<(&str, bool)> {
    let text = node.subformula.as_str();
    let (prop, is_positive) = match text.strip_prefix('!') {
        Some(prop) => (prop, false),
        None => (text, true),
    };
    // Only a modality asks about steps, and propositions can have spaces in them.
    let is_literal = is_word(prop) || (node.why == Justification::Itself && node.asked.is_none());
    let inner = prop.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let prop = inner.filter(|_| !is_positive).unwrap_or(prop);
    is_literal.then_some((prop, is_positive))
}

/// Whether it says that a proposition is false.
pub(crate) fn is_false(node: &ShownNode, prop: &str) -> bool {
    literal(node).is_some_and(|(text, is_positive)| {
        let value = if is_positive { node.value } else { !node.value };
        text == prop && value == Truth::False
    })
}

/// The transitions that a modality quantifies over: `transition`, or ``transition `send` ``.
pub(crate) fn steps_of(node: &ShownNode) -> String {
    match &node.asked {
        Some(set) if set.is_any() => "transition".to_owned(),
        _ => steps_by_text(&node.subformula),
    }
}

fn steps_by_text(text: &str) -> String {
    let text = text.trim_start_matches(['!', '(']);
    if ["AX", "EX", "X ", "box", "dia"].iter().any(|word| text.starts_with(word)) {
        return "transition".to_owned();
    }
    match bracketed(text) {
        Some("" | "true") => "transition".to_owned(),
        Some(actions) => format!("transition {}", quoted(without_parentheses(actions))),
        None => "such transition".to_owned(),
    }
}

/// The text between the brackets at the beginning.
fn bracketed(text: &str) -> Option<&str> {
    let (open, close) = match text.chars().next()? {
        '[' => ('[', ']'),
        '<' => ('<', '>'),
        _ => return None,
    };
    let mut depth = 0;
    let end = text.find(|c| {
        depth += i32::from(c == open) - i32::from(c == close);
        depth == 0
    })?;
    Some(text[1..end].trim())
}

/// `(a|b)` without the pair that encloses all of it.
fn without_parentheses(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(text)
}

/// Note on unexplored positions.
pub(crate) fn cut_note(explanation: &UnfoldedEvidence) -> Option<String> {
    let positions = if explanation.cut == 1 { "position was" } else { "positions were" };
    let note = || {
        format!(
            "{} {positions} not explored: the limit of --positions was reached",
            explanation.cut
        )
    };
    (explanation.cut > 0).then(note)
}

/// Each fact once; the first few of many.
pub(crate) fn facts(digest: &Digest, nodes: &[u32]) -> Vec<String> {
    const MOST: usize = 6;
    let mut reported: Vec<String> = Vec::new();
    let mut rest = 0;
    for &node in nodes {
        let fact = fact(digest.node(node));
        if reported.contains(&fact) {
            continue;
        }
        if reported.len() < MOST {
            reported.push(fact);
        } else {
            rest += 1;
        }
    }
    if rest > 0 {
        reported.push(format!("{rest} more such"));
    }
    reported
}

/// `a, b and c`
pub(crate) fn and(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// The arrow of a `.tm` file: `->`, `-go?>`, and `!>` to one of several states.
pub(crate) fn arrow(step: &ShownStep) -> String {
    let head = match (step.is_hyper, step.is_must) {
        (true, _) => "!>",
        (_, true) => "->",
        (_, false) => "?>",
    };
    match &step.action {
        Some(action) => format!("-{}{head}", one_line(action)),
        None => head.to_owned(),
    }
}

/// `s0,t0`, with `_` for what does not matter.
pub(crate) fn state_name(state: &ShownState) -> String {
    let name = |member: &Option<ShownMember>| match member {
        Some(member) => one_line(&member.name).into_owned(),
        None => "_".to_owned(),
    };
    let names: Vec<String> = state.members.iter().map(name).collect();
    names.join(",")
}

/// A state name in which, if some components are irrelevant, the relevant ones are named.
pub(crate) fn place_name(explanation: &UnfoldedEvidence, state: &ShownState) -> String {
    if !state.members.contains(&None) {
        return state_name(state);
    }
    let named = explanation.components.iter().zip(&state.members);
    let named = named.filter_map(|(component, member)| Some((component, member.as_ref()?)));
    let names: Vec<String> = named
        .map(|(component, member)| format!("{}={}", one_line(component), one_line(&member.name)))
        .collect();
    if names.is_empty() { "any state".to_owned() } else { names.join(",") }
}

/// The name of the state of a place.
pub(crate) fn name_of(digest: &Digest, place: u32) -> String {
    place_name(digest.explanation, digest.state_of(place))
}

/// The propositions that are true there, then those that are unknown, with `?`; each once.
pub(crate) fn props(state: &ShownState) -> Vec<String> {
    let members = || state.members.iter().flatten();
    let sure = members().flat_map(|member| &member.true_props).map(|prop| one_line(prop));
    let open = members().flat_map(|member| &member.unknown_props);
    let open = open.map(|prop| Cow::Owned(format!("{}?", one_line(prop))));
    let mut props: Vec<String> = Vec::new();
    for prop in sure.chain(open) {
        if !props.iter().any(|known| *known == prop) {
            props.push(prop.into_owned());
        }
    }
    props
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::ActionSet;

    #[test]
    fn steps_are_named_by_their_modality() {
        let cases = [
            ("AX p", "transition"),
            ("X ([] <> p)", "transition"),
            ("[] (p & q)", "transition"),
            ("<true> true", "transition"),
            ("[send|receive] p", "transition `send|receive`"),
            ("<(a || b)> true", "transition `a || b`"),
            ("[(a)|(b)] p", "transition `(a)|(b)`"),
            ("!([a] p)", "transition `a`"),
            ("A[p U q]", "such transition"),
            ("[", "such transition"),
            ("", "such transition"),
        ];
        for (text, words) in cases {
            assert_eq!(steps_by_text(text), words, "{text}");
        }
    }

    #[test]
    fn literals_are_named_by_their_proposition() {
        let node = |text: &str, value| ShownNode {
            why: Justification::Itself,
            ..ShownNode::new(0, text.to_owned(), None, value)
        };
        assert_eq!(fact(&node("!p", Truth::False)), "`p` is true");
        assert_eq!(fact(&node("p", Truth::Unknown)), "`p` is unknown");
        assert_eq!(fact(&node("true", Truth::True)), "it reduces to `true`");
        assert_eq!(fact(&node("!(x = 1)", Truth::False)), "`x = 1` is true");
        let mut modality = node("[a] p", Truth::True);
        modality.asked = Some(ActionSet::one("a"));
        assert_eq!(fact(&modality), "there is no transition `a`");
    }
}
