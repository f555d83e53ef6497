//! Failure path of an unknown verdict: from an initial state to a label or a transition that decides and is not known
//! (C §5.2, after Remark 6.2).
//!
//! Where a formula is unknown, the verifier wins the optimistic game, in which what is open is in his favour, and the
//! falsifier wins the pessimistic one. Both play their winning strategies against each other, by certain moves as long
//! as these are certain. A play that never ended would be won by both; so it comes to a move that one of them wants to
//! make and that is not certain: an unknown label, or a transition that is may and not must. The strategies are the
//! proofs of the two fixpoint computations ([`Record`]); the falsifier's is that of the dual formula.

use crate::evidence::plan::{END, Plan};
use crate::fixpoints::{Evaluation, Side};
use crate::kmts::StateBits;
use crate::record::Record;
use crate::relation::Steps;
use crate::structure::{Label, Structure};
use bdd::{Bdd, Stop};
use logic::{ActionSetId, Formula, Modality, Node, NodeId, PropId, VarId};
use std::rc::Rc;

/// A path of positions, from an initial one to where something is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailurePath {
    /// States of the composition, by component, with subformulas.
    pub path: Vec<(Vec<u32>, NodeId)>,
    pub cause: OpenFact,
}

/// Why a formula is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownCause {
    Path(FailurePath),
    /// It is decided in every initial state, not in all to the same, and an implementation of what is missing has some
    /// of them only.
    Starts {
        satisfying: Vec<u32>,
        falsifying: Vec<u32>,
    },
}

/// The undetermined fact in the last position of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpenFact {
    /// Whether the proposition holds.
    Label(PropId),
    /// Whether there is a transition to this state.
    Transition { target: Vec<u32>, action: Option<String> },
}

/// A play longer than this is not followed to its end.
const MOST_MOVES: usize = 1 << 14;

/// How a player wins where he wins if what is open is in his favour.
struct Strategy {
    /// The formula, or its dual for the falsifier.
    formula: Rc<Formula>,
    plan: Plan,
}

/// A position, and the times before which the strategies know what they follow from.
struct Position {
    state: Bdd,
    node: NodeId,
    times: [usize; 2],
}

/// Two strategies against each other: of the verifier, and of the falsifier.
struct Match<'a> {
    structure: &'a mut Structure,
    bits: &'a [StateBits],
    care: &'a Bdd,
    players: [Strategy; 2],
}

impl Structure {
    /// Why a formula is unknown; `None` if it is not, or the path is too long. No may step leaves `care`.
    pub(crate) fn unknown_cause(
        &mut self,
        formula: &Formula,
        bits: &[StateBits],
        care: &Bdd,
    ) -> Result<Option<UnknownCause>, Stop> {
        let players = [
            self.optimistic_strategy(formula.clone(), care)?,
            self.optimistic_strategy(formula.dual(), care)?,
        ];
        let mut game = Match { structure: self, bits, care, players };
        let (init, root) = (game.structure.init.clone(), formula.root());
        let [possible, refutable] = [0, 1].map(|player| game.holds(player, root, &init, END));
        let (possible, refutable) = (possible?, refutable?);
        let open = game.structure.manager.and(&possible, &refutable)?;
        if let Some(state) = game.pick(&open)? {
            let path = game.play(Position { state, node: root, times: [END; 2] })?;
            return Ok(path.map(UnknownCause::Path));
        }
        let [satisfying, falsifying] = [refutable, possible].map(|set| {
            let others = game.structure.manager.minus(&init, &set)?;
            game.pick(&others)
        });
        let starts = satisfying?.zip(falsifying?);
        Ok(starts.map(|(satisfying, falsifying)| UnknownCause::Starts {
            satisfying: game.tuple(&satisfying),
            falsifying: game.tuple(&falsifying),
        }))
    }

    fn optimistic_strategy(&mut self, formula: Formula, care: &Bdd) -> Result<Strategy, Stop> {
        let mut evaluation = Evaluation::new(self, &formula, Side::Optimist, care)?;
        evaluation.record = Some(Record::new(&formula));
        evaluation.node(formula.root())?;
        let steps = evaluation.record.take().map(|record| record.steps).unwrap_or_default();
        let plan = Plan::new(&steps, &mut self.manager)?;
        Ok(Strategy { formula: Rc::new(formula), plan })
    }

    /// The successors of some states by steps that may be made, or must.
    fn successors(&mut self, from: &Bdd, is_must: bool, steps: Steps) -> Result<Bdd, Stop> {
        let states = self.states.clone();
        let Some((relation, manager)) = self.steps_of(is_must) else {
            return Ok(self.manager.constant(false));
        };
        let mut there = manager.constant(false);
        for (_, image) in relation.images(from, steps, manager)? {
            there = manager.or(&there, &image)?;
        }
        manager.and(&there, &states)
    }

    /// The action of a may step between two states, of those that are spoken of.
    fn action_between(
        &mut self,
        from: &Bdd,
        to: &Bdd,
        steps: Steps,
    ) -> Result<Option<String>, Stop> {
        let Structure { may, manager, .. } = self;
        for (action, there) in may.images(from, steps, manager)? {
            if manager.is_subset(to, &there)? {
                return Ok(action.map(str::to_owned));
            }
        }
        Ok(None)
    }
}

