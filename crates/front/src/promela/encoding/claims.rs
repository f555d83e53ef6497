//! `never` claims as state variables that watch the others.
//!
//! As in Spin, a claim makes a step on every state of a run, before the model makes its own: the variable has the place
//! of the claim before it has seen the state. It chooses one of the edges whose guards are true, and what is exclusive
//! in it is one step. It makes none while a process is within `atomic` or `d_step`. Where it can make no step it has
//! nothing against the run, and so it goes to a place of its own, `_left`, which it may choose at any time. So every
//! run of the model is one with the claim, and no other property sees the difference.

use super::super::program::{Action, LocationId, PromelaProcess};
use super::Encoder;
use transition::{
    Assign, ChoiceId, Domain, InstanceId, MachineVar, NodeId, Type, VarId as StateId, VarKind,
    When, symbol_value,
};

/// More statements than this are too many for what is exclusive in a claim.
const MOST_EXCLUSIVE: usize = 64;

/// A claim about runs.
pub(in crate::promela) struct ClaimAtoms {
    /// It is at a label that begins with `accept`.
    pub accepts: NodeId,
    /// It has come to its end.
    pub ends: NodeId,
}

impl Encoder<'_> {
    /// Adds a claim. `None` if too much is exclusive in it.
    pub(in crate::promela) fn add_claim(
        &mut self,
        name: &str,
        claim: &PromelaProcess,
    ) -> Option<ClaimAtoms> {
        let count = claim.locations.len();
        let symbols: Vec<i64> =
            (0..count).map(|number| self.place(&format!("s{number}"))).collect();
        let left = self.place("_left");
        let domain = Domain::Values(symbols.iter().copied().chain([left]).collect());
        let var = self.machine.vars.push(MachineVar {
            name: format!("@{name}"),
            domain,
            kind: VarKind::State,
            instance: InstanceId(0),
            span: claim.span,
        });
        let symbol_of = |location: LocationId| symbols[location.0 as usize];
        let now = self.now(var);
        let mut next = self.machine.one(now);
        for location in claim.locations.ids().filter(|location| *location != claim.end) {
            let mut moves = Vec::new();
            let always = self.machine.exprs.bool(true);
            self.add_moves(claim, location, always, &mut moves)?;
            let left = self.value_of(left);
            let mut parts = vec![left];
            for (guard, target) in moves {
                let target = self.value_of(symbol_of(target));
                parts.push(self.machine.choose_if(guard, target, left));
            }
            let any = self.machine.any_of(parts);
            let is_there = self.is_symbol(var, symbol_of(location));
            next = self.machine.choose_if(is_there, any, next);
        }
        if let Some(hidden) = self.atoms.as_ref().map(|atoms| atoms.hidden) {
            let stays = self.machine.one(now);
            next = self.machine.choose_if(hidden, stays, next);
        }
        let start = self.value_of(symbol_of(claim.start));
        self.assign_claim(var, When::Init, start, claim);
        self.assign_claim(var, When::Next, next, claim);
        let places = claim.locations.iter().filter(|(_, at)| at.marks.is_accepting);
        let places: Vec<i64> = places.map(|(location, _)| symbol_of(location)).collect();
        let accepting = places.into_iter().map(|symbol| self.is_symbol(var, symbol)).collect();
        Some(ClaimAtoms {
            accepts: self.any(accepting),
            ends: self.is_symbol(var, symbol_of(claim.end)),
        })
    }

    fn place(&mut self, name: &str) -> i64 {
        symbol_value(self.machine.symbols.intern(name))
    }

    fn value_of(&mut self, symbol: i64) -> ChoiceId {
        let node = self.machine.exprs.constant(symbol, Type::Scalar);
        self.machine.one(node)
    }

    fn assign_claim(&mut self, var: StateId, when: When, choice: ChoiceId, claim: &PromelaProcess) {
        let (writers, span) = (vec![InstanceId(0)], claim.span);
        self.machine.assigns.push(Assign { var, when, choice, writers, span });
    }

    /// The steps from a place, with what has to be true for them. An assertion that fails ends the claim.
    fn add_moves(
        &mut self,
        claim: &PromelaProcess,
        from: LocationId,
        given: NodeId,
        moves: &mut Vec<(NodeId, LocationId)>,
    ) -> Option<()> {
        let mut open = vec![(from, given)];
        let mut steps = 0;
        while let Some((location, given)) = open.pop() {
            for edge in claim.edges_from(location) {
                let guard = self.truth(edge.guard);
                let mut taken = self.and(given, guard);
                if let Action::Assert(condition) = edge.action {
                    let holds = self.truth(condition);
                    let fails = self.not(holds);
                    moves.push((self.and(taken, fails), claim.end));
                    taken = self.and(taken, holds);
                }
                match edge.keeps_control {
                    true => open.push((edge.target, taken)),
                    false => moves.push((taken, edge.target)),
                }
            }
            steps += 1;
            if steps > MOST_EXCLUSIVE {
                return None;
            }
        }
        Some(())
    }
}
