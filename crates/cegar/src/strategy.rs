//! The winner's strategy within a state: which subformula to follow, and which facts to report on the path.

use crate::concretise::{Modal, RunEnd};
use explicit::{Known, Times};
use logic::evidence::RunFact;
use logic::{Fix, Formula, Modality, Node, NodeId, Origin, Truth, VarId};
use model::PartialModel;
use rustc_hash::FxHashSet;

/// Proof of a verdict, as steps of the winner's strategy.
pub(crate) struct Strategy<'a> {
    pub formula: &'a Formula,
    pub value: bool,
    times: Times,
    model: &'a PartialModel,
    /// By subformula: whether it is propositional.
    plain: Vec<bool>,
    /// Facts that were stated, of a state alone or of its successors.
    reported: FxHashSet<(bool, String)>,
    /// Whether something was left out that leads on, too.
    pub leaves_out: bool,
}

impl<'a> Strategy<'a> {
    pub fn new(formula: &'a Formula, times: Times, model: &'a PartialModel, value: bool) -> Self {
        let mut plain: Vec<bool> = Vec::with_capacity(formula.len());
        for (_, node) in formula.nodes() {
            plain.push(match node {
                Node::Const(_) | Node::Lit(..) => true,
                Node::And(a, b) | Node::Or(a, b) => plain[a.0 as usize] && plain[b.0 as usize],
                Node::Modal(..) | Node::Fix(_) | Node::Var(_) => false,
            });
        }
        // The property itself is not reported again. It may be about all states that a first step leads to.
        let root = formula.root();
        let asked = match formula.node(root) {
            Node::Modal(_, _, body) if formula.origin(root) == Origin::Structure => body,
            _ => root,
        };
        let is_plain = plain[asked.0 as usize];
        let reported = FxHashSet::from_iter([(is_plain, formula.written(asked))]);
        Self { formula, value, times, model, plain, reported, leaves_out: false }
    }

    /// When the formula was known of a position.
    pub fn known_at_first(&self, position: u32) -> Option<Known> {
        self.known(position, self.formula.root())
    }

    /// When a subformula was known to have the verdict's value.
    pub fn known(&self, position: u32, node: NodeId) -> Option<Known> {
        let value = match self.formula.node(node) {
            Node::Const(value) => value.into(),
            Node::Lit(prop, true) => self.model.label(position, prop),
            Node::Lit(prop, false) => !self.model.label(position, prop),
            _ => return self.times.get(0, position, self.formula.representative(node)),
        };
        (value == Truth::from(self.value)).then_some(Known::FROM_THE_START)
    }

    pub fn due(&self, position: u32, node: NodeId) -> Known {
        self.known(position, node).unwrap_or(Known::FROM_THE_START)
    }

    /// Whether the winner may unfold these fixpoints for ever: the outermost decides, which was made last.
    pub fn may_loop(&self, unfolded: &[VarId]) -> bool {
        let made = |var: &VarId| self.formula.nodes().position(|(_, node)| node == Node::Fix(*var));
        unfolded.iter().copied().max_by_key(made).is_none_or(|var| self.may_unfold(var))
    }

    /// Whether the winner may unfold a fixpoint for ever. A ranked one is several, nested; the outermost has the kind
    /// that the user wrote.
    fn may_unfold(&self, var: VarId) -> bool {
        let mut outermost = var;
        let around = |inner: VarId| {
            let is_around = |other: VarId| {
                let of = self.formula.var(other);
                self.formula.node(of.body) == Node::Fix(inner)
                    && of.name == self.formula.var(inner).name
            };
            self.formula.vars().map(|(other, _)| other).find(|&other| is_around(other))
        };
        while let Some(outer) = around(outermost) {
            outermost = outer;
        }
        (self.formula.var(outermost).kind == Fix::Nu) == self.value
    }