impl Match<'_> {
    fn play(&mut self, mut at: Position) -> Result<Option<FailurePath>, Stop> {
        let mut path: Vec<(Vec<u32>, NodeId)> = Vec::new();
        for _ in 0..MOST_MOVES {
            self.structure.manager.monitor().step(1).map_err(Stop::Stopped)?;
            path.push((self.tuple(&at.state), at.node));
            match self.players[0].formula.node(at.node) {
                Node::Const(_) => return Ok(None),
                Node::Lit(prop, _) => {
                    return Ok(Some(FailurePath { path, cause: OpenFact::Label(prop) }));
                }
                Node::Fix(var) | Node::Var(var) => {
                    for player in 0..2 {
                        self.look_up(player, var, &mut at);
                    }
                    at.node = self.players[0].formula.var(var).body;
                }
                Node::And(a, b) => at.node = self.chosen(1, a, b, &at)?,
                Node::Or(a, b) => at.node = self.chosen(0, a, b, &at)?,
                Node::Modal(modality, actions, body) => {
                    let mover = usize::from(modality == Modality::Box);
                    let (target, fact) = self.step(mover, actions, body, &at)?;
                    if let Some(cause) = fact {
                        return Ok(Some(FailurePath { path, cause }));
                    }
                    let Some(target) = target else { return Ok(None) };
                    (at.state, at.node) = (target, body);
                }
            }
        }
        Ok(None)
    }

    /// The time before which a player knew what the value of a variable follows from.
    fn look_up(&self, player: usize, var: VarId, at: &mut Position) {
        let Some(point) = self.structure.manager.pick(&at.state) else { return };
        let is_true = |var| point.contains(&(var, true));
        let mut entries = self.players[player].plan.of(var).iter();
        let has_it = |set: &Bdd| self.structure.manager.contains(set, is_true);
        if let Some(entry) = entries.find(|entry| has_it(&entry.states)) {
            at.times[player] = entry.due;
        }
    }

    /// The operand that a player can show.
    fn chosen(
        &mut self,
        player: usize,
        a: NodeId,
        b: NodeId,
        at: &Position,
    ) -> Result<NodeId, Stop> {
        let first = self.holds(player, a, &at.state, at.times[player])?;
        Ok(if first.is_empty() { b } else { a })
    }

    /// A successor that a player can show, or one to which the transition is not certain: one that decides, if there is
    /// such a one.
    fn step(
        &mut self,
        mover: usize,
        actions: ActionSetId,
        body: NodeId,
        at: &Position,
    ) -> Result<(Option<Bdd>, Option<OpenFact>), Stop> {
        let formula = self.players[0].formula.clone();
        let steps = self.structure.steps(formula.actions(actions));
        let possible = self.structure.successors(&at.state, false, steps)?;
        let good = self.holds(mover, body, &possible, at.times[mover])?;
        let certain = self.structure.successors(&at.state, true, steps)?;
        let open = self.structure.manager.minus(&good, &certain)?;
        let disputed = self.holds(1 - mover, body, &open, END)?;
        let deciding = self.structure.manager.minus(&open, &disputed)?;
        let wanted = if deciding.is_empty() { open } else { deciding };
        if let Some(target) = self.pick(&wanted)? {
            let action = self.structure.action_between(&at.state, &target, steps)?;
            let target = self.tuple(&target);
            return Ok((None, Some(OpenFact::Transition { target, action })));
        }
        Ok((self.pick(&good)?, None))
    }

    /// Those of some states in which a player can show a subformula, by what he knew before some time.
    fn holds(
        &mut self,
        player: usize,
        id: NodeId,
        among: &Bdd,
        before: usize,
    ) -> Result<Bdd, Stop> {
        let formula = self.players[player].formula.clone();
        match formula.node(id) {
            Node::Const(true) => Ok(among.clone()),
            Node::Const(false) => Ok(self.structure.manager.constant(false)),
            Node::Lit(prop, is_positive) => {
                let Label { tt, ff } = self.structure.labels[prop].clone();
                let excluded = if is_positive { ff } else { tt };
                self.structure.manager.minus(among, &excluded)
            }
            Node::And(a, b) => {
                let some = self.holds(player, a, among, before)?;
                self.holds(player, b, &some, before)
            }
            Node::Or(a, b) => {
                let a = self.holds(player, a, among, before)?;
                let b = self.holds(player, b, among, before)?;
                self.structure.manager.or(&a, &b)
            }
            Node::Modal(modality, actions, body) => {
                let care = self.care;
                let there = self.holds(player, body, care, before)?;
                let steps = self.structure.steps(formula.actions(actions));
                if modality == Modality::Dia {
                    return self.structure.pre_image(&there, false, steps, among);
                }
                let elsewhere = self.structure.manager.minus(care, &there)?;
                let bad = self.structure.pre_image(&elsewhere, true, steps, among)?;
                self.structure.manager.minus(among, &bad)
            }
            Node::Fix(var) if formula.var(var).node.is_none() => {
                self.holds(player, formula.var(var).body, among, before)
            }
            Node::Fix(var) | Node::Var(var) => {
                let known = self.players[player].plan.known(var, before).cloned();
                let known = known.unwrap_or(self.structure.manager.constant(false));
                self.structure.manager.and(&known, among)
            }
        }
    }

    /// One state of a set, as a set.
    fn pick(&mut self, set: &Bdd) -> Result<Option<Bdd>, Stop> {
        let Some(point) = self.structure.manager.pick(set) else { return Ok(None) };
        let mut state = self.structure.manager.constant(true);
        for bit in self.bits.iter().flat_map(StateBits::now) {
            let is_set = self.structure.manager.var(*bit)?;
            let literal = if point.contains(&(*bit, true)) { is_set } else { is_set.not() };
            state = self.structure.manager.and(&state, &literal)?;
        }
        Ok(Some(state))
    }

    /// The states of the components in a state.
    fn tuple(&self, state: &Bdd) -> Vec<u32> {
        let point = self.structure.manager.pick(state).unwrap_or_default();
        let is_true = |var| point.contains(&(var, true));
        self.bits.iter().map(|bits| bits.state(is_true)).collect()
    }
}
