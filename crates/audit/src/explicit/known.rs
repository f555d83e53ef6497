//! Which positions are known to be won, and whether another one follows from them.

use crate::proof::{Positions, ProofFailure};
use crate::read::Reader;
use fixedbitset::FixedBitSet;
use logic::{Formula, Modality, Node, NodeId};
use model::PartialModel;
use std::io::Read;
use std::ops::Range;

/// The opponent can take it.
const HIS: u8 = 1;
/// The winner can.
const HERS: u8 = 2;

pub(crate) struct Known<'a> {
    formula: &'a Formula,
    model: &'a PartialModel,
    /// States that something can be proved of: those from here on lack their transitions.
    given: usize,
    /// The player that is claimed to win: the verifier if true.
    verdict: bool,
    /// By subformula: the states. Literals and constants are known from the start.
    sets: Vec<FixedBitSet>,
    /// By set of actions and class of transitions: who can take them.
    takes: Vec<Vec<u8>>,
}

impl<'a> Known<'a> {
    pub fn new(model: &'a PartialModel, given: usize, formula: &'a Formula, verdict: bool) -> Self {
        let set = |node| {
            let mut set = match node {
                // Neither player wins by an unknown value.
                Node::Lit(prop, positive) if positive == verdict => model.true_in(prop).clone(),
                Node::Lit(prop, _) => model.false_in(prop).clone(),
                _ => FixedBitSet::new(),
            };
            set.grow(model.states());
            if node == Node::Const(verdict) {
                set.insert_range(..);
            }
            set
        };
        let sets = formula.nodes().map(|(_, node)| set(node)).collect();
        let takes = formula.action_sets().values().map(|set| takes(model, set)).collect();
        Self { formula, model, given, verdict, sets, takes }
    }

    /// Takes over what is known of other states, each of which stands for one of these: `of` gives it.
    pub fn take_over(&mut self, sets: &[FixedBitSet], of: impl Fn(u32) -> Option<u32>) {
        for state in 0..self.model.states() as u32 {
            let Some(other) = of(state) else { continue };
            for (own, theirs) in self.sets.iter_mut().zip(sets) {
                if theirs.contains(other as usize) {
                    own.insert(state as usize);
                }
            }
        }
    }

    pub fn into_sets(self) -> Vec<FixedBitSet> {
        self.sets
    }

    /// The states in which a subformula is known.
    pub fn of(&self, node: NodeId) -> &FixedBitSet {
        &self.sets[self.formula.representative(node).0 as usize]
    }

    /// Whether all these positions follow from what is known; else a state in which one does not.
    fn all_follow(&self, node: NodeId, run: &Range<u32>) -> Result<(), u32> {
        let definition = self.formula.definition(node);
        match self.formula.node(definition) {
            Node::And(a, b) => self.choice(self.verdict, [a, b], run),
            Node::Or(a, b) => self.choice(!self.verdict, [a, b], run),
            Node::Modal(modality, actions, body) => {
                let (takes, body) = (&self.takes[actions.0 as usize], self.of(body));
                // His are the boxes if she is the verifier.
                if (modality == Modality::Box) == self.verdict {
                    all(run, |state| self.cannot_escape(state, takes, body))
                } else {
                    all(run, |state| self.can_move(state, takes, body))
                }
            }
            // The body of a fixpoint is another node, or the query is about a literal.
            Node::Fix(_) | Node::Var(_) | Node::Lit(..) | Node::Const(_) => {
                let known = self.of(definition);
                all(run, |state| known.contains(state as usize))
            }
        }
    }

    fn choice(&self, is_his: bool, operands: [NodeId; 2], run: &Range<u32>) -> Result<(), u32> {
        let [a, b] = operands.map(|operand| self.of(operand));
        let range = run.start as usize..run.end as usize;
        if is_his && [a, b].iter().all(|set| set.contains_all_in_range(range.clone())) {
            return Ok(());
        }
        all(run, |state| {
            let (a, b) = (a.contains(state as usize), b.contains(state as usize));
            if is_his { a && b } else { a || b }
        })
    }