    /// Follows the formula in a state to the next transition of the winner's strategy, or to the end. Facts on the path
    /// are reported once.
    pub fn settle(
        &mut self,
        position: u32,
        node: NodeId,
        unfolded: &mut Vec<VarId>,
    ) -> (Result<Modal, RunEnd>, Vec<RunFact>) {
        let mut facts = Vec::new();
        let mut node = self.formula.representative(node);
        let mut seen = FxHashSet::default();
        let ended = loop {
            // A fixpoint that is unfolded again in the same state needs no further step.
            if !seen.insert(node) {
                break Err(RunEnd::Decided);
            }
            self.note(node, &mut facts);
            if self.plain[node.0 as usize] {
                break Err(RunEnd::Decided);
            }
            if let Node::Var(var) = self.formula.node(node) {
                unfolded.push(var);
            }
            let definition = self.formula.definition(node);
            let next = match self.formula.node(definition) {
                Node::And(a, b) | Node::Or(a, b) => self.part(position, node, [a, b], &mut facts),
                Node::Modal(modality, _, body) => {
                    let is_ours = (modality == Modality::Dia) == self.value;
                    break if is_ours {
                        Ok(Modal { node, body })
                    } else {
                        Err(RunEnd::AllSuccessors)
                    };
                }
                _ if definition != node => Some(definition),
                _ => self.formula.successors(node).next(),
            };
            match next {
                Some(next) => node = self.formula.representative(next),
                None => break Err(RunEnd::Decided),
            }
        };
        (ended, facts)
    }

    /// The part of a conjunction or disjunction that is followed; none if none leads out of the state.
    fn part(
        &mut self,
        position: u32,
        node: NodeId,
        successors: [NodeId; 2],
        facts: &mut Vec<RunFact>,
    ) -> Option<NodeId> {
        if let Some(chosen) = self.choice(position, node, successors) {
            return Some(chosen);
        }
        let (fair, all): (Vec<NodeId>, Vec<NodeId>) = successors
            .into_iter()
            .filter(|&successor| self.leads_on(position, successor))
            .partition(|&successor| matches!(self.formula.origin(successor), Origin::Fair { .. }));
        // That a fair path begins in a state is reported where there is no other fact.
        let leading = all.first().or(fair.first()).copied();
        self.leaves_out |= all.len() > 1;
        for successor in successors.into_iter().filter(|&successor| Some(successor) != leading) {
            self.note_all(position, successor, facts);
        }
        leading
    }

    /// The operand that the winner chooses, if it is his choice.
    fn choice(&self, position: u32, node: NodeId, successors: [NodeId; 2]) -> Option<NodeId> {
        let definition = self.formula.definition(node);
        if matches!(self.formula.node(definition), Node::Or(..)) != self.value {
            return None;
        }
        let limit = self.due(position, node);
        let known = |successor: NodeId| Some((self.known(position, successor)?, successor));
        let known = successors.into_iter().filter_map(known);
        known.filter(|(known, _)| known.is_before(limit)).min().map(|(_, successor)| successor)
    }

    /// Whether the facts of a subformula are about more than this state.
    fn leads_on(&self, position: u32, node: NodeId) -> bool {
        match self.formula.node(node) {
            _ if self.plain[node.0 as usize] => false,
            Node::And(a, b) | Node::Or(a, b) => match self.choice(position, node, [a, b]) {
                Some(chosen) => self.leads_on(position, chosen),
                None => self.leads_on(position, a) || self.leads_on(position, b),
            },
            _ => true,
        }
    }

    /// Reports all operands of a subformula that is not followed.
    fn note_all(&mut self, position: u32, node: NodeId, facts: &mut Vec<RunFact>) {
        self.note(node, facts);
        if let (false, Node::And(a, b) | Node::Or(a, b)) =
            (self.plain[node.0 as usize], self.formula.node(node))
        {
            let chosen = self.choice(position, node, [a, b]);
            let parts = chosen.map_or(vec![a, b], |chosen| vec![chosen]);
            parts.into_iter().for_each(|part| self.note_all(position, part, facts));
        }
    }

    /// Reports that a subformula has the value of the verdict, if the user wrote it and it was not reported before.
    /// Conjunctions and disjunctions are reported by their operands.
    fn note(&mut self, node: NodeId, facts: &mut Vec<RunFact>) {
        let is_junction = matches!(self.formula.node(node), Node::And(..) | Node::Or(..));
        if !self.is_written(node) || (is_junction && !self.plain[node.0 as usize]) {
            return;
        }
        let subformula = self.formula.written(node);
        if self.reported.insert((self.plain[node.0 as usize], subformula.clone())) {
            facts.push(RunFact { subformula, holds: self.value, on_all_paths: false });
        }
    }

    fn is_written(&self, node: NodeId) -> bool {
        let speaks = match self.formula.node(node) {
            Node::Var(var) => self.formula.nodes().find(|&(_, other)| other == Node::Fix(var)),
            _ => None,
        };
        let node = speaks.map_or(node, |(fixpoint, _)| fixpoint);
        matches!(self.formula.origin(node), Origin::Source { .. })
    }
}
