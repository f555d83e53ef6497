//! The parts of a formula, and where they stand in the text.

use crate::place::{TextRange, units};
use logic::{Fix, Formula, Modality, Node, NodeId, Origin};
use serde::Serialize;
use support::{SourceMap, Span};

/// A formula as it is shown, white space folded, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct FormulaText<'a> {
    pub formula: &'a Formula,
    pub text: &'a str,
    pub span: Option<Span>,
    pub sources: &'a SourceMap,
}

/// A subformula, and where it comes from.
#[derive(Serialize, Clone, Debug)]
pub struct FormulaPart {
    pub subformula: String,
    kind: &'static str,
    /// A range in the formula as it is shown, in UTF-16 units.
    from: Option<usize>,
    to: Option<usize>,
    /// Whether the text says the opposite.
    negated: bool,
    source: Option<TextRange>,
    /// Of a part that stands nowhere: the one that it was made from.
    within: Option<String>,
}

impl FormulaText<'_> {
    /// All subformulas that differ in their words.
    pub fn parts(&self) -> Vec<FormulaPart> {
        let mut parts: Vec<FormulaPart> = Vec::new();
        for (node, _) in self.formula.nodes() {
            let part = self.part(node);
            match parts.iter_mut().find(|known| known.subformula == part.subformula) {
                // The one that stands somewhere says more.
                Some(known) if known.source.is_none() => *known = part,
                Some(_) => {}
                None => parts.push(part),
            }
        }
        parts
    }

    pub fn part(&self, node: NodeId) -> FormulaPart {
        let source = self.source(node);
        let range = source.and_then(|(span, _)| self.range_of(span));
        FormulaPart {
            subformula: self.formula.written(node),
            kind: kind(self.formula, node),
            from: range.map(|(from, _)| from),
            to: range.map(|(_, to)| to),
            negated: source.is_some_and(|(_, negated)| negated),
            source: source.map(|(span, _)| TextRange::new(span, self.sources)),
            within: source.is_none().then(|| self.within(node)).flatten(),
        }
    }

    /// Where a node stands, and whether it stands there as its opposite.
    fn source(&self, node: NodeId) -> Option<(Span, bool)> {
        match self.formula.origin(binder(self.formula, node)) {
            Origin::Source { span, negated } => Some((span, negated)),
            _ => None,
        }
    }

    /// The nearest subformula around a node that stands somewhere.
    fn within(&self, node: NodeId) -> Option<String> {
        let parent = |successor: NodeId| {
            let mut others = self.formula.nodes().map(|(id, _)| id);
            others.find(|&id| {
                id != successor && self.formula.successors(id).any(|other| other == successor)
            })
        };
        let mut ancestors = std::iter::successors(parent(node), |&node| parent(node));
        let stands =
            ancestors.by_ref().take(self.formula.len()).find(|&id| self.source(id).is_some());
        stands.map(|id| self.formula.written(id))
    }

    /// Where a part stands in the formula as it is shown, if that has the words of the text there.
    fn range_of(&self, span: Span) -> Option<(usize, usize)> {
        let whole = self.span.filter(|whole| whole.file == span.file)?;
        let text = &self.sources.file(span.file).text;
        let before = text.get(whole.start as usize..span.start as usize)?;
        let blank = if before.ends_with(char::is_whitespace) { " " } else { "" };
        let (before, own) = (folded(before) + blank, folded(text.get(span.range())?));
        let is_there = self.text.strip_prefix(&before)?.starts_with(&own);
        is_there.then(|| (units(&before), units(&before) + units(&own)))
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Of a variable, its fixpoint.
fn binder(formula: &Formula, node: NodeId) -> NodeId {
    let Node::Var(var) = formula.node(node) else { return node };
    let fixpoint = formula.nodes().find(|&(_, other)| other == Node::Fix(var));
    fixpoint.map_or(node, |(fixpoint, _)| fixpoint)
}

fn kind(formula: &Formula, node: NodeId) -> &'static str {
    match formula.node(node) {
        Node::Const(_) => "constant",
        Node::Lit(..) => "literal",
        Node::And(..) => "and",
        Node::Or(..) => "or",
        Node::Modal(Modality::Box, ..) => "box",
        Node::Modal(Modality::Dia, ..) => "diamond",
        Node::Fix(var) | Node::Var(var) => match formula.var(var).kind {
            Fix::Mu => "least",
            Fix::Nu => "greatest",
        },
    }
}