    #[inline]
    fn cannot_escape(&self, state: u32, takes: &[u8], body: &FixedBitSet) -> bool {
        let edges = self.model.edges();
        edges.row(state).all(|edge| {
            takes[edges.class(edge) as usize] & HIS == 0
                || body.contains(edges.target(edge) as usize)
        })
    }

    #[inline]
    fn can_move(&self, state: u32, takes: &[u8], body: &FixedBitSet) -> bool {
        let edges = self.model.edges();
        let known = |&target: &u32| body.contains(target as usize);
        edges
            .row(state)
            .any(|edge| takes[edges.class(edge) as usize] & HERS != 0 && known(&edges.target(edge)))
            || (!self.model.hyper().is_empty()
                && self.model.hyper_from(state).iter().any(|hyper| hyper.targets.iter().all(known)))
    }

    /// An operand that is not known in a state where the position does not follow, for messages.
    fn lacking(&self, node: NodeId, state: u32) -> Option<(NodeId, u32)> {
        let is_open =
            |&(operand, state): &(NodeId, u32)| !self.of(operand).contains(state as usize);
        let definition = self.formula.definition(node);
        let Node::Modal(_, actions, body) = self.formula.node(definition) else {
            return self
                .formula
                .successors(definition)
                .map(|operand| (operand, state))
                .find(is_open);
        };
        let (takes, edges) = (&self.takes[actions.0 as usize], self.model.edges());
        let taken = edges.row(state).filter(|&edge| takes[edges.class(edge) as usize] != 0);
        taken.map(|edge| (body, edges.target(edge))).find(is_open)
    }
}

impl Positions for Known<'_> {
    type States = Range<u32>;

    fn read<R: Read>(
        &mut self,
        reader: &mut Reader<R>,
        mut visit: impl FnMut(&mut Self, Range<u32>) -> Result<(), ProofFailure>,
    ) -> Result<u64, ProofFailure> {
        let runs = reader.below(self.given + 1, "more ranges than there are states")?;
        let (mut end, mut count) = (0, 0);
        for _ in 0..runs {
            let run = reader.run(&mut end, self.given)?;
            count += u64::from(run.end - run.start);
            visit(self, run)?;
        }
        // An empty step would make a long certificate of nothing.
        if runs == 0 { Err("it names no state".to_owned().into()) } else { Ok(count) }
    }

    /// No position is proved twice.
    fn new_in(&mut self, node: NodeId, run: &Range<u32>) -> Result<Range<u32>, ProofFailure> {
        let range = run.start as usize..run.end as usize;
        if !self.sets[node.0 as usize].contains_any_in_range(range) {
            return Ok(run.clone());
        }
        let (name, from) = (self.formula.show(node), self.model.state_name(run.start));
        Err(format!("`{name}` is known already somewhere from `{from}` on").into())
    }

    fn add(&mut self, node: NodeId, run: &Range<u32>) -> Result<(), ProofFailure> {
        self.sets[node.0 as usize].insert_range(run.start as usize..run.end as usize);
        Ok(())
    }

    fn follow(&mut self, node: NodeId, run: &Range<u32>) -> Result<(), ProofFailure> {
        let Err(state) = self.all_follow(node, run) else { return Ok(()) };
        let place = |(node, state)| {
            let (name, value) = (self.formula.show(node), self.verdict);
            format!("`{name}` is {value} in `{}`", self.model.state_name(state))
        };
        let lacking = match self.lacking(node, state) {
            Some(operand) => format!("it is not known that {}", place(operand)),
            None => "there is no move".to_owned(),
        };
        Err(format!("it does not follow that {}: {lacking}", place((node, state))).into())
    }
}

#[inline]
fn all(run: &Range<u32>, follows: impl Fn(u32) -> bool) -> Result<(), u32> {
    run.clone().find(|&state| !follows(state)).map_or(Ok(()), Err)
}

fn takes(model: &PartialModel, set: &logic::ActionSet) -> Vec<u8> {
    let bit = |is_there: bool, bit: u8| if is_there { bit } else { 0 };
    let class = |class: &model::EdgeClass| {
        let matches = class.action.is_none_or(|action| set.contains(model.actions().name(action)));
        bit(matches && class.mode.may, HIS) | bit(matches && class.mode.must, HERS)
    };
    model.edges().classes().iter().map(class).collect()
}
