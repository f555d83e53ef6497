//! Printing a node of the arena back as the user wrote it.

use crate::PropId;
use crate::actions::ActionSet;
use crate::formula::{Fix, Formula, Modality, Node, NodeId, Origin};
use crate::surface::{Logic, fold_white_space};
use support::{Interner, Span};

impl Formula {
    /// A subformula as users have written it: of a variable, its fixpoint.
    pub fn written(&self, id: NodeId) -> String {
        let fixpoint = match self.node(id) {
            Node::Var(var) => self.nodes().find(|&(_, other)| other == Node::Fix(var)),
            _ => None,
        };
        self.show(fixpoint.map_or(id, |(fixpoint, _)| fixpoint))
    }

    /// The node in the user's own words where he wrote it, else put together from such words.
    pub fn show(&self, id: NodeId) -> String {
        match self.origin(id) {
            Origin::Source { span, negated: false } => self.snippet(span),
            Origin::Source { span, negated: true } => negation(&self.snippet(span)),
            Origin::Regular { span, modality, body } => {
                let (open, close) = brackets(modality);
                format!("{open}{}{close} {}", self.snippet(span), self.operand(body))
            }
            Origin::Repeated { span, modality, body } => {
                let (open, close) = brackets(modality);
                format!("{open}({})*{close} {}", self.snippet(span), self.operand(body))
            }
            Origin::Fair { negated } => if negated { "!fair" } else { "fair" }.to_owned(),
            Origin::Condition { number, negated } => {
                let name = self.conditions.get(number as usize).cloned().unwrap_or_default();
                if negated { negation(&name) } else { name }
            }
            Origin::Structure => self.show_structure(id),
        }
    }

    fn show_structure(&self, id: NodeId) -> String {
        match self.node(id) {
            Node::Const(value) => value.to_string(),
            Node::Lit(prop, positive) => format!("{}{prop:?}", if positive { "" } else { "!" }),
            Node::And(a, b) => format!("{} & {}", self.operand(a), self.operand(b)),
            Node::Or(a, b) => format!("{} | {}", self.operand(a), self.operand(b)),
            Node::Modal(modality, actions, body) => {
                let step = self.show_step(modality, self.actions(actions));
                format!("{step} {}", self.operand(body))
            }
            Node::Fix(var) | Node::Var(var) => self.var(var).name.clone(),
        }
    }

    fn show_step(&self, modality: Modality, actions: &ActionSet) -> String {
        let is_of_translation = self.logic.has_linear_operators() && actions.is_any();
        if self.logic.has_path_quantifiers() || is_of_translation {
            let operator = match modality {
                // The formula is about all paths anyway.
                Modality::Box if self.logic == Logic::Ltl => "X",
                Modality::Box => "AX",
                Modality::Dia => "EX",
            };
            return operator.to_owned();
        }
        let (open, close) = brackets(modality);
        format!("{open}{}{close}", show_actions(actions))
    }

    fn operand(&self, id: NodeId) -> String {
        let text = self.show(id);
        let unary =
            matches!(self.node(id), Node::Modal(..)) && self.origin(id) == Origin::Structure;
        if unary || is_one_word(&text) { text } else { format!("({text})") }
    }

    fn snippet(&self, span: Span) -> String {
        fold_white_space(self.text.get(span.range()).unwrap_or_default())
    }

    /// The normal form in the syntax of `mu`, every fixpoint variable with a name of its own.
    pub fn to_mu(&self, props: &Interner<PropId>) -> String {
        let mut texts: Vec<String> = Vec::with_capacity(self.len());
        for (_, node) in self.nodes() {
            let of = |id: NodeId| &texts[id.0 as usize];
            texts.push(match node {
                Node::Const(value) => value.to_string(),
                Node::Lit(prop, true) => props.name(prop).to_owned(),
                Node::Lit(prop, false) => format!("!{}", props.name(prop)),
                Node::And(a, b) => format!("({} & {})", of(a), of(b)),
                Node::Or(a, b) => format!("({} | {})", of(a), of(b)),
                Node::Modal(modality, actions, body) => {
                    let (open, close) = brackets(modality);
                    format!("{open}{}{close}{}", show_actions(self.actions(actions)), of(body))
                }
                Node::Var(var) => format!("Z_{}", var.0),
                Node::Fix(var) => {
                    let info = self.var(var);
                    let eta = if info.kind == Fix::Mu { "mu" } else { "nu" };
                    format!("({eta} Z_{}. {})", var.0, of(info.body))
                }
            });
        }
        texts.swap_remove(self.root().0 as usize)
    }
}

fn negation(text: &str) -> String {
    if is_one_word(text) { format!("!{text}") } else { format!("!({text})") }
}

fn is_one_word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

fn brackets(modality: Modality) -> (char, char) {
    match modality {
        Modality::Box => ('[', ']'),
        Modality::Dia => ('<', '>'),
    }
}

/// In the syntax of `mu`.
fn show_actions(actions: &ActionSet) -> String {
    if actions.is_any() {
        return String::new();
    }
    let names: Vec<String> = actions.names().iter().map(|name| quote(name)).collect();
    match (actions.is_complement(), names.len()) {
        (false, 0) => "false".to_owned(),
        (false, _) => names.join("|"),
        (true, 1) => format!("!{}", names[0]),
        (true, _) => format!("!({})", names.join("|")),
    }
}

fn quote(name: &str) -> String {
    let starts_well = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    let reserved = matches!(name, "true" | "false");
    if starts_well && is_one_word(name) && !reserved {
        name.to_owned()
    } else {
        format!("{name:?}")
    }
}
